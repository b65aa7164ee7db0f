//! What `execute` and `modernize` share: one notebook, its world, one execution of it and what to say of that.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use nbrevive_corpus::{Competition, Criterion, Failure as RunFailure, Verdict, select};
use nbrevive_execute::CellStatus;
use nbrevive_files::{FileError, check_place, write_beside_inputs};
use nbrevive_grade::Grader;
use nbrevive_guard::DEFAULT_MOST_NEW_CONSTANTS;
use nbrevive_notebook::{Notebook, first_line};
use nbrevive_repair::{PromptTask, RepairLevel};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{
    Attempt, Beside, Goal, Installs, KagglePlace, Laboratory, LaboratoryError, Prepared, StudyLimits, contract,
    judge_attempt, take_installs, task,
};
use serde_json::{Value, json};

use crate::answers::{AnswerCase, AnswerEnd, Answers, fields};
use crate::arguments::OneNotebook;
use crate::commands::setting::{LONGEST, file_failure, laboratory_failure, laboratory_of};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// The locks that the program carries, so that it serves a person without a repository.
const SHIPPED_LOCKS: &[(&str, &str)] = &[
    ("contemporary", include_str!("../../../../study/environments/contemporary.lock")),
    ("kaggle-2025", include_str!("../../../../study/environments/kaggle-2025.lock")),
];

/// Names that are told of what is withheld or not kept; the rest is counted.
const MOST_TOLD: usize = 20;

/// One notebook and everything around it.
pub(crate) struct Single {
    pub(crate) notebook: Notebook,
    pub(crate) laboratory: Laboratory,
    pub(crate) place: KagglePlace,
    pub(crate) grader: Option<Arc<Grader>>,
    pub(crate) goal: Goal,
    pub(crate) tau: f64,
    /// The text of the lock of today's environment.
    pub(crate) lock: String,
    /// Where the result goes.
    pub(crate) out: PathBuf,
    /// What no result may take the place of.
    inputs: Vec<PathBuf>,
}

impl Single {
    /// Reads what the arguments name, and sees that the result can be written; `word` stands in its name where none was given.
    pub(crate) fn open(arguments: &OneNotebook, word: &str, max_fixes: u32) -> Result<Self, Failure> {
        let selected = select(&arguments.notebook)
            .map_err(|(_, detail)| Failure { exit: Exit::BadInput, message: Shown::line(&detail) })?;
        let lock = lock(&arguments.environment)?;
        let out = output_path(arguments, word);
        let inputs = vec![arguments.notebook.clone(), PathBuf::from(&arguments.environment)];
        check_out(&out, &inputs)?;
        check_keep(arguments.keep.as_deref())?;
        let limits = arguments.limits.limits()?;
        let laboratory = laboratory_of(&arguments.sandbox, &limits)?;
        let submitted = arguments.date;
        let competition = arguments.competition.as_deref().map(load_competition).transpose()?;
        let (place, grader) = world(arguments, &laboratory, competition.as_ref(), submitted)?;
        let mut goal = goal(arguments, &limits, (competition.as_ref(), submitted), max_fixes);
        goal.files = place.file_names();
        tell_withheld(&place);
        let single = Single {
            inputs: inputs.into_iter().chain(data_of(&place)).collect(),
            notebook: selected.notebook,
            laboratory,
            place,
            grader,
            goal,
            tau: arguments.tau,
            lock,
            out,
        };
        single.check(&single.out)?;
        Ok(single)
    }

    /// Sees, before anything runs, that a result can be written.
    pub(crate) fn check(&self, path: &Path) -> Result<(), Failure> {
        check_out(path, &self.inputs)
    }

    /// Writes a notebook, whole or not at all, and over nothing that it is made from.
    pub(crate) fn save(&self, path: &Path, notebook: &Notebook) -> Result<(), Failure> {
        let inputs: Vec<&Path> = self.inputs.iter().map(PathBuf::as_path).collect();
        write_beside_inputs(path, nbrevive_notebook::write(notebook), &inputs).map_err(|error| unwritable(&error))
    }

    /// What the notebook installs for itself; says what of it is refused.
    pub(crate) fn installs(&self) -> Installs {
        let beside = self.place.beside.as_deref().map(Beside::of).unwrap_or_default();
        let installs = take_installs(&self.notebook, &beside);
        for refused in &installs.refused {
            printer::note(&refused.told());
        }
        installs
    }

    /// The verdict on an attempt; without a target, reproducible means: ran without errors.
    pub(crate) fn judge(&self, attempt: &Attempt) -> Verdict {
        let score = |target| Criterion::Score { target, tau: self.tau };
        judge_attempt(attempt, self.goal.target.map_or(Criterion::ErrorFree, score))
    }
}

/// What the notebook is to reach.
fn goal(
    arguments: &OneNotebook,
    limits: &StudyLimits,
    (competition, submitted): (Option<&Competition>, Option<Timestamp>),
    max_fixes: u32,
) -> Goal {
    let unknown = PromptTask { limit_seconds: limits.seconds as u64, ..PromptTask::default() };
    let told = |competition| task(competition, submitted.unwrap_or(Timestamp::UNIX_EPOCH), limits);
    Goal {
        target: arguments.target,
        direction: competition.map_or(nbrevive_corpus::Direction::Maximize, |competition| competition.direction),
        submitted,
        max_fixes,
        level: RepairLevel::File,
        task: competition.map_or(unknown, told),
        contract: competition.map(|competition| contract(competition, DEFAULT_MOST_NEW_CONSTANTS)).unwrap_or_default(),
        files: None,
    }
}

/// The text of a lock: of a shipped one by its name, else of a file.
pub(crate) fn lock(name: &str) -> Result<String, Failure> {
    if let Some((_, text)) = SHIPPED_LOCKS.iter().find(|(shipped, _)| *shipped == name) {
        return Ok((*text).to_owned());
    }
    nbrevive_files::read_text(Path::new(name), LONGEST).map_err(|error| {
        let Failure { exit, message } = file_failure(&error);
        let shipped = Shown::joined(SHIPPED_LOCKS.iter().map(|(name, _)| Shown::literal(name)), ", ");
        Failure { exit, message: shown!("{}; give a lock's file, or one of the shipped ones: {}", message, shipped) }
    })
}

/// The environment of a lock with what a notebook installs for itself; the lock's alone where that cannot be had, as after a failed
/// install.
pub(crate) fn with_installs(
    laboratory: &Laboratory,
    lock: &str,
    installs: &Installs,
) -> Result<Prepared, LaboratoryError> {
    match laboratory.from_lock_text(lock, &installs.requirements) {
        Err(LaboratoryError::Unbuildable(error)) if !installs.requirements.is_empty() => {
            printer::note(&shown!("its install lines cannot be carried out: {}", &error.class));
            laboratory.from_lock_text(lock, &[])
        }
        other => other,
    }
}

fn load_competition(folder: &Path) -> Result<Competition, Failure> {
    let folder = folder.canonicalize().map_err(|error| Failure {
        exit: Exit::BadInput,
        message: shown!("there is no competition in {}: {}", folder.display(), error),
    })?;
    Competition::load(&folder).map_err(|error| Failure::new(Exit::BadInput, &error))
}

/// What the notebook sees, and what grades it.
fn world(
    arguments: &OneNotebook,
    laboratory: &Laboratory,
    competition: Option<&Competition>,
    submitted: Option<Timestamp>,
) -> Result<(KagglePlace, Option<Arc<Grader>>), Failure> {
    let mut place = KagglePlace::default();
    let mut grader = None;
    if let Some(competition) = competition {
        let folder = laboratory.prepared_folder(competition);
        competition.verify(&folder).map_err(|error| Failure::new(Exit::BadInput, &error))?;
        // Without a date the files are found in both places.
        place = KagglePlace::of(competition, &folder, submitted.unwrap_or(Timestamp::UNIX_EPOCH));
        let read = laboratory.grader(competition, &folder).map_err(|error| laboratory_failure(&error))?;
        grader = Some(Arc::new(read));
    }
    if let Some(folder) = &arguments.data {
        let own = KagglePlace::of_folder(folder).map_err(|error| Failure {
            exit: Exit::BadInput,
            message: shown!("cannot read the data folder {}: {}", folder.display(), std::io::Error::from(error)),
        })?;
        place.input.extend(own.input);
        place.withheld.extend(own.withheld);
    }
    if let Some(folder) = &arguments.beside {
        place.put_beside(folder).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    }
    Ok((place, grader))
}

/// Where a result goes: what the user said, or beside the notebook with another ending.
pub(crate) fn output_path(arguments: &OneNotebook, word: &str) -> PathBuf {
    let beside = || arguments.notebook.with_extension(format!("{word}.ipynb"));
    arguments.out.clone().unwrap_or_else(beside)
}

fn check_out(path: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    check_place(path, &inputs).map_err(|error| unwritable(&error))
}

fn unwritable(error: &FileError) -> Failure {
    let failure = Failure::new(Exit::CannotWrite, error);
    match error {
        FileError::Write { .. } => {
            Failure { message: shown!("{}; choose another place with --out", failure.message), ..failure }
        }
        _ => failure,
    }
}

/// The files of the data that a result must not replace. An executed notebook of before may lie among them.
fn data_of(place: &KagglePlace) -> impl Iterator<Item = PathBuf> {
    let is_notebook = |path: &Path| path.extension().is_some_and(|ending| ending == "ipynb");
    place.input.iter().map(|(host, _)| host).filter(move |host| !is_notebook(host)).cloned()
}

fn check_keep(to: Option<&Path>) -> Result<(), Failure> {
    match to.filter(|to| to.exists() && !to.is_dir()) {
        None => Ok(()),
        Some(to) => Err(Failure {
            exit: Exit::CannotWrite,
            message: shown!("{} is no folder; choose another one with --keep", Shown::path(to)),
        }),
    }
}

/// Says what of the data the notebook does not find.
fn tell_withheld(place: &KagglePlace) {
    for one in place.withheld.iter().take(MOST_TOLD) {
        printer::note(&shown!("left out: {}: {}", one.path.display(), one.why));
    }
    if let Some(more) = place.withheld.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        printer::note(&shown!("left out: {} more", more));
    }
}

/// Hands out the files that the notebook left, after it was saved, and says which are not.
pub(crate) fn keep(attempt: &Attempt, to: Option<&Path>) -> Result<(), Failure> {
    let Some(to) = to else { return Ok(()) };
    let kept = attempt.keep(to).map_err(|error| {
        let failure = Failure::new(Exit::CannotWrite, &error);
        Failure { message: shown!("{}: its files are not all in {}", failure.message, Shown::path(to)), ..failure }
    })?;
    for (name, why) in kept.left.iter().take(MOST_TOLD) {
        printer::note(&shown!("not kept: {}: {}", name.display(), why));
    }
    if let Some(more) = kept.left.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        printer::note(&shown!("not kept: {} more", more));
    }
    Ok(())
}

/// Answers with the cells of an attempt from one on, by its place from 0, and ends.
pub(crate) fn answer(
    answers: Answers,
    notebook: &Path,
    (attempt, from): (&Attempt, usize),
    sum: Value,
    exit: Exit,
) -> Exit {
    let group = notebook.file_name().unwrap_or_default().to_string_lossy();
    for cell in attempt.execution.cells.iter().filter(|cell| cell.index >= from) {
        let end = match cell.status {
            CellStatus::Ok => AnswerEnd::Passed,
            CellStatus::Error => AnswerEnd::Failed,
            CellStatus::Timeout | CellStatus::Died => AnswerEnd::Error,
            CellStatus::NotRun | CellStatus::Skipped => AnswerEnd::Skipped,
        };
        let name = format!("cell {}", cell.index + 1);
        let error = cell.error.as_ref();
        let told = error.map_or_else(String::new, |error| format!("{}: {}", error.ename, first_line(&error.evalue)));
        let more = fields(json!({
            "cell": cell.index,
            "error": error.map(|error| json!({ "ename": error.ename, "evalue": error.evalue, "line": error.line })),
            "truncated": cell.truncated,
        }));
        let (word, seconds) = (cell.status.as_str(), cell.seconds);
        let case = AnswerCase { group: &group, name: &name, end, word, told: &told, seconds, more };
        answers.case(&case, &Shown::default());
    }
    answers.end(sum, exit)
}

/// What an attempt came to, for the end of answers.
pub(crate) fn sum(attempt: &Attempt, verdict: &Verdict, out: &Path) -> Value {
    let execution = &attempt.execution;
    json!({
        "ended": execution.ended.to_string(),
        "is_completed": execution.ended.is_completed(),
        "outcome": verdict.outcome,
        "score": verdict.score,
        "deviation": verdict.deviation,
        "seconds": execution.seconds,
        "startup_seconds": execution.startup_seconds,
        "notebook": printer::json_path(out),
    })
}

/// Says what an attempt came to, one line for each thing.
pub(crate) fn tell(attempt: &Attempt, verdict: &Verdict) {
    let execution = &attempt.execution;
    printer::note(&shown!(
        "kernel ready after {:.2} s, cells took {:.2} s",
        execution.startup_seconds,
        execution.seconds
    ));
    if !execution.ended.is_completed() {
        printer::note(&shown!("it ended early: {}", execution.ended));
    }
    for error in &attempt.errors {
        let line = error.line.map(|line| shown!(", line {}", line)).unwrap_or_default();
        printer::note(&shown!("cell {}{}: {}: {}", error.cell + 1, line, error.ename, first_line(&error.evalue)));
    }
    match (verdict.score, verdict.deviation) {
        (Some(score), Some(deviation)) => {
            printer::note(&shown!("score {:.5}, deviation {:.1} % from the target", score, deviation * 100.0));
        }
        (Some(score), None) => printer::note(&shown!("score {:.5}", score)),
        _ => {}
    }
    if let Some(detail) = attempt.ungraded() {
        printer::note(&shown!("no valid submission: {}", detail));
    }
}

/// The exit code for a verdict.
pub(crate) const fn exit(verdict: &Verdict) -> Exit {
    match (verdict.outcome.is_reproducible(), verdict.failure) {
        (true, _) => Exit::Success,
        (false, Some(RunFailure::Timeout | RunFailure::NotSaved)) => Exit::Failed,
        (false, _) => Exit::NotReproduced,
    }
}
