//! Competitions that ask for masks of images, as runs of pixels.

use std::collections::BTreeMap;

use crate::Invalid;
use crate::metrics::{self, Overlap, Runs};
use crate::mle::case::Case;
use crate::mle::column::Column;

/// Width and height of the images of the TGS salt competition, whose answers do not say it.
const SALT_SIDE: usize = 101;

/// The masks of a case: which texts they are, and what stands for an empty one.
struct Masks<'k, 'c> {
    case: &'k Case<'c>,
    target: usize,
    /// Whether a missing cell is an empty mask, in the submission.
    blank: bool,
    /// A text that is an empty mask.
    empty: &'static str,
}

impl Masks<'_, '_> {
    fn predicted(&self, pair: usize, pixels: usize) -> Result<Runs, Invalid> {
        let row = self.case.row(pair);
        let column = self.case.predicted(self.target)?;
        let text = self.text(column, row, self.blank);
        let text = text.ok_or_else(|| self.case.bad_cell(row, self.target, "a text with runs of pixels"))?;
        Runs::parse(text, pixels).map_err(|error| self.case.bad_cell(row, self.target, error.to_string()))
    }

    fn truth(&self, pair: usize, pixels: usize, blank: bool) -> Result<Runs, Invalid> {
        let row = self.case.answer(pair);
        let bad = |why: String| Invalid::answers(format!("the mask in row {} is not one: {why}", row + 1));
        let text = self.text(self.case.truth(self.target)?, row, blank).ok_or_else(|| bad("no text".to_owned()))?;
        Runs::parse(text, pixels).map_err(|error| bad(error.to_string()))
    }

    fn text<'t>(&self, column: &'t Column, row: usize, blank: bool) -> Option<&'t str> {
        match column.texts() {
            Some(_) => text(column, row).or(blank.then_some("")).map(|text| if text == self.empty { "" } else { text }),
            None => (blank && column.is_blank()).then_some(""),
        }
    }
}

/// The text of a cell; none when it is missing or no text.
fn text(column: &Column, row: usize) -> Option<&str> {
    column.texts().and_then(|texts| texts.get(row))
}

/// The texts of the first rows; none when one of them is missing or no text.
fn texts(column: &Column, count: usize) -> Option<Vec<&str>> {
    (0..count).map(|row| text(column, row)).collect()
}

/// Height and width of the image of each answer, by two columns of the answers.
fn sizes(case: &Case<'_>, height: &str, width: &str) -> Result<Vec<(usize, usize)>, Invalid> {
    let column = |name: &str| {
        let numbers = case.further(name)?.numbers();
        numbers.ok_or_else(|| Invalid::answers(format!("column `{name}` does not hold numbers")))
    };
    let (heights, widths) = (column(height)?, column(width)?);
    let size = |row: usize| {
        let (height, width) = (heights[row], widths[row]);
        let size = (height as usize, width as usize);
        let is_size = height >= 0.0 && width >= 0.0 && size.0.checked_mul(size.1).is_some();
        is_size
            .then_some(size)
            .ok_or_else(|| Invalid::answers(format!("an image cannot have {height} by {width} pixels")))
    };
    (0..heights.len()).map(size).collect()
}

pub(crate) fn mean_dice(case: &Case<'_>) -> Result<f64, Invalid> {
    let masks = Masks { case, target: 0, blank: true, empty: "" };
    let sizes = sizes(case, "height_pixels", "width_pixels")?;
    if let Some(name) = ["height_pixels", "width_pixels"].into_iter().find(|name| !is_whole(case, name)) {
        return Err(Invalid::answers(format!("column `{name}` does not hold whole numbers")));
    }
    super::mean(case, |pair| {
        let (height, width) = sizes[case.answer(pair)];
        let pixels = height * width;
        let overlap = masks.truth(pair, pixels, false)?.overlap(&masks.predicted(pair, pixels)?);
        Ok(metrics::dice(overlap).unwrap_or(1.0))
    })
}

fn is_whole(case: &Case<'_>, name: &str) -> bool {
    matches!(case.further(name), Ok(Column::Whole(_)))
}

/// One coefficient over the pixels of all images; NaN when all masks are empty.
pub(crate) fn global_dice(case: &Case<'_>) -> Result<f64, Invalid> {
    let masks = Masks { case, target: 0, blank: false, empty: "-" };
    let sizes = sizes(case, "height", "width")?;
    if sizes.iter().any(|size| *size != sizes[0]) {
        return Err(Invalid::answers("the images are not of one size".to_owned()));
    }
    let mut sum = Overlap::default();
    for pair in 0..case.len() {
        let (height, width) = sizes[case.answer(pair)];
        let pixels = height * width;
        sum = sum.and(masks.truth(pair, pixels, false)?.overlap(&masks.predicted(pair, pixels)?));
    }
    Ok(metrics::dice(sum).unwrap_or(f64::NAN))
}

pub(crate) fn f_half(case: &Case<'_>) -> Result<f64, Invalid> {
    let masks = Masks { case, target: 0, blank: false, empty: "" };
    let sizes = sizes(case, "height", "width")?;
    super::mean(case, |pair| {
        let (height, width) = sizes[case.answer(pair)];
        let pixels = height * width;
        Ok(metrics::f_half(masks.truth(pair, pixels, false)?.overlap(&masks.predicted(pair, pixels)?)))
    })
}

pub(crate) fn precision_over_thresholds(case: &Case<'_>) -> Result<f64, Invalid> {
    let masks = Masks { case, target: 0, blank: true, empty: "" };
    let sizes = match case.answers.rules.further_columns.as_slice() {
        [height, width, ..] => sizes(case, height, width)?,
        _ => vec![(SALT_SIDE, SALT_SIDE); case.answers.frame.rows()],
    };
    super::mean(case, |pair| {
        let (height, width) = sizes[case.answer(pair)];
        let pixels = height * width;
        let overlap = masks.truth(pair, pixels, true)?.overlap(&masks.predicted(pair, pixels)?);
        Ok(metrics::precision_over_thresholds(overlap, pixels as u64))
    })
}

/// Predicted volumes of more than this many times the true one are as far off as can be.
const MOST_TIMES: usize = 10;

/// `0.4 D + 0.6 (1 - H)` with D the mean Dice coefficient of the rows that have a mask, and H the mean Hausdorff distance of the
/// volumes that have one, each in a cube of side 1 and divided by its diagonal.
///
/// As in the original, rows are paired by their place in the file up to the shorter one, and the volumes likewise; a row that
/// the submission lacks is still part of its true volume.
pub(crate) fn dice_hausdorff(case: &Case<'_>) -> Result<f64, Invalid> {
    let masks = Masks { case, target: 0, blank: true, empty: "" };
    let sizes = sizes(case, "image_height", "image_width")?;
    let truth = |row: usize| masks.truth(row, sizes[row].0 * sizes[row].1, true);
    let truth = (0..sizes.len()).map(truth).collect::<Result<Vec<Runs>, Invalid>>()?;
    let predicted = |row: usize| masks.predicted(row, sizes[row].0 * sizes[row].1);
    let predicted = (0..case.len()).map(predicted).collect::<Result<Vec<Runs>, Invalid>>()?;
    let coefficients: Vec<f64> =
        truth.iter().zip(&predicted).filter_map(|(truth, predicted)| metrics::dice(truth.overlap(predicted))).collect();
    let own = texts(case.answer_ids()?, truth.len()).and_then(|ids| volumes(&ids, truth, &sizes));
    let truth =
        own.ok_or_else(|| Invalid::answers("ids are no texts, or slices of a day differ in size".to_owned()))?;
    let found = texts(case.ids()?, predicted.len()).and_then(|ids| volumes(&ids, predicted, &sizes));
    let predicted = found.ok_or(Invalid::Undefined { why: "ids are no texts, or slices of a day differ in size" })?;
    let distances = truth.iter().zip(&predicted).filter_map(|(truth, predicted)| distance(truth, predicted));
    Ok(0.4 * mean_of(coefficients.into_iter()) + 0.6 * (1.0 - mean_of(distances)))
}

fn mean_of(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    sum / count as f64
}

/// One day of a case: the pixels of each slice, of all classes together.
struct Volume {
    slices: usize,
    height: usize,
    width: usize,
    /// Slice, row and column.
    pixels: Vec<[usize; 3]>,
}

/// The volumes in the order of their ids, `DAY_slice_NUMBER`; none when masks of a day differ in size.
fn volumes(ids: &[&str], masks: Vec<Runs>, sizes: &[(usize, usize)]) -> Option<Vec<Volume>> {
    let mut slices: BTreeMap<&str, (Vec<usize>, (usize, usize))> = BTreeMap::new();
    for ((id, runs), size) in ids.iter().zip(masks).zip(sizes) {
        let slice = slices.entry(id).or_insert_with(|| (Vec::new(), *size));
        slice.0.extend(runs.each());
        if slice.1 != *size {
            return None;
        }
    }
    let mut days: Vec<(&str, Volume)> = Vec::new();
    for (id, (mut pixels, (height, width))) in slices {
        pixels.sort_unstable();
        pixels.dedup();
        let day = id.split("_slice_").next().unwrap_or_default();
        let place = days.iter().position(|known| known.0 == day).unwrap_or_else(|| {
            days.push((day, Volume { slices: 0, height, width, pixels: Vec::new() }));
            days.len() - 1
        });
        let volume = &mut days[place].1;
        if (volume.height, volume.width) != (height, width) {
            return None;
        }
        let slice = volume.slices;
        // Pixels go down first.
        volume.pixels.extend(pixels.into_iter().map(|pixel| [slice, pixel % height, pixel / height]));
        volume.slices += 1;
    }
    Some(days.into_iter().map(|day| day.1).collect())
}

/// The distance of two volumes; none when both are empty.
fn distance(truth: &Volume, predicted: &Volume) -> Option<f64> {
    match (truth.pixels.is_empty(), predicted.pixels.is_empty()) {
        (true, true) => return None,
        (false, false) => {}
        _ => return Some(1.0),
    }
    if truth.pixels == predicted.pixels {
        return Some(0.0);
    }
    if predicted.pixels.len() > MOST_TIMES * truth.pixels.len() {
        return Some(1.0);
    }
    let sides = [truth.slices, truth.height, truth.width];
    let points = |volume: &Volume| -> Vec<[f64; 3]> {
        let point = |pixel: &[usize; 3]| [0, 1, 2].map(|axis| pixel[axis] as f64 / sides[axis] as f64);
        volume.pixels.iter().map(point).collect()
    };
    Some(metrics::hausdorff(&points(truth), &points(predicted)) / 3.0_f64.sqrt())
}
