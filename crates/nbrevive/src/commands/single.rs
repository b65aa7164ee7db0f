//! What `execute` and `modernize` share: one notebook, its world, one execution of it and what to say of that.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nbrevive_corpus::{Competition, Failure as RunFailure, Verdict, select};
use nbrevive_grade::Grader;
use nbrevive_notebook::Notebook;
use nbrevive_repair::guard::DEFAULT_MOST_NEW_CONSTANTS;
use nbrevive_repair::{Level, Task};
use nbrevive_study::{
    Attempt, Beside, DiskSettings, Goal, Installs, Laboratory, LaboratorySettings, Place, StudyLimits, contract,
    judge_attempt, take_installs, task,
};

use crate::arguments::OneNotebook;
use crate::commands::setting::{backend, laboratory, laboratory_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// The locks that the program carries, so that it serves a person without a repository.
const SHIPPED_LOCKS: &[(&str, &str)] = &[
    ("contemporary", include_str!("../../../../study/environments/contemporary.lock")),
    ("kaggle-2025", include_str!("../../../../study/environments/kaggle-2025.lock")),
];

/// One notebook and everything around it.
pub(crate) struct Single {
    pub(crate) notebook: Notebook,
    pub(crate) laboratory: Laboratory,
    pub(crate) place: Place,
    pub(crate) grader: Option<Arc<Grader>>,
    pub(crate) goal: Goal,
    pub(crate) tau: f64,
    /// The text of the lock of today's environment.
    pub(crate) lock: String,
}

impl Single {
    /// Reads what the arguments name.
    pub(crate) fn open(arguments: &OneNotebook, max_fixes: u32) -> Result<Self, Failure> {
        let selected =
            select(&arguments.notebook).map_err(|(_, detail)| Failure { exit: Exit::BadInput, message: detail })?;
        let lock = lock(&arguments.environment)?;
        let limits = limits(arguments)?;
        let settings = LaboratorySettings {
            backend: backend(&arguments.sandbox, None)?,
            limits,
            seed: 0,
            offline: false,
            disk: DiskSettings::default(),
        };
        let laboratory = laboratory(&settings)?;
        let submitted = arguments.date.map(start_of_day).transpose()?;
        let competition = arguments.competition.as_deref().map(load_competition).transpose()?;
        let (place, grader) = world(arguments, &laboratory, competition.as_ref(), submitted)?;
        let mut goal = goal(arguments, &settings.limits, (competition.as_ref(), submitted), max_fixes);
        goal.files = place.file_names();
        Ok(Single { notebook: selected.notebook, laboratory, place, grader, goal, tau: arguments.tau, lock })
    }

    /// What the notebook installs for itself; says what of it is refused.
    pub(crate) fn installs(&self) -> Installs {
        let beside = self.place.beside.as_deref().map(Beside::of).unwrap_or_default();
        let installs = take_installs(&self.notebook, &beside);
        for refused in &installs.refused {
            printer::note(refused.told().as_str());
        }
        installs
    }

    /// The verdict on an attempt; without a target, reproducible means: ran without errors.
    pub(crate) fn judge(&self, attempt: &Attempt) -> Verdict {
        judge_attempt(attempt, self.goal.target, self.tau)
    }
}

/// What the notebook is to reach.
fn goal(
    arguments: &OneNotebook,
    limits: &StudyLimits,
    (competition, submitted): (Option<&Competition>, Option<Timestamp>),
    max_fixes: u32,
) -> Goal {
    let unknown = Task { limit_seconds: arguments.time_limit as u64, ..Task::default() };
    let told = |competition| task(competition, submitted.unwrap_or(Timestamp::UNIX_EPOCH), limits);
    Goal {
        target: arguments.target,
        direction: competition.map_or(nbrevive_corpus::Direction::Maximize, |competition| competition.direction),
        submitted,
        max_fixes,
        level: Level::File,
        task: competition.map_or(unknown, told),
        contract: competition.map(|competition| contract(competition, DEFAULT_MOST_NEW_CONSTANTS)).unwrap_or_default(),
        files: None,
    }
}

fn start_of_day(date: jiff::civil::Date) -> Result<Timestamp, Failure> {
    let zoned = date.to_zoned(TimeZone::UTC).map_err(|error| Failure::new(Exit::Usage, &error))?;
    Ok(zoned.timestamp())
}

fn lock(name: &str) -> Result<String, Failure> {
    if let Some((_, text)) = SHIPPED_LOCKS.iter().find(|(shipped, _)| *shipped == name) {
        return Ok((*text).to_owned());
    }
    std::fs::read_to_string(name).map_err(|error| {
        let shipped = SHIPPED_LOCKS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let message = format!("cannot read lock {name}: {error}; give a file, or one of the shipped ones: {shipped}");
        Failure { exit: Exit::BadInput, message }
    })
}

fn limits(arguments: &OneNotebook) -> Result<StudyLimits, Failure> {
    if !(arguments.time_limit.is_finite() && arguments.time_limit >= 1.0) || arguments.memory < 64 {
        let message = "--time-limit must be at least 1 second and --memory at least 64 MiB".to_owned();
        return Err(Failure { exit: Exit::Usage, message });
    }
    Ok(StudyLimits { seconds: arguments.time_limit, memory_mib: arguments.memory, ..StudyLimits::default() })
}

fn load_competition(folder: &Path) -> Result<Competition, Failure> {
    let folder = folder.canonicalize().map_err(|error| Failure {
        exit: Exit::BadInput,
        message: format!("there is no competition in {}: {error}", folder.display()),
    })?;
    Competition::load(&folder).map_err(|error| Failure::new(Exit::BadInput, &error))
}

/// What the notebook sees, and what grades it.
fn world(
    arguments: &OneNotebook,
    laboratory: &Laboratory,
    competition: Option<&Competition>,
    submitted: Option<Timestamp>,
) -> Result<(Place, Option<Arc<Grader>>), Failure> {
    let mut place = Place::default();
    let mut grader = None;
    if let Some(competition) = competition {
        let folder = laboratory.prepared_folder(competition);
        competition.verify(&folder).map_err(|error| Failure::new(Exit::BadInput, &error))?;
        // Without a date the files are found in both places.
        place = Place::of(competition, &folder, submitted.unwrap_or(Timestamp::UNIX_EPOCH));
        let read = laboratory.grader(competition, &folder).map_err(|error| laboratory_failure(&error))?;
        grader = Some(Arc::new(read));
    }
    if let Some(folder) = &arguments.data {
        let own = Place::of_folder(folder).map_err(|error| Failure {
            exit: Exit::BadInput,
            message: format!("cannot read the data folder {}: {error}", folder.display()),
        })?;
        place.input.extend(own.input);
    }
    place.beside.clone_from(&arguments.beside);
    Ok((place, grader))
}

/// Where a result goes: what the user said, or beside the notebook with another ending.
pub(crate) fn output_path(arguments: &OneNotebook, word: &str) -> PathBuf {
    let beside = || arguments.notebook.with_extension(format!("{word}.ipynb"));
    arguments.out.clone().unwrap_or_else(beside)
}

/// Writes a notebook, whole or not at all.
pub(crate) fn save(path: &Path, notebook: &Notebook) -> Result<(), Failure> {
    let partial = path.with_extension("partial");
    let written =
        std::fs::write(&partial, nbrevive_notebook::write(notebook)).and_then(|()| std::fs::rename(&partial, path));
    written.map_err(|error| Failure {
        exit: Exit::CannotWrite,
        message: format!("cannot write {}: {error}; choose another place with --out", path.display()),
    })
}

/// Says what an attempt came to, one line for each thing.
pub(crate) fn tell(attempt: &Attempt, verdict: &Verdict) {
    let execution = &attempt.execution;
    printer::note(&format!(
        "kernel ready after {:.2} s, cells took {:.2} s",
        execution.startup_seconds, execution.seconds
    ));
    if !execution.ended.is_completed() {
        printer::note(&format!("it ended early: {}", execution.ended));
    }
    for error in &attempt.errors {
        let line = error.line.map(|line| format!(", line {line}")).unwrap_or_default();
        printer::note(&format!("cell {}{line}: {}: {}", error.cell + 1, error.ename, first_line(&error.evalue)));
    }
    match (verdict.score, verdict.deviation) {
        (Some(score), Some(deviation)) => {
            printer::note(&format!("score {score:.5}, deviation {:.1} % from the target", deviation * 100.0));
        }
        (Some(score), None) => printer::note(&format!("score {score:.5}")),
        _ => {}
    }
    if let Some(detail) = attempt.grade.as_ref().err().filter(|_| attempt.is_graded()) {
        printer::note(&format!("no valid submission: {detail}"));
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}

/// The exit code for a verdict.
pub(crate) const fn exit(verdict: &Verdict) -> Exit {
    match (verdict.outcome.is_reproducible(), verdict.failure) {
        (true, _) => Exit::Success,
        (false, Some(RunFailure::Timeout | RunFailure::NotSaved)) => Exit::Failed,
        (false, _) => Exit::NotReproduced,
    }
}
