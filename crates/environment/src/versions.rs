//! Names, versions and specifiers as the index spells them, old spellings included.

use pep440_rs::{Version, VersionSpecifier, VersionSpecifiers};

/// A distribution's normalised name: lower case, each run of `-`, `_`, `.` one `-` (PEP 503).
#[must_use]
pub fn normalise(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.trim().chars() {
        if matches!(character, '-' | '_' | '.') {
            if !out.ends_with('-') {
                out.push('-');
            }
        } else {
            out.extend(character.to_lowercase());
        }
    }
    out
}

/// Whether a text can be the name of a distribution (PEP 508).
#[must_use]
pub fn is_name(text: &str) -> bool {
    let edge = |character: Option<char>| character.is_some_and(|found| found.is_ascii_alphanumeric());
    edge(text.chars().next())
        && edge(text.chars().next_back())
        && text.chars().all(|found| found.is_ascii_alphanumeric() || matches!(found, '-' | '_' | '.'))
}

/// Reads specifiers (`>=3.6, <4`) leniently: `>=3.6.*` counts as `>=3.6` (`<`, `>`, `<=` likewise), empty parts
/// are skipped, and parts that are no PEP 440 specifier (`>=2011k`) are left out, as they bound nothing known.
#[must_use]
pub fn specifiers(text: &str) -> VersionSpecifiers {
    text.trim().trim_start_matches('(').trim_end_matches(')').split(',').filter_map(specifier).collect()
}

fn specifier(part: &str) -> Option<VersionSpecifier> {
    let part = part.trim();
    if let Ok(read) = part.parse() {
        return Some(read);
    }
    let ordered = part.starts_with(['<', '>', '~']);
    part.strip_suffix(".*").filter(|_| ordered).and_then(|bare| bare.trim_start_matches('~').parse().ok())
}

/// Whether `requires_python` admits the interpreter's full version; absence admits every one, for old uploads
/// say nothing.
#[must_use]
pub fn admits(requires_python: Option<&str>, interpreter: &Version) -> bool {
    requires_python.is_none_or(|text| specifiers(text).contains(interpreter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn names_are_normalised() {
        assert_eq!(normalise("Scikit_Learn"), "scikit-learn");
        assert_eq!(normalise("ruamel.yaml"), "ruamel-yaml");
        assert_eq!(normalise("a-_.b"), "a-b");
        assert!(is_name("zope.interface") && !is_name("_x") && !is_name("") && !is_name("a b"));
    }

    #[test]
    fn requires_python_is_read_with_the_full_patch_version() {
        assert!(admits(Some(">=3.6.1"), &version("3.6.15")));
        assert!(!admits(Some(">=3.6.1"), &version("3.6")));
        assert!(admits(None, &version("2.7.18")));
        assert!(admits(Some(""), &version("2.7.18")));
        assert!(!admits(Some(">=2.7, !=3.0.*, !=3.1.*, <3.5"), &version("3.6.15")));
    }

    #[test]
    fn old_spellings_are_understood() {
        assert!(admits(Some(">=3.6.*"), &version("3.6.0")));
        assert!(!admits(Some(">=3.6.*"), &version("3.5.9")));
        assert!(!admits(Some("<3.10.*,"), &version("3.10.1")));
        assert!(!admits(Some(">=2.7,<3.0,>=3.3"), &version("2.7.18")));
        assert!(specifiers("(>=2011k)").contains(&version("2000.1")));
    }
}
