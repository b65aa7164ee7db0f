//! Imports that fail and that nothing needs: the rest of their cell is worth more than they are.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Alias, Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::CellFeedback;
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::{captures, sig};
use crate::view::{Place, View};
use crate::walk;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "notebook-unused-import",
    ("python", "3.0"),
    "an import that cannot be satisfied binds a name that nothing uses",
    Trigger::Error(&[sig("ModuleNotFoundError", "No module named"), sig("ImportError", "")]),
    Rewrite::Code(unused_imports),
    example(
        "from gensim.summarization import summarize\nfrom sklearn.nowhere import Nothing\nx = summarize\n",
        ("ModuleNotFoundError", "No module named 'sklearn.nowhere'"),
        "from gensim.summarization import summarize\nx = summarize\n",
    ),
)];

fn unused_imports(view: &View<'_>, change: &mut Change<'_>) {
    let used = used_names(view);
    for (position, source) in view.code.cells.iter().enumerate() {
        if !source.parsed.errors().is_empty() {
            continue;
        }
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, around| {
            let (module, names): (&str, &[Alias]) = match statement {
                Stmt::Import(import) => ("", &import.names),
                Stmt::ImportFrom(import) if import.level == 0 => {
                    (import.module.as_ref().map(|name| name.as_str()).unwrap_or_default(), &import.names)
                }
                _ => return,
            };
            let fails = |alias: &Alias| view.errors.iter().any(|error| is_about(error, module, alias, source.cell));
            let unused = |alias: &Alias| !used.contains(local_name(alias));
            let dropped = |alias: &Alias| unused(alias) && fails(alias);
            if !names.iter().any(dropped) {
                return;
            }
            let kept: Vec<&str> =
                names.iter().filter(|alias| !dropped(alias)).map(|alias| source.parsed.text(alias.range())).collect();
            if kept.is_empty() {
                change.remove(place, statement, around);
            } else if module.is_empty() {
                change.replace(place, statement.range(), format!("import {}", kept.join(", ")));
            } else {
                change.replace(place, statement.range(), format!("from {module} import {}", kept.join(", ")));
            }
        });
    }
}

/// Names that any cell reads; also in cells that do not parse as a whole.
fn used_names<'v>(view: &View<'v>) -> BTreeSet<&'v str> {
    let mut used = BTreeSet::new();
    for source in view.code.cells {
        walk::expressions(source.parsed.body(), &mut |expression, _| {
            if let Expr::Name(name) = expression {
                used.insert(name.id.as_str());
            }
        });
    }
    used
}

/// The name that an import binds; `import *` may bind anything.
pub(super) fn local_name(alias: &Alias) -> &str {
    match &alias.asname {
        Some(local) => local.as_str(),
        None => alias.name.split('.').next().unwrap_or_default(),
    }
}

/// Whether an error comes from this import: it names the module or the name, or it blames the line.
pub(super) fn is_about(error: &CellFeedback, module: &str, alias: &Alias, cell: usize) -> bool {
    if alias.name.as_str() == "*" || error.cell != cell {
        return false;
    }
    let message = &error.evalue;
    if let Some(found) = captures("No module named '*'", message).and_then(|found| found.first().copied()) {
        let whole = if module.is_empty() { alias.name.as_str() } else { module };
        let inner = format!("{whole}.{}", alias.name.as_str());
        if whole == found || whole.starts_with(&format!("{found}.")) || inner == found {
            return true;
        }
    }
    if let Some(found) = captures("cannot import name '*' from '*'", message)
        && found.first() == Some(&alias.name.as_str())
        && found.get(1) == Some(&module)
    {
        return true;
    }
    // The import reached a library that fails by itself.
    let text = if module.is_empty() { format!("import {}", alias.name.as_str()) } else { format!("from {module} ") };
    error.traceback.lines().any(|line| line.contains("> ") && line.contains(&text))
}
