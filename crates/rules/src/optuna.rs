//! What changed in Optuna.

use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::moves;
use crate::positional::positional;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const fn of(name: &'static str) -> Callee {
    Callee::Function("optuna", name)
}

static RULES: &[Rule] = &[
    Rule::new(
        "optuna-positional",
        ("optuna", "5.0.0"),
        "studies are made, loaded and deleted with named arguments",
        Trigger::Error(&[
            sig("TypeError", "create_study() takes 0 positional arguments"),
            sig("TypeError", "load_study() takes 0 positional arguments"),
            sig("TypeError", "delete_study() takes 0 positional arguments"),
        ]),
        Rewrite::Positional(&[
            positional(
                of("create_study"),
                &["storage", "sampler", "pruner", "study_name", "direction", "load_if_exists"],
                0,
            ),
            positional(of("load_study"), &["study_name", "storage", "sampler", "pruner"], 0),
            positional(of("delete_study"), &["study_name", "storage"], 0),
        ]),
        example(
            "import optuna\ns = optuna.load_study('a', 'sqlite:///a.db')\n",
            ("TypeError", "load_study() takes 0 positional arguments but 2 were given"),
            "import optuna\ns = optuna.load_study(study_name='a', storage='sqlite:///a.db')\n",
        ),
    )
    .certain(),
    Rule::new(
        "optuna-distributions",
        ("optuna", "3.0.0"),
        "there are two distributions of numbers, FloatDistribution and IntDistribution, with step and log",
        Trigger::Error(&[
            sig("ValueError", "Deprecated distribution is specified in"),
            sig("AttributeError", "module 'optuna.distributions' has no attribute"),
            sig("ImportError", "from 'optuna.distributions'"),
        ]),
        Rewrite::Code(distributions),
        example(
            "import optuna\nd = {'C': optuna.distributions.LogUniformDistribution(0.01, 10), 'n': optuna.distributions.IntUniformDistribution(1, 9)}\n",
            ("ValueError", "Deprecated distribution is specified in `C` of param_distributions."),
            "from optuna.distributions import FloatDistribution\nfrom optuna.distributions import IntDistribution\nimport optuna\nd = {'C': FloatDistribution(0.01, 10, log=True), 'n': IntDistribution(1, 9)}\n",
        ),
    ),
];

/// Old class, new class, and what is said besides.
const DISTRIBUTIONS: [(&str, &str, &str); 5] = [
    ("UniformDistribution", "FloatDistribution", ""),
    ("LogUniformDistribution", "FloatDistribution", "log=True"),
    ("DiscreteUniformDistribution", "FloatDistribution", ""),
    ("IntUniformDistribution", "IntDistribution", ""),
    ("IntLogUniformDistribution", "IntDistribution", "log=True"),
];

const MOVED: &[(&str, &str)] = &[
    ("optuna.distributions.UniformDistribution", "optuna.distributions.FloatDistribution"),
    ("optuna.distributions.LogUniformDistribution", "optuna.distributions.FloatDistribution"),
    ("optuna.distributions.DiscreteUniformDistribution", "optuna.distributions.FloatDistribution"),
    ("optuna.distributions.IntUniformDistribution", "optuna.distributions.IntDistribution"),
    ("optuna.distributions.IntLogUniformDistribution", "optuna.distributions.IntDistribution"),
];

fn distributions(view: &View<'_>, change: &mut Change<'_>) {
    moves::apply(MOVED, view, change);
    view.calls(|place, call, _| {
        let is_it = |(old, _, _): &&(&'static str, &'static str, &'static str)| view.is_call_of(of(old), place, call);
        let Some((_, new, said)) = DISTRIBUTIONS.iter().find(is_it) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        // The third argument was the step, under another name for numbers that are no whole ones.
        let step = edit.find("q").or_else(|| edit.find("step")).or_else(|| edit.positional().get(2).copied());
        if let Some(number) = step {
            // Whole numbers on a logarithmic scale have none today; it said nothing.
            if *new == "IntDistribution" && !said.is_empty() {
                edit.remove(number);
            } else {
                edit.name(number, "step");
            }
        }
        if !said.is_empty() && shape::keyword(call, "log").is_none() {
            edit.append(*said);
        }
        change.edit(place, call.start(), edit.finish());
    });
}
