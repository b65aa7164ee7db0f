//! Where two pictures differ, as squares that can be held against each other.

use std::collections::BTreeSet;

use image::RgbImage;

use super::{PictureError, Seen};

/// Side of a square in pixels: about a letter of a figure.
const SIDE: u32 = 8;

/// The squares of eight by eight pixels, by column and row, in which two pictures of a type differ; all of both where their sizes do.
///
/// # Errors
/// As [`crate::picture_similarity`].
pub fn differing_squares(mime: &str, one: &str, other: &str) -> Result<BTreeSet<(u32, u32)>, PictureError> {
    let (one, other) = (Seen::of(mime, one)?.pixels, Seen::of(mime, other)?.pixels);
    Ok(if one.dimensions() == other.dimensions() {
        let differ = one.enumerate_pixels().zip(other.pixels()).filter(|((.., one), other)| one != other);
        differ.map(|((x, y, _), _)| (x / SIDE, y / SIDE)).collect()
    } else {
        squares(&one).chain(squares(&other)).collect()
    })
}

fn squares(picture: &RgbImage) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (wide, high) = (picture.width().div_ceil(SIDE), picture.height().div_ceil(SIDE));
    (0..wide).flat_map(move |x| (0..high).map(move |y| (x, y)))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use image::{ImageOutputFormat, Rgb};

    use super::*;

    fn png(picture: &RgbImage) -> String {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageOutputFormat::Png).expect("it is written");
        STANDARD.encode(bytes.into_inner())
    }

    #[test]
    fn squares_are_told_by_column_and_row() {
        let one = RgbImage::new(20, 20);
        let mut other = one.clone();
        other.put_pixel(7, 8, Rgb([1, 0, 0]));
        other.put_pixel(19, 19, Rgb([0, 0, 9]));
        let found = |other: &RgbImage| differing_squares("image/png", &png(&one), &png(other)).expect("both are read");
        assert_eq!(found(&other), BTreeSet::from([(0, 1), (2, 2)]));
        assert_eq!(found(&one), BTreeSet::new());
        assert_eq!(found(&RgbImage::new(8, 25)).len(), 10, "3 by 3 and one below them: all of both");
        assert!(differing_squares("image/png", "§", "").is_err());
    }
}
