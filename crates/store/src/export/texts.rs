//! The texts of a row in one piece of memory: rows by the million then cost one allocation each, and not one for each text.

use rusqlite::Row;
use rusqlite::types::ValueRef;

use crate::schema::unreadable;

/// Bytes for which there is room from the beginning: most rows have fewer, and asking each column for its length takes longer.
const USUAL: usize = 256;

/// So many texts of a row, each of which may be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Texts<const N: usize> {
    all: String,
    ends: [u32; N],
    /// A bit for each that is missing.
    missing: u16,
}

impl<const N: usize> Texts<N> {
    /// Reads the columns from `first` on.
    ///
    /// # Errors
    /// When one holds anything but a text.
    pub(crate) fn read(row: &Row<'_>, first: usize) -> Result<Self, rusqlite::Error> {
        const { assert!(N <= 16, "a bit for each") };
        let mut all = String::with_capacity(USUAL);
        let (mut ends, mut missing) = ([0; N], 0);
        for (place, end) in ends.iter_mut().enumerate() {
            match row.get_ref(first + place)? {
                ValueRef::Null => missing |= 1 << place,
                value => all.push_str(value.as_str().map_err(|error| unreadable(row, first + place, &error))?),
            }
            *end = u32::try_from(all.len()).map_err(|_| rusqlite::Error::InvalidQuery)?;
        }
        Ok(Texts { all, ends, missing })
    }

    /// One of them, if it is there.
    pub(crate) fn get(&self, place: usize) -> Option<&str> {
        (self.missing & 1 << place == 0).then(|| self.text(place))
    }

    /// One of them; empty where it is missing.
    pub(crate) fn text(&self, place: usize) -> &str {
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.all[begin as usize..self.ends[place] as usize]
    }

    /// Bytes of all of them.
    pub(crate) fn bytes(&self) -> usize {
        self.all.len()
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn texts_come_back_and_those_that_are_missing_are_told_from_empty_ones() {
        let connection = Connection::open_in_memory().unwrap();
        let read = |query: &str| connection.query_row(query, [], |row| Texts::<4>::read(row, 1));
        let texts = read("SELECT 7, 'one', '', NULL, 'zwölf'").unwrap();
        assert_eq!([0, 1, 2, 3].map(|place| texts.get(place)), [Some("one"), Some(""), None, Some("zwölf")]);
        assert_eq!((texts.text(2), texts.bytes()), ("", 9));
        let error = read("SELECT 7, 'one', 2, NULL, 'four'").unwrap_err();
        assert!(matches!(error, rusqlite::Error::FromSqlConversionFailure(2, ..)), "{error}");
    }
}
