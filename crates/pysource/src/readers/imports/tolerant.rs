//! Imports from the tolerant grammar, for cells that are not whole in Python 3.

use tree_sitter::{Node, Tree};

use super::{How, Import, is_module_name};
use crate::magics::module::walk_nodes;

/// The import statements that the tolerant grammar reads without an error inside them.
pub(super) fn collect(text: &str, tree: &Tree) -> Vec<Import> {
    let mut found = Vec::new();
    walk_nodes(tree, |node| match node.kind() {
        "import_statement" | "import_from_statement" | "future_import_statement" if !node.has_error() => {
            found.extend(of_statement(node, text));
        }
        _ => {}
    });
    found
}

fn of_statement(node: Node<'_>, text: &str) -> Vec<Import> {
    let mut cursor = node.walk();
    let named: Vec<String> =
        node.children_by_field_name("name", &mut cursor).map(|name| dotted_name(name, text)).collect();
    let import = |module: &str, names, level| Import {
        module: module.to_owned(),
        names,
        level,
        cell: 0,
        line: u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX),
        how: how(node),
    };
    match node.kind() {
        "import_statement" => {
            named.iter().filter(|name| is_module_name(name)).map(|name| import(name, Vec::new(), 0)).collect()
        }
        "future_import_statement" => vec![import("__future__", named, 0)],
        _ => {
            let written = node.child_by_field_name("module_name").map_or("", |module| slice(module, text));
            let module = written.trim_start_matches(['.', ' ']);
            let level = u32::try_from(written.matches('.').count() - module.matches('.').count()).unwrap_or(0);
            let mut names = named;
            if node.named_children(&mut node.walk()).any(|child| child.kind() == "wildcard_import") {
                names.push("*".to_owned());
            }
            let is_usable = level > 0 || is_module_name(module);
            is_usable.then(|| import(module, names, level)).into_iter().collect()
        }
    }
}

fn slice<'a>(node: Node<'_>, text: &'a str) -> &'a str {
    text.get(node.byte_range()).unwrap_or("")
}

/// The name of `a.b` and of `a.b as c`, without blanks.
fn dotted_name(node: Node<'_>, text: &str) -> String {
    let name = node.child_by_field_name("name").unwrap_or(node);
    slice(name, text).chars().filter(|c| !c.is_whitespace()).collect()
}

/// The nearest enclosing statement that tells; a parent is followed for 100 levels, Python's own limit of nesting.
fn how(node: Node<'_>) -> How {
    let mut how = How::Statement;
    let (mut child, mut parent) = (node, node.parent());
    for _ in 0..100 {
        let Some(node) = parent else { break };
        match node.kind() {
            "function_definition" => return How::FunctionLevel,
            "except_clause" => return How::TryExcept { alternative: true },
            "try_statement" if node.child_by_field_name("body") == Some(child) => {
                return How::TryExcept { alternative: false };
            }
            "if_statement" | "for_statement" | "while_statement" => how = How::Conditional,
            _ => {}
        }
        (child, parent) = (node, node.parent());
    }
    how
}
