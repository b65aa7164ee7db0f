//! What came of the triggers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::trial::form::Form;

/// How a form of a trigger ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrialVerdict {
    /// It runs and has the value of the replacement.
    Repaired,
    /// It runs, and the value is another one.
    Differs,
    /// It still raises.
    NotRepaired,
    /// The form does not fit: the replacement itself has another value in it.
    NotApplicable,
}

/// What came of one form of a trigger.
#[derive(Debug, Clone, Serialize)]
pub struct FormAccount {
    /// How it ended.
    pub verdict: TrialVerdict,
    /// How many proposals were executed.
    pub fixes: usize,
    /// The rules that acted, in order, once for each place.
    pub rules: Vec<String>,
    /// The error that is left; empty when repaired.
    pub error: String,
    /// The cells at the end.
    pub cells: Vec<String>,
}

/// What came of one trigger.
#[derive(Debug, Clone, Serialize)]
pub struct TriggerAccount {
    /// Its id in the table.
    pub id: String,
    /// Its library.
    pub library: String,
    /// True when the replacement failed, so that there is nothing to compare with.
    pub replacement_failed: bool,
    /// True when the replacement has another value than the old form had in its time, where the table says which.
    pub replacement_differs: bool,
    /// Rules that changed the replacement, which works: must be empty.
    pub touched: Vec<String>,
    /// By form.
    pub forms: BTreeMap<Form, FormAccount>,
}

impl TriggerAccount {
    /// How the table's own form ended.
    #[must_use]
    pub fn own(&self) -> Option<TrialVerdict> {
        self.forms.get(&Form::Own).map(|form| form.verdict)
    }

    /// True when every form that fits is repaired.
    #[must_use]
    pub fn in_every_form(&self) -> bool {
        self.own() == Some(TrialVerdict::Repaired)
            && self
                .forms
                .values()
                .all(|form| matches!(form.verdict, TrialVerdict::Repaired | TrialVerdict::NotApplicable))
    }
}

/// What came of all triggers.
#[derive(Debug, Clone, Serialize)]
pub struct TrialAccount {
    /// One entry a trigger.
    pub triggers: Vec<TriggerAccount>,
    /// Seconds that it took.
    pub seconds: f64,
}

/// The counts of one library.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LibraryRow {
    /// Triggers.
    pub triggers: usize,
    /// Repaired in the table's own form.
    pub repaired: usize,
    /// Run, with another value.
    pub differs: usize,
    /// Still raise.
    pub not_repaired: usize,
    /// Repaired in every form that fits.
    pub every_form: usize,
    /// Replacements (which work) that a rule changed.
    pub touched: usize,
}

impl LibraryRow {
    fn add(&mut self, trigger: &TriggerAccount) {
        self.triggers += 1;
        match trigger.own() {
            Some(TrialVerdict::Repaired) => self.repaired += 1,
            Some(TrialVerdict::Differs) => self.differs += 1,
            _ => self.not_repaired += 1,
        }
        self.every_form += usize::from(trigger.in_every_form());
        self.touched += usize::from(!trigger.touched.is_empty());
    }
}

impl TrialAccount {
    /// The counts by library, and of all.
    #[must_use]
    pub fn by_library(&self) -> (BTreeMap<&str, LibraryRow>, LibraryRow) {
        let mut rows: BTreeMap<&str, LibraryRow> = BTreeMap::new();
        let mut all = LibraryRow::default();
        for trigger in &self.triggers {
            rows.entry(&trigger.library).or_default().add(trigger);
            all.add(trigger);
        }
        (rows, all)
    }

    /// Repaired and fitting triggers of each form.
    #[must_use]
    pub fn by_form(&self) -> BTreeMap<Form, (usize, usize)> {
        let mut rows: BTreeMap<Form, (usize, usize)> = BTreeMap::new();
        for (form, one) in self.triggers.iter().flat_map(|trigger| &trigger.forms) {
            let row = rows.entry(*form).or_default();
            row.0 += usize::from(one.verdict == TrialVerdict::Repaired);
            row.1 += usize::from(one.verdict != TrialVerdict::NotApplicable);
        }
        rows
    }

    /// The table that people read.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<16} {:>8} {:>8} {:>8} {:>12} {:>10} {:>8}\n",
            "library", "triggers", "repaired", "differs", "not repaired", "every form", "touched"
        );
        let (rows, all) = self.by_library();
        for (library, row) in rows.into_iter().chain([("all", all)]) {
            let _ = writeln!(
                text,
                "{:<16} {:>8} {:>8} {:>8} {:>12} {:>10} {:>8}",
                library, row.triggers, row.repaired, row.differs, row.not_repaired, row.every_form, row.touched
            );
        }
        text.push('\n');
        for (form, (repaired, fitting)) in self.by_form() {
            let _ = writeln!(text, "{:<16} {repaired:>8} of {fitting} repaired", form.as_str());
        }
        text
    }
}
