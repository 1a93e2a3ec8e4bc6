//! The Console on the wire.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider};

use super::endpoint::Endpoint;
use super::exchange::{Body, Fault, Reply, Transport};
use super::proxy;

/// More of an answer is not read: forty objects are far from it.
pub const LONGEST_ANSWER: u64 = 16 << 20;
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// What both headers say (pluralsh/console, go/client).
const JSON: &str = "application/json; charset=utf-8";

/// Requests over HTTP, as they are sent to one endpoint.
pub struct Wire {
    agent: ureq::Agent,
    endpoint: Endpoint,
    /// The variable that names the proxy on the way.
    proxy_from: Option<&'static str>,
}

/// The token is in it.
impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wire").field("shown", &self.endpoint.shown).finish_non_exhaustive()
    }
}

impl Wire {
    /// A way to an endpoint. `ca` is a file of certificates that are trusted besides the system's; `timeout` is for one
    /// request; `variable` is the environment, which names proxies.
    ///
    /// # Errors
    /// When the file or the proxy cannot be used.
    pub fn new(
        endpoint: Endpoint,
        ca: Option<&Path>,
        timeout: Duration,
        variable: proxy::Variable<'_>,
    ) -> Result<Wire, String> {
        let (proxy, proxy_from) = proxy::find(&endpoint, variable)?.unzip();
        // The only provider in the tree, and named here: two would panic at first use.
        let tls = TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(match ca {
                Some(path) => with_system_roots(path)?,
                None => RootCerts::PlatformVerifier,
            })
            .build();
        let config = ureq::Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            // The header goes nowhere else.
            .max_redirects(0)
            .timeout_connect(Some(CONNECT.min(timeout)))
            .timeout_global(Some(timeout))
            .max_idle_connections_per_host(64)
            .user_agent(concat!("kcc-backoff/", env!("CARGO_PKG_VERSION")))
            .proxy(proxy)
            .build();
        Ok(Wire { agent: config.new_agent(), endpoint, proxy_from })
    }
}

fn with_system_roots(path: &Path) -> Result<RootCerts, String> {
    let shown = path.display();
    let pem = std::fs::read(path).map_err(|error| format!("cannot read the certificates {shown}: {error}"))?;
    let mut certificates: Vec<Certificate<'static>> = Vec::new();
    for item in ureq::tls::parse_pem(&pem) {
        match item {
            Ok(PemItem::Certificate(certificate)) => certificates.push(certificate),
            Ok(_) => {}
            Err(_) => return Err(format!("{shown} holds no readable PEM certificates")),
        }
    }
    if certificates.is_empty() {
        return Err(format!("{shown} holds no PEM certificate"));
    }
    let system = rustls_native_certs::load_native_certs();
    certificates.extend(system.certs.iter().map(|der| Certificate::from_der(der.as_ref()).to_owned()));
    Ok(RootCerts::new_with_certs(&certificates))
}

impl Transport for Wire {
    fn send(&self, body: &[u8]) -> Result<Reply, Fault> {
        let request = self
            .agent
            .post(&self.endpoint.url)
            .header("Authorization", self.endpoint.token.header())
            .header("Content-Type", JSON)
            .header("Accept", JSON);
        let response = request.send(body).map_err(|error| self.fault(&error))?;
        let status = response.status().as_u16();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let retry_after = header("Retry-After").and_then(retry_after);
        let mut bytes = Vec::new();
        let mut reader = response.into_body().into_reader().take(LONGEST_ANSWER + 1);
        reader.read_to_end(&mut bytes).map_err(|error| self.fault(&ureq::Error::from(error)))?;
        let body = if bytes.len() as u64 > LONGEST_ANSWER { Body::TooLong } else { Body::Whole(bytes) };
        Ok(Reply { status, retry_after, body })
    }
}

/// Seconds, or a date from which the clock has to be subtracted (RFC 9110, section 10.2.3).
fn retry_after(text: &str) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?;
    let left = date.timestamp().duration_since(jiff::Timestamp::now());
    Some(Duration::try_from(left).unwrap_or_default())
}

impl Wire {
    fn fault(&self, error: &ureq::Error) -> Fault {
        let by = self.proxy_from.map_or(String::new(), |variable| format!(" (through the proxy in {variable})"));
        Fault { message: format!("{}{by}", words(error)) }
    }
}

fn words(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(_) => "it took too long".to_owned(),
        ureq::Error::HostNotFound => "the host is not known".to_owned(),
        ureq::Error::Io(error) => words_of_io(error),
        ureq::Error::Rustls(error) => words_of_tls(error),
        ureq::Error::Protocol(_) => "the connection was closed, or it is no HTTP".to_owned(),
        ureq::Error::ConnectProxyFailed(_) => "the proxy does not lead there".to_owned(),
        other => without_number(&other.to_string()),
    }
}

fn words_of_io(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    // Errors of the layers above come wrapped.
    if let Some(inner) = error.get_ref() {
        if let Some(tls) = inner.downcast_ref::<rustls::Error>() {
            return words_of_tls(tls);
        }
        if let Some(inner) = inner.downcast_ref::<ureq::Error>() {
            return words(inner);
        }
    }
    match error.kind() {
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe => "the connection was closed before the answer was whole".to_owned(),
        ErrorKind::ConnectionRefused => "the connection was refused".to_owned(),
        ErrorKind::TimedOut | ErrorKind::WouldBlock => "it took too long".to_owned(),
        _ => without_number(&error.to_string()),
    }
}

fn words_of_tls(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer) => {
            "its certificate is from an issuer that is not trusted here: if it is yours, name it with --console-ca"
                .to_owned()
        }
        rustls::Error::InvalidCertificate(why) => format!("its certificate is not valid: {why}"),
        other => format!("TLS: {other}"),
    }
}

/// Without the number that the system has for it.
fn without_number(text: &str) -> String {
    text.split(" (os error").next().unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_named_in_seconds_or_by_a_date() {
        assert_eq!(retry_after("7"), Some(Duration::from_secs(7)));
        assert_eq!(retry_after("soon"), None);
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO), "it has passed");
        let later = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(100);
        let date = jiff::fmt::rfc2822::to_string(&later.to_zoned(jiff::tz::TimeZone::UTC)).unwrap_or_default();
        let wait = retry_after(&date).unwrap_or_default();
        assert!((98..=100).contains(&wait.as_secs()), "{wait:?}");
    }
}
