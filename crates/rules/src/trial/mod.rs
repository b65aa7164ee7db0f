//! Tries the rules on triggers: runs a trigger on the contemporary stack, repairs what it raises, and compares the value.
//!
//! A trigger is a small notebook that leaves a value in `r`, and a replacement that leaves the value which the trigger
//! had in its time. The trigger is tried in its own form and in others ([`Form`]), each of them in a process of its
//! own inside the sandbox. The loop is that of the workflow: execute, propose, execute again.
//!
//! | file | purpose |
//! |---|---|
//! | `table.rs` | reads triggers from a table |
//! | `form.rs`, `together.rs` | other forms of the same trigger |
//! | `stack.rs` | runs cases in an environment (`data/run_cases.py`) |
//! | `there.rs` | which names an environment has (`data/names_there.py`) |
//! | `compare.rs` | whether two values are the same |
//! | `attempt.rs` | one case on its way through the loop |
//! | `session.rs` | all triggers, in rounds |
//! | `account.rs` | what came of it, by library |

mod account;
mod attempt;
mod cases;
mod compare;
mod form;
mod session;
mod stack;
mod table;
mod there;
mod together;

pub use account::{FormAccount, LibraryRow, TrialAccount, TrialVerdict, TriggerAccount};
pub use cases::{Case, CaseError, CaseReport, CaseRounds};
pub use compare::same_value;
pub use form::Form;
pub use session::{TrialError, TrialSettings, try_rules};
pub use stack::{SandboxScript, Stack, StackError};
pub use table::{EXAMPLES, TableError, TriggerRow, examples, read_table};

/// An environment in which rules are proved, and the libraries (as they are imported) that it is for.
#[derive(Debug, Clone, Copy)]
pub struct TrialPlace {
    /// Its lock, one `name==version` a line.
    pub lock: &'static str,
    /// `None`: all that no other place names.
    libraries: Option<&'static [&'static str]>,
}

impl TrialPlace {
    /// Whether triggers of a library are run here.
    #[must_use]
    pub fn holds(&self, library: &str) -> bool {
        let named = |place: &Self| place.libraries.is_some_and(|libraries| libraries.contains(&library));
        match self.libraries {
            Some(_) => named(self),
            None => !STACKS.iter().any(named),
        }
    }
}

/// The libraries that bring TensorFlow along, which is as large as all others together.
const DEEP: &[&str] = &["keras", "tensorflow"];
/// Libraries that were renamed as a whole or in part, and that nothing else in the proof needs.
const RENAMED: &[&str] = &["mplfinance", "prophet", "pyLDAvis"];

/// The environments: the contemporary lock of the study with more libraries, one for deep learning, one for distributions
/// under another name.
pub const STACKS: [TrialPlace; 3] = [
    TrialPlace { lock: include_str!("../../data/rules.lock"), libraries: None },
    TrialPlace { lock: include_str!("../../data/deep.lock"), libraries: Some(DEEP) },
    TrialPlace { lock: include_str!("../../data/renamed.lock"), libraries: Some(RENAMED) },
];
