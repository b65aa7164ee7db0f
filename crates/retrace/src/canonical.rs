//! Orders that differ in nothing but the sequence of cells that do not meet (Mazurkiewicz, 1977: traces).

use nbrevive_order::CellEffects;

/// The sequence in which cells that do not meet stand as in the notebook: the first one, by places, that has the same effect as far as the
/// code tells. Sequences that have the same effect have the same one.
#[must_use]
pub fn nearest_to_document(order: &[usize], effects: &[CellEffects]) -> Vec<usize> {
    let mut left: Vec<usize> = order.to_vec();
    let mut nearest = Vec::with_capacity(order.len());
    while !left.is_empty() {
        let is_free = |place: usize| {
            let cell = left[place];
            !left[..place].iter().any(|before| *before == cell || effects[*before].meets(&effects[cell]))
        };
        let first = (0..left.len()).filter(|place| is_free(*place)).min_by_key(|place| left[*place]);
        nearest.push(left.remove(first.unwrap_or(0)));
    }
    nearest
}

#[cfg(test)]
mod tests {
    use nbrevive_order::effects;
    use nbrevive_pysource::names::names;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_cells_that_do_not_meet_change_places() {
        let found = effects(&names(&["a = 1", "print(a)", "b = 2", "a = b"]), &|_| false);
        assert_eq!(nearest_to_document(&[2, 3, 1, 0], &found), [2, 3, 1, 0]);
        assert_eq!(nearest_to_document(&[2, 0, 1, 3], &found), [0, 1, 2, 3]);
    }

    proptest! {
        /// Swapping neighbours that do not meet leads nowhere else.
        #[test]
        fn sequences_of_one_effect_have_one_form(order in proptest::collection::vec(0_usize..5, 1..8), swaps in proptest::collection::vec(0_usize..7, 0..20)) {
            let cells = ["a = 1", "b = a", "c = 1", "c += 1", "print(b, c)"];
            let found = effects(&names(&cells), &|_| false);
            let mut other = order.clone();
            for place in swaps.into_iter().filter(|place| place + 1 < order.len()) {
                if other[place] != other[place + 1] && !found[other[place]].meets(&found[other[place + 1]]) {
                    other.swap(place, place + 1);
                }
            }
            prop_assert_eq!(nearest_to_document(&order, &found), nearest_to_document(&other, &found));
        }
    }
}
