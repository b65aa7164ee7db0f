//! Why an environment could not be built: a class and, where the installer tells, the distributions at fault.

use serde::{Deserialize, Serialize};

use super::culprits;
use super::rules::class_of;
use crate::failure_class::FailureClass;
use crate::home::HomeError;
use crate::tools::{ToolError, tail};

/// An environment could not be built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("environment not built ({class}{}):\n{tail}", named(distributions))]
pub struct BuildFailed {
    /// What kind of failure.
    pub class: FailureClass,
    /// The distributions at fault, normalised: the two that clash, the one that did not build, those that differ
    /// from the lock. Empty where the installer does not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distributions: Vec<String>,
    /// The end of the installer's output.
    pub tail: String,
}

fn named(distributions: &[String]) -> String {
    if distributions.is_empty() { String::new() } else { format!(": {}", distributions.join(", ")) }
}

impl BuildFailed {
    /// A failure of a known class.
    pub(crate) fn new(class: FailureClass, text: &str) -> Self {
        Self { class, distributions: Vec::new(), tail: tail(text) }
    }

    /// A failure whose distributions are known.
    pub(crate) fn of(class: FailureClass, distributions: Vec<String>, text: &str) -> Self {
        Self { distributions, ..Self::new(class, text) }
    }

    /// Classifies an installer's output. Where it found no version of a distribution that is only taken as a
    /// wheel, the wheel is what is missing.
    pub(crate) fn from_output(text: &str, only_binary: &[String]) -> Self {
        let class = class_of(text);
        let distributions = match class {
            FailureClass::Conflict => culprits::clashing(text),
            FailureClass::NoWheelAndBuildFailed => culprits::unbuilt(text).into_iter().collect(),
            FailureClass::NoDistribution | FailureClass::NoMatchingVersion => {
                culprits::missing(text).into_iter().collect()
            }
            FailureClass::LockMismatch => culprits::altered(text).into_iter().collect(),
            _ => Vec::new(),
        };
        let versionless = matches!(class, FailureClass::NoDistribution | FailureClass::NoMatchingVersion);
        let wheel_wanted = versionless && distributions.iter().any(|name| only_binary.contains(name));
        Self::of(if wheel_wanted { FailureClass::NoWheelAndBuildFailed } else { class }, distributions, text)
    }

    /// A full disk that we ran into ourselves, not the installer.
    pub(crate) fn of_full_disk(error: &super::BuildError) -> Option<Self> {
        let source = match error {
            super::BuildError::Home(HomeError { source, .. })
            | super::BuildError::Tool(ToolError::Start { source, .. } | ToolError::Home(HomeError { source, .. })) => {
                source
            }
            _ => return None,
        };
        let full = matches!(source.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded);
        full.then(|| Self::new(FailureClass::DiskFull, &format!("{error}: {source}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_wheel_is_told_from_a_missing_version() {
        let text =
            "ERROR: Could not find a version that satisfies the requirement Scikit_Learn<=0.19.1 (from versions: none)";
        let failed = BuildFailed::from_output(text, &["scikit-learn".into()]);
        assert_eq!(
            (failed.class, failed.distributions.join(" ")),
            (FailureClass::NoWheelAndBuildFailed, "scikit-learn".into())
        );
        assert_eq!(BuildFailed::from_output(text, &["numpy".into()]).class, FailureClass::NoDistribution);
    }

    #[test]
    fn the_distributions_at_fault_are_named() {
        let text = "  × Failed to build `fasttext==0.9.1`\n  ├─▶ The build backend returned an error\n  error: no g++";
        let failed = BuildFailed::from_output(text, &[]);
        assert_eq!(failed.distributions, ["fasttext"]);
        insta::assert_snapshot!(failed, @r"
        environment not built (no-wheel-and-build-failed: fasttext):
          × Failed to build `fasttext==0.9.1`
          ├─▶ The build backend returned an error
          error: no g++
        ");
    }

    #[test]
    fn what_is_tried_again_and_markers_of_before_are_read() {
        let all = || FailureClass::ALL.iter().copied();
        let next: Vec<_> = all().filter(|class| class.may_try_next_strategy()).collect();
        assert_eq!(next, FailureClass::ALL[..4], "the first four of the list");
        assert_eq!(
            all().filter(|class| class.is_retried()).collect::<Vec<_>>(),
            [FailureClass::IndexUnreachable],
            "and these by policy"
        );
        let kept: BuildFailed = serde_json::from_str(r#"{"class":"conflict","tail":"x"}"#).unwrap();
        assert_eq!((kept.class, kept.distributions.len()), (FailureClass::Conflict, 0));
    }
}
