//! Small questions about the syntax of libraries.

use nbrevive_pysource::ast::{Expr, StringLiteralValue};

/// The identifier of a plain name.
pub(crate) fn name(expression: &Expr) -> Option<&str> {
    expression.as_name_expr().map(|name| name.id.as_str())
}

/// A text literal.
pub(crate) fn text(expression: &Expr) -> Option<&str> {
    expression.as_string_literal_expr().map(|literal| StringLiteralValue::to_str(&literal.value))
}

/// A chain of names, joined by dots.
pub(crate) fn dotted(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(attribute) => Some(format!("{}.{}", dotted(&attribute.value)?, attribute.attr.as_str())),
        Expr::Call(call) if name(&call.func) == Some("globals") => Some("globals()".to_owned()),
        _ => None,
    }
}

/// The texts of a list, tuple or set of nothing else.
pub(crate) fn texts(expression: &Expr) -> Option<Vec<String>> {
    elements(expression)?.iter().map(|element| text(element).map(str::to_owned)).collect()
}

fn elements(expression: &Expr) -> Option<&[Expr]> {
    match expression {
        Expr::List(list) => Some(&list.elts),
        Expr::Tuple(tuple) => Some(&tuple.elts),
        Expr::Set(set) => Some(&set.elts),
        _ => None,
    }
}

/// The texts of a list, or the first ones of the tuples in it.
pub(crate) fn first_texts(expression: &Expr) -> Option<Vec<String>> {
    let first = |element: &Expr| match element {
        Expr::Tuple(tuple) => tuple.elts.first().and_then(text).map(str::to_owned),
        other => text(other).map(str::to_owned),
    };
    elements(expression)?.iter().map(first).collect()
}

/// The words of a message as far as its text has them: literals joined, what is filled in left out as `{}`.
pub(crate) fn message(expression: &Expr, depth: usize) -> String {
    if depth > 50 {
        return String::new();
    }
    match expression {
        Expr::StringLiteral(literal) => literal.value.to_str().to_owned(),
        Expr::FString(formatted) => {
            let mut words = String::new();
            for part in &formatted.value {
                match part {
                    nbrevive_pysource::ast::FStringPart::Literal(literal) => words.push_str(literal.as_str()),
                    nbrevive_pysource::ast::FStringPart::FString(inner) => {
                        for element in &inner.elements {
                            words.push_str(element.as_literal().map_or("{}", |literal| &literal.value));
                        }
                    }
                }
            }
            words
        }
        Expr::BinOp(operation) => {
            let left = message(&operation.left, depth + 1);
            match operation.op {
                nbrevive_pysource::ast::Operator::Add => left + &message(&operation.right, depth + 1),
                _ => left,
            }
        }
        Expr::Call(call) => match call.func.as_ref() {
            Expr::Attribute(attribute) => message(&attribute.value, depth + 1),
            _ => String::new(),
        },
        _ => String::new(),
    }
}
