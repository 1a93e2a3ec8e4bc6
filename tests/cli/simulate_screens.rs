//! What people see of a simulation. Each snapshot is read by a person before it is accepted.

use std::path::Path;

use kcc_backoff::assess::{Object, World};
use kcc_backoff::output::simulate::{Simulated, chart, table};
use kcc_backoff::output::{Style, Summary};
use kcc_backoff::simulate::{Choice, Event, Options, courses};
use kcc_backoff::source::{self, Input};

use crate::support::NOW;

fn columns(width: usize) -> Style {
    Style { color: false, width: Some(width) }
}

/// The screen for an example of the repository, or for no object in particular.
fn screen(example: Option<&str>, choices: &[Choice], options: &Options, style: Style, as_chart: bool) -> String {
    let inputs: Vec<Input> = example.iter().map(|example| Input::Path(Path::new("examples").join(example))).collect();
    let loaded = source::load(&inputs, &source::Options::default(), &mut std::io::empty(), &|item| {
        Object::read(item.node, item.api_version, item.kind, item.file, None)
    });
    let mut world = World::new(None, None, NOW.parse().unwrap());
    world.observe(loaded.objects.iter().flatten());
    let objects: Vec<&Object> = loaded.objects.iter().flatten().collect();
    let found = courses(example.map(|_| objects.as_slice()), &world, choices, None, options);
    let simulated = Simulated {
        world: &world,
        courses: &found,
        options,
        start: NOW.parse().unwrap(),
        problems: &[],
        summary: example.map(|_| Summary { kcc: objects.len(), ..Summary::default() }),
    };
    let mut bytes = Vec::new();
    let print = if as_chart { chart } else { table };
    print(&mut bytes, style, &simulated).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.lines().all(|line| line.trim_end() == line), "a line ends in blanks:\n{text}");
    let wide = style.width.unwrap_or(usize::MAX);
    for line in text.lines().filter(|line| !line.contains("kubectl")) {
        assert!(unicode_width::UnicodeWidthStr::width(line) <= wide, "wider than {wide}: {line}");
    }
    text
}

fn until(seconds: u64, events: &[&str]) -> Options {
    let events: Vec<Event> = events.iter().map(|event| event.parse().unwrap()).collect();
    Options { until: Some(std::time::Duration::from_secs(seconds)), events, ..Options::default() }
}

fn failures(failures: u64) -> Options {
    Options { failures: Some(failures), ..Options::default() }
}

const FOUR: [Choice; 4] = [Choice::Default, Choice::Ceiling(600), Choice::Ceiling(1800), Choice::Ceiling(0)];

#[test]
fn ten_failures_off_a_terminal() {
    insta::assert_snapshot!(screen(None, &[Choice::Default], &failures(10), Style::PLAIN, false));
}

#[test]
fn the_objects_of_a_file_with_events_at_80_columns() {
    let options = until(30, &["5s=spec", "20s=delete", "25s=succeeds", "25s=labels"]);
    insta::assert_snapshot!(screen(
        Some("config-connector/metrics.yaml"),
        &[Choice::Found],
        &options,
        columns(80),
        false
    ));
}

#[test]
fn every_outcome_at_120_columns() {
    let events = [
        "0s=annotate:interval=0",
        "0s=dependency-missing",
        "1s=dependency-ready",
        "1s=succeeds",
        "20s=labels",
        "30s=annotate:actuation=Paused",
        "40s=annotate:actuation=Reconciling",
        "50s=annotate:interval=x",
    ];
    insta::assert_snapshot!(screen(None, &[Choice::Default], &until(51, &events), columns(120), false));
}

#[test]
fn four_policies_at_80_and_200_columns() {
    insta::assert_snapshot!(screen(None, &FOUR, &failures(4), columns(80), false));
    insta::assert_snapshot!(screen(None, &FOUR, &failures(4), columns(200), false));
}

#[test]
fn a_chart_of_four_policies_at_80_columns_and_off_a_terminal() {
    let options = until(7200, &["45m=succeeds", "90m=labels"]);
    insta::assert_snapshot!(screen(None, &FOUR, &options, columns(80), true));
    insta::assert_snapshot!(screen(None, &FOUR, &options, Style::PLAIN, true));
}

#[test]
fn objects_whose_controller_ignores_a_ceiling_at_80_columns() {
    let choices = [Choice::Found, Choice::Ceiling(600)];
    insta::assert_snapshot!(screen(
        Some("config-connector/controllers.yaml"),
        &choices,
        &failures(2),
        columns(80),
        false
    ));
}

/// No message, name or label makes the screen wider than the terminal: `screen` looks at each line.
#[test]
fn nothing_is_wider_than_the_terminal() {
    let options = until(90_000, &["10s=annotate:ceiling=0", "20s=dependency-missing", "1h=restart"]);
    for width in [50, 61, 80, 132] {
        for as_chart in [false, true] {
            screen(None, &FOUR, &options, columns(width), as_chart);
            screen(None, &[Choice::Plural, Choice::ControllerRuntime], &options, columns(width), as_chart);
        }
    }
}
