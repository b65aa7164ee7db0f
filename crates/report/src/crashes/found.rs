//! What was collected: notebooks through the paper's filters, and what they import (section 3.2, Table 2).

use std::path::{Path, PathBuf};

use nbrevive_diagnosis::crash::{CrashFilter, CrashFunnel, ml_libraries};
use serde_json::{Value, json};

use super::printed::PrintedShares;
use crate::error::ReportError;
use crate::number_words::NOTHING;
use crate::output::{Rendered, csv_text, input_files};
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

/// Writes the tables of what was collected below `out`; `published` is what a paper prints of the same.
///
/// # Errors
/// When the published numbers cannot be used, or a file cannot be written.
pub fn render_found(
    found: &FoundNotebooks,
    published: Option<&Path>,
    out: &Path,
    inputs: &[PathBuf],
) -> Result<Rendered, ReportError> {
    let printed = published.map(PrintedShares::read).transpose()?.unwrap_or_default();
    let tables = [filters(found, &printed), imports(found, &printed)];
    let products = tables.iter().flat_map(Table::products);
    let inputs = [inputs, &published.map(|path| input_files(path, None)).unwrap_or_default()].concat();
    let files = products.map(|product| product.write(out, &inputs)).collect::<Result<_, _>>()?;
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
    header: Vec<&'static str>,
    /// Words, counts, and what stands behind them.
    rows: Vec<(Vec<String>, Vec<u64>, Vec<String>)>,
    note: &'static str,
}

/// The names of what the paper prints behind a filter, of notebooks and of crashes; of no filter, of all that were collected.
const fn printed_names(filter: Option<CrashFilter>) -> [[Option<&'static str>; 2]; 2] {
    match filter {
        None => [[Some("collected.github"), None], [Some("collected.kaggle"), None]],
        // All of Kaggle's are.
        Some(CrashFilter::Python) => [[Some("Python notebooks on GitHub"), None], [Some("collected.kaggle"), None]],
        Some(CrashFilter::Crashed) => {
            [[Some("crashed.github"), Some("errors.github")], [Some("crashed.kaggle"), Some("errors.kaggle")]]
        }
        Some(CrashFilter::SaysSomething) => [
            [Some("notebooks.github"), Some("population.github")],
            [Some("notebooks.kaggle"), Some("population.kaggle")],
        ],
        Some(CrashFilter::Parses | CrashFilter::MachineLearning | CrashFilter::NotOnlyStopped) => [[None; 2]; 2],
    }
}

fn filters(found: &FoundNotebooks, printed: &PrintedShares) -> Counted {
    let all = (None, (found.funnel.notebooks, 0));
    let left = CrashFilter::ALL.map(Some).into_iter().zip(found.funnel.left);
    let python = found.funnel.left[0].0 as u64;
    let text = |names: [Option<&str>; 2]| match names.map(|name| name.map(|name| printed.text(name))) {
        [Some(notebooks), Some(crashes)] => format!("{notebooks} ({crashes})"),
        [notebooks, _] => notebooks.unwrap_or(NOTHING).to_owned(),
    };
    let row = |(filter, (notebooks, crashes)): (Option<CrashFilter>, (usize, usize))| {
        let theirs: Vec<String> = printed_names(filter).into_iter().map(text).collect();
        let word = filter.map_or("that were read", CrashFilter::keeps).to_owned();
        let theirs = if printed.is_empty() { Vec::new() } else { theirs };
        // The paper's rates of crashes are shares of those in Python (section 5.2).
        let share = filter.map_or_else(|| NOTHING.to_owned(), |_| Cell::new(notebooks as u64, python).share_text());
        (vec![word], vec![notebooks as u64, crashes as u64], [vec![share], theirs].concat())
    };
    let rows = std::iter::once(all).chain(left).map(row);
    let theirs: &[&str] = if printed.is_empty() { &[] } else { &["Paper, GitHub", "Paper, Kaggle"] };
    Counted {
        name: "filters",
        title: "Notebooks and their crashes, filter by filter",
        header: [&["Notebooks", "Notebooks left", "Crashes left", "Share of Python"], theirs].concat(),
        rows: rows.collect(),
        note: "The paper's filters in its order (section 3.2). Of all that were read crashes are not counted; the paper's stand in brackets.",
    }
}

fn imports(found: &FoundNotebooks, printed: &PrintedShares) -> Counted {
    let mut ranked: Vec<(&String, u64)> = found.imports.iter().map(|(module, count)| (module, *count)).collect();
    ranked.sort_by_key(|(module, count)| (std::cmp::Reverse(*count), *module));
    let theme =
        |module: &str| ml_libraries().find(|library| library.name == module).map_or("", |library| library.theme);
    let python = found.funnel.left[0].0 as u64;
    let rows =
        ranked.into_iter().enumerate().filter(|(place, (module, _))| *place < RANKED || !theme(module).is_empty());
    let row = |(place, (module, count)): (usize, (&String, u64))| {
        let share = Cell::new(count, python).share_text();
        let theirs = (!printed.is_empty()).then(|| printed.text(&format!("table2.usage.{module}")).to_owned());
        let numbers = vec![place as u64 + 1, count, python];
        (vec![module.clone(), theme(module).to_owned()], numbers, [share].into_iter().chain(theirs).collect())
    };
    let theirs: &[&str] = if printed.is_empty() { &[] } else { &["Paper, Kaggle"] };
    Counted {
        name: "imports",
        title: "Modules by how many notebooks import them",
        header: [&["Module", "Theme", "Rank", "Notebooks", "Of", "Share"], theirs].concat(),
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
        let row = |(words, counts, behind): &(Vec<String>, Vec<u64>, Vec<String>)| {
            words.iter().cloned().chain(counts.iter().map(number)).chain(behind.iter().cloned()).collect()
        };
        Grid {
            title: self.title.to_owned(),
            header: self.header.iter().map(|head| (*head).to_owned()).collect(),
            word_columns: self.rows.first().map_or(1, |(words, ..)| words.len()),
            rows: self.rows.iter().map(row).collect(),
            notes: vec![self.note.to_owned()],
        }
    }

    fn csv(&self) -> String {
        let field = |head: &&str| head.to_lowercase().replace(", ", "_").replace(' ', "_");
        let rows = self.rows.iter().map(|(words, counts, behind)| {
            let counts = counts.iter().map(ToString::to_string);
            words.iter().cloned().chain(counts).chain(behind.iter().cloned()).collect()
        });
        csv_text(std::iter::once(self.header.iter().map(field).collect()).chain(rows))
    }

    fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|(words, counts, behind)| json!({ "words": words, "counts": counts, "behind": behind }))
            .collect();
        json!({ "table": self.name, "title": self.title, "header": self.header, "rows": rows, "note": self.note })
    }
}
