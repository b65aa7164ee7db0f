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
    /// The strictest level at which one of these shows all that was saved.
    pub(crate) as_saved: Option<Agreement>,
    /// Whether any of these ran twice, and the strictest level at which both times of one show the same.
    pub(crate) twice: Option<Agreement>,
}

/// Notebooks by condition.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Orders {
    /// The conditions that drew or changed orders, or took chance out, and those that they stand beside, in their order.
    pub(crate) conditions: Vec<OrderingCondition>,
    /// What came of each notebook.
    pub(crate) notebooks: BTreeMap<(Condition, String), OrderedNotebook>,
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
];

const CONDITIONS: &[ColumnRule] = &[
    required("condition", Kind::Text),
    required("cells", Kind::Text),
    extra("samples", Kind::Count),
    extra("antidotes", Kind::Text),
];

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
        Ok(orders)
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
        for (row, version) in frame.texts("version")?.into_iter().enumerate() {
            let of = self.notebooks.entry((conditions[row], version)).or_default();
            let runs = ends[row] == Executability::Executable;
            let level = levels.iter().zip(&counts).find(|(_, counts)| Some(counts[row]) == comparable[row]);
            let level = level.map(|(level, _)| *level).filter(|_| runs);
            if times[row] == 1 {
                of.orders += 1;
                of.run += usize::from(runs);
                of.as_saved = stricter(of.as_saved, level);
            } else {
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
