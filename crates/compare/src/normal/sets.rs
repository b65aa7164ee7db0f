//! The order of sets: that of hashes, which Python salts anew for each run.

use std::borrow::Cow;

use crate::text::{Node, Placed, key_and_value, tree};

/// Sorts the elements of each `{…}` that has no colon, by their text.
pub(super) fn sorted(text: &str) -> Cow<'_, str> {
    if !text.contains('{') || !text.contains(',') {
        return Cow::Borrowed(text);
    }
    let mut writer = Writer { text, to: String::with_capacity(text.len()), at: 0 };
    writer.nodes(&tree(text));
    writer.copy_until(text.len());
    Cow::Owned(writer.to)
}

struct Writer<'t> {
    text: &'t str,
    to: String,
    at: usize,
}

impl Writer<'_> {
    fn copy_until(&mut self, end: usize) {
        self.to.push_str(self.text.get(self.at..end).unwrap_or_default());
        self.at = self.at.max(end);
    }

    fn nodes(&mut self, nodes: &[Placed<'_>]) {
        for placed in nodes {
            let Node::Group(group) = &placed.node else { continue };
            let items = group.items();
            let is_set = group.open == '{' && items.len() > 1 && items.iter().all(|item| key_and_value(item).is_none());
            if !is_set {
                self.nodes(&group.nodes);
                continue;
            }
            self.copy_until(group.inside.0);
            let mut texts: Vec<String> = items.iter().map(|item| self.item(item)).collect();
            texts.sort();
            self.to.push_str(&texts.join(", "));
            self.at = group.inside.1;
        }
    }

    /// The text of one element, with the sets in it sorted.
    fn item(&self, item: &[Placed<'_>]) -> String {
        let (Some(first), Some(last)) = (item.first(), item.last()) else { return String::new() };
        let mut inner = Writer { text: self.text, to: String::new(), at: first.start };
        inner.nodes(item);
        inner.copy_until(last.end);
        inner.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_sorted_and_all_else_stays() {
        assert_eq!(sorted("a {'b', 'a'} [2, 1] {1: {3, 2}}"), "a {'a', 'b'} [2, 1] {1: {2, 3}}");
        assert_eq!(sorted("{frozenset({2, 1}), 0}!"), "{0, frozenset({1, 2})}!");
        assert_eq!(sorted("{a, b"), "{a, b");
    }
}
