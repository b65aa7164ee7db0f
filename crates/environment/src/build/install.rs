//! Makes a virtual environment and installs into it: uv where it can, the pip of the interpreter's era elsewhere.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nbrevive_notebook::PythonVersion;

use super::installed::{installed, same_version};
use super::lockfile::LockFile;
use super::{BuildError, BuildFailed, Builder, FailureClass};
use crate::eras::{self, GPU_ONLY, NEVER_FROM_SOURCE};
use crate::home::{self, FileLock};
use crate::index::IndexAddress;
use crate::interpreter::{Interpreter, Interpreters};
use crate::link::Fetched;
use crate::planned::{EnvironmentPlan, Line, PlanReason, Wheels};
use crate::process::{Finished, Limits};
use crate::requirement::NamedRequirement;
use crate::tools::{self, ToolError, ensure_uv, run, run_holding, uv, virtualenv};

/// The file that installers are given, one requirement a line: they name it where they fail.
pub const REQUIREMENTS_FILE: &str = "nbrevive-requirements.txt";

/// Runs a pip from elsewhere for an environment of which nothing runs.
const RUN_PIP: &str = include_str!("../../data/run_pip.py");
/// Compiles without the current folder, which `-m` would put first.
const COMPILE: &str = "import sys; del sys.path[0]; import compileall; sys.exit(not compileall.main())";
/// What is not compiled: distributions' own tests, a third to a half of many, and pip, half of what an environment of Python 2 has at first
/// and which few notebooks import.
const SELDOM_USED: &str = "site-packages/(pip/|.*/tests?/)";
/// Most memory for compiling: a line such as `x = 2 ** 10 ** 10` is computed by some compilers.
const COMPILE_MEMORY: u64 = 4 << 30;

/// One build under way.
pub(crate) struct Install<'build> {
    pub(crate) builder: &'build Builder<'build>,
    pub(crate) interpreter: &'build Interpreter,
    /// The environment's folder.
    pub(crate) path: &'build Path,
    pub(crate) uv: PathBuf,
    /// The lock of the environment, which every program that writes to it holds too.
    lock: &'build FileLock,
    /// Each tool reads a configuration of its own: both get the same address.
    index: Option<IndexAddress>,
    /// What source archives were built with so far, `name==version`.
    pub(crate) built_with: RefCell<BTreeSet<String>>,
    started: Instant,
    /// How long archives took to be built, each within a limit of its own.
    pub(crate) apart: Cell<Duration>,
}

/// Which tool installed, and why that one.
pub(crate) struct Installed {
    pub(crate) tool: String,
    pub(crate) why: String,
}

impl<'build> Install<'build> {
    pub(crate) fn new(
        builder: &'build Builder<'build>,
        interpreter: &'build Interpreter,
        path: &'build Path,
        (lock, started): (&'build FileLock, Instant),
    ) -> Result<Self, BuildError> {
        let uv = ensure_uv(builder.home, builder.interpreters)?;
        Ok(Self {
            builder,
            interpreter,
            path,
            uv,
            lock,
            index: builder.index(),
            built_with: RefCell::default(),
            started,
            apart: Cell::default(),
        })
    }

    /// Installs a lock as it is: nothing is resolved.
    pub(crate) fn lock(&self, lock: &LockFile) -> Result<Installed, BuildError> {
        self.fresh()?;
        let file = self.requirements(&lock.lines.join("\n"))?;
        let why = "a lock needs no resolution".to_owned();
        let uv_knows = self.interpreter.is_modern();
        if !lock.lines.is_empty() {
            self.install(&lock.lines, &[], &[], || {
                let mut command = self.installer_of(self.path)?;
                command.args(["--no-deps", "-r"]).arg(&file);
                Ok(command)
            })?;
        }
        Ok(Installed { tool: if uv_knows { "uv" } else { "pip" }.into(), why })
    }

    /// Installs a lock as it is and what a notebook installs for itself on top, as its own pip would: a requirement
    /// may replace a version of the lock.
    pub(crate) fn extended(
        &self,
        lock: &LockFile,
        extra: &[NamedRequirement],
        fetched: &[Fetched],
    ) -> Result<Installed, BuildError> {
        let installed = self.lock(lock)?;
        let extra = [extra, &self.fetched(fetched)?].concat();
        let why = "the notebook's own requirements on top of a lock".to_owned();
        if extra.is_empty() {
            return Ok(Installed { why, ..installed });
        }
        let only_binary = only_binary(&[]);
        let lines: Vec<String> = extra.iter().map(ToString::to_string).collect();
        self.install(&lines, &extra, &only_binary, || {
            let mut command = self.installer_of(self.path)?;
            if self.interpreter.is_modern() {
                self.without_gpu_only(&mut command)?;
            }
            for name in &only_binary {
                command.arg("--only-binary").arg(name);
            }
            Ok(command)
        })?;
        Ok(Installed { why, ..installed })
    }

    /// Resolves and installs a plan.
    pub(crate) fn plan(&self, plan: &EnvironmentPlan) -> Result<Installed, BuildError> {
        let only_binary = only_binary(&plan.lines);
        let requirements = plan.requirements_text();
        let lines: Vec<String> = requirements.lines().map(str::to_owned).collect();
        let minor = self.interpreter.minor();
        let mut why = if self.interpreter.is_modern() {
            format!("uv misreads the metadata of distributions of the time of Python {minor}")
        } else {
            format!("uv does not know Python {minor}")
        };
        self.build_planned(plan)?;
        if !eras::seeds(minor).pip_first {
            match self.plan_with_uv(plan, &requirements, &only_binary) {
                Ok(None) => {
                    return Ok(Installed { tool: "uv".into(), why: "every planned version was installed".into() });
                }
                Ok(Some(difference)) => why = format!("uv did not keep to the plan: {difference}"),
                Err(BuildError::Failed(failed))
                    if failed.class.is_spurious() || failed.class == FailureClass::Timeout =>
                {
                    return Err(failed.into());
                }
                Err(BuildError::Failed(failed)) => why = format!("uv failed ({})", failed.class),
                Err(other) => return Err(other),
            }
            tracing::debug!(why, "building again with pip");
        }
        self.fresh_with_seeds()?;
        let file = self.requirements(&requirements)?;
        if plan.lines.is_empty() {
            return Ok(Installed { tool: "pip".into(), why });
        }
        self.install(&lines, &[], &only_binary, || {
            let mut command = self.pip_of(self.path)?;
            command.arg("-r").arg(&file).arg("--only-binary").arg(only_binary.join(","));
            Ok(command)
        })?;
        Ok(Installed { tool: "pip".into(), why })
    }

    /// Tries uv; the first difference to the plan, if any, is returned.
    fn plan_with_uv(
        &self,
        plan: &EnvironmentPlan,
        requirements: &str,
        only_binary: &[String],
    ) -> Result<Option<String>, BuildError> {
        self.fresh_with_seeds()?;
        let file = self.requirements(requirements)?;
        if plan.lines.is_empty() {
            return Ok(None);
        }
        let lines: Vec<String> = requirements.lines().map(str::to_owned).collect();
        self.install(&lines, &[], only_binary, || {
            let mut command = self.uv_into(self.path);
            command.arg("-r").arg(&file);
            for name in only_binary {
                command.arg("--only-binary").arg(name);
            }
            self.without_gpu_only(&mut command)?;
            Ok(command)
        })?;
        let installed = installed(&site_packages(self.path, self.interpreter.minor()));
        let differs = |line: &&Line| {
            let planned = line.version.as_ref().filter(|_| line.reason != PlanReason::NotebookPin);
            let found = installed.get(&line.distribution);
            planned.is_some_and(|planned| !found.is_some_and(|found| same_version(planned, found)))
        };
        Ok(plan.lines.iter().find(differs).map(|line| {
            let found = installed.get(&line.distribution).map_or("nothing", String::as_str);
            format!("{} instead of {}", found, line.requirement())
        }))
    }

    /// A new virtual environment with the seeds of the interpreter's era.
    fn fresh_with_seeds(&self) -> Result<(), BuildError> {
        self.fresh()?;
        let seeds = eras::seeds(self.interpreter.minor()).lines;
        if seeds.is_empty() {
            return Ok(());
        }
        let mut command = self.uv_into(self.path);
        command.arg("--no-deps").args(seeds);
        self.must(&mut command, &[])
    }

    /// A new virtual environment. On Python 2 it holds pip, setuptools and wheel, elsewhere nothing.
    pub(crate) fn fresh(&self) -> Result<(), BuildError> {
        home::remove_folder(self.path)?;
        home::create_folder(self.path.parent().unwrap_or(self.path))?;
        if !self.interpreter.is_modern() {
            return Ok(make_with_virtualenv(self.builder, &self.uv, self.interpreter, self.path, self.left()?)?);
        }
        let mut command = uv(&self.uv, ["venv", "--no-project", "--python"]);
        command.arg(&self.interpreter.path).arg(self.path);
        self.must(&mut command, &[])
    }

    /// Compiles what is installed, since it is used often. With relative names in the compiled files, so that they
    /// are alike in every environment; Python puts the right ones in when it loads them.
    pub(crate) fn compile(&self) -> Result<(), BuildError> {
        // By the interpreter that the environment was made with, and without the packages in sight: what is installed may have code
        // that runs whenever its own interpreter starts.
        let mut command = Command::new(&self.interpreter.path);
        command.args(["-S", "-s", "-E", "-c", COMPILE, "-q", "-d", ".", "-x", SELDOM_USED]);
        if self.interpreter.is_modern() {
            command.args(["-j", "0"]);
        }
        command.arg(site_packages(self.path, self.interpreter.minor()));
        let limits = Limits { memory: Some(COMPILE_MEMORY), ..self.limits()? };
        // Some distributions carry files for other Pythons that do not compile: no reason to fail.
        run_holding(&mut command, limits, self.lock)?;
        Ok(())
    }

    fn requirements(&self, text: &str) -> Result<PathBuf, BuildError> {
        let path = self.path.join(REQUIREMENTS_FILE);
        home::write_atomically(&path, text.as_bytes())?;
        Ok(path)
    }

    /// What installs into any environment of this interpreter.
    ///
    /// None starts the environment's own interpreter: what is installed already would run with it.
    pub(crate) fn installer_of(&self, environment: &Path) -> Result<Command, BuildError> {
        if self.interpreter.is_modern() { Ok(self.uv_into(environment)) } else { self.pip_of(environment) }
    }

    pub(crate) fn uv_into(&self, environment: &Path) -> Command {
        // Linked from uv's cache: hundreds of environments hold one file once. uv copies where it cannot link.
        let mut command = uv(&self.uv, ["pip", "install", "--link-mode", "hardlink", "--python"]);
        command.arg(&self.interpreter.path).arg("--prefix").arg(environment);
        self.with_index(&mut command);
        command
    }

    pub(crate) fn pip_of(&self, environment: &Path) -> Result<Command, BuildError> {
        let minor = self.interpreter.minor();
        let host = host(self.builder.interpreters, "pip")?;
        let pip = tools::pip(self.builder.home, &self.uv, eras::pip(minor), host, self.left()?)?;
        let mut command = Command::new(&self.interpreter.path);
        command
            .args(["-S", "-s", "-E", "-c", RUN_PIP])
            .arg(pip)
            .arg(environment)
            .arg(site_packages(environment, minor));
        command.arg(if self.workshop().is_some() { "wheels" } else { "builds" });
        command.args(["install", "--disable-pip-version-check", "--no-input", "--no-compile"]);
        command.args(["--no-warn-script-location", "--progress-bar", "off"]);
        for variable in ["PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_NO_DEPS", "VIRTUAL_ENV"] {
            command.env_remove(variable);
        }
        self.with_index(&mut command);
        Ok(command)
    }

    fn with_index(&self, command: &mut Command) {
        if let Some(index) = &self.index {
            command.env("UV_DEFAULT_INDEX", index.with_credentials()).env("PIP_INDEX_URL", index.with_credentials());
        }
    }

    /// Keeps uv from installing what only serves GPUs, where there is none: a marker that never holds takes a
    /// distribution out of every resolution.
    fn without_gpu_only(&self, command: &mut Command) -> Result<(), BuildError> {
        if self.builder.settings.gpu.unwrap_or_else(eras::has_gpu) {
            return Ok(());
        }
        let text: String = GPU_ONLY.iter().map(|name| format!("{name} ; sys_platform == 'none'\n")).collect();
        let overrides = self.path.join("nbrevive-overrides.txt");
        home::write_atomically(&overrides, text.as_bytes())?;
        command.arg("--override").arg(overrides);
        Ok(())
    }

    /// What is left of the time limit.
    pub(crate) fn left(&self) -> Result<Duration, BuildError> {
        let left = (self.builder.settings.time_limit + self.apart.get()).saturating_sub(self.started.elapsed());
        if left.is_zero() {
            Err(BuildFailed::new(FailureClass::Timeout, "no time left for the next step").into())
        } else {
            Ok(left)
        }
    }

    fn limits(&self) -> Result<Limits, BuildError> {
        Ok(Limits { written: Some(self.builder.settings.most_written), ..Limits::time(self.left()?) })
    }

    /// Runs a step that has to succeed.
    pub(crate) fn must(&self, command: &mut Command, only_binary: &[String]) -> Result<(), BuildError> {
        let finished: Finished = run_holding(command, self.limits()?, self.lock)?;
        match finished {
            Finished { too_much: true, .. } => {
                let most = self.builder.settings.most_written >> 20;
                let words = format!("{}\nthe installer wrote more than {most} MiB and was stopped", finished.text());
                Err(BuildFailed::new(FailureClass::Other, &words).into())
            }
            Finished { success: true, .. } => Ok(()),
            Finished { timed_out: true, .. } => Err(BuildFailed::new(FailureClass::Timeout, &finished.text()).into()),
            failed => Err(BuildFailed::from_output(&failed.text(), only_binary).into()),
        }
    }
}

/// Makes an environment for a Python that uv refuses.
pub(crate) fn make_with_virtualenv(
    builder: &Builder<'_>,
    uv: &Path,
    interpreter: &Interpreter,
    path: &Path,
    limit: Duration,
) -> Result<(), ToolError> {
    let host = host(builder.interpreters, "virtualenv")?;
    let packages = virtualenv(builder.home, uv, host, limit)?;
    let mut command = Command::new(&host.path);
    command.env("PYTHONPATH", packages).env_remove("VIRTUALENV_PYTHON").current_dir("/");
    command
        // Copies: through a linked folder a wheel would be written into the interpreter that the environment is made with.
        .args(["-s", "-m", "virtualenv", "--copies", "--no-download", "--no-periodic-update", "-p"])
        .arg(&interpreter.path)
        .arg(path);
    let finished = run(&mut command, limit)?;
    if finished.success {
        Ok(())
    } else {
        Err(ToolError::Install {
            tool: "a virtual environment for Python 2",
            tail: crate::tools::tail(&finished.text()),
        })
    }
}

/// The interpreter that runs a tool.
fn host<'all>(interpreters: &'all Interpreters, tool: &'static str) -> Result<&'all Interpreter, ToolError> {
    tools::host(interpreters).ok_or_else(|| ToolError::Install { tool, tail: "it needs a Python 3 to run on".into() })
}

/// The environment's interpreter.
pub(crate) fn python(path: &Path) -> PathBuf {
    path.join("bin/python")
}

/// The environment's folder of packages.
pub(crate) fn site_packages(path: &Path, minor: PythonVersion) -> PathBuf {
    path.join(format!("lib/python{minor}/site-packages"))
}

/// Distributions that are only taken as wheels: those of the table, and planned ones that published wheels of
/// which none fits.
fn only_binary(lines: &[Line]) -> Vec<String> {
    let unfitting = lines.iter().filter(|line| line.wheels == Wheels::NoneFits).map(|line| line.distribution.clone());
    let mut names: Vec<String> = NEVER_FROM_SOURCE.iter().map(ToString::to_string).chain(unfitting).collect();
    names.sort();
    names.dedup();
    names
}
