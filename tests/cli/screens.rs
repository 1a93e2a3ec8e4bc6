//! What people see. Each snapshot is read by a person before it is accepted.

use std::path::Path;

use kcc_backoff::assess::{Contexts, World};
use kcc_backoff::kcc::Facts;
use kcc_backoff::output::{self, Explanation, Style, Summary};
use kcc_backoff::source::{self, Input, Options};

use crate::support::*;

/// The screen for an example of the repository.
fn screen(example: &str, style: Style) -> String {
    let path = Path::new("examples/config-connector").join(example);
    let inputs = [Input::Path(path)];
    let loaded = source::load(&inputs, &Options::default(), &mut std::io::empty(), &|item| {
        Facts::read(item.node, item.api_version, item.kind, item.file, None)
    });
    let mut world = World::new(None, None, NOW.parse().unwrap());
    let (contexts, _) = Contexts::gather(loaded.objects.iter());
    world.contexts = contexts;
    let objects = loaded.objects;
    let explanation = Explanation { world: &world, objects, problems: &[], summary: Summary::default() };
    let mut bytes = Vec::new();
    output::text(&mut bytes, style, explanation).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn columns(width: usize) -> Style {
    Style { color: false, width: Some(width) }
}

#[test]
fn a_ceiling_and_a_halted_object_off_a_terminal() {
    insta::assert_snapshot!(screen("metrics.yaml", Style::PLAIN));
}

#[test]
fn a_ceiling_and_a_halted_object_at_80_columns() {
    insta::assert_snapshot!(screen("metrics.yaml", columns(80)));
}

#[test]
fn every_step_of_the_choice_of_a_controller_at_200_columns() {
    insta::assert_snapshot!(screen("controllers.yaml", columns(200)));
}

#[test]
fn values_that_do_not_do_what_they_seem_to_at_120_columns() {
    insta::assert_snapshot!(screen("traps.yaml", columns(120)));
}

#[test]
fn objects_with_a_status_at_120_columns() {
    insta::assert_snapshot!(screen("live.yaml", columns(120)));
}

#[test]
fn no_line_is_wider_than_the_terminal_except_a_command_or_a_single_word() {
    for example in ["metrics.yaml", "controllers.yaml", "traps.yaml", "live.yaml"] {
        for width in [60, 80, 100, 200] {
            for line in screen(example, columns(width)).lines() {
                let text = line.trim();
                let copied = text.starts_with("kubectl ") || !text.contains(' ');
                // A title is never broken; its place goes behind it.
                let title = !line.starts_with(' ');
                assert!(copied || title || line.chars().count() <= width, "{example} at {width}: {line}");
            }
        }
    }
}

#[test]
fn colour_changes_nothing_but_escape_sequences() {
    colored::control::set_override(true);
    for example in ["metrics.yaml", "live.yaml"] {
        let plain = screen(example, columns(100));
        let painted = screen(example, Style { color: true, width: Some(100) });
        assert_ne!(plain, painted);
        let mut stripped = String::new();
        let mut rest = painted.as_str();
        while let Some(start) = rest.find('\u{1b}') {
            stripped.push_str(&rest[..start]);
            let end = rest[start..].find('m').unwrap();
            rest = &rest[start + end + 1..];
        }
        stripped.push_str(rest);
        assert_eq!(plain, stripped);
    }
}
