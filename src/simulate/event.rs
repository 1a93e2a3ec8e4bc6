use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::go;
use crate::kcc;

/// Something that happens to an object, to its controller or around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When, since the start.
    pub at: Duration,
    /// What.
    pub what: What,
}

/// What can happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Attempts fail from now on. Wakes nothing.
    Fails,
    /// Attempts succeed from now on. Wakes nothing.
    Succeeds,
    /// An edit of `spec`.
    Spec,
    /// An edit of the labels.
    Labels,
    /// An annotation is set.
    Annotate(String, String),
    /// An annotation is removed.
    Unannotate(String),
    /// Deletion is requested.
    Delete,
    /// The controller restarts: queue and counters are lost, and everything is queued once.
    Restart,
    /// Attempts end unresolved from now on. Wakes nothing.
    DependencyMissing,
    /// No longer. Wakes the objects of controllers that watch dependencies, while they watch.
    DependencyReady,
}

/// Why a text is no event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// No `=`.
    #[error("expected TIME=WHAT, as in 10s=spec")]
    NoTime,
    /// TIME is no duration.
    #[error("{0:?} is not a time: {1}; write a Go duration from the start, such as 90s or 1h30m, up to 292 years")]
    Time(String, String),
    /// TIME is before the start.
    #[error("{0} is negative: events happen after the start")]
    Negative(String),
    /// Nothing that can happen.
    #[error("{0:?} is not an event; there are {words}", words = words())]
    Unknown(String),
    /// `annotate:` without key or value.
    #[error("expected annotate:KEY=VALUE, as in annotate:ceiling=600")]
    Annotate,
    /// `unannotate:` without a key, or with a value.
    #[error("expected unannotate:KEY, as in unannotate:ceiling")]
    Unannotate,
}

/// Everything that can happen: as it is written, up to a key, and what it means.
pub const WORDS: [(&str, &str); 10] = [
    ("fails", "attempts fail from now on"),
    ("succeeds", "attempts succeed from now on"),
    ("spec", "an edit of spec"),
    ("labels", "an edit of the labels"),
    ("annotate:", "an annotation is set"),
    ("unannotate:", "an annotation is removed"),
    ("delete", "deletion is requested"),
    ("restart", "the controller restarts"),
    ("dependency-missing", "attempts end unresolved from now on"),
    ("dependency-ready", "no longer"),
];

fn words() -> String {
    let words = WORDS.map(|(word, _)| match word {
        "annotate:" => "annotate:KEY=VALUE",
        "unannotate:" => "unannotate:KEY",
        other => other,
    });
    words.join(", ")
}

/// The short names of annotations: those that matter most, and the rest by their names without the domain.
const ALIASES: [(&str, &str); 3] =
    [("ceiling", kcc::CEILING), ("interval", kcc::DRIFT_INTERVAL), ("actuation", kcc::ACTUATION_MODE)];

fn key(name: &str) -> String {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, key)| *key);
    alias.unwrap_or_else(|| kcc::full_key(name)).to_owned()
}

impl What {
    /// The annotation that is set (`Some`) or removed.
    pub fn annotation(&self) -> Option<(&str, Option<&str>)> {
        match self {
            What::Annotate(key, value) => Some((key, Some(value))),
            What::Unannotate(key) => Some((key, None)),
            _ => None,
        }
    }
}

impl fmt::Display for What {
    /// As it is written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |key: &'_ str| {
            ALIASES.iter().find(|(_, full)| *full == key).map_or(key.to_owned(), |(alias, _)| (*alias).to_owned())
        };
        match self {
            What::Fails => f.write_str("fails"),
            What::Succeeds => f.write_str("succeeds"),
            What::Spec => f.write_str("spec"),
            What::Labels => f.write_str("labels"),
            What::Annotate(key, value) => write!(f, "annotate:{}={value}", short(key)),
            What::Unannotate(key) => write!(f, "unannotate:{}", short(key)),
            What::Delete => f.write_str("delete"),
            What::Restart => f.write_str("restart"),
            What::DependencyMissing => f.write_str("dependency-missing"),
            What::DependencyReady => f.write_str("dependency-ready"),
        }
    }
}

impl FromStr for Event {
    type Err = EventError;

    /// Reads `TIME=WHAT`; TIME is a Go duration from the start.
    fn from_str(text: &str) -> Result<Event, EventError> {
        let (time, what) = text.split_once('=').ok_or(EventError::NoTime)?;
        let nanos = go::parse_duration(time).map_err(|error| EventError::Time(time.to_owned(), error.to_string()))?;
        let nanos = u64::try_from(nanos).map_err(|_| EventError::Negative(time.to_owned()))?;
        Ok(Event { at: Duration::from_nanos(nanos), what: what.parse()? })
    }
}

impl FromStr for What {
    type Err = EventError;

    fn from_str(text: &str) -> Result<What, EventError> {
        Ok(match text {
            "fails" => What::Fails,
            "succeeds" => What::Succeeds,
            "spec" => What::Spec,
            "labels" => What::Labels,
            "delete" => What::Delete,
            "restart" => What::Restart,
            "dependency-missing" => What::DependencyMissing,
            "dependency-ready" => What::DependencyReady,
            _ => match text.split_once(':') {
                Some(("annotate", setting)) => match setting.split_once('=') {
                    Some((name, value)) if !name.is_empty() => What::Annotate(key(name), value.to_owned()),
                    _ => return Err(EventError::Annotate),
                },
                Some(("unannotate", name)) if name.is_empty() || name.contains('=') => {
                    return Err(EventError::Unannotate);
                }
                Some(("unannotate", name)) => What::Unannotate(key(name)),
                _ if text == "annotate" => return Err(EventError::Annotate),
                _ if text == "unannotate" => return Err(EventError::Unannotate),
                _ => return Err(EventError::Unknown(text.to_owned())),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(text: &str) -> Result<Event, String> {
        text.parse().map_err(|error: EventError| error.to_string())
    }

    #[test]
    fn every_event_is_read_as_it_is_written() {
        let annotate = |key: &str, value: &str| What::Annotate(key.to_owned(), value.to_owned());
        let cases = [
            ("0=fails", 0, What::Fails),
            ("1s=succeeds", 1_000, What::Succeeds),
            ("1m30s=spec", 90_000, What::Spec),
            ("1.5h=labels", 5_400_000, What::Labels),
            ("5ms=delete", 5, What::Delete),
            ("5ms=restart", 5, What::Restart),
            ("1s=dependency-missing", 1_000, What::DependencyMissing),
            ("1s=dependency-ready", 1_000, What::DependencyReady),
            ("1s=annotate:ceiling=600", 1_000, annotate("cnrm.cloud.google.com/backoff-max-delay-in-seconds", "600")),
            ("1s=annotate:ceiling=", 1_000, annotate("cnrm.cloud.google.com/backoff-max-delay-in-seconds", "")),
            ("1s=annotate:interval=0", 1_000, annotate("cnrm.cloud.google.com/reconcile-interval-in-seconds", "0")),
            ("1s=annotate:actuation=Paused", 1_000, annotate("cnrm.cloud.google.com/actuation-mode", "Paused")),
            ("1s=annotate:project-id=p", 1_000, annotate("cnrm.cloud.google.com/project-id", "p")),
            ("1s=annotate:example.com/x=a=b", 1_000, annotate("example.com/x", "a=b")),
            (
                "1s=unannotate:ceiling",
                1_000,
                What::Unannotate("cnrm.cloud.google.com/backoff-max-delay-in-seconds".into()),
            ),
        ];
        for (text, millis, what) in cases {
            assert_eq!(event(text), Ok(Event { at: Duration::from_millis(millis), what: what.clone() }), "{text}");
            // What it is shown as is read back as the same.
            assert_eq!(event(&format!("0={what}")).map(|event| event.what), Ok(what), "{text}");
        }
    }

    #[test]
    fn what_is_no_event_is_refused_with_what_to_write() {
        for (text, words) in [
            ("spec", "expected TIME=WHAT"),
            ("10=spec", "missing unit in duration"),
            ("1d=spec", "unknown unit"),
            ("-1s=spec", "is negative"),
            ("=spec", "invalid duration"),
            ("1s=edit", "is not an event; there are fails, succeeds"),
            ("1s=Spec", "is not an event"),
            ("1s=", "is not an event"),
            ("1s=annotate:ceiling", "expected annotate:KEY=VALUE"),
            ("1s=annotate:=5", "expected annotate:KEY=VALUE"),
            ("1s=annotate", "expected annotate:KEY=VALUE"),
            ("1s=unannotate:", "expected unannotate:KEY"),
            ("1s=unannotate:ceiling=5", "expected unannotate:KEY"),
        ] {
            let refused = event(text).err().unwrap_or_default();
            assert!(refused.contains(words), "{text}: {refused}");
        }
    }
}
