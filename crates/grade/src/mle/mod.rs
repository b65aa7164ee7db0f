//! The competitions of MLE-bench: its 82 tasks as data, and their graders with the order and the strictness of the original.
//! A competition of one's own that names `checks` is graded likewise.
//!
//! - [`GradingRules`]: metric, columns, checks, flags; [`mle_competitions`] has those of MLE-bench;
//! - [`MleAnswers`]: the answers as MLE-bench's own `prepare` wrote them, read once and shared by threads;
//! - [`MleAnswers::grade`]: a submission in, a score or the [`Invalid`](crate::Invalid) reason out.
//!
//! A score may be NaN or infinite, as with the original. What it rejects and what it crashes on both have a typed reason here.

mod answers;
mod case;
mod checks;
mod classes;
mod column;
mod frame;
mod graders;
mod ids;
mod lookup;
mod own;
mod pieces;
mod prepared;
mod questions;
mod rules;
mod source;

pub use answers::MleAnswers;
pub use prepared::{Checksums, has_checksum, parse_checksums};
pub use rules::{Cells, CompetitionLevel, Flag, FlagKind, GradingRules, mle_competition, mle_competitions};
