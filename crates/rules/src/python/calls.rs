//! Calls of built-ins whose arguments changed.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::{Ranged, TextRange, TextSize};

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "python-sort-by-comparison",
        ("python", "3.0"),
        "sorting takes a key instead of a comparison",
        Trigger::Error(&[
            sig("TypeError", "'cmp' is an invalid keyword argument"),
            sig("TypeError", "sort() takes no positional arguments"),
            sig("TypeError", "sorted expected 1 argument"),
        ]),
        Rewrite::Code(comparison),
        example(
            "a = sorted(x, cmp=f)\nx.sort(lambda p, q: q - p)\n",
            ("TypeError", "'cmp' is an invalid keyword argument for sort()"),
            "from functools import cmp_to_key\na = sorted(x, key=cmp_to_key(f))\nx.sort(key=cmp_to_key(lambda p, q: q - p))\n",
        ),
    )
    .certain(),
    Rule::new(
        "python-mixed-order",
        ("python", "3.0"),
        "text and numbers have no order; their texts have",
        Trigger::Error(&[sig("TypeError", "'<' not supported between instances of")]),
        Rewrite::Code(mixed_order),
        example(
            "names = sorted(values)\n",
            ("TypeError", "'<' not supported between instances of 'str' and 'int'"),
            "names = sorted(values, key=str)\n",
        ),
    )
    .shift("numbers are ordered as text"),
    Rule::new(
        "python-whole-number-arguments",
        ("python", "3.10"),
        "randint, factorial and range take whole numbers only",
        Trigger::Error(&[sig("TypeError", "'float' object cannot be interpreted as an integer")]),
        Rewrite::Code(whole_arguments),
        example(
            "import math\nx = math.factorial(3.0)\nfor i in range(n * 0.5):\n    pass\n",
            ("TypeError", "'float' object cannot be interpreted as an integer"),
            "import math\nx = math.factorial(int(3.0))\nfor i in range(int(n * 0.5)):\n    pass\n",
        ),
    ),
    Rule::new(
        "python-map-of-nothing",
        ("python", "3.0"),
        "map took None for a function that gives what it is given",
        Trigger::Error(&[sig("TypeError", "'NoneType' object is not callable")]),
        Rewrite::Code(map_of_nothing),
        example(
            "x = list(map(None, a, b))\ny = list(map(None, a))\n",
            ("TypeError", "'NoneType' object is not callable"),
            "from itertools import zip_longest\nx = list(zip_longest(a, b))\ny = list(a)\n",
        ),
    )
    .certain(),
];

/// Several iterables were filled up with None. What `map` gave was a list.
fn map_of_nothing(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let name = shape::name(&call.func).filter(|name| matches!(*name, "map" | "imap"));
        let [Expr::NoneLiteral(_), rest @ ..] = &call.arguments.args[..] else { return };
        let (Some(name), [first, ..]) = (name, rest) else { return };
        let parsed = view.parsed(place);
        let given = parsed.text(TextRange::new(first.start(), call.arguments.end() - TextSize::from(1)));
        let text = match (rest.len(), name) {
            (1, _) if !first.is_starred_expr() => given.to_owned(),
            (_, "imap") => format!("zip({given})"),
            _ => format!("{}({given})", change.spell(place, "itertools.zip_longest")),
        };
        let is_list = matches!(around.parent(), Some(Expr::Call(outer)) if shape::name(&outer.func) == Some("list"));
        change.replace(place, call.range(), if name == "imap" || is_list { text } else { format!("list({text})") });
    });
}

fn comparison(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let sorted = shape::name(&call.func) == Some("sorted");
        let sort = shape::method(call).is_some_and(|(_, name)| name == "sort");
        if !sorted && !sort {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let number = edit.find("cmp").or_else(|| edit.positional().get(usize::from(sorted)).copied());
        let Some(number) = number.filter(|number| !edit.value(*number).is_string_literal_expr()) else { return };
        if edit.find("key").is_some() || view.qualified(&call.func).is_some() || edit.value(number).is_list_expr() {
            return;
        }
        let wrapper = change.spell(place, "functools.cmp_to_key");
        let text = format!("key={wrapper}({})", edit.value_text(number));
        edit.set(number, text);
        change.edit(place, call.range().start(), edit.finish());
    });
}

fn mixed_order(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let sorted = shape::name(&call.func).is_some_and(|name| matches!(name, "sorted" | "min" | "max"));
        let one = call.arguments.args.len() == 1 && shape::keyword(call, "key").is_none();
        if sorted && one && view.at_fault(place, call.range()) {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("key=str");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn whole_arguments(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let chain = shape::dotted(&call.func).unwrap_or_default();
        let known = matches!(chain.last(), Some(&("range" | "randint" | "factorial" | "randrange")));
        if !known || !view.at_fault(place, call.range()) {
            return;
        }
        let edit = CallEdit::new(view.parsed(place), call);
        for number in edit.positional() {
            let value = edit.value(number);
            let whole = shape::integer(value).is_some() || value.is_call_expr();
            let halved = super::division::is_division(value);
            if !whole && !halved {
                let edits = vec![insertion(value.range().start(), "int("), insertion(value.end(), ")")];
                change.edit(place, call.range().start(), edits);
            }
        }
    });
}
