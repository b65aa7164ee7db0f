//! Grids of parameters: of a model that was wrapped, whose parameters have the wrapper's prefix then, and of one whose parameter was renamed.

use nbrevive_pysource::ast::{DictItem, Expr, ExprCall, ExprDict};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::keywords::{self, Fate, KeywordChange, keyword};
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[WRAPPED, BASE, BOOSTING];

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

const BOOSTING: Rule = Rule::new(
    "sklearn-grid-of-boosting-algorithms",
    ("scikit-learn", "1.8"),
    "AdaBoostClassifier has one algorithm, and no parameter that chooses it",
    Trigger::Error(&[sig("ValueError", "Invalid parameter 'algorithm' for estimator ")]),
    Rewrite::Code(boosting_algorithms),
    example(
        "grid = {'algorithm': ['SAMME', 'SAMME.R'], 'n_estimators': [2, 4]}\n",
        (
            "ValueError",
            "Invalid parameter 'algorithm' for estimator AdaBoostClassifier(). Valid parameters are: ['estimator', 'learning_rate', 'n_estimators', 'random_state'].",
        ),
        "grid = {'n_estimators': [2, 4]}\n",
    ),
)
.shift("the search tries SAMME alone, where it tried SAMME.R as well");

/// What only AdaBoost calls its algorithms.
fn is_boosting(values: &Expr) -> bool {
    let given = shape::elements(values).unwrap_or(std::slice::from_ref(values));
    !given.is_empty() && given.iter().all(|one| matches!(shape::text(one), Some("SAMME" | "SAMME.R")))
}

fn boosting_algorithms(view: &View<'_>, change: &mut Change<'_>) {
    const ROWS: [KeywordChange; 1] =
        [keyword(Callee::Function("sklearn", "AdaBoostClassifier"), "algorithm", Fate::Removed)];
    view.calls(|place, call, _| {
        let mut edit = CallEdit::new(view.parsed(place), call);
        let given = edit.find("algorithm").filter(|_| shape::name(&call.func) == Some("dict"));
        if let Some(number) = given.filter(|number| is_boosting(edit.value(*number))) {
            edit.remove(number);
            change.edit(place, call.start(), edit.finish());
        }
    });
    view.expressions(|place, expression, _| {
        let Expr::Dict(dict) = expression else { return };
        let of_others = |item: &DictItem| {
            let name = item.key.as_ref().and_then(shape::text).unwrap_or_default();
            name.rsplit("__").next() == Some("algorithm") && !is_boosting(&item.value)
        };
        if !dict.items.iter().any(of_others) {
            keywords::change_items(&ROWS.each_ref(), dict, place, view, change);
        }
    });
}

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
