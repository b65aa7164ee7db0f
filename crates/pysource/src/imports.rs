//! Imports of a notebook's code cells, at any depth, from the syntax tree.
//!
//! Found are statements, `__import__` and `importlib.import_module` with literal names, extensions that magics load, and
//! what `%matplotlib` and `%pylab` import. A cell that the Python 3 grammar rejects is read by the tolerant grammar too,
//! so that one broken or Python 2 line costs no other import.

mod statements;
mod tolerant;

use std::collections::HashSet;

use serde::Serialize;

use crate::magics::{Escape, EscapeKind, SplitCell, module::with_module, split};

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
}

/// The imports of a notebook's code cells, in order of cell and line.
#[must_use]
pub fn imports(cells: &[&str]) -> Vec<Import> {
    cells.iter().enumerate().flat_map(|(index, cell)| of_cell(cell, index)).collect()
}

/// Names of the modules and packages that cells write themselves with `%%writefile` or `%%file`: importing them needs
/// no distribution.
#[must_use]
pub fn written_modules(cells: &[&str]) -> Vec<String> {
    let written = |cell: &&str| {
        let path = written_file(&split(cell))?;
        let path = path.trim_start_matches("./").trim_end_matches(".py");
        path.split('/').find(|part| !matches!(*part, "" | "." | "..")).map(str::to_owned)
    };
    cells.iter().filter_map(written).collect()
}

/// The path of the Python file that a cell writes.
fn written_file(cell: &SplitCell) -> Option<String> {
    let magic = cell.magic().filter(|magic| matches!(magic.name.as_str(), "writefile" | "file"))?;
    let path = magic.arguments.split_whitespace().rfind(|word| !word.starts_with('-'))?;
    let path = path.trim_matches(['"', '\'']);
    path.ends_with(".py").then(|| path.to_owned())
}

fn of_cell(source: &str, index: usize) -> Vec<Import> {
    let cell = split(source);
    let mut found = match &cell.opaque_body {
        Some(body) => {
            let mut found = Vec::new();
            if written_file(&cell).is_some() {
                found = of_text(&source[body.clone()]);
                let lines_before = cell.magic().map_or(0, |magic| magic.line);
                for import in &mut found {
                    import.line += lines_before;
                    import.how = How::WrittenFile;
                }
            }
            found
        }
        None => of_text(&cell.python),
    };
    for escape in &cell.escapes {
        found.extend(of_escape(source, escape));
    }
    for import in &mut found {
        import.cell = index;
    }
    found.sort_by_key(|import| import.line);
    found
}

/// The imports of a text without magics. Cell indices are left at 0.
fn of_text(text: &str) -> Vec<Import> {
    let walked = with_module(text, |module| (statements::collect(text, module.suite()), module.errors().is_empty()));
    let (mut found, is_whole) = walked.unwrap_or_default();
    if !is_whole {
        let key = |import: &Import| (import.line, import.module.clone());
        let seen: HashSet<(u32, String)> = found.iter().map(key).collect();
        found.extend(tolerant::collect(text).into_iter().filter(|import| !seen.contains(&key(import))));
        found.sort_by_key(|import| import.line);
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
const OWN_EXTENSIONS: [&str; 4] = ["autoreload", "storemagic", "sympyprinting", "IPython"];

/// What a line magic imports.
fn of_line_magic(name: &str, arguments: &str, line: u32) -> Vec<Import> {
    let import =
        |module: &str, how| Import { module: module.to_owned(), names: Vec::new(), level: 0, cell: 0, line, how };
    match name {
        "load_ext" | "reload_ext" => {
            let module = arguments.split_whitespace().next().unwrap_or("").trim_matches(['"', '\'']);
            let is_own = OWN_EXTENSIONS.contains(&module.split('.').next().unwrap_or(""));
            let found = is_module_name(module) && !is_own;
            found.then(|| import(module, How::LoadExt)).into_iter().collect()
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
