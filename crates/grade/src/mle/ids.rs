//! How the rows of a submission find their answers.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::Invalid;
use crate::invalid::Excerpt;
use crate::mle::column::Column;
use crate::mle::frame::Frame;

/// Which row of the submission belongs to which of the answers; none means: all of them in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    pub(crate) answers: Option<Vec<usize>>,
    pub(crate) rows: Option<Vec<usize>>,
}

/// The answers' ids. Numbers are compared by value, so that `001`, `1` and `1.0` are one id; text as it stands; a number
/// never meets a text, and a missing id meets none.
#[derive(Debug, Default)]
pub(crate) struct IdIndex {
    numbers: HashMap<i128, usize>,
    texts: HashMap<Box<str>, usize>,
    /// The next row with the same id.
    next: Vec<Option<usize>>,
}

impl IdIndex {
    /// The index of a column of answers.
    pub(crate) fn of(column: &Column, rows: usize) -> Self {
        let mut index = IdIndex { next: vec![None; rows], ..IdIndex::default() };
        // From the last row to the first, so that each list starts with the first.
        for row in (0..rows).rev() {
            index.next[row] = match (number(column, row), text(column, row)) {
                (Some(key), _) => index.numbers.insert(key, row),
                (_, Some(key)) => index.texts.insert(key.into(), row),
                _ => None,
            };
        }
        index
    }

    /// The first answer with the id that a row of the submission has.
    pub(crate) fn first(&self, column: &Column, row: usize) -> Option<usize> {
        match number(column, row) {
            Some(key) => self.numbers.get(&key).copied(),
            None => text(column, row).and_then(|key| self.texts.get(key).copied()),
        }
    }

    /// The number of different ids.
    pub(crate) fn distinct(&self) -> usize {
        self.numbers.len() + self.texts.len()
    }

    /// Pairs every row with an answer of its id and every answer with a row; ids that repeat in the order of the files.
    pub(crate) fn pair(&self, answers: &Column, ids: &Column, frame: &Frame) -> Result<Pairs, Invalid> {
        let expected = self.next.len();
        let same = |row| match (number(answers, row), number(ids, row)) {
            (None, None) => text(answers, row).is_some_and(|own| text(ids, row) == Some(own)),
            (own, other) => own == other,
        };
        if frame.rows() == expected && (0..expected).all(same) {
            return Ok(Pairs::default());
        }
        let mut free: Vec<Option<usize>> = (0..expected).map(Some).collect();
        let mut rows = vec![usize::MAX; expected];
        for row in 0..frame.rows() {
            let first = self.first(ids, row).ok_or_else(|| unknown(ids, row, frame))?;
            let answer = free[first].ok_or_else(|| duplicate(ids, row, frame))?;
            rows[answer] = row;
            free[first] = self.next[answer];
        }
        if frame.rows() != expected {
            return Err(Invalid::WrongRows { expected, found: frame.rows() });
        }
        Ok(Pairs { answers: None, rows: Some(rows) })
    }

    /// Pairs every row with the answer of its id, where both sides have the same ids; an id may repeat in the submission.
    pub(crate) fn merge(&self, ids: &Column, frame: &Frame) -> Result<Pairs, Invalid> {
        let first = |row| self.first(ids, row).ok_or_else(|| unknown(ids, row, frame));
        let answers: Vec<usize> = (0..frame.rows()).map(first).collect::<Result<_, _>>()?;
        let mut seen = answers.clone();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() != self.distinct() {
            return Err(Invalid::WrongRows { expected: self.distinct(), found: seen.len() });
        }
        Ok(Pairs { answers: Some(answers), rows: None })
    }
}

/// An id of the submission that the answers do not have.
pub(crate) fn unknown(ids: &Column, row: usize, frame: &Frame) -> Invalid {
    Invalid::UnknownId { id: Excerpt::of(&ids.text(row)), line: frame.line(row) }
}

/// An id of the submission that occurs more often than in the answers.
pub(crate) fn duplicate(ids: &Column, row: usize, frame: &Frame) -> Invalid {
    Invalid::DuplicateId { id: Excerpt::of(&ids.text(row)), line: frame.line(row) }
}

/// The rows in the order of their ids: numbers by value, text by code point, missing ones last.
pub(crate) fn sorted_rows(column: &Column, mut rows: Vec<usize>) -> Vec<usize> {
    let numbers = column.numbers();
    rows.sort_by(|&left, &right| match (&numbers, column.texts()) {
        (Some(numbers), _) => {
            let (left, right) = (numbers[left], numbers[right]);
            left.partial_cmp(&right).unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
        }
        (None, Some(texts)) => match (texts.get(left), texts.get(right)) {
            (Some(left), Some(right)) => left.cmp(right),
            (left, right) => left.is_none().cmp(&right.is_none()),
        },
        (None, None) => Ordering::Equal,
    });
    rows
}

/// A number as a key: fractions lie beyond all whole numbers.
fn number(column: &Column, row: usize) -> Option<i128> {
    match column {
        Column::Whole(values) => Some(values[row].into()),
        Column::Truth(values) => Some(values[row].into()),
        Column::Numbers(values) => match values[row] {
            value if value.is_nan() => None,
            value if value.fract() == 0.0 && value.abs() < 1e30 => Some(value as i128),
            value => Some((1 << 120) + i128::from(value.to_bits())),
        },
        Column::Text(_) => None,
    }
}

fn text(column: &Column, row: usize) -> Option<&str> {
    column.texts().and_then(|texts| texts.get(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(ids: &[&str]) -> Frame {
        let text = ids.iter().fold("id\n".to_owned(), |text, id| text + id + "\n");
        Frame::read(&text, |_| true, 9).unwrap_or_else(|_| panic!("{text:?} is a table"))
    }

    fn pair(answers: &[&str], ids: &[&str]) -> Result<Option<Vec<usize>>, &'static str> {
        let (answers, ids) = (frame(answers), frame(ids));
        let (own, other) = (answers.column("id").unwrap(), ids.column("id").unwrap());
        let pairs = IdIndex::of(own, answers.rows()).pair(own, other, &ids);
        pairs.map(|pairs| pairs.rows).map_err(|invalid| invalid.kind())
    }

    #[test]
    fn ids_meet_by_value_and_type() {
        assert_eq!(pair(&["1", "2"], &["001", "2.0"]), Ok(None));
        assert_eq!(pair(&["1", "2"], &["2", "1"]), Ok(Some(vec![1, 0])));
        assert_eq!(pair(&["a", "b"], &["b", "a"]), Ok(Some(vec![1, 0])));
        assert_eq!(pair(&["1", "2"], &["1", "x"]), Err("wrong-ids"));
        assert_eq!(pair(&["a", "b"], &["a", "NA"]), Err("wrong-ids"));
        assert_eq!(pair(&["1", "2"], &["2", "2"]), Err("duplicate-ids"));
        assert_eq!(pair(&["1", "2"], &["2"]), Err("wrong-rows"));
    }

    #[test]
    fn ids_that_repeat_meet_in_order() {
        assert_eq!(pair(&["a", "b", "a"], &["a", "a", "b"]), Ok(Some(vec![0, 2, 1])));
        assert_eq!(pair(&["a", "b", "a"], &["a", "b", "b"]), Err("duplicate-ids"));
    }

    #[test]
    fn rows_are_sorted_as_pandas_sorts() {
        let sorted = |ids: &[&str]| {
            let frame = frame(ids);
            sorted_rows(frame.column("id").unwrap(), (0..frame.rows()).collect())
        };
        assert_eq!(sorted(&["10", "9", "NA"]), [1, 0, 2]);
        assert_eq!(sorted(&["b10", "b9", "NA"]), [0, 1, 2]);
    }
}
