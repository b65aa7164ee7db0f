//! What Python 2 meant and Python 3 reads otherwise, without a word: in notebooks that were written for Python 2.

use nbrevive_notebook::PythonVersion;
use nbrevive_pysource::ast::{Expr, ExprCall, Stmt, StmtClassDef};
use nbrevive_pysource::text_size::{Ranged, TextSize};

use super::lazy::{is_view_of_dict, needs_list};
use crate::change::{Change, insertion, replacement};
use crate::kind::Kind;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::view::{Place, View};
use crate::walk::{self, Surroundings};

/// Everything that was written for Python 2 is older than Python 3.0.
pub(crate) const PYTHON_2: Trigger = Trigger::OldDefault { before: (2008, 12, 3), python: PythonVersion::new(3, 0) };

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "python-2-lists",
        ("python", "3.0"),
        "map, filter, zip, range and the views of dicts were lists",
        PYTHON_2,
        Rewrite::Code(lists),
        example(
            "print(map(f, x), range(3))\ny = filter(None, x)\nk = {1: 2}\nprint(k.keys())\nfor a, b in zip(x, y):\n    pass\nz = dict(zip(x, y))\n",
            ("", ""),
            "print(list(map(f, x)), list(range(3)))\ny = list(filter(None, x))\nk = {1: 2}\nprint(list(k.keys()))\nfor a, b in zip(x, y):\n    pass\nz = dict(zip(x, y))\n",
        ),
    ),
    Rule::new(
        "python-2-special-methods",
        ("python", "3.0"),
        "__nonzero__, __div__, __unicode__ and next have other names, and __cmp__ is not asked any more",
        PYTHON_2,
        Rewrite::Code(special_methods),
        example(
            "class Item(object):\n    def __nonzero__(self):\n        return self.n > 0\n    def __cmp__(self, other):\n        return self.n - other.n\n",
            ("", ""),
            "class Item(object):\n    def __bool__(self):\n        return self.n > 0\n    def __cmp__(self, other):\n        return self.n - other.n\n    def __lt__(self, other):\n        return self.__cmp__(other) < 0\n    def __gt__(self, other):\n        return self.__cmp__(other) > 0\n    def __le__(self, other):\n        return self.__cmp__(other) <= 0\n    def __ge__(self, other):\n        return self.__cmp__(other) >= 0\n    def __eq__(self, other):\n        return self.__cmp__(other) == 0\n    __hash__ = object.__hash__\n",
        ),
    ),
];

/// Functions and methods that take all elements of what they are given (those of `lib2to3`, and more).
const TAKE_ALL: [&str; 22] = [
    "list",
    "tuple",
    "set",
    "frozenset",
    "sorted",
    "dict",
    "sum",
    "min",
    "max",
    "any",
    "all",
    "enumerate",
    "zip",
    "map",
    "filter",
    "iter",
    "Counter",
    "OrderedDict",
    "deque",
    "join",
    "extend",
    "update",
];

fn lists(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let name = shape::name(&call.func).filter(|_| view.qualified(&call.func).is_none());
        let wanted = match name {
            Some("map" | "filter" | "zip") => !is_consumed(call, around),
            Some("range") => is_shown_or_held(view, place, call, around) || needs_list(view, place, call, around),
            None if is_view_of_dict(view, call) => {
                is_shown_or_held(view, place, call, around) || needs_list(view, place, call, around)
            }
            _ => false,
        };
        if wanted {
            // What was filtered of a text was a text.
            let is_text = name == Some("filter")
                && call.arguments.args.get(1).is_some_and(|text| view.kinds(text) == [Kind::Text]);
            let open = if is_text { "''.join(" } else { "list(" };
            let edits = vec![insertion(call.range().start(), open), insertion(call.end(), ")")];
            change.edit(place, call.range().start(), edits);
        }
    });
}

/// Whether what a call gives is gone through once, where it stands.
fn is_consumed(call: &ExprCall, around: &Surroundings<'_, '_>) -> bool {
    let is_it = |expression: &Expr| expression.range() == call.range();
    match around.parent() {
        Some(Expr::Call(outer)) => {
            let name = shape::name(&outer.func).or_else(|| shape::method(outer).map(|(_, name)| name));
            name.is_some_and(|name| TAKE_ALL.contains(&name))
        }
        Some(Expr::ListComp(comp)) => comp.generators.iter().any(|one| is_it(&one.iter)),
        Some(Expr::SetComp(comp)) => comp.generators.iter().any(|one| is_it(&one.iter)),
        Some(Expr::DictComp(comp)) => comp.generators.iter().any(|one| is_it(&one.iter)),
        Some(Expr::Generator(comp)) => comp.generators.iter().any(|one| is_it(&one.iter)),
        Some(Expr::Starred(_) | Expr::YieldFrom(_)) => true,
        Some(_) => false,
        None => match around.statement() {
            Stmt::For(block) => is_it(&block.iter),
            Stmt::Assign(assign) => assign.targets.iter().all(|target| shape::elements(target).is_some()),
            // Done for its effect, which has a rule of its own.
            Stmt::Expr(_) => true,
            _ => false,
        },
    }
}

/// Whether what a call gives is printed, what its cell shows, or held by a list and the like.
fn is_shown_or_held(view: &View<'_>, place: Place, call: &ExprCall, around: &Surroundings<'_, '_>) -> bool {
    match around.parent() {
        Some(Expr::Call(outer)) => shape::name(&outer.func) == Some("print"),
        Some(Expr::List(_) | Expr::Tuple(_) | Expr::Dict(_)) => true,
        Some(_) => false,
        None => {
            let last = view.parsed(place).body().last();
            matches!(around.statement(), Stmt::Expr(_)) && last.is_some_and(|last| last.range() == call.range())
        }
    }
}

/// Old name and new name of what Python asks of classes.
const SPECIAL: [(&str, &str); 5] = [
    ("__nonzero__", "__bool__"),
    ("__div__", "__truediv__"),
    ("__rdiv__", "__rtruediv__"),
    ("__idiv__", "__itruediv__"),
    ("__unicode__", "__str__"),
];

/// What is asked instead of `__cmp__`.
const ORDER: [(&str, &str); 5] =
    [("__lt__", "<"), ("__gt__", ">"), ("__le__", "<="), ("__ge__", ">="), ("__eq__", "==")];

fn special_methods(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            if let Stmt::ClassDef(class) = statement {
                special_methods_of(class, Place(position), view, change);
            }
        });
    }
}

fn special_methods_of(class: &StmtClassDef, place: Place, view: &View<'_>, change: &mut Change<'_>) {
    let methods = || class.body.iter().filter_map(|one| one.as_function_def_stmt());
    let has = |name: &str| methods().any(|method| method.name.as_str() == name);
    let own = has("__iter__").then_some(("next", "__next__"));
    // Text asked for __unicode__, and __str__ encoded what it gave.
    let encoded =
        (has("__unicode__") && has("__str__")).then_some([("__str__", "__bytes__"), ("__unicode__", "__str__")]);
    for method in methods() {
        if let Some((_, new)) = encoded.into_iter().flatten().find(|(old, _)| method.name.as_str() == *old) {
            change.replace(place, method.name.range(), new);
            continue;
        }
        let names = SPECIAL.iter().copied().chain(own);
        if let Some((_, new)) = { names }.find(|(old, new)| method.name.as_str() == *old && !has(new)) {
            change.replace(place, method.name.range(), new);
        }
    }
    metaclass(class, place, view, change);
    let Some(compared) = methods().find(|method| method.name.as_str() == "__cmp__") else { return };
    let missing: Vec<_> = ORDER.iter().filter(|(name, _)| !has(name)).collect();
    let (source, last) = (view.parsed(place).source(), class.body.last().map_or(compared.end(), Ranged::end));
    let line_start = source[..compared.start().to_usize()].rfind('\n').map_or(0, |at| at + 1);
    let indent = &source[line_start..compared.start().to_usize()];
    if missing.is_empty() || !indent.trim().is_empty() {
        return;
    }
    let mut lines: String = missing
        .iter()
        .map(|(name, sign)| {
            format!(
                "\n{indent}def {name}(self, other):\n{indent}{}return self.__cmp__(other) {sign} 0",
                if indent.contains('\t') { "\t" } else { "    " }
            )
        })
        .collect();
    if !has("__hash__") && !has("__eq__") {
        // A class that says what is equal has no hash of its own otherwise.
        lines += &format!("\n{indent}__hash__ = object.__hash__");
    }
    change.edit(place, compared.start(), vec![insertion(last, lines)]);
}

/// `__metaclass__ = M` in the body, which is an argument of the class now.
fn metaclass(class: &StmtClassDef, place: Place, view: &View<'_>, change: &mut Change<'_>) {
    let parsed = view.parsed(place);
    let is_it = |one: &&Stmt| matches!(one, Stmt::Assign(assign) if matches!(&assign.targets[..], [target] if shape::name(target) == Some("__metaclass__")));
    let Some(found @ Stmt::Assign(assign)) = class.body.iter().find(is_it) else { return };
    let value = parsed.text(assign.value.range());
    let given = match &class.arguments {
        Some(arguments) if arguments.is_empty() => {
            insertion(arguments.start() + TextSize::from(1), format!("metaclass={value}"))
        }
        Some(arguments) => insertion(arguments.end() - TextSize::from(1), format!(", metaclass={value}")),
        None => insertion(class.name.end(), format!("(metaclass={value})")),
    };
    change.edit(place, class.name.start(), vec![given, replacement(found.range(), "pass")]);
}
