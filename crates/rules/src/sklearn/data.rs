//! What estimators accept and offer: shapes of data, attributes, methods.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion, replacement};
use crate::kind::Kind;
use crate::methods::renamed;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "sklearn-feature-names-out",
        ("scikit-learn", "1.2"),
        "get_feature_names is get_feature_names_out, which returns an array",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'get_feature_names'")]),
        Rewrite::Code(feature_names),
        example(
            "names = vectorizer.get_feature_names()\n",
            ("AttributeError", "'CountVectorizer' object has no attribute 'get_feature_names'"),
            "names = list(vectorizer.get_feature_names_out())\n",
        ),
    ),
    Rule::new(
        "sklearn-renamed-attributes",
        ("scikit-learn", "1.2"),
        "fitted attributes were renamed (n_features_, sigma_)",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'n_features_'"),
            sig("AttributeError", "object has no attribute 'sigma_'"),
            sig("AttributeError", "object has no attribute 'n_input_features_'"),
            sig("AttributeError", "object has no attribute 'base_estimator_'"),
            sig("AttributeError", "object has no attribute 'cv_values_'"),
        ]),
        Rewrite::Method(&[
            renamed(On::AtFault, "n_features_", "n_features_in_"),
            renamed(On::AtFault, "n_input_features_", "n_features_in_"),
            renamed(On::AtFault, "base_estimator_", "estimator_"),
            renamed(On::AtFault, "cv_values_", "cv_results_"),
            renamed(On::Instance("GaussianNB"), "sigma_", "var_"),
        ]),
        example(
            "from sklearn.naive_bayes import GaussianNB\nv = GaussianNB().fit(X, y).sigma_\n",
            ("AttributeError", "'GaussianNB' object has no attribute 'sigma_'"),
            "from sklearn.naive_bayes import GaussianNB\nv = GaussianNB().fit(X, y).var_\n",
        ),
    ),
    Rule::new(
        "sklearn-one-dimension",
        ("scikit-learn", "0.19"),
        "one column (or one sample) must be given in two dimensions",
        Trigger::Error(&[
            sig("ValueError", "Expected 2D array, got 1D array instead"),
            sig("ValueError", "Expected 2D array, got scalar array instead"),
            sig("ValueError", "Expected a 2-dimensional container but got"),
        ]),
        Rewrite::Code(one_dimension),
        example(
            "s = scaler.fit_transform(train['Fare'])\np = model.predict(X[0])\nq = model.predict([1, 2])\nt = line.predict(3300)\n",
            ("ValueError", "Expected 2D array, got 1D array instead: array=[1. 2. 3.]. Reshape your data"),
            "import numpy as np\ns = scaler.fit_transform(np.reshape(train['Fare'], (-1, 1)))\np = model.predict(np.reshape(X[0], (1, -1)))\nq = model.predict([[1, 2]])\nt = line.predict([[3300]])\n",
        ),
    ),
    Rule::new(
        "sklearn-no-matrix",
        ("scikit-learn", "1.2"),
        "np.matrix is not supported; toarray() gives an array",
        Trigger::Error(&[sig("TypeError", "np.matrix is not supported")]),
        Rewrite::Method(&[renamed(On::Any, "todense", "toarray")]),
        example(
            "X = v.fit_transform(texts).todense()\n",
            ("TypeError", "np.matrix is not supported. Please convert to a numpy array with np.asarray."),
            "X = v.fit_transform(texts).toarray()\n",
        ),
    ),
    Rule::new(
        "sklearn-no-matrix-arguments",
        ("scikit-learn", "1.2"),
        "np.matrix is not supported; an array of it is",
        Trigger::Error(&[sig("TypeError", "np.matrix is not supported")]),
        Rewrite::Code(no_matrix),
        example(
            "import numpy as np\nm.fit(np.matrix(X), y)\n",
            ("TypeError", "np.matrix is not supported. Please convert to a numpy array with np.asarray."),
            "import numpy as np\nm.fit(np.asarray(np.matrix(X)), y)\n",
        ),
    ),
    Rule::new(
        "sklearn-mixed-column-names",
        ("scikit-learn", "1.2"),
        "columns must all be named by text",
        Trigger::Error(&[sig("TypeError", "Feature names are only supported if all input features have string names")]),
        Rewrite::Code(text_columns),
        example(
            "model.fit(X, y)\n",
            (
                "TypeError",
                "Feature names are only supported if all input features have string names, but your input has",
            ),
            "X.columns = X.columns.astype(str)\nmodel.fit(X, y)\n",
        ),
    ),
    Rule::new(
        "sklearn-column-order",
        ("scikit-learn", "1.2"),
        "columns must have the names of fit, in their order; they were taken by their position",
        Trigger::Error(&[sig("ValueError", "The feature names should match those that were passed during fit")]),
        Rewrite::Code(column_order),
        example(
            "p = model.predict(test)\n",
            (
                "ValueError",
                "The feature names should match those that were passed during fit. Feature names must be in the same order as they were in fit.",
            ),
            "p = model.predict(test.set_axis(model.feature_names_in_, axis=1))\n",
        ),
    ),
    Rule::new(
        "sklearn-encoder-mixed-types",
        ("scikit-learn", "0.22"),
        "encoders want text or numbers, not both",
        Trigger::Error(&[
            sig("TypeError", "Encoders require their input argument must be uniformly strings or numbers"),
            sig("TypeError", "'<' not supported between instances of 'str' and 'float'"),
            sig("TypeError", "'<' not supported between instances of 'float' and 'str'"),
        ]),
        Rewrite::Code(mixed_types),
        example(
            "from sklearn.preprocessing import LabelEncoder\nle = LabelEncoder()\ndf['c'] = le.fit_transform(df['c'])\n",
            (
                "TypeError",
                "Encoders require their input argument must be uniformly strings or numbers. Got ['float', 'str']",
            ),
            "from sklearn.preprocessing import LabelEncoder\nle = LabelEncoder()\ndf['c'] = le.fit_transform(df['c'].astype(str))\n",
        ),
    ),
    Rule::new(
        "sklearn-whole-number-parameters",
        ("scikit-learn", "1.2"),
        "whole numbers must not be floats",
        Trigger::Error(&[sig("InvalidParameterError", "must be an int in the range*Got * instead")]),
        Rewrite::Code(whole_parameters),
        example(
            "from sklearn.ensemble import RandomForestClassifier\nm = RandomForestClassifier(max_depth=3.0)\n",
            (
                "InvalidParameterError",
                "The 'max_depth' parameter of RandomForestClassifier must be an int in the range [1, inf) or None. Got 3.0 instead.",
            ),
            "from sklearn.ensemble import RandomForestClassifier\nm = RandomForestClassifier(max_depth=int(3.0))\n",
        ),
    ),
    Rule::new(
        "sklearn-voting-drop",
        ("scikit-learn", "0.24"),
        "an estimator is left out by 'drop', not by None",
        Trigger::Error(&[sig("AttributeError", "'NoneType' object has no attribute")]),
        Rewrite::Code(voting_drop),
        example(
            "from sklearn.ensemble import VotingClassifier\nv = VotingClassifier([('a', m), ('b', None)])\n",
            ("AttributeError", "The following error was raised: 'NoneType' object has no attribute '__sklearn_tags__'"),
            "from sklearn.ensemble import VotingClassifier\nv = VotingClassifier([('a', m), ('b', 'drop')])\n",
        ),
    ),
    Rule::new(
        "sklearn-stop-words-list",
        ("scikit-learn", "1.2"),
        "stop_words must be a list",
        Trigger::Error(&[sig("InvalidParameterError", "The 'stop_words' parameter of")]),
        Rewrite::Code(stop_words),
        example(
            "from sklearn.feature_extraction.text import CountVectorizer\nv = CountVectorizer(stop_words=words)\n",
            (
                "InvalidParameterError",
                "The 'stop_words' parameter of CountVectorizer must be a str among {'english'}, an instance of 'list' or None.",
            ),
            "from sklearn.feature_extraction.text import CountVectorizer\nv = CountVectorizer(stop_words=list(words))\n",
        ),
    ),
];

fn feature_names(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, "get_feature_names")) = shape::method(call) else { return };
        let listed = matches!(around.parent(), Some(Expr::Call(outer)) if shape::name(&outer.func) == Some("list"));
        let mut edits = vec![replacement(attribute.attr.range(), "get_feature_names_out")];
        if !listed {
            edits.push(insertion(call.range().start(), "list("));
            edits.push(insertion(call.end(), ")"));
        }
        change.edit(place, call.range().start(), edits);
    });
}

const TAKE_COLUMNS: [&str; 5] = ["fit", "fit_transform", "transform", "inverse_transform", "partial_fit"];
const TAKE_SAMPLES: [&str; 6] = ["predict", "predict_proba", "decision_function", "score_samples", "bic", "aic"];

/// The first argument of a blamed call of one of the methods.
fn blamed_data<'a>(view: &View<'a>, place: Place, call: &'a ExprCall, methods: &[&str]) -> Option<&'a Expr> {
    let (_, method) = shape::method(call)?;
    if !methods.contains(&method) || !view.at_fault(place, call.range()) {
        return None;
    }
    call.arguments.args.first().filter(|argument| !argument.is_starred_expr())
}

fn one_dimension(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let columns = blamed_data(view, place, call, &TAKE_COLUMNS);
        let Some(argument) = columns.or_else(|| blamed_data(view, place, call, &TAKE_SAMPLES)) else { return };
        if already(argument) {
            return;
        }
        let edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.positional().first().copied() else { return };
        let data = edit.value_text(number);
        // A vector was one sample in every release that took it.
        let text = match argument {
            Expr::List(_) if columns.is_none() => format!("[{data}]"),
            Expr::NumberLiteral(_) => format!("[[{data}]]"),
            Expr::Subscript(subscript) if columns.is_none() && shape::integer(&subscript.slice).is_some() => {
                format!("{}({data}, (1, -1))", change.spell(place, "numpy.reshape"))
            }
            _ => format!("{}({data}, (-1, 1))", change.spell(place, "numpy.reshape")),
        };
        change.replace(place, argument.range(), text);
    });
}

fn already(argument: &Expr) -> bool {
    match argument {
        Expr::Call(call) => match call.func.as_ref() {
            Expr::Attribute(attribute) => attribute.attr.as_str() == "reshape",
            _ => false,
        },
        Expr::List(list) => list.elts.iter().any(|one| shape::elements(one).is_some()),
        Expr::Subscript(subscript) => subscript.slice.is_list_expr(),
        _ => false,
    }
}

fn no_matrix(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let matrix = view.is_call_of(Callee::Function("numpy", "matrix"), place, call)
            || view.is_call_of(Callee::Function("numpy", "mat"), place, call);
        let argument = matches!(around.parent(), Some(Expr::Call(outer))
            if shape::method(outer).is_some_and(|(_, name)| TAKE_COLUMNS.contains(&name) || TAKE_SAMPLES.contains(&name) || name == "score"));
        if matrix && argument {
            let array = change.spell(place, "numpy.asarray");
            let edits = vec![insertion(call.range().start(), format!("{array}(")), insertion(call.end(), ")")];
            change.edit(place, call.range().start(), edits);
        }
    });
}

fn text_columns(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let methods = [&TAKE_COLUMNS[..], &TAKE_SAMPLES[..], &["score"]].concat();
        let Some(Expr::Name(data)) = blamed_data(view, place, call, &methods) else { return };
        let line = format!("{0}.columns = {0}.columns.astype(str)", data.id.as_str());
        if !view.parsed(place).source().contains(&line) {
            change.line_before(place, around.statement(), &line);
        }
    });
}

fn column_order(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(argument) = blamed_data(view, place, call, &TAKE_SAMPLES) else { return };
        let Some((attribute, _)) = shape::method(call) else { return };
        let named =
            matches!(argument, Expr::Call(inner) if shape::method(inner).is_some_and(|(_, name)| name == "set_axis"));
        if shape::is_primary(argument) && !named {
            let model = receiver_text(view.parsed(place), attribute);
            let names = format!(".set_axis({model}.feature_names_in_, axis=1)");
            change.edit(place, call.range().start(), vec![insertion(argument.end(), names)]);
        }
    });
}

fn mixed_types(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(argument) = blamed_data(view, place, call, &["fit", "fit_transform", "transform"]) else { return };
        let Some((attribute, _)) = shape::method(call) else { return };
        let encoder = view.class_of(&attribute.value).is_none_or(|class| class.ends_with("Encoder"));
        let already =
            matches!(argument, Expr::Call(inner) if shape::method(inner).is_some_and(|(_, name)| name == "astype"));
        let listed = matches!(view.kinds(argument)[..], [Kind::List(_)]) || argument.is_list_expr();
        if encoder && !already && !listed && shape::is_primary(argument) {
            change.edit(place, call.range().start(), vec![insertion(argument.end(), ".astype(str)")]);
        }
    });
}

fn whole_parameters(view: &View<'_>, change: &mut Change<'_>) {
    let names: Vec<String> = view
        .errors
        .iter()
        .filter(|error| {
            // `'auto'` and other words are of no number.
            let got = crate::signature::captures("Got * instead", &error.evalue);
            let got = got.and_then(|found| Some(found.first()?.replace("np.float64(", "").replace(')', "")));
            got.is_some_and(|number| number.parse::<f64>().is_ok())
        })
        .filter_map(|error| crate::signature::captures("The '*' parameter", &error.evalue))
        .filter_map(|found| found.first().map(|name| (*name).to_owned()))
        .collect();
    view.calls(|place, call, _| {
        if !view.is_call_of(Callee::Function("sklearn", "*"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let mut any = false;
        for name in &names {
            let Some(number) = edit.find(name) else { continue };
            let value = edit.value(number);
            let wrapped = matches!(value, Expr::Call(inner) if shape::name(&inner.func) == Some("int"));
            let literal = matches!(value, Expr::NumberLiteral(number) if number.value.is_int());
            if wrapped || literal || value.is_none_literal_expr() || value.is_string_literal_expr() {
                continue;
            }
            let text = format!("{name}=int({})", edit.value_text(number));
            edit.set(number, text);
            any = true;
        }
        if any {
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn voting_drop(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let voting = view.is_call_of(Callee::Function("sklearn", "VotingClassifier"), place, call)
            || view.is_call_of(Callee::Function("sklearn", "VotingRegressor"), place, call);
        if !voting {
            return;
        }
        let list = call.arguments.args.first().or_else(|| shape::keyword(call, "estimators").map(|k| &k.value));
        for pair in list.and_then(shape::elements).unwrap_or_default() {
            if let Some([_, value]) = shape::elements(pair)
                && value.is_none_literal_expr()
            {
                change.replace(place, value.range(), "'drop'");
            }
        }
    });
}

fn stop_words(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(Callee::Function("sklearn", "*"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("stop_words") else { return };
        let value = edit.value(number);
        let fine = value.is_list_expr() || value.is_string_literal_expr() || value.is_none_literal_expr();
        let listed = matches!(value, Expr::Call(inner) if shape::name(&inner.func) == Some("list"));
        if !fine && !listed {
            let text = format!("stop_words=list({})", edit.value_text(number));
            edit.set(number, text);
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}
