//! The picture of a flow.
//!
//! Colours are those of Okabe and Ito ("Color universal design", 2008), which the colour-blind can tell apart: blues reproduce,
//! reds do not, grey failed.

use nbrevive_corpus::Outcome;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{
    Area, HEAD_SIZE, INK, LABEL_SIZE, LINE, MARGIN, Painting, SIZE, SMALL_SIZE, SOFT_INK, head, line_height, message,
    pixel, width, write,
};
use super::count_label;
use super::flow::Flow;
use super::layout::{Bar, Layout, Room};

/// Where the labels of the bars end and the bars begin.
const LABEL_WIDTH: f64 = 590.0;

/// Everything that a picture shows.
pub(crate) struct Picture<'a> {
    /// The title.
    pub(crate) title: &'a str,
    /// Where the numbers come from.
    pub(crate) source: &'a str,
    /// What the paper prints of the same sides.
    pub(crate) published: Option<&'a str>,
    /// The picture in words.
    pub(crate) description: String,
    /// The head of the left side.
    pub(crate) left: &'a str,
    /// The head of the right side.
    pub(crate) right: &'a str,
    /// The counts.
    pub(crate) flow: &'a Flow,
}

impl Painting for Picture<'_> {
    fn title(&self) -> &str {
        self.title
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Result<(), String> {
        let mut y = head(area, self.title, [self.source].into_iter().chain(self.published))?;
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
}

impl Picture<'_> {
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
    write(area, bar.outcome.label(), (x, middle - half), LABEL_SIZE, INK, side, VPos::Center)?;
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
        let label = outcome.label();
        let middle = y + height / 2;
        let square = [(x, middle - swatch / 2), (x + swatch, middle + swatch / 2)];
        area.draw(&Rectangle::new(square, colour(*outcome).filled())).map_err(message)?;
        x += swatch + 14;
        write(area, label, (x, middle), SMALL_SIZE, INK, HPos::Left, VPos::Center)?;
        x += width(area, label, SMALL_SIZE)? + 50;
    }
    Ok(top)
}
