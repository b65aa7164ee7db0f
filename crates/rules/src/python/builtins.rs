//! Built-in names and text methods of Python 2.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::Change;
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
    let own = view.own_names();
    let mut compares = false;
    view.expressions(|place, expression, around| {
        let Expr::Name(name) = expression else { return };
        let local = name.id.as_str();
        if !name.ctx.is_load() || own.contains(local) || view.code.names.bound(local).is_some() {
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
        let called = around.parent().and_then(Expr::as_call_expr).filter(|call| call.func.range() == name.range());
        let Some(call) = called.filter(|_| matches!(local, "cmp" | "execfile" | "apply")) else {
            if local == "cmp" && !compares {
                // The name stays; replacing it by itself carries the definition along.
                change.need_import(place, COMPARISON);
                compares = change.replace(place, name.range(), local);
            }
            return;
        };
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

/// `cmp`, where it is handed on.
const COMPARISON: &str = "def cmp(a, b):\n    return (a > b) - (a < b)";

fn change_import(change: &mut Change<'_>, place: crate::view::Place, dotted: &str) {
    let (module, name) = dotted.rsplit_once('.').unwrap_or(("", dotted));
    change.need_import(place, format!("from {module} import {name}"));
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
