//! Characters found on pages: a prediction is right when its point lies in the box of the same character.

/// A true character with its box, in pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Character<'t> {
    /// The character.
    pub label: &'t str,
    /// The left and the upper side.
    pub corner: (f64, f64),
    /// Width and height.
    pub size: (f64, f64),
}

/// A predicted character with the point it is found at, in pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct Point<'t> {
    /// The character.
    pub label: &'t str,
    /// The point.
    pub at: (f64, f64),
}

/// How many predictions are right, how many are not, and how many true characters were not found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Matches {
    /// Predictions that are right.
    pub right: u64,
    /// Predictions that are not.
    pub wrong: u64,
    /// True characters that no prediction found.
    pub missed: u64,
}

impl Matches {
    /// Both together.
    #[must_use]
    pub const fn and(self, other: Matches) -> Self {
        Matches { right: self.right + other.right, wrong: self.wrong + other.wrong, missed: self.missed + other.missed }
    }

    /// `2 TP / (2 TP + FP + FN)`: from 0 to 1, to maximize; 0 where nothing was right.
    #[must_use]
    pub fn f1(self) -> f64 {
        if self.right == 0 {
            return 0.0;
        }
        let twice = 2.0 * self.right as f64;
        twice / (twice + (self.wrong + self.missed) as f64)
    }
}

/// Matches the characters of a page: each true one, in their order, takes the first prediction of its label that lies
/// strictly inside its box and was not taken before.
///
/// Source: the metric of Kaggle's Kuzushiji competition.
#[must_use]
pub fn match_page(truth: &[Character<'_>], predicted: &[Point<'_>]) -> Matches {
    let mut taken = vec![false; predicted.len()];
    let mut matches = Matches::default();
    for character in truth {
        let ((left, top), (width, height)) = (character.corner, character.size);
        let inside = |point: &Point<'_>| {
            let (x, y) = point.at;
            left < x && x < left + width && top < y && y < top + height && point.label == character.label
        };
        match predicted.iter().zip(&taken).position(|(point, taken)| !taken && inside(point)) {
            Some(place) => {
                taken[place] = true;
                matches.right += 1;
            }
            None => matches.missed += 1,
        }
    }
    matches.wrong = taken.iter().filter(|taken| !**taken).count() as u64;
    matches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_counts_once_and_only_inside() {
        let truth = [
            Character { label: "a", corner: (0.0, 0.0), size: (10.0, 10.0) },
            Character { label: "a", corner: (0.0, 0.0), size: (10.0, 10.0) },
        ];
        let point = |x, y| Point { label: "a", at: (x, y) };
        let found = match_page(&truth, &[point(5.0, 5.0), point(10.0, 5.0)]);
        assert_eq!(found, Matches { right: 1, wrong: 1, missed: 1 });
        assert_eq!(found.f1(), 0.5);
        assert_eq!(Matches::default().f1(), 0.0);
    }
}
