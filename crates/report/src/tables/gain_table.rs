//! What each preparation gains over the notebooks as they are (ReNote, section V-D, RQ4).

use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, Role};
use serde_json::{Value, json};

use super::restored_tables::{Notion, notion};
use super::{Cell, Grid, Table};
use crate::executability::ExecutabilityRow;
use crate::inputs::Inputs;
use crate::number_words::percent;
use crate::output::csv_text;
use crate::restored::{degree, under};
use crate::rows::Study;
use crate::source;

/// A line a condition that puts something back.
pub(crate) struct GainTable {
    study: Study,
    lines: Vec<Line>,
}

/// Of notebooks that do not run as they are, for want of a file, a module or a name.
struct Line {
    condition: Condition,
    /// Something was put back and stayed, of those that were attempted.
    applied: Cell,
    /// All cells run now.
    full: Cell,
    /// More cells run than before, not all.
    partial: Cell,
    /// Mean gain, share of code cells before the first error, over all that were attempted.
    over_attempted: Option<f64>,
    /// The same over those to which something was applied.
    over_applied: Option<f64>,
    /// The same with cells past errors.
    past_errors: Option<f64>,
}

impl GainTable {
    /// Compares with the baseline; none where no condition puts anything back.
    pub(crate) fn count(of: &Inputs) -> Option<Self> {
        let baseline = of.data.condition(Role::Baseline);
        let before: BTreeMap<&str, &ExecutabilityRow> =
            under(&of.executability, baseline).map(|row| (row.version.as_str(), row)).collect();
        let line = |condition: Condition| {
            let pairs = under(&of.executability, condition)
                .filter_map(|row| Some((*before.get(row.version.as_str())?, row)))
                .filter(|(before, _)| notion(before) == Notion::Restorable);
            Line::of(condition, &pairs.collect::<Vec<_>>(), &|row| of.restored.is_applied(condition, &row.version))
        };
        let lines: Vec<Line> = of.data.study.roles.in_order(of.restored.conditions()).into_iter().map(line).collect();
        (!lines.is_empty()).then(|| GainTable { study: of.data.study.clone(), lines })
    }
}

type Pair<'a> = (&'a ExecutabilityRow, &'a ExecutabilityRow);

impl Line {
    fn of(condition: Condition, pairs: &[Pair<'_>], is_applied: &dyn Fn(&ExecutabilityRow) -> bool) -> Self {
        let cell = |holds: &dyn Fn(&Pair<'_>) -> bool| {
            Cell::new(pairs.iter().filter(|pair| holds(pair)).count() as u64, pairs.len() as u64)
        };
        let applied: Vec<Pair<'_>> = pairs.iter().filter(|(_, after)| is_applied(after)).copied().collect();
        let is_full = |(_, after): &Pair<'_>| notion(after) == Notion::Executable;
        Line {
            condition,
            applied: cell(&|(_, after)| is_applied(after)),
            full: cell(&is_full),
            partial: cell(&|pair| !is_full(pair) && gain(pair, false) > 0.0),
            over_attempted: mean(pairs, false),
            over_applied: mean(&applied, false),
            past_errors: mean(&applied, true),
        }
    }
}

fn gain((before, after): &Pair<'_>, is_tolerant: bool) -> f64 {
    degree(after, is_tolerant) - degree(before, is_tolerant)
}

fn mean(pairs: &[Pair<'_>], is_tolerant: bool) -> Option<f64> {
    let sum: f64 = pairs.iter().map(|pair| gain(pair, is_tolerant)).sum();
    (!pairs.is_empty()).then(|| sum / pairs.len() as f64)
}

impl Table for GainTable {
    fn name(&self) -> String {
        "gains".to_owned()
    }

    fn grid(&self) -> Grid {
        let header = [
            "Condition",
            "Attempted",
            "Applied",
            "Run whole",
            "Share",
            "95 % interval",
            "Run further",
            "Share",
            "Gain over attempted",
            "Gain over applied",
            "Past errors",
        ];
        let row = |line: &Line| {
            vec![
                line.condition.to_string(),
                line.full.whole_text(),
                line.applied.count_text(),
                line.full.count_text(),
                line.full.share_text(),
                line.full.interval_text(),
                line.partial.count_text(),
                line.partial.share_text(),
                percent(line.over_attempted),
                percent(line.over_applied),
                percent(line.past_errors),
            ]
        };
        Grid {
            title: "What is gained by putting back what notebooks miss".to_owned(),
            header: header.map(str::to_owned).into(),
            word_columns: 1,
            rows: self.lines.iter().map(row).collect(),
            notes: vec![
                format!("Ours: {}; intervals are Wilson's.", source::study_line(&self.study)),
                "Attempted: notebooks that lack a file, a module or a name as they are. Gains are means of percentage points of code cells \
                 before the first error; the last column counts those past errors. The paper means those to which its step was applied."
                    .to_owned(),
            ],
        }
    }

    fn csv(&self) -> String {
        let header =
            ["condition", "attempted", "applied", "full", "partial", "over_attempted", "over_applied", "past_errors"];
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let rows = self.lines.iter().map(|line| {
            vec![
                line.condition.to_string(),
                line.full.of().to_string(),
                line.applied.count().to_string(),
                line.full.count().to_string(),
                line.partial.count().to_string(),
                number(line.over_attempted),
                number(line.over_applied),
                number(line.past_errors),
            ]
        });
        csv_text([header.map(str::to_owned).into()].into_iter().chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &Line| {
            json!({
                "condition": line.condition,
                "applied": line.applied.json(),
                "full": line.full.json(),
                "partial": line.partial.json(),
                "over_attempted": line.over_attempted,
                "over_applied": line.over_applied,
                "past_errors": line.past_errors,
            })
        };
        self.framed(&self.study, self.lines.iter().map(row).collect())
    }

    fn is_on_terminal(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::Executability;

    use super::*;

    fn row(executability: Executability, ran_before_error: u32, ran: u32) -> ExecutabilityRow {
        ExecutabilityRow {
            version: ran.to_string(),
            condition: Condition::BASELINE,
            executability,
            code_cells: 4,
            ran_before_error,
            ran,
            first_error: None,
            first_error_cell: None,
        }
    }

    #[test]
    fn gains_are_points_of_code_cells_over_what_was_attempted_and_applied() {
        let before = [
            row(Executability::ModuleNotFound, 0, 1),
            row(Executability::FileNotFound, 1, 2),
            row(Executability::NameError, 2, 3),
        ];
        let after = [
            row(Executability::Executable, 4, 4),
            row(Executability::OtherError, 2, 2),
            row(Executability::NameError, 2, 3),
        ];
        let pairs: Vec<Pair<'_>> = before.iter().zip(&after).collect();
        let line = Line::of(Condition::BASELINE, &pairs, &|row| row.executability != Executability::NameError);
        let cells = [&line.full, &line.partial, &line.applied].map(|cell| (cell.count(), cell.of()));
        assert_eq!(cells, [(1, 3), (1, 3), (2, 3)]);
        // 100 and 25 points before the first error, 75 and 0 past errors.
        assert_eq!(
            (line.over_attempted, line.over_applied, line.past_errors),
            (Some(1.25 / 3.0), Some(0.625), Some(0.375))
        );
    }
}
