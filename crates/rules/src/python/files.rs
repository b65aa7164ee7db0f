//! Files: Python 2 told those of text from binary ones by the ends of their lines alone.

use std::collections::HashSet;

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt, WithItem};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::change::{Change, insertion, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk::Surroundings;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "python-binary-pickles",
        ("python", "3.0"),
        "what is pickled lies in binary files",
        Trigger::Error(&[
            sig("TypeError", "write() argument must be str, not bytes"),
            sig("TypeError", "a bytes-like object is required, not 'str'"),
            sig("UnicodeDecodeError", "codec can't decode byte"),
        ]),
        Rewrite::Code(pickles),
        example(
            "import pickle\npickle.dump(x, open('a.pkl', 'w'))\nwith open('a.pkl') as f:\n    y = pickle.load(f)\n",
            ("TypeError", "write() argument must be str, not bytes"),
            "import pickle\npickle.dump(x, open('a.pkl', 'wb'))\nwith open('a.pkl', 'rb') as f:\n    y = pickle.load(f)\n",
        ),
    ),
    Rule::new(
        "python-binary-csv-files",
        ("python", "3.0"),
        "what is read and written as text is opened as text",
        Trigger::Error(&[
            sig("TypeError", "a bytes-like object is required, not 'str'"),
            sig("Error", "iterator should return strings, not bytes"),
            sig("TypeError", "cannot use a string pattern on a bytes-like object"),
            sig("TypeError", "first arg must be bytes or a tuple of bytes"),
        ]),
        Rewrite::Code(text_files),
        example(
            "import csv\nw = csv.writer(open('a.csv', 'wb'))\n",
            ("TypeError", "a bytes-like object is required, not 'str'"),
            "import csv\nw = csv.writer(open('a.csv', 'w', newline=''))\n",
        ),
    ),
    Rule::new(
        "python-universal-newlines",
        ("python", "3.11"),
        "the mode U is gone: all ends of lines are read as one",
        Trigger::Error(&[sig("ValueError", "invalid mode: '")]),
        Rewrite::Code(universal_newlines),
        example("f = open('a.txt', 'rU')\n", ("ValueError", "invalid mode: 'rU'"), "f = open('a.txt', 'r')\n"),
    )
    .certain(),
];

/// The functions that write or read a pickle, and where the file stands among their arguments.
const PICKLES: [(&str, usize); 4] =
    [("pickle.dump", 1), ("pickle.load", 0), ("pickle.Pickler", 0), ("pickle.Unpickler", 0)];

/// Files of pickles: calls of `open`, and names within one function of one cell.
#[derive(Default)]
struct Pickled<'a> {
    files: HashSet<TextRange>,
    names: HashSet<(Place, Option<TextRange>, &'a str)>,
}

impl<'a> Pickled<'a> {
    fn of(view: &View<'a>) -> Self {
        let mut pickled = Self::default();
        view.calls(|place, call, around| {
            let Some(called) = view.qualified(&call.func) else { return };
            let Some((_, at)) = PICKLES.iter().find(|(function, _)| *function == called) else { return };
            match call.arguments.args.get(*at) {
                Some(Expr::Name(name)) => drop(pickled.names.insert((place, scope(around), name.id.as_str()))),
                Some(file) => drop(pickled.files.insert(file.range())),
                None => {}
            }
        });
        pickled
    }

    fn has(&self, place: Place, call: &ExprCall, around: &Surroundings<'a, '_>) -> bool {
        let is_named =
            |name: Option<&'a str>| name.is_some_and(|name| self.names.contains(&(place, scope(around), name)));
        self.files.contains(&call.range())
            || match around.statement() {
                Stmt::Assign(assign) if assign.value.range() == call.range() => {
                    is_named(assign.targets.first().and_then(shape::name))
                }
                Stmt::With(block) => {
                    let holds = |item: &&WithItem| item.context_expr.range() == call.range();
                    is_named(
                        block
                            .items
                            .iter()
                            .find(holds)
                            .and_then(|item| item.optional_vars.as_deref())
                            .and_then(shape::name),
                    )
                }
                _ => false,
            }
    }
}

/// The function around.
fn scope(around: &Surroundings<'_, '_>) -> Option<TextRange> {
    around.statements.iter().rev().find(|one| one.is_function_def_stmt()).map(Ranged::range)
}

/// Visits the calls of `open`, each with whether a pickle lies in its file.
fn opened<'a>(view: &View<'a>, mut visit: impl FnMut(Place, &'a ExprCall, &Surroundings<'a, '_>, bool)) {
    let pickled = Pickled::of(view);
    view.calls(|place, call, around| {
        if shape::name(&call.func) == Some("open") {
            visit(place, call, around, pickled.has(place, call, around));
        }
    });
}

fn pickles(view: &View<'_>, change: &mut Change<'_>) {
    opened(view, |place, call, _, is_pickled| {
        if !is_pickled {
            return;
        }
        let edit = match call.arguments.args.get(1).map(|mode| (mode, shape::text(mode))) {
            Some((mode, Some(text @ ("r" | "w" | "a")))) => replacement(mode.range(), format!("'{text}b'")),
            None if call.arguments.keywords.is_empty() => {
                let Some(path) = call.arguments.args.first() else { return };
                insertion(path.end(), ", 'rb'")
            }
            _ => return,
        };
        change.edit(place, call.start(), vec![edit]);
    });
}

/// Ends of names of files that hold no text.
const BINARY: [&str; 20] = [
    ".pkl", ".pickle", ".p", ".npy", ".npz", ".mat", ".png", ".jpg", ".jpeg", ".gif", ".gz", ".bz2", ".zip", ".bin",
    ".dat", ".h5", ".pdf", ".wav", ".db", ".joblib",
];

fn text_files(view: &View<'_>, change: &mut Change<'_>) {
    opened(view, |place, call, _, is_pickled| {
        let Some(mode) = call.arguments.args.get(1) else { return };
        let text = match shape::text(mode) {
            Some("wb" | "bw") => "'w'",
            Some("rb" | "br" | "rbU" | "rUb") => "'r'",
            Some("ab") => "'a'",
            _ => return,
        };
        let path = call.arguments.args.first().and_then(shape::text).unwrap_or_default();
        let is_binary = is_pickled || BINARY.iter().any(|end| path.ends_with(end));
        if !is_binary && shape::keyword(call, "newline").is_none() {
            let edits = vec![replacement(mode.range(), text), insertion(mode.end(), ", newline=''")];
            change.edit(place, call.range().start(), edits);
        }
    });
}

fn universal_newlines(view: &View<'_>, change: &mut Change<'_>) {
    opened(view, |place, call, _, _| {
        let Some(mode) = call.arguments.args.get(1) else { return };
        match shape::text(mode) {
            Some("U" | "rU" | "Ur") => drop(change.replace(place, mode.range(), "'r'")),
            Some("rbU" | "rUb") => drop(change.replace(place, mode.range(), "'rb'")),
            _ => {}
        }
    });
}
