//! What a cell does to the state of its notebook, and which cells may change places.

use std::collections::{BTreeSet, HashMap};

use nbrevive_pysource::names::{Binder, Body, CellNames, NameAct, NameEvent, NotebookNames, Part};

use crate::elements::Elements;
use crate::keys::key;
use crate::links::Links;

/// The name that stands for everything that draws random numbers: each draw changes what the next one gives.
pub const CHANCE: &str = "<chance>";
/// The name that stands for what the text does not tell: `exec`, `%run`.
const UNKNOWN: &str = "<unknown>";

/// Methods by which generators of random numbers draw: each draw changes the generator. Source: numpy on `Generator` and `RandomState`, the
/// library reference on `Random`.
const DRAWS: &[&str] = &[
    "beta",
    "binomial",
    "bytes",
    "choice",
    "choices",
    "exponential",
    "gamma",
    "gauss",
    "integers",
    "multivariate_normal",
    "normal",
    "permutation",
    "permuted",
    "poisson",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "randrange",
    "sample",
    "seed",
    "shuffle",
    "standard_normal",
    "uniform",
];

/// Names that a cell looks at and names whose values it may replace or change, keys of values not told apart: rather too many than too few.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CellEffects {
    /// What it looks at.
    pub reads: BTreeSet<String>,
    /// What is another afterwards.
    pub writes: BTreeSet<String>,
    /// What of it is given anew whatever it was before: bound before the cell, or a function that it calls, looks at it.
    pub replaces: BTreeSet<String>,
    /// What it looks at as others left it: `i` of `for i in l: print(i)` is its own.
    pub depends: BTreeSet<String>,
    /// What is afterwards as one assignment gave it.
    pub(crate) settled: BTreeSet<String>,
}

impl CellEffects {
    /// Whether the order of two cells can matter.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        let touches = |one: &Self, two: &Self| {
            one.writes.iter().any(|name| two.reads.contains(name) || two.writes.contains(name))
        };
        touches(self, other) || touches(other, self)
    }

    /// Whether it can change what another one gives that comes after it.
    #[must_use]
    pub fn reaches(&self, other: &Self) -> bool {
        self.writes.contains(UNKNOWN) || self.writes.iter().any(|name| other.depends.contains(name))
    }

    /// Adds what is another afterwards, by what it was.
    pub(crate) fn changes(&mut self, name: &str) {
        self.writes.insert(name.to_owned());
        self.settled.remove(name);
        self.looks_at(name);
    }

    /// Adds what it looks at, as others left it unless it was bound before.
    pub(crate) fn looks_at(&mut self, name: &str) {
        self.reads.insert(name.to_owned());
        if !self.replaces.contains(name) {
            self.depends.insert(name.to_owned());
        }
    }

    /// Whether it leaves the state as it was.
    #[must_use]
    pub fn only_looks(&self) -> bool {
        self.writes.is_empty()
    }
}

/// The effects of each cell; `is_chance` says which cells draw random numbers.
///
/// A name is followed into the functions that a cell calls by name, and a change into the values that it is handed to, and into other names of
/// the same value, as far as the text tells. A file stands as `'its name'`, as long as a cell writes it.
#[must_use]
pub fn effects(names: &NotebookNames, is_chance: &dyn Fn(usize) -> bool) -> Vec<CellEffects> {
    let reader = Reader::of(names, |_| Elements::default());
    let of_cell = |(place, cell)| {
        let mut found = reader.effects(place, cell);
        found.writes.extend(reader.drawing(cell).cloned());
        if is_chance(place) {
            found.changes(CHANCE);
        }
        found
    };
    names.cells.iter().enumerate().map(of_cell).collect()
}

/// The same, but for what is drawn at random, and with elements that cells add to values as names of their own.
pub(crate) fn effects_by_element(names: &NotebookNames) -> (Vec<CellEffects>, Elements<'_>) {
    let reader = Reader::of(names, |links| Elements::of(names, links));
    let found = names.cells.iter().enumerate().map(|(place, cell)| reader.effects(place, cell)).collect();
    (found, reader.elements)
}

struct Reader<'a> {
    /// Functions, and methods by their classes.
    bodies: HashMap<&'a str, Vec<&'a Body>>,
    links: Links<'a>,
    elements: Elements<'a>,
}

impl<'a> Reader<'a> {
    fn of(names: &'a NotebookNames, elements: impl FnOnce(&Links<'a>) -> Elements<'a>) -> Self {
        let mut bodies: HashMap<&str, Vec<&Body>> = HashMap::new();
        for body in names.cells.iter().flat_map(|cell| &cell.bodies) {
            if let Some(name) = body.class.as_deref().or(body.name.as_deref()) {
                bodies.entry(name).or_default().push(body);
            }
        }
        let links = Links::of(names);
        Reader { bodies, elements: elements(&links), links }
    }

    fn effects(&self, place: usize, cell: &'a CellNames) -> CellEffects {
        let (mut found, mut bound) = (CellEffects::default(), Bound::default());
        let (before, after) = cell.acts.events.split_at(self.first_run(cell));
        before.iter().for_each(|event| found.meet(event, &mut bound, &self.elements, place));
        let by_then = found.replaces.clone();
        after.iter().for_each(|event| found.meet(event, &mut bound, &self.elements, place));
        let (mut later, called) = self.later(place, cell);
        found.replaces.retain(|name| by_then.contains(name) || !later.reads.contains(name));
        found.settled.retain(|name| !later.writes.contains(name));
        found.depends.extend(later.reads.difference(&by_then).cloned());
        self.tie(&mut found, (place, cell), &called);
        found.reads.append(&mut later.reads);
        found.writes.append(&mut later.writes);
        if cell.acts.unknown.iter().any(|unknown| unknown.cause.may_bind() || unknown.cause.may_delete()) {
            found.changes(UNKNOWN);
        }
        found
    }

    /// Adds what a cell at a place does to files and the like, and to values by other names.
    fn tie(&self, found: &mut CellEffects, (place, cell): (usize, &'a CellNames), called: &BTreeSet<&str>) {
        for (what, is_written) in self.links.outside(cell, called) {
            if is_written {
                found.writes.insert(what.clone());
            }
            found.looks_at(&what);
        }
        for name in self.links.changed(cell, |event| self.elements.added(event, place).is_none()) {
            found.changes(name);
            self.elements.regions(name, place).for_each(|region| found.looks_at(region));
        }
    }

    /// Generators of random numbers that a cell draws from, by their names.
    fn drawing(&self, cell: &'a CellNames) -> impl Iterator<Item = &'a String> {
        let draws =
            |event: &&NameEvent| matches!(&event.part, Some(Part::Method(method)) if DRAWS.contains(&method.as_str()));
        let drawing = cell.all_events().filter(draws).map(|event| &event.name);
        drawing.filter(|name| !self.links.is_imported(name))
    }

    /// The place of the first act of a cell at which a function may run: with what is bound by then.
    fn first_run(&self, cell: &CellNames) -> usize {
        let nameless = cell.bodies.iter().filter(|body| is_nameless(body)).map(|body| body.line).min();
        let runs = |event: &NameEvent| event.is_use() && self.bodies.contains_key(event.name.as_str());
        let is_first = |event: &NameEvent| runs(event) || nameless.is_some_and(|line| event.line >= line);
        cell.acts.events.iter().position(is_first).unwrap_or(cell.acts.events.len())
    }

    /// What functions do that a cell may run, and the names that it calls them by, among others.
    fn later(&self, place: usize, cell: &'a CellNames) -> (CellEffects, BTreeSet<&'a str>) {
        let (mut later, mut called) = (CellEffects::default(), BTreeSet::new());
        // Methods of a class run by the names of its values, which nothing ties to the class.
        let own = cell.bodies.iter().filter(|body| body.class.is_some() || is_nameless(body));
        let mut open: Vec<&NameEvent> = own.flat_map(|body| &body.acts.events).collect();
        let meet = |later: &mut CellEffects, event: &NameEvent| {
            later.meet(event, &mut Bound::default(), &self.elements, place);
        };
        open.iter().for_each(|event| meet(&mut later, event));
        open.extend(&cell.acts.events);
        while let Some(event) = open.pop() {
            if event.is_use() && called.insert(event.name.as_str()) {
                let of_name = self.bodies.get(event.name.as_str()).into_iter().flatten();
                let of_name = of_name.flat_map(|body| &body.acts.events);
                open.extend(of_name.inspect(|event| meet(&mut later, event)));
            }
        }
        (later, called)
    }
}

/// Whether a function may run without being called by its name.
fn is_nameless(body: &Body) -> bool {
    body.is_decorated || (body.name.is_none() && body.class.is_none())
}

/// Names that a cell bound where that may not happen: in a branch or a loop.
type Bound = BTreeSet<String>;

impl CellEffects {
    /// Adds an act of the cell at a place.
    fn meet(&mut self, event: &NameEvent, bound: &mut Bound, elements: &Elements<'_>, place: usize) {
        // What was bound here has elements that are the cell's own.
        let is_own = self.replaces.contains(&event.name);
        if let Some(region) = elements.added(event, place) {
            self.act(&event.name, NameAct::Read, event.is_maybe, bound);
            let is_anew = is_own || key(event).is_none();
            let act = if is_anew { NameAct::Bind(Binder::Value) } else { NameAct::Change };
            self.act(region, act, event.is_maybe, bound);
            self.settled.remove(&event.name);
            return;
        }
        for region in elements.read(event, place).filter(|_| !is_own) {
            self.act(region, NameAct::Read, event.is_maybe, bound);
        }
        self.act(&event.name, event.act, event.is_maybe, bound);
    }

    fn act(&mut self, name: &str, act: NameAct, is_maybe: bool, bound: &mut Bound) {
        if matches!(act, NameAct::Read | NameAct::Call | NameAct::Change) && !self.replaces.contains(name) {
            // In a branch or a loop it is most likely the same one in which it was bound.
            if !(is_maybe && bound.contains(name)) {
                self.depends.insert(name.to_owned());
            }
        }
        if act != NameAct::Read && act != NameAct::Call {
            self.settled.remove(name);
        }
        match act {
            NameAct::Read | NameAct::Call => {
                self.reads.insert(name.to_owned());
            }
            // Imported again, it is the same module.
            NameAct::Bind(Binder::Import) if self.writes.contains(name) => {}
            NameAct::Bind(_) => {
                if is_maybe {
                    bound.insert(name.to_owned());
                } else {
                    self.settled.insert(name.to_owned());
                    if !self.reads.contains(name) {
                        self.replaces.insert(name.to_owned());
                    }
                }
                self.writes.insert(name.to_owned());
            }
            NameAct::Delete => {
                self.writes.insert(name.to_owned());
            }
            NameAct::Change => {
                self.reads.insert(name.to_owned());
                self.writes.insert(name.to_owned());
            }
        }
    }
}

/// The cells of an order that reach one of `cells` when it runs after them, in their sequence: what it gives depends on no other, as far as the text
/// tells.
#[must_use]
pub fn reaching(order: &[usize], cells: &[usize], effects: &[CellEffects]) -> Vec<usize> {
    let mut wanted: BTreeSet<&String> = cells.iter().flat_map(|cell| &effects[*cell].depends).collect();
    let mut reaching = Vec::new();
    for cell in order.iter().rev() {
        let own = &effects[*cell];
        if own.writes.contains(UNKNOWN) || own.writes.iter().any(|name| wanted.contains(name)) {
            wanted.retain(|name| !own.replaces.contains(*name));
            wanted.extend(&own.depends);
            reaching.push(*cell);
        }
    }
    reaching.reverse();
    reaching
}

/// The cells of an order that bear on what a cell gives when it runs after them: those that reach it, and those that would if they came after another one
/// that gave anew what they had given.
#[must_use]
pub fn bearing(order: &[usize], cell: usize, effects: &[CellEffects]) -> BTreeSet<usize> {
    let mut wanted: BTreeSet<&String> = effects[cell].depends.iter().collect();
    let (mut given, mut found) = (BTreeSet::new(), BTreeSet::new());
    for cell in order.iter().rev() {
        let own = &effects[*cell];
        let is_any = |names: &BTreeSet<&String>| own.writes.iter().any(|name| names.contains(name));
        if own.writes.contains(UNKNOWN) || is_any(&wanted) {
            found.insert(*cell);
            given.extend(own.replaces.iter().filter(|name| wanted.remove(name)));
            wanted.extend(&own.depends);
        } else if is_any(&given) {
            found.insert(*cell);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use nbrevive_pysource::names::names;

    use super::*;

    #[test]
    fn cells_meet_where_one_changes_what_the_other_looks_at() {
        let cells = ["a = []", "a.append(1)", "print(a)", "b = 1", "def f():\n    a.append(2)", "f()"];
        let found = effects(&names(&cells), &|_| false);
        let meets = |one: usize, other: usize| found[one].meets(&found[other]);
        assert!(meets(0, 1) && meets(1, 2) && meets(5, 2) && meets(4, 5));
        assert!(!meets(2, 3) && !meets(1, 3));
        assert!(found[2].only_looks() && !found[5].only_looks());
        let reach = |order: &[usize], cell: usize| reaching(order, &[cell], &found);
        assert_eq!(reach(&[0, 1, 3, 0, 1, 4, 5], 2), [0, 1, 4, 5], "a is given anew");
        assert_eq!(reach(&[0, 4, 1], 5), [0, 4, 1]);
        assert_eq!(reach(&[0, 1, 3], 0), [0; 0]);
        let found =
            effects(&names(&["import n", "r = n.R(1)", "x = r.rand()", "y = r.rand()", "n.rand()"]), &|_| false);
        assert!(found[2].meets(&found[3]) && !found[3].meets(&found[4]), "a draw changes its generator");
        let found = effects(&names(&["x = r()", "y = r()"]), &|_| true);
        assert!(found[0].meets(&found[1]), "chance is a state");
    }

    #[test]
    fn what_was_given_anew_bears_on_a_cell_as_well_as_what_reaches_it() {
        let cells = ["x = 1", "b = 2", "x = 3", "y = x", "x = 4", "print(y)"];
        let found = effects(&names(&cells), &|_| false);
        assert_eq!(reaching(&[0, 1, 2, 3, 4], &[5], &found), [2, 3]);
        assert_eq!(
            bearing(&[0, 1, 2, 3, 4], 5, &found),
            BTreeSet::from([0, 2, 3]),
            "the first could come after the third"
        );
        assert!(found[3].reaches(&found[5]) && !found[4].reaches(&found[5]));
    }
}
