//! What a run found names to hold, taken where the code does not say it.

use std::collections::HashMap;

use nbrevive_notebook::NamedValue;
use nbrevive_pysource::ast::{Expr, ExprContext, Stmt};

use crate::infer::Kinds;
use crate::kind::Kind;
use crate::names::Names;
use crate::view::Source;
use crate::{CellFacts, shape, walk};

/// Lets names and kinds learn what a run told. A name that is bound in several places may hold something else in another cell, and is left
/// alone: code that works is not to be touched.
pub(crate) fn learn(facts: &[CellFacts], cells: &[Source], names: &mut Names, kinds: &mut Kinds) {
    let bindings = bindings(cells);
    let values = facts.iter().flat_map(|facts| &facts.values);
    let once: Vec<&NamedValue> =
        values.filter(|value| bindings.get(value.name.as_str()).is_none_or(|count| *count < 2)).collect();
    for value in &once {
        if let Some(dotted) = value.stands_for.first().filter(|dotted| !dotted.starts_with("__main__.")) {
            names.hold(&value.name, dotted);
        }
    }
    let known = once.iter().filter_map(|value| Some((value.name.as_str(), kind_of(&value.classes)?)));
    kinds.learn(known, (cells, names));
}

/// In how many places each name, or chain of names, is bound.
fn bindings(cells: &[Source]) -> HashMap<String, usize> {
    let mut count: HashMap<String, usize> = HashMap::new();
    for source in cells {
        walk::expressions(source.parsed.body(), &mut |expression, _| {
            let context = match expression {
                Expr::Name(name) => name.ctx,
                Expr::Attribute(attribute) => attribute.ctx,
                _ => return,
            };
            if context == ExprContext::Store
                && let Some(chain) = shape::dotted(expression)
            {
                *count.entry(chain.join(".")).or_default() += 1;
            }
        });
        walk::statements(source.parsed.body(), &mut |statement, _| {
            if let Stmt::FunctionDef(function) = statement {
                for parameter in function.parameters.iter() {
                    *count.entry(parameter.name().to_string()).or_default() += 1;
                }
            }
        });
    }
    count
}

/// The kind of a value by its classes, the nearest first; `None` for what rules do not care about.
fn kind_of(classes: &[String]) -> Option<Kind> {
    let is_a = |name: &str| classes.iter().any(|class| class == name);
    let nearest = classes.first()?;
    Some(match nearest.as_str() {
        "pandas.DataFrame" => Kind::Frame,
        "pandas.Series" => Kind::Series,
        "numpy.ndarray" => Kind::Array,
        "builtins.dict" => Kind::Dict,
        "builtins.set" => Kind::Set,
        "builtins.list" => Kind::List(Vec::new()),
        "builtins.str" => Kind::Text,
        "builtins.int" | "builtins.float" => Kind::Number,
        name if name.ends_with(".DataFrameGroupBy") => Kind::Grouped,
        name if name.ends_with(".SeriesGroupBy") => Kind::GroupedSeries,
        name if name.starts_with("builtins.") => return None,
        _ if is_a("pandas.Index") => Kind::Index,
        // Graphs of every class are one kind.
        _ if is_a("networkx.Graph") => Kind::Instance("networkx.Graph".to_owned()),
        name if name.starts_with("scipy.sparse.") => Kind::Sparse,
        name => Kind::Instance(name.strip_prefix("__main__.").unwrap_or(name).to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Code;

    fn holds(name: &str, class: &str) -> NamedValue {
        NamedValue { name: name.to_owned(), classes: vec![class.to_owned()], ..NamedValue::default() }
    }

    /// What the receiver of the last statement of a cell may be.
    fn receiver(text: &str, values: Vec<NamedValue>) -> Vec<Kind> {
        let cells = [Source::new(0, text)];
        let facts = [CellFacts { values, ..CellFacts::default() }];
        let code = Code::of_run(&cells, &facts);
        let Some(Stmt::Expr(last)) = cells[0].parsed.body().last() else { panic!("an expression") };
        let Expr::Attribute(attribute) = last.value.as_ref() else { panic!("an attribute") };
        code.kinds.infer(&attribute.value, &code.names)
    }

    #[test]
    fn what_a_run_found_flows_on_where_the_code_says_nothing() {
        let frame = || vec![holds("df", "pandas.DataFrame")];
        assert_eq!(receiver("df = load()\nc = df['a']\nc.x\n", frame()), [Kind::Series]);
        assert_eq!(receiver("def f(df):\n    pass\ndf.x\n", frame()), [Kind::Frame]);
        // The code says it, or it is bound twice.
        assert_eq!(receiver("df = []\ndf.x\n", frame()), [Kind::List(Vec::new())]);
        assert_eq!(receiver("df = load()\ndf = other()\ndf.x\n", frame()), []);
        let chain = vec![holds("self.model", "sklearn.svm.SVC")];
        assert_eq!(receiver("self.model.x\n", chain), [Kind::Instance("sklearn.svm.SVC".to_owned())]);
    }

    #[test]
    fn a_name_stands_for_what_a_run_found_unless_an_import_binds_it() {
        let cells = [Source::new(0, "from a import b\nclf = pick()\nclf(1)\n")];
        let stands = |name: &str, dotted: &str| NamedValue {
            name: name.to_owned(),
            stands_for: vec![dotted.to_owned()],
            ..NamedValue::default()
        };
        let values = vec![stands("clf", "sklearn.svm.SVC"), stands("b", "other.b")];
        let facts = [CellFacts { values, ..CellFacts::default() }];
        let code = Code::of_run(&cells, &facts);
        let mut found = Vec::new();
        code.index.expressions(|_, expression, _| found.extend(code.names.qualified(expression)));
        assert_eq!(found, ["sklearn.svm.SVC", "sklearn.svm.SVC"]);
        assert_eq!(code.names.bound("b"), Some("a.b"));
    }
}
