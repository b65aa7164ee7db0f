//! Rules that guard the experiment: what a patch may not do, because a score that it brings would mean nothing.
//!
//! A patch is compared with the original: what the author did already is no breach. Everything is decided on syntax, through
//! aliases, and never by running code. The guards are the second wall; the first is the sandbox, which has no network, no
//! hidden answers and no files of the host. So a patch that gets past them gains little, and what they refuse is recorded
//! with its rule.
//!
//! Parts: `code` is the parsed notebook with its aliases; `text` folds what is put together from literals; `reach` finds
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
mod cuts;
mod flow;
mod places;
mod reach;
mod tables;
mod training;
mod words;

use std::collections::BTreeSet;
use std::fmt;

use nbrevive_corpus::{Breach, FixType};
use nbrevive_notebook::Notebook;
use serde::{Deserialize, Serialize};

use code::Code;
pub use cuts::Cut;
use flow::Origin;

/// New constants in one literal from which on it counts as a table, see [`Contract::most_new_constants`].
pub const DEFAULT_MOST_NEW_CONSTANTS: usize = 24;

/// The most parts into which work may be cut, of which one is left, to save time, unless told.
pub const DEFAULT_DEEPEST_CUT: u32 = 100;

/// One place where a patch breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// The rule.
    pub breach: Breach,
    /// Index in [`Notebook::cells`] of the patched notebook; `None` for what concerns it as a whole.
    pub cell: Option<usize>,
    /// Line of the cell, from 1; 0 for what concerns the notebook as a whole.
    pub line: u32,
    /// What was found, in words.
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cell {
            Some(cell) => write!(f, "{}: cell {}, line {}: {}", self.breach, cell + 1, self.line, self.detail),
            None => write!(f, "{}: {}", self.breach, self.detail),
        }
    }
}

/// What the guards are to know of the competition.
#[derive(Debug, Clone, PartialEq)]
pub struct Contract {
    /// The score to reach, which may not stand in the code.
    pub target: Option<f64>,
    /// The column that names a row of a submission.
    pub id_column: Option<String>,
    /// The columns of a submission that hold predictions.
    pub target_columns: Vec<String>,
    /// Names of the files with the hidden answers, such as `answers.csv`.
    pub answer_files: Vec<String>,
    /// The most constants that a literal collection may have and the original had not;
    /// [`DEFAULT_MOST_NEW_CONSTANTS`] unless told.
    pub most_new_constants: usize,
    /// The most parts into which training may be cut to save time, of which one is left; [`DEFAULT_DEEPEST_CUT`] unless told.
    pub deepest_cut: u32,
}

impl Default for Contract {
    fn default() -> Self {
        Self {
            target: None,
            id_column: None,
            target_columns: Vec::new(),
            answer_files: Vec::new(),
            most_new_constants: DEFAULT_MOST_NEW_CONSTANTS,
            deepest_cut: DEFAULT_DEEPEST_CUT,
        }
    }
}

/// The rules, with what the original does.
#[derive(Debug, Clone)]
pub struct Guard {
    contract: Contract,
    reach: BTreeSet<(Breach, String)>,
    /// Text of the original's cells that are no Python 3, where facts may be missed.
    unread: String,
    unsound_cells: usize,
    training: training::Summary,
    submission: flow::Summary,
    /// What counts as the origin of the submission.
    origin: Origin,
    constants: BTreeSet<String>,
    /// The constants of each table that the original has, in their order.
    tables: Vec<Vec<String>>,
    comparisons: BTreeSet<String>,
    measures: cuts::Measures,
}

/// One thing that code does, by which patch and original are compared.
#[derive(Debug, Clone)]
struct Fact {
    breach: Breach,
    /// What makes two facts the same.
    key: String,
    /// A word of the code that stands for it, to look for in cells that cannot be parsed.
    word: String,
    cell: usize,
    line: u32,
    detail: String,
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
            unread: code.unsound_text(),
            unsound_cells: written.unsound_cells(),
            training: training::summary(&code, None),
            submission,
            origin,
            constants: constants::of(&code),
            tables: constants::tables(&code, contract.most_new_constants),
            comparisons: constants::comparisons(&code),
            measures: cuts::measures(&code),
            contract,
        }
    }

    /// What is wrong with a patched notebook; empty for one that may be executed. At most a finding for each rule and
    /// place, in the order of the rules.
    #[must_use]
    pub fn check(&self, patched: &Notebook) -> Vec<Finding> {
        let code = Code::of(patched);
        let mut findings: Vec<Finding> = Vec::new();
        let facts = reach::facts(&code, &self.contract).into_iter().chain(constants::facts(&code, self));
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
        let refused = |cut: &Cut| !is_for_time || cut.is_deeper_than(self.contract.deepest_cut);
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
            || (!fact.word.is_empty() && self.unread.contains(&fact.word))
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
        let trained = self.training.sites > 0 || (self.unsound_cells > 0 && self.unread.contains(".fit("));
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
        let expected = was.learned || self.unread.contains(".predict");
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
        let lost = self.contract.target_columns.iter().filter(|column| was.has(column) && !now.has(column));
        let words = |column: &String| format!("column `{column}` of the submission does not come from predictions");
        lost.map(|column| Finding::whole(Breach::ConstantPredictions, words(column))).collect()
    }
}

impl Finding {
    fn whole(breach: Breach, detail: impl Into<String>) -> Self {
        Self { breach, cell: None, line: 0, detail: detail.into() }
    }
}

impl From<Fact> for Finding {
    fn from(fact: Fact) -> Self {
        Self { breach: fact.breach, cell: Some(fact.cell), line: fact.line, detail: fact.detail }
    }
}

#[cfg(test)]
mod tests;
