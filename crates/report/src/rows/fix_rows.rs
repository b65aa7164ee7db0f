//! The rows of `fixes.parquet`.

use std::path::Path;

use nbrevive_corpus::{Condition, FixType, FlowState};

use super::Study;
use crate::frame::{ColumnRule, Frame, FrameError, Kind, required};
use crate::words::Text;

/// One fix: a row of `fixes.parquet`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FixRow {
    /// Slug of the version.
    pub(crate) version: Text,
    /// The condition whose loop made the fix.
    pub(crate) condition: Condition,
    /// Its number in the loop, from 1.
    pub(crate) number: u32,
    /// What it aimed at.
    pub(crate) fix_type: FixType,
    /// Edit similarity to the code before it, between 0 and 1.
    pub(crate) similarity_to_previous: f64,
    /// Edit similarity of its result to the original, between 0 and 1.
    pub(crate) similarity_to_original: f64,
    /// Who proposed it.
    pub(crate) provider: Text,
    /// Ids of the rules that it applied, joined by commas.
    pub(crate) rules: Text,
    /// The state it led to.
    pub(crate) led_to: FlowState,
}

const FIXES: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("number", Kind::Count),
    required("fix_type", Kind::Text),
    required("provider", Kind::Text),
    required("rules", Kind::Text),
    required("similarity_to_previous", Kind::Number),
    required("similarity_to_original", Kind::Number),
    required("led_to", Kind::Text),
];

pub(super) fn read_fixes(path: &Path, study: &Study) -> Result<Vec<FixRow>, FrameError> {
    let mut rows = Vec::new();
    Frame::each(path, FIXES, |frame| {
        rows.extend(fixes_of(frame, study)?);
        Ok(())
    })?;
    Ok(rows)
}

fn fixes_of(frame: &Frame, study: &Study) -> Result<Vec<FixRow>, FrameError> {
    let conditions: Vec<Condition> = frame.words("condition")?;
    let types: Vec<FixType> = frame.words("fix_type")?;
    let states: Vec<FlowState> = frame.words("led_to")?;
    let (versions, providers, rules) =
        (frame.shared_texts("version")?, frame.shared_texts("provider")?, frame.shared_texts("rules")?);
    let numbers = frame.counts("number")?;
    let (previous, original) =
        (similarities(frame, "similarity_to_previous")?, similarities(frame, "similarity_to_original")?);
    if let Some(number) = numbers.iter().find(|number| !(1..=study.max_fixes).contains(*number)) {
        let most = study.max_fixes;
        return Err(frame.content_error(format!("`number` holds {number}, expected numbers from 1 to {most}")));
    }
    if let Some(state) = states.iter().find(|state| !FlowState::COLUMNS.contains(state)) {
        return Err(frame.content_error(format!("`led_to` holds `{state}`, for which Table 4 has no column")));
    }
    let row = |index: usize| FixRow {
        version: versions[index].clone(),
        condition: conditions[index],
        number: numbers[index],
        fix_type: types[index],
        similarity_to_previous: previous[index],
        similarity_to_original: original[index],
        provider: providers[index].clone(),
        rules: rules[index].clone(),
        led_to: states[index],
    };
    Ok((0..frame.height()).map(row).collect())
}

/// A column of numbers between 0 and 1.
fn similarities(frame: &Frame, column: &str) -> Result<Vec<f64>, FrameError> {
    let values = frame.numbers(column)?;
    match values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
        Some(value) => Err(frame.content_error(format!("`{column}` holds {value}, expected numbers from 0 to 1"))),
        None => Ok(values),
    }
}
