//! Which cell needs which.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::names::NotebookNames;
use nbrevive_spelling::string_enum;
use serde::Serialize;

use crate::sets::{self, CellSets};
use crate::versions::versions;

string_enum! {
    /// How the names of cells are read.
    pub enum GraphKind ("kind of graph") {
        /// As the paper does (Osiris, section 4.2).
        Paper => "paper",
        /// Ours: functions need what their bodies read when they are called, and literal keys are names of their own.
        Sharp => "sharp",
        /// The sharper one, by which cells see besides the values that they see when the notebook runs from the top.
        Versions => "versions",
    }
}

/// What each cell needs and gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellGraph {
    /// How it was read.
    pub kind: GraphKind,
    /// One a cell, in the order of the notebook.
    pub cells: Vec<CellSets>,
}

/// A cell that can give another what it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellEdge {
    /// The cell that gives, its place among the cells from 0.
    pub from: usize,
    /// The cell that needs.
    pub to: usize,
    /// What passes, sorted.
    pub names: Vec<String>,
    /// Whether nobody else gives one of these, so that `from` has to run before.
    pub is_needed: bool,
}

/// A cell that cannot run where an order has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Obstruction {
    /// Its place in the order, from 0.
    pub position: usize,
    /// The cell.
    pub cell: usize,
    /// What it needs and nobody gave, sorted.
    pub missing: Vec<String>,
}

impl CellGraph {
    /// The graph of a notebook's code cells.
    #[must_use]
    pub fn new(names: &NotebookNames, kind: GraphKind) -> Self {
        let cells = match kind {
            GraphKind::Paper => sets::of_paper(names),
            GraphKind::Sharp => sets::sharp(names),
            GraphKind::Versions => versions(names),
        };
        CellGraph { kind, cells }
    }

    /// What is taken unless told: by versions where the cells have what they need from the top. What cells saw from there says nothing where they
    /// could not run.
    #[must_use]
    pub fn usual(names: &NotebookNames) -> Self {
        let sharp = Self::new(names, GraphKind::Sharp);
        let document: Vec<usize> = (0..sharp.cells.len()).collect();
        if sharp.obstruction(&document).is_none() { Self::new(names, GraphKind::Versions) } else { sharp }
    }

    /// Every pair of cells of which one gives what the other needs, by the cell that needs.
    #[must_use]
    pub fn edges(&self) -> Vec<CellEdge> {
        let givers = self.givers();
        let mut edges = Vec::new();
        for (to, cell) in self.cells.iter().enumerate() {
            let mut by_giver: BTreeMap<usize, CellEdge> = BTreeMap::new();
            for name in &cell.consumed {
                let of_name = givers.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
                for from in of_name.iter().copied().filter(|from| *from != to) {
                    let edge = by_giver.entry(from).or_insert_with(|| CellEdge {
                        from,
                        to,
                        names: Vec::new(),
                        is_needed: false,
                    });
                    edge.names.push(name.clone());
                    edge.is_needed |= of_name.len() == 1;
                }
            }
            edges.extend(by_giver.into_values());
        }
        edges
    }

    /// The cells that give each name.
    pub(crate) fn givers(&self) -> BTreeMap<&str, Vec<usize>> {
        let mut givers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, cell) in self.cells.iter().enumerate() {
            for name in &cell.produced {
                givers.entry(name).or_default().push(place);
            }
        }
        givers
    }

    /// The first cell of an order that cannot run there; none where all can.
    #[must_use]
    pub fn obstruction(&self, order: &[usize]) -> Option<Obstruction> {
        let mut given: BTreeSet<&str> = BTreeSet::new();
        for (position, &cell) in order.iter().enumerate() {
            let sets = self.cells.get(cell)?;
            let missing: Vec<String> =
                sets.consumed.iter().filter(|name| !given.contains(name.as_str())).cloned().collect();
            if !missing.is_empty() {
                return Some(Obstruction { position, cell, missing });
            }
            given.extend(sets.produced.iter().map(String::as_str));
        }
        None
    }

    /// Cells that can run in no order, each with what no cell that can run gives.
    #[must_use]
    pub fn never(&self) -> Vec<Obstruction> {
        let (runs, given) = self.closure();
        let missing = |cell: usize| {
            let names = self.cells[cell].consumed.iter().filter(|name| !given.contains(name.as_str()));
            names.cloned().collect()
        };
        let left = (0..self.cells.len()).filter(|cell| !runs[*cell]);
        left.map(|cell| Obstruction { position: cell, cell, missing: missing(cell) }).collect()
    }

    /// Which cells run if every cell runs as soon as it can, and what is given then.
    pub(crate) fn closure(&self) -> (Vec<bool>, BTreeSet<&str>) {
        let mut takers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut lacks: Vec<usize> = self.cells.iter().map(|cell| cell.consumed.len()).collect();
        for (place, cell) in self.cells.iter().enumerate() {
            cell.consumed.iter().for_each(|name| takers.entry(name).or_default().push(place));
        }
        let mut runs = vec![false; self.cells.len()];
        let mut ready: Vec<usize> = (0..self.cells.len()).filter(|cell| lacks[*cell] == 0).collect();
        let mut given = BTreeSet::new();
        while let Some(cell) = ready.pop() {
            runs[cell] = true;
            for name in self.cells[cell].produced.iter().filter(|name| given.insert(name.as_str())) {
                for taker in takers.get(name.as_str()).into_iter().flatten() {
                    lacks[*taker] -= 1;
                    if lacks[*taker] == 0 {
                        ready.push(*taker);
                    }
                }
            }
        }
        (runs, given)
    }
}
