//! What is asked of a model, and the hash by which it is found again.

use std::fmt;

use crate::Encoding;
use serde::{Deserialize, Serialize};

/// What the hash of a prompt begins with; changed when the fields that are hashed change.
const HASH_VERSION: &[u8] = b"nbrevive prompt 1\0";

/// Tokens that a message costs beyond its text (OpenAI Cookbook, "How to count tokens with tiktoken", section 6).
const PER_MESSAGE: u64 = 4;

/// Input tokens that a provider may add without our seeing them: the start of the answer, its own words to the model.
const UNSEEN: u64 = 64;

/// The twentieth part that a count with a known vocabulary may be off.
const MARGIN: u64 = 20;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaker {
    /// We.
    User,
    /// The model, in an earlier answer.
    Assistant,
}

impl Speaker {
    /// The role's name in chat protocols.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Speaker,
    /// The text.
    pub text: String,
}

impl Message {
    /// A message of ours.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Speaker::User, text: text.into() }
    }

    /// An earlier answer.
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Speaker::Assistant, text: text.into() }
    }
}

/// A request to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelPrompt {
    /// The model's name, as the provider knows it.
    pub model: String,
    /// What holds for the whole dialogue.
    pub system: String,
    /// The dialogue so far; the last message is ours.
    pub messages: Vec<Message>,
    /// Most tokens of the answer, reasoning included.
    pub max_output_tokens: u32,
    /// Temperature; the provider's default unless given.
    pub temperature: Option<f64>,
    /// Seed, for providers that take one; a request, never a promise.
    pub seed: Option<i64>,
    /// Effort of reasoning, such as `medium`; the model's default unless given.
    pub effort: Option<String>,
}

/// The hash of a prompt: BLAKE3 of all its fields, 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PromptHash(String);

/// The text is no hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the hash of a prompt: 64 hexadecimal digits in lower case are")]
pub struct NotAPromptHash(String);

impl PromptHash {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for PromptHash {
    type Error = NotAPromptHash;

    fn try_from(text: String) -> Result<Self, NotAPromptHash> {
        let is_hash = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_hash { Ok(Self(text)) } else { Err(NotAPromptHash(text.chars().take(80).collect())) }
    }
}

impl From<PromptHash> for String {
    fn from(hash: PromptHash) -> Self {
        hash.0
    }
}

impl fmt::Display for PromptHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Input tokens of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputTokens {
    /// As counted with the model's vocabulary, or the nearest that is known.
    pub expected: u64,
    /// No honest bill has more: what is reserved.
    pub most: u64,
}

impl ModelPrompt {
    /// A prompt with the provider's default settings.
    #[must_use]
    pub fn new(
        model: impl Into<String>,
        system: impl Into<String>,
        messages: Vec<Message>,
        max_output_tokens: u32,
    ) -> Self {
        let (model, system) = (model.into(), system.into());
        Self { model, system, messages, max_output_tokens, temperature: None, seed: None, effort: None }
    }

    /// The hash by which its answer is found in a record.
    #[must_use]
    pub fn hash(&self) -> PromptHash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(HASH_VERSION);
        // A struct of texts and numbers is always written, and numbers that are none are written as null.
        let fields = serde_json::to_vec(self).unwrap_or_default();
        hasher.update(&fields);
        PromptHash(hasher.finalize().to_hex().to_string())
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.system.as_str()).chain(self.messages.iter().map(|message| message.text.as_str()))
    }

    /// Counts the input tokens.
    ///
    /// With a vocabulary that is known to be the model's, at most a twentieth and some tokens of frame more than counted;
    /// otherwise no token is shorter than a byte.
    #[must_use]
    pub fn input_tokens(&self) -> InputTokens {
        let encoding = Encoding::of_model(&self.model);
        let counted: u64 = self.texts().map(|text| encoding.count(text) as u64).sum();
        let frame = PER_MESSAGE * (self.messages.len() as u64 + 1);
        let expected = counted + frame;
        let most = if is_vocabulary_known(&self.model) {
            expected + expected / MARGIN + UNSEEN
        } else {
            self.texts().map(|text| text.len() as u64).sum::<u64>() + frame + UNSEEN
        };
        InputTokens { expected, most: most.max(expected) }
    }
}

/// Whether [`Encoding::of_model`] is more than a guess: the families that the published vocabularies are named for.
fn is_vocabulary_known(model: &str) -> bool {
    ["gpt-3.5", "gpt-4", "gpt-5", "o1", "o3", "o4"].iter().any(|family| model.starts_with(family))
}

/// The tokens of a text, as a model would count them.
pub(crate) fn count(model: &str, text: &str) -> u64 {
    Encoding::of_model(model).count(text) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn prompt() -> ModelPrompt {
        ModelPrompt::new("gpt-5.2", "be brief", vec![Message::user("hello")], 100)
    }

    #[test]
    fn every_field_is_part_of_the_hash() {
        let base = prompt();
        let others = [
            ModelPrompt { model: "gpt-5".into(), ..base.clone() },
            ModelPrompt { system: String::new(), ..base.clone() },
            ModelPrompt { messages: vec![Message::assistant("hello")], ..base.clone() },
            ModelPrompt { messages: vec![Message::user("hello"), Message::user("")], ..base.clone() },
            ModelPrompt { max_output_tokens: 101, ..base.clone() },
            ModelPrompt { temperature: Some(0.0), ..base.clone() },
            ModelPrompt { seed: Some(0), ..base.clone() },
            ModelPrompt { effort: Some("low".into()), ..base.clone() },
        ];
        assert!(others.iter().all(|other| other.hash() != base.hash()));
        // Pinned: a record of today is read by the versions of tomorrow.
        insta::assert_snapshot!(base.hash(), @"c29e0b763e133ae8bd9efdb3ab31ecfd048e5b5ff6b76e436c552a9f8b633a23");
        assert_eq!(base.hash(), prompt().hash());
    }

    #[test]
    fn only_hashes_are_hashes() {
        let hash = prompt().hash();
        assert_eq!(PromptHash::try_from(hash.as_str().to_owned()), Ok(hash.clone()));
        for text in ["", "../../etc/passwd", &hash.as_str()[1..], &hash.as_str().to_uppercase()] {
            assert!(PromptHash::try_from(text.to_owned()).is_err(), "{text}");
        }
    }

    #[test]
    fn unknown_vocabularies_are_reserved_by_bytes() {
        let known = ModelPrompt { system: "import pandas as pd\n".repeat(100), ..prompt() };
        let unknown = ModelPrompt { model: "a-model-of-tomorrow".into(), ..known.clone() };
        let (known, unknown) = (known.input_tokens(), unknown.input_tokens());
        assert_eq!(known.expected, unknown.expected);
        assert!(known.most < known.expected * 2 && unknown.most > 2_000);
    }

    proptest! {
        #[test]
        fn the_most_is_never_less_than_expected(text in "\\PC{0,200}", model in "(gpt-4|gpt-5|other)") {
            let tokens = ModelPrompt { system: text, model, ..prompt() }.input_tokens();
            prop_assert!(tokens.most >= tokens.expected);
        }
    }
}
