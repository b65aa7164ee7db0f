//! The schema as a page for people: docs/schema.md.

use super::schema::{Column, ColumnKind, Schema, TableSchema, VERSION};

/// The whole page.
#[must_use]
pub fn schema_page() -> String {
    let head = format!(
        "# Schema of `data/*.parquet`\n\n\
         Made by `nbrevive data schema`; version {VERSION} ([what a version means](dataset.md)). One line a column. *Enum* columns hold \
         exactly the words of the [glossary](glossary.md), as a dictionary. Times are RFC 3339 in UTC. Rows are sorted by their key where nothing else is said. \
         *From* says where a value comes from: a file of the study, the `run` of a notebook, the `grader`, the `judge` of outcomes, the \
         `loop` that repairs, the `ledger` of calls, the `builder` of environments, a `source` that was mined, the `funnel`; `derived` \
         values are computed from others of this dataset. Columns marked † are not in the ids-only variant, and of those marked ‡ it \
         keeps the names of Python's own exceptions.\n"
    );
    Schema::get().tables.iter().fold(head, |page, table| page + "\n" + &section(table))
}

fn section(table: &TableSchema) -> String {
    let key = (!table.key.is_empty()).then(|| format!("Key: {}.", names(&table.key)));
    let order = table.order.as_ref().map(|order| format!("Sorted by {order}."));
    let note = (!table.note.is_empty()).then(|| table.note.clone());
    let told = [key, order, note].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let lines: String = table.columns.iter().map(|column| line(table, column)).collect();
    format!(
        "## {}: {}\n\n{told}\n\n| column | type | unit | from | meaning |\n|---|---|---|---|---|\n{lines}",
        table.file(),
        table.title
    )
}

fn names(key: &[String]) -> String {
    key.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn line(table: &TableSchema, column: &Column) -> String {
    let mark = if column.free {
        " †"
    } else if column.masked {
        " ‡"
    } else {
        ""
    };
    let null = if column.null { ", null" } else { "" };
    let of = column.of.as_ref().map(|table| format!("; key into {table}")).unwrap_or_default();
    let from = column.from.as_ref().unwrap_or(&table.from);
    format!(
        "| {}{mark} | {}{null} | {} | {from} | {}{of} |\n",
        column.name,
        kind(column.kind),
        column.unit,
        column.meaning
    )
}

const fn kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Text => "text",
        ColumnKind::Time => "text, time",
        ColumnKind::Enum => "Enum",
        ColumnKind::Number => "f64",
        ColumnKind::Count => "u32",
        ColumnKind::Integer => "i64",
        ColumnKind::Switch => "bool",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_page_is_made_from_the_schema() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema.md");
        let committed = std::fs::read_to_string(path).unwrap();
        assert_eq!(committed, schema_page(), "docs/schema.md is out of date: `nbrevive data schema > docs/schema.md`");
    }
}
