//! Follows what a notebook reads through its code, without running it.
//!
//! The cells are gone through in order, both ways of every branch and every loop once, or once for each of a literal list. A value is what is
//! known of it: a text, a frame and where its columns come from, a function of the notebook, which is entered where it is called. What
//! is not known is [`Value::Unknown`], and nothing is guessed of it.

mod arguments;
mod builtin;
mod expression;
mod files;
mod frame;
mod frame_method;
mod group;
mod join;
mod listing;
mod model;
mod names;
mod numpy;
mod operation;
pub(crate) mod origin;
mod pandas;
mod plot;
mod query;
mod reader;
mod series;
mod statement;
mod summary;
mod value;
mod whole;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::TextSize;

use crate::evidence::{ColumnId, ColumnKey, Findings, TableId, Use, keep};
use crate::recipe::UsedAt;
pub(crate) use files::format_of;
pub(crate) use names::is_attribute_of_frames;
pub(crate) use operation::looks_like_day;
pub(crate) use value::{About, Value};
use value::{Frame, FrameId};

/// Expressions and statements that are looked at in one notebook, loops and calls included.
const MOST_STEPS: usize = 400_000;
/// Those after which a notebook is not followed again, so that it never takes long.
const MOST_STEPS_FIRST: usize = 50_000;
/// How deep functions of the notebook are entered.
const DEEPEST_CALL: usize = 6;
/// How deep expressions are followed.
const DEEPEST_EXPRESSION: usize = 200;

/// A value that a cell shows in its saved output, and what of it.
pub(crate) struct ShownValue {
    pub(crate) cell: usize,
    pub(crate) value: Value,
    /// Whether it is the last expression of its cell, or is printed.
    pub(crate) is_result: bool,
}

/// What following a notebook gives.
pub(crate) struct Followed {
    pub(crate) findings: Findings,
    pub(crate) frames: Vec<Frame>,
    pub(crate) shown: Vec<ShownValue>,
}

pub(crate) struct Follower {
    pub(crate) findings: Findings,
    pub(crate) frames: Vec<Frame>,
    shown: Vec<ShownValue>,
    scopes: Vec<HashMap<String, Value>>,
    returned: Vec<Vec<Value>>,
    cells: Rc<Vec<Parsed>>,
    /// Where the lines of each cell end.
    line_ends: Vec<Vec<usize>>,
    cell: usize,
    line: u32,
    steps: usize,
    depth: usize,
    /// The folder that `%cd` and `os.chdir` went to.
    folder: String,
    /// Columns that a table had on its own when the notebook was followed before, by path and name of the table.
    own: Own,
    /// Whether a column of several tables was given to one that nothing says has it.
    has_guessed: bool,
}

/// Columns by path and name of their table.
type Own = HashMap<(String, Option<String>), BTreeSet<String>>;

/// Follows the code cells of a notebook: twice where tables were put together before it was seen which of them has a column.
pub(crate) fn follow(sources: &[&str]) -> Followed {
    let cells: Rc<Vec<Parsed>> = Rc::new(sources.iter().map(|source| parse(source)).collect());
    let once = follow_knowing(&cells, Own::new());
    if !once.has_guessed || once.steps > MOST_STEPS_FIRST {
        return once.done();
    }
    let facts = once.findings.tables.iter().filter(|table| !table.own.is_empty());
    let own =
        facts.map(|table| ((once.findings.files[table.file].path.clone(), table.name.clone()), table.own.clone()));
    follow_knowing(&cells, own.collect()).done()
}

fn follow_knowing(cells: &Rc<Vec<Parsed>>, own: Own) -> Follower {
    let mut follower = Follower {
        findings: Findings::default(),
        frames: Vec::new(),
        shown: Vec::new(),
        scopes: vec![HashMap::new()],
        returned: Vec::new(),
        line_ends: cells.iter().map(|cell| line_ends(cell.source())).collect(),
        cells: Rc::clone(cells),
        cell: 0,
        line: 1,
        steps: 0,
        depth: 0,
        folder: String::new(),
        own,
        has_guessed: false,
    };
    for (index, cell) in cells.iter().enumerate() {
        follower.cell = index;
        follower.escapes(cell.source());
        follower.body(cell.body(), true);
    }
    follower
}

fn line_ends(text: &str) -> Vec<usize> {
    text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect()
}

impl Follower {
    fn done(self) -> Followed {
        Followed { findings: self.findings, frames: self.frames, shown: self.shown }
    }

    /// Counts a step; false when there were too many.
    fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps < MOST_STEPS
    }

    fn stand_at(&mut self, offset: TextSize) {
        let before =
            self.line_ends.get(self.cell).map_or(0, |ends| ends.partition_point(|end| *end < offset.to_usize()));
        self.line = u32::try_from(before).unwrap_or(u32::MAX - 1) + 1;
    }

    pub(crate) fn here(&self, how: &str) -> UsedAt {
        UsedAt { cell: self.cell, line: self.line, how: how.to_owned() }
    }

    fn lookup(&self, name: &str) -> Option<&Value> {
        let local = self.scopes.last().and_then(|scope| scope.get(name));
        local.or_else(|| self.scopes.first().and_then(|scope| scope.get(name)))
    }

    fn bind(&mut self, name: &str, value: Value) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), value);
        }
    }

    /// Binds a name anew where it is bound: in the function, or around it.
    fn bind_again(&mut self, name: &str, value: Value) {
        let is_local = self.scopes.last().is_some_and(|scope| scope.contains_key(name));
        let scope = if is_local { self.scopes.last_mut() } else { self.scopes.first_mut() };
        if let Some(scope) = scope {
            scope.insert(name.to_owned(), value);
        }
    }

    /// What is done with all the columns that a value stands for, where it has their own values or is derived from them.
    pub(crate) fn note(&mut self, value: &Value, how: &Use, what: &str) {
        let Value::Column(column) = value else { return };
        let is_of_values = !matches!(
            how,
            Use::RatherNumber | Use::Number | Use::Integer | Use::Named | Use::Missing | Use::Quantity | Use::Classes
        );
        if !column.is_raw && is_of_values {
            return;
        }
        // What was made of words by code may be numbers, which says nothing of the words.
        if !column.is_raw && column.is_of_text {
            return;
        }
        for id in column.ids.clone() {
            let at = self.here(what);
            self.findings.note(id, how.clone(), &at);
        }
    }

    /// Says that a line touches tables and columns.
    fn touch(&mut self, tables: &[TableId], columns: &[ColumnId]) {
        let touched = self.findings.touched.entry((self.cell, self.line)).or_default();
        touched.0.extend(tables);
        touched.0.extend(columns.iter().map(|id| id.table));
        touched.1.extend(columns);
    }

    fn touch_value(&mut self, value: &Value) {
        match value {
            Value::Frame(frame) => {
                let tables = self.frames[*frame].tables.clone();
                self.touch(&tables, &[]);
            }
            Value::Column(column) => {
                let (ids, index) = (column.ids.clone(), column.index.clone());
                self.touch(&[], &ids);
                self.touch(&index.iter().map(|id| id.table).collect::<Vec<_>>(), &[]);
            }
            Value::Group(frame, keys) => {
                let (tables, keys) = (self.frames[*frame].tables.clone(), keys.clone());
                self.touch(&tables, &keys);
            }
            Value::Handle(file) | Value::Line(file) => {
                let tables = self.findings.files[*file].tables.clone();
                self.touch(&tables, &[]);
            }
            _ => {}
        }
    }

    fn new_frame(&mut self, frame: Frame) -> Value {
        self.frames.push(frame);
        Value::Frame(self.frames.len() - 1)
    }

    /// A frame like another, changed a little.
    fn derived(&mut self, frame: FrameId, change: impl FnOnce(&mut Frame)) -> Value {
        let mut new = self.frames[frame].clone();
        change(&mut new);
        self.new_frame(new)
    }

    /// A column of a table by its key, noted as used.
    fn table_column(&mut self, table: TableId, key: &ColumnKey, what: &str) -> ColumnId {
        let id = self.findings.id_of(table, key);
        let at = self.here(what);
        keep(&mut self.findings.column_mut(id).used, &at);
        self.touch(&[table], &[id]);
        id
    }
}
