//! One column of a table, with the type that all of its cells share.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use crate::cell::{self, trimmed};
use crate::mle::source::Source;
use crate::python;
use crate::scanner::Span;

/// The cells of a column, typed as pandas types them.
#[derive(Debug)]
pub(crate) enum Column {
    /// Whole numbers, none missing.
    Whole(Vec<i64>),
    /// Whole numbers of which one is beyond `i64`, none missing and none below 0.
    Large(Vec<u64>),
    /// Numbers; a missing one is NaN.
    Numbers(Vec<f64>),
    /// `True` and `False`, none missing.
    Truth(Vec<bool>),
    /// `True` and `False`, some missing.
    Flags(Vec<Option<bool>>),
    /// Anything else.
    Text(Texts),
}

/// Texts, which stay where they stand in their file; a missing one differs from an empty one.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    source: Arc<Source>,
    spans: Vec<Span>,
}

impl Texts {
    fn of(cells: Cells) -> Self {
        let spans = cells
            .each(Span::NONE, |span| Some(if cell::is_missing(cells.source.get(span)) { Span::NONE } else { span }));
        Texts { spans: spans.unwrap_or_default(), source: cells.source }
    }

    /// The cells as they stand, a blank one too.
    fn all_there(cells: Cells) -> Self {
        Texts { spans: cells.each(Span::NONE, Some).unwrap_or_default(), source: cells.source }
    }

    /// The text of a row; none when it is missing.
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        let span = self.spans[row];
        (span != Span::NONE).then(|| self.source.get(span))
    }
}

/// How many cells a thread reads at a time.
const PIECE: usize = 1 << 16;

/// The cells of a column before its type is known, in pieces as they were found.
pub(crate) struct Cells {
    pub(crate) source: Arc<Source>,
    pub(crate) pieces: Vec<Vec<Span>>,
}

impl Cells {
    /// What all cells are, if each of them is.
    fn all<T: Default + Clone + Send>(&self, read: impl Fn(&str) -> Option<T> + Sync) -> Option<Vec<T>> {
        // Most columns that are something else show it in their first cell.
        self.pieces.iter().flatten().next().and_then(|&span| read(self.source.get(span)))?;
        self.each(T::default(), |span| read(self.source.get(span)))
    }

    /// What is made of each cell, if something is of all.
    fn each<T: Clone + Send>(&self, before: T, make: impl Fn(Span) -> Option<T> + Sync) -> Option<Vec<T>> {
        let mut values = vec![before; self.pieces.iter().map(Vec::len).sum()];
        let (mut rest, mut work) = (values.as_mut_slice(), Vec::new());
        for spans in &self.pieces {
            let (part, after) = rest.split_at_mut(spans.len());
            work.extend(part.chunks_mut(PIECE).zip(spans.chunks(PIECE)));
            rest = after;
        }
        let all = work.into_par_iter().map(|(values, spans)| {
            for (value, &span) in values.iter_mut().zip(spans) {
                *value = make(span)?;
            }
            Some(())
        });
        all.collect::<Option<()>>().map(|()| values)
    }

    fn is_empty(&self) -> bool {
        self.pieces.iter().all(Vec::is_empty)
    }
}

impl Default for Column {
    fn default() -> Self {
        Column::Text(Texts::default())
    }
}

impl Column {
    /// The column that these cells make up.
    pub(crate) fn of(cells: Cells) -> Self {
        if cells.is_empty() {
            return Column::default();
        }
        if let Some(values) = cells.all(|cell| trimmed(cell).parse().ok()) {
            return Column::Whole(values);
        }
        match Large::of(&cells) {
            Large::Numbers(values) => return Column::Large(values),
            Large::Text => return Column::Text(Texts::of(cells)),
            Large::Conflict => return Column::Text(Texts::all_there(cells)),
            Large::None => {}
        }
        if let Some(values) = cells.all(number) {
            return Column::Numbers(values);
        }
        if let Some(values) = cells.all(cell::truth) {
            return Column::Truth(values);
        }
        match cells.all(|cell| if cell::is_missing(cell) { Some(None) } else { cell::truth(cell).map(Some) }) {
            Some(values) => Column::Flags(values),
            None => Column::Text(Texts::of(cells)),
        }
    }

    /// The number of rows.
    pub(crate) const fn len(&self) -> usize {
        match self {
            Column::Whole(values) => values.len(),
            Column::Numbers(values) => values.len(),
            Column::Large(values) => values.len(),
            Column::Truth(values) => values.len(),
            Column::Flags(values) => values.len(),
            Column::Text(texts) => texts.spans.len(),
        }
    }

    /// The numbers of the column, truth values as 1 and 0; none when it holds text.
    pub(crate) fn numbers(&self) -> Option<Cow<'_, [f64]>> {
        let flag = |value: bool| f64::from(u8::from(value));
        match self {
            Column::Whole(values) => {
                let numbers = values.par_iter().with_min_len(PIECE).map(|&value| value as f64);
                Some(numbers.collect::<Vec<f64>>().into())
            }
            Column::Large(values) => Some(values.iter().map(|&value| value as f64).collect()),
            Column::Numbers(values) => Some(Cow::Borrowed(values)),
            Column::Truth(values) => Some(values.iter().map(|&value| flag(value)).collect()),
            Column::Flags(values) => Some(values.iter().map(|value| value.map_or(f64::NAN, flag)).collect()),
            Column::Text(_) => None,
        }
    }

    /// The texts of the column; none when it holds numbers or truth values.
    pub(crate) const fn texts(&self) -> Option<&Texts> {
        match self {
            Column::Text(texts) => Some(texts),
            Column::Whole(_) | Column::Large(_) | Column::Numbers(_) | Column::Truth(_) | Column::Flags(_) => None,
        }
    }

    /// What Python's `str()` makes of a cell; a missing one is `nan`.
    pub(crate) fn text(&self, row: usize) -> Cow<'_, str> {
        match self {
            Column::Whole(values) => values[row].to_string().into(),
            Column::Large(values) => values[row].to_string().into(),
            Column::Numbers(values) => python::float_text(values[row]).into(),
            Column::Truth(values) => flag_text(values[row]).into(),
            Column::Flags(values) => values[row].map_or("nan", flag_text).into(),
            Column::Text(texts) => texts.get(row).unwrap_or("nan").into(),
        }
    }

    /// Whether a cell is missing.
    pub(crate) fn is_missing(&self, row: usize) -> bool {
        match self {
            Column::Numbers(values) => values[row].is_nan(),
            Column::Flags(values) => values[row].is_none(),
            Column::Text(texts) => texts.get(row).is_none(),
            Column::Whole(_) | Column::Large(_) | Column::Truth(_) => false,
        }
    }

    /// Whether every cell is missing.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Column::Numbers(values) if values.iter().all(|value| value.is_nan()))
    }
}

const fn flag_text(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// What becomes of a column with a whole number beyond `i64` before anything that is no whole number.
enum Large {
    /// There is none.
    None,
    /// All of it fits `u64`.
    Numbers(Vec<u64>),
    /// A number is beyond `u64` too, or below `i64`: pandas gives up and takes text.
    Text,
    /// Beside it stands one below 0, or a blank: pandas takes text as it stands, what would be missing too.
    Conflict,
}

impl Large {
    fn of(cells: &Cells) -> Self {
        let all = || cells.pieces.iter().flatten().map(|&span| cells.source.get(span));
        let fits = |value: i128| i64::try_from(value).is_ok();
        let first = all().find(|cell| !cell::is_missing(cell) && !whole(cell).is_some_and(fits));
        if first.is_none_or(|cell| whole(cell).is_none()) {
            return Large::None;
        }
        let (mut values, mut is_alone) = (Vec::new(), true);
        for cell in all() {
            // What comes after a number below 0 is still looked at: a word makes the column one of numbers again, or of text.
            match (cell::is_missing(cell) || trimmed(cell).starts_with('-'), whole(cell).map(u64::try_from)) {
                (true, _) => is_alone = false,
                (false, Some(Ok(value))) => values.push(value),
                (false, Some(Err(_))) => return Large::Text,
                (false, None) => return Large::None,
            }
        }
        match is_alone {
            true => Large::Numbers(values),
            false if values.iter().any(|value| i64::try_from(*value).is_err()) => Large::Conflict,
            false => Large::Text,
        }
    }
}

/// The whole number that a cell spells; one that is too large for `i128` is the largest or the least.
fn whole(cell: &str) -> Option<i128> {
    let text = trimmed(cell);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let beyond = if text.starts_with('-') { i128::MIN } else { i128::MAX };
    is_whole.then(|| text.parse().unwrap_or(beyond))
}

/// The number that a cell spells; a missing one is NaN.
fn number(cell: &str) -> Option<f64> {
    if cell::is_missing(cell) {
        return Some(f64::NAN);
    }
    let trimmed = trimmed(cell);
    let value: f64 = trimmed.parse().ok()?;
    if value.is_finite() {
        return Some(value);
    }
    // A number beyond all numbers is text, but not one below them; an infinity that is spelled so has no blanks around it, and
    // what Rust reads as NaN besides the spellings of a missing value is text.
    let spelled = !trimmed.bytes().any(|byte| byte.is_ascii_digit());
    let is_number = value.is_infinite() && if spelled { trimmed.len() == cell.len() } else { value < 0.0 };
    is_number.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scanner::{Fields, Scanner};

    fn column(cells: &[&str]) -> Column {
        let text = cells.join(",");
        let mut fields = Fields::new();
        Scanner::new(&text, cells.len()).next_row(&mut fields).unwrap();
        let spans: Vec<Span> = (0..fields.len()).map(|place| fields.keep(place, &mut String::new())).collect();
        // One cell a piece, and pieces without any.
        let pieces = spans.into_iter().flat_map(|span| [vec![span], Vec::new()]).collect();
        Column::of(Cells { source: Arc::new(Source { text, beside: String::new() }), pieces })
    }

    #[test]
    fn a_column_has_the_type_of_all_its_cells() {
        assert!(matches!(column(&["1", " 02 ", "+3"]), Column::Whole(values) if values == [1, 2, 3]));
        assert!(matches!(column(&["1", ".5", "5.", "-Infinity"]), Column::Numbers(_)));
        assert!(matches!(column(&["1", "NA"]), Column::Numbers(_)));
        assert!(matches!(column(&["1\t", "\u{b}2\n", "\u{c}3\r"]), Column::Whole(_)));
        assert!(matches!(column(&["-1e999", "-Inf"]), Column::Numbers(values) if values == [f64::NEG_INFINITY; 2]));
        assert!(matches!(column(&["1", "18446744073709551615"]), Column::Large(_)));
        assert!(matches!(column(&["0.5", "18446744073709551616"]), Column::Numbers(_)));
        assert!(matches!(column(&["9223372036854775808", "0.5"]), Column::Numbers(_)));
        assert!(
            column(&["99999999999999999999", ""]).is_missing(1) && !column(&["9223372036854775808", ""]).is_missing(1)
        );
        assert!(matches!(column(&["True", "FALSE", "tRuE"]), Column::Truth(_)));
        assert!(matches!(column(&["True", ""]), Column::Flags(_)));
        assert!(column(&["", "nan"]).is_blank());
        for cells in [
            ["1", "x"],
            ["1", "0x10"],
            ["1", "1e999"],
            ["1", "1_0"],
            ["-1", "18446744073709551615"],
            ["1", "+nan"],
            ["1", " inf"],
            ["18446744073709551615", ""],
            ["18446744073709551616", "0.5"],
            ["-9223372036854775809", "1"],
        ] {
            assert!(matches!(column(&cells), Column::Text(_)), "{cells:?}");
        }
    }

    #[test]
    fn texts_are_those_of_python() {
        assert_eq!(column(&["1", "2.0"]).text(0), "1.0");
        assert_eq!(column(&["007"]).text(0), "7");
        let words = column(&["null", "", " ", "é"]);
        assert_eq!([words.text(0), words.text(1), words.text(2), words.text(3)], ["nan", "nan", " ", "é"]);
        assert!(words.is_missing(1) && !words.is_missing(2));
    }
}
