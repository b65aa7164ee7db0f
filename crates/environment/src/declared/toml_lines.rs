//! TOML whose values know their lines.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::line_starts::LineStarts;

/// A value and the line of its key, from 1.
#[derive(Clone, Copy)]
pub(super) struct Value<'toml> {
    pub(super) value: &'toml DeValue<'toml>,
    pub(super) line: u32,
}

/// A table and the lines of its text.
#[derive(Clone, Copy)]
pub(super) struct Table<'toml> {
    table: &'toml DeTable<'toml>,
    lines: &'toml LineStarts,
}

impl<'toml> Table<'toml> {
    pub(super) fn new(table: &'toml DeTable<'toml>, lines: &'toml LineStarts) -> Self {
        Self { table, lines }
    }

    /// Its entries in the order of the text.
    pub(super) fn entries(self) -> Vec<(&'toml str, Value<'toml>)> {
        let entry = |(key, value): (&'toml Spanned<_>, &'toml Spanned<DeValue<'toml>>)| {
            let key: &'toml Spanned<std::borrow::Cow<'toml, str>> = key;
            let line = self.lines.line(key.span().start);
            (key.span().start, (key.get_ref().as_ref(), Value { value: value.get_ref(), line }))
        };
        let mut found: Vec<_> = self.table.iter().map(entry).collect();
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, entry)| entry).collect()
    }

    pub(super) fn get(self, key: &str) -> Option<Value<'toml>> {
        let (found, value) = self.table.iter().find(|(name, _)| name.get_ref().as_ref() == key)?;
        Some(Value { value: value.get_ref(), line: self.lines.line(found.span().start) })
    }

    pub(super) fn text(self, key: &str) -> Option<&'toml str> {
        self.get(key)?.value.as_str()
    }

    pub(super) fn flag(self, key: &str) -> bool {
        self.get(key).and_then(|found| found.value.as_bool()).unwrap_or(false)
    }

    /// The table below some keys.
    pub(super) fn at(self, path: &[&str]) -> Option<Table<'toml>> {
        path.iter().try_fold(self, |table, key| table.inner(table.get(key)?))
    }

    /// A value as a table.
    pub(super) fn inner(self, value: Value<'toml>) -> Option<Table<'toml>> {
        Some(Self { table: value.value.as_table()?, lines: self.lines })
    }

    /// The elements of a list, each with its own line.
    pub(super) fn list(self, value: Value<'toml>) -> Option<Vec<Value<'toml>>> {
        let list = value.value.as_array()?;
        let element = |element: &'toml Spanned<DeValue<'toml>>| Value {
            value: element.get_ref(),
            line: self.lines.line(element.span().start),
        };
        Some(list.iter().map(element).collect())
    }
}

/// Gives a text's table to a function; the line and words of what is no TOML otherwise.
pub(super) fn with_table(text: &str, read: impl FnOnce(Table<'_>)) -> Result<(), (u32, String)> {
    let lines = LineStarts::of(text);
    match DeTable::parse(text) {
        Ok(root) => {
            read(Table::new(root.get_ref(), &lines));
            Ok(())
        }
        Err(error) => Err((error.span().map_or(0, |span| lines.line(span.start)), error.message().to_owned())),
    }
}
