//! Error values without what only one crash has: names, numbers, paths, addresses, quoted text, punctuation (section 3.3).

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// Bytes of a value that are read.
const MOST_READ: usize = 64 * 1024;

/// What one rule takes out.
#[derive(Debug)]
pub struct ValueRule {
    /// A short name.
    pub id: &'static str,
    /// What replaces it.
    pub replacement: &'static str,
    /// A value, and the words that are left of it.
    pub example: (&'static str, &'static str),
    /// Letters of which whatever the pattern matches has one: to look for them is quicker than to search.
    needs: &'static str,
    pattern: Regex,
}

/// The rules, in the order in which they act: those of `data/value-rules.tsv`.
pub static VALUE_RULES: LazyLock<Vec<ValueRule>> = LazyLock::new(|| {
    let lines = include_str!("../../data/value-rules.tsv").lines().filter(|line| !line.starts_with('#'));
    let rule = |line: &'static str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, needs, pattern, replacement, before, after] = fields[..] else { panic!("six fields: {line}") };
        ValueRule { id, replacement, example: (before, after), needs, pattern: Regex::new(pattern).expect("a pattern") }
    };
    lines.map(rule).collect()
});

/// The value in lower case, one blank between its words.
#[must_use]
pub fn normal_value(value: &str) -> String {
    words(value).join(" ")
}

/// The words of the value that is left, in order.
pub(super) fn words(value: &str) -> Vec<String> {
    let mut text = Cow::Borrowed(value[..value.floor_char_boundary(MOST_READ)].trim());
    for rule in VALUE_RULES.iter() {
        if !text.bytes().any(|byte| rule.needs.as_bytes().contains(&byte)) {
            continue;
        }
        if let Cow::Owned(changed) = rule.pattern.replace_all(&text, rule.replacement) {
            text = Cow::Owned(changed);
        }
    }
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The value as a set of words, sorted, each once.
pub(super) fn word_set(value: &str) -> Vec<String> {
    let mut words = words(value);
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_rule_keeps_its_example() {
        for rule in VALUE_RULES.iter() {
            let (before, after) = rule.example;
            assert_eq!(normal_value(before), after, "{}", rule.id);
            assert!(rule.pattern.is_match(before), "{}", rule.id);
        }
    }

    proptest! {
        #[test]
        fn what_a_pattern_matches_has_a_letter_that_it_needs(value in "[a-zA-Z0-9_./\\\\'\"`:* \n\t(),=é]{0,60}|.{0,40}") {
            for rule in VALUE_RULES.iter() {
                prop_assert!(!rule.pattern.is_match(&value) || value.contains(|letter| rule.needs.contains(letter)), "{}", rule.id);
            }
        }
    }

    #[test]
    fn the_papers_example_is_the_same() {
        // Table 3.
        for value in ["name 'x' is not defined", "name 'head' is not defined"] {
            assert_eq!(normal_value(value), "name is not defined");
        }
        assert_eq!(word_set("'Hero Over'"), Vec::<String>::new());
        assert_eq!(normal_value("'utf-8' codec can't decode byte 0x80"), "codec can t decode byte");
    }
}
