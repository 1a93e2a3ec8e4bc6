use std::collections::BTreeSet;

use super::controllers::{Controller, Row, row, rows};
use super::release::Release;

/// What is different about a kind in another release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Another controller handles it unless something says otherwise.
    Moved,
    /// Other controllers can be chosen for it.
    Choice,
    /// It has no row in the first release and one in the second.
    Added,
    /// It has a row in the first release and none in the second.
    Removed,
}

impl Change {
    /// The word in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Change::Moved => "moved",
            Change::Choice => "choice",
            Change::Added => "added",
            Change::Removed => "removed",
        }
    }
}

/// A kind in two releases. At least one of them has a row for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// API group.
    pub group: &'static str,
    /// Kind.
    pub kind: &'static str,
    /// The row of the first release.
    pub from: Option<&'static Row>,
    /// The row of the second release.
    pub to: Option<&'static Row>,
}

impl Move {
    /// What differs; nothing if the rows say the same.
    pub fn changes(&self) -> Vec<Change> {
        match (self.from, self.to) {
            (None, None) => Vec::new(),
            (None, Some(_)) => vec![Change::Added],
            (Some(_), None) => vec![Change::Removed],
            (Some(from), Some(to)) => {
                let moved = (from.default != to.default).then_some(Change::Moved);
                let choice = (choice(from) != choice(to)).then_some(Change::Choice);
                moved.into_iter().chain(choice).collect()
            }
        }
    }

    /// The rows that there are, the first release's first.
    pub fn rows(&self) -> impl Iterator<Item = &'static Row> {
        self.from.into_iter().chain(self.to)
    }
}

/// A set: two rows that list the same controllers in another order say the same.
fn choice(row: &Row) -> BTreeSet<Controller> {
    row.supported.iter().copied().collect()
}

/// The kinds whose rows differ between two releases that have a table ([`Release::has_table`]), by group and kind.
pub fn moves(from: Release, to: Release) -> Vec<Move> {
    let kinds: BTreeSet<(&str, &str)> = rows().iter().map(|row| (row.group, row.kind)).collect();
    kinds
        .into_iter()
        .map(|(group, kind)| Move { group, kind, from: row(group, kind, from), to: row(group, kind, to) })
        .filter(|moved| !moved.changes().is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(text: &str) -> Release {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn nothing_moves_from_a_release_to_itself_or_among_those_told_by_main() {
        for (from, to) in [("1.135.0", "1.135.0"), ("main", "main"), ("1.156.0", "main"), ("1.200.0", "1.156.0")] {
            assert_eq!(moves(release(from), release(to)), [], "{from} {to}");
        }
    }

    #[test]
    fn back_again_the_same_kinds_move_the_other_way() {
        let there = moves(release("1.150.0"), Release::Main);
        let back = moves(Release::Main, release("1.150.0"));
        assert!(!there.is_empty());
        let turned: Vec<Move> =
            back.into_iter().map(|moved| Move { from: moved.to, to: moved.from, ..moved }).collect();
        assert_eq!(turned, there);
    }

    #[test]
    fn another_order_of_the_same_choice_is_no_change() {
        let supporting = |supported: &[Controller]| {
            let row = rows().iter().find(|row| row.kind == "AlloyDBCluster").cloned();
            let row = row.map(|row| Row { supported: supported.to_vec(), ..row });
            &*Box::leak(Box::new(row.unwrap_or_else(|| panic!("it has a row"))))
        };
        let changes =
            |from, to| Move { group: "", kind: "", from: Some(supporting(from)), to: Some(supporting(to)) }.changes();
        assert_eq!(changes(&[Controller::Direct, Controller::Tf], &[Controller::Tf, Controller::Direct]), []);
        assert_eq!(changes(&[Controller::Direct, Controller::Tf], &[Controller::Tf]), [Change::Choice]);
    }

    #[test]
    fn a_new_choice_is_no_move() {
        let moved = moves(release("1.153.0"), release("1.154.0")).into_iter().find(|moved| moved.kind == "DataflowJob");
        assert_eq!(moved.map(|moved| moved.changes()), Some(vec![Change::Choice]));
    }
}
