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

use std::collections::BTreeSet;
use std::path::Path;

use jiff::Timestamp;
use nbrevive_compare::Agreement;
use nbrevive_files::{FileError, check_place};
use nbrevive_notebook::LONGEST_FILE;
use nbrevive_report::checked::CheckVerdict;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{CheckedRun, Laboratory, NotebookCheck, OfRepository};
use serde_json::{Value, json};

use crate::Outcome;
use crate::answers::{AnswerCase, AnswerEnd, Answers};
use crate::arguments::{CheckArguments, RepositoryArguments};
use crate::commands::interrupt::Interrupt;
use crate::commands::setting::{date_of_versions, file_failure, laboratory_failure, laboratory_of};
use crate::exit_code::{Exit, Failure};
use crate::printer;
use crate::progress::Running;
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
    printer::note(&Shown::literal("planning and building its environment"));
    let building = Running::tell(&Shown::literal("its environment is built"));
    let environment = surveyed.environment(&laboratory, strategy, date);
    drop(building);
    let environment = match environment {
        Ok(environment) => environment,
        Err(error) => return no_environment(arguments, &subject, date, laboratory_failure(&error)),
    };
    tell_environment(&environment);
    let (answers, mut written) = begin(arguments, &subject, Some(&environment), date);
    let (interrupt, mut tally) = (Interrupt::listen()?, Tally::default());
    interrupt.say("stopping when this notebook is done; once more ends it at once, and writes nothing");
    for (place, path) in notebooks.iter().enumerate() {
        let running = Running::tell(&shown!("{} of {}: {} runs", place + 1, notebooks.len(), path));
        let checked = surveyed.check(&laboratory, &environment.prepared, path);
        drop(running);
        // A notebook that ran meanwhile may have been told to stop as well.
        if interrupt.is_asked() {
            break;
        }
        let checked = checked.map_err(|error| laboratory_failure(&error))?;
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
            match verdict {
                CheckVerdict::Differs => update(&folder.join(path), run, arguments.level)?,
                CheckVerdict::Holds | CheckVerdict::RaisesAgain | CheckVerdict::Skipped => {}
                // Outputs of a run that broke off are worth less than those that are saved.
                CheckVerdict::Raises | CheckVerdict::TimedOut | CheckVerdict::Died => {
                    printer::note(&shown!("{} stays as it is: its outputs are of a run that failed", path));
                }
            }
        }
    }
    printer::note(&tally.told(arguments.level));
    written.write()?;
    if interrupt.is_asked() {
        printer::note(&shown!("stopped after {} of {} notebooks", tally.all(), notebooks.len()));
        return Ok(answers.end(json!({}), Exit::Stopped));
    }
    Ok(answers.end(json!({}), tally.exit()))
}

/// Begins what is answered and written.
fn begin<'arguments>(
    arguments: &'arguments CheckArguments,
    subject: &Subject,
    environment: Option<&OfRepository>,
    date: Timestamp,
) -> (Answers, Written<'arguments>) {
    let facts = written::facts(subject, environment, arguments, date);
    let about = facts.iter().map(|(term, value)| ((*term).to_owned(), Value::from(value.as_str()))).collect();
    let answers = Answers::begin(arguments.format, "check", about);
    (answers, Written::of(arguments, subject, environment, &facts))
}

/// Says in every form that was asked for why no notebook can run.
fn no_environment(arguments: &CheckArguments, subject: &Subject, date: Timestamp, failure: Failure) -> Outcome {
    if failure.exit != Exit::NoEnvironment {
        return Err(failure);
    }
    let (answers, mut written) = begin(arguments, subject, None, date);
    let (told, more) = (failure.message.as_str(), serde_json::Map::new());
    let (end, word) = (AnswerEnd::Error, "no-environment");
    let case = AnswerCase { group: "", name: "environment", end, word, told, seconds: 0.0, more };
    answers.case(&case, &Shown::default());
    written.no_environment(word, told);
    written.write()?;
    answers.end(json!({}), failure.exit);
    Err(failure)
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

/// Writes the new outputs of cells that show something else into the notebook, and the counts of the run. A link stays one: what it leads to is
/// checked by its own name.
fn update(path: &Path, run: &CheckedRun, level: Agreement) -> Result<(), Failure> {
    let differing = run.compared.cells.iter().filter(|cell| cell.differs_at(level));
    let differing: BTreeSet<usize> = differing.map(|cell| cell.index).collect();
    let stays = |why: Shown| printer::note(&shown!("{} stays as it is: {}", path.display(), why));
    let saved = nbrevive_files::read_text(path, LONGEST_FILE).map_err(|error| file_failure(&error))?;
    let text = match nbrevive_notebook::renewed(&saved, &run.new, |cell| differing.contains(&cell)) {
        Ok(text) => text,
        Err(why) => {
            stays(shown!("{}", why));
            return Ok(());
        }
    };
    match nbrevive_files::write(path, text) {
        Err(FileError::NotReplaceable { kind, .. }) => {
            stays(shown!("it is {}", kind));
            Ok(())
        }
        written => written.map_err(|error| file_failure(&error)),
    }
}
