//! Grids of parameters whose model was wrapped: its parameters have the wrapper's prefix then.

use nbrevive_pysource::ast::{Expr, ExprCall, ExprDict};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[Rule::new(
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
)];

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
