//! Rules from the name and value of an error to its cause: those of `data/cause-rules.tsv`.

use std::sync::LazyLock;

use regex::{RegexSet, RegexSetBuilder};

use super::label::{Label as _, RootCause};

/// One rule.
#[derive(Debug)]
pub struct CauseRule {
    /// A short name.
    pub id: &'static str,
    /// The cause that it speaks for.
    pub cause: RootCause,
    /// Whether the cause stands, whatever else is known.
    pub is_certain: bool,
    /// Why, in words.
    pub reason: &'static str,
    /// A value that it matches.
    pub example: &'static str,
    names: &'static str,
    fact: &'static str,
    /// The place of its pattern in the set; none where every value will do.
    pattern: Option<usize>,
}

struct Catalogue {
    rules: Vec<CauseRule>,
    values: RegexSet,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let lines = include_str!("../../data/cause-rules.tsv").lines().filter(|line| !line.starts_with('#'));
    let (mut rules, mut patterns) = (Vec::new(), Vec::new());
    for line in lines {
        let (rule, pattern) = read(line);
        // In the set, an empty pattern would match at every letter again.
        let place = (!pattern.is_empty()).then_some(patterns.len());
        patterns.extend(place.map(|_| pattern));
        rules.push(CauseRule { pattern: place, ..rule });
    }
    let values = RegexSetBuilder::new(patterns).dfa_size_limit(STATES).build().expect("patterns");
    Catalogue { rules, values }
});

/// Bytes for the states of all patterns together. With the library's 2 MiB they come and go, and each value is then read pattern by
/// pattern, which takes half of the time of a classification.
const STATES: usize = 32 << 20;

fn read(line: &'static str) -> (CauseRule, &'static str) {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, names, fact, pattern, cause, strength, example, reason] = fields[..] else {
        panic!("eight fields: {line}")
    };
    let cause = RootCause::of(cause).unwrap_or_else(|| panic!("a cause: {line}"));
    (CauseRule { id, cause, is_certain: strength == "certain", reason, example, names, fact, pattern: None }, pattern)
}

/// The catalogue, the most telling rule first.
#[must_use]
pub fn cause_rules() -> &'static [CauseRule] {
    &CATALOGUE.rules
}

/// The rules that a crash meets, in the catalogue's order; `has` says which facts are known.
pub(super) fn that_apply(name: &str, value: &str, has: impl Fn(&str) -> bool) -> Vec<&'static CauseRule> {
    let matched = CATALOGUE.values.matches(&value.to_lowercase());
    let matches = |rule: &CauseRule| rule.pattern.is_none_or(|place| matched.matched(place));
    let has_facts = |rule: &CauseRule| rule.fact == "*" || rule.fact.split('&').all(&has);
    let applies = |rule: &&CauseRule| matches(rule) && is_listed(rule.names, name) && has_facts(rule);
    CATALOGUE.rules.iter().filter(applies).collect()
}

/// `*` lists every name, and `!a,b` all but those.
fn is_listed(names: &str, name: &str) -> bool {
    let has = |names: &str| names.split(',').any(|listed| listed == name);
    names == "*" || names.strip_prefix('!').map_or_else(|| has(names), |others| !has(others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_code_are_no_words_of_servers_and_devices() {
        for (name, value) in [
            ("nameerror", "name 'login_timeout' is not defined"),
            ("nameerror", "name 'tpu_strategy' is not defined"),
            ("nameerror", "name 'SparkContext' is not defined"),
            ("keyerror", "'api_key'"),
            ("attributeerror", "'Reader' object has no attribute 'tesseract'"),
        ] {
            let found = that_apply(name, value, |_| false);
            assert!(found.iter().all(|rule| rule.cause != RootCause::Environment), "{value}: {found:?}");
        }
        let refused = that_apply("clienterror", "401: invalid API key", |_| false);
        assert_eq!(refused.first().map(|rule| rule.cause), Some(RootCause::Environment));
        assert!(is_listed("*", "a") && is_listed("a,b", "b") && !is_listed("!a,b", "b") && is_listed("!a,b", "c"));
    }

    #[test]
    fn every_rule_matches_its_example() {
        for rule in cause_rules() {
            let Some(place) = rule.pattern else { continue };
            assert!(CATALOGUE.values.matches(&rule.example.to_lowercase()).matched(place), "{}", rule.id);
        }
    }
}
