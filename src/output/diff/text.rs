use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::words::{self, Line};
use super::{Diff, DiffSide, each_entry};
use crate::assess::Object;
use crate::diff::{Aspect, Change, Comparison, Entry};
use crate::kcc::Controller;
use crate::output::escape;
use crate::output::lines::{INDENT, Lines, wrap};
use crate::output::report::{listed, plain_count as count};
use crate::output::style::{Role, Style};

/// Prints what differs, for people; nothing at all where nothing does.
///
/// # Errors
/// Those of `out`.
pub fn text(out: &mut dyn Write, style: Style, diff: Diff<'_>) -> io::Result<()> {
    let comparison = diff.comparison;
    if comparison.is_empty() {
        return Ok(());
    }
    if !comparison.common.is_empty() {
        let mut bytes = Vec::new();
        let mut lines = Lines { bytes: &mut bytes, style };
        lines.push(&style.paint(Role::Title, &escape(&format!("All objects of {}", diff.title()))));
        lines.push("\n");
        print(&mut lines, &words::common(&comparison.common, comparison.old, comparison.new));
        lines.push("\n");
        out.write_all(&bytes)?;
    }
    each_entry(out, &comparison.entries, |bytes, entry| {
        block(bytes, style, comparison, entry);
        Ok(())
    })?;
    for line in wrap(&diff.told_for(), style.width.unwrap_or(usize::MAX), "") {
        writeln!(out, "{}", style.paint(Role::Context, &line))?;
    }
    Ok(())
}

/// Blanks and sign in front of a title.
const SIGN: usize = 2;

fn block(bytes: &mut Vec<u8>, style: Style, comparison: &Comparison<'_>, entry: &Entry<'_>) {
    let (role, sign) = match entry {
        Entry::Changed { .. } => (Role::Warning, "~"),
        Entry::Added(_) => (Role::Good, "+"),
        Entry::Removed(_) => (Role::Bad, "-"),
    };
    bytes.extend_from_slice(style.paint(role, sign).as_bytes());
    bytes.push(b' ');
    let object = entry.object();
    // The title's place is flush right, behind the sign.
    let narrower = Style { width: style.width.map(|width| width.saturating_sub(SIGN)), ..style };
    Lines { bytes, style: narrower }.title(&object.reference().title(), object.place());
    let mut lines = Lines { bytes, style };
    let changes = entry.changes(comparison.old, comparison.new);
    match entry {
        Entry::Changed { .. } => {
            let told = changes.iter().flat_map(|change| words::lines(change, comparison.old, comparison.new));
            print(&mut lines, &told.collect::<Vec<_>>());
        }
        Entry::Added(_) | Entry::Removed(_) if is_unknown(object) => {
            lines.put(
                "Kind",
                Some((Role::Warning, "unknown")),
                Role::Context,
                "the kind is unknown to this version",
                None,
            );
        }
        Entry::Added(_) => added(&mut lines, &changes, comparison),
        Entry::Removed(_) => {
            // Whoever removes a manifest may delete the object with it.
            let deletion = changes.iter().filter(|change| change.aspect == Aspect::Deletion);
            let told = deletion.flat_map(|change| words::lines(change, comparison.old, comparison.new));
            print(&mut lines, &told.collect::<Vec<_>>());
        }
    }
    lines.push("\n");
}

/// Whether nothing is told of an object, because its kind is unknown to this version.
fn is_unknown(object: &Object) -> bool {
    matches!(object, Object::Plural(facts) if facts.kind.is_none())
}

/// An object that is only on the new side: what it will do, in one sentence.
fn added(lines: &mut Lines<'_>, changes: &[Change<'_>], comparison: &Comparison<'_>) {
    let told: Vec<Line<'_>> = changes
        .iter()
        .filter(|change| {
            let told = [Aspect::Controller, Aspect::Ceiling, Aspect::Ladder, Aspect::Mode, Aspect::Deletion];
            told.contains(&change.aspect)
        })
        .flat_map(|change| words::lines(change, comparison.old, comparison.new))
        .filter(|line| line.label != words::IF_UNKNOWN && !matches!(line.to.as_deref(), Some("unset" | "not known")))
        .collect();
    let Some((first, rest)) = told.split_first() else { return };
    // Of what no controller reconciles there is nothing to say but why.
    if first.to.as_deref() == Some(Controller::None.as_str()) {
        return print(lines, &told[..1]);
    }
    let rest: Vec<String> =
        rest.iter().map(|line| format!("{}: {}", line.label.to_lowercase(), line.value())).collect();
    lines.put(first.label, Some((first.role, &first.value())), Role::Context, &rest.join("; "), None);
}

/// Values up to this width have their reasons aligned with those of their neighbours.
const ALIGNED: usize = 36;

/// Blanks between a value and its reason.
const GAP: usize = 2;

fn print(lines: &mut Lines<'_>, told: &[Line<'_>]) {
    let widths = told.iter().map(|line| line.value().width()).filter(|width| *width <= ALIGNED);
    let column = widths.max().unwrap_or(0);
    let style = lines.style;
    for line in told {
        let value = line.value();
        let room = style.width.map_or(usize::MAX, |width| width.saturating_sub(INDENT));
        match (&line.from, &line.to) {
            _ if value.is_empty() => lines.put(line.label, None, line.role, &line.reason, None),
            // What does not fit beside the other stands below it.
            (Some(from), Some(to)) if value.width() > room => {
                lines.line(line.label, from, None);
                with_reason(lines, "", line.role, &format!("→ {to}"), &line.reason);
            }
            _ if line.reason.is_empty() => lines.put(line.label, None, line.role, &value, None),
            _ => {
                let padding = " ".repeat(column.saturating_sub(value.width()));
                with_reason(lines, line.label, line.role, &format!("{value}{padding}"), &line.reason);
            }
        }
    }
}

/// A value and why, which stands below it where not even its first word fits beside it.
fn with_reason(lines: &mut Lines<'_>, label: &str, role: Role, value: &str, reason: &str) {
    let first = reason.split(' ').next().unwrap_or_default();
    let beside = INDENT + value.width() + GAP + first.width();
    if reason.is_empty() || lines.style.width.is_some_and(|width| beside > width) {
        lines.put(label, None, role, value.trim_end(), None);
        if !reason.is_empty() {
            lines.put("", None, Role::Context, reason, None);
        }
        return;
    }
    lines.put(label, Some((role, value)), Role::Context, reason, None);
}

/// Prints what was read and how many objects differ.
///
/// # Errors
/// Those of `out`.
pub fn summary(out: &mut dyn Write, diff: Diff<'_>) -> io::Result<()> {
    for side in std::iter::once(diff.from).chain(diff.to) {
        writeln!(out, "{}", read(side))?;
    }
    let comparison = diff.comparison;
    if comparison.is_empty() {
        let same = count(comparison.counts.same, "object");
        return writeln!(out, "{}", format!("no differences: {same} the same. {}", diff.told_for()).trim_end());
    }
    writeln!(out, "{}", counts(comparison))
}

/// `2 changed, 1 added, 30 the same`.
pub(super) fn counts(comparison: &Comparison<'_>) -> String {
    let counts = comparison.counts;
    let parts =
        [(counts.changed, "changed"), (counts.added, "added"), (counts.removed, "removed"), (counts.same, "the same")];
    match listed("", &parts) {
        none if none.is_empty() => "no objects".to_owned(),
        some => some,
    }
}

/// `old.yaml: 3 objects in 1 file, 1 unreadable`.
fn read(side: &DiffSide) -> String {
    let summary = &side.summary;
    let of = [
        (summary.kcc, "of Config Connector"),
        (summary.plural, "of the Plural Console"),
        (summary.other, "other (not compared)"),
    ];
    let unread = [(summary.skipped, "skipped (no Kubernetes object, or a template)"), (summary.broken, "unreadable")];
    format!(
        "{}: {} in {} of {}{}{}",
        escape(&side.inputs.join(" ")),
        count(summary.kcc + summary.plural + summary.other, "object"),
        count(summary.documents, "document"),
        count(summary.files, "file"),
        listed(": ", &of),
        listed("; ", &unread),
    )
}
