//! A notebook under a condition: how much of it ran, and how much of that shows what was saved.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_compare::{Agreement, CellShare, ChanceSign, DifferenceKind};
use nbrevive_corpus::Executability;

use crate::executability::ExecutabilityRow;

/// A notebook under a condition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NotebookRow {
    /// Its repository, where it belongs to one.
    pub(crate) repository: Option<String>,
    /// How much of it ran.
    pub(crate) run: ExecutabilityRow,
    /// Its cells; none where it had no environment.
    pub(crate) cells: ComparedCells,
}

impl NotebookRow {
    /// Whether it had an environment to run in.
    pub(crate) fn has_environment(&self) -> bool {
        self.run.executability != Executability::NoEnvironment
    }

    /// Whether it ran to its end without an error (containers, section 4.1: "Success Rate").
    pub(crate) fn is_error_free(&self) -> bool {
        self.run.executability == Executability::Executable
    }

    /// The paper's score: cells that nbdime calls unchanged over all code cells (containers, section 4.1). Without an environment no cell
    /// came out, and the score is 0; none without a code cell.
    pub(crate) fn score_of_paper(&self) -> Option<f64> {
        let of = self.cells.code_cells.max(u64::from(self.run.code_cells));
        CellShare { cells: self.cells.unchanged as usize, of: of as usize }.value()
    }

    /// Ours: cells that agree at a level over those that can be compared. Without an environment 0; none where nothing was saved.
    pub(crate) fn score_at(&self, level: Agreement) -> Option<f64> {
        if !self.has_environment() {
            return Some(0.0);
        }
        CellShare { cells: self.cells.at(level) as usize, of: self.cells.comparable() as usize }.value()
    }
}

/// Why a notebook may not show what was saved, as far as code and differences tell, by the numbers of the paper on order (section 3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MismatchSign {
    /// Random numbers without a seed.
    Randomness,
    /// Time and date.
    Time,
    /// A picture differs.
    Plots,
    /// Values agree, and are written in another way.
    Floats,
    /// The order of sets.
    Containers,
    /// Variables of the environment, threads.
    Environment,
}

impl MismatchSign {
    /// All of them with their words.
    pub(crate) const ALL: [(Self, &'static str); 6] = [
        (MismatchSign::Randomness, "R1-randomness"),
        (MismatchSign::Time, "R2-time"),
        (MismatchSign::Plots, "R3-plots"),
        (MismatchSign::Floats, "R5-floats"),
        (MismatchSign::Containers, "R6-containers"),
        (MismatchSign::Environment, "R7-environment"),
    ];

    /// What a sign in the code stands for.
    const fn of(sign: ChanceSign) -> Self {
        match sign {
            ChanceSign::Random | ChanceSign::NumpyRandom | ChanceSign::Uuid => MismatchSign::Randomness,
            ChanceSign::Time | ChanceSign::DatetimeNow => MismatchSign::Time,
            ChanceSign::SetOrder => MismatchSign::Containers,
            ChanceSign::Environ | ChanceSign::Threads => MismatchSign::Environment,
        }
    }
}

/// A cell of the first run beside what was saved.
pub(crate) struct CellBesideSaved<'a> {
    /// Index in the notebook, from 0.
    pub(crate) cell: u32,
    /// The strictest level at which it agrees.
    pub(crate) level: Option<Agreement>,
    /// Whether nbdime calls it unchanged.
    pub(crate) is_unchanged: bool,
    /// What kept it from the next stricter level.
    pub(crate) difference: Option<DifferenceKind>,
    /// Our signs of chance that have no seed, and the paper's on containers, joined by commas.
    pub(crate) signs: (&'a str, &'a str),
}

/// The compared code cells of a notebook.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ComparedCells {
    /// All of them.
    pub(crate) code_cells: u64,
    /// Those that nbdime calls unchanged.
    pub(crate) unchanged: u64,
    /// Those that can be compared, by the strictest level at which they agree.
    levels: BTreeMap<Agreement, u64>,
    /// Those with one of our signs of chance that is not seeded, and with one of the paper's.
    signed: [BTreeSet<u32>; 2],
    /// Why it may not show what was saved.
    causes: BTreeSet<MismatchSign>,
    /// Whether a cell of a later repetition is the same as in the first, for those of which both are known.
    repeated: BTreeMap<u32, bool>,
}

impl ComparedCells {
    pub(crate) fn add(
        &mut self,
        CellBesideSaved { cell, level, is_unchanged, difference, signs }: CellBesideSaved<'_>,
    ) {
        self.code_cells += 1;
        self.unchanged += u64::from(is_unchanged);
        if let Some(level) = level {
            *self.levels.entry(level).or_default() += 1;
        }
        for (signed, signs) in self.signed.iter_mut().zip([signs.0, signs.1]) {
            signed.extend((!signs.is_empty()).then_some(cell));
        }
        self.causes.extend(signs.0.split(',').filter_map(|sign| sign.parse().ok()).map(MismatchSign::of));
        let is_picture = matches!(difference, Some(DifferenceKind::Picture | DifferenceKind::PictureSize));
        self.causes.extend(is_picture.then_some(MismatchSign::Plots));
        self.causes.extend((level == Some(Agreement::Value)).then_some(MismatchSign::Floats));
    }

    /// Whether something may keep it from showing what was saved.
    pub(crate) fn has_cause(&self, cause: MismatchSign) -> bool {
        self.causes.contains(&cause)
    }

    pub(crate) fn repeat(&mut self, cell: u32, level: Option<Agreement>) {
        if let Some(level) = level {
            *self.repeated.entry(cell).or_insert(true) &= level.holds_at(Agreement::Normalized);
        }
    }

    /// Those that can be compared.
    pub(crate) fn comparable(&self) -> u64 {
        self.levels.values().sum()
    }

    /// Those that agree at a level.
    pub(crate) fn at(&self, level: Agreement) -> u64 {
        self.levels.iter().filter(|(found, _)| found.holds_at(level)).map(|(_, cells)| cells).sum()
    }

    /// Whether a cell has one of the signs: ours, or the paper's.
    pub(crate) fn is_signed(&self, paper: bool) -> bool {
        !self.signed[usize::from(paper)].is_empty()
    }

    /// Cells of which two runs of ours are known: whether they carry a sign, ours or the paper's, and whether both show the same.
    pub(crate) fn repeated(&self, paper: bool) -> impl Iterator<Item = (bool, bool)> {
        let signed = &self.signed[usize::from(paper)];
        self.repeated.iter().map(move |(cell, same)| (signed.contains(cell), *same))
    }
}
