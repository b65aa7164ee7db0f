//! What every test on a table of counts asks of it before it starts.

/// Why a test has no result for the table of counts that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CountsError {
    /// The table has fewer than two rows or columns.
    #[error("a table of {rows} rows and {columns} columns has nothing to compare, 2 of each are needed")]
    TooSmall {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A row does not have as many columns as it should.
    #[error("row {row} has {found} columns instead of {expected}")]
    Ragged {
        /// The row, from 0.
        row: usize,
        /// The columns that it should have.
        expected: usize,
        /// The columns that it has.
        found: usize,
    },
    /// A row counts nothing.
    #[error("row {row} counts nothing")]
    EmptyRow {
        /// The row, from 0.
        row: usize,
    },
    /// A column counts nothing.
    #[error("column {column} counts nothing")]
    EmptyColumn {
        /// The column, from 0.
        column: usize,
    },
    /// A row sums to another number than the first one.
    #[error("row {row} sums to {found} instead of {expected}")]
    UnequalSums {
        /// The row, from 0.
        row: usize,
        /// The sum of the first row.
        expected: u64,
        /// The sum that it has.
        found: u64,
    },
    /// Everything is of one category, so that chance agrees as well.
    #[error("every rating is of one category, and chance agrees as well")]
    AllAlike,
    /// There are too many observations for an exact test.
    #[error("{total} observations are too many for an exact test, which takes at most {most}")]
    TooMany {
        /// The observations in the table.
        total: u64,
        /// The largest number that the test takes.
        most: u64,
    },
}

/// The sums of a table's rows and columns, after a check that it has at least two of each and none is ragged.
pub(crate) fn sums(table: &[Vec<u64>]) -> Result<(Vec<u64>, Vec<u64>), CountsError> {
    let columns = table.first().map_or(0, Vec::len);
    if let Some(row) = table.iter().position(|row| row.len() != columns) {
        return Err(CountsError::Ragged { row, expected: columns, found: table[row].len() });
    }
    if table.len() < 2 || columns < 2 {
        return Err(CountsError::TooSmall { rows: table.len(), columns });
    }
    let of_rows = table.iter().map(|row| row.iter().sum()).collect();
    let of_columns = (0..columns).map(|column| table.iter().map(|row| row[column]).sum()).collect();
    Ok((of_rows, of_columns))
}

/// Refuses a table with more than `most` observations; a total that no 64 bits hold is the largest number.
pub(crate) fn check_total(table: [[u64; 2]; 2], most: u64) -> Result<(), CountsError> {
    let total = table.as_flattened().iter().fold(0, |total: u64, &count| total.saturating_add(count));
    if total > most { Err(CountsError::TooMany { total, most }) } else { Ok(()) }
}
