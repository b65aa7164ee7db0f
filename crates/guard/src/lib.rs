//! Rules that guard the experiment: what a patch may not do, because a score that it brings would mean nothing.
//!
//! A patch is compared with the original: what the author did already is no breach. Everything is decided on syntax, through
//! aliases, and never by running code. The guards are the second wall; the first is the sandbox, which has no network, no
//! hidden answers and no files of the host. So a patch that gets past them gains little, and what they refuse is recorded
//! with its rule.
//!
//! Parts: `code` is the parsed notebook with its aliases; `code::text` folds what is put together from literals; `reach` finds
//! names, commands and paths that reach outside (judged in `places` and `tables`; `words` are those of training); `training` sees whether models are still
//! trained; `flow` follows predictions into the submission; `constants` finds tables and scores that were written in.
//!
//! # What a guard cannot see
//!
//! Values. A model that is trained on wrong columns, or a text that is computed character by character from numbers that
//! were there before, passes. In doubt about a *new* construct that no honest repair needs, the guards refuse; in doubt about
//! one that repairs do need, they let it pass.

mod code;
mod constants;
mod contract;
mod cuts;
mod finding;
mod flow;
mod places;
mod reach;
mod tables;
mod training;
mod truth;
mod words;

use std::collections::BTreeSet;

use nbrevive_corpus::{Breach, FixType};
use nbrevive_notebook::Notebook;

use code::Code;
pub use contract::{Contract, DEFAULT_DEEPEST_CUT, DEFAULT_MOST_NEW_CONSTANTS};
pub use cuts::Cut;
use finding::Fact;
pub use finding::Finding;
use flow::Origin;

/// The rules, with what the original does.
#[derive(Debug, Clone)]
pub struct Guard {
    reach: BTreeSet<(Breach, String)>,
    unsound_cells: usize,
    training: training::Summary,
    submission: flow::Summary,
    /// What counts as the origin of the submission.
    origin: Origin,
    /// What constants are compared with.
    original: constants::Original,
    measures: cuts::Measures,
}

impl Guard {
    /// The rules for patches of `original`.
    #[must_use]
    pub fn new(original: &Notebook, contract: Contract) -> Self {
        Guard::as_read(original, original, contract)
    }

    /// The rules for patches of `original`, of which `reading` is what Python 3 can read: what it does, the original did. A notebook of
    /// Python 2 would be one that does nothing otherwise, and all that a patch lets it do would be new.
    #[must_use]
    pub fn as_read(original: &Notebook, reading: &Notebook, contract: Contract) -> Self {
        let written = Code::of(original);
        let code = Code::of(reading);
        let by_model = flow::summary(&code, Origin::Predictions, None);
        let (submission, origin) = if by_model.learned || code.unsound_text().contains(".predict") {
            (by_model, Origin::Predictions)
        } else {
            (flow::summary(&code, Origin::TrainingData, None), Origin::TrainingData)
        };
        Self {
            reach: [&written, &code]
                .iter()
                .flat_map(|code| reach::facts(code, &contract))
                .map(|fact| (fact.breach, fact.key))
                .collect(),
            unsound_cells: written.unsound_cells(),
            training: training::summary(&code, None),
            submission,
            origin,
            measures: cuts::measures(&code),
            original: constants::Original::of(&code, contract),
        }
    }

    /// What is wrong with a patched notebook; empty for one that may be executed. At most a finding for each rule and
    /// place, in the order of the rules.
    #[must_use]
    pub fn check(&self, patched: &Notebook) -> Vec<Finding> {
        let code = Code::of(patched);
        let mut findings: Vec<Finding> = Vec::new();
        let facts =
            reach::facts(&code, &self.original.contract).into_iter().chain(constants::facts(&code, &self.original));
        findings.extend(facts.filter(|fact| !self.knows(fact)).map(Finding::from));
        findings.extend(self.training_finding(&code));
        findings.extend(self.submission_findings(&code));
        if code.unsound_cells() > self.unsound_cells {
            findings.push(Finding::whole(Breach::Unreadable, "more cells than before are no valid Python"));
        }
        findings.sort();
        findings.dedup();
        findings
    }

    /// What is wrong with a patched notebook that a fix of this type made: besides [`Guard::check`], work that is cut for any other
    /// reason than time, or deeper than [`Contract::deepest_cut`].
    #[must_use]
    pub fn check_fix(&self, patched: &Notebook, fix_type: FixType) -> Vec<Finding> {
        let mut findings = self.check(patched);
        let is_for_time = fix_type == FixType::RuntimeReduction;
        let refused = |cut: &Cut| !is_for_time || cut.is_deeper_than(self.original.contract.deepest_cut);
        findings.extend(self.cuts(patched).iter().filter(|cut| refused(cut)).map(|cut| Finding {
            breach: Breach::DroppedTraining,
            cell: Some(cut.cell),
            line: cut.line,
            detail: format!("work is cut: {cut}"),
        }));
        findings
    }

    /// What of the original's work a patched notebook cuts.
    #[must_use]
    pub fn cuts(&self, patched: &Notebook) -> Vec<Cut> {
        cuts::cuts(&self.measures, &cuts::measures(&Code::of(patched)))
    }

    /// Whether the original did the same.
    fn knows(&self, fact: &Fact) -> bool {
        self.reach.contains(&(fact.breach, fact.key.clone()))
            || (!fact.word.is_empty() && self.original.unread.contains(&fact.word))
    }

    fn training_finding(&self, code: &Code) -> Option<Finding> {
        let now = training::summary(code, Some(&self.training));
        if let Some((cell, line, detail)) = now.starved.iter().find(|site| !self.training.has_starved(&site.2)) {
            let place = (Some(*cell), *line);
            return Some(Finding {
                breach: Breach::DroppedTraining,
                cell: place.0,
                line: place.1,
                detail: detail.clone(),
            });
        }
        let trained = self.training.sites > 0 || (self.unsound_cells > 0 && self.original.unread.contains(".fit("));
        (trained && now.sites == 0).then(|| {
            Finding::whole(Breach::DroppedTraining, "the original trains a model, and the patched notebook trains none")
        })
    }

    fn submission_findings(&self, code: &Code) -> Vec<Finding> {
        let was = &self.submission;
        let mut now = flow::summary(code, Origin::Predictions, Some(was));
        if self.origin == Origin::TrainingData && !now.learned {
            now = flow::summary(code, Origin::TrainingData, Some(was));
        }
        let is_winding = was.learned && !was.gave_up && now.gave_up;
        if is_winding {
            let detail = "the code became too winding to follow predictions into the submission";
            return vec![Finding::whole(Breach::ConstantPredictions, detail)];
        }
        let expected = was.learned || self.original.unread.contains(".predict");
        if !expected || now.gave_up || was.gave_up {
            return Vec::new();
        }
        if !now.seen {
            let detail = "the submission is written in a way that cannot be followed: use to_csv";
            return was.seen.then(|| Finding::whole(Breach::ConstantPredictions, detail)).into_iter().collect();
        }
        if !now.learned {
            let detail =
                "the submission does not come from a model's predictions (or what the author had in their place)";
            return vec![Finding::whole(Breach::ConstantPredictions, detail)];
        }
        let lost = self.original.contract.target_columns.iter().filter(|column| was.has(column) && !now.has(column));
        let words = |column: &String| format!("column `{column}` of the submission does not come from predictions");
        lost.map(|column| Finding::whole(Breach::ConstantPredictions, words(column))).collect()
    }
}

#[cfg(test)]
mod tests;
