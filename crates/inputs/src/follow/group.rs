//! Groups of rows.

use crate::evidence::{ColumnId, Use};
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::value::{About, Column, FrameId, Value};

impl Follower {
    pub(super) fn group(&mut self, frame: FrameId, given: &Given) -> Value {
        let by = given.get(0, "by").cloned();
        let mut keys = self.named_columns(frame, by.as_ref(), "groups");
        if let Some(by) = &by {
            for column in by.elements() {
                if let Value::Column(column) = column
                    && column.is_raw
                {
                    keys.extend(&column.ids);
                }
            }
        }
        let columns = Value::Column(Column::raw(keys.clone()));
        self.note(&columns, &Use::Category, "groups");
        self.note(&columns, &Use::Several, "groups");
        Value::Group(frame, keys)
    }

    pub(super) fn group_item(&mut self, frame: FrameId, keys: &[ColumnId], key: &Value) -> Value {
        match key {
            Value::Text(name) => match self.column(frame, name, "subscript of groups") {
                Value::Column(column) => Value::Column(Column { index: keys.to_vec(), ..column.changed() }),
                _ => Value::Unknown,
            },
            Value::List(_) => match self.chosen(frame, &key.texts()) {
                Value::Frame(frame) => Value::Group(frame, keys.to_vec()),
                other => other,
            },
            _ => Value::Unknown,
        }
    }

    pub(super) fn group_method(&mut self, frame: FrameId, keys: &[ColumnId], name: &str, given: &Given) -> Value {
        match name {
            "get_group" => {
                let value = given.first().cloned().unwrap_or(Value::Unknown);
                for (key, label) in keys.iter().zip(value.elements()) {
                    self.values_of(&Value::Column(Column::raw(vec![*key])), label, "group");
                }
                self.derived(frame, |_| {})
            }
            "agg" | "aggregate" => self.aggregated(frame, keys, given),
            "size" | "ngroup" | "cumcount" => Value::Column(Column { index: keys.to_vec(), ..Column::default() }),
            "apply" | "transform" | "filter" | "pipe" => {
                let function = given.first().cloned().unwrap_or(Value::Unknown);
                self.apply(&function, Value::Frame(frame));
                self.derived(frame, |frame| (frame.is_of_rows, frame.is_made) = (false, true))
            }
            "describe" => Value::About(Box::new(Value::Unknown), About::Describe),
            "head" | "tail" | "first" | "last" | "nth" => self.derived(frame, |_| {}),
            _ => {
                self.names_beside(frame, given);
                let keys = keys.to_vec();
                self.derived(frame, |frame| {
                    frame.is_of_rows = false;
                    frame.index = keys;
                })
            }
        }
    }
}
