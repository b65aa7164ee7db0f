//! Frames put beside and below each other.

use crate::evidence::{ColumnId, Use};
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::value::{Column, Frame, FrameId, Origin, Value};

impl Follower {
    /// `merge` and `join`: keys are in both, and meet.
    pub(super) fn merge(&mut self, left: Value, right: Option<Value>, given: &Given, on_place: usize) -> Value {
        let (Value::Frame(left), Some(right)) = (left, right) else { return Value::Unknown };
        let right = match right {
            Value::Frame(right) => right,
            Value::Column(column) => match self.frame_of(&column) {
                Value::Frame(right) => right,
                _ => return Value::Frame(left),
            },
            _ => return self.derived(left, |frame| frame.is_of_rows = false),
        };
        let on = given.named("on").or_else(|| given.places.get(on_place + 1).filter(|_| on_place == 1)).cloned();
        let on = on.or_else(|| self.shared(left, right, given).filter(|_| on_place > 0));
        let side = |name: &str| given.named(name).or(on.as_ref()).cloned();
        let (left_on, right_on) = (side("left_on"), side("right_on"));
        let keys = self.named_columns(left, left_on.as_ref(), "join key");
        let mut others = self.named_columns(right, right_on.as_ref(), "join key");
        if others.is_empty() || given.is_set("right_index") {
            others.extend(self.frames[right].index.clone());
        }
        for (one, other) in keys.iter().zip(&others) {
            self.join_ids(*one, *other);
        }
        let (left, right) = (self.settled(left), self.settled(right));
        let (right_tables, right_frame) = (self.frames[right].tables.clone(), self.frames[right].clone());
        self.derived(left, |frame| {
            frame
                .tables
                .extend(right_tables.into_iter().filter(|table| !frame.tables.contains(table)).collect::<Vec<_>>());
            frame.is_stacked = false;
            frame.is_of_rows = false;
            frame.is_opaque |= right_frame.is_opaque;
            frame.chosen = frame.chosen.take().zip(right_frame.chosen).map(|(left, right)| [left, right].concat());
            for (name, origin) in right_frame.names {
                frame.names.entry(name).or_insert(origin);
            }
        })
    }

    /// The frame with names for columns where it has some for places, since other tables come beside its own.
    fn settled(&mut self, frame: FrameId) -> FrameId {
        let places: Vec<(String, isize)> = self.frames[frame]
            .names
            .iter()
            .filter_map(|(name, origin)| match origin {
                Origin::At(place) => Some((name.clone(), *place)),
                _ => None,
            })
            .collect();
        if places.is_empty() {
            return frame;
        }
        self.frames.push(self.frames[frame].clone());
        let new = self.frames.len() - 1;
        for (name, place) in places {
            let column = self.by_place(frame, place, "put beside others");
            self.frames[new].names.insert(name, Origin::Made(column));
        }
        new
    }

    /// The names that two frames share, which `merge` goes by where it is told none.
    fn shared(&mut self, left: FrameId, right: FrameId, given: &Given) -> Option<Value> {
        if given.names.iter().any(|(name, _)| name.starts_with("left_") || name.starts_with("right_")) {
            return None;
        }
        self.has_guessed |= self.own.is_empty();
        let names: Vec<Value> =
            self.names_of(left).intersection(&self.names_of(right)).cloned().map(Value::Text).collect();
        (!names.is_empty()).then_some(Value::List(names))
    }

    pub(super) fn join_ids(&mut self, one: ColumnId, other: ColumnId) {
        if one != other && !self.findings.joined.contains(&(one, other)) {
            self.findings.joined.push((one, other));
        }
    }

    /// The values of two columns meet.
    pub(super) fn joined(&mut self, one: &Value, other: &Value) {
        if let (Value::Column(one), Value::Column(other)) = (one, other)
            && let (Some(one), Some(other)) = (one.ids.first(), other.ids.first())
        {
            self.join_ids(*one, *other);
        }
    }

    /// Frames below each other, which have the same columns.
    pub(super) fn stack(&mut self, parts: &[Value]) -> Value {
        // What is put below an empty frame, turn after turn, is all that there is.
        let is_empty = |frame: &Frame| frame.is_opaque && frame.tables.is_empty() && frame.names.is_empty();
        let frames = parts.iter().filter_map(frame_id).filter(|frame| !is_empty(&self.frames[*frame]));
        let frames: Vec<FrameId> = frames.collect();
        let Some((first, rest)) = frames.split_first() else {
            return parts.iter().find(|part| matches!(part, Value::Column(_))).cloned().unwrap_or(Value::Unknown);
        };
        let mut stacked: Frame = self.frames[*first].clone();
        for frame in rest {
            let other = self.frames[*frame].clone();
            for (one, another) in
                stacked.tables.iter().flat_map(|one| other.tables.iter().map(move |another| (*one, *another)))
            {
                if one != another {
                    self.findings.alike.insert((one.min(another), one.max(another)));
                }
            }
            stacked.tables.extend(
                other.tables.iter().filter(|table| !stacked.tables.contains(table)).copied().collect::<Vec<_>>(),
            );
            stacked.dropped = stacked.dropped.intersection(&other.dropped).cloned().collect();
            stacked.is_opaque |= other.is_opaque;
            for (name, origin) in other.names {
                stacked.names.entry(name).or_insert(origin);
            }
        }
        stacked.is_stacked = stacked.tables.len() > 1;
        self.new_frame(stacked)
    }

    /// Frames beside each other.
    pub(super) fn beside(&mut self, parts: &[Value]) -> Value {
        let frames: Vec<FrameId> = parts.iter().filter_map(frame_id).collect();
        let Some((first, rest)) = frames.split_first() else { return Value::Unknown };
        let mut whole = self.frames[*first].clone();
        let is_whole = frames.len() == parts.len();
        for frame in rest {
            let other = self.frames[*frame].clone();
            whole
                .tables
                .extend(other.tables.iter().filter(|table| !whole.tables.contains(table)).copied().collect::<Vec<_>>());
            whole.names.extend(other.names);
            whole.dropped = whole.dropped.intersection(&other.dropped).cloned().collect();
            whole.is_dummies |= other.is_dummies;
            whole.chosen = whole.chosen.take().zip(other.chosen).map(|(one, another)| [one, another].concat());
            if whole.columns_are.is_empty() {
                whole.columns_are = other.columns_are;
            }
        }
        // A frame beside the values of one of its columns has both kinds of names.
        let is_plain = |frame: &Frame| frame.columns_are.is_empty() && !frame.is_opaque && !frame.is_made;
        let plain = frames.iter().filter(|frame| is_plain(&self.frames[**frame])).count();
        whole.is_beside = plain < parts.len();
        whole.is_opaque = frames.iter().any(|frame| self.frames[*frame].is_opaque);
        whole.rest = frames.iter().copied().find(|frame| is_plain(&self.frames[*frame])).filter(|_| whole.is_beside);
        whole.is_of_rows &= !whole.is_beside;
        whole.is_made |= !is_whole || whole.is_beside;
        self.new_frame(whole)
    }

    /// A frame that code puts together: of columns by name, or of an array.
    pub(super) fn made_frame(&mut self, given: &Given) -> Value {
        let records = given.get(0, "data").and_then(|data| data.elements().first());
        if let Some(Value::Json(file, pointer)) = records.filter(|_| given.get(2, "columns").is_none()) {
            let is_of_list = given.get(0, "data").is_some_and(|data| matches!(data, Value::List(_)));
            let pointer = if is_of_list { pointer.clone() } else { format!("{pointer}/*") };
            let tables = self.findings.files[*file].tables.clone();
            return self.new_frame(Frame { tables, pointer: Some(pointer), ..Frame::default() });
        }
        let mut frame = Frame { is_opaque: true, is_made: true, ..Frame::default() };
        match given.get(0, "data") {
            Some(Value::Dict(entries)) => {
                for (name, value) in entries {
                    if let Some(name) = name.literal() {
                        frame.names.insert(name, Origin::Made(value.clone()));
                    }
                }
            }
            Some(Value::Frame(of)) if given.get(2, "columns").is_none() => return Value::Frame(*of),
            Some(Value::Frame(of)) => {
                let of = *of;
                let named = self.derived(of, |_| {});
                if let (Value::Frame(named), Some(names)) = (&named, given.get(2, "columns")) {
                    self.name_columns(*named, names);
                }
                return named;
            }
            _ => {}
        }
        self.new_frame(frame)
    }

    /// `get_dummies`: values become columns.
    pub(super) fn dummies(&mut self, given: &Given) -> Value {
        match given.get(0, "data").cloned() {
            Some(column @ Value::Column(_)) => {
                self.note(&column, &Use::Encoded, "made columns of values");
                self.note(&column, &Use::Category, "made columns of values");
                let Value::Column(column) = column else { return Value::Unknown };
                let tables = column.ids.iter().map(|id| id.table).collect();
                let prefixed = given.named("prefix").is_some();
                let columns_are = if prefixed { Vec::new() } else { column.ids };
                self.new_frame(Frame { tables, columns_are, is_opaque: prefixed, is_made: true, ..Frame::default() })
            }
            Some(Value::Frame(frame)) => {
                if let Some(columns) = given.named("columns").cloned() {
                    let ids = self.named_columns(frame, Some(&columns), "made columns of values");
                    let column = Value::Column(Column::raw(ids));
                    self.note(&column, &Use::Encoded, "made columns of values");
                    self.note(&column, &Use::Category, "made columns of values");
                    let names = columns.texts();
                    let Value::Frame(rest) = self.derived(frame, |frame| frame.dropped.extend(names)) else {
                        return Value::Unknown;
                    };
                    let change = |frame: &mut Frame| {
                        (frame.is_dummies, frame.is_of_rows, frame.rest) = (true, false, Some(rest));
                    };
                    return self.derived(frame, change);
                }
                self.encode_all(frame);
                self.derived(frame, |frame| (frame.is_dummies, frame.is_of_rows) = (true, false))
            }
            _ => Value::Unknown,
        }
    }

    /// All columns that are no numbers become some.
    pub(super) fn encode_all(&mut self, frame: FrameId) {
        let found = self.frames[frame].clone();
        match &found.chosen {
            Some(names) => {
                for name in names.clone() {
                    let column = self.column(frame, &name, "encoded");
                    self.note(&column, &Use::Encoded, "encoded");
                }
            }
            None => {
                for table in found.tables {
                    self.findings.tables[table].is_encoded = true;
                }
            }
        }
    }

    pub(super) fn encoded_frame(&mut self, frame: FrameId) -> Value {
        self.encode_all(frame);
        self.derived(frame, |frame| (frame.is_of_rows, frame.is_made) = (false, true))
    }
}

fn frame_id(value: &Value) -> Option<FrameId> {
    match value {
        Value::Frame(frame) => Some(*frame),
        _ => None,
    }
}
