//! The picture of a flow, the same as SVG and as PNG.
//!
//! Units are pixels of the PNG, which is made for print (some 300 a inch at column width); the SVG shows the same units at
//! half the size. Colours are those of Okabe and Ito ("Color universal design", 2008), which the colour-blind can tell
//! apart: blues reproduce, reds do not, grey failed.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use nbrevive_corpus::Outcome;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::flow::Flow;
use super::layout::{Bar, Layout, Room};
use super::{count_label, outcome_label};
use crate::output::OutputError;
use crate::tables::one_line;

/// Width and height of the picture.
const SIZE: (u32, u32) = (2400, 1600);

/// The distance that everything keeps from the edges.
const MARGIN: i32 = 60;

/// The family as the SVG names it; drawn, and measured, with the bundled font.
const FAMILY: &str = "DejaVu Sans, sans-serif";

/// The bundled font; see `fonts/README.md`.
static FONT: &[u8] = include_bytes!("../../fonts/DejaVuSans.ttf");

const INK: RGBColor = RGBColor(0x1A, 0x1A, 0x1A);
const SOFT_INK: RGBColor = RGBColor(0x55, 0x55, 0x55);

const TITLE_SIZE: u32 = 60;
const HEAD_SIZE: u32 = 48;
const LABEL_SIZE: u32 = 40;
const SMALL_SIZE: u32 = 32;

/// How many characters of the source are shown, so that the flow keeps its room.
const SOURCE_CHARACTERS: usize = 600;

/// Height of a line of text, as a multiple of its size.
const LINE: f64 = 1.25;

/// Where the labels of the bars end and the bars begin.
const LABEL_WIDTH: f64 = 590.0;

/// Why a figure cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// The drawing library gave up.
    #[error("cannot draw {what}: {message}")]
    Drawing {
        /// Which picture.
        what: String,
        /// What the library said.
        message: String,
    },
    /// The encoder's file cannot be written or read back.
    #[error(transparent)]
    Output(OutputError),
}

/// Everything that a picture shows.
pub(crate) struct Picture<'a> {
    /// The title.
    pub(crate) title: &'a str,
    /// Where the numbers come from.
    pub(crate) source: &'a str,
    /// The picture in words.
    pub(crate) description: String,
    /// The head of the left side.
    pub(crate) left: &'a str,
    /// The head of the right side.
    pub(crate) right: &'a str,
    /// The counts.
    pub(crate) flow: &'a Flow,
}

impl Picture<'_> {
    /// The picture as SVG with title and description.
    pub(crate) fn svg(&self) -> Result<String, FigureError> {
        register()?;
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
            self.paint(&area).and_then(|()| area.present().map_err(message)).map_err(|message| self.failed(message))?;
        }
        self.described(&text)
    }

    /// The picture as PNG; `scratch` is a file that the encoder may use, and that is gone afterwards.
    pub(crate) fn png(&self, scratch: &Path) -> Result<Vec<u8>, FigureError> {
        register()?;
        let painted = {
            let area = BitMapBackend::new(scratch, SIZE).into_drawing_area();
            self.paint(&area).and_then(|()| area.present().map_err(message))
        };
        let bytes = painted.map_err(|message| self.failed(message)).and_then(|()| {
            let failed = |source| FigureError::Output(OutputError { path: PathBuf::from(scratch), source });
            std::fs::read(scratch).map_err(failed)
        });
        // Whatever happened, the scratch file goes; that it may not be there is no error.
        let _ = std::fs::remove_file(scratch);
        bytes
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
        let (title, description) = (xml(self.title), xml(&self.description));
        let body = svg[at..].trim_end();
        Ok(format!("{head}\n<title id=\"title\">{title}</title>\n<desc id=\"desc\">{description}</desc>{body}\n"))
    }

    fn failed(&self, message: String) -> FigureError {
        FigureError::Drawing { what: self.title.to_owned(), message }
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Result<(), String> {
        area.fill(&WHITE).map_err(message)?;
        let mut y = MARGIN;
        write(area, self.title, (MARGIN, y), TITLE_SIZE, INK, HPos::Left, VPos::Top)?;
        y += line_height(TITLE_SIZE);
        let lines = wrapped(area, &shortened(self.source), SMALL_SIZE, SIZE.0 as i32 - 2 * MARGIN)?;
        for line in lines {
            write(area, &line, (MARGIN, y), SMALL_SIZE, SOFT_INK, HPos::Left, VPos::Top)?;
            y += line_height(SMALL_SIZE);
        }
        let bottom = legend(area, self.left)?;
        if self.flow.total() == 0 {
            let middle = (SIZE.0 as i32 / 2, (y + bottom) / 2);
            let text = format!("No version has an outcome under both {} and {}.", self.left, self.right);
            return write(area, &text, middle, HEAD_SIZE, INK, HPos::Center, VPos::Center);
        }
        y += line_height(SMALL_SIZE);
        let room = Room {
            left: LABEL_WIDTH,
            right: f64::from(SIZE.0) - LABEL_WIDTH,
            top: f64::from(y + line_height(HEAD_SIZE)) + 70.0,
            bottom: f64::from(bottom) - 80.0,
            bar: 44.0,
            gap: 2.0 * LINE * f64::from(LABEL_SIZE) + 6.0,
        };
        write(area, self.left, (room.left as i32 + room.bar as i32, y), HEAD_SIZE, INK, HPos::Right, VPos::Top)?;
        write(area, self.right, ((room.right - room.bar) as i32, y), HEAD_SIZE, INK, HPos::Left, VPos::Top)?;
        self.paint_flow(area, room)
    }

    fn paint_flow<DB: DrawingBackend>(&self, area: &Area<DB>, room: Room) -> Result<(), String> {
        let layout = Layout::new(self.flow, room);
        for ribbon in &layout.ribbons {
            let points: Vec<(i32, i32)> = ribbon.outline.iter().map(|(x, y)| (pixel(*x), pixel(*y))).collect();
            let fill = colour(ribbon.outcome).mix(0.45);
            area.draw(&Polygon::new(points.clone(), fill)).map_err(message)?;
            area.draw(&PathElement::new(points, colour(ribbon.outcome).mix(0.7))).map_err(message)?;
        }
        let total = self.flow.total();
        for bar in &layout.left {
            paint_bar(area, bar, total, (pixel(bar.from.0) - 20, HPos::Right))?;
        }
        for bar in &layout.right {
            paint_bar(area, bar, total, (pixel(bar.to.0) + 20, HPos::Left))?;
        }
        Ok(())
    }
}

type Area<DB> = DrawingArea<DB, Shift>;

/// Okabe and Ito's colours; "failed" in dark grey.
const fn colour(outcome: Outcome) -> RGBColor {
    match outcome {
        Outcome::ErrorFreeReproducible => RGBColor(0x00, 0x72, 0xB2),
        Outcome::ErrorReproducible => RGBColor(0x56, 0xB4, 0xE9),
        Outcome::ErrorFreeNonReproducible => RGBColor(0xE6, 0x9F, 0x00),
        Outcome::ErrorNonReproducible => RGBColor(0xD5, 0x5E, 0x00),
        Outcome::Failed => RGBColor(0x4D, 0x4D, 0x4D),
    }
}

fn paint_bar<DB: DrawingBackend>(area: &Area<DB>, bar: &Bar, total: u64, (x, side): (i32, HPos)) -> Result<(), String> {
    let corners = [(pixel(bar.from.0), pixel(bar.from.1)), (pixel(bar.to.0), pixel(bar.to.1))];
    area.draw(&Rectangle::new(corners, colour(bar.outcome).filled())).map_err(message)?;
    let middle = pixel((bar.from.1 + bar.to.1) / 2.0);
    let half = line_height(LABEL_SIZE) / 2;
    write(area, outcome_label(bar.outcome), (x, middle - half), LABEL_SIZE, INK, side, VPos::Center)?;
    write(area, &count_label(bar.count, total), (x, middle + half), LABEL_SIZE, SOFT_INK, side, VPos::Center)
}

/// The legend along the lower edge, over as many lines as it needs; returns its upper edge.
fn legend<DB: DrawingBackend>(area: &Area<DB>, left: &str) -> Result<i32, String> {
    let swatch = SMALL_SIZE as i32;
    let height = line_height(SMALL_SIZE) + 8;
    let mut x = MARGIN;
    let y = SIZE.1 as i32 - MARGIN - height;
    let top = y - height;
    let head = format!("Colours are outcomes; a ribbon has the colour of its outcome at {}:", left.to_lowercase());
    write(area, &head, (x, top + height / 2), SMALL_SIZE, SOFT_INK, HPos::Left, VPos::Center)?;
    for outcome in Outcome::ALL {
        let label = outcome_label(*outcome);
        let middle = y + height / 2;
        let square = [(x, middle - swatch / 2), (x + swatch, middle + swatch / 2)];
        area.draw(&Rectangle::new(square, colour(*outcome).filled())).map_err(message)?;
        x += swatch + 14;
        write(area, label, (x, middle), SMALL_SIZE, INK, HPos::Left, VPos::Center)?;
        x += width(area, label, SMALL_SIZE)? + 50;
    }
    Ok(top)
}

fn write<DB: DrawingBackend>(
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

fn width<DB: DrawingBackend>(area: &Area<DB>, text: &str, size: u32) -> Result<i32, String> {
    let (width, _) = area.estimate_text_size(text, &TextStyle::from((FAMILY, size))).map_err(message)?;
    i32::try_from(width).map_err(message)
}

/// Text broken into lines no wider than `limit`, between words where possible.
fn wrapped<DB: DrawingBackend>(area: &Area<DB>, text: &str, size: u32, limit: i32) -> Result<Vec<String>, String> {
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

fn line_height(size: u32) -> i32 {
    pixel(f64::from(size) * LINE)
}

fn pixel(value: f64) -> i32 {
    value.round() as i32
}

fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Makes the bundled font known, once in a process.
fn register() -> Result<(), FigureError> {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    if *REGISTERED.get_or_init(|| register_font(FAMILY, FontStyle::Normal, FONT).is_ok()) {
        return Ok(());
    }
    Err(FigureError::Drawing { what: "any figure".to_owned(), message: "the bundled font is damaged".to_owned() })
}

/// Text for XML: special characters as entities, characters that XML does not allow left out.
fn xml(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '&' => result.push_str("&amp;"),
            '\u{fffe}' | '\u{ffff}' => {}
            _ => result.push(character),
        }
    }
    result
}
