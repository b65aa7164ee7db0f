//! How the rows of a submission find their answers.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rayon::prelude::*;

use crate::Invalid;
use crate::invalid::Excerpt;
use crate::mle::column::Column;
use crate::mle::frame::Frame;
use crate::mle::lookup::Lookup;

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
    ids: Arc<Column>,
    rows: usize,
    /// Made when the first submission needs it: one whose rows stand as the answers do does not.
    places: OnceLock<Places>,
    /// Likewise; none where an id is missing.
    lookup: OnceLock<Option<Lookup>>,
}

/// Where each id occurs.
#[derive(Debug)]
struct Places {
    /// The first row of each id.
    first: HashTable<u32>,
    /// The next row with the same id; the last one has none.
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// How many rows a thread compares at least.
const PIECE: usize = 1 << 14;

impl IdIndex {
    /// The index of a column of answers.
    pub(crate) const fn of(ids: Arc<Column>, rows: usize) -> Self {
        IdIndex { ids, rows, places: OnceLock::new(), lookup: OnceLock::new() }
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let mut places = Places { first: HashTable::with_capacity(self.rows), next: vec![NONE; self.rows] };
            let hash = |row: &u32| Id::of(&self.ids, *row as usize).map_or(0, Id::hash);
            // From the last row to the first, so that each list starts with the first.
            for row in (0..self.rows).rev() {
                let Some(id) = Id::of(&self.ids, row) else { continue };
                let same = |other: &u32| Id::of(&self.ids, *other as usize) == Some(id);
                match places.first.entry(id.hash(), same, hash) {
                    Entry::Occupied(mut entry) => places.next[row] = std::mem::replace(entry.get_mut(), row as u32),
                    Entry::Vacant(entry) => drop(entry.insert(row as u32)),
                }
            }
            places
        })
    }

    /// The first answer with the id that a row of the submission has.
    pub(crate) fn first(&self, column: &Column, row: usize) -> Option<usize> {
        let id = Id::of(column, row)?;
        let same = |other: &u32| Id::of(&self.ids, *other as usize) == Some(id);
        self.places().first.find(id.hash(), same).map(|&row| row as usize)
    }

    /// The next answer with the same id.
    fn next(&self, answer: usize) -> Option<usize> {
        let next = self.places().next[answer];
        (next != NONE).then_some(next as usize)
    }

    /// The number of different ids.
    pub(crate) fn distinct(&self) -> usize {
        self.places().first.len()
    }

    /// As [`Self::pair`], where numpy compares the ids: whole numbers that meet floats have become such.
    pub(crate) fn pair_as_arrays(&self, ids: &Column, frame: &Frame) -> Result<Pairs, Invalid> {
        if become_floats(&self.ids, ids) { self.pair_as_floats(ids, frame) } else { self.pair(ids, frame) }
    }

    /// Pairs every row with an answer of its id and every answer with a row; ids that repeat in the order of the files. Whole numbers
    /// meet floats as Python compares them, exactly.
    pub(crate) fn pair(&self, ids: &Column, frame: &Frame) -> Result<Pairs, Invalid> {
        let expected = self.rows;
        let same = |row| Id::of(&self.ids, row).is_some_and(|own| Id::of(ids, row) == Some(own));
        if frame.rows() == expected {
            if (0..expected).into_par_iter().with_min_len(PIECE).all(same) {
                return Ok(Pairs::default());
            }
            let lookup = self.lookup.get_or_init(|| Lookup::of(&self.ids)).as_ref();
            if let Some(rows) = lookup.and_then(|lookup| lookup.pair(&self.ids, ids)) {
                return Ok(Pairs { answers: None, rows: Some(rows) });
            }
        }
        // By the first answer of an id, the next one that no row has yet.
        let mut free: Vec<Option<usize>> = (0..expected).map(Some).collect();
        let mut rows = vec![usize::MAX; expected];
        for row in 0..frame.rows() {
            let first = self.first(ids, row).ok_or_else(|| unknown(ids, row, frame))?;
            let answer = free[first].ok_or_else(|| duplicate(ids, row, frame))?;
            rows[answer] = row;
            free[first] = self.next(answer);
        }
        if frame.rows() != expected {
            return Err(Invalid::WrongRows { expected, found: frame.rows() });
        }
        Ok(Pairs { answers: None, rows: Some(rows) })
    }

    /// Pairs the rows of both sides in the order of their ids, each as it is, where numpy calls them equal: as floats.
    fn pair_as_floats(&self, ids: &Column, frame: &Frame) -> Result<Pairs, Invalid> {
        if frame.rows() != self.rows {
            return Err(Invalid::WrongRows { expected: self.rows, found: frame.rows() });
        }
        let sorted = |column: &Column| sorted_rows(column, (0..self.rows).collect());
        let (answers, rows) = (sorted(&self.ids), sorted(ids));
        let (own, other) = (self.ids.numbers().unwrap_or_default(), ids.numbers().unwrap_or_default());
        let unequal = answers.iter().zip(&rows).find(|(answer, row)| own.get(**answer) != other.get(**row));
        match unequal {
            Some((_, row)) => Err(unknown(ids, *row, frame)),
            None => Ok(Pairs { answers: Some(answers), rows: Some(rows) }),
        }
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

/// Whether one side has floats and the other whole numbers beyond their reach: numpy compares those when they have become floats.
fn become_floats(answers: &Column, ids: &Column) -> bool {
    /// Up to here a float has every whole number.
    const REACH: u64 = 1 << 53;
    let is_beyond = |column: &Column| match column {
        Column::Whole(values) => values.iter().any(|value| value.unsigned_abs() > REACH),
        Column::Large(_) => true,
        Column::Numbers(_) | Column::Truth(_) | Column::Flags(_) | Column::Text(_) => false,
    };
    let is_float = |column: &Column| matches!(column, Column::Numbers(_));
    is_float(answers) && is_beyond(ids) || is_float(ids) && is_beyond(answers)
}

/// An id of the submission that the answers do not have.
pub(crate) fn unknown(ids: &Column, row: usize, frame: &Frame) -> Invalid {
    Invalid::UnknownId { id: Excerpt::of(&ids.text(row)), line: frame.line(row), column: String::new() }
}

/// An id of the submission that occurs more often than in the answers.
pub(crate) fn duplicate(ids: &Column, row: usize, frame: &Frame) -> Invalid {
    Invalid::DuplicateId { id: Excerpt::of(&ids.text(row)), line: frame.line(row), column: String::new() }
}

/// The rows in the order of their ids: numbers by value, text by code point, missing ones last.
pub(crate) fn sorted_rows(column: &Column, mut rows: Vec<usize>) -> Vec<usize> {
    match column {
        Column::Whole(values) => rows.sort_by_key(|&row| values[row]),
        Column::Large(values) => rows.sort_by_key(|&row| values[row]),
        Column::Truth(values) => rows.sort_by_key(|&row| values[row]),
        Column::Flags(values) => rows.sort_by(|&left, &right| missing_last(values[left], values[right], Ord::cmp)),
        Column::Numbers(values) => rows.sort_by(|&left, &right| {
            let number = |row: usize| Some(values[row]).filter(|number| !number.is_nan());
            missing_last(number(left), number(right), |left, right| left.partial_cmp(right).unwrap_or(Ordering::Equal))
        }),
        Column::Text(texts) => {
            rows.sort_by(|&left, &right| missing_last(texts.get(left), texts.get(right), Ord::cmp));
        }
    }
    rows
}

/// The rows of the answers and of the submission in the order of their ids, where these are the same; a missing id is one.
pub(crate) fn equal_sorted(answers: &Column, ids: &Column) -> Option<(Vec<usize>, Vec<usize>)> {
    let sorted = |column: &Column| sorted_rows(column, (0..column.len()).collect());
    let (own, other) = (sorted(answers), sorted(ids));
    let meets = |(own, other): (&usize, &usize)| Id::of(answers, *own) == Id::of(ids, *other);
    (own.len() == other.len() && own.iter().zip(&other).all(meets)).then_some((own, other))
}

/// Rows with one id, of the answers and of the submission.
type Group = (Vec<usize>, Vec<usize>);

/// The rows of each id, in the order of the ids, where both sides have the same ones. A missing id is one where ids are texts;
/// among numbers it is like no other.
pub(crate) fn same_ids(answers: &Column, ids: &Column) -> Option<Vec<Group>> {
    let groups = |column: &Column| {
        let rows = sorted_rows(column, (0..column.len()).collect());
        let same = |left: &usize, right: &usize| Id::of(column, *left) == Id::of(column, *right);
        rows.chunk_by(same).map(<[usize]>::to_vec).collect::<Vec<_>>()
    };
    let (own, other) = (groups(answers), groups(ids));
    let texts = answers.texts().is_some() && ids.texts().is_some();
    let meets = |(own, other): (&Vec<usize>, &Vec<usize>)| match (Id::of(answers, own[0]), Id::of(ids, other[0])) {
        (None, None) => texts,
        (own, other) => own == other,
    };
    let same = own.len() == other.len() && own.iter().zip(&other).all(meets);
    same.then(|| own.into_iter().zip(other).collect())
}

fn missing_last<T>(left: Option<T>, right: Option<T>, order: impl Fn(&T, &T) -> Ordering) -> Ordering {
    match (left, right) {
        (Some(left), Some(right)) => order(&left, &right),
        (left, right) => left.is_none().cmp(&right.is_none()),
    }
}

/// An id as it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Id<'c> {
    /// A number; fractions lie beyond all whole numbers.
    Number(i128),
    Text(&'c str),
}

impl<'c> Id<'c> {
    /// The id in a row; none when it is missing.
    pub(crate) fn of(column: &'c Column, row: usize) -> Option<Self> {
        match column {
            Column::Whole(values) => Some(Id::Number(values[row].into())),
            Column::Large(values) => Some(Id::Number(values[row].into())),
            Column::Truth(values) => Some(Id::Number(values[row].into())),
            Column::Flags(values) => values[row].map(|value| Id::Number(value.into())),
            Column::Numbers(values) => match values[row] {
                value if value.is_nan() => None,
                value if value.fract() == 0.0 && value.abs() < 1e30 => Some(Id::Number(value as i128)),
                value => Some(Id::Number((1 << 120) + i128::from(value.to_bits()))),
            },
            Column::Text(texts) => texts.get(row).map(Id::Text),
        }
    }

    /// Spreads ids over the index. The answers alone are put in, so that nobody can aim at it.
    pub(crate) fn hash(self) -> u64 {
        /// Rounds of multiplication by the golden ratio of 2^64.
        const RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |hash: u64, word: u64| {
            let product = u128::from(hash ^ word) * u128::from(RATIO);
            (product as u64) ^ ((product >> 64) as u64)
        };
        match self {
            Id::Number(number) => mix(mix(RATIO, number as u64), (number >> 64) as u64),
            Id::Text(text) => {
                let (words, rest) = text.as_bytes().as_chunks::<8>();
                let mut last = [0; 8];
                last[..rest.len()].copy_from_slice(rest);
                let hash =
                    words.iter().fold(RATIO ^ text.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
                mix(hash, u64::from_le_bytes(last))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(ids: &[&str]) -> Frame {
        let text = ids.iter().fold("id\n".to_owned(), |text, id| text + id + "\n");
        Frame::read(text.clone(), |_| true, 9).unwrap_or_else(|_| panic!("{text:?} is a table"))
    }

    fn pair(answers: &[&str], ids: &[&str]) -> Result<Option<Vec<usize>>, &'static str> {
        let (answers, ids) = (frame(answers), frame(ids));
        let (own, other) = (answers.shared("id").unwrap(), ids.column("id").unwrap());
        let pairs = IdIndex::of(own.clone(), answers.rows()).pair(other, &ids);
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
    fn the_same_ids_whatever_repeats() {
        let groups = |answers: &[&str], ids: &[&str]| {
            let (answers, ids) = (frame(answers), frame(ids));
            same_ids(answers.column("id").unwrap(), ids.column("id").unwrap())
        };
        assert_eq!(
            groups(&["b", "a", "NA"], &["a", "NA", "b", "a"]),
            Some(vec![(vec![1], vec![0, 3]), (vec![0], vec![2]), (vec![2], vec![1])])
        );
        assert_eq!(groups(&["1", "NA"], &["1", "NA"]), None);
        assert_eq!(groups(&["a", "b"], &["a", "c"]), None);
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
