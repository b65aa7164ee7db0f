//! Numbers that the author wrote down, beside those that a run shows.

use std::sync::LazyLock;

use nbrevive_notebook::{Cell, CellKind, Notebook};
use regex::Regex;
use serde::Serialize;

use super::values;
use crate::output::{ShownOutput, shown_outputs};

/// Decimals of a number that are no chance: fewer are versions, sections and thresholds.
const LEAST_DECIMALS: usize = 3;
/// Code cells before a text to which it may refer.
const CELLS_BEFORE: usize = 3;
/// Longest text that is read, in bytes.
const LONGEST: usize = 1 << 16;
/// Most numbers of a text, and of a cell's outputs, that are looked at.
const MOST_NUMBERS: usize = 4096;

/// A number with a point, and whether it is a percentage.
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(\d+\.(\d+))(?:e([+-]?\d{1,3}))?(\s?%)?").ok());

/// How many numbers of the author's text a run shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Claims {
    /// Numbers with at least three decimals (one, of percentages) that stand behind code.
    pub made: usize,
    /// Those among them that one of the three code cells before shows, rounded as the author rounded.
    pub shown: usize,
}

impl Claims {
    /// Looks for the numbers of the original's text in what the executed cells show.
    pub(super) fn of(original: &Notebook, executed: &Notebook) -> Self {
        let mut claims = Self::default();
        let mut before: Vec<&Cell> = Vec::new();
        let mut run = executed.code_cells();
        for cell in &original.cells {
            match &cell.kind {
                CellKind::Code { .. } => before.extend(run.next().map(|(_, cell)| cell)),
                CellKind::Markdown { .. } if !before.is_empty() && cell.source.len() <= LONGEST => {
                    let first = before.len().saturating_sub(CELLS_BEFORE);
                    let shown: Vec<f64> = before[first..].iter().flat_map(|cell| numbers_of(cell)).collect();
                    for claim in claims_of(&cell.source) {
                        claims.made += 1;
                        claims.shown += usize::from(shown.iter().any(|number| claim.is(*number)));
                    }
                }
                _ => {}
            }
        }
        claims
    }
}

/// A number as it was rounded.
struct Claim {
    value: f64,
    /// Half of its last digit.
    half: f64,
}

impl Claim {
    fn is(&self, number: f64) -> bool {
        (number - self.value).abs() <= self.half * 1.000_001
    }
}

fn claims_of(text: &str) -> Vec<Claim> {
    let Some(numbers) = NUMBER.as_ref() else { return Vec::new() };
    let claim = |found: regex::Captures<'_>| {
        let decimals = found.get(2)?.len();
        let percent = found.get(4).is_some();
        let least = if percent { 1 } else { LEAST_DECIMALS };
        // Parts of versions and dates have another point beside them.
        let beside = text.get(found.get(0)?.end()..)?.starts_with('.')
            && text.get(found.get(0)?.end() + 1..)?.starts_with(|next: char| next.is_ascii_digit());
        if decimals < least || beside || found.get(3).is_some() {
            return None;
        }
        let scale = if percent { 0.01 } else { 1.0 };
        let half = 0.5 * 10_f64.powi(-i32::try_from(decimals).ok()?);
        Some(Claim { value: found.get(1)?.as_str().parse::<f64>().ok()? * scale, half: half * scale })
    };
    numbers.captures_iter(text).take(MOST_NUMBERS).filter_map(claim).collect()
}

/// The numbers with a point that a cell shows.
fn numbers_of(cell: &Cell) -> Vec<f64> {
    let Some(numbers) = NUMBER.as_ref() else { return Vec::new() };
    let outputs = values::of(cell.outputs(), &cell.source);
    let (shown, _) = shown_outputs(&outputs);
    let texts = shown.iter().filter_map(|shown| match shown {
        ShownOutput::Printed(text) => Some(text.clone()),
        ShownOutput::Bundle { data, .. } => data.get("text/plain").and_then(|text| text.as_str()).map(str::to_owned),
        ShownOutput::Raised { .. } => None,
    });
    let read = |text: String| -> Vec<f64> {
        let cut = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let number = |found: regex::Captures<'_>| {
            let whole = found.get(0)?.as_str().trim_end_matches(['%', ' ']);
            let scale = if found.get(4).is_some() { 0.01 } else { 1.0 };
            Some(whole.parse::<f64>().ok()? * scale)
        };
        numbers.captures_iter(&text[..cut]).take(MOST_NUMBERS).filter_map(number).collect()
    };
    texts.flat_map(read).collect()
}
