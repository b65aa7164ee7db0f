//! What each condition of a study is to its tables, as the study's file says it.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeMap;

use crate::{Condition, Role};

/// A condition as tables know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConditionPart {
    /// Which it is to them.
    pub role: Role,
    /// Whether anything runs.
    pub runs: bool,
    /// Whether the code is repaired, by whomever.
    pub repairs: bool,
    /// The condition whose executions a repair starts from; the baseline's where it is not said.
    pub start: Option<Condition>,
}

/// The conditions of a study. Of any that it does not tell, and of a study of before that told none, the paper's four are what they are
/// in the paper, and all others [`Role::Further`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles(BTreeMap<Condition, ConditionPart>);

impl Roles {
    /// These conditions.
    pub fn of(parts: impl IntoIterator<Item = (Condition, ConditionPart)>) -> Self {
        Roles(parts.into_iter().collect())
    }

    /// What a condition is to the tables.
    #[must_use]
    pub fn role(&self, condition: Condition) -> Role {
        self.part(condition).role
    }

    /// Whether code runs under a condition, and is not only looked at.
    #[must_use]
    pub fn runs(&self, condition: Condition) -> bool {
        self.part(condition).runs
    }

    /// Whether code is repaired under a condition.
    #[must_use]
    pub fn repairs(&self, condition: Condition) -> bool {
        self.part(condition).repairs
    }

    /// The condition under which a version ran before its first fix or preparation: the one where these start, of others they themselves.
    #[must_use]
    pub fn start(&self, condition: Condition) -> Condition {
        let part = self.part(condition);
        match part.start {
            Some(start) => start,
            None if part.repairs => self.condition(Role::Baseline),
            None => condition,
        }
    }

    /// The condition of a role: the study's, else the one that has it in the paper; of [`Role::Further`] any.
    #[must_use]
    pub fn condition(&self, role: Role) -> Condition {
        let told = self.0.iter().find(|(_, part)| part.role == role).map(|(condition, _)| *condition);
        told.unwrap_or_else(|| Condition::of(role))
    }

    fn part(&self, condition: Condition) -> ConditionPart {
        self.0.get(&condition).copied().unwrap_or_else(|| {
            let role = condition.paper_role();
            ConditionPart { role, runs: true, repairs: role.repairs(), start: None }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_the_papers_conditions_are_what_they_are_there() {
        let roles = Roles::default();
        for role in Role::ALL.iter().filter(|role| **role != Role::Further) {
            assert_eq!(roles.role(roles.condition(*role)), *role);
        }
        assert_eq!(roles.role("newest".parse().unwrap()), Role::Further);
        assert_eq!(roles.start(Condition::MODERNIZE_CELL), Condition::BASELINE);
        assert_eq!(roles.start(Condition::BACKPORT), Condition::BACKPORT);
    }

    #[test]
    fn a_study_gives_the_roles_to_names_of_its_own() {
        let [newest, mended]: [Condition; 2] = ["newest", "mended"].map(|name| name.parse().unwrap());
        let roles = Roles::of([
            (newest, ConditionPart { role: Role::Baseline, runs: true, repairs: false, start: None }),
            (mended, ConditionPart { role: Role::Further, runs: true, repairs: true, start: Some(newest) }),
            (Condition::BASELINE, ConditionPart { role: Role::Further, runs: true, repairs: false, start: None }),
        ]);
        assert_eq!((roles.condition(Role::Baseline), roles.role(Condition::BASELINE)), (newest, Role::Further));
        assert_eq!((roles.repairs(mended), roles.start(mended)), (true, newest));
        assert_eq!(roles.condition(Role::Modernize), Condition::MODERNIZE);
    }
}
