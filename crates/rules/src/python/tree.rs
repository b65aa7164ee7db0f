//! Python 2 text under tree-sitter, which reads both dialects. IPython lines are blanked, byte for byte.

use tree_sitter::{Node, Parser, Tree};

/// The tree of a cell; `None` only when the grammar cannot be loaded.
pub(super) fn parse(source: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
    parser.parse(without_magics(source), None)
}

/// Lines of magics and shell commands become comments of the same length.
fn without_magics(source: &str) -> String {
    source
        .split_inclusive('\n')
        .map(|line| {
            let trimmed = line.trim_start();
            if trimmed.starts_with(['%', '!', '?'])
                || trimmed.trim_end().ends_with('?') && !trimmed.contains(['#', '\'', '"'])
            {
                blanked(line)
            } else {
                line.to_owned()
            }
        })
        .collect()
}

fn blanked(line: &str) -> String {
    let body = line.trim_end_matches(['\n', '\r']);
    format!("{}{}", " ".repeat(body.len()), &line[body.len()..])
}

/// Visits all nodes, outer ones first.
pub(super) fn visit<'t>(node: Node<'t>, each: &mut dyn FnMut(Node<'t>)) {
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        each(node);
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.children(&mut cursor).collect();
        stack.extend(children.into_iter().rev());
    }
}
