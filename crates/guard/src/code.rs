//! The parsed notebook, with what its names stand for.

pub(crate) mod text;

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_notebook::Notebook;
use nbrevive_pysource::ast::visitor::{Visitor, walk_expr, walk_stmt};
use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::magics::{SplitCell, split};
use nbrevive_pysource::parse::{Parsed, parse};

/// Rounds in which aliases of aliases are followed.
const ROUNDS: usize = 4;
/// Meanings that are kept for one name.
const MOST_MEANINGS: usize = 8;

/// One code cell.
pub(super) struct Source {
    /// Index in the notebook's cells.
    pub(super) cell: usize,
    pub(super) parsed: Parsed,
    pub(super) split: SplitCell,
}

impl Source {
    pub(super) fn is_sound(&self) -> bool {
        // A cell that is too deep for the parser has no tree, and nothing in it can be judged.
        self.parsed.errors().is_empty() && (!self.parsed.is_opaque() || self.split.is_opaque())
    }
}

/// The code of a notebook.
pub(super) struct Code {
    pub(super) cells: Vec<Source>,
    /// Local name → dotted names that it may stand for: imports, and assignments of such names.
    aliases: BTreeMap<String, Vec<String>>,
    /// Local name → texts that are assigned to it.
    pub(super) texts: BTreeMap<String, Vec<String>>,
    /// Local name → names of the classes or functions whose calls are assigned to it.
    pub(super) makers: BTreeMap<String, BTreeSet<String>>,
}

impl Code {
    pub(super) fn of(notebook: &Notebook) -> Self {
        let cells = notebook.code_cells().map(|(cell, content)| Source {
            cell,
            parsed: parse(&content.source),
            split: split(&content.source),
        });
        let mut code =
            Self { cells: cells.collect(), aliases: BTreeMap::new(), texts: BTreeMap::new(), makers: BTreeMap::new() };
        for _ in 0..ROUNDS {
            if !code.read_bindings() {
                break;
            }
        }
        code
    }

    pub(super) fn unsound_cells(&self) -> usize {
        self.cells.iter().filter(|source| !source.is_sound()).count()
    }

    pub(super) fn unsound_text(&self) -> String {
        let unsound = self.cells.iter().filter(|source| !source.is_sound());
        unsound.map(|source| source.parsed.source()).collect::<Vec<_>>().join("\n")
    }

    /// Every statement of every cell, nested ones included.
    pub(super) fn statements<'a>(&'a self, visit: &mut dyn FnMut(&'a Source, &'a Stmt)) {
        for source in &self.cells {
            for statement in source.parsed.body() {
                let mut walker = Statements { source, visit: &mut *visit };
                walker.visit_stmt(statement);
            }
        }
    }

    /// Dotted names that an expression may stand for: through imports and aliases, and through `getattr` with a literal.
    pub(super) fn dotted(&self, expression: &Expr) -> Vec<String> {
        match expression {
            Expr::Name(name) => match self.aliases.get(name.id.as_str()) {
                Some(meanings) => meanings.clone(),
                None => vec![name.id.to_string()],
            },
            Expr::Attribute(attribute) => extend(self.dotted(&attribute.value), attribute.attr.as_str()),
            Expr::Call(call) => match attribute_by_text(call) {
                Some((receiver, name)) => extend(self.dotted(receiver), name),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Whether a name is imported, or an alias of something that is.
    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.aliases.contains_key(name)
    }

    /// One round over all bindings; true when something was learned.
    fn read_bindings(&mut self) -> bool {
        let mut found = Bindings::default();
        self.statements(&mut |_, statement| found.read(statement, self));
        let mut is_new = false;
        for (name, meaning) in found.aliases {
            is_new |= insert(&mut self.aliases, name, meaning);
        }
        for (name, text) in found.texts {
            is_new |= insert(&mut self.texts, name, text);
        }
        for (name, maker) in found.makers {
            is_new |= self.makers.entry(name).or_default().insert(maker);
        }
        is_new
    }
}

fn insert(map: &mut BTreeMap<String, Vec<String>>, name: String, meaning: String) -> bool {
    let meanings = map.entry(name).or_default();
    let is_new = meanings.len() < MOST_MEANINGS && !meanings.contains(&meaning);
    if is_new {
        meanings.push(meaning);
    }
    is_new
}

fn extend(roots: Vec<String>, attribute: &str) -> Vec<String> {
    roots.into_iter().map(|root| format!("{root}.{attribute}")).collect()
}

/// Receiver and name of `getattr(x, "name")`.
pub(super) fn attribute_by_text(call: &ExprCall) -> Option<(&Expr, &str)> {
    let Expr::Name(function) = &*call.func else { return None };
    match (function.id.as_str(), &*call.arguments.args) {
        ("getattr", [receiver, Expr::StringLiteral(name), ..]) => Some((receiver, name.value.to_str())),
        _ => None,
    }
}

#[derive(Default)]
struct Bindings {
    aliases: Vec<(String, String)>,
    texts: Vec<(String, String)>,
    makers: Vec<(String, String)>,
}

impl Bindings {
    fn read(&mut self, statement: &Stmt, code: &Code) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    let module = alias.name.as_str();
                    let root = module.split('.').next().unwrap_or_default();
                    let (local, meaning) = match &alias.asname {
                        Some(local) => (local.as_str(), module),
                        None => (root, root),
                    };
                    self.aliases.push((local.to_owned(), meaning.to_owned()));
                }
            }
            Stmt::ImportFrom(import) => {
                let module = import.module.as_ref().map(|module| module.as_str()).unwrap_or_default();
                for alias in &import.names {
                    let local = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.aliases.push((local.to_string(), format!("{module}.{}", alias.name.as_str())));
                }
            }
            Stmt::Assign(assign) => assign.targets.iter().for_each(|target| self.bind(target, &assign.value, code)),
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.bind(&assign.target, value, code);
                }
            }
            _ => {}
        }
    }

    fn bind(&mut self, target: &Expr, value: &Expr, code: &Code) {
        if let (Expr::Tuple(targets), Expr::Tuple(values)) = (target, value) {
            for (target, value) in targets.elts.iter().zip(&values.elts) {
                self.bind(target, value, code);
            }
            return;
        }
        let Some(name) = plain(target) else { return };
        if let Expr::Name(_) | Expr::Attribute(_) = value {
            let is_imported = |dotted: &String| dotted.contains('.') || code.is_bound(dotted);
            let known = root_of(value).is_some_and(|root| code.is_bound(root));
            let meanings = code.dotted(value).into_iter().filter(|dotted| known && is_imported(dotted));
            self.aliases.extend(meanings.map(|meaning| (name.clone(), meaning)));
        }
        for text in text::fold(value, code).into_iter().filter(|text| !text.contains(text::UNKNOWN)) {
            self.texts.push((name.clone(), text));
        }
        if let Some(maker) = maker(value) {
            self.makers.push((name, maker));
        }
    }
}

/// The name that a chain of attributes starts with.
fn root_of(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => root_of(&attribute.value),
        _ => None,
    }
}

/// A name or a chain of attributes as written.
pub(super) fn plain(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(attribute) => Some(format!("{}.{}", plain(&attribute.value)?, attribute.attr.as_str())),
        _ => None,
    }
}

/// The class (or function) at the root of `Class(…)`, `module.Class(…)` and `Class(…).fit(…)`.
pub(super) fn maker(expression: &Expr) -> Option<String> {
    let Expr::Call(call) = expression else { return None };
    match &*call.func {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(attribute) => match maker(&attribute.value) {
            Some(maker) => Some(maker),
            None => Some(attribute.attr.to_string()),
        },
        _ => None,
    }
}

struct Statements<'a, 'f> {
    source: &'a Source,
    visit: &'f mut dyn FnMut(&'a Source, &'a Stmt),
}

impl<'a> Visitor<'a> for Statements<'a, '_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        (self.visit)(self.source, statement);
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// Calls `visit` for every call below a node, outer ones first.
pub(super) struct Calls<'f, 'a>(pub(super) &'f mut dyn FnMut(&'a ExprCall));

impl<'a> Visitor<'a> for Calls<'_, 'a> {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Call(call) = expression {
            (self.0)(call);
        }
        walk_expr(self, expression);
    }
}
