//! Errors about sizes: lists, shapes, features and places that do not fit.

use crate::correct::Correcting;
use crate::correct::change::Change;
use crate::correct::message::numbers;
use crate::correct::rules::says;
use crate::recipe::InputTable;

/// A list of names has another length than there are columns.
pub(super) fn length(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let text = &correcting.error.evalue;
    let sizes = numbers(text);
    if text.contains("Length mismatch: Expected") {
        return length_mismatch(correcting, &sizes);
    }
    if text.contains("columns passed, passed data had")
        && let [wanted, ours] = sizes.as_slice()
    {
        let wanted = *wanted;
        return correcting
            .tables()
            .into_iter()
            .filter(|_| wanted != *ours)
            .filter_map(|at| correcting.set_columns(at, wanted))
            .collect();
    }
    if text.contains("cannot reshape array of size")
        && let [ours, shape @ ..] = sizes.as_slice()
    {
        let wanted = shape.iter().try_fold(1_usize, |wanted, size| wanted.checked_mul(*size)).unwrap_or(0);
        if correcting.code.contains("-1") {
            return correcting.set_widths(*ours, wanted);
        }
        return correcting
            .tables()
            .into_iter()
            .filter_map(|at| {
                let width = ours / correcting.recipe.files[at.0].tables[at.1].rows.max(1);
                let is_even = width > 0 && wanted > 0 && wanted % width == 0;
                if is_even { correcting.set_rows(at, wanted / width) } else { None }
            })
            .collect();
    }
    if text.contains("inconsistent numbers of samples")
        && let [one, other, ..] = sizes.as_slice()
        && one != other
    {
        let (less, more) = (*one.min(other), *one.max(other));
        let is_it = |at: &(usize, usize)| correcting.recipe.files[at.0].tables[at.1].rows == more;
        let tables: Vec<_> = correcting.tables().into_iter().filter(is_it).collect();
        let changes: Vec<Change> = tables.into_iter().filter_map(|at| correcting.set_rows(at, less)).collect();
        if !changes.is_empty() {
            return changes;
        }
    }
    if says(
        correcting,
        &[
            "inconsistent numbers of samples",
            "does not match length of index",
            "All arrays must be of the same length",
            "Length of values",
            "must have same first dimension",
        ],
    ) {
        let tables = correcting.all_tables();
        let most =
            tables.iter().map(|(file, table)| correcting.recipe.files[*file].tables[*table].rows).max().unwrap_or(0);
        return tables.into_iter().filter_map(|at| correcting.set_rows(at, most)).collect();
    }
    Vec::new()
}

impl Correcting<'_> {
    /// Of what is reshaped into pictures each row is one: tables that came to so many values have as many columns as a picture has points.
    fn set_widths(&mut self, values: usize, wanted: usize) -> Vec<Change> {
        let mut changes = Vec::new();
        for at in self.tables() {
            let table = &self.recipe.files[at.0].tables[at.1];
            let (rows, has) = (table.rows.max(1), table.columns.len());
            let given = if values.is_multiple_of(rows) { values / rows } else { has };
            changes.extend(self.set_columns_up_to(at, (has + wanted).saturating_sub(given)));
        }
        changes
    }
}

/// Names of columns, or labels of rows, of which there are more or fewer than ours.
fn length_mismatch(correcting: &mut Correcting<'_>, sizes: &[usize]) -> Vec<Change> {
    let [ours, wanted, ..] = sizes else { return Vec::new() };
    let is_of_rows = |table: &InputTable| table.rows == *ours || correcting.error.evalue.contains(" rows, ");
    let tables = correcting.tables();
    let changes = tables.into_iter().map(|at| {
        let table = &correcting.recipe.files[at.0].tables[at.1];
        (at, is_of_rows(table), table.columns.len())
    });
    let changes: Vec<_> = changes.collect();
    let change = |(at, is_of_rows, has): ((usize, usize), bool, usize)| {
        if is_of_rows {
            correcting.set_rows(at, *wanted)
        } else {
            correcting.set_columns(at, (has + wanted).checked_sub(*ours)?)
        }
    };
    changes.into_iter().filter_map(change).collect()
}

/// A model was given another number of columns than it is asked with: columns that fill, or values that become columns, are taken away.
pub(super) fn features(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let text = &correcting.error.evalue;
    if !(text.contains(" features, but ") && text.contains("is expecting")) {
        return Vec::new();
    }
    let sizes = numbers(text);
    let [asked, given, ..] = sizes.as_slice() else { return Vec::new() };
    let (asked, given) = (*asked, *given);
    let tables = correcting.tables();
    if asked > given {
        return tables.into_iter().filter_map(|at| correcting.add_fillers(at, asked - given)).collect();
    }
    tables.into_iter().filter_map(|at| correcting.take_features(at, given - asked)).collect()
}

/// A model is given columns that it was not fitted with, or lacks some: tables that differ get what the others have.
pub(super) fn unseen_features(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let text = correcting.error.evalue.clone();
    if text.contains("feature names should match") {
        let names = text.lines().filter_map(|line| line.trim().strip_prefix("- ")).map(|name| name.trim().to_owned());
        let tables = correcting.all_tables();
        return names.collect::<Vec<_>>().iter().flat_map(|name| correcting.add_column(&tables, name)).collect();
    }
    if says(correcting, &["all features must be in [", "with 0 feature(s)"]) {
        return correcting.tables().into_iter().filter_map(|at| correcting.add_fillers(at, 3)).collect();
    }
    Vec::new()
}

/// A place of a column that is not there.
pub(super) fn place_out_of_bounds(correcting: &mut Correcting<'_>) -> Vec<Change> {
    let text = &correcting.error.evalue;
    if text.contains("out of bounds for axis 1")
        && let [place, _, size] = numbers(text).as_slice()
    {
        let more = (place + 1).saturating_sub(*size);
        return correcting
            .tables()
            .into_iter()
            .filter_map(|at| {
                let has = correcting.recipe.files[at.0].tables[at.1].columns.len();
                correcting.set_columns(at, has + more)
            })
            .collect();
    }
    let is_of_columns = correcting.code.contains("iloc[:") || correcting.code.contains(".columns[");
    if is_of_columns && says(correcting, &["out-of-bounds", "out of bounds"]) {
        let furthest = numbers(&correcting.code).into_iter().filter(|place| *place < 1_000).max().unwrap_or(4);
        return correcting
            .tables()
            .into_iter()
            .filter_map(|at| {
                let has = correcting.recipe.files[at.0].tables[at.1].columns.len();
                correcting.set_columns(at, has.max(furthest) + 1)
            })
            .collect();
    }
    Vec::new()
}
