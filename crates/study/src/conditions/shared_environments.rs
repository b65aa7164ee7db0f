//! The one environment that all notebooks of a repository run in under a condition: made once, whoever asks first.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use jiff::Timestamp;
use nbrevive_corpus::{EnvironmentKind, Judge, Surrounding};
use nbrevive_environment::declared::{DeclarationFile, DeclarationStanding};
use nbrevive_environment::plan::WarningKind;
use nbrevive_environment::repository::RepositoryStrategy;
use nbrevive_files::unpoisoned;
use nbrevive_store::repository_environments::{self, RepositoryEnvironmentRow};

use crate::conditions::Runner;
use crate::corpus::around::RepositoryFiles;
use crate::environments::of_repository::OfRepository;
use crate::laboratory::{LaboratoryError, Prepared, Unbuildable};
use crate::repository::SurveyedRepository;
use crate::{Around, Job};

/// What is known of an environment: itself, or why there is none. Nothing as long as nobody made it; who makes it holds the lock.
type Known = Arc<Mutex<Option<Result<Arc<Prepared>, Box<Unbuildable>>>>>;

/// The environments of repositories that a run has met, by folder and kind.
#[derive(Default)]
pub(crate) struct SharedEnvironments(Mutex<BTreeMap<(PathBuf, Surrounding), Known>>);

impl SharedEnvironments {
    fn of(&self, files: &RepositoryFiles, surrounding: Surrounding) -> Known {
        let mut known = unpoisoned(self.0.lock());
        Arc::clone(known.entry((files.repository.files.clone(), surrounding)).or_default())
    }
}

impl Runner<'_> {
    /// The environment of a job's repository, as its recipe asks for it.
    ///
    /// # Errors
    /// [`LaboratoryError::Unbuildable`] where there can be none, else what is ours to mend: only that is tried again.
    pub(crate) fn environment_of_repository(&self, job: &Job) -> Result<Arc<Prepared>, LaboratoryError> {
        let (Around::Repository(files), Some(strategy)) = (&job.around, strategy(job.recipe.environment)) else {
            unreachable!("versions without a repository are not admitted to a study that asks for its environment")
        };
        let known = self.shared.of(files, job.recipe.environment);
        let mut known = unpoisoned(known.lock());
        if let Some(known) = &*known {
            return known.clone().map_err(LaboratoryError::Unbuildable);
        }
        let made = match self.make(job, files, strategy) {
            Ok(prepared) => Ok(Arc::new(prepared)),
            Err(LaboratoryError::Unbuildable(failed)) => Err(failed),
            Err(error) => return Err(error),
        };
        *known = Some(made.clone());
        made.map_err(LaboratoryError::Unbuildable)
    }

    /// The same with what is to be said of it. Where it cannot be built, a study that asks how far code runs takes a bare one of the same
    /// Python: after a failed install notebooks run all the same (ReNote, section IV-B).
    ///
    /// # Errors
    /// As [`Runner::environment_of_repository`].
    pub(crate) fn environment_or_bare(&self, job: &Job) -> Result<(Arc<Prepared>, String), LaboratoryError> {
        match self.environment_of_repository(job) {
            Ok(environment) => {
                let note = format!("; Python {}", environment.python);
                Ok((environment, note))
            }
            Err(LaboratoryError::Unbuildable(failed)) if self.setup.study.judge == Judge::Executability => {
                let python = Some(failed.python.as_str()).filter(|python| !python.is_empty());
                let full = python.unwrap_or(&self.setup.baseline.python);
                let minor: Vec<&str> = full.split('.').take(2).collect();
                let lock = format!("# python: {}\n", minor.join("."));
                let bare = self.setup.laboratory.from_lock_text(&lock, &[])?;
                self.remember(EnvironmentKind::Repository, &bare, "")?;
                let note = format!("; Python {}, without what its repository declares: {}", bare.python, failed.class);
                Ok((Arc::new(bare), note))
            }
            Err(error) => Err(error),
        }
    }

    fn make(
        &self,
        job: &Job,
        files: &RepositoryFiles,
        strategy: RepositoryStrategy,
    ) -> Result<Prepared, LaboratoryError> {
        let began = Instant::now();
        let surveyed = files.surveyed()?;
        let is_dated = strategy == RepositoryStrategy::Dated;
        let laboratory = self.setup.laboratory;
        let date = if is_dated { surveyed.last_run(laboratory, files.latest)?.date } else { Timestamp::now() };
        let made = surveyed.environment(laboratory, strategy, date);
        let mut row = RepositoryEnvironmentRow {
            repository: files.repository.name.clone(),
            condition: job.condition,
            seconds: began.elapsed().as_secs_f64(),
            ..row(surveyed, strategy)
        };
        match made {
            Ok(OfRepository { prepared, plan }) => {
                self.remember(EnvironmentKind::Repository, &prepared, &plan.plan.requirements_text())?;
                row.environment.clone_from(&prepared.id);
                row.python.clone_from(&prepared.python);
                row.unresolved = count(plan.plan.unresolved.len());
                let loosened = plan.plan.warnings.iter().filter(|warning| warning.kind == WarningKind::Loosened);
                row.loosened = Some(count(loosened.count()));
                repository_environments::set(&mut self.store(), &row)?;
                Ok(prepared)
            }
            Err(LaboratoryError::Unbuildable(failed)) => {
                row.environment.clone_from(&failed.id);
                row.python.clone_from(&failed.python);
                row.failure_class = Some(failed.class.to_string());
                repository_environments::set(&mut self.store(), &row)?;
                Err(LaboratoryError::Unbuildable(failed))
            }
            Err(error) => Err(error),
        }
    }
}

const fn strategy(surrounding: Surrounding) -> Option<RepositoryStrategy> {
    match surrounding {
        Surrounding::Declared => Some(RepositoryStrategy::Declared),
        Surrounding::Inferred => Some(RepositoryStrategy::Paper),
        Surrounding::InferredOfDate => Some(RepositoryStrategy::Dated),
        Surrounding::Lock | Surrounding::Date | Surrounding::None => None,
    }
}

/// What is known of the environment before it is made.
fn row(surveyed: &SurveyedRepository, strategy: RepositoryStrategy) -> RepositoryEnvironmentRow {
    let (declared, inferred) = (&surveyed.declared, &surveyed.inferred);
    let is_exact = |bound: &str| bound.starts_with("==") && !bound.contains(['*', ',']);
    let counts = |file: &&DeclarationFile| file.standing == DeclarationStanding::Counts;
    let asks_imports = strategy != RepositoryStrategy::Declared;
    RepositoryEnvironmentRow {
        repository: String::new(),
        condition: nbrevive_corpus::Condition::BASELINE,
        environment: String::new(),
        python: String::new(),
        failure_class: None,
        declaring_files: declared.files.iter().filter(counts).map(|file| file.path.clone()).collect(),
        declared: count(declared.counting().count()),
        declared_exactly: count(declared.counting().filter(|one| is_exact(&one.requirement.bound)).count()),
        loosened: Some(0),
        inferred: if asks_imports { count(inferred.names.len()) } else { 0 },
        unread: count(declared.unread.len()),
        unresolved: 0,
        seconds: 0.0,
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
