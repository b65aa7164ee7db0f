//! One turn of the loop: the providers are asked, what they propose is admitted or refused, and the fix is written down.

use std::collections::BTreeSet;

use nbrevive_guard::Guard;
use nbrevive_notebook::percent;
use nbrevive_stats::edit_similarity;

use crate::patch::unified_diff;
use crate::states::{Codes, code_key, failure_signature};
use crate::{
    Assessment, Feedback, Fix, FixType, Fruitless, LoopEnd, Modernization, PatchProvider, Proposal, Proposer,
    ProposerOrder, ProviderError, QuestionAccount, RefusedFix, Subject, fix_type,
};

/// A proposal that is going to be executed.
pub(crate) struct Taken {
    pub(crate) provider: &'static str,
    pub(crate) proposal: Proposal,
    pub(crate) account: Option<QuestionAccount>,
}

/// The loop between two executions.
pub(crate) struct Loop<'a> {
    pub(crate) original_text: String,
    pub(crate) guard: Guard,
    pub(crate) seen: Codes,
    pub(crate) subject: &'a Subject,
    pub(crate) order: &'a ProposerOrder,
    pub(crate) outcome: Modernization,
}

impl Loop<'_> {
    /// The first proposal that is new and allowed, or what the loop comes to without one.
    pub(crate) fn next_proposal(&mut self, providers: &mut [Box<dyn PatchProvider + '_>]) -> Result<Taken, LoopEnd> {
        let mut end = LoopEnd::NothingToPropose;
        for index in self.ranked(providers) {
            match self.offer(providers[index].as_mut()) {
                Ok(taken) => return Ok(taken),
                Err(why) => end = why.unwrap_or(end),
            }
        }
        Err(end)
    }

    /// What one provider has that is new and allowed; otherwise why not, unless it has nothing at all.
    fn offer(&mut self, provider: &mut dyn PatchProvider) -> Result<Taken, Option<LoopEnd>> {
        let answer = self.ask(provider);
        let account = provider.take_account();
        let why = match answer {
            Ok(Some(proposal)) => match self.admit_most(provider, proposal) {
                Ok(proposal) => return Ok(Taken { provider: provider.name(), proposal, account }),
                Err(why) => Some(why),
            },
            Ok(None) => None,
            Err(error) => {
                if error.end() == Some(LoopEnd::Unavailable) {
                    self.outcome.unavailable.get_or_insert_with(|| error.to_string());
                }
                self.outcome.provider_errors.push(error.to_string());
                error.end()
            }
        };
        let number = self.outcome.fixes.len() + 1;
        let fruitless = |account| Fruitless { number, provider: provider.name().to_owned(), account };
        self.outcome.fruitless.extend(account.map(fruitless));
        Err(why)
    }

    /// A proposal that may be executed: this one, or what the provider has without the rules whose part is refused.
    fn admit_most(&mut self, provider: &mut dyn PatchProvider, mut proposal: Proposal) -> Result<Proposal, LoopEnd> {
        let mut without = self.spent(provider.name());
        loop {
            match self.admit(provider.name(), &proposal) {
                Ok(()) => return Ok(proposal),
                Err(LoopEnd::Refused) => {}
                Err(why) => return Err(why),
            }
            without.extend(self.blamed(provider, &proposal, &without));
            match provider.propose_without(&self.feedback(), &without) {
                Ok(Some(rest)) if rest.notebook != proposal.notebook => proposal = rest,
                _ => return Err(LoopEnd::Refused),
            }
        }
    }

    /// The rules for whose sake the guards refuse a proposal: those that are refused alone or with the ones before.
    fn blamed(
        &self,
        provider: &mut dyn PatchProvider,
        refused: &Proposal,
        without: &BTreeSet<String>,
    ) -> BTreeSet<String> {
        let rules: BTreeSet<String> = refused.applied.iter().map(|applied| applied.rule.clone()).collect();
        let mut blamed = rules.clone();
        for rule in &rules {
            blamed.remove(rule);
            let left_out = blamed.union(without).cloned().collect();
            let part = provider.propose_without(&self.feedback(), &left_out);
            if part.is_ok_and(|part| part.is_some_and(|part| !self.guard.check(&part.notebook).is_empty())) {
                blamed.insert(rule.clone());
            }
        }
        blamed
    }

    /// Places of the providers in the order of the next fix's type.
    fn ranked(&self, providers: &[Box<dyn PatchProvider + '_>]) -> Vec<usize> {
        let order = self.order.of(fix_type(&self.feedback()));
        let of = |proposer: &Proposer| {
            let proposer = *proposer;
            (0..providers.len()).filter(move |index| providers[*index].proposer() == proposer)
        };
        order.iter().flat_map(of).collect()
    }

    fn ask(&self, provider: &mut dyn PatchProvider) -> Result<Option<Proposal>, ProviderError> {
        let feedback = self.feedback();
        tracing::debug!(fix_type = %fix_type(&feedback), errors = feedback.errors.len(), "asking for a fix");
        let spent = self.spent(provider.name());
        if spent.is_empty() { provider.propose(&feedback) } else { provider.propose_without(&feedback, &spent) }
    }

    /// The rules that act in vain: those of a provider's last fix, where it left every error as the fix before had left it.
    fn spent(&self, provider: &str) -> BTreeSet<String> {
        let [.., before, last] = &self.outcome.fixes[..] else { return BTreeSet::new() };
        let in_vain =
            before.failure == last.failure && last.fix_type == FixType::ErrorRepair && last.provider == provider;
        last.applied.iter().filter(|_| in_vain).map(|applied| applied.rule.clone()).collect()
    }

    /// What the last execution tells.
    fn feedback(&self) -> Feedback<'_> {
        self.subject.feedback(&self.outcome.notebook, &self.outcome.last)
    }

    /// Whether a proposal may be executed.
    fn admit(&mut self, provider: &'static str, proposal: &Proposal) -> Result<(), LoopEnd> {
        if self.seen.contains(&proposal.notebook) {
            return Err(LoopEnd::Repeated);
        }
        let findings = self.guard.check(&proposal.notebook);
        if findings.is_empty() {
            self.seen.insert(&proposal.notebook);
            return Ok(());
        }
        self.outcome.refusals.push(RefusedFix {
            number: self.outcome.fixes.len() + 1,
            fix_type: proposal.fix_type,
            provider: provider.to_owned(),
            patch: unified_diff(&percent::render(&self.outcome.notebook), &percent::render(&proposal.notebook)),
            findings,
        });
        Err(LoopEnd::Refused)
    }

    /// Writes the account of a fix that was executed.
    pub(crate) fn take(&mut self, taken: Taken, seconds: f64, assessment: Assessment) {
        let Taken { provider, proposal, account } = taken;
        let before = percent::render(&self.outcome.notebook);
        let after = percent::render(&proposal.notebook);
        self.outcome.fixes.push(Fix {
            number: self.outcome.fixes.len() + 1,
            fix_type: proposal.fix_type,
            provider: provider.to_owned(),
            patch: unified_diff(&before, &after),
            plan: proposal.plan,
            similarity_to_previous: edit_similarity(&before, &after),
            similarity_to_original: edit_similarity(&self.original_text, &after),
            applied: proposal.applied,
            seconds,
            led_to: assessment.state(),
            score: assessment.score,
            code: code_key(&proposal.notebook),
            failure: failure_signature(&assessment),
            account,
        });
        self.outcome.notebook = proposal.notebook;
        self.outcome.last = assessment;
    }
}
