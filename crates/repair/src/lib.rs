//! Turns execution feedback into a patch: rules first, then a language model; plan, patch, apply, account.
//!
//! [`modernize()`] is the loop of the paper's section 3 and [`PatchProvider`] is who proposes a patch. [`Rules`] is the provider
//! that knows what changed in the libraries: a catalogue of rewrites on the syntax tree, each with the error by which it is
//! recognised and an example that the tests walk. [`Tools`] are those that others keep, for what the rules leave.
//! [`LanguageModel`] asks a model: [`prompt`] is what it is asked, [`answer`]
//! reads what it says. Whoever proposes, [`Guard`] refuses what would make a score meaningless, and [`minimize()`] reduces
//! a patch to what it takes.

mod account;
pub mod answer;
mod assessment;
mod dialogue;
mod first_error;
mod harm;
pub mod minimize;
mod modernization;
mod order;
mod patch;
pub mod prompt;
mod provider;
mod put_back;
mod states;
mod steps;
pub mod tools;
mod turn;
mod workflow;

pub use account::{Question, QuestionAccount};
pub use answer::{AnswerError, AnswerProblem};
pub use assessment::{Assessment, Subject};
pub use dialogue::{Ask, AskError, DEFAULT_MAX_REASKS, DialogueSettings, LanguageModel};
pub use first_error::FirstError;
pub use minimize::{LeastPatch, MinimizeError, MinimizeSettings, minimize};
pub use modernization::Modernization;
pub use nbrevive_corpus::{Breach, FixType, FlowState, LoopEnd, RepairLevel};
pub use nbrevive_guard::{Contract, Cut, Finding, Guard};
pub use nbrevive_rules::{
    AppliedRule, CellFeedback, CellOutput, Feedback, Proposal, RULES_VERSION, Ran, Rules, fix_type,
};
pub use order::{Proposer, ProposerOrder};
pub use patch::unified_diff;
pub use prompt::{PatchProtocol, PromptError, PromptSettings, PromptTask, RepairQuestion};
pub use provider::{PatchProvider, ProviderError};
pub use put_back::{
    PutBackAnswerError, PutBackQuestion, Sought, answered_contents, answered_definition, answered_distribution,
    answered_recipe, put_back_question, put_back_version,
};
pub use steps::{Fix, Fruitless, RefusedFix};
pub use tools::Tools;
pub use workflow::{DEFAULT_MAX_FIXES, WorkflowSettings, guard_of, modernize};

/// The version of what the tools do: of their lock, and of what runs them. Raised as [`RULES_VERSION`] is.
pub const TOOLS_VERSION: u32 = 1;

/// The version of which patches are executed, whoever proposes them: the kind of a fix, the reading of answers, guards, the loop and its
/// ends. Raised likewise.
pub const LOOP_VERSION: u32 = 6;
