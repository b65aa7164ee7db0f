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
}

struct Catalogue {
    rules: Vec<CauseRule>,
    values: RegexSet,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let lines = include_str!("../../data/cause-rules.tsv").lines().filter(|line| !line.starts_with('#'));
    let (rules, patterns): (Vec<CauseRule>, Vec<&str>) = lines.map(read).unzip();
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
    (CauseRule { id, cause, is_certain: strength == "certain", reason, example, names, fact }, pattern)
}

/// The catalogue, the most telling rule first.
#[must_use]
pub fn cause_rules() -> &'static [CauseRule] {
    &CATALOGUE.rules
}

/// The rules that a crash meets, in the catalogue's order; `has` says which facts are known.
pub(super) fn that_apply(name: &str, value: &str, has: impl Fn(&str) -> bool) -> Vec<&'static CauseRule> {
    let matched = CATALOGUE.values.matches(&value.to_lowercase());
    let rules = matched.into_iter().map(|index| &CATALOGUE.rules[index]);
    rules.filter(|rule| is_listed(rule.names, name) && (rule.fact == "*" || rule.fact.split('&').all(&has))).collect()
}

fn is_listed(names: &str, name: &str) -> bool {
    names == "*" || names.split(',').any(|listed| listed == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_matches_its_example() {
        for (index, rule) in cause_rules().iter().enumerate() {
            assert!(CATALOGUE.values.matches(&rule.example.to_lowercase()).matched(index), "{}", rule.id);
        }
    }
}
