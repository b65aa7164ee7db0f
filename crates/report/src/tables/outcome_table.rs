//! Tables 1 to 3 of the paper (sections 2.1.2, 2.2.2 and 4.1): outcomes under one condition.

use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, Outcome, Role};
use serde_json::{Value, json};

use super::cell::Cell;
use super::grid::Grid;
use super::list::Table;
use crate::outcome_line::{Labels, Line};
use crate::output::csv_text;
use crate::published::{Printed, Published};
use crate::rows::{Data, OutcomeRow, Study};
use crate::source;

/// The outcomes under one condition.
pub(crate) struct OutcomeTable {
    condition: Condition,
    study: Study,
    lines: Vec<(Line, Cell)>,
    total: Cell,
    beside: bool,
    notes: Vec<String>,
}

impl OutcomeTable {
    /// Counts the rows of one condition.
    pub(crate) fn count(condition: Condition, data: &Data, published: Option<&Published>) -> Self {
        let role = data.study.roles.role(condition);
        let mut counts: BTreeMap<Line, u64> = BTreeMap::new();
        let mut whole = 0;
        for line in data.under(condition).filter_map(line_of) {
            *counts.entry(line).or_default() += 1;
            whole += 1;
        }
        let table = published.and_then(|published| published.outcomes(role));
        let cell = |line: Line| {
            let cell = Cell::new(counts.get(&line).copied().unwrap_or_default(), whole);
            match table.and_then(|table| table.rows.get(line.key()).map(|printed| (printed, &table.total))) {
                Some((printed, total)) => cell.beside(printed, total),
                None => cell,
            }
        };
        let total = Cell::whole(whole);
        OutcomeTable {
            condition,
            study: data.study.clone(),
            lines: Line::of(&data.study.roles, condition).into_iter().map(|line| (line, cell(line))).collect(),
            total: match table {
                Some(table) => total.beside(&table.total, &table.total),
                None => total,
            },
            beside: table.is_some(),
            notes: notes(condition, data, published, whole),
        }
    }

    /// Those of the ablation, where the study has it; the paper has a figure of it and no table.
    pub(crate) fn of_ablation(data: &Data, published: Option<&Published>) -> Option<Self> {
        data.of(Role::Ablation).next()?;
        Some(OutcomeTable::count(data.condition(Role::Ablation), data, published))
    }

    /// The title with the table's number in the paper.
    pub(crate) fn title(&self) -> String {
        let what = match self.study.roles.role(self.condition) {
            Role::Baseline => "Outcomes at baseline: the notebooks' own code in the contemporary environment",
            Role::Backport => "Outcomes after backporting: the notebooks' own code in environments of their dates",
            Role::Modernize => "Outcomes after modernizing the notebooks that ran at baseline without reproducing",
            Role::Ablation => "Outcomes after modernizing cell by cell what raised at baseline without reproducing",
            Role::Further => return format!("Outcomes under {}", self.condition),
        };
        match number(self.study.roles.role(self.condition)) {
            Some(number) => format!("Table {number}. {what}"),
            None => format!("Ablation (section 5.1). {what}"),
        }
    }

    fn row(&self, words: [&str; 4], cell: &Cell) -> Vec<String> {
        let mut row: Vec<String> = words.into_iter().map(str::to_owned).collect();
        row.extend([cell.count_text(), cell.share_text(), cell.interval_text()]);
        if self.beside {
            row.extend([cell.published_text(), cell.published_share_text()]);
        }
        row
    }

    fn deviation(&self, labels: &Labels) -> String {
        let sign = labels.deviation.map(|sign| if sign == "<=" { "≤" } else { sign });
        sign.map_or_else(String::new, |sign| format!("{sign} {}", source::tau(&self.study)))
    }
}

impl Table for OutcomeTable {
    fn name(&self) -> String {
        let number = number(self.study.roles.role(self.condition));
        number.map_or_else(|| "cell-level".to_owned(), |number| format!("table{number}"))
    }

    fn grid(&self) -> Grid {
        let mut header = vec!["Error status", "Output", "δs", "Reproducibility", "Ours", "Share", "95 % interval"];
        if self.beside {
            header.extend(["Published", "Published share"]);
        }
        let rows = self.lines.iter().map(|(line, cell)| {
            let labels = line.labels();
            let deviation = self.deviation(&labels);
            let words = [labels.error_status, labels.output_status, &deviation, labels.reproducibility];
            self.row(words, cell)
        });
        let total = self.row(["Total", "", "", ""], &self.total);
        Grid {
            title: self.title(),
            header: header.into_iter().map(str::to_owned).collect(),
            word_columns: 4,
            rows: rows.chain([total]).collect(),
            notes: self.notes.clone(),
        }
    }

    /// The table as CSV: one line a row and one for the total, shares as fractions.
    fn csv(&self) -> String {
        let header = ["row", "error_status", "output_status", "deviation", "reproducibility"];
        let header = header.into_iter().chain(Cell::CSV_FIELDS).map(str::to_owned).collect();
        let rows = self.lines.iter().map(|(line, cell)| {
            let labels = line.labels();
            let deviation = labels.deviation.map(|sign| format!("{sign}{}", self.study.tau));
            let words = [line.key(), labels.error_status, labels.output_status].map(str::to_owned);
            let rest = [deviation.unwrap_or_default(), labels.reproducibility.to_owned()];
            words.into_iter().chain(rest).chain(cell.csv()).collect()
        });
        let total = ["total", "", "", "", ""].map(str::to_owned).into_iter().chain(self.total.csv()).collect();
        csv_text([header].into_iter().chain(rows).chain([total]))
    }

    fn json(&self) -> Value {
        let row = |(line, cell): &(Line, Cell)| {
            let labels = line.labels();
            let mut object = cell.json();
            object["row"] = json!(line.key());
            object["reproducibility"] = json!(labels.reproducibility);
            object
        };
        let mut json = self.framed(&self.study, self.lines.iter().map(row).collect());
        json["table"] = json!(number(self.study.roles.role(self.condition)));
        json["condition"] = json!(self.condition);
        json["total"] = self.total.json();
        json
    }

    fn is_on_terminal(&self) -> bool {
        true
    }
}

/// The table's number in the paper; the ablation has a figure and no table there.
fn number(role: Role) -> Option<u8> {
    match role {
        Role::Baseline => Some(1),
        Role::Backport => Some(2),
        Role::Modernize => Some(3),
        Role::Ablation | Role::Further => None,
    }
}

/// The row of the table; every row that was read has one, see `rows::check_outcomes`.
fn line_of(row: &OutcomeRow) -> Option<Line> {
    if row.outcome == Outcome::Failed { row.failure.map(Line::Failed) } else { Line::containing(row) }
}

fn notes(condition: Condition, data: &Data, published: Option<&Published>, whole: u64) -> Vec<String> {
    let role = data.study.roles.role(condition);
    let mut notes = vec![source::ours(&data.study, whole, condition)];
    notes.extend(data.repeated.note());
    let table = published.and_then(|published| Some((published, published.outcomes(role)?)));
    if let Some((published, table)) = table {
        notes.push(source::published(&published.paper, &table.section, &table.population));
        let sum: u64 = table.rows.values().map(Printed::count).sum();
        if sum != table.total.count() {
            notes.push(source::contradiction("the rows", sum, &table.total));
        }
    }
    notes
}
