//! Rates as bars beside each other, each with its interval and the number that it is a rate of.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{Area, INK, SMALL_SIZE, message, pixel, write};
use super::chart::{Axes, COLOURS, Caption, legend, nothing};
use crate::number_words::thousands;
use crate::tables::Cell;

/// What share of its column a group fills.
const FILLED: f64 = 0.74;
/// Half the width of the ends of an interval.
const END: i32 = 16;

/// Rates of groups, a series beside the other.
pub(crate) struct RateBars {
    /// Title, source and text alternative.
    pub(crate) caption: Caption,
    /// What the groups are, and of what a rate is.
    pub(crate) axes: (&'static str, &'static str),
    /// Names of the groups, from left to right.
    pub(crate) groups: Vec<String>,
    /// A name, and a rate for each group.
    pub(crate) series: Vec<(String, Vec<Cell>)>,
    /// What stands there when nothing has a rate.
    pub(crate) nothing: &'static str,
}

impl RateBars {
    pub(super) fn paint<DB: DrawingBackend>(&self, area: &Area<DB>, top: i32) -> Result<(), String> {
        if self.series.iter().flat_map(|(_, cells)| cells).all(|cell| cell.of() == 0) {
            return nothing(area, self.nothing);
        }
        let axes = Axes::paint(area, top, 1.0, |rate| format!("{:.0} %", rate * 100.0), self.axes)?;
        let named: Vec<(&str, RGBColor)> = self.series.iter().map(|(name, _)| name.as_str()).zip(COLOURS).collect();
        legend(area, top, &named)?;
        for (group, name) in self.groups.iter().enumerate() {
            let (left, right) = axes.column(group, self.groups.len());
            axes.label(area, name, pixel(f64::midpoint(left, right)))?;
            let start = left + (right - left) * (1.0 - FILLED) / 2.0;
            let wide = (right - left) * FILLED / self.series.len() as f64;
            for (place, ((_, cells), (_, colour))) in self.series.iter().zip(&named).enumerate() {
                let edge = start + wide * place as f64;
                bar(area, &axes, (pixel(edge), pixel(edge + wide)), &cells[group], *colour)?;
            }
        }
        Ok(())
    }
}

/// A rate with its interval, and above it of how many it is; nothing where it is of none.
fn bar<DB: DrawingBackend>(
    area: &Area<DB>,
    axes: &Axes,
    (left, right): (i32, i32),
    cell: &Cell,
    colour: RGBColor,
) -> Result<(), String> {
    let (Some(rate), Some(interval)) = (cell.share(), cell.interval()) else { return Ok(()) };
    let corners = [(left, axes.y(rate)), (right, axes.y(0.0))];
    area.draw(&Rectangle::new(corners, colour.filled())).map_err(message)?;
    area.draw(&Rectangle::new(corners, INK.stroke_width(1))).map_err(message)?;
    let (middle, low, high) = (i32::midpoint(left, right), axes.y(interval.lower), axes.y(interval.upper));
    let end = |y| [(middle - END, y), (middle + END, y)];
    for line in [[(middle, low), (middle, high)], end(low), end(high)] {
        area.draw(&PathElement::new(line, INK.stroke_width(3))).map_err(message)?;
    }
    write(area, &thousands(cell.of()), (middle, high - 8), SMALL_SIZE, INK, HPos::Center, VPos::Bottom)
}
