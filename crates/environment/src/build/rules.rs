//! Classes of failed builds by the installers' words: one ordered table.

use super::FailureClass;

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
const RULES: [Rule; 28] = [
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
        id: "altered-file-uv",
        pattern: "hash mismatch for",
        class: FailureClass::LockMismatch,
        sample: "  × Failed to read `six==1.17.0`\n  ╰─▶ Hash mismatch for `six==1.17.0`",
    },
    Rule {
        id: "altered-file-pip",
        pattern: "do not match the hashes",
        class: FailureClass::LockMismatch,
        sample: "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
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
        id: "name-service",
        pattern: "temporary failure in name resolution",
        class: FailureClass::IndexUnreachable,
        sample: "urlopen error [Errno -3] Temporary failure in name resolution",
    },
    Rule {
        id: "uv-file-gone",
        pattern: "http status client error (404",
        class: FailureClass::NoMatchingVersion,
        sample: "error: Failed to fetch: `http://x/six-1.0.tar.gz`\n  Caused by: HTTP status client error (404 Not Found)",
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
    // Before what a build in isolation says of its own requirements.
    Rule {
        id: "uv-build",
        pattern: "failed to build `",
        class: FailureClass::NoWheelAndBuildFailed,
        sample: "  × Failed to build `xgboost==0.6a2`\n  ├─▶ The build backend returned an error",
    },
    Rule {
        id: "uv-download-and-build",
        pattern: "failed to download and build",
        class: FailureClass::NoWheelAndBuildFailed,
        sample: "  × Failed to download and build `sklearn==0.0.post5`",
    },
    // What we ask for where archives are built apart; before the words of the conflict that uv makes of it.
    Rule {
        id: "uv-may-not-build",
        pattern: "because building from source is disabled for all packages",
        class: FailureClass::NoWheelAndBuildFailed,
        sample: "hint: Wheels are required for `htmlmin` because building from source is disabled for all packages (i.e., with `--no-build`)",
    },
    Rule {
        id: "pip-build-requirements",
        pattern: "install build dependencies",
        class: FailureClass::NoWheelAndBuildFailed,
        sample: "  × pip subprocess to install build dependencies did not run successfully.",
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
        class: FailureClass::NoWheelAndBuildFailed,
        sample: "  Because only pandas<=1.0 is available and pandas==1.0 has no wheels with a matching Python version tag",
    },
    Rule {
        id: "uv-no-usable-wheel",
        pattern: "has no usable wheels",
        class: FailureClass::NoWheelAndBuildFailed,
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
        class: FailureClass::NoWheelAndBuildFailed,
        sample: "  ERROR: Failed building wheel for xgboost",
    },
    Rule {
        id: "source-metadata",
        pattern: "metadata-generation-failed",
        class: FailureClass::NoWheelAndBuildFailed,
        sample: "error: metadata-generation-failed",
    },
    Rule {
        id: "source-setup",
        pattern: "command errored out with exit status",
        class: FailureClass::NoWheelAndBuildFailed,
        sample: "ERROR: Command errored out with exit status 1: python setup.py egg_info Check the logs",
    },
    Rule {
        id: "source-subprocess",
        pattern: "error: subprocess-exited-with-error",
        class: FailureClass::NoWheelAndBuildFailed,
        sample: "  error: subprocess-exited-with-error\n  × python setup.py egg_info did not run successfully.",
    },
];

/// The class of an installer's output.
pub(crate) fn class_of(text: &str) -> FailureClass {
    let lower = text.to_lowercase();
    RULES.iter().find(|rule| lower.contains(rule.pattern)).map_or(FailureClass::Other, |rule| rule.class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_decides_its_own_sample() {
        for rule in &RULES {
            let sample = rule.sample.to_lowercase();
            let first = RULES.iter().find(|other| sample.contains(other.pattern)).map(|found| found.id);
            assert_eq!(first, Some(rule.id));
            assert_eq!(class_of(rule.sample), rule.class, "{}", rule.id);
        }
        assert_eq!(class_of("Segmentation fault"), FailureClass::Other);
    }
}
