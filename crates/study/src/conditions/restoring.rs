//! Conditions that put back what a notebook misses, over stored executions; and where the errors of any condition come from.

use nbrevive_corpus::{EnvironmentKind, Executability};
use nbrevive_diagnosis::roots::error_roots;
use nbrevive_model::Errand;
use nbrevive_notebook::{Notebook, first_line};
use nbrevive_repair::PutBackQuestion;
use nbrevive_store::executability::ExecutabilityRow;
use nbrevive_store::executions::ExecutionRow;
use nbrevive_store::loops::LoopRows;
use nbrevive_store::restorations::{ErrorRootRow, RestorationRow};

use crate::conditions::ready::Ready;
use crate::conditions::{Done, Runner, describe, errors_of};
use crate::laboratory::LaboratoryError;
use crate::restoration::{
    HowFar, RESTORE_TURNS, Restorable, RestoreHelp, RestoreSettings, Restored, left_causes, restore_with,
};
use crate::{Job, Prepared};

impl Runner<'_> {
    /// Puts back what the notebook misses, and judges the run that came furthest.
    pub(crate) fn restore(&self, job: &Job, ready: &Ready) -> Result<Done, LaboratoryError> {
        let start =
            Restorable { notebook: ready.notebook.clone(), environment: (*ready.environment).clone(), inputs: None };
        let mut executions: Vec<ExecutionRow> = Vec::new();
        let mut run = |tried: &Restorable| -> Result<HowFar, LaboratoryError> {
            self.remember_extended(ready, &tried.environment)?;
            let number = u32::try_from(executions.len()).unwrap_or(u32::MAX);
            let what = (&tried.notebook, &tried.environment, tried.inputs.as_ref());
            let row = self.execute_with(job, what, number)?;
            let far = HowFar { row: ExecutabilityRow::of(&row), errors: errors_of(&row), end: row.end.clone() };
            executions.push(row);
            Ok(far)
        };
        let beside = job.around.beside(&job.version);
        let asked = self.asked(job);
        let carry = asked.as_ref().map(|(asking, errand)| {
            move |question: &PutBackQuestion, turn: u32| {
                asking.ask_put_back(question, &Errand { fix_number: turn, ..errand.clone() })
            }
        });
        let prompt = self.setup.study.repair.dialogue.prompt;
        let settings = RestoreSettings {
            prepare: job.recipe.prepare.clone(),
            by: job.recipe.prepare_by,
            help: carry.as_ref().map(|ask| RestoreHelp { ask, prompt }),
            turns: RESTORE_TURNS,
            beside: &beside,
            date: Some(job.version.submitted),
        };
        let first = run(&start)?;
        let restored = restore_with(self.setup.laboratory, start, first, &settings, &mut run)?;
        let best = &executions[restored.best_run()];
        let verdict = self.verdict(job, best);
        let left = if job.recipe.prepare_by.asks_model() { left_out(&restored) } else { String::new() };
        let note = format!("{}; {} turns: {}{left}", ready.note, restored.turns.len(), restored.end);
        let reason = describe(&verdict, &note);
        let rows = LoopRows {
            executability: Some(restored.reached.row.clone()),
            comparisons: self.comparisons(job, best)?.unwrap_or_default(),
            error_roots: error_root_rows(&restored.best.notebook, best),
            put_back: put_back(&restored),
            ..LoopRows::default()
        };
        let environment = restored.best.environment.id.as_str();
        Ok(Done { outcome: self.outcome(job, verdict, Some(environment), best, 0, reason), rows })
    }

    /// An environment that was extended is one of its own.
    fn remember_extended(&self, ready: &Ready, environment: &Prepared) -> Result<(), LaboratoryError> {
        if environment.id == ready.environment.id {
            return Ok(());
        }
        let own = environment
            .packages
            .iter()
            .filter(|(name, version)| ready.environment.packages.get(*name) != Some(*version));
        let requirements: Vec<String> = own.map(|(name, version)| format!("{name}=={version}")).collect();
        self.remember(EnvironmentKind::Lock, environment, &requirements.join("\n"))
    }
}

/// Characters of what is told of one thing that could not be put back.
const LONGEST_LEFT: usize = 160;

/// What neither the model nor the index had, in words.
fn left_out(restored: &Restored) -> String {
    let told = |(what, why): &(String, String)| {
        format!("; {what}: {}", first_line(why)).chars().take(LONGEST_LEFT).collect::<String>()
    };
    restored.left_out.iter().map(told).collect()
}

fn put_back(restored: &Restored) -> Vec<RestorationRow> {
    let turns = (1_u32..).zip(&restored.turns);
    let all = turns.flat_map(|(number, turn)| turn.put_back.iter().map(move |one| (number, turn, one)));
    (1_u32..)
        .zip(all)
        .map(|(position, (number, turn, one))| RestorationRow {
            position,
            turn: number,
            preparation: one.preparation,
            what: one.what.clone(),
            because: one.because.clone(),
            is_kept: turn.is_kept,
            ran: turn.after.ran,
            ran_before_error: turn.after.ran_before_error,
        })
        .collect()
}

/// The errors of an execution of a notebook, with their roots.
pub(crate) fn error_root_rows(notebook: &Notebook, row: &ExecutionRow) -> Vec<ErrorRootRow> {
    let places: Vec<u32> = notebook.code_cells().map(|(index, _)| u32::try_from(index).unwrap_or(u32::MAX)).collect();
    let errors = errors_of(row);
    let roots = error_roots(notebook, &errors);
    let causes = left_causes(notebook, &errors);
    let place = |cell: usize| places.get(cell).copied();
    let rows = errors.iter().zip(roots).zip(causes).filter_map(|((error, root), cause)| {
        Some(ErrorRootRow {
            cell: place(root.cell)?,
            error: error.ename.clone(),
            executability: Executability::of_error(&error.ename, &error.evalue),
            root: place(root.root)?,
            follows: root.follows.and_then(|(above, _)| place(above)),
            link: root.follows.map(|(_, link)| link),
            is_certain: root.is_certain,
            cause: Some(cause),
        })
    });
    rows.collect()
}
