//! Who was left out, and why: the steps of the funnel of a mined corpus, what no condition studies, and what one condition leaves out.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::index::Index;
use crate::frame::{ColumnRule, Frame, FrameError, Kind, required};

const FUNNEL: &[ColumnRule] = &[
    required("position", Kind::Count),
    required("step", Kind::Text),
    required("kept", Kind::Count),
    required("dropped", Kind::Count),
    required("reasons", Kind::Text),
];

const LEFT_OUT: &[ColumnRule] = &[required("condition", Kind::Text), required("reason", Kind::Text)];

/// The counts of the section.
pub(super) fn json(folder: &Path, index: &Index) -> Result<Value, FrameError> {
    let mut exclusions: BTreeMap<&str, u64> = BTreeMap::new();
    for word in index.versions.iter().filter_map(|version| version.exclusion.as_deref()) {
        *exclusions.entry(word).or_default() += 1;
    }
    Ok(json!({
        "funnel": funnel(&folder.join("funnel.parquet"))?,
        "exclusions": exclusions,
        "conditions": by_condition(&folder.join("left-out.parquet"))?,
    }))
}

/// The steps of the funnel in order; none where nothing was mined.
fn funnel(path: &Path) -> Result<Vec<Value>, FrameError> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let frame = Frame::read(path, FUNNEL)?;
    let (positions, steps) = (frame.counts("position")?, frame.texts("step")?);
    let (kept, dropped, reasons) = (frame.counts("kept")?, frame.counts("dropped")?, frame.texts("reasons")?);
    let mut rows = Vec::new();
    for row in 0..frame.height() {
        let reasons: Map<String, Value> = serde_json::from_str(&reasons[row])
            .map_err(|error| frame.content_error(format!("`reasons` of step `{}`: {error}", steps[row])))?;
        let step = json!({ "step": steps[row], "kept": kept[row], "dropped": dropped[row], "reasons": reasons });
        rows.push((positions[row], step));
    }
    rows.sort_by_key(|(position, _)| *position);
    Ok(rows.into_iter().map(|(_, step)| step).collect())
}

/// How many versions each condition leaves out, by reason.
fn by_condition(path: &Path) -> Result<BTreeMap<String, BTreeMap<String, u64>>, FrameError> {
    let mut counts: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    if path.is_file() {
        let frame = Frame::read(path, LEFT_OUT)?;
        for (condition, reason) in frame.texts("condition")?.into_iter().zip(frame.texts("reason")?) {
            *counts.entry(condition).or_default().entry(reason).or_default() += 1;
        }
    }
    Ok(counts)
}
