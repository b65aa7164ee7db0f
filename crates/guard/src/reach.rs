//! Finds what code reaches for: modules, functions, commands, files, addresses, and names that only a run could tell.

mod calls;

use nbrevive_corpus::Breach;
use nbrevive_pysource::ast::visitor::{Visitor, walk_expr, walk_stmt};
use nbrevive_pysource::ast::{Expr, ExprAttribute, ExprCall, ExprSubscript, Stmt};
use nbrevive_pysource::magics::{Escape, EscapeKind};
use nbrevive_pysource::text_size::Ranged;

use super::code::{Code, Source, attribute_by_text, text};
use super::contract::Contract;
use super::finding::Fact;
use super::{places, tables, words};

/// The most of a command or an argument that a message shows, in characters.
const LONGEST_SHOWN: usize = 100;

/// Everything that the code reaches for and that would be a breach if it were new.
pub(super) fn facts(code: &Code, contract: &Contract) -> Vec<Fact> {
    let mut facts = Vec::new();
    for source in &code.cells {
        let mut finder = Finder { code, contract, source, facts: &mut facts };
        finder.magics();
        for statement in source.parsed.body() {
            finder.visit_stmt(statement);
        }
    }
    facts
}

struct Finder<'a> {
    code: &'a Code,
    contract: &'a Contract,
    source: &'a Source,
    facts: &'a mut Vec<Fact>,
}

impl Finder<'_> {
    fn push(&mut self, breach: Breach, node: &impl Ranged, (key, word): (String, &str), detail: String) {
        let line = self.source.parsed.line(node.range().start());
        self.facts.push(Fact { breach, key, word: word.to_owned(), cell: self.source.cell, line, detail });
    }

    /// The text of a node with its blanks evened out: by it two calls are the same.
    fn written(&self, node: &impl Ranged) -> String {
        self.source.parsed.text_of(node).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn magics(&mut self) {
        for magic in &self.source.split.cell_magics {
            if tables::is_harmless_cell_magic(&magic.name) {
                continue;
            }
            let body = self.source.split.opaque_body.clone().map_or("", |range| &self.source.parsed.source()[range]);
            let breach = if tables::is_fetching_command(body) { Breach::Network } else { Breach::Process };
            let key = format!("%%{} {} {body}", magic.name, magic.arguments);
            let detail = format!("the cell magic `%%{}`", shown(&magic.name));
            let cell = self.source.cell;
            self.facts.push(Fact { breach, key, word: String::new(), cell, line: magic.line, detail });
        }
        for escape in &self.source.split.escapes {
            self.escape(escape);
        }
    }

    fn escape(&mut self, escape: &Escape) {
        let command = escape.body.as_str();
        let (breach, what) = match escape.kind {
            EscapeKind::Help => return,
            EscapeKind::AutoCall => (Breach::DynamicCode, "the call without brackets"),
            EscapeKind::Shell if tables::is_fetching_command(command) => (Breach::Network, "the command"),
            EscapeKind::Shell => (Breach::Process, "the command"),
            EscapeKind::LineMagic | EscapeKind::Automagic => match escape.name.as_str() {
                name if tables::is_harmless_magic(name) => return,
                "pip" | "conda" | "mamba" => (Breach::Network, "the command"),
                "env" | "set_env" => (Breach::EnvironmentVariable, "the magic"),
                _ => (Breach::Process, "the magic"),
            },
        };
        let key = format!("{} {command}", escape.name);
        let detail = format!("{what} `{}`", shown(key.trim()));
        let cell = self.source.cell;
        self.facts.push(Fact { breach, key, word: command.to_owned(), cell, line: escape.line, detail });
    }

    fn import(&mut self, node: &impl Ranged, module: &str, name: Option<&str>) {
        let dotted = name.map_or_else(|| module.to_owned(), |name| format!("{module}.{name}"));
        if let Some(breach) = tables::reaching(&dotted) {
            let key = root_key(&dotted);
            let root = module.split('.').next().unwrap_or_default();
            self.push(breach, node, (key, root), format!("the import of `{dotted}`"));
        } else if name == Some("*") && tables::NO_VALUES.contains(&module) {
            let detail = format!("all names of `{module}`");
            self.push(Breach::DynamicCode, node, (format!("import * {module}"), module), detail);
        }
    }

    /// A name or a chain of attributes that is used; `arguments` tells calls of one function apart.
    fn reference(&mut self, node: &Expr, arguments: Option<&str>) {
        let root = root_name(node);
        let is_known = root.is_none_or(|root| self.code.is_bound(root) || tables::is_there_anyway(root));
        for dotted in self.code.dotted(node).into_iter().filter(|_| is_known) {
            let Some(breach) = tables::reaching(&dotted) else { continue };
            let key = match arguments {
                Some(arguments) if breach != Breach::Network => format!("{dotted}({arguments})"),
                _ => root_key(&dotted),
            };
            let word = dotted.rsplit('.').next().unwrap_or_default().to_owned();
            self.push(breach, node, (key, &word), format!("the use of `{}`", shown(&dotted)));
            return;
        }
    }

    /// A bare name: a function by another name, or a module handed around.
    fn name(&mut self, node: &Expr) {
        let meanings = self.code.dotted(node);
        let is_module = |dotted: &String| tables::NO_VALUES.contains(&dotted.as_str());
        if let Some(module) = meanings.iter().find(|dotted| is_module(dotted) && self.code.is_bound(&local(node))) {
            let detail = format!("the module `{module}` handed around as a value");
            let key = format!("value {module}");
            self.push(Breach::DynamicCode, node, (key, ""), detail);
            return;
        }
        self.reference(node, None);
    }

    fn attribute(&mut self, attribute: &ExprAttribute) {
        let name = attribute.attr.as_str();
        if tables::is_deep_attribute(name) {
            self.push(Breach::DynamicCode, attribute, (name.to_owned(), name), format!("the attribute `{name}`"));
        }
    }

    fn judge(&mut self, node: &Expr, text: &str, is_path: bool) {
        if let Some((breach, detail)) = places::judge(text, is_path, self.contract) {
            self.push(breach, node, (text.trim().to_owned(), text.trim()), detail);
        }
    }

    fn subscript(&mut self, subscript: &ExprSubscript) {
        let Expr::Slice(slice) = &*subscript.slice else { return };
        let is_text = matches!(*subscript.value, Expr::StringLiteral(_) | Expr::BytesLiteral(_) | Expr::FString(_));
        if slice.step.is_some() && is_text {
            let key = self.written(subscript);
            self.push(
                Breach::DynamicCode,
                subscript,
                (key, ""),
                "a literal text that is turned into another".to_owned(),
            );
        }
    }

    /// `model.predict = …` puts something else in the place of a model.
    fn replaced_method(&mut self, target: &Expr) {
        let Expr::Attribute(attribute) = target else { return };
        let method = attribute.attr.as_str();
        if words::is_predicting(method) || words::is_training(method) {
            let key = self.written(target);
            self.push(Breach::ConstantPredictions, target, (key, ""), format!("the method `{method}` is replaced"));
        }
    }

    /// `os.environ["SWITCH"] = "literal"` for a switch that is free.
    fn is_free_switch(&self, statement: &Stmt) -> bool {
        let Stmt::Assign(assign) = statement else { return false };
        let [Expr::Subscript(target)] = &*assign.targets else { return false };
        let Expr::StringLiteral(variable) = &*target.slice else { return false };
        let is_environment = self.code.dotted(&target.value).iter().any(|name| name == "os.environ");
        is_environment && tables::is_switch(variable.value.to_str()) && assign.value.is_string_literal_expr()
    }
}

/// Whether a node is one text put together from several parts.
fn is_composed(expression: &Expr) -> bool {
    matches!(expression, Expr::BinOp(_) | Expr::FString(_) | Expr::Call(_))
}

impl<'a> Visitor<'a> for Finder<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.import(statement, alias.name.as_str(), None);
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map(|module| module.as_str()).unwrap_or_default();
                for alias in &import.names {
                    self.import(statement, module, Some(alias.name.as_str()));
                }
            }
            // A text that stands alone is a remark.
            Stmt::Expr(expression) if expression.value.is_string_literal_expr() => {}
            _ if self.is_free_switch(statement) => {}
            Stmt::Assign(assign) => {
                assign.targets.iter().for_each(|target| self.replaced_method(target));
                walk_stmt(self, statement);
            }
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if expression.is_string_literal_expr() || is_composed(expression) {
            for text in text::fold(expression, self.code) {
                self.judge(expression, &text, false);
            }
        }
        match expression {
            Expr::Name(_) => self.name(expression),
            Expr::Attribute(attribute) => {
                self.attribute(attribute);
                if self.code.dotted(expression).is_empty() {
                    walk_expr(self, expression);
                } else {
                    self.reference(expression, None);
                    self.inner_attributes(&attribute.value);
                }
            }
            Expr::Call(call) => self.called(call, expression),
            Expr::Subscript(subscript) => {
                self.subscript(subscript);
                walk_expr(self, expression);
            }
            _ => walk_expr(self, expression),
        }
    }
}

impl Finder<'_> {
    /// A call, its function and its arguments.
    fn called(&mut self, call: &ExprCall, expression: &Expr) {
        self.call(call);
        match &*call.func {
            Expr::Name(_) => {}
            Expr::Attribute(attribute) if !self.code.dotted(&call.func).is_empty() => {
                self.attribute(attribute);
                self.inner_attributes(&attribute.value);
            }
            function => self.visit_expr(function),
        }
        let arguments = match attribute_by_text(call) {
            Some((receiver, name)) => {
                self.reference(expression, None);
                if tables::is_deep_attribute(name) {
                    let detail = format!("the attribute `{name}`");
                    self.push(Breach::DynamicCode, call, (name.to_owned(), name), detail);
                }
                if !receiver.is_name_expr() {
                    self.visit_expr(receiver);
                }
                &call.arguments.args[1..]
            }
            None => &call.arguments.args[..],
        };
        arguments.iter().for_each(|argument| self.visit_expr(argument));
        call.arguments.keywords.iter().for_each(|keyword| self.visit_expr(&keyword.value));
    }

    /// Looks into a chain of attributes without taking its root for a bare name.
    fn inner_attributes(&mut self, expression: &Expr) {
        match expression {
            Expr::Name(_) => {}
            Expr::Attribute(attribute) => {
                self.attribute(attribute);
                self.inner_attributes(&attribute.value);
            }
            _ => self.visit_expr(expression),
        }
    }
}

/// Which uses are the same. Modules count by their root, since an author who used one may use another function of it; of
/// modules that are harmless on the whole each name counts by itself.
fn root_key(dotted: &str) -> String {
    let name = tables::family(dotted);
    let root = name.split('.').next().unwrap_or_default();
    let is_mixed = matches!(
        root,
        "os" | "sys"
            | "sklearn"
            | "torch"
            | "nltk"
            | "asyncio"
            | "gensim"
            | "spacy"
            | "google"
            | "numpy"
            | "IPython"
            | "types"
            | "inspect"
            | "gc"
            | "operator"
            | "pandas"
            | "timeit"
            | "concurrent"
            | "multiprocessing"
    );
    if is_mixed { name.to_owned() } else { root.to_owned() }
}

/// The name that a chain of attributes starts with; `None` when it starts with something else.
fn root_name(node: &Expr) -> Option<&str> {
    match node {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => root_name(&attribute.value),
        Expr::Call(call) => attribute_by_text(call).and_then(|(receiver, _)| root_name(receiver)),
        _ => None,
    }
}

fn local(node: &Expr) -> String {
    super::code::plain(node).unwrap_or_default()
}

fn shown(text: &str) -> String {
    text.chars().filter(|c| *c != '`' && *c != '\n').take(LONGEST_SHOWN).collect()
}
