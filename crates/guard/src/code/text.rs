//! Folds text that is put together from literals: sums, f-strings, `%`, `format`, `join`, `os.path.join`, `Path(…) / …`.

use nbrevive_pysource::ast::{Expr, ExprCall, ExprFString, FStringPart, InterpolatedStringElement, Operator};

use super::{Code, plain};

/// Stands in a folded text for a part that is known only when the code runs.
pub(crate) const UNKNOWN: char = '\u{fffc}';

/// Texts that are kept for one expression (names may hold several).
const MOST: usize = 8;
/// How deep expressions are folded.
const DEEPEST: usize = 24;
/// The longest text that is kept, in bytes.
const LONGEST: usize = 4096;

/// The texts that an expression may be. Empty when no part of it is a literal.
pub(crate) fn fold(expression: &Expr, code: &Code) -> Vec<String> {
    let texts = folded(expression, code, 0);
    let is_known = |text: &String| text.len() <= LONGEST && text.chars().any(|c| c != UNKNOWN);
    texts.into_iter().filter(is_known).collect()
}

fn folded(expression: &Expr, code: &Code, depth: usize) -> Vec<String> {
    let unknown = || vec![UNKNOWN.to_string()];
    if depth > DEEPEST {
        return unknown();
    }
    let inner = |expression: &Expr| folded(expression, code, depth + 1);
    match expression {
        Expr::StringLiteral(literal) => vec![literal.value.to_str().to_owned()],
        Expr::BytesLiteral(literal) => {
            vec![String::from_utf8_lossy(&literal.value.bytes().collect::<Vec<u8>>()).into_owned()]
        }
        Expr::Name(name) => code.texts.get(name.id.as_str()).cloned().unwrap_or_else(unknown),
        Expr::Attribute(_) => plain(expression).and_then(|name| code.texts.get(&name).cloned()).unwrap_or_else(unknown),
        Expr::BinOp(operation) => match operation.op {
            Operator::Add => product(&[inner(&operation.left), inner(&operation.right)], ""),
            Operator::Div => product(&[inner(&operation.left), inner(&operation.right)], "/"),
            Operator::Mod => with_values(&inner(&operation.left), &values_of(&operation.right, code, depth)),
            _ => unknown(),
        },
        Expr::FString(string) => formatted(string, code, depth),
        Expr::Call(call) => called(call, code, depth),
        Expr::If(choice) => inner(&choice.body).into_iter().chain(inner(&choice.orelse)).take(MOST).collect(),
        Expr::Named(named) => inner(&named.value),
        _ => unknown(),
    }
}

fn formatted(string: &ExprFString, code: &Code, depth: usize) -> Vec<String> {
    let mut parts = Vec::new();
    for part in &string.value {
        match part {
            FStringPart::Literal(literal) => parts.push(vec![literal.value.to_string()]),
            FStringPart::FString(inner) => parts.extend(inner.elements.iter().map(|element| match element {
                InterpolatedStringElement::Literal(literal) => vec![literal.value.to_string()],
                InterpolatedStringElement::Interpolation(hole) => folded(&hole.expression, code, depth + 1),
            })),
        }
    }
    product(&parts, "")
}

fn called(call: &ExprCall, code: &Code, depth: usize) -> Vec<String> {
    let arguments = &call.arguments.args;
    let all = |arguments: &[Expr]| arguments.iter().map(|one| folded(one, code, depth + 1)).collect::<Vec<_>>();
    let function = code.dotted(&call.func);
    if function.iter().any(|name| is_path_joining(name)) {
        return product(&all(arguments), "/");
    }
    if function.iter().any(|name| is_transparent(name)) && arguments.len() == 1 {
        return folded(&arguments[0], code, depth + 1);
    }
    let Expr::Attribute(method) = &*call.func else { return vec![UNKNOWN.to_string()] };
    match (method.attr.as_str(), &**arguments) {
        ("join", [Expr::List(parts)]) => joined(&method.value, &all(&parts.elts), code, depth),
        ("join", [Expr::Tuple(parts)]) => joined(&method.value, &all(&parts.elts), code, depth),
        ("format", values) => {
            let keywords = call.arguments.keywords.iter().map(|keyword| folded(&keyword.value, code, depth + 1));
            let values: Vec<Vec<String>> = all(values).into_iter().chain(keywords).collect();
            with_values(&folded(&method.value, code, depth + 1), &values)
        }
        ("joinpath", parts) => {
            let mut whole = vec![folded(&method.value, code, depth + 1)];
            whole.extend(all(parts));
            product(&whole, "/")
        }
        ("resolve" | "absolute" | "as_posix" | "encode" | "decode", []) => folded(&method.value, code, depth + 1),
        _ => vec![UNKNOWN.to_string()],
    }
}

fn joined(separator: &Expr, parts: &[Vec<String>], code: &Code, depth: usize) -> Vec<String> {
    let separators = folded(separator, code, depth + 1);
    product(parts, separators.first().map_or("", String::as_str))
}

fn is_path_joining(name: &str) -> bool {
    matches!(name, "os.path.join" | "posixpath.join" | "pathlib.Path" | "pathlib.PurePath" | "pathlib.PosixPath")
}

fn is_transparent(name: &str) -> bool {
    matches!(name, "str" | "os.path.abspath" | "os.path.realpath" | "os.path.normpath" | "os.fspath" | "repr")
}

fn values_of(expression: &Expr, code: &Code, depth: usize) -> Vec<Vec<String>> {
    match expression {
        Expr::Tuple(values) => values.elts.iter().map(|value| folded(value, code, depth + 1)).collect(),
        value => vec![folded(value, code, depth + 1)],
    }
}

/// A pattern with its values put in, in order; named and formatted places count like plain ones.
fn with_values(patterns: &[String], values: &[Vec<String>]) -> Vec<String> {
    patterns.iter().flat_map(|pattern| product(&places(pattern, values), "")).take(MOST).collect()
}

/// The pieces of a pattern, with values in the places of `{…}` and `%…`.
fn places(pattern: &str, values: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut parts = Vec::new();
    let mut values = values.iter();
    let mut rest = pattern;
    while let Some(at) = rest.find(['{', '%']) {
        let (before, place) = rest.split_at(at);
        parts.push(vec![before.to_owned()]);
        let end = if place.starts_with('{') { place.find('}').map(|end| end + 1) } else { Some(place.len().min(2)) };
        let Some(end) = end.filter(|end| place.is_char_boundary(*end)) else {
            rest = place;
            break;
        };
        parts.push(values.next().cloned().unwrap_or_else(|| vec![UNKNOWN.to_string()]));
        rest = &place[end..];
    }
    parts.push(vec![rest.to_owned()]);
    parts
}

/// Every way to take one text of each part, up to a limit.
fn product(parts: &[Vec<String>], separator: &str) -> Vec<String> {
    let mut texts = vec![String::new()];
    for (index, part) in parts.iter().enumerate() {
        let mut longer = Vec::new();
        for text in &texts {
            for next in part {
                let separator = if index > 0 && !text.ends_with(separator) { separator } else { "" };
                // An absolute part starts a path anew, as `os.path.join` and `Path` do.
                let is_anew = separator == "/" && next.starts_with('/');
                longer.push(if is_anew { next.clone() } else { format!("{text}{separator}{next}") });
            }
        }
        longer.truncate(MOST);
        texts = longer;
        if texts.iter().any(|text| text.len() > LONGEST) {
            return vec![UNKNOWN.to_string()];
        }
    }
    texts
}
