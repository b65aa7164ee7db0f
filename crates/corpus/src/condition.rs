//! Conditions: under which a version is executed, each known by a name that its study gives.

#![deny(clippy::wildcard_enum_match_arm)]

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, OnceLock};

use crate::UnknownWord;
use nbrevive_files::unpoisoned;
use nbrevive_spelling::string_enum;

/// A condition by its name: small letters, digits and hyphens, a letter first, at most 40 characters.
///
/// What it does stands in its study's file. The names of the paper's four are constants, since a study may name them without a recipe.
/// The order is that of the paper, then that of the names.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Condition(&'static str);

string_enum! {
    /// What a condition is to the tables: they ask for the one of a role, and never for a name.
    pub enum Role ("role") {
        /// Own code in today's environment: what the others are compared with.
        Baseline => "baseline",
        /// Own code in an environment of its date.
        Backport => "backport",
        /// Code repaired until it reproduces.
        Modernize => "modernize",
        /// The same with one thing left out, to see what that does.
        Ablation => "ablation",
        /// Any other.
        Further => "further",
    }
}

impl Role {
    /// Those of the paper's Tables 1 to 3, in their order.
    pub const MAIN: &'static [Role] = &[Role::Baseline, Role::Backport, Role::Modernize];

    /// Whether a condition of this role repairs the code, at whatever level; of [`Role::Further`], which may, its study says it.
    #[must_use]
    pub const fn repairs(self) -> bool {
        match self {
            Role::Baseline | Role::Backport | Role::Further => false,
            Role::Modernize | Role::Ablation => true,
        }
    }
}

/// Longest name, in bytes.
const LONGEST: usize = 40;

/// Most names that one process keeps: far more than studies have, and a limit to what damaged files can fill.
const MOST: usize = 4096;

impl Condition {
    /// The version's own code in the study's contemporary environment (paper, section 2.1).
    pub const BASELINE: Condition = Condition("baseline");
    /// The version's own code in an environment of its date (paper, section 2.2).
    pub const BACKPORT: Condition = Condition("backport");
    /// Code repaired until it reproduces in the contemporary environment (paper, section 3).
    pub const MODERNIZE: Condition = Condition("modernize");
    /// The same with error repair cell by cell (paper, section 5.1): the ablation.
    pub const MODERNIZE_CELL: Condition = Condition("modernize-cell");

    /// Those of the paper.
    pub const PRESETS: &'static [Condition] =
        &[Condition::BASELINE, Condition::BACKPORT, Condition::MODERNIZE, Condition::MODERNIZE_CELL];

    /// The conditions of the paper's Tables 1 to 3, which a study has unless told.
    pub const MAIN: &'static [Condition] = &[Condition::BASELINE, Condition::BACKPORT, Condition::MODERNIZE];

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The role of one of the paper's, of others `further`; what it is in a study says [`crate::Roles`].
    #[must_use]
    pub fn paper_role(self) -> Role {
        Role::ALL.iter().copied().find(|role| Self::of(*role) == self).unwrap_or(Role::Further)
    }

    /// The paper's condition of a role; of `further`, which none of it has, the name that says so.
    #[must_use]
    pub(crate) const fn of(role: Role) -> Self {
        match role {
            Role::Baseline => Self::BASELINE,
            Role::Backport => Self::BACKPORT,
            Role::Modernize => Self::MODERNIZE,
            Role::Ablation => Self::MODERNIZE_CELL,
            Role::Further => Condition("further"),
        }
    }

    /// Its place among the paper's; of any other the one after them.
    #[must_use]
    pub fn place_in_paper(self) -> usize {
        Self::PRESETS.iter().position(|preset| *preset == self).unwrap_or(Self::PRESETS.len())
    }
}

impl FromStr for Condition {
    type Err = UnknownWord;

    fn from_str(name: &str) -> Result<Self, UnknownWord> {
        /// Every name that is no preset; each is kept for the life of the process, so that a condition is as cheap as a number.
        static NAMES: OnceLock<Mutex<BTreeSet<&'static str>>> = OnceLock::new();
        if let Some(preset) = Self::PRESETS.iter().find(|preset| preset.0 == name) {
            return Ok(*preset);
        }
        let refused = |expected: &str| UnknownWord {
            kind: "condition",
            word: name.chars().take(LONGEST).collect(),
            expected: expected.to_owned(),
        };
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
        if !begins || !name.bytes().all(is_plain) || name.len() > LONGEST {
            return Err(refused(
                "the names of small letters, digits and hyphens, a letter first, at most 40 characters",
            ));
        }
        let mut names = unpoisoned(NAMES.get_or_init(Mutex::default).lock());
        if let Some(known) = names.get(name) {
            return Ok(Condition(known));
        }
        if names.len() >= MOST {
            return Err(refused("those that are known, since there are too many"));
        }
        let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
        names.insert(kept);
        Ok(Condition(kept))
    }
}

impl Ord for Condition {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place_in_paper().cmp(&other.place_in_paper()).then_with(|| self.0.cmp(other.0))
    }
}

impl PartialOrd for Condition {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl serde::Serialize for Condition {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> serde::Deserialize<'de> for Condition {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Condition {
        name.parse().unwrap()
    }

    #[test]
    fn a_name_is_one_condition_wherever_it_is_read() {
        for preset in Condition::PRESETS {
            assert_eq!(named(preset.as_str()), *preset);
        }
        let built = String::from("newest-") + "python";
        assert_eq!(named(&built), named("newest-python"));
        assert!(std::ptr::eq(named(&built).as_str(), named("newest-python").as_str()), "it is kept once");
        assert_eq!(format!("{:<14}|", named("newest")), "newest        |");
        assert_eq!(serde_json::from_str::<Condition>("\"newest\"").unwrap(), named("newest"));
    }

    #[test]
    fn the_papers_come_first_and_the_others_by_name() {
        let mut all = vec![named("a"), Condition::MODERNIZE_CELL, named("b"), Condition::BASELINE];
        all.sort();
        assert_eq!(all, [Condition::BASELINE, Condition::MODERNIZE_CELL, named("a"), named("b")]);
        let roles: Vec<Role> = all.iter().map(|condition| condition.paper_role()).collect();
        assert_eq!(roles, [Role::Baseline, Role::Ablation, Role::Further, Role::Further]);
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for bad in ["", "Baseline", "1st", "-a", "a b", "a/b", "ä", &"a".repeat(41), "a\n"] {
            let error = bad.parse::<Condition>().unwrap_err().to_string();
            assert!(error.starts_with("unknown condition `") && error.contains("a letter first"), "{error}");
        }
    }
}
