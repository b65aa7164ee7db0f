//! A set of exact versions, and files where they are known: what a dated plan comes to.

use pep440_rs::Version;
use serde::{Deserialize, Serialize};

use super::{BuildFailed, FailureClass};
use crate::eras::NEVER_FROM_SOURCE;
use crate::history::{FileTag, Sha256};
use crate::interpreter::Interpreter;
use crate::planned::{EnvironmentPlan, Line};

/// Exact versions for an interpreter. Installed as they are: nothing is resolved again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PinnedSet {
    /// The interpreter to build for.
    pub interpreter: Interpreter,
    /// Everything to install, dependencies included.
    pub distributions: Vec<Pinned>,
    /// What source archives are built with, such as the setuptools of the date.
    pub build: Vec<Pinned>,
}

/// One exact version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pinned {
    /// Normalised name.
    pub name: String,
    /// The version.
    pub version: Version,
    /// The file to install, where it is known.
    pub file: Option<PinnedFile>,
}

/// One file of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinnedFile {
    /// Its name on the index.
    pub name: String,
    /// Its digest, where the index says it.
    pub sha256: Option<Sha256>,
}

impl Pinned {
    /// An exact version, whatever file the installer takes.
    #[must_use]
    pub fn new(name: &str, version: Version) -> Self {
        Self { name: crate::versions::normalise(name), version, file: None }
    }

    fn sha256(&self) -> Option<Sha256> {
        self.file.as_ref()?.sha256
    }

    /// Whether it is to be built from its source archive.
    pub(crate) fn is_source(&self) -> bool {
        self.file.as_ref().is_some_and(|file| FileTag::from_file_name(&file.name) == Some(FileTag::Sdist))
    }

    fn is_wheel(&self) -> bool {
        self.file.as_ref().is_some_and(|file| matches!(FileTag::from_file_name(&file.name), Some(FileTag::Wheel(_))))
    }

    /// The line of a requirements file, with the digest where one is wanted.
    fn line(&self, hashed: bool) -> String {
        match self.sha256().filter(|_| hashed) {
            Some(sha256) => format!("{}=={} --hash=sha256:{sha256}", self.name, self.version),
            None => format!("{}=={}", self.name, self.version),
        }
    }
}

impl PinnedSet {
    /// The set that a dated plan comes to.
    ///
    /// # Errors
    /// [`BuildFailed`] where a line has no version.
    pub fn of_plan(plan: &EnvironmentPlan) -> Result<Self, BuildFailed> {
        let pinned = |line: &Line| {
            let missing = || {
                let (name, words) = (line.distribution.clone(), format!("no release of {}", line.requirement()));
                BuildFailed::of(FailureClass::NoMatchingVersion, vec![name], &words)
            };
            let version = line.version.clone().ok_or_else(missing)?;
            let file = line.file.as_ref().map(|file| PinnedFile { name: file.name.clone(), sha256: file.sha256 });
            Ok(Pinned { name: line.distribution.clone(), version, file })
        };
        let all = |lines: &[Line]| lines.iter().map(pinned).collect::<Result<Vec<Pinned>, BuildFailed>>();
        Ok(Self { interpreter: plan.interpreter.clone(), distributions: all(&plan.lines)?, build: all(&plan.build)? })
    }

    /// What is asked for, for people and for the environment's name.
    pub(crate) fn requested(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.distributions.iter().map(|pinned| pinned.line(true)).collect();
        lines.sort();
        lines.extend(self.build.iter().map(|pinned| format!("# build: {}", pinned.line(false))));
        lines
    }

    /// What builds in isolation are held to. In an environment that makes no such difference itself (`shared`, as
    /// pip does through `PIP_CONSTRAINT`), what is installed anyway keeps its version.
    pub(crate) fn build_constraints(&self, shared: bool) -> String {
        let lines = self.build.iter().map(|pinned| {
            let installed = self.distributions.iter().find(|other| shared && other.name == pinned.name);
            format!("{}\n", installed.unwrap_or(pinned).line(false))
        });
        lines.collect()
    }
}

/// Requirement lines for an installer, with digests where every one has its own (installers want all or none).
pub(crate) struct Requirements {
    pub(crate) text: String,
    /// Whether the installer is to check every file's digest.
    pub(crate) hashed: bool,
    /// Distributions that may only come as wheels.
    pub(crate) only_binary: Vec<String>,
    /// Distributions that may only come as source archives: their wheels are younger than the date.
    pub(crate) no_binary: Vec<String>,
}

impl Requirements {
    pub(crate) fn of(distributions: &[&Pinned]) -> Self {
        let hashed = !distributions.is_empty() && distributions.iter().all(|pinned| pinned.sha256().is_some());
        Self::lines(distributions, hashed)
    }

    /// Without digests: a pip that checks them asks for those of build requirements too, which constraints cannot give.
    pub(crate) fn unhashed(distributions: &[&Pinned]) -> Self {
        Self::lines(distributions, false)
    }

    fn lines(distributions: &[&Pinned], hashed: bool) -> Self {
        let mut lines: Vec<String> = distributions.iter().map(|pinned| pinned.line(hashed) + "\n").collect();
        lines.sort();
        let named = |wanted: &dyn Fn(&&&Pinned) -> bool| -> Vec<String> {
            distributions.iter().filter(wanted).map(|pinned| pinned.name.clone()).collect()
        };
        let never_built = |pinned: &Pinned| NEVER_FROM_SOURCE.contains(&pinned.name.as_str()) && !pinned.is_source();
        let only_binary = named(&|pinned| pinned.is_wheel() || never_built(pinned));
        Self { text: lines.concat(), hashed, only_binary, no_binary: named(&|pinned| pinned.is_source()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pinned(name: &str, file: Option<&str>, digest: Option<char>) -> Pinned {
        let sha256 = digest.map(|digit| digit.to_string().repeat(64).parse().unwrap());
        let file = file.map(|file| PinnedFile { name: file.into(), sha256 });
        Pinned { file, ..Pinned::new(name, "1.0".parse().unwrap()) }
    }

    #[test]
    fn digests_are_asked_for_when_every_file_has_one() {
        let (wheel, source) =
            (pinned("B", Some("b-1.0-py3-none-any.whl"), Some('a')), pinned("a", Some("a-1.0.tar.gz"), Some('b')));
        let all = Requirements::of(&[&wheel, &source]);
        let (hash_a, hash_b) = ("a".repeat(64), "b".repeat(64));
        assert_eq!(all.text, format!("a==1.0 --hash=sha256:{hash_b}\nb==1.0 --hash=sha256:{hash_a}\n"));
        assert_eq!((all.hashed, all.only_binary.join(" "), all.no_binary.join(" ")), (true, "b".into(), "a".into()));
        let some = Requirements::of(&[&wheel, &pinned("numpy", None, None)]);
        assert_eq!((some.text.as_str(), some.hashed), ("b==1.0\nnumpy==1.0\n", false));
        assert_eq!(some.only_binary, ["b", "numpy"]);
    }

    #[test]
    fn a_build_is_held_to_the_build_lines() {
        let interpreter = Interpreter {
            path: "python".into(),
            version: "2.7.18".parse().unwrap(),
            prefix: "prefix".into(),
            machine: "x86_64".into(),
            glibc: None,
            wide_unicode: true,
        };
        let mut set = PinnedSet { interpreter, distributions: vec![], build: vec![pinned("setuptools", None, None)] };
        set.distributions.push(Pinned::new("setuptools", "0.9".parse().unwrap()));
        assert_eq!(set.build_constraints(false), "setuptools==1.0\n");
        assert_eq!(set.build_constraints(true), "setuptools==0.9\n");
        assert_eq!(set.requested(), ["setuptools==0.9", "# build: setuptools==1.0"]);
    }
}
