//! What of the declared gave way, and how far.

use std::collections::BTreeMap;

use pep440_rs::Version;

use crate::plan::{EnvironmentPlan, Warning, WarningKind};

/// How far a declared bound gave way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// To the release nearest to it that can be installed.
    Nearest(Version),
    /// To any release.
    Any,
    /// To none: the environment goes without it.
    None,
}

/// One that gave way.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub(super) step: Step,
    /// Who asked for what, and why it cannot be had.
    pub(super) because: String,
}

/// What gave way, by normalised name.
#[derive(Debug, Clone, Default)]
pub(super) struct Loosened(pub(super) BTreeMap<String, Given>);

impl Loosened {
    /// Whether a distribution gave way.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The bound of a distribution, if it is to be had at all.
    pub(super) fn bound(&self, name: &str, declared: impl FnOnce() -> String) -> Option<String> {
        match self.0.get(name).map(|given| &given.step) {
            None => Some(declared()),
            Some(Step::Nearest(version)) => Some(format!("=={version}")),
            Some(Step::Any) => Some(String::new()),
            Some(Step::None) => None,
        }
    }

    /// The same, and one that gives way further.
    pub(super) fn with(&self, name: &str, step: Step, because: String) -> Self {
        let mut more = self.clone();
        more.0.insert(name.to_owned(), Given { step, because });
        more
    }

    /// The same with another reason.
    pub(super) fn because(mut self, name: &str, because: String) -> Self {
        self.0.entry(name.to_owned()).and_modify(|given| given.because = because);
        self
    }

    /// The same, and one that does not give way.
    pub(super) fn but(&self, name: &str) -> Self {
        let mut less = self.clone();
        less.0.remove(name);
        less
    }

    /// Says in a plan what gave way.
    pub(super) fn warn(&self, plan: &mut EnvironmentPlan) {
        for (name, given) in &self.0 {
            let version = plan.line(name).and_then(|line| line.version.as_ref());
            let instead = match version {
                Some(version) => format!("{name} {version} instead"),
                None => "left out".to_owned(),
            };
            let words = format!("{}: {instead}", given.because);
            plan.warnings.push(Warning { kind: WarningKind::Loosened, distribution: name.clone(), words });
        }
        plan.warnings.sort();
    }
}
