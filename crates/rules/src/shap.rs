//! What changed in shap.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::change::{Change, insertion};
use crate::keywords::{Fate, keyword};
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const LINEAR: Callee = Callee::Function("shap", "LinearExplainer");
const TREE: Callee = Callee::Function("shap", "TreeExplainer");

static RULES: &[Rule] = &[
    Rule::new(
        "shap-values-array",
        ("shap", "0.45.0"),
        "the values of a classifier are one array with the classes last, and were a list of arrays",
        Trigger::Silent,
        Rewrite::Code(lists),
        example(
            "import numpy as np\nimport shap\nfrom sklearn.ensemble import RandomForestClassifier\nmodel = RandomForestClassifier()\nexplainer = shap.TreeExplainer(model)\nvalues = explainer.shap_values(X)\none = values[1]\n",
            ("", ""),
            "import numpy as np\nimport shap\nfrom sklearn.ensemble import RandomForestClassifier\nmodel = RandomForestClassifier()\nexplainer = shap.TreeExplainer(model)\nvalues = list(np.moveaxis(explainer.shap_values(X), -1, 0))\none = values[1]\n",
        ),
    ),
    Rule::new(
        "shap-feature-dependence",
        ("shap", "0.36.0"),
        "feature_dependence is feature_perturbation, with other words",
        Trigger::Error(&[
            sig("ValueError", "The option feature_dependence has been renamed"),
            sig("TypeError", "got an unexpected keyword argument 'feature_dependence'"),
        ]),
        Rewrite::Keyword(&[
            keyword(LINEAR, "feature_dependence", Fate::WrittenWhen("independent", INTERVENTIONAL)),
            keyword(LINEAR, "feature_dependence", Fate::WrittenWhen("interventional", INTERVENTIONAL)),
            keyword(LINEAR, "feature_dependence", Fate::WrittenWhen("correlation", CORRELATED)),
            keyword(TREE, "feature_dependence", Fate::WrittenWhen("independent", INTERVENTIONAL)),
            keyword(TREE, "feature_dependence", Fate::WrittenWhen("tree_path_dependent", PATHS)),
        ]),
        example(
            "import shap\ne = shap.LinearExplainer(m, X, feature_dependence='independent')\n",
            ("ValueError", "The option feature_dependence has been renamed to feature_perturbation!"),
            "import shap\ne = shap.LinearExplainer(m, X, feature_perturbation='interventional')\n",
        ),
    ),
];

const INTERVENTIONAL: &str = "feature_perturbation='interventional'";
const CORRELATED: &str = "feature_perturbation='correlation_dependent'";
const PATHS: &str = "feature_perturbation='tree_path_dependent'";

/// What the values of an explainer were.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A list with an array for each class.
    Classes,
    /// The same, and of two classes the second alone is left today.
    Signed,
    /// No list.
    Other,
    /// Nobody knows the model.
    Unknown,
}

/// Classifiers of scikit-learn whose explanation was a list with an array for each class.
const CLASSIFIERS: [&str; 4] =
    ["RandomForestClassifier", "ExtraTreesClassifier", "DecisionTreeClassifier", "BaggingClassifier"];

/// What an expression that makes an explainer makes.
fn made(view: &View<'_>, expression: &Expr) -> Option<Sort> {
    let call = expression.as_call_expr()?;
    let explainer = view.qualified(&call.func)?;
    let model = call.arguments.args.first()?;
    match explainer.as_str() {
        "shap.TreeExplainer" => Some(view.class_of(model).map_or(Sort::Unknown, |class| sort_of_trees(&class))),
        "shap.KernelExplainer" => {
            let of_classes = model.as_attribute_expr().is_some_and(|asked| asked.attr.as_str() == "predict_proba");
            Some(if of_classes { Sort::Classes } else { Sort::Other })
        }
        _ => None,
    }
}

fn sort_of_trees(class: &str) -> Sort {
    let last = class.rsplit('.').next().unwrap_or_default();
    if class.starts_with("sklearn.") && CLASSIFIERS.contains(&last) {
        Sort::Classes
    } else if class.starts_with("lightgbm.") && last == "LGBMClassifier" {
        Sort::Signed
    } else {
        Sort::Other
    }
}

/// Names that hold explainers, once for each time that they are bound.
fn explainers<'a>(view: &View<'a>) -> Vec<(&'a str, Sort)> {
    let mut found = Vec::new();
    view.calls(|_, call, around| {
        let Some(target) = target_of(call, around.statement()) else { return };
        if let Stmt::Assign(assign) = around.statement()
            && let Some(sort) = made(view, &assign.value)
        {
            found.push((target, sort));
        }
    });
    found
}

/// The only name that a statement binds to a call.
fn target_of<'a>(call: &ExprCall, statement: &'a Stmt) -> Option<&'a str> {
    let assign = statement.as_assign_stmt().filter(|assign| assign.value.range() == call.range())?;
    let [target] = &assign.targets[..] else { return None };
    shape::name(target)
}

/// A name that holds explainers of several sorts is none of them.
fn sort_of(explainers: &[(&str, Sort)], name: &str) -> Option<Sort> {
    let mut known =
        explainers.iter().filter(|(one, sort)| *one == name && *sort != Sort::Unknown).map(|(_, sort)| *sort);
    let first = known.next()?;
    known.all(|sort| sort == first).then_some(first)
}

/// The list is made again, where the notebook takes classes out of one.
fn lists(view: &View<'_>, change: &mut Change<'_>) {
    let explainers = explainers(view);
    let mut values: Vec<(&str, Place, &ExprCall, Sort)> = Vec::new();
    view.calls(|place, call, around| {
        let Some((attribute, "shap_values" | "shap_interaction_values")) = shape::method(call) else { return };
        let Some(target) = target_of(call, around.statement()) else { return };
        let sort = match shape::name(&attribute.value) {
            Some(name) => sort_of(&explainers, name),
            None => made(view, &attribute.value),
        };
        if let Some(sort @ (Sort::Classes | Sort::Signed)) = sort {
            values.push((target, place, call, sort));
        }
    });
    let (mut of_classes, mut of_arrays) = (Vec::new(), Vec::new());
    view.expressions(|_, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        let Some(name) = shape::name(&subscript.value) else { return };
        match subscript.slice.as_ref() {
            Expr::Tuple(_) => of_arrays.push(name),
            slice if shape::integer(slice).is_some() => of_classes.push(name),
            _ => {}
        }
    });
    values.retain(|(name, ..)| of_classes.contains(name) && !of_arrays.contains(name));
    for (_, place, call, sort) in values {
        let axes = change.spell(place, "numpy.moveaxis");
        let (before, after) = match sort {
            Sort::Signed => (
                format!("(lambda found: [-found, found] if found.ndim == 2 else list({axes}(found, -1, 0)))("),
                ")".to_owned(),
            ),
            _ => (format!("list({axes}("), ", -1, 0))".to_owned()),
        };
        change.edit(place, call.start(), vec![insertion(call.start(), before), insertion(call.end(), after)]);
    }
}
