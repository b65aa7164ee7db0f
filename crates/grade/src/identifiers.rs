//! The ids of the answers, and how a submission's ids find them.

use std::collections::HashMap;

use crate::Invalid;
use crate::cell::Label;
use crate::invalid::Excerpt;

/// The position of each id among the answers.
///
/// When all ids are whole numbers that stay distinct as numbers, they are compared as numbers, as pandas would: `001` and
/// `1.0` are then the id 1. Otherwise they are compared as text, character by character.
#[derive(Debug)]
pub(crate) enum Identifiers {
    Numbers(HashMap<i128, usize>),
    Text(HashMap<Box<str>, usize>),
}

impl Identifiers {
    /// The index of `ids`, or the position of the first one that occurred before.
    pub(crate) fn of(ids: &[String]) -> Result<Self, usize> {
        if let Some(numbers) = as_numbers(ids) {
            return Ok(Identifiers::Numbers(numbers));
        }
        let mut text = HashMap::with_capacity(ids.len());
        for (position, id) in ids.iter().enumerate() {
            if text.insert(id.as_str().into(), position).is_some() {
                return Err(position);
            }
        }
        Ok(Identifiers::Text(text))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Identifiers::Numbers(numbers) => numbers.len(),
            Identifiers::Text(text) => text.len(),
        }
    }

    fn position(&self, id: &str) -> Option<usize> {
        match self {
            Identifiers::Numbers(numbers) => match Label::read(id) {
                Label::Whole(number) => numbers.get(&number).copied(),
                Label::Fraction(_) | Label::Word(_) | Label::Missing => None,
            },
            Identifiers::Text(text) => text.get(id).copied(),
        }
    }
}

fn as_numbers(ids: &[String]) -> Option<HashMap<i128, usize>> {
    let mut numbers = HashMap::with_capacity(ids.len());
    for (position, id) in ids.iter().enumerate() {
        let Label::Whole(number) = Label::read(id) else {
            return None;
        };
        if numbers.insert(number, position).is_some() {
            return None;
        }
    }
    Some(numbers)
}

/// Pairs the rows of one submission with the answers, each answer once.
pub(crate) struct Pairing<'a> {
    identifiers: &'a Identifiers,
    taken: Vec<bool>,
}

impl<'a> Pairing<'a> {
    pub(crate) fn new(identifiers: &'a Identifiers) -> Self {
        Pairing { identifiers, taken: vec![false; identifiers.len()] }
    }

    /// The position of the answer for the row with `id` on `line`.
    pub(crate) fn answer(&mut self, id: &str, line: u64) -> Result<usize, Invalid> {
        let Some(position) = self.identifiers.position(id) else {
            return Err(Invalid::UnknownId { id: Excerpt::of(id), line, column: String::new() });
        };
        if std::mem::replace(&mut self.taken[position], true) {
            return Err(Invalid::DuplicateId { id: Excerpt::of(id), line, column: String::new() });
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identifiers(ids: &[&str]) -> Result<Identifiers, usize> {
        Identifiers::of(&ids.iter().map(|&id| id.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_meet_in_any_spelling() {
        let ids = identifiers(&["1", "002"]).unwrap();
        assert_eq!(
            [ids.position("01"), ids.position("2.0"), ids.position("3"), ids.position("a")],
            [Some(0), Some(1), None, None]
        );
    }

    #[test]
    fn text_is_exact() {
        let ids = identifiers(&["s1", "2"]).unwrap();
        assert_eq!(
            [ids.position("s1"), ids.position("2"), ids.position("2.0"), ids.position(" s1")],
            [Some(0), Some(1), None, None]
        );
    }

    #[test]
    fn numbers_that_would_meet_are_text() {
        let ids = identifiers(&["1", "01"]).unwrap();
        assert_eq!([ids.position("1"), ids.position("01"), ids.position("001")], [Some(0), Some(1), None]);
        assert_eq!(identifiers(&["1", "a", "1"]).unwrap_err(), 2);
    }
}
