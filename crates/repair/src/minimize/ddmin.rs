//! The algorithm *ddmin*, with a memory of what was tested and a cap on tests.

use std::collections::HashMap;

/// A test with its memory and its budget.
pub(crate) struct Search<T> {
    test: T,
    /// What was tested, and whether it holds.
    tested: HashMap<Vec<usize>, bool>,
    budget: usize,
    asked: usize,
}

/// What a search came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The smallest set for which the test holds, in increasing order.
    pub(crate) kept: Vec<usize>,
    /// Whether the test was seen to fail without each single element.
    pub(crate) is_minimal: bool,
}

/// The budget is used up.
struct Exhausted;

impl<T: FnMut(&[usize]) -> Option<bool>> Search<T> {
    /// `test` says whether a set holds, `None` when that is plain without asking: such a test is free.
    pub(crate) fn new(budget: usize, test: T) -> Self {
        Self { test, tested: HashMap::new(), budget, asked: 0 }
    }

    /// How often the test was asked.
    pub(crate) fn asked(&self) -> usize {
        self.asked
    }

    /// Whether the test holds for a set; no where the budget is used up.
    pub(crate) fn ask(&mut self, set: &[usize]) -> bool {
        self.holds(set).unwrap_or(false)
    }

    fn holds(&mut self, set: &[usize]) -> Result<bool, Exhausted> {
        if let Some(known) = self.tested.get(set) {
            return Ok(*known);
        }
        if self.asked >= self.budget {
            return Err(Exhausted);
        }
        let answer = (self.test)(set);
        self.asked += usize::from(answer.is_some());
        let holds = answer.unwrap_or(false);
        self.tested.insert(set.to_vec(), holds);
        Ok(holds)
    }
}

/// A 1-minimal subset of `all` for which the test holds; it is taken to hold for `all`.
pub(crate) fn ddmin<T: FnMut(&[usize]) -> Option<bool>>(all: Vec<usize>, search: &mut Search<T>) -> Found {
    let mut kept = all;
    let mut pieces = 2;
    while !kept.is_empty() {
        pieces = pieces.min(kept.len().max(1));
        match step(&kept, pieces, search) {
            Err(Exhausted) => return Found { kept, is_minimal: false },
            Ok(Some((smaller, next_pieces))) => {
                kept = smaller;
                pieces = next_pieces;
            }
            Ok(None) if pieces < kept.len() => pieces = (pieces * 2).min(kept.len()),
            Ok(None) => break,
        }
    }
    Found { kept, is_minimal: true }
}

/// One round: a piece that holds alone, else all but a piece, with the number of pieces to go on with.
fn step<T: FnMut(&[usize]) -> Option<bool>>(
    kept: &[usize],
    pieces: usize,
    search: &mut Search<T>,
) -> Result<Option<(Vec<usize>, usize)>, Exhausted> {
    let size = kept.len().div_ceil(pieces);
    if kept.len() > 1 {
        for piece in kept.chunks(size) {
            if search.holds(piece)? {
                return Ok(Some((piece.to_vec(), 2)));
            }
        }
    }
    for start in (0..kept.len()).step_by(size) {
        let end = (start + size).min(kept.len());
        let rest: Vec<usize> = kept[..start].iter().chain(&kept[end..]).copied().collect();
        if search.holds(&rest)? {
            return Ok(Some((rest, pieces.saturating_sub(1).max(2))));
        }
    }
    Ok(None)
}
