//! A picture of where two pictures differ.

use std::io::Cursor;

use image::{ImageOutputFormat, Rgb, RgbImage};

use super::{PictureError, Seen, fitted, has_shape_of, near};

/// How much of the saved picture's shade stays behind the marks.
const FAINT: u32 = 4;
/// What pictures of two resolutions may differ by, of 255: the edges of letters and lines are softer in one of them.
const SOFT: u8 = 96;

/// The saved picture in faint grey, with red where the new one differs, the stronger the more it does: a PNG's bytes. Pictures of other
/// sizes are scaled as in [`crate::picture_similarity`].
///
/// # Errors
/// [`PictureError`] when one of them is no picture of that type or too large, or their sizes are too far apart.
pub fn picture_difference(mime: &str, saved: &str, new: &str) -> Result<Vec<u8>, PictureError> {
    let (saved, new) = (Seen::of(mime, saved)?.pixels, Seen::of(mime, new)?.pixels);
    let is_near = near(&saved, &new);
    if !is_near && !has_shape_of(&saved, &new) {
        return Err(PictureError::Sizes(saved.dimensions(), new.dimensions()));
    }
    let mut png = Vec::new();
    let forgiven = if is_near { 0 } else { SOFT };
    overlay(&saved, &fitted(&saved, &new), forgiven).write_to(&mut Cursor::new(&mut png), ImageOutputFormat::Png)?;
    Ok(png)
}

fn overlay(saved: &RgbImage, new: &RgbImage, forgiven: u8) -> RgbImage {
    let mut overlay = RgbImage::new(saved.width(), saved.height());
    for ((old, now), to) in saved.pixels().zip(new.pixels()).zip(overlay.pixels_mut()) {
        *to = mark(old, now, forgiven);
    }
    overlay
}

fn mark(saved: &Rgb<u8>, new: &Rgb<u8>, forgiven: u8) -> Rgb<u8> {
    let apart = saved.0.iter().zip(new.0).map(|(old, now)| old.abs_diff(now)).max().unwrap_or(0);
    if apart > forgiven {
        // Even the least difference is seen.
        return Rgb([255, 160 - apart.min(160), 160 - apart.min(160)]);
    }
    let shade = saved.0.iter().map(|value| u32::from(*value)).sum::<u32>() / 3;
    let faint = u8::try_from(255 - (255 - shade) / FAINT).unwrap_or(u8::MAX);
    Rgb([faint; 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_differences_are_red() {
        assert_eq!(mark(&Rgb([0, 0, 0]), &Rgb([0, 0, 0]), 0).0, [192; 3]);
        assert_eq!(mark(&Rgb([255; 3]), &Rgb([254, 255, 255]), 0).0, [255, 159, 159]);
        assert_eq!(mark(&Rgb([255; 3]), &Rgb([0; 3]), 0).0, [255, 0, 0]);
    }
}
