//! The frame that charts share: a linear scale upwards, labels below, a legend, and what stands there without data.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::bars::StackedBars;
use super::boxes::BoxPlots;
use super::canvas::{
    Area, HEAD_SIZE, INK, LABEL_SIZE, MARGIN, Painting, SIZE, SMALL_SIZE, SOFT_INK, head, line_height, message, pixel,
    width, write,
};
use super::lines::Lines;
use super::matrix::DifferenceMatrix;
use super::overlap::Overlap;
use super::rates::RateBars;
use super::residuals::ResidualBars;

/// Okabe and Ito's colours ("Color universal design", 2008), the purple lighter than theirs, in an order in which neighbours differ in
/// lightness too; the last one, grey, is for what is left.
pub(crate) const COLOURS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0xF0, 0xC4, 0xDC),
    RGBColor(0x56, 0xB4, 0xE9),
    RGBColor(0x99, 0x99, 0x99),
];

const GRID: RGBColor = RGBColor(0xDD, 0xDD, 0xDD);

/// Room for the numbers of the scale.
const SCALE: i32 = 190;

/// What stands above every chart, and its text alternative.
#[derive(Debug, Clone)]
pub(crate) struct Caption {
    /// The title.
    pub(crate) title: &'static str,
    /// Where the numbers come from.
    pub(crate) source: String,
    /// What the paper says of the same figure.
    pub(crate) published: Option<String>,
    /// The picture in words.
    pub(crate) description: String,
}

/// A chart of any kind.
pub(crate) enum Chart {
    Bars(StackedBars),
    Boxes(BoxPlots),
    Lines(Lines),
    Matrix(DifferenceMatrix),
    Overlap(Overlap),
    Rates(RateBars),
    Residuals(ResidualBars),
}

impl Chart {
    pub(super) const fn caption_mut(&mut self) -> &mut Caption {
        match self {
            Chart::Bars(bars) => &mut bars.caption,
            Chart::Boxes(boxes) => &mut boxes.caption,
            Chart::Lines(lines) => &mut lines.caption,
            Chart::Matrix(matrix) => &mut matrix.caption,
            Chart::Overlap(overlap) => &mut overlap.caption,
            Chart::Rates(rates) => &mut rates.caption,
            Chart::Residuals(bars) => &mut bars.caption,
        }
    }

    fn caption(&self) -> &Caption {
        match self {
            Chart::Bars(bars) => &bars.caption,
            Chart::Boxes(boxes) => &boxes.caption,
            Chart::Lines(lines) => &lines.caption,
            Chart::Matrix(matrix) => &matrix.caption,
            Chart::Overlap(overlap) => &overlap.caption,
            Chart::Rates(rates) => &rates.caption,
            Chart::Residuals(bars) => &bars.caption,
        }
    }
}

impl Painting for Chart {
    fn title(&self) -> &str {
        self.caption().title
    }

    fn description(&self) -> &str {
        &self.caption().description
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Result<(), String> {
        let lines = [Some(self.caption().source.as_str()), self.caption().published.as_deref()];
        let top = head(area, self.title(), lines.into_iter().flatten())? + line_height(SMALL_SIZE);
        match self {
            Chart::Bars(bars) => bars.paint(area, top),
            Chart::Boxes(boxes) => boxes.paint(area, top),
            Chart::Lines(lines) => lines.paint(area, top),
            Chart::Matrix(matrix) => matrix.paint(area, top),
            Chart::Overlap(overlap) => overlap.paint(area, top),
            Chart::Rates(rates) => rates.paint(area, top),
            Chart::Residuals(bars) => bars.paint(area, top),
        }
    }
}

/// Where a chart stands on the sheet, and what its scale spans.
pub(super) struct Axes {
    pub(super) left: f64,
    pub(super) right: f64,
    top: f64,
    bottom: f64,
    high: f64,
}

impl Axes {
    /// Paints the scale from 0 to `high` in quarters, and the titles of both axes; what is painted next starts below `top`.
    pub(super) fn paint<DB: DrawingBackend>(
        area: &Area<DB>,
        top: i32,
        high: f64,
        number: fn(f64) -> String,
        (below, upwards): (&str, &str),
    ) -> Result<Self, String> {
        let axes = Axes {
            left: f64::from(MARGIN + SCALE),
            right: f64::from(SIZE.0 as i32 - MARGIN),
            top: f64::from(top + line_height(LABEL_SIZE) + 30),
            bottom: f64::from(SIZE.1 as i32 - MARGIN - line_height(SMALL_SIZE) - line_height(LABEL_SIZE) - 30),
            high,
        };
        let (left, right) = (pixel(axes.left), pixel(axes.right));
        for quarter in 0..=4 {
            let value = high * f64::from(quarter) / 4.0;
            let y = axes.y(value);
            let colour = if quarter == 0 { INK } else { GRID };
            area.draw(&PathElement::new([(left, y), (right, y)], colour.stroke_width(3))).map_err(message)?;
            write(area, &number(value), (left - 20, y), LABEL_SIZE, INK, HPos::Right, VPos::Center)?;
        }
        write(area, upwards, (left, top), SMALL_SIZE, SOFT_INK, HPos::Left, VPos::Top)?;
        let foot = (pixel(f64::midpoint(axes.left, axes.right)), SIZE.1 as i32 - MARGIN - line_height(SMALL_SIZE));
        write(area, below, foot, SMALL_SIZE, SOFT_INK, HPos::Center, VPos::Top)?;
        Ok(axes)
    }

    /// The height of a value.
    pub(super) fn y(&self, value: f64) -> i32 {
        pixel(self.bottom - value / self.high * (self.bottom - self.top))
    }

    /// Left and right edge of one of `count` columns of equal width.
    pub(super) fn column(&self, index: usize, count: usize) -> (f64, f64) {
        let wide = (self.right - self.left) / count.max(1) as f64;
        (self.left + wide * index as f64, self.left + wide * (index + 1) as f64)
    }

    /// Writes a label below the middle of a column.
    pub(super) fn label<DB: DrawingBackend>(&self, area: &Area<DB>, text: &str, x: i32) -> Result<(), String> {
        write(area, text, (x, pixel(self.bottom) + 20), LABEL_SIZE, INK, HPos::Center, VPos::Top)
    }
}

/// Squares with their names on one line that ends at the right edge.
pub(super) fn legend<DB: DrawingBackend>(
    area: &Area<DB>,
    top: i32,
    entries: &[(&str, RGBColor)],
) -> Result<(), String> {
    let swatch = SMALL_SIZE as i32;
    let mut x = SIZE.0 as i32 - MARGIN;
    for (name, colour) in entries.iter().rev() {
        x -= width(area, name, SMALL_SIZE)?;
        write(area, name, (x, top), SMALL_SIZE, INK, HPos::Left, VPos::Top)?;
        x -= swatch + 14;
        let corners = [(x, top), (x + swatch, top + swatch)];
        area.draw(&Rectangle::new(corners, colour.filled())).map_err(message)?;
        area.draw(&Rectangle::new(corners, INK.stroke_width(1))).map_err(message)?;
        x -= 40;
    }
    Ok(())
}

/// A sentence in the middle of the sheet, where there is nothing to show.
pub(super) fn nothing<DB: DrawingBackend>(area: &Area<DB>, text: &str) -> Result<(), String> {
    let middle = (SIZE.0 as i32 / 2, SIZE.1 as i32 / 2);
    write(area, text, middle, HEAD_SIZE, INK, HPos::Center, VPos::Center)
}

/// The smallest of 4, 8, 12, 20, 40, 80, 120, … that is not below `value`: a scale whose quarters are whole.
pub(super) fn whole_quarters(value: u64) -> u64 {
    let mut step = 1;
    loop {
        if let Some(high) = [1, 2, 3, 5].map(|times| times * step * 4).into_iter().find(|high| *high >= value) {
            return high;
        }
        step *= 10;
    }
}
