//! What a question to a model came to: one row a question, for the store.

use serde::{Deserialize, Serialize};

use crate::{AnswerProblem, Breach, FixType, RepairLevel};

/// One question to a model and what its answer was worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// 0 for the first question of a fix, then the number of the re-ask.
    pub reask: u32,
    /// BLAKE3 of the messages, hexadecimal: the key under which an answer can be replayed.
    pub prompt_hash: String,
    /// Tokens of the messages, as counted before sending.
    pub prompt_tokens: usize,
    /// Tokens of the answer, as counted after; 0 when there was none.
    pub answer_tokens: usize,
    /// Why the answer could not be read, where it could not.
    pub problem: Option<AnswerProblem>,
    /// The rules that the patch broke; empty for one that was accepted.
    pub breaches: Vec<Breach>,
    /// Problem or breaches in words; empty for an accepted answer.
    pub detail: String,
    /// Unified diff of a patch that was refused; empty otherwise.
    pub patch: String,
}

/// The dialogue behind one proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionAccount {
    /// What the fix aimed at.
    pub fix_type: FixType,
    /// Whether the whole notebook or a cell was asked for.
    pub level: RepairLevel,
    /// The version of the templates: a hash of their text.
    pub template: String,
    /// The questions in order; the re-asks are all but the first.
    pub questions: Vec<Question>,
}

impl QuestionAccount {
    /// How often the model was asked again.
    #[must_use]
    pub fn reasks(&self) -> usize {
        self.questions.len().saturating_sub(1)
    }

    /// Tokens of all prompts and of all answers.
    #[must_use]
    pub fn tokens(&self) -> (usize, usize) {
        let sum = |count: fn(&Question) -> usize| self.questions.iter().map(count).sum();
        (sum(|question| question.prompt_tokens), sum(|question| question.answer_tokens))
    }
}
