//! Restoration: what a notebook misses is put back, a turn at a time, without a repair of what its code means (paper on
//! executability, section IV).
//!
//! | file | purpose |
//! |---|---|
//! | `modules.rs` | distributions of modules that are not installed |
//! | `files.rs` | files that are made up |
//! | `names.rs` | definitions of later cells, and imports that everybody knows |
//! | `moves.rs` | which cells have to change places so that a name is there in time |
//! | `help.rs` | a model that is asked for one thing, and what of its answer is put back |
//! | `paper.rs` | what the paper does about the first error |
//! | `model_last.rs` | what a model is asked for once nothing that is known helps |
//!
//! Each turn looks at the errors of the last run that follow from no other, puts back all that it can for them, and runs again. What
//! leaves fewer cells running than before is taken back, and not tried again.

mod files;
mod help;
mod left;
mod model_last;
mod modules;
mod moves;
mod names;
mod paper;

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use nbrevive_corpus::{Executability, Preparation, Restorer, RunEnd};
use nbrevive_diagnosis::roots::error_roots;
use nbrevive_inputs::InputRecipe;
use nbrevive_notebook::Notebook;
use nbrevive_repair::CellFeedback;
use nbrevive_spelling::string_enum;
use nbrevive_store::executability::ExecutabilityRow;
use serde::Serialize;

use crate::{Attempt, Beside, Laboratory, LaboratoryError, Prepared};
pub use help::RestoreHelp;
pub use left::left_causes;

/// Turns of a restoration, unless told (the paper on executability has no number; ours).
pub const RESTORE_TURNS: usize = 10;

/// The version of what a restoration does: whoever changes what it puts back raises it, and outcomes of before are out of date.
pub(crate) const RESTORATION_VERSION: u32 = 4;

string_enum! {
    /// Why a restoration ended.
    pub enum RestoreEnd ("end of a restoration") {
        /// Every cell runs.
        Runs => "runs",
        /// Nothing that is allowed would change anything.
        NothingHelps => "nothing-helps",
        /// All turns were taken.
        Turns => "turns",
    }
}

/// What a restoration may do, and with what.
#[derive(Debug, Clone)]
pub struct RestoreSettings<'a> {
    /// What may be put back.
    pub prepare: BTreeSet<Preparation>,
    /// Who says what that is.
    pub by: Restorer,
    /// Whom that one asks, where it asks a model.
    pub help: Option<RestoreHelp<'a>>,
    /// Most turns.
    pub turns: usize,
    /// The files beside the notebook: their modules need no distribution.
    pub beside: &'a Beside,
    /// When the notebook was written, where known: what was renamed since is called as then.
    pub date: Option<Timestamp>,
}

/// A notebook and the world that it is to run in.
#[derive(Debug, Clone)]
pub struct Restorable {
    /// The notebook, without its install lines.
    pub notebook: Notebook,
    /// The environment.
    pub environment: Prepared,
    /// Input files that are made up before it runs.
    pub inputs: Option<Arc<InputRecipe>>,
}

/// How far one came, past its errors.
#[derive(Debug, Clone)]
pub struct HowFar {
    /// How much ran.
    pub row: ExecutabilityRow,
    /// The errors of its cells.
    pub errors: Vec<CellFeedback>,
    /// How it ended.
    pub end: RunEnd,
}

impl HowFar {
    /// How far an attempt came.
    #[must_use]
    pub fn of(attempt: &Attempt) -> Self {
        let row = ExecutabilityRow::of_cells(&attempt.end, &attempt.cell_rows());
        HowFar { row, errors: attempt.errors.clone(), end: attempt.end.clone() }
    }
}

/// One thing that was put back.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PutBack {
    /// Of which kind.
    pub preparation: Preparation,
    /// What: a requirement, a name with what binds it, a file.
    pub what: String,
    /// What asked for it.
    pub because: String,
}

/// One turn.
#[derive(Debug, Clone)]
pub struct RestoreTurn {
    /// What was put back.
    pub put_back: Vec<PutBack>,
    /// How far the notebook came with it.
    pub after: ExecutabilityRow,
    /// Whether it stayed: fewer cells running than before are taken back.
    pub is_kept: bool,
}

/// What came of a restoration.
#[derive(Debug, Clone)]
pub struct Restored {
    /// The notebook and its environment as they came furthest.
    pub best: Restorable,
    /// How far that was.
    pub reached: HowFar,
    /// All turns.
    pub turns: Vec<RestoreTurn>,
    /// What cannot be put back, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// Why it ended.
    pub end: RestoreEnd,
}

impl Restored {
    /// Which run came furthest: 0 for the notebook as it is, else the number of its turn.
    #[must_use]
    pub fn best_run(&self) -> usize {
        self.turns.iter().rposition(|turn| turn.is_kept).map_or(0, |turn| turn + 1)
    }
}

/// Puts back what a notebook misses. `run` executes past errors; `first` is what that came to as it is.
///
/// # Errors
/// What `run` has, and an environment whose machinery is broken. What cannot be had is left out, with its reason.
pub fn restore_with(
    laboratory: &Laboratory,
    start: Restorable,
    first: HowFar,
    settings: &RestoreSettings<'_>,
    run: &mut dyn FnMut(&Restorable) -> Result<HowFar, LaboratoryError>,
) -> Result<Restored, LaboratoryError> {
    let mut restoration = Restoration {
        laboratory,
        settings,
        turn: 0,
        tried: BTreeSet::new(),
        asked: BTreeSet::new(),
        left_out: BTreeSet::new(),
    };
    let (mut best, mut reached, mut turns) = (start, first, Vec::new());
    let end = loop {
        if reached.row.executability == Executability::Executable {
            break RestoreEnd::Runs;
        }
        if turns.len() == settings.turns {
            break RestoreEnd::Turns;
        }
        restoration.turn += 1;
        let Some((next, put_back)) = restoration.next(&best, &reached)? else { break RestoreEnd::NothingHelps };
        let after = run(&next)?;
        let is_kept = after.row.ran >= reached.row.ran;
        restoration.remember(&put_back, is_kept);
        turns.push(RestoreTurn { put_back, after: after.row.clone(), is_kept });
        if is_kept {
            (best, reached) = (next, after);
        }
    };
    Ok(Restored { best, reached, turns, left_out: restoration.left_out.into_iter().collect(), end })
}

struct Restoration<'a> {
    laboratory: &'a Laboratory,
    settings: &'a RestoreSettings<'a>,
    /// From 1.
    turn: u32,
    tried: BTreeSet<PutBack>,
    /// What a model was asked for.
    asked: BTreeSet<String>,
    left_out: BTreeSet<(String, String)>,
}

/// What is tried next, and what it puts back.
type Next = Option<(Restorable, Vec<PutBack>)>;

impl Restoration<'_> {
    /// What is tried next; `None` where nothing is new.
    fn next(&mut self, best: &Restorable, reached: &HowFar) -> Result<Next, LaboratoryError> {
        if self.settings.by == Restorer::Paper {
            return self.next_as_the_paper(best, reached);
        }
        let roots = root_errors(&best.notebook, &reached.errors);
        let known = self.next_known(best, reached, &roots)?;
        if known.is_none() && self.settings.by == Restorer::Model { self.model_last(best, &roots) } else { Ok(known) }
    }

    fn may(&self, preparation: Preparation) -> bool {
        self.settings.prepare.contains(&preparation)
    }

    /// What is known to help.
    fn next_known(
        &mut self,
        best: &Restorable,
        reached: &HowFar,
        roots: &[CellFeedback],
    ) -> Result<Next, LaboratoryError> {
        let (mut next, mut put_back) = (best.clone(), Vec::new());
        if self.may(Preparation::Names) {
            put_back.extend(names::mend(&mut next.notebook, roots, &next.environment, &self.tried));
        }
        if self.may(Preparation::Files) {
            put_back.extend(files::make(&mut next, &best.notebook, &reached.errors, &self.tried));
        }
        if self.may(Preparation::Modules) {
            put_back.extend(self.modules(&mut next, roots)?);
        }
        Ok((!put_back.is_empty()).then_some((next, put_back)))
    }

    /// A distribution does no harm to what ran without it: unless it was all that changed, what was put into the code is to blame.
    fn remember(&mut self, put_back: &[PutBack], is_kept: bool) {
        let is_code = |one: &&PutBack| one.preparation != Preparation::Modules;
        let is_mixed = put_back.iter().any(|one| is_code(&one));
        let keeps = |one: &&PutBack| is_kept || !is_mixed || is_code(one);
        self.tried.extend(put_back.iter().filter(keeps).cloned());
    }
}

/// The errors of a run that follow from no other.
fn root_errors(notebook: &Notebook, errors: &[CellFeedback]) -> Vec<CellFeedback> {
    let roots = error_roots(notebook, errors);
    errors
        .iter()
        .zip(roots)
        .filter(|(_, root)| root.is_root() || !root.is_certain)
        .map(|(error, _)| error.clone())
        .collect()
}
