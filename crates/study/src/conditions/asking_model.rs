//! A language model as the modernize loop asks it: an opened dialogue, and what its failures mean for a notebook.

use std::path::Path;

use nbrevive_model::{
    Account, CapKind, Dialogue, DialogueError, Errand, LedgerError, Message, ModelFailure, ModelPrompt, ModelSettings,
    OpenError,
};
use nbrevive_repair::prompt::RepairQuestion;
use nbrevive_repair::{AskError, PutBackQuestion};

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

    /// The same for a task, whose folder is new: it spends what its account allows.
    ///
    /// # Errors
    /// As [`Asking::open`], and when the account cannot be used.
    pub fn open_with(settings: &ModelSettings, folder: &Path, account: Account) -> Result<Self, OpenError> {
        Ok(Self { dialogue: settings.open_with(folder, account)?, settings: settings.clone() })
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
    pub(crate) fn ask(&self, question: &RepairQuestion, errand: &Errand) -> Result<String, AskError> {
        self.answer(&model_prompt(&self.settings, question), errand)
    }

    /// The text of the answer to a question for something that a notebook misses.
    ///
    /// # Errors
    /// Why there is none.
    pub fn ask_put_back(&self, question: &PutBackQuestion, errand: &Errand) -> Result<String, AskError> {
        let messages = vec![Message::user(question.text.as_str())];
        self.answer(&self.settings.prompt(question.system.as_str(), messages), errand)
    }

    fn answer(&self, prompt: &ModelPrompt, errand: &Errand) -> Result<String, AskError> {
        match self.dialogue.ask(prompt, errand) {
            Ok(receipt) => Ok(receipt.answer.text),
            Err(error) => unanswered(error),
        }
    }
}

/// A question as a model takes it, with the settings of this one.
pub(crate) fn model_prompt(settings: &ModelSettings, question: &RepairQuestion) -> ModelPrompt {
    settings.prompt(question.system.as_str(), question.messages.clone())
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
            ModelFailure::Truncated { partial, .. } => return Ok(partial),
            ModelFailure::ContentFilter { .. } | ModelFailure::Refusal { .. } => AskError::Declined(told),
            ModelFailure::ContextOverflow { .. } => AskError::ContextOverflow(told),
            _ => AskError::Unavailable(told),
        },
        DialogueError::Ledger(LedgerError::Cap { of: CapKind::Notebook, free_at: None, .. }) => {
            AskError::OverBudget(told)
        }
        DialogueError::Ledger(_) | DialogueError::Record(_) | DialogueError::Price(_) | DialogueError::Account(_) => {
            AskError::Unavailable(told)
        }
    })
}

#[cfg(test)]
mod tests {
    use nbrevive_model::{AnswerBill, ModelError};
    use nbrevive_repair::{FixType, RepairLevel};

    use super::*;

    fn question(text: &str) -> RepairQuestion {
        RepairQuestion {
            fix_type: FixType::ErrorRepair,
            level: RepairLevel::File,
            system: "mend".to_owned(),
            messages: vec![Message::user(text)],
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

    fn failed(failure: ModelFailure) -> Result<String, AskError> {
        unanswered(ModelError { failure: Box::new(failure), bill: AnswerBill::Nothing, attempts: 1 }.into())
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
        assert_eq!(failed(ModelFailure::Truncated { limit: 9, partial: "half".to_owned() }), Ok("half".to_owned()));
        assert!(matches!(failed(ModelFailure::Refusal { message: message() }), Err(AskError::Declined(_))));
        assert!(matches!(failed(ModelFailure::ContentFilter { message: message() }), Err(AskError::Declined(_))));
        assert!(matches!(
            failed(ModelFailure::ContextOverflow { message: message() }),
            Err(AskError::ContextOverflow(_))
        ));
        assert!(matches!(failed(ModelFailure::Quota { message: message() }), Err(AskError::Unavailable(_))));
        assert!(matches!(failed(ModelFailure::TimedOut { seconds: 5 }), Err(AskError::Unavailable(_))));
    }

    #[test]
    fn a_question_takes_the_settings_of_the_model() {
        let settings: ModelSettings = toml::from_str("provider = \"replay\"\nname = \"m\"\nseed = 7").unwrap();
        let prompt = model_prompt(&settings, &question("a notebook"));
        assert_eq!((prompt.system.as_str(), prompt.messages.len(), prompt.seed), ("mend", 1, Some(7)));
    }
}
