//! The brackets of a text as a tree: what Python prints of lists, dicts, calls and arrays, with whatever stands around.

use super::lexer::{Lexeme, Numeral, Token, lexemes};
use super::renamed;

/// Deeper brackets than these are signs like any other: the tree is walked by functions that call themselves.
const DEEPEST: usize = 48;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node<'t> {
    /// A number.
    Number(Numeral<'t>),
    /// A name or a word.
    Word(&'t str),
    /// What stands between quotes.
    Quoted(&'t str),
    /// Any other sign.
    Mark(&'t str),
    /// Brackets and what is in them.
    Group(Group<'t>),
}

/// Brackets and what is in them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group<'t> {
    /// The opening one.
    pub(crate) open: char,
    /// What is between them.
    pub(crate) nodes: Vec<Placed<'t>>,
    /// Where its content starts and ends in the text.
    pub(crate) inside: (usize, usize),
}

/// A node with the place of its text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Reads a text. Never fails: brackets without a partner are signs.
pub(crate) fn tree(text: &str) -> Vec<Placed<'_>> {
    let mut builder = Builder { text, open: Vec::new(), current: Vec::new() };
    for lexeme in lexemes(text) {
        builder.push(lexeme);
    }
    builder.finish()
}

struct Builder<'t> {
    text: &'t str,
    /// Brackets that wait for their partner, each with what stood before it.
    open: Vec<(char, Lexeme<'t>, Vec<Placed<'t>>)>,
    current: Vec<Placed<'t>>,
}

impl<'t> Builder<'t> {
    fn push(&mut self, lexeme: Lexeme<'t>) {
        match lexeme.token {
            Token::Open(open) if self.open.len() < DEEPEST => {
                let before = std::mem::take(&mut self.current);
                self.open.push((open, lexeme, before));
            }
            Token::Close(close) if self.open.last().is_some_and(|(open, ..)| partner(*open) == close) => {
                if let Some((open, opened, before)) = self.open.pop() {
                    let nodes = std::mem::replace(&mut self.current, before);
                    let group = Group { open, nodes, inside: (opened.end, lexeme.start) };
                    self.close(group, opened.start, lexeme.end);
                }
            }
            _ => {
                let node = self.leaf(&lexeme);
                self.current.push(Placed { node, start: lexeme.start, end: lexeme.end });
            }
        }
    }

    fn leaf(&self, lexeme: &Lexeme<'t>) -> Node<'t> {
        match lexeme.token {
            Token::Number(numeral) => Node::Number(numeral),
            Token::Word(word) => renamed::word(word),
            Token::Quoted(content) => Node::Quoted(content),
            Token::Mark(mark) => Node::Mark(mark),
            Token::Open(_) | Token::Close(_) => Node::Mark(self.text.get(lexeme.start..lexeme.end).unwrap_or_default()),
        }
    }

    /// Puts a closed group behind what stands before it: `np.float64(1.0)` becomes its number, and a dtype among arguments is left out.
    fn close(&mut self, mut group: Group<'t>, start: usize, end: usize) {
        if group.open == '(' {
            let callee = self.current.last().and_then(|last| match last.node {
                Node::Word(word) if last.end == start => Some(word),
                _ => None,
            });
            if let Some(callee) = callee {
                renamed::drop_arguments(callee, &mut group.nodes);
                // `OrderedDict([('a', 1)])` is `OrderedDict({'a': 1})` since Python 3.12.
                if callee == "OrderedDict"
                    && let [Placed { node: Node::Group(list), .. }] = group.nodes.as_mut_slice()
                    && let Some(dict) = dict_of(list)
                {
                    *list = dict;
                }
                // `set([1, 2])` of Python 2 is `{1, 2}`.
                if callee == "set"
                    && let [Placed { node: Node::Group(list), .. }] = group.nodes.as_mut_slice()
                    && list.open == '['
                {
                    self.current.pop();
                    let set = Group { open: '{', nodes: std::mem::take(&mut list.nodes), inside: list.inside };
                    self.current.push(Placed { node: Node::Group(set), start, end });
                    return;
                }
                if renamed::is_scalar(callee)
                    && group.nodes.len() == 1
                    && let Some(inner) = group.nodes.pop()
                {
                    self.current.pop();
                    self.current.push(inner);
                    return;
                }
            }
        }
        self.current.push(Placed { node: Node::Group(group), start, end });
    }

    /// Brackets that were never closed are signs.
    fn finish(mut self) -> Vec<Placed<'t>> {
        let mut pieces = vec![std::mem::take(&mut self.current)];
        while let Some((_, lexeme, before)) = self.open.pop() {
            let node = self.leaf(&lexeme);
            pieces.push(vec![Placed { node, start: lexeme.start, end: lexeme.end }]);
            pieces.push(before);
        }
        pieces.into_iter().rev().flatten().collect()
    }
}

/// The dict that a list of pairs says; `None` for any other brackets.
fn dict_of<'t>(list: &Group<'t>) -> Option<Group<'t>> {
    let mut nodes: Vec<Placed<'t>> = Vec::with_capacity(2 * list.nodes.len());
    for item in list.items() {
        let [Placed { node: Node::Group(pair), .. }] = item else { return None };
        let parts = pair.items();
        let [key, value] = parts.as_slice() else { return None };
        let end = key.last()?.end;
        if let Some(before) = nodes.last().map(|last| last.end) {
            nodes.push(Placed { node: Node::Mark(","), start: before, end: before });
        }
        nodes.extend_from_slice(key);
        nodes.push(Placed { node: Node::Mark(":"), start: end, end });
        nodes.extend_from_slice(value);
    }
    (list.open == '[').then_some(Group { open: '{', nodes, inside: list.inside })
}

fn partner(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

impl<'t> Group<'t> {
    /// The pieces between its commas; a last one that is empty (`(1,)`) is none.
    pub(crate) fn items(&self) -> Vec<&[Placed<'t>]> {
        let is_comma = |placed: &Placed<'_>| placed.node == Node::Mark(",");
        let mut items: Vec<_> = self.nodes.split(is_comma).collect();
        if items.last().is_some_and(|last| last.is_empty()) {
            items.pop();
        }
        items
    }
}

/// Key and value of an item of a dict: what stands before and behind its first colon.
pub(crate) fn key_and_value<'n, 't>(item: &'n [Placed<'t>]) -> Option<(&'n [Placed<'t>], &'n [Placed<'t>])> {
    let colon = item.iter().position(|placed| placed.node == Node::Mark(":"))?;
    (colon > 0).then(|| (&item[..colon], &item[colon + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(nodes: &[Placed<'_>]) -> String {
        let node = |placed: &Placed<'_>| match &placed.node {
            Node::Number(numeral) => numeral.text.to_owned(),
            Node::Word(text) | Node::Quoted(text) | Node::Mark(text) => (*text).to_owned(),
            Node::Group(group) => format!("<{}>", shape(&group.nodes)),
        };
        nodes.iter().map(node).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn brackets_nest_and_strays_are_signs() {
        assert_eq!(shape(&tree("a(1, [2]) ) [ {3")), "a <1 , <2>> ) [ { 3");
        assert_eq!(shape(&tree("([)]")), "( <)>");
    }

    #[test]
    fn depth_is_bounded() {
        let deep = "[".repeat(100_000);
        assert_eq!(tree(&deep).len(), 100_000);
        let closed = format!("{deep}{}", "]".repeat(100_000));
        assert!(!tree(&closed).is_empty());
    }

    #[test]
    fn scalars_of_numpy_are_their_values() {
        assert_eq!(shape(&tree("[np.float64(1.5), np.str_('a'), array([1], dtype=int32)]")), "<1.5 , a , array <<1>>>");
    }
}
