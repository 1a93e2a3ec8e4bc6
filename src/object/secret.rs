//! What must reach no output although it stands in a manifest: a login or a token in a URL. An author who wrote it there
//! has it masked on the screens and in the logs of everybody else.

use std::borrow::Cow;

/// A URL in which what may be a secret is replaced by `***`: of the user information all for http and https, where it
/// can be nothing else than a login, and what follows the colon for other schemes; and the values of parameters that
/// are called like secrets.
pub fn masked_url(text: &str) -> Cow<'_, str> {
    match masked_login(text) {
        Cow::Borrowed(text) => masked_query(text),
        Cow::Owned(masked) => Cow::Owned(masked_query(&masked).into_owned()),
    }
}

fn masked_login(text: &str) -> Cow<'_, str> {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let user = match authority.rsplit_once('@') {
        Some((user, _)) => user,
        // A password with a slash in it, which makes the host end too early.
        None => match (authority.split_once(':'), rest.rsplit_once('@')) {
            (Some((_, port)), Some((user, _))) if !scheme.is_empty() && !is_port(port) => user,
            _ => return Cow::Borrowed(text),
        },
    };
    let is_http = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let shown = match (is_http, user.split_once(':')) {
        (true, _) => "***".to_owned(),
        (false, Some((name, _))) => format!("{name}:***"),
        (false, None) => return Cow::Borrowed(text),
    };
    let scheme = &text[..text.len() - rest.len()];
    Cow::Owned(format!("{scheme}{shown}{}", &rest[user.len()..]))
}

/// Names of parameters whose values are masked contain one of these.
const SECRETIVE: [&str; 8] = ["token", "secret", "passw", "key", "sig", "auth", "credential", "pwd"];

fn masked_query(text: &str) -> Cow<'_, str> {
    let Some((before, rest)) = text.split_once('?') else { return Cow::Borrowed(text) };
    let (query, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
    let is_secretive = |name: &str| {
        let name = name.to_ascii_lowercase();
        SECRETIVE.iter().any(|word| name.contains(word))
    };
    let mut changed = false;
    let parameters: Vec<String> = query
        .split('&')
        .map(|parameter| match parameter.split_once('=') {
            Some((name, value)) if !value.is_empty() && is_secretive(name) => {
                changed = true;
                format!("{name}=***")
            }
            _ => parameter.to_owned(),
        })
        .collect();
    if changed { format!("{before}?{}{fragment}", parameters.join("&")).into() } else { Cow::Borrowed(text) }
}

/// A text in which the URLs are masked as [`masked_url`] does: messages of controllers repeat what they were given.
pub fn masked_text(text: &str) -> Cow<'_, str> {
    if !text.contains("://") {
        return Cow::Borrowed(text);
    }
    let ends_url =
        |character: char| character.is_whitespace() || matches!(character, '"' | '\'' | '`' | '<' | '>' | '\\');
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let begin = rest[..at]
            .rfind(|character: char| !character.is_ascii_alphanumeric())
            .map_or(0, |before| before + rest[before..].chars().next().map_or(1, char::len_utf8));
        let end = rest[at..].find(ends_url).map_or(rest.len(), |length| at + length);
        masked.push_str(&rest[..begin]);
        masked.push_str(&masked_url(&rest[begin..end]));
        rest = &rest[end..];
    }
    masked.push_str(rest);
    Cow::Owned(masked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_in_a_url_is_masked_and_the_user_of_ssh_is_not() {
        let cases = [
            ("https://git.example.test/a.git", "https://git.example.test/a.git"),
            ("https://user:secret@git.example.test/a.git", "https://***@git.example.test/a.git"),
            ("https://token@git.example.test/a@b.git", "https://***@git.example.test/a@b.git"),
            ("HTTPS://user:p@ss@git.example.test", "HTTPS://***@git.example.test"),
            ("ssh://git@git.example.test/a.git", "ssh://git@git.example.test/a.git"),
            ("ssh://git:secret@git.example.test/a.git", "ssh://git:***@git.example.test/a.git"),
            ("git@git.example.test:a.git", "git@git.example.test:a.git"),
            ("git:secret@git.example.test:a.git", "git:***@git.example.test:a.git"),
            ("https://user:p/ss@git.example.test/a.git", "https://***@git.example.test/a.git"),
            ("https://git.example.test:8443/path@tag", "https://git.example.test:8443/path@tag"),
            ("https://git.example.test/path@tag", "https://git.example.test/path@tag"),
            (
                "https://git.example.test/a.git?ref=main&access_token=abc#top",
                "https://git.example.test/a.git?ref=main&access_token=***#top",
            ),
            ("https://u:p@git.example.test/a?sig=abc", "https://***@git.example.test/a?sig=***"),
            ("https://git.example.test/a?ref=main", "https://git.example.test/a?ref=main"),
            ("https://git.example.test/a?token=", "https://git.example.test/a?token="),
            ("", ""),
        ];
        for (url, shown) in cases {
            assert_eq!(masked_url(url), shown);
        }
    }

    #[test]
    fn urls_in_messages_are_masked_and_the_rest_stays_as_it_is() {
        let cases = [
            ("no URL here: a@b, c:d@e", "no URL here: a@b, c:d@e"),
            (
                "fetching \"https://bot:hunter2@git.example.test/a.git\": 403, see https://docs.example.test/x?y=1",
                "fetching \"https://***@git.example.test/a.git\": 403, see https://docs.example.test/x?y=1",
            ),
            (
                "größe:https://t@h.example.test und https://h.example.test?key=1 ende",
                "größe:https://***@h.example.test und https://h.example.test?key=*** ende",
            ),
            ("://", "://"),
            ("x ://a:b@c", "x ://a:***@c"),
        ];
        for (text, shown) in cases {
            assert_eq!(masked_text(text), shown);
        }
    }
}
