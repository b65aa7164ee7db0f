//! Methods of frames and of groups.

use crate::evidence::{ColumnId, ColumnKey, Use};
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::value::{About, Column, FrameId, Origin, Value};

/// Arguments that name columns, of any method or function.
const NAMING: [&str; 31] = [
    "x",
    "y",
    "z",
    "hue",
    "size",
    "style",
    "col",
    "row",
    "color",
    "by",
    "on",
    "columns",
    "column",
    "index",
    "values",
    "subset",
    "names",
    "facet_col",
    "facet_row",
    "hover_name",
    "path",
    "id_vars",
    "value_vars",
    "vars",
    "x_vars",
    "y_vars",
    "c",
    "s",
    "weights",
    "left_on",
    "locations",
];

/// Whether an argument that may name a column names a colour.
fn is_colour(argument: &str, value: &Value) -> bool {
    const COLOURS: [&str; 24] = [
        "red",
        "green",
        "blue",
        "black",
        "white",
        "orange",
        "yellow",
        "purple",
        "pink",
        "brown",
        "gray",
        "grey",
        "cyan",
        "magenta",
        "navy",
        "teal",
        "gold",
        "crimson",
        "salmon",
        "skyblue",
        "lightblue",
        "steelblue",
        "maroon",
        "lime",
    ];
    let is_one = |text: &str| {
        let is_short = text.len() == 1 && "bgrcmykw".contains(text);
        let is_numbered = text.strip_prefix('C').is_some_and(|number| number.parse::<u8>().is_ok());
        is_short
            || is_numbered
            || text.starts_with('#')
            || COLOURS.contains(&text)
            || text.starts_with("dark")
            || text.starts_with("light")
    };
    matches!(argument, "color" | "c") && value.texts().iter().all(|text| is_one(text))
}

impl Follower {
    pub(super) fn frame_method(&mut self, frame: FrameId, name: &str, given: &Given) -> Value {
        let of = || Box::new(Value::Frame(frame));
        match name {
            "head" | "tail" | "sample" | "copy" | "sort_index" | "drop_duplicates" | "infer_objects" | "nlargest"
            | "nsmallest" | "sort_values" | "sort" | "convert_dtypes" | "truncate" | "between_time" | "first"
            | "last" => {
                self.names_beside(frame, given);
                self.named_columns(frame, given.first(), "sorted");
                let keeps_all = matches!(name, "copy" | "sort_index" | "sort_values" | "sort" | "infer_objects");
                match self.same(frame, given) {
                    Value::Frame(new) => {
                        self.frames[new].is_whole &= keeps_all;
                        Value::Frame(new)
                    }
                    other => other,
                }
            }
            "dropna" => {
                self.names_beside(frame, given);
                self.same(frame, given)
            }
            "reset_index" => self.derived(frame, |frame| frame.index.clear()),
            "set_index" => self.set_index(frame, given),
            "drop" => self.drop(frame, given),
            "pop" => {
                let column = given.text(0, "item").map_or(Value::Unknown, |name| self.column(frame, name, "popped"));
                if let Some(name) = given.text(0, "item") {
                    self.frames[frame].dropped.insert(name.to_owned());
                }
                column
            }
            "rename" => self.rename(frame, given),
            "groupby" => self.group(frame, given),
            "merge" => self.merge(Value::Frame(frame), given.first().cloned(), given, 1),
            "join" => self.merge(Value::Frame(frame), given.first().cloned(), given, 0),
            "append" => self.stack(&[Value::Frame(frame), given.first().cloned().unwrap_or(Value::Unknown)]),
            "assign" => self.assigned(frame, given),
            "astype" => self.cast(frame, given),
            "fillna" | "replace" => self.filled(frame, name, given),
            "apply" | "applymap" | "pipe" | "transform" => self.applied(frame, given),
            "query" | "eval" => self.query(frame, name, given),
            "agg" | "aggregate" => self.aggregated(frame, &[], given),
            "describe" => Value::About(of(), About::Describe),
            "info" => {
                self.show(Value::About(of(), About::Info), false);
                Value::Nothing
            }
            "isnull" | "isna" | "count" | "notnull" => Value::About(of(), About::Missing),
            "nunique" | "keys" => Value::About(of(), About::Columns),
            "pivot" | "pivot_table" => self.pivot(frame, given, name == "pivot_table"),
            "melt" => {
                self.names_beside(frame, given);
                self.derived(frame, |frame| frame.is_opaque = true)
            }
            "to_csv" | "to_excel" | "to_json" | "to_pickle" | "to_parquet" | "to_feather" | "to_hdf" | "to_html" => {
                self.named_columns(frame, given.named("columns"), "written");
                self.writes(given.get(0, "path_or_buf"));
                Value::Unknown
            }
            "iterrows" => Value::List(vec![Value::List(vec![Value::Unknown, Value::Frame(frame)])]),
            "itertuples" => Value::List(vec![Value::Frame(frame)]),
            "items" | "iteritems" => Value::List(vec![Value::List(vec![Value::Unknown, Value::Unknown])]),
            "to_numpy" | "as_matrix" => self.derived(frame, |frame| frame.is_by_place = true),
            "astype_of_array" => Value::Unknown,
            "transpose" => self.transposed(frame),
            "reshape" | "ravel" | "flatten" | "stack" | "unstack" => {
                if name == "reshape" {
                    self.reshaped(frame, &given.places);
                }
                self.derived(frame, |frame| frame.is_opaque = true)
            }
            "select_dtypes" | "filter" | "reindex" | "xs" => self.derived(frame, |frame| frame.is_made = true),
            "corr" | "cov" | "mean" | "sum" | "median" | "min" | "max" | "std" | "var" | "mode" | "quantile"
            | "cumsum" | "diff" | "pct_change" | "rolling" | "resample" | "interpolate" | "ffill" | "bfill"
            | "shift" | "abs" | "round" | "clip" | "ewm" | "expanding" | "asfreq" | "tz_localize" | "rank" => {
                if matches!(name, "resample" | "asfreq" | "tz_localize") {
                    self.by_days(frame, given);
                }
                self.derived(frame, |frame| frame.is_of_rows = false)
            }
            "get" | "get_column" => given.text(0, "key").map_or(Value::Unknown, |name| self.column(frame, name, "get")),
            "insert" => {
                if let Some(name) = given.text(1, "column") {
                    let made = given.get(2, "value").cloned().unwrap_or(Value::Unknown);
                    self.frames[frame].names.insert(name.to_owned(), Origin::Made(made));
                }
                Value::Nothing
            }
            "plot" | "hist" | "boxplot" => self.plot_of(&Value::Frame(frame), given),
            _ => {
                self.names_beside(frame, given);
                self.derived(frame, |frame| frame.is_of_rows = false)
            }
        }
    }

    /// The frame itself, changed in place or not.
    fn same(&mut self, frame: FrameId, given: &Given) -> Value {
        if given.is_set("inplace") { Value::Frame(frame) } else { self.derived(frame, |_| {}) }
    }

    /// All columns that a value names.
    pub(super) fn named_columns(&mut self, frame: FrameId, names: Option<&Value>, what: &str) -> Vec<ColumnId> {
        let mut ids = Vec::new();
        for name in names.map(Value::texts).unwrap_or_default() {
            // Ranges and parts of words are no columns of a file.
            if let Value::Column(column) = self.column(frame, &name, what)
                && (column.is_raw || !column.is_of_text)
            {
                ids.extend(column.ids);
            }
        }
        ids
    }

    /// Columns in arguments whose names say that they name some.
    pub(super) fn names_beside(&mut self, frame: FrameId, given: &Given) {
        for (argument, value) in &given.names {
            if NAMING.contains(&argument.as_str()) && !is_colour(argument, value) {
                self.named_columns(frame, Some(value), "named in a call");
            }
        }
    }

    fn set_index(&mut self, frame: FrameId, given: &Given) -> Value {
        let keys = given.get(0, "keys").cloned();
        let ids = self.named_columns(frame, keys.as_ref(), "index");
        let keeps = given.named("drop").and_then(Value::flag) == Some(false);
        let names = keys.map(|keys| keys.texts()).unwrap_or_default();
        let change = |frame: &mut crate::follow::value::Frame| {
            frame.index = ids;
            if !keeps {
                frame.dropped.extend(names);
            }
        };
        if given.is_set("inplace") {
            change(&mut self.frames[frame]);
            return Value::Frame(frame);
        }
        self.derived(frame, change)
    }

    /// `drop`, of columns or of rows.
    fn drop(&mut self, frame: FrameId, given: &Given) -> Value {
        let axis = given.get(1, "axis").and_then(Value::literal).unwrap_or_default();
        let columns = match (given.named("columns"), axis.as_str()) {
            (Some(columns), _) => Some(columns.clone()),
            (None, "1" | "columns") => given.get(0, "labels").cloned(),
            _ => None,
        };
        let is_tolerant = given.named("errors").and_then(Value::text) == Some("ignore");
        let dropped = match columns {
            Some(columns) if !is_tolerant => self.drop_columns(frame, &columns, "dropped"),
            Some(columns) => {
                let names = columns.texts();
                self.derived(frame, |frame| frame.dropped.extend(names))
            }
            None => {
                for label in given.get(0, "labels").or(given.named("index")).map(Value::texts).unwrap_or_default() {
                    let index = self.frames[frame].index.clone();
                    self.note(&Value::Column(Column::raw(index)), &Use::Value(label), "dropped row");
                }
                self.derived(frame, |_| {})
            }
        };
        if given.is_set("inplace")
            && let Value::Frame(new) = dropped
        {
            self.frames[frame] = self.frames[new].clone();
            return Value::Frame(frame);
        }
        dropped
    }

    pub(super) fn drop_columns(&mut self, frame: FrameId, columns: &Value, what: &str) -> Value {
        match columns {
            Value::Text(_) | Value::List(_) => {
                let names = columns.texts();
                for name in &names {
                    self.column(frame, name, what);
                }
                self.derived(frame, |frame| {
                    for name in names {
                        frame.names.remove(&name);
                        frame.dropped.insert(name);
                    }
                })
            }
            // `df.drop(df.columns[[0, 2]], axis=1)`
            _ => self.derived(frame, |_| {}),
        }
    }

    fn rename(&mut self, frame: FrameId, given: &Given) -> Value {
        let is_columns =
            given.named("axis").and_then(Value::literal).is_some_and(|axis| axis == "1" || axis == "columns");
        let names = given.named("columns").or_else(|| given.first().filter(|_| is_columns)).cloned();
        let mut changes = Vec::new();
        if let Some(Value::Dict(entries)) = names {
            for (old, new) in entries.iter().filter_map(|(old, new)| Some((old.literal()?, new.literal()?))) {
                let origin = match self.column(frame, &old, "renamed") {
                    Value::Column(column) if column.is_raw && !self.frames[frame].names.contains_key(&old) => {
                        Origin::Named(old.clone())
                    }
                    other => Origin::Made(other),
                };
                changes.push((old, new, origin));
            }
        }
        let change = |frame: &mut crate::follow::value::Frame| {
            for (old, new, origin) in changes {
                frame.names.remove(&old);
                frame.dropped.insert(old);
                frame.dropped.remove(&new);
                frame.names.insert(new, origin);
            }
        };
        if given.is_set("inplace") {
            change(&mut self.frames[frame]);
            return Value::Frame(frame);
        }
        self.derived(frame, change)
    }

    fn assigned(&mut self, frame: FrameId, given: &Given) -> Value {
        let mut made = Vec::new();
        for (name, value) in &given.names {
            let value = match value {
                function @ Value::Function(_) => self.apply(function, Value::Frame(frame)),
                value => value.clone(),
            };
            made.push((name.clone(), Origin::Made(value)));
        }
        self.derived(frame, |frame| frame.names.extend(made))
    }

    /// `astype({"a": int})`, or of the whole frame.
    fn cast(&mut self, frame: FrameId, given: &Given) -> Value {
        if let Some(Value::Dict(entries)) = given.get(0, "dtype") {
            for (name, dtype) in entries.clone() {
                if let Some(name) = name.literal() {
                    let column = self.column(frame, &name, "cast");
                    self.cast_to(&column, &dtype);
                }
            }
        } else {
            self.whole_frame(frame, "cast");
        }
        self.derived(frame, |_| {})
    }

    /// `fillna({"a": 0})`, `replace({"a": {"x": 1}})`.
    fn filled(&mut self, frame: FrameId, name: &str, given: &Given) -> Value {
        if let Some(Value::Dict(entries)) = given.first().cloned() {
            for (key, value) in entries {
                let is_of_columns = name == "fillna" || matches!(value, Value::Dict(_));
                if let (Some(column), true) = (key.text(), is_of_columns) {
                    let column = self.column(frame, column, name);
                    match (&value, name) {
                        (Value::Dict(values), _) => {
                            let keys = Value::List(values.iter().map(|(key, _)| key.clone()).collect());
                            self.values_of(&column, &keys, "replaced");
                        }
                        _ => self.note(&column, &Use::Missing, "filled"),
                    }
                }
            }
        }
        self.same(frame, given)
    }

    /// `df.apply(f, axis=1)` hands rows over, without the axis columns.
    fn applied(&mut self, frame: FrameId, given: &Given) -> Value {
        let axis = given.get(1, "axis").and_then(Value::literal).unwrap_or_default();
        let function = given.get(0, "func").cloned().unwrap_or(Value::Unknown);
        if axis == "1" || axis == "columns" {
            return match self.apply(&function, Value::Frame(frame)) {
                Value::Column(column) => Value::Column(column.changed()),
                _ => Value::Unknown,
            };
        }
        match function {
            // An encoder for each column.
            Value::Method(owner, _) if matches!(*owner, Value::Object(_)) => self.encoded_frame(frame),
            _ => self.derived(frame, |frame| (frame.is_of_rows, frame.is_made) = (false, true)),
        }
    }

    /// The columns of a frame by their keys, as a `dtype` or a converter names them.
    pub(super) fn key_of(name: &Value) -> Option<ColumnKey> {
        match name {
            Value::Text(name) => Some(ColumnKey::Named(name.clone())),
            Value::Number(_) => name.whole().map(ColumnKey::At),
            _ => None,
        }
    }
}
