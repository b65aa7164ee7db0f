//! How two groups differ in each category: bars as high as the adjusted residual, in the colour of the group that has more than expected.

use plotters::prelude::*;

use super::canvas::{Area, INK, SOFT_INK, message, pixel};
use super::chart::{Axes, COLOURS, Caption, legend, nothing, whole_quarters};

/// What share of its column a bar fills.
const FILLED: f64 = 0.74;

/// The residual beyond which a category by itself differs at 5 %: the two-sided quantile of the normal distribution.
const TELLING: f64 = 1.96;

/// Residuals of two groups, which are each other's negative.
pub(crate) struct ResidualBars {
    /// Title, source and text alternative.
    pub(crate) caption: Caption,
    /// What the categories are.
    pub(crate) axis: &'static str,
    /// Names of the categories, from left to right.
    pub(crate) categories: Vec<String>,
    /// Names of the two groups.
    pub(crate) groups: [String; 2],
    /// Of the first group in each category, in standard deviations: below 0 the second has more.
    pub(crate) residuals: Vec<f64>,
    /// What stands there without any.
    pub(crate) nothing: &'static str,
}

impl ResidualBars {
    pub(super) fn paint<DB: DrawingBackend>(&self, area: &Area<DB>, top: i32) -> Result<(), String> {
        let highest = self.residuals.iter().map(|residual| residual.abs()).fold(0.0, f64::max);
        if !(highest.is_finite() && highest > 0.0) {
            return nothing(area, self.nothing);
        }
        let high = whole_quarters(highest.ceil().max(TELLING.ceil()) as u64) as f64;
        let words = (self.axis, "Adjusted residual, in standard deviations; the line is at 5 %");
        let axes = Axes::paint(area, top, high, |value| format!("{value:.0}"), words)?;
        let [one, other] = self.groups.each_ref().map(String::as_str);
        legend(area, top, &[(one, COLOURS[0]), (other, COLOURS[1])])?;
        for (index, (name, residual)) in self.categories.iter().zip(&self.residuals).enumerate() {
            let (left, right) = axes.column(index, self.categories.len());
            let inset = (right - left) * (1.0 - FILLED) / 2.0;
            axes.label(area, name, pixel(f64::midpoint(left, right)))?;
            let corners = [(pixel(left + inset), axes.y(residual.abs())), (pixel(right - inset), axes.y(0.0))];
            let colour = if *residual < 0.0 { COLOURS[1] } else { COLOURS[0] };
            area.draw(&Rectangle::new(corners, colour.filled())).map_err(message)?;
            area.draw(&Rectangle::new(corners, INK.stroke_width(1))).map_err(message)?;
        }
        let line = [axes.left, axes.right].map(|x| (pixel(x), axes.y(TELLING)));
        area.draw(&PathElement::new(line, SOFT_INK.stroke_width(3))).map_err(message)
    }
}
