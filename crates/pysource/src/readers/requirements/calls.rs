//! Python calls that install: `os.system`, `subprocess`, `pip.main`, `get_ipython()`.

use std::ops::Range;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprCall, InterpolatedStringElement, Operator, Stmt, StmtFunctionDef};
use ruff_text_size::Ranged;

use super::command::{Install, install, pip};
use super::shell::Word;
use super::sites::{Site, SiteKind, install_of_names, installs_in};
use crate::magics::module::{Lines, with_module};

/// The sites of a text without magics, with its statements.
pub(crate) fn find(python: &str, body: &[Stmt]) -> Vec<Site> {
    if !python.contains("install") {
        return Vec::new();
    }
    let mut finder =
        Finder { lines: Lines::of(python), statement: 0..0, bare: None, functions: Vec::new(), sites: Vec::new() };
    finder.visit_body(body);
    finder.sites
}

/// Calls of the notebook's own install functions with literal names.
pub(super) fn of_installers(python: &str, installers: &[String]) -> Vec<(Site, Install)> {
    if !installers.iter().any(|name| python.contains(name)) {
        return Vec::new();
    }
    with_module(python, |module| {
        let mut finder = InstallerCalls { lines: Lines::of(python), installers, found: Vec::new() };
        finder.visit_body(module.suite());
        finder.found
    })
    .unwrap_or_default()
}

/// What a call runs.
enum Command<'a> {
    /// A program, by this argument.
    Program(&'a Expr),
    /// pip, by this list of arguments.
    Pip(&'a Expr),
    /// A line for the shell or a magic, put together.
    Line(String),
}

struct Finder {
    lines: Lines,
    /// The innermost statement.
    statement: Range<usize>,
    /// The call that is that statement.
    bare: Option<Range<usize>>,
    /// The functions around it with their parameters.
    functions: Vec<(String, Vec<String>)>,
    sites: Vec<Site>,
}

impl Visitor<'_> for Finder {
    fn visit_stmt(&mut self, statement: &Stmt) {
        let outer = (self.statement.clone(), self.bare.clone());
        self.statement = bytes(statement);
        self.bare = match statement {
            Stmt::Expr(expression) if expression.value.is_call_expr() => Some(bytes(&*expression.value)),
            _ => None,
        };
        let function = statement.as_function_def_stmt().map(signature);
        let depth = self.functions.len();
        self.functions.extend(function);
        walk_stmt(self, statement);
        self.functions.truncate(depth);
        (self.statement, self.bare) = outer;
    }

    fn visit_expr(&mut self, expression: &Expr) {
        if let Expr::Call(call) = expression
            && self.call(call)
        {
            return;
        }
        walk_expr(self, expression);
    }
}

impl Finder {
    /// Notes the call if it installs.
    fn call(&mut self, call: &ExprCall) -> bool {
        let Some(command) = command(call) else { return false };
        let (installs, argument) = match &command {
            Command::Program(argument) => (program_installs(argument), Some(*argument)),
            Command::Pip(list) => (words(list).and_then(|words| pip(&words)).into_iter().collect(), None),
            Command::Line(line) => (installs_in(line), None),
        };
        if installs.is_empty() {
            return false;
        }
        let call_range = bytes(call);
        let is_bare = self.bare.as_ref() == Some(&call_range);
        let kind = match argument {
            _ if is_bare => SiteKind::Statement,
            Some(argument) => SiteKind::Command { argument: bytes(argument), is_list: is_list(argument) },
            None => SiteKind::Value(call_range),
        };
        let installer = self.installer(&installs);
        let range = self.statement.clone();
        self.sites.push(Site {
            line: self.lines.line(range.start),
            last_line: self.lines.line(range.end.saturating_sub(1).max(range.start)),
            range,
            kind,
            installs,
            installer,
        });
        true
    }

    /// The innermost function when something unknown is installed there: most likely what it is called with.
    fn installer(&self, installs: &[Install]) -> Option<String> {
        let (name, parameters) = self.functions.last()?;
        let takes_argument = !parameters.is_empty() && installs.iter().any(|install| !install.unknown.is_empty());
        takes_argument.then(|| name.clone())
    }
}

struct InstallerCalls<'a> {
    lines: Lines,
    installers: &'a [String],
    found: Vec<(Site, Install)>,
}

impl Visitor<'_> for InstallerCalls<'_> {
    fn visit_expr(&mut self, expression: &Expr) {
        if let Expr::Call(call) = expression
            && let Expr::Name(name) = &*call.func
            && self.installers.iter().any(|installer| *installer == *name.id)
        {
            let values = call.arguments.args.iter().chain(call.arguments.keywords.iter().map(|keyword| &keyword.value));
            let names: Vec<String> = values.flat_map(literals).collect();
            if let Some(install) = install_of_names(&names) {
                let range = bytes(call);
                let site = Site {
                    line: self.lines.line(range.start),
                    last_line: self.lines.line(range.end.saturating_sub(1)),
                    range,
                    kind: SiteKind::Statement,
                    installs: Vec::new(),
                    installer: None,
                };
                self.found.push((site, install));
            }
        }
        walk_expr(self, expression);
    }
}

fn bytes(node: &impl Ranged) -> Range<usize> {
    node.start().to_usize()..node.end().to_usize()
}

fn signature(function: &StmtFunctionDef) -> (String, Vec<String>) {
    let parameters = function.parameters.iter().map(|parameter| parameter.name().to_string());
    (function.name.to_string(), parameters.collect())
}

/// The strings of a literal, or of the literals in a list.
fn literals(expression: &Expr) -> Vec<String> {
    match expression {
        Expr::StringLiteral(text) => text.value.to_str().split_whitespace().map(str::to_owned).collect(),
        Expr::List(list) => list.elts.iter().flat_map(literals).collect(),
        Expr::Tuple(tuple) => tuple.elts.iter().flat_map(literals).collect(),
        _ => Vec::new(),
    }
}

/// What a call runs, by the name of the function.
fn command(call: &ExprCall) -> Option<Command<'_>> {
    let name = match &*call.func {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return None,
    };
    let argument = |index: usize| call.arguments.args.get(index);
    let keyword = |name: &str| call.arguments.find_keyword(name).map(|keyword| &keyword.value);
    match name {
        "system" | "popen" | "getoutput" | "getstatusoutput" | "getoutput_pexpect" => {
            argument(0).or_else(|| keyword("cmd")).or_else(|| keyword("command")).map(Command::Program)
        }
        "call" | "run" | "check_call" | "check_output" | "Popen" => {
            argument(0).or_else(|| keyword("args")).map(Command::Program)
        }
        "main" | "pipmain" | "pip_main" | "_main" => argument(0).map(Command::Pip),
        "magic" => Some(Command::Line(text(argument(0)?)?.trim_start_matches('%').to_owned())),
        "run_line_magic" => {
            let (name, rest) = (text(argument(0)?)?, text(argument(1)?)?);
            let is_shell = matches!(name.as_str(), "sx" | "system");
            Some(Command::Line(if is_shell { rest } else { format!("{name} {rest}") }))
        }
        "run_cell_magic" => {
            let name = text(argument(0)?)?;
            let is_shell = matches!(name.as_str(), "bash" | "sh" | "!" | "sx" | "system");
            is_shell.then(|| text(argument(2)?)).flatten().map(Command::Line)
        }
        _ => None,
    }
}

/// What a program given as a list of words or as one text installs.
fn program_installs(argument: &Expr) -> Vec<Install> {
    match words(argument) {
        Some(words) => {
            // `["bash", "-c", "pip install x"]`
            let shell = words.iter().position(|word| word.text == "-c").and_then(|flag| words.get(flag + 1));
            let inner = shell.map(|line| installs_in(&line.text)).unwrap_or_default();
            if inner.is_empty() { install(&words).into_iter().collect() } else { inner }
        }
        None => text(argument).map(|line| installs_in(&line)).unwrap_or_default(),
    }
}

fn is_list(argument: &Expr) -> bool {
    !matches!(argument, Expr::StringLiteral(_) | Expr::FString(_) | Expr::BinOp(_)) && words(argument).is_some()
}

/// The words of a list, of lists added, or of a text that is split.
fn words(expression: &Expr) -> Option<Vec<Word>> {
    match expression {
        Expr::List(list) => Some(list.elts.iter().map(word).collect()),
        Expr::Tuple(tuple) => Some(tuple.elts.iter().map(word).collect()),
        Expr::BinOp(sum) if sum.op == Operator::Add => match (words(&sum.left), words(&sum.right)) {
            (None, None) => None,
            (left, right) => {
                let unknown = || vec![Word::new("{…}")];
                Some([left.unwrap_or_else(unknown), right.unwrap_or_else(unknown)].concat())
            }
        },
        Expr::Call(call) => {
            let Expr::Attribute(function) = &*call.func else { return None };
            let line = match call.arguments.args.first() {
                Some(line) if function.attr.as_str() == "split" && function.value.is_name_expr() => text(line)?,
                None if function.attr.as_str() == "split" => text(&function.value)?,
                _ => return None,
            };
            Some(line.split_whitespace().map(Word::new).collect())
        }
        _ => None,
    }
}

/// One element of a list of words.
fn word(expression: &Expr) -> Word {
    match expression {
        Expr::StringLiteral(text) => Word { text: text.value.to_str().to_owned(), is_dynamic: false },
        Expr::Attribute(attribute) => Word::new(&format!("{{{}}}", attribute.attr)),
        Expr::Name(name) => Word::new(&format!("{{{}}}", name.id)),
        other => Word::new(&text(other).unwrap_or_else(|| "{…}".to_owned())),
    }
}

/// A text with `{…}` for what is only known at run time.
fn text(expression: &Expr) -> Option<String> {
    match expression {
        Expr::StringLiteral(text) => Some(text.value.to_str().to_owned()),
        Expr::FString(formatted) => {
            let literals = formatted.value.iter().map(|part| match part {
                ruff_python_ast::FStringPart::Literal(literal) => literal.value.to_string(),
                ruff_python_ast::FStringPart::FString(formatted) => formatted.elements.iter().map(element).collect(),
            });
            Some(literals.collect())
        }
        Expr::BinOp(sum) if sum.op == Operator::Add => match (text(&sum.left), text(&sum.right)) {
            (None, None) => None,
            (left, right) => {
                let unknown = || "{…}".to_owned();
                Some(left.unwrap_or_else(unknown) + &right.unwrap_or_else(unknown))
            }
        },
        Expr::BinOp(formatting) if formatting.op == Operator::Mod => text(&formatting.left),
        Expr::Call(call) => match &*call.func {
            Expr::Attribute(function) if function.attr.as_str() == "format" => text(&function.value),
            _ => None,
        },
        _ => None,
    }
}

fn element(element: &InterpolatedStringElement) -> String {
    match element {
        InterpolatedStringElement::Literal(literal) => literal.value.to_string(),
        InterpolatedStringElement::Interpolation(interpolation) => match &*interpolation.expression {
            Expr::Attribute(attribute) => format!("{{{}}}", attribute.attr),
            Expr::Name(name) => format!("{{{}}}", name.id),
            _ => "{…}".to_owned(),
        },
    }
}
