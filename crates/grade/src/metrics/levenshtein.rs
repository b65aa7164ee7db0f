//! Edit distance.

/// The smallest number of insertions, deletions and replacements that turn `from` into `to`: from 0 to the longer length, to
/// minimize.
#[must_use]
pub fn levenshtein<T: PartialEq>(from: &[T], to: &[T]) -> usize {
    let shared = from.iter().zip(to).take_while(|(from, to)| from == to).count();
    let (from, to) = (&from[shared..], &to[shared..]);
    let shared = from.iter().rev().zip(to.iter().rev()).take_while(|(from, to)| from == to).count();
    let (from, to) = (&from[..from.len() - shared], &to[..to.len() - shared]);
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, from) in from.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::levenshtein;

    #[test]
    fn known_distances() {
        let distance =
            |from: &str, to: &str| levenshtein(&from.chars().collect::<Vec<_>>(), &to.chars().collect::<Vec<_>>());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("ab", "ba"), 2);
        assert_eq!(distance("ÄÖ", "AÖ"), 1);
    }
}
