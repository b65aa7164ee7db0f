//! The loop of the paper (section 3.1): execute, detect, fix, and again, until the notebook is reproducible.

use std::collections::BTreeSet;

use nbrevive_guard::{Contract, Guard};
use nbrevive_notebook::{Notebook, percent};

use crate::states::Codes;
use crate::turn::Loop;
use crate::{Assessment, LoopEnd, Modernization, PatchProvider, ProposerOrder, Rules, Subject};

/// The paper's cap on fixes per notebook, N = 16 (section 3.1).
pub const DEFAULT_MAX_FIXES: usize = 16;

/// Limits of the loop.
///
/// τ is a setting of the caller, who judges each execution ([`Assessment::reproducible`]); what a model is asked is
/// limited in [`crate::PromptSettings`] and [`crate::DialogueSettings`].
#[derive(Debug, Clone, PartialEq)]
pub struct WorkflowSettings {
    /// The most fixes that are tried, [`DEFAULT_MAX_FIXES`] unless told.
    pub max_fixes: usize,
    /// Who is asked for each type of fix, in which order.
    pub order: ProposerOrder,
    /// What the guards are to know of the competition; the target score is taken from the [`Subject`].
    pub contract: Contract,
}

impl Default for WorkflowSettings {
    fn default() -> Self {
        Self { max_fixes: DEFAULT_MAX_FIXES, order: ProposerOrder::default(), contract: Contract::default() }
    }
}

/// The guards for patches of a notebook, whichever Python it was written for.
#[must_use]
pub fn guard_of(original: &Notebook, contract: Contract) -> Guard {
    Guard::as_read(original, &Rules.reading(original), contract)
}

/// Mends `original`, whose execution came to `first`. `run` executes a version and judges it.
///
/// Per step the providers are asked in the order of the fix's type, and the first with a new proposal is taken. A proposal whose code was executed before is passed
/// over, since the same code in the same environment fails the same way; one that breaks a rule of [`Guard`] is refused.
/// Without a target score the goal is an execution without errors.
///
/// # Errors
///
/// Whatever `run` returns when it cannot execute at all.
pub fn modernize<E>(
    original: &Notebook,
    first: Assessment,
    subject: &Subject,
    settings: &WorkflowSettings,
    providers: &mut [Box<dyn PatchProvider + '_>],
    run: &mut dyn FnMut(&Notebook) -> Result<Assessment, E>,
) -> Result<Modernization, E> {
    let contract = Contract { target: subject.target, ..settings.contract.clone() };
    let mut lap = Loop {
        original_text: percent::render(original),
        guard: guard_of(original, contract),
        seen: Codes::of(original),
        subject,
        order: &settings.order,
        barred: BTreeSet::new(),
        in_vain: 0,
        executions: 0,
        outcome: Modernization {
            notebook: original.clone(),
            last: first,
            fixes: Vec::new(),
            end: if subject.target.is_some() { LoopEnd::Reproducible } else { LoopEnd::Runs },
            refusals: Vec::new(),
            fruitless: Vec::new(),
            taken_back: Vec::new(),
            provider_errors: Vec::new(),
            cuts: Vec::new(),
            unavailable: None,
        },
    };
    while !subject.is_reached(&lap.outcome.last) {
        if lap.outcome.fixes.len() + lap.in_vain >= settings.max_fixes {
            lap.outcome.end = LoopEnd::FixesExhausted;
            break;
        }
        let started = std::time::Instant::now();
        match lap.next_proposal(providers) {
            Ok(mut taken) => {
                let seconds = started.elapsed().as_secs_f64();
                let assessment = lap.execute(&mut taken, run)?;
                lap.take(taken, seconds, assessment);
            }
            Err(end) => {
                lap.outcome.end = end;
                break;
            }
        }
    }
    lap.outcome.cuts = lap.guard.cuts(&lap.outcome.notebook);
    Ok(lap.outcome)
}

#[cfg(test)]
#[path = "workflow_tests.rs"]
mod tests;
