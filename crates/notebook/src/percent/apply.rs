//! New sources onto an old notebook: what did not change keeps its id, metadata and outputs.

use std::collections::{HashMap, HashSet};

use super::{PercentCell, PercentKind};
use crate::document::{Cell, Notebook};

/// Above this product of cell counts (after equal ends are set aside) cells are paired by position alone.
const LARGEST_TABLE: usize = 4_000_000;

/// `original` with its cells replaced by `cells`.
///
/// Cells with equal kind and source are matched first (longest common subsequence); they stay as they are, outputs
/// included. What stands between two matches is paired in order where the kinds are equal: such a cell keeps id,
/// metadata and attachments, gets the new source and loses its outputs. The others are new. Hence
/// `apply(n, parse(render(n))?) == n`.
#[must_use]
pub fn apply(original: &Notebook, cells: Vec<PercentCell>) -> Notebook {
    let partner = partners(&original.cells, &cells);
    let cells = cells.into_iter().zip(partner).map(|(new, old)| merged(new, old.map(|old| &original.cells[old])));
    Notebook { cells: cells.collect(), metadata: original.metadata.clone(), nbformat: original.nbformat }
}

fn merged(new: PercentCell, old: Option<&Cell>) -> Cell {
    match old {
        Some(old) if old.source == new.source => old.clone(),
        Some(old) => {
            let mut cell = old.clone();
            cell.source = new.source;
            cell.clear_outputs();
            cell
        }
        None => match new.kind {
            PercentKind::Code => Cell::code(new.source),
            PercentKind::Markdown => Cell::markdown(new.source),
            PercentKind::Raw => Cell::raw(new.source),
        },
    }
}

fn same_kind(old: &Cell, new: &PercentCell) -> bool {
    PercentKind::from(&old.kind) == new.kind
}

fn equal(old: &Cell, new: &PercentCell) -> bool {
    same_kind(old, new) && old.source == new.source
}

/// For each new cell the index of the old cell that it continues.
fn partners(old: &[Cell], new: &[PercentCell]) -> Vec<Option<usize>> {
    let mut partner = vec![None; new.len()];
    let (mut from_old, mut from_new) = (0, 0);
    for (at_old, at_new) in matches(old, new).into_iter().chain([(old.len(), new.len())]) {
        pair_gap(old, new, (from_old, at_old), (from_new, at_new), &mut partner);
        if at_new < new.len() {
            partner[at_new] = Some(at_old);
        }
        (from_old, from_new) = (at_old + 1, at_new + 1);
    }
    partner
}

/// Pairs, in order, cells of equal kind between two matches.
fn pair_gap(
    old: &[Cell],
    new: &[PercentCell],
    gap_old: (usize, usize),
    gap_new: (usize, usize),
    partner: &mut [Option<usize>],
) {
    let mut next = gap_old.0;
    // A kind that is not found is not looked for again: many cells of one kind against many of another cost a look each.
    let mut used_up = HashSet::new();
    for at_new in gap_new.0..gap_new.1 {
        if used_up.contains(&new[at_new].kind) {
            continue;
        }
        if let Some(found) = (next..gap_old.1).find(|at_old| same_kind(&old[*at_old], &new[at_new])) {
            partner[at_new] = Some(found);
            next = found + 1;
        } else {
            used_up.insert(new[at_new].kind);
        }
    }
}

/// Pairs of equal cells in increasing order: the equal ends, and between them a longest common subsequence.
fn matches(old: &[Cell], new: &[PercentCell]) -> Vec<(usize, usize)> {
    let shorter = old.len().min(new.len());
    let head = (0..shorter).take_while(|at| equal(&old[*at], &new[*at])).count();
    let tail = (1..=shorter - head).take_while(|back| equal(&old[old.len() - back], &new[new.len() - back])).count();
    let middle = longest(&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let ends = (1..=tail).rev().map(|back| (old.len() - back, new.len() - back));
    (0..head).map(|at| (at, at)).chain(middle.into_iter().map(|(a, b)| (a + head, b + head))).chain(ends).collect()
}

fn longest(old: &[Cell], new: &[PercentCell]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > LARGEST_TABLE {
        return Vec::new();
    }
    let (old, new) = numbered(old, new);
    // length[i][j]: longest common subsequence of old[i..] and new[j..].
    let mut length = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            length[i][j] =
                if old[i] == new[j] { length[i + 1][j + 1] + 1 } else { length[i + 1][j].max(length[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if length[i + 1][j] >= length[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// A number for each cell, the same for equal ones: sources that are long and alike are compared once and not for each pair.
fn numbered(old: &[Cell], new: &[PercentCell]) -> (Vec<usize>, Vec<usize>) {
    let mut numbers = HashMap::new();
    let mut number = |kind, source| {
        let next = numbers.len();
        *numbers.entry((kind, source)).or_insert(next)
    };
    let old = old.iter().map(|cell| number(PercentKind::from(&cell.kind), cell.source.as_str())).collect();
    let new = new.iter().map(|cell| number(cell.kind, cell.source.as_str())).collect();
    (old, new)
}
