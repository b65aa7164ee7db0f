//! Imports that fail although they are needed: what does not need them comes first, so that one missing library costs
//! no more than what uses it.

use nbrevive_pysource::ast::{Alias, Expr, Stmt};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::text_size::Ranged;

use super::unused::{is_about, local_name};
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::{Place, Source, View};
use crate::walk;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "notebook-failing-import",
    ("python", "3.0"),
    "an import that cannot be satisfied comes after what does not need it",
    Trigger::Error(&[
        sig("ModuleNotFoundError", "No module named"),
        sig("ImportError", "cannot import name"),
        sig("AttributeError", "module '*' has no attribute"),
    ]),
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
        // All imports of the library that is missing at once: each of them would fail the next execution.
        let splits: Vec<Option<Split>> = body.iter().map(|statement| Split::of(view, source, statement)).collect();
        for (number, statement) in body.iter().enumerate() {
            let following: Vec<(&Stmt, bool)> =
                body.iter().zip(&splits).skip(number + 1).map(|(next, split)| (next, split.is_some())).collect();
            if let Some(split) = &splits[number]
                && let Some(edits) = moved(source, statement, &following, split)
            {
                change.edit(Place(position), statement.start(), edits);
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
/// is gained by it. `following` are the statements behind it, and whether they fail too.
fn moved(source: &Source, statement: &Stmt, following: &[(&Stmt, bool)], split: &Split) -> Option<Vec<Edit>> {
    let text = source.parsed.source();
    let line = whole_lines(text, statement)?;
    let passed = following.iter().take_while(|(one, _)| !needs(one, &split.names)).count();
    let moved_before = |one: &Stmt| text[one.range().end().to_usize()..].starts_with(MARK);
    let gained = following[..passed].iter().any(|(one, fails)| !fails && !one.is_expr_stmt() && !moved_before(one));
    if split.kept.is_empty() && !gained {
        return None;
    }
    let kept = if split.kept.is_empty() { String::new() } else { format!("{}\n", split.kept) };
    let failing = format!("{}{MARK}\n", split.failing);
    if !gained {
        return Some(vec![Edit { range: line, text: format!("{kept}{failing}") }]);
    }
    let target = match following.get(passed) {
        Some((next, _)) => Edit { range: line_start(text, next)..line_start(text, next), text: failing },
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellFeedback;
    use crate::engine::rewritten;
    use crate::view::Code;

    fn mended(text: &str, (ename, evalue, arrow): (&str, &str, &str)) -> String {
        let error = CellFeedback {
            cell: 0,
            ename: ename.to_owned(),
            evalue: evalue.to_owned(),
            traceback: format!("----> 1 {arrow}"),
            line: Some(1),
        };
        let cells = [Source::new(0, text)];
        let finished = rewritten(&RULES[0], &Code::of(&cells), &[&error]);
        finished.texts.into_iter().next().map_or_else(|| text.to_owned(), |(_, text)| text)
    }

    #[test]
    fn all_imports_of_a_missing_library_move_at_once() {
        let missing = ("ModuleNotFoundError", "No module named 'theano'", "import theano");
        let text = mended(
            "import theano\nimport theano.tensor as T\nimport numpy as np\nx = np.zeros(3)\ny = T.dot(x, x)\n",
            missing,
        );
        insta::assert_snapshot!(text, @"
        import numpy as np
        x = np.zeros(3)
        import theano.tensor as T  # fails: moved behind what does not need it
        y = T.dot(x, x)
        import theano  # fails: moved behind what does not need it
        ");
        assert_eq!(mended(&text, missing), text);
        let nothing_between = "import theano\nimport theano.tensor as T\ny = T.dot(theano.x, 1)\n";
        assert_eq!(mended(nothing_between, missing), nothing_between);
    }

    #[test]
    fn a_library_that_breaks_while_it_is_imported_is_as_good_as_missing() {
        let broken = ("AttributeError", "module 'numpy' has no attribute 'bool'", "import theano");
        let text = mended("import theano\nx = 1\n", broken);
        assert_eq!(text, "x = 1\nimport theano  # fails: moved behind what does not need it\n");
        let elsewhere = ("AttributeError", "module 'numpy' has no attribute 'bool'", "x = np.bool");
        assert_eq!(mended("import theano\nx = np.bool\n", elsewhere), "import theano\nx = np.bool\n");
    }
}
