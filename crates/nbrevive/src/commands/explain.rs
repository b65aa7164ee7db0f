//! `nbrevive explain`: why notebooks crashed, from the errors that they saved.

use std::collections::BTreeMap;
use std::path::Path;

use nbrevive_diagnosis::crash::{Explanation, Label, RootCause, explain, meaning, saved_errors};
use nbrevive_notebook::{Notebook, first_line};
use nbrevive_shown::{Shown, shown};
use serde::Serialize;

use crate::Outcome;
use crate::arguments::ExplainArguments;
use crate::commands::setting::file_failure;
use crate::commands::sources;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// One line of JSON.
#[derive(Serialize)]
struct Row<'row> {
    notebook: &'row str,
    #[serde(flatten)]
    explanation: &'row Explanation,
}

/// Explains every saved error: one by one for one notebook, as a table for several.
pub(crate) fn run(arguments: &ExplainArguments) -> Outcome {
    let paths = sources::find(&arguments.paths)?;
    let notebooks: Vec<&Path> = paths
        .iter()
        .map(AsRef::as_ref)
        .filter(|path: &&Path| path.extension().is_some_and(|ending| ending == "ipynb"))
        .collect();
    if notebooks.is_empty() {
        let named = Shown::joined(arguments.paths.iter().map(|path| Shown::path(path)), ", ");
        return Err(Failure { exit: Exit::BadInput, message: shown!("no notebook (.ipynb) in {}", named) });
    }
    let (mut explained, mut unreadable) = (Vec::new(), 0);
    for path in &notebooks {
        match read_notebook(path) {
            Ok(notebook) => explained.extend(of_notebook(arguments, &notebook).into_iter().map(|one| (*path, one))),
            Err(failure) => {
                unreadable += 1;
                printer::error(&failure.message);
            }
        }
    }
    if let (Some(cell), true) = (arguments.cell, explained.is_empty() && unreadable == 0) {
        let message = shown!("cell {} saved no error; without --cell all errors are explained", cell);
        return Err(Failure { exit: Exit::BadInput, message });
    }
    let is_one = notebooks.len() == 1;
    for (path, explanation) in &explained {
        if arguments.json {
            let row = Row { notebook: &printer::json_path(path), explanation: &counted_from_one(explanation) };
            printer::data(&shown!(
                "{}\n",
                Shown::json(&serde_json::to_string(&row).expect("rows have only string keys"))
            ));
        } else if is_one {
            printer::data(&for_people(path, explanation));
        }
    }
    if !arguments.json && !is_one {
        printer::data(&table(&explained, notebooks.len()));
    }
    if explained.is_empty() && !arguments.json {
        printer::note(&Shown::literal("no error is saved"));
    }
    Ok(if unreadable == 0 { Exit::Success } else { Exit::BadInput })
}

fn of_notebook(arguments: &ExplainArguments, notebook: &Notebook) -> Vec<Explanation> {
    let is_asked = |cell: usize| arguments.cell.is_none_or(|asked| asked == cell + 1);
    let errors = saved_errors(notebook).into_iter().filter(|error| is_asked(error.cell));
    errors.map(|error| explain(notebook, &error, "")).collect()
}

/// With cells as people and sheets count them.
fn counted_from_one(explanation: &Explanation) -> Explanation {
    let mut counted = explanation.clone();
    counted.cell += 1;
    if let Some(missing) = &mut counted.missing {
        missing.defined.iter_mut().for_each(|(cell, ..)| *cell += 1);
        missing.taken.iter_mut().for_each(|(cell, _)| *cell += 1);
    }
    counted
}

/// The cell with its error, and the three lines.
fn for_people(path: &Path, one: &Explanation) -> Shown {
    let value = first_line(&one.evalue);
    let advice = one.advice.replace("NOTEBOOK", Shown::path(path).as_str());
    shown!(
        "cell {}: {}{}\n  cause     {}\n  evidence  {}\n  what to do  {}\n",
        one.cell + 1,
        &one.ename,
        if value.is_empty() { Shown::default() } else { shown!(": {}", value) },
        &one.cause,
        &one.evidence,
        &advice
    )
}

/// Root causes, the most frequent first, with an example each.
fn table(explained: &[(&Path, Explanation)], notebooks: usize) -> Shown {
    let mut by_cause: BTreeMap<RootCause, Vec<&(&Path, Explanation)>> = BTreeMap::new();
    for one in explained {
        by_cause.entry(one.1.labels.root_cause.label).or_default().push(one);
    }
    let mut rows: Vec<_> = by_cause.into_iter().collect();
    rows.sort_by_key(|(_, of)| std::cmp::Reverse(of.len()));
    let mut text = shown!("{} errors in {} notebooks\n", explained.len(), notebooks);
    for (cause, of) in rows {
        let (path, first) = of[0];
        let share = 100.0 * of.len() as f64 / explained.len() as f64;
        text.push_line(&shown!("{:>6} {:>5.1} %  {:<6} {}", of.len(), share, cause.code(), meaning(cause)));
        text.push_line(&shown!(
            "                for example cell {} of {}: {}",
            first.cell + 1,
            Shown::path(path),
            &first.evidence
        ));
    }
    text
}

/// Reads a notebook with its outputs.
pub(crate) fn read_notebook(path: &Path) -> Result<Notebook, Failure> {
    let bytes = nbrevive_files::read(path, nbrevive_notebook::LONGEST_FILE).map_err(|error| file_failure(&error))?;
    let reading = nbrevive_notebook::read(&bytes).map_err(|error| {
        let message = shown!("{}: {}", path.display(), Shown::error(&error));
        Failure { exit: Exit::BadInput, message }
    })?;
    Ok(reading.notebook)
}
