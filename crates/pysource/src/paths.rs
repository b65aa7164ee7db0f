//! Folders that a notebook adds to the module search path: `sys.path.append("../input/helpers")`.
//!
//! A module found below such a folder is local, not a distribution: on Kaggle these are attached datasets and utility
//! scripts.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprCall, Operator, Stmt};
use ruff_text_size::Ranged;
use serde::Serialize;

use crate::magics::module::Lines;

/// A folder added to `sys.path` by a literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct ExtraPath {
    /// The folder as the code puts it together, relative to the working folder unless absolute. Functions that only
    /// normalise (`os.path.abspath`, `Path`, …) are looked through.
    pub path: String,
    /// Index into the cells given.
    pub cell: usize,
    /// Line of the statement in the cell, from 1.
    pub line: u32,
}

/// A folder whose name may need constants of the notebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pieces: Vec<Piece>,
    line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Name(String),
}

/// The folders that the statements of a cell add, in source order.
pub(crate) fn of_module(text: &str, body: &[Stmt]) -> Vec<Found> {
    if !text.contains("sys.path") && !text.contains("addsitedir") {
        return Vec::new();
    }
    let mut finder = Finder { lines: Lines::of(text), found: Vec::new() };
    finder.visit_body(body);
    finder.found
}

/// Puts in the constants: of each name the text that the cells up to this one assign to it last. A folder whose name is
/// only known at run time is left out.
pub(crate) fn resolve(cells: &[&str], cell: usize, found: &[Found]) -> Vec<ExtraPath> {
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => Some(text.clone()),
        Piece::Name(name) => cells[..=cell].iter().rev().find_map(|source| constant(source, name)),
    };
    let path = |found: &Found| found.pieces.iter().map(text).collect::<Option<String>>();
    let resolved = found.iter().filter_map(|found| Some(ExtraPath { path: path(found)?, cell, line: found.line }));
    resolved.filter(|extra| !extra.path.is_empty()).collect()
}

/// The literal that a line `name = "…"` of a cell assigns, the last one.
fn constant(source: &str, name: &str) -> Option<String> {
    let value = |line: &str| {
        let value = line.trim_start().strip_prefix(name)?.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (text, _) = value[1..].split_once(quote)?;
        (!text.is_empty() && !text.contains('\\')).then(|| text.to_owned())
    };
    source.lines().rev().find_map(value)
}

struct Finder {
    lines: Lines,
    found: Vec<Found>,
}

impl Finder {
    fn push(&mut self, folder: &Expr) {
        if let Some(pieces) = pieces(folder) {
            self.found.push(Found { pieces, line: self.lines.line(folder.start().to_usize()) });
        }
    }

    fn push_all(&mut self, folders: &Expr) {
        for folder in elements(folders) {
            self.push(folder);
        }
    }

    fn call(&mut self, call: &ExprCall) {
        let Expr::Attribute(function) = &*call.func else { return };
        let argument = |index: usize| call.arguments.args.get(index);
        let folder = match function.attr.as_str() {
            "addsitedir" => argument(0),
            "append" if is_search_path(&function.value) => argument(0),
            "insert" if is_search_path(&function.value) => argument(1),
            "extend" if is_search_path(&function.value) => {
                return argument(0).into_iter().for_each(|all| self.push_all(all));
            }
            _ => None,
        };
        if let Some(folder) = folder {
            self.push(folder);
        }
    }
}

impl Visitor<'_> for Finder {
    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::AugAssign(sum) if is_search_path(&sum.target) => self.push_all(&sum.value),
            Stmt::Assign(assignment) if assignment.targets.iter().any(is_target) => self.push_all(&assignment.value),
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &Expr) {
        if let Expr::Call(call) = expression {
            self.call(call);
        }
        walk_expr(self, expression);
    }
}

/// `sys.path`.
fn is_search_path(expression: &Expr) -> bool {
    let is_sys = |owner: &Expr| owner.as_name_expr().is_some_and(|name| name.id == "sys");
    expression.as_attribute_expr().is_some_and(|found| found.attr.as_str() == "path" && is_sys(&found.value))
}

/// `sys.path = …` and `sys.path[0:0] = …`.
fn is_target(target: &Expr) -> bool {
    is_search_path(target) || target.as_subscript_expr().is_some_and(|found| is_search_path(&found.value))
}

/// The elements of a list, of lists added, or the expression itself.
fn elements(expression: &Expr) -> Vec<&Expr> {
    match expression {
        Expr::List(list) => list.elts.iter().collect(),
        Expr::Tuple(tuple) => tuple.elts.iter().collect(),
        Expr::BinOp(sum) if sum.op == Operator::Add => [elements(&sum.left), elements(&sum.right)].concat(),
        Expr::StringLiteral(_) => vec![expression],
        _ => Vec::new(),
    }
}

/// The parts of a folder's name; `None` when it takes more than literals and names to know it.
fn pieces(expression: &Expr) -> Option<Vec<Piece>> {
    match expression {
        Expr::StringLiteral(text) => Some(vec![Piece::Text(text.value.to_str().to_owned())]),
        Expr::Name(name) => Some(vec![Piece::Name(name.id.to_string())]),
        Expr::BinOp(sum) if sum.op == Operator::Add => Some([pieces(&sum.left)?, pieces(&sum.right)?].concat()),
        Expr::BinOp(path) if path.op == Operator::Div => joined([&*path.left, &*path.right].into_iter()),
        Expr::Attribute(constant) => of_system(&constant.attr),
        Expr::Call(call) => of_call(call),
        _ => None,
    }
}

/// `os.pardir`, `os.curdir`.
fn of_system(name: &str) -> Option<Vec<Piece>> {
    let text = match name {
        "pardir" => "..",
        "curdir" => ".",
        _ => return None,
    };
    Some(vec![Piece::Text(text.to_owned())])
}

fn of_call(call: &ExprCall) -> Option<Vec<Piece>> {
    let (owner, name) = match &*call.func {
        Expr::Name(name) => (None, name.id.as_str()),
        Expr::Attribute(attribute) => (Some(&*attribute.value), attribute.attr.as_str()),
        _ => return None,
    };
    let arguments = &call.arguments.args;
    match (name, arguments.len()) {
        ("getcwd" | "cwd", 0) => Some(vec![Piece::Text(".".to_owned())]),
        ("join" | "joinpath" | "Path" | "PurePath" | "PosixPath", 1..) => joined(arguments.iter()),
        ("abspath" | "realpath" | "normpath" | "expanduser" | "str" | "fspath", 1) => pieces(&arguments[0]),
        // Methods of paths: `Path("x").resolve()`.
        ("resolve" | "absolute" | "as_posix" | "expanduser", 0) => pieces(owner?),
        _ => None,
    }
}

fn joined<'a>(parts: impl Iterator<Item = &'a Expr>) -> Option<Vec<Piece>> {
    let mut all = Vec::new();
    for part in parts {
        if !all.is_empty() {
            all.push(Piece::Text("/".to_owned()));
        }
        all.extend(pieces(part)?);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use crate::survey::survey;

    fn paths(cells: &[&str]) -> Vec<String> {
        survey(cells)
            .extra_paths
            .into_iter()
            .map(|extra| format!("{}:{} {}", extra.cell, extra.line, extra.path))
            .collect()
    }

    #[test]
    fn literals_are_found_however_they_are_written() {
        let cell = "\
sys.path.append('../input/a')
sys.path.insert(0, os.path.join('..', 'b'))
sys.path.extend(['c', 'd'])
sys.path += ['e']
sys.path = ['f'] + sys.path
site.addsitedir('g')
sys.path.append(os.path.abspath(os.path.join(os.getcwd(), os.pardir)))
sys.path.append(str(Path('h').resolve() / 'i'))
if x:
    sys.path.append('j/' + 'k')
sys.path.append(f())
other.path.append('no')
sys.path[0:0] = ['l']";
        let expected = [
            "0:1 ../input/a",
            "0:2 ../b",
            "0:3 c",
            "0:3 d",
            "0:4 e",
            "0:5 f",
            "0:6 g",
            "0:7 ./..",
            "0:8 h/i",
            "0:10 j/k",
            "0:13 l",
        ];
        assert_eq!(paths(&[cell]), expected);
    }

    #[test]
    fn constants_come_from_the_cells_before() {
        let cells = ["ROOT = \"../input\"", "sys.path.append(ROOT + '/x')\nsys.path.append(other)", "other = 'late'"];
        assert_eq!(paths(&cells), ["1:1 ../input/x"]);
    }
}
