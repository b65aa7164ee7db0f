//! Competitions that ask for boxes or points with their classes.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::metrics::{
    self, Box3, BoxedImage, Character, Detection, Labelled, Matches, Object3, Point, VolumeDetection,
};
use crate::mle::case::Case;
use crate::mle::column::Column;
use crate::{Invalid, python};

/// The tokens of a text in groups of a size, read one by one; none when a group does not fit.
fn groups<'t, T>(
    tokens: impl Iterator<Item = &'t str>,
    size: usize,
    read: impl Fn(&[&'t str]) -> Option<T>,
) -> Option<Vec<T>> {
    let tokens: Vec<&str> = tokens.collect();
    tokens.len().is_multiple_of(size).then(|| tokens.chunks(size).map(read).collect())?
}

fn numbers<const N: usize>(tokens: &[&str]) -> Option<[f64; N]> {
    let mut numbers = [0.0; N];
    for (number, token) in numbers.iter_mut().zip(tokens) {
        *number = python::float(token)?;
    }
    Some(numbers)
}

/// The text of a cell; none when it is missing or no text.
fn text(column: &Column, row: usize) -> Option<&str> {
    column.texts().and_then(|texts| texts.get(row))
}

fn bad_truth(case: &Case<'_>, pair: usize) -> Invalid {
    Invalid::answers(format!("the boxes in row {} cannot be read", case.answer(pair) + 1))
}

pub(crate) fn characters(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    let mut sum = Matches::default();
    for pair in 0..case.len() {
        let row = case.row(pair);
        let points = match text(predicted, row) {
            Some(text) => groups(text.split(' '), 3, |tokens| {
                let [x, y] = numbers(&tokens[1..])?;
                Some(Point { label: tokens[0], at: (x, y) })
            }),
            None => predicted.is_missing(row).then(Vec::new),
        };
        let points = points.ok_or_else(|| case.bad_cell(row, 0, "groups of label, X and Y"))?;
        let answer = case.answer(pair);
        let own = match text(truth, answer) {
            // Without a prediction the true characters are counted and not read.
            Some(text) if predicted.is_missing(row) => {
                sum.missed += text.split(' ').count() as u64 / 5;
                continue;
            }
            Some(text) => groups(text.split(' '), 5, |tokens| {
                let [x, y, width, height] = numbers(&tokens[1..])?;
                Some(Character { label: tokens[0], corner: (x, y), size: (width, height) })
            }),
            None => truth.is_missing(answer).then(Vec::new),
        };
        sum = sum.and(metrics::match_page(&own.ok_or_else(|| bad_truth(case, pair))?, &points));
    }
    Ok(sum.f1())
}

pub(crate) fn voc(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    let boxes = |text: &str| {
        let read = |tokens: &[&str]| {
            let [confidence, left, top, right, bottom] = numbers(&tokens[1..])?;
            Some(Detection { class: tokens[0].to_owned(), confidence, corners: [left, top, right, bottom] })
        };
        groups(python::words(text), 6, read)
    };
    let image = |pair| {
        let row = case.row(pair);
        let needed = "groups of class, confidence, left, top, right and bottom";
        let own = text(truth, case.answer(pair)).and_then(boxes).ok_or_else(|| bad_truth(case, pair))?;
        let predicted = text(predicted, row).and_then(boxes).ok_or_else(|| case.bad_cell(row, 0, needed))?;
        let labelled = |own: Detection<String>| Labelled { class: own.class, corners: own.corners };
        Ok(BoxedImage { truth: own.into_iter().map(labelled).collect(), predicted })
    };
    let images = (0..case.len()).map(image).collect::<Result<Vec<_>, Invalid>>()?;
    let classes: HashSet<&str> = images.iter().flat_map(|image| &image.truth).map(|own| own.class.as_str()).collect();
    let is_sure = |own: &Detection<String>| own.confidence.is_finite() || !classes.contains(own.class.as_str());
    if let Some(pair) = images.iter().position(|image| !image.predicted.iter().all(is_sure)) {
        return Err(case.bad_cell(case.row(pair), 0, "boxes with finite confidences"));
    }
    let why = "every box of a class was found, for which average precision says nothing";
    metrics::voc_mean_average_precision(&images).ok_or(Invalid::Undefined { why })
}

/// Answers have one box a row; the submission has one row an image, and a row that repeats adds its boxes.
pub(crate) fn coco(case: &Case<'_>) -> Result<f64, Invalid> {
    let ids = case.answer_ids()?;
    let mut columns = Vec::with_capacity(4);
    for name in ["x_min", "y_min", "x_max", "y_max"] {
        let numbers = case.further(name)?.numbers().filter(|numbers| !numbers.iter().any(|number| number.is_nan()));
        columns.push(numbers.ok_or_else(|| Invalid::answers(format!("column `{name}` does not hold numbers alone")))?);
    }
    let classes = coco_classes(case.further("class_id")?);
    let classes = classes.ok_or_else(|| Invalid::answers("`class_id` holds words, but not in each row".to_owned()))?;
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut images: Vec<BoxedImage<i64>> = Vec::new();
    for (row, class) in classes.into_iter().enumerate() {
        let first = case.answers.ids.first(ids, row).ok_or_else(|| Invalid::answers("an id is missing".to_owned()))?;
        let place = *places.entry(first).or_insert_with(|| {
            images.push(BoxedImage { truth: Vec::new(), predicted: Vec::new() });
            images.len() - 1
        });
        let corners = [0, 1, 2, 3].map(|column| columns[column][row]);
        images[place].truth.push(Labelled { class, corners });
    }
    let predicted = case.predicted(0)?;
    let mut first = None;
    for row in 0..case.frame.rows() {
        let needed = "groups of class, confidence, left, top, right and bottom";
        let boxes = text(predicted, row).and_then(coco_boxes).ok_or_else(|| case.bad_cell(row, 0, needed))?;
        let place = places[&case.answer(row)];
        first.get_or_insert((place, images[place].predicted.len()));
        images[place].predicted.extend(boxes);
    }
    Ok(metrics::coco_average_precision(&images, first))
}

/// The classes of the answers, of which one that is no whole number is like none of a submission. None when some are words and
/// one is missing.
fn coco_classes(column: &Column) -> Option<Vec<i64>> {
    let mut others: HashMap<Cow<'_, str>, i64> = HashMap::new();
    let numbers = column.numbers();
    let mut class = |row: usize| match numbers.as_ref().map(|numbers| numbers[row]) {
        Some(number) if number.fract() == 0.0 => Some(number as i64),
        Some(number) if number.is_nan() => Some(metrics::NO_CLASS),
        None if column.is_missing(row) => None,
        _ => {
            let next = i64::MIN + others.len() as i64;
            Some(*others.entry(column.text(row)).or_insert(next))
        }
    };
    (0..column.len()).map(&mut class).collect()
}

fn coco_boxes(text: &str) -> Option<Vec<Detection<i64>>> {
    groups(text.split(' '), 6, |tokens| {
        let [class, confidence, left, top, right, bottom] = numbers(tokens)?;
        let usable = class.is_finite() && !confidence.is_nan();
        usable.then_some(Detection { class: class as i64, confidence, corners: [left, top, right, bottom] })
    })
}

pub(crate) fn boxes_3d(case: &Case<'_>) -> Result<f64, Invalid> {
    let (truth, predicted) = (case.truth(0)?, case.predicted(0)?);
    super::mean(case, |pair| {
        let own = text(truth, case.answer(pair)).and_then(detections_3d).ok_or_else(|| bad_truth(case, pair))?;
        let row = case.row(pair);
        let found = match text(predicted, row) {
            Some(text) => detections_3d(text),
            None => predicted.is_missing(row).then(Vec::new),
        };
        let mut found = found.ok_or_else(|| {
            case.bad_cell(row, 0, "groups of confidence, centre (3), width, length, height, yaw and class")
        })?;
        let own: Vec<Object3<'_>> = own.into_iter().map(|own| Object3 { class: own.class, place: own.place }).collect();
        // Boxes of classes that the truth does not have are never looked at.
        found.retain(|found| own.iter().any(|own| own.class == found.class));
        let is_met = |own: &&Object3<'_>| found.iter().any(|found| own.class == found.class);
        if !own.iter().filter(is_met).all(|own| is_possible(&own.place)) {
            return Err(bad_truth(case, pair));
        }
        // The original wants to name each box by a text.
        if !found.is_empty() && text(case.ids()?, row).is_none() {
            return Err(case.not_text(case.ids()?, &case.answers.rules.id_column));
        }
        if !found.iter().all(|found| is_possible(&found.place)) {
            return Err(case.bad_cell(row, 0, "boxes at a place, with sizes above 0"));
        }
        Ok(metrics::mean_average_precision_3d(&own, &found))
    })
}

fn detections_3d(text: &str) -> Option<Vec<VolumeDetection<'_>>> {
    if python::words(text).next().is_none() {
        return Some(Vec::new());
    }
    groups(text.split(' '), 9, |tokens| {
        let [confidence, x, y, z, width, length, height, yaw] = numbers(tokens)?;
        let place = Box3 { centre: [x, y, z], size: [width, length, height], yaw };
        (!confidence.is_nan()).then_some(VolumeDetection { class: tokens[8], confidence, place })
    })
}

/// Whether the original makes a box of it: a base with right angles, as far as numbers show it, and sides above 0; how high it is
/// or stands may be infinite.
fn is_possible(place: &Box3) -> bool {
    /// How far from right an angle may be.
    const WITHIN: f64 = 1e-8;
    let ([x, y, z], [width, length, height], (sin, cos)) = (place.centre, place.size, place.yaw.sin_cos());
    let corner = |along: f64, across: f64| {
        let (along, across) = (along * (length / 2.0), across * (width / 2.0));
        (x + along * cos + across * sin, y + along * sin - across * cos)
    };
    let corners = [corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0), corner(-1.0, 1.0)];
    let is_right = |place: usize| {
        let (own, next, last) = (corners[place], corners[(place + 1) % 4], corners[(place + 3) % 4]);
        ((next.0 - own.0) * (last.0 - own.0) + (next.1 - own.1) * (last.1 - own.1)).abs() <= WITHIN
    };
    (0..4).all(is_right) && !z.is_nan() && [width, length, height].iter().all(|&side| side > 0.0)
}
