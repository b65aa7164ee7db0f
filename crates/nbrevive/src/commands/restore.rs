//! `nbrevive restore`: puts back what one notebook misses, until it runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nbrevive_corpus::{Executability, Preparation, Restorer};
use nbrevive_inputs::InputRecipe;
use nbrevive_model::Errand;
use nbrevive_notebook::{Notebook, first_line};
use nbrevive_repair::PutBackQuestion;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{
    Attempt, Beside, HowFar, KagglePlace, LaboratoryError, Manner, PutBack, Restorable, RestoreEnd, RestoreHelp,
    RestoreSettings, Restored, restore_with,
};
use serde::Serialize;

use crate::Outcome;
use crate::arguments::RestoreArguments;
use crate::commands::how_far::{Degree, TracedError, degree_line, error_tree, traced};
use crate::commands::model;
use crate::commands::setting::{file_failure, laboratory_failure};
use crate::commands::single::{Single, keep, with_installs};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Runs it as it is and after each turn, and writes the one that came furthest.
pub(crate) fn run(arguments: &RestoreArguments) -> Outcome {
    check_json(arguments)?;
    let repair = model::of_notebook(&arguments.model)?;
    let single = Single::open(&arguments.one, "restored", 0)?;
    let asking = model::open_for_one(&repair, arguments.dialogue.as_deref())?;
    let installs = single.installs();
    let beside = arguments.one.beside.as_deref().map(Beside::of).unwrap_or_default();
    let environment = with_installs(&single.laboratory, &single.lock, &installs);
    let environment = environment.map_err(|error| laboratory_failure(&error))?;
    printer::note(&shown!("environment {} with Python {}", &environment.id, environment.python));
    let hidden = arguments.without_data.then(|| Arc::new(InputRecipe::of(&installs.notebook, true)));
    let input = if arguments.without_data { Vec::new() } else { single.place.input.clone() };
    let place = KagglePlace { hidden, input, ..single.place.clone() };
    let mut attempts: Vec<Attempt> = Vec::new();
    let manner = Manner { hold: arguments.one.keep.is_some(), ..Manner::default() };
    let mut run = |tried: &Restorable| -> Result<HowFar, LaboratoryError> {
        let (notebook, environment) = (&tried.notebook, &tried.environment);
        let place = KagglePlace { made: tried.inputs.clone(), ..place.clone() };
        let mut attempt = single.laboratory.attempt(notebook, environment, &place, None, manner)?;
        attempt.take_disturbance()?;
        let far = HowFar::of(&attempt);
        printer::note(&degree_line(&far.row));
        attempts.push(attempt);
        Ok(far)
    };
    let errand = model::errand(&arguments.one.notebook);
    let carry = asking.as_ref().map(|asking| {
        let errand = &errand;
        move |question: &PutBackQuestion, turn: u32| {
            asking.ask_put_back(question, &Errand { fix_number: turn, ..errand.clone() })
        }
    });
    let settings = RestoreSettings {
        prepare: preparations(arguments),
        by: if asking.is_some() { Restorer::Model } else { Restorer::Rules },
        help: carry.as_ref().map(|ask| RestoreHelp { ask, prompt: repair.dialogue.prompt }),
        turns: arguments.turns,
        beside: &beside,
        date: single.goal.submitted,
    };
    let start = Restorable { notebook: installs.notebook, environment, inputs: None };
    let restored = run(&start).and_then(|first| {
        let restored = restore_with(&single.laboratory, start, first.clone(), &settings, &mut run)?;
        Ok((first, restored))
    });
    let (first, restored) = restored.map_err(|error| laboratory_failure(&error))?;
    let best = &attempts[restored.best_run()];
    single.save(&single.out, &best.execution.notebook)?;
    keep(best, arguments.one.keep.as_deref())?;
    keep_data(arguments, &single, &restored)?;
    conclude(arguments, &single, &first, &restored)
}

/// Writes the files that were made up into a folder of the user, without anything else that the notebook found or left.
fn keep_data(arguments: &RestoreArguments, single: &Single, restored: &Restored) -> Result<(), Failure> {
    let Some(to) = &arguments.keep_data else { return Ok(()) };
    let Some(made) = &restored.best.inputs else {
        printer::note(&shown!("no file was made up: {} stays as it is", Shown::path(to)));
        return Ok(());
    };
    let place = KagglePlace { made: Some(Arc::clone(made)), ..KagglePlace::default() };
    let manner = Manner { hold: true, ..Manner::default() };
    let nothing = Notebook::from_cells(Vec::new());
    let attempt = single.laboratory.attempt(&nothing, &restored.best.environment, &place, None, manner);
    attempt.map_err(|error| laboratory_failure(&error))?.keep_tree(to).map_err(|error| file_failure(&error))
}

fn check_json(arguments: &RestoreArguments) -> Result<(), Failure> {
    let Some(json) = &arguments.json else { return Ok(()) };
    let inputs = [Some(&arguments.one.notebook), arguments.one.out.as_ref()];
    let inputs: Vec<&Path> = inputs.into_iter().flatten().map(PathBuf::as_path).collect();
    nbrevive_files::check_place(json, &inputs).map_err(|error| file_failure(&error))
}

fn preparations(arguments: &RestoreArguments) -> BTreeSet<Preparation> {
    match arguments.prepare.as_slice() {
        [] => Preparation::ALL.iter().copied().collect(),
        some => some.iter().copied().collect(),
    }
}

/// Says what was put back and how far that came.
fn conclude(arguments: &RestoreArguments, single: &Single, first: &HowFar, restored: &Restored) -> Outcome {
    let notebook = &restored.best.notebook;
    let left = traced(notebook, &restored.reached);
    printer::data(&told(first, restored));
    if !left.is_empty() {
        printer::data(&shown!("what is left:\n{}", error_tree(&left)));
    }
    if let Some(path) = &arguments.json {
        let account = Account {
            environment: &restored.best.environment.id,
            python: &restored.best.environment.python,
            before: Degree::of(&first.row, notebook),
            after: Degree::of(&restored.reached.row, notebook),
            turns: restored
                .turns
                .iter()
                .map(|turn| Turn {
                    put_back: &turn.put_back,
                    degree: Degree::of(&turn.after, notebook),
                    is_kept: turn.is_kept,
                })
                .collect(),
            left_out: &restored.left_out,
            errors: left,
            made_up: restored.best.inputs.as_deref(),
            end: restored.end,
        };
        let text = serde_json::to_string_pretty(&account).expect("an account has only string keys");
        nbrevive_files::write(path, text).map_err(|error| file_failure(&error))?;
    }
    printer::note(&shown!("{}; wrote {}", restored.end.as_str(), Shown::path(&single.out)));
    Ok(match restored.reached.row.executability {
        Executability::Executable => Exit::Success,
        Executability::Timeout | Executability::Died => Exit::Failed,
        _ => Exit::NotReproduced,
    })
}

/// How far it came as it is and after each turn, with what was put back.
fn told(first: &HowFar, restored: &Restored) -> Shown {
    let mut text = shown!("as it is: {}\n", degree_line(&first.row));
    for (number, turn) in restored.turns.iter().enumerate() {
        let taken_back = if turn.is_kept { "" } else { "; taken back" };
        text.push_line(&shown!("turn {}: {}{}", number + 1, degree_line(&turn.after), taken_back));
        for PutBack { preparation, what, because } in &turn.put_back {
            text.push_line(&shown!("    {:<8} {} ({})", preparation.as_str(), what, because));
        }
    }
    for (what, why) in &restored.left_out {
        text.push_line(&shown!("left out: {}: {}", what, first_line(why)));
    }
    text
}

/// What `--json` writes (docs/restore.md).
#[derive(Serialize)]
struct Account<'a> {
    environment: &'a str,
    python: &'a str,
    before: Degree,
    after: Degree,
    turns: Vec<Turn<'a>>,
    left_out: &'a [(String, String)],
    errors: Vec<TracedError>,
    /// The recipe of the files that were made up.
    #[serde(skip_serializing_if = "Option::is_none")]
    made_up: Option<&'a InputRecipe>,
    end: RestoreEnd,
}

#[derive(Serialize)]
struct Turn<'a> {
    put_back: &'a [PutBack],
    degree: Degree,
    is_kept: bool,
}
