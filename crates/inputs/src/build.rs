//! From what was found to the recipe.

mod kind;
mod relate;
mod words;

use std::collections::BTreeSet;

pub(crate) use words::of_name;

use nbrevive_notebook::Notebook;

use crate::evidence::{ColumnFacts, ColumnKey, FileFacts, Findings, TableFacts, Use};
use crate::follow::{Followed, follow};
use crate::place::place;
use crate::recipe::{InputColumn, InputFile, InputFormat, InputKind, InputRecipe, InputTable, NotMade, ROWS};
use crate::saved;

/// Rows that a table gets at most, however many are shown or asked for.
pub(crate) const MOST_ROWS: usize = 20_000;
/// Rows that a table gets at most because outputs tell of them.
const MOST_SHOWN_ROWS: usize = 2_000;
/// Values of a table, at most.
const MOST_VALUES: usize = 1_000_000;
/// Columns of a table of which none is known.
const COLUMNS: usize = 3;
/// Columns that code can ask for by place or by number.
const MOST_COLUMNS: usize = 2_000;

impl InputRecipe {
    /// What a notebook reads, by its code and, where they are wanted, by its saved outputs.
    ///
    /// ```
    /// use nbrevive_inputs::{InputKind, InputRecipe};
    /// use nbrevive_notebook::{Cell, Notebook};
    /// let code = "import pandas as pd\ndf = pd.read_csv('people.csv', sep=';')\ndf[df['town'] == 'Bern']['age'].mean()";
    /// let recipe = InputRecipe::of(&Notebook::from_cells(vec![Cell::code(code)]), false);
    /// let columns = &recipe.files[0].tables[0].columns;
    /// assert_eq!((columns[0].name.as_str(), columns[0].kind), ("town", InputKind::Category));
    /// assert_eq!((columns[1].name.as_str(), columns[1].kind), ("age", InputKind::Integer));
    /// ```
    #[must_use]
    pub fn of(notebook: &Notebook, with_outputs: bool) -> Self {
        Self::of_findings(&mut followed(notebook, with_outputs).findings)
    }

    pub(crate) fn of_findings(findings: &mut Findings) -> Self {
        relate::relate(findings);
        let mut recipe = Self::default();
        let mut outside = |path: &String| match place(path) {
            Ok(_) => true,
            Err(refusal) => {
                let is_network = refusal == crate::place::PathRefusal::Network;
                recipe.not_made.push(NotMade { path: path.clone(), why: refusal.to_string(), is_network });
                false
            }
        };
        let read: Vec<&FileFacts> =
            findings.files.iter().filter(|file| is_made(findings, file) && outside(&file.path)).collect();
        findings.network.iter().for_each(|address| {
            outside(address);
        });
        recipe.files = read.into_iter().map(|file| input_file(findings, file)).collect();
        recipe.folders = folders(findings);
        archives(&mut recipe);
        recipe.cap();
        recipe
    }
}

/// Follows a notebook and learns from its outputs.
pub(crate) fn followed(notebook: &Notebook, with_outputs: bool) -> Followed {
    let mut followed = follow(&notebook.code_sources());
    if with_outputs {
        saved::learn(&mut followed, notebook);
    }
    followed
}

/// Whether a file is to be made: not what the notebook writes first, nor a folder of pictures in which other files are read.
fn is_made(findings: &Findings, file: &FileFacts) -> bool {
    let below = format!("{}/", file.path);
    let is_folder_of_others =
        file.format == InputFormat::ImageFolder && findings.files.iter().any(|other| other.path.starts_with(&below));
    !file.is_written && !is_folder_of_others
}

fn input_file(findings: &Findings, file: &FileFacts) -> InputFile {
    let has_tables =
        !matches!(file.format, InputFormat::Image | InputFormat::ImageFolder | InputFormat::Wav | InputFormat::Zip);
    let tables = file.tables.iter().filter(|_| has_tables);
    let mut options = file.options.clone();
    let tables: Vec<InputTable> = tables.map(|table| input_table(&findings.tables[*table], file)).collect();
    // Without a name: the count of the rows that `to_csv` writes.
    options.counted = tables.iter().any(|table| table.columns.first().is_some_and(|column| column.name.is_empty()));
    InputFile {
        path: file.path.clone(),
        format: file.format,
        options,
        tables,
        parts: file.parts.iter().cloned().collect(),
        used: file.used.clone(),
        text: None,
    }
}

fn input_table(table: &TableFacts, file: &FileFacts) -> InputTable {
    let facts = in_order(table);
    let is_free = file.format == InputFormat::Text;
    let mut columns: Vec<InputColumn> = facts.iter().map(|column| kind::input_column(column, table)).collect();
    let mut names = BTreeSet::new();
    columns.retain(|column| column.is_usable() && names.insert(column.name.clone()));
    columns.truncate(MOST_COLUMNS);
    if file.format == InputFormat::Json {
        let inner: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        columns.retain(|column| {
            !inner.iter().any(|name| name.strip_prefix(&column.name).is_some_and(|rest| rest.starts_with('/')))
        });
    }
    if file.format.is_of_arrays() && columns.is_empty() && table.exactly.is_none() && is_of_answers(table) {
        let values = vec!["0".to_owned(), "1".to_owned()];
        columns.push(InputColumn { values, ..InputColumn::new("column_1", InputKind::Category) });
    }
    let is_tree = file.format == InputFormat::Json && columns.iter().any(|column| column.name.starts_with('/'));
    let is_full = file.format.is_of_arrays() && !columns.is_empty();
    if !is_free && !is_tree && !is_full {
        fill(&mut columns, table);
    }
    if let Some(exactly) = table.exactly.filter(|exactly| *exactly < columns.len()) {
        columns.truncate(exactly.max(1));
    }
    let most = cross(table, &mut columns);
    let shown = table.shown_rows.map(|rows| rows.clamp(1, MOST_SHOWN_ROWS));
    let asked = (table.rows_asked + table.rows_asked / 4).max(table.rows_counted);
    let rows = shown.unwrap_or(ROWS).max(if shown.is_none_or(|rows| rows == MOST_SHOWN_ROWS) { asked } else { 0 });
    let rows = rows.min(most).min(MOST_ROWS).min((MOST_VALUES / columns.len().max(1)).max(1));
    InputTable { name: table.name.clone(), rows, columns }
}

/// Lays columns that are pivoted out so that each pair of their values is there once; how many rows that gives at most.
fn cross(table: &TableFacts, columns: &mut [InputColumn]) -> usize {
    let mut most = usize::MAX;
    for (row, column) in &table.crossed {
        let place = |index: &usize| match &table.columns.get(*index)?.key {
            ColumnKey::Named(name) => columns.iter().position(|column| column.name == *name),
            ColumnKey::At(_) => None,
        };
        let (Some(row), Some(column)) = (place(row), place(column)) else { continue };
        let is_category = |at: &usize| columns[*at].kind == InputKind::Category;
        let Some(cycled) = [column, row].into_iter().find(is_category).filter(|_| row != column) else { continue };
        let other = if cycled == column { row } else { column };
        let mut values: Vec<String> = Vec::new();
        for value in &columns[cycled].values {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        let each = values.len().max(1);
        (columns[cycled].values, columns[cycled].cycle) = (values, true);
        let other = &mut columns[other];
        other.each = Some(each);
        match other.kind {
            InputKind::Category => {
                let distinct = other.values.iter().collect::<BTreeSet<_>>().len();
                most = most.min(distinct.saturating_mul(each).max(1));
                other.cycle = true;
            }
            InputKind::Date => {}
            InputKind::Integer | InputKind::Number => (other.kind, other.unique) = (InputKind::Integer, true),
            InputKind::Text | InputKind::Boolean => (other.kind, other.unique) = (InputKind::Text, true),
        }
    }
    most
}

/// Whether an array is called what answers are called: `y_train`, `labels`.
fn is_of_answers(table: &TableFacts) -> bool {
    let name = table.name.as_deref().unwrap_or("").to_lowercase();
    name.split('_').any(|word| matches!(word, "y" | "label" | "labels" | "target" | "targets" | "class" | "classes"))
}

/// The columns as they lie: those that outputs show, then those that are named, each at its place where one is told.
fn in_order(table: &TableFacts) -> Vec<ColumnFacts> {
    let named = |column: &&ColumnFacts| matches!(column.key, ColumnKey::Named(_));
    let first = table.order.iter().map(|column| &table.columns[*column]);
    let rest =
        (0..table.columns.len()).filter(|column| !table.order.contains(column)).map(|column| &table.columns[column]);
    let mut columns: Vec<ColumnFacts> = first.chain(rest.filter(named)).filter(named).cloned().collect();
    if table.is_complete || table.exactly.is_none() {
        let leading = (0..table.leading).map(|place| ColumnFacts::unnamed(place, None));
        columns.splice(0..0, leading);
    }
    // What is known by place belongs to the column there, or is one of its own.
    let placed: Vec<&ColumnFacts> =
        table.columns.iter().filter(|column| matches!(column.key, ColumnKey::At(_))).collect();
    let at = |facts: &ColumnFacts| match facts.key {
        ColumnKey::At(place) => place,
        ColumnKey::Named(_) => 0,
    };
    let furthest = placed.iter().map(|facts| at(facts)).max().unwrap_or(-1);
    let least = usize::try_from(furthest + 1).unwrap_or(0).max(table.exactly.unwrap_or(0)).min(MOST_COLUMNS);
    // Places from the end mean further columns, unless all are known.
    let from_end = placed.iter().map(|facts| -at(facts)).max().and_then(|end| usize::try_from(end).ok()).unwrap_or(0);
    let least = if table.exactly.is_none() && !table.is_complete && from_end > 0 {
        least.max(columns.len() + 1).max(from_end + 1).min(MOST_COLUMNS)
    } else {
        least
    };
    for place in columns.len()..least {
        let called = table.called.get(place).filter(|name| {
            let is_named = |column: &ColumnFacts| matches!(&column.key, ColumnKey::Named(known) if known == *name);
            !table.columns.iter().chain(&columns).any(is_named)
        });
        columns.push(ColumnFacts::unnamed(place, called));
    }
    for facts in placed {
        let place = at(facts);
        let place = if place < 0 { columns.len().checked_add_signed(place) } else { usize::try_from(place).ok() };
        if let Some(column) = place.and_then(|place| columns.get_mut(place)) {
            column.uses.extend(facts.uses.iter().cloned());
            column.used.extend(facts.used.iter().cloned());
            if !column.is_shown() {
                column.shown = facts.shown.clone();
            }
        }
    }
    columns
}

/// Numbers beside what is known, where code needs more columns than it names.
fn fill(columns: &mut Vec<InputColumn>, table: &TableFacts) {
    if table.is_complete || table.exactly.is_some() && !columns.is_empty() {
        return;
    }
    let given_to_model =
        table.features_but.as_ref().map(|but| columns.iter().filter(|column| !but.contains(&column.name)).count());
    let wanted = match given_to_model {
        Some(0) => columns.len() + COLUMNS,
        _ if columns.is_empty() => COLUMNS,
        // Labels of rows label something.
        _ if columns.len() <= table.labels => table.labels + 1,
        _ => columns.len(),
    };
    let mut number = 1;
    while columns.len() < wanted {
        let name = format!("column_{number}");
        if columns.iter().all(|column| column.name != name) {
            columns.push(InputColumn::new(name, InputKind::Number));
        }
        number += 1;
    }
}

/// Folders into which something is written, and which are not made by the notebook.
fn folders(findings: &Findings) -> Vec<String> {
    let above = findings.written.iter().filter_map(|path| path.rsplit_once('/')).map(|(folder, _)| folder.to_owned());
    let is_needed =
        |folder: &String| !folder.is_empty() && !findings.made_folders.contains(folder) && place(folder).is_ok();
    above.filter(is_needed).collect::<BTreeSet<_>>().into_iter().collect()
}

/// An archive holds what is read of files that are named only once it is open, or else the first table beside it.
fn archives(recipe: &mut InputRecipe) {
    let members: Vec<String> = recipe
        .files
        .iter()
        .filter(|file| !matches!(file.format, InputFormat::Zip | InputFormat::ImageFolder))
        .map(|file| file.path.clone())
        .filter(|path| !path.starts_with(['/', '.', '~']))
        .collect();
    for file in recipe.files.iter_mut().filter(|file| file.format == InputFormat::Zip) {
        file.parts.extend(members.iter().cloned());
    }
}

impl ColumnFacts {
    fn unnamed(place: usize, called: Option<&String>) -> Self {
        let key = ColumnKey::Named(called.cloned().unwrap_or_else(|| format!("column_{}", place + 1)));
        Self { key, uses: Vec::new(), shown: crate::evidence::Shown::default(), used: Vec::new() }
    }

    /// Whether a use of one kind was seen.
    pub(crate) fn any(&self, is_it: impl Fn(&Use) -> bool) -> bool {
        self.uses.iter().any(is_it)
    }
}
