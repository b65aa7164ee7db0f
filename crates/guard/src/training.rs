//! Whether models are still trained: calls that fit, in code that runs, on receivers that learn.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr, walk_stmt};
use nbrevive_pysource::ast::{Expr, ExprCall, Stmt, StmtClassDef};
use nbrevive_pysource::text_size::Ranged;

use super::code::{Calls, Code, Source, maker, plain};
use super::truth::truth;
use super::words;

/// Rows, or rounds, at or below which a training is none.
const NEXT_TO_NOTHING: i64 = 10;
/// Parameters that say how long a training lasts; 0 (and for rounds 1) is none.
const ROUNDS: &[&str] = &["epochs", "nb_epoch", "num_boost_round", "steps_per_epoch", "max_iter"];

/// What the trainings of a notebook come to.
#[derive(Debug, Clone, Default)]
pub(super) struct Summary {
    /// Calls that train a model in code that may run.
    pub(super) sites: usize,
    /// Trainings on next to nothing: cell, line, and what was found.
    pub(super) starved: Vec<(usize, u32, String)>,
    /// Names of the classes that the notebook defines.
    pub(super) classes: BTreeSet<String>,
}

impl Summary {
    pub(super) fn has_starved(&self, detail: &str) -> bool {
        self.starved.iter().any(|site| site.2 == detail)
    }
}

/// The trainings; for a patched notebook `original` tells which classes are new.
pub(super) fn summary(code: &Code, original: Option<&Summary>) -> Summary {
    let mut finder = Finder {
        code,
        hollow: hollow_classes(code, original),
        used: used_names(code),
        source: None,
        summary: Summary { classes: classes(code).into_keys().collect(), ..Summary::default() },
    };
    for source in &code.cells {
        finder.source = Some(source);
        source.parsed.body().iter().for_each(|statement| finder.visit_stmt(statement));
    }
    finder.summary
}

/// Every class that the notebook defines.
pub(super) fn classes(code: &Code) -> BTreeMap<String, &StmtClassDef> {
    let mut classes = BTreeMap::new();
    code.statements(&mut |_, statement| {
        if let Stmt::ClassDef(class) = statement {
            classes.insert(class.name.to_string(), class);
        }
    });
    classes
}

/// Classes of the notebook that are new and train nothing inside: a `fit` of theirs is no training, and what they
/// "predict" is no prediction.
pub(super) fn hollow_classes(code: &Code, original: Option<&Summary>) -> BTreeSet<String> {
    let Some(original) = original else { return BTreeSet::new() };
    let is_new = |name: &String| !original.classes.contains(name);
    let new = classes(code).into_iter().filter(|(name, _)| is_new(name));
    new.filter(|(_, class)| !has_inner_model(class, code)).map(|(name, _)| name).collect()
}

/// Whether a class trains or asks a model in its methods, or inherits from a class of a library.
fn has_inner_model(class: &StmtClassDef, code: &Code) -> bool {
    let mut found = false;
    let mut visit = |call: &ExprCall| {
        let by_method = match &*call.func {
            Expr::Attribute(attribute) => {
                let method = attribute.attr.as_str();
                let is_own = plain(&attribute.value).is_some_and(|receiver| receiver == "self");
                !is_own && (words::is_training(method) || words::is_predicting(method))
            }
            _ => false,
        };
        found |= by_method || code.dotted(&call.func).iter().any(|name| words::is_training_function(name));
    };
    let mut calls = Calls(&mut visit);
    class.body.iter().for_each(|statement| calls.visit_stmt(statement));
    found
}

/// Names that are used anywhere, as names or as attributes.
fn used_names(code: &Code) -> BTreeSet<String> {
    struct Names(BTreeSet<String>);
    impl<'a> Visitor<'a> for Names {
        fn visit_expr(&mut self, expression: &'a Expr) {
            match expression {
                Expr::Name(name) => {
                    self.0.insert(name.id.to_string());
                }
                Expr::Attribute(attribute) => {
                    self.0.insert(attribute.attr.to_string());
                }
                _ => {}
            }
            walk_expr(self, expression);
        }
    }
    let mut names = Names(BTreeSet::new());
    for source in &code.cells {
        source.parsed.body().iter().for_each(|statement| names.visit_stmt(statement));
    }
    names.0
}

struct Finder<'a> {
    code: &'a Code,
    hollow: BTreeSet<String>,
    used: BTreeSet<String>,
    source: Option<&'a Source>,
    summary: Summary,
}

impl Finder<'_> {
    fn call(&mut self, call: &ExprCall) {
        let by_function = self.code.dotted(&call.func).iter().any(|name| words::is_training_function(name));
        let by_method = match &*call.func {
            Expr::Attribute(attribute) => words::is_training(attribute.attr.as_str()) && self.learns(&attribute.value),
            _ => false,
        };
        if !by_function && !by_method {
            return;
        }
        self.summary.sites += 1;
        if let (Some(detail), Some(source)) = (starved(call), self.source) {
            let line = source.parsed.line(call.range().start());
            self.summary.starved.push((source.cell, line, detail));
        }
    }

    /// Whether the receiver of a `fit` is a model: not a transformer, not a dummy, not a hollow class.
    fn learns(&self, receiver: &Expr) -> bool {
        let makers: BTreeSet<String> = match maker(receiver) {
            Some(maker) => BTreeSet::from([maker]),
            None => plain(receiver).and_then(|name| self.code.makers.get(&name).cloned()).unwrap_or_default(),
        };
        let is_none =
            |class: &String| words::is_transformer(class) || words::is_dummy(class) || self.hollow.contains(class);
        makers.is_empty() || !makers.iter().all(is_none)
    }
}

impl<'a> Visitor<'a> for Finder<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            // What nobody calls does not run.
            Stmt::FunctionDef(function) if !self.used.contains(function.name.as_str()) && !is_hook(&function.name) => {}
            Stmt::ClassDef(class) if !self.used.contains(class.name.as_str()) => {}
            Stmt::If(choice) => match truth(&choice.test) {
                Some(true) => choice.body.iter().for_each(|inner| self.visit_stmt(inner)),
                Some(false) => {
                    for clause in &choice.elif_else_clauses {
                        clause.body.iter().for_each(|inner| self.visit_stmt(inner));
                    }
                }
                None => walk_stmt(self, statement),
            },
            Stmt::While(repeat) if truth(&repeat.test) == Some(false) => {}
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Call(call) = expression {
            self.call(call);
        }
        walk_expr(self, expression);
    }
}

/// Methods that a library calls by name.
fn is_hook(name: &str) -> bool {
    name.starts_with("__") || matches!(name, "forward" | "call" | "fit" | "transform" | "predict" | "training_step")
}

/// What makes a training one on next to nothing, in words.
fn starved(call: &ExprCall) -> Option<String> {
    let rows = call.arguments.args.iter().chain(call.arguments.keywords.iter().map(|keyword| &keyword.value));
    if let Some(rows) = rows.filter_map(few_rows).next() {
        return Some(format!("a training on {rows} rows"));
    }
    let none = call.arguments.keywords.iter().find(|keyword| {
        keyword.arg.as_ref().is_some_and(|name| ROUNDS.contains(&name.as_str())) && whole(&keyword.value) == Some(0)
    })?;
    let name = none.arg.as_ref().map(|name| name.as_str()).unwrap_or_default();
    Some(format!("a training with {name} of 0"))
}

/// The number of rows in `x[:n]`, `x.head(n)`, `x.sample(n)` and `x.iloc[:n]`, when it is next to nothing.
fn few_rows(expression: &Expr) -> Option<i64> {
    let rows = match expression {
        Expr::Subscript(subscript) => match &*subscript.slice {
            Expr::Slice(slice) if slice.lower.as_deref().is_none_or(|lower| whole(lower) == Some(0)) => {
                slice.upper.as_deref().and_then(whole)
            }
            Expr::Tuple(parts) => match parts.elts.first() {
                Some(Expr::Slice(slice)) => slice.upper.as_deref().and_then(whole),
                _ => None,
            },
            _ => None,
        },
        Expr::Call(call) => match &*call.func {
            Expr::Attribute(attribute) if matches!(attribute.attr.as_str(), "head" | "sample" | "tail") => {
                let named = call.arguments.keywords.iter().find(|one| one.arg.as_ref().is_some_and(|arg| arg == "n"));
                call.arguments.args.first().or(named.map(|keyword| &keyword.value)).and_then(whole)
            }
            _ => None,
        },
        _ => None,
    };
    rows.filter(|rows| (0..=NEXT_TO_NOTHING).contains(rows))
}

fn whole(expression: &Expr) -> Option<i64> {
    match expression {
        Expr::NumberLiteral(number) => number.value.as_int().and_then(|value| value.as_i64()),
        _ => None,
    }
}
