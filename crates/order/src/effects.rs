//! What a cell does to the state of its notebook, and which cells may change places.

use std::collections::{BTreeSet, HashMap};

use nbrevive_pysource::names::{Binder, Body, NameAct, NameEvent, NotebookNames, Part};

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
    let mut bodies: HashMap<&str, Vec<&Body>> = HashMap::new();
    for body in names.cells.iter().flat_map(|cell| &cell.bodies) {
        if let Some(name) = body.class.as_deref().or(body.name.as_deref()) {
            bodies.entry(name).or_default().push(body);
        }
    }
    let is_import = |event: &&NameEvent| event.act == NameAct::Bind(Binder::Import);
    let all_events = || names.cells.iter().flat_map(|cell| cell.all_events());
    let links = Links::of(names);
    let imported: BTreeSet<&str> = all_events().filter(is_import).map(|event| event.name.as_str()).collect();
    let of_cell = |(place, cell): (usize, &nbrevive_pysource::names::CellNames)| {
        let mut found = CellEffects::default();
        cell.acts.events.iter().for_each(|event| found.meet(event));
        let mut later = CellEffects::default();
        let mut open: Vec<&NameEvent> = cell.bodies.iter().flat_map(|body| &body.acts.events).collect();
        open.extend(&cell.acts.events);
        let mut called: BTreeSet<&str> = BTreeSet::new();
        while let Some(event) = open.pop() {
            if event.is_use() && called.insert(&event.name) {
                let of_name = bodies.get(event.name.as_str()).into_iter().flatten();
                open.extend(of_name.flat_map(|body| &body.acts.events).inspect(|event| later.meet(event)));
            }
        }
        cell.bodies.iter().flat_map(|body| &body.acts.events).for_each(|event| later.meet(event));
        found.replaces.retain(|name| !later.reads.contains(name));
        let draws =
            |event: &&NameEvent| matches!(&event.part, Some(Part::Method(method)) if DRAWS.contains(&method.as_str()));
        let drawing = cell.all_events().filter(draws).map(|event| &event.name);
        found.writes.extend(drawing.filter(|name| !imported.contains(name.as_str())).cloned());
        links.add(cell, &called, &mut found);
        found.reads.append(&mut later.reads);
        found.writes.append(&mut later.writes);
        if cell.acts.unknown.iter().any(|unknown| unknown.cause.may_bind() || unknown.cause.may_delete()) {
            found.writes.insert(UNKNOWN.to_owned());
            found.reads.insert(UNKNOWN.to_owned());
        }
        if is_chance(place) {
            found.writes.insert(CHANCE.to_owned());
            found.reads.insert(CHANCE.to_owned());
        }
        found
    };
    names.cells.iter().enumerate().map(of_cell).collect()
}

impl CellEffects {
    fn meet(&mut self, event: &NameEvent) {
        let name = || event.name.clone();
        match event.act {
            NameAct::Read | NameAct::Call => {
                self.reads.insert(name());
            }
            // Imported again, it is the same module.
            NameAct::Bind(Binder::Import) if self.writes.contains(&event.name) => {}
            NameAct::Bind(_) => {
                if !event.is_maybe && !self.reads.contains(&event.name) {
                    self.replaces.insert(name());
                }
                self.writes.insert(name());
            }
            NameAct::Delete => {
                self.writes.insert(name());
            }
            NameAct::Change => {
                self.reads.insert(name());
                self.writes.insert(name());
            }
        }
    }

    /// Names whose values from before it looks at.
    fn depends_on(&self) -> impl Iterator<Item = &String> {
        self.reads.difference(&self.replaces)
    }
}

/// The cells of an order that reach one of `cells` when it runs after them, in their sequence: what it gives depends on no other, as far as the text
/// tells.
#[must_use]
pub fn reaching(order: &[usize], cells: &[usize], effects: &[CellEffects]) -> Vec<usize> {
    let mut wanted: BTreeSet<&String> = cells.iter().flat_map(|cell| effects[*cell].depends_on()).collect();
    let mut reaching = Vec::new();
    for cell in order.iter().rev() {
        let own = &effects[*cell];
        if own.writes.contains(UNKNOWN) || own.writes.iter().any(|name| wanted.contains(name)) {
            wanted.retain(|name| !own.replaces.contains(*name));
            wanted.extend(own.depends_on());
            reaching.push(*cell);
        }
    }
    reaching.reverse();
    reaching
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
}
