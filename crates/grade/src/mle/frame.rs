//! A CSV as pandas would hold it: named columns with types.

use crate::AnswersProblem;
use crate::Invalid;
use crate::mle::column::Column;
use crate::scanner::{Fields, Malformed, Scanner};

/// A table with the columns that were asked for, the names of all, and the line of each row.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    names: Vec<String>,
    columns: Vec<Option<Column>>,
    lines: Vec<u32>,
}

/// Why a text is no table.
pub(crate) enum FrameError {
    /// There is no header.
    Empty,
    /// It is not CSV.
    Malformed(Malformed),
}

impl From<Malformed> for FrameError {
    fn from(malformed: Malformed) -> Self {
        FrameError::Malformed(malformed)
    }
}

impl From<FrameError> for Invalid {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::Empty => Invalid::Empty,
            FrameError::Malformed(malformed) => malformed.into(),
        }
    }
}

impl From<FrameError> for AnswersProblem {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::Empty => AnswersProblem::NoRows,
            FrameError::Malformed(malformed) => malformed.into(),
        }
    }
}

impl Frame {
    /// Reads `text`, keeping the columns that are `wanted`.
    ///
    /// As with pandas, a name that repeats becomes `name.1`, and when the first row has one field more than the header, the
    /// first column is an index without a name and the names belong to the columns after it.
    pub(crate) fn read(text: &str, wanted: impl Fn(&str) -> bool, most_columns: usize) -> Result<Self, FrameError> {
        let mut scanner = Scanner::new(text, most_columns);
        let mut fields = Fields::new();
        scanner.next_row(&mut fields)?.ok_or(FrameError::Empty)?;
        let names = distinct(&fields);
        let width = names.len();
        scanner.limit_fields(width + 1);
        let mut line = scanner.next_row(&mut fields)?;
        let shift = fields.len().saturating_sub(width);
        scanner.limit_fields(width + shift);
        let places: Vec<usize> = (0..width).filter(|&place| wanted(&names[place])).collect();
        let mut cells = vec![Vec::new(); places.len()];
        let mut lines = Vec::new();
        while let Some(start) = line {
            for (column, &place) in cells.iter_mut().zip(&places) {
                column.push(fields.get_mut(place + shift).map(std::mem::take).unwrap_or_default());
            }
            lines.push(u32::try_from(start).unwrap_or(u32::MAX));
            line = scanner.next_row(&mut fields)?;
        }
        let mut columns: Vec<Option<Column>> = names.iter().map(|_| None).collect();
        for (place, cells) in places.into_iter().zip(cells) {
            columns[place] = Some(Column::of(&cells));
        }
        Ok(Frame { names, columns, lines })
    }

    /// The names of all columns.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of rows.
    pub(crate) const fn rows(&self) -> usize {
        self.lines.len()
    }

    /// The column of this name, if it is there and was asked for.
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        let place = self.names.iter().position(|own| own == name)?;
        self.columns[place].as_ref()
    }

    /// The column at this place, if it was asked for.
    pub(crate) fn column_at(&self, place: usize) -> Option<&Column> {
        self.columns.get(place)?.as_ref()
    }

    /// The line on which a row starts, from 1.
    pub(crate) fn line(&self, row: usize) -> u64 {
        u64::from(self.lines[row])
    }
}

/// The names of a header, with a number where a name repeats.
fn distinct(header: &Fields<'_>) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(header.len());
    let mut seen = std::collections::HashMap::new();
    for name in header {
        let count = seen.entry(name.to_string()).and_modify(|count| *count += 1).or_insert(0_usize);
        names.push(if *count == 0 { name.to_string() } else { format!("{name}.{count}") });
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Frame {
        Frame::read(text, |_| true, 100).unwrap_or_else(|_| panic!("{text:?} is a table"))
    }

    #[test]
    fn headers_as_pandas_reads_them() {
        assert_eq!(frame("a,b,a\n1,2,3\n").names(), ["a", "b", "a.1"]);
        let indexed = frame("a,b\n0,1,2\n\n1,3\n");
        assert!(matches!(indexed.column("a"), Some(Column::Whole(values)) if *values == [1, 3]));
        assert!(matches!(indexed.column("b"), Some(Column::Numbers(values)) if values[1].is_nan()));
        assert_eq!((indexed.rows(), indexed.line(1)), (2, 4));
        assert_eq!(frame("a\n").rows(), 0);
        assert!(Frame::read("a\n1\n2,3\n", |_| true, 100).is_err());
        assert!(Frame::read("\n", |_| true, 100).is_err());
    }
}
