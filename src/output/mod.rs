//! Everything that is printed. Every function writes to a given place, so tests need no capturing; only [`Terminal`]
//! looks at the environment.

mod diff;
mod escape;
mod explain_json;
mod explain_text;
mod json;
mod kinds;
mod ladder;
mod lines;
mod list;
mod markdown;
mod plan;
mod plural;
mod report;
pub mod simulate;
mod style;
mod table;

pub use diff::{Diff, DiffSide, diff_json, diff_markdown, diff_summary, diff_text, diff_yaml};
pub use escape::{escape, is_dangerous};
pub use explain_json::{json, names, yaml};
pub use explain_text::text;
pub use json::{json_document as any_json, yaml_document as any_yaml};
pub use kinds::{KccKinds, KindList, kind_counts, kind_names, kind_notes, kinds_json, kinds_table, kinds_yaml};
pub use list::{GroupBy, Listing, SortBy, Wish, list_json, list_markdown, list_names, list_table, list_yaml};
pub use plan::{PlanReport, plan_github, plan_json, plan_junit, plan_markdown, plan_summary, plan_text, plan_yaml};
pub use report::{Explanation, Summary, complain, summarize};
pub use style::{ColorChoice, Role, Style, Terminal};
