//! What changed in PyTorch.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::Change;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

static RULES: &[Rule] = &[
    Rule::new(
        "torch-number-of-tensor",
        ("torch", "0.5"),
        "a loss has no axis; its number is item()",
        Trigger::Error(&[sig("IndexError", "invalid index of a 0-dim tensor")]),
        Rewrite::Code(number_of_tensor),
        example(
            "total += loss.data[0]\n",
            ("IndexError", "invalid index of a 0-dim tensor. Use `tensor.item()` in Python"),
            "total += loss.item()\n",
        ),
    ),
    Rule::new(
        "torch-load-objects",
        ("torch", "2.6"),
        "load reads weights alone, and other objects when it is told to",
        Trigger::Error(&[sig("UnpicklingError", "Weights only load failed")]),
        Rewrite::Code(load_objects),
        example(
            "import torch\nm = torch.load('model.pt', map_location='cpu')\n",
            ("UnpicklingError", "Weights only load failed. This file can still be loaded"),
            "import torch\nm = torch.load('model.pt', map_location='cpu', weights_only=False)\n",
        ),
    ),
];

fn number_of_tensor(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        if shape::integer(&subscript.slice) != Some(0) || !view.at_fault(place, expression.range()) {
            return;
        }
        let tensor = match subscript.value.as_ref() {
            Expr::Attribute(attribute) if attribute.attr.as_str() == "data" => &attribute.value,
            tensor => tensor,
        };
        if shape::is_primary(tensor) {
            change.replace(place, TextRange::new(tensor.end(), expression.end()), ".item()");
        }
    });
}

fn load_objects(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_load = view.is_call_of(Callee::Function("torch", "load"), place, call);
        if is_load && shape::keyword(call, "weights_only").is_none() && !shape::has_stars(call) {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("weights_only=False");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}
