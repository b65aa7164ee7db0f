//! Pictures as pixels, whatever file they came in, within bounds.

use std::io::Cursor;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use image::io::{Limits, Reader};
use image::{DynamicImage, ImageFormat, RgbImage};
use thiserror::Error;

/// Most pixels of a picture: 4,096 by 4,096.
const MOST_PIXELS: u64 = 1 << 24;
/// Longest text of a picture, in bytes.
const LONGEST: usize = 64 << 20;
/// Most memory that a reader of a picture may take, in bytes.
const MOST_MEMORY: u64 = 256 << 20;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Why a picture has no pixels.
#[derive(Debug, Error)]
pub enum PictureError {
    /// Its text is not base64.
    #[error("a picture is not base64: {0}")]
    NotBase64(#[from] base64::DecodeError),
    /// Its bytes are no picture of its type, or a damaged one.
    #[error("a picture cannot be read: {0}")]
    NoPicture(#[from] image::ImageError),
    /// Its drawing cannot be read.
    #[error("a drawing cannot be read: {0}")]
    NoDrawing(String),
    /// More pixels than are compared.
    #[error("a picture of {width} × {height} pixels is larger than the 16,777,216 pixels that are compared")]
    TooLarge {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
    /// A longer text than is read.
    #[error("a picture of {bytes} bytes is longer than what is read")]
    TooLong {
        /// Length of its text in bytes.
        bytes: usize,
    },
    /// Two pictures of different sizes have no difference, pixel by pixel.
    #[error("a picture of {} × {} pixels cannot be laid over one of {} × {}", .0.0, .0.1, .1.0, .1.1)]
    Sizes((u32, u32), (u32, u32)),
    /// Of this type nothing is drawn here.
    #[error("{0} is no type of pictures that are compared; image/png, image/jpeg and image/svg+xml are")]
    Type(String),
}

/// Reads a PNG or JPEG from its text in a notebook. What shines through is white, as in Jupyter's pages.
pub(super) fn decode(mime: &str, text: &str) -> Result<RgbImage, PictureError> {
    if text.len() > LONGEST {
        return Err(PictureError::TooLong { bytes: text.len() });
    }
    let text: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = BASE64.decode(text)?;
    let format = format(mime, &bytes);
    let (width, height) = Reader::with_format(Cursor::new(&bytes), format).into_dimensions()?;
    check(width, height)?;
    let mut reader = Reader::with_format(Cursor::new(&bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    reader.limits(limits);
    Ok(on_white(reader.decode()?))
}

/// Which of the two a picture is, by its first bytes: `Image("photo.jpg")` believes the name of a file, and a browser shows it whatever it is.
fn format(mime: &str, bytes: &[u8]) -> ImageFormat {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => ImageFormat::Png,
        [0xff, 0xd8, 0xff, ..] => ImageFormat::Jpeg,
        _ if mime == "image/jpeg" => ImageFormat::Jpeg,
        _ => ImageFormat::Png,
    }
}

/// Whether so many pixels are compared.
pub(super) fn check(width: u32, height: u32) -> Result<(), PictureError> {
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(PictureError::TooLarge { width, height });
    }
    Ok(())
}

fn on_white(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8();
    }
    let picture = picture.into_rgba8();
    let mut opaque = RgbImage::new(picture.width(), picture.height());
    for (from, to) in picture.pixels().zip(opaque.pixels_mut()) {
        let [red, green, blue, alpha] = from.0;
        to.0 = [red, green, blue].map(|channel| over_white(channel, alpha));
    }
    opaque
}

fn over_white(channel: u8, alpha: u8) -> u8 {
    let (channel, alpha) = (u32::from(channel), u32::from(alpha));
    u8::try_from((channel * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_picture_is_said_to_be_none() {
        assert!(matches!(decode("image/png", "§"), Err(PictureError::NotBase64(_))));
        assert!(matches!(decode("image/png", "AAAA"), Err(PictureError::NoPicture(_))));
        assert!(matches!(check(100_000, 100_000), Err(PictureError::TooLarge { .. })));
    }

    #[test]
    fn a_picture_is_what_its_bytes_say() {
        let mut bytes = Cursor::new(Vec::new());
        let written = RgbImage::from_pixel(3, 2, image::Rgb([1, 2, 3]));
        written.write_to(&mut bytes, image::ImageOutputFormat::Png).expect("written");
        let text = BASE64.encode(bytes.into_inner());
        assert_eq!(decode("image/jpeg", &text).expect("a picture"), written);
    }

    #[test]
    fn white_shines_through() {
        assert_eq!(over_white(0, 0), 255);
        assert_eq!(over_white(10, 255), 10);
        assert_eq!(over_white(0, 128), 127);
    }
}
