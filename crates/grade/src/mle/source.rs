//! The text of a file, and what is kept beside it.

use crate::scanner::Span;

/// A text that is kept once, whatever columns are made of it; cells with doubled quotes are kept beside it as they read.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) beside: String,
}

impl Source {
    /// The text of a cell that is there.
    #[inline]
    pub(crate) fn get(&self, span: Span) -> &str {
        span.of(&self.text, &self.beside)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scanner::{Fields, Scanner};

    proptest! {
        /// Whatever quotes there are: also those that read otherwise than they stand.
        #[test]
        fn cells_are_found_in_the_text_and_beside_it(text in "\u{feff}?[ab,\"\n\ré]{0,40}") {
            let mut scanner = Scanner::new(&text, 100);
            let (mut fields, mut beside, mut found) = (Fields::new(), String::new(), Vec::new());
            while let Ok(Some(_)) = scanner.next_row(&mut fields) {
                let cells = fields.iter().enumerate();
                found.extend(cells.map(|(place, cell)| (cell.to_owned(), fields.keep(place, &mut beside))));
            }
            let source = Source { text: text.clone(), beside };
            for (cell, span) in found {
                prop_assert_eq!(source.get(span), cell);
            }
        }
    }
}
