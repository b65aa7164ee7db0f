//! Rules from the name and value of an error to its cause: those of `data/cause-rules.tsv`.

use std::sync::LazyLock;

use regex::RegexSet;

use super::evidence::Seen;
use super::label::{Label as _, RootCause};
use super::traceback::Place;

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
    place: &'static str,
}

struct Catalogue {
    rules: Vec<CauseRule>,
    values: RegexSet,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    let lines = include_str!("../../data/cause-rules.tsv").lines().filter(|line| !line.starts_with('#'));
    let (rules, patterns): (Vec<CauseRule>, Vec<&str>) = lines.map(read).unzip();
    Catalogue { rules, values: RegexSet::new(patterns).expect("patterns") }
});

fn read(line: &'static str) -> (CauseRule, &'static str) {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, names, place, pattern, cause, strength, example, reason] = fields[..] else {
        panic!("eight fields: {line}")
    };
    let cause = RootCause::of(cause).unwrap_or_else(|| panic!("a cause: {line}"));
    (CauseRule { id, cause, is_certain: strength == "certain", reason, example, names, place }, pattern)
}

/// The catalogue, the most telling rule first.
#[must_use]
pub fn cause_rules() -> &'static [CauseRule] {
    &CATALOGUE.rules
}

/// The rules that a crash meets, in the catalogue's order.
pub(super) fn that_apply(seen: &Seen<'_>) -> Vec<&'static CauseRule> {
    let value = seen.value.to_lowercase();
    let place = match seen.traceback.deepest().map(|frame| frame.place) {
        Some(Place::Cell(_)) => "the cell",
        Some(Place::Package(_)) => "a package",
        _ => "",
    };
    let matched = CATALOGUE.values.matches(&value);
    let rules = matched.into_iter().map(|index| &CATALOGUE.rules[index]);
    rules.filter(|rule| is_listed(rule.names, &seen.ename) && (rule.place == "*" || rule.place == place)).collect()
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
