//! `nbrevive check`: whether the notebooks of a repository still give the outputs that they show.

use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nbrevive_compare::{Agreement, ComparedCell};
use nbrevive_corpus::RunEnd;
use nbrevive_environment::repository::RepositoryStrategy;
use nbrevive_mine::git::GitRepository;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{CheckedRun, NotebookCheck, OfRepository, SurveyedRepository};

use crate::Outcome;
use crate::arguments::CheckArguments;
use crate::commands::setting::{file_failure, laboratory_failure, laboratory_of};
use crate::commands::single::study_limits;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Distributions that are told one by one at most, of those that code imports and nobody declares.
const MOST_TOLD: usize = 20;

/// Runs every notebook and says what came of it, a line each.
pub(crate) fn run(arguments: &CheckArguments) -> Outcome {
    let limits = study_limits(arguments.time_limit, arguments.memory)?;
    let surveyed = SurveyedRepository::read(&arguments.folder).map_err(|error| file_failure(&error))?;
    let notebooks = chosen(arguments, &surveyed)?;
    let date = date(arguments, &notebooks)?;
    let laboratory = laboratory_of(&arguments.sandbox, &limits)?;
    tell_declared(&surveyed);
    let environment =
        surveyed.environment(&laboratory, arguments.strategy, date).map_err(|error| laboratory_failure(&error))?;
    tell_environment(&environment);
    let mut tally = Tally::default();
    for path in notebooks {
        let checked =
            surveyed.check(&laboratory, &environment.prepared, path).map_err(|error| laboratory_failure(&error))?;
        printer::data(&line(path, &checked, arguments.level));
        tally.count(&checked, arguments.level);
        if let (true, NotebookCheck::Ran(run)) = (arguments.update, &checked) {
            update(&arguments.folder.join(path), run)?;
        }
    }
    printer::note(&tally.told(arguments.level));
    Ok(tally.exit())
}

/// The notebooks that are asked for, by their paths in the repository.
fn chosen<'tree>(arguments: &CheckArguments, surveyed: &'tree SurveyedRepository) -> Result<Vec<&'tree str>, Failure> {
    let is_asked = |path: &&str| arguments.only.as_ref().is_none_or(|text| path.contains(text.as_str()));
    let notebooks: Vec<&str> = surveyed.tree.notebooks().filter(is_asked).collect();
    if notebooks.is_empty() {
        let of = arguments.only.as_ref().map_or_else(Shown::default, |text| shown!(" whose path contains `{}`", text));
        let message = shown!("there is no notebook{} in {}", of, arguments.folder.display());
        return Err(Failure { exit: Exit::BadInput, message });
    }
    Ok(notebooks)
}

/// The date that versions are chosen for: outputs were saved before a notebook was committed.
fn date(arguments: &CheckArguments, notebooks: &[&str]) -> Result<Timestamp, Failure> {
    if let Some(date) = arguments.date {
        let zoned = date.to_zoned(TimeZone::UTC).map_err(|error| Failure::new(Exit::Usage, &error))?;
        return Ok(zoned.timestamp());
    }
    if arguments.strategy != RepositoryStrategy::Dated {
        return Ok(Timestamp::now());
    }
    let committed = GitRepository::around(&arguments.folder)
        .and_then(|git| git.last_committed(&arguments.folder, notebooks).ok().flatten());
    committed.ok_or_else(|| {
        let message = shown!("nothing says when {} was written: add --date YYYY-MM-DD", arguments.folder.display());
        Failure { exit: Exit::Usage, message }
    })
}

/// Says what is declared, and what could not be read of it.
fn tell_declared(surveyed: &SurveyedRepository) {
    let declared = &surveyed.declared;
    if declared.declares() {
        let files = declared.files.iter().map(|file| Shown::line(&file.path));
        printer::note(&shown!("declared by {}", Shown::joined(files, ", ")));
    } else {
        printer::note(&Shown::literal("the repository declares no distribution"));
    }
    for unread in declared.unread.iter().take(MOST_TOLD) {
        printer::note(&shown!(
            "{}:{}: `{}` is left out: {}",
            &unread.file,
            unread.line,
            &unread.piece,
            unread.reason.as_str()
        ));
    }
}

/// Says what it runs in.
fn tell_environment(environment: &OfRepository) {
    let OfRepository { prepared, plan } = environment;
    printer::note(&shown!(
        "environment {} with Python {} and {} distributions, {}",
        &prepared.id,
        &prepared.python,
        prepared.packages.len(),
        plan.strategy
    ));
    for unresolved in plan.plan.unresolved.iter().take(MOST_TOLD) {
        printer::note(&shown!("{}: {}", &unresolved.what, &unresolved.reason));
    }
}

/// What is said of one notebook.
fn line(path: &str, checked: &NotebookCheck, level: Agreement) -> Shown {
    match checked {
        NotebookCheck::Unread(why) => shown!("skipped  {}: {}\n", path, why),
        NotebookCheck::Ran(run) => {
            let share = run.compared.score_at(level);
            let words = shown!("{} of {} cells as saved", share.cells, share.of);
            match (&run.end, run.errors.first(), first_difference(run, level)) {
                (RunEnd::Completed, None, None) => shown!("ok       {}: {}\n", path, words),
                (RunEnd::Completed, None, Some(difference)) => {
                    shown!("differs  {}: {}; {}\n", path, words, difference)
                }
                (RunEnd::Completed, Some(error), _) => shown!(
                    "raises   {}: {}; cell {}: {}: {}\n",
                    path,
                    words,
                    error.cell + 1,
                    &error.ename,
                    &error.evalue
                ),
                (RunEnd::Timeout, _, _) => shown!("timeout  {}: {}\n", path, words),
                (RunEnd::NotSaved(how) | RunEnd::NoEnvironment(how), _, _) => {
                    shown!("dies     {}: {}; {}\n", path, words, how)
                }
            }
        }
    }
}

/// The first cell that does not show what it showed.
fn first_difference(run: &CheckedRun, level: Agreement) -> Option<Shown> {
    let differs = |cell: &&ComparedCell| cell.comparison.agreement.is_ok_and(|found| !found.holds_at(level));
    let cell = run.compared.cells.iter().find(differs)?;
    let what = cell.comparison.difference.as_ref().map_or_else(|| Shown::literal("differs"), Shown::line);
    Some(shown!("cell {}: {}", cell.index + 1, what))
}

/// Writes the notebook as it ran over the one that was saved.
fn update(path: &Path, run: &CheckedRun) -> Result<(), Failure> {
    if run.end != RunEnd::Completed {
        return Ok(());
    }
    nbrevive_files::write(path, nbrevive_notebook::write(&run.new)).map_err(|error| file_failure(&error))
}

/// What came of all of them.
#[derive(Debug, Default)]
struct Tally {
    held: usize,
    differ: usize,
    raise: usize,
    ended: usize,
    skipped: usize,
}

impl Tally {
    fn count(&mut self, checked: &NotebookCheck, level: Agreement) {
        let counted = match checked {
            NotebookCheck::Unread(_) => &mut self.skipped,
            NotebookCheck::Ran(run) if run.holds_at(level) => &mut self.held,
            NotebookCheck::Ran(run) if run.is_error_free() => &mut self.differ,
            NotebookCheck::Ran(run) if run.end == RunEnd::Completed => &mut self.raise,
            NotebookCheck::Ran(_) => &mut self.ended,
        };
        *counted += 1;
    }

    fn told(&self, level: Agreement) -> Shown {
        shown!(
            "{} as saved ({}), {} with other outputs, {} with errors, {} that did not end, {} skipped",
            self.held,
            level.as_str(),
            self.differ,
            self.raise,
            self.ended,
            self.skipped
        )
    }

    fn exit(&self) -> Exit {
        match self {
            Self { ended: 1.., .. } => Exit::Failed,
            Self { differ: 1.., .. } | Self { raise: 1.., .. } => Exit::NotReproduced,
            Self { held: 0, .. } => Exit::BadInput,
            _ => Exit::Success,
        }
    }
}
