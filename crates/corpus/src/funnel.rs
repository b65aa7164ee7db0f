//! The selection funnel: which mined versions a study keeps, by steps that are data (paper, section 2.1.1).
//!
//! ```
//! use nbrevive_corpus::funnel::{FunnelCandidate, CodeLanguage, Funnel, Tally};
//!
//! let funnel = Funnel::default();
//! let mut tally = Tally::new(&funnel);
//! let version = FunnelCandidate {
//!     in_competition: Some(true),
//!     score: Some(0.77),
//!     run_seconds: Some(31.5),
//!     language: Some(CodeLanguage::Python),
//!     external_data: Some(false),
//!     ..FunnelCandidate::default()
//! };
//! assert!(tally.judge(&funnel, &version).is_ok());
//! let dropped = tally.judge(&funnel, &FunnelCandidate { score: Some(0.0), ..version }).unwrap_err();
//! assert_eq!(dropped.to_string(), "zero-score at step score-not-zero");
//! assert_eq!((tally.mined(), tally.kept()), (2, 1));
//! ```
//!
//! Parts:
//! - [`FunnelCandidate`]: what is known of one version;
//! - [`Funnel`], [`Step`]: the steps in their order, as `study.toml` lists them, and [`Funnel::judge`];
//! - [`Tally`]: what each step kept and dropped, and why; as text beside the paper's counts ([`PublishedFunnel`]);
//! - [`Content`]: what a version's code says for itself, above all its language;
//! - [`TargetScore`]: which of Kaggle's two scores is the one to reproduce.

mod candidate;
mod content;
mod published;
mod step;
mod tally;
mod text;
mod words;

#[cfg(test)]
mod tests;

pub use candidate::FunnelCandidate;
pub use content::{Content, language_of_content};
pub use published::PublishedFunnel;
pub use step::{DroppedVersion, Funnel, FunnelError, PAPER_SECONDS, Step, Test};
pub use tally::{StepCounts, Tally};
pub use text::FunnelText;
pub use words::{CodeKind, CodeLanguage, DropReason, Scripts, StepName, TargetScore, Unknown};
