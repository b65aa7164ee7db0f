//! What is known of a value.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use nbrevive_pysource::ast::{Expr, Parameters, Stmt};

use crate::evidence::{ColumnId, FileId, TableId};

/// Index of a frame in the follower; frames change in place, as in pandas.
pub(crate) type FrameId = usize;

/// A value, as far as it is known.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Unknown,
    Nothing,
    Flag(bool),
    Number(f64),
    /// A text, or a path.
    Text(String),
    /// A list, a tuple or a set.
    List(Vec<Value>),
    Dict(Vec<(Value, Value)>),
    /// `lower:upper` in a subscript.
    Slice(Box<(Value, Value)>),
    Frame(FrameId),
    Column(Column),
    /// A grouped frame and its keys.
    Group(FrameId, Vec<ColumnId>),
    /// `.str`, `.dt`, `.loc`, … of a value.
    Accessor(Box<Value>, &'static str),
    /// Something told of a frame or a column, which says what an output shows.
    About(Box<Value>, About),
    /// A module, or what lies in one: `pandas.read_csv`.
    Name(String),
    /// A method of a value, not called yet.
    Method(Box<Value>, String),
    Function(Rc<Function>),
    /// An open file, a workbook, a connection to a database.
    Handle(FileId),
    /// A line of a file.
    Line(FileId),
    /// What a JSON file holds, at a pointer.
    Json(FileId, String),
    /// The object that a class of a library makes: an estimator, an encoder, a pipeline of them.
    Object(Rc<Object>),
}

/// What is told of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Columns,
    Describe,
    Info,
    Dtypes,
    Shape,
    Length,
    Unique,
    Counts,
    Missing,
}

/// One or more columns of files that a series or an array comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    pub(crate) ids: Vec<ColumnId>,
    /// Whether its values are those of the file.
    pub(crate) is_raw: bool,
    /// Whether words were made into something else on the way.
    pub(crate) is_of_text: bool,
    /// What was taken off the words.
    pub(crate) taken_off: Vec<String>,
    /// The columns whose values label it.
    pub(crate) index: Vec<ColumnId>,
}

/// A frame, an array of two dimensions or a row, and where its columns come from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) tables: Vec<TableId>,
    /// Whether its tables lie one below the other; else beside each other.
    pub(crate) is_stacked: bool,
    /// Names that are not those of a table: of others, of places, or made by the code.
    pub(crate) names: BTreeMap<String, Origin>,
    pub(crate) dropped: BTreeSet<String>,
    /// The columns that were chosen, where they were.
    pub(crate) chosen: Option<Vec<String>>,
    /// Whether nothing is known of its columns.
    pub(crate) is_opaque: bool,
    /// Whether its rows are rows of the file.
    pub(crate) is_of_rows: bool,
    /// Whether no row of the file is left out.
    pub(crate) is_whole: bool,
    /// Whether frames with columns of different makes stand beside each other in it.
    pub(crate) is_beside: bool,
    /// The columns whose values label its rows.
    pub(crate) index: Vec<ColumnId>,
    /// The columns whose values its own columns are named by.
    pub(crate) columns_are: Vec<ColumnId>,
    /// Whether columns were cut into one a value, `name_value`.
    pub(crate) is_dummies: bool,
    /// Whether numbers are places: an array, a row of a reader, a frame without names.
    pub(crate) is_by_place: bool,
    /// Where its first column lies, of a frame that was cut.
    pub(crate) first: isize,
    /// What stands before the names of its columns: the pointer at which records of JSON lie.
    pub(crate) pointer: Option<String>,
    /// The column whose texts were cut into its columns.
    pub(crate) cut_of: Option<ColumnId>,
    /// Whether it was scaled or encoded, so that its columns need not be numbers.
    pub(crate) is_made: bool,
    /// The frame whose columns stand in it as they are, where others were made beside them: what takes all of it takes those too.
    pub(crate) rest: Option<FrameId>,
}

/// Where a column's name leads.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Named(String),
    At(isize),
    Made(Value),
}

/// A function of the notebook.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) cell: usize,
    pub(crate) parameters: Option<Box<Parameters>>,
    pub(crate) body: Body,
}

#[derive(Debug)]
pub(crate) enum Body {
    Statements(Vec<Stmt>),
    Expression(Box<Expr>),
}

/// An object of a library's class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    /// The classes, of a pipeline those of its parts.
    pub(crate) classes: Vec<String>,
    /// Of what works on some columns only: the classes that are given them, and their names or places.
    pub(crate) columns: Vec<(Vec<String>, Vec<Value>)>,
}

impl Value {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A number as a whole one, if it is.
    pub(crate) fn whole(&self) -> Option<isize> {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below a billion fits")]
        self.number().filter(|number| number.fract() == 0.0 && number.abs() < 1e9).map(|number| number as isize)
    }

    pub(crate) fn flag(&self) -> Option<bool> {
        match self {
            Self::Flag(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The elements of a list, or the value itself.
    pub(crate) fn elements(&self) -> &[Value] {
        match self {
            Self::List(elements) => elements,
            Self::Nothing | Self::Unknown => &[],
            other => std::slice::from_ref(other),
        }
    }

    /// All texts in it.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.elements().iter().filter_map(|element| element.text().map(str::to_owned)).collect()
    }

    /// A text or a number as it would stand in a file.
    pub(crate) fn literal(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Number(number) => Some(number.to_string()),
            Self::Flag(flag) => Some(if *flag { "True" } else { "False" }.to_owned()),
            _ => None,
        }
    }

    pub(crate) fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown)
    }
}

impl Column {
    pub(crate) fn raw(ids: Vec<ColumnId>) -> Self {
        Self { ids, is_raw: true, ..Self::default() }
    }

    /// The same, when code has made other values of it.
    pub(crate) fn changed(&self) -> Self {
        Self { is_raw: false, ..self.clone() }
    }
}
