//! No fix may add an error: a cell that ran and raises after a fix takes back the hunks of the fix that are its cause.
//!
//! The cause is found by running: delta debugging (*ddmin*, see [`crate::minimize`]) over the hunks of the fix, where a set of them
//! is to blame when without it no cell raises anew, and no more cells raise than with it. Hunks of the cells that raise anew are
//! suspected first, then those of all cells before; what stands behind a cell cannot be its cause. A fix of rules that rules mend when
//! they see the errors stays whole.

use std::collections::BTreeSet;

use nbrevive_notebook::Notebook;

use crate::minimize::ddmin::{Search, ddmin};
use crate::minimize::hunks::Hunks;
use crate::{AppliedRule, Assessment};

/// The most executions that one fix may cost beyond its own.
const MOST_TRIALS: usize = 6;

/// A hunk: position among the changed cells, and number there.
type Hunk = (usize, usize);

/// The change of a fix, cell by cell.
pub(crate) struct Suspects<'a> {
    before: &'a Notebook,
    after: &'a Notebook,
    cells: Vec<(usize, Hunks<'a>)>,
    hunks: Vec<Hunk>,
}

/// What is left of a fix.
pub(crate) struct Reduced {
    pub(crate) notebook: Notebook,
    /// The hunks that are gone, by cell, each with the lines of the text before that it replaced, from 1.
    pub(crate) gone: Vec<(usize, std::ops::RangeInclusive<u32>)>,
}

/// Cells that ran in `before` and raise in `after`; none where an execution did not come to its end.
pub(crate) fn raised_anew(before: &Assessment, after: &Assessment) -> BTreeSet<usize> {
    if [before, after].iter().any(|one| one.timed_out || one.failed) {
        return BTreeSet::new();
    }
    let raised: BTreeSet<usize> = before.errors.iter().map(|error| error.cell).collect();
    after.errors.iter().map(|error| error.cell).filter(|cell| !raised.contains(cell)).collect()
}

impl<'a> Suspects<'a> {
    /// The hunks between two versions; `None` where cells came or went, so that they cannot be told apart by cell.
    pub(crate) fn between(before: &'a Notebook, after: &'a Notebook) -> Option<Self> {
        if before.cells.len() != after.cells.len() {
            return None;
        }
        let pairs = before.cells.iter().zip(&after.cells).enumerate();
        let changed = pairs.filter(|(_, (old, new))| old.source != new.source);
        let cells: Vec<(usize, Hunks<'a>)> =
            changed.map(|(cell, (old, new))| (cell, Hunks::between(&old.source, &new.source))).collect();
        let of =
            |(position, (_, hunks)): (usize, &(usize, Hunks<'_>))| (0..hunks.len()).map(move |hunk| (position, hunk));
        let hunks = cells.iter().enumerate().flat_map(of).collect();
        Some(Self { before, after, cells, hunks })
    }

    /// The version without some hunks, which are counted over all cells.
    fn without(&self, gone: &[usize]) -> Notebook {
        let mut notebook = self.after.clone();
        for (position, (cell, hunks)) in self.cells.iter().enumerate() {
            let is_kept =
                |(number, hunk): (usize, &Hunk)| (hunk.0 == position && !gone.contains(&number)).then_some(hunk.1);
            let kept: Vec<usize> = self.hunks.iter().enumerate().filter_map(is_kept).collect();
            if kept.len() < hunks.len() {
                notebook.cells[*cell].source = hunks.apply(&kept);
            }
        }
        notebook
    }

    /// Numbers of the hunks in cells for which `is_suspect` holds.
    fn of_cells(&self, is_suspect: impl Fn(usize) -> bool) -> Vec<usize> {
        let hunks = self.hunks.iter().enumerate();
        hunks.filter(|(_, hunk)| is_suspect(self.cells[hunk.0].0)).map(|(number, _)| number).collect()
    }

    /// The fix without the least set of hunks that is to blame for `anew`, and what its execution came to; `None` where none is
    /// found. `assess` says what a version comes to, `None` where that may not be executed.
    pub(crate) fn reduce(
        &self,
        anew: &BTreeSet<usize>,
        assess: &mut dyn FnMut(&Notebook) -> Option<Assessment>,
        (before, is_better): (&Assessment, &dyn Fn(&Assessment) -> bool),
    ) -> Option<Reduced> {
        let last = *anew.last()?;
        let near = self.of_cells(|cell| anew.contains(&cell));
        let all = self.of_cells(|cell| cell <= last);
        let mut search = Search::new(MOST_TRIALS, |gone: &[usize]| {
            let notebook = self.without(gone);
            // Without any hunk it is the version before, of which all is known.
            if notebook.cells == self.before.cells {
                return Some(is_better(before));
            }
            assess(&notebook).map(|assessment| is_better(&assessment))
        });
        let suspects = [near, all].into_iter().find(|suspects| !suspects.is_empty() && search.ask(suspects))?;
        let gone = ddmin(suspects, &mut search).kept;
        Some(Reduced { notebook: self.without(&gone), gone: gone.iter().map(|number| self.place(*number)).collect() })
    }

    fn place(&self, number: usize) -> (usize, std::ops::RangeInclusive<u32>) {
        let (position, hunk) = self.hunks[number];
        let (cell, hunks) = &self.cells[position];
        (*cell, hunks.lines(hunk))
    }
}

/// Takes out of an account what rules did in hunks that are gone, and gives that back: the places in the lines of a hunk or,
/// where none stands there, all of its cell.
pub(crate) fn take_out(
    applied: &mut Vec<AppliedRule>,
    gone: &[(usize, std::ops::RangeInclusive<u32>)],
) -> Vec<AppliedRule> {
    let mut taken = BTreeSet::new();
    for (cell, lines) in gone {
        let of_cell = || applied.iter().enumerate().filter(|(_, one)| one.cell == *cell).map(|(number, _)| number);
        let of_lines: Vec<usize> = of_cell().filter(|number| lines.contains(&applied[*number].line)).collect();
        if of_lines.is_empty() {
            taken.extend(of_cell());
        } else {
            taken.extend(of_lines);
        }
    }
    let mut number = 0;
    applied
        .extract_if(.., |_| {
            number += 1;
            taken.contains(&(number - 1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;

    use super::*;
    use crate::CellFeedback;

    fn notebook(cells: &[&str]) -> Notebook {
        Notebook::from_cells(cells.iter().map(|cell| Cell::code(*cell)).collect())
    }

    /// An execution in which every cell raises that holds one of its words.
    fn assessment(notebook: &Notebook, bad: &[&str]) -> Assessment {
        let raises = |(cell, one): (usize, &Cell)| {
            let error = CellFeedback {
                cell,
                ename: "E".to_owned(),
                evalue: String::new(),
                traceback: String::new(),
                line: None,
            };
            bad.iter().any(|word| one.source.contains(word)).then_some(error)
        };
        let errors = notebook.cells.iter().enumerate().filter_map(raises).collect();
        Assessment { errors, ..Assessment::default() }
    }

    #[test]
    fn the_least_set_of_hunks_is_to_blame() {
        let before = notebook(&["a\nold\nb\n", "c\nd\n", "e\n"]);
        let after = notebook(&["a\nnew\nB\n", "c\nHARM\nx\n", "E\n"]);
        let bad = ["old", "HARM"];
        let (first, second) = (assessment(&before, &bad), assessment(&after, &bad));
        let anew = raised_anew(&first, &second);
        assert_eq!(anew, BTreeSet::from([1]));
        let suspects = Suspects::between(&before, &after).unwrap();
        let mut asked = 0;
        let mut assess = |notebook: &Notebook| {
            asked += 1;
            Some(assessment(notebook, &bad))
        };
        let reduced = suspects
            .reduce(&anew, &mut assess, (&first, &|trial: &Assessment| raised_anew(&first, trial).is_empty()))
            .unwrap();
        assert_eq!(reduced.notebook.cells[0].source, "a\nnew\nB\n");
        assert_eq!(reduced.notebook.cells[1].source, "c\nd\nx\n");
        assert_eq!(reduced.gone, [(1, 2..=2)]);
        assert!(asked <= MOST_TRIALS, "{asked}");
    }

    #[test]
    fn what_stands_behind_a_cell_is_never_its_cause() {
        let (before, after) = (notebook(&["a", "b", "c"]), notebook(&["a", "b", "C"]));
        let suspects = Suspects::between(&before, &after).unwrap();
        let mut never = |_: &Notebook| panic!("nothing is suspected");
        assert!(suspects.reduce(&BTreeSet::from([1]), &mut never, (&Assessment::default(), &|_| true)).is_none());
    }

    #[test]
    fn an_end_before_the_last_cell_tells_nothing() {
        let cut = Assessment { timed_out: true, ..Assessment::default() };
        assert!(raised_anew(&cut, &assessment(&notebook(&["bad"]), &["bad"])).is_empty());
    }

    #[test]
    fn rules_are_taken_out_by_the_lines_of_hunks() {
        let rule = |rule: &str, cell, line| AppliedRule { rule: rule.to_owned(), cell, line, reason: String::new() };
        let mut applied = vec![rule("a", 0, 1), rule("b", 0, 3), rule("c", 1, 1)];
        let taken = take_out(&mut applied, &[(0, 3..=3), (1, 5..=5)]);
        assert_eq!(taken, [rule("b", 0, 3), rule("c", 1, 1)]);
        assert_eq!(applied, [rule("a", 0, 1)]);
    }
}
