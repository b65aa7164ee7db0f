//! The imports of one cell: see [`crate::imports`].

mod cython;
mod linewise;
mod statements;
mod tolerant;
pub(crate) mod written;

pub(crate) use statements::catches;

use std::collections::HashSet;

use ruff_python_ast::Stmt;
use serde::Serialize;
use tree_sitter::Tree;

use crate::magics::module::{tolerant_tree, with_module};
use crate::magics::{CellMagic, Escape, EscapeKind, SplitCell};

/// One import of one module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Import {
    /// The module, dotted, as written; empty in `from . import x`.
    pub module: String,
    /// The names behind `from … import`, `*` included; empty for `import module`.
    pub names: Vec<String>,
    /// Leading dots of a relative import, 0 for absolute ones.
    pub level: u32,
    /// Index into the cells given.
    pub cell: usize,
    /// Line of the statement in the cell, from 1.
    pub line: u32,
    /// How it is imported.
    pub how: How,
}

/// How a module is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// A statement that runs with its cell.
    Statement,
    /// A statement in a function: runs when the function does.
    FunctionLevel,
    /// A statement under `if`, in a loop or in a `match`.
    Conditional,
    /// A statement in a `try` that catches a failing import.
    TryExcept {
        /// In the handler: tried when the import before it failed.
        alternative: bool,
    },
    /// `__import__("module")`.
    Dunder,
    /// `importlib.import_module("module")`.
    Importlib,
    /// `%load_ext module`, for extensions that do not come with IPython.
    LoadExt,
    /// `%matplotlib` or `%pylab`.
    MatplotlibMagic,
    /// A statement in a Python file that the cell writes (`%%writefile name.py`).
    WrittenFile,
    /// A statement in a literal text of code: `exec("import module")`, `timeit.timeit(setup="import module")`.
    Executed,
    /// `%%cython`, which needs Cython itself, or an `import` or `cimport` in its body.
    Cython,
}

/// Whether a text without magics may hold an import: a statement, a function, or a magic written as a call.
pub(crate) fn may_import(python: &str) -> bool {
    python.contains("import") || python.contains("magic")
}

/// The imports of a cell taken apart, in order of lines. `found` are those of its Python, from [`of_module`].
pub(crate) fn of_cell(index: usize, source: &str, cell: &SplitCell, mut found: Vec<Import>) -> Vec<Import> {
    if let (Some(body), Some(magic)) = (&cell.opaque_body, cell.magic()) {
        found = of_opaque(magic, &source[body.clone()]);
    }
    for escape in &cell.escapes {
        found.extend(of_escape(source, escape));
    }
    for import in &mut found {
        import.cell = index;
    }
    found.sort_by_key(|import| import.line);
    found
}

/// What the body of a magic imports where it is another kind of Python: a file that is written, or Cython.
fn of_opaque(magic: &CellMagic, body: &str) -> Vec<Import> {
    let mut found = match magic.name.as_str() {
        "writefile" | "file" if written::file(magic).is_some() => {
            let inner = of_text(body).into_iter();
            inner.map(|import| Import { how: How::WrittenFile, ..import }).collect()
        }
        "cython" | "cython_inline" | "cython_pyximport" => cython::collect(body),
        _ => Vec::new(),
    };
    for import in &mut found {
        import.line += magic.line;
    }
    found
}

/// The imports in the tree of the Python 3 parser. Cell indices are left at 0.
pub(crate) fn of_module(text: &str, body: &[Stmt]) -> Vec<Import> {
    statements::collect(text, body)
}

/// Adds what can be read of a text that the Python 3 parser did not read whole: first by the tolerant grammar, which
/// knows what is around a statement, then line by line, for what both lost behind an open bracket.
pub(crate) fn add_tolerant(found: &mut Vec<Import>, text: &str, tree: Option<&Tree>) {
    let key = |import: &Import| (import.line, import.module.clone());
    let tolerant = tree.map(|tree| tolerant::collect(text, tree)).unwrap_or_default();
    for more in [tolerant, linewise::collect(text)] {
        let seen: HashSet<(u32, String)> = found.iter().map(key).collect();
        found.extend(more.into_iter().filter(|import| !seen.contains(&key(import))));
    }
    found.sort_by_key(|import| import.line);
}

/// The imports of a text without magics. Cell indices are left at 0.
fn of_text(text: &str) -> Vec<Import> {
    if !text.contains("import") {
        return Vec::new();
    }
    let walked = with_module(text, |module| (of_module(text, module.suite()), module.errors().is_empty()));
    let (mut found, is_whole) = walked.unwrap_or_default();
    if !is_whole {
        add_tolerant(&mut found, text, tolerant_tree(text).as_ref());
    }
    found
}

fn of_escape(source: &str, escape: &Escape) -> Vec<Import> {
    match escape.kind {
        EscapeKind::LineMagic | EscapeKind::Automagic => {}
        EscapeKind::Shell | EscapeKind::Help | EscapeKind::AutoCall => return Vec::new(),
    }
    let mut found = of_line_magic(&escape.name, &escape.body, escape.line);
    // A simple statement stays in the blanked text and was found there; a compound one did not fit.
    if let Some(python) = &escape.python
        && crate::magics::is_compound_statement(&source[python.clone()])
    {
        let inner = of_text(&source[python.clone()]);
        found.extend(inner.into_iter().map(|import| Import { line: escape.line, ..import }));
    }
    found
}

/// Extensions that IPython itself brings.
const OWN_EXTENSIONS: [&str; 5] = ["autoreload", "parallelmagic", "storemagic", "sympyprinting", "IPython"];

/// Extensions that IPython brought up to 1.x for a distribution of another name.
const OLD_EXTENSIONS: [(&str, &str); 3] = [("cythonmagic", "Cython"), ("octavemagic", "oct2py"), ("rmagic", "rpy2")];

/// What a line magic imports.
fn of_line_magic(name: &str, arguments: &str, line: u32) -> Vec<Import> {
    let import =
        |module: &str, how| Import { module: module.to_owned(), names: Vec::new(), level: 0, cell: 0, line, how };
    match name {
        "load_ext" | "reload_ext" => {
            let module = arguments.split_whitespace().next().unwrap_or("").trim_matches(['"', '\'']);
            let old = OLD_EXTENSIONS.iter().find(|(extension, _)| *extension == module);
            let module = old.map_or(module, |(_, module)| module);
            let is_own = OWN_EXTENSIONS.contains(&module.split('.').next().unwrap_or(""));
            let found = is_module_name(module) && !is_own;
            found.then(|| import(module, How::LoadExt)).into_iter().collect()
        }
        // `%aimport a, b` of autoreload imports; `-a` takes a module out of the reloading.
        "aimport" => {
            let modules = arguments.split([',', ' ']).filter(|module| is_module_name(module));
            modules.map(|module| import(module, How::Statement)).collect()
        }
        "matplotlib" => vec![import("matplotlib", How::MatplotlibMagic)],
        "pylab" => vec![import("matplotlib", How::MatplotlibMagic), import("numpy", How::MatplotlibMagic)],
        _ => Vec::new(),
    }
}

fn is_module_name(text: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    text.split('.').all(is_name)
}

#[cfg(test)]
mod tests;
