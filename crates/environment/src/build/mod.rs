//! Materialises environments: one folder each, named by the hash of its content, shared read-only from then on.
//!
//! `<home>/environments/<id>/` is a virtual environment; its last file, `nbrevive-environment.json`, says what was
//! installed, by which tool and why, and its presence means that the folder is complete. A failure that another
//! run would meet again is kept as `<id>.failed.json`. Builders of one id wait for each other at `<id>.lock`.
//!
//! | file | purpose |
//! |---|---|
//! | `lockfile.rs` | reads full locks |
//! | `eras.rs` | which pip and setuptools belong to which Python, what is never built |
//! | `install.rs` | virtual environment and installation |
//! | `installed.rs` | what an environment holds |
//! | `failure.rs` | classes of failures |

mod eras;
mod failure;
mod install;
mod installed;
mod lockfile;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub(crate) use eras::NEVER_FROM_SOURCE;
pub use failure::{BuildFailed, FailureClass};
pub(crate) use install::make_with_virtualenv;
pub use lockfile::LockError;

use crate::home::{self, Home, HomeError};
use crate::index::IndexAddress;
use crate::interpreter::{Interpreter, Interpreters};
use crate::plan::Plan;
use crate::tools::ToolError;
use install::{Install, python, site_packages};
use installed::installed;
use lockfile::LockFile;

/// Raised whenever the same specification would be built differently, so that old folders are not taken for new.
const REVISION: u32 = 1;
/// The file whose presence means that an environment is complete.
const MANIFEST: &str = "nbrevive-environment.json";

/// What to materialise.
#[derive(Debug, Clone, Copy)]
pub enum Spec<'spec> {
    /// A full lock: a header `# python: 3.12`, then `name==version` lines. Installed as it is, byte-compiled.
    Lock(&'spec str),
    /// A full lock with what a notebook installs for itself on top: the lock as it is, then the requirements resolved.
    Extended {
        /// The lock's text.
        lock: &'spec str,
        /// Requirements (PEP 508).
        extra: &'spec [String],
    },
    /// A plan: its bounds are resolved now. Not byte-compiled, for it serves few runs.
    Plan(&'spec Plan),
}

/// How environments are built.
#[derive(Debug, Clone)]
pub struct BuildSettings {
    /// Longest time for one environment, all steps together. Default 600 s.
    pub time_limit: Duration,
    /// Whether a kept failure is tried again. Default false.
    pub retry_failed: bool,
    /// Whether distributions that only serve GPUs are installed; `None` (default): where there is one.
    pub gpu: Option<bool>,
    /// The index to install from; `None` (default): the configured one.
    pub index: Option<IndexAddress>,
}

impl Default for BuildSettings {
    fn default() -> Self {
        Self { time_limit: Duration::from_secs(600), retry_failed: false, gpu: None, index: None }
    }
}

/// A materialised environment. Nothing writes to it any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Hash of the interpreter's version and of what was asked for, 20 hexadecimal digits.
    pub id: String,
    /// The folder.
    pub path: PathBuf,
    /// Its interpreter.
    pub python: PathBuf,
    /// Its folder of packages.
    pub site_packages: PathBuf,
    /// The base interpreter.
    pub interpreter: Interpreter,
    /// What was asked for: `name==version` lines of a lock, bounds of a plan.
    pub requested: Vec<String>,
    /// Everything installed, `name==version`, sorted.
    pub lock: Vec<String>,
    /// The installer: `uv` or `pip`.
    pub tool: String,
    /// Why that installer.
    pub why: String,
    /// Seconds that the build took.
    pub seconds: f64,
    /// When it was finished.
    pub built: Timestamp,
}

impl Environment {
    /// Full version of the interpreter, such as 3.9.18.
    #[must_use]
    pub fn interpreter_version(&self) -> &pep440_rs::Version {
        &self.interpreter.version
    }

    /// Installed version of a distribution, by normalised name.
    #[must_use]
    pub fn version_of(&self, distribution: &str) -> Option<&str> {
        self.lock
            .iter()
            .find_map(|line| line.split_once("==").filter(|(name, _)| *name == distribution))
            .map(|(_, version)| version)
    }
}

/// No environment came of it.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The installation failed; an outcome of the study.
    #[error(transparent)]
    Failed(#[from] BuildFailed),
    /// The lock cannot be used.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A helper program is missing or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The home could not be read or written.
    #[error(transparent)]
    Home(#[from] HomeError),
}

/// Builds environments below one home. Usable from several threads and processes at once.
#[derive(Debug)]
pub struct Builder<'builder> {
    home: &'builder Home,
    interpreters: &'builder Interpreters,
    settings: BuildSettings,
}

/// A specification with its interpreter found.
struct Resolved<'spec> {
    interpreter: Interpreter,
    requested: Vec<String>,
    kind: Kind<'spec>,
}

enum Kind<'spec> {
    Lock(LockFile),
    Extended(LockFile, &'spec [String]),
    Plan(&'spec Plan),
}

impl<'builder> Builder<'builder> {
    /// A builder.
    #[must_use]
    pub fn new(home: &'builder Home, interpreters: &'builder Interpreters, settings: BuildSettings) -> Self {
        Self { home, interpreters, settings }
    }

    /// The index that it installs from, where one is configured.
    pub(crate) fn index(&self) -> Option<IndexAddress> {
        self.settings.index.clone().or_else(IndexAddress::configured)
    }

    /// The home that it builds below.
    #[must_use]
    pub fn home(&self) -> &Home {
        self.home
    }

    /// The interpreters that it builds with.
    #[must_use]
    pub fn interpreters(&self) -> &Interpreters {
        self.interpreters
    }

    /// The environment of a specification: the one that is there, else a new one.
    ///
    /// # Errors
    /// [`BuildError::Failed`] with a class when the environment cannot be had (kept, unless it is about the machine
    /// or the hour); the other variants when building could not be tried.
    pub fn build(&self, spec: Spec<'_>) -> Result<Environment, BuildError> {
        let resolved = self.resolve(spec)?;
        let id = resolved.id();
        let path = self.home.environments().join(&id);
        if let Some(ready) = ready(&path) {
            return Ok(ready);
        }
        let _lock = home::lock(&self.home.environments().join(format!("{id}.lock")))?;
        if let Some(ready) = ready(&path) {
            return Ok(ready);
        }
        let marker = self.home.environments().join(format!("{id}.failed.json"));
        if !self.settings.retry_failed
            && let Some(failed) = read_json::<BuildFailed>(&marker)
        {
            return Err(failed.into());
        }
        home::remove_file(&marker)?;
        let built = self.install(&resolved, &id, &path);
        if let Err(BuildError::Failed(failed)) = &built {
            home::remove_folder(&path)?;
            if !failed.class.is_spurious() {
                write_json(&marker, failed)?;
            }
        }
        built
    }

    fn resolve<'spec>(&self, spec: Spec<'spec>) -> Result<Resolved<'spec>, BuildError> {
        match spec {
            Spec::Plan(plan) => {
                let requested = plan.requirements_text().lines().map(str::to_owned).collect();
                Ok(Resolved { interpreter: plan.interpreter.clone(), requested, kind: Kind::Plan(plan) })
            }
            Spec::Lock(text) => self.resolve_lock(text, &[]),
            Spec::Extended { lock, extra } => self.resolve_lock(lock, extra),
        }
    }

    fn resolve_lock<'spec>(&self, text: &str, extra: &'spec [String]) -> Result<Resolved<'spec>, BuildError> {
        let lock = LockFile::read(text)?;
        let found = self.interpreters.find(lock.minor);
        let interpreter =
            found.map_err(|missing| BuildFailed::new(FailureClass::NoInterpreter, &missing.to_string()))?;
        let requested = lock.lines.iter().chain(extra).cloned().collect();
        let kind = if extra.is_empty() { Kind::Lock(lock) } else { Kind::Extended(lock, extra) };
        Ok(Resolved { interpreter, requested, kind })
    }

    fn install(&self, resolved: &Resolved<'_>, id: &str, path: &Path) -> Result<Environment, BuildError> {
        let started = Instant::now();
        tracing::info!(id, python = %resolved.interpreter.version, distributions = resolved.requested.len(), "building an environment");
        let install = Install::new(self, &resolved.interpreter, path)?;
        let done = match &resolved.kind {
            Kind::Lock(lock) => install.lock(lock)?,
            Kind::Extended(lock, extra) => install.extended(lock, extra)?,
            Kind::Plan(plan) => install.plan(plan)?,
        };
        let site_packages = site_packages(path, resolved.interpreter.minor());
        let lock = installed(&site_packages).into_iter().map(|(name, version)| format!("{name}=={version}")).collect();
        let environment = Environment {
            id: id.to_owned(),
            path: path.to_owned(),
            python: python(path),
            site_packages,
            interpreter: resolved.interpreter.clone(),
            requested: resolved.requested.clone(),
            lock,
            tool: done.tool,
            why: done.why,
            seconds: started.elapsed().as_secs_f64(),
            built: Timestamp::now(),
        };
        write_json(&path.join(MANIFEST), &environment)?;
        Ok(environment)
    }
}

impl Resolved<'_> {
    fn id(&self) -> String {
        let kind = match self.kind {
            Kind::Lock(_) => "lock",
            Kind::Extended(..) => "extended",
            Kind::Plan(_) => "plan",
        };
        let content = format!("{REVISION}\n{kind}\n{}\n{}", self.interpreter.version, self.requested.join("\n"));
        blake3::hash(content.as_bytes()).to_hex()[..20].to_owned()
    }
}

/// The environment in a folder, if it is complete, at its place, and its interpreter still there.
fn ready(path: &Path) -> Option<Environment> {
    let environment: Environment = read_json(&path.join(MANIFEST))?;
    (environment.path == path && environment.python.exists()).then_some(environment)
}

fn read_json<Content: serde::de::DeserializeOwned>(path: &Path) -> Option<Content> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn write_json(path: &Path, content: &impl Serialize) -> Result<(), HomeError> {
    let text = serde_json::to_vec_pretty(content).expect("these records have only string keys");
    home::write_atomically(path, &text)
}
