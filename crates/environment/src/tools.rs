//! The helper programs: uv, and virtualenv for Python 2.7.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use nbrevive_notebook::PythonVersion;

use crate::eras;
use crate::home::{FileLock, Home, HomeError, lock, point_at, remove_folder};
use crate::interpreter::{Interpreter, Interpreters};
use crate::process::{self, Finished, Limits};
use crate::uv::{find_uv, is_program};

/// The last virtualenv that creates environments for Python 2.7; it carries pip 20.3.4, setuptools 44.1.1 and
/// wheel 0.37.1 for it.
const VIRTUALENV: &str = "virtualenv==20.21.1";

/// What it requires, in releases that every Python takes which runs it: for a snapshot, whose installer has nothing else to choose from.
const VIRTUALENV_REQUIRES: [&str; 3] = ["distlib==0.3.7", "filelock==3.12.2", "platformdirs==3.11.0"];

/// The uv that is installed where there is none.
const UV: &str = "uv==0.13.9";
/// Longest time to install uv.
const INSTALL_LIMIT: Duration = Duration::from_secs(300);

/// A helper program is missing or failed.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// uv is nowhere and could not be installed.
    #[error(
        "uv was not found and could not be installed ({why}): install it with pip (`pip install uv`), or name it in NBREVIVE_UV"
    )]
    NoUv {
        /// Why it could not be installed.
        why: String,
    },
    /// A program could not be started.
    #[error("cannot run {program}")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// A tool could not be installed.
    #[error("cannot install {tool}: {tail}")]
    Install {
        /// What was to be installed.
        tool: &'static str,
        /// The end of the installer's output.
        tail: String,
    },
    /// The home could not be written.
    #[error(transparent)]
    Home(#[from] HomeError),
}

/// The interpreter that runs tools: virtualenv 20.21 runs on 3.7 to 3.11; a newer one is worth a try.
pub(crate) fn host(interpreters: &Interpreters) -> Option<&Interpreter> {
    let suits =
        |candidate: &&Interpreter| (PythonVersion::new(3, 7)..=PythonVersion::new(3, 11)).contains(&candidate.minor());
    let all = interpreters.all();
    all.iter().rfind(suits).or_else(|| all.last())
}

/// What makes environments of these minors, as lines of a lock for the Python that runs it, whose minor comes first. None of it is in
/// an environment, so that no lock of one names it. `None` on a machine without a Python.
#[must_use]
pub fn installers<'minor>(
    minors: impl IntoIterator<Item = &'minor PythonVersion>,
    interpreters: &Interpreters,
) -> Option<(PythonVersion, Vec<String>)> {
    Some((host(interpreters)?.minor(), installer_lines(minors)))
}

fn installer_lines<'minor>(minors: impl IntoIterator<Item = &'minor PythonVersion>) -> Vec<String> {
    let mut lines = vec![UV.to_owned()];
    for minor in minors {
        lines.push(format!("pip=={}", eras::pip(*minor)));
        // What uv does not know is made by virtualenv.
        if *minor < PythonVersion::new(3, 6) {
            lines.extend([VIRTUALENV].iter().chain(&VIRTUALENV_REQUIRES).copied().map(str::to_owned));
        }
    }
    lines.sort();
    lines.dedup();
    lines
}

/// Finds uv, or installs it below `<home>/tools/` with the pip of the newest interpreter that has one.
pub(crate) fn ensure_uv(home: &Home, interpreters: &Interpreters) -> Result<PathBuf, ToolError> {
    if let Some(found) = find_uv(home) {
        return Ok(found);
    }
    let _lock = lock(&home.tools().join("uv.lock"))?;
    if let Some(found) = find_uv(home) {
        return Ok(found);
    }
    tracing::info!("installing {UV}");
    let mut why = "no Python 3.8 or newer with pip".to_owned();
    for host in interpreters.all().iter().rev().filter(|host| host.minor() >= PythonVersion::new(3, 8)) {
        let folder = UV.replace("==", "-");
        let packages = home.tools().join(&folder);
        remove_folder(&packages)?;
        let mut command = Command::new(&host.path);
        command
            .args(["-s", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", UV, "--target"])
            .arg(&packages);
        let finished = run(&mut command, INSTALL_LIMIT)?;
        let program = packages.join("bin/uv");
        if finished.success && is_program(&program) {
            crate::home::create_folder(&home.tools().join("bin"))?;
            let link = home.tools().join("bin/uv");
            // A relative one goes on where a home is moved, or has its tools from another home.
            point_at(&link, &Path::new("..").join(folder).join("bin/uv"))?;
            return Ok(link);
        }
        why = tail(&finished.text());
    }
    Err(ToolError::NoUv { why })
}

/// Runs a program with a time limit.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result<Finished, ToolError> {
    tracing::debug!(?command, "running");
    let program = command.get_program().to_string_lossy().into_owned();
    process::run(command, limit).map_err(|source| ToolError::Start { program, source })
}

/// The same; the program holds a lock too, so that nobody takes over from a killed process while it still writes.
pub(crate) fn run_holding(command: &mut Command, limits: Limits, lock: &FileLock) -> Result<Finished, ToolError> {
    tracing::debug!(?command, "running");
    let program = command.get_program().to_string_lossy().into_owned();
    let held = lock.shared().and_then(|file| process::run_with(command, limits, file.into()));
    held.map_err(|source| ToolError::Start { program, source })
}

/// A uv command that never downloads an interpreter and takes no configuration from the current folder.
pub(crate) fn uv(program: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(program);
    command.args(["--no-python-downloads", "--no-progress", "--color", "never"]).args(arguments);
    command.env_remove("VIRTUAL_ENV").env_remove("UV_PROJECT_ENVIRONMENT").current_dir("/");
    command
}

/// The folder that holds virtualenv's own packages, installed on first need with `host` (any Python 3).
pub(crate) fn virtualenv(
    home: &Home,
    uv_program: &Path,
    host: &Interpreter,
    limit: Duration,
) -> Result<PathBuf, ToolError> {
    let folder = home.tools().join(VIRTUALENV.replace("==", "-"));
    let complete = folder.join("complete");
    let _lock = lock(&home.tools().join("virtualenv.lock"))?;
    if complete.exists() {
        return Ok(folder);
    }
    remove_folder(&folder)?;
    let mut command = uv(uv_program, ["pip", "install", "--compile-bytecode", VIRTUALENV, "--target"]);
    command.arg(&folder).arg("--python").arg(&host.path);
    let finished = run(&mut command, limit)?;
    if !finished.success {
        return Err(ToolError::Install { tool: VIRTUALENV, tail: tail(&finished.text()) });
    }
    crate::home::write_atomically(&complete, b"")?;
    Ok(folder)
}

/// The folder of a pip that belongs to no environment, installed on first need with `host` (any Python 3).
pub(crate) fn pip(
    home: &Home,
    uv_program: &Path,
    version: &str,
    host: &Interpreter,
    limit: Duration,
) -> Result<PathBuf, ToolError> {
    let folder = home.tools().join(format!("pip-{version}"));
    let complete = folder.join("complete");
    let _lock = lock(&home.tools().join("pip.lock"))?;
    if complete.exists() {
        return Ok(folder);
    }
    tracing::info!(version, "installing a pip");
    remove_folder(&folder)?;
    let mut command = uv(uv_program, ["pip", "install", "--no-deps", "--only-binary", ":all:", "--target"]);
    command.arg(&folder).arg("--python").arg(&host.path).arg(format!("pip=={version}"));
    let finished = run(&mut command, limit)?;
    if !finished.success {
        return Err(ToolError::Install { tool: "pip", tail: tail(&finished.text()) });
    }
    // No environment has this pip.
    remove_folder(&folder.join(format!("pip-{version}.dist-info")))?;
    crate::home::write_atomically(&complete, b"")?;
    Ok(folder)
}

/// The last lines of a program's output, for people.
pub(crate) fn tail(text: &str) -> String {
    const LINES: usize = 30;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_environments_stands_in_no_lock_of_one() {
        let of = |minors: &[&str]| {
            let minors: Vec<PythonVersion> = minors.iter().map(|minor| minor.parse().unwrap()).collect();
            installer_lines(&minors)
        };
        assert_eq!(of(&["3.8", "3.9", "3.12"]), ["pip==22.3.1", "pip==24.0", UV]);
        let old = of(&["2.7"]);
        assert!(old.contains(&"pip==20.3.4".to_owned()) && old.contains(&VIRTUALENV.to_owned()), "{old:?}");
        assert_eq!(old.len(), 6);
    }
}
