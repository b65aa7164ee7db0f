//! From a checked submission to its score: which cells a metric takes, and what it cannot take.

mod detections;
mod labels;
mod masks;
mod numbers;
mod probabilities;
mod texts;

use crate::mle::case::Case;
use crate::{Invalid, Metric};

/// The score of a submission that passed its competition's checks.
pub(crate) fn score(case: &Case<'_>) -> Result<f64, Invalid> {
    match case.answers.rules.metric {
        Metric::Accuracy => labels::accuracy(case),
        Metric::MicroF1SingleLabel => labels::single_label(case),
        Metric::Top1Error => labels::top1_error(case),
        Metric::MacroF1 => labels::macro_f1(case),
        Metric::QuadraticWeightedKappa => labels::kappa(case),
        Metric::MatthewsCorrcoef => labels::matthews(case),
        Metric::RocAuc | Metric::MeanColumnwiseRocAuc => probabilities::roc_auc(case),
        Metric::WeightedRocAuc => probabilities::weighted_roc_auc(case),
        Metric::JigsawBiasAuc => probabilities::bias_auc(case),
        Metric::BinaryLogLoss => probabilities::binary_log_loss(case),
        Metric::MulticlassLogLoss => probabilities::multiclass_log_loss(case),
        Metric::WeightedMultilabelLogLoss => probabilities::weighted_log_loss(case),
        Metric::KlDivergenceRowMean => probabilities::kl_divergence(case),
        Metric::Lwlrap => probabilities::lwlrap(case),
        Metric::ProbabilisticF1 => probabilities::probabilistic_f1(case),
        Metric::Rmse | Metric::Rmsle | Metric::Mae => numbers::error(case),
        Metric::MaeRoundedInt => numbers::rounded_mae(case),
        Metric::MeanLogMaeByGroup => numbers::log_mae_by_group(case),
        Metric::MeanColumnwiseRmsle => numbers::mean_rmsle(case),
        Metric::Mcrmse => numbers::mcrmse(case),
        Metric::Pearson => numbers::pearson(case),
        Metric::MeanColumnwiseSpearman => numbers::mean_spearman(case),
        Metric::ModifiedLaplaceLogLikelihood => numbers::laplace(case),
        Metric::MeanAngularError => numbers::angular_error(case),
        Metric::HaversineP50P95Mean => numbers::haversine(case),
        Metric::NqMicroF1 => texts::questions(case),
        Metric::MicroF1Multilabel => texts::micro_f1(case),
        Metric::MapAt5 => texts::map_at_k(case, 5),
        Metric::MapAt12 => texts::map_at_k(case, 12),
        Metric::KendallTauPooled => texts::cell_order(case),
        Metric::MeanLevenshtein => texts::mean_levenshtein(case),
        Metric::NormalizedTokenLevenshtein => texts::token_levenshtein(case),
        Metric::MeanWordJaccard | Metric::MeanWordJaccardBinarized => texts::word_jaccard(case),
        Metric::MeanDiceRle => masks::mean_dice(case),
        Metric::GlobalDiceRle => masks::global_dice(case),
        Metric::FHalfRle => masks::f_half(case),
        Metric::DiceHausdorff3d => masks::dice_hausdorff(case),
        Metric::MeanPrecisionIouThresholds => masks::precision_over_thresholds(case),
        Metric::KuzushijiCenterF1 => detections::characters(case),
        Metric::MapVoc2010 => detections::voc(case),
        Metric::CocoAp => detections::coco(case),
        Metric::Map3d => detections::boxes_3d(case),
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
