//! The examples in the documentation of a module: a notebook for each function, class and method, a cell for each example, with what it is
//! said to show as its saved output.

use std::collections::BTreeSet;

use nbrevive_notebook::{Cell, CellKind, Notebook, Output};
use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::names::{missing_names, names};
use nbrevive_pysource::parse::with_file;
use serde_json::{Map, Value};

use super::doctest::{Doctest, read};

/// Names that documentation takes for granted, and what they stand for.
const GRANTED: [(&str, &str); 5] = [
    ("np", "import numpy as np"),
    ("pd", "import pandas as pd"),
    ("plt", "import matplotlib.pyplot as plt"),
    ("nx", "import networkx as nx"),
    ("sns", "import seaborn as sns"),
];

/// The import of a name of a module; `None` where it has none of it.
pub type ImportOf<'a> = dyn Fn(&str, &str) -> Option<String> + 'a;

/// The notebooks of a module by path; none of what is not meant for users.
pub(super) fn notebooks((path, text): (&String, &String), import: &ImportOf<'_>) -> Vec<(String, Notebook)> {
    let Some(stem) = path.strip_suffix(".py") else { return Vec::new() };
    let module = stem.strip_suffix("/__init__").unwrap_or(stem).replace('/', ".");
    if module.split('.').any(|part| part.starts_with('_')) || !text.contains(">>>") {
        return Vec::new();
    }
    let read_all = |body: &[Stmt]| (documented(body), bare_imports(body));
    let (documented, bare) = with_file(text, |parsed| read_all(parsed.body())).unwrap_or_default();
    let package = module.split('.').next().unwrap_or_default();
    let import = |missing: &str| {
        let bare = bare.contains(missing).then(|| format!("import {missing}"));
        bare.or_else(|| import(&module, missing)).or_else(|| import(package, missing))
    };
    let notebook = |(name, text): (String, String)| {
        let notebook = notebook(&read(&text), &import)?;
        Some((format!("documentation/{module}.{name}.ipynb"), notebook))
    };
    documented.into_iter().filter_map(notebook).collect()
}

/// The packages that a module imports under their own names.
fn bare_imports(body: &[Stmt]) -> BTreeSet<String> {
    let imports = body.iter().filter_map(Stmt::as_import_stmt).flat_map(|import| &import.names);
    let bare = imports.filter(|alias| alias.asname.is_none());
    bare.filter_map(|alias| alias.name.split('.').next()).map(str::to_owned).collect()
}

/// Functions, classes and methods with their documentation.
fn documented(body: &[Stmt]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for statement in body {
        let (name, inner) = match statement {
            Stmt::FunctionDef(function) => (function.name.as_str(), &function.body),
            Stmt::ClassDef(class) => (class.name.as_str(), &class.body),
            _ => continue,
        };
        if name.starts_with('_') {
            continue;
        }
        if let Some(Stmt::Expr(first)) = inner.first()
            && let Some(text) = first.value.as_string_literal_expr()
        {
            found.push((name.to_owned(), text.value.to_str().to_owned()));
        }
        if statement.is_class_def_stmt() {
            // Classes within classes are nobody's example.
            let methods = inner.iter().filter(|one| one.is_function_def_stmt()).cloned().collect::<Vec<_>>();
            found.extend(documented(&methods).into_iter().map(|(method, text)| (format!("{name}.{method}"), text)));
        }
    }
    found
}

/// The notebook of some examples; `None` where there are none, or one is to be passed over.
fn notebook(examples: &[Doctest], import: &dyn Fn(&str) -> Option<String>) -> Option<Notebook> {
    if examples.is_empty() || examples.iter().any(Doctest::is_skipped) {
        return None;
    }
    let code: Vec<&str> = examples.iter().map(|one| one.code.as_str()).collect();
    let imports = taken_for_granted(&code, import);
    let mut cells = Vec::new();
    if !imports.is_empty() {
        cells.push(Cell::code(imports.join("\n")));
    }
    cells.extend(examples.iter().filter(|one| !one.raises()).map(cell));
    Some(Notebook::from_cells(cells))
}

/// The imports of what code looks up and never binds: usual names, then those of the module that it documents, as module `doctest` has
/// them, or of its package.
fn taken_for_granted(code: &[&str], import: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let order: Vec<usize> = (0..code.len()).collect();
    let missing: BTreeSet<String> = missing_names(&names(code), &order)
        .into_iter()
        .filter(|one| one.defined.is_none())
        .map(|one| one.name)
        .collect();
    let usual =
        |missing: &String| GRANTED.iter().find(|(name, _)| name == missing).map(|(_, import)| (*import).to_owned());
    missing.iter().filter_map(|name| usual(name).or_else(|| import(name))).collect()
}

fn cell(example: &Doctest) -> Cell {
    let mut cell = Cell::code(example.code.clone());
    if let CellKind::Code { outputs, .. } = &mut cell.kind
        && !example.shown.is_empty()
    {
        outputs.push(output(example));
    }
    cell
}

/// What an example shows: printed text, or the value of an expression.
fn output(example: &Doctest) -> Output {
    if example.code.contains("print") {
        return Output::Stream { name: "stdout".to_owned(), text: format!("{}\n", example.shown) };
    }
    let data = Map::from_iter([("text/plain".to_owned(), Value::String(example.shown.clone()))]);
    Output::ExecuteResult { execution_count: None, data, metadata: Map::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_documented_thing_is_a_notebook_with_what_it_shows() {
        let text = "class C:\n    '''\n    >>> np.zeros(1)\n    array([0.])\n    '''\n    def f(self):\n        '''\n        >>> print(1)\n        1\n        '''\n    def _g(self):\n        '''>>> 1'''\ndef h():\n    '''\n    >>> x() # doctest: +SKIP\n    '''\n";
        let found = notebooks((&"x/a/__init__.py".to_owned(), &text.to_owned()), &|_, _| None);
        let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(paths, ["documentation/x.a.C.ipynb", "documentation/x.a.C.f.ipynb"]);
        let cells = |at: usize| &found[at].1.cells;
        assert_eq!(cells(0)[0].source, "import numpy as np");
        assert!(
            matches!(&cells(0)[1].outputs()[0], Output::ExecuteResult { data, .. } if data["text/plain"] == "array([0.])")
        );
        assert!(matches!(&cells(1)[0].outputs()[0], Output::Stream { text, .. } if text == "1\n"));
    }

    #[test]
    fn names_come_from_the_module_or_its_package() {
        let text = "import re, a.b\ndef f():\n    '''\n    >>> re.sub(a.x(y), Frame, other)\n    '''\n";
        let import = |module: &str, name: &str| match (module, name) {
            ("x.core", "y") => Some("from x import y".to_owned()),
            ("x", "Frame") => Some("from x import Frame".to_owned()),
            _ => None,
        };
        let found = notebooks((&"x/core.py".to_owned(), &text.to_owned()), &import);
        assert_eq!(found[0].1.cells[0].source, "from x import Frame\nimport a\nimport re\nfrom x import y");
    }

    #[test]
    fn names_that_nobody_binds_are_imported() {
        let import = |name: &str| (name == "Frame").then(|| "from p import Frame".to_owned());
        let granted = |code: &[&str]| taken_for_granted(code, &import);
        assert_eq!(granted(&["x = np.zeros(1)", "Frame(x)"]), ["from p import Frame", "import numpy as np"]);
        assert!(granted(&["import numpy as np", "np.zeros(1); a.np.b; snp.zeros(len([]))"]).is_empty());
        assert!(granted(&["pd = 1", "pd + 1"]).is_empty());
    }
}
