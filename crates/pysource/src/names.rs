//! Definitions and uses: what each cell does with the names of the notebook's namespace.
//!
//! Names that live elsewhere (locals of functions, attributes of classes, targets of comprehensions) are left out. What a
//! function does when it is called is kept apart from what its cell does ([`Body`]). Where the text does not tell what happens to
//! the namespace, that is said ([`FoundUnknown`]) and nothing is guessed.
//!
//! Python is read as of 3.8 to 3.13: annotations are evaluated, unless a future import defers them.

mod bindings;
mod builtin;
mod cell;
mod change;
mod flow;
mod magic;
mod outside;
mod scope;
mod unknown;
mod walk;

use std::ops::Range;

use serde::Serialize;

use crate::readers::dialect::{self, Dialect};

pub use builtin::{is_builtin, is_of_ipython};
pub use flow::{MissingName, Obstacle, ObstacleKind, missing_names};
pub use outside::{EXTENSIONS, FOLDER, HandedValues, OutsideAct};
pub use unknown::{FoundUnknown, UnknownCause};

/// The names of a notebook, cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotebookNames {
    /// What each of the cells given does, in their order.
    pub cells: Vec<CellNames>,
    /// Python 2 or 3.
    pub dialect: Dialect,
}

/// What one cell does with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellNames {
    /// Whether it could be read; a cell that could not has neither acts nor bodies.
    pub state: CellState,
    /// What happens when the cell runs, but for what the functions do that it calls.
    pub acts: Acts,
    /// The functions that it defines, methods and lambdas included, in order of their places.
    pub bodies: Vec<Body>,
}

/// Whether a cell's names can be known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum CellState {
    /// It is Python 3, or empty.
    Python,
    /// Its body is in another language, or Python that runs elsewhere.
    Opaque {
        /// The magic's name without `%%`.
        magic: String,
    },
    /// Python 3 refuses it, Python 2 does not.
    Python2 {
        /// Line of the first error, from 1.
        line: u32,
        /// What Python 2 has there.
        why: String,
    },
    /// No Python reads it.
    Broken {
        /// Line of the first error, from 1.
        line: u32,
        /// What the parser says, one line.
        why: String,
        /// Whether the error is one of indentation.
        is_indentation: bool,
    },
}

/// Acts upon the namespace in the order in which they happen, as far as the text has an order: branches one after the other, loops once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acts {
    /// The acts.
    pub events: Vec<NameEvent>,
    /// Where the text does not tell what happens.
    pub unknown: Vec<FoundUnknown>,
    /// The names of all methods that are called, on whatever value (`train` of `Model().train()`), each once, sorted.
    pub methods: Vec<String>,
    /// What is done outside of the namespace, each once, sorted.
    pub outside: Vec<OutsideAct>,
    /// Calls that values of the namespace are handed to, each once, sorted.
    pub handed: Vec<HandedValues>,
    /// Events that look a name up for nothing but to give its value to the name that the next event binds, in the cell itself: `g = f`.
    pub aliases: Vec<usize>,
    /// Names of which the first may stand for the value of the second, or a part of it, or the other way round: `b = a`, `b = a.T`, `l = [a]`,
    /// `for b in a`.
    pub twins: Vec<(String, String)>,
    /// Those of them of which what is added to the value of the first is seen in that of the second: in `b = a` both, in `b = a['k']` what is
    /// added to `b` is seen in `a`, and not the other way round.
    pub holders: Vec<(String, String)>,
    /// What assignments and definitions of the cell itself give that run in any case, in their order.
    pub given: Vec<GivenValue>,
}

/// The value, or values, of one assignment or definition: with the same text and the same values of the names that it uses they are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenValue {
    /// The statement.
    pub text: String,
    /// Its acts among the events of the cell: what it uses and what it binds, of which nothing is changed in place.
    pub events: Range<usize>,
}

/// One act upon one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameEvent {
    /// The name, as the namespace has it.
    pub name: String,
    /// What is done.
    pub act: NameAct,
    /// What it is done with, where that is not the value as a whole.
    pub part: Option<Part>,
    /// Whether it may not happen although its statement list runs to the end: in a branch, a loop, a `try`, behind `and`.
    pub is_maybe: bool,
    /// Whether a missing name does no harm: in a `try` that catches it, in a shell command.
    pub is_guarded: bool,
    /// Line in the cell, from 1.
    pub line: u32,
    /// Place of the name, or of the statement that binds it, in bytes of the cell.
    pub span: Range<usize>,
}

/// What is done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NameAct {
    /// Its value is looked up.
    Read,
    /// Its value is looked up and called: `f(x)`.
    Call,
    /// Its value is looked up and changed in place: `a['k'] = 1`, `l.append(x)`, `df.drop('a', inplace=True)`, `del a.b`.
    Change,
    /// It is given a value.
    Bind(Binder),
    /// It is deleted.
    Delete,
}

/// What gives a name its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Binder {
    /// An assignment of any form, `for`, `with`, `match`, `type`.
    Value,
    /// An import.
    Import,
    /// `def`, or a lambda that is assigned.
    Function,
    /// `class`.
    Class,
    /// `except … as name`, which ends with a deletion.
    Exception,
    /// A magic: `%%capture name`.
    Magic,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// An item with a literal text as key: `df['a']`, `df.loc[rows, 'a']`, each of `df[['a', 'b']]` by itself.
    Item(String),
    /// An attribute: `df.a`.
    Attribute(String),
    /// A method that is called: `df.head()`. Unless the act is [`NameAct::Change`] nothing tells whether it changes the value.
    Method(String),
}

/// What runs later than its cell: the body of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The function's name; `None` for a lambda that is not assigned.
    pub name: Option<String>,
    /// The outermost class that it is a method in.
    pub class: Option<String>,
    /// The event among its cell's that binds the name by which it can be reached: its own, or that of its class.
    pub binding: Option<usize>,
    /// Whether a call does not run it at once: generators and coroutines.
    pub is_lazy: bool,
    /// Whether a decorator has it, and may call it or put something else in its place.
    pub is_decorated: bool,
    /// Those of its parameters whose values it changes.
    pub changed: Vec<String>,
    /// Line in the cell, from 1.
    pub line: u32,
    /// Place of the function in bytes of the cell.
    pub span: Range<usize>,
    /// What a call does, that of functions inside it included.
    pub acts: Acts,
}

impl CellNames {
    /// All acts of the cell and of its bodies.
    pub fn all_events(&self) -> impl Iterator<Item = &NameEvent> {
        self.acts.events.iter().chain(self.bodies.iter().flat_map(|body| &body.acts.events))
    }
}

impl NameEvent {
    /// Whether the name is looked up, so that a missing one raises an error.
    #[must_use]
    pub fn is_use(&self) -> bool {
        matches!(self.act, NameAct::Read | NameAct::Call | NameAct::Change)
    }
}

/// Reads the code cells of a notebook. Never fails: what cannot be read is said in [`CellNames::state`].
///
/// ```
/// let names = nbrevive_pysource::names::names(&["import pandas as pd", "def f():\n    return pd, x", "x = 1\nf()"]);
/// let bound: Vec<&str> = names.cells[1].acts.events.iter().map(|event| event.name.as_str()).collect();
/// assert_eq!(bound, ["f"]);
/// let in_body: Vec<&str> = names.cells[1].bodies[0].acts.events.iter().map(|event| event.name.as_str()).collect();
/// assert_eq!(in_body, ["pd", "x"]);
/// ```
#[must_use]
pub fn names(cells: &[&str]) -> NotebookNames {
    let (mut found, mut facts, mut defers) = (Vec::with_capacity(cells.len()), Vec::with_capacity(cells.len()), false);
    for source in cells {
        let reading = cell::read(source, defers);
        defers |= reading.defers_annotations;
        found.push(reading.names);
        facts.push(reading.facts);
    }
    NotebookNames { cells: found, dialect: dialect::of_facts(&facts) }
}

#[cfg(test)]
mod tests;
