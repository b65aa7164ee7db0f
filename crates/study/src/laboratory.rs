//! Everything that an execution needs, and one execution with its grade.

pub(crate) mod attempt;
pub(crate) mod copies;
pub(crate) mod disk_space;
pub(crate) mod doubtful_ends;
mod error;
pub(crate) mod kaggle_folders;
pub(crate) mod kept_outputs;
pub(crate) mod kept_processes;
pub(crate) mod machine;
pub(crate) mod made_inputs;
pub(crate) mod one_execution;
pub(crate) mod own_cores;
mod prepared;
pub(crate) mod scheduler;
pub(crate) mod source_builds;
mod starvation;
pub(crate) mod submission;
pub(crate) mod text_outputs;
pub(crate) mod working_folder;

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use nbrevive_corpus::Competition;
use nbrevive_environment::build::{BuildSettings, BuiltWheels, Lease, Workshop};
use nbrevive_environment::index::IndexAddress;
use nbrevive_environment::link::{self, FetchError, Fetched, Link};
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_environment::{Builder, Environment, Home, Index, IndexSettings, Interpreters, KernelLayer, Spec};
use nbrevive_execute::{ExecutionSettings, ImportResult};
use nbrevive_grade::Grader;
use nbrevive_rules::trial::Stack;
use nbrevive_sandbox::{Backend, Limits, Notice, Sandbox};
use nbrevive_shown::with_causes;

use crate::StudyLimits;
use crate::laboratory::machine::Machine;
use crate::laboratory::scheduler::Scheduler;
use crate::laboratory::source_builds::SandboxedBuilds;
use crate::laboratory::working_folder::remove_leftovers;
use crate::settings::disk::DiskSettings;

pub use error::{LaboratoryError, Unbuildable};
pub(crate) use error::{unbuildable, unbuilt, unplanned};
pub use prepared::Prepared;

/// Longest lock that is read, in bytes: one of a thousand distributions with their hashes has a hundredth of it.
pub const LONGEST_LOCK: u64 = 16 << 20;

/// Where the data of competitions lies.
#[must_use]
pub fn competitions_folder(home: &Home) -> PathBuf {
    home.root().join("competitions")
}

/// Where the competitions lie that were imported from MLE-bench.
#[must_use]
pub fn imported_folder(home: &Home) -> PathBuf {
    competitions_folder(home).join("mle-bench")
}

/// How a laboratory is set up.
#[derive(Debug, Clone)]
pub struct LaboratorySettings {
    /// What stands between a notebook and the machine, and whether it gets a GPU.
    pub sandbox: Sandbox,
    /// The limits of one execution.
    pub limits: StudyLimits,
    /// Seed of Python's string hashing.
    pub seed: u32,
    /// Ask the package index nothing.
    pub offline: bool,
    /// What it may take of disks.
    pub disk: DiskSettings,
}

/// Everything that an execution needs.
#[derive(Debug)]
pub struct Laboratory {
    pub(crate) home: Home,
    pub(crate) index: Index,
    /// Where installers look, if not in the user's index.
    pub(crate) installs_from: Option<IndexAddress>,
    pub(crate) interpreters: Interpreters,
    pub(crate) settings: ExecutionSettings,
    /// What imports gave that were tried.
    pub(crate) trials: Mutex<HashMap<String, Vec<ImportResult>>>,
    /// What was built from source archives.
    built_wheels: Arc<BuiltWheels>,
    /// Environments that could not be had before are tried again; `None`: they are not.
    failures_since: Option<SystemTime>,
    /// What stands between the machine and code of these days on, where it goes by date ([`Sandbox::dated`]).
    dated: Vec<(Date, Backend)>,
    /// How many executions share a GPU; `None` where they get none.
    pub(crate) gpus: Option<NonZeroU32>,
    /// Who hands out cores, memory and GPUs; without one, executions share the machine.
    pub(crate) scheduler: Option<Scheduler>,
    /// The environment of the tools once it was asked for; what is prepared keeps it from being pruned.
    tools: OnceLock<Result<(Stack, Prepared), String>>,
    notices: Vec<Notice>,
}

impl Laboratory {
    /// Opens a laboratory on this machine, with limits that fit it.
    ///
    /// # Errors
    /// When there is no folder for environments, or the sandbox is not installed.
    pub fn open(settings: &LaboratorySettings) -> Result<Self, LaboratoryError> {
        let home = Home::from_environment()?;
        let checked = settings.sandbox.check();
        checked
            .map_err(|missing| LaboratoryError::Execute(nbrevive_sandbox::SandboxStartError::from(missing).into()))?;
        if let Some(unseen) = nbrevive_sandbox::unseen().filter(|_| settings.sandbox.backend.isolates()) {
            tracing::warn!("{unseen}");
        }
        let wanted = Limits { disk_reserve_bytes: settings.disk.reserve(), ..limits(&settings.limits) };
        let (limits, notices) = wanted.fitted_to_machine();
        sweep();
        let index_settings = IndexSettings { offline: settings.offline, ..IndexSettings::default() };
        Ok(Laboratory {
            index: Index::open(&home, index_settings),
            installs_from: None,
            interpreters: Interpreters::of_machine(&home),
            home,
            settings: ExecutionSettings {
                limits,
                cell_clock: settings.limits.cell_clock(),
                backend: settings.sandbox.backend.clone(),
                seed: settings.seed,
                ..ExecutionSettings::default()
            },
            trials: Mutex::default(),
            built_wheels: Arc::default(),
            failures_since: None,
            dated: settings.sandbox.dated.clone(),
            gpus: settings.sandbox.gpus,
            // Who shares a GPU is asked of everybody who runs something.
            scheduler: settings.sandbox.gpus.map(|_| Scheduler::new(Machine::of_this_process())),
            tools: OnceLock::new(),
            notices,
        })
    }

    /// Tries environments again that could not be had before now: the machine may have what was missing, or more time.
    #[must_use]
    pub fn try_failures_again(self) -> Self {
        Laboratory { failures_since: Some(SystemTime::now()), ..self }
    }

    /// The limits that were lowered because this machine has less.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The interpreters of this machine.
    #[must_use]
    pub fn interpreters(&self) -> &Interpreters {
        &self.interpreters
    }

    /// What stands between the machine and code that was submitted then; what does for all others where it is not known.
    pub(crate) fn backend_of(&self, submitted: Option<Timestamp>) -> &Backend {
        let day = submitted.map(|submitted| submitted.to_zoned(TimeZone::UTC).date());
        let dated = day.and_then(|day| self.dated.iter().rfind(|(from, _)| *from <= day));
        dated.map_or(&self.settings.backend, |(_, backend)| backend)
    }

    /// The sandbox's name, for hashes of settings: with a GPU code takes other ways, so that its results are others.
    pub(crate) fn backend_word(&self, submitted: Option<Timestamp>) -> String {
        let backend = match self.backend_of(submitted) {
            Backend::Bubblewrap => "bubblewrap".to_owned(),
            Backend::Oci(oci) => format!("oci {}", oci.image_id()),
            Backend::Apptainer(apptainer) => format!("oci {}", apptainer.image_id()),
            Backend::None => "none".to_owned(),
        };
        if self.gpus.is_some() { backend + ", gpu" } else { backend }
    }

    /// Whether something stands between a notebook and the machine.
    pub(crate) fn isolates(&self) -> bool {
        self.settings.backend.isolates()
    }

    /// Where the prepared data of a competition lies, or will lie.
    #[must_use]
    pub fn prepared_folder(&self, competition: &Competition) -> PathBuf {
        competition.prepared_folder(&competitions_folder(&self.home))
    }

    /// The grader of a competition, with the answers of its prepared data.
    ///
    /// # Errors
    /// When they are unreadable, or do not fit the competition's description.
    pub fn grader(&self, competition: &Competition, prepared: &Path) -> Result<Grader, LaboratoryError> {
        Ok(Grader::of(competition, prepared)?)
    }

    /// The environment of a lock file, with `extra` requirements installed on top.
    ///
    /// # Errors
    /// When the lock cannot be read or the environment cannot be built.
    pub fn from_lock(&self, lock: &Path, extra: &[NamedRequirement]) -> Result<Prepared, LaboratoryError> {
        self.from_lock_text(&lock_text(lock)?, extra)
    }

    /// As [`Laboratory::from_lock`], with the lock's text.
    ///
    /// # Errors
    /// When the environment cannot be built.
    pub fn from_lock_text(&self, lock: &str, extra: &[NamedRequirement]) -> Result<Prepared, LaboratoryError> {
        self.extended(lock, extra, &[])
    }

    /// Fetches a file that an install line names.
    pub(crate) fn fetch(&self, link: &Link) -> Result<Fetched, FetchError> {
        link::fetch(&self.home, link)
    }

    /// The environment of a lock's text with requirements and fetched files on top.
    pub(crate) fn extended(
        &self,
        lock: &str,
        extra: &[NamedRequirement],
        fetched: &[Fetched],
    ) -> Result<Prepared, LaboratoryError> {
        let builder = self.builder();
        let spec = Spec::Extended { lock, extra, fetched };
        let names = || extra.iter().map(ToString::to_string).chain(fetched.iter().map(Fetched::requested));
        let asked = || names().collect::<Vec<_>>().join("\n");
        let (built, lease) = builder.lease(spec).map_err(|error| unbuilt(error, "", &asked()))?;
        self.with_kernel(&builder, &built, lease)
    }

    pub(crate) fn builder(&self) -> Builder<'_> {
        // Where notebooks are trusted, so are the packages that they ask for.
        let apart = self.isolates();
        let workshop =
            apart.then(|| Arc::new(SandboxedBuilds::new(self.settings.backend.clone())) as Arc<dyn Workshop>);
        Builder::new(
            &self.home,
            &self.interpreters,
            BuildSettings {
                workshop,
                index: self.installs_from.clone(),
                built_wheels: Arc::clone(&self.built_wheels),
                failures_since: self.failures_since,
                ..BuildSettings::default()
            },
        )
    }

    pub(crate) fn with_kernel(
        &self,
        builder: &Builder<'_>,
        environment: &Environment,
        lease: Lease,
    ) -> Result<Prepared, LaboratoryError> {
        let layer = KernelLayer::ensure(builder, &environment.interpreter)?;
        Ok(Prepared::of(environment, &layer, Some(Arc::new(lease))))
    }

    /// An environment for scripts of the program that run in the sandbox: the proof of the rules, and tools.
    #[must_use]
    pub fn stack(&self, prepared: &Prepared) -> Stack {
        Stack {
            python: prepared.interpreter().into(),
            read_only: prepared.kernel.read_only.clone(),
            version: prepared.minor(),
            packages: prepared.packages.clone(),
            backend: self.settings.backend.clone(),
        }
    }

    /// The environment of the tools, built when it is first asked for; one that cannot be had is told once.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub fn tools(&self) -> Result<Stack, String> {
        let opened = self.tools.get_or_init(|| {
            let prepared = self.from_lock_text(nbrevive_repair::tools::LOCK, &[]).map_err(|error| with_causes(&error));
            prepared.map(|prepared| (self.stack(&prepared), prepared)).inspect_err(|why| {
                tracing::warn!("fissix and ruff cannot be asked, and the loop goes on without them: {why}");
            })
        });
        opened.as_ref().map(|(stack, _)| stack.clone()).map_err(String::clone)
    }

    /// Variables for a command in the sandbox that is no kernel.
    pub(crate) fn plain_environment(&self) -> Vec<(String, String)> {
        [
            ("PATH", "/usr/bin:/bin"),
            ("HOME", "/tmp"),
            ("LANG", "C.UTF-8"),
            ("PYTHONHASHSEED", "0"),
            ("OMP_NUM_THREADS", "1"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
    }
}

/// Removes what killed runs left behind.
pub(crate) fn sweep() {
    let left = remove_leftovers(&std::env::temp_dir());
    if left > 0 {
        tracing::info!("removed {left} working folders of killed runs");
    }
}

pub(crate) fn limits(limits: &StudyLimits) -> Limits {
    let bytes = |mebibytes: u64| mebibytes.saturating_mul(1 << 20);
    Limits {
        wall_clock: limits.wall_clock(),
        cpu_time: limits.cpu_time(),
        memory_bytes: bytes(limits.memory_mib),
        processes: limits.processes,
        cores: limits.cores,
        disk_bytes: bytes(limits.disk_mib),
        file_bytes: bytes(limits.disk_mib),
        ..Limits::default()
    }
}

/// The text of a lock file.
pub(crate) fn lock_text(lock: &Path) -> Result<String, LaboratoryError> {
    nbrevive_files::read_text(lock, LONGEST_LOCK)
        .map_err(|error| LaboratoryError::Io { path: lock.to_owned(), source: error.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandbox_that_goes_by_date_is_the_newest_that_was_there() {
        let dated = ["2018-06-01", "2020-01-01"].map(|from| (from.parse().unwrap(), Backend::None)).to_vec();
        let sandbox = Sandbox { dated, ..Sandbox::from(Backend::Bubblewrap) };
        let (limits, disk) = (StudyLimits::default(), DiskSettings::default());
        let settings = LaboratorySettings { sandbox, limits, seed: 0, offline: true, disk };
        let laboratory = Laboratory::open(&settings).unwrap();
        let of = |time: &str| laboratory.backend_word(Some(time.parse().unwrap()));
        assert_eq!(of("2018-05-31T23:59:59Z"), "bubblewrap");
        assert_eq!((of("2018-06-01T00:00:00Z"), of("2026-01-01T00:00:00Z")), ("none".to_owned(), "none".to_owned()));
        assert_eq!(laboratory.backend_word(None), "bubblewrap", "of what has no date");
    }
}
