//! What a cell needs before it runs, and what it gives to those after it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use nbrevive_pysource::names::{
    Binder, Body, CellNames, NameAct, NameEvent, NotebookNames, Part, is_builtin, is_of_ipython,
};
use serde::Serialize;

use crate::keys::{attribute, key, keyed};
use crate::links::Links;

/// Producers and consumers of one cell (Osiris, section 4.2). A key of a name stands as `name['key']`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CellSets {
    /// What it gives.
    pub produced: BTreeSet<String>,
    /// What it needs from others; what it gives itself before it uses it is not among it.
    pub consumed: BTreeSet<String>,
}

/// As the paper reads cells: everything that its tree loads is consumed, functions or not, and what is stored is produced unless it was
/// consumed before.
pub(crate) fn of_paper(names: &NotebookNames) -> Vec<CellSets> {
    names.cells.iter().map(of_paper_cell).collect()
}

fn of_paper_cell(cell: &CellNames) -> CellSets {
    // The order of the text: a walk over the tree does not know when a function is called.
    let mut events: Vec<&NameEvent> = cell.acts.events.iter().collect();
    let in_bodies = cell.bodies.iter().flat_map(|body| &body.acts.events);
    events.extend(in_bodies.filter(|event| event.is_use()));
    events.sort_by_key(|event| (event.line, !event.is_use() && !is_binding_first(event)));
    let mut sets = CellSets::default();
    for event in events {
        sets.meet(&event.name, event);
    }
    sets
}

/// A definition of the same line comes before the uses of its body.
fn is_binding_first(event: &NameEvent) -> bool {
    matches!(event.act, NameAct::Bind(Binder::Function | Binder::Class))
}

impl CellSets {
    fn meet(&mut self, name: &str, event: &NameEvent) {
        if event.is_use() {
            if !(self.produced.contains(name) || is_there(name)) {
                self.consumed.insert(name.to_owned());
            }
        } else if matches!(event.act, NameAct::Bind(_)) && !self.consumed.contains(name) {
            self.produced.insert(name.to_owned());
        }
    }
}

fn is_there(name: &str) -> bool {
    is_builtin(name) || is_of_ipython(name)
}

/// Our reading: a function needs what its body reads when it is called, what does no harm when it is missing is not needed, and literal keys
/// that a cell adds to a value are names of their own, as are files that it writes.
pub(crate) fn sharp(names: &NotebookNames) -> Vec<CellSets> {
    let reader = Reader::of(names);
    let mut cells: Vec<CellSets> = (0..names.cells.len()).map(|cell| reader.sets(cell)).collect();
    give_unknown(names, &mut cells);
    cells
}

/// Names that no cell gives come from where the text does not tell what is given, if there is such a cell: `from pylab import *`.
fn give_unknown(names: &NotebookNames, cells: &mut [CellSets]) {
    let may_bind = |cell: &CellNames| cell.acts.unknown.iter().any(|unknown| unknown.cause.may_bind());
    let unknown: Vec<usize> = (0..cells.len()).filter(|cell| may_bind(&names.cells[*cell])).collect();
    let given: HashSet<&String> = cells.iter().flat_map(|cell| &cell.produced).collect();
    let asked = cells.iter().flat_map(|cell| &cell.consumed).filter(|name| !given.contains(name));
    let nobodys: BTreeSet<String> = asked.cloned().collect();
    for cell in unknown {
        cells[cell].consumed.retain(|name| !nobodys.contains(name));
        cells[cell].produced.extend(nobodys.iter().cloned());
    }
}

/// Acts of bodies that are gone through for one cell at most.
const MOST_EVENTS: usize = 20_000;

struct Reader<'a> {
    names: &'a NotebookNames,
    /// The functions and classes of each name, over all cells, by the cell that defines them.
    bodies: HashMap<&'a str, BTreeMap<usize, Vec<&'a Body>>>,
    /// Keys that a cell adds before any cell, by place, reads them.
    added: HashSet<(&'a str, &'a str)>,
    links: Links<'a>,
    /// Files and the like that a cell writes before any cell, by place, names them.
    written: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    fn of(names: &'a NotebookNames) -> Self {
        let mut bodies: HashMap<&str, BTreeMap<usize, Vec<&Body>>> = HashMap::new();
        let (mut added, mut read) = (HashSet::new(), HashSet::new());
        for (place, cell) in names.cells.iter().enumerate() {
            for body in &cell.bodies {
                if let Some(name) = body.class.as_deref().or(body.name.as_deref()) {
                    bodies.entry(name).or_default().entry(place).or_default().push(body);
                }
            }
            for (event, key) in cell.acts.events.iter().filter_map(|event| Some((event, key(event)?))) {
                let key = (event.name.as_str(), key);
                if event.act != NameAct::Change {
                    read.insert(key);
                } else if !read.contains(&key) {
                    added.insert(key);
                }
            }
        }
        let links = Links::of(names);
        let (mut written, mut named) = (BTreeSet::new(), BTreeSet::new());
        for cell in &names.cells {
            for (what, is_written) in links.outside(cell, &BTreeSet::new()) {
                if named.insert(what.clone()) && is_written {
                    written.insert(what);
                }
            }
        }
        Reader { names, bodies, added, links, written }
    }

    fn sets(&self, cell: usize) -> CellSets {
        let mut walk = Walk {
            reader: self,
            cell,
            sets: CellSets::default(),
            given: HashSet::new(),
            done: HashSet::new(),
            left: MOST_EVENTS,
        };
        walk.events(&self.names.cells[cell].acts.events);
        let called = walk.done.iter().copied().collect();
        for (what, is_written) in self.links.outside(&self.names.cells[cell], &called) {
            match is_written {
                true => walk.give(what),
                false if self.written.contains(&what) => walk.need(what),
                false => {}
            }
        }
        walk.sets
    }
}

struct Walk<'a, 'r> {
    reader: &'r Reader<'a>,
    cell: usize,
    sets: CellSets,
    /// What the cell has given so far, whether it needed it before or not.
    given: HashSet<String>,
    /// Functions whose bodies were gone through.
    done: HashSet<&'a str>,
    left: usize,
}

impl<'a> Walk<'a, '_> {
    fn events(&mut self, events: &'a [NameEvent]) {
        for event in events {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.event(event);
        }
    }

    fn event(&mut self, event: &'a NameEvent) {
        let name = event.name.as_str();
        if event.is_use() {
            // Evaluated before the call: what the arguments need is an event of its own.
            if !event.is_guarded {
                self.need(name.to_owned());
                self.key(event);
            }
            self.call(event);
        } else if matches!(event.act, NameAct::Bind(_)) {
            self.give(name.to_owned());
        }
    }

    fn key(&mut self, event: &NameEvent) {
        let Some(key) = key(event)
            .or_else(|| attribute(event))
            .filter(|key| self.reader.added.contains(&(event.name.as_str(), *key)))
        else {
            return;
        };
        let whole = keyed(&event.name, key);
        // A value that the cell made itself has whatever it was made with.
        let is_own = self.given.contains(&event.name);
        if event.act == NameAct::Change {
            self.give(whole);
        } else if !is_own {
            self.need(whole);
        }
    }

    /// What the function reads that is called, or the methods of the class.
    fn call(&mut self, event: &'a NameEvent) {
        let name = event.name.as_str();
        let is_called = event.act == NameAct::Call || matches!(event.part, Some(Part::Method(_)));
        if !is_called || !self.done.insert(name) {
            return;
        }
        let Some(of_cells) = self.reader.bodies.get(name) else { return };
        // Of several definitions the cell's own counts, else the only one: of more it depends on the order which one is meant.
        let bodies = match (of_cells.get(&self.cell), of_cells.len()) {
            (Some(own), _) => own,
            (None, 1) => &of_cells[of_cells.keys().next().expect("there is one")],
            (None, _) => return,
        };
        for body in bodies.iter().filter(|body| !body.is_lazy && !body.is_decorated) {
            self.events(&body.acts.events);
        }
    }

    fn need(&mut self, name: String) {
        if !(self.given.contains(&name) || is_there(&name)) {
            self.sets.consumed.insert(name);
        }
    }

    fn give(&mut self, name: String) {
        if !self.sets.consumed.contains(&name) {
            self.sets.produced.insert(name.clone());
        }
        self.given.insert(name);
    }
}
