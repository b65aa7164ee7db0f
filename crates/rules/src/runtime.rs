//! Savings of time. The first stage does the same work on all cores; the second repeats searches less often, as a
//! last resort.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

static RULES: &[Rule] = &[
    Rule::new(
        "runtime-all-cores",
        ("scikit-learn", "0.18"),
        "searches, forests and neighbours use one core unless told; all of them do the same work sooner",
        Trigger::Slow { stage: 1 },
        Rewrite::Code(all_cores),
        example(
            "from sklearn.ensemble import RandomForestClassifier\nm = RandomForestClassifier(500, n_jobs=1)\n",
            ("", ""),
            "from sklearn.ensemble import RandomForestClassifier\nm = RandomForestClassifier(500, n_jobs=-1)\n",
        ),
    ),
    Rule::new(
        "runtime-histogram-trees",
        ("xgboost", "2.0.0"),
        "exact trees are far slower than those over histograms, which have been the default since",
        Trigger::Slow { stage: 1 },
        Rewrite::Code(histogram_trees),
        example(
            "import xgboost as xgb\nm = xgb.XGBClassifier(tree_method='exact')\n",
            ("", ""),
            "import xgboost as xgb\nm = xgb.XGBClassifier(tree_method='hist')\n",
        ),
    ),
    Rule::new(
        "runtime-fewer-folds",
        ("scikit-learn", "0.18"),
        "searches with fewer folds and candidates need less time",
        Trigger::Slow { stage: 2 },
        Rewrite::Code(fewer_folds),
        example(
            "from sklearn.model_selection import GridSearchCV, RandomizedSearchCV\ng = GridSearchCV(m, {'a': [1, 2, 3, 4]}, cv=10)\nr = RandomizedSearchCV(m, p, n_iter=50, cv=3)\n",
            ("", ""),
            "from sklearn.model_selection import GridSearchCV, RandomizedSearchCV\ng = GridSearchCV(m, {'a': [1, 3]}, cv=3)\nr = RandomizedSearchCV(m, p, n_iter=25, cv=2)\n",
        ),
    )
    .shift("the chosen parameters may differ"),
];

/// What can use several cores.
const PARALLEL: [&str; 12] = [
    "GridSearchCV",
    "RandomizedSearchCV",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "cross_val_score",
    "VotingClassifier",
];

fn all_cores(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        if !PARALLEL.iter().any(|name| view.is_call_of(Callee::Function("sklearn", name), place, call))
            || shape::has_stars(call)
        {
            return;
        }
        // An estimator inside of a parallel search must not ask for all cores too.
        let nested = around.parents.iter().any(|parent| parent.is_call_expr());
        let mut edit = CallEdit::new(view.parsed(place), call);
        match edit.find("n_jobs") {
            Some(number) if shape::integer(edit.value(number)) != Some(-1) => edit.set(number, "n_jobs=-1"),
            None if !nested => edit.append("n_jobs=-1"),
            _ => return,
        }
        change.edit(place, call.range().start(), edit.finish());
    });
}

fn histogram_trees(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let model = ["XGBClassifier", "XGBRegressor"]
            .iter()
            .any(|name| view.is_call_of(Callee::Function("xgboost", name), place, call));
        let Some(keyword) = shape::keyword(call, "tree_method").filter(|_| model) else { return };
        if shape::text(&keyword.value) == Some("exact") {
            change.replace(place, keyword.value.range(), "'hist'");
        }
    });
}

fn fewer_folds(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is = |name: &'static str| view.is_call_of(Callee::Function("sklearn", name), place, call);
        let (grid, random, score) = (is("GridSearchCV"), is("RandomizedSearchCV"), is("cross_val_score"));
        if !grid && !random && !score {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        if let Some(number) = edit.find("cv") {
            match shape::integer(edit.value(number)) {
                Some(folds) if folds > 3 => edit.set(number, "cv=3"),
                Some(3) => edit.set(number, "cv=2"),
                _ => {}
            }
        }
        // A search of fewer than two candidates is none.
        if let Some(number) = edit.find("n_iter")
            && let Some(count) = shape::integer(edit.value(number)).filter(|count| *count > 3)
        {
            edit.set(number, format!("n_iter={}", count / 2));
        }
        let mut edits = edit.finish();
        if grid {
            let candidates =
                call.arguments.args.get(1).or_else(|| shape::keyword(call, "param_grid").map(|k| &k.value));
            for list in candidates.map(grid_lists).unwrap_or_default() {
                let kept: Vec<&str> =
                    list.iter().step_by(2).map(|value| view.parsed(place).text(value.range())).collect();
                if let (Some(first), Some(last)) = (list.first(), list.last()) {
                    let range = nbrevive_pysource::text_size::TextRange::new(first.range().start(), last.end());
                    edits.push(crate::change::replacement(range, kept.join(", ")));
                }
            }
        }
        change.edit(place, call.range().start(), edits);
    });
}

/// The lists of a grid written as a dict, those with more than two values.
fn grid_lists(grid: &Expr) -> Vec<&[Expr]> {
    let Expr::Dict(dict) = grid else { return Vec::new() };
    dict.iter().filter_map(|item| shape::elements(&item.value)).filter(|list| list.len() > 2).collect()
}
