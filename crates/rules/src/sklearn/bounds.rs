//! Values beyond the bounds that scikit-learn checks since 1.2, where one within them says the same.

use nbrevive_pysource::ast::{Expr, UnaryOp};
use nbrevive_pysource::text_size::Ranged as _;

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::View;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "sklearn-bounds",
    ("scikit-learn", "1.2"),
    "a bound that is infinite is None, and a node with one sample is none that could be split",
    Trigger::Error(&[sig("InvalidParameterError", "The '*' parameter of * must be * Got * instead")]),
    Rewrite::Code(bounds),
    example(
        "import numpy as np\nfrom sklearn.linear_model import SGDClassifier\nm = SGDClassifier(max_iter=5, tol=-np.inf)\n",
        (
            "InvalidParameterError",
            "The 'tol' parameter of SGDClassifier must be a float in the range [0.0, inf) or None. Got -inf instead.",
        ),
        "import numpy as np\nfrom sklearn.linear_model import SGDClassifier\nm = SGDClassifier(max_iter=5, tol=None)\n",
    ),
)];

fn bounds(view: &View<'_>, change: &mut Change<'_>) {
    for error in &view.errors {
        let told = captures("The '*' parameter of * must be * Got * instead", &error.evalue);
        let Some([parameter, class, accepted, got]) = told.as_deref() else { continue };
        // Training never stops for a tolerance below everything, and for one above everything at once: None is the first. Of what is at
        // most so much, None is no bound.
        let is_none = accepted.contains("None") && *got == if *parameter == "tol" { "-inf" } else { "inf" };
        view.calls(|place, call, _| {
            let Some(keyword) = shape::keyword(call, parameter) else { return };
            let is_meant = view
                .qualified(&call.func)
                .is_some_and(|name| name.starts_with("sklearn.") && name.rsplit('.').next() == Some(*class));
            let value = &keyword.value;
            let within = match *parameter {
                "min_samples_split" if shape::integer(value) == Some(1) && accepted.contains("[2, inf)") => "2",
                _ if is_none && is_infinite(view, value) => "None",
                _ => return,
            };
            if is_meant {
                change.replace(place, value.range(), within);
            }
        });
    }
}

/// Whether a value is written as infinite, of either sign.
fn is_infinite(view: &View<'_>, value: &Expr) -> bool {
    match value {
        Expr::UnaryOp(minus) if minus.op == UnaryOp::USub => is_infinite(view, &minus.operand),
        Expr::Call(call) if shape::name(&call.func) == Some("float") => {
            let text = call.arguments.args.first().and_then(shape::text).unwrap_or_default();
            matches!(text.trim_start_matches(['-', '+']), "inf" | "infinity" | "Inf")
        }
        _ => view.qualified(value).is_some_and(|name| {
            matches!(&*name, "numpy.inf" | "numpy.Inf" | "numpy.infty" | "numpy.NINF" | "math.inf")
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use nbrevive_notebook::{Cell, Notebook};

    use crate::{CellFeedback, Feedback, Rules};

    /// What scikit-learn says of a value of a parameter, and whether the rule has a better one.
    fn is_mended(parameter: &str, written: &str, got: &str) -> bool {
        let code = format!(
            "import numpy as np\nfrom sklearn.linear_model import SGDClassifier\nm = SGDClassifier({parameter}={written})\n"
        );
        let notebook = Notebook::from_cells(vec![Cell::code(code)]);
        let evalue = format!(
            "The '{parameter}' parameter of SGDClassifier must be a float in the range [0.0, inf) or None. Got {got} instead."
        );
        let ename = "InvalidParameterError".to_owned();
        let error = CellFeedback { cell: 0, ename, evalue, traceback: String::new(), line: Some(3) };
        Rules.propose(&Feedback::of_errors(&notebook, vec![error], &BTreeMap::new())).is_some()
    }

    #[test]
    fn none_is_given_only_where_it_says_the_same() {
        assert!(is_mended("tol", "-np.inf", "-inf"));
        assert!(!is_mended("tol", "np.inf", "inf"), "training would no longer end at once");
        assert!(is_mended("max_iter", "float('inf')", "inf"));
        assert!(!is_mended("max_iter", "-np.inf", "-inf"));
    }
}
