//! A notebook as it is asked about.

use std::collections::BTreeSet;

use nbrevive_compare::{ChanceSign, FoundSign, chance_signs_in_any_order};
use nbrevive_notebook::{Cell, Notebook};
use nbrevive_order::{CellEffects, CellGraph, GraphKind, effects};
use nbrevive_pysource::names::{NotebookNames, names};

use crate::settings;

/// A notebook with what its code tells. Cells are named by their places among the code cells, from 0.
#[derive(Debug)]
pub struct TracedNotebook<'n> {
    /// The notebook as it was saved.
    pub notebook: &'n Notebook,
    /// Its code cells.
    pub cells: Vec<&'n Cell>,
    /// The counts they were saved with.
    pub counts: Vec<Option<u64>>,
    /// What the code says of names.
    pub names: NotebookNames,
    /// Which cell needs which.
    pub graph: CellGraph,
    /// What each does to the state.
    pub effects: Vec<CellEffects>,
    /// What in the code makes runs differ.
    pub signs: Vec<FoundSign>,
}

impl<'n> TracedNotebook<'n> {
    /// Reads a notebook's code.
    #[must_use]
    pub fn new(notebook: &'n Notebook, kind: GraphKind) -> Self {
        let cells: Vec<&Cell> = notebook.code_cells().map(|(_, cell)| cell).collect();
        let sources: Vec<&str> = cells.iter().map(|cell| cell.source.as_str()).collect();
        let (names, signs) = (names(&sources), chance_signs_in_any_order(&sources));
        let is_random = |sign: ChanceSign| matches!(sign, ChanceSign::Random | ChanceSign::NumpyRandom);
        let draws: BTreeSet<usize> =
            signs.iter().filter(|found| is_random(found.sign)).map(|found| found.cell).collect();
        let mut effects = effects(&names, &|cell| draws.contains(&cell));
        settings::tie(&sources, &mut effects);
        settings::tie_last_values(&cells, &mut effects);
        TracedNotebook {
            counts: cells.iter().map(|cell| cell.execution_count()).collect(),
            graph: CellGraph::new(&names, kind),
            effects,
            notebook,
            cells,
            names,
            signs,
        }
    }

    /// How many code cells there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no code.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Cells whose code draws what no run has twice, as far as the text tells.
    #[must_use]
    pub fn moody(&self) -> BTreeSet<usize> {
        self.signs
            .iter()
            .filter(|found| !found.is_seeded && found.sign != ChanceSign::Environ)
            .map(|found| found.cell)
            .collect()
    }

    /// Whether each name that a cell needs was given by one that ran.
    #[must_use]
    pub fn is_ready(&self, cell: usize, ran: &BTreeSet<usize>) -> bool {
        let given = |name: &String| ran.iter().any(|other| self.graph.cells[*other].produced.contains(name));
        self.graph.cells[cell].consumed.iter().all(given)
    }
}
