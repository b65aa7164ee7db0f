//! How much of the notebooks runs, by condition and by what stops them (ReNote, section V).

use nbrevive_corpus::{Condition, Executability};
use serde_json::{Value, json};

use super::cell::Cell;
use super::grid::Grid;
use super::list::Table;
use crate::executability::ExecutabilityRow;
use crate::number_words::percent;
use crate::output::csv_text;
use crate::restored::under;
use crate::rows::Study;
use crate::source;

/// Notebooks by what stops them.
pub(crate) struct ExecutabilityTable {
    study: Study,
    lines: Vec<Line>,
}

struct Line {
    condition: Condition,
    /// None for all of a condition.
    executability: Option<Executability>,
    notebooks: Cell,
    /// Mean share of code cells before the first error; none of nothing.
    before_error: Option<f64>,
    /// Mean share of code cells that ran; none of nothing.
    ran: Option<f64>,
}

impl ExecutabilityTable {
    /// Counts a study's rows; none without any.
    pub(crate) fn count(study: &Study, rows: &[ExecutabilityRow]) -> Option<Self> {
        let of_condition = |condition: Condition| {
            let all: Vec<&ExecutabilityRow> = under(rows, condition).collect();
            let whole = Line::of(condition, None, &all, Cell::whole(all.len() as u64));
            let runs = study.roles.runs(condition);
            let words = Executability::ALL.iter().filter(|word| !runs || **word != Executability::NotRun);
            let by_word = words.map(|word| {
                let those: Vec<&ExecutabilityRow> =
                    all.iter().copied().filter(|row| row.executability == *word).collect();
                let notebooks = Cell::new(those.len() as u64, all.len() as u64);
                Line::of(condition, Some(*word), &those, notebooks)
            });
            by_word.chain([whole]).collect::<Vec<Line>>()
        };
        let conditions = study.roles.in_order(rows.iter().map(|row| row.condition));
        let lines: Vec<Line> = conditions.into_iter().flat_map(of_condition).collect();
        (!lines.is_empty()).then(|| ExecutabilityTable { study: study.clone(), lines })
    }
}

impl Line {
    fn of(
        condition: Condition,
        executability: Option<Executability>,
        rows: &[&ExecutabilityRow],
        notebooks: Cell,
    ) -> Self {
        let mean = |of: fn(&ExecutabilityRow) -> u32| {
            // A notebook without a code cell runs whole.
            let share = |row: &&ExecutabilityRow| match row.code_cells {
                0 => 1.0,
                cells => f64::from(of(row)) / f64::from(cells),
            };
            (!rows.is_empty()).then(|| rows.iter().map(share).sum::<f64>() / rows.len() as f64)
        };
        Line {
            condition,
            executability,
            notebooks,
            before_error: mean(|row| row.ran_before_error),
            ran: mean(|row| row.ran),
        }
    }

    fn word(&self) -> &'static str {
        self.executability.map_or("all", Executability::as_str)
    }
}

impl Table for ExecutabilityTable {
    fn name(&self) -> String {
        "executability".to_owned()
    }

    fn grid(&self) -> Grid {
        let header = [
            "Condition",
            "What stops it",
            "Notebooks",
            "Share",
            "95 % interval",
            "Cells before an error",
            "Cells that run",
        ];
        let row = |line: &Line| {
            vec![
                line.condition.to_string(),
                line.word().to_owned(),
                line.notebooks.count_text(),
                line.notebooks.share_text(),
                line.notebooks.interval_text(),
                percent(line.before_error),
                percent(line.ran),
            ]
        };
        Grid {
            title: "Executability: what stops notebooks, by their first errors, and how much of them runs".to_owned(),
            header: header.map(str::to_owned).into(),
            word_columns: 2,
            rows: self.lines.iter().map(row).collect(),
            notes: vec![
                format!("Ours: {}; intervals are Wilson's.", source::study_line(&self.study)),
                "Cells are means over notebooks of shares of code cells: those before the first error, as far as a run comes \
                 that stops there, and all that run when errors are passed over."
                    .to_owned(),
            ],
        }
    }

    fn csv(&self) -> String {
        let header = ["condition", "executability", "notebooks", "cells_before_error", "cells_ran"];
        let share = |share: Option<f64>| share.map(|share| share.to_string()).unwrap_or_default();
        let rows = self.lines.iter().map(|line| {
            let notebooks = line.notebooks.count().to_string();
            vec![
                line.condition.to_string(),
                line.word().to_owned(),
                notebooks,
                share(line.before_error),
                share(line.ran),
            ]
        });
        csv_text([header.map(str::to_owned).into()].into_iter().chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &Line| {
            json!({
                "condition": line.condition,
                "executability": line.word(),
                "notebooks": line.notebooks.json(),
                "cells_before_error": line.before_error,
                "cells_ran": line.ran,
            })
        };
        self.framed(&self.study, self.lines.iter().map(row).collect())
    }

    fn is_on_terminal(&self) -> bool {
        // The tables of scores come first where there are some.
        !self.study.judge.asks_scores()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_condition_is_counted_by_what_stops_its_notebooks() {
        let row = |condition, executability, ran_before_error, ran| ExecutabilityRow {
            version: String::new(),
            condition,
            executability,
            code_cells: 4,
            ran_before_error,
            ran,
            first_error: None,
            first_error_cell: None,
        };
        let rows = [
            row(Condition::BASELINE, Executability::Executable, 4, 4),
            row(Condition::BASELINE, Executability::NameError, 1, 2),
            row(Condition::BACKPORT, Executability::Executable, 4, 4),
        ];
        let folder = tempfile::tempdir().unwrap();
        crate::testing::Synthetic::default().write(folder.path());
        let study = crate::rows::Data::read(folder.path()).unwrap().study;
        let table = ExecutabilityTable::count(&study, &rows).unwrap();
        let of = |condition: Condition, word: &str| {
            let line = table.lines.iter().find(|line| line.condition == condition && line.word() == word).unwrap();
            (line.notebooks.count(), line.before_error, line.ran)
        };
        assert_eq!(of(Condition::BASELINE, "executable"), (1, Some(1.0), Some(1.0)));
        assert_eq!(of(Condition::BASELINE, "name-error"), (1, Some(0.25), Some(0.5)));
        assert_eq!(of(Condition::BASELINE, "timeout"), (0, None, None));
        assert_eq!(of(Condition::BASELINE, "all"), (2, Some(0.625), Some(0.75)));
        assert_eq!(of(Condition::BACKPORT, "all"), (1, Some(1.0), Some(1.0)));
        assert!(ExecutabilityTable::count(&study, &[]).is_none());
    }
}
