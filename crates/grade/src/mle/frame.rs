//! A CSV as pandas would hold it: named columns with types.

use std::sync::Arc;

use crate::AnswersProblem;
use crate::Invalid;
use crate::mle::column::{Cells, Column};
use crate::mle::pieces::Wanted;
use crate::mle::source::Source;
use crate::scanner::{Fields, Malformed, Scanner, Span};
use crate::whole_file::LONGEST;

/// A table with the columns that were asked for, the names of all, and the text that it was read from.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    names: Vec<String>,
    columns: Vec<Option<Arc<Column>>>,
    labels: Option<Column>,
    rows: usize,
    source: Arc<Source>,
}

/// Why a text is no table.
pub(crate) enum FrameError {
    /// There is no header.
    Empty,
    /// The text is longer than places in it can be written down: 2 GiB.
    TooLong,
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
            FrameError::TooLong => Invalid::TooLarge { bytes: 1 << 31, limit: (1 << 31) - 1 },
            FrameError::Malformed(malformed) => malformed.into(),
        }
    }
}

impl From<FrameError> for AnswersProblem {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::Empty => AnswersProblem::NoRows,
            FrameError::TooLong => AnswersProblem::TooLong,
            FrameError::Malformed(malformed) => malformed.into(),
        }
    }
}

impl Frame {
    /// Reads `text`, keeping the columns that are `wanted`.
    ///
    /// As with pandas, a name that repeats becomes `name.1`, and when the first row has more fields than the header, its first
    /// columns are an index without names and the names belong to the columns after it.
    pub(crate) fn read(text: String, wanted: impl Fn(&str) -> bool, most_columns: usize) -> Result<Self, FrameError> {
        if text.len() as u64 > LONGEST {
            return Err(FrameError::TooLong);
        }
        let (mut scanner, mut beside) = (Scanner::cut_at_zero(&text, most_columns), String::new());
        let mut fields = Fields::new();
        scanner.next_row(&mut fields)?.ok_or(FrameError::Empty)?;
        let names = distinct(&fields);
        let width = names.len();
        let first = scanner.place();
        let line = scanner.next_row(&mut fields)?;
        let shift = fields.len().saturating_sub(width);
        scanner.limit_fields(width + shift);
        let places: Vec<usize> = (0..width).filter(|&place| wanted(&names[place])).collect();
        // What stands before the columns that the header names: the labels of the rows.
        let labels = usize::from(shift > 0);
        let shifted: Vec<usize> = (0..labels).chain(places.iter().map(|place| place + shift)).collect();
        let wanted = Wanted { places: &shifted, most: width + shift };
        // The rows are counted with a column that nobody asked for, where none was.
        let counted = if shifted.is_empty() { Wanted { places: &[0], ..wanted } } else { wanted };
        let mut cells = match line.map(|_| counted.cells(&text, first)) {
            Some(Some(cells)) => cells,
            _ => {
                let whole = rows(&mut scanner, &mut beside, &mut fields, line.is_some(), counted.places)?;
                whole.into_iter().map(|column| vec![column]).collect()
            }
        };
        let rows = cells[0].iter().map(Vec::len).sum();
        cells.truncate(labels + places.len());
        let source = Arc::new(Source { text, beside });
        let mut columns: Vec<Option<Arc<Column>>> = names.iter().map(|_| None).collect();
        let mut cells = cells.into_iter().map(|pieces| Column::of(Cells { source: source.clone(), pieces }));
        let labels = cells.by_ref().take(labels).next();
        for (place, column) in places.into_iter().zip(cells) {
            columns[place] = Some(Arc::new(column));
        }
        Ok(Frame { names, columns, labels, rows, source })
    }

    /// The names of all columns.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of rows.
    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// The labels of the rows, where they stand before the columns that the header names.
    pub(crate) const fn labels(&self) -> Option<&Column> {
        self.labels.as_ref()
    }

    /// The column of this name, if it is there and was asked for.
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.shared(name).map(Arc::as_ref)
    }

    /// The same, to be kept.
    pub(crate) fn shared(&self, name: &str) -> Option<&Arc<Column>> {
        let place = self.names.iter().position(|own| own == name)?;
        self.columns[place].as_ref()
    }

    /// The column at this place, if it was asked for.
    pub(crate) fn column_at(&self, place: usize) -> Option<&Column> {
        self.columns.get(place)?.as_deref()
    }

    /// The line on which a row starts, from 1. It is searched for: only reasons ask for it.
    pub(crate) fn line(&self, row: usize) -> u64 {
        let mut scanner = Scanner::new(&self.source.text, usize::MAX);
        let mut fields = Fields::new();
        // The header is a row here.
        (0..=row + 1).map_while(|_| scanner.next_row(&mut fields).ok().flatten()).last().unwrap_or(1)
    }
}

/// The cells of some places of each row, one row after the other; `fields` holds the first, if there is one.
fn rows<'t>(
    scanner: &mut Scanner<'t>,
    beside: &mut String,
    fields: &mut Fields<'t>,
    mut is_row: bool,
    places: &[usize],
) -> Result<Vec<Vec<Span>>, FrameError> {
    let mut cells = vec![Vec::new(); places.len()];
    while is_row {
        for (column, &place) in cells.iter_mut().zip(places) {
            column.push(fields.keep(place, beside));
        }
        is_row = scanner.next_row(fields)?.is_some();
    }
    Ok(cells)
}

/// The names of a header, with a number where a name repeats.
fn distinct(header: &Fields<'_>) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(header.len());
    let mut seen = std::collections::HashMap::new();
    for name in header.iter() {
        let count = seen.entry(name.to_owned()).and_modify(|count| *count += 1).or_insert(0_usize);
        names.push(if *count == 0 { name.to_owned() } else { format!("{name}.{count}") });
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Frame {
        Frame::read(text.to_owned(), |_| true, 100).unwrap_or_else(|_| panic!("{text:?} is a table"))
    }

    #[test]
    fn headers_as_pandas_reads_them() {
        assert_eq!(frame("a,b,a\n1,2,3\n").names(), ["a", "b", "a.1"]);
        let indexed = frame("a,b\n0,1,2\n\n1,3\n");
        assert!(matches!(indexed.column("a"), Some(Column::Whole(values)) if *values == [1, 3]));
        assert!(matches!(indexed.column("b"), Some(Column::Numbers(values)) if values[1].is_nan()));
        assert_eq!((indexed.rows(), indexed.line(1)), (2, 4));
        assert!(matches!(indexed.labels(), Some(Column::Whole(values)) if *values == [0, 1]));
        let quotes = frame("a,b\n\"\"\"\",\"\"\"x\"\n");
        assert_eq!(
            (quotes.column("a").unwrap().text(0), quotes.column("b").unwrap().text(0)),
            ("\"".into(), "\"x".into())
        );
        assert_eq!(frame("a\n").rows(), 0);
        assert!(Frame::read("a\n1\n2,3\n".to_owned(), |_| true, 100).is_err());
        assert!(Frame::read("\n".to_owned(), |_| true, 100).is_err());
    }
}
