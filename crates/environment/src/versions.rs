//! Names, versions and specifiers as the index spells them, old spellings included.

use pep440_rs::{Operator, Version, VersionSpecifier, VersionSpecifiers};

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

/// Reads specifiers (`>=3.6, <4`) leniently: `>=3.6.*` counts as `>=3.6` (`<`, `>`, `<=` likewise), `~=3.6.*` as
/// `==3.6.*`, `~=3` as `>=3`, empty parts are skipped, and parts that are no PEP 440 specifier (`>=2011k`) are left
/// out, as they bound nothing known.
#[must_use]
pub fn specifiers(text: &str) -> VersionSpecifiers {
    text.trim().trim_start_matches('(').trim_end_matches(')').split(',').filter_map(specifier).collect()
}

fn specifier(part: &str) -> Option<VersionSpecifier> {
    let part = part.trim();
    if let Ok(read) = part.parse() {
        return Some(read);
    }
    if let Some(compatible) = part.strip_prefix("~=") {
        let spelled = if compatible.trim_end().ends_with(".*") { "==" } else { ">=" };
        return format!("{spelled}{compatible}").parse().ok();
    }
    part.strip_suffix(".*").filter(|_| part.starts_with(['<', '>'])).and_then(|bare| bare.parse().ok())
}

/// Whether a version is within all specifiers (PEP 440, "Version specifiers"). Pre-releases are compared as the
/// versions that they are: whether one may be chosen is another question.
#[must_use]
pub fn within(specifiers: &VersionSpecifiers, version: &Version) -> bool {
    specifiers.iter().all(|specifier| meets(specifier, version))
}

/// One specifier. Written out here because the crate's own comparison copies both versions each time, takes `2` for
/// a match of `==2.1.*`, and excludes `2.0rc1` from `<2.0rc2`.
fn meets(specifier: &VersionSpecifier, version: &Version) -> bool {
    let bound = specifier.version();
    // "Local version labels MUST be ignored entirely", unless the specifier has one itself.
    let public;
    let version = if version.local().is_empty() || !bound.local().is_empty() {
        version
    } else {
        public = version.clone().without_local();
        &public
    };
    let same_release = || starts_with(version, bound, bound.release().len().max(version.release().len()));
    match specifier.operator() {
        Operator::Equal => version == bound,
        Operator::NotEqual => version != bound,
        Operator::ExactEqual => version.to_string() == bound.to_string(),
        Operator::EqualStar => starts_with(version, bound, bound.release().len()),
        Operator::NotEqualStar => !starts_with(version, bound, bound.release().len()),
        Operator::TildeEqual => {
            version >= bound && starts_with(version, bound, bound.release().len().saturating_sub(1))
        }
        Operator::GreaterThanEqual => version >= bound,
        Operator::LessThanEqual => version <= bound,
        // Exclusive bounds exclude post-releases and pre-releases of the bound itself, unless it is one.
        Operator::GreaterThan => version > bound && (bound.is_post() || !version.is_post() || !same_release()),
        Operator::LessThan => version < bound && (bound.any_prerelease() || version.is_stable() || !same_release()),
    }
}

/// Whether the first `length` numbers agree, missing ones being 0, and the epoch too.
fn starts_with(version: &Version, prefix: &Version, length: usize) -> bool {
    let number = |of: &Version, at: usize| of.release().get(at).copied().unwrap_or(0);
    version.epoch() == prefix.epoch() && (0..length).all(|at| number(version, at) == number(prefix, at))
}

/// Whether `requires_python` admits the interpreter's full version; absence admits every one, for old uploads
/// say nothing.
#[must_use]
pub fn admits(requires_python: Option<&str>, interpreter: &Version) -> bool {
    requires_python.is_none_or(|text| within(&specifiers(text), interpreter))
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
        assert!(within(&specifiers("(>=2011k)"), &version("2000.1")));
    }

    #[test]
    fn specifiers_follow_pep_440() {
        let cases = [
            ("==1.0", "1.0.0", true),
            ("==1.0", "1.0+cpu", true),
            ("==1.0+cu9", "1.0", false),
            ("==2.1.*", "2", false),
            ("==2.0.*", "2", true),
            ("!=3.1.*", "3", true),
            ("!=3.1.*", "3.1.4", false),
            ("~=2.2", "2.9", true),
            ("~=2.2", "3.0", false),
            ("~=1.4.5", "1.5", false),
            ("~=1.4.*", "1.4.9", true),
            ("~=1", "7", true),
            (">1.0", "1.0.post1", false),
            (">1.0", "1.0.1", true),
            ("<2.0", "2.0rc1", false),
            ("<2.0", "1.9rc1", true),
            ("<2.0rc2", "2.0rc1", true),
            (">=2.0", "2.0.dev3", false),
            ("===1.0", "1.0", true),
            ("===1.0", "1.0.0", false),
            (">=1!0.5", "9.0", false),
        ];
        for (bound, given, expected) in cases {
            assert_eq!(within(&specifiers(bound), &version(given)), expected, "{given} {bound}");
        }
    }
}
