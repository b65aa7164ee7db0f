//! Defaults of statistics and graphs.

use nbrevive_notebook::PythonVersion;
use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::receiver::Callee;
use crate::rule::{Day, Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

use super::restore;

/// The test under a name, before what follows it. An alternative that is given has its meaning still.
macro_rules! rank_sums {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(x, y, use_continuity=True, alternative=None):\n",
            "    \"\"\"What SciPy had before 1.7: the smaller statistic with half of the two-sided p-value, by the normal distribution.\"\"\"\n",
            "    from scipy.stats import mannwhitneyu as test\n",
            "    if alternative is not None:\n",
            "        return test(x, y, use_continuity, alternative, method='asymptotic')\n",
            "    found = test(x, y, use_continuity, method='asymptotic')\n",
            "    return type(found)(sorted([found.statistic, len(x) * len(y) - found.statistic])[0], found.pvalue / 2)\n",
            $rest
        )
    };
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "scipy-default-rank-sums",
        ("scipy", "1.7.0"),
        "mannwhitneyu is two-sided by default, and gave the smaller statistic with half of that p-value",
        Trigger::OldDefault { before: (2021, 6, 20), python: PythonVersion::new(3, 7) },
        Rewrite::Code(rank_sums),
        example(
            "from scipy.stats import mannwhitneyu\nu, p = mannwhitneyu(a, b)\n",
            ("", ""),
            rank_sums!("mannwhitneyu", "u, p = mannwhitneyu(a, b)\n"),
        ),
    ),
    Rule::new(
        "statsmodels-default-kpss-lags",
        ("statsmodels", "0.13.0"),
        "kpss chooses its lags by the data by default, and went by the length of the series",
        Trigger::OldDefault { before: (2021, 10, 1), python: PythonVersion::new(3, 7) },
        Rewrite::Code(|view, change| restore(view, change, ("statsmodels", "kpss"), "nlags", Some(2), "'legacy'")),
        example(
            "from statsmodels.tsa.stattools import kpss\nk = kpss(s, regression='c')\n",
            ("", ""),
            "from statsmodels.tsa.stattools import kpss\nk = kpss(s, regression='c', nlags='legacy')\n",
        ),
    ),
    Rule::new(
        "statsmodels-default-variance-inflation",
        ("statsmodels", "0.15.0"),
        "variance_inflation_factor standardizes the columns by default, and took them as they are",
        Trigger::OldDefault { before: VIF_DAY, python: PythonVersion::new(3, 9) },
        Rewrite::Code(|view, change| {
            restore(view, change, ("statsmodels", "variance_inflation_factor"), "standardize", None, "False");
        }),
        example(
            "from statsmodels.stats.outliers_influence import variance_inflation_factor\nv = [variance_inflation_factor(X, i) for i in range(X.shape[1])]\n",
            ("", ""),
            "from statsmodels.stats.outliers_influence import variance_inflation_factor\nv = [variance_inflation_factor(X, i, standardize=False) for i in range(X.shape[1])]\n",
        ),
    ),
    Rule::new(
        "networkx-default-first-star",
        ("networkx", "2.6"),
        "barabasi_albert_graph begins with another star",
        Trigger::OldDefault { before: (2021, 7, 8), python: PythonVersion::new(3, 7) },
        Rewrite::Code(first_star),
        example(
            "import networkx as nx\ng = nx.barabasi_albert_graph(30, 2, seed=1)\n",
            ("", ""),
            "import networkx as nx\ng = nx.barabasi_albert_graph(30, 2, seed=1, initial_graph=nx.complete_bipartite_graph(2, 1))\n",
        ),
    ),
    Rule::new(
        "networkx-default-matrices",
        ("networkx", "3.0"),
        "matrices of graphs are arrays, of which * is another product",
        Trigger::OldDefault { before: (2023, 1, 7), python: PythonVersion::new(3, 8) },
        Rewrite::Code(matrices),
        example(
            "import networkx as nx\nfrom scipy.sparse import csr_matrix\nA = nx.adjacency_matrix(g)\nB = A * A\n",
            ("", ""),
            "import networkx as nx\nfrom scipy.sparse import csr_matrix\nA = csr_matrix(nx.adjacency_matrix(g))\nB = A * A\n",
        ),
    ),
    Rule::new(
        "networkx-default-links",
        ("networkx", "3.6"),
        "edges of node_link_data are called so, and were links",
        Trigger::OldDefault { before: (2025, 11, 24), python: PythonVersion::new(3, 11) },
        Rewrite::Code(|view, change| {
            restore(view, change, ("networkx", "node_link_data"), "edges", Some(1), "'links'");
            restore(view, change, ("networkx", "node_link_graph"), "edges", None, "'links'");
        }),
        example(
            "import networkx as nx\nfrom networkx.readwrite import json_graph\nd = json_graph.node_link_data(g)\n",
            ("", ""),
            "import networkx as nx\nfrom networkx.readwrite import json_graph\nd = json_graph.node_link_data(g, edges='links')\n",
        ),
    ),
];

/// The day of the release.
const VIF_DAY: Day = (2026, 8, 27);

/// The graph that was there after the first step: all of the first nodes joined to the next one, in this order.
fn first_star(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_told = shape::keyword(call, "initial_graph").is_some() || shape::has_stars(call);
        if is_told || !view.is_call_of(Callee::Function("networkx", "barabasi_albert_graph"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(count) = edit.find("m").or_else(|| edit.positional().get(1).copied()) else { return };
        let star = change.spell(place, "networkx.complete_bipartite_graph");
        let text = format!("initial_graph={star}({}, 1)", edit.value_text(count));
        edit.append(text);
        change.edit(place, call.start(), edit.finish());
    });
}

const MATRICES: [&str; 4] = ["adjacency_matrix", "laplacian_matrix", "normalized_laplacian_matrix", "incidence_matrix"];

fn matrices(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let is_matrix = match around.parent() {
            Some(Expr::Call(outer)) => view.is_call_of(Callee::Function("scipy", "csr_matrix"), place, outer),
            _ => false,
        };
        if !is_matrix && MATRICES.iter().any(|name| view.is_call_of(Callee::Function("networkx", name), place, call)) {
            let made = change.spell(place, "scipy.sparse.csr_matrix");
            change.edit(
                place,
                call.start(),
                vec![insertion(call.start(), format!("{made}(")), insertion(call.end(), ")")],
            );
        }
    });
}

/// Only where a call leaves the alternative open.
fn rank_sums(view: &View<'_>, change: &mut Change<'_>) {
    let mut is_open = false;
    view.calls(|place, call, _| {
        is_open |= view.is_call_of(Callee::Function("scipy", "mannwhitneyu"), place, call)
            && shape::keyword(call, "alternative").is_none()
            && call.arguments.args.len() < 4
            && !shape::has_stars(call);
    });
    if is_open {
        let of = |module| StandIn { module, name: "mannwhitneyu", definition: rank_sums!("{name}", "") };
        write_out(&["scipy.stats", "scipy.stats.stats"].map(of), view, change);
    }
}
