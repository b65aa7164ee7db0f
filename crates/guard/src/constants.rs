//! Tables and scores that were written into the code.

use std::collections::BTreeSet;

use nbrevive_corpus::Breach;
use nbrevive_pysource::ast::visitor::{Visitor, walk_expr, walk_stmt};
use nbrevive_pysource::ast::{CmpOp, Expr, Number, Stmt, UnaryOp};
use nbrevive_pysource::text_size::Ranged;

use super::code::{Code, Source};
use super::contract::Contract;
use super::finding::Fact;

/// Significant digits that make a number recognisable as a score: 0.87 may be anything.
const TELLING_DIGITS: usize = 3;
/// Words, lines or commas of a literal text for one constant of a collection: sentences have many too.
const SEPARATORS_PER_CONSTANT: usize = 2;
/// Digits after the point to which a score is compared when it is rounded.
const MOST_DECIMALS: usize = 12;

/// What the original has of what would be a breach if it were new.
#[derive(Debug, Clone)]
pub(super) struct Original {
    pub(super) contract: Contract,
    /// Text of its cells that are no Python 3, where facts may be missed.
    pub(super) unread: String,
    constants: BTreeSet<String>,
    /// The constants of each of its tables, in their order.
    tables: Vec<Vec<String>>,
    comparisons: BTreeSet<String>,
}

impl Original {
    pub(super) fn of(code: &Code, contract: Contract) -> Self {
        Self {
            unread: code.unsound_text(),
            constants: constants(code),
            tables: tables(code, contract.most_new_constants),
            comparisons: comparisons(code),
            contract,
        }
    }
}

/// Every constant of the code, as text.
fn constants(code: &Code) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for source in &code.cells {
        let mut finder = Finder {
            visit: &mut |expression| {
                all.extend(constant(expression));
            },
        };
        source.parsed.body().iter().for_each(|statement| finder.visit_stmt(statement));
    }
    all
}

/// The constants of every literal collection that has more than `most` of them, in their order.
fn tables(code: &Code, most: usize) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for source in &code.cells {
        let mut visit = |expression: &Expr| {
            let mut constants = Vec::new();
            constants_in(expression, &mut constants);
            if constants.len() > most {
                all.push(constants);
            }
        };
        let mut finder = Finder { visit: &mut visit };
        source.parsed.body().iter().for_each(|statement| finder.visit_stmt(statement));
    }
    all
}

/// Adds the constants of a literal collection, and of those inside of it.
fn constants_in(expression: &Expr, into: &mut Vec<String>) {
    let mut part = |part: &Expr| match constant(part) {
        Some(value) => into.push(value),
        None => constants_in(part, into),
    };
    match expression {
        Expr::List(list) => list.elts.iter().for_each(part),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(part),
        Expr::Set(set) => set.elts.iter().for_each(part),
        Expr::Dict(dict) => dict.items.iter().for_each(|item| {
            item.key.iter().for_each(&mut part);
            part(&item.value);
        }),
        _ => {}
    }
}

/// In how many places a literal differs at least from a table of the original that has as many constants.
fn changed_places(expression: &Expr, original: &Original) -> Option<usize> {
    let mut constants = Vec::new();
    constants_in(expression, &mut constants);
    let alike = original.tables.iter().filter(|table| table.len() == constants.len());
    alike.map(|table| table.iter().zip(&constants).filter(|(was, is)| was != is).count()).min()
}

/// Tables of constants and target scores that the original does not have.
pub(super) fn facts(code: &Code, original: &Original) -> Vec<Fact> {
    let mut facts = Vec::new();
    for source in &code.cells {
        let mut visit = |expression: &Expr| {
            facts.extend(table(expression, source, original));
            facts.extend(score(expression, source, original));
            facts.extend(picked_row(expression, source, original));
        };
        let mut finder = Finder { visit: &mut visit };
        source.parsed.body().iter().for_each(|statement| finder.visit_stmt(statement));
    }
    facts
}

struct Finder<'f> {
    visit: &'f mut dyn FnMut(&Expr),
}

impl<'a> Visitor<'a> for Finder<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if !matches!(statement, Stmt::Expr(expression) if expression.value.is_string_literal_expr()) {
            walk_stmt(self, statement);
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        (self.visit)(expression);
        walk_expr(self, expression);
    }
}

/// A constant as text, signs included.
fn constant(expression: &Expr) -> Option<String> {
    match expression {
        Expr::StringLiteral(literal) => Some(format!("{:?}", literal.value.to_str())),
        Expr::NumberLiteral(number) => match &number.value {
            Number::Int(value) => Some(value.to_string()),
            Number::Float(value) => Some(value.to_string()),
            Number::Complex { .. } => None,
        },
        Expr::UnaryOp(unary) if unary.op == UnaryOp::USub => constant(&unary.operand).map(|value| format!("-{value}")),
        _ => None,
    }
}

fn fact(breach: Breach, expression: &Expr, source: &Source, detail: String) -> Fact {
    let key = source.parsed.text_of(expression).to_owned();
    let line = source.parsed.line(expression.start());
    Fact { breach, key, word: String::new(), cell: source.cell, line, detail }
}

/// A literal collection, or a text, with more new constants than honest repairs need.
fn table(expression: &Expr, source: &Source, original: &Original) -> Option<Fact> {
    let most = original.contract.most_new_constants;
    let new = match expression {
        Expr::StringLiteral(literal) => {
            let text = literal.value.to_str();
            let separators = text.matches([',', '\n', ';', ' ']).count();
            let is_known = original.constants.contains(&format!("{text:?}")) || original.unread.contains(text);
            if is_known { 0 } else { separators / SEPARATORS_PER_CONSTANT }
        }
        Expr::List(_) | Expr::Tuple(_) | Expr::Set(_) | Expr::Dict(_) => {
            let new = new_constants(expression, original);
            // Few literals are that large.
            if new > most { new.min(changed_places(expression, original).unwrap_or(new)) } else { new }
        }
        _ => 0,
    };
    let detail = format!("a literal with {new} new constants, where at most {most} are allowed");
    (new > most).then(|| fact(Breach::ConstantPredictions, expression, source, detail))
}

/// Constants in a literal and the literals inside of it that the original has nowhere.
fn new_constants(expression: &Expr, original: &Original) -> usize {
    let count = |parts: &[Expr]| parts.iter().map(|part| new_constants(part, original)).sum();
    match expression {
        Expr::List(list) => count(&list.elts),
        Expr::Tuple(tuple) => count(&tuple.elts),
        Expr::Set(set) => count(&set.elts),
        Expr::Dict(dict) => {
            let of = |part: Option<&Expr>| part.map_or(0, |part| new_constants(part, original));
            // A row of a table is a key with its value: it counts once when either is new.
            dict.items.iter().map(|item| of(item.key.as_ref()).max(of(Some(&item.value)))).sum()
        }
        single => match constant(single) {
            // Small whole numbers occur everywhere, so that their being known says nothing about a table.
            Some(value) => usize::from(value.len() <= 2 || !original.constants.contains(&value)),
            None => 0,
        },
    }
}

/// A comparison of the column that names a row with constants: `sub.Id == 91`, `row['Id'] in (91, 92)`, `sub.Id.isin([91])`.
fn picked_row(expression: &Expr, source: &Source, original: &Original) -> Option<Fact> {
    let id = original.contract.id_column.as_deref()?;
    let (left, right) = match expression {
        Expr::Compare(comparison) => match (&*comparison.ops, &*comparison.comparators) {
            ([CmpOp::Eq | CmpOp::In], [right]) => (&*comparison.left, right),
            _ => return None,
        },
        Expr::Call(call) => match (&*call.func, &*call.arguments.args) {
            (Expr::Attribute(method), [values]) if matches!(method.attr.as_str(), "isin" | "eq") => {
                (&*method.value, values)
            }
            _ => return None,
        },
        _ => return None,
    };
    let is_picked = (names_column(left, id) && is_constant(right)) || (names_column(right, id) && is_constant(left));
    let key = source.parsed.text_of(expression);
    let is_new = is_picked && !original.comparisons.contains(key) && !original.unread.contains(key);
    is_new.then(|| {
        fact(Breach::ConstantPredictions, expression, source, format!("rows are picked by constants of their `{id}`"))
    })
}

/// The comparisons of the original, by their text.
fn comparisons(code: &Code) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for source in &code.cells {
        let mut visit = |expression: &Expr| {
            if matches!(expression, Expr::Compare(_) | Expr::Call(_)) {
                all.insert(source.parsed.text_of(expression).to_owned());
            }
        };
        let mut finder = Finder { visit: &mut visit };
        source.parsed.body().iter().for_each(|statement| finder.visit_stmt(statement));
    }
    all
}

/// Whether an expression takes a column of this name: `x.Id`, `x['Id']`.
fn names_column(expression: &Expr, column: &str) -> bool {
    match expression {
        Expr::Attribute(attribute) => attribute.attr.as_str() == column,
        Expr::Subscript(subscript) => {
            matches!(&*subscript.slice, Expr::StringLiteral(name) if name.value.to_str() == column)
        }
        _ => false,
    }
}

fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::List(list) => list.elts.iter().all(is_constant),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_constant),
        Expr::Set(set) => set.elts.iter().all(is_constant),
        single => constant(single).is_some(),
    }
}

/// The score to reach, in full or rounded.
fn score(expression: &Expr, source: &Source, original: &Original) -> Option<Fact> {
    let target = original.contract.target?;
    let written = match expression {
        Expr::NumberLiteral(number) if matches!(number.value, Number::Float(_) | Number::Int(_)) => {
            source.parsed.text_of(expression).replace('_', "")
        }
        Expr::StringLiteral(literal) => literal.value.to_str().trim().to_owned(),
        _ => return None,
    };
    let is_known = constant(expression).is_some_and(|value| original.constants.contains(&value));
    let detail = format!("the score to reach, {written}, written into the code");
    (!is_known && is_score(&written, target)).then(|| fact(Breach::TargetScore, expression, source, detail))
}

/// Whether a number is the target, at the number of decimals at which it is written.
fn is_score(written: &str, target: f64) -> bool {
    let Ok(value) = written.parse::<f64>() else { return false };
    let digits = written.split(['e', 'E']).next().unwrap_or_default();
    let telling = digits.chars().filter(char::is_ascii_digit).collect::<String>();
    if telling.trim_start_matches('0').len() < TELLING_DIGITS {
        return false;
    }
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let is_rounded =
        decimals <= MOST_DECIMALS && format!("{:.decimals$}", target.abs()) == format!("{value:.decimals$}");
    is_rounded || (value - target).abs() <= target.abs() * 1e-9
}
