//! What changed in PyTorch.

use nbrevive_pysource::ast::{Expr, Operator};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::kind::Kind;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

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
    Rule::new(
        "torch-scheduler-verbose",
        ("torch", "2.7"),
        "schedulers of the learning rate say nothing, and take no verbose",
        Trigger::Error(&[sig("TypeError", "__init__() got an unexpected keyword argument 'verbose'")]),
        Rewrite::Code(silent_schedulers),
        example(
            "from torch.optim import lr_scheduler\ns = lr_scheduler.ReduceLROnPlateau(optimizer, mode='min', patience=2, verbose=True)\n",
            ("TypeError", "ReduceLROnPlateau.__init__() got an unexpected keyword argument 'verbose'"),
            "from torch.optim import lr_scheduler\ns = lr_scheduler.ReduceLROnPlateau(optimizer, mode='min', patience=2)\n",
        ),
    )
    .shift("a change of the learning rate is not printed"),
    Rule::new(
        "torch-inverted-mask",
        ("torch", "1.2"),
        "a mask is inverted by ~, not by taking it from 1",
        Trigger::Error(&[sig("RuntimeError", "with a bool tensor is not supported. If you are trying to invert a mask")]),
        Rewrite::Code(inverted_mask),
        example(
            "import torch\nloss = (loss * (1 - (target == 0))).mean()\n",
            (
                "RuntimeError",
                "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
            ),
            "import torch\nloss = (loss * (~(target == 0))).mean()\n",
        ),
    ),
    Rule::new(
        "torch-eigenvalues-of-symmetric",
        ("torch", "2.0"),
        "symeig is linalg.eigh",
        Trigger::Error(&[
            sig("RuntimeError", "torch.symeig"),
            sig("RuntimeError", "torch.linalg.eigh"),
            sig("AttributeError", "module 'torch' has no attribute 'symeig'"),
        ]),
        Rewrite::Code(symmetric),
        example(
            "import torch\ne, v = torch.symeig(A + A.t(), eigenvectors=True)\ne, _ = torch.symeig(A)\n",
            (
                "RuntimeError",
                "This function was deprecated since version 1.9 and is now removed. The default behavior has changed from using the upper triangular portion of the matrix by default to using the lower triangular portion. L, _ = torch.symeig(A, upper=upper)",
            ),
            "import torch\ne, v = torch.linalg.eigh(A + A.t(), UPLO='U')\ne, _ = torch.linalg.eigh(A, UPLO='U')\n",
        ),
    )
    .shift("of a call that asked for no eigenvectors there are some")
    .certain(),
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

/// Calls of a scheduler's class.
fn silent_schedulers(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_scheduler = view.qualified(&call.func).is_some_and(|name| name.starts_with("torch.optim.lr_scheduler."));
        let mut edit = CallEdit::new(view.parsed(place), call);
        let verbose = edit.find("verbose").filter(|_| is_scheduler);
        if let Some(number) = verbose {
            edit.remove(number);
            change.edit(place, call.start(), edit.finish());
        }
    });
}

/// The only difference from 1 in the lines that are blamed.
fn inverted_mask(view: &View<'_>, change: &mut Change<'_>) {
    let mut found = Vec::new();
    view.expressions(|place, expression, _| {
        let Expr::BinOp(difference) = expression else { return };
        let is_from_one = difference.op == Operator::Sub && shape::integer(&difference.left) == Some(1);
        if is_from_one && view.at_fault(place, expression.range()) && view.kinds(&difference.right) != [Kind::Number] {
            found.push((place, expression, difference.right.as_ref()));
        }
    });
    if let [(place, difference, mask)] = found[..] {
        invert(view, place, (difference, mask), change);
    }
}

fn invert(view: &View<'_>, place: Place, (difference, mask): (&Expr, &Expr), change: &mut Change<'_>) {
    let parsed = view.parsed(place);
    // With the parentheses that the mask may have. Those of its first operand alone are within its range.
    let Some((_, text)) = parsed.text(difference.range()).split_once('-') else { return };
    let before = parsed.text(TextRange::new(difference.start(), mask.start()));
    if shape::is_primary(mask) || before.trim_end().ends_with('(') {
        change.replace(place, difference.range(), format!("~{}", text.trim()));
    }
}

fn symmetric(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if view.qualified(&call.func).as_deref() != Some("torch.symeig") || shape::has_stars(call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let positional = edit.positional();
        let (Some(_), true) = (positional.first(), positional.len() < 3) else { return };
        let wants = edit.find("eigenvectors").or(positional.get(1).copied());
        wants.into_iter().for_each(|number| edit.remove(number));
        match edit.find("upper").map(|number| (number, shape::boolean(edit.value(number)))) {
            None => edit.append("UPLO='U'"),
            Some((number, Some(upper))) => edit.set(number, if upper { "UPLO='U'" } else { "UPLO='L'" }),
            Some((_, None)) => return,
        }
        let function = match call.func.as_ref() {
            Expr::Attribute(function) => replacement(function.attr.range(), "linalg.eigh"),
            other => replacement(other.range(), change.spell(place, "torch.linalg.eigh")),
        };
        let mut edits = vec![function];
        edits.extend(edit.finish());
        change.edit(place, call.start(), edits);
    });
}
