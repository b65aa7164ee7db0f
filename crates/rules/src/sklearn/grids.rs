//! Grids of parameters: of a model that was wrapped, whose parameters have the wrapper's prefix then, and of one whose parameter was renamed.

use nbrevive_pysource::ast::{Expr, ExprCall, ExprDict};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[WRAPPED, BASE];

const WRAPPED: Rule = Rule::new(
    "sklearn-wrapped-grid",
    ("scikit-learn", "1.8"),
    "a model inside OneVsRestClassifier has its parameters behind estimator__",
    Trigger::Error(&[sig("ValueError", INVALID)]),
    Rewrite::Code(wrapped_grid),
    example(
        "g = GridSearchCV(OneVsRestClassifier(LogisticRegression()), {'C': [1, 5]})\n",
        (
            "ValueError",
            "Invalid parameter 'C' for estimator OneVsRestClassifier(estimator=LogisticRegression()). Valid parameters are: ['estimator', 'n_jobs', 'verbose'].",
        ),
        "g = GridSearchCV(OneVsRestClassifier(LogisticRegression()), {'estimator__C': [1, 5]})\n",
    ),
);

const BASE: Rule = Rule::new(
    "sklearn-grid-of-base-estimator",
    ("scikit-learn", "1.4"),
    "base_estimator is estimator, in names of nested parameters as well",
    Trigger::Error(&[sig("ValueError", "Invalid parameter 'base_estimator' for estimator")]),
    Rewrite::Code(base_estimator),
    example(
        "g = GridSearchCV(BaggingClassifier(DecisionTreeClassifier()), {'base_estimator__max_depth': [1, 5]})\nm.set_params(bag__base_estimator__max_depth=2)\n",
        (
            "ValueError",
            "Invalid parameter 'base_estimator' for estimator BaggingClassifier(estimator=DecisionTreeClassifier()). Valid parameters are: ['estimator'].",
        ),
        "g = GridSearchCV(BaggingClassifier(DecisionTreeClassifier()), {'estimator__max_depth': [1, 5]})\nm.set_params(bag__estimator__max_depth=2)\n",
    ),
);

/// A name of a nested parameter as it is today.
fn nested_name(old: &str) -> Option<String> {
    let parts: Vec<&str> =
        old.split("__").map(|part| if part == "base_estimator" { "estimator" } else { part }).collect();
    let new = parts.join("__");
    (new != old).then_some(new)
}

fn base_estimator(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| match expression {
        Expr::Dict(dict) => {
            let edits: Vec<_> = keys(dict)
                .filter_map(|(key, range)| Some(replacement(range, format!("'{}'", nested_name(key)?))))
                .collect();
            change.edit(place, dict.start(), edits);
        }
        Expr::Call(call) => {
            let names = call.arguments.keywords.iter().filter_map(|keyword| keyword.arg.as_ref());
            let nested = names.filter(|name| name.contains("__"));
            let edits: Vec<_> =
                nested.filter_map(|name| Some(replacement(name.range(), nested_name(name.as_str())?))).collect();
            change.edit(place, call.start(), edits);
        }
        _ => {}
    });
}

const INVALID: &str = "Invalid parameter '*' for estimator OneVsRestClassifier(estimator=";

/// Dicts that offer one of the parameters, and wrappers with what stands around them.
#[derive(Default)]
struct Found<'a> {
    grids: Vec<(Place, &'a ExprDict)>,
    wrappers: Vec<(Place, Vec<TextRange>)>,
}

fn wrapped_grid(view: &View<'_>, change: &mut Change<'_>) {
    let parameters: Vec<&str> =
        view.errors.iter().filter_map(|error| captures(INVALID, &error.evalue)?.first().copied()).collect();
    let mut found = Found::default();
    view.expressions(|place, expression, around| match expression {
        Expr::Dict(dict) if keys(dict).any(|(key, _)| parameters.contains(&key)) => found.grids.push((place, dict)),
        Expr::Call(call) if is_wrapper(call) => {
            found.wrappers.push((place, around.parents.iter().rev().map(|parent| parent.range()).collect()));
        }
        _ => {}
    });
    for (place, grid) in found.meant() {
        let edits = keys(grid)
            .filter(|(key, _)| parameters.contains(key))
            .map(|(key, range)| replacement(range, format!("'estimator__{key}'")))
            .collect();
        change.edit(place, grid.range().start(), edits);
    }
}

impl<'a> Found<'a> {
    /// The grids that stand beside a wrapper, in the smallest expression that holds both; else the only grid there is.
    fn meant(&self) -> Vec<(Place, &'a ExprDict)> {
        let beside: Vec<(Place, &ExprDict)> =
            self.wrappers.iter().flat_map(|(place, parents)| self.within(*place, parents)).collect();
        match (&beside[..], &self.grids[..]) {
            ([], [only]) => vec![*only],
            _ => beside,
        }
    }

    fn within(&self, place: Place, parents: &[TextRange]) -> Vec<(Place, &'a ExprDict)> {
        let inside = |range: &TextRange| -> Vec<(Place, &'a ExprDict)> {
            let grids = self.grids.iter().filter(|(at, grid)| *at == place && range.contains_range(grid.range()));
            grids.copied().collect()
        };
        parents.iter().map(inside).find(|grids| !grids.is_empty()).unwrap_or_default()
    }
}

fn is_wrapper(call: &ExprCall) -> bool {
    shape::dotted(&call.func).is_some_and(|parts| parts.last() == Some(&"OneVsRestClassifier"))
}

/// The keys that are texts, and where they stand.
fn keys(dict: &ExprDict) -> impl Iterator<Item = (&str, TextRange)> {
    dict.iter().filter_map(|item| Some((shape::text(item.key.as_ref()?)?, item.key.as_ref()?.range())))
}
