//! Texts of many rows, and the place of every row's text: of a few rows as they are read, then of a group, where each text stands once. That
//! is a dictionary of parquet.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use polars::prelude::PolarsResult;
use polars_arrow::array::{Array, DictionaryArray, MutablePlString, Utf8ViewArray};
use polars_arrow::datatypes::{ArrowDataType, IntegerType};
use polars_parquet::write::Encoding;

use crate::columns::primitive;

/// Columns of at least so many rows are written without a dictionary where most of their texts differ.
const MANY: usize = 128;

/// The texts of a column.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coded {
    /// The place of every row's text; none where it is missing.
    pub(crate) places: Vec<Option<u32>>,
    texts: Texts,
    /// The texts by their hashes, where rows of others were added: what is read is handed on before it is worth one.
    known: HashTable<u32>,
    state: RandomState,
}

/// Texts one after the other.
#[derive(Debug, Clone, Default)]
struct Texts {
    all: String,
    ends: Vec<usize>,
}

impl Texts {
    #[inline]
    fn get(&self, place: u32) -> &str {
        let place = place as usize;
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.all[begin..self.ends[place]]
    }

    fn len(&self) -> u32 {
        u32::try_from(self.ends.len()).expect("a group has fewer rows than that")
    }

    /// Adds a text; gives its place.
    fn push(&mut self, text: &str) -> u32 {
        self.all.push_str(text);
        self.ends.push(self.all.len());
        self.len() - 1
    }

    /// The place of the last one, if that is this text: sorted rows repeat the text of the row before.
    fn again(&self, text: &str) -> Option<u32> {
        let last = self.len().checked_sub(1)?;
        (self.get(last) == text).then_some(last)
    }
}

impl Coded {
    /// Adds a row; its text is a new one, unless it is that of the row before.
    pub(crate) fn push(&mut self, text: Option<&str>) {
        let place = text.map(|text| self.texts.again(text).unwrap_or_else(|| self.texts.push(text)));
        self.places.push(place);
    }

    /// Adds the rows of another one; here each text stands once, as long as no row is pushed.
    pub(crate) fn append(&mut self, more: &Coded) {
        let places: Vec<u32> = more.texts().map(|text| self.place(text)).collect();
        self.places.extend(more.places.iter().map(|place| place.map(|place| places[place as usize])));
    }

    /// The rows at these places.
    pub(crate) fn at(&self, places: &[usize]) -> Self {
        let places = places.iter().map(|place| self.places[*place]).collect();
        Coded { places, texts: self.texts.clone(), ..Coded::default() }
    }

    /// The place of a text, which is added if it is new.
    fn place(&mut self, text: &str) -> u32 {
        let Coded { texts, known, state, .. } = self;
        if let Some(place) = texts.again(text) {
            return place;
        }
        let entry = known.entry(
            state.hash_one(text),
            |place| texts.get(*place) == text,
            |place| state.hash_one(texts.get(*place)),
        );
        match entry {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => *entry.insert(texts.push(text)).get(),
        }
    }

    /// The texts by their places.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        (0..self.texts.len()).map(|place| self.texts.get(place))
    }

    /// Every row's text.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Option<&str>> {
        self.places.iter().map(|place| place.map(|place| self.texts.get(place)))
    }

    /// Bytes of the texts, each counted once.
    pub(crate) fn bytes(&self) -> usize {
        self.texts.all.len()
    }

    /// The column as Arrow has it, and how it is laid out in a file.
    ///
    /// # Errors
    /// When there are more texts than a dictionary has places.
    pub(crate) fn array(&self) -> PolarsResult<(Box<dyn Array>, Encoding)> {
        // By the rule of polars, from which every reader knows such files.
        if self.places.len() > MANY && self.texts.ends.len() * 4 > self.places.len() * 3 {
            let texts: MutablePlString = self.rows().collect();
            return Ok((Utf8ViewArray::from(texts).boxed(), Encoding::Plain));
        }
        Ok((dictionary(self.texts(), &self.places)?.boxed(), Encoding::RleDictionary))
    }
}

/// Words, and each row's place among them, as Arrow has them.
///
/// # Errors
/// When there are more words than places.
pub(crate) fn dictionary<'a>(
    words: impl Iterator<Item = &'a str>,
    places: &[Option<u32>],
) -> PolarsResult<DictionaryArray<u32>> {
    let words: Utf8ViewArray = MutablePlString::from_values_iter(words).into();
    let dtype = ArrowDataType::Dictionary(IntegerType::UInt32, Box::new(ArrowDataType::Utf8View), false);
    DictionaryArray::try_new(dtype, primitive(places), words.boxed())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(rows: &[Option<&str>]) -> Coded {
        let mut pushed = Coded::default();
        rows.iter().for_each(|row| pushed.push(*row));
        pushed
    }

    fn coded(rows: &[Option<&str>]) -> Coded {
        let mut coded = Coded::default();
        coded.append(&pushed(rows));
        coded
    }

    #[test]
    fn what_is_added_comes_back_and_each_text_stands_once() {
        let parts: [&[Option<&str>]; 4] = [
            &[Some("b"), Some("b"), None, Some(""), Some("b")],
            &[],
            &[Some("a"), Some("b"), Some("ü"), Some("a")],
            &[None, Some("ü")],
        ];
        let mut whole = Coded::default();
        parts.iter().for_each(|rows| whole.append(&pushed(rows)));
        assert!(whole.rows().eq(parts.iter().flat_map(|rows| rows.iter().copied())));
        assert_eq!(whole.texts().collect::<Vec<_>>(), ["b", "", "a", "ü"]);
        assert_eq!(whole.bytes(), 4);
    }

    #[test]
    fn texts_that_differ_have_no_dictionary() {
        let names: Vec<String> = (0..200).map(|number| number.to_string()).collect();
        let all: Vec<Option<&str>> = names.iter().map(|name| Some(name.as_str())).collect();
        assert_eq!(coded(&all).array().unwrap().1, Encoding::Plain);
        assert_eq!(coded(&all[..MANY]).array().unwrap().1, Encoding::RleDictionary);
        let half: Vec<Option<&str>> = all.iter().flat_map(|name| [*name, *name]).collect();
        assert_eq!(coded(&half).array().unwrap().1, Encoding::RleDictionary);
    }
}
