//! Rewrites of numpy that tables alone cannot describe.

use nbrevive_pysource::ast::{Expr, ExprSubscript, UnaryOp};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, replacement};
use crate::receiver::{Callee, On};
use crate::shape;
use crate::view::{Place, View};

pub(super) fn removed_functions(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Some(dotted) = view.qualified(expression) else { return };
        let Some(name) = dotted.strip_prefix("numpy.") else { return };
        if name == "NINF" {
            let infinity = change.spell(place, "numpy.inf");
            let alone = !matches!(around.parent(), Some(Expr::BinOp(_) | Expr::Attribute(_)));
            let text = if alone { format!("-{infinity}") } else { format!("(-{infinity})") };
            change.replace(place, expression.range(), text);
            return;
        }
        if let "PZERO" | "NZERO" = name {
            change.replace(place, expression.range(), if name == "PZERO" { "0.0" } else { "-0.0" });
            return;
        }
        if let Some(Expr::Subscript(item)) = around.parent().filter(|_| matches!(name, "cast" | "nbytes")) {
            by_type(view, change, place, (name, item), around.parents);
            return;
        }
        let Some(Expr::Call(call)) = around.parent().filter(|parent| parent.is_call_expr()) else { return };
        if call.func.range() != expression.range() {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        match name {
            "asscalar" => {
                let array = change.spell(place, "numpy.asarray");
                change.replace(place, call.range(), format!("{array}({}).item()", edit.render()));
            }
            "msort" => {
                let sort = change.spell(place, "numpy.sort");
                edit.append("axis=0");
                change.replace(place, call.range(), format!("{sort}({})", edit.render()));
            }
            // Unlike isin, in1d gave one dimension whatever it got. An imported name keeps its import's new meaning.
            "in1d" if expression.is_attribute_expr() => {
                let isin = change.spell(place, "numpy.isin");
                change.replace(place, call.range(), format!("{isin}({}).ravel()", edit.render()));
            }
            "asfarray" => {
                let array = change.spell(place, "numpy.asarray");
                if call.arguments.len() < 2 {
                    edit.append("dtype=float");
                }
                change.replace(place, call.range(), format!("{array}({})", edit.render()));
            }
            // Where scalars are told as well, they count for less: that is written out.
            "find_common_type" if holds_no_element(&edit) => {
                let result_type = change.spell(place, "numpy.result_type");
                let lists: Vec<String> =
                    edit.positional().iter().map(|n| format!("*{}", edit.value_text(*n))).collect();
                change.replace(place, call.range(), format!("{result_type}({})", lists.join(", ")));
            }
            "disp" if edit.positional().len() == 1 && call.arguments.len() == 1 => {
                change.replace(place, expression.range(), "print");
            }
            "fastCopyAndTranspose" => {
                let transpose = change.spell(place, "numpy.transpose");
                change.replace(place, call.range(), format!("{transpose}({}).copy()", edit.render()));
            }
            "mafromtxt" => {
                let read = change.spell(place, "numpy.genfromtxt");
                edit.append("usemask=True");
                change.replace(place, call.range(), format!("{read}({})", edit.render()));
            }
            _ => {}
        }
    });
}

/// Whether one of the two lists of a call is written as an empty one.
fn holds_no_element(edit: &CallEdit<'_>) -> bool {
    edit.positional().iter().any(|number| shape::elements(edit.value(*number)).is_some_and(<[Expr]>::is_empty))
}

/// `np.cast[kind](x)` and `np.nbytes[kind]`: what is asked by a type.
fn by_type(
    view: &View<'_>,
    change: &mut Change<'_>,
    place: Place,
    (name, item): (&str, &ExprSubscript),
    parents: &[&Expr],
) {
    let parsed = view.parsed(place);
    let kind = parsed.text(item.slice.range());
    match parents.iter().rev().nth(1) {
        _ if name == "nbytes" => {
            let dtype = change.spell(place, "numpy.dtype");
            change.replace(place, item.range(), format!("{dtype}({kind}).itemsize"));
        }
        Some(Expr::Call(call)) if call.func.range() == item.range() => {
            let array = change.spell(place, "numpy.asarray");
            let text = format!("{array}({}).astype({kind})", CallEdit::new(parsed, call).render());
            change.replace(place, call.range(), text);
        }
        _ => {}
    }
}

pub(super) fn array_methods(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, method)) = shape::method(call) else { return };
        if !matches!(method, "ptp" | "itemset" | "newbyteorder") || view.qualified(&call.func).is_some() {
            return;
        }
        if !view.receiver_is(On::Array, place, &attribute.value, call.range()) {
            return;
        }
        let parsed = view.parsed(place);
        let receiver = receiver_text(parsed, attribute);
        let edit = CallEdit::new(parsed, call);
        let numbers = edit.positional();
        match method {
            "ptp" => {
                let function = change.spell(place, "numpy.ptp");
                let rest = edit.render();
                let separator = if rest.is_empty() { "" } else { ", " };
                change.replace(place, call.range(), format!("{function}({receiver}{separator}{rest})"));
            }
            "itemset" if numbers.len() == 2 && around.parent().is_none() => {
                let text = format!("{receiver}[{}] = {}", edit.value_text(numbers[0]), edit.value_text(numbers[1]));
                change.replace(place, call.range(), text);
            }
            "newbyteorder" if shape::is_primary(&attribute.value) && attribute.value.is_name_expr() => {
                let text = format!("{receiver}.view({receiver}.dtype.newbyteorder({}))", edit.render());
                change.replace(place, call.range(), text);
            }
            _ => {}
        }
    });
}

pub(super) fn copy_false(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(Callee::Function("numpy", "array"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("copy") else { return };
        if shape::boolean(edit.value(number)) != Some(false) {
            return;
        }
        edit.remove(number);
        let function = change.spell(place, "numpy.asarray");
        change.replace(place, call.range(), format!("{function}({})", edit.render()));
    });
}

/// Of arrays in one another it is the outer one whose parts differ.
pub(super) fn ragged(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let makes = |call| {
            ["array", "asarray"].iter().any(|name| view.is_call_of(Callee::Function("numpy", name), place, call))
        };
        let inside = around.parents.iter().filter_map(|parent| parent.as_call_expr()).any(makes);
        if makes(call) && !inside && view.at_fault(place, call.range()) && shape::keyword(call, "dtype").is_none() {
            let mut edit = CallEdit::new(view.parsed(place), call);
            if edit.positional().len() == 1 {
                edit.append("dtype=object");
                change.edit(place, call.range().start(), edit.finish());
            }
        }
    });
}

pub(super) fn allow_pickle(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if view.is_call_of(Callee::Function("numpy", "load"), place, call)
            && shape::keyword(call, "allow_pickle").is_none()
        {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("allow_pickle=True");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

const STACKS: [&str; 6] = ["vstack", "hstack", "stack", "column_stack", "dstack", "concatenate"];

pub(super) fn generators(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(Expr::Generator(generator)) = call.arguments.args.first() else { return };
        let Some(dotted) = view.qualified(&call.func) else { return };
        let Some(name) = dotted.strip_prefix("numpy.") else { return };
        let parsed = view.parsed(place);
        if STACKS.contains(&name) {
            let inner = parsed.text(generator.range()).trim();
            let bare = inner.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(inner);
            let alone = call.arguments.len() == 1 && call.arguments.range() == generator.range();
            let text = if alone { format!("([{bare}])") } else { format!("[{bare}]") };
            change.edit(place, call.range().start(), vec![replacement(generator.range(), text)]);
        } else if name == "sum" && call.arguments.len() == 1 {
            let sum = change.spell(place, "builtins.sum");
            change.edit(place, call.range().start(), vec![replacement(call.func.range(), sum)]);
        }
    });
}

pub(super) fn boolean_subtract(view: &View<'_>, change: &mut Change<'_>) {
    use nbrevive_pysource::ast::{Operator, UnaryOp};
    use nbrevive_pysource::text_size::TextRange;
    view.expressions(|place, expression, around| {
        if let Expr::UnaryOp(unary) = expression
            && unary.op == UnaryOp::USub
            && shape::is_primary(&unary.operand)
            && view.at_fault(place, expression.range())
        {
            let sign = TextRange::new(expression.range().start(), unary.operand.range().start());
            change.replace(place, sign, "~");
        }
        let Expr::BinOp(operation) = expression else { return };
        if operation.op != Operator::Sub || !view.at_fault(place, expression.range()) {
            return;
        }
        let parsed = view.parsed(place);
        let gap = TextRange::new(operation.left.end(), operation.right.start());
        let simple = shape::is_primary(&operation.left) && shape::is_primary(&operation.right);
        let outer = !matches!(around.parent(), Some(Expr::BinOp(_)));
        if simple && outer && parsed.text(gap).trim() == "-" {
            change.replace(place, gap, parsed.text(gap).replace('-', "^"));
        }
    });
}

pub(super) fn fromstring(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(Callee::Function("numpy", "fromstring"), place, call)
            || shape::keyword(call, "sep").is_some()
        {
            return;
        }
        let function = change.spell(place, "numpy.frombuffer");
        let inner = CallEdit::new(view.parsed(place), call).render();
        change.replace(place, call.range(), format!("{function}({inner}).copy()"));
    });
}

pub(super) fn out_of_range(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(Callee::Function("numpy", "array"), place, call) || !view.at_fault(place, call.range()) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("dtype") else { return };
        let literal = edit.positional().first().is_some_and(|first| holds_number(edit.value(*first)));
        if literal {
            let dtype = edit.value_text(number);
            edit.remove(number);
            let function = view.parsed(place).text(call.func.range());
            change.replace(place, call.range(), format!("{function}({}).astype({dtype})", edit.render()));
        }
    });
}

fn holds_number(value: &Expr) -> bool {
    match value {
        Expr::NumberLiteral(_) => true,
        Expr::UnaryOp(unary) => unary.op == UnaryOp::USub && holds_number(&unary.operand),
        _ => shape::elements(value).is_some_and(|elements| elements.iter().any(holds_number)),
    }
}
