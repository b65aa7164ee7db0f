//! Lines over a count: each series with its own colour and its own mark, so that no reader needs the colour.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{Area, SMALL_SIZE, message, pixel, write};
use super::chart::{Axes, Caption, nothing};

/// Half the size of a mark.
const MARK: i32 = 11;
/// Labels at the ends of the lines keep this distance from each other.
const APART: i32 = 38;

/// One line.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Its name.
    pub(crate) label: &'static str,
    /// Its colour.
    pub(crate) colour: RGBColor,
    /// Count, from 1, and value, by count.
    pub(crate) points: Vec<(u32, f64)>,
}

/// Lines over the counts from 1 to `last`.
pub(crate) struct Lines {
    /// Title, source and text alternative.
    pub(crate) caption: Caption,
    /// What is counted to the right and what is measured upwards, on a scale from 0 to 1.
    pub(crate) axes: (&'static str, &'static str),
    /// The largest count.
    pub(crate) last: u32,
    /// The lines.
    pub(crate) lines: Vec<Line>,
    /// What stands there when there is no point at all.
    pub(crate) nothing: &'static str,
}

impl Lines {
    pub(super) fn paint<DB: DrawingBackend>(&self, area: &Area<DB>, top: i32) -> Result<(), String> {
        if self.lines.iter().all(|line| line.points.is_empty()) {
            return nothing(area, self.nothing);
        }
        let axes = Axes::paint(area, top, 1.0, |value| format!("{value:.2}"), self.axes)?;
        // Two columns more than counts leave room for the labels at the end.
        let columns = self.last as usize + 2;
        let x = |count: u32| {
            let (left, right) = axes.column(count as usize - 1, columns);
            pixel(f64::midpoint(left, right))
        };
        for count in 1..=self.last {
            axes.label(area, &count.to_string(), x(count))?;
        }
        let mut ends: Vec<(i32, i32, &Line)> = Vec::new();
        for (number, line) in self.lines.iter().enumerate() {
            let points: Vec<(i32, i32)> =
                line.points.iter().map(|(count, value)| (x(*count), axes.y(*value))).collect();
            area.draw(&PathElement::new(points.clone(), line.colour.stroke_width(5))).map_err(message)?;
            for point in &points {
                mark(area, number, *point, line.colour)?;
            }
            ends.extend(points.last().map(|(x, y)| (*x, *y, line)));
        }
        label(area, ends)
    }
}

/// Names at the ends of their lines, one below the other where ends are close.
fn label<DB: DrawingBackend>(area: &Area<DB>, mut ends: Vec<(i32, i32, &Line)>) -> Result<(), String> {
    ends.sort_by_key(|(_, y, _)| *y);
    let mut free = i32::MIN;
    for (x, y, line) in ends {
        let y = y.max(free);
        free = y + APART;
        write(area, line.label, (x + 24, y), SMALL_SIZE, line.colour, HPos::Left, VPos::Center)?;
    }
    Ok(())
}

/// A circle, a square, a triangle or a diamond.
fn mark<DB: DrawingBackend>(area: &Area<DB>, kind: usize, (x, y): (i32, i32), colour: RGBColor) -> Result<(), String> {
    let corners = match kind % 4 {
        0 => return area.draw(&Circle::new((x, y), MARK, colour.filled())).map_err(message),
        1 => vec![(x - MARK, y - MARK), (x + MARK, y - MARK), (x + MARK, y + MARK), (x - MARK, y + MARK)],
        2 => vec![(x - MARK, y + MARK), (x + MARK, y + MARK), (x, y - MARK)],
        _ => vec![(x - MARK, y), (x, y - MARK), (x + MARK, y), (x, y + MARK)],
    };
    area.draw(&Polygon::new(corners, colour.filled())).map_err(message)
}
