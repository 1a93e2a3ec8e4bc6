//! What people see of a plan.

use std::path::Path;

use kcc_backoff::assess::World;
use kcc_backoff::assess::plural::Inputs as Targets;
use kcc_backoff::console::snapshot;
use kcc_backoff::output::{PlanReport, Style, Summary, plan_text};
use kcc_backoff::reconcile::{Input, Inputs, Observed, Planned, Semantics, look_ups, plan};
use kcc_backoff::source::{self, Options};

use crate::support::{NOW, without_colour};

/// The screen for the example, so many columns wide.
fn screen(width: usize, semantics: Semantics, color: bool) -> String {
    let folder = Path::new("examples/console");
    let manifests = [source::Input::Path(folder.join("manifests"))];
    let loaded = source::load(&manifests, &Options::default(), &mut std::io::empty(), &|item| Input::read(item, None));
    let inputs = Inputs::new(loaded.objects);
    let mut world = World::new(None, None, NOW.parse().unwrap());
    world.inputs = Targets::of(inputs.subjects.iter().map(|subject| &*subject.facts));
    let (console, _) = snapshot::read(&folder.join("console.yaml")).unwrap();
    let observed = Observed::ask(&console, look_ups(&inputs, &world)).unwrap();
    let plan = plan(&inputs, &world, &observed, semantics);
    let report = PlanReport {
        plan: &plan,
        told_by: "the snapshot console.yaml",
        unavailable: None,
        forbidden: &[Planned::Delete],
        problems: &[],
        summary: Summary::default(),
    };
    let mut bytes = Vec::new();
    colored::control::set_override(true);
    plan_text(&mut bytes, Style { color, width: Some(width) }, &report).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_plan_at_80_columns() {
    insta::assert_snapshot!(screen(80, Semantics::Documented, false));
}

#[test]
fn a_plan_at_200_columns() {
    insta::assert_snapshot!(screen(200, Semantics::Documented, false));
}

#[test]
fn the_controllers_plan_at_100_columns() {
    insta::assert_snapshot!(screen(100, Semantics::Controller, false));
}

#[test]
fn no_line_of_a_plan_is_wider_than_the_screen_but_for_what_cannot_be_broken() {
    for width in [50, 80, 120] {
        for line in screen(width, Semantics::Documented, false).lines() {
            let longest = line.split(' ').map(str::len).max().unwrap_or(0);
            let fits = unicode_width::UnicodeWidthStr::width(line) <= width || longest + 18 > width;
            assert!(fits, "{width}: {line}");
        }
    }
}

#[test]
fn colour_changes_nothing_but_the_colour() {
    let painted = screen(80, Semantics::Documented, true);
    assert!(painted.contains("\u{1b}[1;31m"), "what goes is red");
    assert_eq!(without_colour(&painted), screen(80, Semantics::Documented, false));
}
