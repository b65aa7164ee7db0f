//! Structural similarity of two pictures: Wang, Bovik, Sheikh and Simoncelli, IEEE Transactions on Image Processing 13 (2004).
//!
//! Means, variances and covariance in windows of 11 × 11 pixels, weighted by a Gaussian of σ = 1.5, with K1 = 0.01, K2 = 0.03 and L = 255;
//! the mean over all windows that lie within the picture. Of the three colours the least similar counts, since figures that differ in
//! the colour of a line may have the same brightness everywhere. Pictures smaller than a window are one window.
//!
//! Ours is a second mean, over the windows alone in which one of the pictures shows something: the white around the lines of a figure,
//! which all figures share, says nothing of whether they are one.

use image::RgbImage;

/// Side of a window.
const WINDOW: usize = 11;
const SIGMA: f64 = 1.5;
const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);

/// Windows whose variances sum to less show nothing: a step of a few shades of 255.
const SHOWS: f64 = 20.0;

/// Which windows count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Windows {
    /// All, as in the paper.
    All,
    /// Those in which one of the pictures shows something.
    Content,
}

/// The structural similarity of two pictures of one size, at most 1, which equal ones have.
pub(super) fn similarity(saved: &RgbImage, new: &RgbImage, counted: Windows) -> f64 {
    let width = saved.width() as usize;
    let channels = (0..3).map(|channel| {
        let plane = |picture: &RgbImage| -> Vec<f32> {
            picture.as_raw().iter().skip(channel).step_by(3).map(|value| f32::from(*value)).collect()
        };
        of_planes(&plane(saved), &plane(new), width, counted)
    });
    channels.fold(1.0, f64::min)
}

fn of_planes(saved: &[f32], new: &[f32], width: usize, counted: Windows) -> f64 {
    if saved == new {
        return 1.0;
    }
    let height = saved.len() / width.max(1);
    let weights = if width < WINDOW || height < WINDOW { None } else { Some(gaussian()) };
    let mean = |plane: &[f32]| match &weights {
        Some(weights) => blurred(plane, width, weights),
        None => vec![plane.iter().sum::<f32>() / plane.len().max(1) as f32],
    };
    let product = |one: &[f32], other: &[f32]| -> Vec<f32> { one.iter().zip(other).map(|(x, y)| x * y).collect() };
    let (x, y) = (mean(saved), mean(new));
    let (xx, yy, xy) = (mean(&product(saved, saved)), mean(&product(new, new)), mean(&product(saved, new)));
    let windows = x.iter().zip(&y).zip(xx.iter().zip(&yy).zip(&xy));
    let (mut sum, mut content, mut shown) = (0.0, 0.0, 0_usize);
    for ((x, y), ((xx, yy), xy)) in windows {
        let moments = [*x, *y, *xx, *yy, *xy].map(f64::from);
        let similar = of_window(moments);
        sum += similar;
        let [x, y, xx, yy, _] = moments;
        if (xx - x * x) + (yy - y * y) > SHOWS {
            content += similar;
            shown += 1;
        }
    }
    match counted {
        // Where nothing is shown anywhere, the shades are all that there is.
        Windows::Content if shown > 0 => content / shown as f64,
        _ => sum / x.len().max(1) as f64,
    }
}

/// Equation 13 of the paper, from the means of both, of their squares and of their product.
fn of_window([x, y, xx, yy, xy]: [f64; 5]) -> f64 {
    let (variances, covariance) = ((xx - x * x) + (yy - y * y), xy - x * y);
    ((2.0 * x * y + C1) * (2.0 * covariance + C2)) / ((x * x + y * y + C1) * (variances + C2))
}

fn gaussian() -> [f32; WINDOW] {
    let mut weights = [0.0; WINDOW];
    for (index, weight) in weights.iter_mut().enumerate() {
        let distance = index as f64 - (WINDOW / 2) as f64;
        *weight = (-distance * distance / (2.0 * SIGMA * SIGMA)).exp();
    }
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| (weight / sum) as f32)
}

/// The weighted means of all windows that lie within a plane: rows first, then columns.
fn blurred(plane: &[f32], width: usize, weights: &[f32; WINDOW]) -> Vec<f32> {
    let narrow = width + 1 - WINDOW;
    let mut rows = Vec::with_capacity(plane.len());
    for row in plane.chunks_exact(width) {
        rows.extend(
            row.windows(WINDOW)
                .map(|window| window.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f32>()),
        );
    }
    let height = rows.len() / narrow;
    let mut means = vec![0.0; narrow * (height + 1 - WINDOW)];
    for (index, mean) in means.chunks_exact_mut(narrow).enumerate() {
        for (offset, weight) in weights.iter().enumerate() {
            let row = rows.get((index + offset) * narrow..(index + offset + 1) * narrow).unwrap_or_default();
            mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value * weight);
        }
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(size: u32, value: impl Fn(u32, u32) -> u8) -> RgbImage {
        RgbImage::from_fn(size, size, |x, y| image::Rgb([value(x, y), 255 - value(x, y), 7]))
    }

    #[test]
    fn equal_pictures_are_1_and_negatives_are_not() {
        let stripes = picture(40, |x, _| if x % 8 < 4 { 0 } else { 255 });
        let negative = picture(40, |x, _| if x % 8 < 4 { 255 } else { 0 });
        assert!((similarity(&stripes, &stripes, Windows::All) - 1.0).abs() < 1e-9);
        assert!(similarity(&stripes, &negative, Windows::All) < -0.5);
        assert!(
            (similarity(&stripes, &negative, Windows::All) - similarity(&negative, &stripes, Windows::All)).abs()
                < 1e-9
        );
    }

    #[test]
    fn flat_pictures_have_the_similarity_of_the_formula() {
        let (dark, light) = (picture(20, |_, _| 100), picture(20, |_, _| 110));
        // Variances vanish: (2xy + C1) / (x² + y² + C1), the red plane being the less similar one.
        let expected = (2.0 * 100.0 * 110.0 + C1) / (100.0 * 100.0 + 110.0 * 110.0 + C1);
        assert!((similarity(&dark, &light, Windows::All) - expected).abs() < 1e-3);
        let small = picture(3, |_, _| 100);
        assert!(similarity(&small, &picture(3, |_, _| 110), Windows::All) < 1.0);
    }

    #[test]
    fn the_white_around_counts_for_nothing_where_content_is_asked() {
        let dots = |at: u32| picture(60, move |x, y| if (x, y) == (at, at) { 0 } else { 255 });
        assert!(similarity(&dots(15), &dots(40), Windows::All) > similarity(&dots(15), &dots(40), Windows::Content));
        assert!(similarity(&dots(15), &dots(40), Windows::Content) < 0.5);
        assert!(similarity(&picture(20, |_, _| 0), &picture(20, |_, _| 255), Windows::Content) < 0.1);
    }
}
