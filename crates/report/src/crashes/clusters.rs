//! The largest clusters of values, with the names of exceptions in them (Table 4).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::CrashRow;
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
}

impl ClusterTable {
    pub(super) fn count(rows: &[CrashRow]) -> Self {
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
            Line { crashes, names }
        };
        let mut lines: Vec<Line> = by_cluster.into_values().map(line).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.crashes.count()));
        lines.truncate(SHOWN.0);
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
            let Line { crashes, names } = line;
            vec![line.most_frequent(), crashes.count_text(), crashes.share_text(), names.len().to_string()]
        };
        let note = format!(
            "The largest of {} clusters of values that are alike (Jaccard above 0.7), as Table 4 of the paper; what the values say is not shown.",
            self.clusters
        );
        Grid {
            title: "Clusters of values, with the names of their exceptions".to_owned(),
            header: ["Most frequent names", "Crashes", "Share", "Names"].map(str::to_owned).into(),
            word_columns: 1,
            rows: self.lines.iter().map(row).collect(),
            notes: vec![note],
        }
    }

    fn csv(&self) -> String {
        let header = ["names", "crashes", "of", "distinct_names"].map(str::to_owned).into();
        let line = |line: &Line| {
            let numbers =
                [line.crashes.count(), line.crashes.of(), line.names.len() as u64].map(|count| count.to_string());
            [line.most_frequent()].into_iter().chain(numbers).collect()
        };
        csv_text(std::iter::once(header).chain(self.lines.iter().map(line)))
    }

    fn json(&self) -> Value {
        let row = |line: &Line| {
            let names: Vec<Value> =
                line.names.iter().take(SHOWN.1).map(|(name, count)| json!({ "name": name, "count": count })).collect();
            json!({ "crashes": line.crashes.json(), "distinct_names": line.names.len(), "names": names })
        };
        let rows: Vec<Value> = self.lines.iter().map(row).collect();
        json!({ "table": self.name(), "title": self.grid().title, "clusters": self.clusters, "rows": rows })
    }
}
