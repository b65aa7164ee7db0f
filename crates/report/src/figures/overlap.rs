//! Two circles that overlap: what one approach does, the other, and both. Their areas say nothing; the numbers do.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{Area, HEAD_SIZE, INK, LABEL_SIZE, SIZE, SMALL_SIZE, SOFT_INK, line_height, message, write};
use super::chart::{COLOURS, Caption, nothing};
use crate::number_words::thousands;

const RADIUS: i32 = 440;
/// Half the distance between the middles.
const ASIDE: i32 = 260;

/// Two sets.
pub(crate) struct Overlap {
    /// Title, source and text alternative.
    pub(crate) caption: Caption,
    /// Names of the two sets.
    pub(crate) names: [&'static str; 2],
    /// Only in the first, in both, only in the second.
    pub(crate) counts: [u64; 3],
    /// In neither.
    pub(crate) neither: u64,
    /// What stands there when nothing was counted.
    pub(crate) nothing: &'static str,
}

impl Overlap {
    pub(super) fn paint<DB: DrawingBackend>(&self, area: &Area<DB>, top: i32) -> Result<(), String> {
        if self.counts.iter().sum::<u64>() + self.neither == 0 {
            return nothing(area, self.nothing);
        }
        let (middle, y) = (SIZE.0 as i32 / 2, top + 2 * line_height(HEAD_SIZE) + RADIUS);
        let sides = [-1, 1].map(|side| middle + side * ASIDE);
        for (x, colour) in sides.into_iter().zip([COLOURS[0], COLOURS[1]]) {
            area.draw(&Circle::new((x, y), RADIUS, colour.mix(0.35).filled())).map_err(message)?;
            area.draw(&Circle::new((x, y), RADIUS, INK.stroke_width(3))).map_err(message)?;
        }
        for (name, x) in self.names.iter().zip(sides.map(|x| middle + (x - middle) * 2)) {
            let above = (x, y - RADIUS - line_height(HEAD_SIZE) / 2);
            write(area, name, above, LABEL_SIZE, INK, HPos::Center, VPos::Center)?;
        }
        let places = [middle - RADIUS, middle, middle + RADIUS];
        for ((count, words), x) in self.counts.iter().zip(["only so", "both ways", "only so"]).zip(places) {
            let half = line_height(HEAD_SIZE) / 2;
            write(area, &thousands(*count), (x, y - half), HEAD_SIZE, INK, HPos::Center, VPos::Center)?;
            write(area, words, (x, y + half), SMALL_SIZE, INK, HPos::Center, VPos::Center)?;
        }
        let neither = format!("{} neither way", thousands(self.neither));
        let below = (middle, y + RADIUS + line_height(LABEL_SIZE));
        write(area, &neither, below, LABEL_SIZE, SOFT_INK, HPos::Center, VPos::Center)
    }
}
