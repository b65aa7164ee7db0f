//! Conditions that literals decide.

use nbrevive_pysource::ast::{BoolOp, CmpOp, Expr, UnaryOp};

/// Whether a condition holds always or never, as far as literals tell.
pub(super) fn truth(test: &Expr) -> Option<bool> {
    match test {
        Expr::BooleanLiteral(literal) => Some(literal.value),
        Expr::NoneLiteral(_) => Some(false),
        Expr::NumberLiteral(number) => number.value.as_int().and_then(|value| value.as_i64()).map(|value| value != 0),
        Expr::StringLiteral(literal) => Some(!literal.value.is_empty()),
        Expr::UnaryOp(unary) if unary.op == UnaryOp::Not => truth(&unary.operand).map(|value| !value),
        Expr::BoolOp(operation) => {
            let parts: Vec<Option<bool>> = operation.values.iter().map(truth).collect();
            let decides = operation.op == BoolOp::Or;
            if parts.contains(&Some(decides)) {
                return Some(decides);
            }
            parts.iter().all(Option::is_some).then_some(!decides)
        }
        Expr::Compare(comparison) => match (&*comparison.left, &*comparison.ops, &*comparison.comparators) {
            (left, [op], [right]) => compared(left, *op, right),
            _ => None,
        },
        _ => None,
    }
}

fn compared(left: &Expr, op: CmpOp, right: &Expr) -> Option<bool> {
    let number = |expression: &Expr| match expression {
        Expr::NumberLiteral(number) => number.value.as_int().and_then(|value| value.as_i64()),
        _ => None,
    };
    let (left, right) = (number(left)?, number(right)?);
    match op {
        CmpOp::Eq => Some(left == right),
        CmpOp::NotEq => Some(left != right),
        CmpOp::Lt => Some(left < right),
        CmpOp::LtE => Some(left <= right),
        CmpOp::Gt => Some(left > right),
        CmpOp::GtE => Some(left >= right),
        CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => None,
    }
}
