//! Other forms of the same code: names, layout, chained calls, the order of keywords.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use nbrevive_corpus::string_enum;
use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::edits::Edits;
use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::Ranged;

use crate::kind::Kind;
use crate::view::{Code, Source};
use crate::{shape, walk};

string_enum! {
    /// In what form a trigger is tried.
    pub enum Form ("form of a trigger") {
        /// As the table has it, in one cell.
        Own => "own",
        /// With other variable names: the receiver is `train` instead of `df`.
        Renamed => "renamed",
        /// One statement a cell.
        Cells => "cells",
        /// Inside of a function, with the set-up as its arguments.
        Function => "function",
        /// Inside of a loop.
        Loop => "loop",
        /// Methods called on the result of a call instead of a variable.
        Chained => "chained",
        /// Keyword arguments in the reverse order.
        Keywords => "keywords",
        /// Three triggers of a library in one cell.
        Together => "together",
    }
}

impl Form {
    /// The cells of code in this form; `setup` is how many of its lines (from the first) are set-up. `None` where the
    /// form cannot be made of it, or is the code itself.
    pub(super) fn cells(self, code: &str, setup: usize) -> Option<Vec<String>> {
        let cells = match self {
            Self::Own => return Some(vec![code.to_owned()]),
            Self::Renamed => vec![renamed(code, other_name)?],
            Self::Cells => split(code, setup),
            Self::Function => vec![in_function(code, setup)?],
            Self::Loop => vec![in_loop(code, setup)?],
            Self::Chained => vec![chained(code, setup)?],
            Self::Keywords => vec![keywords_reversed(code)?],
            Self::Together => return None,
        };
        (cells.len() > 1 || cells[0] != code).then_some(cells)
    }
}

/// How many lines two texts share at their beginning, cut to a statement's end.
pub(super) fn shared_lines(one: &str, other: &str) -> usize {
    let same = one.lines().zip(other.lines()).take_while(|(a, b)| a == b).count();
    let is_end = |lines: &usize| {
        let next = one.lines().nth(*lines).unwrap_or_default();
        let head: Vec<&str> = one.lines().take(*lines).collect();
        !next.starts_with([' ', '\t', ')', ']', '}']) && !head.last().is_some_and(|line| line.ends_with(':'))
    };
    (0..=same).rev().find(is_end).unwrap_or(0)
}

/// Setup and rest.
fn cut(code: &str, setup: usize) -> (String, String) {
    let line = |text: &str| format!("{text}\n");
    (code.lines().take(setup).map(line).collect(), code.lines().skip(setup).map(line).collect())
}

/// Names that code binds by assignment, loops and `with`, other than those of parameters and `r`.
pub(super) fn bound_names(parsed: &Parsed) -> BTreeSet<String> {
    let mut bound = BTreeSet::new();
    let mut parameters = BTreeSet::new();
    let mut keep = |target: &Expr| {
        walk_targets(target, &mut |name| {
            bound.insert(name.to_owned());
        });
    };
    walk::statements(parsed.body(), &mut |statement, _| match statement {
        Stmt::Assign(assign) => assign.targets.iter().for_each(&mut keep),
        Stmt::AugAssign(assign) => keep(&assign.target),
        Stmt::For(block) => keep(&block.target),
        Stmt::With(block) => block.items.iter().filter_map(|item| item.optional_vars.as_deref()).for_each(&mut keep),
        Stmt::FunctionDef(function) => {
            parameters.extend(function.parameters.iter().map(|one| one.name().to_string()));
        }
        _ => {}
    });
    walk::expressions(parsed.body(), &mut |expression, _| {
        if let Expr::Lambda(lambda) = expression {
            parameters.extend(lambda.parameters.iter().flat_map(|all| all.iter()).map(|one| one.name().to_string()));
        }
    });
    bound.retain(|name| !parameters.contains(name));
    bound
}

fn walk_targets(target: &Expr, keep: &mut dyn FnMut(&str)) {
    match target {
        Expr::Name(name) => keep(name.id.as_str()),
        Expr::Tuple(_) | Expr::List(_) => {
            shape::elements(target).unwrap_or_default().iter().for_each(|one| walk_targets(one, keep));
        }
        _ => {}
    }
}

fn other_name(name: &str) -> Option<String> {
    let known = [
        ("df", "train"),
        ("s", "target"),
        ("X", "features"),
        ("y", "labels"),
        ("a", "first"),
        ("b", "second"),
        ("m", "clf"),
        ("g", "groups"),
        ("ax", "axis1"),
        ("fig", "figure1"),
        ("f", "file1"),
    ];
    if name == "r" {
        return None;
    }
    let found = known.iter().find(|(old, _)| *old == name).map(|(_, new)| (*new).to_owned());
    Some(found.unwrap_or_else(|| format!("my_{name}")))
}

/// Code with its variables renamed; Python 2 is renamed word by word.
pub(super) fn renamed(code: &str, new_name: impl Fn(&str) -> Option<String>) -> Option<String> {
    let parsed = parse(code);
    if !parsed.errors().is_empty() {
        return None;
    }
    let map: BTreeMap<String, String> =
        bound_names(&parsed).into_iter().filter_map(|name| new_name(&name).map(|new| (name, new))).collect();
    let mut edits = Edits::default();
    walk::expressions(parsed.body(), &mut |expression, _| {
        if let Some(new) = shape::name(expression).and_then(|name| map.get(name)) {
            edits.replace(expression.range(), new.clone());
        }
    });
    (!edits.is_empty()).then(|| edits.apply(code))
}

fn split(code: &str, setup: usize) -> Vec<String> {
    let parsed = parse(code);
    if !parsed.errors().is_empty() || parsed.body().is_empty() {
        let (before, after) = cut(code, setup);
        return [before, after].into_iter().filter(|cell| !cell.is_empty()).collect();
    }
    let lines: Vec<&str> = code.lines().collect();
    let starts: BTreeSet<usize> =
        parsed.body().iter().map(|statement| parsed.line(statement.start()) as usize - 1).collect();
    let mut bounds: Vec<usize> = starts.into_iter().collect();
    bounds[0] = 0;
    bounds.push(lines.len());
    bounds.windows(2).map(|pair| lines[pair[0]..pair[1]].iter().map(|line| format!("{line}\n")).collect()).collect()
}

fn indented(code: &str) -> String {
    code.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect()
}

/// True where moving code to the right would change it.
fn is_rigid(code: &str) -> bool {
    code.contains("import *") || code.contains("'''") || code.contains("\"\"\"") || code.contains("__future__")
}

fn in_function(code: &str, setup: usize) -> Option<String> {
    let (before, after) = cut(code, setup);
    let parsed = parse(&before);
    if is_rigid(&after) || after.is_empty() || !after.contains("r = ") {
        return None;
    }
    let names: Vec<String> = bound_names(&parsed).into_iter().filter(|name| word_in(&after, name)).collect();
    let names = names.join(", ");
    let mut text = before;
    let _ = write!(text, "def compute({names}):\n{}    return r\nr = compute({names})\n", indented(&after));
    Some(text)
}

fn word_in(text: &str, word: &str) -> bool {
    let part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

fn in_loop(code: &str, setup: usize) -> Option<String> {
    let (before, after) = cut(code, setup);
    (!is_rigid(&after) && !after.is_empty()).then(|| format!("{before}for turn in range(1):\n{}", indented(&after)))
}

/// Receivers that are frames, series or arrays become copies of themselves; what writes to them keeps them.
fn chained(code: &str, setup: usize) -> Option<String> {
    let cells = [Source::new(0, code)];
    let code_view = Code::of(&cells);
    let parsed = &cells[0].parsed;
    if !parsed.errors().is_empty() {
        return None;
    }
    let first = code.lines().take(setup).map(|line| line.len() + 1).sum::<usize>();
    let mut edits = Edits::default();
    walk::expressions(parsed.body(), &mut |expression, around| {
        let Expr::Name(_) = expression else { return };
        let receiver = match around.parent() {
            Some(Expr::Attribute(attribute)) => attribute.value.range() == expression.range(),
            Some(Expr::Subscript(subscript)) => subscript.value.range() == expression.range(),
            _ => false,
        };
        let writes = matches!(around.statements.first(), Some(Stmt::Assign(assign)) if !assign.targets.iter().all(Expr::is_name_expr))
            || matches!(around.statements.first(), Some(Stmt::Expr(_) | Stmt::AugAssign(_) | Stmt::Delete(_)));
        let kinds = code_view.kinds.infer(expression, &code_view.names);
        let copies =
            !kinds.is_empty() && kinds.iter().all(|kind| matches!(kind, Kind::Frame | Kind::Series | Kind::Array));
        if receiver && copies && !writes && usize::from(expression.start()) >= first {
            edits.insert(usize::from(expression.end()), ".copy()");
        }
    });
    (!edits.is_empty()).then(|| edits.apply(code))
}

fn keywords_reversed(code: &str) -> Option<String> {
    let parsed = parse(code);
    if !parsed.errors().is_empty() {
        return None;
    }
    let mut edits = Edits::default();
    walk::expressions(parsed.body(), &mut |expression, _| {
        let Expr::Call(call) = expression else { return };
        let keywords = &call.arguments.keywords;
        let ordered = call.arguments.args.iter().all(|one| keywords.iter().all(|k| one.end() < k.start()));
        if keywords.len() < 2 || !ordered || keywords.iter().any(|one| one.arg.is_none()) {
            return;
        }
        let texts = keywords.iter().rev().map(|one| parsed.text(one.range()).to_owned());
        let group = keywords
            .iter()
            .zip(texts)
            .map(|(one, text)| nbrevive_pysource::edits::Edit { range: one.range().into(), text });
        edits.add_all(group.collect());
    });
    (!edits.is_empty()).then(|| edits.apply(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str =
        "import pandas as pd\ndf = pd.DataFrame({'a': [1]})\nr = df.sort(columns='a', ascending=False)\n";

    fn text(form: Form) -> String {
        form.cells(CODE, 2).unwrap().join("# %%\n")
    }

    #[test]
    fn forms_change_the_layout_and_the_names_alone() {
        insta::assert_snapshot!(text(Form::Renamed), @"
        import pandas as pd
        train = pd.DataFrame({'a': [1]})
        r = train.sort(columns='a', ascending=False)
        ");
        insta::assert_snapshot!(text(Form::Cells), @"
        import pandas as pd
        # %%
        df = pd.DataFrame({'a': [1]})
        # %%
        r = df.sort(columns='a', ascending=False)
        ");
        insta::assert_snapshot!(text(Form::Function), @"
        import pandas as pd
        df = pd.DataFrame({'a': [1]})
        def compute(df):
            r = df.sort(columns='a', ascending=False)
            return r
        r = compute(df)
        ");
        insta::assert_snapshot!(text(Form::Loop), @"
        import pandas as pd
        df = pd.DataFrame({'a': [1]})
        for turn in range(1):
            r = df.sort(columns='a', ascending=False)
        ");
        insta::assert_snapshot!(text(Form::Chained), @"
        import pandas as pd
        df = pd.DataFrame({'a': [1]})
        r = df.copy().sort(columns='a', ascending=False)
        ");
        insta::assert_snapshot!(text(Form::Keywords), @"
        import pandas as pd
        df = pd.DataFrame({'a': [1]})
        r = df.sort(ascending=False, columns='a')
        ");
    }

    #[test]
    fn set_up_ends_where_a_statement_ends() {
        assert_eq!(shared_lines("a = 1\nb = f(\n    1)\n", "a = 1\nb = f(\n    2)\n"), 1);
        assert_eq!(shared_lines("a = 1\nb = 2\n", "a = 1\nc = 2\n"), 1);
    }
}
