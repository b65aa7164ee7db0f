//! From the errors of a run that goes on past them to their roots.
//!
//! A cell that fails leaves the work of its rest undone, and cells below fail for that alone. The paper on executability counts the first
//! error of a run; here each error is followed to the one that it came from. What is certain and what is only likely are kept apart.

mod written;

use nbrevive_notebook::{CellFeedback, Notebook};
use nbrevive_pysource::names::{Binder, CellNames, NameAct, NameEvent, Part, UnknownCause, names};
use nbrevive_spelling::string_enum;
use serde::Serialize;

use crate::crash::{missing_key, missing_name};

string_enum! {
    /// How an error follows from the failure of a cell above.
    pub enum ErrorLink ("link of an error") {
        /// The name that is missed would have been bound there.
        Name => "name",
        /// The column or key that is missed would have been added there.
        Column => "column",
        /// The file that is missed would have been written there.
        File => "file",
        /// The model would have been fitted there.
        Fit => "fit",
        /// The same thing is missed as there: one module, one file, one name.
        Same => "same",
        /// A name that the failing line reads would have been given another value there, or may have been bound by a star or a script, which may
        /// be why: likely, not certain.
        Value => "value",
    }
}

impl ErrorLink {
    /// Whether the error would not have come, or not so, had the other cell run to its end.
    #[must_use]
    pub const fn is_certain(self) -> bool {
        match self {
            ErrorLink::Name | ErrorLink::Column | ErrorLink::File | ErrorLink::Fit | ErrorLink::Same => true,
            ErrorLink::Value => false,
        }
    }
}

/// Where an error comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ErrorRoot {
    /// The failed cell's place among the code cells, from 0.
    pub cell: usize,
    /// The failed cell that it follows from, always one above, and how; `None` for a root.
    pub follows: Option<(usize, ErrorLink)>,
    /// The end of the chain: the cell itself for a root.
    pub root: usize,
    /// Whether every link of the chain is certain.
    pub is_certain: bool,
}

impl ErrorRoot {
    /// Whether it follows from no other.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        self.follows.is_none()
    }
}

/// The root of each failed cell of a notebook, in the order given, which has to be that of the run from the top.
///
/// A name that a failed cell binds counts as unbound by it, whichever line failed: a name that
/// was bound before the failure raises no `NameError` below.
///
/// ```
/// use nbrevive_diagnosis::roots::error_roots;
/// use nbrevive_notebook::{Cell, CellFeedback, Notebook};
/// let failed = |cell, ename: &str, evalue: &str| CellFeedback {
///     cell,
///     ename: ename.into(),
///     evalue: evalue.into(),
///     traceback: String::new(),
///     line: Some(1),
/// };
/// let notebook = Notebook::from_cells(vec![Cell::code("df = pd.read_csv('a.csv')"), Cell::code("df.head()")]);
/// let failures = [failed(0, "FileNotFoundError", "a.csv"), failed(1, "NameError", "name 'df' is not defined")];
/// let roots = error_roots(&notebook, &failures);
/// assert_eq!((roots[1].root, roots[1].is_certain), (0, true));
/// ```
#[must_use]
pub fn error_roots(notebook: &Notebook, failed: &[CellFeedback]) -> Vec<ErrorRoot> {
    let sources = notebook.code_sources();
    let cells = Cells { places: notebook.code_places(), names: names(&sources).cells, sources };
    let mut roots: Vec<ErrorRoot> = Vec::with_capacity(failed.len());
    for (at, one) in failed.iter().enumerate() {
        let cell = cells.place(one);
        let root = match cells.follows(one, &failed[..at]) {
            None => ErrorRoot { cell, follows: None, root: cell, is_certain: true },
            Some((above, link)) => ErrorRoot {
                cell,
                follows: Some((roots[above].cell, link)),
                root: roots[above].root,
                is_certain: link.is_certain() && roots[above].is_certain,
            },
        };
        roots.push(root);
    }
    roots
}

/// The code cells and what they do with names.
struct Cells<'a> {
    places: Vec<usize>,
    sources: Vec<&'a str>,
    names: Vec<CellNames>,
}

impl Cells<'_> {
    /// Where a failed cell stands among the code cells; behind them all when it is none of them.
    fn place(&self, failure: &CellFeedback) -> usize {
        self.places.binary_search(&failure.cell).unwrap_or(usize::MAX)
    }

    /// Which of the failures above an error follows from, and how: what is certain before what is likely, the nearest first.
    fn follows(&self, one: &CellFeedback, above: &[CellFeedback]) -> Option<(usize, ErrorLink)> {
        let name = missing_name(&one.ename, &one.evalue).filter(|_| one.ename == "NameError");
        let key = missing_key(&one.ename, &one.evalue);
        let file = missed_file(&one.ename, &one.evalue);
        let (is_missing, reads) = (is_missing(&one.ename), self.read_at(one));
        let holds = |link: ErrorLink, failure: &CellFeedback| match link {
            ErrorLink::Name => name.as_ref().is_some_and(|name| self.binds(failure, name)),
            ErrorLink::Column => key.is_some_and(|key| self.adds(failure, key)),
            ErrorLink::File => file.is_some_and(|file| self.writes(failure, file)),
            ErrorLink::Fit => one.ename == "NotFittedError" && self.fits(failure, &reads),
            ErrorLink::Same => misses_the_same(failure, one),
            ErrorLink::Value => {
                let renews = || reads.iter().any(|name| self.changes(failure, name));
                (!is_missing && renews()) || name.as_ref().is_some_and(|name| self.may_bind(failure, name))
            }
        };
        let nearest = |link: &ErrorLink| Some((above.iter().rposition(|failure| holds(*link, failure))?, *link));
        ErrorLink::ALL.iter().find_map(nearest)
    }

    fn writes(&self, failure: &CellFeedback, file: &str) -> bool {
        self.sources.get(self.place(failure)).is_some_and(|code| written::writes(code, file))
    }

    fn events(&self, failure: &CellFeedback) -> impl Iterator<Item = &NameEvent> {
        self.names.get(self.place(failure)).into_iter().flat_map(|cell| &cell.acts.events)
    }

    /// Whether a failed cell would have bound a name: a cell that did so before it failed has bound it.
    fn binds(&self, failure: &CellFeedback, name: &str) -> bool {
        self.events(failure).any(|event| matches!(event.act, NameAct::Bind(_)) && event.name == name)
    }

    /// Whether a failed cell would have bound names that no text tells, by a star or a script, and no other cell binds this one.
    fn may_bind(&self, failure: &CellFeedback, name: &str) -> bool {
        let from = failure.line.unwrap_or(1);
        let cell = self.names.get(self.place(failure));
        let mut unknown = cell.into_iter().flat_map(|cell| &cell.acts.unknown);
        unknown.any(|found| {
            matches!(found.cause, UnknownCause::StarImport(_) | UnknownCause::Loaded(_)) && found.line >= from
        }) && !self
            .names
            .iter()
            .flat_map(|cell| &cell.acts.events)
            .any(|event| matches!(event.act, NameAct::Bind(_)) && event.name == name)
    }

    /// Whether a failed cell would have added a column or key, at its failing line or below.
    fn adds(&self, failure: &CellFeedback, key: &str) -> bool {
        self.undone(failure)
            .any(|event| event.act == NameAct::Change && matches!(&event.part, Some(Part::Item(item)) if item == key))
    }

    /// Whether a failed cell would have fitted something that the failing line uses.
    fn fits(&self, failure: &CellFeedback, reads: &[&str]) -> bool {
        self.undone(failure).any(|event| {
            matches!(&event.part, Some(Part::Method(method)) if method.starts_with("fit"))
                && reads.contains(&event.name.as_str())
        })
    }

    /// Whether a failed cell would have given a name another value, or changed the one that it has.
    fn changes(&self, failure: &CellFeedback, name: &str) -> bool {
        let gives = |event: &NameEvent| match event.act {
            // Who imports again what is there already has changed nothing.
            NameAct::Bind(binder) => binder != Binder::Import,
            NameAct::Change => true,
            NameAct::Read | NameAct::Call | NameAct::Delete => false,
        };
        self.undone(failure).any(|event| event.name == name && gives(event))
    }

    /// What a failed cell has left undone: the acts of its failing line and of those below.
    fn undone<'c>(&'c self, failure: &'c CellFeedback) -> impl Iterator<Item = &'c NameEvent> {
        let from = failure.line.unwrap_or(1);
        self.events(failure).filter(move |event| event.line >= from)
    }

    /// The names that the failing line reads; of the whole cell where the line is not known.
    fn read_at(&self, one: &CellFeedback) -> Vec<&str> {
        let is_there = |event: &&NameEvent| one.line.is_none_or(|line| event.line == line) && event.is_use();
        let Some(cell) = self.names.get(self.place(one)) else { return Vec::new() };
        cell.acts.events.iter().filter(is_there).map(|event| event.name.as_str()).collect()
    }
}

/// Errors that say what is not there.
fn is_missing(ename: &str) -> bool {
    matches!(ename, "NameError" | "ModuleNotFoundError" | "FileNotFoundError" | "ImportError")
}

fn misses_the_same(failure: &CellFeedback, one: &CellFeedback) -> bool {
    is_missing(&one.ename) && (&failure.ename, &failure.evalue) == (&one.ename, &one.evalue)
}

/// The last part of the path that is not there.
fn missed_file<'text>(ename: &str, evalue: &'text str) -> Option<&'text str> {
    let told = matches!(ename, "FileNotFoundError" | "IOError" | "OSError").then_some(evalue)?;
    let path = match told.split_once('\'') {
        Some((_, rest)) => rest.split('\'').next()?,
        None => told.split_whitespace().find(|word| word.contains('.'))?,
    };
    path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests;
