//! A model as a provider: asks for a patch, reads the answer, asks again where it can help, and keeps the account.

use nbrevive_guard::Guard;
use nbrevive_notebook::{Notebook, percent::render};

use crate::account::{Question, QuestionAccount};
use crate::answer::EditsAnswer;
use crate::patch::unified_diff;
use crate::prompt::{self, Asked, PatchProtocol, PromptSettings, PromptTask, RepairQuestion};
use crate::{AnswerError, Feedback, Finding, FixType, PatchProvider, Proposal, ProviderError, RepairLevel, answer};

/// How often a model is asked again after an answer that cannot be used, for one fix.
pub const DEFAULT_MAX_REASKS: u32 = 2;

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The model cannot be reached, or did not answer in time.
    #[error("no answer: {0}")]
    Unavailable(String),
    /// The question would cost more than may be spent on this notebook. A cap that concerns other notebooks too is
    /// [`AskError::Unavailable`]: this notebook's outcome must not depend on them.
    #[error("not asked, for the money: {0}")]
    OverBudget(String),
    /// The model or its filter declined to answer.
    #[error("the model declined: {0}")]
    Declined(String),
    /// The question is longer than the model's context.
    #[error("{0}")]
    ContextOverflow(String),
}

/// Limits of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogueSettings {
    /// How often the model is asked again for one fix, [`DEFAULT_MAX_REASKS`] unless told; broken forms and refused patches
    /// count alike.
    pub max_reasks: u32,
    /// Whether errors are repaired in the whole notebook or cell by cell; [`RepairLevel::File`] unless told.
    pub level: RepairLevel,
    /// Limits of each prompt.
    pub prompt: PromptSettings,
}

impl Default for DialogueSettings {
    fn default() -> Self {
        Self { max_reasks: DEFAULT_MAX_REASKS, level: RepairLevel::File, prompt: PromptSettings::default() }
    }
}

/// Asks a model: the text of its answer, or why there is none.
pub type Ask<'a> = dyn FnMut(&RepairQuestion) -> Result<String, AskError> + 'a;

/// The provider that asks a language model (or whoever answers in its place).
pub struct LanguageModel<'a> {
    name: &'static str,
    task: PromptTask,
    settings: DialogueSettings,
    guard: Guard,
    ask: Box<Ask<'a>>,
    account: Option<QuestionAccount>,
}

impl<'a> LanguageModel<'a> {
    /// What is wrong with an answer. Work that was cut for time before stays cut.
    fn allowed(&self, feedback: &Feedback<'_>, answer: &Notebook, fix_type: FixType) -> Vec<Finding> {
        let is_cut = !self.guard.cuts(feedback.notebook).is_empty();
        self.guard.check_fix(answer, if is_cut { FixType::RuntimeReduction } else { fix_type })
    }

    /// A provider that is recorded under `name`; `guard` knows the original notebook, `ask` carries the questions.
    #[must_use]
    pub fn new(
        name: &'static str,
        task: PromptTask,
        guard: Guard,
        settings: DialogueSettings,
        ask: Box<Ask<'a>>,
    ) -> Self {
        Self { name, task, settings, guard, ask, account: None }
    }

    fn failed(&self, error: &AskError) -> ProviderError {
        let provider = self.name;
        match error {
            AskError::Unavailable(_) => ProviderError::Unavailable { provider, reason: error.to_string() },
            AskError::OverBudget(reason) => ProviderError::OverBudget { provider, reason: reason.clone() },
            AskError::Declined(_) => ProviderError::Protocol { provider, reason: error.to_string() },
            AskError::ContextOverflow(reason) => ProviderError::TooLong { provider, reason: reason.clone() },
        }
    }

    /// Asks one question and judges the answer.
    fn question(
        &mut self,
        asked: &Asked,
        feedback: &Feedback<'_>,
        account: &mut QuestionAccount,
    ) -> Result<Judged, ProviderError> {
        let prompt = &asked.prompt;
        let mut question = Question {
            reask: prompt.reask,
            prompt_hash: prompt.hash(),
            prompt_tokens: prompt.tokens,
            answer_tokens: 0,
            problem: None,
            breaches: Vec::new(),
            detail: String::new(),
            patch: String::new(),
        };
        let text = match (self.ask)(prompt) {
            Ok(text) => text,
            Err(error) => {
                question.detail = error.to_string();
                account.questions.push(question);
                return Err(self.failed(&error));
            }
        };
        question.answer_tokens = self.settings.prompt.encoding.count(&text);
        let judged = match read(&text, feedback.notebook, asked) {
            Ok(EditsAnswer::Decline(reason)) => {
                question.detail = format!("declined: {reason}");
                Judged::Declined
            }
            Err(error) => {
                question.problem = Some(error.problem());
                question.detail = error.to_string();
                Judged::Unreadable { text, problem: error.to_string() }
            }
            Ok(EditsAnswer::Patch(answer)) => match self.allowed(feedback, &answer.notebook, prompt.fix_type) {
                findings if findings.is_empty() => Judged::Good(answer),
                findings => {
                    question.breaches = findings.iter().map(|finding| finding.breach).collect();
                    question.breaches.dedup();
                    question.detail = words(&findings);
                    question.patch = unified_diff(&render(feedback.notebook), &render(&answer.notebook));
                    Judged::Refused { text, findings }
                }
            },
        };
        account.questions.push(question);
        Ok(judged)
    }

    /// The dialogue of one fix: the first question and its re-asks.
    fn dialogue(
        &mut self,
        mut asked: Asked,
        feedback: &Feedback<'_>,
        account: &mut QuestionAccount,
    ) -> Result<Option<answer::Answer>, ProviderError> {
        loop {
            let may_ask_again = asked.prompt.reask < self.settings.max_reasks;
            let settings = self.settings.prompt;
            let prompt = match self.question(&asked, feedback, account)? {
                Judged::Good(answer) => return Ok(Some(answer)),
                Judged::Declined => return Ok(None),
                Judged::Unreadable { text, problem } if may_ask_again => {
                    prompt::again(&asked, &text, &problem, &settings)
                }
                Judged::Refused { text, findings } if may_ask_again => {
                    prompt::refused(&asked, &text, &findings, &settings)
                }
                Judged::Unreadable { problem, .. } => {
                    return Err(ProviderError::Protocol { provider: self.name, reason: problem });
                }
                Judged::Refused { findings, .. } => return Err(self.refused(&findings)),
            };
            asked.prompt = prompt;
        }
    }

    fn refused(&self, findings: &[Finding]) -> ProviderError {
        match findings.first() {
            Some(first) => {
                ProviderError::Refused { provider: self.name, breach: first.breach, reason: words(findings) }
            }
            None => ProviderError::Protocol { provider: self.name, reason: "nothing was proposed".to_owned() },
        }
    }
}

/// What an answer came to.
enum Judged {
    Good(answer::Answer),
    /// Nothing is to be done; the account says why.
    Declined,
    Unreadable {
        text: String,
        problem: String,
    },
    Refused {
        text: String,
        findings: Vec<Finding>,
    },
}

/// Reads an answer in the form that was asked for.
fn read(text: &str, notebook: &Notebook, asked: &Asked) -> Result<EditsAnswer, AnswerError> {
    match asked.protocol {
        PatchProtocol::Whole => answer::read(text, notebook, asked.cell).map(EditsAnswer::Patch),
        PatchProtocol::Edits => answer::read_edits(text, notebook),
    }
}

fn words(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl PatchProvider for LanguageModel<'_> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn propose(&mut self, feedback: &Feedback<'_>) -> Result<Option<Proposal>, ProviderError> {
        let asked = prompt::build(feedback, &self.task, self.settings.level, &self.settings.prompt)
            .map_err(|error| ProviderError::TooLong { provider: self.name, reason: error.to_string() })?;
        let fix_type = asked.prompt.fix_type;
        let mut account = QuestionAccount {
            fix_type,
            level: asked.prompt.level,
            template: asked.prompt.template.clone(),
            questions: Vec::new(),
        };
        let answer = self.dialogue(asked, feedback, &mut account);
        self.account = Some(account);
        let proposal = |answer: answer::Answer| Proposal {
            notebook: answer.notebook,
            fix_type,
            applied: Vec::new(),
            plan: answer.plan,
        };
        Ok(answer?.map(proposal))
    }

    fn take_account(&mut self) -> Option<QuestionAccount> {
        self.account.take()
    }
}

#[cfg(test)]
mod tests;
