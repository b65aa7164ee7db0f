//! Which error asks for which change.

use crate::correct::Correcting;
use crate::correct::change::Change;
use crate::correct::message::{missing_columns, missing_file, numbers, quoted, quoted_after, wrong_value};
use crate::correct::sizes::{features, length, place_out_of_bounds, unseen_features};
use crate::recipe::{InputKind, InputTable};

type Rule = fn(&mut Correcting<'_>) -> Vec<Change>;

/// The rules in order; the first that changes something is the one.
const RULES: [Rule; 18] = [
    file,
    sheet,
    length,
    features,
    unseen_features,
    place_out_of_bounds,
    column,
    label,
    day,
    number_in_words,
    words_wanted,
    numbers_wanted,
    missing,
    classes,
    parts,
    outliers,
    few_rows,
    duplicates,
];

/// Applies the first rule that has something to change.
pub(super) fn apply(correcting: &mut Correcting<'_>) -> Vec<Change> {
    RULES.iter().map(|rule| rule(correcting)).find(|changes| !changes.is_empty()).unwrap_or_default()
}

pub(super) fn says(correcting: &Correcting<'_>, sayings: &[&str]) -> bool {
    sayings.iter().any(|words| correcting.error.evalue.contains(words))
}

/// A file or folder is not there.
fn file(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let Some(path) = missing_file(correcting.error) else { return Vec::new() };
    let path = crate::place::normal(&path);
    let is_written = ["to_csv", "savefig", "dump", "'w", "\"w", "save", "to_", "writer", "mkdir"]
        .iter()
        .any(|word| correcting.code.contains(word));
    let change = if says(correcting, &["Cannot save file"]) {
        correcting.add_folder(&path)
    } else if is_written {
        path.rsplit_once('/').and_then(|(folder, _)| correcting.add_folder(folder))
    } else {
        correcting.add_file(&path)
    };
    change.into_iter().collect()
}

/// A sheet or a table of a database is not there.
fn sheet(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let text = &correcting.error.evalue;
    let named = if text.contains("Worksheet") || text.contains("No sheet named") || text.contains("No object named") {
        quoted(text).into_iter().next().or_else(|| {
            text.split_once("No object named ").map(|(_, rest)| rest.split(' ').next().unwrap_or(rest).to_owned())
        })
    } else {
        text.split_once("no such table: ").map(|(_, name)| name.trim().to_owned())
    };
    let (Some(name), Some((file, table))) = (named, correcting.tables().first().copied()) else { return Vec::new() };
    let found = &mut correcting.recipe.files[file];
    if found.tables.iter().any(|table| table.name.as_ref() == Some(&name)) {
        return Vec::new();
    }
    let like = InputTable { name: Some(name.clone()), ..found.tables[table].clone() };
    found.tables.push(like);
    vec![(correcting.path(file), format!("table `{name}` added"))]
}

/// A text has fewer parts than code takes of it.
fn parts(correcting: &mut Correcting<'_>) -> Vec<Change> {
    if !says(correcting, &["list index out of range", "not enough values to unpack"])
        || !correcting.code.contains("split(")
    {
        return Vec::new();
    }
    correcting.columns().into_iter().filter_map(|at| correcting.add_parts(at)).collect()
}

/// A column is not there.
fn column(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let names = missing_columns(correcting.error);
    let tables = correcting.tables();
    let is_label = correcting.code.contains("get_group(");
    let is_day = |name: &str| crate::follow::looks_like_day(name);
    let names = names.into_iter().filter(|name| !is_label && !name.is_empty() && name.len() < 200 && !is_day(name));
    let mut changes = Vec::new();
    for name in names.collect::<Vec<_>>() {
        let mut added = correcting.add_column(&tables, &name);
        if added.is_empty() {
            // What was read may be a file that only an error named.
            let unseen = correcting.unseen_tables();
            added = correcting.add_column(&unseen, &name);
        }
        changes.extend(added);
    }
    if changes.is_empty() && says(correcting, &["not in index", "in the [columns]"]) {
        // It is there, and what was taken by places has left it out: the last columns are what is cut off.
        let names = missing_columns(correcting.error);
        let forward = |name: &String| correcting.bring_forward(&tables, name);
        changes.extend(names.iter().filter_map(forward));
    }
    changes
}

/// A value that labels rows, groups or columns is not there; or a number of a row.
fn label(correcting: &mut Correcting<'_>) -> Vec<Change> {
    if correcting.error.ename != "KeyError" {
        return Vec::new();
    }
    if let Ok(row) = correcting.error.evalue.trim().parse::<usize>() {
        return correcting
            .tables()
            .into_iter()
            .filter(|at| correcting.recipe.files[at.0].tables[at.1].rows <= row)
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(|at| correcting.set_rows(at, row + row / 4 + 1))
            .collect();
    }
    let text = correcting.error.evalue.as_str();
    let named =
        text.strip_prefix("Timestamp(").map(|_| quoted(text)).unwrap_or_else(|| missing_columns(correcting.error));
    let Some(value) = named.into_iter().next() else { return Vec::new() };
    let columns = correcting.columns();
    let day = value.split([' ', 'T']).next().unwrap_or("").to_owned();
    if crate::follow::looks_like_day(&day) {
        let near: Vec<Change> = columns.iter().filter_map(|at| correcting.add_day(*at, &day)).collect();
        let changes = if near.is_empty() { correcting.add_day_anywhere(&day) } else { near };
        if !changes.is_empty() {
            return changes;
        }
    }
    let words: Vec<_> = columns
        .iter()
        .copied()
        .filter(|at| matches!(correcting.column(*at).kind, InputKind::Category | InputKind::Text))
        .collect();
    let chosen = if words.is_empty() { columns } else { words };
    chosen.into_iter().take(1).filter_map(|at| correcting.add_value(at, &value)).collect()
}

/// A text is no day.
fn day(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let text = correcting.error.evalue.clone();
    if !says(
        correcting,
        &[
            "time data",
            "datetime string format",
            "Unknown string format",
            "unconverted data remains",
            "Invalid isoformat",
            "not a valid date",
            "unable to parse",
            "Only valid with DatetimeIndex",
            "Can only use .dt accessor",
        ],
    ) {
        return Vec::new();
    }
    if wrong_value(&text).is_some_and(|value| value.starts_with("column_")) {
        return correcting.tables().into_iter().filter_map(|at| correcting.name_by_days(at)).collect();
    }
    let format = quoted_after(&text, "match format ").filter(|format| format.contains('%'));
    let with = wrong_value(&text).map(|value| correcting.columns_with(&value)).unwrap_or_default();
    let columns = if with.is_empty() { correcting.columns() } else { with };
    let mut changes = Vec::new();
    for at in columns.into_iter().take(2) {
        let kept = correcting.column(at).clone();
        changes.extend(correcting.set_kind(at, InputKind::Date));
        let column = correcting.column(at);
        if let Some(format) = &format {
            column.format = Some(format.clone());
            let (name, path) = (column.name.clone(), correcting.path(at.0));
            changes.push((path, format!("days of column `{name}` are written `{format}`")));
        }
        correcting.column(at).unique = kept.unique;
    }
    changes
}

/// A text is no number, and tells which column it is of.
fn number_in_words(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let text = correcting.error.evalue.clone();
    if !says(
        correcting,
        &["could not convert string", "invalid literal for int", "Unable to parse string", "Could not convert "],
    ) {
        return Vec::new();
    }
    let kind = if text.contains("invalid literal for int") { InputKind::Integer } else { InputKind::Number };
    let Some(value) = wrong_value(&text) else { return Vec::new() };
    let with = correcting.columns_with(&value);
    with.into_iter().filter_map(|at| correcting.set_number(at, kind)).collect()
}

/// Numbers are where words are needed.
fn words_wanted(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let sayings = [
        "Can only use .str accessor",
        "'float' object has no attribute",
        "'int' object has no attribute",
        "'numpy.int64' object has no attribute",
        "'numpy.float64' object has no attribute",
        "expected string or bytes-like",
        "argument of type 'float' is not iterable",
        "argument of type 'int' is not iterable",
        "object of type 'float' has no len()",
        "object of type 'int' has no len()",
        "'float' object is not iterable",
        "'float' object is not subscriptable",
        "'int' object is not subscriptable",
        "can only concatenate str (not",
    ];
    if !says(correcting, &sayings) {
        return Vec::new();
    }
    let columns = correcting.columns();
    let is_number = |kind: InputKind| matches!(kind, InputKind::Integer | InputKind::Number | InputKind::Boolean);
    let mut changes = Vec::new();
    for at in columns {
        let column = correcting.column(at).clone();
        let is_of_digits =
            column.kind == InputKind::Category && column.values.iter().all(|value| value.parse::<f64>().is_ok());
        if is_number(column.kind) || is_of_digits || column.missing {
            changes.extend(correcting.set_kind(at, InputKind::Text));
        }
    }
    changes
}

/// Words are where numbers are needed.
fn numbers_wanted(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let sayings = [
        "unsupported operand type(s) for",
        "can't multiply sequence by non-int",
        "not supported between instances of 'str'",
        "not supported between instances of 'int' and 'str'",
        "not supported between instances of 'float' and 'str'",
        "not supported between 'Timestamp'",
        "agg function failed",
        "no numeric data to plot",
        "No numeric types to aggregate",
        "did not contain a loop with signature",
        "loop of ufunc does not support",
        "Cannot cast object dtype",
        "bad operand type for",
        "must be real number, not str",
        "ufunc 'isnan' not supported",
        "does not support reduction",
        "hist method requires numerical",
        "requires at least one numeric",
        "not all arguments converted",
        "cannot perform",
        "dtype 'str' does not support",
        "DataFrame.dtypes for data must be int",
        "expected numeric",
        "Categorical is not ordered",
        "trying to merge on",
    ];
    if !says(correcting, &sayings) {
        return Vec::new();
    }
    let is_words = |kind: InputKind| matches!(kind, InputKind::Text | InputKind::Category);
    let kind = if says(correcting, &["trying to merge on"]) { InputKind::Integer } else { InputKind::Number };
    let mut changes = Vec::new();
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for at in correcting.columns() {
        let column = correcting.column(at);
        if is_words(column.kind) {
            let is_known = column.values.iter().any(|value| value.parse::<f64>().is_err());
            if is_known { known.push(at) } else { unknown.push(at) }
        }
    }
    // Words that the notebook itself shows or names are words: others are to blame first.
    for at in if unknown.is_empty() { known } else { unknown } {
        changes.extend(correcting.set_kind(at, kind));
    }
    if changes.is_empty() && says(correcting, &["no numeric data", "requires numerical", "No numeric types"]) {
        let tables = correcting.tables();
        changes.extend(correcting.add_column(&tables, "column_1"));
    }
    changes
}

/// Nothing may be missing.
fn missing(correcting: &mut Correcting<'_>) -> Vec<Change> {
    if !says(
        correcting,
        &[
            "contains NaN",
            "contain NaN",
            "non-finite",
            "NaN to integer",
            "NA or inf",
            "NaN or infinity",
            "'float' object has no attribute",
            "infs or NaNs",
            "contains missing values",
            "must be finite",
        ],
    ) {
        return Vec::new();
    }
    correcting.all_tables().into_iter().filter_map(|at| correcting.fill_missing(at)).collect()
}

/// Classes are wanted, or two of them, or those that are known.
fn classes(correcting: &mut Correcting<'_>) -> Vec<Change> {
    if says(correcting, &["previously unseen labels", "unknown categories"]) {
        let Some(value) = wrong_value(&correcting.error.evalue) else { return Vec::new() };
        let columns = correcting.columns_with(&value);
        return columns
            .into_iter()
            .filter_map(|at| {
                let kept: Vec<String> =
                    correcting.column(at).values.iter().filter(|known| **known != value).take(3).cloned().collect();
                (!kept.is_empty()).then(|| correcting.set_values(at, kept)).flatten()
            })
            .collect();
    }
    let sayings = [
        "Unknown label type",
        "Got 'continuous'",
        "can't handle a mix of",
        "least populated class",
        "Invalid classes inferred",
        "at least 2 classes",
        "number of classes has to be greater",
        "Target is multiclass",
        "multiclass format is not supported",
        "multi_class must be in",
        "labels should be in",
        "members in each class",
        "y contains 1 class",
        "Only one class present",
    ];
    if !says(correcting, &sayings) {
        return Vec::new();
    }
    let all: Vec<(usize, usize, usize)> = correcting
        .tables()
        .into_iter()
        .flat_map(|(file, table)| {
            (0..correcting.recipe.files[file].tables[table].columns.len()).map(move |column| (file, table, column))
        })
        .collect();
    let targets: Vec<_> = all.into_iter().filter(|at| correcting.is_target(*at)).collect();
    let columns = if targets.is_empty() { correcting.columns() } else { targets };
    columns.into_iter().filter_map(|at| correcting.set_values(at, vec!["0".to_owned(), "1".to_owned()])).collect()
}

/// What lies far from the rest is wanted, and nothing does.
fn outliers(correcting: &mut Correcting<'_>) -> Vec<Change> {
    if !says(correcting, &["greater than 0 unless no samples", "0 sample(s)"]) {
        return Vec::new();
    }
    correcting.columns().into_iter().filter_map(|at| correcting.add_outliers(at)).collect()
}

/// There are too few rows.
fn few_rows(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let sayings = [
        "out-of-bounds",
        "out of bounds",
        "out of range",
        "0 sample(s)",
        "n_splits",
        "zero-size array",
        "empty sequence",
        "non-empty take",
        "larger sample than population",
        "greater than 0 unless no samples",
        "larger than population",
        "n_neighbors <= n_samples",
        "n_samples",
        "number of samples",
        "resulting train set will be empty",
        "Too few observations",
        "must have 2 complete cycles",
        "No objects to concatenate",
        "arg is an empty",
        "at least",
    ];
    if !says(correcting, &sayings) {
        return Vec::new();
    }
    let asked = numbers(&correcting.error.evalue).into_iter().max().unwrap_or(0).min(10_000);
    correcting
        .tables()
        .into_iter()
        .filter_map(|at| {
            let rows = correcting.recipe.files[at.0].tables[at.1].rows;
            correcting.set_rows(at, (rows * 5).max(asked * 2))
        })
        .collect()
}

/// Something occurs twice that may not.
fn duplicates(correcting: &mut Correcting<'_>) -> Vec<Change> {
    if !says(
        correcting,
        &[
            "duplicate entries",
            "duplicate labels",
            "duplicate axis",
            "Bin edges must be unique",
            "must be unique",
            "non-unique",
            "has no unique",
        ],
    ) {
        return Vec::new();
    }
    if says(correcting, &["Bin edges"]) {
        return correcting.columns().into_iter().filter_map(|at| correcting.set_kind(at, InputKind::Number)).collect();
    }
    correcting.columns().into_iter().take(1).filter_map(|at| correcting.set_unique(at)).collect()
}
