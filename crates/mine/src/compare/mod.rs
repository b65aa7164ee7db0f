//! Where two sources disagree about the same versions.
//!
//! Versions are joined by notebook and number, else by notebook and Kaggle's id, else by notebook and commit. What one side
//! does not tell is no disagreement. Times within a second are the same, and so are scores within a ten-thousandth and run
//! times within a second: sources round. Data that one side knows by number alone (`#4299`) is the same as any of its kind.
//!
//! | file | purpose |
//! |---|---|
//! | `fields.rs` | what is compared, and how |
//! | `report.rs` | the result, as a table and as JSON |

mod fields;
mod report;

use std::collections::{BTreeMap, HashMap};

use crate::records::{NotebookKey, VersionRecord};
use fields::{FIELDS, values};
pub use report::{Disagreement, FieldCounts, Fields, LISTED, Lonely, Report};

/// What versions are known by. Sources that have numbers need not have ids, and the other way round.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Mark {
    Number(u32),
    Id(u64),
    Revision(String),
}

fn marks(version: &VersionRecord) -> impl Iterator<Item = (NotebookKey, Mark)> + use<> {
    let marks =
        [version.number.map(Mark::Number), version.id.map(Mark::Id), version.revision.clone().map(Mark::Revision)];
    let notebook = version.notebook.clone();
    marks.into_iter().flatten().map(move |mark| (notebook.clone(), mark))
}

/// Compares what two sources tell. The left side is held in memory; a version that one side tells twice counts by its last
/// record.
#[must_use]
pub fn compare(
    left: impl IntoIterator<Item = VersionRecord>,
    right: impl IntoIterator<Item = VersionRecord>,
) -> Report {
    let mut held: Vec<Option<VersionRecord>> = Vec::new();
    let mut places: HashMap<(NotebookKey, Mark), usize> = HashMap::new();
    for version in left {
        let known = marks(&version).find_map(|mark| places.get(&mark).copied());
        let place = known.unwrap_or(held.len());
        places.extend(marks(&version).map(|mark| (mark, place)));
        if known.is_some() { held[place] = Some(version) } else { held.push(Some(version)) }
    }
    let mut report = Report::new(FIELDS.iter().map(|field| field.name));
    let mut pairs: BTreeMap<usize, VersionRecord> = BTreeMap::new();
    let mut lonely: BTreeMap<String, VersionRecord> = BTreeMap::new();
    for version in right {
        match marks(&version).find_map(|mark| places.get(&mark).copied()) {
            Some(place) => drop(pairs.insert(place, version)),
            None => drop(lonely.insert(version.natural_key(), version)),
        }
    }
    for (place, version) in pairs {
        if let Some(left) = held[place].take() {
            pair(&mut report, &left, &version);
        }
    }
    held.into_iter().flatten().for_each(|version| report.only_left.add(version.natural_key()));
    lonely.into_keys().for_each(|key| report.only_right.add(key));
    report
}

fn pair(report: &mut Report, left: &VersionRecord, right: &VersionRecord) {
    report.both += 1;
    let key = right.number.map_or_else(|| left.natural_key(), |_| right.natural_key());
    let values = values(left).into_iter().zip(values(right));
    for (field, (left, right)) in FIELDS.iter().zip(values) {
        let Some(counts) = report.fields.get_mut(field.name) else { continue };
        match (left.is_null(), right.is_null()) {
            (true, true) => {}
            (false, true) => counts.only_left += 1,
            (true, false) => counts.only_right += 1,
            (false, false) if field.rule.agrees(&left, &right) => counts.agree += 1,
            (false, false) => {
                counts.disagree += 1;
                if report.disagreements.len() < LISTED {
                    let version = key.clone();
                    report.disagreements.push(Disagreement { version, field: field.name.to_owned(), left, right });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
