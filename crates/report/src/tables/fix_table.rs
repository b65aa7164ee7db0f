//! Table 4 of the paper (section 4.2): fixes by type, and the state that each one led to.

use nbrevive_corpus::{FixType, FlowState, Role};
use serde_json::{Value, json};

use super::cell::Cell;
use super::grid::Grid;
use super::list::Table;
use crate::output::csv_text;
use crate::published::{Printed, Published, PublishedFixRow};
use crate::rows::{Data, FixRow, Study};
use crate::source;

const TITLE: &str = "Table 4. Fixes by type, and the states of the notebooks after them";

/// Fixes by type and state.
pub(crate) struct FixTable {
    study: Study,
    lines: Vec<FixLine>,
    beside: bool,
    notes: Vec<String>,
}

struct FixLine {
    /// None in the total row.
    fix_type: Option<FixType>,
    total: Cell,
    states: Vec<(FlowState, Cell)>,
}

impl FixTable {
    /// Counts the fixes of the modernize condition.
    pub(crate) fn count(data: &Data, published: Option<&Published>) -> Self {
        let fixes: Vec<&FixRow> = data.fixes_of(Role::Modernize).collect();
        let types = FixType::ALL.iter().map(|fix_type| {
            let printed = published.and_then(|published| published.table4.rows.get(fix_type));
            FixLine::count(Some(*fix_type), &fixes, printed)
        });
        FixTable {
            study: data.study.clone(),
            lines: types.chain([FixLine::count(None, &fixes, None)]).collect(),
            beside: published.is_some(),
            notes: notes(data, published, fixes.len() as u64),
        }
    }

    fn rows(&self, line: &FixLine) -> Vec<Vec<String>> {
        let ours = [line.label().to_owned(), "ours".to_owned(), line.total.count_text()];
        let cells = line.states.iter().map(|(_, cell)| share_beside(cell, line.total.count()));
        let mut rows = vec![ours.into_iter().chain(cells).collect()];
        if self.beside && line.fix_type.is_some() {
            let published = [line.label().to_owned(), "published".to_owned(), line.total.published_text()];
            let cells = line
                .states
                .iter()
                .map(|(_, cell)| format!("{} ({})", cell.published_text(), cell.published_share_text()));
            rows.push(published.into_iter().chain(cells).collect());
        }
        rows
    }
}

impl Table for FixTable {
    fn name(&self) -> String {
        "table4".to_owned()
    }

    /// The table as text in columns; the published row of a type stands below ours.
    fn grid(&self) -> Grid {
        let mut header = vec!["Fix type", "Source", "Fixes"];
        header.extend(FlowState::COLUMNS.iter().map(|state| state.label()));
        let mut grid = Grid {
            title: TITLE.to_owned(),
            header: header.into_iter().map(str::to_owned).collect(),
            word_columns: 2,
            rows: self.lines.iter().flat_map(|line| self.rows(line)).collect(),
            notes: self.notes.clone(),
        };
        if !self.beside {
            // With one source there is nothing to tell apart.
            grid.header.remove(1);
            grid.rows.iter_mut().for_each(|row| drop(row.remove(1)));
            grid.word_columns = 1;
        }
        grid
    }

    /// The table as CSV: one line a fix type and state, shares of the type's fixes as fractions.
    fn csv(&self) -> String {
        let header = ["fix_type", "led_to"].into_iter().chain(Cell::CSV_FIELDS).map(str::to_owned).collect();
        let rows = self.lines.iter().flat_map(|line| {
            let fix_type = line.key();
            let states = line.states.iter().map(|(state, cell)| (state.as_str(), cell));
            [("total", &line.total)].into_iter().chain(states).map(move |(state, cell)| {
                [fix_type.to_owned(), state.to_owned()].into_iter().chain(cell.csv()).collect()
            })
        });
        csv_text([header].into_iter().chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &FixLine| {
            let states: serde_json::Map<String, Value> =
                line.states.iter().map(|(state, cell)| (state.to_string(), cell.json())).collect();
            json!({ "fix_type": line.key(), "total": line.total.json(), "states": states })
        };
        let mut json = self.framed(&self.study, self.lines.iter().map(row).collect());
        json["table"] = json!(4);
        json
    }

    fn is_on_terminal(&self) -> bool {
        true
    }
}

impl FixLine {
    fn count(fix_type: Option<FixType>, fixes: &[&FixRow], printed: Option<&PublishedFixRow>) -> Self {
        let mine = || fixes.iter().filter(|fix| fix_type.is_none_or(|wanted| fix.fix_type == wanted));
        let whole = mine().count() as u64;
        let states = FlowState::COLUMNS.iter().map(|state| {
            let cell = Cell::new(mine().filter(|fix| fix.led_to == *state).count() as u64, whole);
            let beside = printed.and_then(|row| row.states.get(state).map(|count| (count, &row.total)));
            (*state, beside.map_or_else(|| cell.clone(), |(count, total)| cell.clone().beside(count, total)))
        });
        let total = Cell::whole(whole);
        FixLine {
            fix_type,
            states: states.collect(),
            total: match printed {
                Some(row) => total.beside(&row.total, &row.total),
                None => total,
            },
        }
    }

    fn label(&self) -> &'static str {
        type_label(self.fix_type)
    }

    fn key(&self) -> &'static str {
        self.fix_type.map_or("total", FixType::as_str)
    }
}

/// A fix type as tables show it; none is all of them.
pub(crate) const fn type_label(fix_type: Option<FixType>) -> &'static str {
    match fix_type {
        Some(FixType::RuntimeReduction) => "Runtime-reduction",
        Some(FixType::ErrorRepair) => "Error-repair",
        Some(FixType::ScoreCalibration) => "Score-calibration",
        None => "Total",
    }
}

/// A count with its share; of no fixes at all there is no share.
fn share_beside(cell: &Cell, whole: u64) -> String {
    if whole == 0 { cell.count_text() } else { format!("{} ({})", cell.count_text(), cell.share_text()) }
}

fn notes(data: &Data, published: Option<&Published>, fixes: u64) -> Vec<String> {
    let mut notes = vec![source::our_fixes(&data.study, fixes)];
    notes.extend(data.repeated.note());
    if let Some(published) = published {
        let table = &published.table4;
        notes.push(source::published(&published.paper, &table.section, &table.population));
        for (fix_type, row) in &table.rows {
            let sum: u64 = row.states.values().map(Printed::count).sum();
            if sum != row.total.count() {
                notes.push(source::contradiction(&format!("the states of {fix_type}"), sum, &row.total));
            }
        }
    }
    notes
}
