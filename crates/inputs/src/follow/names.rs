//! Names and attributes: modules by their usual names, what lies in them, and what a value has.

use crate::follow::Follower;
use crate::follow::value::{About, Value};

/// Names by which modules are known where no import was seen.
const USUAL: [(&str, &str); 8] = [
    ("pd", "pandas"),
    ("np", "numpy"),
    ("plt", "matplotlib.pyplot"),
    ("sns", "seaborn"),
    ("px", "plotly.express"),
    ("smf", "statsmodels.formula.api"),
    ("sm", "statsmodels.api"),
    ("os", "os"),
];

impl Follower {
    pub(super) fn of_name(&mut self, name: &str) -> Value {
        if let Some(value) = self.lookup(name) {
            return value.clone();
        }
        if matches!(name, "__file__" | "__name__") {
            return Value::Unknown;
        }
        let usual = USUAL.iter().find(|(known, _)| *known == name).map_or(name, |(_, module)| *module);
        Value::Name(usual.to_owned())
    }

    pub(super) fn attribute(&mut self, owner: Value, name: &str) -> Value {
        match owner {
            Value::Name(module) => match (module.as_str(), name) {
                ("os", "sep") => Value::Text("/".to_owned()),
                ("os", "curdir") => Value::Text(".".to_owned()),
                ("os", "pardir") => Value::Text("..".to_owned()),
                _ => Value::Name(format!("{module}.{name}")),
            },
            Value::Frame(frame) => self.frame_attribute(frame, name),
            Value::Column(_) => self.column_attribute(owner, name),
            Value::Group(frame, keys) => {
                if is_method_of_groups(name) || !self.is_column(frame, name) && is_attribute_of_frames(name) {
                    Value::Method(Box::new(Value::Group(frame, keys)), name.to_owned())
                } else {
                    self.item(&Value::Group(frame, keys), &Value::Text(name.to_owned()))
                }
            }
            Value::Accessor(of, accessor) => self.accessor_attribute(of, accessor, name),
            Value::About(of, About::Columns) if matches!(name, "values" | "str") => Value::About(of, About::Columns),
            Value::Text(path) => self.path_attribute(path, name),
            Value::Unknown | Value::Nothing | Value::Flag(_) | Value::Number(_) | Value::Slice(_) => Value::Unknown,
            other => Value::Method(Box::new(other), name.to_owned()),
        }
    }

    /// What a method gives.
    pub(super) fn call_method(&mut self, owner: &Value, name: &str, given: &crate::follow::arguments::Given) -> Value {
        match owner {
            Value::Frame(frame) => self.frame_method(*frame, name, given),
            Value::Column(column) => self.column_method(column.clone(), name, given),
            Value::Group(frame, keys) => self.group_method(*frame, &keys.clone(), name, given),
            Value::Accessor(of, accessor) => self.accessor_method(&of.clone(), accessor, name, given),
            Value::Text(text) => self.text_method(&text.clone(), name, given),
            Value::List(elements) => self.list_method(elements, name),
            Value::Dict(entries) => dict_method(entries, name, given),
            Value::Handle(file) => self.handle_method(*file, name, given),
            Value::Line(file) => self.line_method(*file, name, given),
            Value::Json(file, pointer) => self.json_method(*file, &pointer.clone(), name, given),
            Value::Object(object) => self.object_method(&object.clone(), name, given),
            // `df.columns.tolist()`, `df.columns.drop("a")`.
            Value::About(of, About::Columns) => match name {
                "tolist" | "to_list" | "copy" => owner.clone(),
                "drop" | "difference" => {
                    let (frame, names) = ((**of).clone(), given.first().cloned().unwrap_or(Value::Unknown));
                    match frame {
                        Value::Frame(frame) => {
                            let dropped = self.drop_columns(frame, &names, "dropped");
                            Value::About(Box::new(dropped), About::Columns)
                        }
                        _ => Value::Unknown,
                    }
                }
                _ => Value::Unknown,
            },
            Value::About(..) if matches!(name, "head" | "sum" | "tolist" | "copy" | "any" | "sort_values") => {
                owner.clone()
            }
            _ => Value::Unknown,
        }
    }
}

fn dict_method(entries: &[(Value, Value)], name: &str, given: &crate::follow::arguments::Given) -> Value {
    let pair = |(key, value): &(Value, Value)| Value::List(vec![key.clone(), value.clone()]);
    match name {
        "items" => Value::List(entries.iter().map(pair).collect()),
        "keys" => Value::List(entries.iter().map(|(key, _)| key.clone()).collect()),
        "values" => Value::List(entries.iter().map(|(_, value)| value.clone()).collect()),
        "get" => {
            let key = given.first().and_then(Value::literal);
            let found = entries.iter().find(|(known, _)| key.is_some() && known.literal() == key);
            found.map_or(Value::Unknown, |(_, value)| value.clone())
        }
        "copy" => Value::Dict(entries.to_vec()),
        _ => Value::Unknown,
    }
}

/// What grouped frames have that frames do not, or that no column is named like.
fn is_method_of_groups(name: &str) -> bool {
    matches!(name, "get_group" | "groups" | "ngroups" | "agg" | "aggregate" | "apply" | "transform" | "filter" | "size")
}

/// Whether frames of pandas have an attribute of this name, so that no column is meant by it.
pub(crate) fn is_attribute_of_frames(name: &str) -> bool {
    const ATTRIBUTES: &str = include_str!("../../data/frame-attributes.txt");
    name.starts_with('_') || ATTRIBUTES.lines().any(|known| known == name)
}
