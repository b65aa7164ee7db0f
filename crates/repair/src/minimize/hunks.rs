//! A line diff in hunks that can be applied one by one.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The changes between two texts.
pub(crate) struct Hunks<'a> {
    before: Vec<&'a str>,
    /// Lines of `before` that a hunk replaces, with what it puts there; in order, without overlap.
    changes: Vec<(std::ops::Range<usize>, Vec<String>)>,
}

impl<'a> Hunks<'a> {
    /// In a run of changed lines the old and new ones are paired in order, each pair a hunk; what is left of the longer side
    /// is one more.
    pub(crate) fn between(before: &'a str, after: &str) -> Self {
        let before: Vec<&str> = before.split_inclusive('\n').collect();
        let after: Vec<&str> = after.split_inclusive('\n').collect();
        let mut changes = Vec::new();
        for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
            let (old, new) = (op.old_range(), op.new_range());
            if matches!(op, DiffOp::Equal { .. }) {
                continue;
            }
            let pairs = old.len().min(new.len());
            let paired = old.clone().zip(new.clone()).take(pairs);
            changes.extend(paired.map(|(line, at)| (line..line + 1, vec![after[at].to_owned()])));
            let rest = (old.start + pairs..old.end, &after[new.start + pairs..new.end]);
            if !rest.0.is_empty() || !rest.1.is_empty() {
                changes.push((rest.0, rest.1.iter().map(|line| (*line).to_owned()).collect()));
            }
        }
        Self { before, changes }
    }

    pub(crate) fn len(&self) -> usize {
        self.changes.len()
    }

    /// The lines of the text before that a hunk replaces, from 1; of an insertion the line that it stands in front of.
    pub(crate) fn lines(&self, hunk: usize) -> std::ops::RangeInclusive<u32> {
        let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
        let range = &self.changes[hunk].0;
        number(range.start + 1)..=number(range.end.max(range.start + 1))
    }

    /// The text with these hunks; `kept` is in increasing order.
    pub(crate) fn apply(&self, kept: &[usize]) -> String {
        let mut text = String::new();
        let mut position = 0;
        for (range, lines) in kept.iter().map(|hunk| &self.changes[*hunk]) {
            text.extend(self.before[position..range.start].iter().copied());
            text.extend(lines.iter().map(String::as_str));
            position = range.end;
        }
        text.extend(self.before[position..].iter().copied());
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hunks_are_applied_one_by_one() {
        let hunks = Hunks::between("a\nb\nc\nd\n", "a\nB\nC\nd\ne\n");
        assert_eq!(hunks.len(), 3);
        assert_eq!(hunks.apply(&[]), "a\nb\nc\nd\n");
        assert_eq!(hunks.apply(&[1]), "a\nb\nC\nd\n");
        assert_eq!(hunks.apply(&[0, 2]), "a\nB\nc\nd\ne\n");
    }

    proptest! {
        #[test]
        fn all_hunks_give_the_new_text_and_none_the_old(before in "([ab]\n){0,12}", after in "([abc]\n){0,12}") {
            let hunks = Hunks::between(&before, &after);
            let all: Vec<usize> = (0..hunks.len()).collect();
            prop_assert_eq!(hunks.apply(&all), after);
            prop_assert_eq!(hunks.apply(&[]), before);
        }
    }
}
