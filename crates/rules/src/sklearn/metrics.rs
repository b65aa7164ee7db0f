//! Metrics and scorers.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion};
use crate::keywords::{Fate, keyword};
use crate::kind::Kind;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::{Place, View};
use crate::{shape, walk};

const ANY: Callee = Callee::Function("sklearn", "*");

const SCORING: Fate = Fate::Values(&[
    ("mean_squared_error", "'neg_mean_squared_error'"),
    ("mean_absolute_error", "'neg_mean_absolute_error'"),
    ("median_absolute_error", "'neg_median_absolute_error'"),
    ("mean_squared_log_error", "'neg_mean_squared_log_error'"),
    ("root_mean_squared_error", "'neg_root_mean_squared_error'"),
    ("log_loss", "'neg_log_loss'"),
]);

/// What lists the choices of a search as `grid_scores_` did.
macro_rules! grid_rows {
    () => {
        concat!(
            "def rows_of_grid(search):\n",
            "    \"\"\"What scikit-learn had as grid_scores_ before 0.20.\"\"\"\n",
            "    from collections import namedtuple\n",
            "    import numpy as np\n",
            "    Row = namedtuple('Row', 'parameters mean_validation_score cv_validation_scores')\n",
            "    found = search.cv_results_\n",
            "    folds = np.transpose([found['split%d_test_score' % fold] for fold in range(search.n_splits_)])\n",
            "    return [Row(*row) for row in zip(found['params'], found['mean_test_score'], folds)]"
        )
    };
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "sklearn-squared-false",
        ("scikit-learn", "1.6"),
        "squared=False was removed; the root is taken outside",
        Trigger::Error(&[sig("TypeError", "got an unexpected keyword argument 'squared'")]),
        Rewrite::Code(squared),
        example(
            "from sklearn.metrics import mean_squared_error\nr = mean_squared_error(a, b, squared=False)\ns = -mean_squared_error(a, b, squared=True)\n",
            ("TypeError", "got an unexpected keyword argument 'squared'"),
            "from sklearn.metrics import mean_squared_error\nr = mean_squared_error(a, b) ** 0.5\ns = -mean_squared_error(a, b)\n",
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-plain-scores",
        ("scikit-learn", "1.5"),
        "scores are plain floats, without the methods of numpy's",
        Trigger::Error(&[sig("AttributeError", "'float' object has no attribute")]),
        Rewrite::Code(plain_scores),
        example(
            "import numpy as np\nfrom sklearn.metrics import accuracy_score\na = accuracy_score(y, p).round(2)\n",
            ("AttributeError", "'float' object has no attribute 'round'"),
            "import numpy as np\nfrom sklearn.metrics import accuracy_score\na = np.round(accuracy_score(y, p), 2)\n",
        ),
    ),
    Rule::new(
        "sklearn-metric-parameters",
        ("scikit-learn", "1.5"),
        "log_loss has no eps, make_scorer takes response_method",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'eps'"),
            sig("TypeError", "got an unexpected keyword argument 'needs_"),
        ]),
        Rewrite::Keyword(&[
            keyword(Callee::Function("sklearn", "log_loss"), "eps", Fate::Removed),
            keyword(Callee::Function("sklearn", "make_scorer"), "needs_proba", Fate::Written("response_method='predict_proba' if {} else 'predict'")),
            keyword(
                Callee::Function("sklearn", "make_scorer"),
                "needs_threshold",
                Fate::Written("response_method=('decision_function', 'predict_proba') if {} else 'predict'"),
            ),
        ]),
        example(
            "from sklearn.metrics import log_loss, make_scorer\nv = log_loss(y, p, eps=1e-15)\ns = make_scorer(log_loss, needs_proba=True)\n",
            ("TypeError", "got an unexpected keyword argument 'eps'"),
            "from sklearn.metrics import log_loss, make_scorer\nv = log_loss(y, p)\ns = make_scorer(log_loss, response_method='predict_proba' if True else 'predict')\n",
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-linear-assignment",
        ("scikit-learn", "0.23"),
        "linear_assignment was removed; SciPy's gives rows and columns instead of pairs",
        Trigger::Error(&[sig("ModuleNotFoundError", "No module named 'sklearn.utils.linear_assignment_'")]),
        Rewrite::Code(assignment),
        example(
            "from sklearn.utils.linear_assignment_ import linear_assignment\npairs = linear_assignment(costs)\n",
            ("ModuleNotFoundError", "No module named 'sklearn.utils.linear_assignment_'"),
            "def linear_assignment(costs):\n    \"\"\"What scikit-learn had before 0.23: pairs of rows and columns.\"\"\"\n    import numpy as np\n    from scipy.optimize import linear_sum_assignment\n    return np.transpose(linear_sum_assignment(costs))\npairs = linear_assignment(costs)\n",
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-scorers",
        ("scikit-learn", "1.3"),
        "the scorers are no dict; they are had by their names",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'SCORERS'"),
            sig("AttributeError", "has no attribute 'SCORERS'"),
        ]),
        Rewrite::Code(scorers),
        example(
            "from sklearn import metrics\nfrom sklearn.metrics import SCORERS, log_loss\na = SCORERS['r2']\nb = sorted(metrics.SCORERS.keys())\n",
            ("ImportError", "cannot import name 'SCORERS' from 'sklearn.metrics'"),
            "from sklearn import metrics\nfrom sklearn.metrics import get_scorer, get_scorer_names, log_loss\nSCORERS = {name: get_scorer(name) for name in get_scorer_names()}\na = SCORERS['r2']\nb = sorted({name: metrics.get_scorer(name) for name in metrics.get_scorer_names()}.keys())\n",
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-scoring-names",
        ("scikit-learn", "0.20"),
        "scoring names of losses start with neg_",
        Trigger::Error(&[
            sig("InvalidParameterError", "The 'scoring' parameter of"),
            sig("ValueError", "is not a valid scoring value"),
            sig("ModuleNotFoundError", "No module named 'sklearn.cross_validation'"),
            sig("ModuleNotFoundError", "No module named 'sklearn.grid_search'"),
        ]),
        Rewrite::Keyword(&[keyword(ANY, "scoring", SCORING)]),
        example(
            "from sklearn.model_selection import cross_val_score\ns = cross_val_score(m, X, y, scoring='mean_squared_error')\n",
            ("ValueError", "'mean_squared_error' is not a valid scoring value."),
            "from sklearn.model_selection import cross_val_score\ns = cross_val_score(m, X, y, scoring='neg_mean_squared_error')\n",
        ),
    )
    .certain(),
    Rule::new(
        "sklearn-grid-scores",
        ("scikit-learn", "0.20"),
        "grid_scores_ is cv_results_, a dict of columns",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'grid_scores_'"),
            sig("ModuleNotFoundError", "No module named 'sklearn.grid_search'"),
        ]),
        Rewrite::Code(grid_scores),
        example(
            "print(search.grid_scores_)\n",
            ("AttributeError", "'GridSearchCV' object has no attribute 'grid_scores_'"),
            concat!(grid_rows!(), "\nprint(rows_of_grid(search))\n"),
        ),
    ),
];

static PAIRS: [StandIn; 1] = [StandIn {
    module: "sklearn.utils.linear_assignment_",
    name: "linear_assignment",
    definition: concat!(
        "def {name}(costs):\n",
        "    \"\"\"What scikit-learn had before 0.23: pairs of rows and columns.\"\"\"\n",
        "    import numpy as np\n",
        "    from scipy.optimize import linear_sum_assignment\n",
        "    return np.transpose(linear_sum_assignment(costs))",
    ),
}];

fn assignment(view: &View<'_>, change: &mut Change<'_>) {
    write_out(&PAIRS, view, change);
}

/// The dict of scorers, by what has its parts: a module with a full stop behind, or nothing.
fn all_scorers(module: &str) -> String {
    format!("{{name: {module}get_scorer(name) for name in {module}get_scorer_names()}}")
}

fn scorers(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, around| {
            let Stmt::ImportFrom(import) = statement else { return };
            let is_of_metrics = import.module.as_ref().is_some_and(|module| module.starts_with("sklearn.metrics"));
            let found = import.names.iter().find(|alias| alias.name.as_str() == "SCORERS");
            let Some(alias) = found.filter(|_| is_of_metrics && around.is_empty()) else { return };
            let local = alias.asname.as_ref().unwrap_or(&alias.name);
            let others = import.names.iter().filter(|one| one.range() != alias.range());
            let others: String = others.map(|one| format!(", {}", source.parsed.text(one.range()))).collect();
            let imported = format!("from sklearn.metrics import get_scorer, get_scorer_names{others}");
            change.replace(place, statement.range(), format!("{imported}\n{local} = {}", all_scorers("")));
        });
    }
    view.expressions(|place, expression, _| {
        let Expr::Attribute(attribute) = expression else { return };
        if view.qualified(expression).as_deref() == Some("sklearn.metrics.SCORERS") {
            let module = view.parsed(place).text_of(attribute.value.as_ref());
            change.replace(place, expression.range(), all_scorers(&format!("{module}.")));
        }
    });
}

/// Methods of numpy's floats that notebooks call.
const OF_FLOATS: [&str; 6] = ["round", "astype", "item", "mean", "tolist", "sum"];

fn plain_scores(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, name)) = shape::method(call).filter(|(_, name)| OF_FLOATS.contains(name)) else { return };
        let is_value = match attribute.value.as_ref() {
            Expr::Call(inner) => view.qualified(&inner.func).as_deref() != Some("numpy.float64"),
            value => value.is_name_expr() && view.qualified(value).is_none(),
        };
        let is_missed = view.errors.iter().any(|error| error.evalue.ends_with(&format!("attribute '{name}'")));
        // Whatever it is, numpy rounds it as it rounds itself.
        let may_be_float = name == "round" || view.kinds(&attribute.value).iter().all(|kind| *kind == Kind::Number);
        if !is_value || !is_missed || !may_be_float || !view.at_fault(place, call.range()) {
            return;
        }
        let receiver = receiver_text(view.parsed(place), attribute);
        let arguments = CallEdit::new(view.parsed(place), call).render();
        let text = if name == "round" {
            let digits = if arguments.is_empty() { String::new() } else { format!(", {arguments}") };
            format!("{}({receiver}{digits})", change.spell(place, "numpy.round"))
        } else {
            format!("{}({receiver}).{name}({arguments})", change.spell(place, "numpy.float64"))
        };
        change.replace(place, call.range(), text);
    });
}

fn squared(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let metric = view.is_call_of(Callee::Function("sklearn", "mean_squared_error"), place, call)
            || view.is_call_of(Callee::Function("sklearn", "mean_squared_log_error"), place, call);
        if !metric {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("squared") else { return };
        let Some(value) = shape::boolean(edit.value(number)) else { return };
        edit.remove(number);
        let mut edits = edit.finish();
        if !value {
            let inside = matches!(around.parent(), Some(Expr::BinOp(_) | Expr::UnaryOp(_) | Expr::Attribute(_)));
            if inside {
                edits.push(insertion(call.range().start(), "("));
            }
            edits.push(insertion(call.end(), if inside { " ** 0.5)" } else { " ** 0.5" }));
        }
        change.edit(place, call.range().start(), edits);
    });
}

fn grid_scores(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Attribute(attribute) = expression else { return };
        if attribute.attr.as_str() != "grid_scores_" || shape::dotted(&attribute.value).is_none() {
            return;
        }
        let search = view.parsed(place).text(attribute.value.range());
        let recursive = view.class_of(&attribute.value).is_some_and(|class| class.ends_with("RFECV"));
        let text = if recursive {
            format!("{search}.cv_results_['mean_test_score']")
        } else {
            change.need_import(place, grid_rows!());
            format!("rows_of_grid({search})")
        };
        change.replace(place, expression.range(), text);
    });
}
