//! What a model is asked (paper, section 3.3): a part for the type of the fix, and a part that all share.
//!
//! Parts: `templates` are the files in `prompts/`, versioned by their hash; `frame` fences foreign text so that it
//! cannot end its fence; `shorten` cuts tracebacks and outputs by rule; `mask` leaves out of them what differs from run to run;
//! `sections` writes the shared part, and `near` what of the
//! notebook an answer by edits needs; `build` puts a prompt together and keeps it within its budget.
//!
//! # Budget
//!
//! The code is never cut: a model must give it back. Tracebacks and outputs get a share of tokens each, and when the whole
//! is too long the shares are halved step by step, until only the exception's own line is left. What does not fit even so
//! is [`PromptError::TooLong`].

mod build;
mod frame;
mod mask;
mod near;
mod sections;
mod shorten;
mod templates;

use std::iter;

use nbrevive_model::{Encoding, Message};
use serde::{Deserialize, Serialize};

pub use build::{Asked, build};
pub(crate) use build::{again, refused};
pub(crate) use frame::{fenced, inline};
pub use templates::template_version;
pub(crate) use templates::{Template, version_of};

use crate::{FixType, RepairLevel};

nbrevive_corpus::string_enum! {
    /// In which form a model is shown the notebook and gives back what it changes.
    pub enum PatchProtocol ("protocol") {
        /// All of the notebook, as the paper has it (section 3.3).
        Whole => "whole",
        /// The cells that matter by their numbers, and edits of them.
        Edits => "edits",
    }
}

/// A question to a model: the standing instructions and the dialogue so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairQuestion {
    /// What the fix aims at.
    pub fix_type: FixType,
    /// Whether the whole notebook or a cell is asked for.
    pub level: RepairLevel,
    /// The standing instructions.
    pub system: String,
    /// The messages, oldest first; the last one is ours.
    pub messages: Vec<Message>,
    /// The version of the templates: a hash of their text.
    pub template: String,
    /// Tokens of instructions and messages, without what a protocol adds to each.
    pub tokens: usize,
    /// 0 for the first question of a fix, then the number of the re-ask.
    pub reask: u32,
}

impl RepairQuestion {
    /// BLAKE3 over roles and texts, hexadecimal: the same question has the same hash, whenever it is asked.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (role, text) in self.said() {
            hasher.update(role.as_bytes());
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The dialogue as one readable text.
    #[cfg(test)]
    fn to_text(&self) -> String {
        let parts: Vec<String> = self.said().map(|(role, text)| format!("[{role}]\n\n{text}")).collect();
        parts.join("\n\n")
    }

    /// Who says what, as chat protocols name them.
    fn said(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let messages = self.messages.iter().map(|message| (message.role.as_str(), message.text.as_str()));
        iter::once(("system", self.system.as_str())).chain(messages)
    }
}

/// The competition as a prompt tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PromptTask {
    /// The competition's title; empty for a notebook without one.
    pub title: String,
    /// The slug, which is the name of the input folder; empty where there is none.
    pub competition: String,
    /// The description in markdown: task, metric, columns.
    pub description: String,
    /// The metric's name; empty where there is none.
    pub metric: String,
    /// Names of the files in the input folder.
    pub files: Vec<String>,
    /// The header of a submission; empty where none is expected.
    pub submission_columns: Vec<String>,
    /// True when the files are found flat in `../input/` too, as they were before 2020.
    pub flat_input: bool,
    /// The wall-clock limit of an execution in seconds.
    pub limit_seconds: u64,
}

/// Limits of a prompt, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptSettings {
    /// The form of question and answer; [`PatchProtocol::Whole`] unless told.
    pub protocol: PatchProtocol,
    /// How tokens are counted.
    pub encoding: Encoding,
    /// The longest prompt, all messages together; 32,000 unless told.
    pub prompt_tokens: usize,
    /// The share of one traceback; 600 unless told.
    pub traceback_tokens: usize,
    /// The share of one cell's output; 150 unless told.
    pub output_tokens: usize,
    /// The share of the task's description; 2,500 unless told.
    pub description_tokens: usize,
    /// The most distributions that are listed besides those that the notebook imports; 40 unless told.
    pub most_packages: usize,
}

impl Default for PromptSettings {
    fn default() -> Self {
        Self {
            protocol: PatchProtocol::Whole,
            encoding: Encoding::default(),
            prompt_tokens: 32_000,
            traceback_tokens: 600,
            output_tokens: 150,
            description_tokens: 2_500,
            most_packages: 40,
        }
    }
}

/// Why there is no prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// The code alone, with the shortest errors, is too long.
    #[error(
        "the shortest prompt has {tokens} tokens, and the limit is {limit}: raise the limit or leave the notebook out"
    )]
    TooLong {
        /// Tokens of the shortest prompt.
        tokens: usize,
        /// The limit.
        limit: usize,
    },
}

#[cfg(test)]
mod tests;
