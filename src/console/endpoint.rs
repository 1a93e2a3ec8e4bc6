//! Where the Console is, and with which token it is asked: both from one source.

use std::net::IpAddr;
use std::path::Path;

use super::Token;
use crate::object::Node;
use crate::source::{self, Input};

/// A Console to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The URL that is asked.
    pub url: String,
    /// Scheme, host and port: what is shown of it.
    pub shown: String,
    /// The host, in brackets where it is an IPv6 address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The token.
    pub token: Token,
    /// Where both come from.
    pub source: &'static str,
    /// Whether it is on this machine, so that no proxy is asked.
    pub is_loopback: bool,
}

/// What an endpoint is chosen from.
pub struct Given<'a> {
    /// `--console-url`.
    pub url: Option<&'a str>,
    /// What the file of `--console-token-file` holds.
    pub token: Option<&'a str>,
    /// The environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The user's home, where the Plural CLI's file is looked for.
    pub home: Option<&'a Path>,
}

/// The variables of the Plural CLI (pluralsh/plural-cli, pkg/console/console.go).
const PLURAL: (&str, &str) = ("PLURAL_CONSOLE_URL", "PLURAL_CONSOLE_TOKEN");
/// Those of the in-cluster controller (pluralsh/console, go/controller/cmd/args/args.go).
const CONTROLLER: (&str, &str) = ("CONSOLE_URL", "CONSOLE_TOKEN");
/// The Plural CLI's file, below the home (pluralsh/plural-cli, pkg/console/config.go).
const FILE: &str = ".plural/console.yml";

/// Chooses the endpoint: the first source that has an address. A token is never taken from another source than the
/// address, nor sent to another host than its own.
///
/// # Errors
/// Why there is none, in a sentence that says what to do.
pub fn endpoint(given: &Given<'_>) -> Result<Endpoint, String> {
    let variable = |name: &str| (given.variable)(name).filter(|value| !value.trim().is_empty());
    if let Some(url) = given.url {
        let address = Address::parse(url).map_err(|error| format!("--console-url {error}"))?;
        let token = match given.token {
            Some(text) => Token::new(text).map_err(|error| format!("the file of --console-token-file {error}"))?,
            None => token_of_variable(&address, &variable)?,
        };
        return Ok(address.with(token, "--console-url"));
    }
    for ((url_name, token_name), source) in [(PLURAL, "PLURAL_CONSOLE_URL"), (CONTROLLER, "CONSOLE_URL")] {
        let Some(url) = variable(url_name) else { continue };
        let address = Address::parse(&url).map_err(|error| format!("{url_name} {error}"))?;
        let Some(token) = variable(token_name) else {
            return Err(format!("{url_name} is set, and {token_name} is not: the token has to come with the address"));
        };
        let token = Token::new(&token).map_err(|error| format!("{token_name} {error}"))?;
        return Ok(address.with(token, source));
    }
    if let Some(found) = given.home.map(|home| home.join(FILE)).filter(|path| path.is_file()) {
        return from_file(&found);
    }
    Err("no Console is named: give --console-snapshot FILE, or --console-url URL with --console-token-file FILE, or set \
         PLURAL_CONSOLE_URL and PLURAL_CONSOLE_TOKEN, or log in with the Plural CLI"
        .to_owned())
}

/// The token of the environment, where that speaks of the same Console.
fn token_of_variable(address: &Address, variable: &dyn Fn(&str) -> Option<String>) -> Result<Token, String> {
    let (url_name, token_name) = PLURAL;
    let Some(token) = variable(token_name) else {
        return Err(format!("--console-url needs a token: give --console-token-file FILE, or set {token_name}"));
    };
    if let Some(url) = variable(url_name) {
        let other = Address::parse(&url).map_err(|error| format!("{url_name} {error}"))?;
        if (other.host.as_str(), other.port) != (address.host.as_str(), address.port) {
            return Err(format!(
                "{token_name} belongs to the Console of {url_name}, which is another than that of --console-url: give \
                 --console-token-file FILE, or unset {url_name}"
            ));
        }
    }
    Token::new(&token).map_err(|error| format!("{token_name} {error}"))
}

/// `kind: Console` with `spec.url` and `spec.token`.
fn from_file(path: &Path) -> Result<Endpoint, String> {
    let name = format!("~/{FILE}");
    let options = source::Options { bare_kinds: &["Console"], ..source::Options::default() };
    let text = |root: Node<'_>, field| root.at(&["spec", field]).and_then(Node::str).map(str::to_owned);
    let loaded = source::load(&[Input::Path(path.to_owned())], &options, &mut std::io::empty(), &|item| {
        (item.kind == "Console").then(|| (text(item.node, "url"), text(item.node, "token")))
    });
    // Not what is wrong with it: the file holds a token.
    let Some((url, token)) = loaded.objects.into_iter().flatten().next() else {
        return Err(format!("{name} is not readable as the Plural CLI's `kind: Console`: log in with it again"));
    };
    let (Some(url), Some(token)) = (url, token) else {
        return Err(format!("{name} has no spec.url or no spec.token: log in with the Plural CLI again"));
    };
    let address = Address::parse(&url).map_err(|error| format!("spec.url of {name} {error}"))?;
    let token = Token::new(&token).map_err(|error| format!("spec.token of {name} {error}"))?;
    Ok(address.with(token, "~/.plural/console.yml"))
}

/// The path of the Console's GraphQL (pluralsh/console, lib/console_web/router.ex).
const GRAPHQL: &str = "/gql";

#[derive(Debug, PartialEq, Eq)]
struct Address {
    scheme: &'static str,
    host: String,
    port: u16,
    /// Host and port as they were written.
    authority: String,
    path: String,
    is_loopback: bool,
}

impl Address {
    /// Reads an address; without a scheme it is https (as the Plural CLI has it).
    ///
    /// Errors do not repeat the address: it may hold a login.
    fn parse(text: &str) -> Result<Address, String> {
        let text = text.trim();
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => ("https", rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => ("http", rest),
            Some(_) => return Err("is no https address".to_owned()),
            None => ("https", text),
        };
        if rest.contains(['?', '#']) {
            return Err("has a query or a fragment: give the address alone".to_owned());
        }
        let (authority, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, ""),
        };
        if authority.contains('@') {
            return Err("holds a login: the token is all that is needed".to_owned());
        }
        let (host, port) = host_and_port(authority).ok_or("is no address of a host")?;
        let port = match port {
            Some(port) => port.parse().ok().filter(|port| *port > 0).ok_or("has a port that is none")?,
            None if scheme == "https" => 443,
            None => 80,
        };
        let is_loopback = is_loopback(host);
        if scheme == "http" && !is_loopback {
            return Err("is plain http, which would show the token to everybody on the way: use https".to_owned());
        }
        if !path.chars().all(|character| character.is_ascii_graphic()) {
            return Err("has a path that is none".to_owned());
        }
        Ok(Address {
            scheme,
            host: host.to_ascii_lowercase(),
            port,
            authority: authority.to_ascii_lowercase(),
            path: if matches!(path, "" | "/") { GRAPHQL.to_owned() } else { path.to_owned() },
            is_loopback,
        })
    }

    fn with(self, token: Token, source: &'static str) -> Endpoint {
        let shown = format!("{}://{}", self.scheme, self.authority);
        Endpoint {
            url: format!("{shown}{}", self.path),
            shown,
            host: self.host,
            port: self.port,
            token,
            source,
            is_loopback: self.is_loopback,
        }
    }
}

fn host_and_port(authority: &str) -> Option<(&str, Option<&str>)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (inside, behind) = rest.split_once(']')?;
            inside.parse::<std::net::Ipv6Addr>().ok()?;
            (&authority[..inside.len() + 2], behind.strip_prefix(':').or_else(|| behind.is_empty().then_some(""))?)
        }
        None => authority.split_once(':').unwrap_or((authority, "")),
    };
    let is_named = |host: &str| {
        !host.is_empty() && host.chars().all(|character| character.is_ascii_alphanumeric() || "-._".contains(character))
    };
    (host.starts_with('[') || is_named(host)).then_some((host, Some(port).filter(|port| !port.is_empty())))
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Variables = &'static [(&'static str, &'static str)];

    fn chosen(
        url: Option<&str>,
        token: Option<&str>,
        variables: Variables,
    ) -> Result<(String, String, &'static str), String> {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let given = Given { url, token, variable: &variable, home: None };
        endpoint(&given).map(|found| (found.url, found.token.0, found.source))
    }

    fn ok(url: &str, token: &str, source: &'static str) -> Result<(String, String, &'static str), String> {
        Ok((url.to_owned(), token.to_owned(), source))
    }

    const BOTH: Variables = &[
        ("PLURAL_CONSOLE_URL", "https://plural.test"),
        ("PLURAL_CONSOLE_TOKEN", "plural"),
        ("CONSOLE_URL", "https://controller.test/ext/gql"),
        ("CONSOLE_TOKEN", "controller"),
    ];

    #[test]
    fn the_first_source_with_an_address_gives_address_and_token() {
        let flag = Some("https://flag.test");
        assert_eq!(chosen(flag, Some("file"), BOTH), ok("https://flag.test/gql", "file", "--console-url"));
        assert_eq!(chosen(None, None, BOTH), ok("https://plural.test/gql", "plural", "PLURAL_CONSOLE_URL"));
        assert_eq!(chosen(None, None, &BOTH[2..]), ok("https://controller.test/ext/gql", "controller", "CONSOLE_URL"));
        let empty: Variables = &[("PLURAL_CONSOLE_URL", " "), ("CONSOLE_URL", "c.test"), ("CONSOLE_TOKEN", "t")];
        assert_eq!(chosen(None, None, empty), ok("https://c.test/gql", "t", "CONSOLE_URL"));
        assert!(chosen(None, None, &[]).is_err_and(|error| error.contains("no Console is named")));
    }

    #[test]
    fn a_token_is_never_sent_to_the_address_of_another_source() {
        // The address has no token of its own: no other source's is taken.
        let without: Variables =
            &[("PLURAL_CONSOLE_URL", "https://plural.test"), ("CONSOLE_URL", "c.test"), ("CONSOLE_TOKEN", "t")];
        assert!(chosen(None, None, without).is_err_and(|error| error.contains("PLURAL_CONSOLE_TOKEN is not")));
        let flag = Some("https://flag.test");
        assert!(chosen(flag, None, BOTH).is_err_and(|error| error.contains("another than that of --console-url")));
        assert!(chosen(flag, None, &BOTH[2..]).is_err_and(|error| error.contains("needs a token")));
        let same = ok("https://plural.test/gql", "plural", "--console-url");
        assert_eq!(
            chosen(Some("https://PLURAL.test:443/"), None, BOTH).map(|found| found.1),
            same.map(|found| found.1)
        );
        let port = Some("https://plural.test:8443");
        assert!(chosen(port, None, BOTH).is_err(), "another port is another service");
        let alone = chosen(flag, None, &[("PLURAL_CONSOLE_TOKEN", "plural")]);
        assert_eq!(alone, ok("https://flag.test/gql", "plural", "--console-url"));
    }

    #[test]
    fn an_address_without_a_path_gets_the_one_of_graphql() {
        for (text, url) in [
            ("console.test", "https://console.test/gql"),
            ("https://Console.test/", "https://console.test/gql"),
            ("https://console.test/gql", "https://console.test/gql"),
            ("https://console.test/ext/gql", "https://console.test/ext/gql"),
            ("https://console.test:8443", "https://console.test:8443/gql"),
            ("http://127.0.0.1:4000", "http://127.0.0.1:4000/gql"),
            ("http://127.1.2.3", "http://127.1.2.3/gql"),
            ("http://[::1]:4000/gql", "http://[::1]:4000/gql"),
            ("http://localhost", "http://localhost/gql"),
        ] {
            assert_eq!(chosen(Some(text), Some("t"), &[]), ok(url, "t", "--console-url"), "{text}");
        }
    }

    #[test]
    fn what_is_no_safe_address_is_refused_without_being_repeated() {
        for (text, why) in [
            ("http://console.test", "plain http"),
            ("http://127.0.0.1.evil.test", "plain http"),
            ("http://localhost.evil.test", "plain http"),
            ("ftp://console.test", "no https"),
            ("https://user:hunter2@console.test", "a login"),
            ("https://console.test?token=hunter2", "a query"),
            ("https://console.test/#hunter2", "a query or a fragment"),
            ("https://", "no address"),
            ("https://console.test:hunter2", "a port"),
            ("https://con sole.test", "no address"),
            ("https://[::1", "no address"),
            ("https://console.test/a b", "a path"),
        ] {
            let error = chosen(Some(text), Some("t"), &[]).err().unwrap_or_default();
            assert!(error.contains(why), "{text}: {error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn the_file_of_the_plural_cli_is_the_last_source() {
        let home = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let folder = home.path().join(".plural");
        let write = |text: &str| {
            let _ = std::fs::create_dir_all(&folder);
            let _ = std::fs::write(folder.join("console.yml"), text);
        };
        let none = |_: &str| None;
        let given = Given { url: None, token: None, variable: &none, home: Some(home.path()) };
        write(
            "apiVersion: platform.plural.sh/v1alpha1\nkind: Console\nmetadata: {name: x}\nspec: {url: https://c.test, token: MARKER}\n",
        );
        let found = endpoint(&given).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((found.url.as_str(), found.token.0.as_str()), ("https://c.test/gql", "MARKER"));
        for broken in
            ["kind: Console\nspec: {url: https://c.test}\n", "kind: Other\nspec: {token: MARKER}\n", "spec: [MARKER\n"]
        {
            write(broken);
            let error = endpoint(&given).err().unwrap_or_default();
            assert!(error.contains("~/.plural/console.yml") && !error.contains("MARKER"), "{error}");
        }
    }
}
