//! How far two groups are apart in every cell of a matrix: a colour for the group that has more, the stronger the more, and the points.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{
    Area, INK, LABEL_SIZE, MARGIN, SIZE, SMALL_SIZE, SOFT_INK, line_height, message, pixel, width, write,
};
use super::chart::{COLOURS, Caption, legend, nothing};
use crate::number_words::NOTHING;

/// How strong the colour of the largest difference is, so that black figures stay readable on it.
const STRONGEST: f64 = 0.75;

/// Differences of two groups, in points.
pub(crate) struct DifferenceMatrix {
    /// Title, source and text alternative.
    pub(crate) caption: Caption,
    /// What columns are, and what rows are.
    pub(crate) axes: (&'static str, &'static str),
    /// Names of the columns, from left to right.
    pub(crate) columns: Vec<String>,
    /// Names of the rows, from the top.
    pub(crate) rows: Vec<String>,
    /// Names of the two groups.
    pub(crate) groups: [String; 2],
    /// By row and column: how many points the first group has more; none where a group has none of the row.
    pub(crate) cells: Vec<Vec<Option<f64>>>,
    /// What stands there without any.
    pub(crate) nothing: &'static str,
}

impl DifferenceMatrix {
    pub(super) fn paint<DB: DrawingBackend>(&self, area: &Area<DB>, top: i32) -> Result<(), String> {
        let points = || self.cells.iter().flatten().flatten();
        if points().next().is_none() {
            return nothing(area, self.nothing);
        }
        let highest = points().map(|points| points.abs()).fold(1.0, f64::max);
        let [one, other] = self.groups.each_ref().map(|group| format!("more in {group}"));
        legend(area, top, &[(&one, COLOURS[0]), (&other, COLOURS[1])])?;
        write(area, self.axes.1, (MARGIN, top), SMALL_SIZE, SOFT_INK, HPos::Left, VPos::Top)?;
        let room = self.room(area, top)?;
        for (index, name) in self.columns.iter().enumerate() {
            let (left, right) = (room.x(index), room.x(index + 1));
            let place = (i32::midpoint(left, right), room.bottom + 20);
            write(area, name, place, LABEL_SIZE, INK, HPos::Center, VPos::Top)?;
        }
        for (row, (name, cells)) in self.rows.iter().zip(&self.cells).enumerate() {
            let (above, below) = (room.y(row), room.y(row + 1));
            let middle = i32::midpoint(above, below);
            write(area, name, (room.left - 20, middle), LABEL_SIZE, INK, HPos::Right, VPos::Center)?;
            for (column, points) in cells.iter().enumerate() {
                let (left, right) = (room.x(column), room.x(column + 1));
                let corners = [(left, above), (right, below)];
                let colour = points.map_or(WHITE, |points| shade(points, highest));
                area.draw(&Rectangle::new(corners, colour.filled())).map_err(message)?;
                area.draw(&Rectangle::new(corners, SOFT_INK.stroke_width(1))).map_err(message)?;
                let text = points.map_or_else(|| NOTHING.to_owned(), signed);
                let place = (i32::midpoint(left, right), middle);
                write(area, &text, place, LABEL_SIZE, INK, HPos::Center, VPos::Center)?;
            }
        }
        let foot = (i32::midpoint(room.left, room.right), SIZE.1 as i32 - MARGIN - line_height(SMALL_SIZE));
        write(area, self.axes.0, foot, SMALL_SIZE, SOFT_INK, HPos::Center, VPos::Top)
    }

    /// Where the cells stand: right of the longest name of a row.
    fn room<DB: DrawingBackend>(&self, area: &Area<DB>, top: i32) -> Result<Room, String> {
        let widths = self.rows.iter().map(|name| width(area, name, LABEL_SIZE));
        let widest = widths.collect::<Result<Vec<_>, _>>()?.into_iter().max().unwrap_or(0);
        Ok(Room {
            left: MARGIN + widest + 40,
            right: SIZE.0 as i32 - MARGIN,
            top: top + line_height(LABEL_SIZE) + 30,
            bottom: SIZE.1 as i32 - MARGIN - line_height(SMALL_SIZE) - line_height(LABEL_SIZE) - 30,
            columns: self.columns.len(),
            rows: self.rows.len(),
        })
    }
}

/// Where the cells stand.
struct Room {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
    columns: usize,
    rows: usize,
}

impl Room {
    fn x(&self, column: usize) -> i32 {
        self.left + pixel(f64::from(self.right - self.left) * column as f64 / self.columns as f64)
    }

    fn y(&self, row: usize) -> i32 {
        self.top + pixel(f64::from(self.bottom - self.top) * row as f64 / self.rows as f64)
    }
}

/// White for nothing, and towards the colour of the group that has more.
fn shade(points: f64, highest: f64) -> RGBColor {
    let RGBColor(red, green, blue) = if points < 0.0 { COLOURS[1] } else { COLOURS[0] };
    let part = STRONGEST * points.abs() / highest;
    let mixed = |channel: u8| (255.0 + (f64::from(channel) - 255.0) * part).round() as u8;
    RGBColor(mixed(red), mixed(green), mixed(blue))
}

/// Points with their sign; what rounds to nothing has none.
pub(crate) fn signed(points: f64) -> String {
    match format!("{points:+.0}") {
        text if text == "+0" || text == "-0" => "0".to_owned(),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colour_says_who_has_more_and_how_much() {
        assert_eq!(shade(0.0, 20.0), WHITE);
        let (less, more, other) = (shade(5.0, 20.0), shade(20.0, 20.0), shade(-20.0, 20.0));
        assert!(less.0 > more.0 && more.2 > more.0, "{less:?} {more:?}: blue, and the more the less red");
        assert!(other.0 > other.2, "{other:?}: orange");
        assert_eq!([0.3, -0.4, 16.4, -23.0].map(signed), ["0", "0", "+16", "-23"]);
    }
}
