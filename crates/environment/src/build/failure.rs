//! Why an environment could not be built: a class read off the installer's words by one ordered table.

use serde::{Deserialize, Serialize};

use crate::tools::tail;
use crate::versions::normalise;

/// An environment could not be built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("environment not built ({class}):\n{tail}")]
pub struct BuildFailed {
    /// What kind of failure.
    pub class: FailureClass,
    /// The end of the installer's output.
    pub tail: String,
}

/// Kinds of failed builds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureClass {
    /// The interpreter's minor is not on this machine.
    NoInterpreter,
    /// The index has no such distribution.
    NoDistribution,
    /// The distribution has no version within the bounds for this interpreter.
    NoMatchingVersion,
    /// The bounds contradict each other.
    Conflict,
    /// No wheel fits, and the distribution is not built from source, or its source did not build.
    NoWheel,
    /// The index could not be reached.
    IndexUnreachable,
    /// The disk is full.
    DiskFull,
    /// The build took longer than allowed.
    Timeout,
    /// None of these.
    Other,
}

impl FailureClass {
    /// The class as tables and the database spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoInterpreter => "no-interpreter",
            Self::NoDistribution => "no-distribution",
            Self::NoMatchingVersion => "no-matching-version",
            Self::Conflict => "conflict",
            Self::NoWheel => "no-wheel",
            Self::IndexUnreachable => "index-unreachable",
            Self::DiskFull => "disk-full",
            Self::Timeout => "timeout",
            Self::Other => "other",
        }
    }

    /// Whether the failure is about this machine or this hour, not about the environment: such a one is not
    /// remembered, so that the next run tries again.
    #[must_use]
    pub fn is_spurious(self) -> bool {
        match self {
            Self::NoInterpreter | Self::IndexUnreachable | Self::DiskFull => true,
            Self::NoDistribution
            | Self::NoMatchingVersion
            | Self::Conflict
            | Self::NoWheel
            | Self::Timeout
            | Self::Other => false,
        }
    }
}

impl std::fmt::Display for FailureClass {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One rule: the first whose pattern occurs in the lower-case output decides.
struct Rule {
    #[cfg_attr(not(test), expect(dead_code, reason = "names the rule in tests and reviews"))]
    id: &'static str,
    pattern: &'static str,
    class: FailureClass,
    #[cfg_attr(not(test), expect(dead_code, reason = "what the tests walk"))]
    sample: &'static str,
}

/// The ordered table. Machine troubles come first: an exhausted network ends in "no matching distribution" too.
const RULES: [Rule; 17] = [
    Rule {
        id: "disk-full",
        pattern: "no space left on device",
        class: FailureClass::DiskFull,
        sample: "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
    },
    Rule {
        id: "quota",
        pattern: "disk quota exceeded",
        class: FailureClass::DiskFull,
        sample: "OSError: [Errno 122] Disk quota exceeded: '/x'",
    },
    Rule {
        id: "pip-retries-exhausted",
        pattern: "retry(total=0",
        class: FailureClass::IndexUnreachable,
        sample: "WARNING: Retrying (Retry(total=0, connect=None, read=None)) after connection broken by 'NewConnectionError'",
    },
    Rule {
        id: "pip-gave-up",
        pattern: "max retries exceeded",
        class: FailureClass::IndexUnreachable,
        sample: "ERROR: HTTPSConnectionPool(host='x', port=443): Max retries exceeded with url: /simple/numpy/",
    },
    Rule {
        id: "pip-read-timeout",
        pattern: "read timed out",
        class: FailureClass::IndexUnreachable,
        sample: "ReadTimeoutError: HTTPSConnectionPool(host='x', port=443): Read timed out.",
    },
    Rule {
        id: "uv-request",
        pattern: "error sending request",
        class: FailureClass::IndexUnreachable,
        sample: "  Caused by: error sending request for url (http://x/simple/numpy/)",
    },
    Rule {
        id: "uv-fetch",
        pattern: "failed to fetch:",
        class: FailureClass::IndexUnreachable,
        sample: "error: Failed to fetch: `http://x/simple/numpy/`",
    },
    Rule {
        id: "pip-conflict",
        pattern: "resolutionimpossible",
        class: FailureClass::Conflict,
        sample: "ERROR: ResolutionImpossible: for help visit the documentation",
    },
    Rule {
        id: "pip-conflict-words",
        pattern: "have conflicting dependencies",
        class: FailureClass::Conflict,
        sample: "ERROR: Cannot install a<=1 and b<=2 because these package versions have conflicting dependencies.",
    },
    Rule {
        id: "pip-nothing",
        pattern: "(from versions: none)",
        class: FailureClass::NoDistribution,
        sample: "ERROR: Could not find a version that satisfies the requirement nosuch<=1.0 (from versions: none)",
    },
    Rule {
        id: "pip-no-version",
        pattern: "could not find a version that satisfies",
        class: FailureClass::NoMatchingVersion,
        sample: "ERROR: Could not find a version that satisfies the requirement numpy==99.0 (from versions: 1.16.0, 1.17.0)",
    },
    Rule {
        id: "uv-absent",
        pattern: "was not found in the package registry",
        class: FailureClass::NoDistribution,
        sample: "  Because nosuch was not found in the package registry and you require nosuch, your requirements are unsatisfiable.",
    },
    Rule {
        id: "uv-no-wheel",
        pattern: "has no wheels with a matching",
        class: FailureClass::NoWheel,
        sample: "  Because only pandas<=1.0 is available and pandas==1.0 has no wheels with a matching Python version tag",
    },
    Rule {
        id: "uv-no-usable-wheel",
        pattern: "has no usable wheels",
        class: FailureClass::NoWheel,
        sample: "  Because pandas==1.0 has no usable wheels and you require pandas==1.0",
    },
    Rule {
        id: "uv-no-version",
        pattern: "because there is no version of",
        class: FailureClass::NoMatchingVersion,
        sample: "  Because there is no version of numpy==99.0 and you require numpy==99.0, your requirements are unsatisfiable.",
    },
    Rule {
        id: "uv-conflict",
        pattern: "no solution found",
        class: FailureClass::Conflict,
        sample: "  x No solution found when resolving dependencies:\n  Because a==1 depends on b>2 and you require b<=1",
    },
    Rule {
        id: "source-build",
        pattern: "failed building wheel",
        class: FailureClass::NoWheel,
        sample: "  ERROR: Failed building wheel for xgboost",
    },
];

impl BuildFailed {
    /// A failure of a known class.
    pub(crate) fn new(class: FailureClass, text: &str) -> Self {
        Self { class, tail: tail(text) }
    }

    /// Classifies an installer's output. Where it found no version of a distribution that is only taken as a
    /// wheel, the wheel is what is missing.
    pub(crate) fn from_output(text: &str, only_binary: &[String]) -> Self {
        let lower = text.to_lowercase();
        let class =
            RULES.iter().find(|rule| lower.contains(rule.pattern)).map_or(FailureClass::Other, |rule| rule.class);
        let versionless = matches!(class, FailureClass::NoDistribution | FailureClass::NoMatchingVersion);
        let wheel_wanted = versionless && missing_name(&lower).is_some_and(|name| only_binary.contains(&name));
        Self::new(if wheel_wanted { FailureClass::NoWheel } else { class }, text)
    }
}

/// The distribution that pip found no version of.
fn missing_name(lower: &str) -> Option<String> {
    let (_, rest) = lower.split_once("satisfies the requirement ")?;
    let end = rest.find(|found: char| !(found.is_ascii_alphanumeric() || matches!(found, '-' | '_' | '.')))?;
    Some(normalise(&rest[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_decides_its_own_sample() {
        for rule in &RULES {
            let first =
                RULES.iter().find(|other| rule.sample.to_lowercase().contains(other.pattern)).map(|found| found.id);
            assert_eq!(first, Some(rule.id));
            assert_eq!(BuildFailed::from_output(rule.sample, &[]).class, rule.class, "{}", rule.id);
        }
        assert_eq!(BuildFailed::from_output("Segmentation fault", &[]).class, FailureClass::Other);
    }

    #[test]
    fn a_missing_wheel_is_told_from_a_missing_version() {
        let text =
            "ERROR: Could not find a version that satisfies the requirement Scikit_Learn<=0.19.1 (from versions: none)";
        assert_eq!(BuildFailed::from_output(text, &["scikit-learn".into()]).class, FailureClass::NoWheel);
        assert_eq!(BuildFailed::from_output(text, &["numpy".into()]).class, FailureClass::NoDistribution);
    }

    #[test]
    fn classes_are_spelled_alike_everywhere() {
        for class in [FailureClass::NoWheel, FailureClass::DiskFull, FailureClass::NoMatchingVersion] {
            assert_eq!(serde_json::to_value(class).unwrap(), class.as_str());
        }
    }
}
