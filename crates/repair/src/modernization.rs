//! The outcome of the loop.

use nbrevive_guard::Cut;
use nbrevive_notebook::Notebook;

use crate::{AppliedRule, Assessment, Fix, FixType, Fruitless, LoopEnd, RefusedFix};

/// The outcome of the loop.
#[derive(Debug, Clone)]
pub struct Modernization {
    /// The last version that was executed.
    pub notebook: Notebook,
    /// What its execution came to.
    pub last: Assessment,
    /// The fixes, in order.
    pub fixes: Vec<Fix>,
    /// Why the loop stopped.
    pub end: LoopEnd,
    /// Patches that were not executed, in order.
    pub refusals: Vec<RefusedFix>,
    /// Dialogues that led to no fix, in order; the others stand in their fixes.
    pub fruitless: Vec<Fruitless>,
    /// What rules did in fixes of which nothing was left, since cells that ran before raised for their sake or nothing got better.
    pub taken_back: Vec<AppliedRule>,
    /// Providers that could not answer, with their reasons, in order.
    pub provider_errors: Vec<String>,
    /// What of the original's work the last version cuts.
    pub cuts: Vec<Cut>,
    /// Why a provider could not be asked at some step, if so: what came out might be otherwise on another day.
    pub unavailable: Option<String>,
}

impl Modernization {
    /// Whether a fix cut work to save time, so that scores and values are those of less training: all that a model does about
    /// time, and rules that are not of the stage that keeps the result.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        let keeps = |rule: &str| {
            let stage =
                |rule: &nbrevive_rules::Rule| matches!(rule.trigger, nbrevive_rules::Trigger::Slow { stage: 2.. });
            !nbrevive_rules::catalogue().any(|known| known.id == rule && stage(known))
        };
        let cuts = |fix: &Fix| fix.applied.is_empty() || !fix.applied.iter().all(|applied| keeps(&applied.rule));
        !self.cuts.is_empty() || self.fixes.iter().any(|fix| fix.fix_type == FixType::RuntimeReduction && cuts(fix))
    }
}
