//! The metrics that can be computed: a row each.

#![deny(clippy::wildcard_enum_match_arm)]

mod needs;
mod scorer;

use nbrevive_corpus::Direction;
use nbrevive_corpus::Direction::{Maximize, Minimize};

use crate::check::Check;
use crate::metrics;
use needs::{ANY, ONE, SOME, TWO};
pub(crate) use needs::{AnswersForm, Needs, in_words};
pub(crate) use scorer::Scorer;
use scorer::Scorer::{Classes, Labels, NotNegative, Numbers, Positives, WholeLabels};

/// What is known of a metric; see the methods of [`Metric`].
struct About {
    direction: Direction,
    worst: f64,
    best: f64,
    unit: &'static str,
    best_within: f64,
    needs: Needs,
    scorer: Option<Scorer>,
}

/// The worst and the best value.
type Bounds = (f64, f64);

const SHARE: Bounds = (0.0, 1.0);
const SIGNED_SHARE: Bounds = (-1.0, 1.0);
const ERROR: Bounds = (f64::INFINITY, 0.0);
/// A perfect probability of the wrong class is clipped to `2^-52`.
const LOG_LOSS: Bounds = (36.043_653_389_117_15, 0.0);

/// How far sums of rounded numbers may be from the best value.
const ROUNDING: f64 = 1e-6;

const fn about(
    direction: Direction,
    (worst, best): Bounds,
    unit: &'static str,
    best_within: f64,
    needs: Needs,
    scorer: Option<Scorer>,
) -> About {
    About { direction, worst, best, unit, best_within, needs, scorer }
}

nbrevive_corpus::string_enum! {
    /// How a submission is scored.
    ///
    /// `y` is the truth, `p` the prediction. With several target columns, the first eight are the plain mean of the columns'
    /// values. The definitions are at the functions of [`metrics`](crate::metrics).
    pub enum Metric ("metric"): About {
        /// The share of rows with `p = y`.
        Accuracy => "accuracy",
            about(Maximize, SHARE, "1", ROUNDING, ONE, Some(Labels(metrics::accuracy)));
        /// The plain mean, over every label that occurs in `y` or `p`, of that label's F1 (0 where it is undefined).
        MacroF1 => "macro_f1",
            about(Maximize, SHARE, "1", ROUNDING, ONE, Some(Labels(metrics::macro_f1)));
        /// The area under the ROC curve: the share of pairs of a positive and a negative row in which the positive row has
        /// the higher `p`, a tie counting one half.
        RocAuc => "roc_auc",
            about(Maximize, SHARE, "1", ROUNDING, ANY, Some(Positives(metrics::roc_auc)));
        /// The mean of `-ln p` of the true class, with `p` clipped to `[2^-52, 1 - 2^-52]` and not renormalised.
        MulticlassLogLoss => "multiclass_log_loss",
            about(Minimize, LOG_LOSS, "nat", ROUNDING, ANY, Some(Classes(metrics::multiclass_log_loss)));
        /// The root of the mean squared error, in units of the target.
        Rmse => "rmse",
            about(Minimize, ERROR, "target", ROUNDING, ONE, Some(Numbers(metrics::rmse)));
        /// The root of the mean squared difference of `ln(1 + p)` and `ln(1 + y)`.
        Rmsle => "rmsle",
            about(Minimize, ERROR, "1", ROUNDING, ONE, Some(NotNegative(metrics::rmsle)));
        /// The mean absolute error, in units of the target.
        Mae => "mae",
            about(Minimize, ERROR, "target", ROUNDING, ONE, Some(Numbers(metrics::mae)));
        /// Cohen's kappa with squared weights; the distance of two labels is that of their places in the sorted list of
        /// labels that occur.
        QuadraticWeightedKappa => "quadratic_weighted_kappa",
            about(Maximize, SIGNED_SHARE, "1", ROUNDING, ONE, Some(WholeLabels(metrics::quadratic_weighted_kappa)));
        /// The share of rows whose first predicted label is not the true one.
        Top1Error => "top1_error", about(Minimize, (1.0, 0.0), "1", ROUNDING, ONE, None);
        /// F1 pooled over classes where each row has one label: the share of rows with `p = y`.
        MicroF1SingleLabel => "micro_f1_singlelabel",
            about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// Matthews' correlation of labels.
        MatthewsCorrcoef => "matthews_corrcoef",
            about(Maximize, SIGNED_SHARE, "1", ROUNDING, ONE, None);
        /// The plain mean of the columns' areas under the ROC curve.
        MeanColumnwiseRocAuc => "mean_columnwise_roc_auc",
            about(Maximize, SHARE, "1", ROUNDING, ANY, None);
        /// The area under the ROC curve with double weight up to a true positive rate of 0.4.
        WeightedRocAuc => "weighted_roc_auc",
            about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// A quarter each of the area over all rows and of three power means over identities (see `metrics`).
        JigsawBiasAuc => "jigsaw_bias_auc",
            about(
                Maximize, SHARE, "1", ROUNDING,
                Needs { further: Some("whether a row is about an identity"), ..ONE },
                None,
            );
        /// The mean of `-(y ln p + (1 - y) ln(1 - p))`, clipped as the loss of several classes.
        BinaryLogLoss => "binary_log_loss",
            about(Minimize, LOG_LOSS, "nat", ROUNDING, ONE, None);
        /// The mean over units of their targets' binary losses, weighted by target.
        WeightedMultilabelLogLoss => "weighted_multilabel_log_loss",
            about(Minimize, (34.538_776_394_910_684, 0.0), "nat", ROUNDING, ONE, None);
        /// The mean over rows of the divergence of the predicted from the true class shares, in nats.
        KlDivergenceRowMean => "kl_divergence_row_mean",
            about(
                Minimize, ERROR, "nat", ROUNDING,
                Needs { whole_submission: true, ..ANY },
                None,
            );
        /// Label-weighted label-ranking average precision.
        Lwlrap => "lwlrap", about(Maximize, SHARE, "1", ROUNDING, ANY, None);
        /// F1 with every probability counted as a share of a detection.
        ProbabilisticF1 => "probabilistic_f1",
            about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// The mean absolute error rounded to a whole number, halves to the even one.
        MaeRoundedInt => "mae_rounded_int", about(Minimize, ERROR, "target", ROUNDING, ONE, None);
        /// The mean over groups of the logarithm of their mean absolute error.
        MeanLogMaeByGroup => "mean_log_mae_by_group",
            about(
                Minimize, (f64::INFINITY, f64::NEG_INFINITY), "1", ROUNDING,
                Needs { further: Some("the group of a row"), ..ONE },
                None,
            );
        /// The plain mean of the columns' root mean squared logarithmic errors.
        MeanColumnwiseRmsle => "mean_columnwise_rmsle",
            about(Minimize, ERROR, "1", ROUNDING, ANY, None);
        /// The plain mean of the columns' root mean squared errors.
        Mcrmse => "mcrmse",
            about(
                Minimize, ERROR, "target", ROUNDING,
                Needs { columns: &["keep"], check: Some((Check::Rows, "rows")), ..SOME },
                None,
            );
        /// Pearson's r.
        Pearson => "pearson", about(Maximize, SIGNED_SHARE, "1", ROUNDING, ONE, None);
        /// The plain mean of the columns' rank correlations.
        MeanColumnwiseSpearman => "mean_columnwise_spearman",
            about(Maximize, SIGNED_SHARE, "1", ROUNDING, ANY, None);
        /// The likelihood of a value within the confidence that was given with it.
        ModifiedLaplaceLogLikelihood => "modified_laplace_log_likelihood",
            about(
                Maximize, (f64::NEG_INFINITY, -4.595_068_832_268_599), "1", ROUNDING,
                Needs { columns: &["Patient"], ..TWO },
                None,
            );
        /// The mean angle between two directions, in radians.
        MeanAngularError => "mean_angular_error",
            about(Minimize, (std::f64::consts::PI, 0.0), "radian", ROUNDING, TWO, None);
        /// The mean over trips of the mean of the 50th and 95th percentile of distances, in metres.
        HaversineP50P95Mean => "haversine_p50_p95_mean",
            about(Minimize, ERROR, "metre", ROUNDING, TWO, None);
        /// The share of replies to questions that agree with the annotation.
        NqMicroF1 => "nq_micro_f1",
            about(
                Maximize, SHARE, "1", ROUNDING,
                Needs { answers: AnswersForm::Questions, ..ONE },
                None,
            );
        /// F1 pooled over the names of all rows.
        MicroF1Multilabel => "micro_f1_multilabel", about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// The mean over rows of average precision of the first 5 names.
        MapAt5 => "map_at_5", about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// The mean over rows of average precision of the first 12 names.
        MapAt12 => "map_at_12", about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// Kendall's tau of orders, pooled over rows.
        KendallTauPooled => "kendall_tau_pooled",
            about(Maximize, SIGNED_SHARE, "1", ROUNDING, ONE, None);
        /// The mean number of edits of characters.
        MeanLevenshtein => "mean_levenshtein",
            about(Minimize, ERROR, "edit", ROUNDING, ONE, None);
        /// Edits of tokens by the number of true tokens; may exceed 1.
        NormalizedTokenLevenshtein => "normalized_token_levenshtein",
            about(Minimize, ERROR, "1", ROUNDING, ONE, None);
        /// The mean over rows of shared words by all words; two empty texts have no value.
        MeanWordJaccard => "mean_word_jaccard",
            about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// The same, where two empty texts count as 0.
        MeanWordJaccardBinarized => "mean_word_jaccard_binarized",
            about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// The mean over images of twice the shared pixels by all pixels of both masks.
        MeanDiceRle => "mean_dice_rle",
            about(
                Maximize, SHARE, "1", ROUNDING,
                Needs { columns: &["height_pixels", "width_pixels"], ..ONE },
                None,
            );
        /// The same over the pixels of all images at once.
        GlobalDiceRle => "global_dice_rle",
            about(
                Maximize, SHARE, "1", ROUNDING,
                Needs { columns: &["height", "width"], ..ONE },
                None,
            );
        /// The mean over images of F with precision counting twice recall, over pixels.
        FHalfRle => "f0.5_rle",
            about(Maximize, SHARE, "1", ROUNDING, Needs { columns: &["height", "width"], ..ONE }, None);
        /// 0.4 of the mean Dice coefficient and 0.6 of one less the mean Hausdorff distance of volumes.
        DiceHausdorff3d => "dice_hausdorff_3d",
            about(
                Maximize, SHARE, "1", ROUNDING,
                Needs { columns: &["image_height", "image_width"], ..ONE },
                None,
            );
        /// The mean over images of the share of thresholds that the overlap of masks exceeds.
        MeanPrecisionIouThresholds => "mean_precision_iou_thresholds",
            about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// F1 of characters, found when a point lies in their box.
        KuzushijiCenterF1 => "kuzushiji_center_f1",
            about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// The mean over classes of average precision of boxes that overlap by more than half.
        MapVoc2010 => "map_voc2010_iou0.5", about(Maximize, SHARE, "1", ROUNDING, ONE, None);
        /// COCO's average precision of boxes at an overlap of 0.4.
        CocoAp => "coco_ap_iou0.4",
            about(
                Maximize, SIGNED_SHARE, "1", 0.1,
                Needs { columns: &["class_id", "x_min", "y_min", "x_max", "y_max"],
                    check: Some((Check::IdsMerged, "ids-merged")), ..ONE },
                None,
            );
        /// The mean over scenes of average precision of boxes in space at overlaps from 0.5 to 0.95.
        Map3d => "map_3d_iou_0.5_0.95", about(Maximize, SHARE, "1", ROUNDING, ONE, None);
    }
}

impl Metric {
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
        self.about().best_within
    }

    /// The unit of its values: `1` for pure numbers, `target` for the unit of the target columns, or its name.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        self.about().unit
    }

    /// The worst value there is, infinite where there is no bound.
    #[must_use]
    pub const fn worst(self) -> f64 {
        self.about().worst
    }

    /// What it needs of a competition that is graded by checks.
    pub(crate) const fn needs(self) -> &'static Needs {
        &self.about().needs
    }

    /// How it scores target columns whose contents a competition states; `None` of metrics that need further columns or another form
    /// of answers.
    pub(crate) const fn scorer(self) -> Option<Scorer> {
        self.about().scorer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answers, GradingTask, grade};

    #[test]
    fn one_spelling_everywhere() {
        for &metric in Metric::ALL {
            assert_eq!(metric.to_string().parse(), Ok(metric));
            let json = serde_json::to_string(&metric).unwrap();
            assert_eq!(json, format!("\"{metric}\""));
            assert_eq!(serde_json::from_str::<Metric>(&json).unwrap(), metric);
        }
    }

    #[test]
    fn an_unknown_metric_names_the_known_ones() {
        let error = "auc".parse::<Metric>().unwrap_err().to_string();
        assert!(error.starts_with("unknown metric `auc`: expected one of accuracy, macro_f1, roc_auc"), "{error}");
    }

    /// A metric that this program does not have.
    #[test]
    fn a_metric_more_is_a_function_and_a_row() {
        fn largest_error(truth: &[f64], predicted: &[f64]) -> f64 {
            truth.iter().zip(predicted).map(|(truth, predicted)| (truth - predicted).abs()).fold(0.0, f64::max)
        }
        const ROW: About = about(Minimize, ERROR, "target", ROUNDING, ONE, Some(Numbers(largest_error)));
        let columns = vec!["y".to_owned()];
        let task = GradingTask::new(Metric::Mae, "id", columns, nbrevive_corpus::Prediction::Value).unwrap();
        let task = GradingTask { scorer: ROW.scorer.unwrap(), ..task };
        let folder = tempfile::tempdir().unwrap();
        let [answers, submission] = ["answers", "submission"].map(|name| folder.path().join(name));
        std::fs::write(&answers, "id,y\n1,2\n2,4\n").unwrap();
        std::fs::write(&submission, "id,y\n2,9\n1,1\n").unwrap();
        let answers = Answers::read(&answers, &task).unwrap();
        assert_eq!(grade(&submission, &answers).unwrap().value(), 5.0);
    }

    #[test]
    fn worst_and_best_are_in_the_direction() {
        for metric in Metric::ALL {
            let (worst, best) = (metric.worst(), metric.best());
            assert_eq!(metric.direction() == Maximize, best > worst, "{metric}");
        }
    }
}
