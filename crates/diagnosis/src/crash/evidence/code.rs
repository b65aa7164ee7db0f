//! The crashed line's tree: which calls, with which kinds of arguments, what is indexed by what; and the names around it.

use std::collections::HashMap;
use std::sync::LazyLock;

use nbrevive_pysource::ast::visitor::{self, Visitor};
use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::parse::parse;

use super::super::traceback::Place;
use super::{Evidence, Seen};

/// Bytes of a line that are parsed.
const LONGEST_LINE: usize = 2000;

/// Names of the shown code that are taken as facts.
const MOST_NAMES: usize = 60;

pub(super) fn gather(seen: &Seen<'_>, evidence: &mut Evidence) {
    let mut own = seen.traceback.of_notebook().filter_map(|frame| frame.blamed());
    let (outer, inner) = (own.next(), own.next_back());
    if let Some(line) = outer {
        tree(line, "", evidence);
    }
    if let Some(line) = inner {
        tree(line, "inner-", evidence);
    }
    for frame in seen.traceback.of_notebook() {
        for line in &frame.code {
            let kind = if line.is_blamed { "does" } else { "beside" };
            identifiers(line.text).for_each(|name| deeds(name).for_each(|deed| evidence.add(kind, deed)));
        }
    }
    let shown = seen.traceback.frames.iter().filter(|frame| matches!(frame.place, Place::Cell(_)));
    let names = shown.flat_map(|frame| &frame.code).flat_map(|line| identifiers(line.text));
    for name in names.take(MOST_NAMES) {
        evidence.add("near", &name.to_ascii_lowercase());
    }
}

/// What code does, by the words of its names.
static DEEDS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut deeds: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in include_str!("../../../data/stage-words.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (deed, words) = line.split_once('\t').unwrap_or((line, ""));
        words.split_whitespace().for_each(|word| deeds.entry(word).or_default().push(deed));
    }
    deeds
});

/// The shortest part of a name that tells by itself what is done.
const SHORTEST_PART: usize = 5;

fn deeds(name: &str) -> impl Iterator<Item = &'static str> {
    let parts = name.split('_').filter(move |part| part.len() >= SHORTEST_PART && part.len() < name.len());
    let found: Vec<&'static str> =
        std::iter::once(name).chain(parts).filter_map(|word| DEEDS.get(word)).flatten().copied().collect();
    found.into_iter()
}

/// The words of code that can be names, comments included: they say what it is about.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.filter(|word| word.len() > 1 && !word.starts_with(|letter: char| letter.is_ascii_digit()))
}

fn tree(line: &str, prefix: &str, evidence: &mut Evidence) {
    let parsed = parse(&line[..line.floor_char_boundary(LONGEST_LINE)]);
    let Some(statement) = parsed.body().first() else { return };
    evidence.add(&format!("{prefix}line"), kind(statement));
    let mut walk = Walk { prefix, evidence };
    walk.visit_stmt(statement);
}

fn kind(statement: &Stmt) -> &'static str {
    match statement {
        Stmt::Assign(assign) if assign.targets.iter().any(Expr::is_tuple_expr) => "unpacking",
        Stmt::Assign(assign) if assign.targets.iter().any(Expr::is_subscript_expr) => "assignment to a part",
        Stmt::Assign(_) | Stmt::AnnAssign(_) | Stmt::AugAssign(_) => "assignment",
        Stmt::Expr(expression) => match &*expression.value {
            Expr::Call(_) => "call",
            Expr::Name(_) => "name",
            Expr::Attribute(_) => "attribute",
            Expr::Subscript(_) => "part",
            _ => "expression",
        },
        Stmt::Import(_) | Stmt::ImportFrom(_) => "import",
        Stmt::For(_) | Stmt::While(_) => "loop",
        Stmt::If(_) => "condition",
        Stmt::With(_) => "with",
        Stmt::Raise(_) => "raise",
        Stmt::Assert(_) => "assert",
        Stmt::Return(_) => "return",
        Stmt::FunctionDef(_) | Stmt::ClassDef(_) => "definition",
        Stmt::Delete(_) => "delete",
        _ => "other",
    }
}

struct Walk<'walk> {
    prefix: &'walk str,
    evidence: &'walk mut Evidence,
}

impl Walk<'_> {
    fn add(&mut self, kind: &str, what: &str) {
        self.evidence.add(&format!("{}{kind}", self.prefix), what);
    }
}

impl<'tree> Visitor<'tree> for Walk<'_> {
    fn visit_expr(&mut self, expression: &'tree Expr) {
        match expression {
            Expr::Call(call) => {
                match &*call.func {
                    Expr::Name(name) => self.add("calls", &name.id),
                    Expr::Attribute(attribute) => {
                        self.add("calls", &attribute.attr);
                        if let Expr::Name(owner) = &*attribute.value {
                            self.add("on", &owner.id);
                        }
                    }
                    _ => {}
                }
                for argument in &call.arguments.args {
                    self.add("argument", argument_kind(argument));
                }
                for keyword in call.arguments.keywords.iter().filter_map(|keyword| keyword.arg.as_ref()) {
                    self.add("keyword", keyword);
                }
            }
            Expr::Subscript(part) => self.add("index", argument_kind(&part.slice)),
            Expr::BinOp(operation) => self.add("operator", operation.op.as_str()),
            Expr::Compare(_) => self.add("operator", "compare"),
            Expr::Attribute(attribute) => self.add("attribute", &attribute.attr),
            Expr::Name(name) => self.add("name", &name.id),
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }
}

fn argument_kind(expression: &Expr) -> &'static str {
    match expression {
        Expr::StringLiteral(_) | Expr::FString(_) => "text",
        Expr::NumberLiteral(_) | Expr::UnaryOp(_) => "number",
        Expr::List(_) => "list",
        Expr::Tuple(_) => "tuple",
        Expr::Slice(_) => "slice",
        Expr::Name(_) => "name",
        Expr::Call(_) => "call",
        Expr::Attribute(_) => "attribute",
        Expr::Subscript(_) => "part",
        Expr::Compare(_) | Expr::BoolOp(_) => "condition",
        Expr::BinOp(_) => "arithmetic",
        _ => "other",
    }
}
