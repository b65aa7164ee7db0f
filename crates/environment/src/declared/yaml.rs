//! YAML with its lines, as far as declarations go: texts, lists and maps of the first document.
//!
//! The events come from `saphyr-parser`. An alias is the node that it names, shared and not copied, so that a file of a few lines which
//! names itself again and again stays as small as it is; depth and number of nodes are bounded.

use std::collections::HashMap;
use std::rc::Rc;

use saphyr_parser::{Event, Parser};

/// Deepest nesting.
const DEEPEST: usize = 24;
/// Most nodes.
const MOST_NODES: usize = 100_000;

/// A node and the line where it starts, from 1.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) line: u32,
    pub(super) value: YamlValue,
}

/// What a node is.
#[derive(Debug)]
pub(super) enum YamlValue {
    Text(String),
    List(Vec<Rc<Node>>),
    Map(Vec<(Rc<Node>, Rc<Node>)>),
}

/// No document can be had of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoYaml {
    pub(super) line: u32,
    pub(super) why: String,
}

impl Node {
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Rc<Node>]> {
        match &self.value {
            YamlValue::List(list) => Some(list),
            _ => None,
        }
    }

    /// The entry of a map.
    pub(super) fn get(&self, key: &str) -> Option<&Rc<Node>> {
        match &self.value {
            YamlValue::Map(map) => map.iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// A list or map that is not closed yet.
struct Open {
    line: u32,
    anchor: usize,
    is_map: bool,
    items: Vec<Rc<Node>>,
}

/// Reads the first document; `Ok(None)` for an empty text.
pub(super) fn first_document(text: &str) -> Result<Option<Rc<Node>>, NoYaml> {
    let mut builder = Builder { open: Vec::new(), anchors: HashMap::new(), nodes: 0 };
    for event in Parser::new_from_str(text) {
        let (event, span) =
            event.map_err(|error| NoYaml { line: number(error.marker().line()), why: error.info().to_owned() })?;
        let line = number(span.start.line());
        let closed = builder.event(event, line).map_err(|why| NoYaml { line, why: why.to_owned() })?;
        if closed.is_some() {
            return Ok(closed);
        }
    }
    Ok(None)
}

struct Builder {
    open: Vec<Open>,
    anchors: HashMap<usize, Rc<Node>>,
    nodes: usize,
}

impl Builder {
    /// Takes an event; the document's node where it closes it.
    fn event(&mut self, event: Event<'_>, line: u32) -> Result<Option<Rc<Node>>, &'static str> {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err("more nodes than any list of requirements has");
        }
        match event {
            Event::SequenceStart(anchor, _) => self.begin(line, anchor, false).map(|()| None),
            Event::MappingStart(anchor, _) => self.begin(line, anchor, true).map(|()| None),
            Event::SequenceEnd | Event::MappingEnd => Ok(self.end()),
            Event::Scalar(text, _, anchor, _) => {
                Ok(self.add(anchor, Node { line, value: YamlValue::Text(text.into_owned()) }))
            }
            Event::Alias(anchor) => {
                let named = self.anchors.get(&anchor).cloned().ok_or("an alias of what is not closed")?;
                Ok(self.place(named))
            }
            Event::DocumentEnd => Err("an empty document"),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) => Ok(None),
        }
    }

    fn begin(&mut self, line: u32, anchor: usize, is_map: bool) -> Result<(), &'static str> {
        if self.open.len() >= DEEPEST {
            return Err("nested more deeply than any list of requirements is");
        }
        self.open.push(Open { line, anchor, is_map, items: Vec::new() });
        Ok(())
    }

    fn end(&mut self) -> Option<Rc<Node>> {
        let Open { line, anchor, is_map, items } = self.open.pop()?;
        let value = if is_map {
            let mut items = items.into_iter();
            let pairs = std::iter::from_fn(|| Some((items.next()?, items.next()?)));
            YamlValue::Map(pairs.collect())
        } else {
            YamlValue::List(items)
        };
        self.add(anchor, Node { line, value })
    }

    fn add(&mut self, anchor: usize, node: Node) -> Option<Rc<Node>> {
        let node = Rc::new(node);
        if anchor > 0 {
            self.anchors.insert(anchor, Rc::clone(&node));
        }
        self.place(node)
    }

    /// Puts a node where it belongs; gives it back where that is the document.
    fn place(&mut self, node: Rc<Node>) -> Option<Rc<Node>> {
        match self.open.last_mut() {
            Some(open) => {
                open.items.push(node);
                None
            }
            None => Some(node),
        }
    }
}

fn number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_know_their_lines_and_aliases_are_shared() {
        let text = "a: &x\n  - one\n  - two\nb: *x\nc: {d: e}\n";
        let root = first_document(text).unwrap().unwrap();
        let list = root.get("b").unwrap().list().unwrap();
        assert_eq!((list[1].text(), list[1].line), (Some("two"), 3));
        assert_eq!(root.get("c").unwrap().get("d").unwrap().text(), Some("e"));
        assert!(Rc::ptr_eq(root.get("a").unwrap(), root.get("b").unwrap()));
    }

    #[test]
    fn bombs_stay_small_and_depth_is_bounded() {
        let mut bomb = "a0: &a0 [x]\n".to_owned();
        for at in 1..60 {
            bomb.push_str(&format!("a{at}: &a{at} [{}]\n", vec![format!("*a{}", at - 1); 9].join(",")));
        }
        assert!(first_document(&bomb).unwrap().is_some());
        let why = |text: &str| first_document(text).unwrap_err().why;
        // The parser has a limit of its own for brackets.
        assert!(first_document(&"[".repeat(100_000)).is_err());
        assert!(why(&"[".repeat(100)).contains("nested more deeply"));
        assert!(why(&"- ".repeat(5_000)).contains("nested more deeply"));
        assert!(why("a: &a [*a]").contains("alias"), "{}", why("a: &a [*a]"));
        assert!(first_document("").unwrap().is_none());
        assert_eq!(first_document("a: b\n c: d\n").unwrap_err().line, 2);
    }
}
