use super::subject::Subject;
use crate::kcc;
use crate::object::{Code, Diagnostic, Place, Severity};

/// Tells of keys that are probably meant to be others: misspelt, without their domain, or labels that should be
/// annotations. A key of the family that resembles none is only said to be not known to this version.
pub(super) fn complain(subject: Subject<'_>, problems: &mut Vec<Diagnostic>) {
    let facts = subject.facts;
    let place = |pos| Place::new(&facts.place.file, pos);
    for annotation in &facts.metadata.annotations {
        if let Some(problem) = misspelt(&annotation.key, place(annotation.pos)) {
            problems.push(problem);
        }
    }
    for (key, pos) in &facts.metadata.labels {
        // Without its domain a label is as good as anybody's: `version` and `system` are common ones.
        if !kcc::is_family_key(key) && !kcc::is_seconds_key(kcc::full_key(key)) {
            continue;
        }
        let known = kcc::KNOWN_KEYS.contains(&key.as_str()).then_some(key.as_str()).or_else(|| kcc::meant_key(key));
        // Config Connector puts labels of its own on CRDs only.
        if let Some(meant) = known {
            let message = format!("{key} is a label here, which has no effect: {meant} is an annotation");
            let problem = Diagnostic::new(Code::UnknownKey, Severity::Warning, place(*pos), message);
            problems.push(problem.with_fix("move it to metadata.annotations"));
        }
    }
}

fn misspelt(key: &str, place: Place) -> Option<Diagnostic> {
    if kcc::KNOWN_KEYS.contains(&key) {
        return None;
    }
    if let Some(meant) = kcc::meant_key(key) {
        let message = format!("the annotation {key} is not known to this version: is {meant} meant?");
        return Some(Diagnostic::new(Code::UnknownKey, Severity::Warning, place, message));
    }
    kcc::is_family_key(key).then(|| {
        let message = format!("the annotation {key} is not known to this version");
        Diagnostic::new(Code::UnknownKey, Severity::Info, place, message)
    })
}
