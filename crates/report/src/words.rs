//! Text columns of few words and many rows: each word once, and its place in every row.

use std::ops::Deref;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};
use polars::prelude::Column;

/// A text that many rows share.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Text(Arc<str>);

impl Text {
    /// The text itself.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(text.into())
    }
}

impl std::fmt::Debug for Text {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A column by its words.
pub(crate) struct Coded {
    /// Words, each at its place; an Enum column may have words that stand in no row.
    pub(crate) words: Vec<String>,
    /// The place of every row's word; none where the value is missing.
    pub(crate) places: Vec<Option<u32>>,
}

impl Coded {
    /// Takes a text, Enum or Categorical column apart; none for a column of another type.
    pub(crate) fn of(column: &Column) -> Option<Self> {
        // The words of Enum and Categorical columns stand beside their codes already.
        macro_rules! codes {
            ($column:expr) => {{
                let column = $column;
                let places: Vec<Option<u32>> = column.physical().iter().map(|code| code.map(u32::from)).collect();
                let words = places.iter().flatten().max().map_or(0, |last| last + 1);
                let word = |code| column.get_mapping().cat_to_str(code).unwrap_or_default().to_owned();
                Some(Coded { words: (0..words).map(word).collect(), places })
            }};
        }
        if let Ok(texts) = column.str() {
            return Some(Coded::of_texts(texts.iter()));
        }
        if let Ok(column) = column.cat8() {
            return codes!(column);
        }
        if let Ok(column) = column.cat16() {
            return codes!(column);
        }
        column.cat32().ok().and_then(|column| codes!(column))
    }

    fn of_texts<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Self {
        let (mut known, mut words) = (HashMap::new(), Vec::new());
        let mut last: Option<(&str, u32)> = None;
        let mut place = |text: &'a str| {
            // Sorted rows repeat the word of the row before.
            if let Some((_, place)) = last.filter(|(word, _)| *word == text) {
                return place;
            }
            let place = *known.entry(text).or_insert_with(|| {
                words.push(text.to_owned());
                words.len() as u32 - 1
            });
            last = Some((text, place));
            place
        };
        let places = texts.map(|text| text.map(&mut place)).collect();
        Coded { words, places }
    }

    /// The word of a row; none where the value is missing.
    pub(crate) fn word(&self, row: usize) -> Option<&str> {
        self.places[row].map(|place| self.words[place as usize].as_str())
    }

    /// The words as rows have them, each made once.
    pub(crate) fn rows<T: Clone>(&self, make: impl Fn(&str) -> T) -> Vec<Option<T>> {
        let made: Vec<T> = self.words.iter().map(|word| make(word)).collect();
        self.places.iter().map(|place| place.map(|place| made[place as usize].clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::{DataType, FrozenCategories};

    use super::*;

    #[test]
    fn texts_and_enums_are_read_alike() {
        let values = [Some("b"), None, Some("a"), Some("b")];
        let texts = Column::new("words".into(), values);
        let categories = FrozenCategories::new(["a", "b", "never"]).unwrap();
        let words = texts.cast(&DataType::from_frozen_categories(categories)).unwrap();
        for column in [&texts, &words] {
            let coded = Coded::of(column).unwrap();
            let read: Vec<Option<&str>> = (0..4).map(|row| coded.word(row)).collect();
            assert_eq!(read, values);
            assert_eq!(coded.rows(str::len), [Some(1), None, Some(1), Some(1)]);
        }
        assert!(Coded::of(&Column::new("numbers".into(), [1_u32])).is_none());
        assert!(Coded::of(&Column::new("none".into(), [None::<&str>])).unwrap().words.is_empty());
    }
}
