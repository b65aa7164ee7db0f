//! What the paper lacks: the headline by competition, by year of submission and by metric.

use std::hash::Hash;

use foldhash::{HashMap, HashMapExt};
use nbrevive_corpus::Condition;

use super::cell::Cell;
use super::share_table::{Column, Setting, ShareLine, ShareTable};
use crate::kinds::Kinds;
use crate::rows::{Data, OutcomeRow};

/// What stands where a version's year or a competition's metric is not known.
const UNKNOWN: &str = "unknown";

/// The share of reproducible versions in each stratum, by condition.
pub(crate) fn table(data: &Data, kinds: &Kinds) -> ShareTable {
    let mut lines = Vec::new();
    for condition in data.conditions() {
        let rows = || data.under(condition);
        lines.extend(strata(condition, "competition", rows().map(|row| (row, Some(row.competition.as_str())))));
    }
    for condition in data.conditions() {
        let rows = || data.under(condition);
        lines.extend(strata(condition, "year", rows().map(|row| (row, kinds.years.get(row.version.as_str())))));
    }
    for condition in data.conditions() {
        let rows = || data.under(condition);
        lines.extend(strata(condition, "metric", rows().map(|row| (row, kinds.metrics.get(row.competition.as_str())))));
    }
    let columns = vec![Column { head: "By", field: "kind" }, Column { head: "Stratum", field: "stratum" }];
    let note =
        "Strata of few versions have wide intervals; nothing here is adjusted for looking at many of them.".to_owned();
    let name = ("strata", "The share of reproducible versions, by competition, year and metric");
    ShareTable::new(data, name, columns, lines, note)
}

/// The lines of one condition and kind, in the order of the strata; that of what is not known comes last.
fn strata<'a, K: Ord + Hash + ToString>(
    condition: Condition,
    kind: &'static str,
    rows: impl Iterator<Item = (&'a OutcomeRow, Option<K>)>,
) -> Vec<ShareLine> {
    let mut counts: HashMap<Option<K>, (u64, u64)> = HashMap::new();
    for (row, stratum) in rows {
        let (count, of) = counts.entry(stratum).or_default();
        *count += u64::from(row.outcome.is_reproducible());
        *of += 1;
    }
    let mut counts: Vec<(Option<K>, (u64, u64))> = counts.into_iter().collect();
    counts.sort_by(|(a, _), (b, _)| (a.is_none(), a).cmp(&(b.is_none(), b)));
    let line = |(stratum, (count, of)): (Option<K>, (u64, u64))| {
        let stratum = stratum.map_or_else(|| UNKNOWN.to_owned(), |stratum| stratum.to_string());
        let settings = vec![Setting::Words(kind.to_owned()), Setting::Words(stratum)];
        ShareLine { condition, settings, cell: Cell::new(count, of) }
    };
    counts.into_iter().map(line).collect()
}
