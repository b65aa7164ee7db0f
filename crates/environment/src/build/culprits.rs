//! The distributions that an installer's words blame.

use crate::versions::{is_name, normalise};

/// The name at the start of a text such as "six==1.0" or "Scikit_Learn 0.19".
fn name_at(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['`', '\'', '"', ' ']);
    let end = text
        .find(|found: char| !(found.is_ascii_alphanumeric() || matches!(found, '-' | '_' | '.')))
        .unwrap_or(text.len());
    let name = text[..end].trim_end_matches('.');
    is_name(name).then(|| normalise(name))
}

/// The name behind the first of the marks that occurs.
fn after(text: &str, marks: &[&str]) -> Option<String> {
    let lower = text.to_lowercase();
    marks.iter().find_map(|mark| name_at(lower.split_once(mark)?.1))
}

/// The distribution that no version was found of.
pub(crate) fn missing(text: &str) -> Option<String> {
    let before = || {
        let lower = text.to_lowercase();
        let (words, _) = lower.split_once(" was not found in the package registry")?;
        name_at(words.rsplit(char::is_whitespace).next()?)
    };
    after(text, &["satisfies the requirement ", "because there is no version of "]).or_else(before)
}

/// The distribution whose source did not build, or that has no wheel.
pub(crate) fn unbuilt(text: &str) -> Option<String> {
    let wheelless = || {
        let lower = text.to_lowercase();
        let (words, _) = lower.split_once(" has no ")?;
        name_at(words.rsplit(char::is_whitespace).next()?)
    };
    let marks = [
        "wheels are required for `",
        "failed to build `",
        "failed to download and build `",
        "failed building wheel for ",
        "could not build wheels for ",
        "running setup.py install for ",
    ];
    // pip names what it collects before it runs a setup.py that fails.
    let collected = || name_at(text.rsplit_once("Collecting ")?.1);
    after(text, &marks).or_else(wheelless).or_else(collected)
}

/// The distribution whose file is not the one that the lock names.
pub(crate) fn altered(text: &str) -> Option<String> {
    let from_pip = || {
        let (_, rest) = text.split_once("DO NOT MATCH THE HASHES")?;
        rest.lines().skip(1).find_map(|line| name_at(line.trim()).filter(|_| line.contains("==")))
    };
    after(text, &["hash mismatch for "]).or_else(from_pip)
}

/// The distributions whose requirements contradict each other: two that require the same third, or one and what it
/// requires.
pub(crate) fn clashing(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let (mut dependants, mut dependencies) = (Vec::new(), Vec::new());
    let mut rest = lower.as_str();
    while let Some((before, behind)) = rest.split_once(" depends on ") {
        // The dependant may be one word, `a==1.0`, or two, `a 1.0`.
        let words: Vec<&str> = before.split_whitespace().rev().take(2).collect();
        let starts_with_digit =
            words.first().is_some_and(|word| word.starts_with(|first: char| first.is_ascii_digit()));
        dependants.extend(words.get(usize::from(starts_with_digit)).and_then(|word| name_at(word)));
        dependencies.extend(name_at(behind));
        rest = behind;
    }
    let mut both: Vec<String> = Vec::new();
    for name in dependants.into_iter().chain(dependencies) {
        if !both.contains(&name) && both.len() < 2 {
            both.push(name);
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pair_that_clashes_is_read_from_both_installers() {
        let pip = "The conflict is caused by:\n    keras 2.2.4 depends on numpy>=1.9.1\n    Some_Other 1.0 depends on numpy<1.9\n";
        assert_eq!(clashing(pip), ["keras", "some-other"]);
        let uv = "  Because a==1 depends on b>2 and you require b<=1, we can conclude";
        assert_eq!(clashing(uv), ["a", "b"]);
        assert!(clashing("nothing of the kind").is_empty());
    }

    #[test]
    fn what_did_not_build_or_was_not_found_is_named() {
        let cases = [
            ("ERROR: Failed building wheel for PyStan", "pystan"),
            ("  × Failed to build `fasttext==0.9.1`", "fasttext"),
            ("Because pandas==1.0 has no usable wheels and", "pandas"),
            ("Because all versions of a have no usable wheels\nhint: Wheels are required for `b` because", "b"),
            ("Collecting a==1\nCollecting b_c==2\n  ERROR: Command errored out with exit status 1", "b-c"),
        ];
        for (text, name) in cases {
            assert_eq!(unbuilt(text).as_deref(), Some(name), "{text}");
        }
        assert_eq!(missing("Because there is no version of numpy==99.0 and").as_deref(), Some("numpy"));
        assert_eq!(missing("Because nosuch was not found in the package registry").as_deref(), Some("nosuch"));
        assert_eq!(altered("Hash mismatch for `six==1.17.0`").as_deref(), Some("six"));
        let pip = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If\n    Six==1.17.0 from http:\n";
        assert_eq!(altered(pip).as_deref(), Some("six"));
    }
}
