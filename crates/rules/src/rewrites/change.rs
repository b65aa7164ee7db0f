//! What a rule wants to change, collected before anything is touched.

use std::collections::BTreeSet;
use std::ops::Range;

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::edits::{Edit, Edits};
use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::{Ranged, TextRange, TextSize};

use crate::view::{Code, Place};
use crate::walk;

/// One changed place: position of the cell, line counted from 1, and a word on it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Site {
    pub(crate) place: Place,
    pub(crate) line: u32,
    pub(crate) detail: String,
}

/// Edits per cell, imports that the new code needs, and the account.
pub(crate) struct Change<'a> {
    code: &'a Code<'a>,
    edits: Vec<Edits>,
    imports: Vec<BTreeSet<String>>,
    sites: Vec<Site>,
    /// The edits of each site.
    groups: Vec<Vec<Edit>>,
    refused: bool,
}

impl<'a> Change<'a> {
    pub(crate) fn new(code: &'a Code<'a>) -> Self {
        let count = code.cells.len();
        Self {
            code,
            edits: vec![Edits::default(); count],
            imports: vec![BTreeSet::new(); count],
            sites: Vec::new(),
            groups: Vec::new(),
            refused: false,
        }
    }

    /// Makes a group of edits or, when one of them meets an earlier edit, none: the rule is then run again on the
    /// result.
    pub(crate) fn edit(&mut self, place: Place, at: TextSize, edits: Vec<Edit>) -> bool {
        if edits.is_empty() {
            return false;
        }
        if !self.edits[place.0].add_all(edits.clone()) {
            self.refused = true;
            return false;
        }
        let line = self.code.cells[place.0].parsed.line(at);
        self.sites.push(Site { place, line, detail: String::new() });
        self.groups.push(edits);
        true
    }

    /// Replaces one range.
    pub(crate) fn replace(&mut self, place: Place, range: TextRange, text: impl Into<String>) -> bool {
        self.edit(place, range.start(), vec![replacement(range, text)])
    }

    /// Puts a line before a statement, with its indentation.
    pub(crate) fn line_before(&mut self, place: Place, statement: &Stmt, line: &str) -> bool {
        let edit = line_before(self.code.cells[place.0].parsed.source(), statement.start(), line);
        self.edit(place, statement.start(), vec![edit])
    }

    /// Puts lines behind a statement of the top level.
    pub(crate) fn line_behind(&mut self, place: Place, statement: &Stmt, lines: &str) -> bool {
        let source = self.code.cells[place.0].parsed.source();
        let end = statement.end().to_usize();
        let line_end = source[end..].find('\n').map_or(source.len(), |at| end + at);
        // What stands behind it on its line runs before; that is an import or a magic in most cells.
        let edit = Edit { range: line_end..line_end, text: format!("\n{lines}") };
        self.edit(place, statement.start(), vec![edit])
    }

    /// Removes a statement; one that is alone in its block becomes `pass`.
    pub(crate) fn remove(&mut self, place: Place, statement: &Stmt, around: &[&Stmt]) -> bool {
        let source = self.code.cells[place.0].parsed.source();
        let edit = removal(source, statement, around.last().copied());
        self.edit(place, statement.start(), vec![edit])
    }

    /// Asks for an import statement at the top of the cell unless the notebook binds that name so already.
    pub(crate) fn need_import(&mut self, place: Place, import: impl Into<String>) {
        self.imports[place.0].insert(import.into());
    }

    /// The text by which a dotted name can be used in a cell, adding an import where none covers it.
    pub(crate) fn spell(&mut self, place: Place, dotted: &str) -> String {
        if let Some(builtin) = dotted.strip_prefix("builtins.") {
            if !SHADOWED.contains(&builtin) || !self.code.imports_all_of_numpy() {
                return builtin.to_owned();
            }
            self.need_import(place, "import builtins");
            return dotted.to_owned();
        }
        if let Some((module, path)) = dotted.split_once(':') {
            let object = path.split('.').next().unwrap_or_default();
            if let Some(text) = self.code.names.spelling(&format!("{module}.{path}")) {
                return text;
            }
            self.need_import(place, format!("from {module} import {object}"));
            return path.to_owned();
        }
        if let Some(text) = self.code.names.spelling(dotted) {
            return text;
        }
        let root = dotted.split('.').next().unwrap_or_default();
        if let Some((_, alias)) = CONVENTIONAL.iter().find(|(module, _)| *module == root) {
            self.need_import(place, format!("import {root} as {alias}"));
            return format!("{alias}{}", &dotted[root.len()..]);
        }
        match dotted.rsplit_once('.') {
            Some((module, name)) => {
                self.need_import(place, format!("from {module} import {name}"));
                name.to_owned()
            }
            None => {
                self.need_import(place, format!("import {dotted}"));
                dotted.to_owned()
            }
        }
    }

    /// Leaves the places alone at which an argument would be given that the call has already.
    fn leave_repeated_keywords(&mut self) {
        for (position, source) in self.code.cells.iter().enumerate() {
            let edits = &self.edits[position];
            let repeats = |edits: &Edits| repeats_keyword(&parse(&edits.clone().apply(source.parsed.source())));
            if edits.is_empty() || repeats_keyword(&source.parsed) || !repeats(edits) {
                continue;
            }
            let mut kept = Edits::default();
            let groups = std::mem::take(&mut self.groups);
            for (site, group) in std::mem::take(&mut self.sites).into_iter().zip(groups) {
                let mut alone = Edits::default();
                let is_here = site.place.0 == position;
                if is_here && alone.add_all(group.clone()) && repeats(&alone) {
                    continue;
                }
                if is_here {
                    kept.add_all(group.clone());
                }
                self.sites.push(site);
                self.groups.push(group);
            }
            self.edits[position] = kept;
        }
    }

    /// The changed cells and the account; `again` when an edit had to wait for another one.
    pub(crate) fn finish(mut self) -> Finished {
        let mut texts = Vec::new();
        self.leave_repeated_keywords();
        for (position, mut edits) in self.edits.into_iter().enumerate() {
            if edits.is_empty() {
                continue;
            }
            let source = &self.code.cells[position];
            let missing: Vec<&String> =
                self.imports[position].iter().filter(|line| !has_line(source.parsed.source(), line)).collect();
            if let Some(offset) = import_place(source.parsed.body()) {
                for line in missing {
                    let edit = line_before(source.parsed.source(), offset, line);
                    edits.insert(edit.range.start, edit.text);
                }
            }
            texts.push((position, edits.apply(source.parsed.source())));
        }
        Finished { texts, sites: self.sites, again: self.refused }
    }
}

/// Whether a call gives a keyword twice, which Python refuses and the parser lets pass.
pub(crate) fn repeats_keyword(parsed: &Parsed) -> bool {
    let mut repeated = false;
    walk::expressions(parsed.body(), &mut |expression, _| {
        let Expr::Call(call) = expression else { return };
        let mut names = BTreeSet::new();
        let mut keywords = call.arguments.keywords.iter().filter_map(|one| one.arg.as_ref());
        repeated |= keywords.any(|name| !names.insert(name.as_str()));
    });
    repeated
}

/// What came of a rule.
#[derive(Default)]
pub(crate) struct Finished {
    pub(crate) texts: Vec<(usize, String)>,
    pub(crate) sites: Vec<Site>,
    pub(crate) again: bool,
}

/// Built-in functions that numpy's of the same name, which take arrays, may stand in front of.
const SHADOWED: [&str; 5] = ["all", "any", "max", "min", "sum"];

/// Modules that are known by a short name.
const CONVENTIONAL: [(&str, &str); 3] = [("numpy", "np"), ("pandas", "pd"), ("seaborn", "sns")];

fn has_line(source: &str, line: &str) -> bool {
    if line.contains('\n') { source.contains(line) } else { source.lines().any(|one| one == line) }
}

/// Replaces a range.
pub(crate) fn replacement(range: TextRange, text: impl Into<String>) -> Edit {
    Edit { range: range.into(), text: text.into() }
}

/// Inserts at an offset.
pub(crate) fn insertion(offset: TextSize, text: impl Into<String>) -> Edit {
    Edit { range: offset.to_usize()..offset.to_usize(), text: text.into() }
}

/// A new line (or `…; `, when the statement does not start its line) before a statement.
fn line_before(source: &str, statement: TextSize, line: &str) -> Edit {
    let at = statement.to_usize();
    let line_start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let indentation = &source[line_start..at];
    if indentation.chars().all(char::is_whitespace) {
        let body = line.replace('\n', &format!("\n{indentation}"));
        return Edit { range: line_start..line_start, text: format!("{indentation}{body}\n") };
    }
    Edit { range: at..at, text: format!("{}; ", line.replace('\n', "; ")) }
}

fn removal(source: &str, statement: &Stmt, parent: Option<&Stmt>) -> Edit {
    let range: Range<usize> = statement.range().into();
    let line_start = source[..range.start].rfind('\n').map_or(0, |end| end + 1);
    let line_end = source[range.end..].find('\n').map_or(source.len(), |end| range.end + end + 1);
    let alone_on_line = source[line_start..range.start].trim().is_empty()
        && (source[range.end..line_end].trim().is_empty() || source[range.end..line_end].trim().starts_with('#'));
    let only_one = parent.is_some_and(|parent| block_length(parent, statement) == 1);
    if only_one || !alone_on_line {
        return Edit { range, text: "pass".to_owned() };
    }
    Edit { range: line_start..line_end, text: String::new() }
}

/// How many statements the block that holds `statement` has.
fn block_length(parent: &Stmt, statement: &Stmt) -> usize {
    let blocks: Vec<&[Stmt]> = match parent {
        Stmt::FunctionDef(def) => vec![&def.body],
        Stmt::ClassDef(def) => vec![&def.body],
        Stmt::For(block) => vec![&block.body, &block.orelse],
        Stmt::While(block) => vec![&block.body, &block.orelse],
        Stmt::With(block) => vec![&block.body],
        Stmt::If(block) => {
            let mut all: Vec<&[Stmt]> = vec![&block.body];
            all.extend(block.elif_else_clauses.iter().map(|clause| &clause.body[..]));
            all
        }
        Stmt::Try(block) => {
            let mut all: Vec<&[Stmt]> = vec![&block.body, &block.orelse, &block.finalbody];
            all.extend(block.handlers.iter().filter_map(|handler| handler.as_except_handler()).map(|h| &h.body[..]));
            all
        }
        _ => Vec::new(),
    };
    blocks.into_iter().find(|block| block.iter().any(|one| one.range() == statement.range())).map_or(2, <[Stmt]>::len)
}

/// Where an import may be put: before the first statement that is no magic, docstring or `__future__` import.
fn import_place(body: &[Stmt]) -> Option<TextSize> {
    let first = body.iter().find(|statement| match statement {
        Stmt::IpyEscapeCommand(_) => false,
        Stmt::ImportFrom(import) => import.module.as_ref().is_none_or(|module| module.as_str() != "__future__"),
        Stmt::Expr(expression) => !matches!(*expression.value, Expr::StringLiteral(_)),
        _ => true,
    });
    first.map(Ranged::start)
}
