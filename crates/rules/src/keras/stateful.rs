//! Batches of a fixed size, and what is remembered from one to the next: of recurrent layers and of metrics.

use nbrevive_pysource::ast::{Expr, ExprCall, ExprList, Stmt};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::text_size::{Ranged, TextRange, TextSize};

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::{Place, View};
use crate::walk::{self, Surroundings};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "keras-batch-shape",
        ("keras", "3.0"),
        "the shape of a batch is said by an Input in front of the first layer",
        Trigger::Error(&[sig("ValueError", "Unrecognized keyword arguments passed to *'batch_input_shape'")]),
        Rewrite::Code(batch_shapes),
        example(
            "from keras.layers import LSTM\nm.add(LSTM(4, batch_input_shape=(1, 3, 1), stateful=True))\n",
            ("ValueError", "Unrecognized keyword arguments passed to LSTM: {'batch_input_shape': (1, 3, 1)}"),
            "from keras import Input\nfrom keras.layers import LSTM\nm.add(Input(batch_shape=(1, 3, 1)))\nm.add(LSTM(4, stateful=True))\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-reset-states",
        ("keras", "3.0"),
        "layers have states to reset and models have not; that of a metric is one",
        Trigger::Error(&[sig("AttributeError", MISSING)]),
        Rewrite::Code(reset_states),
        example(
            "m.reset_states()\n",
            ("AttributeError", "'Sequential' object has no attribute 'reset_states'. Did you mean: 'reset_metrics'?"),
            "for recurrent in m.layers:\n    if hasattr(recurrent, 'reset_states'):\n        recurrent.reset_states()\n",
        ),
    ),
];

const SHAPE: &str = "batch_input_shape";

fn batch_shapes(view: &View<'_>, change: &mut Change<'_>) {
    let additions = Additions::of(view);
    view.calls(|place, call, around| {
        let Some(root) = root_of_layer(view, call) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find(SHAPE) else { return };
        let batch_shape = format!("batch_shape={}", edit.value_text(number));
        edit.remove(number);
        let in_front = match around.parent() {
            // What a layer is called with has a shape.
            Some(Expr::Call(of)) if of.func.range() == call.range() => Vec::new(),
            Some(Expr::Call(of)) if added(of).is_some_and(|layer| layer.range() == call.range()) => {
                let Some(is_first) = additions.is_first(place, of) else { return };
                let Stmt::Expr(alone) = around.statement() else { return };
                if !is_first {
                    Vec::new()
                } else if alone.value.range() == of.range() {
                    let text =
                        format!("{}({}({batch_shape}))", callee(view, place, of), input(root, place, view, change));
                    vec![line_in_front(view, place, alone.start(), &text)]
                } else {
                    return;
                }
            }
            Some(Expr::List(list)) if is_of_layers(view, list, around) => {
                let is_first = list.elts.first().is_some_and(|first| first.range() == call.range());
                let input = is_first.then(|| format!("{}({batch_shape}), ", input(root, place, view, change)));
                input.map(|input| insertion(call.start(), input)).into_iter().collect()
            }
            _ => return,
        };
        let edits = in_front.into_iter().chain(edit.finish()).collect();
        change.edit(place, call.start(), edits);
    });
}

/// The module by which a notebook has Keras, where a call makes a layer of it.
fn root_of_layer(view: &View<'_>, call: &ExprCall) -> Option<&'static str> {
    shape::keyword(call, SHAPE)?;
    let dotted = view.qualified(&call.func)?;
    let is_class = dotted.rsplit('.').next().is_some_and(|name| name.starts_with(char::is_uppercase));
    // That layer says what an Input says, and takes the old word.
    if !is_class || dotted.ends_with(".InputLayer") {
        return None;
    }
    ["tensorflow.keras", "keras"]
        .into_iter()
        .find(|root| dotted.strip_prefix(root).is_some_and(|rest| rest.starts_with('.')))
}

/// How `Input` is written in a cell.
fn input(root: &str, place: Place, view: &View<'_>, change: &mut Change<'_>) -> String {
    let inner = view.code.names.spelling(&format!("{root}.layers.Input"));
    inner.unwrap_or_else(|| change.spell(place, &format!("{root}.Input")))
}

/// The layer of `model.add(layer)`.
fn added(call: &ExprCall) -> Option<&Expr> {
    match (shape::method(call)?.1, &call.arguments.args[..]) {
        ("add", [layer]) => Some(layer),
        _ => None,
    }
}

/// `model.add`, as it is written.
fn callee<'a>(view: &View<'a>, place: Place, call: &ExprCall) -> &'a str {
    view.parsed(place).text(call.func.range())
}

/// A line before the statement at an offset, or what stands before it on its line.
fn line_in_front(view: &View<'_>, place: Place, start: TextSize, text: &str) -> Edit {
    let source = view.parsed(place).source();
    let line = source[..start.to_usize()].rfind('\n').map_or(0, |end| end + 1);
    let indentation = &source[line..start.to_usize()];
    let end = if indentation.trim().is_empty() { format!("\n{indentation}") } else { "; ".to_owned() };
    insertion(start, format!("{text}{end}"))
}

/// Whether a list is that of a sequential model's layers.
fn is_of_layers(view: &View<'_>, list: &ExprList, around: &Surroundings<'_, '_>) -> bool {
    let model = around.parents.iter().rev().nth(1);
    let Some(Expr::Call(model)) = model else { return false };
    let is_first = model.arguments.args.first().is_some_and(|first| first.range() == list.range());
    let is_named = shape::keyword(model, "layers").is_some_and(|layers| layers.value.range() == list.range());
    (is_first || is_named) && view.qualified(&model.func).is_some_and(|name| name.ends_with(".Sequential"))
}

/// Where layers are added to models, and where names are bound, in the order of the text.
struct Additions(Vec<Addition>);

struct Addition {
    place: Place,
    range: TextRange,
    /// The model, as it is written.
    model: String,
    is_layer: bool,
    /// The loops and branches around it, the outermost first.
    blocks: Vec<Block>,
}

/// A loop, or a branch of an `if`.
#[derive(Clone, PartialEq, Eq)]
struct Block {
    statement: TextRange,
    branch: TextRange,
    is_loop: bool,
}

impl Block {
    fn of(statement: &Stmt, within: TextRange) -> Option<Self> {
        let range = statement.range();
        let branch = match statement {
            Stmt::For(_) | Stmt::While(_) => range,
            Stmt::If(block) => {
                let mut others = block.elif_else_clauses.iter().map(Ranged::range);
                others.find(|clause| clause.contains_range(within)).unwrap_or_else(|| block.test.range())
            }
            _ => return None,
        };
        Some(Self { statement: range, branch, is_loop: !statement.is_if_stmt() })
    }
}

impl Additions {
    fn of(view: &View<'_>) -> Self {
        let mut found = Vec::new();
        for (position, source) in view.code.cells.iter().enumerate() {
            walk::statements(source.parsed.body(), &mut |statement, around| {
                let blocks = || around.iter().filter_map(|one| Block::of(one, statement.range())).collect();
                let mut note = |range: TextRange, model: &str, is_layer| {
                    let (place, model) = (Place(position), model.to_owned());
                    found.push(Addition { place, range, model, is_layer, blocks: blocks() });
                };
                match statement {
                    Stmt::Assign(assign) => {
                        for target in &assign.targets {
                            note(assign.range(), source.parsed.text(target.range()), has_layers(&assign.value));
                        }
                    }
                    Stmt::Expr(one) => {
                        if let Expr::Call(call) = one.value.as_ref()
                            && added(call).is_some()
                            && let Some((attribute, _)) = shape::method(call)
                        {
                            note(call.range(), receiver_text(&source.parsed, attribute), true);
                        }
                    }
                    _ => {}
                }
            });
        }
        Self(found)
    }

    /// Whether nothing was added to the model before a call; `None` where loops and branches leave it open.
    fn is_first(&self, place: Place, call: &ExprCall) -> Option<bool> {
        let number = self.0.iter().position(|one| one.place == place && one.range == call.range())?;
        let here = &self.0[number];
        // What stands in another branch of the same `if` does not run before.
        let is_elsewhere = |one: &Addition| {
            let differs = |(a, b): (&Block, &Block)| a.statement == b.statement && a.branch != b.branch;
            one.place == here.place && one.blocks.iter().zip(&here.blocks).any(differs)
        };
        let before = self.0[..number].iter().rfind(|one| one.model == here.model && !is_elsewhere(one));
        let shared = match before {
            None => 0,
            Some(one) if one.place == here.place && here.blocks.starts_with(&one.blocks) => one.blocks.len(),
            Some(one) if one.blocks.is_empty() => 0,
            Some(_) => return None,
        };
        let is_made = before.is_some_and(|one| one.is_layer);
        let runs_once = here.blocks[shared..].iter().all(|block| !block.is_loop);
        (is_made || runs_once).then_some(!is_made)
    }
}

/// Whether a model is made with layers in it.
fn has_layers(value: &Expr) -> bool {
    matches!(value, Expr::Call(call) if call.arguments.args.first().is_some_and(|first| {
        shape::elements(first).is_none_or(|layers| !layers.is_empty())
    }))
}

const MISSING: &str = "'*' object has no attribute 'reset_states'";

/// Classes of metrics; each has `reset_state`.
const METRICS: [&str; 20] = [
    "Accuracy",
    "AUC",
    "BinaryAccuracy",
    "BinaryCrossentropy",
    "CategoricalAccuracy",
    "CategoricalCrossentropy",
    "CosineSimilarity",
    "KLDivergence",
    "Mean",
    "MeanAbsoluteError",
    "MeanIoU",
    "MeanSquaredError",
    "Metric",
    "Precision",
    "Recall",
    "RootMeanSquaredError",
    "SparseCategoricalAccuracy",
    "SparseCategoricalCrossentropy",
    "SparseTopKCategoricalAccuracy",
    "Sum",
];

const MODELS: [&str; 3] = ["Sequential", "Functional", "Model"];

fn reset_states(view: &View<'_>, change: &mut Change<'_>) {
    let missed: Vec<&str> =
        view.errors.iter().filter_map(|error| captures(MISSING, &error.evalue)?.first().copied()).collect();
    view.calls(|place, call, around| {
        let Some((attribute, "reset_states")) = shape::method(call) else { return };
        let is_own = view.is_own(&attribute.value, "reset_states") || is_layer(&attribute.value, around);
        if !call.arguments.is_empty() || is_own {
            return;
        }
        let class = view.class_of(&attribute.value);
        let is_of = |classes: &[&str]| match class.as_deref() {
            Some(dotted) => dotted.contains("keras.") && classes.contains(&dotted.rsplit('.').next().unwrap_or(dotted)),
            None => missed.iter().any(|one| classes.contains(one)) && view.at_fault(place, call.range()),
        };
        if is_of(&METRICS) {
            change.edit(place, call.start(), vec![replacement(attribute.attr.range(), "reset_state")]);
        } else if is_of(&MODELS) {
            let parsed = view.parsed(place);
            let model = receiver_text(parsed, attribute);
            let statement = around.statement();
            let source = parsed.source();
            let before = source[..call.start().to_usize()].rsplit('\n').next().unwrap_or_default();
            let after = source[call.end().to_usize()..].lines().next().unwrap_or_default().trim();
            let is_alone = around.parent().is_none() && statement.is_expr_stmt() && before.trim().is_empty();
            let text = if is_alone && (after.is_empty() || after.starts_with('#')) {
                format!("for recurrent in {model}.layers:\n{before}    if hasattr(recurrent, 'reset_states'):\n{before}        recurrent.reset_states()")
            } else {
                format!("[recurrent.reset_states() for recurrent in {model}.layers if hasattr(recurrent, 'reset_states')]")
            };
            change.replace(place, call.range(), text);
        }
    });
}

/// Whether a name goes through the layers of a model, which have states of their own.
pub(super) fn is_layer(receiver: &Expr, around: &Surroundings<'_, '_>) -> bool {
    let is_layers = |list: &Expr| matches!(list, Expr::Attribute(layers) if layers.attr.as_str() == "layers");
    let is_through = |target: &Expr, layers: &Expr| {
        shape::name(target).is_some_and(|name| shape::name(receiver) == Some(name)) && is_layers(layers)
    };
    let in_loop = |one: &&Stmt| matches!(one, Stmt::For(block) if is_through(&block.target, &block.iter));
    let in_list = |one: &&Expr| matches!(one, Expr::ListComp(list) if list.generators.iter().any(|of| is_through(&of.target, &of.iter)));
    let is_one = matches!(receiver, Expr::Subscript(one) if is_layers(&one.value));
    is_one || around.statements.iter().any(in_loop) || around.parents.iter().any(in_list)
}
