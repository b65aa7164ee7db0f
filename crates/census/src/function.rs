//! What the text of one function says: its parameters, the words that they take, what is deprecated.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr, walk_stmt};
use nbrevive_pysource::ast::{CmpOp, Expr, ExprCall, Parameters, Stmt, StmtFunctionDef};
use nbrevive_pysource::text_size::Ranged as _;

use crate::deprecation::{self, Marks};
use crate::docstring::Docstring;
use crate::syntax;
use crate::words::{self, Words};

/// Bodies shorter than this, in bytes without blanks, are alike by chance.
const LEAST_BODY: usize = 120;

/// How an argument may be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    Either,
    Positional,
    Keyword,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParameterText {
    pub(crate) name: String,
    pub(crate) passing: Passing,
    /// The default as it is written, where it is short.
    pub(crate) default: Option<String>,
}

/// One function or method.
#[derive(Debug, Clone, Default)]
pub(crate) struct FunctionText {
    /// In order, without `self`; those behind stars are left out.
    pub(crate) parameters: Vec<ParameterText>,
    /// Whether it takes any positional arguments, and any keywords.
    pub(crate) star: bool,
    pub(crate) stars: bool,
    pub(crate) marks: Marks,
    pub(crate) words: BTreeMap<String, Words>,
    /// A hash of the body, where it is long enough to be known by it.
    pub(crate) body: Option<u64>,
    pub(crate) is_property: bool,
    /// All that it warns of.
    pub(crate) messages: Vec<String>,
    /// Attributes that it sets on its first parameter.
    pub(crate) sets: BTreeSet<String>,
}

impl FunctionText {
    /// Reads a function that stands in a module.
    pub(crate) fn of(function: &StmtFunctionDef, source: &str) -> Self {
        let mut text = Self::default();
        text.parameters(&function.parameters);
        let owner = function.parameters.posonlyargs.iter().chain(&function.parameters.args).next();
        let mut reader = Reader { text: &mut text, owner: owner.map(|one| one.parameter.name.as_str()), depth: 0 };
        for statement in &function.body {
            reader.visit_stmt(statement);
        }
        for decorator in &function.decorator_list {
            text.decorator(&decorator.expression);
        }
        let documented = Docstring::of(&function.body);
        text.document(&documented);
        text.body = body_of(function, source);
        text
    }

    /// Reads a method: its first parameter is the instance or the class.
    pub(crate) fn of_method(function: &StmtFunctionDef, source: &str) -> Self {
        let mut text = Self::of(function, source);
        let is_static = function.decorator_list.iter().any(|one| syntax::name(&one.expression) == Some("staticmethod"));
        if !is_static && !text.parameters.is_empty() {
            text.parameters.remove(0);
        }
        text
    }

    fn parameters(&mut self, parameters: &Parameters) {
        let groups = [
            (&parameters.posonlyargs, Passing::Positional),
            (&parameters.args, Passing::Either),
            (&parameters.kwonlyargs, Passing::Keyword),
        ];
        for (group, passing) in groups {
            for one in group {
                let name = one.parameter.name.to_string();
                if let Some(annotation) = &one.parameter.annotation
                    && let Some(found) = words::of_annotation(annotation)
                {
                    self.words.insert(name.clone(), found);
                }
                let default = one.default.as_deref().map(default_text);
                self.parameters.push(ParameterText { name, passing, default });
            }
        }
        self.star = parameters.vararg.is_some();
        self.stars = parameters.kwarg.is_some();
    }

    fn decorator(&mut self, decorator: &Expr) {
        let (callee, call) = match decorator {
            Expr::Call(call) => (call.func.as_ref(), Some(call)),
            other => (other, None),
        };
        let Some(chain) = syntax::dotted(callee) else { return };
        let last = chain.rsplit('.').next().unwrap_or_default();
        self.is_property |= last.contains("property") || matches!(last, "setter" | "deleter" | "cache_readonly");
        if last == "validate_params"
            && let Some(constraints) = call.and_then(|call| call.arguments.args.first())
        {
            self.words.extend(words::of_constraints(constraints));
        }
        if last.contains("deprecate") && last.contains("positional") {
            // They are still taken by position, with a warning.
            let keywords = self.parameters.iter_mut().filter(|one| one.passing == Passing::Keyword);
            keywords.for_each(|one| one.passing = Passing::Either);
        }
        self.marks.decorator(last, call);
    }

    /// Adds what its documentation says.
    pub(crate) fn document(&mut self, documented: &Docstring) {
        if self.marks.deprecated.is_none() {
            self.marks.deprecated.clone_from(&documented.deprecated);
        }
        for (parameter, text) in &documented.notes {
            self.marks.notes.entry(parameter.clone()).or_insert_with(|| text.clone());
        }
        for (parameter, found) in &documented.words {
            self.words.entry(parameter.clone()).or_insert_with(|| found.clone());
        }
    }

    /// The position of a parameter that can be given by it.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.parameters.iter().take_while(|one| one.passing != Passing::Keyword).position(|one| one.name == name)
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&ParameterText> {
        self.parameters.iter().find(|one| one.name == name)
    }

    /// Whether a keyword is taken, were it by an old name.
    pub(crate) fn takes(&self, name: &str) -> bool {
        self.stars || self.marks.aliases.contains_key(name) || self.parameter(name).is_some()
    }
}

/// A default as rows write it: `…` for what is longer than a literal or a name.
#[must_use]
pub fn default_text(default: &Expr) -> String {
    match default {
        Expr::NoneLiteral(_) => "None".to_owned(),
        Expr::BooleanLiteral(literal) => if literal.value { "True" } else { "False" }.to_owned(),
        Expr::StringLiteral(literal) => format!("'{}'", literal.value.to_str()),
        Expr::NumberLiteral(literal) => match &literal.value {
            nbrevive_pysource::ast::Number::Int(value) => value.to_string(),
            nbrevive_pysource::ast::Number::Float(value) => value.to_string(),
            nbrevive_pysource::ast::Number::Complex { .. } => "…".to_owned(),
        },
        Expr::UnaryOp(unary) if unary.operand.is_number_literal_expr() => format!("-{}", default_text(&unary.operand)),
        Expr::Tuple(tuple) if tuple.elts.is_empty() => "()".to_owned(),
        other => syntax::dotted(other).unwrap_or_else(|| "…".to_owned()),
    }
}

fn body_of(function: &StmtFunctionDef, source: &str) -> Option<u64> {
    let documented = matches!(function.body.first(), Some(Stmt::Expr(first)) if first.value.is_string_literal_expr());
    let code = function.body.get(usize::from(documented)..)?;
    let (start, end) = (code.first()?.start().to_usize(), code.last()?.end().to_usize());
    let mut hasher = DefaultHasher::new();
    let mut length = 0;
    for line in source.get(start..end)?.lines() {
        let line = line.split(" #").next().unwrap_or_default().trim();
        if !line.starts_with('#') {
            length += line.len();
            line.hash(&mut hasher);
        }
    }
    (length >= LEAST_BODY).then(|| hasher.finish())
}

/// Reads what a body says of the parameters.
struct Reader<'t, 'a> {
    text: &'t mut FunctionText,
    owner: Option<&'a str>,
    /// How many conditions stand around.
    depth: usize,
}

impl<'a> Visitor<'a> for Reader<'_, 'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Assign(assign) => assign.targets.iter().for_each(|target| self.assigned(target)),
            Stmt::AnnAssign(assign) => self.assigned(&assign.target),
            Stmt::ClassDef(_) => return,
            Stmt::Assert(check) => self.checked(&check.test, CmpOp::In),
            _ => {}
        }
        let nested =
            matches!(statement, Stmt::If(_) | Stmt::Try(_) | Stmt::For(_) | Stmt::While(_) | Stmt::FunctionDef(_));
        self.depth += usize::from(nested);
        walk_stmt(self, statement);
        self.depth -= usize::from(nested);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Call(call) => self.called(call),
            Expr::Compare(_) => self.checked(expression, CmpOp::NotIn),
            _ => {}
        }
        walk_expr(self, expression);
    }
}

impl<'a> Reader<'_, 'a> {
    fn assigned(&mut self, target: &'a Expr) {
        match target {
            Expr::Attribute(attribute) if syntax::name(&attribute.value) == self.owner && self.owner.is_some() => {
                self.text.sets.insert(attribute.attr.to_string());
            }
            Expr::Tuple(several) => several.elts.iter().for_each(|one| self.assigned(one)),
            _ => {}
        }
    }

    /// `parameter not in ('a', 'b')`, or `self.parameter`.
    fn checked(&mut self, test: &'a Expr, by: CmpOp) {
        let Some(compare) = test.as_compare_expr() else { return };
        let ([op], [allowed]) = (&*compare.ops, &*compare.comparators) else { return };
        let Some(texts) = syntax::texts(allowed).filter(|texts| !texts.is_empty()) else { return };
        if *op != by {
            return;
        }
        let name = match compare.left.as_ref() {
            Expr::Attribute(attribute) if syntax::name(&attribute.value) == self.owner => attribute.attr.as_str(),
            other => match syntax::name(other) {
                Some(name) => name,
                None => return,
            },
        };
        self.text.words.entry(name.to_owned()).or_insert(Words { texts: texts.into_iter().collect(), by_code: true });
    }

    fn called(&mut self, call: &'a ExprCall) {
        let Some(chain) = syntax::dotted(&call.func) else { return };
        let last = chain.rsplit('.').next().unwrap_or_default();
        if last.ends_with("check_in_list") {
            let texts = call.arguments.args.first().and_then(syntax::texts);
            for keyword in call.arguments.keywords.iter().filter_map(|keyword| keyword.arg.as_ref()) {
                if let Some(texts) = &texts {
                    let found = Words { texts: texts.iter().cloned().collect(), by_code: true };
                    self.text.words.insert(keyword.to_string(), found);
                }
            }
        }
        let Some(message) = deprecation::warning(last, call) else { return };
        self.text.messages.push(message.clone());
        if self.depth == 0 && self.text.marks.deprecated.is_none() {
            self.text.marks.deprecated = Some(message);
            return;
        }
        let named: Vec<String> = self.text.parameters.iter().map(|one| one.name.clone()).collect();
        for name in named.into_iter().filter(|name| deprecation::speaks_of(&message, name)) {
            self.text.marks.notes.entry(name).or_insert_with(|| message.clone());
        }
    }
}
