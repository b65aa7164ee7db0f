//! Columns as the schema has them, in its order: what an export writes is what its schema promises.

use nbrevive_pysource::names::is_builtin;

use super::Variant;
use super::schema::TableSchema;
use crate::columns::coded::Coded;
use crate::columns::{Column, Values};
use crate::parquet::ParquetError;

/// The columns, in the order of the table's schema, checked against it and cut to the variant.
pub(crate) fn conform(
    table: &TableSchema,
    variant: Variant,
    mut columns: Vec<Column>,
) -> Result<Vec<Column>, ParquetError> {
    let wrong = |column: &str, problem: String| ParquetError::Schema {
        table: table.name.clone(),
        column: column.to_owned(),
        problem,
    };
    if columns.len() != table.columns.len() {
        return Err(wrong("", format!("{} columns, expected {}", columns.len(), table.columns.len())));
    }
    columns.sort_by_key(|column| table.columns.iter().position(|expected| expected.name == column.name));
    for (found, expected) in columns.iter().zip(&table.columns) {
        if found.name != expected.name {
            return Err(wrong(&expected.name, format!("in its place stands `{}`", found.name)));
        }
        let dtype = found.values.dtype().map_err(|source| wrong(&expected.name, source.to_string()))?;
        if !expected.kind.fits(&dtype) {
            return Err(wrong(&expected.name, format!("it holds {dtype}, expected {:?}", expected.kind)));
        }
        if !expected.null && found.values.missing() > 0 {
            return Err(wrong(&expected.name, format!("{} values are missing, expected none", found.values.missing())));
        }
    }
    let pairs = columns.into_iter().zip(&table.columns);
    let kept = pairs.filter(|(_, rule)| variant == Variant::Full || !rule.free);
    Ok(kept
        .map(|(column, rule)| if variant == Variant::IdsOnly && rule.masked { mask(column) } else { column })
        .collect())
}

/// Names of classes as the ids-only variant has them: Python's own, and `other` for any that a notebook may have made up.
fn mask(column: Column) -> Column {
    let Values::Text(coded) = &column.values else { return column };
    // `StandardError` is Python 2's.
    let known = |name| if is_builtin(name) || name == "StandardError" { name } else { "other" };
    let (mut rows, mut masked) = (Coded::default(), Coded::default());
    coded.rows().for_each(|name| rows.push(name.map(known)));
    masked.append(&rows);
    Column { name: column.name, values: Values::Text(masked) }
}
