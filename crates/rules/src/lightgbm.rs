//! What changed in lightgbm.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::keywords::{Fate, keyword};
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::{Place, View};

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const fn of(name: &'static str) -> Callee {
    Callee::Function("lightgbm", name)
}

static ARGUMENTS: &[Signature] = &[
    sig("TypeError", "got an unexpected keyword argument 'verbose_eval'"),
    sig("TypeError", "got an unexpected keyword argument 'early_stopping_rounds'"),
    sig("TypeError", "got an unexpected keyword argument 'evals_result'"),
    sig("TypeError", "got an unexpected keyword argument 'learning_rates'"),
    sig("TypeError", "fit() got an unexpected keyword argument 'verbose'"),
];

static RULES: &[Rule] = &[
    Rule::new(
        "lightgbm-callbacks",
        ("lightgbm", "4.0.0"),
        "early stopping, verbosity, records and learning rates of train and fit are callbacks",
        Trigger::Error(ARGUMENTS),
        Rewrite::Code(callbacks),
        example(
            "import lightgbm as lgb\nb = lgb.train(p, d, 20, valid_sets=[v], early_stopping_rounds=3, verbose_eval=False)\nm = lgb.LGBMClassifier(n_estimators=20)\nm.fit(X, y, eval_set=[(X, y)], early_stopping_rounds=5, verbose=100)\n",
            ("TypeError", "train() got an unexpected keyword argument 'early_stopping_rounds'"),
            "import lightgbm as lgb\nb = lgb.train(p, d, 20, valid_sets=[v], callbacks=[lgb.early_stopping(3, verbose=False)])\nm = lgb.LGBMClassifier(n_estimators=20)\nm.fit(X, y, eval_set=[(X, y)], callbacks=[lgb.early_stopping(5, verbose=False), lgb.log_evaluation(100)])\n",
        ),
    )
    .certain(),
    Rule::new(
        "lightgbm-dataset-arguments",
        ("lightgbm", "4.0.0"),
        "categorical_feature and feature_name are arguments of Dataset alone",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'categorical_feature'"),
            sig("TypeError", "got an unexpected keyword argument 'feature_name'"),
        ]),
        Rewrite::Code(dataset_arguments),
        example(
            "import lightgbm as lgb\nd = lgb.Dataset(X, y)\nb = lgb.train(p, d, 3, categorical_feature=[0])\n",
            ("TypeError", "train() got an unexpected keyword argument 'categorical_feature'"),
            "import lightgbm as lgb\nd = lgb.Dataset(X, y, categorical_feature=[0])\nb = lgb.train(p, d, 3)\n",
        ),
    )
    .certain(),
    Rule::new(
        "lightgbm-keywords",
        ("lightgbm", "4.0.0"),
        "silent of Dataset and models is gone; print_evaluation is log_evaluation",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'silent'"),
            sig("TypeError", "got an unexpected keyword argument 'categorical_feature'"),
        ]),
        Rewrite::Keyword(&[
            keyword(of("Dataset"), "silent", Fate::Removed),
            keyword(of("train"), "silent", Fate::Removed),
            keyword(of("train"), "categorical_feature", Fate::RemovedWhen("auto")),
            keyword(of("train"), "feature_name", Fate::RemovedWhen("auto")),
        ]),
        example(
            "import lightgbm as lgb\nd = lgb.Dataset(X, y, silent=True)\n",
            ("TypeError", "Dataset.__init__() got an unexpected keyword argument 'silent'"),
            "import lightgbm as lgb\nd = lgb.Dataset(X, y)\n",
        ),
    )
    .certain(),
    Rule::new(
        "lightgbm-objective-function",
        ("lightgbm", "4.0.0"),
        "fobj of train is the objective among the parameters",
        Trigger::Error(&[sig("TypeError", "train() got an unexpected keyword argument 'fobj'")]),
        Rewrite::Code(objective_function),
        example(
            "import lightgbm as lgb\nb = lgb.train(p, d, 3, fobj=f)\n",
            ("TypeError", "train() got an unexpected keyword argument 'fobj'"),
            "import lightgbm as lgb\nb = lgb.train(dict(p, objective=f), d, 3)\n",
        ),
    )
    .certain(),
    Rule::new(
        "lightgbm-renamed-names",
        ("lightgbm", "4.0.0"),
        "print_evaluation is log_evaluation",
        Trigger::Error(&[sig("AttributeError", "module 'lightgbm' has no attribute 'print_evaluation'")]),
        Rewrite::Move(&[("lightgbm.print_evaluation", "lightgbm.log_evaluation")]),
        example(
            "import lightgbm as lgb\nc = lgb.print_evaluation(100)\n",
            ("AttributeError", "module 'lightgbm' has no attribute 'print_evaluation'"),
            "import lightgbm as lgb\nc = lgb.log_evaluation(100)\n",
        ),
    )
    .certain(),
    Rule::new(
        "lightgbm-cv-keys",
        ("lightgbm", "4.0.0"),
        "the results of cv are prefixed with valid",
        Trigger::Error(&[sig("KeyError", "-mean'"), sig("KeyError", "-stdv'")]),
        Rewrite::Code(cv_keys),
        example("n = len(e['auc-mean'])\n", ("KeyError", "'auc-mean'"), "n = len(e['valid auc-mean'])\n"),
    ),
    Rule::new(
        "lightgbm-feature-names",
        ("lightgbm", "2.3.1"),
        "names of columns must hold no JSON characters",
        Trigger::Error(&[sig("LightGBMError", "Do not support special JSON characters in feature name")]),
        Rewrite::Code(feature_names),
        example(
            "model.fit(X, y)\n",
            ("LightGBMError", "Do not support special JSON characters in feature name."),
            "X = X.rename(columns=lambda name: ''.join('_' if c in '[]{},:\"' else c for c in str(name)))\nmodel.fit(X, y)\n",
        ),
    ),
];

/// `train`, `cv`, or `fit` of a model (by its class, or where an error of lightgbm blames the line).
fn takes_callbacks(view: &View<'_>, place: Place, call: &ExprCall) -> bool {
    if ["train", "cv"].iter().any(|name| view.is_call_of(of(name), place, call)) {
        return true;
    }
    let Some((attribute, "fit")) = shape::method(call) else { return false };
    let class = view.class_of(&attribute.value);
    let lightgbm_error = view.errors.iter().any(|error| error.evalue.contains("LGBM"));
    class.is_some_and(|class| class.starts_with("lightgbm.")) || lightgbm_error && view.at_fault(place, call.range())
}

fn callbacks(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !takes_callbacks(view, place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let mut made = Vec::new();
        if let Some(number) = edit.find("early_stopping_rounds") {
            if !edit.value(number).is_none_literal_expr() {
                let function = change.spell(place, "lightgbm.early_stopping");
                made.push(format!("{function}({}, verbose=False)", edit.value_text(number)));
            }
            edit.remove(number);
        }
        for name in ["verbose_eval", "verbose"] {
            if let Some(number) = edit.find(name) {
                made.extend(log_callback(change, place, edit.value(number), edit.value_text(number)));
                edit.remove(number);
            }
        }
        for (name, function) in [("evals_result", "record_evaluation"), ("learning_rates", "reset_parameter")] {
            if let Some(number) = edit.find(name) {
                let spelled = change.spell(place, &format!("lightgbm.{function}"));
                let keyword = if name == "learning_rates" { "learning_rate=" } else { "" };
                made.push(format!("{spelled}({keyword}{})", edit.value_text(number)));
                edit.remove(number);
            }
        }
        if !made.is_empty() {
            match edit.find("callbacks") {
                Some(number) => {
                    let text = format!("callbacks={} + [{}]", edit.value_text(number), made.join(", "));
                    edit.set(number, text);
                }
                None => edit.append(format!("callbacks=[{}]", made.join(", "))),
            }
        }
        change.edit(place, call.range().start(), edit.finish());
    });
}

/// `verbose=False` logs nothing, a number is the period, `True` logs every round.
fn log_callback(change: &mut Change<'_>, place: Place, value: &Expr, text: &str) -> Option<String> {
    let quiet = shape::boolean(value) == Some(false)
        || value.is_none_literal_expr()
        || shape::integer(value).is_some_and(|period| period <= 0);
    if quiet {
        return None;
    }
    let function = change.spell(place, "lightgbm.log_evaluation");
    let period = if shape::boolean(value) == Some(true) { "1" } else { text };
    Some(format!("{function}({period})"))
}

fn objective_function(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(of("train"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let (Some(number), Some(first)) = (edit.find("fobj"), edit.positional().first().copied()) else { return };
        let text = format!("dict({}, objective={})", edit.value_text(first), edit.value_text(number));
        edit.set(first, text);
        edit.remove(number);
        change.edit(place, call.range().start(), edit.finish());
    });
}

fn cv_keys(view: &View<'_>, change: &mut Change<'_>) {
    let keys: Vec<&str> = view.errors.iter().map(|error| error.evalue.trim().trim_matches('\'')).collect();
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        if let Some(key) = shape::text(&subscript.slice).filter(|key| keys.contains(key)) {
            change.replace(place, subscript.slice.range(), format!("'valid {key}'"));
        }
    });
}

fn feature_names(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let method = shape::method(call).map_or("", |(_, name)| name);
        if !matches!(method, "fit" | "predict" | "predict_proba" | "Dataset") || !view.at_fault(place, call.range()) {
            return;
        }
        let Some(Expr::Name(data)) = call.arguments.args.first() else { return };
        let line = format!(
            "{0} = {0}.rename(columns=lambda name: ''.join('_' if c in '[]{{}},:\"' else c for c in str(name)))",
            data.id.as_str()
        );
        if !view.parsed(place).source().contains(&line) {
            change.line_before(place, around.statement(), &line);
        }
    });
}

/// Moves arguments of train and cv to the data set that is trained on.
fn dataset_arguments(view: &View<'_>, change: &mut Change<'_>) {
    let mut datasets: Vec<(Place, Option<&str>, &ExprCall)> = Vec::new();
    view.calls(|place, call, around| {
        if view.is_call_of(of("Dataset"), place, call) {
            let target = match around.statement() {
                Stmt::Assign(assign) => assign.targets.first().and_then(shape::name),
                _ => None,
            };
            datasets.push((place, target.filter(|_| around.parent().is_none()), call));
        }
    });
    view.calls(|place, call, _| {
        if !view.is_call_of(of("train"), place, call) && !view.is_call_of(of("cv"), place, call) {
            return;
        }
        let trained = call.arguments.args.get(1).or_else(|| shape::keyword(call, "train_set").map(|one| &one.value));
        let is_trained_on = |home: Place, name: Option<&str>, made: &ExprCall| match trained {
            Some(Expr::Name(trained)) => name == Some(trained.id.as_str()),
            Some(Expr::Call(trained)) => home == place && trained.range() == made.range(),
            _ => false,
        };
        let named: Vec<_> = datasets.iter().filter(|(home, name, made)| is_trained_on(*home, *name, made)).collect();
        // Of several with one name it is the last one before the call; in a function they may stand behind it.
        let before = |made: &&&(Place, Option<&str>, &ExprCall)| (made.0, made.2.start()) < (place, call.start());
        let Some((home, _, made)) = named.iter().rfind(before).or(named.first()) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let mut moved = Vec::new();
        for name in ["categorical_feature", "feature_name"] {
            if let Some(number) = edit.find(name) {
                moved.push((name, edit.value_text(number).to_owned()));
                edit.remove(number);
            }
        }
        if moved.is_empty() || *home == place && call.range().contains_range(made.range()) {
            return;
        }
        let mut data = CallEdit::new(view.parsed(*home), made);
        for (name, value) in moved {
            if data.find(name).is_none() {
                data.append(format!("{name}={value}"));
            }
        }
        if change.edit(place, call.range().start(), edit.finish()) {
            change.edit(*home, made.range().start(), data.finish());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rewritten;
    use crate::view::{Code, Source};

    #[test]
    fn of_two_data_sets_with_one_name_the_one_that_is_trained_on_gets_the_arguments() {
        let cells = [
            "import lightgbm as lgb\nd = lgb.Dataset(A)\na = lgb.train(p, d)\n",
            "d = lgb.Dataset(B)\nb = lgb.train(p, d, 3, feature_name=n)\nd = lgb.Dataset(C)\n",
            "def later():\n    return lgb.train(p, e, feature_name=n)\ne = lgb.Dataset(D)\n",
        ];
        let cells: Vec<Source> = cells.iter().enumerate().map(|(number, text)| Source::new(number, text)).collect();
        let rule = RULES.iter().find(|rule| rule.id == "lightgbm-dataset-arguments").unwrap();
        let texts: Vec<String> =
            rewritten(rule, &Code::of(&cells), &[]).texts.into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            texts,
            [
                "d = lgb.Dataset(B, feature_name=n)\nb = lgb.train(p, d, 3)\nd = lgb.Dataset(C)\n",
                "def later():\n    return lgb.train(p, e)\ne = lgb.Dataset(D, feature_name=n)\n",
            ]
        );
    }
}
