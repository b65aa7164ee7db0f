//! What each condition of a study is to its tables, as the study's file says it.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;

use crate::{Condition, Role};

/// A condition as tables know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConditionPart {
    /// Which it is to them.
    pub role: Role,
    /// Whether anything runs.
    pub runs: bool,
    /// Whether it runs in the study's lock.
    pub in_lock: bool,
    /// Whether the code is repaired, by whomever.
    pub repairs: bool,
    /// The condition whose executions a repair starts from; the baseline's where it is not said.
    pub start: Option<Condition>,
}

/// The conditions of a study, in its order. Of any that it does not tell, and of a study of before that told none, the paper's four are
/// what they are in the paper, and all others [`Role::Further`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles(Vec<(Condition, ConditionPart)>);

impl Roles {
    /// These conditions, in this order.
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

    /// Whether code runs in the study's lock under any condition.
    #[must_use]
    pub fn use_lock(&self) -> bool {
        self.has_any(|part| part.in_lock)
    }

    /// Whether code is repaired under any condition.
    #[must_use]
    pub fn repair_any(&self) -> bool {
        self.has_any(|part| part.repairs)
    }

    /// A study that tells none has the paper's, of which it is so.
    fn has_any(&self, is: fn(&ConditionPart) -> bool) -> bool {
        self.0.is_empty() || self.0.iter().any(|(_, part)| is(part))
    }

    /// Each of these conditions once, in the study's order; those that it does not tell come last, in their own.
    #[must_use]
    pub fn in_order(&self, conditions: impl IntoIterator<Item = Condition>) -> Vec<Condition> {
        let place = |own: &Condition| self.0.iter().position(|(told, _)| told == own).unwrap_or(self.0.len());
        let distinct: BTreeSet<Condition> = conditions.into_iter().collect();
        let mut conditions: Vec<Condition> = distinct.into_iter().collect();
        conditions.sort_by_key(place);
        conditions
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
        let told = self.0.iter().find(|(told, _)| *told == condition).map(|(_, part)| *part);
        told.unwrap_or_else(|| {
            let role = condition.paper_role();
            ConditionPart { role, runs: true, in_lock: true, repairs: role.repairs(), start: None }
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
        let further = ConditionPart { role: Role::Further, runs: true, in_lock: true, repairs: false, start: None };
        let roles = Roles::of([
            (newest, ConditionPart { role: Role::Baseline, ..further }),
            (mended, ConditionPart { repairs: true, start: Some(newest), ..further }),
            (Condition::BASELINE, further),
        ]);
        assert_eq!((roles.condition(Role::Baseline), roles.role(Condition::BASELINE)), (newest, Role::Further));
        assert_eq!((roles.repairs(mended), roles.start(mended)), (true, newest));
        assert_eq!(roles.condition(Role::Modernize), Condition::MODERNIZE);
    }

    #[test]
    fn conditions_stand_as_in_the_study_and_what_it_does_not_tell_comes_last() {
        let [declared, inferred, dated]: [Condition; 3] =
            ["declared", "inferred", "dated"].map(|name| name.parse().unwrap());
        let part = ConditionPart { role: Role::Further, runs: true, in_lock: false, repairs: false, start: None };
        let roles = Roles::of([declared, inferred].map(|condition| (condition, part)));
        assert_eq!(roles.in_order([dated, inferred, declared, inferred]), [declared, inferred, dated]);
        assert_eq!(
            Roles::default().in_order([inferred, declared, Condition::BASELINE]),
            [Condition::BASELINE, declared, inferred]
        );
        assert_eq!((roles.use_lock(), roles.repair_any()), (false, false));
        assert!(Roles::default().use_lock() && Roles::default().repair_any());
    }
}
