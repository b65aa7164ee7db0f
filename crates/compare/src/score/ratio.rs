//! Ratcliff and Obershelp's similarity of two texts, as Python's `difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()` has it.

use std::collections::HashMap;

/// Most steps that one comparison may take. Texts of one repeated letter need the product of their lengths, again and again.
const MOST_STEPS: usize = 200_000_000;

/// Twice the number of characters that match, over all characters; `None` when counting them takes too long.
///
/// The longest common run is taken, the earliest of several; then the same on either side of it.
pub(super) fn ratio(a: &[char], b: &[char]) -> Option<f64> {
    ratio_within(MOST_STEPS, a, b)
}

fn ratio_within(most_steps: usize, a: &[char], b: &[char]) -> Option<f64> {
    let total = a.len() + b.len();
    if total == 0 {
        return Some(1.0);
    }
    let mut positions: HashMap<char, Vec<usize>> = HashMap::new();
    for (index, letter) in b.iter().enumerate() {
        positions.entry(*letter).or_default().push(index);
    }
    // What the first run alone asks for is known before.
    let first: usize = a.iter().filter_map(|letter| positions.get(letter)).map(Vec::len).sum();
    if first > most_steps {
        return None;
    }
    let mut matcher = Matcher { a, positions: &positions, runs: vec![0; b.len() + 1], steps: 0, most_steps };
    let (mut matched, mut queue) = (0, vec![(0, a.len(), 0, b.len())]);
    while let Some((from, to, start, end)) = queue.pop() {
        let (at, there, size) = matcher.longest(from, to, start, end)?;
        if size == 0 {
            continue;
        }
        matched += size;
        if from < at && start < there {
            queue.push((from, at, start, there));
        }
        if at + size < to && there + size < end {
            queue.push((at + size, to, there + size, end));
        }
    }
    Some(2.0 * matched as f64 / total as f64)
}

/// An upper bound of [`ratio`]: of characters in any order.
pub(super) fn quick_ratio(a: &[char], b: &[char]) -> f64 {
    let total = a.len() + b.len();
    if total == 0 {
        return 1.0;
    }
    let mut available: HashMap<char, usize> = HashMap::new();
    b.iter().for_each(|letter| *available.entry(*letter).or_default() += 1);
    let mut matched = 0;
    for letter in a {
        if let Some(left) = available.get_mut(letter).filter(|left| **left > 0) {
            *left -= 1;
            matched += 1;
        }
    }
    2.0 * f64::from(matched) / total as f64
}

struct Matcher<'a> {
    a: &'a [char],
    positions: &'a HashMap<char, Vec<usize>>,
    /// By position in `b` and one: length of the run that ends there, with the character of `a` before this one.
    runs: Vec<usize>,
    steps: usize,
    most_steps: usize,
}

impl Matcher<'_> {
    /// The longest run that both ranges have: where in `a`, where in `b`, how long.
    fn longest(&mut self, from: usize, to: usize, start: usize, end: usize) -> Option<(usize, usize, usize)> {
        let mut best = (from, start, 0);
        let mut written: Vec<usize> = Vec::new();
        for index in from..to {
            let Some(places) = self.a.get(index).and_then(|letter| self.positions.get(letter)) else {
                self.forget(&mut written, &[]);
                continue;
            };
            let first = places.partition_point(|place| *place < start);
            let places = places.get(first..).unwrap_or_default();
            let places = places.get(..places.partition_point(|place| *place < end)).unwrap_or_default();
            self.steps += places.len() + 1;
            if self.steps > self.most_steps {
                return None;
            }
            // From the right, so that the run of the character before is not yet written over.
            let mut longer: Vec<usize> = Vec::with_capacity(places.len());
            for place in places {
                let before = if *place > start { self.runs.get(*place).copied().unwrap_or(0) } else { 0 };
                longer.push(before + 1);
                if before + 1 > best.2 {
                    best = (index - before, place - before, before + 1);
                }
            }
            self.forget(&mut written, places);
            for (place, length) in places.iter().zip(longer) {
                if let Some(run) = self.runs.get_mut(place + 1) {
                    *run = length;
                }
            }
        }
        self.forget(&mut written, &[]);
        Some(best)
    }

    /// Clears the runs that were written, and notes which will be next.
    fn forget(&mut self, written: &mut Vec<usize>, next: &[usize]) {
        for place in written.drain(..) {
            if let Some(run) = self.runs.get_mut(place + 1) {
                *run = 0;
            }
        }
        written.extend_from_slice(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(a: &str, b: &str) -> f64 {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        ratio(&letters(a), &letters(b)).expect("short texts")
    }

    /// What difflib of Python 3.11 says.
    #[test]
    fn the_ratio_is_that_of_difflib() {
        let cases = [
            ("abcd", "bcde", 0.75),
            ("private Thread currentThread;", "private volatile Thread currentThread;", 0.865_671_641_791_044_8),
            ("", "", 1.0),
            ("a", "", 0.0),
            ("tide", "diet", 0.25),
            ("diet", "tide", 0.5),
            ("qabxcd", "abycdf", 0.666_666_666_666_666_6),
        ];
        for (a, b, expected) in cases {
            assert!((of(a, b) - expected).abs() < 1e-12, "{a} {b}: {}", of(a, b));
        }
    }

    #[test]
    fn texts_that_take_too_long_have_none() {
        let (a, b) = (vec!['a'; 20_000], vec!['a'; 20_000]);
        assert_eq!(ratio(&a, &b), None);
        assert!((quick_ratio(&a, &b) - 1.0).abs() < 1e-12);
        // Ten letters by ten, and a step for each: what is too long is found before it begins, or on the way.
        let letters = ['a'; 10];
        assert_eq!(ratio_within(99, &letters, &letters), None);
        assert_eq!(ratio_within(109, &letters, &letters), None);
        assert_eq!(ratio_within(110, &letters, &letters), Some(1.0));
    }
}
