//! Built-in names and text methods of Python 2.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion, replacement};
use crate::methods::renamed;
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::View;
use crate::walk;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "python-built-in-names",
        ("python", "3.0"),
        "xrange, unicode, raw_input and other built-ins have other names",
        Trigger::Error(&[sig("NameError", "name '*' is not defined")]),
        Rewrite::Code(names),
        example(
            "x = [unicode(i) for i in xrange(3)]\ny = reduce(f, x)\nz = cmp(1, 2)\n",
            ("NameError", "name 'xrange' is not defined"),
            "from functools import reduce\nx = [str(i) for i in range(3)]\ny = reduce(f, x)\nz = ((1 > 2) - (1 < 2))\n",
        ),
    ),
    Rule::new(
        "python-text-methods",
        ("python", "3.0"),
        "has_key, string.join, decode of text and translate(None, …) are gone",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'has_key'"),
            sig("AttributeError", "module 'string' has no attribute"),
            sig("AttributeError", "'str' object has no attribute 'decode'"),
            sig("TypeError", "str.translate() takes exactly one argument"),
            sig("TypeError", "Strings must be encoded before hashing"),
            sig("AttributeError", "object has no attribute 'next'"),
            sig("AttributeError", "object has no attribute 'getchildren'"),
        ]),
        Rewrite::Code(methods),
        example(
            "a = d.has_key('x')\nb = string.join(words, ',')\nc = t.decode('utf-8')\ne = t.translate(None, p)\nf = it.next()\n",
            ("AttributeError", "'dict' object has no attribute 'has_key'"),
            "a = ('x' in d)\nb = ','.join(words)\nc = t.decode('utf-8')\ne = t.translate(str.maketrans('', '', p))\nf = next(it)\n",
        ),
    ),
    Rule::new(
        "python-text-decode",
        ("python", "3.0"),
        "text has no decode: it is Unicode already",
        Trigger::Error(&[sig("AttributeError", "'str' object has no attribute 'decode'")]),
        Rewrite::Code(decode),
        example("c = t.decode('utf-8')\n", ("AttributeError", "'str' object has no attribute 'decode'"), "c = t\n"),
    ),
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
        "python-exception-message",
        ("python", "3.0"),
        "an exception has no message; its text is one",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'message'")]),
        Rewrite::Code(message),
        example(
            "try:\n    f()\nexcept ValueError as e:\n    print(e.message)\n",
            ("AttributeError", "'ValueError' object has no attribute 'message'"),
            "try:\n    f()\nexcept ValueError as e:\n    print(str(e))\n",
        ),
    ),
    Rule::new(
        "python-dict-iteration",
        ("python", "3.0"),
        "itervalues, iterkeys and the view methods of dicts lost their prefixes",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'iter"),
            sig("AttributeError", "object has no attribute 'view"),
        ]),
        Rewrite::Method(&[
            renamed(On::Any, "itervalues", "values"),
            renamed(On::Any, "iterkeys", "keys"),
            renamed(On::Any, "viewvalues", "values"),
            renamed(On::Any, "viewkeys", "keys"),
            renamed(On::Any, "viewitems", "items"),
        ]),
        example(
            "a = [v for v in d.itervalues()]\n",
            ("AttributeError", "'dict' object has no attribute 'itervalues'"),
            "a = [v for v in d.values()]\n",
        ),
    ),
    Rule::new(
        "python-binary-csv-files",
        ("python", "3.0"),
        "csv files are opened as text",
        Trigger::Error(&[
            sig("TypeError", "a bytes-like object is required, not 'str'"),
            sig("Error", "iterator should return strings, not bytes"),
        ]),
        Rewrite::Code(csv_files),
        example(
            "import csv\nw = csv.writer(open('a.csv', 'wb'))\n",
            ("TypeError", "a bytes-like object is required, not 'str'"),
            "import csv\nw = csv.writer(open('a.csv', 'w', newline=''))\n",
        ),
    ),
];

/// Old name and new name; an empty new name means that a function imports it.
const NAMES: [(&str, &str); 12] = [
    ("xrange", "range"),
    ("unicode", "str"),
    ("basestring", "str"),
    ("raw_input", "input"),
    ("long", "int"),
    ("unichr", "chr"),
    ("file", "open"),
    ("buffer", "memoryview"),
    ("StandardError", "Exception"),
    ("reduce", ""),
    ("reload", ""),
    ("intern", ""),
];

fn names(view: &View<'_>, change: &mut Change<'_>) {
    let missing: Vec<&str> = view
        .errors
        .iter()
        .filter_map(|error| captures("name '*' is not defined", &error.evalue))
        .filter_map(|found| found.first().copied())
        .collect();
    let python_2 = missing
        .iter()
        .any(|name| NAMES.iter().any(|(old, _)| old == name) || matches!(*name, "cmp" | "execfile" | "apply"));
    if !python_2 {
        return;
    }
    let assigned = assigned_names(view);
    view.expressions(|place, expression, around| {
        let Expr::Name(name) = expression else { return };
        let local = name.id.as_str();
        if !name.ctx.is_load() || assigned.contains(local) || view.code.names.bound(local).is_some() {
            return;
        }
        if let Some((old, new)) = NAMES.iter().find(|(old, _)| *old == local) {
            match (*old, *new) {
                ("reduce", _) => change_import(change, place, "functools.reduce"),
                ("reload", _) => change_import(change, place, "importlib.reload"),
                ("intern", _) => change_import(change, place, "sys.intern"),
                (_, new) => {
                    change.replace(place, name.range(), new);
                    return;
                }
            }
            // The name stays; replacing it by itself carries the import along.
            change.replace(place, name.range(), local);
            return;
        }
        let Some(Expr::Call(call)) = around.parent().filter(|_| matches!(local, "cmp" | "execfile" | "apply")) else {
            return;
        };
        if call.func.range() != name.range() {
            return;
        }
        let edit = CallEdit::new(view.parsed(place), call);
        let values: Vec<&str> = edit.positional().iter().map(|number| edit.value_text(*number)).collect();
        match (local, &values[..]) {
            ("cmp", [a, b]) => {
                change.replace(place, call.range(), format!("(({a} > {b}) - ({a} < {b}))"));
            }
            ("apply", [function, arguments @ ..]) if arguments.len() < 3 => {
                let stars = arguments.iter().zip(["*", "**"]).map(|(one, star)| format!("{star}{one}"));
                change.replace(place, call.range(), format!("{function}({})", stars.collect::<Vec<_>>().join(", ")));
            }
            ("execfile", [path]) => {
                change.replace(place, call.range(), format!("exec(open({path}).read())"));
            }
            _ => {}
        }
    });
}

fn change_import(change: &mut Change<'_>, place: crate::view::Place, dotted: &str) {
    let (module, name) = dotted.rsplit_once('.').unwrap_or(("", dotted));
    change.need_import(place, format!("from {module} import {name}"));
}

fn assigned_names(view: &View<'_>) -> std::collections::HashSet<String> {
    let mut names = std::collections::HashSet::new();
    view.expressions(|_, expression, _| {
        if let Expr::Name(name) = expression
            && name.ctx.is_store()
        {
            names.insert(name.id.to_string());
        }
    });
    names
}

fn methods(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let parsed = view.parsed(place);
        let Some((attribute, name)) = shape::method(call) else { return };
        let receiver = receiver_text(parsed, attribute);
        let edit = CallEdit::new(parsed, call);
        let values: Vec<&str> = edit.positional().iter().map(|number| edit.value_text(*number)).collect();
        let text = match (name, &values[..]) {
            ("has_key", [key]) => format!("({key} in {receiver})"),
            ("join", [words, separator]) if receiver == "string" => format!("{separator}.join({words})"),
            ("join", [words]) if receiver == "string" => format!("' '.join({words})"),
            ("lower" | "upper" | "strip" | "split" | "replace", [text, rest @ ..]) if receiver == "string" => {
                format!("{text}.{name}({})", rest.join(", "))
            }
            ("translate", [first, letters]) if *first == "None" => {
                format!("{receiver}.translate(str.maketrans('', '', {letters}))")
            }
            ("next", []) if call.arguments.is_empty() && !view.is_own(&attribute.value, "next") => {
                format!("next({receiver})")
            }
            ("getchildren", []) => format!("list({receiver})"),
            ("md5" | "sha1" | "sha256", [data]) if receiver == "hashlib" && view.at_fault(place, call.range()) => {
                format!("hashlib.{name}({data}.encode())")
            }
            _ => return,
        };
        change.replace(place, call.range(), text);
    });
}

fn message(view: &View<'_>, change: &mut Change<'_>) {
    let mut caught = std::collections::HashSet::new();
    for source in view.code.cells {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            if let Stmt::Try(block) = statement {
                let handlers = block.handlers.iter().filter_map(|handler| handler.as_except_handler());
                caught.extend(handlers.filter_map(|handler| handler.name.as_ref().map(|name| name.as_str())));
            }
        });
    }
    view.expressions(|place, expression, _| {
        let Expr::Attribute(attribute) = expression else { return };
        let name = shape::name(&attribute.value).filter(|name| caught.contains(name));
        if let Some(name) = name.filter(|_| attribute.attr.as_str() == "message") {
            change.replace(place, attribute.range(), format!("str({name})"));
        }
    });
}

fn decode(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "decode")) = shape::method(call) else { return };
        if view.at_fault(place, call.range()) {
            let receiver = receiver_text(view.parsed(place), attribute).to_owned();
            change.replace(place, call.range(), receiver);
        }
    });
}

/// The functions that write or read a pickle, and where the file stands among their arguments.
const PICKLES: [(&str, usize); 4] =
    [("pickle.dump", 1), ("pickle.load", 0), ("pickle.Pickler", 0), ("pickle.Unpickler", 0)];

fn pickles(view: &View<'_>, change: &mut Change<'_>) {
    let (mut files, mut names) = (Vec::new(), std::collections::HashSet::new());
    view.calls(|_, call, _| {
        let Some(called) = view.qualified(&call.func) else { return };
        let Some((_, at)) = PICKLES.iter().find(|(function, _)| *function == called) else { return };
        match call.arguments.args.get(*at) {
            Some(Expr::Name(name)) => drop(names.insert(name.id.as_str())),
            Some(file) => files.push(file.range()),
            None => {}
        }
    });
    view.calls(|place, call, around| {
        if shape::name(&call.func) != Some("open") {
            return;
        }
        let is_named = || match around.statement() {
            Stmt::Assign(assign) if assign.value.range() == call.range() => {
                assign.targets.first().and_then(shape::name).is_some_and(|name| names.contains(name))
            }
            Stmt::With(block) => {
                let bound = |item: &nbrevive_pysource::ast::WithItem| {
                    let name = item.optional_vars.as_deref().and_then(shape::name);
                    item.context_expr.range() == call.range() && name.is_some_and(|name| names.contains(name))
                };
                block.items.iter().any(bound)
            }
            _ => false,
        };
        if !files.contains(&call.range()) && !is_named() {
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

fn csv_files(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        if shape::name(&call.func) != Some("open") {
            return;
        }
        let Some(mode) = call.arguments.args.get(1) else { return };
        let text = match shape::text(mode) {
            Some("wb") => "'w'",
            Some("rb") => "'r'",
            Some("ab") => "'a'",
            _ => return,
        };
        let path = call.arguments.args.first().and_then(shape::text).unwrap_or_default();
        let given = matches!(around.parent(), Some(Expr::Call(outer))
            if view.qualified(&outer.func).is_some_and(|name| name.starts_with("csv.")));
        let csv = given || path.ends_with(".csv") || path.ends_with(".txt");
        if csv && shape::keyword(call, "newline").is_none() {
            let edits = vec![crate::change::replacement(mode.range(), text), insertion(mode.end(), ", newline=''")];
            change.edit(place, call.range().start(), edits);
        }
    });
}
