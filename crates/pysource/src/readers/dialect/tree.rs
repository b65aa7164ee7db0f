//! Signs in the tree of the Python 3 parser: new syntax, and old names.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_parameters, walk_stmt};
use ruff_python_ast::{
    Comprehension, Expr, ExprCall, ExprContext, InterpolatedStringElement, ModModule, Operator, Parameters, Stmt,
};
use ruff_python_parser::{Parsed, UnsupportedSyntaxError, UnsupportedSyntaxErrorKind};
use ruff_text_size::Ranged;

use super::{NewSyntax, Sign, names};
use crate::magics::module::Lines;

/// What one cell shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Signs with their lines.
    pub(crate) signs: Vec<(Sign, u32)>,
    /// Names that the cell defines.
    pub(crate) defined: Vec<String>,
    /// `from __future__ import print_function`.
    pub(crate) imports_print_function: bool,
    /// The Python 3 parser found errors.
    pub(crate) is_broken: bool,
    /// Old syntax is possible: the cell is broken, or has an `except A, b:` that Python 3.14 would accept.
    pub(crate) may_be_old: bool,
}

/// The facts of a parsed cell. Of a broken cell only names are taken: what the parser made of the rest is a guess.
pub(crate) fn facts(text: &str, module: &Parsed<ModModule>) -> Facts {
    let is_broken = !module.errors().is_empty();
    let mut walk = Walk { text, lines: Lines::of(text), facts: Facts::default(), tries: 0 };
    walk.visit_body(module.suite());
    if is_broken {
        // A `print x` is recovered as two statements, the first of them a bare `print`.
        walk.facts.signs.retain(|(sign, _)| !matches!(sign, Sign::NewSyntax(_)) && !is_bare_print(sign));
    }
    let mut is_comma_except = false;
    for error in module.unsupported_syntax_errors().iter().filter(|_| !is_broken) {
        match newer_syntax(error) {
            Some(NewSyntax::BareExceptTypes) if except_is_old(error, text) => is_comma_except = true,
            Some(syntax) => walk.push(Sign::NewSyntax(syntax), error.range.start().to_usize()),
            None => {}
        }
    }
    Facts { is_broken, may_be_old: is_broken || is_comma_except, ..walk.facts }
}

/// The sign behind syntax that is newer than 3.0 by the parser's own list.
fn newer_syntax(error: &UnsupportedSyntaxError) -> Option<NewSyntax> {
    use UnsupportedSyntaxErrorKind as Kind;
    Some(match error.kind {
        Kind::Match => NewSyntax::Match,
        Kind::Walrus => NewSyntax::Walrus,
        Kind::ExceptStar => NewSyntax::ExceptStar,
        Kind::UnparenthesizedNamedExpr(_) | Kind::UnparenthesizedUnpackInFor => NewSyntax::RelaxedExpression,
        // Allowed up to 3.7.
        Kind::ParenthesizedKeywordArgumentName => return None,
        Kind::StarTuple(_) => NewSyntax::StarredReturn,
        Kind::RelaxedDecorator(_) => NewSyntax::RelaxedDecorator,
        Kind::PositionalOnlyParameter => NewSyntax::PositionalOnlyParameter,
        Kind::TypeParameterList | Kind::TypeAliasStatement => NewSyntax::TypeParameter,
        Kind::TypeParamDefault => NewSyntax::TypeParameterDefault,
        Kind::Pep701FString(_) => NewSyntax::NestedQuotes,
        Kind::ParenthesizedContextManager => NewSyntax::ParenthesizedWith,
        Kind::StarExpressionInIndex | Kind::StarAnnotation => NewSyntax::StarInIndex,
        Kind::LazyImportStatement | Kind::UnpackingInComprehension(_) => NewSyntax::Later,
        Kind::UnparenthesizedExceptionTypes => NewSyntax::BareExceptTypes,
        Kind::TemplateStrings => NewSyntax::TemplateString,
    })
}

/// `except A, e` with two entries is the old way to name the exception; three or more are types.
fn except_is_old(error: &UnsupportedSyntaxError, text: &str) -> bool {
    let types = text.get(error.range.start().to_usize()..error.range.end().to_usize()).unwrap_or("");
    let mut depth = 0_i32;
    let outside = types.bytes().filter(|byte| {
        depth += match byte {
            b'(' | b'[' | b'{' => 1,
            b')' | b']' | b'}' => -1,
            _ => 0,
        };
        *byte == b',' && depth == 0
    });
    outside.count() == 1
}

const BARE_PRINT: &str = "bare print";

fn is_bare_print(sign: &Sign) -> bool {
    matches!(sign, Sign::OldName(name) if name == BARE_PRINT)
}

struct Walk<'a> {
    text: &'a str,
    lines: Lines,
    facts: Facts,
    /// Depth of `try` statements: names there are alternatives and say nothing.
    tries: usize,
}

impl Walk<'_> {
    fn push(&mut self, sign: Sign, offset: usize) {
        let line = self.lines.line(offset);
        self.facts.signs.push((sign, line));
    }

    fn new_syntax(&mut self, syntax: NewSyntax, node: &impl Ranged) {
        self.push(Sign::NewSyntax(syntax), node.start().to_usize());
    }

    fn old_name(&mut self, name: &str, node: &impl Ranged) {
        if self.tries == 0 {
            self.push(Sign::OldName(name.to_owned()), node.start().to_usize());
        }
    }

    fn old_hint(&mut self, name: &str, node: &impl Ranged) {
        self.push(Sign::OldHint(name.to_owned()), node.start().to_usize());
    }

    fn import(&mut self, module: &str, node: &impl Ranged) {
        if names::MODULES.contains(&module.split('.').next().unwrap_or("")) {
            self.old_name(module, node);
        }
    }

    fn lost(&mut self, module: &str, name: &str, node: &impl Ranged) {
        if names::LOST.iter().any(|(owner, lost)| *owner == module && lost.contains(&name)) {
            self.old_name(&format!("{module}.{name}"), node);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.import(&alias.name, import);
                    self.facts.defined.extend(alias.asname.as_ref().map(ToString::to_string));
                }
            }
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::FunctionDef(function) => {
                self.facts.defined.push(function.name.to_string());
                if function.is_async {
                    self.new_syntax(NewSyntax::Async, function);
                }
                if function.returns.is_some() {
                    self.new_syntax(NewSyntax::Annotation, function);
                }
            }
            Stmt::ClassDef(class) => {
                self.facts.defined.push(class.name.to_string());
                if class.arguments.as_ref().is_some_and(|arguments| !arguments.keywords.is_empty()) {
                    self.new_syntax(NewSyntax::ClassKeyword, class);
                }
            }
            Stmt::For(inner) if inner.is_async => self.new_syntax(NewSyntax::Async, inner),
            Stmt::With(inner) if inner.is_async => self.new_syntax(NewSyntax::Async, inner),
            Stmt::AnnAssign(inner) => self.new_syntax(NewSyntax::VariableAnnotation, inner),
            Stmt::AugAssign(inner) if inner.op == Operator::MatMult => {
                self.new_syntax(NewSyntax::MatrixMultiplication, inner);
            }
            Stmt::Nonlocal(inner) => self.new_syntax(NewSyntax::Nonlocal, inner),
            Stmt::Raise(inner) if inner.cause.is_some() => self.new_syntax(NewSyntax::RaiseFrom, inner),
            Stmt::Expr(inner) if is_name(&inner.value, "print") => self.old_name(BARE_PRINT, inner),
            _ => {}
        }
    }

    fn import_from(&mut self, import: &ruff_python_ast::StmtImportFrom) {
        let module = import.module.as_ref().map_or("", |module| module.as_str());
        if import.level == 0 {
            self.import(module, import);
        }
        for alias in &import.names {
            self.facts.defined.push(alias.asname.as_ref().unwrap_or(&alias.name).to_string());
            self.lost(module, &alias.name, import);
            if module == "__future__" {
                self.facts.imports_print_function |= alias.name.as_str() == "print_function";
                self.old_hint(&format!("__future__.{}", alias.name), import);
            }
        }
    }

    fn expression(&mut self, expression: &Expr) {
        match expression {
            Expr::Name(name) => match name.ctx {
                ExprContext::Store | ExprContext::Del => self.stored(&name.id, name),
                _ if names::BUILTINS.contains(&name.id.as_str()) => self.old_name(&name.id, name),
                _ => {}
            },
            Expr::Attribute(attribute) => {
                if let Expr::Name(owner) = &*attribute.value {
                    self.lost(&owner.id, &attribute.attr, attribute);
                }
                if names::METHODS.contains(&attribute.attr.as_str()) {
                    self.old_name(&attribute.attr, attribute);
                } else if attribute.attr.as_str() == "iteritems" {
                    self.old_hint("iteritems", attribute);
                }
            }
            Expr::BinOp(operation) if operation.op == Operator::MatMult => {
                self.new_syntax(NewSyntax::MatrixMultiplication, operation);
            }
            Expr::BinOp(operation) if operation.op == Operator::RShift && is_name(&operation.left, "print") => {
                self.old_name("print >>", operation);
            }
            Expr::Call(call) => self.call(call),
            Expr::Await(inner) => self.new_syntax(NewSyntax::Async, inner),
            Expr::YieldFrom(inner) => self.new_syntax(NewSyntax::YieldFrom, inner),
            Expr::FString(formatted) => {
                self.new_syntax(NewSyntax::FormattedString, formatted);
                if formatted.value.elements().any(documents_itself) {
                    self.new_syntax(NewSyntax::SelfDocumentingString, formatted);
                }
            }
            Expr::NumberLiteral(number) if self.slice(number).contains('_') => {
                self.new_syntax(NewSyntax::UnderscoreInNumber, number);
            }
            Expr::Tuple(tuple) => self.display(&tuple.elts, tuple.ctx, tuple),
            Expr::List(list) => self.display(&list.elts, list.ctx, list),
            Expr::Set(set) => self.display(&set.elts, ExprContext::Load, set),
            Expr::Dict(dict) if dict.items.iter().any(|item| item.key.is_none()) => {
                self.new_syntax(NewSyntax::Unpacking, dict);
            }
            _ => {}
        }
    }

    fn stored(&mut self, name: &str, node: &impl Ranged) {
        self.facts.defined.push(name.to_owned());
        if name == "__metaclass__" {
            // Recorded under another spelling, as the name itself is now defined.
            self.old_name("__metaclass__ attribute", node);
        }
    }

    fn display(&mut self, elements: &[Expr], context: ExprContext, node: &impl Ranged) {
        if elements.iter().any(Expr::is_starred_expr) {
            let is_target = context == ExprContext::Store;
            self.new_syntax(if is_target { NewSyntax::StarredTarget } else { NewSyntax::Unpacking }, node);
        }
    }

    fn call(&mut self, call: &ExprCall) {
        let stars = call.arguments.args.iter().filter(|argument| argument.is_starred_expr()).count();
        let unpacked = call.arguments.keywords.iter().filter(|keyword| keyword.arg.is_none()).count();
        if stars > 1 || unpacked > 1 {
            self.new_syntax(NewSyntax::Unpacking, call);
        }
        let Expr::Name(name) = &*call.func else { return };
        let is_print_keyword = |name: &str| matches!(name, "end" | "sep" | "file" | "flush");
        let has_keyword = call
            .arguments
            .keywords
            .iter()
            .filter_map(|keyword| keyword.arg.as_ref())
            .any(|name| is_print_keyword(name));
        if name.id == "print" && (stars > 0 || has_keyword) {
            self.new_syntax(NewSyntax::PrintFunction, call);
        }
        if names::CALLED_BUILTINS.contains(&name.id.as_str()) {
            self.old_name(&name.id, call);
        }
    }

    fn slice(&self, node: &impl Ranged) -> &str {
        self.text.get(node.start().to_usize()..node.end().to_usize()).unwrap_or("")
    }
}

fn is_name(expression: &Expr, name: &str) -> bool {
    expression.as_name_expr().is_some_and(|found| found.id == name)
}

fn documents_itself(element: &InterpolatedStringElement) -> bool {
    matches!(element, InterpolatedStringElement::Interpolation(inner) if inner.debug_text.is_some())
}

impl Visitor<'_> for Walk<'_> {
    fn visit_stmt(&mut self, statement: &Stmt) {
        self.statement(statement);
        let is_try = statement.is_try_stmt();
        self.tries += usize::from(is_try);
        walk_stmt(self, statement);
        self.tries -= usize::from(is_try);
    }

    fn visit_expr(&mut self, expression: &Expr) {
        self.expression(expression);
        walk_expr(self, expression);
    }

    fn visit_comprehension(&mut self, comprehension: &Comprehension) {
        if comprehension.is_async {
            self.new_syntax(NewSyntax::AsyncComprehension, comprehension);
        }
        ruff_python_ast::visitor::walk_comprehension(self, comprehension);
    }

    fn visit_parameters(&mut self, parameters: &Parameters) {
        if !parameters.kwonlyargs.is_empty() {
            self.new_syntax(NewSyntax::KeywordOnlyParameter, parameters);
        }
        for parameter in parameters {
            self.facts.defined.push(parameter.name().to_string());
            if parameter.annotation().is_some() {
                self.new_syntax(NewSyntax::Annotation, parameters);
            }
        }
        walk_parameters(self, parameters);
    }
}
