//! The largest clusters of values, with the names of exceptions in them (Table 4).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::CrashRow;
use super::printed::PrintedShares;
use crate::number_words::NOTHING;
use crate::output::csv_text;
use crate::tables::{Cell, Grid, Table};

/// Clusters that are shown, and names of each.
const SHOWN: (usize, usize) = (10, 3);

/// The largest clusters.
pub(super) struct ClusterTable {
    lines: Vec<Line>,
    clusters: usize,
}

struct Line {
    crashes: Cell,
    /// The names of exceptions with their counts, the most frequent first.
    names: Vec<(String, u64)>,
    /// The crashes and the number of names of the paper's cluster with the same most frequent name.
    printed: Option<[String; 2]>,
}

impl ClusterTable {
    pub(super) fn count(rows: &[CrashRow], printed: &PrintedShares) -> Self {
        let mut by_cluster: BTreeMap<usize, BTreeMap<&str, u64>> = BTreeMap::new();
        for row in rows {
            *by_cluster.entry(row.cluster).or_default().entry(&row.ename).or_default() += 1;
        }
        let clusters = by_cluster.len();
        let line = |names: BTreeMap<&str, u64>| {
            let crashes = Cell::new(names.values().sum(), rows.len() as u64);
            let mut names: Vec<(String, u64)> =
                names.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
            names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            Line { crashes, names, printed: None }
        };
        let mut lines: Vec<Line> = by_cluster.into_values().map(line).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.crashes.count()));
        lines.truncate(SHOWN.0);
        // Several of ours may have the same most frequent name; the paper's stands beside the largest.
        let mut seen = BTreeSet::new();
        for line in &mut lines {
            let first = line.names.first().map(|(name, _)| name.clone()).unwrap_or_default();
            line.printed = printed.cluster(&first).map(|texts| texts.map(str::to_owned));
            if !seen.insert(first) {
                line.printed = None;
            }
        }
        ClusterTable { lines, clusters }
    }
}

impl Line {
    fn most_frequent(&self) -> String {
        let names = self.names.iter().take(SHOWN.1).map(|(name, count)| format!("{name} ({count})"));
        names.collect::<Vec<_>>().join(", ")
    }
}

impl Table for ClusterTable {
    fn name(&self) -> String {
        "clusters".to_owned()
    }

    fn grid(&self) -> Grid {
        let row = |line: &Line| {
            let Line { crashes, names, printed } = line;
            let [size, types] = printed.clone().unwrap_or_else(|| [NOTHING, NOTHING].map(str::to_owned));
            let ours = [crashes.count_text(), crashes.share_text(), names.len().to_string()];
            [line.most_frequent()].into_iter().chain(ours).chain([size, types]).collect()
        };
        let note = format!(
            "The largest of {} clusters of values that are alike (Jaccard above 0.7), as Table 4 of the paper, whose cluster with the same most frequent name stands \
             beside the largest of ours; what the values say is not shown.",
            self.clusters
        );
        Grid {
            title: "Clusters of values, with the names of their exceptions".to_owned(),
            header: ["Most frequent names", "Crashes", "Share", "Names", "Paper, crashes", "Paper, names"]
                .map(str::to_owned)
                .into(),
            word_columns: 1,
            rows: self.lines.iter().map(row).collect(),
            notes: vec![note],
        }
    }

    fn csv(&self) -> String {
        let header = ["names", "crashes", "of", "distinct_names", "paper_crashes", "paper_names"];
        let header = header.map(str::to_owned).into();
        let line = |line: &Line| {
            let numbers =
                [line.crashes.count(), line.crashes.of(), line.names.len() as u64].map(|count| count.to_string());
            let printed = line.printed.clone().unwrap_or_default();
            [line.most_frequent()].into_iter().chain(numbers).chain(printed).collect()
        };
        csv_text(std::iter::once(header).chain(self.lines.iter().map(line)))
    }

    fn json(&self) -> Value {
        let row = |line: &Line| {
            let names: Vec<Value> =
                line.names.iter().take(SHOWN.1).map(|(name, count)| json!({ "name": name, "count": count })).collect();
            json!({ "crashes": line.crashes.json(), "distinct_names": line.names.len(), "names": names, "printed": line.printed })
        };
        let rows: Vec<Value> = self.lines.iter().map(row).collect();
        json!({ "table": self.name(), "title": self.grid().title, "clusters": self.clusters, "rows": rows })
    }
}
