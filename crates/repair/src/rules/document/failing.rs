//! Imports that fail although they are needed: what does not need them comes first, so that one missing library costs
//! no more than what uses it.

use nbrevive_pysource::ast::{Alias, Expr, Stmt};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::text_size::Ranged;

use super::unused::{is_about, local_name};
use crate::rules::change::Change;
use crate::rules::rule::{Rewrite, Rule, Trigger, example};
use crate::rules::signature::sig;
use crate::rules::view::{Place, Source, View};
use crate::rules::walk;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "notebook-failing-import",
    ("python", "3.0"),
    "an import that cannot be satisfied comes after what does not need it",
    Trigger::Error(&[sig("ModuleNotFoundError", "No module named"), sig("ImportError", "cannot import name")]),
    Rewrite::Code(failing_imports),
    example(
        "import nowhere\nimport numpy as np\ndef load():\n    return nowhere.table()\nx = np.arange(3)\ny = nowhere.table()\n",
        ("ModuleNotFoundError", "No module named 'nowhere'"),
        "import numpy as np\ndef load():\n    return nowhere.table()\nx = np.arange(3)\nimport nowhere  # fails: moved behind what does not need it\ny = nowhere.table()\n",
    ),
)];

/// By this the rule knows what it moved before, and does not let two failing imports pass each other for ever.
const MARK: &str = "  # fails: moved behind what does not need it";

fn failing_imports(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let body = source.parsed.body();
        if !source.parsed.errors().is_empty() {
            continue;
        }
        // One at a time: what is behind the first one has not been tried yet.
        for (number, statement) in body.iter().enumerate() {
            if let Some(split) = Split::of(view, source, statement)
                && let Some(edits) = moved(source, statement, &body[number + 1..], &split)
            {
                change.edit(Place(position), statement.start(), edits);
                break;
            }
        }
    }
}

/// An import statement, divided into what fails and what does not.
struct Split {
    /// The statement without the names that fail; empty when all do.
    kept: String,
    /// The statement with the names that fail alone.
    failing: String,
    /// The names that the failing part binds.
    names: Vec<String>,
}

impl Split {
    fn of(view: &View<'_>, source: &Source, statement: &Stmt) -> Option<Self> {
        let (module, aliases): (&str, &[Alias]) = match statement {
            Stmt::Import(import) => ("", &import.names),
            Stmt::ImportFrom(import) if import.level == 0 => {
                (import.module.as_ref().map(|name| name.as_str()).unwrap_or_default(), &import.names)
            }
            _ => return None,
        };
        let fails = |alias: &&Alias| view.errors.iter().any(|error| is_about(error, module, alias, source.cell));
        let (failing, kept): (Vec<&Alias>, Vec<&Alias>) = aliases.iter().partition(fails);
        if failing.is_empty() {
            return None;
        }
        let written = |aliases: &[&Alias]| {
            let names: Vec<&str> = aliases.iter().map(|alias| source.parsed.text(alias.range())).collect();
            match (names.is_empty(), module) {
                (true, _) => String::new(),
                (false, "") => format!("import {}", names.join(", ")),
                (false, module) => format!("from {module} import {}", names.join(", ")),
            }
        };
        let names = failing.iter().map(|alias| local_name(alias).to_owned()).collect();
        Some(Self { kept: written(&kept), failing: written(&failing), names })
    }
}

/// The edits that move the failing part before the first statement that needs it, or to the end; `None` when nothing
/// is gained by it.
fn moved(source: &Source, statement: &Stmt, following: &[Stmt], split: &Split) -> Option<Vec<Edit>> {
    let text = source.parsed.source();
    let line = whole_lines(text, statement)?;
    let passed = following.iter().take_while(|one| !needs(one, &split.names)).count();
    let moved_before = |one: &Stmt| text[one.range().end().to_usize()..].starts_with(MARK);
    let gained = following[..passed].iter().any(|one| !one.is_expr_stmt() && !moved_before(one));
    if split.kept.is_empty() && !gained {
        return None;
    }
    let kept = if split.kept.is_empty() { String::new() } else { format!("{}\n", split.kept) };
    let failing = format!("{}{MARK}\n", split.failing);
    if !gained {
        return Some(vec![Edit { range: line, text: format!("{kept}{failing}") }]);
    }
    let target = match following.get(passed) {
        Some(next) => Edit { range: line_start(text, next)..line_start(text, next), text: failing },
        None => {
            let failing = if text.ends_with('\n') { failing } else { format!("\n{}", failing.trim_end()) };
            Edit { range: text.len()..text.len(), text: failing }
        }
    };
    Some(vec![Edit { range: line, text: kept }, target])
}

/// Whether a statement needs one of the names when it runs; the inside of a function runs later.
fn needs(statement: &Stmt, names: &[String]) -> bool {
    if statement.is_function_def_stmt() {
        return false;
    }
    let mut found = false;
    walk::expressions(std::slice::from_ref(statement), &mut |expression, _| {
        if let Expr::Name(name) = expression {
            found |= names.iter().any(|one| one == name.id.as_str());
        }
    });
    found
}

fn line_start(text: &str, statement: &Stmt) -> usize {
    text[..statement.start().to_usize()].rfind('\n').map_or(0, |end| end + 1)
}

/// The lines of a statement that shares them with nothing but a comment.
fn whole_lines(text: &str, statement: &Stmt) -> Option<std::ops::Range<usize>> {
    let start = line_start(text, statement);
    let end = statement.end().to_usize();
    let line_end = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
    let behind = text[end..line_end].trim();
    (start == statement.start().to_usize() && (behind.is_empty() || behind.starts_with('#'))).then_some(start..line_end)
}
