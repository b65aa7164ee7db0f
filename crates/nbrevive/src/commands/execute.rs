//! `nbrevive execute`: one notebook, one condition, no study.

use nbrevive_corpus::Condition;
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Manner, Prepared, Surroundings};
use serde_json::json;

use crate::Outcome;
use crate::answers::{Answers, fields};
use crate::arguments::ExecuteArguments;
use crate::commands::changes::aim;
use crate::commands::from_cell::{KeptState, keep_state};
use crate::commands::setting::laboratory_failure;
use crate::commands::single::{Single, answer, exit, keep, sum, tell};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Runs it and saves it with its outputs.
pub(crate) fn run(arguments: &ExecuteArguments) -> Outcome {
    let single = Single::open(&arguments.one, "executed", 0)?;
    let installs = single.installs();
    let environment = environment(arguments, &single, &installs.requirements)?;
    printer::note(&shown!("environment {} with Python {}", &environment.id, environment.python));
    let kept = match (arguments.state.as_deref(), arguments.from_cell) {
        (Some(folder), Some(from)) => Some(KeptState::open(folder, from, &installs.notebook, &environment.id)?),
        _ => None,
    };
    let from = kept.as_ref().map_or(0, KeptState::from);
    let about = fields(json!({
        "notebook": printer::json_path(&arguments.one.notebook),
        "condition": arguments.condition,
        "environment": environment.id,
        "python": environment.python,
        "from_cell": from,
    }));
    let answers = Answers::begin(arguments.format, "execute", about);
    let to = arguments.one.keep.as_deref();
    let manner = Manner { hold: to.is_some(), ..Manner::default() };
    let mut attempt = single
        .laboratory
        .attempt(&installs.notebook, &environment, &single.place, single.grader.as_deref(), manner)
        .map_err(|error| laboratory_failure(&error))?;
    // First of all: nothing that fails from here on costs the notebook.
    single.save(&single.out, &attempt.execution.notebook)?;
    let verdict = single.judge(&attempt);
    if let Some(kept) = &kept {
        let replayed = attempt.execution.cells.iter().filter(|cell| cell.index < from);
        kept.tell(&attempt.execution.notebook, replayed.map(|cell| cell.seconds).sum())?;
    }
    if let Some(folder) = &arguments.state {
        keep_state(folder, &attempt.execution.notebook)?;
    }
    tell(&attempt, &verdict);
    answers.text(&shown!("{}\n", Shown::path(&single.out)));
    keep(&attempt, to)?;
    attempt.take_disturbance().map_err(|error| laboratory_failure(&error))?;
    let sum = sum(&attempt, &verdict, &single.out);
    Ok(answer(answers, &arguments.one.notebook, (&attempt, from), sum, exit(&verdict)))
}

fn environment(
    arguments: &ExecuteArguments,
    single: &Single,
    installs: &[NamedRequirement],
) -> Result<Prepared, Failure> {
    match arguments.condition {
        Condition::BASELINE => {
            single.laboratory.from_lock_text(&single.lock, installs).map_err(|error| laboratory_failure(&error))
        }
        Condition::BACKPORT => {
            let submitted = single.goal.submitted.unwrap_or_else(|| aim(&arguments.one.notebook, &single.notebook));
            let surroundings = Surroundings::of(&single.notebook, submitted);
            let built = single.laboratory.from_date(&surroundings, arguments.strategy);
            let of_date = built.map_err(|error| laboratory_failure(&error))?;
            printer::note(&Shown::block(of_date.plan.requirements_text().trim_end()));
            Ok(of_date.prepared)
        }
        Condition::MODERNIZE | Condition::MODERNIZE_CELL => Err(Failure {
            exit: Exit::Usage,
            message: Shown::literal("`execute` runs a notebook as it is: use `nbrevive modernize` to repair it"),
        }),
        other => Err(Failure {
            exit: Exit::Usage,
            message: shown!("there is no condition `{}` outside of a study: name baseline or backport", other),
        }),
    }
}
