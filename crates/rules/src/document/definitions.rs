//! Definitions in a later cell: the notebook was once run in another order.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Alias, Expr, Stmt};
use nbrevive_pysource::parse::Parsed;
use nbrevive_pysource::text_size::Ranged;

use super::unused::local_name;
use crate::change::Change;
use crate::document::missing_name;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[Rule::new(
    "notebook-later-definition",
    ("python", "3.0"),
    "a function, class, import or constant of a later cell is needed earlier",
    Trigger::Error(&[sig("NameError", "name '*' is not defined")]),
    Rewrite::Code(later_definitions),
    example(
        "y = double(2)\ndef double(x):\n    return 2 * x\n",
        ("NameError", "name 'double' is not defined"),
        "def double(x):\n    return 2 * x\ny = double(2)\ndef double(x):\n    return 2 * x\n",
    ),
)];

/// Copies the definition before the first statement that misses it; the later one stays, and repeats it.
fn later_definitions(view: &View<'_>, change: &mut Change<'_>) {
    let mut seen = BTreeSet::new();
    for error in &view.errors {
        let Some(name) = missing_name(&error.evalue) else { continue };
        if !seen.insert(name) {
            continue;
        }
        let Some(cell) = view.code.cells.iter().position(|source| source.cell == error.cell) else { continue };
        let Some((statement, line)) = statement_at(view, Place(cell), error.line) else { continue };
        if binds(statement, name) {
            continue;
        }
        if let Some(text) = later_definition(view, cell, line, name) {
            change.line_before(Place(cell), statement, &text);
        }
    }
}

/// The statement at the top level of a cell that holds a line.
fn statement_at<'v>(view: &View<'v>, place: Place, line: Option<u32>) -> Option<(&'v Stmt, u32)> {
    let parsed = view.parsed(place);
    let line = line?;
    let holds = |statement: &&Stmt| (parsed.line(statement.start())..=parsed.line(statement.end())).contains(&line);
    parsed.body().iter().find(holds).map(|statement| (statement, line))
}

/// The text of the first definition of a name behind a line of a cell. A name that is bound before is left: it was
/// deleted, or its cell failed, and another rule has to mend that.
fn later_definition(view: &View<'_>, cell: usize, line: u32, name: &str) -> Option<String> {
    let before = view.code.cells.iter().enumerate().take(cell + 1).any(|(position, source)| {
        let earlier = |statement: &&Stmt| position < cell || source.parsed.line(statement.start()) < line;
        source.parsed.body().iter().filter(earlier).any(|statement| binds(statement, name))
    });
    if before {
        return None;
    }
    let mut later = view
        .code
        .cells
        .iter()
        .skip(cell)
        .filter(|source| source.parsed.errors().is_empty())
        .flat_map(|source| source.parsed.body().iter().map(move |statement| (&source.parsed, statement)));
    let (parsed, statement) = later.find(|(_, statement)| binds(statement, name))?;
    is_definition(statement).then(|| definition_text(parsed, statement, name))
}

/// The statement; of an import only the name that is missed, since the others may not be there any more.
fn definition_text(parsed: &Parsed, statement: &Stmt, name: &str) -> String {
    let one = |aliases: &[Alias]| {
        let alias = aliases.iter().find(|alias| local_name(alias) == name);
        alias.map_or("*", |alias| parsed.text(alias.range())).to_owned()
    };
    match statement {
        Stmt::Import(import) => format!("import {}", one(&import.names)),
        Stmt::ImportFrom(import) if import.level == 0 => {
            let module = import.module.as_ref().map(|module| module.as_str()).unwrap_or_default();
            format!("from {module} import {}", one(&import.names))
        }
        _ => parsed.text(statement.range()).to_owned(),
    }
}

fn binds(statement: &Stmt, name: &str) -> bool {
    match statement {
        Stmt::FunctionDef(function) => function.name.as_str() == name,
        Stmt::ClassDef(class) => class.name.as_str() == name,
        Stmt::Import(import) => import.names.iter().any(|alias| local_name(alias) == name),
        Stmt::ImportFrom(import) => import.names.iter().any(|alias| local_name(alias) == name),
        Stmt::Assign(assign) => assign.targets.iter().any(|target| match target {
            Expr::Tuple(_) | Expr::List(_) => {
                shape::elements(target).unwrap_or_default().iter().any(|one| shape::name(one) == Some(name))
            }
            _ => shape::name(target) == Some(name),
        }),
        _ => false,
    }
}

/// What can be repeated without harm, and needs nothing but itself.
fn is_definition(statement: &Stmt) -> bool {
    match statement {
        Stmt::FunctionDef(function) => function.decorator_list.is_empty(),
        Stmt::ClassDef(_) | Stmt::Import(_) | Stmt::ImportFrom(_) => true,
        Stmt::Assign(assign) => is_constant(&assign.value),
        _ => false,
    }
}

/// Literals, and lists and dicts of them.
fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::NumberLiteral(_) | Expr::StringLiteral(_) | Expr::BooleanLiteral(_) | Expr::NoneLiteral(_) => true,
        Expr::UnaryOp(unary) => is_constant(&unary.operand),
        Expr::Dict(dict) => {
            dict.items.iter().all(|item| item.key.as_ref().is_some_and(is_constant) && is_constant(&item.value))
        }
        _ => shape::elements(value).is_some_and(|elements| elements.iter().all(is_constant)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbrevive_pysource::parse::parse;

    #[test]
    fn of_an_import_only_the_missing_name_is_repeated() {
        let text_of = |source: &str, name: &str| {
            let parsed = parse(source);
            definition_text(&parsed, &parsed.body()[0], name)
        };
        assert_eq!(text_of("from a.b import (C, D as E,\n    F)\n", "E"), "from a.b import D as E");
        assert_eq!(text_of("import os, numpy as np\n", "np"), "import numpy as np");
        assert_eq!(text_of("X = [1, 2]\n", "X"), "X = [1, 2]");
    }
}
