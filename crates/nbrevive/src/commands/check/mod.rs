//! `nbrevive check`: whether the notebooks of a repository still give the outputs that they show.
//!
//! | file | purpose |
//! |---|---|
//! | `subject.rs` | the repository: a folder, or a commit that is brought here |
//! | `told.rs` | what is said before notebooks run |
//! | `line.rs` | what is said of each, and of all |
//! | `written.rs` | the page and the JUnit file |

mod line;
mod subject;
mod told;
mod written;

use std::path::Path;

use jiff::Timestamp;
use nbrevive_files::{FileError, check_place};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{CheckedRun, Laboratory, NotebookCheck};
use serde_json::{Value, json};

use crate::Outcome;
use crate::answers::{AnswerCase, Answers};
use crate::arguments::{CheckArguments, RepositoryArguments};
use crate::commands::setting::{date_of_versions, file_failure, laboratory_failure, laboratory_of};
use crate::exit_code::{Exit, Failure};
use crate::printer;
use line::{Tally, end, figures, line, verdict};
pub(crate) use subject::Subject;
pub(crate) use told::tell_declared;
use told::{tell_environment, tell_subject};
use written::Written;

/// Runs every notebook and says what came of it, a line each.
pub(crate) fn run(arguments: &CheckArguments) -> Outcome {
    let limits = arguments.limits.limits()?;
    for place in [&arguments.junit, &arguments.report].into_iter().flatten() {
        check_place(place, &[]).map_err(|error| file_failure(&error))?;
    }
    let subject = Subject::find(&arguments.repository.repository)?;
    if arguments.update && subject.folder().is_none() {
        let message = Shown::literal("--update writes into a folder: clone the repository, and check the clone");
        return Err(Failure { exit: Exit::Usage, message });
    }
    tell_subject(&subject);
    let surveyed = subject.surveyed();
    let notebooks = chosen(arguments, &subject)?;
    let laboratory = laboratory_of(&arguments.sandbox, &limits)?;
    let date = date(&arguments.repository, &subject, &laboratory, &notebooks)?;
    tell_declared(surveyed);
    let strategy = arguments.repository.strategy;
    let environment = surveyed.environment(&laboratory, strategy, date).map_err(|error| laboratory_failure(&error))?;
    tell_environment(&environment);
    let facts = written::facts(&subject, &environment, arguments, date);
    let about = facts.iter().map(|(term, value)| ((*term).to_owned(), Value::from(value.as_str()))).collect();
    let answers = Answers::begin(arguments.format, "check", about);
    let (mut tally, mut written) = (Tally::default(), Written::of(arguments, &subject, &environment, date));
    for path in notebooks {
        let checked =
            surveyed.check(&laboratory, &environment.prepared, path).map_err(|error| laboratory_failure(&error))?;
        let told = line(&checked, arguments.level);
        let verdict = verdict(&checked, arguments.level);
        let text = shown!("{:<8} {}: {}\n", verdict.as_str(), path, &told);
        let (group, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (end, word) = (end(verdict), verdict.as_str());
        let (seconds, more) = figures(&checked, arguments.level);
        answers.case(&AnswerCase { group, name, end, word, told: told.as_str(), seconds, more }, &text);
        tally.count(verdict);
        written.add(path, verdict, &told, &checked);
        if let (Some(folder), true, NotebookCheck::Ran(run)) = (subject.folder(), arguments.update, &checked) {
            update(&folder.join(path), run)?;
        }
    }
    printer::note(&tally.told(arguments.level));
    written.write()?;
    Ok(answers.end(json!({}), tally.exit()))
}

/// The notebooks that are asked for, by their paths in the repository.
fn chosen<'subject>(arguments: &CheckArguments, subject: &'subject Subject) -> Result<Vec<&'subject str>, Failure> {
    let is_asked = |path: &&str| arguments.only.as_ref().is_none_or(|text| path.contains(text.as_str()));
    let notebooks: Vec<&str> = subject.surveyed().tree.notebooks().filter(is_asked).collect();
    if notebooks.is_empty() {
        let of = arguments.only.as_ref().map_or_else(Shown::default, |text| shown!(" whose path contains `{}`", text));
        let message = shown!("there is no notebook{} in {}", of, &arguments.repository.repository);
        return Err(Failure { exit: Exit::BadInput, message });
    }
    Ok(notebooks)
}

/// The date that versions are chosen for.
pub(crate) fn date(
    arguments: &RepositoryArguments,
    subject: &Subject,
    laboratory: &Laboratory,
    notebooks: &[&str],
) -> Result<Timestamp, Failure> {
    let (committed, what) = (|| subject.last_changed(notebooks), Shown::line(&arguments.repository));
    let of = (subject.surveyed(), laboratory, &what);
    let found = date_of_versions(arguments.date, arguments.strategy, committed, of)?;
    if let Some(why) = found.why {
        printer::note(&shown!("{}; --date names another day", &why));
    }
    Ok(found.date)
}

/// Writes the notebook as it ran over the one that was saved. A link stays one: what it leads to is checked by its own name.
fn update(path: &Path, run: &CheckedRun) -> Result<(), Failure> {
    if run.end != nbrevive_corpus::RunEnd::Completed {
        return Ok(());
    }
    match nbrevive_files::write(path, nbrevive_notebook::write(&run.new)) {
        Err(FileError::NotReplaceable { kind, .. }) => {
            printer::note(&shown!("{} stays as it is: it is {}", path.display(), kind));
            Ok(())
        }
        written => written.map_err(|error| file_failure(&error)),
    }
}
