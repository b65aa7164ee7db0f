//! The metrics that can be computed.

mod spelling;

use nbrevive_corpus::Direction::{Maximize, Minimize};
use nbrevive_corpus::{Direction, Prediction};

/// How a submission is scored.
///
/// `y` is the truth, `p` the prediction. With several target columns, the first eight are the plain mean of the columns'
/// values. The definitions are at the functions of [`metrics`](crate::metrics).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// The share of rows with `p = y`.
    Accuracy,
    /// The plain mean, over every label that occurs in `y` or `p`, of that label's F1 (0 where it is undefined).
    MacroF1,
    /// The area under the ROC curve: the share of pairs of a positive and a negative row in which the positive row has
    /// the higher `p`, a tie counting one half.
    RocAuc,
    /// The mean of `-ln p` of the true class, with `p` clipped to `[2^-52, 1 - 2^-52]` and not renormalised.
    MulticlassLogLoss,
    /// The root of the mean squared error, in units of the target.
    Rmse,
    /// The root of the mean squared difference of `ln(1 + p)` and `ln(1 + y)`.
    Rmsle,
    /// The mean absolute error, in units of the target.
    Mae,
    /// Cohen's kappa with squared weights; the distance of two labels is that of their places in the sorted list of
    /// labels that occur.
    QuadraticWeightedKappa,
    /// The share of rows whose first predicted label is not the true one.
    Top1Error,
    /// F1 pooled over classes where each row has one label: the share of rows with `p = y`.
    MicroF1SingleLabel,
    /// Matthews' correlation of labels.
    MatthewsCorrcoef,
    /// The plain mean of the columns' areas under the ROC curve.
    MeanColumnwiseRocAuc,
    /// The area under the ROC curve with double weight up to a true positive rate of 0.4.
    WeightedRocAuc,
    /// A quarter each of the area over all rows and of three power means over identities (see `metrics`).
    JigsawBiasAuc,
    /// The mean of `-(y ln p + (1 - y) ln(1 - p))`, clipped as the loss of several classes.
    BinaryLogLoss,
    /// The mean over units of their targets' binary losses, weighted by target.
    WeightedMultilabelLogLoss,
    /// The mean over rows of the divergence of the predicted from the true class shares, in nats.
    KlDivergenceRowMean,
    /// Label-weighted label-ranking average precision.
    Lwlrap,
    /// F1 with every probability counted as a share of a detection.
    ProbabilisticF1,
    /// The mean absolute error rounded to a whole number, halves to the even one.
    MaeRoundedInt,
    /// The mean over groups of the logarithm of their mean absolute error.
    MeanLogMaeByGroup,
    /// The plain mean of the columns' root mean squared logarithmic errors.
    MeanColumnwiseRmsle,
    /// The plain mean of the columns' root mean squared errors.
    Mcrmse,
    /// Pearson's r.
    Pearson,
    /// The plain mean of the columns' rank correlations.
    MeanColumnwiseSpearman,
    /// The likelihood of a value within the confidence that was given with it.
    ModifiedLaplaceLogLikelihood,
    /// The mean angle between two directions, in radians.
    MeanAngularError,
    /// The mean over trips of the mean of the 50th and 95th percentile of distances, in metres.
    HaversineP50P95Mean,
    /// The share of replies to questions that agree with the annotation.
    NqMicroF1,
    /// F1 pooled over the names of all rows.
    MicroF1Multilabel,
    /// The mean over rows of average precision of the first 5 names.
    MapAt5,
    /// The mean over rows of average precision of the first 12 names.
    MapAt12,
    /// Kendall's tau of orders, pooled over rows.
    KendallTauPooled,
    /// The mean number of edits of characters.
    MeanLevenshtein,
    /// Edits of tokens by the number of true tokens; may exceed 1.
    NormalizedTokenLevenshtein,
    /// The mean over rows of shared words by all words; two empty texts have no value.
    MeanWordJaccard,
    /// The same, where two empty texts count as 0.
    MeanWordJaccardBinarized,
    /// The mean over images of twice the shared pixels by all pixels of both masks.
    MeanDiceRle,
    /// The same over the pixels of all images at once.
    GlobalDiceRle,
    /// The mean over images of F with precision counting twice recall, over pixels.
    FHalfRle,
    /// 0.4 of the mean Dice coefficient and 0.6 of one less the mean Hausdorff distance of volumes.
    DiceHausdorff3d,
    /// The mean over images of the share of thresholds that the overlap of masks exceeds.
    MeanPrecisionIouThresholds,
    /// F1 of characters, found when a point lies in their box.
    KuzushijiCenterF1,
    /// The mean over classes of average precision of boxes that overlap by more than half.
    MapVoc2010,
    /// COCO's average precision of boxes at an overlap of 0.4.
    CocoAp,
    /// The mean over scenes of average precision of boxes in space at overlaps from 0.5 to 0.95.
    Map3d,
}

/// What is known of a metric.
struct About {
    name: &'static str,
    direction: Direction,
    worst: f64,
    best: f64,
}

const fn about(name: &'static str, direction: Direction, worst: f64, best: f64) -> About {
    About { name, direction, worst, best }
}

impl Metric {
    /// Every metric.
    pub const ALL: [Metric; 46] = [
        Metric::Accuracy,
        Metric::MacroF1,
        Metric::RocAuc,
        Metric::MulticlassLogLoss,
        Metric::Rmse,
        Metric::Rmsle,
        Metric::Mae,
        Metric::QuadraticWeightedKappa,
        Metric::Top1Error,
        Metric::MicroF1SingleLabel,
        Metric::MatthewsCorrcoef,
        Metric::MeanColumnwiseRocAuc,
        Metric::WeightedRocAuc,
        Metric::JigsawBiasAuc,
        Metric::BinaryLogLoss,
        Metric::WeightedMultilabelLogLoss,
        Metric::KlDivergenceRowMean,
        Metric::Lwlrap,
        Metric::ProbabilisticF1,
        Metric::MaeRoundedInt,
        Metric::MeanLogMaeByGroup,
        Metric::MeanColumnwiseRmsle,
        Metric::Mcrmse,
        Metric::Pearson,
        Metric::MeanColumnwiseSpearman,
        Metric::ModifiedLaplaceLogLikelihood,
        Metric::MeanAngularError,
        Metric::HaversineP50P95Mean,
        Metric::NqMicroF1,
        Metric::MicroF1Multilabel,
        Metric::MapAt5,
        Metric::MapAt12,
        Metric::KendallTauPooled,
        Metric::MeanLevenshtein,
        Metric::NormalizedTokenLevenshtein,
        Metric::MeanWordJaccard,
        Metric::MeanWordJaccardBinarized,
        Metric::MeanDiceRle,
        Metric::GlobalDiceRle,
        Metric::FHalfRle,
        Metric::DiceHausdorff3d,
        Metric::MeanPrecisionIouThresholds,
        Metric::KuzushijiCenterF1,
        Metric::MapVoc2010,
        Metric::CocoAp,
        Metric::Map3d,
    ];

    const fn about(self) -> About {
        match self {
            Metric::Accuracy => about("accuracy", Maximize, 0.0, 1.0),
            Metric::MacroF1 => about("macro_f1", Maximize, 0.0, 1.0),
            Metric::RocAuc => about("roc_auc", Maximize, 0.0, 1.0),
            Metric::MulticlassLogLoss => about("multiclass_log_loss", Minimize, 36.043_653_389_117_15, 0.0),
            Metric::Rmse => about("rmse", Minimize, f64::INFINITY, 0.0),
            Metric::Rmsle => about("rmsle", Minimize, f64::INFINITY, 0.0),
            Metric::Mae => about("mae", Minimize, f64::INFINITY, 0.0),
            Metric::QuadraticWeightedKappa => about("quadratic_weighted_kappa", Maximize, -1.0, 1.0),
            Metric::Top1Error => about("top1_error", Minimize, 1.0, 0.0),
            Metric::MicroF1SingleLabel => about("micro_f1_singlelabel", Maximize, 0.0, 1.0),
            Metric::MatthewsCorrcoef => about("matthews_corrcoef", Maximize, -1.0, 1.0),
            Metric::MeanColumnwiseRocAuc => about("mean_columnwise_roc_auc", Maximize, 0.0, 1.0),
            Metric::WeightedRocAuc => about("weighted_roc_auc", Maximize, 0.0, 1.0),
            Metric::JigsawBiasAuc => about("jigsaw_bias_auc", Maximize, 0.0, 1.0),
            Metric::BinaryLogLoss => about("binary_log_loss", Minimize, 36.043_653_389_117_15, 0.0),
            Metric::WeightedMultilabelLogLoss => {
                about("weighted_multilabel_log_loss", Minimize, 34.538_776_394_910_684, 0.0)
            }
            Metric::KlDivergenceRowMean => about("kl_divergence_row_mean", Minimize, f64::INFINITY, 0.0),
            Metric::Lwlrap => about("lwlrap", Maximize, 0.0, 1.0),
            Metric::ProbabilisticF1 => about("probabilistic_f1", Maximize, 0.0, 1.0),
            Metric::MaeRoundedInt => about("mae_rounded_int", Minimize, f64::INFINITY, 0.0),
            Metric::MeanLogMaeByGroup => about("mean_log_mae_by_group", Minimize, f64::INFINITY, f64::NEG_INFINITY),
            Metric::MeanColumnwiseRmsle => about("mean_columnwise_rmsle", Minimize, f64::INFINITY, 0.0),
            Metric::Mcrmse => about("mcrmse", Minimize, f64::INFINITY, 0.0),
            Metric::Pearson => about("pearson", Maximize, -1.0, 1.0),
            Metric::MeanColumnwiseSpearman => about("mean_columnwise_spearman", Maximize, -1.0, 1.0),
            Metric::ModifiedLaplaceLogLikelihood => {
                about("modified_laplace_log_likelihood", Maximize, f64::NEG_INFINITY, -4.595_068_832_268_599)
            }
            Metric::MeanAngularError => about("mean_angular_error", Minimize, std::f64::consts::PI, 0.0),
            Metric::HaversineP50P95Mean => about("haversine_p50_p95_mean", Minimize, f64::INFINITY, 0.0),
            Metric::NqMicroF1 => about("nq_micro_f1", Maximize, 0.0, 1.0),
            Metric::MicroF1Multilabel => about("micro_f1_multilabel", Maximize, 0.0, 1.0),
            Metric::MapAt5 => about("map_at_5", Maximize, 0.0, 1.0),
            Metric::MapAt12 => about("map_at_12", Maximize, 0.0, 1.0),
            Metric::KendallTauPooled => about("kendall_tau_pooled", Maximize, -1.0, 1.0),
            Metric::MeanLevenshtein => about("mean_levenshtein", Minimize, f64::INFINITY, 0.0),
            Metric::NormalizedTokenLevenshtein => about("normalized_token_levenshtein", Minimize, f64::INFINITY, 0.0),
            Metric::MeanWordJaccard => about("mean_word_jaccard", Maximize, 0.0, 1.0),
            Metric::MeanWordJaccardBinarized => about("mean_word_jaccard_binarized", Maximize, 0.0, 1.0),
            Metric::MeanDiceRle => about("mean_dice_rle", Maximize, 0.0, 1.0),
            Metric::GlobalDiceRle => about("global_dice_rle", Maximize, 0.0, 1.0),
            Metric::FHalfRle => about("f0.5_rle", Maximize, 0.0, 1.0),
            Metric::DiceHausdorff3d => about("dice_hausdorff_3d", Maximize, 0.0, 1.0),
            Metric::MeanPrecisionIouThresholds => about("mean_precision_iou_thresholds", Maximize, 0.0, 1.0),
            Metric::KuzushijiCenterF1 => about("kuzushiji_center_f1", Maximize, 0.0, 1.0),
            Metric::MapVoc2010 => about("map_voc2010_iou0.5", Maximize, 0.0, 1.0),
            Metric::CocoAp => about("coco_ap_iou0.4", Maximize, -1.0, 1.0),
            Metric::Map3d => about("map_3d_iou_0.5_0.95", Maximize, 0.0, 1.0),
        }
    }

    /// The one spelling of this metric, as in `competition.toml`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.about().name
    }

    /// Which way the metric points.
    #[must_use]
    pub const fn direction(self) -> Direction {
        self.about().direction
    }

    /// The best value there is.
    ///
    /// A perfect submission reaches it, except under log loss, where clipping leaves about `2.2e-16`.
    #[must_use]
    pub const fn best(self) -> f64 {
        self.about().best
    }

    /// How far from the best value a perfect submission may score: rounding, and under COCO's average precision that the very
    /// first box can never be matched (as in the original).
    #[must_use]
    pub const fn best_within(self) -> f64 {
        match self {
            Metric::CocoAp => 0.1,
            _ => 1e-6,
        }
    }

    /// The unit of its values: `1` for pure numbers, `target` for the unit of the target columns, or its name.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Metric::Rmse | Metric::Mae | Metric::MaeRoundedInt | Metric::Mcrmse => "target",
            Metric::MulticlassLogLoss
            | Metric::BinaryLogLoss
            | Metric::WeightedMultilabelLogLoss
            | Metric::KlDivergenceRowMean => "nat",
            Metric::MeanAngularError => "radian",
            Metric::HaversineP50P95Mean => "metre",
            Metric::MeanLevenshtein => "edit",
            _ => "1",
        }
    }

    /// The worst value there is, infinite where there is no bound.
    #[must_use]
    pub const fn worst(self) -> f64 {
        self.about().worst
    }

    /// Whether target columns that hold `prediction` can be scored for a competition of one's own; metrics that need further
    /// columns or another form of answers accept nothing.
    pub(crate) const fn accepts(self, prediction: Prediction) -> bool {
        match self {
            Metric::Accuracy | Metric::MacroF1 | Metric::QuadraticWeightedKappa => {
                matches!(prediction, Prediction::Label)
            }
            Metric::MulticlassLogLoss => matches!(prediction, Prediction::Probability),
            Metric::RocAuc | Metric::Rmse | Metric::Mae => {
                matches!(prediction, Prediction::Probability | Prediction::Value)
            }
            Metric::Rmsle => matches!(prediction, Prediction::Value),
            _ => false,
        }
    }

    /// The smallest and largest number of target columns of a competition of one's own.
    pub(crate) const fn target_count(self) -> (usize, usize) {
        match self {
            Metric::Accuracy | Metric::MacroF1 | Metric::QuadraticWeightedKappa => (1, 1),
            Metric::MulticlassLogLoss => (2, usize::MAX),
            _ => (1, usize::MAX),
        }
    }
}
