//! A language model as the modernize loop asks it: an opened dialogue, and what its failures mean for a notebook.

use std::path::Path;

use nbrevive_model::{
    CapKind, Dialogue, DialogueError, Errand, Failure, LedgerError, Message, ModelSettings, OpenError, Prompt,
};
use nbrevive_repair::AskError;
use nbrevive_repair::prompt::{Prompt as Question, Role};

/// A model that can be asked, with its account. Usable from several threads.
#[derive(Debug)]
pub struct Asking {
    settings: ModelSettings,
    dialogue: Dialogue,
}

impl Asking {
    /// Opens the dialogue that the settings describe; ledger and record lie in `folder`, which is there.
    ///
    /// # Errors
    /// When settings, key, prices, ledger or record cannot be used.
    pub fn open(settings: &ModelSettings, folder: &Path) -> Result<Self, OpenError> {
        Ok(Self { dialogue: settings.open(folder)?, settings: settings.clone() })
    }

    /// The account.
    #[must_use]
    pub fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// The name under which fixes are recorded: who answers, or whose answers are replayed.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.dialogue.source()
    }

    /// The text of the answer.
    pub(crate) fn ask(&self, question: &Question, errand: &Errand) -> Result<String, AskError> {
        match self.dialogue.ask(&model_prompt(&self.settings, question), errand) {
            Ok(receipt) => Ok(receipt.answer.text),
            Err(error) => unanswered(error),
        }
    }
}

/// A question as a model takes it: the standing instructions apart from the messages.
#[must_use]
pub fn model_prompt(settings: &ModelSettings, question: &Question) -> Prompt {
    let (mut system, mut messages) = (String::new(), Vec::new());
    for message in &question.messages {
        match message.role {
            Role::System => system.push_str(&message.text),
            Role::User => messages.push(Message::user(message.text.as_str())),
            Role::Assistant => messages.push(Message::assistant(message.text.as_str())),
        }
    }
    settings.prompt(system, messages)
}

/// What it means for the notebook that a question has no answer.
///
/// What the model said on this prompt is the notebook's fate (paper, Table 3, LLM failure). All else is ours or the
/// provider's trouble, and so are caps that concern other notebooks: an outcome must not depend on them.
fn unanswered(error: DialogueError) -> Result<String, AskError> {
    let told = error.to_string();
    Err(match error {
        DialogueError::Model(error) => match *error.failure {
            // The reader of answers names what is missing, and may ask again.
            Failure::Truncated { partial, .. } => return Ok(partial),
            Failure::ContentFilter { .. } | Failure::Refusal { .. } => AskError::Declined(told),
            Failure::ContextOverflow { .. } => AskError::ContextOverflow(told),
            _ => AskError::Unavailable(told),
        },
        DialogueError::Ledger(LedgerError::Cap { of: CapKind::Notebook, free_at: None, .. }) => {
            AskError::OverBudget(told)
        }
        DialogueError::Ledger(_) | DialogueError::Record(_) | DialogueError::Price(_) => AskError::Unavailable(told),
    })
}

#[cfg(test)]
mod tests {
    use nbrevive_model::{Bill, ModelError};
    use nbrevive_repair::prompt::Message as Said;
    use nbrevive_repair::{FixType, Level};

    use super::*;

    fn question(text: &str) -> Question {
        let said = |role, text: &str| Said { role, text: text.to_owned() };
        Question {
            fix_type: FixType::ErrorRepair,
            level: Level::File,
            messages: vec![said(Role::System, "mend"), said(Role::User, text)],
            template: String::new(),
            tokens: 3,
            reask: 0,
        }
    }

    /// What comes of a question under these caps; nobody listens at the endpoint.
    fn ask(caps: &str) -> AskError {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "provider = \"openai\"\nname = \"gpt-5.2\"\nbase_url = \"http://127.0.0.1:9/v1\"\nkey_variable = \"\"\n{caps}"
        );
        let settings: ModelSettings = toml::from_str(&text).unwrap();
        let asking = Asking::open(&settings, folder.path()).unwrap();
        asking.ask(&question("a notebook"), &Errand::new("study/modernize", "a")).unwrap_err()
    }

    fn failed(failure: Failure) -> Result<String, AskError> {
        unanswered(ModelError { failure: Box::new(failure), bill: Bill::Nothing, attempts: 1 }.into())
    }

    #[test]
    fn a_notebook_pays_for_itself_and_not_for_others() {
        let error = ask("caps = { notebook = 0.0001 }");
        assert!(matches!(&error, AskError::OverBudget(told) if told.contains("this notebook")), "{error}");
        let error = ask("caps = { study = 0.0001 }");
        assert!(matches!(&error, AskError::Unavailable(told) if told.contains("this study")), "{error}");
    }

    #[test]
    fn the_models_word_is_told_from_trouble_on_the_way() {
        let message = || "no".to_owned();
        assert_eq!(failed(Failure::Truncated { limit: 9, partial: "half".to_owned() }), Ok("half".to_owned()));
        assert!(matches!(failed(Failure::Refusal { message: message() }), Err(AskError::Declined(_))));
        assert!(matches!(failed(Failure::ContentFilter { message: message() }), Err(AskError::Declined(_))));
        assert!(matches!(failed(Failure::ContextOverflow { message: message() }), Err(AskError::ContextOverflow(_))));
        assert!(matches!(failed(Failure::Quota { message: message() }), Err(AskError::Unavailable(_))));
        assert!(matches!(failed(Failure::TimedOut { seconds: 5 }), Err(AskError::Unavailable(_))));
    }

    #[test]
    fn standing_instructions_go_apart_from_the_messages() {
        let settings: ModelSettings = toml::from_str("provider = \"replay\"\nname = \"m\"\nseed = 7").unwrap();
        let prompt = model_prompt(&settings, &question("a notebook"));
        assert_eq!((prompt.system.as_str(), prompt.messages.len(), prompt.seed), ("mend", 1, Some(7)));
    }
}
