//! Box plots after Tukey (Exploratory Data Analysis, 1977): the box from the first to the third quartile, the median, the mean as
//! a diamond, whiskers to the last values within 1.5 interquartile ranges, and every value beyond as a dot.

use std::collections::BTreeSet;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use serde::Serialize;

use super::canvas::{Area, INK, SMALL_SIZE, SOFT_INK, line_height, message, pixel, write};
use super::chart::{Axes, Caption, nothing};

const BOX: RGBColor = RGBColor(0x56, 0xB4, 0xE9);
const MEAN: RGBColor = RGBColor(0xD5, 0x5E, 0x00);
/// Whiskers end within this many interquartile ranges.
const WHISKER: f64 = 1.5;
/// What share of its column a box fills.
const FILLED: f64 = 0.3;

/// A sample in numbers; absent numbers where it is empty.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Summary {
    /// How many values there are.
    pub(crate) n: usize,
    /// Their mean.
    pub(crate) mean: Option<f64>,
    /// Least value, first quartile, median, third quartile and largest value.
    pub(crate) quartiles: Option<[f64; 5]>,
    /// Where the whiskers end.
    pub(crate) whiskers: Option<[f64; 2]>,
}

/// One box.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    /// Its name.
    pub(crate) label: &'static str,
    /// In numbers.
    pub(crate) summary: Summary,
    values: Vec<f64>,
}

impl Sample {
    /// Describes finite values.
    pub(crate) fn new(label: &'static str, values: Vec<f64>) -> Self {
        let quartiles = nbrevive_stats::quantiles(&values, &[0.0, 0.25, 0.5, 0.75, 1.0]).ok();
        let quartiles = quartiles.and_then(|found| <[f64; 5]>::try_from(found).ok());
        let whiskers = quartiles.map(|[_, first, _, third, _]| {
            let reach = (third - first) * WHISKER;
            let within = values.iter().copied().filter(|value| (first - reach..=third + reach).contains(value));
            within.fold([first, third], |[low, high], value| [low.min(value), high.max(value)])
        });
        let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
        Sample { label, summary: Summary { n: values.len(), mean, quartiles, whiskers }, values }
    }
}

/// Boxes side by side.
pub(crate) struct BoxPlots {
    /// Title, source and text alternative.
    pub(crate) caption: Caption,
    /// What is measured.
    pub(crate) measured: &'static str,
    /// The upper end of the scale, which starts at 0.
    pub(crate) high: f64,
    /// How numbers of the scale are written.
    pub(crate) number: fn(f64) -> String,
    /// The boxes, from left to right.
    pub(crate) samples: Vec<Sample>,
    /// What stands there when there is no value at all.
    pub(crate) nothing: &'static str,
}

impl BoxPlots {
    pub(super) fn paint<DB: DrawingBackend>(&self, area: &Area<DB>, top: i32) -> Result<(), String> {
        if self.samples.iter().all(|sample| sample.summary.n == 0) {
            return nothing(area, self.nothing);
        }
        let below =
            "Box: quartiles and median. Whiskers: 1.5 interquartile ranges. Dots: values beyond. Diamond: mean.";
        let axes = Axes::paint(area, top, self.high, self.number, (below, self.measured))?;
        for (index, sample) in self.samples.iter().enumerate() {
            let (left, right) = axes.column(index, self.samples.len());
            axes.label(
                area,
                &format!("{} (n = {})", sample.label, sample.summary.n),
                pixel(f64::midpoint(left, right)),
            )?;
            sample.paint(area, &axes, (left, right), self.number)?;
        }
        Ok(())
    }
}

impl Sample {
    fn paint<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        axes: &Axes,
        (left, right): (f64, f64),
        number: fn(f64) -> String,
    ) -> Result<(), String> {
        let Summary {
            mean: Some(mean),
            quartiles: Some([_, first, median, third, _]),
            whiskers: Some([low, high]),
            ..
        } = self.summary
        else {
            return Ok(());
        };
        let middle = pixel(f64::midpoint(left, right));
        let half = pixel((right - left) * FILLED / 2.0);
        let line = |points: [(i32, i32); 2], wide: u32| {
            area.draw(&PathElement::new(points, INK.stroke_width(wide))).map_err(message)
        };
        for (from, to) in [(low, first), (third, high)] {
            line([(middle, axes.y(from)), (middle, axes.y(to))], 3)?;
        }
        for end in [low, high] {
            line([(middle - half / 2, axes.y(end)), (middle + half / 2, axes.y(end))], 3)?;
        }
        let corners = [(middle - half, axes.y(third)), (middle + half, axes.y(first))];
        area.draw(&Rectangle::new(corners, BOX.filled())).map_err(message)?;
        area.draw(&Rectangle::new(corners, INK.stroke_width(3))).map_err(message)?;
        line([(middle - half, axes.y(median)), (middle + half, axes.y(median))], 8)?;
        // Values at one height are one dot.
        let beyond: BTreeSet<i32> =
            self.values.iter().filter(|value| !(low..=high).contains(*value)).map(|value| axes.y(*value)).collect();
        for y in beyond {
            area.draw(&Circle::new((middle, y), 7, INK.stroke_width(2))).map_err(message)?;
        }
        let y = axes.y(mean);
        let diamond = vec![(middle - 16, y), (middle, y - 16), (middle + 16, y), (middle, y + 16)];
        area.draw(&Polygon::new(diamond, MEAN.filled())).map_err(message)?;
        // Of a box on the axis both lines stand above it: below are the labels.
        let lowest = axes.y(0.0) - line_height(SMALL_SIZE) * 3 / 2;
        let beside = (middle + half + 20, (axes.y(median) - line_height(SMALL_SIZE) / 2).min(lowest));
        write(area, &format!("median {}", number(median)), beside, SMALL_SIZE, INK, HPos::Left, VPos::Center)?;
        let below = (beside.0, beside.1 + line_height(SMALL_SIZE));
        write(area, &format!("mean {mean:.2}"), below, SMALL_SIZE, SOFT_INK, HPos::Left, VPos::Center)
    }
}
