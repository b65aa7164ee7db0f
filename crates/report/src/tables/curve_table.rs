//! What the paper lacks: the headline for other thresholds τ than its own, and for fewer fixes.

use nbrevive_corpus::Condition;
use serde_json::{Value, json};

use super::cell::{Cell, NOTHING};
use super::grid::Grid;
use crate::output::csv_text;
use crate::rows::{Data, OutcomeRow, Study};
use crate::source;

/// The thresholds of the curve, in percent.
const TAUS: [u32; 13] = [0, 1, 2, 3, 5, 8, 10, 15, 20, 25, 30, 40, 50];

/// Shares of reproducible versions along a setting.
pub(crate) struct CurveTable {
    name: &'static str,
    title: &'static str,
    study: Study,
    /// The head of the setting's column, in words and as a field.
    setting: [&'static str; 2],
    lines: Vec<(Condition, u32, Cell)>,
    notes: Vec<String>,
}

impl CurveTable {
    /// The share that reproduces within each τ from 0 to 50 %, by condition.
    pub(crate) fn by_tau(data: &Data) -> Self {
        let within = |row: &OutcomeRow, percent: u32| {
            // A version that did not come to a submission with a score deviates by more than any τ.
            row.deviation.is_some_and(|deviation| deviation <= f64::from(percent) / 100.0)
        };
        let lines = Condition::ALL.iter().flat_map(|condition| curve(data, *condition, &TAUS, within)).collect();
        let note = format!(
            "Deviations are those of the runs at τ = {}: a loop that stopped there might have gone on at a smaller τ, and \
             stopped earlier at a larger one.",
            source::tau(&data.study)
        );
        let title = "The share of reproducible versions, by the threshold τ";
        CurveTable::new(data, "curve-tau", title, ["τ in percent", "tau_percent"], lines, note)
    }

    /// The share that is reproducible with at most so many fixes, under conditions that repair.
    pub(crate) fn by_fixes(data: &Data) -> Self {
        let most = data.outcomes.iter().map(|row| row.fixes).max().unwrap_or(0);
        let counts: Vec<u32> = (0..=most).collect();
        let within = |row: &OutcomeRow, fixes: u32| row.outcome.is_reproducible() && row.fixes <= fixes;
        let repairing = Condition::ALL.iter().filter(|condition| condition.is_modernize());
        let lines = repairing.flat_map(|condition| curve(data, *condition, &counts, within)).collect();
        let note = format!("No version got more than {}.", source::plural(u64::from(most), "fix"));
        let title = "The share of versions brought back, by the number of fixes";
        CurveTable::new(data, "curve-fixes", title, ["At most so many fixes", "fixes"], lines, note)
    }

    fn new(
        data: &Data,
        name: &'static str,
        title: &'static str,
        setting: [&'static str; 2],
        lines: Vec<(Condition, u32, Cell)>,
        note: String,
    ) -> Self {
        let notes = vec![format!("Ours: {}; intervals are Wilson's.", source::study_line(&data.study)), note];
        CurveTable { name, title, study: data.study.clone(), setting, lines, notes }
    }

    /// The name of its files.
    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// The table as text in columns.
    pub(crate) fn grid(&self) -> Grid {
        let header = ["Condition", self.setting[0], "Versions", "Share", "95 % interval"].map(str::to_owned);
        let row = |(condition, at, cell): &(Condition, u32, Cell)| {
            let words = [condition.to_string(), at.to_string()];
            words.into_iter().chain([cell.count_text(), cell.share_text(), cell.interval_text()]).collect()
        };
        let mut rows: Vec<Vec<String>> = self.lines.iter().map(row).collect();
        if rows.is_empty() {
            rows.push(vec![NOTHING.to_owned(); header.len()]);
        }
        Grid { title: self.title.to_owned(), header: header.into(), word_columns: 1, rows, notes: self.notes.clone() }
    }

    /// The table as CSV.
    pub(crate) fn csv(&self) -> String {
        let header = ["condition", self.setting[1], "count", "share", "share_low", "share_high"].map(str::to_owned);
        let rows = self.lines.iter().map(|(condition, at, cell)| {
            let [count, share, low, high, ..] = cell.csv();
            vec![condition.to_string(), at.to_string(), count, share, low, high]
        });
        csv_text(std::iter::once(header.to_vec()).chain(rows))
    }

    /// The table as JSON.
    pub(crate) fn json(&self) -> Value {
        let row = |(condition, at, cell): &(Condition, u32, Cell)| {
            let mut object = cell.json();
            object["condition"] = json!(condition);
            object[self.setting[1]] = json!(at);
            object
        };
        json!({
            "table": self.name,
            "title": self.title,
            "study": self.study,
            "rows": self.lines.iter().map(row).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

/// The cells of one condition; none when it was not run.
fn curve(
    data: &Data,
    condition: Condition,
    settings: &[u32],
    within: impl Fn(&OutcomeRow, u32) -> bool,
) -> Vec<(Condition, u32, Cell)> {
    let rows: Vec<&OutcomeRow> = data.under(condition).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let cell = |at: u32| Cell::new(rows.iter().filter(|row| within(row, at)).count() as u64, rows.len() as u64);
    settings.iter().map(|&at| (condition, at, cell(at))).collect()
}
