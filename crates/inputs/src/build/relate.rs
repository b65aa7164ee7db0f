//! Relations of columns and tables: keys that meet, a test like its training, copies of one file.

use std::collections::BTreeSet;

use crate::evidence::{ColumnId, ColumnKey, Findings, Shown, TableId, Use};

/// Spreads what is known of a column to those that share its values.
pub(super) fn relate(findings: &mut Findings) {
    for (one, other) in findings.joined.clone() {
        for id in [one, other] {
            findings.column_mut(id).uses.push(Use::Key);
        }
    }
    let mut pairs = findings.joined.clone();
    for (one, other) in twins(findings) {
        share_columns(findings, one, other, &mut pairs);
    }
    for group in groups(&pairs) {
        join(findings, &group);
    }
}

/// Tables that have the same columns: those that were put below each other, and files that are a training and its test by name.
fn twins(findings: &Findings) -> Vec<(TableId, TableId)> {
    let mut twins: BTreeSet<(TableId, TableId)> = findings.alike.clone();
    for (index, file) in findings.files.iter().enumerate() {
        let stem = |path: &str| {
            path.to_lowercase().replace("training", "train").replace("testing", "test").replace("valid", "test")
        };
        let name = stem(&file.path);
        if !name.contains("train") {
            continue;
        }
        let test = name.replace("train", "test");
        for (other, candidate) in findings.files.iter().enumerate() {
            if other != index && stem(&candidate.path) == test {
                twins.extend(file.tables.first().copied().zip(candidate.tables.first().copied()));
            }
        }
    }
    twins.into_iter().collect()
}

/// Each of two tables has the columns of the other, but for what is predicted.
fn share_columns(findings: &mut Findings, one: TableId, other: TableId, pairs: &mut Vec<(ColumnId, ColumnId)>) {
    for (from, to) in [(one, other), (other, one)] {
        for column in 0..findings.tables[from].columns.len() {
            let id = ColumnId { table: from, column };
            let facts = findings.column(id);
            let is_target = facts.any(|how| matches!(how, Use::Classes | Use::Quantity));
            let key = facts.key.clone();
            let known = match &key {
                ColumnKey::Named(name) => findings.known(to, name),
                ColumnKey::At(_) => None,
            };
            let is_open = !findings.tables[to].is_complete && !is_target && matches!(key, ColumnKey::Named(_));
            if let Some(known) = known {
                pairs.push((id, known));
            } else if is_open {
                let new = findings.id_of(to, &key);
                let used = findings.column(id).used.clone();
                findings.column_mut(new).used = used;
                pairs.push((id, new));
            }
        }
        let features = findings.tables[from].features_but.clone();
        let (is_encoded, exactly) = (findings.tables[from].is_encoded, findings.tables[from].exactly);
        let table = &mut findings.tables[to];
        table.features_but = table.features_but.take().or(features);
        table.is_encoded |= is_encoded;
        table.exactly = table
            .exactly
            .or(exactly.filter(|_| table.columns.iter().all(|column| matches!(column.key, ColumnKey::At(_)))));
    }
}

/// Columns that are linked, in groups.
fn groups(pairs: &[(ColumnId, ColumnId)]) -> Vec<BTreeSet<ColumnId>> {
    let mut groups: Vec<BTreeSet<ColumnId>> = Vec::new();
    for (one, other) in pairs {
        let mut group = BTreeSet::from([*one, *other]);
        groups.retain(|known| {
            let is_part = known.contains(one) || known.contains(other);
            if is_part {
                group.extend(known);
            }
            !is_part
        });
        groups.push(group);
    }
    groups
}

/// All columns of a group know what one of them knows.
fn join(findings: &mut Findings, group: &BTreeSet<ColumnId>) {
    let mut uses: Vec<Use> = Vec::new();
    let mut shown = Shown::default();
    for id in group {
        let facts = findings.column(*id);
        for how in &facts.uses {
            if !uses.contains(how) && !matches!(how, Use::Unique) {
                uses.push(how.clone());
            }
        }
        let known = &facts.shown;
        if known.values.len() > shown.values.len() {
            shown.values.clone_from(&known.values);
        }
        shown.is_all |= known.is_all;
        shown.dtype = shown.dtype.take().or_else(|| known.dtype.clone());
        shown.low = shown.low.into_iter().chain(known.low).reduce(f64::min);
        shown.high = shown.high.into_iter().chain(known.high).reduce(f64::max);
        shown.missing |= known.missing;
    }
    for id in group {
        let facts = findings.column_mut(*id);
        let is_unique = facts.has(&Use::Unique);
        facts.uses.clone_from(&uses);
        facts.uses.extend(is_unique.then_some(Use::Unique));
        facts.shown = shown.clone();
    }
}
