//! Materialises environments: one folder each, named by the hash of its content, shared read-only from then on.
//!
//! `<home>/environments/<id>/` is a virtual environment; its last file, `nbrevive-environment.json`, says what was
//! installed, by which tool and why, and its presence means that the folder is complete. A failure that another
//! run would meet again is kept as `<id>.failed.json`. Builders of one id wait for each other at `<id>.lock`, which the
//! programs that write hold as well: when a builder is killed, the next one waits for what it left running, and then
//! begins anew. Whoever uses an environment shares that lock ([`Lease`]), so that it is not pruned.
//!
//! | file | purpose |
//! |---|---|
//! | `environment.rs` | the record of an environment |
//! | `lockfile.rs` | reads full locks |
//! | `pinned.rs`, `materialise.rs` | exact versions, installed as they are and compared |
//! | `install.rs` | virtual environment and installation |
//! | `workshop.rs`, `sources.rs`, `apart.rs`, `built_wheels.rs` | source archives, built apart from the installers |
//! | `fetched.rs` | files from hosts that a study allows |
//! | `installed.rs` | what an environment holds |
//! | `content.rs` | large files kept once |
//! | `folder.rs` | what the files in an environment's folder say of it |
//! | `packed.rs` | environments in one file each, for machines that unpack them |
//! | `lease.rs`, `shelf.rs` | environments in use, listed, pruned |
//! | `failure.rs`, `rules.rs`, `culprits.rs` | classes of failures, and whom the installer blames |

mod apart;
mod built_wheels;
mod content;
mod culprits;
mod environment;
mod examine;
mod failure;
mod fetched;
mod install;
mod installed;
mod lease;
mod lockfile;
mod manifest;
mod materialise;
mod packed;
mod pinned;
mod rules;
mod scripts;
mod shelf;
mod sources;
mod workshop;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;

pub use crate::failure_class::FailureClass;
pub use built_wheels::BuiltWheels;
pub use environment::Environment;
pub use failure::BuildFailed;
pub use install::REQUIREMENTS_FILE;
pub(crate) use install::make_with_virtualenv;
pub use lease::Lease;
pub use lockfile::{LockError, LockFile};
pub use manifest::kept;
pub(crate) use packed::{pack_layer, unpack_layer};
pub use pinned::{Pinned, PinnedFile, PinnedSet};
pub use shelf::{EnvironmentInfo, PruneReport, PruneSettings, environments};
pub use workshop::{BUILD_FOLDER, BuildEnd, BuildJob, Workshop};

use crate::home::{self, FileLock, Home, HomeError};
use crate::index::{IndexAddress, Patience, chance, patience};
use crate::interpreter::{Interpreter, Interpreters};
use crate::link::Fetched;
use crate::planned::{EnvironmentPlan, Strategy};
use crate::requirement::NamedRequirement;
use crate::tools::ToolError;
use install::{Install, python, site_packages};
use installed::installed;
use manifest::{COMPILED, MANIFEST, is_compiled, lock_path, read_json, ready, touch, write_json};

/// Raised whenever the same specification would be built differently, so that old folders are not taken for new.
const REVISION: u32 = 2;
/// Raised whenever more can be built than before, so that what could not be is tried again.
const ABILITY: u32 = 1;
/// The file whose presence means that nobody has used an environment yet.
const AHEAD: &str = "nbrevive-ahead";

/// What to materialise.
#[derive(Debug, Clone, Copy)]
pub enum Spec<'spec> {
    /// A full lock: a header `# python: 3.12`, then `name==version` lines. Installed as it is, byte-compiled.
    Lock(&'spec str),
    /// A full lock with what a notebook installs for itself on top: the lock as it is, then the requirements resolved.
    Extended {
        /// The lock's text.
        lock: &'spec str,
        /// What is put on top.
        extra: &'spec [NamedRequirement],
        /// Files that were fetched for it, installed before those. Only where there is a [`Workshop`].
        fetched: &'spec [Fetched],
    },
    /// A plan: the bounds of `paper` are resolved now, the versions of `dated` are installed as they are. Not
    /// byte-compiled, for it serves few runs.
    Plan(&'spec EnvironmentPlan),
    /// Exact versions: installed as they are and compared with what was asked for. Not byte-compiled either.
    Pinned(&'spec PinnedSet),
}

/// How environments are built.
#[derive(Debug, Clone)]
pub struct BuildSettings {
    /// Longest time for one environment, all steps together but for the archives that are built for it, of which each may take as long. Default
    /// 600 s.
    pub time_limit: Duration,
    /// Failures that were kept before are tried again. `None` (default): none is.
    pub failures_since: Option<SystemTime>,
    /// Most bytes that one run of an installer may write, unpacked files and downloads together: what a wheel holds is known when it
    /// is unpacked. Default 32 GiB.
    pub most_written: u64,
    /// Whether distributions that only serve GPUs are installed; `None` (default): where there is one.
    pub gpu: Option<bool>,
    /// The index to install from; `None` (default): the configured one.
    pub index: Option<IndexAddress>,
    /// How often a build is tried that fails for want of the index ([`FailureClass::is_retried`]), within the time
    /// limit. Default: 3 tries, 2 s and 4 s apart, half of each pause left to chance. (Installers try single requests
    /// again themselves.)
    pub retry: Patience,
    /// Where source archives are built. `None` (default): by the installers themselves, with the user's rights, for who trusts
    /// what is installed.
    pub workshop: Option<Arc<dyn Workshop>>,
    /// The wheels that the workshop built. Default: none yet.
    pub built_wheels: Arc<BuiltWheels>,
}

impl Default for BuildSettings {
    fn default() -> Self {
        let retry = Patience { attempts: 3, delay: Duration::from_secs(2), ..patience() };
        Self {
            time_limit: Duration::from_secs(600),
            most_written: 32 << 30,
            failures_since: None,
            gpu: None,
            index: None,
            retry,
            workshop: None,
            built_wheels: Arc::default(),
        }
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
    Extended(LockFile, &'spec [NamedRequirement], &'spec [Fetched]),
    Plan(&'spec EnvironmentPlan),
    Pinned(Cow<'spec, PinnedSet>),
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
        let built = self.build_or_wait(spec);
        built.map_err(|error| BuildFailed::of_full_disk(&error).map_or(error, BuildError::Failed))
    }

    fn build_or_wait(&self, spec: Spec<'_>) -> Result<Environment, BuildError> {
        let resolved = self.resolve(spec)?;
        let id = resolved.id();
        let path = self.home.environments().join(&id);
        if let Some(ready) = ready(&path) {
            touch(&path);
            self.compile_again_used(&ready);
            return Ok(ready);
        }
        // Twice the limit: the other builder's time, and what a program that it left behind may take.
        let patience = self.settings.time_limit.saturating_mul(2) + Duration::from_secs(10);
        let Some(lock) = home::lock_within(&lock_path(self.home, &id), patience)? else {
            let words = format!("another process has held {} for {patience:?}", lock_path(self.home, &id).display());
            return Err(BuildFailed::new(FailureClass::Timeout, &words).into());
        };
        if let Some(ready) = ready(&path) {
            touch(&path);
            return Ok(ready);
        }
        if let Some(unpacked) = packed::unpack(self.home, &id) {
            return Ok(unpacked);
        }
        let marker = self.home.packed().unwrap_or_else(|| self.home.environments()).join(format!("{id}.failed.json"));
        if let Some(failed) = self.kept_failure(&marker) {
            return Err(failed.into());
        }
        home::remove_file(&marker)?;
        let built = self.install_patiently(&resolved, &id, &path, &lock);
        if built.is_ok() {
            packed::pack(self.home, &id);
        }
        if let Err(error) = &built {
            // After a full disk every step may fail, this one too: the manifest is what counts, and it is not there.
            let removed = home::remove_folder(&path);
            if let BuildError::Failed(failed) = error
                && !failed.class.is_spurious()
            {
                removed?;
                write_json(&marker, &KeptFailure { ability: ABILITY, failed: failed.clone() })?;
            }
        }
        built
    }

    /// The failure that was kept, unless it is of before those that count.
    fn kept_failure(&self, marker: &Path) -> Option<BuildFailed> {
        let counts = |since| marker.metadata().and_then(|kept| kept.modified()).is_ok_and(|kept| kept >= since);
        let kept: Option<KeptFailure> =
            self.settings.failures_since.is_none_or(counts).then(|| read_json(marker)).flatten();
        kept.filter(|kept| kept.ability == ABILITY).map(|kept| kept.failed)
    }

    /// Notes that an environment was asked for ahead of its first use, which is not to be taken for one that comes again: what serves
    /// one run costs less uncompiled. In a home that may only be read it is not noted.
    pub fn built_ahead(&self, id: &str) {
        let path = self.home.environments().join(id);
        if !is_compiled(&path)
            && let Err(error) = home::write_atomically(&path.join(AHEAD), b"")
        {
            tracing::debug!(%error, id, "not noted that it was built ahead");
        }
    }

    /// Compiles an environment that is asked for again, where that was not done yet and nobody uses it at the moment.
    ///
    /// To compile all takes as long as two to three notebooks take to compile what they import, so that it is done for locks and
    /// for what comes again. That it cannot be done, in a home that may only be read perhaps, is no failure.
    fn compile_again_used(&self, environment: &Environment) {
        let compile = || {
            let path = lock_path(self.home, &environment.id);
            let Some(lock) = home::lock_within(&path, Duration::ZERO)? else { return Ok(()) };
            if is_compiled(&environment.path) || ready(&environment.path).is_none() {
                return Ok(());
            }
            let ahead = environment.path.join(AHEAD);
            if ahead.exists() {
                return Ok(home::remove_file(&ahead)?);
            }
            let install = Install::new(self, &environment.interpreter, &environment.path, (&lock, Instant::now()))?;
            self.compile(&install).map(drop)
        };
        if !is_compiled(&environment.path)
            && let Err(error) = compile()
        {
            let error: BuildError = error;
            tracing::debug!(%error, id = environment.id, "not compiled");
        }
    }

    /// Compiles what is installed, and shares it with other environments.
    fn compile(&self, install: &Install<'_>) -> Result<content::Shared, BuildError> {
        install.compile()?;
        let site_packages = site_packages(install.path, install.interpreter.minor());
        let shared = content::share(&site_packages, &self.home.content());
        home::write_atomically(&install.path.join(COMPILED), b"")?;
        Ok(shared)
    }

    /// Installs, again and again where the policy says so.
    fn install_patiently(
        &self,
        resolved: &Resolved<'_>,
        id: &str,
        path: &Path,
        lock: &FileLock,
    ) -> Result<Environment, BuildError> {
        let started = Instant::now();
        let mut tries = 0;
        loop {
            let built = self.install(resolved, id, path, (lock, started));
            let Err(BuildError::Failed(failed)) = &built else { return built };
            tries += 1;
            let pause = self.settings.retry.pause(tries, None, chance()).filter(|_| failed.class.is_retried());
            let Some(pause) = pause.filter(|pause| started.elapsed() + *pause < self.settings.time_limit) else {
                return built;
            };
            tracing::info!(id, class = %failed.class, tries, "trying again");
            std::thread::sleep(pause);
        }
    }

    fn resolve<'spec>(&self, spec: Spec<'spec>) -> Result<Resolved<'spec>, BuildError> {
        match spec {
            Spec::Plan(plan) if plan.strategy == Strategy::Dated => {
                if let Some(expected) = &plan.expected_failure {
                    return Err(BuildFailed::new(expected.class, &expected.words).into());
                }
                Ok(Resolved::of(Cow::Owned(PinnedSet::of_plan(plan)?)))
            }
            Spec::Plan(plan) => {
                let requested = plan.requirements_text().lines().map(str::to_owned).collect();
                Ok(Resolved { interpreter: plan.interpreter.clone(), requested, kind: Kind::Plan(plan) })
            }
            Spec::Pinned(set) => Ok(Resolved::of(Cow::Borrowed(set))),
            Spec::Lock(text) => self.resolve_lock(text, &[], &[]),
            Spec::Extended { lock, extra, fetched } => self.resolve_lock(lock, extra, fetched),
        }
    }

    fn resolve_lock<'spec>(
        &self,
        text: &str,
        extra: &'spec [NamedRequirement],
        fetched: &'spec [Fetched],
    ) -> Result<Resolved<'spec>, BuildError> {
        let lock = LockFile::read(text)?;
        let found = self.interpreters.find(lock.minor);
        let interpreter =
            found.map_err(|missing| BuildFailed::new(FailureClass::NoInterpreter, &missing.to_string()))?;
        let on_top = extra.iter().map(ToString::to_string).chain(fetched.iter().map(Fetched::requested));
        let requested = lock.lines.iter().cloned().chain(on_top).collect();
        let is_plain = extra.is_empty() && fetched.is_empty();
        let kind = if is_plain { Kind::Lock(lock) } else { Kind::Extended(lock, extra, fetched) };
        Ok(Resolved { interpreter, requested, kind })
    }

    fn install(
        &self,
        resolved: &Resolved<'_>,
        id: &str,
        path: &Path,
        (lock, started): (&FileLock, Instant),
    ) -> Result<Environment, BuildError> {
        tracing::info!(id, python = %resolved.interpreter.version, distributions = resolved.requested.len(), "building an environment");
        let install = Install::new(self, &resolved.interpreter, path, (lock, started))?;
        // A killed builder's, which held the lock before us.
        install.remove_builds()?;
        let done = match &resolved.kind {
            Kind::Lock(lock) => install.lock(lock),
            Kind::Extended(lock, extra, fetched) => install.extended(lock, extra, fetched),
            Kind::Plan(plan) => install.plan(plan),
            Kind::Pinned(set) => install.pinned(set),
        };
        let removed = install.remove_builds();
        let done = done?;
        removed?;
        let site_packages = site_packages(path, resolved.interpreter.minor());
        scripts::own_scripts(path)?;
        examine::examine(path, &resolved.interpreter)?;
        // Before compiling: a compiled file bears the time of its source, which a link may change.
        let mut shared = content::share(path, &self.home.content());
        if matches!(resolved.kind, Kind::Lock(_) | Kind::Extended(..)) {
            let compiled = self.compile(&install)?;
            shared = content::Shared { files: shared.files + compiled.files, bytes: shared.bytes + compiled.bytes };
        }
        tracing::debug!(id, files = shared.files, bytes = shared.bytes, "shared with other environments");
        let lock = installed(&site_packages).into_iter().map(|(name, version)| format!("{name}=={version}")).collect();
        let built_with = install.built_with.take().into_iter().collect();
        let environment = Environment {
            id: id.to_owned(),
            path: path.to_owned(),
            python: python(path),
            site_packages,
            interpreter: resolved.interpreter.clone(),
            requested: resolved.requested.clone(),
            lock,
            built_with,
            tool: done.tool,
            why: done.why,
            seconds: started.elapsed().as_secs_f64(),
            built: Timestamp::now(),
        };
        write_json(&path.join(MANIFEST), &environment)?;
        Ok(environment)
    }
}

/// A failure as it is kept, with what could be built then.
#[derive(serde::Serialize, serde::Deserialize)]
struct KeptFailure {
    #[serde(default)]
    ability: u32,
    #[serde(flatten)]
    failed: BuildFailed,
}

impl<'spec> Resolved<'spec> {
    fn of(set: Cow<'spec, PinnedSet>) -> Self {
        Self { interpreter: set.interpreter.clone(), requested: set.requested(), kind: Kind::Pinned(set) }
    }

    fn id(&self) -> String {
        let kind = match self.kind {
            Kind::Lock(_) => "lock",
            Kind::Extended(..) => "extended",
            Kind::Plan(_) => "plan",
            Kind::Pinned(_) => "pinned",
        };
        let content = format!("{REVISION}\n{kind}\n{}\n{}", self.interpreter.version, self.requested.join("\n"));
        blake3::hash(content.as_bytes()).to_hex()[..20].to_owned()
    }
}
