use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use super::Simulated;
use super::chart::{Axis, span, tick_name};
use crate::output::escape::escape;
use crate::simulate::{Course, Outcome, Simulation};

const WIDTH: u32 = 960;
const LEFT: u32 = 210;
const RIGHT: u32 = 30;
const LANE: u32 = 36;
const TITLE: u32 = 34;
const SCALE: u32 = 30;
/// As many characters as the picture is wide.
const TITLE_LENGTH: usize = 110;

/// Colours that are told apart on white and on black, and by people who do not tell red from green.
fn colour(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Failed => "#d55e00",
        Outcome::Succeeded => "#009e73",
        Outcome::Unresolved => "#cc79a7",
        Outcome::Skipped => "#8a8a8a",
        Outcome::Interrupted => "#56b4e9",
    }
}

/// Prints the attempts over time on a logarithmic axis as an SVG picture: a lane for each course, a stroke for each
/// attempt, or for all that fall onto the same point.
///
/// # Errors
/// Those of `out`.
pub fn svg(out: &mut dyn Write, simulated: &Simulated<'_>) -> io::Result<()> {
    let mut body = String::new();
    let mut top = 0;
    for group in simulated.groups() {
        top = self::group(&mut body, simulated, group, top);
    }
    let height = top + 34;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"13\" role=\"img\">"
    )?;
    writeln!(out, "<title>Attempts over time, logarithmic</title>")?;
    // A ground of its own: pages that show the picture may be light or dark.
    writeln!(out, "<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>")?;
    out.write_all(body.as_bytes())?;
    out.write_all(legend(height).as_bytes())?;
    writeln!(out, "</svg>")
}

/// Appends one object with its courses below `top`; returns where it ends.
fn group(body: &mut String, simulated: &Simulated<'_>, group: &[Course<'_>], top: u32) -> u32 {
    let options = simulated.options;
    let length = f64::from(WIDTH - LEFT - RIGHT);
    let (least, most, happened) = span(group, options);
    let axis = Axis::new((least, most), 24.0, length - 24.0);
    let x = |time: Duration| f64::from(LEFT) + axis.at(time);
    let title = match group.first().and_then(|course| course.reference) {
        Some(reference) => shortened(&reference.title()),
        None => format!("Attempts (Config Connector {})", simulated.world.release),
    };
    let lanes = u32::try_from(group.len()).unwrap_or(u32::MAX);
    let first = top + TITLE;
    let bottom = first + lanes.saturating_mul(LANE);
    // Writing to memory cannot fail.
    let _ = writeln!(
        body,
        "<text x=\"12\" y=\"{}\" font-weight=\"bold\" fill=\"#222222\">{}</text>",
        top + 22,
        xml(&title)
    );
    let mut free = 0.0;
    let ticks =
        std::iter::once((Duration::ZERO, "0".to_owned())).chain(axis.ticks().map(|tick| (tick, tick_name(tick))));
    for (tick, name) in ticks {
        let at = x(tick);
        let _ =
            writeln!(body, "<line x1=\"{at:.1}\" y1=\"{first}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#dddddd\"/>");
        if at >= free {
            let _ = writeln!(
                body,
                "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#666666\">{name}</text>",
                bottom + 18
            );
            free = at + 46.0;
        }
    }
    for event in &options.events[..happened] {
        let at = x(event.at);
        let _ = writeln!(
            body,
            "<line x1=\"{at:.1}\" y1=\"{first}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#0072b2\" \
             stroke-dasharray=\"3 3\"/>"
        );
    }
    for (course, lane) in group.iter().zip(0_u32..) {
        let middle = first + lane.saturating_mul(LANE) + LANE / 2;
        let _ = writeln!(
            body,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#222222\">{}</text>",
            LEFT - 14,
            middle + 5,
            xml(&course.label())
        );
        let _ = writeln!(
            body,
            "<line x1=\"{LEFT}\" y1=\"{middle}\" x2=\"{}\" y2=\"{middle}\" stroke=\"#bbbbbb\"/>",
            WIDTH - RIGHT
        );
        let attempts = Simulation::new(&course.behaviour, options);
        // Half a point apart is as much as can be seen; so a million attempts make a small picture, too.
        let strokes: BTreeSet<(u64, &'static str)> =
            attempts.map(|attempt| ((x(attempt.at) * 2.0).round() as u64, colour(attempt.outcome))).collect();
        for (half_points, colour) in strokes {
            let at = half_points as f64 / 2.0;
            let _ = writeln!(
                body,
                "<line x1=\"{at:.1}\" y1=\"{}\" x2=\"{at:.1}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                middle - 10,
                middle + 10
            );
        }
    }
    bottom + SCALE
}

fn legend(height: u32) -> String {
    let mut legend = String::new();
    let mut left = 12;
    let y = height - 12;
    for outcome in [Outcome::Failed, Outcome::Succeeded, Outcome::Unresolved, Outcome::Skipped, Outcome::Interrupted] {
        let _ = writeln!(
            legend,
            "<rect x=\"{left}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{}\" y=\"{y}\" \
             fill=\"#666666\">{}</text>",
            y - 10,
            colour(outcome),
            left + 15,
            outcome.as_str()
        );
        left += 105;
    }
    let _ = writeln!(
        legend,
        "<line x1=\"{left}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#0072b2\" stroke-dasharray=\"3 3\"/><text \
         x=\"{}\" y=\"{y}\" fill=\"#666666\">event</text>",
        y - 5,
        left + 12,
        y - 5,
        left + 17
    );
    legend
}

fn shortened(title: &str) -> String {
    match title.char_indices().nth(TITLE_LENGTH) {
        Some((end, _)) => format!("{}…", &title[..end]),
        None => title.to_owned(),
    }
}

fn xml(text: &str) -> String {
    escape(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
