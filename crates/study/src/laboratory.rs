//! Everything that an execution needs, and one execution with its grade.

pub(crate) mod attempt;
pub(crate) mod copies;
pub(crate) mod disk_space;
pub(crate) mod doubtful_ends;
pub(crate) mod kept_outputs;
pub(crate) mod machine;
pub(crate) mod made_inputs;
pub(crate) mod one_execution;
pub(crate) mod own_cores;
pub(crate) mod scheduler;
pub(crate) mod submission;
pub(crate) mod text_outputs;
pub(crate) mod working_folder;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use nbrevive_corpus::{Competition, content_hash};
use nbrevive_environment::build::{BuildError, BuildSettings, Lease, Workshop};
use nbrevive_environment::kernel::bind_paths;
use nbrevive_environment::link::{self, FetchError, Fetched, Link};
use nbrevive_environment::plan::PlanError;
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_environment::{
    Builder, Environment, FailureClass, Home, Index, IndexSettings, Interpreters, KernelLayer, Spec, kernel_command,
};
use nbrevive_execute::{ExecutionSettings, ImportResult, Kernel};
use nbrevive_grade::Grader;
use nbrevive_rules::trial::Stack;
use nbrevive_sandbox::{Backend, Limits, Notice};

use crate::StudyLimits;
use crate::environments::installs::Installs;
use crate::environments::source_builds::SandboxedBuilds;
use crate::laboratory::disk_space::DiskSettings;
use crate::laboratory::scheduler::Scheduler;
use crate::laboratory::working_folder::remove_leftovers;

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
    /// What stands between a notebook and the machine.
    pub backend: Backend,
    /// The limits of one execution.
    pub limits: StudyLimits,
    /// Seed of Python's string hashing.
    pub seed: u32,
    /// Ask the package index nothing.
    pub offline: bool,
    /// What it may take of disks.
    pub disk: DiskSettings,
}

/// An environment that notebooks can run in, with its kernel.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The environment's name.
    pub id: String,
    /// Its folder.
    pub path: PathBuf,
    /// The folder that its distributions are installed in.
    pub(crate) site_packages: PathBuf,
    /// The folder of the kernel's own packages.
    pub(crate) kernel_packages: PathBuf,
    /// Keeps the environment from being pruned meanwhile; one of a capsule is nobody's to prune.
    _lease: Option<Arc<Lease>>,
    /// Full version of the interpreter.
    pub python: String,
    /// Installed distributions by normalised name.
    pub packages: BTreeMap<String, String>,
    /// How the kernel is started.
    pub kernel: Kernel,
}

impl Prepared {
    /// The interpreter's major and minor version.
    #[must_use]
    pub fn minor(&self) -> (u32, u32) {
        let mut parts = self.python.split('.').map(|part| part.parse().unwrap_or(0));
        (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
    }

    /// The lock as installed: one `name==version` a line.
    #[must_use]
    pub fn lock(&self) -> String {
        self.packages.iter().map(|(name, version)| format!("{name}=={version}\n")).collect()
    }

    /// The text of a lock from which the same environment is made, to put more on top of it.
    pub(crate) fn as_lock(&self) -> String {
        let (major, minor) = self.minor();
        format!("# python: {major}.{minor}\n{}", self.lock())
    }
}

impl Prepared {
    /// An environment beside the layer of its kernel.
    pub(crate) fn of(environment: &Environment, layer: &KernelLayer, lease: Option<Arc<Lease>>) -> Self {
        let packages = environment.lock.iter().filter_map(|line| line.split_once("=="));
        Prepared {
            id: environment.id.clone(),
            path: environment.path.clone(),
            site_packages: environment.site_packages.clone(),
            kernel_packages: layer.packages(),
            _lease: lease,
            python: environment.interpreter.version.to_string(),
            packages: packages.map(|(name, version)| (name.to_owned(), version.to_owned())).collect(),
            kernel: Kernel {
                argv: kernel_command(environment, layer),
                env: Vec::new(),
                read_only: bind_paths(environment, layer),
            },
        }
    }

    /// The interpreter's path, for commands that are no kernel.
    pub(crate) fn interpreter(&self) -> std::ffi::OsString {
        self.kernel.argv.first().map(std::ffi::OsString::from).unwrap_or_default()
    }
}

/// An environment that could not be built, for a reason that is not ours.
#[derive(Debug, Clone, thiserror::Error)]
#[error("environment cannot be built ({class}): {tail}")]
pub struct Unbuildable {
    /// A name for what was asked.
    pub id: String,
    /// The interpreter that was asked for.
    pub python: String,
    /// One requirement a line.
    pub requirements: String,
    /// The class of the failure.
    pub class: FailureClass,
    /// The distributions at fault, normalised; empty where the installer does not tell.
    pub distributions: Vec<String>,
    /// The last lines of what the tools said.
    pub tail: String,
}

/// Why an execution could not take place, or could not be kept. None of these is the notebook's fault, but for
/// [`LaboratoryError::Unbuildable`].
#[derive(Debug, thiserror::Error)]
pub enum LaboratoryError {
    /// No environment for a reason that a rerun would not mend.
    #[error(transparent)]
    Unbuildable(#[from] Box<Unbuildable>),
    /// The environment's machinery is broken: no uv, no folder for it.
    #[error("{0}")]
    Environment(String),
    /// The package index cannot be reached.
    #[error("{0}")]
    Index(String),
    /// There is no room on a disk of ours.
    #[error("{0}")]
    Disk(String),
    /// The run has waited for room long enough.
    #[error("{0}")]
    NoRoom(String),
    /// The machine had no memory left for a notebook that had not used up its own.
    #[error(
        "the machine ran out of memory when the notebook held {used} of its {limit} MiB: run fewer at a time (--jobs)"
    )]
    HostMemory {
        /// What it held at most, in MiB.
        used: u64,
        /// What it may hold, in MiB.
        limit: u64,
    },
    /// Its kernel was killed again and again, each time at another place.
    #[error(
        "the kernel was killed {times} times, hardly twice at the same place: see who kills processes on this machine"
    )]
    Killed {
        /// How often it was tried.
        times: u32,
    },
    /// The answers of a competition cannot be used.
    #[error("{0}")]
    Answers(String),
    /// The sandbox or the kernel's transport is broken.
    #[error(transparent)]
    Execute(#[from] nbrevive_execute::ExecuteError),
    /// A file or folder of ours cannot be used.
    #[error("cannot access {path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A model could not be asked: by its own trouble, or because a cap over several notebooks is reached.
    #[error("{0}")]
    Unasked(String),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] nbrevive_store::StoreError),
}

/// Everything that an execution needs.
#[derive(Debug)]
pub struct Laboratory {
    pub(crate) home: Home,
    pub(crate) index: Index,
    pub(crate) interpreters: Interpreters,
    pub(crate) settings: ExecutionSettings,
    /// What imports gave that were tried.
    pub(crate) trials: Mutex<HashMap<String, Vec<ImportResult>>>,
    /// Who hands out cores and memory; without one, executions share the machine.
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
        let home = Home::from_environment().map_err(|error| LaboratoryError::Environment(error.to_string()))?;
        nbrevive_sandbox::check(&settings.backend)
            .map_err(|missing| LaboratoryError::Execute(nbrevive_sandbox::SandboxStartError::from(missing).into()))?;
        if let Some(unseen) = nbrevive_sandbox::unseen().filter(|_| settings.backend.isolates()) {
            tracing::warn!("{unseen}");
        }
        let wanted = Limits { disk_reserve_bytes: settings.disk.reserve(), ..limits(&settings.limits) };
        let (limits, notices) = wanted.fitted_to_machine();
        sweep();
        let index_settings = IndexSettings { offline: settings.offline, ..IndexSettings::default() };
        Ok(Laboratory {
            index: Index::open(&home, index_settings),
            interpreters: Interpreters::of_machine(&home),
            home,
            settings: ExecutionSettings {
                limits,
                backend: settings.backend.clone(),
                seed: settings.seed,
                ..ExecutionSettings::default()
            },
            trials: Mutex::default(),
            scheduler: None,
            tools: OnceLock::new(),
            notices,
        })
    }

    /// What of the limits this machine does not have.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The interpreters of this machine.
    #[must_use]
    pub fn interpreters(&self) -> &Interpreters {
        &self.interpreters
    }

    /// The sandbox's name, for hashes of settings.
    pub(crate) fn backend_word(&self) -> String {
        match &self.settings.backend {
            Backend::Bubblewrap => "bubblewrap".to_owned(),
            Backend::Oci(oci) => format!("oci {}", oci.image_id()),
            Backend::None => "none".to_owned(),
        }
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
        Grader::of(competition, prepared).map_err(|error| LaboratoryError::Answers(error.to_string()))
    }

    /// The environment of a lock file, with `extra` requirements installed on top.
    ///
    /// # Errors
    /// When the lock cannot be read or the environment cannot be built.
    pub fn from_lock(&self, lock: &Path, extra: &[NamedRequirement]) -> Result<Prepared, LaboratoryError> {
        self.from_lock_text(&lock_text(lock)?, extra)
    }

    /// The environment of a lock's text with what a notebook installs.
    pub(crate) fn with_installs(&self, lock: &str, installs: &Installs) -> Result<Prepared, LaboratoryError> {
        self.extended(lock, &installs.requirements, &installs.fetched)
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

    fn extended(
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
        Builder::new(&self.home, &self.interpreters, BuildSettings { workshop, ..BuildSettings::default() })
    }

    pub(crate) fn with_kernel(
        &self,
        builder: &Builder<'_>,
        environment: &Environment,
        lease: Lease,
    ) -> Result<Prepared, LaboratoryError> {
        let layer = KernelLayer::ensure(builder, &environment.interpreter)
            .map_err(|error| LaboratoryError::Environment(error.to_string()))?;
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
            let prepared = self.from_lock_text(nbrevive_repair::tools::LOCK, &[]).map_err(|error| error.to_string());
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
    let mebibyte = 1 << 20;
    Limits {
        wall_clock: limits.wall_clock(),
        cpu_time: limits.cpu_seconds.map(Duration::from_secs_f64),
        memory_bytes: limits.memory_mib * mebibyte,
        processes: limits.processes,
        cores: limits.cores,
        disk_bytes: limits.disk_mib * mebibyte,
        file_bytes: limits.disk_mib * mebibyte,
        ..Limits::default()
    }
}

pub(crate) fn unplanned(error: &PlanError) -> LaboratoryError {
    match error {
        PlanError::NoInterpreter(missing) => {
            unbuildable(FailureClass::NoInterpreter, &missing.minor.to_string(), "", &missing.to_string())
        }
        PlanError::Major(major) => unbuildable(FailureClass::NoInterpreter, &major.to_string(), "", &error.to_string()),
        PlanError::TooEarly { .. } | PlanError::Future(_) => {
            unbuildable(FailureClass::NoInterpreter, "", "", &error.to_string())
        }
        PlanError::Index(_) => LaboratoryError::Index(chain(error)),
    }
}

/// The text of a lock file.
pub(crate) fn lock_text(lock: &Path) -> Result<String, LaboratoryError> {
    nbrevive_files::read_text(lock, LONGEST_LOCK)
        .map_err(|error| LaboratoryError::Io { path: lock.to_owned(), source: error.into() })
}

pub(crate) fn unbuilt(error: BuildError, python: &str, requirements: &str) -> LaboratoryError {
    match error {
        BuildError::Failed(failed) => match failed.class {
            // Not the environment's fault: the job is left undone, and the next run tries again.
            FailureClass::IndexUnreachable => LaboratoryError::Index(failed.to_string()),
            FailureClass::DiskFull => LaboratoryError::Disk(failed.to_string()),
            class => {
                let distributions = failed.distributions;
                Box::new(Unbuildable { distributions, ..described(class, python, requirements, &failed.tail) }).into()
            }
        },
        BuildError::Lock(_) | BuildError::Tool(_) | BuildError::Home(_) => LaboratoryError::Environment(chain(&error)),
    }
}

pub(crate) fn unbuildable(class: FailureClass, python: &str, requirements: &str, tail: &str) -> LaboratoryError {
    Box::new(described(class, python, requirements, tail)).into()
}

/// A failed build that blames no distribution.
fn described(class: FailureClass, python: &str, requirements: &str, tail: &str) -> Unbuildable {
    let id = content_hash(format!("{python}\n{requirements}").as_bytes())[..20].to_owned();
    Unbuildable {
        id,
        python: python.to_owned(),
        requirements: requirements.to_owned(),
        class,
        distributions: Vec::new(),
        tail: tail.to_owned(),
    }
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
