//! What the paper lacks: the headline by competition, by year of submission and by metric.

use std::collections::BTreeMap;

use nbrevive_corpus::Condition;

use super::cell::Cell;
use super::share_table::{Column, Setting, ShareLine, ShareTable};
use crate::kinds::Kinds;
use crate::rows::{Data, OutcomeRow};

/// What stands where a version's year or a competition's metric is not known.
const UNKNOWN: &str = "unknown";

/// The share of reproducible versions in each stratum, by condition.
pub(crate) fn table(data: &Data, kinds: &Kinds) -> ShareTable {
    let year = |row: &OutcomeRow| kinds.years.get(&row.version).map_or_else(|| UNKNOWN.to_owned(), ToString::to_string);
    let metric = |row: &OutcomeRow| kinds.metrics.get(&row.competition).cloned().unwrap_or_else(|| UNKNOWN.to_owned());
    let competition = |row: &OutcomeRow| row.competition.clone();
    let kinds: [(&str, &dyn Fn(&OutcomeRow) -> String); 3] =
        [("competition", &competition), ("year", &year), ("metric", &metric)];
    let lines = kinds.into_iter().flat_map(|(kind, stratum)| {
        Condition::ALL.iter().flat_map(move |condition| strata(data, *condition, kind, stratum))
    });
    let columns = vec![Column { head: "By", field: "kind" }, Column { head: "Stratum", field: "stratum" }];
    let note =
        "Strata of few versions have wide intervals; nothing here is adjusted for looking at many of them.".to_owned();
    ShareTable::new(
        data,
        ("strata", "The share of reproducible versions, by competition, year and metric"),
        columns,
        lines.collect(),
        note,
    )
}

fn strata(data: &Data, condition: Condition, kind: &str, stratum: &dyn Fn(&OutcomeRow) -> String) -> Vec<ShareLine> {
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for row in data.under(condition) {
        let (count, of) = counts.entry(stratum(row)).or_default();
        *count += u64::from(row.outcome.is_reproducible());
        *of += 1;
    }
    let line = |(stratum, (count, of)): (String, (u64, u64))| ShareLine {
        condition,
        settings: vec![Setting::Words(kind.to_owned()), Setting::Words(stratum)],
        cell: Cell::new(count, of),
    };
    counts.into_iter().map(line).collect()
}
