//! Distributions that an unresolved import perhaps meant: told to people, never installed.

use super::unresolved::{CandidateReason, DistributionCandidate};
use super::{names, top_level};
use crate::versions::normalise;

/// Most similar spellings told at once.
const SPELLINGS: usize = 3;

/// What the table has for the module at other dates, then what it has for similar names.
pub(super) fn all(module: &str) -> Vec<DistributionCandidate> {
    let mut found = of_other_dates(module);
    for candidate in of_similar_names(top_level(module)) {
        if found.iter().all(|known| known.distribution != candidate.distribution) {
            found.push(candidate);
        }
    }
    found
}

/// What the table has for the module at other dates.
pub(super) fn of_other_dates(module: &str) -> Vec<DistributionCandidate> {
    let candidate = |row: &names::Row| {
        let why = row.from.map(CandidateReason::From).or(row.until.map(CandidateReason::Until))?;
        Some(DistributionCandidate { distribution: normalise(row.distribution), why })
    };
    names::ever(module).iter().filter_map(candidate).collect()
}

/// What the table has for names spelled similarly, the nearest first.
fn of_similar_names(top: &str) -> Vec<DistributionCandidate> {
    let allowed = match top.len() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    };
    let written = top.to_ascii_lowercase();
    let mut near: Vec<(usize, &str, &str)> = names::NAMES
        .iter()
        .filter(|(import, _)| **import != top && import.len().abs_diff(top.len()) <= allowed)
        .filter_map(|(import, rows)| {
            let distance = distance(written.as_bytes(), import.to_ascii_lowercase().as_bytes());
            (distance <= allowed).then_some((distance, *import, rows.last()?.distribution))
        })
        .collect();
    near.sort_unstable();
    near.truncate(SPELLINGS);
    let candidate = |(_, import, distribution): (usize, &'static str, &str)| DistributionCandidate {
        distribution: normalise(distribution),
        why: CandidateReason::Spelling(import),
    };
    near.into_iter().map(candidate).collect()
}

/// The least number of letters added, dropped, replaced or swapped with their neighbour between two names (optimal
/// string alignment: F. Damerau, A technique for computer detection and correction of spelling errors, 1964).
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, opposite) in other.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != opposite);
            let mut least = replaced.min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *letter == other[column - 1] && one[row - 1] == *opposite {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_swapped_neighbours_once() {
        let between = |one: &str, other: &str| distance(one.as_bytes(), other.as_bytes());
        assert_eq!(between("sklearn", "sklearn"), 0);
        assert_eq!(between("skleran", "sklearn"), 1);
        assert_eq!(between("sklern", "sklearn"), 1);
        assert_eq!(between("pandsa", "numpy"), 6);
        assert_eq!((between("", "abc"), between("abc", "")), (3, 3));
    }

    #[test]
    fn the_nearest_spellings_come_first_and_short_names_have_none() {
        let told = |top: &str| of_similar_names(top).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(told("skleran").first().map(String::as_str), Some("scikit-learn (for sklearn)"));
        assert!(told("pil").contains(&"pillow (for PIL)".to_owned()), "{:?}", told("pil"));
        assert_eq!(told("cv3"), Vec::<String>::new());
    }
}
