//! Changes of a recipe, each with the words for it.

use crate::correct::Correcting;
use crate::follow::format_of;
use crate::place::place;
use crate::recipe::{InputColumn, InputFile, InputFormat, InputKind, InputTable, ROWS, ReadOptions, UsedAt};

/// Values that lie far from the others, where code wants such: one row in fifty, so that they are outliers by any rule, within these bounds.
const OUTLIERS: (usize, usize) = (12, 60);
/// Columns that one error may ask for.
const MOST_NEW_COLUMNS: usize = 200;
/// Columns of a table, however many errors ask for.
const MOST_COLUMNS: usize = 2_000;
/// Rows that errors may ask for.
const MOST_ROWS: usize = 20_000;

/// A change: the file, and what changed.
pub(super) type Change = (String, String);

impl Correcting<'_> {
    fn used(&self) -> Vec<UsedAt> {
        let (cell, line) = self.lines.first().copied().unwrap_or((self.error.cell, 0));
        vec![UsedAt { cell, line, how: format!("raised {}", self.error.ename) }]
    }

    /// Adds a column to every table that lacks it.
    pub(super) fn add_column(&mut self, tables: &[(usize, usize)], name: &str) -> Vec<Change> {
        let mut changes = Vec::new();
        for (file, table) in tables {
            let used = self.used();
            let found = &mut self.recipe.files[*file].tables[*table];
            if found.columns.iter().any(|column| column.name == name) {
                continue;
            }
            let mut column = InputColumn::new(name, InputKind::Number);
            crate::build::of_name(&mut column);
            column.used = used;
            let kind = column.kind;
            found.columns.push(column);
            changes.push((self.path(*file), format!("column `{name}` added, {kind}")));
        }
        changes
    }

    /// Makes a table have so many columns, a few more or less than it has.
    pub(super) fn set_columns(&mut self, at: (usize, usize), wanted: usize) -> Option<Change> {
        let has = self.recipe.files[at.0].tables[at.1].columns.len();
        if wanted > has + MOST_NEW_COLUMNS { None } else { self.set_columns_up_to(at, wanted) }
    }

    /// Makes a table have so many columns, where those are points of a picture.
    pub(super) fn set_columns_up_to(&mut self, (file, table): (usize, usize), wanted: usize) -> Option<Change> {
        let columns = &mut self.recipe.files[file].tables[table].columns;
        if wanted == 0 || wanted > MOST_COLUMNS || wanted == columns.len() {
            return None;
        }
        columns.truncate(wanted);
        let mut number = columns.len();
        while columns.len() < wanted {
            number += 1;
            let name = format!("column_{number}");
            if columns.iter().all(|column| column.name != name) {
                columns.push(InputColumn::new(name, InputKind::Number));
            }
        }
        Some((self.path(file), format!("{wanted} columns")))
    }

    pub(super) fn add_fillers(&mut self, at: (usize, usize), more: usize) -> Option<Change> {
        let has = self.recipe.files[at.0].tables[at.1].columns.len();
        self.set_columns(at, has + more)
    }

    /// Names columns that only fill by days, one after the other: code takes the names of columns for days.
    pub(super) fn name_by_days(&mut self, (file, table): (usize, usize)) -> Option<Change> {
        let columns = &mut self.recipe.files[file].tables[table].columns;
        let mut days = (0..).map(|day| format!("{}-{:02}-{:02}", 2020 + day / 336, 1 + day / 28 % 12, 1 + day % 28));
        let mut named = 0;
        for (column, day) in columns.iter_mut().filter(|column| column.name.starts_with("column_")).zip(&mut days) {
            column.name = day;
            named += 1;
        }
        (named > 0).then(|| (self.path(file), format!("{named} columns are named by days")))
    }

    /// Takes away columns that only fill, or else as many values of a category.
    pub(super) fn take_features(&mut self, (file, table): (usize, usize), fewer: usize) -> Option<Change> {
        let columns = &mut self.recipe.files[file].tables[table].columns;
        let is_filler = |column: &InputColumn| column.used.is_empty() && column.name.starts_with("column_");
        if columns.iter().filter(|column| is_filler(column)).count() >= fewer {
            let mut left = fewer;
            columns.retain(|column| {
                let goes = left > 0 && is_filler(column);
                left -= usize::from(goes);
                !goes
            });
            return Some((self.path(file), format!("{fewer} columns fewer")));
        }
        let distinct = |column: &InputColumn| column.values.iter().collect::<std::collections::BTreeSet<_>>().len();
        let is_large = |column: &&mut InputColumn| column.kind == InputKind::Category && distinct(column) > fewer + 1;
        let column = columns.iter_mut().find(is_large)?;
        let kept = distinct(column) - fewer;
        let mut values: Vec<String> = Vec::new();
        for value in std::mem::take(&mut column.values) {
            if values.len() < kept && !values.contains(&value) {
                values.push(value);
            }
        }
        column.values = values;
        let name = column.name.clone();
        Some((self.path(file), format!("column `{name}` has {kept} values")))
    }

    /// Makes a column of another kind, whatever it held.
    pub(super) fn set_kind(&mut self, at: (usize, usize, usize), kind: InputKind) -> Option<Change> {
        let column = self.column(at);
        if column.kind == kind && column.values.is_empty() {
            return None;
        }
        let name = column.name.clone();
        let (used, format) = (std::mem::take(&mut column.used), column.format.take());
        *column = InputColumn { used, ..InputColumn::new(name.clone(), kind) };
        if kind == InputKind::Date {
            column.format = format;
        }
        Some((self.path(at.0), format!("column `{name}` is {kind}")))
    }

    /// Numbers in words, where the words are cut.
    pub(super) fn set_number(&mut self, at: (usize, usize, usize), kind: InputKind) -> Option<Change> {
        let cut = cut_at(&self.code);
        let column = self.column(at);
        if column.kind == InputKind::Text && column.separators.is_empty() {
            column.separators.extend(cut);
        }
        if column.kind != InputKind::Text || column.separators.is_empty() || column.affixes.is_some() {
            return self.set_kind(at, kind);
        }
        column.affixes = Some(Default::default());
        column.values.clear();
        let name = column.name.clone();
        Some((self.path(at.0), format!("the parts of column `{name}` are numbers")))
    }

    /// Makes a column one of few whole numbers, or of these values.
    pub(super) fn set_values(&mut self, at: (usize, usize, usize), values: Vec<String>) -> Option<Change> {
        let column = self.column(at);
        if column.kind == InputKind::Category && column.values == values {
            return None;
        }
        let (name, said) = (column.name.clone(), values.join(", "));
        column.kind = InputKind::Category;
        column.values = values;
        Some((self.path(at.0), format!("column `{name}` is one of {said}")))
    }

    pub(super) fn add_value(&mut self, at: (usize, usize, usize), value: &str) -> Option<Change> {
        let column = self.column(at);
        if column.values.iter().any(|known| known == value) {
            return None;
        }
        column.values.insert(0, value.to_owned());
        if !matches!(column.kind, InputKind::Category | InputKind::Text) && value.parse::<f64>().is_err() {
            column.kind = InputKind::Category;
        }
        let name = column.name.clone();
        Some((self.path(at.0), format!("column `{name}` has the value `{value}`")))
    }

    /// More parts of a text that is cut.
    pub(super) fn add_parts(&mut self, at: (usize, usize, usize)) -> Option<Change> {
        let column = self.column(at);
        let separator = column.separators.last().filter(|_| column.separators.len() < 16)?.clone();
        column.separators.extend([separator.clone(), separator.clone(), separator]);
        column.values.clear();
        let (name, parts) = (column.name.clone(), column.separators.len() + 1);
        Some((self.path(at.0), format!("texts of column `{name}` have {parts} parts")))
    }

    /// A day that must lie among the days of a column.
    pub(super) fn add_day(&mut self, at: (usize, usize, usize), day: &str) -> Option<Change> {
        let column = self.column(at);
        let is_new =
            column.low.as_deref().is_none_or(|low| day < low) || column.high.as_deref().is_some_and(|high| day > high);
        if column.kind != InputKind::Date || !is_new {
            return None;
        }
        let ends = || column.low.iter().chain(&column.high).map(String::as_str).chain([day]);
        let (low, high) = (ends().min().map(str::to_owned), ends().max().map(str::to_owned));
        (column.low, column.high) = (low, high);
        column.values.clear();
        let name = column.name.clone();
        Some((self.path(at.0), format!("days of column `{name}` reach to {day}")))
    }

    /// The same, of all columns of days of the tables that the error touches.
    pub(super) fn add_day_anywhere(&mut self, day: &str) -> Vec<Change> {
        let widths = |(file, table): (usize, usize)| self.recipe.files[file].tables[table].columns.len();
        let all: Vec<_> = self.tables().into_iter().map(|at| (at, widths(at))).collect();
        let columns = all.into_iter().flat_map(|(at, width)| (0..width).map(move |column| (at.0, at.1, column)));
        columns.filter_map(|at| self.add_day(at, day)).collect()
    }

    pub(super) fn set_unique(&mut self, at: (usize, usize, usize)) -> Option<Change> {
        let column = self.column(at);
        if column.unique {
            return None;
        }
        column.unique = true;
        match column.kind {
            InputKind::Category => column.kind = InputKind::Text,
            InputKind::Number => column.kind = InputKind::Integer,
            InputKind::Date if column.values.len() > 1 => column.values.truncate(1),
            _ => {}
        }
        let name = column.name.clone();
        Some((self.path(at.0), format!("no value of column `{name}` occurs twice")))
    }

    /// Puts a column before all others.
    pub(super) fn bring_forward(&mut self, tables: &[(usize, usize)], name: &str) -> Option<Change> {
        let place = |at: &(usize, usize)| {
            let columns = &self.recipe.files[at.0].tables[at.1].columns;
            columns.iter().position(|column| column.name == name).filter(|place| *place > 0)
        };
        let (at, place) = tables.iter().find_map(|at| Some((*at, place(at)?)))?;
        self.recipe.files[at.0].tables[at.1].columns[..=place].rotate_right(1);
        Some((self.path(at.0), format!("column `{name}` is the first")))
    }

    /// Numbers far above all others, as many as a sample of outliers may ask for.
    pub(super) fn add_outliers(&mut self, at: (usize, usize, usize)) -> Option<Change> {
        let wanted = (self.recipe.files[at.0].tables[at.1].rows / 50).clamp(OUTLIERS.0, OUTLIERS.1);
        let column = self.column(at);
        if !matches!(column.kind, InputKind::Integer | InputKind::Number) || column.values.len() >= wanted {
            return None;
        }
        let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse::<f64>().ok());
        let high = number(&column.high).unwrap_or(100.0).abs().max(1.0).ceil();
        column.values.extend((0..wanted).map(|step| format!("{}", high * (20.0 + step as f64))));
        let name = column.name.clone();
        Some((self.path(at.0), format!("column `{name}` has {wanted} values far above the others")))
    }

    pub(super) fn set_rows(&mut self, (file, table): (usize, usize), rows: usize) -> Option<Change> {
        let rows = rows.clamp(1, MOST_ROWS);
        let found = &mut self.recipe.files[file].tables[table];
        if found.rows == rows {
            return None;
        }
        found.rows = rows;
        Some((self.path(file), format!("{rows} rows")))
    }

    /// Takes away all that is missing.
    pub(super) fn fill_missing(&mut self, (file, table): (usize, usize)) -> Option<Change> {
        let columns = &mut self.recipe.files[file].tables[table].columns;
        if columns.iter().all(|column| !column.missing) {
            return None;
        }
        columns.iter_mut().for_each(|column| column.missing = false);
        Some((self.path(file), "nothing is missing".to_owned()))
    }

    /// A file that the code did not show.
    pub(super) fn add_file(&mut self, path: &str) -> Option<Change> {
        let is_known = self.recipe.files.iter().any(|file| file.path == path);
        if is_known || place(path).is_err() {
            return None;
        }
        let is_named_as_file = || path.rsplit(['/', '.']).next().is_some_and(|ending| (1..=5).contains(&ending.len()));
        let is_file = || path.rsplit('/').next().is_some_and(|name| name.trim_start_matches('.').contains('.'));
        let format = match format_of(path) {
            Some(format) => format,
            None if is_file() && is_named_as_file() => InputFormat::Text,
            None => return self.add_folder(path),
        };
        let columns = if format == InputFormat::Text {
            Vec::new()
        } else {
            (1..=3).map(|number| InputColumn::new(format!("column_{number}"), InputKind::Number)).collect()
        };
        let tables = vec![InputTable { name: None, rows: ROWS, columns }];
        let (options, parts, used) = (ReadOptions::default(), Vec::new(), self.used());
        self.recipe.files.push(InputFile { path: path.to_owned(), format, options, tables, parts, used, text: None });
        Some((path.to_owned(), format!("added, {format}")))
    }

    pub(super) fn add_folder(&mut self, path: &str) -> Option<Change> {
        let path = path.trim_end_matches('/').to_owned();
        if self.recipe.folders.contains(&path) || place(&path).is_err() {
            return None;
        }
        self.recipe.folders.push(path.clone());
        Some((path, "folder added".to_owned()))
    }

    /// The columns that hold a value, of the tables that the error touches or else of all.
    pub(super) fn columns_with(&self, value: &str) -> Vec<(usize, usize, usize)> {
        let of_tables = |tables: Vec<(usize, usize)>| {
            let mut found = Vec::new();
            for (file, table) in tables {
                for (place, column) in self.recipe.files[file].tables[table].columns.iter().enumerate() {
                    let name = column.name.as_str();
                    // What is made up begins with the column's name; a sum of texts begins with the first of them.
                    let is_of_name = !name.is_empty()
                        && value.starts_with(name)
                        && (value.len() == name.len() || value[name.len()..].starts_with(' '));
                    if is_of_name
                        || column
                            .values
                            .iter()
                            .any(|known| known == value || known.len() > 3 && value.starts_with(known.as_str()))
                    {
                        found.push((file, table, place));
                    }
                }
            }
            found
        };
        let near = of_tables(self.tables());
        if near.is_empty() { of_tables(self.all_tables()) } else { near }
    }
}

/// What code cuts a text at: the literal of its first `split`, or a blank.
fn cut_at(code: &str) -> Option<String> {
    let (_, rest) = code.split_once(".split(")?;
    let quote = rest.chars().next().filter(|letter| ['\'', '"'].contains(letter));
    let within = quote.and_then(|quote| rest[1..].split_once(quote)).map_or(" ", |(within, _)| within);
    Some(if within.is_empty() { " " } else { within }.to_owned())
}
