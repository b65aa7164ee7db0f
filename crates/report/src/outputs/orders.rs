//! Orders in which cells ran: rows of `order-runs.parquet`, a notebook and condition a row.

use std::collections::BTreeMap;
use std::path::Path;

use nbrevive_compare::Agreement;
use nbrevive_corpus::{CellOrder, Condition, Executability};

use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, optional, required};

/// What a condition runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OrderingCondition {
    pub(crate) condition: Condition,
    /// In which orders.
    pub(crate) cells: CellOrder,
    /// What takes chance out of its runs, joined by commas; none where that was not asked.
    pub(crate) antidotes: Option<String>,
}

/// The orders in which a notebook ran under a condition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OrderedNotebook {
    /// Orders.
    pub(crate) orders: usize,
    /// Those that ran to their end without an error.
    pub(crate) run: usize,
    /// Whether each did, as they were drawn.
    pub(crate) ran: Vec<bool>,
    /// Those of which any cell was compared with what was saved.
    pub(crate) compared: usize,
    /// The strictest level at which one of these shows all that was saved; none where nothing was compared.
    pub(crate) as_saved: Option<Agreement>,
    /// Whether any of these ran twice.
    pub(crate) ran_twice: bool,
    /// The strictest level at which both times of one show the same; none where they show nothing.
    pub(crate) twice: Option<Agreement>,
    /// Cells of the first order that cannot be repeated, where the debugger went through it.
    pub(crate) unrepeatable: Option<u32>,
    /// Whether the cell can be repeated at which its runs part first, or one from what was saved.
    pub(crate) suspicious: Option<bool>,
}

/// Notebooks by condition.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Orders {
    /// The conditions that drew or changed orders, or took chance out, and those that they stand beside, in their order.
    pub(crate) conditions: Vec<OrderingCondition>,
    /// What came of each notebook.
    pub(crate) notebooks: BTreeMap<(Condition, String), OrderedNotebook>,
    /// The Python that each ran on, as `3.6`, where there was an environment.
    pub(crate) pythons: BTreeMap<(Condition, String), String>,
    /// How many orders each condition draws, where it is more than one.
    samples: BTreeMap<Condition, u32>,
}

const RUNS: &[ColumnRule] = &[
    required("condition", Kind::Text),
    required("version", Kind::Text),
    required("time", Kind::Count),
    required("executability", Kind::Text),
    optional("comparable", Kind::Count),
    required("exact", Kind::Count),
    required("normalized", Kind::Count),
    required("value", Kind::Count),
    required("picture", Kind::Count),
    extra("unrepeatable", Kind::Count),
    extra("is_suspicious_repeatable", Kind::Switch),
];

const CONDITIONS: &[ColumnRule] = &[
    required("condition", Kind::Text),
    required("cells", Kind::Text),
    extra("samples", Kind::Count),
    extra("antidotes", Kind::Text),
];

const OUTCOMES: &[ColumnRule] =
    &[required("condition", Kind::Text), required("version", Kind::Text), extra("environment", Kind::Text)];

const ENVIRONMENTS: &[ColumnRule] = &[required("environment", Kind::Text), required("python", Kind::Text)];

impl Orders {
    /// Reads the files in `folder`; data of before have none.
    pub(crate) fn read(folder: &Path) -> Result<Self, FrameError> {
        let mut orders = Orders::default();
        let (runs, recipes) = (folder.join("order-runs.parquet"), folder.join("conditions.parquet"));
        if !runs.is_file() || !recipes.is_file() {
            return Ok(orders);
        }
        orders.add_conditions(&Frame::read(&recipes, CONDITIONS)?)?;
        Frame::each(&runs, RUNS, |frame| orders.add_runs(frame))?;
        orders.add_pythons(folder)?;
        Ok(orders)
    }

    fn add_pythons(&mut self, folder: &Path) -> Result<(), FrameError> {
        let (outcomes, environments) = (folder.join("outcomes.parquet"), folder.join("environments.parquet"));
        if !outcomes.is_file() || !environments.is_file() {
            return Ok(());
        }
        let frame = Frame::read(&environments, ENVIRONMENTS)?;
        let minor = |python: &String| python.split('.').take(2).collect::<Vec<_>>().join(".");
        let names = frame.texts("environment")?.into_iter();
        let pythons: BTreeMap<String, String> = names.zip(frame.texts("python")?.iter().map(minor)).collect();
        Frame::each(&outcomes, OUTCOMES, |frame| {
            let (conditions, versions) = (frame.words::<Condition>("condition")?, frame.texts("version")?);
            let of = frame.extra_texts("environment")?.into_iter();
            let known = conditions.into_iter().zip(versions).zip(of);
            self.pythons.extend(known.filter_map(|(key, of)| Some((key, pythons.get(&of?)?.clone()))));
            Ok(())
        })
    }

    /// Whether cells ran in any other order than they stand, or chance was taken out: else the tables of outputs say all.
    pub(crate) fn are_asked(&self) -> bool {
        self.conditions.iter().any(|one| one.cells != CellOrder::Document || one.antidotes.is_some())
    }

    /// Which order of a condition a repetition ran, from 0, and which time it runs it, from 1.
    pub(crate) fn order_and_time(&self, condition: Condition, repetition: u32) -> (u32, u32) {
        let (samples, before) = (self.samples.get(&condition).copied().unwrap_or(1), repetition.saturating_sub(1));
        (before % samples, before / samples + 1)
    }

    /// How many notebooks there are by the strategies of a group under which something holds of them: of those that ran by all of them, or of
    /// these by one without an error. Where several conditions take one strategy it is the first of which there are rows.
    /// Gaps that are filled by chance are none (Osiris, section 5.3 has the others).
    pub(crate) fn sets(
        &self,
        group: &[&OrderingCondition],
        is_of_all: bool,
        holds: fn(&OrderedNotebook) -> bool,
    ) -> BTreeMap<Vec<Condition>, usize> {
        let mut strategies: Vec<Condition> = Vec::new();
        let mut taken = Vec::new();
        let is_strategy =
            |one: &&&OrderingCondition| one.cells != CellOrder::Gaps && self.under(one.condition).next().is_some();
        for one in group.iter().filter(is_strategy) {
            if !taken.contains(&one.cells) {
                taken.push(one.cells);
                strategies.push(one.condition);
            }
        }
        let mut of_version: BTreeMap<&str, Vec<(Condition, &OrderedNotebook)>> = BTreeMap::new();
        for condition in &strategies {
            for (version, row) in self.under(*condition) {
                of_version.entry(version).or_default().push((*condition, row));
            }
        }
        let mut counts = BTreeMap::new();
        for rows in of_version.into_values().filter(|rows| rows.len() == strategies.len()) {
            if is_of_all || rows.iter().any(|(_, row)| row.run > 0) {
                let under = rows.iter().filter(|(_, row)| holds(row)).map(|(condition, _)| *condition).collect();
                *counts.entry(under).or_default() += 1;
            }
        }
        counts
    }

    /// The notebooks under a condition that the debugger went through and that show anything, and whether each shows the same: twice, where it
    /// ran twice, else as saved.
    pub(crate) fn debugged(&self, condition: Condition) -> Vec<(&OrderedNotebook, bool)> {
        let is_same = |row: &OrderedNotebook| if row.ran_twice { row.twice.is_some() } else { row.as_saved.is_some() };
        let shows_any = |row: &&OrderedNotebook| row.compared > 0 || row.twice.is_some();
        let rows = self.under(condition).map(|(_, row)| row).filter(|row| row.unrepeatable.is_some()).filter(shows_any);
        rows.map(|row| (row, is_same(row))).collect()
    }

    /// The notebooks under a condition.
    pub(crate) fn under(&self, condition: Condition) -> impl Iterator<Item = (&str, &OrderedNotebook)> {
        let of = move |(key, _): &(&(Condition, String), &OrderedNotebook)| key.0 == condition;
        self.notebooks.iter().filter(of).map(|((_, version), row)| (version.as_str(), row))
    }

    fn add_conditions(&mut self, frame: &Frame) -> Result<(), FrameError> {
        let (names, cells) = (frame.words::<Condition>("condition")?, frame.words("cells")?);
        let (samples, antidotes) = (frame.extra_counts("samples")?, frame.extra_texts("antidotes")?);
        for (row, antidotes) in antidotes.into_iter().enumerate() {
            self.conditions.push(OrderingCondition { condition: names[row], cells: cells[row], antidotes });
            self.samples.extend(samples[row].filter(|samples| *samples > 0).map(|samples| (names[row], samples)));
        }
        Ok(())
    }

    fn add_runs(&mut self, frame: &Frame) -> Result<(), FrameError> {
        let (conditions, times) = (frame.words::<Condition>("condition")?, frame.counts("time")?);
        let (ends, comparable) = (frame.words::<Executability>("executability")?, frame.optional_counts("comparable")?);
        let levels = [Agreement::Exact, Agreement::Normalized, Agreement::Value, Agreement::Picture];
        let counts: Vec<Vec<u32>> =
            levels.iter().map(|level| frame.counts(level.as_str())).collect::<Result<_, _>>()?;
        let (unrepeatable, suspicious) =
            (frame.extra_counts("unrepeatable")?, frame.extra_optional_switches("is_suspicious_repeatable")?);
        for (row, version) in frame.texts("version")?.into_iter().enumerate() {
            let of = self.notebooks.entry((conditions[row], version)).or_default();
            let runs = ends[row] == Executability::Executable;
            let level = levels.iter().zip(&counts).find(|(_, counts)| Some(counts[row]) == comparable[row]);
            let is_compared = runs && comparable[row] > Some(0);
            let level = level.map(|(level, _)| *level).filter(|_| is_compared);
            if times[row] == 1 {
                of.orders += 1;
                of.run += usize::from(runs);
                of.compared += usize::from(is_compared);
                of.ran.push(runs);
                of.as_saved = stricter(of.as_saved, level);
                of.unrepeatable = of.unrepeatable.or(unrepeatable[row]);
                of.suspicious = of.suspicious.or(suspicious[row]);
            } else {
                of.ran_twice = true;
                of.twice = stricter(of.twice, level);
            }
        }
        Ok(())
    }
}

/// The stricter of two levels: the best of a notebook's orders counts (Osiris, section 5.3).
fn stricter(one: Option<Agreement>, other: Option<Agreement>) -> Option<Agreement> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use polars::prelude::Column;

    use super::*;
    use crate::testing;

    #[test]
    fn a_run_of_which_nothing_is_compared_shows_nothing_that_was_saved() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, condition) = (folder.path().join("order-runs.parquet"), Condition::PRESETS[0]);
        let texts = |name: &str, values: [&str; 3]| Column::new(name.into(), values);
        let counts = |name: &str, values: [u32; 3]| Column::new(name.into(), values);
        let levels = ["exact", "normalized", "value", "picture"].map(|level| counts(level, [0, 2, 1]));
        let columns = [
            texts("condition", [condition.as_str(); 3]),
            texts("version", ["silent", "same", "other"]),
            counts("time", [1; 3]),
            texts("executability", [Executability::Executable.as_str(); 3]),
            counts("comparable", [0, 2, 2]),
        ];
        testing::write(&path, columns.into_iter().chain(levels).collect());
        let mut orders = Orders::default();
        orders.add_runs(&Frame::read(&path, RUNS).expect("it was just written")).expect("all columns are there");
        let seen: Vec<_> = orders.under(condition).map(|(name, row)| (name, row.compared, row.as_saved)).collect();
        assert_eq!(seen, [("other", 1, None), ("same", 1, Some(Agreement::Exact)), ("silent", 0, None)]);
    }
}
