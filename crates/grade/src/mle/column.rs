//! One column of a table, with the type that all of its cells share.

use std::borrow::Cow;

use crate::cell;
use crate::python;

/// The cells of a column, typed as pandas types them.
#[derive(Debug)]
pub(crate) enum Column {
    /// Whole numbers, none missing.
    Whole(Vec<i64>),
    /// Numbers; a missing one is NaN. Whole numbers beyond `i64` are among them.
    Numbers(Vec<f64>),
    /// `True` and `False`, none missing.
    Truth(Vec<bool>),
    /// Anything else.
    Text(Texts),
}

/// Texts, one after the other; a missing one differs from an empty one.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    text: String,
    ends: Vec<usize>,
    missing: Vec<bool>,
}

impl Texts {
    fn of(cells: &[Cow<'_, str>]) -> Self {
        let mut texts = Texts::default();
        for cell in cells {
            let missing = cell::is_missing(cell);
            texts.text.push_str(if missing { "" } else { cell });
            texts.ends.push(texts.text.len());
            texts.missing.push(missing);
        }
        texts
    }

    /// The text of a row; none when it is missing.
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        (!self.missing[row]).then(|| &self.text[start..self.ends[row]])
    }
}

impl Column {
    /// The column that these cells make up.
    pub(crate) fn of(cells: &[Cow<'_, str>]) -> Self {
        if cells.is_empty() {
            return Column::Text(Texts::default());
        }
        if let Some(column) = wholes(cells).or_else(|| numbers(cells)) {
            return column;
        }
        match cells.iter().map(|cell| cell::truth(cell)).collect() {
            Some(values) => Column::Truth(values),
            None => Column::Text(Texts::of(cells)),
        }
    }

    /// The numbers of the column, truth values as 1 and 0; none when it holds text.
    pub(crate) fn numbers(&self) -> Option<Cow<'_, [f64]>> {
        match self {
            Column::Whole(values) => Some(values.iter().map(|&value| value as f64).collect()),
            Column::Numbers(values) => Some(Cow::Borrowed(values)),
            Column::Truth(values) => Some(values.iter().map(|&value| f64::from(u8::from(value))).collect()),
            Column::Text(_) => None,
        }
    }

    /// The texts of the column; none when it holds numbers or truth values.
    pub(crate) const fn texts(&self) -> Option<&Texts> {
        match self {
            Column::Text(texts) => Some(texts),
            _ => None,
        }
    }

    /// What Python's `str()` makes of a cell; a missing one is `nan`.
    pub(crate) fn text(&self, row: usize) -> Cow<'_, str> {
        match self {
            Column::Whole(values) => values[row].to_string().into(),
            Column::Numbers(values) => python::float_text(values[row]).into(),
            Column::Truth(values) => if values[row] { "True" } else { "False" }.into(),
            Column::Text(texts) => texts.get(row).unwrap_or("nan").into(),
        }
    }

    /// Whether a cell is missing.
    pub(crate) fn is_missing(&self, row: usize) -> bool {
        match self {
            Column::Numbers(values) => values[row].is_nan(),
            Column::Text(texts) => texts.get(row).is_none(),
            Column::Whole(_) | Column::Truth(_) => false,
        }
    }

    /// Whether every cell is missing.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Column::Numbers(values) if values.iter().all(|value| value.is_nan()))
    }
}

fn wholes(cells: &[Cow<'_, str>]) -> Option<Column> {
    let trimmed = |cell: &Cow<'_, str>| cell.trim_matches(' ').parse::<i64>().ok();
    if let Some(values) = cells.iter().map(trimmed).collect() {
        return Some(Column::Whole(values));
    }
    // Beyond `i64` pandas takes `u64`, and where that does not do either, text.
    let large: Vec<i128> = cells.iter().map(|cell| cell.trim_matches(' ').parse().ok()).collect::<Option<_>>()?;
    if large.iter().all(|value| u64::try_from(*value).is_ok()) {
        return Some(Column::Numbers(large.into_iter().map(|value| value as f64).collect()));
    }
    Some(Column::Text(Texts::of(cells)))
}

fn numbers(cells: &[Cow<'_, str>]) -> Option<Column> {
    let number = |cell: &Cow<'_, str>| {
        if cell::is_missing(cell) {
            return Some(f64::NAN);
        }
        let trimmed = cell.trim_matches(' ');
        let value: f64 = trimmed.parse().ok()?;
        // A number beyond all numbers is text; an infinity that is spelled so is none.
        (value.is_finite() || !trimmed.bytes().any(|byte| byte.is_ascii_digit())).then_some(value)
    };
    cells.iter().map(number).collect::<Option<_>>().map(Column::Numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> Column {
        Column::of(&cells.iter().map(|&cell| Cow::Borrowed(cell)).collect::<Vec<_>>())
    }

    #[test]
    fn a_column_has_the_type_of_all_its_cells() {
        assert!(matches!(column(&["1", " 02 ", "+3"]), Column::Whole(values) if values == [1, 2, 3]));
        assert!(matches!(column(&["1", ".5", "5.", "-Infinity"]), Column::Numbers(_)));
        assert!(matches!(column(&["1", "NA"]), Column::Numbers(_)));
        assert!(matches!(column(&["18446744073709551615"]), Column::Numbers(_)));
        assert!(matches!(column(&["True", "FALSE"]), Column::Truth(_)));
        assert!(column(&["", "nan"]).is_blank());
        for cells in
            [["1", "x"], ["1", "0x10"], ["1", "1e999"], ["1", "1_0"], ["-1", "18446744073709551615"], ["True", ""]]
        {
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
