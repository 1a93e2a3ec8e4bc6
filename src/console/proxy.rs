//! The proxy on the way to the Console, told by the environment as curl and Go read it. (ureq's own reading takes
//! `ALL_PROXY` before the others, passes over what it cannot read, which would send the request around the proxy, and
//! knows neither subdomains nor networks in `NO_PROXY`.)

use std::net::IpAddr;

use super::endpoint::Endpoint;

/// The value of an environment variable.
pub type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Variables that name a proxy, the first that is set counts. `HTTP_PROXY` is meant for plain http, which only goes to
/// loopback addresses, without a proxy; where it is the only one it is taken for https, too, as ureq does.
const VARIABLES: [&str; 6] = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"];
/// Variables that name what is reached without one.
const EXCEPTIONS: [&str; 2] = ["NO_PROXY", "no_proxy"];

/// The proxy that leads to an address, and the variable that names it. Never one to this very machine.
///
/// # Errors
/// When it cannot be used: its address is not repeated, as there may be a password in it.
pub(super) fn find(endpoint: &Endpoint, variable: Variable<'_>) -> Result<Option<(ureq::Proxy, &'static str)>, String> {
    let set = |name: &&'static str| variable(name).filter(|value| !value.trim().is_empty()).map(|value| (value, *name));
    let Some((proxy, variable)) = VARIABLES.iter().find_map(set) else { return Ok(None) };
    let exceptions = EXCEPTIONS.iter().find_map(set).map(|(value, _)| value).unwrap_or_default();
    if endpoint.is_loopback || is_excepted(&endpoint.host, endpoint.port, &exceptions) {
        return Ok(None);
    }
    let proxy = proxy.trim();
    if proxy.to_ascii_lowercase().starts_with("socks") {
        return Err(format!("{variable} names a SOCKS proxy, which is not supported: name an HTTP proxy, or unset it"));
    }
    match ureq::Proxy::new(proxy) {
        Ok(proxy) => Ok(Some((proxy, variable))),
        Err(_) => Err(format!("the proxy in {variable} has no usable address: write it as http://HOST:PORT")),
    }
}

/// Whether a list of `NO_PROXY` has an address: `*`, a domain with all below it, a subdomain (`.x`, `*.x`), an IP
/// address, a network (`10.0.0.0/8`), each with or without a port.
fn is_excepted(host: &str, port: u16, list: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches([']', '.']);
    let own = port;
    let ip: Option<IpAddr> = host.parse().ok();
    list.split([',', ' ', '\t']).map(str::trim).filter(|entry| !entry.is_empty()).any(|entry| {
        let entry = entry.to_ascii_lowercase();
        if entry == "*" {
            return true;
        }
        if let Some((network, bits)) = entry.split_once('/') {
            return ip.is_some_and(|ip| is_in(ip, network, bits));
        }
        let (name, port) = match entry.rsplit_once(':') {
            // More than one colon without brackets is an IPv6 address and no port.
            Some((name, port)) if !name.contains(':') || name.ends_with(']') => (name, Some(port)),
            _ => (entry.as_str(), None),
        };
        if port.is_some_and(|port| port.parse() != Ok(own)) {
            return false;
        }
        let name = name.trim_start_matches('[').trim_end_matches([']', '.']);
        match (ip, name.parse::<IpAddr>()) {
            (Some(ip), Ok(other)) => ip == other,
            (Some(_), Err(_)) | (None, Ok(_)) => false,
            (None, Err(_)) => {
                let domain = name.strip_prefix('*').unwrap_or(name);
                let below = |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'));
                match domain.strip_prefix('.') {
                    Some(domain) => below(domain),
                    None => host == domain || below(domain),
                }
            }
        }
    })
}

fn is_in(ip: IpAddr, network: &str, bits: &str) -> bool {
    let (Ok(network), Ok(bits)) = (network.parse::<IpAddr>(), bits.parse::<u32>()) else { return false };
    match (ip, network) {
        (IpAddr::V4(ip), IpAddr::V4(network)) if bits <= 32 => {
            let cut = |ip: std::net::Ipv4Addr| u64::from(ip.to_bits()) >> (32 - bits);
            cut(ip) == cut(network)
        }
        (IpAddr::V6(ip), IpAddr::V6(network)) if bits <= 128 => {
            let cut = |ip: std::net::Ipv6Addr| ip.to_bits().checked_shr(128 - bits).unwrap_or_default();
            cut(ip) == cut(network)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::endpoint::{Given, endpoint};

    fn at(url: &str) -> Endpoint {
        let given = Given { url: Some(url), token: Some("t"), variable: &|_| None, home: None };
        endpoint(&given).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn exceptions_are_read_as_curl_and_go_read_them() {
        for (url, list, excepted) in [
            ("a.example.test", "", false),
            ("a.example.test", "*", true),
            ("a.example.test", "x.test, A.example.test", true),
            ("a.example.test", "example.test", true),
            ("a.example.test", ".example.test", true),
            ("a.example.test", "*.example.test", true),
            ("example.test", ".example.test", false),
            ("an-example.test", "example.test", false),
            ("a.example.test:8443", "a.example.test:443", false),
            ("a.example.test", "a.example.test:443", true),
            ("10.1.2.3", "10.0.0.0/8", true),
            ("10.1.2.3", "10.1.2.4/32,10.1.2.0/25", true),
            ("11.1.2.3", "10.0.0.0/8", false),
            ("11.1.2.3", "0.0.0.0/0", true),
            ("10.1.2.3", "10.0.0.0/x,/,10.0.0.0/33", false),
            ("10.1.2.3", "2.3", false),
            ("[2001:db8::1]", "2001:db8::/32", true),
            ("[2001:db8::1]", "::/0", true),
            ("[2001:db8::1]", "2001:db8:0::1", true),
            ("[2001:db8::1]:444", "[2001:db8::1]:444", true),
        ] {
            let to = at(url);
            assert_eq!(is_excepted(&to.host, to.port, list), excepted, "{url} {list}");
        }
    }

    #[test]
    fn the_proxy_for_https_goes_first_and_none_leads_to_this_machine() {
        let variables =
            [("HTTPS_PROXY", "http://me:pw@one.test:3128"), ("ALL_PROXY", "two.test"), ("HTTP_PROXY", "three.test")];
        let found = |url: &str, from: usize, more: &[(&str, &str)]| {
            let variables = [&variables[from..], more].concat();
            let variable =
                |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            find(&at(url), &variable).map(|found| found.map(|(proxy, variable)| (proxy.host().to_owned(), variable)))
        };
        assert_eq!(found("a.test", 0, &[]), Ok(Some(("one.test".to_owned(), "HTTPS_PROXY"))));
        assert_eq!(found("a.test", 1, &[]), Ok(Some(("two.test".to_owned(), "ALL_PROXY"))));
        assert_eq!(found("a.test", 2, &[]), Ok(Some(("three.test".to_owned(), "HTTP_PROXY"))));
        assert_eq!(found("a.test", 3, &[]), Ok(None));
        assert_eq!(found("http://127.0.0.1:1", 0, &[]), Ok(None));
        assert_eq!(found("https://localhost", 0, &[]), Ok(None));
        assert_eq!(found("a.test", 0, &[("no_proxy", "test")]), Ok(None));
        assert!(
            found("a.test", 3, &[("HTTPS_PROXY", "socks5://me:hunter2@x")]).is_err_and(|error| error.contains("SOCKS"))
        );
        let error = found("a.test", 3, &[("HTTPS_PROXY", "http://me:hunter2@")]).err().unwrap_or_default();
        assert!(!error.contains("hunter2"), "{error}");
    }
}
