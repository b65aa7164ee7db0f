//! Installers that may build nothing, and what is built for them apart.

use std::path::Path;
use std::process::Command;

use pep440_rs::VersionSpecifiers;

use super::install::Install;
use super::materialise::backed;
use super::pinned::{Pinned, PinnedSet};
use super::sources::Ground;
use super::{BuildError, BuildFailed, FailureClass};
use crate::eras::NEVER_FROM_SOURCE;
use crate::index::WantedSource;
use crate::planned::{EnvironmentPlan, Wheels};
use crate::requirement::{NamedRequirement, Requirement};
use crate::versions::specifiers;

/// How often an installer may name one more source archive.
const MOST_ROUNDS: usize = 40;

impl Install<'_> {
    /// Runs an installer that may meet source archives. Without a workshop it builds them itself; with one it may build
    /// nothing, and what it names for want of a wheel is built here, the newest release within its line, until it names no more.
    /// `lines` are what it was told to install, `operands` those of them that stand on its command line.
    pub(crate) fn install(
        &self,
        lines: &[String],
        operands: &[NamedRequirement],
        only_binary: &[String],
        prepare: impl Fn() -> Result<Command, BuildError>,
    ) -> Result<(), BuildError> {
        let mut built: Vec<String> = Vec::new();
        loop {
            let mut command = prepare()?;
            if self.workshop().is_some() {
                self.forbid_builds(&mut command)?;
            }
            if !operands.is_empty() {
                // Behind `--`: a requirement is never taken for an option.
                command.arg("--").args(operands);
            }
            let failed = match self.must(&mut command, only_binary) {
                Err(BuildError::Failed(failed)) => failed,
                other => return other,
            };
            let wheelless = matches!(
                failed.class,
                FailureClass::NoWheelAndBuildFailed | FailureClass::NoDistribution | FailureClass::NoMatchingVersion
            );
            let name = failed.distributions.first().filter(|name| {
                self.workshop().is_some()
                    && wheelless
                    && built.len() < MOST_ROUNDS
                    && !only_binary.contains(name)
                    && !built.contains(name)
            });
            let Some(name) = name.cloned() else { return Err(failed.into()) };
            let wanted = WantedSource {
                name: &name,
                file: None,
                sha256: None,
                bound: bound_of(lines, &name),
                python: &self.interpreter.version,
            };
            if self.wheel_of(&wanted, Ground::Isolated(""))?.is_none() {
                return Err(failed.into());
            }
            built.push(name);
        }
    }

    /// Builds what a plan knows to have no wheel. An installer that may build nothing would pass it over for an older release.
    pub(crate) fn build_planned(&self, plan: &EnvironmentPlan) -> Result<(), BuildError> {
        if self.workshop().is_none() {
            return Ok(());
        }
        for line in plan.lines.iter().filter(|line| line.wheels == Wheels::SourceOnly) {
            let Some(version) = &line.version else { continue };
            let wanted = WantedSource {
                name: &line.distribution,
                file: None,
                sha256: None,
                bound: specifiers(&format!("=={version}")),
                python: &self.interpreter.version,
            };
            if !NEVER_FROM_SOURCE.contains(&line.distribution.as_str()) {
                self.wheel_of(&wanted, Ground::Isolated(""))?;
            }
        }
        Ok(())
    }

    /// Builds and installs the source archives of a pinned set, whose wheels are installed: each in isolation, held to the build
    /// tools of the date, else on the ground of what is installed. Says whether any needed that.
    pub(crate) fn pinned_sources(&self, set: &PinnedSet, sources: &[&Pinned]) -> Result<bool, BuildError> {
        let constraints = backed(&set.build_constraints(false));
        let (mut waiting, mut on_installed) = (Vec::new(), false);
        for pinned in sources {
            match self.pinned_source(pinned, Ground::Isolated(&constraints)) {
                Err(BuildError::Failed(failed)) if failed.class == FailureClass::NoWheelAndBuildFailed => {
                    waiting.push(pinned);
                }
                other => other?,
            }
        }
        for pinned in waiting {
            self.pinned_source(pinned, Ground::Installed)?;
            on_installed = true;
        }
        Ok(on_installed)
    }

    fn pinned_source(&self, pinned: &Pinned, ground: Ground<'_>) -> Result<(), BuildError> {
        let wanted = WantedSource {
            name: &pinned.name,
            file: pinned.file.as_ref().map(|file| file.name.as_str()),
            sha256: pinned.file.as_ref().and_then(|file| file.sha256),
            bound: VersionSpecifiers::default(),
            python: &self.interpreter.version,
        };
        let absent = || BuildFailed::of(FailureClass::NoMatchingVersion, vec![pinned.name.clone()], "not on the index");
        let wheel = self.wheel_of(&wanted, ground)?.ok_or_else(absent)?;
        let mut command = self.installer_of(self.path)?;
        that_wheel(&mut command, &wheel);
        self.must(&mut command, &[])
    }
}

/// Tells an installer to install a wheel and nothing else. By name and version: of a wheel that is named by its path uv reads all of the metadata,
/// which it cannot of every old one (`opencv-python (>=3.) ; extra == 'all'`).
pub(crate) fn that_wheel(command: &mut Command, wheel: &Path) {
    let file = wheel.file_name().unwrap_or_default().to_string_lossy();
    let mut parts = file.split('-');
    let (name, version) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    command.args(["--no-deps", "--no-index", "--find-links"]).arg(wheel.parent().unwrap_or(wheel));
    command.arg("--").arg(format!("{name}=={version}"));
}

/// The specifiers of the line that names a distribution.
fn bound_of(lines: &[String], name: &str) -> VersionSpecifiers {
    let mut read = lines.iter().filter_map(|line| Requirement::read(line));
    read.find(|line| line.name == name).map(|line| line.specifiers).unwrap_or_default()
}
