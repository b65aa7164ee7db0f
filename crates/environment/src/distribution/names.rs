//! The table of import names with the days between which each stands for its distribution.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::{NameSource, prefixes};
use crate::table::rows;

/// One pair of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) distribution: &'static str,
    pub(super) from: Option<Date>,
    pub(super) until: Option<Date>,
    pub(super) source: &'static str,
}

pub(super) static NAMES: LazyLock<HashMap<&str, Vec<Row>>> = LazyLock::new(|| {
    let mut names: HashMap<&str, Vec<Row>> = HashMap::new();
    for row in rows(include_str!("../../data/import_names.csv"), 5) {
        let day = |text: &str| (!text.is_empty()).then(|| text.parse().expect("the table's days are dates"));
        let read = Row { distribution: row[1], from: day(row[2]), until: day(row[3]), source: row[4] };
        names.entry(row[0]).or_default().push(read);
    }
    names
});

impl Row {
    /// Whether the pair holds for a submission. What appeared during a day is before no instant of its start, so
    /// that the first instant of a day still belongs to the time before it.
    pub(super) fn holds(&self, date: Timestamp) -> bool {
        let after = |day: Date| start(day).is_some_and(|start| start < date);
        self.from.is_none_or(after) && !self.until.is_some_and(after)
    }

    pub(super) fn how(&self) -> NameSource {
        NameSource::Table { valid_from: self.from, valid_until: self.until, source: self.source }
    }
}

/// The first instant of a day (UTC).
fn start(day: Date) -> Option<Timestamp> {
    Some(day.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

/// The pair for the longest dotted prefix of a module that has one at the date.
pub(super) fn at(module: &str, date: Timestamp) -> Option<&'static Row> {
    prefixes(module).find_map(|prefix| NAMES.get(prefix)?.iter().find(|row| row.holds(date)))
}

/// All pairs for the longest dotted prefix of a module that has any, whatever the date.
pub(super) fn ever(module: &str) -> &'static [Row] {
    prefixes(module).find_map(|prefix| NAMES.get(prefix)).map_or(&[], Vec::as_slice)
}
