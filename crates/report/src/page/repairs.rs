//! Which errors the fixes took away: by number of fixes (as Figure 9a counts), and by type of the fix.

use std::collections::BTreeMap;

use nbrevive_corpus::{FixType, Role};
use serde_json::{Value, json};

use super::runs::{Raised, Runs};
use crate::errors::Errors;
use crate::rows::Data;

/// Cells that raised, before and after a fix, by type of the error.
type BeforeAfter<'a> = BTreeMap<&'a str, [u64; 2]>;

/// The counts of the section.
pub(super) fn json(errors: &Errors, runs: &Runs, data: &Data) -> Value {
    let by_type: Vec<Value> = FixType::ALL.iter().map(|fix_type| by_type(*fix_type, runs, data)).collect();
    json!({ "by_fix": errors.by_fix, "notebooks": errors.notebooks, "by_type": by_type })
}

/// The errors around all fixes of one type under modernize; a fix counts when both executions are known.
fn by_type(fix_type: FixType, runs: &Runs, data: &Data) -> Value {
    let mut errors = BeforeAfter::new();
    let mut fixes = 0;
    for fix in data.fixes_of(Role::Modernize).filter(|fix| fix.fix_type == fix_type) {
        let Some(version) = runs.place(&fix.version) else { continue };
        let at = |step: u32| runs.at(version, data.condition(Role::Modernize), step);
        let (Some(before), Some(after)) = (fix.number.checked_sub(1).and_then(at), at(fix.number)) else { continue };
        fixes += 1;
        for (side, run) in [before, after].into_iter().enumerate() {
            for kind in run.raised.iter().filter_map(Raised::kind) {
                errors.entry(kind).or_default()[side] += 1;
            }
        }
    }
    json!({ "fix_type": fix_type, "fixes": fixes, "errors": errors })
}
