//! `list`: one row an object, in whatever format.

mod json;
mod markdown;
mod order;
mod survey;
mod table;

use std::io::{self, Write};

pub use json::{json as list_json, yaml as list_yaml};
pub use markdown::markdown as list_markdown;
pub use survey::Listing;
pub use table::table as list_table;

use super::report::Explanation;
use crate::assess::Marks;

/// By what rows are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SortBy {
    /// Kind, then namespace and name
    Kind,
    /// Namespace, then name
    Namespace,
    /// Name, whatever the namespace
    Name,
    /// Name of the controller
    Controller,
    /// What needs attention first
    State,
    /// Halts, then the shortest ceiling first, then none
    Ceiling,
    /// The shortest drift or requeue interval first
    Interval,
    /// The soonest next attempt first
    Next,
    /// The most attempts an hour first
    Rate,
}

/// By what objects are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum GroupBy {
    /// Kind and API group
    Kind,
    /// Namespace, - for none
    Namespace,
    /// Controller that handles them
    Controller,
    /// Ceiling, or mode
    Ceiling,
}

impl GroupBy {
    /// The word on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            GroupBy::Kind => "kind",
            GroupBy::Namespace => "namespace",
            GroupBy::Controller => "controller",
            GroupBy::Ceiling => "ceiling",
        }
    }
}

/// What is asked of a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish {
    /// Only objects with one of these marks.
    pub only: Option<Marks>,
    /// Sorted, instead of in the order of the inputs.
    pub sort_by: Option<SortBy>,
    /// Counted, instead of one by one.
    pub group_by: Option<GroupBy>,
    /// Marks that the caller is told of, whatever is shown.
    pub watch: Marks,
    /// Without a line of titles.
    pub no_headers: bool,
    /// With more columns.
    pub wide: bool,
    /// Not printed as a table: no width is measured.
    pub no_table: bool,
}

/// Prints the names of the rows, `kind.group/name`. Objects without a name have no line.
///
/// # Errors
/// Those of `out`.
pub fn list_names(out: &mut dyn Write, listing: &Listing<'_>) -> io::Result<()> {
    let explanation =
        Explanation { world: listing.world, objects: &listing.shown, problems: &[], summary: <_>::default() };
    super::names(out, &explanation)
}
