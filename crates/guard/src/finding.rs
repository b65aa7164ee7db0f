//! What code does, and what of it breaks a rule.

use std::fmt;

use nbrevive_corpus::Breach;
use serde::{Deserialize, Serialize};

/// One place where a patch breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    /// The rule.
    pub breach: Breach,
    /// Index in [`nbrevive_notebook::Notebook::cells`] of the patched notebook; `None` for what concerns it as a whole.
    pub cell: Option<usize>,
    /// Line of the cell, from 1; 0 for what concerns the notebook as a whole.
    pub line: u32,
    /// What was found, in words.
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cell {
            Some(cell) => write!(f, "{}: cell {}, line {}: {}", self.breach, cell + 1, self.line, self.detail),
            None => write!(f, "{}: {}", self.breach, self.detail),
        }
    }
}

/// One thing that code does, by which patch and original are compared.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) breach: Breach,
    /// What makes two facts the same.
    pub(crate) key: String,
    /// A word of the code that stands for it, to look for in cells that cannot be parsed.
    pub(crate) word: String,
    pub(crate) cell: usize,
    pub(crate) line: u32,
    pub(crate) detail: String,
}

impl Finding {
    pub(crate) fn whole(breach: Breach, detail: impl Into<String>) -> Self {
        Self { breach, cell: None, line: 0, detail: detail.into() }
    }
}

impl From<Fact> for Finding {
    fn from(fact: Fact) -> Self {
        Self { breach: fact.breach, cell: Some(fact.cell), line: fact.line, detail: fact.detail }
    }
}
