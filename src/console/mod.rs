//! The Console, as a pass is told of it: over GraphQL, by a snapshot, or by a recording.

pub mod endpoint;
pub mod exchange;
#[cfg(feature = "reconcile")]
mod proxy;
pub mod recording;
pub mod snapshot;
#[cfg(feature = "reconcile")]
pub mod wire;

use std::fmt;

use crate::plural::console::MASK;

/// A token. It is sent, and never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A token as a file or an environment variable holds it: blanks and line feeds around it do not count.
    ///
    /// # Errors
    /// Why it is none, without a word of it.
    pub fn new(text: &str) -> Result<Token, &'static str> {
        let text = text.trim();
        if text.is_empty() {
            return Err("is empty");
        }
        if !text.chars().all(|character| character.is_ascii_graphic()) {
            return Err("holds blanks, control characters or others that no token has");
        }
        Ok(Token(text.to_owned()))
    }

    /// The value of the header `Authorization` (pluralsh/console, lib/console_web/plugs/token.ex).
    #[cfg(feature = "reconcile")]
    fn header(&self) -> String {
        format!("Token {}", self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// A text of a stranger without the token and without logins in URLs. It is not cut here: whoever knows of more secrets has
/// to see them whole.
fn redacted(text: &str, token: Option<&Token>) -> String {
    let mut text = text.to_owned();
    if let Some(token) = token {
        text = text.replace(&token.0, MASK);
    }
    crate::object::masked_text(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_taken_without_blanks_around_it_and_never_shown() {
        let token = Token::new(" console-abc\n").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(token.0, "console-abc");
        assert_eq!(format!("{token:?}"), "***");
        for bad in ["", " \n", "two words", "line\nfeed", "tab\tin", "\u{1b}[31m", "größe"] {
            assert!(Token::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn messages_of_strangers_lose_the_token_and_logins() {
        let token = Token::new("console-abc").ok();
        assert_eq!(
            redacted("bad console-abc, see https://u:p@h.test/x", token.as_ref()),
            "bad ***, see https://***@h.test/x"
        );
    }
}
