//! Parameters that reach an estimator through a dict, a name, a loop or a class of the notebook: the error says whose they are.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use super::parameters::{PARAMETERS, VALUES};
use crate::change::Change;
use crate::keywords::{Fate, KeywordChange, change_items, literal_is};
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::{captures, sig};
use crate::view::{Place, View};
use crate::{shape, walk};

pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-told-parameters",
    ("scikit-learn", "1.2"),
    "parameters and values were renamed or removed, and reach the estimator through a name or a dict",
    Trigger::Error(&[
        sig("InvalidParameterError", "The '*' parameter of * must be"),
        sig("ValueError", "The '*' parameter of * must be"),
        sig("TypeError", "__init__() got an unexpected keyword argument"),
    ]),
    Rewrite::Code(told_parameters),
    example(
        "class Helper:\n    def __init__(self, model, params):\n        self.model = model(**params)\nforest = {'n_estimators': 5, 'random_state': 0, 'max_features': 'auto'}\nhelper = Helper(RandomForestRegressor, forest)\n",
        (
            "InvalidParameterError",
            "The 'max_features' parameter of RandomForestRegressor must be an int in the range [1, inf), a float in the range (0.0, 1.0], a str among {'sqrt', 'log2'} or None. Got 'auto' instead.",
        ),
        "class Helper:\n    def __init__(self, model, params):\n        self.model = model(**params)\nforest = {'n_estimators': 5, 'random_state': 0, 'max_features': 1.0}\nhelper = Helper(RandomForestRegressor, forest)\n",
    ),
)];

/// What the tables say of the parameters that errors speak of.
fn told(view: &View<'_>) -> Vec<&'static KeywordChange> {
    let mut found: Vec<&KeywordChange> = Vec::new();
    for error in &view.errors {
        let mut rest = error.evalue.as_str();
        while let Some(at) = rest.find("The '") {
            rest = &rest[at..];
            if let Some([parameter, class]) = captures("The '*' parameter of * must be", rest).as_deref() {
                add(&mut found, VALUES, class, parameter);
            }
            rest = &rest["The '".len()..];
        }
        if let Some([class, parameter]) =
            captures("*.__init__() got an unexpected keyword argument '*'", &error.evalue).as_deref()
        {
            let class = class.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            add(&mut found, PARAMETERS, class, parameter);
        }
    }
    found
}

/// Adds the rows of a class's parameter, each once.
fn add(found: &mut Vec<&'static KeywordChange>, table: &'static [KeywordChange], class: &str, parameter: &str) {
    for row in table.iter().filter(|row| row.keyword == parameter) {
        let is_of_class = matches!(row.callee, Callee::Function(_, name) if name == class || name == "*");
        if is_of_class && !found.iter().any(|known| std::ptr::eq(*known, row)) {
            found.push(row);
        }
    }
}

fn told_parameters(view: &View<'_>, change: &mut Change<'_>) {
    let told = told(view);
    if told.is_empty() {
        return;
    }
    let is_told = |name: &str| told.iter().any(|row| row.keyword == name.rsplit("__").next().unwrap_or(name));
    let mut names = BTreeSet::new();
    view.expressions(|place, expression, _| match expression {
        Expr::Dict(dict) => {
            change_items(&told, dict, place, view, change);
            let given = dict.items.iter().filter(|item| item.key.as_ref().and_then(shape::text).is_some_and(is_told));
            names.extend(given.filter_map(|item| shape::name(&item.value)).map(str::to_owned));
        }
        Expr::Call(call) => {
            for keyword in &call.arguments.keywords {
                if keyword.arg.as_ref().is_some_and(|name| is_told(name.as_str())) {
                    names.extend(shape::name(&keyword.value).map(str::to_owned));
                    if !view.qualified(&call.func).is_some_and(|dotted| dotted.starts_with("sklearn.")) {
                        change_values(&told, &keyword.value, place, view, change);
                    }
                }
            }
        }
        _ => {}
    });
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let (target, value) = match statement {
                Stmt::Assign(assign) => (assign.targets.first(), &assign.value),
                Stmt::For(block) => (Some(block.target.as_ref()), &block.iter),
                _ => return,
            };
            let is_meant = match target {
                Some(Expr::Subscript(item)) => shape::text(&item.slice).is_some_and(is_told),
                Some(other) => shape::name(other).is_some_and(|name| names.contains(name)),
                None => false,
            };
            if is_meant {
                change_values(&told, value, place, view, change);
            }
        });
    }
}

/// Writes the words of today in a value, or in each of a list.
fn change_values(rows: &[&KeywordChange], value: &Expr, place: Place, view: &View<'_>, change: &mut Change<'_>) {
    for one in shape::elements(value).unwrap_or(std::slice::from_ref(value)) {
        let text = view.parsed(place).text(one.range());
        let new = rows.iter().find_map(|row| match row.fate {
            Fate::Values(values) => values.iter().find(|(old, _)| literal_is(one, text, old)).map(|(_, new)| *new),
            _ => None,
        });
        if let Some(new) = new {
            change.replace(place, one.range(), new);
        }
    }
}
