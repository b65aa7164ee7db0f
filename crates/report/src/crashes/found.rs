//! What was collected: notebooks through the paper's filters, and what they import (section 3.2, Table 2).

use std::path::{Path, PathBuf};

use nbrevive_diagnosis::crash::{CrashFilter, CrashFunnel, ml_libraries};
use serde_json::{Value, json};

use crate::error::ReportError;
use crate::output::Rendered;
use crate::output::csv_text;
use crate::tables::{Cell, Grid, Table};

/// How many imports are ranked, beside those of Table 2.
const RANKED: usize = 50;

/// What was counted while crashes were collected.
#[derive(Debug, Clone, Default)]
pub struct FoundNotebooks {
    /// What each filter left.
    pub funnel: CrashFunnel,
    /// How many notebooks in Python import each module.
    pub imports: std::collections::BTreeMap<String, u64>,
}

impl FoundNotebooks {
    /// Takes a notebook's imports into account, each module once.
    pub fn add_imports<'name>(&mut self, modules: impl IntoIterator<Item = &'name str>) {
        for module in modules {
            *self.imports.entry(module.to_owned()).or_default() += 1;
        }
    }
}

/// Writes the tables of what was collected below `out`.
///
/// # Errors
/// When a file cannot be written.
pub fn render_found(found: &FoundNotebooks, out: &Path, inputs: &[PathBuf]) -> Result<Rendered, ReportError> {
    let tables = [filters(found), imports(found)];
    let products = tables.iter().flat_map(Table::products);
    let files = products.map(|product| product.write(out, inputs)).collect::<Result<_, _>>()?;
    let text: Vec<String> = tables.iter().map(|table| table.grid().plain()).collect();
    Ok(Rendered { files, text: text.join("\n") })
}

/// Whether a saved name is one of Python's own exceptions, in words.
pub(super) fn name_word(name: &str) -> &'static str {
    let own = name.trim().strip_prefix("builtins.").unwrap_or(name.trim());
    if nbrevive_pysource::names::is_builtin(own) { "built in" } else { "not built in" }
}

/// A table of counts that need no test.
struct Counted {
    name: &'static str,
    title: &'static str,
    header: &'static [&'static str],
    rows: Vec<(Vec<String>, Vec<u64>)>,
    note: &'static str,
}

fn filters(found: &FoundNotebooks) -> Counted {
    let all = ("that were read".to_owned(), (found.funnel.notebooks, 0));
    let left = CrashFilter::ALL.into_iter().map(|filter| filter.keeps().to_owned()).zip(found.funnel.left);
    let rows = std::iter::once(all)
        .chain(left)
        .map(|(word, (notebooks, crashes))| (vec![word], vec![notebooks as u64, crashes as u64]));
    Counted {
        name: "filters",
        title: "Notebooks and their crashes, filter by filter",
        header: &["Notebooks", "Notebooks left", "Crashes left"],
        rows: rows.collect(),
        note: "The paper's filters in its order (section 3.2). Of all that were read crashes are not counted.",
    }
}

fn imports(found: &FoundNotebooks) -> Counted {
    let mut ranked: Vec<(&String, u64)> = found.imports.iter().map(|(module, count)| (module, *count)).collect();
    ranked.sort_by_key(|(module, count)| (std::cmp::Reverse(*count), *module));
    let theme =
        |module: &str| ml_libraries().find(|library| library.name == module).map_or("", |library| library.theme);
    let python = found.funnel.left[0].0 as u64;
    let rows =
        ranked.into_iter().enumerate().filter(|(place, (module, _))| *place < RANKED || !theme(module).is_empty());
    let row = |(place, (module, count)): (usize, (&String, u64))| {
        (vec![module.clone(), theme(module).to_owned()], vec![place as u64 + 1, count, python])
    };
    Counted {
        name: "imports",
        title: "Modules by how many notebooks import them",
        header: &["Module", "Theme", "Rank", "Notebooks", "Of"],
        rows: rows.map(row).collect(),
        note: "Of notebooks in Python; the theme is that of Table 2 of the paper, for its 24 libraries.",
    }
}

impl Table for Counted {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn grid(&self) -> Grid {
        let number = |count: &u64| Cell::whole(*count).count_text();
        let row = |(words, counts): &(Vec<String>, Vec<u64>)| {
            words.iter().cloned().chain(counts.iter().map(number)).collect()
        };
        Grid {
            title: self.title.to_owned(),
            header: self.header.iter().map(|head| (*head).to_owned()).collect(),
            word_columns: self.rows.first().map_or(1, |(words, _)| words.len()),
            rows: self.rows.iter().map(row).collect(),
            notes: vec![self.note.to_owned()],
        }
    }

    fn csv(&self) -> String {
        let field = |head: &&str| head.to_lowercase().replace(' ', "_");
        let rows = self
            .rows
            .iter()
            .map(|(words, counts)| words.iter().cloned().chain(counts.iter().map(ToString::to_string)).collect());
        csv_text(std::iter::once(self.header.iter().map(field).collect()).chain(rows))
    }

    fn json(&self) -> Value {
        let rows: Vec<Value> =
            self.rows.iter().map(|(words, counts)| json!({ "words": words, "counts": counts })).collect();
        json!({ "table": self.name, "title": self.title, "header": self.header, "rows": rows, "note": self.note })
    }
}
