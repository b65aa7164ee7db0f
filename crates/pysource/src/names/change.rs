//! What changes a value in place.

use ruff_python_ast::{Expr, ExprCall};

/// Methods that change what they are called on. Source: the library reference on lists, dictionaries, sets, deques and counters;
/// the same on files, writers of CSV and connections to databases;
/// scikit-learn and Keras on estimators and models; numpy on arrays; random number generators on seeds; TensorFlow on graphs, to which is
/// added what stands below `with graph.as_default():`.
const METHODS: &[&str] = &[
    "add",
    "add_edge",
    "add_edges_from",
    "add_module",
    "add_node",
    "add_nodes_from",
    "append",
    "appendleft",
    "as_default",
    "build",
    "clear",
    "close",
    "commit",
    "compile",
    "difference_update",
    "discard",
    "execute",
    "executemany",
    "extend",
    "extendleft",
    "fill",
    "fit",
    "fit_generator",
    "fit_predict",
    "fit_transform",
    "insert",
    "intersection_update",
    "itemset",
    "load_state_dict",
    "move_to_end",
    "partial_fit",
    "pop",
    "popitem",
    "popleft",
    "put",
    "read",
    "readline",
    "readlines",
    "register_buffer",
    "remove",
    "requires_grad_",
    "resize",
    "reverse",
    "rotate",
    "seek",
    "set_params",
    "setdefault",
    "setfield",
    "setflags",
    "sort",
    "subtract",
    "symmetric_difference_update",
    "train_on_batch",
    "update",
    "write",
    "writelines",
    "writerow",
    "writerows",
    "zero_grad",
];

/// Functions that change their first argument. Source: the library reference (`random`, `heapq`, `bisect`, builtins), numpy.
const FUNCTIONS: &[&str] = &[
    "copyto",
    "delattr",
    "fill_diagonal",
    "heapify",
    "heappop",
    "heappush",
    "heappushpop",
    "heapreplace",
    "insort",
    "insort_left",
    "insort_right",
    "next",
    "place",
    "put_along_axis",
    "putmask",
    "setattr",
    "shuffle",
];

/// Whether a call changes the value that its method belongs to.
pub(super) fn changes_owner(call: &ExprCall, method: &str) -> bool {
    METHODS.contains(&method) || is_in_place(call)
}

/// Whether a call changes its first argument.
pub(super) fn changes_argument(call: &ExprCall) -> bool {
    let name = match &*call.func {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return false,
    };
    FUNCTIONS.contains(&name)
}

/// `inplace=True`, or `inplace=` something that only running tells.
fn is_in_place(call: &ExprCall) -> bool {
    call.arguments
        .find_keyword("inplace")
        .is_some_and(|keyword| keyword.value.as_boolean_literal_expr().is_none_or(|literal| literal.value))
}

/// The literal texts that a subscript names.
pub(super) fn keys(slice: &Expr) -> Vec<&str> {
    match slice {
        Expr::StringLiteral(text) => vec![text.value.to_str()],
        Expr::List(list) => {
            let texts: Option<Vec<&str>> = list.elts.iter().map(literal).collect();
            texts.unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// The literal texts that a subscript of `loc` or `at` names: those of its columns.
pub(super) fn column_keys(slice: &Expr) -> Vec<&str> {
    match slice {
        Expr::Tuple(tuple) if tuple.elts.len() == 2 => keys(&tuple.elts[1]),
        _ => Vec::new(),
    }
}

fn literal(expression: &Expr) -> Option<&str> {
    Some(expression.as_string_literal_expr()?.value.to_str())
}
