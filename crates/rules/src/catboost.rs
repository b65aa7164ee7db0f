//! CatBoost: what the first versions (0.2 to 0.6) knew under other names, held against 1.2.

use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::keywords::{Fate, KeywordChange, keyword};
use crate::methods::renamed;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const MODELS: [On; 3] =
    [On::Instance("CatBoostClassifier"), On::Instance("CatBoostRegressor"), On::Instance("CatBoost")];

const fn of(class: &'static str, name: &'static str, fate: Fate) -> KeywordChange {
    keyword(Callee::Function("catboost", class), name, fate)
}

static RULES: &[Rule] = &[
    Rule::new(
        "catboost-constructor",
        ("catboost", "0.10.0"),
        "importances are computed when they are asked for; gradient_iterations is leaf_estimation_iterations",
        Trigger::Error(&[sig("TypeError", "__init__() got an unexpected keyword argument")]),
        Rewrite::Keyword(&[
            of("CatBoostClassifier", "calc_feature_importance", Fate::Removed),
            of("CatBoostRegressor", "calc_feature_importance", Fate::Removed),
            of("CatBoostClassifier", "gradient_iterations", Fate::Renamed("leaf_estimation_iterations")),
            of("CatBoostRegressor", "gradient_iterations", Fate::Renamed("leaf_estimation_iterations")),
            of("CatBoostClassifier", "fold_permutation_block_size", Fate::Renamed("fold_permutation_block")),
            of("CatBoostRegressor", "fold_permutation_block_size", Fate::Renamed("fold_permutation_block")),
            of("CatBoostClassifier", "border", Fate::Renamed("target_border")),
            of("CatBoostClassifier", "ctr_border_count", Fate::Removed),
            of("CatBoostRegressor", "ctr_border_count", Fate::Removed),
        ]),
        example(
            "from catboost import CatBoostClassifier\nm = CatBoostClassifier(iterations=5, calc_feature_importance=True, gradient_iterations=2)\n",
            ("TypeError", "CatBoostClassifier.__init__() got an unexpected keyword argument 'calc_feature_importance'"),
            "from catboost import CatBoostClassifier\nm = CatBoostClassifier(iterations=5, leaf_estimation_iterations=2)\n",
        ),
    )
    .certain(),
    Rule::new(
        "catboost-importance-data",
        ("catboost", "0.12.2"),
        "get_feature_importance takes a Pool, not features and labels",
        Trigger::Error(&[
            sig("Exception", "can't create enum <enum 'EFstrType'>"),
            sig("TypeError", "get_feature_importance() got an unexpected keyword argument"),
        ]),
        Rewrite::Code(importance),
        example(
            "from catboost import CatBoostClassifier\nm = CatBoostClassifier(iterations=5)\nm.fit(X, y)\ni = m.get_feature_importance(X, y, cat_features=[0])\n",
            ("TypeError", "CatBoost.get_feature_importance() got an unexpected keyword argument 'cat_features'"),
            "from catboost import Pool\nfrom catboost import CatBoostClassifier\nm = CatBoostClassifier(iterations=5)\nm.fit(X, y)\ni = m.get_feature_importance(Pool(X, y, cat_features=[0]))\n",
        ),
    ),
    Rule::new(
        "catboost-attributes",
        ("catboost", "0.12.2"),
        "is_fitted_ is a method, and attributes that began with an underscore are public",
        Trigger::Error(&[
            sig("AttributeError", "has no attribute 'is_fitted_'"),
            sig("AttributeError", "has no attribute '_feature_importance'"),
            sig("AttributeError", "has no attribute '_classes'"),
        ]),
        Rewrite::Method(&[
            renamed(MODELS[0], "is_fitted_", "is_fitted()"),
            renamed(MODELS[1], "is_fitted_", "is_fitted()"),
            renamed(MODELS[2], "is_fitted_", "is_fitted()"),
            renamed(MODELS[0], "_feature_importance", "feature_importances_"),
            renamed(MODELS[1], "_feature_importance", "feature_importances_"),
            renamed(MODELS[0], "_classes", "classes_"),
        ]),
        example(
            "from catboost import CatBoostClassifier\nm = CatBoostClassifier(iterations=5)\nprint(m.is_fitted_)\n",
            ("AttributeError", "'CatBoostClassifier' object has no attribute 'is_fitted_'"),
            "from catboost import CatBoostClassifier\nm = CatBoostClassifier(iterations=5)\nprint(m.is_fitted())\n",
        ),
    )
    .certain(),
];

/// The parameters of `get_feature_importance` that describe data, in their old order.
const DATA: [&str; 4] = ["X", "y", "cat_features", "weight"];

fn importance(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "get_feature_importance")) = shape::method(call) else { return };
        let model = MODELS.iter().any(|on| view.receiver_is(*on, place, &attribute.value, call.range()));
        let mut edit = CallEdit::new(view.parsed(place), call);
        let positional = edit.positional();
        let described = positional.len() > 1 || DATA.iter().any(|name| edit.find(name).is_some());
        if !model || !described || shape::has_stars(call) || positional.len() > DATA.len() {
            return;
        }
        let mut parts: Vec<String> = positional
            .iter()
            .enumerate()
            .map(|(order, number)| match DATA[order] {
                name @ ("cat_features" | "weight") => format!("{name}={}", edit.value_text(*number)),
                _ => edit.value_text(*number).to_owned(),
            })
            .collect();
        for (name, now) in DATA.into_iter().zip(["data", "label", "cat_features", "weight"]) {
            if let Some(number) = edit.find(name) {
                parts.push(format!("{now}={}", edit.value_text(number)));
                edit.remove(number);
            }
        }
        let pool = format!("{}({})", change.spell(place, "catboost.Pool"), parts.join(", "));
        match positional.split_first() {
            Some((first, rest)) => {
                edit.set(*first, pool);
                rest.iter().for_each(|number| edit.remove(*number));
            }
            None => edit.append(format!("data={pool}")),
        }
        change.edit(place, call.range().start(), edit.finish());
    });
}
