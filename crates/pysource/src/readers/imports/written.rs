//! Python files that cells bring into the working folder themselves, and those that they run there.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, ExprCall, Stmt};

use crate::magics::{CellMagic, Escape, EscapeKind, SplitCell};

/// The path of the Python file that a magic writes.
pub(super) fn file(magic: &CellMagic) -> Option<&str> {
    let path = magic.arguments.split_whitespace().rfind(|word| !word.starts_with('-'))?;
    let path = unquoted(path);
    path.ends_with(".py").then_some(path)
}

/// The modules and packages that a cell writes, copies or downloads by a magic or a shell line: of a written path its first
/// folder, of others the file.
pub(crate) fn modules(cell: &SplitCell) -> Vec<String> {
    let written = cell.magic().filter(|magic| matches!(magic.name.as_str(), "writefile" | "file")).and_then(file);
    let mut found: Vec<String> = written.and_then(top_level).into_iter().collect();
    for escape in cell.escapes.iter().filter(|escape| escape.body.contains(".py")) {
        let mut words = words(escape);
        if words.next().is_some_and(|word| matches!(word, "cp" | "mv" | "wget" | "curl" | "ln")) {
            found.extend(words.filter_map(brought));
        }
    }
    found
}

/// The modules that calls of a cell's Python copy, download or write: `shutil.copyfile("../input/kit/tools.py", …)`,
/// `open("tools.py", "w")`.
pub(crate) fn of_module(text: &str, body: &[Stmt]) -> Vec<String> {
    if !text.contains(".py") {
        return Vec::new();
    }
    let mut finder = Finder { found: Vec::new() };
    finder.visit_body(body);
    finder.found
}

/// The Python files and notebooks that a cell runs: `%run tools.py`, `!python train.py`.
pub(crate) fn run_files(cell: &SplitCell) -> Vec<String> {
    let run = |escape: &Escape| {
        let mut words = words(escape);
        let program = words.next()?;
        let is_python = program.rsplit('/').next().is_some_and(|name| name.starts_with("python"));
        let file = unquoted(words.find(|word| !word.starts_with('-'))?);
        let is_run = program == "run" && escape.kind != EscapeKind::Shell;
        let is_file = file.ends_with(".py") || (is_run && file.ends_with(".ipynb"));
        ((is_python || is_run) && is_file).then(|| file.to_owned())
    };
    cell.escapes.iter().filter_map(run).collect()
}

/// The words of a line magic or a shell line, none of other escapes.
fn words(escape: &Escape) -> impl Iterator<Item = &str> {
    let is_command = matches!(escape.kind, EscapeKind::Shell | EscapeKind::Automagic | EscapeKind::LineMagic);
    let body = if is_command { escape.body.as_str() } else { "" };
    escape.name.split_whitespace().chain(body.split_whitespace())
}

fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '\''])
}

/// The module in a Python file that is copied or downloaded.
fn brought(path: &str) -> Option<String> {
    let path = unquoted(path).split('?').next().unwrap_or("");
    path.strip_suffix(".py")?.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The name under which a file below the working folder is imported.
fn top_level(path: &str) -> Option<String> {
    let path = path.strip_suffix(".py").unwrap_or(path);
    path.split('/').find(|part| !matches!(*part, "" | "." | "..")).map(str::to_owned)
}

struct Finder {
    found: Vec<String>,
}

impl Finder {
    fn call(&mut self, call: &ExprCall) {
        let name = match &*call.func {
            Expr::Name(name) => name.id.as_str(),
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            _ => return,
        };
        let values = call.arguments.args.iter().chain(call.arguments.keywords.iter().map(|keyword| &keyword.value));
        let literals: Vec<&str> =
            values.filter_map(|value| Some(value.as_string_literal_expr()?.value.to_str())).collect();
        let writes = match name {
            "copyfile" | "copy" | "copy2" | "move" | "rename" | "symlink" | "urlretrieve" => true,
            "open" => literals.get(1).is_some_and(|mode| mode.starts_with(['w', 'a', 'x'])),
            _ => false,
        };
        if writes {
            self.found.extend(literals.into_iter().filter_map(brought));
        }
    }
}

impl Visitor<'_> for Finder {
    fn visit_expr(&mut self, expression: &Expr) {
        if let Expr::Call(call) = expression {
            self.call(call);
        }
        walk_expr(self, expression);
    }
}
