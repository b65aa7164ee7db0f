//! Boxes found in images, in the two ways that competitions score them.

use std::cmp::Ordering;

use super::average_precision;

/// A box: left, top, right, bottom, in pixels.
pub type Corners = [f64; 4];

/// A true box with its class.
#[derive(Debug, Clone, PartialEq)]
pub struct Labelled<C> {
    /// The class.
    pub class: C,
    /// The box.
    pub corners: Corners,
}

/// A predicted box with its class and the confidence in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection<C> {
    /// The class.
    pub class: C,
    /// The confidence: higher comes first.
    pub confidence: f64,
    /// The box.
    pub corners: Corners,
}

/// The boxes of one image.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxedImage<C> {
    /// The true boxes.
    pub truth: Vec<Labelled<C>>,
    /// The predicted boxes.
    pub predicted: Vec<Detection<C>>,
}

/// The mean over the classes of the truth of the [`average_precision`] of their boxes in all images: from 0 to 1, to maximize;
/// 0 without a class.
///
/// In each image, by falling confidence, a prediction takes the free true box of its class that it overlaps most and by more
/// than half of their union. A true box that none takes counts as found with confidence 0, and an image without boxes of the
/// class as one wrong prediction of confidence 0. None when every row of a class is right, for which average precision says
/// nothing. No confidence may be NaN.
///
/// Source: the grader of Kaggle's SIIM-FISABIO-RSNA COVID-19 competition in MLE-bench, after PASCAL VOC 2010.
#[must_use]
pub fn voc_mean_average_precision<C: Ord>(images: &[BoxedImage<C>]) -> Option<f64> {
    let mut classes: Vec<&C> = images.iter().flat_map(|image| image.truth.iter().map(|truth| &truth.class)).collect();
    classes.sort_unstable();
    classes.dedup();
    let mut sum = 0.0;
    for class in &classes {
        let rows: Vec<(f64, bool)> = images.iter().flat_map(|image| voc_rows(image, class)).collect();
        if rows.iter().all(|row| row.1) {
            return None;
        }
        sum += average_precision(rows);
    }
    Some(if classes.is_empty() { 0.0 } else { sum / classes.len() as f64 })
}

fn voc_rows<C: PartialEq>(BoxedImage { truth, predicted }: &BoxedImage<C>, class: &C) -> Vec<(f64, bool)> {
    let mut free: Vec<&Corners> = truth.iter().filter(|own| own.class == *class).map(|own| &own.corners).collect();
    let mut predicted: Vec<_> = predicted.iter().filter(|own| own.class == *class).collect();
    predicted.sort_by(|left, right| falling(left.confidence, right.confidence));
    let mut rows = Vec::with_capacity(predicted.len());
    for detection in predicted {
        let mut best = (0.5, None);
        for (place, corners) in free.iter().enumerate() {
            let overlap = intersection_over_union(&detection.corners, corners);
            if overlap > best.0 {
                best = (overlap, Some(place));
            }
        }
        if let Some(place) = best.1 {
            free.remove(place);
        }
        rows.push((detection.confidence, best.1.is_some()));
    }
    rows.extend(free.iter().map(|_| (0.0, true)));
    if rows.is_empty() {
        rows.push((0.0, false));
    }
    rows
}

/// By falling confidence; unlike `total_cmp`, -0 equals 0. What is NaN equals all.
pub(super) fn falling(left: f64, right: f64) -> Ordering {
    right.partial_cmp(&left).unwrap_or(Ordering::Equal)
}

fn intersection_over_union(one: &Corners, other: &Corners) -> f64 {
    let width = (one[2].min(other[2]) - one[0].max(other[0])).max(0.0);
    let height = (one[3].min(other[3]) - one[1].max(other[1])).max(0.0);
    let area = |corners: &Corners| (corners[2] - corners[0]) * (corners[3] - corners[1]);
    let union = area(one) + area(other) - width * height;
    if union > 0.0 { width * height / union } else { 0.0 }
}

/// The most predictions of a class in an image that COCO looks at.
const MOST_DETECTIONS: usize = 100;

/// The overlap from which on a box is found.
const COCO_OVERLAP: f64 = 0.4;

/// The class of a true box that has none: it is not scored.
pub const NO_CLASS: i64 = i64::MAX;

/// COCO's average precision at one overlap, 0.4, over 101 recalls: from 0 to 1, to maximize; the mean over the classes that
/// have a true box that counts, or -1 when there is none.
///
/// Three oddities of the public grader are kept. Right and bottom are taken for width and height. COCO numbers boxes from 1,
/// the grader from 0: the first true box of the first image is never found, and the first prediction of the submission, whose
/// image and place there `first` names, leaves the box it finds to others. And a box whose area, by its corners, is below 0 or
/// above 1e10 is ignored when true, and ignored when predicted and not right.
///
/// `images` are in the order in which the answers name them first; predictions in that of the submission.
///
/// Source: the grader of Kaggle's VinBigData competition in MLE-bench, which calls pycocotools.
#[must_use]
pub fn coco_average_precision(images: &[BoxedImage<i64>], first: Option<(usize, usize)>) -> f64 {
    let mut classes: Vec<i64> = images.iter().flat_map(|image| image.truth.iter().map(|own| own.class)).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.retain(|class| *class != NO_CLASS);
    let scores: Vec<f64> = classes.iter().filter_map(|&class| coco_class(images, class, first)).collect();
    if scores.is_empty() { -1.0 } else { scores.iter().sum::<f64>() / scores.len() as f64 }
}

/// The average precision of one class; none when it has no true box that counts.
fn coco_class(images: &[BoxedImage<i64>], class: i64, first: Option<(usize, usize)>) -> Option<f64> {
    let mut rows: Vec<(f64, bool)> = Vec::new();
    let mut boxes = 0_usize;
    for (place, image) in images.iter().enumerate() {
        boxes += image.truth.iter().filter(|own| own.class == class && !is_ignored(&own.corners)).count();
        let first = first.filter(|first| first.0 == place).map(|first| first.1);
        rows.extend(coco_rows(image, class, place == 0, first));
    }
    if boxes == 0 {
        return None;
    }
    rows.sort_by(|left, right| falling(left.0, right.0));
    let (mut found, mut curve) = (0_usize, Vec::with_capacity(rows.len()));
    for (seen, (_, right)) in rows.iter().enumerate() {
        found += usize::from(*right);
        curve.push((found as f64 / boxes as f64, found as f64 / ((seen + 1) as f64 + f64::EPSILON)));
    }
    for place in (1..curve.len()).rev() {
        curve[place - 1].1 = curve[place].1.max(curve[place - 1].1);
    }
    let at = |percent: u32| {
        // As numpy's linspace spells them.
        let recall = if percent == 100 { 1.0 } else { f64::from(percent) * 0.01 };
        curve.get(curve.partition_point(|point| point.0 < recall)).map_or(0.0, |point| point.1)
    };
    Some((0..=100).map(at).sum::<f64>() / 101.0)
}

/// Which predictions of a class in an image are right, without those that are ignored.
fn coco_rows(image: &BoxedImage<i64>, class: i64, is_first_image: bool, first: Option<usize>) -> Vec<(f64, bool)> {
    let of_class = image.truth.iter().enumerate().filter(|(_, own)| own.class == class);
    let mut free: Vec<(usize, &Corners)> = of_class.map(|(place, own)| (place, &own.corners)).collect();
    // Those that are ignored come last, as a prediction takes one only where no other is left.
    free.sort_by_key(|(_, corners)| is_ignored(corners));
    let mut predicted: Vec<_> = image.predicted.iter().enumerate().filter(|(_, own)| own.class == class).collect();
    predicted.sort_by(|left, right| falling(left.1.confidence, right.1.confidence));
    predicted.truncate(MOST_DETECTIONS);
    let mut rows = Vec::with_capacity(predicted.len());
    for (place, detection) in predicted {
        let slot = coco_slot(&detection.corners, &free);
        let found = slot.map(|slot| free[slot]);
        let counts = match found {
            Some((_, corners)) if is_ignored(corners) => None,
            Some((number, _)) if !(is_first_image && number == 0) => Some(true),
            _ => (!is_ignored(&detection.corners)).then_some(false),
        };
        rows.extend(counts.map(|right| (detection.confidence, right)));
        if let Some(slot) = slot.filter(|_| first != Some(place)) {
            free.remove(slot);
        }
    }
    rows
}

/// The place among the free boxes of the one that a prediction takes.
fn coco_slot(own: &Corners, free: &[(usize, &Corners)]) -> Option<usize> {
    let (mut most, mut slot) = (COCO_OVERLAP, None);
    for (place, (_, corners)) in free.iter().enumerate() {
        if is_ignored(corners) && slot.is_some_and(|slot: usize| !is_ignored(free[slot].1)) {
            break;
        }
        let overlap = width_height_overlap(own, corners);
        // An overlap that is NaN is taken, as in COCO.
        if overlap < most {
            continue;
        }
        (most, slot) = (overlap, Some(place));
    }
    slot
}

/// Outside of COCO's range of areas called "all", with the area that the grader computes from the corners.
fn is_ignored(corners: &Corners) -> bool {
    let area = (corners[2] - corners[0]) * (corners[3] - corners[1]);
    !area.is_nan() && !(0.0..=1e10).contains(&area)
}

/// The overlap of boxes whose third and fourth number are taken for width and height.
fn width_height_overlap(one: &Corners, other: &Corners) -> f64 {
    let width = (one[0] + one[2]).min(other[0] + other[2]) - one[0].max(other[0]);
    let height = (one[1] + one[3]).min(other[1] + other[3]) - one[1].max(other[1]);
    if width <= 0.0 || height <= 0.0 {
        return 0.0;
    }
    width * height / (one[2] * one[3] + other[2] * other[3] - width * height)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(truth: &[Corners], predicted: &[(f64, Corners)]) -> BoxedImage<i64> {
        let truth = truth.iter().map(|&corners| Labelled { class: 1, corners }).collect();
        let detection = |&(confidence, corners)| Detection { class: 1, confidence, corners };
        BoxedImage { truth, predicted: predicted.iter().map(detection).collect() }
    }

    #[test]
    fn voc_takes_each_box_once() {
        let corners = [0.0, 0.0, 10.0, 10.0];
        let twice = image(&[corners], &[(0.9, corners), (0.8, corners)]);
        assert_eq!(voc_mean_average_precision(&[twice]), Some(1.0));
        let missed = image(&[corners], &[(0.9, [20.0, 20.0, 30.0, 30.0])]);
        assert_eq!(voc_mean_average_precision(&[missed]), Some(0.5));
        assert_eq!(voc_mean_average_precision(&[image(&[corners], &[(0.9, corners)])]), None);
    }

    #[test]
    fn coco_counts_from_one() {
        let corners = [5.0, 5.0, 10.0, 10.0];
        let found = image(&[corners], &[(0.9, corners)]);
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        close(coco_average_precision(std::slice::from_ref(&found), Some((0, 0))), 0.0);
        close(coco_average_precision(&[image(&[], &[]), found], Some((1, 0))), 1.0);
        let twice = image(&[corners], &[(0.9, corners), (0.8, corners)]);
        close(coco_average_precision(&[image(&[], &[]), twice.clone()], Some((1, 0))), 1.0);
        close(coco_average_precision(&[image(&[], &[]), twice], None), 1.0);
        close(coco_average_precision(&[], None), -1.0);
        let nowhere = image(&[corners], &[(0.0, [5.0, f64::NAN, 10.0, f64::NAN]), (-0.0, [90.0, 90.0, 1.0, 1.0])]);
        close(coco_average_precision(&[image(&[], &[]), nowhere], None), 1.0);
    }
}
