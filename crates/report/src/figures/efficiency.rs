//! Where the time of machines goes in a study on many of them, over how many there are.

use super::bars::{Series, StackedBars};
use super::canvas::Painting as _;
use super::chart::{COLOURS, Caption, Chart};
use crate::error::FigureError;

/// What all of the time is drawn as.
const WHOLE: f64 = 1000.0;

/// Shares of the time of all machines together, from 0 to 1; what is left of 1 they had nothing to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MachineTime {
    /// How many machines.
    pub nodes: usize,
    /// The share in which they executed notebooks: the efficiency.
    pub work: f64,
    /// The share in which tasks began and ended.
    pub starts: f64,
}

impl MachineTime {
    /// The share in which machines waited for the last tasks.
    #[must_use]
    pub fn idle(&self) -> f64 {
        (1.0 - self.work - self.starts).max(0.0)
    }
}

/// The picture as SVG; `source` says what was counted.
///
/// # Errors
/// When it cannot be drawn.
pub fn draw_efficiency(times: &[MachineTime], source: &str) -> Result<String, FigureError> {
    let counts = |share: fn(&MachineTime) -> f64| -> Vec<u64> {
        times.iter().map(|time| (WHOLE * share(time)).round() as u64).collect()
    };
    let (work, starts) = (counts(|time| time.work), counts(|time| time.starts));
    // What is left, so that rounded parts are a whole.
    let idle = work.iter().zip(&starts).map(|(work, starts)| (WHOLE as u64).saturating_sub(work + starts)).collect();
    let series = |label: &str, colour, counts| Series { label: label.to_owned(), colour, counts };
    let told: Vec<String> =
        times.iter().map(|time| format!("{:.1} % at {} machines", 100.0 * time.work, time.nodes)).collect();
    let bars = StackedBars {
        caption: Caption {
            title: "Where the time of machines goes",
            source: source.to_owned(),
            published: None,
            description: format!("Share of the time in which machines executed notebooks: {}.", told.join(", ")),
        },
        axes: ("machines", "per mille of their time"),
        groups: times.iter().map(|time| time.nodes.to_string()).collect(),
        series: vec![
            series("executing notebooks", COLOURS[0], work),
            series("starts and ends of tasks", COLOURS[1], starts),
            series("nothing left to do", COLOURS[5], idle),
        ],
        nothing: "No time was spent.",
    };
    Chart::Bars(bars).svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_says_in_words_what_it_shows() {
        let times = [1, 64].map(|nodes| MachineTime { nodes, work: 0.96, starts: 0.01 });
        assert!((times[0].idle() - 0.03).abs() < 1e-12);
        let svg = draw_efficiency(&times, "made up").unwrap();
        assert!(
            svg.starts_with("<svg") && svg.contains("96.0 % at 1 machines, 96.0 % at 64 machines"),
            "{}",
            &svg[..600]
        );
    }
}
