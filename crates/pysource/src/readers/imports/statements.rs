//! Imports from the tree of the Python 3 parser.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{ExceptHandler, Expr, ExprCall, Stmt, StmtImport, StmtImportFrom, StmtTry};
use ruff_text_size::Ranged;

use super::{How, Import, is_module_name, of_line_magic, of_text};
use crate::magics::{module::Lines, split};

/// The imports below `body`, in source order.
pub(super) fn collect(text: &str, body: &[Stmt]) -> Vec<Import> {
    let mut collector = Collector { text, lines: Lines::of(text), how: How::Statement, found: Vec::new() };
    collector.visit_body(body);
    collector.found
}

struct Collector<'a> {
    text: &'a str,
    lines: Lines,
    /// How a statement here would be imported.
    how: How,
    found: Vec<Import>,
}

impl Collector<'_> {
    fn push(&mut self, module: &str, names: Vec<String>, level: u32, node: &impl Ranged, how: How) {
        let line = self.lines.line(node.start().to_usize());
        self.found.push(Import { module: module.to_owned(), names, level, cell: 0, line, how });
    }

    fn import(&mut self, statement: &StmtImport) {
        for alias in &statement.names {
            if is_module_name(&alias.name) {
                self.push(&alias.name, Vec::new(), 0, statement, self.how);
            }
        }
    }

    fn import_from(&mut self, statement: &StmtImportFrom) {
        let module = statement.module.as_ref().map_or("", |module| module.as_str());
        let names = statement.names.iter().map(|alias| alias.name.to_string()).filter(|name| !name.is_empty());
        let names: Vec<String> = names.collect();
        // The parser's recovery reads `from here on` as an import too.
        let is_import = self.text.get(statement.range.to_std_range()).is_some_and(|text| text.contains("import"));
        if is_import && !names.is_empty() && (statement.level > 0 || is_module_name(module)) {
            self.push(module, names, statement.level, statement, self.how);
        }
    }

    /// Visits `body` as if imports there were imported as `how`.
    fn within(&mut self, how: How, body: &[Stmt]) {
        let outer = std::mem::replace(&mut self.how, how);
        self.visit_body(body);
        self.how = outer;
    }

    fn try_statement(&mut self, statement: &StmtTry) {
        let before = self.found.len();
        let catches_it = statement.handlers.iter().any(|handler| catches(handler, &IMPORT_ERRORS));
        let how = if catches_it { How::TryExcept { alternative: false } } else { self.how };
        self.within(how, &statement.body);
        let has_import = self.found.len() > before;
        for handler in &statement.handlers {
            let ExceptHandler::ExceptHandler(inner) = handler;
            let is_alternative = has_import && catches(handler, &IMPORT_ERRORS);
            let how = if is_alternative { How::TryExcept { alternative: true } } else { self.conditional() };
            self.within(how, &inner.body);
        }
        self.visit_body(&statement.orelse);
        self.visit_body(&statement.finalbody);
    }

    /// A condition says less than a function or a `try` around it.
    fn conditional(&self) -> How {
        if self.how == How::Statement { How::Conditional } else { self.how }
    }

    fn call(&mut self, call: &ExprCall) {
        let name = match &*call.func {
            Expr::Name(name) => name.id.as_str(),
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            _ => return,
        };
        let text = |index: usize| call.arguments.args.get(index).and_then(literal);
        let named = |keyword: &str| call.arguments.find_keyword(keyword).and_then(|found| literal(&found.value));
        match name {
            "__import__" => self.dynamic(text(0).or_else(|| named("name")), call, How::Dunder),
            "import_module" => self.dynamic(text(0).or_else(|| named("name")), call, How::Importlib),
            "exec" | "eval" | "run_cell" => self.executed(text(0), call),
            "timeit" | "repeat" | "Timer" => {
                self.executed(text(0).or_else(|| named("stmt")), call);
                self.executed(text(1).or_else(|| named("setup")), call);
            }
            "magic" => {
                if let Some(line) = text(0) {
                    let (name, arguments) = line.trim_start_matches('%').split_once(' ').unwrap_or((line, ""));
                    self.magic(name, arguments, call);
                }
            }
            "run_line_magic" => {
                if let Some(name) = text(0) {
                    self.magic(name, text(1).unwrap_or(""), call);
                }
            }
            "run_cell_magic" => {
                if let (Some(name), Some(body)) = (text(0), text(2)) {
                    self.cell_magic(name, text(1).unwrap_or(""), body, call);
                }
            }
            _ => {}
        }
    }

    /// Imports in a text that is run as Python.
    fn executed(&mut self, code: Option<&str>, call: &ExprCall) {
        let line = self.lines.line(call.start().to_usize());
        let inner = code.map(of_text).unwrap_or_default();
        self.found.extend(inner.into_iter().map(|import| Import { line, how: How::Executed, ..import }));
    }

    /// The imports of a cell magic written as a call, as scripts exported from notebooks have it.
    fn cell_magic(&mut self, name: &str, arguments: &str, body: &str, call: &ExprCall) {
        let line = self.lines.line(call.start().to_usize());
        let source = format!("%%{name} {arguments}\n{body}");
        let cell = split(&source);
        let found =
            super::of_cell(0, &source, &cell, if cell.is_opaque() { Vec::new() } else { of_text(&cell.python) });
        self.found.extend(found.into_iter().map(|import| Import { line, ..import }));
    }

    fn dynamic(&mut self, module: Option<&str>, call: &ExprCall, how: How) {
        let Some(module) = module else { return };
        let absolute = module.trim_start_matches('.');
        if is_module_name(absolute) {
            let level = u32::try_from(module.len() - absolute.len()).unwrap_or(u32::MAX);
            self.push(absolute, Vec::new(), level, call, how);
        }
    }

    fn magic(&mut self, name: &str, arguments: &str, call: &ExprCall) {
        let line = self.lines.line(call.start().to_usize());
        self.found.extend(of_line_magic(name.trim(), arguments, line));
    }
}

impl Visitor<'_> for Collector<'_> {
    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            Stmt::Try(inner) => self.try_statement(inner),
            Stmt::FunctionDef(_) => self.nested(How::FunctionLevel, statement),
            Stmt::If(_) | Stmt::For(_) | Stmt::While(_) | Stmt::Match(_) => self.nested(self.conditional(), statement),
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &Expr) {
        if let Expr::Call(call) = expression {
            self.call(call);
        }
        walk_expr(self, expression);
    }
}

impl Collector<'_> {
    fn nested(&mut self, how: How, statement: &Stmt) {
        let outer = std::mem::replace(&mut self.how, how);
        walk_stmt(self, statement);
        self.how = outer;
    }
}

/// Errors of which one in a handler lets code go on without a module.
const IMPORT_ERRORS: [&str; 4] = ["ImportError", "ModuleNotFoundError", "Exception", "BaseException"];

/// Whether a handler takes one of the errors named, as a bare one does.
pub(crate) fn catches(handler: &ExceptHandler, errors: &[&str]) -> bool {
    let ExceptHandler::ExceptHandler(handler) = handler;
    let is_among = |expression: &Expr| expression.as_name_expr().is_some_and(|name| errors.contains(&name.id.as_str()));
    match handler.type_.as_deref() {
        None => true,
        Some(Expr::Tuple(tuple)) => tuple.elts.iter().any(is_among),
        Some(expression) => is_among(expression),
    }
}

fn literal(expression: &Expr) -> Option<&str> {
    expression.as_string_literal_expr().map(|string| string.value.to_str())
}
