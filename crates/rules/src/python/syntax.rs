//! Statements and literals that Python 3 does not read.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::text_size::{Ranged, TextSize};
use tree_sitter::Node;

use super::tree;
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{Signature, sig};
use crate::view::{Place, View};
use crate::walk;

/// Python 2 text, as the compiler and its kin report it.
static BROKEN: &[Signature] = &[
    sig("SyntaxError", ""),
    sig("TabError", ""),
    sig("IndentationError", ""),
    sig("TypeError", "unsupported operand type(s) for >>: 'builtin_function_or_method'"),
];

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "python-statements",
        ("python", "3.0"),
        "print, exec, raise and except are written otherwise, as are <>, backticks and some literals",
        Trigger::Error(BROKEN),
        Rewrite::Code(statements),
        example(
            "try:\n    print 'a %d' % 1, x\n    print >>sys.stderr, 'b',\n    raise ValueError, 'bad'\nexcept ValueError, e:\n    exec 'r = 3'\nif a <> 0755: b = [`a`, 10L]\n",
            ("SyntaxError", "Missing parentheses in call to 'print'. Did you mean print(...)?"),
            "try:\n    print('a %d' % 1, x)\n    print('b', end=' ', file=sys.stderr)\n    raise ValueError('bad')\nexcept ValueError as e:\n    exec('r = 3')\nif a != 0o755: b = [repr(a), 10]\n",
        ),
    ),
    Rule::new(
        "python-print-of-more",
        ("python", "3.0"),
        "what stands behind print (…) is printed too",
        Trigger::Error(&[
            sig("AttributeError", "'NoneType' object has no attribute"),
            sig("TypeError", "unsupported operand type(s) for"),
            sig("TypeError", "'NoneType' object is not"),
            sig("TypeError", "not supported between instances of 'NoneType'"),
        ]),
        Rewrite::Code(print_of_more),
        example(
            "print (x == y).sum(), 'of %d' % n\n",
            ("AttributeError", "'NoneType' object has no attribute 'sum'"),
            "print((x == y).sum(), 'of %d' % n)\n",
        ),
    )
    .certain(),
    Rule::new(
        "python-tuple-parameters",
        ("python", "3.0"),
        "parameters are not taken apart",
        Trigger::Error(&[sig("SyntaxError", "")]),
        Rewrite::Code(tuple_parameters),
        example(
            "r = sorted(d, key=lambda (k, v): v)\ndef f(a, (b, c)):\n    return b + c\n",
            ("SyntaxError", "Lambda expression parameters cannot be parenthesized"),
            "r = sorted(d, key=lambda k_v: k_v[1])\ndef f(a, b_c):\n    b, c = b_c\n    return b + c\n",
        ),
    ),
    Rule::new(
        "python-tabs",
        ("python", "3.0"),
        "tabs and spaces are not mixed; a tab stood for eight columns",
        Trigger::Error(&[
            sig("TabError", "inconsistent use of tabs and spaces"),
            sig("IndentationError", "unindent does not match"),
        ]),
        Rewrite::Code(tabs),
        example(
            "if a:\n        b = 1\n\tc = 2\n",
            ("TabError", "inconsistent use of tabs and spaces in indentation"),
            "if a:\n        b = 1\n        c = 2\n",
        ),
    ),
    Rule::new(
        "python-async-name",
        ("python", "3.7"),
        "async and await are keywords",
        Trigger::Error(&[sig("SyntaxError", "")]),
        Rewrite::Code(async_names),
        example(
            "async = 1\nx = f(async=True)\n",
            ("SyntaxError", "invalid syntax"),
            "async_ = 1\nx = f(async_=True)\n",
        ),
    ),
];

/// Cells that Python 3 does not parse, with their trees as Python 2.
fn broken_cells(view: &View<'_>, mut each: impl FnMut(Place, &str, Node<'_>)) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let broken = !source.parsed.errors().is_empty();
        let chevron = source.parsed.source().contains("print >>") || source.parsed.source().contains("print>>");
        let comma = source.parsed.source().contains("except ");
        if (broken || chevron || comma)
            && !source.parsed.is_opaque()
            && let Some(tree) = tree::parse(source.parsed.source())
        {
            each(Place(position), source.parsed.source(), tree.root_node());
        }
    }
}

fn statements(view: &View<'_>, change: &mut Change<'_>) {
    broken_cells(view, |place, source, root| {
        tree::visit(root, &mut |node| {
            if let Some(edits) = statement_edits(source, node) {
                change.edit(place, offset(node.start_byte()), edits);
            }
        });
    });
}

fn statement_edits(source: &str, node: Node<'_>) -> Option<Vec<Edit>> {
    let text = source.get(node.byte_range())?;
    match node.kind() {
        "print_statement" => print_statement(source, node),
        "exec_statement" => exec_statement(source, node),
        "except_clause" => except_clause(source, node),
        "raise_statement" => raise_statement(source, node),
        "<>" => Some(vec![Edit { range: node.byte_range(), text: "!=".to_owned() }]),
        "string" if text.starts_with('`') => backticks(node, text),
        "string" if text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("ur")) => {
            Some(vec![Edit { range: node.start_byte()..node.start_byte() + 1, text: String::new() }])
        }
        "integer" => integer(node, text),
        _ => None,
    }
}

fn print_statement(source: &str, node: Node<'_>) -> Option<Vec<Edit>> {
    let text = source.get(node.byte_range())?;
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    let chevron = children.iter().find(|child| child.kind() == "chevron");
    let target =
        chevron.and_then(|chevron| source.get(chevron.byte_range())).map(|text| text.trim_start_matches('>').trim());
    let values: Vec<&Node<'_>> = children
        .iter()
        .filter(|child| child.is_named() && child.kind() != "chevron" && child.kind() != "comment")
        .collect();
    let mut inside = match (values.first(), values.last()) {
        (Some(first), Some(last)) => source.get(first.start_byte()..last.end_byte())?.to_owned(),
        _ => String::new(),
    };
    let mut options = Vec::new();
    if text.trim_end().ends_with(',') && !values.is_empty() {
        options.push("end=' '".to_owned());
    }
    if let Some(target) = target {
        options.push(format!("file={target}"));
    }
    if !options.is_empty() {
        let separator = if inside.is_empty() { "" } else { ", " };
        inside = format!("{inside}{separator}{}", options.join(", "));
    }
    // The nodes inside may need edits of their own: they get them in the next run.
    Some(vec![Edit { range: node.byte_range(), text: format!("print({inside})") }])
}

fn exec_statement(source: &str, node: Node<'_>) -> Option<Vec<Edit>> {
    let text = source.get(node.byte_range())?.strip_prefix("exec")?.trim();
    let arguments = match text.split_once(" in ") {
        Some((code, scope)) => format!("{}, {}", code.trim(), scope.trim()),
        None => text.to_owned(),
    };
    Some(vec![Edit { range: node.byte_range(), text: format!("exec({arguments})") }])
}

/// `except E, e:` has two values and a comma between them, not `as`.
fn except_clause(source: &str, node: Node<'_>) -> Option<Vec<Edit>> {
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    let comma = children.iter().find(|child| child.kind() == ",")?;
    let after = children.iter().find(|child| child.start_byte() >= comma.end_byte() && child.is_named())?;
    if after.kind() != "identifier" {
        return None;
    }
    let before = source.get(..comma.start_byte())?.trim_end().len();
    Some(vec![Edit { range: before..after.start_byte(), text: " as ".to_owned() }])
}

/// `raise E, 'm'` and `raise E, 'm', traceback`.
fn raise_statement(source: &str, node: Node<'_>) -> Option<Vec<Edit>> {
    let mut cursor = node.walk();
    let list = node.children(&mut cursor).find(|child| child.kind() == "expression_list")?;
    let mut inner = list.walk();
    let values: Vec<Node<'_>> = list.children(&mut inner).filter(Node::is_named).collect();
    let (class, message) = (values.first()?, values.get(1)?);
    let class = source.get(class.byte_range())?;
    let message = source.get(message.byte_range())?;
    Some(vec![Edit { range: list.byte_range(), text: format!("{class}({message})") }])
}

fn backticks(node: Node<'_>, text: &str) -> Option<Vec<Edit>> {
    let inner = text.strip_prefix('`')?.strip_suffix('`')?;
    Some(vec![Edit { range: node.byte_range(), text: format!("repr({inner})") }])
}

/// `10L` and `0755`.
fn integer(node: Node<'_>, text: &str) -> Option<Vec<Edit>> {
    let digits = text.trim_end_matches(['l', 'L']);
    let octal = digits.len() > 1
        && digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.bytes().any(|byte| byte != b'0');
    let new = if octal { format!("0o{}", digits.trim_start_matches('0')) } else { digits.to_owned() };
    (new != text).then(|| vec![Edit { range: node.byte_range(), text: new }])
}

fn tuple_parameters(view: &View<'_>, change: &mut Change<'_>) {
    broken_cells(view, |place, source, root| {
        tree::visit(root, &mut |node| {
            let edits = match node.kind() {
                "lambda" => lambda_edits(source, node),
                "function_definition" => function_edits(source, node),
                _ => None,
            };
            if let Some(edits) = edits {
                change.edit(place, offset(node.start_byte()), edits);
            }
        });
    });
}

/// `print (a).b, c`: a statement that begins with a call of `print` and does not end there.
fn print_of_more(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let (place, text) = (Place(position), source.parsed.source());
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Expr(whole) = statement else { return };
            let first = leftmost(&whole.value);
            let Expr::Call(call) = first else { return };
            let gap = call.func.end().to_usize()..call.arguments.start().to_usize();
            let is_statement = shape::name(&call.func) == Some("print") && !gap.is_empty();
            if is_statement && first.range() != whole.value.range() && text[gap.clone()].trim().is_empty() {
                let edits = vec![
                    Edit { range: gap, text: "(".to_owned() },
                    Edit { range: whole.end().to_usize()..whole.end().to_usize(), text: ")".to_owned() },
                ];
                change.edit(place, statement.start(), edits);
            }
        });
    }
}

/// What an expression begins with.
fn leftmost(expression: &Expr) -> &Expr {
    let inner = match expression {
        Expr::Call(call) if shape::name(&call.func).is_none() => &call.func,
        Expr::Attribute(attribute) => &attribute.value,
        Expr::Subscript(subscript) => &subscript.value,
        Expr::BinOp(operation) => &operation.left,
        Expr::Compare(compare) => &compare.left,
        Expr::If(choice) => &choice.body,
        Expr::BoolOp(operation) => return operation.values.first().map_or(expression, leftmost),
        Expr::Tuple(tuple) if !tuple.parenthesized => return tuple.elts.first().map_or(expression, leftmost),
        _ => return expression,
    };
    leftmost(inner)
}

/// The names of a tuple parameter, each with the way to it: `(a, (b, c))` has `b` at `[1][0]`.
fn names_of<'s>(source: &'s str, pattern: Node<'_>) -> Option<Vec<(&'s str, String)>> {
    let mut cursor = pattern.walk();
    let parts: Vec<Node<'_>> = pattern.children(&mut cursor).filter(Node::is_named).collect();
    let mut names = Vec::new();
    for (number, part) in parts.into_iter().enumerate() {
        match part.kind() {
            "identifier" => names.push((source.get(part.byte_range())?, format!("[{number}]"))),
            "tuple_pattern" => {
                let inner = names_of(source, part)?;
                names.extend(inner.into_iter().map(|(name, way)| (name, format!("[{number}]{way}"))));
            }
            _ => return None,
        }
    }
    Some(names)
}

/// The one name that a tuple parameter gets.
fn joined(names: &[(&str, String)]) -> String {
    names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("_")
}

fn lambda_edits(source: &str, node: Node<'_>) -> Option<Vec<Edit>> {
    let parameters = node.child_by_field_name("parameters")?;
    let body = node.child_by_field_name("body")?;
    let mut cursor = parameters.walk();
    let pattern = parameters.children(&mut cursor).find(|child| child.kind() == "tuple_pattern")?;
    let names = names_of(source, pattern)?;
    let joined = joined(&names);
    let mut edits = vec![Edit { range: pattern.byte_range(), text: joined.clone() }];
    tree::visit(body, &mut |inner| {
        let text = source.get(inner.byte_range()).unwrap_or_default();
        let way = names.iter().find(|(name, _)| *name == text).map(|(_, way)| way);
        if let Some(way) = way.filter(|_| inner.kind() == "identifier" && !is_attribute_or_keyword(inner)) {
            edits.push(Edit { range: inner.byte_range(), text: format!("{joined}{way}") });
        }
    });
    Some(edits)
}

/// `.name` of an attribute and `name=` of an argument are no variables.
fn is_attribute_or_keyword(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let is_field = |field: &str| parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id());
    parent.kind() == "attribute" && is_field("attribute") || parent.kind() == "keyword_argument" && is_field("name")
}

fn function_edits(source: &str, node: Node<'_>) -> Option<Vec<Edit>> {
    let parameters = node.child_by_field_name("parameters")?;
    let body = node.child_by_field_name("body")?;
    let mut cursor = parameters.walk();
    let patterns: Vec<Node<'_>> =
        parameters.children(&mut cursor).filter(|child| child.kind() == "tuple_pattern").collect();
    if patterns.is_empty() {
        return None;
    }
    let start = body.start_byte();
    let line_start = source[..start].rfind('\n').map_or(0, |end| end + 1);
    let indentation = &source[line_start..start];
    if !indentation.chars().all(char::is_whitespace) {
        return None;
    }
    let mut edits = Vec::new();
    for pattern in patterns {
        let joined = joined(&names_of(source, pattern)?);
        let parts = source.get(pattern.byte_range())?.strip_prefix('(')?.strip_suffix(')')?.trim().to_owned();
        edits.push(Edit { range: pattern.byte_range(), text: joined.clone() });
        edits.push(Edit { range: start..start, text: format!("{parts} = {joined}\n{indentation}") });
    }
    Some(edits)
}

fn tabs(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let faulty = view.errors.iter().any(|error| error.cell == source.cell);
        if !faulty {
            continue;
        }
        let mut start = 0;
        let mut edits = Vec::new();
        for line in source.parsed.source().split_inclusive('\n') {
            let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
            if line[..indentation].contains('\t') {
                edits.push(Edit { range: start..start + indentation, text: " ".repeat(columns(&line[..indentation])) });
            }
            start += line.len();
        }
        change.edit(Place(position), offset(0), edits);
    }
}

/// Width with tab stops every eight columns, Python 2's rule.
fn columns(indentation: &str) -> usize {
    indentation.chars().fold(0, |width, c| if c == '\t' { width / 8 * 8 + 8 } else { width + 1 })
}

fn async_names(view: &View<'_>, change: &mut Change<'_>) {
    broken_cells(view, |place, source, _| {
        for name in ["async", "await"] {
            for (at, _) in source.match_indices(name) {
                let after = source[at + name.len()..].trim_start();
                let before = source[..at].chars().next_back();
                let word = before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '\'' && c != '"');
                let assigned = after.starts_with('=') && !after.starts_with("==");
                if word && assigned {
                    let copies = source[..at].rfind(".cuda(").is_some_and(|call| !source[call..at].contains(')'));
                    // PyTorch has another word for it.
                    let text = if copies { "non_blocking".to_owned() } else { format!("{name}_") };
                    let edit = Edit { range: at..at + name.len(), text };
                    change.edit(place, offset(at), vec![edit]);
                }
            }
        }
    });
}

fn offset(byte: usize) -> TextSize {
    TextSize::try_from(byte).unwrap_or_default()
}
