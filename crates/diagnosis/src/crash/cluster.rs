//! Groups of alike error values (section 3.3): sets of words whose Jaccard similarity is above a threshold, and what such pairs connect.
//!
//! Exact, without looking at all pairs. Equal sets are one. Words are ordered from rare to frequent, and two sets above the threshold share
//! one of their first words: only sets that do are compared (prefix filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006).

use std::collections::HashMap;

use super::normal::word_set;

/// The paper's threshold: pairs that are above it are connected.
pub const PAPER_SIMILARITY: Similarity = Similarity { numerator: 7, denominator: 10 };

/// A threshold of Jaccard's similarity, as a fraction, so that a pair that just reaches it is told from one above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Similarity {
    /// Above the line.
    pub numerator: usize,
    /// Below it; not zero, and more than the numerator.
    pub denominator: usize,
}

impl Similarity {
    /// Whether sets of these sizes with so many common words are above the threshold. Two empty sets are equal, and above any.
    fn is_exceeded(self, common: usize, a: usize, b: usize) -> bool {
        a + b == 0 || common * self.denominator > self.numerator * (a + b - common)
    }

    /// Words that a set shares at least with any set that is above.
    fn least_common(self, size: usize) -> usize {
        size * self.numerator / self.denominator + 1
    }
}

/// The cluster of each value, numbered from 0 in the order in which they first occur.
#[must_use]
pub fn clusters<'value>(values: impl IntoIterator<Item = &'value str>, above: Similarity) -> Vec<usize> {
    let (mut numbers, mut sets) = (HashMap::<Vec<String>, usize>::new(), 0);
    let of_value: Vec<usize> = values
        .into_iter()
        .map(|value| {
            *numbers.entry(word_set(value)).or_insert_with(|| {
                sets += 1;
                sets - 1
            })
        })
        .collect();
    let mut words: Vec<&Vec<String>> = vec![const { &Vec::new() }; sets];
    numbers.iter().for_each(|(set, number)| words[*number] = set);
    let mut groups = Groups::new(sets);
    connect(&ranked(&words), above, &mut groups);
    let mut named = HashMap::new();
    of_value
        .into_iter()
        .map(|set| {
            let next = named.len();
            *named.entry(groups.root(set)).or_insert(next)
        })
        .collect()
}

/// The sets as numbers of words, rare words first.
fn ranked(sets: &[&Vec<String>]) -> Vec<Vec<u32>> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for word in sets.iter().flat_map(|set| set.iter()) {
        *counts.entry(word).or_default() += 1;
    }
    let mut order: Vec<(&str, u32)> = counts.into_iter().collect();
    order.sort_unstable_by_key(|(word, count)| (*count, *word));
    let ranks: HashMap<&str, u32> = order.iter().zip(0..).map(|((word, _), rank)| (*word, rank)).collect();
    let of_set = |set: &&Vec<String>| {
        let mut numbers: Vec<u32> = set.iter().map(|word| ranks[word.as_str()]).collect();
        numbers.sort_unstable();
        numbers
    };
    sets.iter().map(of_set).collect()
}

/// Joins the groups of every pair above the threshold. Sets go in by size, so that those before are no larger.
fn connect(sets: &[Vec<u32>], above: Similarity, groups: &mut Groups) {
    let mut by_size: Vec<usize> = (0..sets.len()).collect();
    by_size.sort_by_key(|&set| sets[set].len());
    let mut index: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut compared_with: Vec<usize> = vec![usize::MAX; sets.len()];
    for set in by_size {
        let words = &sets[set];
        let least = above.least_common(words.len());
        for word in &words[..(words.len() + 1).saturating_sub(least)] {
            let posted = index.entry(*word).or_default();
            // Smaller ones could not share enough; all that follow are at least as large.
            let too_small = posted.partition_point(|&other| sets[other].len() < least);
            for &other in &posted[too_small..] {
                if compared_with[other] != set && groups.root(other) != groups.root(set) {
                    compared_with[other] = set;
                    let common = common(words, &sets[other]);
                    if above.is_exceeded(common, words.len(), sets[other].len()) {
                        groups.join(set, other);
                    }
                }
            }
            posted.push(set);
        }
    }
}

/// How many numbers two sorted lists share.
fn common(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}

/// Disjoint groups, joined step by step (union by size, halving paths).
struct Groups {
    parent: Vec<usize>,
    size: Vec<usize>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self { parent: (0..count).collect(), size: vec![1; count] }
    }

    fn root(&mut self, mut member: usize) -> usize {
        while self.parent[member] != member {
            self.parent[member] = self.parent[self.parent[member]];
            member = self.parent[member];
        }
        member
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        let (large, small) = if self.size[a] < self.size[b] { (b, a) } else { (a, b) };
        if large != small {
            self.parent[small] = large;
            self.size[large] += self.size[small];
        }
    }
}

#[cfg(test)]
#[path = "cluster_tests.rs"]
mod tests;
