//! The metrics themselves: numbers in, a number out, one module each.
//!
//! Notation: `y` is the truth, `p` the prediction, `n` the number of rows; logarithms are natural. Truth and prediction
//! have one entry a row, in the same order. A metric that is not defined for what it is given returns none where that is
//! said, else NaN. Definitions are those of the public graders of MLE-bench (commit 783b15a) and of scikit-learn 1.5.

mod accuracy;
mod angular_error;
mod average_precision;
mod boxes_2d;
mod boxes_3d;
mod cell_order;
mod character_f1;
mod correlation;
mod dice;
mod error;
mod f1;
mod hausdorff;
mod haversine;
mod jaccard;
mod kappa;
mod kl_divergence;
mod label_ranking;
mod laplace;
mod levenshtein;
mod log_loss;
mod map_at_k;
mod matthews;
mod probabilistic_f1;
mod roc_auc;
mod salt;
mod weighted_roc_auc;

pub use accuracy::accuracy;
pub use angular_error::{Direction3, mean_angular_error};
pub use average_precision::average_precision;
pub use boxes_2d::{
    BoxedImage, Corners, Detection, Labelled, NO_CLASS, coco_average_precision, voc_mean_average_precision,
};
pub use boxes_3d::{Box3, Object3, VolumeDetection, mean_average_precision_3d};
pub use cell_order::kendall_tau_pooled;
pub use character_f1::{Character, Matches, Point, match_page};
pub use correlation::{mid_ranks, pearson, spearman};
pub use dice::{Overlap, Runs, RunsError, dice, f_half};
pub use error::{log_mae, mae, rmse, rmsle};
pub use f1::{TokenCounts, macro_f1, macro_f1_of_numbers, micro_f1};
pub use hausdorff::hausdorff;
pub use haversine::{Angle, haversine, mean_of_median_and_tail};
pub use jaccard::jaccard;
pub use kappa::quadratic_weighted_kappa;
pub use kl_divergence::kl_divergence;
pub use label_ranking::label_ranking;
pub use laplace::laplace_log_likelihood;
pub use levenshtein::levenshtein;
pub use log_loss::{binary_log_loss, cross_entropy, multiclass_log_loss, weighted_log_loss};
pub use map_at_k::average_precision_at_k;
pub use matthews::matthews_correlation;
pub use probabilistic_f1::probabilistic_f1;
pub use roc_auc::roc_auc;
pub use salt::precision_over_thresholds;
pub use weighted_roc_auc::weighted_roc_auc;
