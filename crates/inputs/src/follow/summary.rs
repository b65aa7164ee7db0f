//! Frames that sum others up: aggregated, pivoted, by days.

use crate::evidence::{ColumnId, Use};
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::value::{Column, FrameId, Origin, Value};

impl Follower {
    /// Sums and means of columns, by name: `{"a": "mean"}`, `total=("a", "sum")`.
    pub(super) fn aggregated(&mut self, frame: FrameId, keys: &[ColumnId], given: &Given) -> Value {
        let mut made = Vec::new();
        if let Some(Value::Dict(entries)) = given.get(0, "func") {
            for (name, how) in entries.clone() {
                if let Some(name) = name.text() {
                    let column = self.column(frame, name, "aggregated");
                    self.averaged(&column, &how);
                }
            }
        }
        for (name, value) in given.names.clone() {
            if let Value::List(pair) = &value
                && let [Value::Text(column), how] = pair.as_slice()
            {
                let column = self.column(frame, column, "aggregated");
                self.averaged(&column, how);
                made.push((name, Origin::Made(Value::Unknown)));
            }
        }
        let keys = keys.to_vec();
        self.derived(frame, |frame| {
            frame.names.extend(made);
            frame.is_of_rows = false;
            frame.index = keys;
        })
    }

    pub(super) fn averaged(&mut self, column: &Value, how: &Value) {
        let words = ["mean", "sum", "std", "var", "median"];
        if how.texts().iter().any(|how| words.contains(&how.as_str())) || matches!(how, Value::Name(_)) {
            self.note(column, &Use::RatherNumber, "averaged");
        }
    }

    pub(super) fn pivot(&mut self, frame: FrameId, given: &Given, is_averaged: bool) -> Value {
        let mut part = |place: Option<usize>, name: &str| {
            let value = given.named(name).cloned().or_else(|| given.places.get(place?).cloned());
            self.named_columns(frame, value.as_ref(), "pivot")
        };
        let is_table = given.names.iter().any(|(name, _)| name == "aggfunc") || given.named("values").is_some();
        let places = if is_table && !given.places.is_empty() {
            [Some(1), Some(2), Some(0)]
        } else {
            [Some(0), Some(1), Some(2)]
        };
        let (index, columns, values) =
            (part(places[0], "index"), part(places[1], "columns"), part(places[2], "values"));
        if let ([row], [column], false) = (index.as_slice(), columns.as_slice(), is_averaged)
            && row.table == column.table
        {
            self.findings.tables[row.table].crossed.push((row.column, column.column));
        }
        for id in index.iter().chain(&columns) {
            self.note(&Value::Column(Column::raw(vec![*id])), &Use::Category, "pivot");
        }
        self.note(&Value::Column(Column { ids: values, ..Column::default() }), &Use::RatherNumber, "pivot");
        self.derived(frame, |frame| {
            frame.is_of_rows = false;
            if columns.is_empty() {
                frame.index = index;
            } else {
                (frame.columns_are, frame.index) = (columns, index);
                frame.names.clear();
            }
        })
    }

    /// What is done with days of an index, or of the column that `on` names.
    pub(super) fn by_days(&mut self, frame: FrameId, given: &Given) {
        let ids = match given.named("on") {
            Some(name) => self.named_columns(frame, Some(&name.clone()), "resampled"),
            None => self.frames[frame].index.clone(),
        };
        self.note(&Value::Column(Column::raw(ids)), &Use::Date, "resampled");
    }
}
