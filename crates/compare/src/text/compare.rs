//! Whether two texts say the same: their words in the same order, their numbers close, their sets and dicts in any order.

use std::collections::HashMap;

use super::tolerance::Tolerance;
use super::tree::{Group, Node, Placed, key_and_value, tree};
use crate::difference::{Compared, DifferenceKind, PathStep, differ, within};

/// Compares two texts by what they say; spaces and line ends do not count.
pub(crate) fn same_text(saved: &str, new: &str, tolerance: &Tolerance) -> Compared {
    if saved == new {
        return Ok(());
    }
    let comparer = Comparer { saved, new, tolerance };
    comparer.top(&tree(saved), &tree(new))
}

struct Comparer<'a> {
    saved: &'a str,
    new: &'a str,
    tolerance: &'a Tolerance,
}

type Nodes<'n, 't> = &'n [Placed<'t>];

impl Comparer<'_> {
    /// The whole text: a difference gets its line.
    fn top(&self, saved: Nodes<'_, '_>, new: Nodes<'_, '_>) -> Compared {
        for (old, now) in saved.iter().zip(new) {
            on_line(self.node(old, now), || line(self.saved, old.start))?;
        }
        let place = saved.get(new.len()).map_or(self.saved.len(), |placed| placed.start);
        on_line(self.same_length(saved, new), || line(self.saved, place))
    }

    fn nodes(&self, saved: Nodes<'_, '_>, new: Nodes<'_, '_>) -> Compared {
        for (old, now) in saved.iter().zip(new) {
            self.node(old, now)?;
        }
        self.same_length(saved, new)
    }

    fn same_length(&self, saved: Nodes<'_, '_>, new: Nodes<'_, '_>) -> Compared {
        let shared = saved.len().min(new.len());
        match (saved.get(shared), new.get(shared)) {
            (None, None) => Ok(()),
            (old, now) => {
                let rest = |text: &str, from: Option<&Placed<'_>>, all: Nodes<'_, '_>| match (from, all.last()) {
                    (Some(from), Some(last)) => text.get(from.start..last.end).unwrap_or_default().to_owned(),
                    _ => String::new(),
                };
                differ(DifferenceKind::Shape, &rest(self.saved, old, saved), &rest(self.new, now, new))
            }
        }
    }

    fn node(&self, saved: &Placed<'_>, new: &Placed<'_>) -> Compared {
        match (&saved.node, &new.node) {
            (Node::Number(old), Node::Number(now)) if self.tolerance.accepts_written(old, now) => Ok(()),
            (Node::Number(_), Node::Number(_)) => self.differ(DifferenceKind::Number, saved, new),
            (Node::Word(old), Node::Word(now)) if old == now => Ok(()),
            (Node::Mark(old), Node::Mark(now)) if same_mark(old, now) => Ok(()),
            (Node::Quoted(old), Node::Quoted(now)) => self.quoted(old, now),
            (Node::Group(old), Node::Group(now)) if old.open == now.open => self.group(old, now),
            (Node::Word(_), Node::Word(_)) | (Node::Mark(_), Node::Mark(_)) => {
                self.differ(DifferenceKind::Text, saved, new)
            }
            _ => self.differ(DifferenceKind::Type, saved, new),
        }
    }

    fn differ(&self, kind: DifferenceKind, saved: &Placed<'_>, new: &Placed<'_>) -> Compared {
        let text = |text: &str, placed: &Placed<'_>| text.get(placed.start..placed.end).unwrap_or_default().to_owned();
        differ(kind, &text(self.saved, saved), &text(self.new, new))
    }

    /// Strings are equal, or hold the same words with numbers that are close.
    fn quoted(&self, saved: &str, new: &str) -> Compared {
        if saved == new {
            return Ok(());
        }
        let differing = || differ(DifferenceKind::Text, saved, new);
        let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
        if !has_digit(saved) || !has_digit(new) {
            return differing();
        }
        let plain = |text: &str| text.replace(['"', '\''], " ");
        same_text(&plain(saved), &plain(new), self.tolerance).or_else(|_| differing())
    }

    fn group(&self, saved: &Group<'_>, new: &Group<'_>) -> Compared {
        let (old, now) = (saved.items(), new.items());
        if saved.open == '{' {
            let pairs = |items: &[Nodes<'_, '_>]| items.iter().all(|item| key_and_value(item).is_some());
            return if pairs(&old) && pairs(&now) { self.dicts(&old, &now) } else { self.sets(&old, &now) };
        }
        if old.len() < 2 && now.len() < 2 {
            return self.nodes(&saved.nodes, &new.nodes);
        }
        for (index, (old, now)) in old.iter().zip(&now).enumerate() {
            within(self.nodes(old, now), || PathStep::Index(index))?;
        }
        self.same_count(&old, &now)
    }

    fn same_count(&self, saved: &[Nodes<'_, '_>], new: &[Nodes<'_, '_>]) -> Compared {
        let shared = saved.len().min(new.len());
        if saved.len() == new.len() {
            return Ok(());
        }
        let text = |text: &str, item: Option<&Nodes<'_, '_>>| item.map(|item| raw(text, item)).unwrap_or_default();
        let differing =
            differ(DifferenceKind::Shape, &text(self.saved, saved.get(shared)), &text(self.new, new.get(shared)));
        within(differing, || PathStep::Index(shared))
    }

    /// Dicts have the same keys, in any order, and the same values under them. Of a key that is there twice the last one counts.
    fn dicts(&self, saved: &[Nodes<'_, '_>], new: &[Nodes<'_, '_>]) -> Compared {
        let pairs = |items: &[Nodes<'_, '_>]| -> Vec<(String, usize)> {
            items.iter().enumerate().filter_map(|(at, item)| Some((canonical(key_and_value(item)?.0), at))).collect()
        };
        let (old, now) = (pairs(saved), pairs(new));
        let by_key: HashMap<&str, usize> = now.iter().map(|(key, at)| (key.as_str(), *at)).collect();
        for (key, at) in &old {
            let compared = match by_key.get(key.as_str()) {
                Some(there) => self.nodes(value_at(saved, *at), value_at(new, *there)),
                None => differ(DifferenceKind::Shape, &raw(self.saved, saved[*at]), ""),
            };
            within(compared, || PathStep::Key(key.clone()))?;
        }
        let known: HashMap<&str, usize> = old.iter().map(|(key, at)| (key.as_str(), *at)).collect();
        match now.iter().find(|(key, _)| !known.contains_key(key.as_str())) {
            Some((key, at)) => {
                within(differ(DifferenceKind::Shape, "", &raw(self.new, new[*at])), || PathStep::Key(key.clone()))
            }
            None => Ok(()),
        }
    }

    /// Sets have the same elements in any order. Numbers that are only close are paired by size.
    fn sets(&self, saved: &[Nodes<'_, '_>], new: &[Nodes<'_, '_>]) -> Compared {
        let (old, now) = (sorted(saved), sorted(new));
        for (old, now) in old.iter().zip(&now) {
            self.nodes(old, now)?;
        }
        self.same_count(&old, &now)
    }
}

/// The value of an item of a dict.
fn value_at<'n, 't>(items: &[Nodes<'n, 't>], at: usize) -> Nodes<'n, 't> {
    items.get(at).and_then(|item| key_and_value(item)).map(|(_, value)| value).unwrap_or_default()
}

/// Elements of a set in an order that does not depend on theirs: numbers by size, then all else by its text.
fn sorted<'n, 't>(items: &[Nodes<'n, 't>]) -> Vec<Nodes<'n, 't>> {
    let mut keyed: Vec<(Option<f64>, String, Nodes<'n, 't>)> = items
        .iter()
        .map(|item| {
            let number = match item {
                [Placed { node: Node::Number(number), .. }] => Some(number.value),
                _ => None,
            };
            (number, if number.is_some() { String::new() } else { canonical(item) }, *item)
        })
        .collect();
    keyed.sort_by(|left, right| match (left.0, right.0) {
        (Some(old), Some(now)) => old.total_cmp(&now),
        (old, now) => now.is_some().cmp(&old.is_some()).then_with(|| left.1.cmp(&right.1)),
    });
    keyed.into_iter().map(|(.., item)| item).collect()
}

/// One text for what is equal: numbers by value, strings in one sort of quotes, no spaces.
pub(crate) fn canonical(nodes: Nodes<'_, '_>) -> String {
    let mut text = String::new();
    write_canonical(nodes, &mut text);
    text
}

fn write_canonical(nodes: Nodes<'_, '_>, to: &mut String) {
    for placed in nodes {
        match &placed.node {
            Node::Number(number) if number.is_integer => to.push_str(number.text),
            Node::Number(number) => to.push_str(&number.value.to_string()),
            Node::Word(word) | Node::Mark(word) => to.push_str(word),
            Node::Quoted(content) => to.extend(["'", content, "'"]),
            Node::Group(group) => {
                to.push(group.open);
                write_canonical(&group.nodes, to);
                to.push(';');
            }
        }
        to.push(' ');
    }
    // A key reads as it was written.
    if to.ends_with(' ') {
        to.pop();
    }
}

/// The text of some nodes that follow each other.
fn raw(text: &str, nodes: Nodes<'_, '_>) -> String {
    match (nodes.first(), nodes.last()) {
        (Some(first), Some(last)) => text.get(first.start..last.end).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

/// Rules of any length are rules.
fn same_mark(saved: &str, new: &str) -> bool {
    let is_rule = |mark: &str| mark.chars().nth(2).is_some();
    saved == new || (is_rule(saved) && is_rule(new) && saved.chars().next() == new.chars().next())
}

/// The line of a place in a text of several.
fn line(text: &str, at: usize) -> Option<usize> {
    text.contains('\n').then(|| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count())
}

/// Adds the line to a difference, where there are several.
fn on_line(compared: Compared, line: impl FnOnce() -> Option<usize>) -> Compared {
    compared.map_err(|place| match line() {
        Some(line) => Box::new(place.within(PathStep::Line(line))),
        None => place,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(saved: &str, new: &str) -> String {
        match same_text(saved, new, &Tolerance::default()) {
            Ok(()) => "same".to_owned(),
            Err(place) => place.at(0, None).to_string(),
        }
    }

    #[test]
    fn what_says_the_same_is_the_same() {
        let pairs = [
            ("score: 0.3333333333", "score: 0.33333333331"),
            ("{'a': 1, 'b': [1.0, 2]}", "{'b': [1, 2.0], 'a': 1}"),
            ("{3, 1, 'b', 'a'}", "{'a', 1, 'b', 3}"),
            ("x = {1.0000000001, 2}", "x = {2, 1.0}"),
            ("[[ 1.  2.]\n [ 3. -4.]]", "[[1. 2.]\n [3. -4.]]"),
            ("((1, 2), [3])", "( (1,2),[ 3 ] )"),
            ("{(1, 2): {'x': {'y': 1}}}", "{(1, 2): {'x': {'y': 1.0}}}"),
            ("nan inf -inf", "NaN inf -inf"),
            ("=====\nA\n=====", "========\nA\n========"),
            ("(1,)", "(1,)"),
        ];
        for (saved, new) in pairs {
            assert_eq!(compared(saved, new), "same", "{saved}");
            assert_eq!(compared(new, saved), "same", "{saved}");
        }
    }

    #[test]
    fn the_first_difference_has_its_place() {
        insta::assert_snapshot!([
            ("a\nscore: 0.5", "a\nscore: 0.6"),
            ("{'a': {'b': [1, 2, 3]}}", "{'a': {'b': [1, 2, 4]}}"),
            ("[1, 2]", "[1, 2, 3]"),
            ("{'a': 1}", "{'b': 1}"),
            ("{'a': 1}", "{'a': 1, 'c': 2}"),
            ("{1, 2}", "{1, 3}"),
            ("12345678", "12345679"),
            ("[1]", "(1)"),
            ("(1, 'x')", "(1, 2)"),
            ("'ab 0.5'", "'ab 0.6'"),
            ("a b c", "a b"),
            ("1 2", "12"),
        ].map(|(saved, new)| compared(saved, new)).join("
"), @r#"
        output 1, line 2: number: "0.5" is now "0.6"
        output 1, key "'a'", key "'b'", [2]: number: "3" is now "4"
        output 1, [2]: shape: "" is now "3"
        output 1, key "'a'": shape: "'a': 1" is now ""
        output 1, key "'c'": shape: "" is now "'c': 2"
        output 1: number: "2" is now "3"
        output 1: number: "12345678" is now "12345679"
        output 1: type: "[1]" is now "(1)"
        output 1, [1]: type: "'x'" is now "2"
        output 1: text: "ab 0.5" is now "ab 0.6"
        output 1: shape: "c" is now ""
        output 1: number: "1" is now "12"
        "#);
    }

    #[test]
    fn nested_dicts_take_no_exponential_time() {
        let nest = |leaf: &str| format!("{}{leaf}{}", "{'a': [".repeat(20), "]}".repeat(20));
        assert!(compared(&nest("1"), &nest("2")).ends_with("number: \"1\" is now \"2\""));
    }
}
