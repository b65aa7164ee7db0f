//! What the errors of a run say of the files that were made up, and a recipe that is right in that.
//!
//! An error names a column, a value or a number. The tables and columns that its lines touch are those that following the code found there.

mod change;
mod message;
mod rules;
mod sizes;

pub use message::{data_may_mend, missing_file};

use std::collections::BTreeSet;

use nbrevive_diagnosis::crash::{Place, Traceback, plain};
use nbrevive_notebook::{CellFeedback, Notebook, first_line};

use crate::build::followed;
use crate::evidence::{ColumnId, ColumnKey, Findings, TableId};
use crate::recipe::{InputColumn, InputCorrection, InputRecipe};

/// Corrections of one recipe, in all turns together.
const MOST_CORRECTIONS: usize = 200;
/// Errors that are looked at in one turn.
const MOST_ERRORS: usize = 60;

/// A recipe under correction, and what one error is about.
pub(crate) struct Correcting<'a> {
    pub(crate) recipe: InputRecipe,
    findings: &'a Findings,
    error: &'a CellFeedback,
    /// Lines of the notebook that the error went through, the innermost first.
    lines: Vec<(usize, u32)>,
    /// The text of those lines.
    code: String,
}

impl InputRecipe {
    /// Corrects what errors of a run say is wrong, of all errors at once, and says what was changed. `with_outputs` is that of
    /// [`InputRecipe::of`].
    ///
    /// `None` when no error says anything that was not tried before: then another run would end the same.
    #[must_use]
    pub fn corrected(
        &self,
        notebook: &Notebook,
        with_outputs: bool,
        errors: &[CellFeedback],
    ) -> Option<(Self, Vec<InputCorrection>)> {
        let findings = followed(notebook, with_outputs).findings;
        let (places, sources) = (notebook.code_places(), notebook.code_sources());
        let mut recipe = self.clone();
        let mut made = Vec::new();
        for error in errors.iter().take(MOST_ERRORS) {
            if recipe.corrections.len() >= MOST_CORRECTIONS {
                break;
            }
            let Ok(cell) = places.binary_search(&error.cell) else { continue };
            let (lines, code) = lines_of(cell, error, &sources);
            let mut correcting = Correcting { recipe: recipe.clone(), findings: &findings, error, lines, code };
            for (path, change) in rules::apply(&mut correcting) {
                let known = |one: &InputCorrection| one.path == path && one.change == change;
                if recipe.corrections.iter().any(known) {
                    continue;
                }
                let correction = InputCorrection { cell, error: in_one_line(error), path, change };
                correcting.recipe.corrections.push(correction.clone());
                made.push(correction);
                recipe = correcting.recipe.clone();
            }
        }
        (!made.is_empty() && recipe.check().is_ok()).then_some((recipe, made))
    }
}

fn in_one_line(error: &CellFeedback) -> String {
    let value = first_line(&error.evalue);
    let text = format!("{}: {value}", error.ename);
    text.chars().take(200).collect()
}

/// The lines of the notebook in a traceback, from where it was raised outwards, and their text.
fn lines_of(cell: usize, error: &CellFeedback, sources: &[&str]) -> (Vec<(usize, u32)>, String) {
    let text = plain(&error.traceback);
    let traceback = Traceback::read(&text);
    // Cells without code are not counted.
    let counted: Vec<usize> = (0..sources.len()).filter(|cell| !sources[*cell].trim().is_empty()).collect();
    let own: Vec<_> = traceback.of_notebook().collect();
    let mut lines = Vec::new();
    let mut code = String::new();
    for (depth, frame) in own.iter().enumerate().rev() {
        let by_count = match frame.place {
            Place::Cell(Some(count)) => counted.get((count as usize).saturating_sub(1)).copied(),
            _ => None,
        };
        let cell = if depth == 0 { cell } else { by_count.unwrap_or(cell) };
        if let Some(line) = frame.line {
            lines.push((cell, line));
        }
        code.push_str(frame.blamed().unwrap_or(""));
        code.push('\n');
    }
    (lines, code)
}

impl Correcting<'_> {
    /// What the lines of the error touch: first those of one line, then those above it in the cell, then those of the cell.
    fn touched(&self) -> (BTreeSet<TableId>, BTreeSet<ColumnId>) {
        let touched = &self.findings.touched;
        for (cell, line) in &self.lines {
            let exact = touched.get(&(*cell, *line));
            let above = || touched.range((*cell, 0)..=(*cell, *line)).next_back().map(|(_, found)| found);
            if let Some(found) = exact.or_else(above)
                && !found.0.is_empty()
            {
                return found.clone();
            }
        }
        let mut whole = (BTreeSet::new(), BTreeSet::new());
        for (_, found) in touched.range((self.error.cell, 0)..(self.error.cell + 1, 0)) {
            whole.0.extend(&found.0);
            whole.1.extend(&found.1);
        }
        whole
    }

    /// The tables of the recipe that the error may be about, as file and place in it; all of them where nothing tells.
    pub(crate) fn tables(&self) -> Vec<(usize, usize)> {
        let found: Vec<(usize, usize)> =
            self.touched().0.into_iter().filter_map(|table| self.of_recipe(table)).collect();
        if found.is_empty() { self.all_tables() } else { found }
    }

    pub(crate) fn all_tables(&self) -> Vec<(usize, usize)> {
        let files = self.recipe.files.iter().enumerate();
        files.flat_map(|(file, found)| (0..found.tables.len()).map(move |table| (file, table))).collect()
    }

    /// The tables of files that following the code did not find.
    pub(crate) fn unseen_tables(&self) -> Vec<(usize, usize)> {
        let is_seen = |path: &str| self.findings.files.iter().any(|file| file.path == path);
        self.all_tables().into_iter().filter(|(file, _)| !is_seen(&self.recipe.files[*file].path)).collect()
    }

    fn of_recipe(&self, table: TableId) -> Option<(usize, usize)> {
        let facts = &self.findings.tables[table];
        let file = &self.findings.files[facts.file];
        let place = file.tables.iter().position(|known| *known == table)?;
        let index = self.recipe.files.iter().position(|known| known.path == file.path)?;
        (place < self.recipe.files[index].tables.len()).then_some((index, place))
    }

    /// The columns that the lines of the error touch, as file, table and column of the recipe.
    pub(crate) fn columns(&self) -> Vec<(usize, usize, usize)> {
        let touched = self.touched().1;
        touched.into_iter().filter_map(|id| self.column_of(id)).collect()
    }

    fn column_of(&self, id: ColumnId) -> Option<(usize, usize, usize)> {
        let (file, table) = self.of_recipe(id.table)?;
        let columns = &self.recipe.files[file].tables[table].columns;
        let column = match &self.findings.column(id).key {
            ColumnKey::Named(name) => columns.iter().position(|column| column.name == *name)?,
            ColumnKey::At(place) if *place < 0 => columns.len().checked_add_signed(*place)?,
            ColumnKey::At(place) => usize::try_from(*place).ok().filter(|place| *place < columns.len())?,
        };
        Some((file, table, column))
    }

    pub(crate) fn column(&mut self, (file, table, column): (usize, usize, usize)) -> &mut InputColumn {
        &mut self.recipe.files[file].tables[table].columns[column]
    }

    pub(crate) fn path(&self, file: usize) -> String {
        self.recipe.files[file].path.clone()
    }

    /// Whether following the code found this use of a column.
    pub(crate) fn is_target(&self, (file, table, column): (usize, usize, usize)) -> bool {
        use crate::evidence::Use;
        let name = &self.recipe.files[file].tables[table].columns[column].name;
        let path = &self.recipe.files[file].path;
        let known = self.findings.files.iter().find(|known| known.path == *path);
        known
            .and_then(|known| known.tables.get(table))
            .and_then(|table| self.findings.known(*table, name))
            .is_some_and(|id| self.findings.column(id).any(|how| matches!(how, Use::Classes | Use::Quantity)))
    }
}

#[cfg(test)]
mod tests;
