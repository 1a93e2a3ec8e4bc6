//! What is printed of a simulation: tables, charts, JSON, YAML, CSV.

mod chart;
mod clock;
mod csv;
mod json;
mod scenario;
mod svg;
mod table;
mod words;

pub use chart::chart;
pub use csv::csv;
pub use json::{json, yaml};
pub use scenario::{Played, scenario_csv, scenario_json, scenario_text, scenario_value, scenario_yaml};
pub use svg::svg;
pub use table::table;

use jiff::Timestamp;

use super::report::{Explanation, Summary};
use crate::assess::World;
use crate::object::Diagnostic;
use crate::simulate::{Choice, Course, Options};

/// A simulation that is to be printed. The attempts are reckoned while they are printed, so that none is kept.
pub struct Simulated<'a> {
    /// The world that is spoken of.
    pub world: &'a World,
    /// What is simulated.
    pub courses: &'a [Course<'a>],
    /// How.
    pub options: &'a Options,
    /// The clock time of the start.
    pub start: Timestamp,
    /// What is wrong with the inputs and the objects.
    pub problems: &'a [Diagnostic],
    /// How much was read; `None` without inputs.
    pub summary: Option<Summary>,
}

impl<'a> Simulated<'a> {
    /// The courses of one object each, or of none in particular: what is shown side by side.
    fn groups(&self) -> impl Iterator<Item = &'a [Course<'a>]> {
        // Objects are told apart by where they are kept: two of the same name are two.
        let of = |course: &Course<'_>| course.reference.map(std::ptr::from_ref);
        self.courses.chunk_by(move |one, other| of(one) == of(other))
    }

    /// For which release and systems this holds.
    fn told_for(&self) -> String {
        let general = |course: &Course<'_>| course.reference.is_none();
        let of_other = |course: &Course<'_>| matches!(course.choice, Choice::Plural | Choice::ControllerRuntime);
        let summary = match self.summary {
            Some(summary) => summary,
            None if self.courses.iter().all(|course| general(course) && of_other(course)) => {
                return "Told for controllers in general; --kcc-version does not matter.".to_owned();
            }
            None => Summary::default(),
        };
        let explanation = Explanation { world: self.world, objects: &[], problems: &[], summary };
        explanation.told_for()
    }
}
