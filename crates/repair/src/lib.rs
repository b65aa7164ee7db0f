//! Turns execution feedback into a patch: rules first, then a language model; plan, patch, apply, account.
//!
//! [`modernize()`] is the loop of the paper's section 3 and [`Provider`] is who proposes a patch. [`Rules`] is the provider
//! that knows what changed in the libraries: a catalogue of rewrites on the syntax tree, each with the error by which it is
//! recognised and an example that the tests walk. [`Tools`] are those that others keep, for what the rules leave.
//! [`LanguageModel`] asks a model: [`prompt`] is what it is asked, [`answer`]
//! reads what it says. Whoever proposes, [`guard`] refuses what would make a score meaningless, and [`minimize()`] reduces
//! a patch to what it takes.

mod account;
pub mod answer;
mod dialogue;
mod feedback;
pub mod guard;
pub mod minimize;
mod order;
mod patch;
pub mod prompt;
mod provider;
pub mod rules;
mod states;
mod steps;
pub mod tools;
mod turn;
mod workflow;

pub use account::{Account, Level, Question};
pub use answer::{AnswerError, AnswerProblem};
pub use dialogue::{Ask, AskError, DEFAULT_MAX_REASKS, DialogueSettings, LanguageModel};
pub use feedback::{CellFeedback, CellOutput, Feedback, Ran, fix_type};
pub use guard::{Breach, Contract, Finding, Guard};
pub use minimize::{LeastPatch, MinimizeError, MinimizeSettings, minimize};
pub use nbrevive_corpus::FixType;
pub use order::{Order, Proposer};
pub use patch::unified_diff;
pub use prompt::{Prompt, PromptError, PromptSettings, Task};
pub use provider::{AppliedRule, Proposal, Provider, ProviderError};
pub use rules::{FirstError, Rules};
pub use steps::{End, Fix, Fruitless, Refusal, State};
pub use tools::Tools;
pub use workflow::{Assessment, DEFAULT_MAX_FIXES, Modernization, Settings, Subject, modernize};

/// A name for the rules as they were built, so that outcomes that other rules led to are known as out of date.
pub const RULES_REVISION: &str = env!("NBREVIVE_RULES_REVISION");

/// A name for the tools, by their lock and what runs them.
pub const TOOLS_REVISION: &str = env!("NBREVIVE_TOOLS_REVISION");

/// A name for the loop and its guards as they were built.
pub const LOOP_REVISION: &str = env!("NBREVIVE_LOOP_REVISION");
