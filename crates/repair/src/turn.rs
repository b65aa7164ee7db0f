//! One turn of the loop: the providers are asked, what they propose is admitted or refused, and the fix is written down.

use std::collections::BTreeSet;

use nbrevive_guard::Guard;
use nbrevive_notebook::{Notebook, percent};
use nbrevive_stats::edit_similarity;

use crate::harm::{Reduced, Suspects, raised_anew, take_out};
use crate::patch::unified_diff;
use crate::states::{Codes, code_key, failure_signature};
use crate::{
    AppliedRule, Assessment, CellFeedback, Feedback, Finding, Fix, FixType, Fruitless, LoopEnd, Modernization,
    PatchProvider, Proposal, Proposer, ProposerOrder, ProviderError, QuestionAccount, RefusedFix, Rules, Subject,
    fix_type,
};

/// A proposal that is going to be executed.
pub(crate) struct Taken {
    pub(crate) provider: &'static str,
    pub(crate) proposal: Proposal,
    pub(crate) account: Option<QuestionAccount>,
    /// What was taken back of it.
    pub(crate) taken_back: Vec<AppliedRule>,
}

/// What of a provider's work is left out.
struct LeftOut {
    /// Rules that take no part, by their ids.
    rules: BTreeSet<String>,
    /// Rules that take no part in a cell.
    places: BTreeSet<(String, usize)>,
}

/// Those of the suspects that are refused alone or with the ones before; `is_refused` is asked with the ones that are left out.
fn blamed<T: Ord + Clone>(suspects: BTreeSet<T>, mut is_refused: impl FnMut(&BTreeSet<T>) -> bool) -> BTreeSet<T> {
    let mut blamed = suspects.clone();
    for suspect in suspects {
        blamed.remove(&suspect);
        if is_refused(&blamed) {
            blamed.insert(suspect);
        }
    }
    blamed
}

/// Whether all that rules did is to restore old behaviours as a whole.
fn is_switch(applied: &[AppliedRule]) -> bool {
    !applied.is_empty() && applied.iter().all(|one| nbrevive_rules::is_switch(&one.rule))
}

/// The cells that raise, each with the text of its line: a line above may have come or gone.
fn failing_lines<'n>(notebook: &'n Notebook, assessment: &Assessment) -> Vec<(usize, Option<&'n str>)> {
    let text = |error: &CellFeedback| {
        let line = usize::try_from(error.line?).ok()?.checked_sub(1)?;
        notebook.cells.get(error.cell)?.source.lines().nth(line)
    };
    assessment.errors.iter().map(|error| (error.cell, text(error))).collect()
}

/// The loop between two executions.
pub(crate) struct Loop<'a> {
    pub(crate) original_text: String,
    pub(crate) guard: Guard,
    pub(crate) seen: Codes,
    pub(crate) subject: &'a Subject,
    pub(crate) order: &'a ProposerOrder,
    /// Rules that are not asked again in a cell, since they did harm there.
    pub(crate) barred: BTreeSet<(String, usize)>,
    /// Fixes of which nothing was left.
    pub(crate) in_vain: usize,
    /// Executions so far.
    pub(crate) executions: usize,
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
                Ok(proposal) => {
                    return Ok(Taken { provider: provider.name(), proposal, account, taken_back: Vec::new() });
                }
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

    /// A proposal that may be executed: this one, or what the provider has without the part that is refused.
    fn admit_most(&mut self, provider: &mut dyn PatchProvider, mut proposal: Proposal) -> Result<Proposal, LoopEnd> {
        let mut left_out = LeftOut { rules: self.spent(provider.name()), places: BTreeSet::new() };
        loop {
            match self.admit(provider.name(), &proposal) {
                Ok(()) => return Ok(proposal),
                Err(LoopEnd::Refused) => {}
                Err(why) => return Err(why),
            }
            // A rule that is refused in one cell still acts in others.
            let places = self.blamed_places(provider, &proposal, &left_out);
            if places.is_empty() {
                let rules = self.blamed_rules(provider, &proposal, &left_out);
                left_out.rules.extend(rules);
            } else {
                left_out.places.extend(places);
            }
            match self.rest(provider, &left_out) {
                Some(rest) if rest.notebook != proposal.notebook => proposal = rest,
                _ => return Err(LoopEnd::Refused),
            }
        }
    }

    /// What a provider has without a part of it.
    fn rest(&self, provider: &mut dyn PatchProvider, left_out: &LeftOut) -> Option<Proposal> {
        let feedback = self.feedback();
        let barred = feedback.barred.union(&left_out.places).cloned().collect();
        provider.propose_without(&Feedback { barred, ..feedback }, &left_out.rules).ok().flatten()
    }

    /// What the guards find in what a provider has without a part of it.
    fn findings_in_rest(&self, provider: &mut dyn PatchProvider, left_out: &LeftOut) -> Vec<Finding> {
        self.rest(provider, left_out).map_or_else(Vec::new, |rest| self.allowed(&rest.notebook, rest.fix_type))
    }

    /// The rules, each with a cell, for whose sake the guards find something in that cell.
    fn blamed_places(
        &self,
        provider: &mut dyn PatchProvider,
        refused: &Proposal,
        left_out: &LeftOut,
    ) -> BTreeSet<(String, usize)> {
        let found = self.allowed(&refused.notebook, refused.fix_type);
        let cells: BTreeSet<usize> = found.iter().filter_map(|finding| finding.cell).collect();
        let there = refused.applied.iter().filter(|applied| cells.contains(&applied.cell));
        blamed(there.map(|applied| (applied.rule.clone(), applied.cell)).collect(), |places| {
            let places = left_out.places.union(places).cloned().collect();
            let findings = self.findings_in_rest(provider, &LeftOut { rules: left_out.rules.clone(), places });
            findings.iter().any(|finding| finding.cell.is_some_and(|cell| cells.contains(&cell)))
        })
    }

    /// The rules for whose sake the guards refuse a proposal.
    fn blamed_rules(
        &self,
        provider: &mut dyn PatchProvider,
        refused: &Proposal,
        left_out: &LeftOut,
    ) -> BTreeSet<String> {
        blamed(refused.applied.iter().map(|applied| applied.rule.clone()).collect(), |rules| {
            let rules = left_out.rules.union(rules).cloned().collect();
            !self.findings_in_rest(provider, &LeftOut { rules, places: left_out.places.clone() }).is_empty()
        })
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
        let feedback = self.subject.feedback(&self.outcome.notebook, &self.outcome.last);
        Feedback { barred: self.barred.clone(), ..feedback }
    }

    /// Executes a proposal, and takes back what of it makes a cell raise that ran before.
    pub(crate) fn execute<E>(
        &mut self,
        taken: &mut Taken,
        run: &mut dyn FnMut(&Notebook) -> Result<Assessment, E>,
    ) -> Result<Assessment, E> {
        let after = self.counted(&taken.proposal.notebook, run)?;
        let before = self.outcome.last.clone();
        let where_before = failing_lines(&self.outcome.notebook, &before);
        if is_switch(&taken.proposal.applied) && where_before == failing_lines(&taken.proposal.notebook, &after) {
            return self.take_back_whole(taken, run);
        }
        let anew = raised_anew(&before, &after);
        if anew.is_empty() || after.reproducible {
            return Ok(after);
        }
        let whole = taken.proposal.notebook.clone();
        // What was executed last, and what that came to.
        let mut last = Ok((whole.clone(), after.clone()));
        if let Some((more, mended)) = self.mended(taken, &after, run)? {
            if raised_anew(&before, &mended).is_empty() {
                self.seen.insert(&more.notebook);
                taken.proposal.applied.extend(more.applied);
                taken.proposal.notebook = more.notebook;
                return Ok(mended);
            }
            last = Ok((more.notebook, mended));
        }
        let previous = self.outcome.notebook.clone();
        let Some(suspects) = Suspects::between(&previous, &whole) else {
            // Where cells came or went there are no hunks to tell apart: all of it stays or goes.
            if after.errors.len() > before.errors.len() {
                return self.take_back_whole(taken, run);
            }
            let (executed, _) = last?;
            return if executed == whole { Ok(after) } else { self.counted(&whole, run) };
        };
        let mut assess = |notebook: &Notebook| {
            if last.is_err() || !self.guard.check(notebook).is_empty() {
                return None;
            }
            last = self.counted(notebook, run).map(|assessment| (notebook.clone(), assessment));
            last.as_ref().ok().map(|(_, assessment)| assessment.clone())
        };
        let is_better =
            |trial: &Assessment| raised_anew(&before, trial).is_empty() && trial.errors.len() <= after.errors.len();
        let reduced = suspects.reduce(&anew, &mut assess, (&before, &is_better));
        let (executed, assessment) = last?;
        let kept = match reduced {
            Some(Reduced { notebook, gone }) => {
                taken.taken_back = take_out(&mut taken.proposal.applied, &gone);
                self.barred.extend(taken.taken_back.iter().map(|one| (one.rule.clone(), one.cell)));
                self.seen.insert(&notebook);
                notebook
            }
            None => whole,
        };
        taken.proposal.notebook = kept;
        // What was executed last is what is kept, for all who look at the last execution.
        if executed == taken.proposal.notebook {
            return Ok(assessment);
        }
        self.counted(&taken.proposal.notebook, run)
    }

    /// What rules add to a fix of theirs when they see what it made raise, and what that comes to: what a library did by default before
    /// may stand in another call today.
    fn mended<E>(
        &mut self,
        taken: &Taken,
        after: &Assessment,
        run: &mut dyn FnMut(&Notebook) -> Result<Assessment, E>,
    ) -> Result<Option<(Proposal, Assessment)>, E> {
        if taken.provider != PatchProvider::name(&Rules) {
            return Ok(None);
        }
        let feedback = self.subject.feedback(&taken.proposal.notebook, after);
        let Some(more) = Rules.propose(&Feedback { barred: self.barred.clone(), ..feedback }) else { return Ok(None) };
        if !self.allowed(&more.notebook, taken.proposal.fix_type).is_empty() {
            return Ok(None);
        }
        let mended = self.counted(&more.notebook, run)?;
        Ok(Some((more, mended)))
    }

    /// Takes back all of a fix: a switch that changed nothing would only change what works.
    fn take_back_whole<E>(
        &mut self,
        taken: &mut Taken,
        run: &mut dyn FnMut(&Notebook) -> Result<Assessment, E>,
    ) -> Result<Assessment, E> {
        taken.taken_back = std::mem::take(&mut taken.proposal.applied);
        self.barred.extend(taken.taken_back.iter().map(|one| (one.rule.clone(), one.cell)));
        taken.proposal.notebook = self.outcome.notebook.clone();
        self.counted(&taken.proposal.notebook, run)
    }

    fn counted<E>(
        &mut self,
        notebook: &Notebook,
        run: &mut dyn FnMut(&Notebook) -> Result<Assessment, E>,
    ) -> Result<Assessment, E> {
        self.executions += 1;
        run(notebook)
    }

    /// What is wrong with a version that a fix of this type makes. Work that was cut for time before stays cut.
    fn allowed(&self, notebook: &Notebook, fix_type: FixType) -> Vec<Finding> {
        let is_cut = !self.guard.cuts(&self.outcome.notebook).is_empty();
        let aim = if is_cut { FixType::RuntimeReduction } else { fix_type };
        self.guard.check_fix(notebook, aim)
    }

    /// Whether a proposal may be executed.
    fn admit(&mut self, provider: &'static str, proposal: &Proposal) -> Result<(), LoopEnd> {
        if self.seen.contains(&proposal.notebook) {
            return Err(LoopEnd::Repeated);
        }
        let findings = self.allowed(&proposal.notebook, proposal.fix_type);
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

    /// Writes the account of a fix that was executed. One of which nothing is left is no fix.
    pub(crate) fn take(&mut self, taken: Taken, seconds: f64, assessment: Assessment) {
        if taken.proposal.notebook.cells == self.outcome.notebook.cells {
            let (number, provider) = (self.outcome.fixes.len() + 1, taken.provider.to_owned());
            self.outcome.fruitless.extend(taken.account.map(|account| Fruitless { number, provider, account }));
            self.outcome.taken_back.extend(taken.taken_back);
            self.outcome.last = assessment;
            self.in_vain += 1;
            return;
        }
        let Taken { provider, proposal, account, taken_back } = taken;
        let is_switch = is_switch(&proposal.applied);
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
            taken_back,
            is_switch,
            execution: self.executions,
            account,
        });
        self.outcome.notebook = proposal.notebook;
        self.outcome.last = assessment;
    }
}
