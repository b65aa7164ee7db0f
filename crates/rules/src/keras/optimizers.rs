//! How a model learns: the arguments of optimizers.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::keywords::{Fate, keyword};
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "keras-optimizer-defaults",
        ("keras", "3.0"),
        "an epsilon of None was the default; schedule_decay of Nadam is fixed",
        Trigger::Error(&[
            sig("ValueError", "None values not supported"),
            sig("ValueError", "Argument(s) not recognized: {*'schedule_decay'"),
        ]),
        Rewrite::Keyword(&[
            keyword(Callee::Function("keras", "Adam"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("keras", "Adamax"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("keras", "Adadelta"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("keras", "Adagrad"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("keras", "Nadam"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("keras", "Nadam"), "schedule_decay", Fate::RemovedWhen("0.004")),
            keyword(Callee::Function("keras", "RMSprop"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("tensorflow", "Adam"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("tensorflow", "Adamax"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("tensorflow", "Adadelta"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("tensorflow", "Adagrad"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("tensorflow", "Nadam"), "epsilon", Fate::RemovedWhen("None")),
            keyword(Callee::Function("tensorflow", "Nadam"), "schedule_decay", Fate::RemovedWhen("0.004")),
            keyword(Callee::Function("tensorflow", "RMSprop"), "epsilon", Fate::RemovedWhen("None")),
        ]),
        example(
            "from keras.optimizers import Adam\nm.compile(Adam(learning_rate=0.01, epsilon=None, amsgrad=False), 'mse')\n",
            ("ValueError", "None values not supported."),
            "from keras.optimizers import Adam\nm.compile(Adam(learning_rate=0.01, amsgrad=False), 'mse')\n",
        ),
    )
    .certain(),
    Rule::new(
        "keras-optimizer-decay",
        ("keras", "3.0"),
        "decay of an optimizer is passed over; the rate that falls with every step is a schedule",
        Trigger::Silent,
        Rewrite::Code(decay),
        example(
            "from keras.optimizers import SGD\nm.compile(SGD(learning_rate=0.1, decay=0.5), 'mse')\n",
            ("", ""),
            "from keras.optimizers import schedules\nfrom keras.optimizers import SGD\nm.compile(SGD(learning_rate=schedules.InverseTimeDecay(0.1, 1, 0.5)), 'mse')\n",
        ),
    ),
];

/// Optimizers, with the learning rate of each where none is told.
const RATES: [(&str, &str); 3] = [("Adam", "0.001"), ("RMSprop", "0.001"), ("SGD", "0.01")];

/// What sets the rate of an optimizer, or reads it, and takes none that a schedule gives: callbacks, and attributes.
const CALLBACKS: [&str; 2] = ["ReduceLROnPlateau", "LearningRateScheduler"];
const ASKED: [&str; 3] = ["lr", "learning_rate", "set_value"];

fn decay(view: &View<'_>, change: &mut Change<'_>) {
    let is_set = std::cell::OnceCell::new();
    view.calls(|place, call, _| {
        let Some((root, rate)) = optimizer(view, call) else { return };
        if *is_set.get_or_init(|| is_rate_set(view)) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(decay) = edit.find("decay") else { return };
        let told = edit.find("learning_rate").or_else(|| edit.find("lr")).or(edit.positional().first().copied());
        let schedules = change.spell(place, &format!("{root}.optimizers.schedules"));
        let (old, step) = (told.map_or(rate, |number| edit.value_text(number)), edit.value_text(decay));
        let schedule = format!("learning_rate={schedules}.InverseTimeDecay({old}, 1, {step})");
        edit.remove(decay);
        match told {
            Some(number) => edit.set(number, schedule),
            None => edit.append(schedule),
        }
        change.edit(place, call.start(), edit.finish());
    });
}

/// The root of Keras and the rate by default, where a call makes an optimizer whose decay says something.
fn optimizer(view: &View<'_>, call: &ExprCall) -> Option<(&'static str, &'static str)> {
    let decay = &shape::keyword(call, "decay")?.value;
    let says_nothing = match decay {
        Expr::NumberLiteral(number) => match &number.value {
            nbrevive_pysource::ast::Number::Float(value) => *value == 0.0,
            _ => shape::integer(decay) == Some(0),
        },
        Expr::NoneLiteral(_) => true,
        _ => false,
    };
    if says_nothing || shape::has_stars(call) || call.arguments.args.len() > 1 {
        return None;
    }
    let dotted = view.qualified(&call.func)?;
    let root =
        ["tensorflow.keras", "keras"].into_iter().find(|root| dotted.starts_with(&format!("{root}.optimizers.")))?;
    let (_, rate) = RATES.iter().find(|(name, _)| dotted.rsplit('.').next() == Some(name))?;
    Some((root, rate))
}

/// Whether the notebook sets a rate while it trains.
fn is_rate_set(view: &View<'_>) -> bool {
    let mut found = false;
    view.expressions(|_, expression, _| {
        found |= match expression {
            Expr::Name(name) => CALLBACKS.contains(&name.id.as_str()),
            Expr::Attribute(attribute) => {
                let name = attribute.attr.as_str();
                CALLBACKS.contains(&name) || ASKED.contains(&name)
            }
            _ => false,
        };
    });
    found
}
