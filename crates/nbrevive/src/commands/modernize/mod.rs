//! `nbrevive modernize`: repair one notebook for today's environment.

mod drift;
mod json;
mod told;

use std::path::{Path, PathBuf};

use nbrevive_compare::BroughtBack;
use nbrevive_model::{Errand, Money};
use nbrevive_notebook::{CellFacts, Notebook};
use nbrevive_repair::{LeastPatch, RepairLevel, minimize};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{
    Addition, Asking, Attempt, Beside, Helpers, Installs, Judged, LaboratoryError, Manner, Modernized, OfToday,
    OfTodayRequest, Prepared, RepairSettings, modernize_with, text_outputs,
};
use serde_json::json;

use crate::Outcome;
use crate::answers::{Answers, fields};
use crate::arguments::ModernizeArguments;
use crate::commands::setting::laboratory_failure;
use crate::commands::single::{Single, answer, exit, keep, sum, tell};
use crate::commands::{model, setting};
use crate::exit_code::{Exit, Failure};
use crate::printer;
use drift::AgainstItsDate;
use json::{Left, Ran};

/// Runs the loop, shows each fix with its reason, and writes the repaired notebook.
pub(crate) fn run(arguments: &ModernizeArguments) -> Outcome {
    if let Some(json) = &arguments.json {
        let inputs = [Some(&arguments.one.notebook), arguments.model.settings.as_ref(), arguments.one.out.as_ref()];
        let inputs: Vec<&Path> = inputs.into_iter().flatten().map(PathBuf::as_path).collect();
        nbrevive_files::check_place(json, &inputs).map_err(|error| setting::file_failure(&error))?;
    }
    let repair = model::of_notebook(&arguments.model)?;
    let bench = Bench::open(arguments, &repair)?;
    let mut last: Option<Attempt> = None;
    let mut before: Option<Ran> = None;
    let mut run = |notebook: &Notebook| -> Result<Judged, LaboratoryError> {
        last.iter_mut().for_each(Attempt::drop_files);
        let mut attempt = bench.attempt(notebook)?;
        let disturbed = attempt.take_disturbance();
        let verdict = bench.single.judge(&attempt);
        tell(&attempt, &verdict);
        before.get_or_insert_with(|| Ran::of(&attempt, &verdict));
        let judged = Judged {
            verdict,
            errors: attempt.errors.clone(),
            seconds: attempt.execution.seconds,
            outputs: text_outputs(&attempt.execution.notebook),
            facts: CellFacts::of_notebook(&attempt.execution.notebook),
        };
        last = Some(attempt);
        disturbed.map(|()| judged)
    };
    printer::note(&Shown::literal("as it is:"));
    let helpers = Helpers {
        repair: &repair,
        laboratory: &bench.single.laboratory,
        model: bench.model.as_ref().map(|asking| (asking, bench.errand.clone())),
    };
    let modernized = run(&bench.notebook).and_then(|start| {
        modernize_with(&bench.notebook, start, &bench.environment, &bench.single.goal, helpers, &mut run)
    });
    // Whatever fails from here on, what was executed last is saved.
    last.iter().try_for_each(|last| bench.single.save(&bench.single.out, &last.execution.notebook))?;
    let modernized = modernized.map_err(|error| laboratory_failure(&error))?;
    let (Some(last), Some(before)) = (last, before) else { return Ok(Exit::Other) };
    let least = if arguments.minimize { bench.least_patch(&modernized, &repair)? } else { None };
    conclude(arguments, &bench, (&before, &last), &modernized, least.as_ref())
}

/// Shows what was done, writes the notebooks, and says how it ended.
fn conclude(
    arguments: &ModernizeArguments,
    bench: &Bench,
    (before, last): (&Ran, &Attempt),
    modernized: &Modernized,
    least: Option<&LeastPatch>,
) -> Outcome {
    let verdict = bench.single.judge(last);
    let after = Ran::of(last, &verdict);
    let is_cut = modernized.inner.is_cut();
    let came_back = BroughtBack::of(&bench.single.notebook, &last.execution.notebook, is_cut);
    let left = Left::of(&modernized.inner);
    let about = fields(json!({
        "notebook": printer::json_path(&arguments.one.notebook),
        "environment": bench.environment.id,
        "python": bench.environment.python,
    }));
    let answers = Answers::begin(arguments.format, "modernize", about);
    answers.text(&told::fixes(&modernized.inner));
    let against = arguments.against_its_date.then(|| AgainstItsDate::of(arguments, bench, last)).transpose()?;
    if let Some(json) = &arguments.json {
        json::write(json, bench, (before, &after), modernized, (&came_back, &left, against.as_ref()))?;
    }
    let path = &bench.single.out;
    keep(last, bench.keep)?;
    if let Some(least) = least {
        answers.text(&told::least(least));
        let path = least_path(path);
        bench.single.save(&path, &least.notebook)?;
        printer::note(&shown!("wrote {}, with the least patch", path.display()));
    }
    printer::note(&told::compared(before, &after));
    bench.tell_cost();
    let inner = &modernized.inner;
    let fixes = if inner.fixes.len() == 1 { "fix" } else { "fixes" };
    left.iter().for_each(|left| printer::note(&told::left(left)));
    against.iter().for_each(AgainstItsDate::tell);
    printer::note(&told::headline(after.outcome(bench.single.goal.target.is_some()), &came_back));
    printer::note(&shown!("{} {}; {}; wrote {}", inner.fixes.len(), fixes, modernized.end, path.display()));
    let mut sum = fields(sum(last, &verdict, path));
    sum.extend(fields(json!({ "fixes": inner.fixes.len(), "loop_end": modernized.end })));
    match &inner.unavailable {
        Some(reason) if !verdict.outcome.is_reproducible() => {
            Err(Failure { exit: Exit::NoModel, message: Shown::line(reason) })
        }
        _ => Ok(answer(answers, &arguments.one.notebook, (last, 0), sum.into(), exit(&verdict))),
    }
}

/// Where the notebook with the least patch goes.
fn least_path(out: &Path) -> PathBuf {
    out.with_extension("").with_extension("least.ipynb")
}

/// Today's environment: the lock, with what the notebook installs and imports beyond it unless that is not wanted.
fn today(arguments: &ModernizeArguments, single: &Single, installs: &Installs) -> Result<OfToday, Failure> {
    let lock = &single.lock;
    if arguments.lock_only {
        let prepared = single.laboratory.from_lock_text(lock, &[]).map_err(|error| laboratory_failure(&error))?;
        return Ok(OfToday { prepared, added: Vec::new(), left_out: Vec::new() });
    }
    let beside = arguments.one.beside.as_deref().map(Beside::of).unwrap_or_default();
    let request =
        OfTodayRequest { lock, notebook: &installs.notebook, installs: &installs.requirements, beside: &beside };
    single.laboratory.of_today(&request).map_err(|error| laboratory_failure(&error))
}

/// Everything that one execution of the notebook needs.
struct Bench<'a> {
    single: Single,
    notebook: Notebook,
    environment: Prepared,
    /// What the environment has on top of the lock.
    added: Vec<Addition>,
    /// What it does without, each with the reason.
    left_out: Vec<(Addition, String)>,
    model: Option<Asking>,
    keep: Option<&'a Path>,
    errand: Errand,
    /// US dollars that the ledger had before.
    spent: f64,
}

impl<'a> Bench<'a> {
    fn open(arguments: &'a ModernizeArguments, repair: &RepairSettings) -> Result<Self, Failure> {
        let max_fixes = u32::try_from(arguments.max_fixes).unwrap_or(u32::MAX);
        let mut single = Single::open(&arguments.one, "modernized", max_fixes)?;
        if arguments.minimize {
            single.check(&least_path(&single.out))?;
        }
        arguments.json.iter().try_for_each(|json| single.check(json))?;
        single.goal.level = if arguments.by_cell { RepairLevel::Cell } else { RepairLevel::File };
        let model = model::open_for_one(repair, arguments.dialogue.as_deref())?;
        let installs = single.installs();
        let today = today(arguments, &single, &installs)?;
        printer::note(&told::environment(&today));
        let OfToday { prepared: environment, added, left_out } = today;
        let keep = arguments.one.keep.as_deref();
        let errand = model::errand(&arguments.one.notebook);
        let notebook = installs.notebook;
        let mut bench = Bench { notebook, single, environment, added, left_out, model, keep, errand, spent: 0.0 };
        bench.spent = bench.dollars();
        Ok(bench)
    }

    fn attempt(&self, notebook: &Notebook) -> Result<Attempt, LaboratoryError> {
        let grader = self.single.grader.as_deref();
        let manner = Manner { hold: self.keep.is_some(), ..Manner::default() };
        self.single.laboratory.attempt(notebook, &self.environment, &self.single.place, grader, manner)
    }

    /// Reduces the patch of a notebook that is back.
    fn least_patch(&self, modernized: &Modernized, repair: &RepairSettings) -> Result<Option<LeastPatch>, Failure> {
        let inner = &modernized.inner;
        if inner.fixes.is_empty() || !inner.last.reproducible {
            printer::note(&Shown::literal("no least patch: the notebook is not back, or needed none"));
            return Ok(None);
        }
        let settings = repair.minimize.unwrap_or_default();
        let mut trouble = None;
        let mut is_back = |notebook: &Notebook| match self.attempt(notebook) {
            Ok(attempt) => self.single.judge(&attempt).outcome.is_reproducible(),
            Err(error) => {
                trouble.get_or_insert(error);
                false
            }
        };
        printer::note(&shown!("looking for the least patch, in {} executions at most", settings.max_executions));
        let least = minimize(&self.notebook, &inner.notebook, &settings, &mut is_back);
        if let Some(error) = trouble {
            return Err(setting::laboratory_failure(&error));
        }
        least.map(Some).map_err(|error| Failure::new(Exit::Other, &error))
    }

    fn tell_cost(&self) {
        if self.model.is_some() {
            printer::note(&shown!("the model's answers cost {:.4} US dollars", self.dollars() - self.spent));
        }
    }

    /// US dollars that the ledger has for this notebook.
    fn dollars(&self) -> f64 {
        let spent = self.model.as_ref().map(|asking| asking.dialogue().ledger().spent(&self.errand.study));
        spent.and_then(Result::ok).map_or(0.0, Money::dollars)
    }
}
