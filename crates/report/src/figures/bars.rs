//! Stacked bars: a count for each group, divided into series.

use plotters::prelude::*;

use super::canvas::{Area, INK, message, pixel};
use super::chart::{Axes, Caption, legend, nothing, whole_quarters};
use crate::number_words::thousands;

/// What share of its column a bar fills.
const FILLED: f64 = 0.74;

/// One colour of the bars.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// Its name.
    pub(crate) label: String,
    /// Its colour.
    pub(crate) colour: RGBColor,
    /// A count for each group.
    pub(crate) counts: Vec<u64>,
}

/// Stacked bars.
pub(crate) struct StackedBars {
    /// Title, source and text alternative.
    pub(crate) caption: Caption,
    /// What the groups are, and what is counted.
    pub(crate) axes: (&'static str, &'static str),
    /// Names of the groups, from left to right.
    pub(crate) groups: Vec<String>,
    /// From the lower end of a bar to its upper end.
    pub(crate) series: Vec<Series>,
    /// What stands there when every count is 0.
    pub(crate) nothing: &'static str,
}

impl StackedBars {
    pub(super) fn paint<DB: DrawingBackend>(&self, area: &Area<DB>, top: i32) -> Result<(), String> {
        let sum = |group: usize| self.series.iter().map(|series| series.counts[group]).sum::<u64>();
        let highest = (0..self.groups.len()).map(sum).max().unwrap_or(0);
        if highest == 0 {
            return nothing(area, self.nothing);
        }
        let number = |value: f64| thousands(value as u64);
        let axes = Axes::paint(area, top, whole_quarters(highest) as f64, number, self.axes)?;
        let entries: Vec<(&str, RGBColor)> = self.series.iter().map(|s| (s.label.as_str(), s.colour)).collect();
        legend(area, top, &entries)?;
        for (group, name) in self.groups.iter().enumerate() {
            let (left, right) = axes.column(group, self.groups.len());
            let inset = (right - left) * (1.0 - FILLED) / 2.0;
            axes.label(area, name, pixel(f64::midpoint(left, right)))?;
            let mut below = 0;
            for series in self.series.iter().filter(|series| series.counts[group] > 0) {
                let above = below + series.counts[group];
                let corners =
                    [(pixel(left + inset), axes.y(above as f64)), (pixel(right - inset), axes.y(below as f64))];
                area.draw(&Rectangle::new(corners, series.colour.filled())).map_err(message)?;
                area.draw(&Rectangle::new(corners, INK.stroke_width(1))).map_err(message)?;
                below = above;
            }
        }
        Ok(())
    }
}
