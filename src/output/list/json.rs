//! The JSON of `list`.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::survey::{Group, GroupKey, Listing};
use crate::assess::{Answer, Brief, Interval, LadderInShort, Mark, NextAttempt};
use crate::kcc::Ceiling;
use crate::output::json::{FirstComma, Head, Place, Problem, Ref, Seconds, append, array, begin, end, yaml_document};
use crate::output::report::{Explanation, Summary, each_object};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListHead {
    #[serde(flatten)]
    head: Head,
    only: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_by: Option<&'static str>,
}

impl ListHead {
    fn of(explanation: &Explanation<'_>, listing: &Listing<'_>) -> ListHead {
        ListHead {
            head: Head::of("ObjectList", explanation),
            only: listing.wish.only.map(|only| only.iter().map(Mark::as_str).collect()),
            group_by: listing.wish.group_by.map(|group_by| group_by.as_str()),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    #[serde(rename = "ref")]
    reference: Ref<'a>,
    place: Place<'a>,
    system: &'static str,
    controller: &'static str,
    decided_by: Option<&'static str>,
    state: &'static str,
    marks: Vec<&'static str>,
    ceiling: Option<CeilingJson<'a>>,
    mode: Option<ModeJson<'a>>,
    interval: IntervalJson,
    ladder: LadderJson,
    next_attempt: Option<WindowJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_attempt_reason: Option<Cow<'a, str>>,
    failing_since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_since_reason: Option<&'static str>,
    attempts_per_hour: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts_per_hour_reason: Option<&'static str>,
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct CeilingJson<'a> {
    state: &'static str,
    seconds: Option<u32>,
    raw: Option<&'a str>,
    honoured: Option<bool>,
    reason: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModeJson<'a> {
    if_absent: &'static str,
    if_present: &'static str,
    now: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now_reason: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct IntervalJson {
    state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    min_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
    origin: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LadderJson {
    state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    base_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
    /// Whether it is known: not where it is not known that the release reads the ceiling.
    certain: bool,
}

#[derive(Serialize)]
struct WindowJson {
    from: String,
    to: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupJson<'a> {
    key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_group: Option<&'a str>,
    objects: usize,
    marks: std::collections::BTreeMap<&'static str, usize>,
    attempts_per_hour: Option<f64>,
    /// Of how many of the objects the attempts are known.
    attempts_known_of: usize,
}

impl<'a> Row<'a> {
    fn of(brief: &'a Brief<'a>, answer: &Answer<'_>) -> Row<'a> {
        let known = !matches!(brief.next_attempt, NextAttempt::Unknown(_));
        let lacks_status = brief.marks.has(Mark::NoStatus);
        Row {
            reference: Ref::from(brief.reference),
            place: Place::from(brief.place),
            system: match answer {
                Answer::Kcc(_) => "kcc",
                Answer::Plural(_) => "plural",
            },
            controller: brief.controller,
            decided_by: brief.decided_by,
            state: brief.state.as_str(),
            marks: brief.marks.iter().map(Mark::as_str).collect(),
            ceiling: brief.ceiling.map(|answer| CeilingJson {
                state: match answer.ceiling {
                    Ceiling::Unset => "unset",
                    Ceiling::Seconds(_) => "seconds",
                    Ceiling::Halt => "halt",
                    Ceiling::Invalid(_) => "invalid",
                },
                seconds: match answer.ceiling {
                    Ceiling::Seconds(seconds) => Some(seconds),
                    Ceiling::Halt => Some(0),
                    Ceiling::Unset | Ceiling::Invalid(_) => None,
                },
                raw: answer.raw,
                honoured: answer.honoured,
                reason: &answer.reason,
            }),
            mode: brief.mode.map(|mode| ModeJson {
                if_absent: mode.if_absent.action.as_str(),
                if_present: mode.if_present.action.as_str(),
                now: mode.now.as_ref().map(|now| now.action.as_str()),
                now_reason: mode.now.is_none().then_some(&*mode.now_reason),
            }),
            interval: interval(brief),
            ladder: ladder(brief),
            next_attempt: match brief.next_attempt {
                NextAttempt::Within(from, to) => Some(WindowJson { from: from.to_string(), to: to.to_string() }),
                NextAttempt::Never(_) | NextAttempt::Unknown(_) => None,
            },
            next_attempt_reason: match brief.next_attempt {
                NextAttempt::Within(..) => None,
                NextAttempt::Never(reason) => Some(format!("none by itself: {reason}").into()),
                NextAttempt::Unknown(reason) => Some(reason.into()),
            },
            failing_since: brief.failing_since.map(|since| since.to_string()),
            failing_since_reason: match (brief.failing_since, lacks_status) {
                (Some(_), _) => None,
                (None, true) => Some("the manifest has no status"),
                (None, false) => Some("the status does not tell of failures, or not since when"),
            },
            attempts_per_hour: brief.attempts_per_hour,
            attempts_per_hour_reason: match (brief.attempts_per_hour, lacks_status, known) {
                (Some(_), ..) => None,
                (None, true, _) => Some("the manifest has no status"),
                (None, false, true) => Some("which delays hold is not known"),
                (None, false, false) => Some("when the next attempt comes is not known"),
            },
            message: Some(brief.message.as_ref()).filter(|message| !message.is_empty()),
        }
    }
}

fn interval(brief: &Brief<'_>) -> IntervalJson {
    let (state, range) = match brief.interval {
        Interval::Between(least, most) => (Some("periodic"), Some((least, most))),
        Interval::Never => (Some("never"), None),
        Interval::Invalid => (Some("invalid"), None),
        Interval::Panics => (Some("panics"), None),
        Interval::None => (None, None),
    };
    IntervalJson {
        state,
        reason: state.is_none().then(|| nobody(brief)),
        min_seconds: range.map(|range| Seconds(range.0)),
        max_seconds: range.map(|range| Seconds(range.1)),
        origin: brief.interval_origin,
    }
}

/// Why there is neither an interval nor a ladder.
fn nobody(brief: &Brief<'_>) -> &'static str {
    match brief.marks.has(Mark::UnknownKind) {
        true => "the kind is unknown to this version",
        false => "no controller of those spoken of reconciles the object",
    }
}

fn ladder(brief: &Brief<'_>) -> LadderJson {
    match brief.ladder {
        LadderInShort::Climbs { base, max, doubtful } => LadderJson {
            state: Some("climbs"),
            reason: None,
            base_seconds: Some(Seconds(base)),
            max_seconds: Some(Seconds(max)),
            certain: !doubtful,
        },
        LadderInShort::Halt { doubtful } => {
            LadderJson { state: Some("halt"), reason: None, base_seconds: None, max_seconds: None, certain: !doubtful }
        }
        LadderInShort::None => LadderJson {
            state: None,
            reason: Some(nobody(brief)),
            base_seconds: None,
            max_seconds: None,
            certain: true,
        },
    }
}

fn group<'a>((key, api_group): &'a GroupKey, group: &Group) -> GroupJson<'a> {
    let count = |mark: &Mark| group.census.count(*mark);
    GroupJson {
        key,
        api_group: Some(api_group.as_str()).filter(|api_group| !api_group.is_empty()),
        objects: group.census.objects,
        marks: Mark::ALL.iter().filter(|mark| count(mark) > 0).map(|mark| (mark.as_str(), count(mark))).collect(),
        attempts_per_hour: (group.of_known > 0).then_some(group.attempts_per_hour),
        attempts_known_of: group.of_known,
    }
}

/// Prints the list as one JSON document, each object, or group, on a line of its own; the problems of the objects are in
/// it.
///
/// # Errors
/// Those of `out`.
pub fn json(out: &mut dyn Write, explanation: &Explanation<'_>, listing: &Listing<'_>) -> io::Result<()> {
    begin(out, &ListHead::of(explanation, listing))?;
    if listing.wish.group_by.is_some() {
        array(out, "groups", listing.groups.iter().map(|(key, counted)| group(key, counted)))?;
        return end(out, explanation.problems.iter(), &explanation.summary);
    }
    out.write_all(b",\n\"objects\":[")?;
    let shown = Explanation { objects: &listing.shown, problems: &[], ..*explanation };
    let mut first = FirstComma::new(out);
    let (_, problems) = each_object(&mut first, &shown, true, |bytes, _: &mut (), answer| {
        bytes.extend_from_slice(b",\n");
        let brief = answer.brief();
        append(bytes, &Row::of(&brief, answer))
    })?;
    out.write_all(b"]")?;
    end(out, explanation.problems.iter().chain(&problems), &explanation.summary)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    #[serde(flatten)]
    head: ListHead,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<GroupJson<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<Vec<Row<'a>>>,
    problems: Vec<Problem<'a>>,
    summary: Summary,
}

/// Prints the same as YAML.
///
/// # Errors
/// Those of `out`.
pub fn yaml(out: &mut dyn Write, explanation: &Explanation<'_>, listing: &Listing<'_>) -> io::Result<()> {
    let grouped = listing.wish.group_by.is_some();
    let shown = if grouped { &[][..] } else { &listing.shown };
    let answers: Vec<Answer<'_>> = shown.iter().map(|object| object.assess(explanation.world)).collect();
    let briefs: Vec<Brief<'_>> = answers.iter().map(Answer::brief).collect();
    let rows = || briefs.iter().zip(&answers).map(|(brief, answer)| Row::of(brief, answer)).collect();
    let document = Document {
        head: ListHead::of(explanation, listing),
        groups: grouped.then(|| listing.groups.iter().map(|(key, counted)| group(key, counted)).collect()),
        objects: (!grouped).then(rows),
        problems: explanation
            .problems
            .iter()
            .chain(answers.iter().flat_map(Answer::problems))
            .map(Problem::from)
            .collect(),
        summary: explanation.summary,
    };
    yaml_document(out, &document)
}
