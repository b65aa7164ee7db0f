//! Installs exact versions without resolving anything, and compares what is installed with what was asked for.
//!
//! uv installs where it knows the interpreter, the pip that virtualenv brings along below. One run installs all, builds
//! of source archives in isolation held to the build tools of the date. Where a source archive does not build so, the
//! wheels are installed first and the archives then as in their own time: by the era's pip, without isolation, so that
//! a `setup.py` finds the numpy and the setuptools of the environment.

use std::path::PathBuf;
use std::process::Command;

use super::install::{Install, Installed, REQUIREMENTS_FILE, site_packages};
use super::installed::{installed, is_same};
use super::pinned::{Pinned, PinnedSet, Requirements};
use super::{BuildError, BuildFailed, FailureClass};
use crate::eras::{self, GPU_ONLY};
use crate::home;

/// The oldest setuptools with the build backend that uv calls where an archive names none (PEP 517).
const OLDEST_BACKEND: &str = "setuptools>=40.8.0";

/// Variables of the user that would add to a pinned set or take from it.
const FOREIGN: [&str; 8] = [
    "PIP_CONSTRAINT",
    "PIP_BUILD_CONSTRAINT",
    "PIP_PRE",
    "UV_CONSTRAINT",
    "UV_BUILD_CONSTRAINT",
    "UV_OVERRIDE",
    "UV_EXCLUDE_NEWER",
    "UV_NO_BUILD_ISOLATION",
];

impl Install<'_> {
    /// Installs a pinned set.
    pub(crate) fn pinned(&self, set: &PinnedSet) -> Result<Installed, BuildError> {
        let wanted: Vec<&Pinned> = set.distributions.iter().filter(|pinned| self.serves_here(pinned)).collect();
        let uv_knows = self.interpreter.is_modern();
        let (tool, mut why) =
            if uv_knows { ("uv", "uv knows the interpreter") } else { ("pip", "uv does not know the interpreter") };
        self.fresh()?;
        let sources = wanted.iter().any(|pinned| pinned.is_source());
        if sources && self.workshop().is_some() {
            let on_installed = self.wheels_then_sources(set, &wanted)?;
            why = if on_installed {
                "a source archive did not build in isolation: wheels first, then archives on what is installed"
            } else {
                "source archives were built apart"
            };
            self.compare(&wanted)?;
            return Ok(Installed { tool: tool.into(), why: why.to_owned() });
        }
        let outcome = if wanted.is_empty() { Ok(()) } else { self.at_once(set, &wanted) };
        match outcome {
            Ok(()) => {}
            Err(BuildError::Failed(failed)) if sources && failed.class == FailureClass::NoWheelAndBuildFailed => {
                tracing::debug!(distributions = ?failed.distributions, "wheels first, then source archives");
                self.fresh()?;
                match self.in_two_steps(&wanted) {
                    // No pip of the era to be had: the archive is what is at fault.
                    Err(BuildError::Failed(second)) if second.class.may_try_next_strategy() => {
                        return Err(failed.into());
                    }
                    other => other?,
                }
                why = "a source archive did not build in isolation: wheels first, then archives by the era's pip";
            }
            Err(other) => return Err(other),
        }
        self.compare(&wanted)?;
        let why = if wanted.is_empty() || (Requirements::of(&wanted).hashed && (uv_knows || !sources)) {
            why.to_owned()
        } else if uv_knows || !sources {
            format!("{why}; digests not checked, for the index does not give them all")
        } else {
            format!("{why}; digests not checked, for this pip would ask for those of build requirements too")
        };
        Ok(Installed { tool: tool.into(), why })
    }

    /// Whether a distribution is of use on this machine.
    fn serves_here(&self, pinned: &Pinned) -> bool {
        let gpu = || self.builder.settings.gpu.unwrap_or_else(eras::has_gpu);
        !GPU_ONLY.contains(&pinned.name.as_str()) || gpu()
    }

    /// Everything in one run.
    fn at_once(&self, set: &PinnedSet, wanted: &[&Pinned]) -> Result<(), BuildError> {
        let uv_knows = self.interpreter.is_modern();
        let checked = uv_knows || !wanted.iter().any(|pinned| pinned.is_source());
        let requirements = if checked { Requirements::of(wanted) } else { Requirements::unhashed(wanted) };
        let lines: Vec<String> = wanted.iter().map(|pinned| format!("{}=={}", pinned.name, pinned.version)).collect();
        self.install(&lines, &[], &requirements.only_binary, || {
            let mut command = self.installer_of(self.path)?;
            self.hold(&mut command, &requirements, uv_knows)?;
            if uv_knows {
                let constraints =
                    self.note("nbrevive-build-constraints.txt", &backed(&set.build_constraints(false)))?;
                command.arg("--build-constraints").arg(constraints);
            } else {
                let constraints = self.note("nbrevive-build-constraints.txt", &set.build_constraints(true))?;
                command.env("PIP_CONSTRAINT", constraints);
            }
            Ok(command)
        })
    }

    /// Wheels by the installer, source archives by the workshop; whether one needed what is installed.
    fn wheels_then_sources(&self, set: &PinnedSet, wanted: &[&Pinned]) -> Result<bool, BuildError> {
        let (sources, wheels): (Vec<&Pinned>, Vec<&Pinned>) = wanted.iter().partition(|pinned| pinned.is_source());
        if !wheels.is_empty() {
            let requirements = Requirements::of(&wheels);
            let mut command = self.installer_of(self.path)?;
            self.hold(&mut command, &requirements, self.interpreter.is_modern())?;
            self.forbid_builds(&mut command)?;
            self.must(&mut command, &requirements.only_binary)?;
        }
        self.pinned_sources(set, &sources)
    }

    /// Wheels first, then source archives in the environment itself.
    fn in_two_steps(&self, wanted: &[&Pinned]) -> Result<(), BuildError> {
        let (sources, wheels): (Vec<&Pinned>, Vec<&Pinned>) = wanted.iter().partition(|pinned| pinned.is_source());
        let uv_knows = self.interpreter.is_modern();
        let mut command = self.installer_of(self.path)?;
        let first = Requirements::of(&wheels);
        self.hold(&mut command, &first, uv_knows)?;
        if !wheels.is_empty() {
            self.must(&mut command, &first.only_binary)?;
        }
        let second = Requirements::of(&sources);
        let mut command = self.pip_of(self.path)?;
        self.hold(&mut command, &second, false)?;
        command.arg("--no-build-isolation");
        self.must(&mut command, &second.only_binary)?;
        Ok(())
    }

    /// Holds an installer to requirement lines and nothing else.
    fn hold(&self, command: &mut Command, requirements: &Requirements, uv: bool) -> Result<(), BuildError> {
        let file = self.note(REQUIREMENTS_FILE, &requirements.text)?;
        for variable in FOREIGN {
            command.env_remove(variable);
        }
        command.args(["--no-deps", "-r"]).arg(file);
        if requirements.hashed {
            command.arg("--require-hashes");
        }
        for (option, names) in [("--only-binary", &requirements.only_binary), ("--no-binary", &requirements.no_binary)]
        {
            if !uv && !names.is_empty() {
                command.arg(option).arg(names.join(","));
            } else {
                names.iter().for_each(|name| {
                    command.arg(option).arg(name);
                });
            }
        }
        Ok(())
    }

    fn note(&self, name: &str, text: &str) -> Result<PathBuf, BuildError> {
        let path = self.path.join(name);
        home::write_atomically(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Compares what is installed with what was asked for, whatever tool ran.
    fn compare(&self, wanted: &[&Pinned]) -> Result<(), BuildError> {
        let found = installed(&site_packages(self.path, self.interpreter.minor()));
        let carried: &[&str] = if self.interpreter.is_modern() { &[] } else { &["pip", "setuptools", "wheel"] };
        let mut differences: Vec<(String, String)> = Vec::new();
        for pinned in wanted {
            let there = found.get(&pinned.name).map_or("nothing", String::as_str);
            if !is_same(&pinned.version, there) {
                let words = format!("{} {there} is installed instead of {}", pinned.name, pinned.version);
                differences.push((pinned.name.clone(), words));
            }
        }
        for (name, version) in &found {
            if !carried.contains(&name.as_str()) && !wanted.iter().any(|pinned| pinned.name == *name) {
                differences.push((name.clone(), format!("{name} {version} is installed, but not in the lock")));
            }
        }
        if differences.is_empty() {
            return Ok(());
        }
        let (names, words): (Vec<String>, Vec<String>) = differences.into_iter().unzip();
        Err(BuildFailed::of(FailureClass::LockMismatch, names, &words.join("\n")).into())
    }
}

/// Build constraints without a setuptools that uv could not build with: the oldest possible one serves then.
pub(crate) fn backed(constraints: &str) -> String {
    let oldest: pep440_rs::VersionSpecifiers =
        crate::versions::specifiers(OLDEST_BACKEND.trim_start_matches("setuptools"));
    let fits = |line: &str| {
        let version = line.strip_prefix("setuptools==").and_then(|text| text.parse().ok());
        version.is_none_or(|version: pep440_rs::Version| oldest.contains(&version))
    };
    let line = |line: &str| if fits(line) { format!("{line}\n") } else { OLDEST_BACKEND.replace(">=", "==") + "\n" };
    constraints.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setuptools_without_a_backend_gives_way_to_the_oldest_with_one() {
        assert_eq!(backed("setuptools==39.2.0\nnumpy==1.14.0\n"), "setuptools==40.8.0\nnumpy==1.14.0\n");
        assert_eq!(backed("setuptools==41.0.1\n"), "setuptools==41.0.1\n");
    }
}
