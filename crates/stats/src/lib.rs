//! Pure statistics: Kendall tau-b, Cliff's delta, Mann-Whitney, exact tests, intervals, quantiles, edit similarity.
//!
//! Nothing here reads or writes. Each function names its source, its assumptions, and what it does with ties, values that
//! are not numbers and samples that are too small: a question without an answer is a [`SampleError`], never NaN.
//!
//! Parts:
//! - [`kendall_tau_b`]: rank correlation of two paired samples;
//! - [`cliffs_delta`], [`mann_whitney_u`]: how two independent samples differ;
//! - [`mcnemar_exact`]: whether two yes/no outcomes of the same items differ;
//! - [`wilson_interval`], [`quantile`], [`quantiles`], [`median`]: describing one sample;
//! - [`edit_distance`], [`edit_similarity`]: how much a text changed.

mod cliff;
mod edit;
mod kendall;
mod mann_whitney;
mod mcnemar;
mod normal;
mod quantile;
mod rank;
mod sample;
mod wilson;

pub use cliff::{CliffsDelta, Magnitude, cliffs_delta};
pub use edit::{edit_distance, edit_similarity};
pub use kendall::{Correlation, kendall_tau_b};
pub use mann_whitney::{MannWhitney, mann_whitney_u};
pub use mcnemar::mcnemar_exact;
pub use quantile::{median, quantile, quantiles};
pub use rank::PValueMethod;
pub use sample::SampleError;
pub use wilson::{Interval, WilsonError, wilson_interval};
