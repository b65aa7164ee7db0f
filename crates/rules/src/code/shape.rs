//! Small questions about syntax.

use nbrevive_pysource::ast::{Expr, ExprAttribute, ExprCall, Keyword, Number, UnaryOp};

/// The identifier of a plain name.
pub(crate) fn name(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(name.id.as_str()),
        _ => None,
    }
}

/// The value of a text literal.
pub(crate) fn text(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::StringLiteral(literal) => Some(literal.value.to_str()),
        _ => None,
    }
}

/// The value of an integer literal, signs included.
pub(crate) fn integer(expression: &Expr) -> Option<i64> {
    match expression {
        Expr::NumberLiteral(literal) => match &literal.value {
            Number::Int(value) => value.as_i64(),
            _ => None,
        },
        Expr::UnaryOp(unary) if unary.op == UnaryOp::USub => integer(&unary.operand).map(|value| -value),
        _ => None,
    }
}

/// The value of `True` or `False`.
pub(crate) fn boolean(expression: &Expr) -> Option<bool> {
    match expression {
        Expr::BooleanLiteral(literal) => Some(literal.value),
        _ => None,
    }
}

/// The call's keyword argument of this name.
pub(crate) fn keyword<'a>(call: &'a ExprCall, name: &str) -> Option<&'a Keyword> {
    call.arguments.keywords.iter().find(|keyword| keyword.arg.as_ref().is_some_and(|arg| arg.as_str() == name))
}

/// True when the call has `*args` or `**kwargs`, whose content is unknown.
pub(crate) fn has_stars(call: &ExprCall) -> bool {
    call.arguments.args.iter().any(Expr::is_starred_expr)
        || call.arguments.keywords.iter().any(|keyword| keyword.arg.is_none())
}

/// Receiver and name of a call of a method: `receiver.name(…)`.
pub(crate) fn method(call: &ExprCall) -> Option<(&ExprAttribute, &str)> {
    match call.func.as_ref() {
        Expr::Attribute(attribute) => Some((attribute, attribute.attr.as_str())),
        _ => None,
    }
}

/// The dotted text of a chain of names (`np.random.rand`), root first; `None` for anything else.
pub(crate) fn dotted(expression: &Expr) -> Option<Vec<&str>> {
    match expression {
        Expr::Name(name) => Some(vec![name.id.as_str()]),
        Expr::Attribute(attribute) => {
            let mut chain = dotted(&attribute.value)?;
            chain.push(attribute.attr.as_str());
            Some(chain)
        }
        _ => None,
    }
}

/// Elements of a list, tuple or set literal.
pub(crate) fn elements(expression: &Expr) -> Option<&[Expr]> {
    match expression {
        Expr::List(list) => Some(&list.elts),
        Expr::Tuple(tuple) => Some(&tuple.elts),
        Expr::Set(set) => Some(&set.elts),
        _ => None,
    }
}

/// True when an operand keeps its meaning without parentheses in front of a dot.
pub(crate) fn is_primary(expression: &Expr) -> bool {
    matches!(
        expression,
        Expr::Name(_)
            | Expr::Attribute(_)
            | Expr::Call(_)
            | Expr::Subscript(_)
            | Expr::List(_)
            | Expr::Dict(_)
            | Expr::Set(_)
            | Expr::StringLiteral(_)
            | Expr::ListComp(_)
            | Expr::DictComp(_)
    )
}
