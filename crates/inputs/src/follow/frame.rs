//! Frames: from the name or place of a column to where it comes from.

use std::collections::BTreeSet;

use crate::evidence::{ColumnKey, Use};
use crate::follow::Follower;
use crate::follow::names::is_attribute_of_frames;
use crate::follow::operation::looks_like_day;
use crate::follow::value::{About, Column, FrameId, Origin, Value};

impl Follower {
    /// Whether a frame has a column of this name for all that is known.
    pub(super) fn is_column(&self, frame: FrameId, name: &str) -> bool {
        let frame = &self.frames[frame];
        frame.names.contains_key(name) || frame.tables.iter().any(|table| self.findings.known(*table, name).is_some())
    }

    /// The column of this name, which is there from now on.
    pub(super) fn column(&mut self, frame: FrameId, name: &str, what: &str) -> Value {
        let found = &self.frames[frame];
        match found.names.get(name) {
            Some(Origin::Made(value)) => return value.clone(),
            Some(Origin::At(place)) => return self.by_place(frame, *place, what),
            Some(Origin::Named(old)) => {
                let old = old.clone();
                return self.of_tables(frame, &old, what);
            }
            None => {}
        }
        let is_known = found.is_beside && found.tables.iter().any(|table| self.findings.known(*table, name).is_some());
        if !found.columns_are.is_empty() && !is_known {
            let ids = found.columns_are.clone();
            self.note(&Value::Column(Column::raw(ids)), &Use::Value(name.to_owned()), "column of its values");
            return Value::Unknown;
        }
        if found.is_opaque && !is_known || self.dummy(frame, name) {
            return Value::Unknown;
        }
        self.of_tables(frame, name, what)
    }

    /// A column of `get_dummies` is named after the column and the value that it stands for.
    fn dummy(&mut self, frame: FrameId, name: &str) -> bool {
        let found = &self.frames[frame];
        if !found.is_dummies || found.tables.iter().any(|table| self.findings.known(*table, name).is_some()) {
            return false;
        }
        let mut known = name.match_indices('_').filter_map(|(at, _)| {
            let mut ids = found.tables.iter().filter_map(|table| self.findings.known(*table, &name[..at]));
            ids.next_back().map(|id| (id, &name[at + 1..]))
        });
        let Some((id, value)) = known.next_back() else { return false };
        let column = Value::Column(Column::raw(vec![id]));
        self.note(&column, &Use::Value(value.to_owned()), "column of its values");
        self.note(&column, &Use::Encoded, "column of its values");
        true
    }

    /// Of tables below each other all have it; of tables beside each other one, the first that is known to.
    fn of_tables(&mut self, frame: FrameId, name: &str, what: &str) -> Value {
        let tables = self.frames[frame].tables.clone();
        let pointed = self.frames[frame].pointer.as_ref().map(|pointer| format!("{pointer}/{name}"));
        let name = pointed.as_deref().unwrap_or(name);
        let key = ColumnKey::Named(name.to_owned());
        if let [table] = tables.as_slice() {
            self.findings.tables[*table].own.insert(name.to_owned());
        }
        if self.frames[frame].is_stacked {
            let ids = tables.iter().map(|table| self.table_column(*table, &key, what)).collect();
            return Value::Column(Column { index: self.frames[frame].index.clone(), ..Column::raw(ids) });
        }
        let base = ["_x", "_y", "_left", "_right"].iter().find_map(|suffix| name.strip_suffix(suffix));
        let has = |name: &str| {
            let known = tables.iter().copied().find(|table| self.findings.known(*table, name).is_some());
            known.or_else(|| tables.iter().copied().find(|table| self.is_own(*table, name)))
        };
        let is_open = |table: &usize| !self.findings.tables[*table].is_complete;
        let (table, key) = match (has(name), base.filter(|_| tables.len() > 1)) {
            (Some(table), _) => (Some(table), key),
            (None, Some(base)) => (has(base), ColumnKey::Named(base.to_owned())),
            (None, None) => (tables.iter().copied().find(is_open).or(tables.first().copied()), key),
        };
        let Some(table) = table else { return Value::Unknown };
        self.has_guessed |= tables.len() > 1 && self.findings.known(table, name).is_none();
        let id = self.table_column(table, &key, what);
        Value::Column(Column { index: self.frames[frame].index.clone(), ..Column::raw(vec![id]) })
    }

    /// The column at a place, from the end where it is negative.
    pub(super) fn by_place(&mut self, frame: FrameId, place: isize, what: &str) -> Value {
        let found = &self.frames[frame];
        if found.is_opaque {
            return Value::Unknown;
        }
        let place = if place >= 0 { place + found.first } else { place };
        let chosen = found.chosen.as_ref().and_then(|chosen| {
            let place =
                if place < 0 { chosen.len().checked_add_signed(place)? } else { usize::try_from(place).ok()? };
            chosen.get(place).cloned()
        });
        if let Some(name) = chosen {
            return self.column(frame, &name, what);
        }
        let tables = found.tables.clone();
        let cut = found.dropped.iter().filter_map(|name| name.strip_prefix("#-")?.parse::<isize>().ok()).max();
        if let Some(cut) = cut.filter(|cut| place >= 0 && *cut < 1_000) {
            // As many columns lie behind as were cut off at the end.
            for table in &tables {
                self.table_column(*table, &ColumnKey::At(place + cut), what);
            }
        }
        let ids = tables.iter().map(|table| self.table_column(*table, &ColumnKey::At(place), what)).collect();
        Value::Column(Column::raw(ids))
    }

    /// `frame[key]`, `column[key]`, `frame.loc[key]` and the like.
    pub(super) fn item(&mut self, owner: &Value, key: &Value) -> Value {
        match owner {
            Value::Frame(frame) => self.frame_item(*frame, key),
            Value::Column(column) => self.column_item(column, key),
            Value::Group(frame, keys) => self.group_item(*frame, keys, key),
            Value::Accessor(of, "loc" | "at" | "ix") => self.located(&of.clone(), key, true),
            Value::Accessor(of, "iloc" | "iat") => self.located(&of.clone(), key, false),
            Value::Accessor(of, "str") => match &**of {
                Value::Column(column) => Value::Column(Column { is_of_text: true, ..column.changed() }),
                _ => Value::Unknown,
            },
            Value::About(of, About::Columns) => match (key, &**of) {
                (Value::Number(_), Value::Frame(frame)) => {
                    let place = key.whole().unwrap_or(0);
                    match self.by_place(*frame, place, "named by place") {
                        column @ Value::Column(_) => Value::About(Box::new(column), About::Columns),
                        other => other,
                    }
                }
                (Value::Slice(_), _) => owner.clone(),
                _ => Value::Unknown,
            },
            Value::About(of, About::Counts) => {
                let of = (**of).clone();
                self.item(&of, key)
            }
            Value::List(elements) => match key {
                Value::Slice(bounds) => slice(elements, bounds),
                _ => {
                    let place = key.whole().unwrap_or(0);
                    let place =
                        if place < 0 { elements.len().checked_add_signed(place) } else { usize::try_from(place).ok() };
                    place.and_then(|place| elements.get(place)).cloned().unwrap_or(Value::Unknown)
                }
            },
            Value::Dict(entries) => {
                if let Value::Column(_) = key {
                    let keys = entries.iter().filter_map(|(key, _)| key.literal()).collect();
                    self.note(key, &Use::OnlyValues(keys), "looked up");
                }
                let key = key.literal();
                let found = entries.iter().find(|(known, _)| key.is_some() && known.literal() == key);
                found.map_or(Value::Unknown, |(_, value)| value.clone())
            }
            Value::Json(file, pointer) => self.json_item(*file, &pointer.clone(), key),
            Value::Handle(file) => self.sheet(*file, key.text()),
            Value::Line(_) => owner.clone(),
            Value::Text(text) => match key {
                Value::Slice(bounds) => text_slice(text, bounds),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    fn frame_item(&mut self, frame: FrameId, key: &Value) -> Value {
        match key {
            Value::Text(text) if self.is_by_day(frame, text) => {
                self.index_value(frame, text);
                self.derived(frame, |frame| frame.is_whole = false)
            }
            Value::Text(name) => self.column(frame, name, "subscript"),
            Value::Number(_) if self.frames[frame].is_by_place => {
                self.by_place(frame, key.whole().unwrap_or(0), "by place")
            }
            Value::Number(_) => match key.literal() {
                Some(name) if self.is_column(frame, &name) => self.column(frame, &name, "subscript"),
                _ => Value::Unknown,
            },
            // `array[:, 3]`, `array[rows, 2:5]`
            Value::List(keys) if self.frames[frame].is_by_place && keys.len() == 2 => {
                if let Some(row) = keys[0].whole() {
                    self.rows_asked(
                        frame,
                        &(Value::Nothing, Value::Number(f64::from(i32::try_from(row).unwrap_or(0)) + 1.0)),
                    );
                }
                self.place_of(frame, &keys[1], true)
            }
            Value::List(keys) if keys.iter().any(|key| key.text().is_some()) => self.chosen(frame, &key.texts()),
            Value::About(of, About::Columns) => match &**of {
                Value::Frame(names) => {
                    let (chosen, dropped) = (self.frames[*names].chosen.clone(), self.frames[*names].dropped.clone());
                    self.derived(frame, |frame| {
                        frame.chosen = chosen.or(frame.chosen.take());
                        frame.dropped.extend(dropped);
                    })
                }
                column => column.clone(),
            },
            Value::Slice(bounds) => {
                for day in [&bounds.0, &bounds.1].into_iter().filter_map(Value::text) {
                    self.index_value(frame, day);
                }
                self.rows_asked(frame, bounds);
                self.derived(frame, |frame| frame.is_whole = false)
            }
            Value::Unknown | Value::Column(_) | Value::Frame(_) => self.derived(frame, |frame| frame.is_whole = false),
            _ => Value::Unknown,
        }
    }

    /// Whether a text in brackets means rows of a day, not a column.
    fn is_by_day(&self, frame: FrameId, text: &str) -> bool {
        !self.frames[frame].index.is_empty() && looks_like_day(text) && !self.is_column(frame, text)
    }

    /// A label of rows that must be there.
    fn index_value(&mut self, frame: FrameId, label: &str) {
        let found = &self.frames[frame];
        let (index, names_rows) = (found.index.clone(), found.is_whole && found.is_of_rows);
        self.touch(&[], &index);
        let column = Value::Column(Column::raw(index));
        if names_rows && !looks_like_day(label) {
            self.note(&column, &Use::Unique, "label of rows");
        }
        let how = if looks_like_day(label) { Use::Day(label.to_owned()) } else { Use::Value(label.to_owned()) };
        self.note(&column, &how, "label of rows");
    }

    /// A frame of columns that are named.
    pub(super) fn chosen(&mut self, frame: FrameId, names: &[String]) -> Value {
        for name in names {
            self.column(frame, name, "subscript");
        }
        let names = names.to_vec();
        self.derived(frame, |frame| frame.chosen = Some(names))
    }

    /// `loc` and `iloc`.
    fn located(&mut self, of: &Value, key: &Value, is_by_name: bool) -> Value {
        let frame = match of {
            Value::Frame(frame) => *frame,
            Value::Column(column) => return self.column_item(column, if is_by_name { key } else { &Value::Unknown }),
            _ => return Value::Unknown,
        };
        let (rows, columns) = match key {
            Value::List(keys)
                if keys.len() == 2
                    && !(is_by_name
                        && keys
                            .iter()
                            .all(|key| key.text().is_some() && self.is_column(frame, key.text().unwrap_or("")))) =>
            {
                (&keys[0], Some(&keys[1]))
            }
            rows => (rows, None),
        };
        match rows {
            Value::Slice(bounds) if is_by_name && bounds.0.text().or(bounds.1.text()).is_some() => {
                for label in [&bounds.0, &bounds.1].into_iter().filter_map(Value::text) {
                    self.index_value(frame, label);
                }
            }
            Value::Slice(bounds) => self.rows_asked(frame, bounds),
            rows if is_by_name => {
                for label in rows.texts() {
                    self.index_value(frame, &label);
                }
            }
            _ => {}
        }
        match columns {
            None if matches!(rows, Value::Text(_) | Value::Number(_)) => {
                self.derived(frame, |frame| frame.is_of_rows = false)
            }
            None => self.derived(frame, |frame| frame.is_whole = false),
            Some(columns) if is_by_name => match columns {
                Value::Text(name) => self.column(frame, name, "subscript"),
                Value::List(_) => self.chosen(frame, &columns.texts()),
                Value::Slice(bounds) => {
                    let values = Value::Column(Column::raw(self.frames[frame].columns_are.clone()));
                    for bound in [&bounds.0, &bounds.1] {
                        match bound {
                            Value::Text(name) => drop(self.column(frame, name, "subscript")),
                            number @ Value::Number(_) => self.values_of(&values, number, "column of its values"),
                            _ => {}
                        }
                    }
                    self.derived(frame, |_| {})
                }
                Value::About(..) => self.frame_item(frame, columns),
                _ => self.derived(frame, |_| {}),
            },
            Some(columns) => self.place_of(frame, columns, false),
        }
    }

    /// Columns by place: one, several, or from one to another.
    fn place_of(&mut self, frame: FrameId, columns: &Value, is_array: bool) -> Value {
        let what = if is_array { "by place in an array" } else { "by place" };
        match columns {
            Value::Number(_) => self.by_place(frame, columns.whole().unwrap_or(0), what),
            Value::List(places) => {
                for place in places.iter().filter_map(Value::whole) {
                    self.by_place(frame, place, what);
                }
                self.derived(frame, |frame| frame.is_made = is_array || frame.is_made)
            }
            Value::Slice(bounds) => {
                let (lower, upper) = (bounds.0.whole().unwrap_or(0), bounds.1.whole());
                if let Some(upper) = upper.filter(|upper| *upper > 0) {
                    self.by_place(frame, upper - 1, what);
                }
                // From the second to the last but one: at least one column lies between.
                let end = upper.filter(|upper| *upper < 0).map_or(0, isize::abs).min(1_000);
                if lower > 0 || end > 0 {
                    self.by_place(frame, lower.max(0) + end, what);
                }
                let chosen = self.frames[frame].chosen.is_some();
                self.derived(frame, |frame| {
                    if !chosen {
                        frame.first += lower.max(0);
                    }
                    // Without the last ones: what they are is known by place alone.
                    if upper.is_some_and(|upper| upper < 0) {
                        frame.dropped.insert(format!("#{}", upper.unwrap_or(0)));
                    }
                })
            }
            _ => self.derived(frame, |_| {}),
        }
    }

    /// Rows that must be there for a part of them not to be empty.
    fn rows_asked(&mut self, frame: FrameId, bounds: &(Value, Value)) {
        let most = [&bounds.0, &bounds.1].into_iter().filter_map(Value::whole).map(isize::unsigned_abs).max();
        let (Some(most), true) = (most, self.frames[frame].is_of_rows) else { return };
        for table in self.frames[frame].tables.clone() {
            let asked = &mut self.findings.tables[table].rows_asked;
            *asked = (*asked).max(most);
        }
    }

    /// `frame.columns = [...]`: so many columns there are, called this from now on.
    pub(super) fn name_columns(&mut self, frame: FrameId, names: &Value) {
        let Value::List(names) = names else { return };
        let found = &mut self.frames[frame];
        // Sums and means have columns of their own.
        if found.is_opaque || found.is_dummies || found.chosen.is_some() || !found.is_of_rows && !found.is_by_place {
            found.is_opaque = true;
            return;
        }
        let made: Vec<String> = found
            .names
            .iter()
            .filter(|(_, origin)| matches!(origin, Origin::Made(_)))
            .map(|(name, _)| name.clone())
            .collect();
        let (tables, gone) = (found.tables.clone(), found.dropped.len());
        if gone == 0 {
            for (place, name) in names.iter().enumerate() {
                let place = isize::try_from(place).unwrap_or(0);
                if let Some(name) = name.literal() {
                    found.names.insert(name, Origin::At(place));
                }
            }
        }
        let new: BTreeSet<String> =
            made.iter().filter(|name| !names.iter().any(|one| one.text() == Some(name))).cloned().collect();
        if let [table] = tables.as_slice() {
            if gone == 0 && made.is_empty() {
                self.findings.tables[*table].called = names.iter().filter_map(Value::literal).collect();
            }
            self.findings.tables[*table].exactly = Some((names.len() + gone).saturating_sub(new.len()).max(1));
        }
    }

    pub(super) fn frame_attribute(&mut self, frame: FrameId, name: &str) -> Value {
        let of = || Box::new(Value::Frame(frame));
        match name {
            _ if self.frames[frame].names.contains_key(name) => self.column(frame, name, "attribute"),
            "columns" => Value::About(of(), About::Columns),
            "shape" => Value::About(of(), About::Shape),
            "dtypes" => Value::About(of(), About::Dtypes),
            "size" | "ndim" | "empty" => Value::Unknown,
            "index" => {
                let ids = self.frames[frame].index.clone();
                if ids.is_empty() { Value::Unknown } else { Value::Column(Column::raw(ids)) }
            }
            "values" => self.derived(frame, |frame| frame.is_by_place = true),
            "T" => self.transposed(frame),
            "loc" => Value::Accessor(of(), "loc"),
            "at" => Value::Accessor(of(), "at"),
            "ix" => Value::Accessor(of(), "ix"),
            "iloc" => Value::Accessor(of(), "iloc"),
            "iat" => Value::Accessor(of(), "iat"),
            "plot" => Value::Accessor(of(), "plot"),
            "str" | "dt" => Value::Unknown,
            _ if is_attribute_of_frames(name) || self.frames[frame].is_by_place => Value::Method(of(), name.to_owned()),
            _ => self.column(frame, name, "attribute"),
        }
    }
}

fn slice(elements: &[Value], bounds: &(Value, Value)) -> Value {
    let at = |bound: &Value, otherwise: usize| match bound {
        Value::Nothing => Some(otherwise),
        bound => {
            let bound = bound.whole()?;
            Some(
                if bound < 0 { elements.len().saturating_add_signed(bound) } else { bound.unsigned_abs() }
                    .min(elements.len()),
            )
        }
    };
    let ends = at(&bounds.0, 0).zip(at(&bounds.1, elements.len()));
    ends.and_then(|(start, end)| elements.get(start..end)).map_or(Value::Unknown, |part| Value::List(part.to_vec()))
}

fn text_slice(text: &str, bounds: &(Value, Value)) -> Value {
    let letters: Vec<Value> = text.chars().map(|letter| Value::Text(letter.to_string())).collect();
    match slice(&letters, bounds) {
        Value::List(letters) => Value::Text(letters.iter().filter_map(Value::text).collect()),
        _ => Value::Unknown,
    }
}
