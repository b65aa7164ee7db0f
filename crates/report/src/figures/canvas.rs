//! What all pictures share: the sheet, its fonts and colours of text, and how a painting becomes SVG and PNG.
//!
//! Units are pixels of the PNG, which is made for print (some 300 a inch at column width); the SVG shows the same units at
//! half the size.

use std::cell::RefCell;
use std::sync::OnceLock;

use ab_glyph::FontRef;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ColorType, ImageEncoder as _};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::outlines::outlined;
use crate::error::FigureError;
use crate::tables::one_line;

/// Width and height of the picture.
pub(super) const SIZE: (u32, u32) = (2400, 1600);

/// The distance that everything keeps from the edges.
pub(super) const MARGIN: i32 = 60;

/// The family as the SVG names it; drawn, and measured, with the bundled font.
const FAMILY: &str = "DejaVu Sans, sans-serif";

/// The bundled font; see `fonts/README.md`.
pub(super) static FONT: &[u8] = include_bytes!("../../fonts/DejaVuSans.ttf");

pub(super) const INK: RGBColor = RGBColor(0x1A, 0x1A, 0x1A);
pub(super) const SOFT_INK: RGBColor = RGBColor(0x55, 0x55, 0x55);

pub(super) const TITLE_SIZE: u32 = 60;
pub(super) const HEAD_SIZE: u32 = 48;
pub(super) const LABEL_SIZE: u32 = 40;
pub(super) const SMALL_SIZE: u32 = 32;

/// How many characters of the source are shown, so that the flow keeps its room.
const SOURCE_CHARACTERS: usize = 600;

/// Height of a line of text, as a multiple of its size.
pub(super) const LINE: f64 = 1.25;

thread_local! {
    /// The sheet of a thread's PNGs: for each anew the system would have to clear its pages.
    static PIXELS: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What is painted on.
pub(super) type Area<DB> = DrawingArea<DB, Shift>;

/// A picture that is the same as SVG and as PNG.
pub(crate) trait Painting {
    /// The title.
    fn title(&self) -> &str;

    /// The picture in words, for those who cannot see it.
    fn description(&self) -> &str;

    /// Paints the picture on an empty sheet.
    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Result<(), String>;

    /// The picture as SVG with title and description; its text is drawn, see [`outlined`].
    fn svg(&self) -> Result<String, FigureError> {
        register()?;
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
            self.paint(&area).and_then(|()| area.present().map_err(message)).map_err(|message| self.failed(message))?;
        }
        let font = FontRef::try_from_slice(FONT).map_err(|error| self.failed(error.to_string()))?;
        let drawn =
            outlined(&text, &font).ok_or_else(|| self.failed("the SVG has text of an unknown kind".to_owned()))?;
        self.described(&drawn)
    }

    /// The picture as PNG.
    fn png(&self) -> Result<Vec<u8>, FigureError> {
        register()?;
        PIXELS.with_borrow_mut(|pixels| {
            let (width, height) = SIZE;
            pixels.clear();
            pixels.resize(3 * width as usize * height as usize, 0);
            {
                let area = BitMapBackend::with_buffer(pixels, SIZE).into_drawing_area();
                let painted = self.paint(&area).and_then(|()| area.present().map_err(message));
                painted.map_err(|message| self.failed(message))?;
            }
            let mut png = Vec::new();
            // Of plain areas the line above tells most; to try every filter on every line takes as long as to paint.
            PngEncoder::new_with_quality(&mut png, CompressionType::Default, FilterType::Up)
                .write_image(pixels, width, height, ColorType::Rgb8)
                .map_err(|error| self.failed(error.to_string()))?;
            Ok(png)
        })
    }

    /// Half the size on the page, and a text alternative inside.
    fn described(&self, svg: &str) -> Result<String, FigureError> {
        let opening = format!("<svg width=\"{}\" height=\"{}\" ", SIZE.0, SIZE.1);
        let body_at = svg.find("<svg ").and_then(|at| svg[at..].find('>').map(|end| at + end + 1));
        let (Some(at), true) = (body_at, svg.contains(&opening)) else {
            return Err(self.failed("the SVG does not open as expected".to_owned()));
        };
        let head = svg[..at].replacen(
            &opening,
            &format!(
                "<svg width=\"{}\" height=\"{}\" role=\"img\" aria-labelledby=\"title desc\" ",
                SIZE.0 / 2,
                SIZE.1 / 2
            ),
            1,
        );
        let (title, description) = (xml(self.title()), xml(self.description()));
        let body = svg[at..].trim_end();
        Ok(format!("{head}\n<title id=\"title\">{title}</title>\n<desc id=\"desc\">{description}</desc>{body}\n"))
    }

    fn failed(&self, message: String) -> FigureError {
        FigureError { what: self.title().to_owned(), message }
    }
}

/// Paints title and source; returns where they end.
pub(super) fn head<'a, DB: DrawingBackend>(
    area: &Area<DB>,
    title: &str,
    sources: impl IntoIterator<Item = &'a str>,
) -> Result<i32, String> {
    area.fill(&WHITE).map_err(message)?;
    let mut y = MARGIN;
    write(area, title, (MARGIN, y), TITLE_SIZE, INK, HPos::Left, VPos::Top)?;
    y += line_height(TITLE_SIZE);
    for source in sources {
        for line in wrapped(area, &shortened(source), SMALL_SIZE, SIZE.0 as i32 - 2 * MARGIN)? {
            write(area, &line, (MARGIN, y), SMALL_SIZE, SOFT_INK, HPos::Left, VPos::Top)?;
            y += line_height(SMALL_SIZE);
        }
    }
    Ok(y)
}

pub(super) fn write<DB: DrawingBackend>(
    area: &Area<DB>,
    text: &str,
    at: (i32, i32),
    size: u32,
    colour: RGBColor,
    horizontal: HPos,
    vertical: VPos,
) -> Result<(), String> {
    let style = TextStyle::from((FAMILY, size)).color(&colour).pos(Pos::new(horizontal, vertical));
    area.draw(&Text::new(text.to_owned(), at, style)).map_err(message)
}

pub(super) fn width<DB: DrawingBackend>(area: &Area<DB>, text: &str, size: u32) -> Result<i32, String> {
    let (width, _) = area.estimate_text_size(text, &TextStyle::from((FAMILY, size))).map_err(message)?;
    i32::try_from(width).map_err(message)
}

/// Text broken into lines no wider than `limit`, between words where possible.
pub(super) fn wrapped<DB: DrawingBackend>(
    area: &Area<DB>,
    text: &str,
    size: u32,
    limit: i32,
) -> Result<Vec<String>, String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or("", String::as_str);
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if width(area, &longer, size)? <= limit {
            lines.pop();
            lines.push(longer);
            continue;
        }
        if lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(String::new());
        }
        for character in word.chars() {
            let longer = format!("{}{character}", lines.last().map_or("", String::as_str));
            if width(area, &longer, size)? <= limit {
                lines.pop();
                lines.push(longer);
            } else {
                lines.push(character.to_string());
            }
        }
    }
    Ok(lines)
}

/// The source on one line, cut where it is too long; the whole stands in the JSON and in the description of the SVG.
fn shortened(source: &str) -> String {
    let mut text: String = one_line(source).chars().take(SOURCE_CHARACTERS).collect();
    if source.chars().count() > SOURCE_CHARACTERS {
        text.push('…');
    }
    text
}

pub(super) fn line_height(size: u32) -> i32 {
    pixel(f64::from(size) * LINE)
}

pub(super) fn pixel(value: f64) -> i32 {
    value.round() as i32
}

pub(super) fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Makes the bundled font known, once in a process.
fn register() -> Result<(), FigureError> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    if *REGISTERED.get_or_init(|| register_font(FAMILY, FontStyle::Normal, FONT).is_ok()) {
        return Ok(());
    }
    Err(FigureError { what: "any figure".to_owned(), message: "the bundled font is damaged".to_owned() })
}

/// Text for XML, in one line.
pub(super) fn xml(text: &str) -> String {
    nbrevive_shown::xml(&one_line(text))
}
