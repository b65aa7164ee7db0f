//! From a checked submission to its score: which cells a metric takes, and what it cannot take.

mod detections;
mod labels;
mod masks;
mod numbers;
mod probabilities;
mod texts;

use crate::Invalid;
use crate::mle::case::Case;
use crate::{Metric, metrics};

/// The score of a submission that passed the checks of its competition.
pub(super) type Grading = fn(&Case<'_>) -> Result<f64, Invalid>;

/// How a metric scores what a competition's checks have passed.
pub(super) const fn grading(metric: Metric) -> Grading {
    match metric {
        Metric::Accuracy => labels::accuracy,
        Metric::MacroF1 => labels::macro_f1,
        Metric::RocAuc | Metric::MeanColumnwiseRocAuc => probabilities::roc_auc,
        Metric::MulticlassLogLoss => probabilities::multiclass_log_loss,
        Metric::Rmse => |case| numbers::error(case, metrics::rmse),
        Metric::Rmsle => |case| numbers::error(case, metrics::rmsle),
        Metric::Mae => |case| numbers::error(case, metrics::mae),
        Metric::QuadraticWeightedKappa => labels::kappa,
        Metric::Top1Error => labels::top1_error,
        Metric::MicroF1SingleLabel => labels::single_label,
        Metric::MatthewsCorrcoef => labels::matthews,
        Metric::WeightedRocAuc => probabilities::weighted_roc_auc,
        Metric::JigsawBiasAuc => probabilities::bias_auc,
        Metric::BinaryLogLoss => probabilities::binary_log_loss,
        Metric::WeightedMultilabelLogLoss => probabilities::weighted_log_loss,
        Metric::KlDivergenceRowMean => probabilities::kl_divergence,
        Metric::Lwlrap => probabilities::lwlrap,
        Metric::ProbabilisticF1 => probabilities::probabilistic_f1,
        Metric::MaeRoundedInt => numbers::rounded_mae,
        Metric::MeanLogMaeByGroup => numbers::log_mae_by_group,
        Metric::MeanColumnwiseRmsle => numbers::mean_rmsle,
        Metric::Mcrmse => numbers::mcrmse,
        Metric::Pearson => numbers::pearson,
        Metric::MeanColumnwiseSpearman => numbers::mean_spearman,
        Metric::ModifiedLaplaceLogLikelihood => numbers::laplace,
        Metric::MeanAngularError => numbers::angular_error,
        Metric::HaversineP50P95Mean => numbers::haversine,
        Metric::NqMicroF1 => texts::questions,
        Metric::MicroF1Multilabel => texts::micro_f1,
        Metric::MapAt5 => |case| texts::map_at_k(case, 5),
        Metric::MapAt12 => |case| texts::map_at_k(case, 12),
        Metric::KendallTauPooled => texts::cell_order,
        Metric::MeanLevenshtein => texts::mean_levenshtein,
        Metric::NormalizedTokenLevenshtein => texts::token_levenshtein,
        Metric::MeanWordJaccard => |case| texts::word_jaccard(case, false),
        Metric::MeanWordJaccardBinarized => |case| texts::word_jaccard(case, true),
        Metric::MeanDiceRle => masks::mean_dice,
        Metric::GlobalDiceRle => masks::global_dice,
        Metric::FHalfRle => masks::f_half,
        Metric::DiceHausdorff3d => masks::dice_hausdorff,
        Metric::MeanPrecisionIouThresholds => masks::precision_over_thresholds,
        Metric::KuzushijiCenterF1 => detections::characters,
        Metric::MapVoc2010 => detections::voc,
        Metric::CocoAp => detections::coco,
        Metric::Map3d => detections::boxes_3d,
    }
}

/// The mean over the pairs of a value.
fn mean(case: &Case<'_>, mut value: impl FnMut(usize) -> Result<f64, Invalid>) -> Result<f64, Invalid> {
    let mut sum = 0.0;
    for pair in 0..case.len() {
        sum += value(pair)?;
    }
    Ok(sum / case.len() as f64)
}
