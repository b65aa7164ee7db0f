//! What changed in networkx.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion, replacement};
use crate::kind::Kind;
use crate::methods::renamed;
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out_after};
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const GRAPH: On = On::Instance("Graph");

/// What networkx told of a graph, or of a node of it, under a name, before what follows it.
macro_rules! info {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(G, n=None):\n",
            "    \"\"\"What networkx had before 2.6: what a graph or a node of it is, in lines.\"\"\"\n",
            "    if n is not None:\n",
            "        lines = [f'Node {n} has the following properties:', f'Degree: {G.degree(n)}']\n",
            "        return '\\n'.join([*lines, 'Neighbors: ' + ' '.join(str(one) for one in G.neighbors(n))])\n",
            "    lines = [f'Name: {G.name}', f'Type: {type(G).__name__}']\n",
            "    lines += [f'Number of nodes: {G.number_of_nodes()}', f'Number of edges: {G.number_of_edges()}']\n",
            "    kinds = [('in', G.in_degree), ('out', G.out_degree)] if G.is_directed() else [('', G.degree)]\n",
            "    for kind, degree in kinds if len(G) else []:\n",
            "        mean = sum(count for _, count in degree()) / len(G)\n",
            "        lines.append(f'Average {kind} degree: {mean:8.4f}'.replace('  degree', ' degree'))\n",
            "    return '\\n'.join(lines)\n",
            $rest
        )
    };
}

const BETWEENNESS: &str = "def {name}(G, normalized=True, weight=None, sources=None):\n    \"\"\"What networkx had before 3.0: how often nodes lie between the sources and all others.\"\"\"\n    from networkx import betweenness_centrality_subset\n    sources = list(G) if sources is None else sources\n    return betweenness_centrality_subset(G, sources, list(G), normalized=normalized, weight=weight)\n";

fn told_of_graphs(view: &View<'_>, change: &mut Change<'_>) {
    let functions = [
        StandIn { module: "networkx", name: "info", definition: info!("{name}", "") },
        StandIn { module: "networkx", name: "betweenness_centrality_source", definition: BETWEENNESS },
    ];
    write_out_after(&functions, "graph_", view, change);
}

static RULES: &[Rule] = &[
    Rule::new(
        "networkx-matrices",
        ("networkx", "3.0"),
        "functions that gave matrices give arrays, of which * and [0] are other things",
        Trigger::Error(&[sig("AttributeError", "module 'networkx' has no attribute 'to_*_matrix'")]),
        Rewrite::Code(matrices),
        example(
            "import numpy as np\nimport networkx as nx\nM = nx.to_numpy_matrix(G)\nrow = M[0]\n",
            ("AttributeError", "module 'networkx' has no attribute 'to_numpy_matrix'"),
            "import numpy as np\nimport networkx as nx\nM = np.asmatrix(nx.to_numpy_array(G))\nrow = M[0]\n",
        ),
    )
    .certain(),
    Rule::new(
        "networkx-moved-functions",
        ("networkx", "2.2"),
        "functions that make or take tables and matrices have other names",
        Trigger::Error(&[
            sig("AttributeError", "module 'networkx' has no attribute"),
            sig("ImportError", "cannot import name '*' from 'networkx'"),
        ]),
        Rewrite::Move(&[
            ("networkx.from_pandas_dataframe", "networkx.from_pandas_edgelist"),
            ("networkx.to_pandas_dataframe", "networkx.to_pandas_adjacency"),
            ("networkx.to_numpy_matrix", "networkx.to_numpy_array"),
            ("networkx.from_numpy_matrix", "networkx.from_numpy_array"),
            ("networkx.to_scipy_sparse_matrix", "networkx.to_scipy_sparse_array"),
            ("networkx.from_scipy_sparse_matrix", "networkx.from_scipy_sparse_array"),
            ("networkx.pagerank_scipy", "networkx.pagerank"),
            ("networkx.pagerank_numpy", "networkx.pagerank"),
            ("networkx.hits_scipy", "networkx.hits"),
            ("networkx.hits_numpy", "networkx.hits"),
            ("networkx.write_yaml", "networkx.write_gml"),
            ("networkx.nx", "networkx"),
            ("networkx.graphviz_layout", "networkx.drawing.nx_agraph.graphviz_layout"),
            ("networkx.pydot_layout", "networkx.drawing.nx_pydot.pydot_layout"),
            ("networkx.find_cores", "networkx.core_number"),
            ("networkx.k_nearest_neighbors", "networkx.average_degree_connectivity"),
        ]),
        example(
            "import networkx as nx\nG = nx.from_pandas_dataframe(df, 'a', 'b')\np = nx.pagerank_scipy(G)\n",
            ("AttributeError", "module 'networkx' has no attribute 'from_pandas_dataframe'"),
            "import networkx as nx\nG = nx.from_pandas_edgelist(df, 'a', 'b')\np = nx.pagerank(G)\n",
        ),
    )
    .certain(),
    Rule::new(
        "networkx-removed-functions",
        ("networkx", "3.0"),
        "numbers of cliques, the subgraphs of components and pickling were removed",
        Trigger::Error(&[sig("AttributeError", "module 'networkx' has no attribute")]),
        Rewrite::Code(removed_functions),
        example(
            "import networkx as nx\nparts = list(nx.connected_component_subgraphs(G))\nnx.write_gpickle(G, 'g.p')\nH = nx.read_gpickle('g.p')\n",
            ("AttributeError", "module 'networkx' has no attribute 'connected_component_subgraphs'"),
            "import pickle\nimport networkx as nx\nparts = list((G.subgraph(c) for c in nx.connected_components(G)))\npickle.dump(G, open('g.p', 'wb'))\nH = pickle.load(open('g.p', 'rb'))\n",
        ),
    )
    .certain(),
    Rule::new(
        "networkx-info",
        ("networkx", "3.0"),
        "info and betweenness_centrality_source were removed",
        Trigger::Error(&[
            sig("AttributeError", "module 'networkx' has no attribute 'info'"),
            sig("AttributeError", "module 'networkx' has no attribute 'betweenness_centrality_source'"),
            sig("ImportError", "cannot import name 'info' from 'networkx'"),
            sig("ImportError", "cannot import name 'betweenness_centrality_source' from 'networkx'"),
        ]),
        Rewrite::Code(told_of_graphs),
        example(
            "import networkx as nx\nt = nx.info(nx.path_graph(4))\n",
            ("AttributeError", "module 'networkx' has no attribute 'info'"),
            info!("graph_info", "import networkx as nx\nt = graph_info(nx.path_graph(4))\n"),
        ),
    )
    .certain(),
    Rule::new(
        "networkx-graph-attributes",
        ("networkx", "2.4"),
        "iterators and node of a graph are nodes, edges, neighbors and degree",
        Trigger::Error(&[
            sig("AttributeError", "Graph' object has no attribute 'node'"),
            // The graphs of regions of scikit-image.
            sig("AttributeError", "'RAG' object has no attribute 'node'"),
            sig("AttributeError", "Graph' object has no attribute '*_iter'"),
            sig("AttributeError", "Graph' object has no attribute 'edge'"),
        ]),
        Rewrite::Method(&[
            renamed(GRAPH, "node", "nodes"),
            renamed(On::Instance("RAG"), "node", "nodes"),
            renamed(GRAPH, "edge", "adj"),
            renamed(GRAPH, "nodes_iter", "nodes"),
            renamed(GRAPH, "edges_iter", "edges"),
            renamed(GRAPH, "neighbors_iter", "neighbors"),
            renamed(GRAPH, "degree_iter", "degree"),
            renamed(GRAPH, "successors_iter", "successors"),
            renamed(GRAPH, "predecessors_iter", "predecessors"),
        ]),
        example(
            "import networkx as nx\nG = nx.path_graph(3)\nG.node[0]['w'] = 1\nn = list(G.nodes_iter())\n",
            ("AttributeError", "'Graph' object has no attribute 'node'"),
            "import networkx as nx\nG = nx.path_graph(3)\nG.nodes[0]['w'] = 1\nn = list(G.nodes())\n",
        ),
    )
    .certain(),
    Rule::new(
        "networkx-graph-functions",
        ("networkx", "2.4"),
        "methods of graphs became functions of networkx",
        Trigger::Error(&[
            sig("AttributeError", "Graph' object has no attribute '*selfloop"),
            sig("AttributeError", "Graph' object has no attribute 'add_path'"),
            sig("AttributeError", "Graph' object has no attribute 'add_cycle'"),
            sig("AttributeError", "Graph' object has no attribute 'add_star'"),
        ]),
        Rewrite::Code(graph_functions),
        example(
            "import networkx as nx\nG = nx.Graph()\nG.add_path([0, 1, 2])\nn = G.number_of_selfloops()\n",
            ("AttributeError", "'Graph' object has no attribute 'add_path'"),
            "import networkx as nx\nG = nx.Graph()\nnx.add_path(G, [0, 1, 2])\nn = nx.number_of_selfloops(G)\n",
        ),
    )
    .certain(),
    Rule::new(
        "networkx-attribute-order",
        ("networkx", "2.0"),
        "set_node_attributes and set_edge_attributes take the values before the name",
        Trigger::Error(&[
            sig("TypeError", "unhashable type: 'dict'"),
            sig("AttributeError", "'str' object has no attribute 'items'"),
            sig("TypeError", "cannot use 'dict' as a dict key"),
        ]),
        Rewrite::Code(attribute_order),
        example(
            "import networkx as nx\nnx.set_node_attributes(G, 'w', values)\n",
            ("TypeError", "unhashable type: 'dict'"),
            "import networkx as nx\nnx.set_node_attributes(G, values, 'w')\n",
        ),
    )
    .certain(),
    Rule::new(
        "networkx-attribute-dicts",
        ("networkx", "2.0"),
        "attributes of a node or edge are keywords, not a dict",
        Trigger::Error(&[
            sig("TypeError", "Graph.add_edge() takes 3 positional arguments but 4 were given"),
            sig("TypeError", "Graph.add_node() takes 2 positional arguments but 3 were given"),
            sig("TypeError", "Graph.add_edges_from() takes 2 positional arguments but 3 were given"),
            sig("TypeError", "Graph.add_nodes_from() takes 2 positional arguments but 3 were given"),
            sig("KeyError", "'weight'"),
        ]),
        Rewrite::Code(attribute_dicts),
        example(
            "import networkx as nx\nG = nx.Graph()\nG.add_edge('a', 'b', {'weight': 3})\nG.add_node('c', attr_dict=known)\n",
            ("TypeError", "Graph.add_edge() takes 3 positional arguments but 4 were given"),
            "import networkx as nx\nG = nx.Graph()\nG.add_edge('a', 'b', **{'weight': 3})\nG.add_node('c', **known)\n",
        ),
    ),
    Rule::new(
        "networkx-views",
        ("networkx", "2.0"),
        "nodes, edges and degree are views, no lists and dicts",
        Trigger::Silent,
        Rewrite::Code(views),
        example(
            "import networkx as nx\nG = nx.path_graph(3)\nfirst = G.nodes()[0]\ndegrees = sorted(G.degree().values())\n",
            ("", ""),
            "import networkx as nx\nG = nx.path_graph(3)\nfirst = list(G.nodes())[0]\ndegrees = sorted(dict(G.degree()).values())\n",
        ),
    ),
    Rule::new(
        "networkx-degrees",
        ("networkx", "2.0"),
        "degrees are a view, and no dict with values and items",
        Trigger::Error(&[sig("AttributeError", "DegreeView' object has no attribute '")]),
        Rewrite::Code(degrees),
        example(
            "top = sorted(degrees.items())\n",
            ("AttributeError", "'DegreeView' object has no attribute 'items'"),
            "top = sorted(dict(degrees).items())\n",
        ),
    ),
];

/// What is imported by its name is left to the rule of what moved.
fn matrices(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(attribute) = call.func.as_attribute_expr() else { return };
        let (name, made) = match view.qualified(&call.func).as_deref() {
            Some("networkx.to_numpy_matrix") => ("to_numpy_array", "numpy.asmatrix"),
            Some("networkx.to_scipy_sparse_matrix") => ("to_scipy_sparse_array", "scipy.sparse.csr_matrix"),
            _ => return,
        };
        let function = change.spell(place, made);
        let edits = vec![
            insertion(call.start(), format!("{function}(")),
            replacement(attribute.attr.range(), name),
            insertion(call.end(), ")"),
        ];
        change.edit(place, call.start(), edits);
    });
}

fn removed_functions(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(dotted) = view.qualified(&call.func) else { return };
        let Some(name) = dotted.strip_prefix("networkx.") else { return };
        let edit = CallEdit::new(view.parsed(place), call);
        let values: Vec<&str> = edit.positional().into_iter().map(|number| edit.value_text(number)).collect();
        let text = match (name, &values[..]) {
            ("graph_clique_number", [graph]) => {
                let (most, cliques) =
                    (change.spell(place, "builtins.max"), change.spell(place, "networkx.find_cliques"));
                format!("{most}(map(len, {cliques}({graph})))")
            }
            ("graph_number_of_cliques", [graph]) => {
                format!("len(list({}({graph})))", change.spell(place, "networkx.find_cliques"))
            }
            ("connected_component_subgraphs", [graph, ..]) => components(change, place, "connected_components", graph),
            ("strongly_connected_component_subgraphs", [graph, ..]) => {
                components(change, place, "strongly_connected_components", graph)
            }
            ("weakly_connected_component_subgraphs", [graph, ..]) => {
                components(change, place, "weakly_connected_components", graph)
            }
            ("write_gpickle", [graph, file, ..]) => {
                change.need_import(place, "import pickle");
                format!("pickle.dump({graph}, open({file}, 'wb'))")
            }
            ("read_gpickle", [file]) => {
                change.need_import(place, "import pickle");
                format!("pickle.load(open({file}, 'rb'))")
            }
            _ => return,
        };
        change.replace(place, call.range(), text);
    });
}

fn components(change: &mut Change<'_>, place: crate::view::Place, function: &str, graph: &str) -> String {
    let function = change.spell(place, &format!("networkx.{function}"));
    format!("({graph}.subgraph(c) for c in {function}({graph}))")
}

/// Methods that are functions now.
const FUNCTIONS: [&str; 6] =
    ["number_of_selfloops", "selfloop_edges", "nodes_with_selfloops", "add_path", "add_cycle", "add_star"];

fn graph_functions(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, method)) = shape::method(call) else { return };
        if !FUNCTIONS.contains(&method) || view.qualified(&call.func).is_some() {
            return;
        }
        if !view.receiver_is(GRAPH, place, &attribute.value, call.range()) {
            return;
        }
        let graph = receiver_text(view.parsed(place), attribute);
        let rest = CallEdit::new(view.parsed(place), call).render();
        let separator = if rest.is_empty() { "" } else { ", " };
        let function = change.spell(place, &format!("networkx.{method}"));
        change.replace(place, call.range(), format!("{function}({graph}{separator}{rest})"));
    });
}

fn attribute_order(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is = view
            .qualified(&call.func)
            .is_some_and(|name| matches!(&name[..], "networkx.set_node_attributes" | "networkx.set_edge_attributes"));
        let [_, name, values] = &call.arguments.args[..] else { return };
        if !is || shape::text(name).is_none() || shape::text(values).is_some() {
            return;
        }
        let parsed = view.parsed(place);
        let edits = vec![
            replacement(name.range(), parsed.text(values.range())),
            replacement(values.range(), parsed.text(name.range())),
        ];
        change.edit(place, call.range().start(), edits);
    });
}

fn attribute_dicts(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, method)) = shape::method(call) else { return };
        let before = match method {
            "add_edge" => 2,
            "add_node" | "add_nodes_from" | "add_edges_from" => 1,
            _ => return,
        };
        if !view.receiver_is(GRAPH, place, &attribute.value, call.range()) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let given = match (edit.find("attr_dict"), &edit.positional()[..]) {
            (Some(number), _) => number,
            // The third argument of a multigraph's edge may be its key.
            (None, [.., last]) if edit.positional().len() == before + 1 && !shape::has_stars(call) => *last,
            _ => return,
        };
        let kinds = view.kinds(edit.value(given));
        let is_meant = if edit.find("attr_dict").is_some() {
            !is_read_by_its_name(view)
        } else {
            kinds == [Kind::Dict] || kinds.is_empty() && view.at_fault(place, call.range())
        };
        if !is_meant {
            return;
        }
        // Keywords are texts.
        let has_others = matches!(edit.value(given), Expr::Dict(dict)
            if dict.items.iter().any(|item| item.key.as_ref().is_some_and(|key| key.is_number_literal_expr())));
        if !has_others {
            let dict = edit.value_text(given);
            let text = if edit.value(given).is_if_expr() || edit.value(given).is_lambda_expr() {
                format!("**({dict})")
            } else {
                format!("**{dict}")
            };
            edit.set(given, text);
            change.edit(place, call.start(), edit.finish());
        }
    });
}

/// Whether the notebook takes `attr_dict` for the name of an attribute, which it is since networkx 2.
fn is_read_by_its_name(view: &View<'_>) -> bool {
    let mut found = false;
    view.expressions(|_, expression, _| found |= shape::text(expression) == Some("attr_dict"));
    found
}

fn views(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Expr::Call(call) = expression else { return };
        let Some((attribute, method)) = shape::method(call) else { return };
        let is_graph = || view.receiver_is(GRAPH, place, &attribute.value, call.range());
        let wrapper = match (method, around.parent()) {
            ("nodes" | "edges", Some(Expr::Subscript(subscript)))
                if subscript.value.range() == call.range() && is_position(&subscript.slice) =>
            {
                "list"
            }
            ("degree" | "in_degree" | "out_degree", Some(Expr::Attribute(outer)))
                if matches!(outer.attr.as_str(), "values" | "items" | "keys") && call.arguments.args.is_empty() =>
            {
                "dict"
            }
            _ => return,
        };
        if is_graph() {
            let text = view.parsed(place).text(call.range());
            change.replace(place, call.range(), format!("{wrapper}({text})"));
        }
    });
}

fn degrees(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Attribute(attribute) = expression else { return };
        let missed = format!("DegreeView' object has no attribute '{}'", attribute.attr.as_str());
        let text = receiver_text(view.parsed(place), attribute);
        let is_missed = view.errors.iter().any(|error| error.evalue.contains(&missed)) && !text.starts_with("dict(");
        if is_missed && view.at_fault(place, expression.range()) {
            change.replace(place, attribute.value.range(), format!("dict({text})"));
        }
    });
}

/// An index or a slice of numbers, as lists take it.
fn is_position(key: &Expr) -> bool {
    shape::integer(key).is_some() || key.is_slice_expr()
}
