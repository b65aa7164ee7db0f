//! What was shown beside what was saved: which words are new, and where outputs differ.

use std::collections::{BTreeSet, HashMap};

use nbrevive_compare::differing_squares;
use nbrevive_notebook::Output;

use crate::inspected::{printed, raises};

/// Words of what a cell shows, and of what was saved of it.
#[derive(Debug)]
pub(super) struct ShownTexts {
    shown: Vec<String>,
    saved: Vec<String>,
    /// How often more a word is shown than it was saved.
    more: HashMap<String, isize>,
}

impl ShownTexts {
    pub(super) fn new(shown: &str, saved: &str) -> Self {
        let (shown, saved) = (words(shown), words(saved));
        let mut more = HashMap::new();
        shown.iter().for_each(|word| *more.entry(word.clone()).or_default() += 1);
        saved.iter().for_each(|word| *more.entry(word.clone()).or_default() -= 1);
        ShownTexts { shown, saved, more }
    }

    /// Whether some word of a text is shown oftener than it was saved.
    pub(super) fn is_new(&self, text: &str) -> bool {
        words(text).iter().any(|word| self.more.get(word).is_some_and(|more| *more > 0))
    }

    /// Whether all words of a text were saved.
    pub(super) fn is_saved(&self, text: &str) -> bool {
        words(text).iter().all(|word| self.saved.contains(word))
    }

    /// What was saved in the places of a word, where both texts have as many words.
    pub(super) fn saved_in_place_of(&self, word: &str) -> BTreeSet<&str> {
        let pairs = self.shown.iter().zip(&self.saved).filter(|(shown, saved)| *shown == word && saved != shown);
        let is_aligned = self.shown.len() == self.saved.len();
        pairs.filter(|_| is_aligned).map(|(_, saved)| saved.as_str()).collect()
    }
}

/// Runs of letters, digits, `_` and `.`, without points at their ends, and signs of minus before digits.
fn words(text: &str) -> Vec<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    let mut found = Vec::new();
    for part in text.split(|letter: char| !is_part(letter) && letter != '-') {
        let negative = part.strip_prefix('-').filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
        let pieces = if negative.is_some() { vec![part] } else { part.split('-').collect() };
        found.extend(
            pieces
                .into_iter()
                .map(|piece| piece.trim_matches('.'))
                .filter(|piece| !piece.is_empty())
                .map(str::to_owned),
        );
    }
    found
}

/// A place of what an order shows: a word of a run of a cell, a square of a picture of it, or an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spot {
    Word(usize, usize),
    Square(usize, usize, (u32, u32)),
    Error(usize),
}

/// Where outputs of the run of a cell at a position differ from `base`, by its words.
pub(super) fn spots(position: usize, base: &[Output], other: &[Output]) -> BTreeSet<Spot> {
    let mut found = BTreeSet::new();
    if raises(base) != raises(other) {
        found.insert(Spot::Error(position));
    }
    let (one, two) = (words(&printed(base)), words(&printed(other)));
    found.extend(differing(&one, &two).into_iter().map(|word| Spot::Word(position, word)));
    let (one, two) = (pictures(base), pictures(other));
    for at in 0..one.len().max(two.len()) {
        let squares = match (one.get(at), two.get(at)) {
            (Some((mime, one)), Some((other, two))) if mime == other => {
                differing_squares(mime, one, two).unwrap_or_else(|_| BTreeSet::from([(0, 0)]))
            }
            _ => BTreeSet::from([(0, 0)]),
        };
        found.extend(squares.into_iter().map(|square| Spot::Square(position, at, square)));
    }
    found
}

/// Places of words that are others; where there are more or fewer of them, all between those that agree at both ends.
fn differing(one: &[String], two: &[String]) -> BTreeSet<usize> {
    if one.len() == two.len() {
        return (0..one.len()).filter(|at| one[*at] != two[*at]).collect();
    }
    let shorter = one.len().min(two.len());
    let first = (0..shorter).take_while(|at| one[*at] == two[*at]).count();
    let last = (0..shorter - first).take_while(|at| one[one.len() - 1 - at] == two[two.len() - 1 - at]).count();
    (first..(one.len() - last).max(first + 1)).collect()
}

fn pictures(outputs: &[Output]) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for output in outputs {
        if let Output::DisplayData { data, .. } | Output::ExecuteResult { data, .. } = output {
            let mut all = data.iter().filter(|(mime, _)| mime.starts_with("image/"));
            found.extend(all.find_map(|(mime, text)| Some((mime.as_str(), text.as_str()?))));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed_text(text: &str) -> Vec<Output> {
        vec![Output::Stream { name: "stdout".to_owned(), text: text.to_owned() }]
    }

    #[test]
    fn words_are_names_and_numbers_with_their_signs() {
        assert_eq!(words("mean: -1.5, 'top-ten' [3]."), ["mean", "-1.5", "top", "ten", "3"]);
        assert_eq!(words("--- …"), Vec::<String>::new());
    }

    #[test]
    fn a_word_is_new_that_is_shown_oftener_than_it_was_saved() {
        let texts = ShownTexts::new("7 2 7 total", "7 2 6 total");
        assert!(texts.is_new("7") && !texts.is_new("2") && !texts.is_new("6"));
        assert!(texts.is_saved("total") && !texts.is_saved("sum"));
        assert_eq!(texts.saved_in_place_of("7"), BTreeSet::from(["6"]));
    }

    #[test]
    fn places_are_those_of_words_that_are_others() {
        let found = |one: &str, other: &str| spots(2, &printed_text(one), &printed_text(other));
        assert_eq!(found("a 1 b 2", "a 1 b 3"), BTreeSet::from([Spot::Word(2, 3)]));
        assert_eq!(found("a 1 b 2", "a 1 1 b 2"), BTreeSet::from([Spot::Word(2, 2)]), "where one came in");
        assert_eq!(found("a 1 2 b", "a b"), BTreeSet::from([Spot::Word(2, 1), Spot::Word(2, 2)]));
        assert_eq!(found("a", "a"), BTreeSet::new());
        let raised = [Output::Error { ename: "E".to_owned(), evalue: String::new(), traceback: Vec::new() }];
        assert_eq!(spots(0, &[], &raised), BTreeSet::from([Spot::Error(0)]));
    }
}
