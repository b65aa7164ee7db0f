//! The kernel's own packages, in a layer apart from every environment.
//!
//! One layer a Python minor, from the pinned sets in `data/kernels/`, lies below `<home>/kernels/<minor>-<hash>/`
//! together with the launcher (`data/launch_kernel.py`), which puts the layer before the environment while the
//! kernel is imported and behind it afterwards. So an environment holds what the notebook needs and nothing else
//! changes it. Left out of the sets: debugpy, jedi and parso, without which a kernel starts and runs. In them, though no kernel
//! needs them: nbformat and ipywidgets, which come with every Jupyter, so that libraries take them for granted (plotly shows no
//! figure without nbformat, tqdm no bar without ipywidgets) and notebooks seldom import them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nbrevive_notebook::PythonVersion;

use crate::build::{BuildError, Builder, Environment, Spec, pack_layer, unpack_layer};
use crate::home::{self, Home, HomeError, create_folder, lock, remove_folder, write_atomically};
use crate::interpreter::{Interpreter, interpreter_paths};
use crate::tools::{ToolError, ensure_uv, run, tail, uv};

const LAUNCHER: &str = include_str!("../data/launch_kernel.py");
const LAUNCHER_NAME: &str = "launch_kernel.py";
/// The file whose presence means that a layer is complete.
const COMPLETE: &str = "complete";
/// Longest time to install a layer of wheels.
const LIMIT: Duration = Duration::from_secs(600);

/// The pinned sets, one a minor.
const SETS: [(PythonVersion, &str); 10] = [
    (PythonVersion::new(2, 7), include_str!("../data/kernels/2.7.lock")),
    (PythonVersion::new(3, 6), include_str!("../data/kernels/3.6.lock")),
    (PythonVersion::new(3, 7), include_str!("../data/kernels/3.7.lock")),
    (PythonVersion::new(3, 8), include_str!("../data/kernels/3.8.lock")),
    (PythonVersion::new(3, 9), include_str!("../data/kernels/3.9.lock")),
    (PythonVersion::new(3, 10), include_str!("../data/kernels/3.10.lock")),
    (PythonVersion::new(3, 11), include_str!("../data/kernels/3.11.lock")),
    (PythonVersion::new(3, 12), include_str!("../data/kernels/3.12.lock")),
    (PythonVersion::new(3, 13), include_str!("../data/kernels/3.13.lock")),
    (PythonVersion::new(3, 14), include_str!("../data/kernels/3.14.lock")),
];

/// The packages of a kernel and its launcher, installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelLayer {
    /// The minor it was installed for.
    pub minor: PythonVersion,
    /// The folder that holds both.
    pub path: PathBuf,
}

/// A kernel layer could not be had.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// No set of packages is known for the minor.
    #[error("no kernel packages are pinned for Python {0}: the minors are 2.7 and 3.6 to 3.14")]
    NoLayer(PythonVersion),
    /// The installation failed.
    #[error("kernel packages for Python {minor} not installed:\n{tail}")]
    Install {
        /// The minor.
        minor: PythonVersion,
        /// The end of the installer's output.
        tail: String,
    },
    /// A helper program is missing or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The home could not be read or written.
    #[error(transparent)]
    Home(#[from] HomeError),
}

impl KernelLayer {
    /// The layer for an interpreter's minor, installed on first need (some seconds) and byte-compiled.
    ///
    /// # Errors
    /// [`KernelError`]: an unknown minor, a missing tool, or an installation that failed.
    pub fn ensure(builder: &Builder<'_>, interpreter: &Interpreter) -> Result<Self, KernelError> {
        let (layer, name, set) = Self::known(builder.home(), interpreter)?;
        let kernels = builder.home().kernels();
        if layer.path.join(COMPLETE).exists() {
            return Ok(layer);
        }
        let _lock = lock(&kernels.join(format!("{name}.lock")))?;
        if !layer.path.join(COMPLETE).exists() && !unpack_layer(builder.home(), &name, &layer.path, COMPLETE) {
            layer.install(builder, interpreter, set)?;
            pack_layer(builder.home(), &name, &layer.path);
        }
        Ok(layer)
    }

    /// The lock of a minor's layer, whose packages a kernel of it needs; none where no set is pinned.
    #[must_use]
    pub fn pinned(minor: PythonVersion) -> Option<String> {
        let (_, set) = SETS.iter().find(|(known, _)| *known == minor)?;
        Some(format!("# python: {minor}\n{set}"))
    }

    /// The layer for an interpreter's minor, where it is installed.
    pub(crate) fn kept(home: &Home, interpreter: &Interpreter) -> Option<Self> {
        let (layer, ..) = Self::known(home, interpreter).ok()?;
        layer.path.join(COMPLETE).exists().then_some(layer)
    }

    /// Where the layer of a minor is or will be, its name, and the set of packages that it is made of.
    fn known(home: &Home, interpreter: &Interpreter) -> Result<(Self, String, &'static str), KernelError> {
        let minor = interpreter.minor();
        let set = SETS.iter().find(|set| set.0 == minor).map(|set| set.1).ok_or(KernelError::NoLayer(minor))?;
        let hash = blake3::hash(format!("{set}\n{LAUNCHER}").as_bytes()).to_hex();
        let name = format!("{minor}-{}", &hash[..12]);
        Ok((Self { minor, path: home.kernels().join(&name) }, name, set))
    }

    /// The folder of packages.
    #[must_use]
    pub fn packages(&self) -> PathBuf {
        self.path.join("packages")
    }

    /// The launcher script.
    #[must_use]
    pub fn launcher(&self) -> PathBuf {
        self.path.join(LAUNCHER_NAME)
    }

    fn install(&self, builder: &Builder<'_>, interpreter: &Interpreter, set: &str) -> Result<(), KernelError> {
        tracing::info!(minor = %self.minor, "installing kernel packages");
        let started = Instant::now();
        remove_folder(&self.path)?;
        create_folder(&self.path)?;
        write_atomically(&self.launcher(), LAUNCHER.as_bytes())?;
        if interpreter.is_modern() {
            self.install_wheels(builder, interpreter, set, started)?;
        } else {
            self.install_built(builder, set)?;
        }
        home::write_atomically(&self.path.join(COMPLETE), b"")?;
        Ok(())
    }
}

impl KernelLayer {
    fn install_wheels(
        &self,
        builder: &Builder<'_>,
        interpreter: &Interpreter,
        set: &str,
        started: Instant,
    ) -> Result<(), KernelError> {
        let requirements = self.path.join("requirements.txt");
        write_atomically(&requirements, set.as_bytes())?;
        let uv_program = ensure_uv(builder.home(), builder.interpreters())?;
        let mut command = uv(&uv_program, ["pip", "install", "--no-deps", "--only-binary", ":all:", "--python"]);
        command.arg(&interpreter.path).arg("--target").arg(self.packages()).arg("-r").arg(&requirements);
        if let Some(index) = builder.index() {
            command.env("UV_DEFAULT_INDEX", index.with_credentials());
        }
        let finished = run(&mut command, LIMIT.saturating_sub(started.elapsed()))?;
        if !finished.success {
            return Err(KernelError::Install { minor: self.minor, tail: tail(&finished.text()) });
        }
        // Some packages carry files for other Pythons that do not compile: no reason to fail.
        let mut compile = Command::new(&interpreter.path);
        compile.args(["-s", "-m", "compileall", "-q"]).arg(self.packages());
        run(&mut compile, LIMIT.saturating_sub(started.elapsed()))?;
        Ok(())
    }

    /// Some of it has no wheel: as an environment it is built where source archives are.
    fn install_built(&self, builder: &Builder<'_>, set: &str) -> Result<(), KernelError> {
        let failed = |error: BuildError| KernelError::Install { minor: self.minor, tail: error.to_string() };
        let lock = format!("# python: {}\n{set}", self.minor);
        let (environment, _lease) = builder.lease(Spec::Lock(&lock)).map_err(failed)?;
        copy(&environment.site_packages, &self.packages(), &is_of_the_environment)
    }
}

/// What an environment of Python 2 holds by itself.
fn is_of_the_environment(name: &str) -> bool {
    let own = ["pip", "setuptools", "wheel", "pkg_resources", "easy_install", "_virtualenv", "_distutils_hack"];
    own.contains(&name.split(['-', '.']).next().unwrap_or(name))
}

/// Copies files and folders, links left out: a layer shares nothing with an environment.
fn copy(from: &Path, to: &Path, is_left: &dyn Fn(&str) -> bool) -> Result<(), KernelError> {
    create_folder(to)?;
    for entry in std::fs::read_dir(from).map_err(|error| HomeError::new("read", from, error))?.flatten() {
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().map_err(|error| HomeError::new("read", &path, error))?;
        if is_left(&entry.file_name().to_string_lossy()) {
            continue;
        } else if kind.is_dir() {
            copy(&path, &place, &|_| false)?;
        } else if kind.is_file() {
            std::fs::copy(&path, &place).map_err(|error| HomeError::new("write", &place, error))?;
        }
    }
    Ok(())
}

/// Keeps the history of what was typed out of every file, as nbclient does: a notebook sees none and leaves none.
const IN_MEMORY: &str = "--HistoryManager.hist_file=:memory:";

/// The command that starts a kernel in an environment; `{connection_file}` stands for the connection file's path.
#[must_use]
pub fn kernel_command(environment: &Environment, layer: &KernelLayer) -> Vec<String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    // `-s`: the user's own site folder is no part of the environment.
    vec![
        text(&environment.python),
        "-s".into(),
        text(&layer.launcher()),
        text(&layer.packages()),
        "-f".into(),
        "{connection_file}".into(),
        IN_MEMORY.into(),
    ]
}

/// All folders of this machine that a sandbox has to show, read-only and at the same place, for the kernel to run;
/// besides the system's own `/usr`.
#[must_use]
pub fn bind_paths(environment: &Environment, layer: &KernelLayer) -> Vec<PathBuf> {
    let more = [environment.path.clone(), layer.path.clone()];
    interpreter_paths(&environment.interpreter, &environment.python, more)
}
