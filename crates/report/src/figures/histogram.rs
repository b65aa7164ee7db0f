//! The picture of run times: a histogram over a logarithmic scale, the share that ran at most so long, and the paper's limit.

use nbrevive_corpus::funnel::PAPER_SECONDS;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{
    Area, HEAD_SIZE, INK, LABEL_SIZE, MARGIN, Painting, SIZE, SMALL_SIZE, SOFT_INK, head, line_height, message, pixel,
    write,
};
use super::run_time::{Ran, RunTimes};
use crate::number_words::{percent, thousands};

/// Blue, vermilion and dark grey of Okabe and Ito ("Color universal design", 2008).
const BAR: RGBColor = RGBColor(0x56, 0xB4, 0xE9);
const LIMIT: RGBColor = RGBColor(0xD5, 0x5E, 0x00);
const SHARE: RGBColor = RGBColor(0x1A, 0x1A, 0x1A);
const GRID: RGBColor = RGBColor(0xDD, 0xDD, 0xDD);

/// Run times that the axis names.
const TICKS: [(f64, &str); 8] = [
    (1.0, "1 s"),
    (5.0, "5 s"),
    (20.0, "20 s"),
    (60.0, "1 min"),
    (300.0, "5 min"),
    (1800.0, "30 min"),
    (7200.0, "2 h"),
    (43_200.0, "12 h"),
];

/// How much room the axes' labels need left and right.
const AXIS: i32 = 200;

/// Everything that the picture shows.
pub(crate) struct Histogram<'a> {
    /// The title.
    pub(crate) title: &'a str,
    /// Where the numbers come from.
    pub(crate) source: &'a str,
    /// The picture in words.
    pub(crate) description: String,
    /// Where the runs took place.
    pub(super) ran: Ran,
    /// The counts.
    pub(crate) times: &'a RunTimes,
}

/// Where the plot stands on the sheet, and what its axes span.
struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    from: f64,
    to: f64,
    highest: u64,
}

impl Painting for Histogram<'_> {
    fn title(&self) -> &str {
        self.title
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn paint<DB: DrawingBackend>(&self, area: &Area<DB>) -> Result<(), String> {
        let y = head(area, self.title, [self.source])? + line_height(SMALL_SIZE);
        let bottom = SIZE.1 as i32 - MARGIN - line_height(SMALL_SIZE) - line_height(LABEL_SIZE) - 40;
        let counts: Vec<(f64, f64, u64)> = self.times.bins().collect();
        let (Some(first), Some(last), true) = (counts.first(), counts.last(), self.times.known() > 0) else {
            let middle = (SIZE.0 as i32 / 2, (y + bottom) / 2);
            return write(area, self.ran.nothing(), middle, HEAD_SIZE, INK, HPos::Center, VPos::Center);
        };
        let plot = Plot {
            left: f64::from(MARGIN + AXIS),
            right: f64::from(SIZE.0 as i32 - MARGIN - AXIS),
            top: f64::from(y + line_height(LABEL_SIZE) + 60),
            bottom: f64::from(bottom),
            from: first.0,
            to: last.1,
            highest: round_up(counts.iter().map(|(.., count)| *count).max().unwrap_or(1)),
        };
        plot.paint_axes(area, y, self.ran.axis())?;
        plot.paint_bars(area, &counts)?;
        plot.paint_share(area, &counts, self.times.known())?;
        plot.paint_limit(area, self.times)
    }
}

impl Plot {
    fn x(&self, seconds: f64) -> i32 {
        let place = (seconds / self.from).log10() / (self.to / self.from).log10();
        pixel(self.left + place * (self.right - self.left))
    }

    /// The height of a share between 0 and 1.
    fn y(&self, share: f64) -> i32 {
        pixel(self.bottom - share * (self.bottom - self.top))
    }

    fn paint_axes<DB: DrawingBackend>(&self, area: &Area<DB>, y: i32, scale: &str) -> Result<(), String> {
        let (left, right) = (pixel(self.left), pixel(self.right));
        for quarter in 0..=4_u64 {
            let share = quarter as f64 / 4.0;
            let height = self.y(share);
            line(area, [(left, height), (right, height)], GRID, 2)?;
            let count = thousands(self.highest / 4 * quarter);
            write(area, &count, (left - 20, height), LABEL_SIZE, INK, HPos::Right, VPos::Center)?;
            let label = format!("{} %", quarter * 25);
            write(area, &label, (right + 20, height), LABEL_SIZE, INK, HPos::Left, VPos::Center)?;
        }
        write(area, "Versions", (left, y), LABEL_SIZE, SOFT_INK, HPos::Left, VPos::Top)?;
        let label = "Share that ran at most so long";
        write(area, label, (right, y), LABEL_SIZE, SOFT_INK, HPos::Right, VPos::Top)?;
        let bottom = self.y(0.0);
        for (seconds, label) in TICKS {
            let x = self.x(seconds);
            line(area, [(x, bottom), (x, bottom + 16)], INK, 3)?;
            write(area, label, (x, bottom + 24), LABEL_SIZE, INK, HPos::Center, VPos::Top)?;
        }
        let below = (pixel(f64::midpoint(self.left, self.right)), bottom + 30 + line_height(LABEL_SIZE));
        write(area, scale, below, SMALL_SIZE, SOFT_INK, HPos::Center, VPos::Top)
    }

    fn paint_bars<DB: DrawingBackend>(&self, area: &Area<DB>, counts: &[(f64, f64, u64)]) -> Result<(), String> {
        for (lower, upper, count) in counts.iter().filter(|(.., count)| *count > 0) {
            // A bin with anything in it stays visible beside the largest one.
            let top = self.y(*count as f64 / self.highest as f64).min(self.y(0.0) - 3);
            let corners = [(self.x(*lower) + 1, top), (self.x(*upper) - 1, self.y(0.0))];
            area.draw(&Rectangle::new(corners, BAR.filled())).map_err(message)?;
        }
        line(area, [(pixel(self.left), self.y(0.0)), (pixel(self.right), self.y(0.0))], INK, 3)
    }

    fn paint_share<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        counts: &[(f64, f64, u64)],
        known: u64,
    ) -> Result<(), String> {
        let mut sum = 0;
        let start = (self.x(self.from), self.y(0.0));
        let point = |(_, upper, count): &(f64, f64, u64)| {
            sum += count;
            (self.x(*upper), self.y(sum as f64 / known as f64))
        };
        let points: Vec<(i32, i32)> = std::iter::once(start).chain(counts.iter().map(point)).collect();
        area.draw(&PathElement::new(points, SHARE.stroke_width(5))).map_err(message)
    }

    fn paint_limit<DB: DrawingBackend>(&self, area: &Area<DB>, times: &RunTimes) -> Result<(), String> {
        let x = self.x(PAPER_SECONDS);
        let (top, bottom) = (pixel(self.top) - 50, self.y(0.0));
        line(area, [(x, top), (x, bottom)], LIMIT, 5)?;
        let share = percent(Some(times.within() as f64 / times.known() as f64));
        let label = format!("{PAPER_SECONDS} s: {share} ran at most so long");
        // Left of the line, where there is always room: the limit stands in the right half of the scale.
        write(area, &label, (x - 20, top), LABEL_SIZE, LIMIT, HPos::Right, VPos::Center)
    }
}

fn line<DB: DrawingBackend>(
    area: &Area<DB>,
    ends: [(i32, i32); 2],
    colour: RGBColor,
    thick: u32,
) -> Result<(), String> {
    area.draw(&PathElement::new(ends.to_vec(), colour.stroke_width(thick))).map_err(message)
}

/// The next number of the kind 4, 8, 12, 20, 40, 80 … from `count` on: a quarter of it is a whole number that reads well.
fn round_up(count: u64) -> u64 {
    let mut unit = 1_u64;
    loop {
        for step in [4, 8, 12, 20] {
            if unit.saturating_mul(step) >= count {
                return unit.saturating_mul(step);
            }
        }
        unit = unit.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::round_up;

    #[test]
    fn quarters_of_the_axis_are_whole() {
        let cases = [(0, 4), (1, 4), (4, 4), (5, 8), (9, 12), (13, 20), (21, 40), (99, 120), (12_720, 20_000)];
        for (count, expected) in cases {
            assert_eq!(round_up(count), expected, "{count}");
        }
        assert!(round_up(u64::MAX) > 0);
    }
}
