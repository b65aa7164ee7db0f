//! Lenient parsing of one cell.
//!
//! IPython syntax is understood, one broken line costs that line alone, and a cell of another language
//! (`%%bash`, `%%html`, …) has an empty tree. The text is kept, and every range of the tree points into it.

use crate::magics::{self, module};
use ruff_python_ast::{PythonVersion, Stmt};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextRange, TextSize};

/// A place in a cell that is not Python 3 (or IPython).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxProblem {
    /// What the parser says, one line.
    pub message: String,
    /// Where, in bytes of the cell.
    pub range: TextRange,
}

/// The tree of a cell together with its text.
#[derive(Debug, Clone)]
pub struct Parsed {
    text: String,
    body: Vec<Stmt>,
    errors: Vec<SyntaxProblem>,
    opaque: bool,
}

/// Parses a cell. Never fails: what cannot be understood is missing from [`Parsed::body`] and listed in
/// [`Parsed::errors`].
#[must_use]
pub fn parse(source: &str) -> Parsed {
    let cell = magics::split(source);
    let opaque = || Parsed { text: source.to_owned(), body: Vec::new(), errors: Vec::new(), opaque: true };
    if cell.is_opaque() || !module::fits_this_stack(&cell.python) {
        return opaque();
    }
    // Escapes are blanked before, byte for byte: the parser's own IPython mode panics behind some errors (ruff 0.0.10).
    read(source, &cell.python).unwrap_or_else(opaque)
}

/// The tree of `python`, which has the ranges of `source`.
fn read(source: &str, python: &str) -> Option<Parsed> {
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::latest());
    let parsed = parse_unchecked(python, options).try_into_module()?;
    let errors = parsed
        .errors()
        .iter()
        .map(|error| SyntaxProblem { message: error.error.to_string(), range: error.location })
        .collect();
    Some(Parsed { text: source.to_owned(), body: parsed.into_suite().into_iter().collect(), errors, opaque: false })
}

/// Parses a file of a library, without magics, and gives it to `look`, on a larger stack where its tree is deep. `None` for one that is
/// nested too deeply to be real.
pub fn with_file<R: Send>(source: &str, look: impl FnOnce(&Parsed) -> R + Send) -> Option<R> {
    module::on_a_fitting_stack(source, || read(source, source).map(|parsed| look(&parsed)))
}

impl Parsed {
    /// The cell's text, as given.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.text
    }

    /// The statements at the top level of the cell.
    #[must_use]
    pub fn body(&self) -> &[Stmt] {
        &self.body
    }

    /// What is not Python 3; empty for a sound cell.
    #[must_use]
    pub fn errors(&self) -> &[SyntaxProblem] {
        &self.errors
    }

    /// True for a cell in another language, whose tree is empty.
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        self.opaque
    }

    /// The text of a range of the tree; empty when the range is not one of this cell's.
    #[must_use]
    pub fn text(&self, range: TextRange) -> &str {
        self.text.get(range.to_std_range()).unwrap_or_default()
    }

    /// The text of a node, without parentheses around it.
    #[must_use]
    pub fn text_of(&self, node: &impl Ranged) -> &str {
        self.text(node.range())
    }

    /// The line, counted from 1, that holds an offset.
    #[must_use]
    pub fn line(&self, offset: TextSize) -> u32 {
        let end = offset.to_usize().min(self.text.len());
        let breaks = self.text.as_bytes().iter().take(end).filter(|byte| **byte == b'\n').count();
        u32::try_from(breaks).unwrap_or(u32::MAX - 1) + 1
    }

    /// The text of a line counted from 1, without its end.
    #[must_use]
    pub fn line_text(&self, line: u32) -> &str {
        self.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magics_do_not_break_a_cell() {
        let parsed = parse("%matplotlib inline\n!pip install x\nimport pandas as pd\nx = !ls\n");
        assert!(parsed.errors().is_empty());
        assert_eq!(parsed.body().len(), 4);
    }

    #[test]
    fn a_cell_in_another_language_has_no_tree() {
        let parsed = parse("%%bash\nimport os\n");
        assert!(parsed.is_opaque());
        assert!(parsed.body().is_empty());
        assert!(!parse("%%time\nimport os\n").is_opaque());
    }

    #[test]
    fn one_broken_line_keeps_the_others() {
        let parsed = parse("import a\nx = = 3\nimport b\n");
        assert!(!parsed.errors().is_empty());
        assert_eq!(parsed.body().iter().filter(|statement| statement.is_import_stmt()).count(), 2);
    }

    #[test]
    fn lines_are_counted_from_one() {
        let parsed = parse("a = 1\nb = 2\n");
        let second = &parsed.body()[1];
        assert_eq!(parsed.line(second.start()), 2);
        assert_eq!(parsed.line_text(2), "b = 2");
        assert_eq!(parsed.text_of(second), "b = 2");
    }
}
