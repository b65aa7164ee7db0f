//! Who is asked for a patch, in which order, for each type of fix.

use serde::{Deserialize, Serialize};

use crate::FixType;

nbrevive_corpus::string_enum! {
    /// Who proposes: the kinds of [`crate::PatchProvider`].
    pub enum Proposer ("proposer") {
        /// The rules, which cost nothing.
        Rules => "rules",
        /// Well-kept tools: fissix for cells that are no Python 3, ruff for numpy.
        Tools => "tools",
        /// A language model, or whoever answers in its place.
        Model => "model",
    }
}

/// The order of proposers for each type of fix; a proposer that is not named is not asked.
///
/// Rules, tools and then a model unless told: what the rules know costs nothing, and the tools next to nothing. The tools mend
/// errors alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ProposerOrder {
    /// For executions that ran out of time.
    pub runtime_reduction: Vec<Proposer>,
    /// For executions with errors.
    pub error_repair: Vec<Proposer>,
    /// For scores that deviate without an error.
    pub score_calibration: Vec<Proposer>,
}

impl Default for ProposerOrder {
    fn default() -> Self {
        Self {
            error_repair: vec![Proposer::Rules, Proposer::Tools, Proposer::Model],
            ..Self::all(&[Proposer::Rules, Proposer::Model])
        }
    }
}

impl ProposerOrder {
    /// The same order for every type of fix.
    #[must_use]
    pub fn all(order: &[Proposer]) -> Self {
        Self { runtime_reduction: order.to_vec(), error_repair: order.to_vec(), score_calibration: order.to_vec() }
    }

    /// Who is asked for a fix of this type, the first one first.
    #[must_use]
    pub fn of(&self, fix_type: FixType) -> &[Proposer] {
        match fix_type {
            FixType::RuntimeReduction => &self.runtime_reduction,
            FixType::ErrorRepair => &self.error_repair,
            FixType::ScoreCalibration => &self.score_calibration,
        }
    }

    /// Whether a proposer is asked for anything.
    #[must_use]
    pub fn names(&self, proposer: Proposer) -> bool {
        FixType::ALL.iter().any(|fix_type| self.of(*fix_type).contains(&proposer))
    }
}
