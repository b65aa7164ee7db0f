//! States of the loop: what code was executed, and how it failed.
//!
//! A loop that comes back to a state would go round for ever. The same code in the same environment fails the same way, so
//! code that was executed is not executed again; comments, blank lines and trailing blanks do not make other code.

use std::collections::BTreeSet;

use nbrevive_notebook::{Notebook, first_line};

use crate::Assessment;

/// Decimals of a score that tell two failures apart.
const SCORE_DECIMALS: usize = 6;

/// The code that was executed so far.
#[derive(Debug)]
pub(crate) struct Codes(BTreeSet<String>);

impl Codes {
    pub(crate) fn of(notebook: &Notebook) -> Self {
        Self(BTreeSet::from([code_key(notebook)]))
    }

    pub(crate) fn contains(&self, notebook: &Notebook) -> bool {
        self.0.contains(&code_key(notebook))
    }

    pub(crate) fn insert(&mut self, notebook: &Notebook) {
        self.0.insert(code_key(notebook));
    }
}

/// What two versions with the same code share: a hash over the code cells' lines, hexadecimal.
pub(crate) fn code_key(notebook: &Notebook) -> String {
    let mut hasher = blake3::Hasher::new();
    for (_, cell) in notebook.code_cells() {
        for line in cell.source.lines().map(str::trim_end).filter(|line| is_code(line)) {
            hasher.update(line.as_bytes());
            hasher.update(b"\n");
        }
        hasher.update(&[0xff]);
    }
    hasher.finalize().to_hex().to_string()
}

/// Inside a string literal a line that starts with `#` is dropped too: two versions that differ in nothing else are rare,
/// and the price is one fix that is not tried.
fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

/// What two executions that failed alike share: a hash over ending, errors with their lines, and score, hexadecimal.
pub(crate) fn failure_signature(assessment: &Assessment) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{:?}\n", assessment.state()).as_bytes());
    for error in &assessment.errors {
        let message = first_line(&error.evalue);
        // The same error at another line of a function is another one.
        let lines = nbrevive_rules::lines_on_the_way(error);
        hasher.update(format!("{} {}: {message} {lines:?}\n", error.cell, error.ename).as_bytes());
    }
    if let Some(score) = assessment.score {
        hasher.update(format!("{score:.SCORE_DECIMALS$}").as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;

    use super::*;
    use crate::CellFeedback;

    fn key(source: &str) -> String {
        code_key(&Notebook::from_cells(vec![Cell::code(source)]))
    }

    #[test]
    fn comments_and_layout_do_not_make_other_code() {
        assert_eq!(key("a = 1\nb = 2"), key("# first\na = 1  \n\nb = 2\n"));
        assert_ne!(key("if a:\n    b = 1"), key("if a:\nb = 1"));
        let apart = Notebook::from_cells(vec![Cell::code("a = 1"), Cell::code("b = 2")]);
        assert_ne!(code_key(&apart), key("a = 1\nb = 2"));
    }

    #[test]
    fn a_failure_is_known_by_its_errors_and_its_score() {
        let failed = |evalue: &str, score| Assessment {
            errors: vec![CellFeedback {
                cell: 1,
                ename: "KeyError".to_owned(),
                evalue: evalue.to_owned(),
                traceback: "differs".to_owned(),
                line: None,
            }],
            score,
            ..Assessment::default()
        };
        assert_eq!(failure_signature(&failed("'a'\nmore", None)), failure_signature(&failed("'a'\nother", None)));
        assert_ne!(failure_signature(&failed("'a'", None)), failure_signature(&failed("'b'", None)));
        assert_ne!(failure_signature(&failed("'a'", Some(0.5))), failure_signature(&failed("'a'", Some(0.6))));
    }
}
