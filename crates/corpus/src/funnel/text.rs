//! The funnel as text, beside the paper's counts.

use std::fmt;

use super::{PublishedFunnel, StepCounts, Tally};
use crate::thousands;

/// A tally as a table for people; see [`Tally::beside`].
#[derive(Debug, Clone)]
pub struct FunnelText<'a> {
    tally: &'a Tally,
    published: Option<&'a PublishedFunnel>,
}

impl Tally {
    /// The tally as text: a line a step with what it kept and dropped and why, then the funnel on one line, each beside the counts
    /// that the paper prints.
    #[must_use]
    pub const fn beside<'a>(&'a self, published: Option<&'a PublishedFunnel>) -> FunnelText<'a> {
        FunnelText { tally: self, published }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.beside(None).fmt(formatter)
    }
}

impl FunnelText<'_> {
    fn printed(&self, step: &StepCounts) -> Option<&str> {
        self.published.and_then(|published| published.after.get(&step.step)).map(String::as_str)
    }

    fn row(&self, formatter: &mut fmt::Formatter<'_>, [step, kept, dropped, paper, why]: [&str; 5]) -> fmt::Result {
        let line = match self.published {
            Some(_) => format!("{step:<18}{kept:>12}{dropped:>12}{paper:>12}   {why}"),
            None => format!("{step:<18}{kept:>12}{dropped:>12}   {why}"),
        };
        writeln!(formatter, "{}", line.trim_end())
    }
}

impl fmt::Display for FunnelText<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.tally.steps();
        self.row(formatter, ["step", "kept", "dropped", "paper", "why"])?;
        self.row(formatter, ["mined", &thousands(self.tally.mined()), "", "", ""])?;
        for step in &steps {
            let paper = self.printed(step).unwrap_or("");
            let (kept, dropped) = (thousands(step.kept), thousands(step.dropped));
            self.row(formatter, [step.step.as_str(), &kept, &dropped, paper, &why(step)])?;
        }
        let mut ours = format!("ours: mined {}", thousands(self.tally.mined()));
        for step in &steps {
            ours.push_str(&format!(" → {} {}", step.step, thousands(step.kept)));
        }
        write!(formatter, "{ours}")?;
        let Some(published) = self.published else {
            return Ok(());
        };
        let known = steps.iter().filter_map(|step| Some(format!("{} {}", step.step, self.printed(step)?)));
        let known = known.collect::<Vec<_>>().join(" → … → ");
        write!(formatter, "\npaper (section {}, {}): {known}", published.section, published.population)
    }
}

fn why(step: &StepCounts) -> String {
    let mut parts: Vec<_> = step.reasons.iter().collect();
    parts.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), **reason));
    let mut parts: Vec<String> =
        parts.iter().map(|(reason, count)| format!("{} {reason}", thousands(**count))).collect();
    if step.unknown_kept > 0 {
        parts.push(format!("kept without knowing: {}", thousands(step.unknown_kept)));
    }
    parts.join(", ")
}
