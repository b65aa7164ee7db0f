//! Which examples of a release are taken.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A share of the examples is put aside, so that rules can be tried on what nobody looked at when they were written: one of this many.
const ASIDE: u64 = 10;

/// Which examples are taken. What lies aside depends on the path alone, so that an example lies on one side in all releases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExampleDraw {
    /// How many, by chance. Default all.
    pub at_most: Option<usize>,
    /// The seed of that chance. Default 0.
    pub seed: u64,
    /// Whether the tenth is taken that is put aside, and nothing else. Default no: all but it.
    pub aside: bool,
}

impl ExampleDraw {
    /// Draws of examples by path.
    pub(super) fn of<T>(&self, all: BTreeMap<String, T>) -> Vec<(String, T)> {
        let mut drawn: Vec<(u64, String, T)> = all
            .into_iter()
            .filter(|(path, _)| (place(path, 0).is_multiple_of(ASIDE)) == self.aside)
            .map(|(path, one)| (place(&path, self.seed.wrapping_add(1)), path, one))
            .collect();
        drawn.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        drawn.truncate(self.at_most.unwrap_or(usize::MAX));
        drawn.into_iter().map(|(_, path, one)| (path, one)).collect()
    }
}

/// The place of a path among all of them, by a seed.
fn place(path: &str, seed: u64) -> u64 {
    let hash = blake3::hash(format!("{seed} {path}").as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(draw: ExampleDraw) -> Vec<String> {
        let all = (0..1000).map(|number| (format!("examples/{number}.ipynb"), ())).collect();
        draw.of(all).into_iter().map(|(path, ())| path).collect()
    }

    #[test]
    fn a_tenth_lies_aside_whatever_the_seed() {
        let (seen, aside) =
            (drawn(ExampleDraw::default()), drawn(ExampleDraw { aside: true, ..ExampleDraw::default() }));
        assert_eq!(seen.len() + aside.len(), 1000);
        assert!((70..130).contains(&aside.len()) && !aside.iter().any(|path| seen.contains(path)));
        let (one, other) = (0, 1);
        let of = |seed| drawn(ExampleDraw { at_most: Some(20), seed, aside: false });
        assert!(of(one) != of(other) && of(one) == of(0) && of(other).iter().all(|path| seen.contains(path)));
    }
}
