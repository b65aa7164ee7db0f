//! Methods of columns, and what they say of their values.

use crate::evidence::Use;
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::value::{About, Column, Frame, Value};

impl Follower {
    pub(super) fn column_attribute(&mut self, owner: Value, name: &str) -> Value {
        let of = || Box::new(owner.clone());
        match name {
            "str" => {
                self.note(&owner, &Use::Text, "`.str`");
                Value::Accessor(of(), "str")
            }
            "dt" => {
                self.note(&owner, &Use::Date, "`.dt`");
                Value::Accessor(of(), "dt")
            }
            "cat" => Value::Accessor(of(), "cat"),
            "loc" | "at" | "ix" => Value::Accessor(of(), "loc"),
            "iloc" | "iat" => Value::Accessor(of(), "iloc"),
            "plot" => Value::Accessor(of(), "plot"),
            "values" | "array" | "T" => owner,
            "shape" | "size" => Value::About(of(), About::Length),
            "dtype" | "dtypes" => Value::About(of(), About::Dtypes),
            "index" => match owner {
                Value::Column(column) if !column.index.is_empty() => Value::Column(Column::raw(column.index)),
                _ => Value::Unknown,
            },
            // What days have: of an index without `.dt`, and of single values.
            "year" | "month" | "day" | "hour" | "weekday" | "dayofweek" | "quarter" | "minute"
                if self.is_days(&owner) =>
            {
                changed(&owner)
            }
            _ => Value::Method(of(), name.to_owned()),
        }
    }

    fn is_days(&self, value: &Value) -> bool {
        matches!(value, Value::Column(column) if self.is_date(column))
    }

    pub(super) fn accessor_attribute(&mut self, of: Box<Value>, accessor: &'static str, name: &str) -> Value {
        match accessor {
            "dt" => changed(&of),
            "cat" if name == "codes" => {
                self.note(&of, &Use::Category, "codes");
                self.note(&of, &Use::Encoded, "codes");
                changed(&of)
            }
            _ => Value::Method(Box::new(Value::Accessor(of, accessor)), name.to_owned()),
        }
    }

    pub(super) fn column_method(&mut self, column: Column, name: &str, given: &Given) -> Value {
        let value = Value::Column(column.clone());
        let of = || Box::new(value.clone());
        match name {
            "value_counts" => {
                self.note(&value, &Use::Category, "counted");
                let counted = if column.is_raw { column.ids.clone() } else { Vec::new() };
                Value::About(Box::new(Value::Column(Column { index: counted, ..column })), About::Counts)
            }
            "unique" => Value::About(of(), About::Unique),
            "describe" => Value::About(of(), About::Describe),
            "isnull" | "isna" | "notnull" | "notna" => column_of(column.changed()),
            "map" | "apply" | "transform" => self.mapped(&value, given),
            "replace" => self.replaced(&value, given),
            "isin" => {
                if let Some(values) = given.first() {
                    self.values_of(&value, &values.clone(), "chosen by value");
                    if let other @ Value::Column(_) = values {
                        self.joined(&value, &other.clone());
                    }
                }
                column_of(column.changed())
            }
            "eq" | "ne" | "gt" | "lt" | "ge" | "le" => {
                self.values_of(&value, &given.first().cloned().unwrap_or(Value::Unknown), "compared");
                column_of(column.changed())
            }
            "astype" => {
                let dtype = given.get(0, "dtype").cloned().unwrap_or(Value::Unknown);
                self.cast_to(&value, &dtype)
            }
            "fillna" => {
                self.note(&value, &Use::Missing, "filled");
                if let Some(Value::Number(_)) = given.first() {
                    self.note(&value, &Use::RatherNumber, "filled with a number");
                }
                value
            }
            "mean" | "sum" | "std" | "var" | "median" | "quantile" | "cumsum" | "diff" | "pct_change" | "rolling"
            | "corr" | "skew" | "kurt" | "cumprod" | "clip" | "round" | "abs" | "between" | "mad" | "sem"
            | "kurtosis" | "interpolate" | "ewm" | "autocorr" | "hist" => {
                self.note(&value, &Use::RatherNumber, "reckoned with");
                for bound in
                    given.places.iter().filter_map(Value::number).filter(|_| matches!(name, "between" | "clip"))
                {
                    self.note(&value, &Use::Bound(bound), "bound");
                }
                column_of(Column { index: Vec::new(), ..column.changed() })
            }
            "plot" | "line" | "bar" | "barh" | "pie" | "box" | "kde" | "area" => {
                self.plotted(&value);
                Value::Unknown
            }
            "to_frame" => self.frame_of(&column),
            "tolist" | "to_list" | "to_numpy" | "copy" | "head" | "tail" | "sample" | "sort_values" | "dropna"
            | "iloc" | "reset_index" | "drop_duplicates" | "items" | "iteritems" | "ravel" | "reshape" | "flatten"
            | "squeeze" | "sort_index" | "get_values" | "nlargest" | "nsmallest" | "order" | "values" | "item"
            | "to_pandas" => Value::Column(column),
            "get" => self.column_item(&column, &given.first().cloned().unwrap_or(Value::Unknown)),
            "unstack" => self.unstacked(&column),
            "resample" | "asfreq" => {
                let index = Value::Column(Column::raw(column.index.clone()));
                self.note(&index, &Use::Date, "resampled");
                column_of(column.changed())
            }
            "dot" => {
                self.note(&value, &Use::Number, "reckoned with");
                Value::Unknown
            }
            // What single words have: an element of a column stands for the column.
            "split" | "lower" | "upper" | "strip" | "startswith" | "endswith" | "title" | "rstrip" | "lstrip"
            | "find" | "encode" | "isdigit" | "capitalize" => {
                self.note(&value, &Use::Text, "words");
                self.text_accessor(&column, name, given)
            }
            "strftime" | "date" | "time" | "timestamp" | "isoformat" | "to_period" | "day_name" | "total_seconds" => {
                column_of(column.changed())
            }
            _ => {
                let index = column.index.clone();
                column_of(Column { index, ..column.changed() })
            }
        }
    }

    /// `.str.split(",")` and so on, by accessor.
    pub(super) fn accessor_method(&mut self, of: &Value, accessor: &str, name: &str, given: &Given) -> Value {
        match (of, accessor) {
            (Value::Column(column), "str") => self.text_accessor(column, name, given),
            (_, "plot") => {
                self.plot_of(of, given);
                Value::Unknown
            }
            (Value::Column(column), _) => column_of(column.changed()),
            _ => Value::Unknown,
        }
    }

    /// What a method of texts says of them, and gives.
    fn text_accessor(&mut self, column: &Column, name: &str, given: &Given) -> Value {
        let value = Value::Column(column.clone());
        let text = given.first().and_then(Value::text).map(str::to_owned);
        let mut of_text = Column { is_of_text: true, ..column.changed() };
        match (name, text) {
            ("split" | "rsplit" | "partition", separator) => {
                let separator = separator.or_else(|| given.text(0, "pat").map(str::to_owned));
                self.cut_at(column, separator.as_deref().unwrap_or(" "));
                if given.is_set("expand") {
                    let cut_of = column.ids.first().copied().filter(|_| column.is_raw);
                    return self.new_frame(Frame { is_opaque: true, cut_of, ..Frame::default() });
                }
                of_text.taken_off.clear();
                column_of(of_text)
            }
            ("extract" | "extractall" | "findall" | "match" | "fullmatch", Some(pattern)) => {
                self.note(&value, &Use::Pattern(pattern.clone()), "searched");
                if given.is_set("expand") && pattern.matches('(').count() > 1 {
                    return self.new_frame(Frame { is_opaque: true, ..Frame::default() });
                }
                column_of(of_text)
            }
            ("contains" | "startswith" | "endswith" | "count" | "find" | "index", Some(part)) => {
                self.note(&value, &Use::Holds(part), "searched");
                column_of(of_text)
            }
            ("replace" | "strip" | "lstrip" | "rstrip" | "slice", part) => {
                of_text.taken_off.extend(part);
                column_of(of_text)
            }
            ("get_dummies", _) => {
                self.note(&value, &Use::Separator("|".to_owned()), "cut");
                self.new_frame(Frame { is_opaque: true, ..Frame::default() })
            }
            ("len", _) => column_of(of_text),
            _ => column_of(of_text),
        }
    }

    /// `re.search(pattern, text)`: functions of `re` on a text of a column.
    pub(super) fn of_patterns(&mut self, name: &str, given: &Given) -> Value {
        let place = usize::from(matches!(name, "sub" | "subn")) + 1;
        let Some(Value::Column(column)) = given.places.get(place).cloned() else { return Value::Unknown };
        let pattern = given.first().and_then(Value::text).map(str::to_owned);
        self.note(&Value::Column(column.clone()), &Use::Text, "searched");
        match (name, pattern) {
            ("search" | "match" | "findall" | "fullmatch", Some(pattern)) => {
                self.text_accessor(&column, "match", &Given::of(vec![Value::Text(pattern)]))
            }
            _ => Value::Column(Column { is_of_text: true, ..column.changed() }),
        }
    }

    /// `datetime.strptime(text, "%Y-%m-%d")`, also of the part of a text before a time.
    pub(super) fn read_as_day(&mut self, given: &Given) -> Value {
        let Some(Value::Column(column)) = given.first().cloned() else { return Value::Unknown };
        let format = given.places.get(1).and_then(Value::text).filter(|format| format.contains('%')).map(str::to_owned);
        let at = self.here("read as days");
        for id in column.ids.clone() {
            let is_cut = self.findings.column(id).has(&Use::Separator(" ".to_owned()));
            self.findings.note(id, Use::Date, &at);
            if let Some(format) = &format {
                let has_time = !is_cut || format.contains("%H");
                let whole = if has_time { format.clone() } else { format!("{format} %H:%M:%S") };
                self.findings.note(id, Use::Format(whole), &at);
            }
        }
        Value::Column(column.changed())
    }

    /// Words are cut at this; of parts that are cut again, both occur.
    fn cut_at(&mut self, column: &Column, separator: &str) {
        for id in column.ids.clone() {
            let at = self.here("cut");
            self.findings.note(id, Use::Text, &at);
            self.findings.note(id, Use::Separator(separator.to_owned()), &at);
        }
    }

    pub(super) fn column_item(&mut self, column: &Column, key: &Value) -> Value {
        match key {
            // A row by its number, of a column as the file has it.
            Value::Number(_) if column.is_raw && column.index.is_empty() => {
                let row = key.whole().and_then(|row| usize::try_from(row).ok()).unwrap_or(0);
                for id in &column.ids {
                    let counted = &mut self.findings.tables[id.table].rows_counted;
                    *counted = (*counted).max(row.saturating_add(1));
                }
                column_of(column.clone())
            }
            Value::Text(_) | Value::List(_) if !column.index.is_empty() => {
                let index = Value::Column(Column::raw(column.index.clone()));
                self.values_or_days(&index, key);
                column_of(column.clone())
            }
            Value::Slice(bounds) => {
                let index = Value::Column(Column::raw(column.index.clone()));
                self.values_or_days(&index, &bounds.0);
                self.values_or_days(&index, &bounds.1);
                column_of(column.clone())
            }
            _ => column_of(column.clone()),
        }
    }

    fn values_or_days(&mut self, column: &Value, labels: &Value) {
        for label in labels.texts() {
            let is_day = crate::follow::operation::looks_like_day(&label);
            self.note(column, &if is_day { Use::Day(label) } else { Use::Value(label) }, "label of rows");
        }
    }

    fn mapped(&mut self, value: &Value, given: &Given) -> Value {
        let function = given.first().cloned().unwrap_or(Value::Unknown);
        if let Value::Name(name) = &function {
            match name.as_str() {
                "float" | "int" => return self.cast_to(value, &function),
                "pandas.to_datetime" | "dateutil.parser.parse" => {
                    self.note(value, &Use::Date, "read as days");
                    return value.clone();
                }
                "str" | "len" => return changed(value),
                _ => {}
            }
        }
        match self.apply(&function, value.clone()) {
            Value::Column(column) => Value::Column(Column { is_raw: false, ..column }),
            _ => changed(value),
        }
    }

    fn replaced(&mut self, value: &Value, given: &Given) -> Value {
        let (old, new) = match (given.get(0, "to_replace"), given.get(1, "value")) {
            (Some(Value::Dict(entries)), _) => {
                let (old, new): (Vec<Value>, Vec<Value>) = entries.iter().cloned().unzip();
                (Value::List(old), Value::List(new))
            }
            (Some(old), new) => (old.clone(), new.cloned().unwrap_or(Value::Unknown)),
            (None, _) => (Value::Unknown, Value::Unknown),
        };
        let words = old.texts();
        let are_numbers = new.elements().len() > 1 && new.elements().iter().all(|one| one.number().is_some());
        if given.is_set("regex") {
            // What is replaced is a pattern.
        } else if are_numbers && words.len() == old.elements().len() {
            self.note(value, &Use::OnlyValues(words), "replaced by numbers");
        } else {
            self.values_of(value, &old, "replaced");
        }
        changed(value)
    }

    /// `astype(float)`: of words from which something was taken off, what is left are digits.
    pub(super) fn cast_to(&mut self, value: &Value, dtype: &Value) -> Value {
        let Value::Column(column) = value else { return Value::Unknown };
        let word = match dtype {
            Value::Name(name) | Value::Text(name) => name.rsplit('.').next().unwrap_or(name).to_lowercase(),
            _ => String::new(),
        };
        if word.starts_with("int") || word.starts_with("uint") || word.starts_with("float") || word == "number" {
            if column.is_of_text {
                self.digits(value);
                let is_whole = !word.starts_with("float") && !column.taken_off.is_empty();
                for id in column.ids.clone() {
                    let at = self.here("number in words");
                    for part in column.taken_off.iter().filter(|part| part.len() <= 10).take(3) {
                        self.findings.note(id, Use::Affix(part.clone()), &at);
                    }
                    if is_whole && !self.findings.column(id).any(|how| matches!(how, Use::Separator(_))) {
                        self.findings.note(id, Use::Integer, &at);
                    }
                }
            } else {
                let how = if word.starts_with("float") { Use::Number } else { Use::Integer };
                self.note(value, &how, "cast to a number");
            }
            return Value::Column(Column { is_of_text: false, ..column.changed() });
        }
        match word.as_str() {
            "category" => {
                self.note(value, &Use::Category, "cast");
                value.clone()
            }
            word if word.starts_with("datetime") => {
                self.note(value, &Use::Date, "cast to days");
                value.clone()
            }
            "str" | "object" | "string" => Value::Column(Column { is_of_text: true, ..column.changed() }),
            "bool" => Value::Column(column.changed()),
            _ => value.clone(),
        }
    }

    /// What was cut out of words is read as a number.
    pub(super) fn digits(&mut self, value: &Value) {
        let Value::Column(column) = value else { return };
        for id in column.ids.clone().into_iter().filter(|_| column.is_of_text) {
            if self.findings.column(id).any(|how| matches!(how, Use::Separator(_))) {
                let at = self.here("number in words");
                self.findings.note(id, Use::Digits, &at);
            }
        }
    }

    /// A frame of one column.
    pub(super) fn frame_of(&mut self, column: &Column) -> Value {
        let Some(id) = column.ids.first() else { return Value::Unknown };
        let name = match &self.findings.column(*id).key {
            crate::evidence::ColumnKey::Named(name) => vec![name.clone()],
            crate::evidence::ColumnKey::At(_) => return Value::Column(column.clone()),
        };
        let (tables, index) = (vec![id.table], column.index.clone());
        self.new_frame(Frame { tables, index, chosen: Some(name), is_of_rows: column.is_raw, ..Frame::default() })
    }

    /// A column that is labelled by two, spread out: its columns are the values of the last.
    fn unstacked(&mut self, column: &Column) -> Value {
        let Some((last, rest)) = column.index.split_last() else {
            return self.new_frame(Frame { is_opaque: true, ..Frame::default() });
        };
        let (columns_are, index) = (vec![*last], rest.to_vec());
        self.new_frame(Frame { tables: vec![last.table], columns_are, index, ..Frame::default() })
    }
}

fn column_of(column: Column) -> Value {
    Value::Column(column)
}

/// The same column, when code has made other values of it.
pub(super) fn changed(value: &Value) -> Value {
    match value {
        Value::Column(column) => Value::Column(column.changed()),
        _ => Value::Unknown,
    }
}
