//! Pictures by how they look.

mod bitmap;
mod drawing;
mod overlay;
mod similarity;
mod squares;

use image::RgbImage;
use image::imageops::{FilterType, resize};

pub use bitmap::PictureError;
pub use overlay::picture_difference;
pub use squares::differing_squares;

use crate::agreement::Agreement;
use crate::comparer::OutputComparer;
use crate::difference::{DifferenceKind, Place, differ};
use crate::normal::normal;
use crate::text::same_text;
use similarity::Windows;

/// By how many pixels two sizes may differ, whatever their size.
const FEW_PIXELS: u32 = 4;
/// By what share of the larger one two sizes may differ.
const FEW: f64 = 0.03;
/// By what pictures of other sizes are made coarser: measured on figures of matplotlib at 72 and 100 dots an inch, and on unlike pictures of
/// published notebooks (docs/check.md).
const COARSER: u32 = 4;
/// Shorter side of the least picture that is: it has some windows then.
const LEAST_SIDE: u32 = 80;

/// How far two pictures of one type agree, and what kept them from the next stricter level.
pub(crate) fn judge(
    mime: &str,
    saved: &str,
    new: &str,
    comparison: &OutputComparer,
) -> (Agreement, Option<Box<Place>>) {
    if saved == new {
        return (Agreement::Exact, None);
    }
    let is_drawing = mime == "image/svg+xml";
    if is_drawing && normal(saved, true) == normal(new, true) {
        return (Agreement::Normalized, differ(DifferenceKind::Text, "", "").err());
    }
    let different = |kind, saved: &str, new: &str| (Agreement::Different, differ(kind, saved, new).err());
    let (old, now) = match (Seen::of(mime, saved), Seen::of(mime, new)) {
        (Ok(old), Ok(now)) => (old, now),
        (old, now) => {
            let why = |seen: Result<Seen, PictureError>| seen.err().map(|error| error.to_string()).unwrap_or_default();
            let is_large = |seen: &Result<Seen, PictureError>| {
                matches!(seen, Err(PictureError::TooLarge { .. } | PictureError::TooLong { .. }))
            };
            let kind = if is_large(&old) || is_large(&now) { DifferenceKind::TooLarge } else { DifferenceKind::Bytes };
            return different(kind, &why(old), &why(now));
        }
    };
    if let Err(place) = same_text(&old.beside, &now.beside, &comparison.tolerance) {
        return (Agreement::Different, Some(place));
    }
    let Some(similar) = similarity(&old.pixels, &now.pixels) else {
        let size = |seen: &Seen| format!("{} × {} pixels", seen.pixels.width(), seen.pixels.height());
        return different(DifferenceKind::PictureSize, &size(&old), &size(&now));
    };
    let size = |seen: &Seen| format!("{} × {}", seen.pixels.width(), seen.pixels.height());
    let sizes = match near(&old.pixels, &now.pixels) {
        true => String::new(),
        false => format!(" of {} and {} pixels", size(&old), size(&now)),
    };
    let told = match old.pixels == now.pixels {
        true => "equal pixels in other bytes".to_owned(),
        false => format!("structural similarity {similar:.4}{sizes}"),
    };
    let place = differ(DifferenceKind::Picture, "", &told).err();
    (if similar >= comparison.similarity { Agreement::Picture } else { Agreement::Different }, place)
}

/// How similar two pictures of a type are, from -1 to 1 (structural similarity, Wang and others 2004), 1 for equal pixels; `None` when
/// their shapes are more than 3 % apart.
///
/// Sizes that are at most 4 pixels or 3 % apart come of tight bounding boxes: there the new picture is scaled to the size of the saved
/// one. Sizes further apart, of one shape, come of another resolution, at which a library draws letters and lines anew: there both are
/// scaled to a quarter of the smaller one, where neither has such details, and windows in which none of them shows anything do not count.
///
/// # Errors
/// [`PictureError`] when one of them is no picture of that type, or larger than what is compared.
pub fn picture_similarity(mime: &str, saved: &str, new: &str) -> Result<Option<f64>, PictureError> {
    Ok(similarity(&Seen::of(mime, saved)?.pixels, &Seen::of(mime, new)?.pixels))
}

/// Width and height of a picture in pixels, once it could be decoded whole.
///
/// # Errors
/// As [`picture_similarity`].
pub fn picture_size(mime: &str, text: &str) -> Result<(u32, u32), PictureError> {
    Seen::of(mime, text).map(|seen| seen.pixels.dimensions())
}

fn similarity(saved: &RgbImage, new: &RgbImage) -> Option<f64> {
    if saved == new {
        return Some(1.0);
    }
    if near(saved, new) {
        return Some(similarity::similarity(saved, &fitted(saved, new), Windows::All));
    }
    has_shape_of(saved, new).then(|| {
        let smaller = if saved.width() <= new.width() { saved } else { new };
        let (wide, high) = (smaller.width() / COARSER, smaller.height() / COARSER);
        let coarse = |picture| resize(picture, wide.max(1), high.max(1), FilterType::Triangle);
        similarity::similarity(&coarse(saved), &coarse(new), Windows::Content)
    })
}

/// Whether two sizes differ by no more than tight bounding boxes do.
fn near(saved: &RgbImage, new: &RgbImage) -> bool {
    let is_near = |old: u32, now: u32| {
        let apart = old.abs_diff(now);
        apart <= FEW_PIXELS || f64::from(apart) <= FEW * f64::from(old.max(now))
    };
    let ((wide, high), (width, height)) = (saved.dimensions(), new.dimensions());
    (wide, high) == (width, height) || (are_some(saved, new) && is_near(wide, width) && is_near(high, height))
}

/// Whether two pictures have sides of one proportion, and both enough pixels to be made coarser.
fn has_shape_of(saved: &RgbImage, new: &RgbImage) -> bool {
    let shape = |picture: &RgbImage| f64::from(picture.width()) / f64::from(picture.height());
    let least = |picture: &RgbImage| picture.width().min(picture.height());
    let (old, now) = (shape(saved), shape(new));
    are_some(saved, new) && least(saved).min(least(new)) >= LEAST_SIDE && (old - now).abs() <= FEW * old.max(now)
}

fn are_some(saved: &RgbImage, new: &RgbImage) -> bool {
    [saved.width(), saved.height(), new.width(), new.height()].iter().all(|length| *length > 0)
}

/// The new picture in the size of the saved one.
fn fitted(saved: &RgbImage, new: &RgbImage) -> RgbImage {
    match saved.dimensions() == new.dimensions() {
        true => new.clone(),
        false => resize(new, saved.width(), saved.height(), FilterType::Triangle),
    }
}

/// What a reader sees of a picture.
struct Seen {
    pixels: RgbImage,
    /// Texts of a drawing, which are not among the pixels.
    beside: String,
}

impl Seen {
    fn of(mime: &str, text: &str) -> Result<Self, PictureError> {
        match mime {
            "image/svg+xml" => drawing::draw(text).map(|drawn| Self { pixels: drawn.pixels, beside: drawn.beside }),
            "image/png" | "image/jpeg" => Ok(Self { pixels: bitmap::decode(mime, text)?, beside: String::new() }),
            _ => Err(PictureError::Type(mime.to_owned())),
        }
    }
}
