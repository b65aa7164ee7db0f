//! Pure statistics: rank correlation, effect sizes, tests of samples and of counts, intervals, quantiles, edit similarity.
//!
//! Nothing here reads or writes. Each function names its source, its assumptions, and what it does with ties, values that
//! are not numbers and samples that are too small: a question without an answer is a typed error, never NaN.
//! `docs/statistics.md` has them in one table.
//!
//! Parts:
//! - [`kendall_tau_b`]: rank correlation of two paired samples;
//! - [`cliffs_delta`], [`cliffs_delta_interval`], [`mann_whitney_u`]: how two independent samples differ;
//! - [`wilcoxon_signed_rank`]: how two paired samples differ;
//! - [`chi_squared`], [`fisher_exact`], [`barnard_exact`]: whether counts by row and column depend on each other;
//! - [`counts_within`], [`chi_squared_of_fitting`], [`barnard_of_fitting`]: what these say of all counts that fit printed shares;
//! - [`mcnemar_exact`], [`stuart_maxwell`]: whether two, or several, outcomes of the same items differ;
//! - [`paired_difference`], [`unpaired_difference`]: by how much the first of these do, and two shares of different items;
//! - [`cohens_kappa`], [`fleiss_kappa`]: how far raters agree beyond chance;
//! - [`bonferroni`], [`holm`]: several p-values read together;
//! - [`wilson_interval`], [`bootstrap`], [`bootstrap_median`], [`quantile`], [`quantiles`], [`median`]: describing one sample;
//! - [`edit_distance`], [`edit_similarity`]: how much a text changed;
//! - [`Random`]: random numbers that are the same on every machine.

mod adjust;
mod barnard;
mod bootstrap;
mod bootstrap_median;
mod chi_squared;
mod cliff;
mod counts;
mod edit;
mod fisher;
mod fitting;
mod hypergeometric;
mod interval;
mod inversions;
mod kappa;
mod kendall;
mod mann_whitney;
mod mcnemar;
mod normal;
mod paired_shares;
mod quantile;
mod random;
mod rank;
mod sample;
mod stuart_maxwell;
mod unpaired_shares;
mod wilcoxon;
mod wilson;

pub use adjust::{bonferroni, holm};
pub use barnard::{BarnardExact, barnard_exact};
pub use bootstrap::{Bootstrap, BootstrapError, BootstrapMethod, bootstrap};
pub use bootstrap_median::bootstrap_median;
pub use chi_squared::{ChiSquared, chi_squared};
pub use cliff::{CliffsDelta, Magnitude, cliffs_delta, cliffs_delta_interval};
pub use counts::CountsError;
pub use edit::{edit_distance, edit_similarity};
pub use fisher::{FisherExact, fisher_exact};
pub use fitting::{CountRanges, FittingTables, barnard_of_fitting, chi_squared_of_fitting, counts_within};
pub use interval::Interval;
pub use kappa::{cohens_kappa, fleiss_kappa};
pub use kendall::{Correlation, kendall_tau_b};
pub use mann_whitney::{MannWhitney, mann_whitney_u};
pub use mcnemar::mcnemar_exact;
pub use paired_shares::{PairedDifference, paired_difference};
pub use quantile::{median, quantile, quantiles};
pub use random::Random;
pub use rank::PValueMethod;
pub use sample::SampleError;
pub use stuart_maxwell::{StuartMaxwell, stuart_maxwell};
pub use unpaired_shares::{UnpairedDifference, unpaired_difference};
pub use wilcoxon::{Wilcoxon, Zeros, wilcoxon_signed_rank};
pub use wilson::{WilsonError, wilson_interval};
