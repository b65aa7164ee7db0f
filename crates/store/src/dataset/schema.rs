//! Every table of the dataset and every column of it, as data.

use std::sync::LazyLock;

use polars::prelude::DataType;
use serde::Deserialize;

use super::Variant;

/// Version of the tables' form. The first number grows when a reader of older data would go wrong (a table, column or category is
/// gone, or means or holds something else), the second when something is added, the third when only rows or words about them change.
pub const VERSION: &str = "2.7.0";

/// The oldest first number that this program reads: since then a reader finds in older data all that it asks for.
pub(crate) const OLDEST: u32 = 1;

const FILES: [&str; 4] = [
    include_str!("tables/study.toml"),
    include_str!("tables/runs.toml"),
    include_str!("tables/dialogues.toml"),
    include_str!("tables/mined.toml"),
];

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnKind {
    /// Text.
    Text,
    /// An instant: text of RFC 3339 in UTC.
    Time,
    /// A word of a fixed list, kept as a dictionary.
    Enum,
    /// A 64-bit float.
    Number,
    /// An unsigned 32-bit integer.
    Count,
    /// A signed 64-bit integer.
    Integer,
    /// Yes or no.
    Switch,
}

impl ColumnKind {
    /// Whether a column of parquet holds it.
    #[must_use]
    pub fn fits(self, found: &DataType) -> bool {
        match self {
            ColumnKind::Text | ColumnKind::Time => *found == DataType::String,
            ColumnKind::Enum => matches!(found, DataType::Enum(..)),
            ColumnKind::Number => *found == DataType::Float64,
            ColumnKind::Count => *found == DataType::UInt32,
            ColumnKind::Integer => *found == DataType::Int64,
            ColumnKind::Switch => *found == DataType::Boolean,
        }
    }
}

/// One column.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    #[serde(rename = "type")]
    pub kind: ColumnKind,
    /// Whether values may be missing.
    #[serde(default)]
    pub null: bool,
    /// The unit of numbers; empty for counts of things.
    #[serde(default)]
    pub unit: String,
    /// The table whose only key its values are.
    #[serde(default)]
    pub of: Option<String>,
    /// Where its values come from, when not from where those of its table do.
    #[serde(default)]
    pub from: Option<String>,
    /// Whether it may hold words of a notebook, of its outputs, or of an answer: such a column is not in the ids-only variant.
    #[serde(default)]
    pub free: bool,
    /// Whether it holds names of classes, which a notebook may define: the ids-only variant keeps Python's own ones.
    #[serde(default)]
    pub masked: bool,
    /// What a value means.
    pub meaning: String,
}

/// One table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSchema {
    /// Its name; its file is `NAME.parquet`.
    pub name: String,
    /// What a row is.
    pub title: String,
    /// What else a reader should know.
    #[serde(default)]
    pub note: String,
    /// Where its values come from.
    pub from: String,
    /// `mined` for what is there only where something was mined.
    #[serde(default)]
    pub when: Option<String>,
    /// The columns that name a row; empty where nothing does.
    pub key: Vec<String>,
    /// By what rows are sorted, where that is not their key.
    #[serde(default)]
    pub order: Option<String>,
    /// Its columns, in order.
    pub columns: Vec<Column>,
}

impl TableSchema {
    /// The name of its file.
    #[must_use]
    pub fn file(&self) -> String {
        format!("{}.parquet", self.name)
    }

    /// The columns that a variant has.
    pub fn columns_of(&self, variant: Variant) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |column| variant == Variant::Full || !column.free)
    }
}

/// Every table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// In the order in which readers meet them.
    #[serde(rename = "table")]
    pub tables: Vec<TableSchema>,
}

impl Schema {
    /// The schema that this program writes.
    ///
    /// # Panics
    /// Never: a test reads it.
    #[must_use]
    pub fn get() -> &'static Schema {
        static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
            let part =
                |text: &str| toml::from_str::<Schema>(text).expect("the built-in schema is valid, a test reads it");
            Schema { tables: FILES.into_iter().flat_map(|text| part(text).tables).collect() }
        });
        &SCHEMA
    }

    /// The table of this name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&TableSchema> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Names, types and keys without the words about them: what may only change with [`VERSION`].
    #[must_use]
    pub fn form(&self) -> String {
        let column = |column: &Column| format!("  {} {:?} {}\n", column.name, column.kind, column.null);
        let table = |table: &TableSchema| {
            let columns: String = table.columns.iter().map(column).collect();
            format!("{} [{}]\n{columns}", table.name, table.key.join(" "))
        };
        self.tables.iter().map(table).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_and_references_name_columns_that_are_there() {
        let schema = Schema::get();
        let names: BTreeSet<&str> = schema.tables.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names.len(), schema.tables.len(), "a table stands twice");
        for table in &schema.tables {
            let columns: BTreeSet<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(columns.len(), table.columns.len(), "{}: a column stands twice", table.name);
            assert!(table.key.iter().all(|key| columns.contains(key.as_str())), "{}: {:?}", table.name, table.key);
            for column in &table.columns {
                let referred = column.of.as_deref().map(|name| schema.table(name).expect(name));
                assert!(referred.is_none_or(|other| other.key.len() == 1), "{} {}", table.name, column.name);
                assert!(!column.meaning.is_empty() && !column.meaning.contains('|'), "{} {}", table.name, column.name);
            }
        }
    }

    #[test]
    fn no_key_is_lost_in_the_ids_only_variant() {
        for table in &Schema::get().tables {
            let left: BTreeSet<&str> = table.columns_of(Variant::IdsOnly).map(|column| column.name.as_str()).collect();
            assert!(table.key.iter().all(|key| left.contains(key.as_str())), "{}", table.name);
        }
    }

    /// Whoever changes the form of a table changes the version by the rule of [`VERSION`], then this hash.
    #[test]
    fn the_form_changes_with_the_version_only() {
        let form = nbrevive_corpus::content_hash(Schema::get().form().as_bytes());
        assert_eq!((VERSION, form.as_str()), ("2.7.0", "38db1e0a67ca961c635d95e1e64e2287"));
    }
}
