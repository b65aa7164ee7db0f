//! From names of exceptions, and from the labellers' spellings, to the refined types.

use super::label::{ExceptionType, Label as _};

/// The type of one of the spellings that the labellers used; none for one that is outside the scheme.
#[must_use]
pub fn of_spelling(spelling: &str) -> Option<ExceptionType> {
    listed(include_str!("../../data/exception-types.tsv"), spelling.trim())
}

/// The type that the name of an exception of Python, or of a known library, says. Others are told by their value.
pub(super) fn of_exception(name: &str) -> Option<ExceptionType> {
    listed(include_str!("../../data/exception-names.tsv"), name)
}

fn listed(table: &str, word: &str) -> Option<ExceptionType> {
    let mut rows = table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    rows.find(|(known, _)| known.eq_ignore_ascii_case(word)).and_then(|(_, label)| ExceptionType::of(label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_tables_names_a_type() {
        for table in [include_str!("../../data/exception-types.tsv"), include_str!("../../data/exception-names.tsv")] {
            for line in table.lines().filter(|line| !line.starts_with('#')) {
                let (_, label) = line.split_once('\t').unwrap();
                assert!(ExceptionType::of(label).is_some(), "{line}");
            }
        }
        assert_eq!(of_spelling("function not found "), Some(ExceptionType::Name));
        assert_eq!(of_spelling("a new category"), None);
    }
}
