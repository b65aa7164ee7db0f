//! `nbrevive modernize`: repair one notebook for today's environment.

use nbrevive_notebook::Notebook;
use nbrevive_study::{Attempt, Judged, LaboratoryError, modernize_with, take_installs};

use crate::Outcome;
use crate::arguments::ModernizeArguments;
use crate::commands::modernize_json::{self, Ran};
use crate::commands::setting::laboratory_failure;
use crate::commands::single::{Single, exit, output_path, save, tell};
use crate::exit_code::Exit;
use crate::printer;

/// Runs the loop, shows each fix, and writes the repaired notebook.
pub(crate) fn run(arguments: &ModernizeArguments) -> Outcome {
    let max_fixes = u32::try_from(arguments.max_fixes).unwrap_or(u32::MAX);
    let single = Single::open(&arguments.one, max_fixes)?;
    let installs = take_installs(&single.notebook);
    let environment = single
        .laboratory
        .from_lock_text(&single.lock, &installs.requirements)
        .map_err(|error| laboratory_failure(&error))?;
    printer::note(&format!("environment {} with Python {}", &environment.id, environment.python));
    let keep = arguments.one.keep.as_deref();
    let mut last: Option<Attempt> = None;
    let mut before: Option<Ran> = None;
    let mut run = |notebook: &Notebook| -> Result<Judged, LaboratoryError> {
        let attempt =
            single.laboratory.attempt(notebook, &environment, &single.place, single.answers.as_deref(), keep)?;
        let judged = (single.judge(&attempt), attempt.errors.clone());
        tell(&attempt, &judged.0);
        before.get_or_insert_with(|| Ran::of(&attempt, &judged.0));
        last = Some(attempt);
        Ok(judged)
    };
    printer::note("as it is:");
    let start = run(&installs.notebook).map_err(|error| laboratory_failure(&error))?;
    let modernized = modernize_with(&installs.notebook, start, &environment, &single.goal, &mut run)
        .map_err(|error| laboratory_failure(&error))?;
    for fix in &modernized.inner.fixes {
        printer::data(&format!("# fix {} ({}, {})\n", fix.number, fix.fix_type, fix.provider));
        for rule in &fix.applied {
            printer::data(&format!("# cell {}, line {}: {}: {}\n", rule.cell, rule.line, rule.rule, rule.reason));
        }
        printer::data(&format!("{}\n", fix.patch));
    }
    let Some(last) = last else { return Ok(Exit::Other) };
    let verdict = single.judge(&last);
    if let (Some(json), Some(before)) = (&arguments.json, &before) {
        modernize_json::write(json, &environment.id, (before, &Ran::of(&last, &verdict)), &modernized)?;
    }
    let path = output_path(&arguments.one, "modernized");
    save(&path, &last.execution.notebook)?;
    printer::note(&format!("{} fixes; {}; wrote {}", modernized.inner.fixes.len(), modernized.end, path.display()));
    Ok(exit(&verdict))
}
