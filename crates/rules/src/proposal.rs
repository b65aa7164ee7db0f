//! A patched notebook and its account.

use nbrevive_corpus::FixType;
use nbrevive_notebook::Notebook;
use serde::{Deserialize, Serialize};

/// One place that a rule changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedRule {
    /// The rule's id in the catalogue, or the tool's name.
    pub rule: String,
    /// Index in [`Notebook::cells`].
    pub cell: usize,
    /// Line of the cell before the fix, counted from 1.
    pub line: u32,
    /// What changed in the library, for the reader of the diff.
    pub reason: String,
}

/// A patched notebook and its account.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The whole notebook as it is to be executed next.
    pub notebook: Notebook,
    /// What the fix aims at.
    pub fix_type: FixType,
    /// Every place that a rule changed, or cell that a tool did; empty for language models.
    pub applied: Vec<AppliedRule>,
    /// The intended changes and their expected effect, a few lines.
    pub plan: String,
}
