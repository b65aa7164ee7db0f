//! The code cells of a run, and what those that failed have left undone.

use std::collections::HashMap;

use nbrevive_notebook::{CellFeedback, Notebook};
use nbrevive_pysource::names::{Binder, CellNames, CellState, NameAct, NameEvent, Part, UnknownCause, names};

use super::ErrorLink;
use super::told::Told;
use super::written::{Literals, MissedFile, binds_by_text};

/// The code cells and what they do with names.
pub(super) struct Cells<'a> {
    places: Vec<usize>,
    sources: Vec<&'a str>,
    names: Vec<CellNames>,
    literals: Literals<'a>,
    /// Of those that failed, by their places, the line that did, where it is known.
    failed: HashMap<usize, Option<u32>>,
    /// Whether code looks names up as keys of the namespace.
    has_keys: bool,
}

impl<'a> Cells<'a> {
    pub(super) fn of(notebook: &'a Notebook, failed: &[CellFeedback]) -> Self {
        let sources = notebook.code_sources();
        let names = names(&sources).cells;
        let mut unknown = names
            .iter()
            .flat_map(|cell| cell.acts.unknown.iter().chain(cell.bodies.iter().flat_map(|body| &body.acts.unknown)));
        let has_keys = unknown.any(|found| matches!(found.cause, UnknownCause::Namespace(_)));
        let literals = Literals::of(&sources);
        let mut cells =
            Cells { places: notebook.code_places(), sources, names, literals, failed: HashMap::new(), has_keys };
        cells.failed = failed.iter().map(|one| (cells.place(one), one.line)).collect();
        cells
    }

    /// Where a failed cell stands among the code cells; behind them all when it is none of them.
    pub(super) fn place(&self, failure: &CellFeedback) -> usize {
        self.places.binary_search(&failure.cell).unwrap_or(usize::MAX)
    }

    /// Which of the failures above an error follows from, and how: what is certain before what is likely, the nearest first.
    pub(super) fn follows(&self, one: &CellFeedback, above: &[CellFeedback]) -> Option<(usize, ErrorLink)> {
        if self.place(one) >= self.names.len() {
            return None;
        }
        let told = Told::by(one);
        let reads = self.read_at(one, |_| true);
        // Of which it is an attribute that is not there; of a module no other value can be why.
        let owners =
            told.attribute.map(|attribute| self.read_at(one, |event| is_of(event, attribute))).unwrap_or_default();
        let blamed = if owners.is_empty() && told.submodule.is_none() { &reads } else { &owners };
        let file = told.file.and_then(|path| MissedFile::at(path, &self.literals));
        let may_be_of_values = std::cell::LazyCell::new(|| told.may_be_of_values());
        let holds = |link: ErrorLink, failure: &CellFeedback| match link {
            ErrorLink::Name => {
                let key = told.key.filter(|_| self.has_keys);
                told.name.as_deref().or(key).is_some_and(|name| self.binds(failure, name))
            }
            ErrorLink::Column => told.key.is_some_and(|key| self.adds(failure, key)),
            ErrorLink::File => file
                .as_ref()
                .is_some_and(|file| self.sources.get(self.place(failure)).is_some_and(|code| file.is_written_by(code))),
            ErrorLink::Fit => told.is_of_fit && self.fits(failure, &reads),
            ErrorLink::Same => told.misses_as(failure),
            ErrorLink::Value => {
                (self.leaves_stale(failure, one, blamed) && *may_be_of_values)
                    || told.name.as_ref().is_some_and(|name| self.may_bind(failure, name))
            }
        };
        let nearest = |link: &ErrorLink| Some((above.iter().rposition(|failure| holds(*link, failure))?, *link));
        ErrorLink::ALL.iter().find_map(nearest)
    }

    fn events(&self, failure: &CellFeedback) -> impl Iterator<Item = &NameEvent> {
        self.names.get(self.place(failure)).into_iter().flat_map(|cell| &cell.acts.events)
    }

    /// Whether a failed cell would have bound a name: a cell that did so before it failed has bound it. Of one that is no Python of today
    /// its text tells.
    fn binds(&self, failure: &CellFeedback, name: &str) -> bool {
        let place = self.place(failure);
        let is_unread = |cell: &CellNames| matches!(cell.state, CellState::Python2 { .. } | CellState::Broken { .. });
        if self.names.get(place).is_some_and(is_unread) {
            return binds_by_text(self.sources[place], name);
        }
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

    /// Whether a value that the failing line reads is not what it would be, had the other cell run to its end. `_` is what the cell above gave.
    fn leaves_stale(&self, failure: &CellFeedback, one: &CellFeedback, reads: &[&str]) -> bool {
        let is_right_above = self.place(failure).checked_add(1) == Some(self.place(one));
        reads.iter().any(|name| {
            (*name == "_" && is_right_above) || (self.changes(failure, name) && !self.is_renewed(failure, one, name))
        })
    }

    /// Whether a failed cell would have given a name another value, or changed the one that it has.
    fn changes(&self, failure: &CellFeedback, name: &str) -> bool {
        let gives = |event: &NameEvent| gives_value(event) || event.act == NameAct::Change;
        self.undone(failure).any(|event| event.name == name && gives(event))
    }

    /// Whether a name got a value after a failure: by a cell between, or by the one that failed then, as far as each of them ran, and from
    /// nothing that the failure left as it was.
    fn is_renewed(&self, failure: &CellFeedback, one: &CellFeedback, name: &str) -> bool {
        let between = self.place(failure).saturating_add(1)..=self.place(one).min(self.names.len().saturating_sub(1));
        between.into_iter().any(|place| {
            let ran = |event: &NameEvent| match self.failed.get(&place) {
                None => true,
                Some(line) => line.is_some_and(|line| event.line < line),
            };
            let events = &self.names[place].acts.events;
            let is_stale = |line: u32| {
                events.iter().any(|event| event.line == line && event.is_use() && self.changes(failure, &event.name))
            };
            events.iter().any(|event| event.name == name && gives_value(event) && ran(event) && !is_stale(event.line))
        })
    }

    /// What a failed cell has left undone: the acts of its failing line and of those below.
    fn undone<'c>(&'c self, failure: &'c CellFeedback) -> impl Iterator<Item = &'c NameEvent> {
        let from = failure.line.unwrap_or(1);
        self.events(failure).filter(move |event| event.line >= from)
    }

    /// The names that the failing line reads in such a way, functions without a name included; of the whole cell where the line is not known.
    fn read_at(&self, one: &CellFeedback, is_meant: impl Fn(&NameEvent) -> bool) -> Vec<&str> {
        let Some(cell) = self.names.get(self.place(one)) else { return Vec::new() };
        let used = |event: &&NameEvent| event.is_use() && is_meant(event);
        let used: Vec<&NameEvent> = match one.line {
            Some(line) => cell.all_events().filter(|event| event.line == line).filter(used).collect(),
            None => cell.acts.events.iter().filter(used).collect(),
        };
        used.into_iter().map(|event| event.name.as_str()).collect()
    }
}

/// Whether an act uses that attribute or method of a name.
fn is_of(event: &NameEvent, wanted: &str) -> bool {
    matches!(&event.part, Some(Part::Attribute(name) | Part::Method(name)) if name == wanted)
}

/// Whether an act gives a name a value; who imports again what is there already has changed nothing.
fn gives_value(event: &NameEvent) -> bool {
    matches!(event.act, NameAct::Bind(binder) if binder != Binder::Import)
}
