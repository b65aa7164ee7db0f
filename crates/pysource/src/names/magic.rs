//! What magics, shell commands and help do with names.

use std::ops::Range;

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Expr, ExprCall, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::cell::Places;
use super::outside::{self, EXTENSIONS, OutsideAct};
use super::walk::Walk;
use super::{Binder, NameAct, UnknownCause};
use crate::magics::module::with_module;
use crate::magics::{CellMagic, Escape, EscapeKind, SplitCell, is_compound_statement};

/// Line magics that leave the namespace alone. Source: "Built-in magic commands" of IPython; the extensions that come with
/// IPython, Cython, TensorBoard, watermark, and the profilers of lines and memory.
const WITHOUT_EFFECT: &[&str] = &[
    "alias",
    "alias_magic",
    "autoawait",
    "autocall",
    "automagic",
    "autoreload",
    "autosave",
    "bookmark",
    "cat",
    "cd",
    "clear",
    "colors",
    "conda",
    "config",
    "connect_info",
    "cp",
    "debug",
    "dhist",
    "dirs",
    "doctest_mode",
    "env",
    "gui",
    "hist",
    "history",
    "install_ext",
    "killbgscripts",
    "ldir",
    "less",
    "lf",
    "lk",
    "ll",
    "load",
    "load_ext",
    "loadpy",
    "logoff",
    "logon",
    "logstart",
    "logstate",
    "logstop",
    "lprun",
    "ls",
    "lsmagic",
    "lx",
    "magic",
    "mamba",
    "man",
    "matplotlib",
    "memit",
    "micromamba",
    "mkdir",
    "more",
    "mprun",
    "mv",
    "notebook",
    "page",
    "pastebin",
    "pdb",
    "pdef",
    "pdoc",
    "pfile",
    "pinfo",
    "pinfo2",
    "pip",
    "popd",
    "pprint",
    "precision",
    "prun",
    "psearch",
    "psource",
    "pushd",
    "pwd",
    "pycat",
    "qtconsole",
    "quickref",
    "recall",
    "rehashx",
    "reload_ext",
    "rep",
    "rm",
    "rmdir",
    "save",
    "set_env",
    "store",
    "subplots",
    "sx",
    "system",
    "tb",
    "tensorboard",
    "time",
    "timeit",
    "unalias",
    "unload_ext",
    "uv",
    "version_information",
    "watermark",
    "who",
    "who_ls",
    "whos",
    "writefile",
    "xmode",
];

/// Cell magics whose body is text, or runs in another process, and that leave the namespace alone.
const TEXTS: &[&str] = &[
    "!",
    "HTML",
    "SVG",
    "bash",
    "cmd",
    "css",
    "file",
    "html",
    "javascript",
    "js",
    "latex",
    "local_script",
    "markdown",
    "mermaid",
    "perl",
    "pypy",
    "python",
    "python2",
    "python3",
    "ruby",
    "script",
    "sh",
    "skip",
    "svg",
    "sx",
    "system",
    "writefile",
];

/// Cell magics that [`crate::magics`] reads as Python of the notebook although they run it elsewhere: imports are needed all the same.
const ELSEWHERE: &[&str] = &["heat", "px", "pypy", "python", "python2", "python3", "script", "skip", "tutor"];

/// Longest expression that is looked for in a command, in bytes.
const LONGEST_EXPRESSION: usize = 200;

/// Whether nothing of a cell's body runs in the namespace as Python.
pub(super) fn is_opaque(cell: &SplitCell) -> bool {
    cell.is_opaque() || cell.magic().is_some_and(|magic| ELSEWHERE.contains(&magic.name.as_str()))
}

/// Whether the cell runs in a function of its own.
pub(super) fn times(magics: &[CellMagic]) -> bool {
    magics.iter().any(|magic| magic.name == "timeit")
}

impl<'a> Walk<'a> {
    /// What cell magics do before their body runs; `is_python` where that is Python of this notebook.
    pub(super) fn cell_magics(&mut self, magics: &'a [CellMagic], is_python: bool) {
        for (index, magic) in magics.iter().enumerate() {
            let range = range(&magic.range);
            let is_last = index + 1 == magics.len();
            match magic.name.as_str() {
                "bash" | "sh" | "script" | "perl" | "ruby" | "python" | "python2" | "python3" | "pypy" => {
                    self.options(&magic.arguments, &["--out", "--err", "--proc"], NameAct::Bind(Binder::Magic), range);
                }
                "R" => self.of_r(&magic.arguments, range),
                "writefile" | "file" => self.outside(outside::of_command(&format!("write {}", magic.arguments))),
                name if is_last && !is_python && !TEXTS.contains(&name) => {
                    self.unknown(UnknownCause::Magic(format!("%%{name}")), range);
                }
                _ => {}
            }
        }
    }

    /// What cell magics do when their body has run.
    pub(super) fn after_cell(&mut self, magics: &'a [CellMagic]) {
        for magic in magics.iter().filter(|magic| magic.name == "capture") {
            let name = magic.arguments.split_whitespace().find(|word| !word.starts_with('-'));
            name.into_iter().for_each(|name| self.bind_plain(name, range(&magic.range)));
        }
    }

    /// Reads the escapes in a statement: each left a `0` in its place, alone or as the value that is assigned.
    pub(super) fn escapes_in(&mut self, statement: &Stmt) {
        if !is_simple(statement) {
            return;
        }
        let end = self.places.offset(statement) + statement.range().len().to_usize();
        while let Some((escape, rest)) = self.escapes.split_first().filter(|(escape, _)| escape.range.start < end) {
            self.escapes = rest;
            self.escape(escape);
        }
    }

    fn escape(&mut self, escape: &'a Escape) {
        let range = range(&escape.range);
        match escape.kind {
            EscapeKind::Shell => {
                self.outside(outside::of_command(&escape.body));
                self.expansions(&escape.body, range);
            }
            EscapeKind::Help => self.help(&escape.body, range),
            EscapeKind::AutoCall => {
                let called = escape.body.trim_start_matches(['/', ',', ';']);
                let name = called.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
                self.read(name, NameAct::Call, None, range);
                self.unknown(UnknownCause::Magic(escape.body.clone()), range);
            }
            EscapeKind::LineMagic | EscapeKind::Automagic => {
                self.line_magic(&escape.name, &escape.body, range);
                if let Some(python) = escape.python.clone().filter(|_| !escape.assigned) {
                    self.statement_of_magic(python, escape.name == "timeit");
                }
            }
        }
    }

    /// The statement of `%time` and the like: a simple one stands in the tree, in its place, and a compound one does not.
    fn statement_of_magic(&mut self, python: Range<usize>, is_timed: bool) {
        let text = self.places.text(python.clone());
        if is_compound_statement(text) {
            let places = Places::Cut { around: self.places, offset: python.start };
            self.run_text(text, &places, is_timed);
        } else if is_timed {
            self.timed = python;
        }
    }

    /// What a line magic does by itself.
    pub(super) fn line_magic(&mut self, name: &str, arguments: &str, range: TextRange) {
        self.expansions(arguments, range);
        let told = || format!("%{name} {arguments}").trim_end().to_owned();
        let mut words = arguments.split_whitespace();
        match name {
            "run" | "pylab" | "rerun" | "edit" | "ed" | "paste" | "cpaste" => {
                self.unknown(UnknownCause::Loaded(told()), range);
            }
            "store" if arguments.starts_with("-r") => self.unknown(UnknownCause::Loaded(told()), range),
            "store" if !arguments.starts_with('-') => {
                words.take_while(|word| *word != ">").for_each(|name| self.read_plain(name, range));
            }
            "reset" | "reset_selective" => self.unknown(UnknownCause::Reset(told()), range),
            "xdel" => self.push_plain(arguments.trim(), NameAct::Delete, range),
            "macro" => self.bind_plain(words.find(|word| !word.starts_with('-')).unwrap_or(""), range),
            "sc" => {
                let target = arguments.split('=').next().and_then(|left| left.split_whitespace().last());
                self.bind_plain(target.unwrap_or(""), range);
            }
            "aimport" => arguments.split([',', ' ']).for_each(|module| self.bind_plain(module, range)),
            "lprun" | "mprun" => self.options(arguments, &["-f"], NameAct::Read, range),
            "R" => self.of_r(arguments, range),
            "cd" | "pushd" | "popd" => self.outside([outside::moved()]),
            "load_ext" => self.outside([OutsideAct { what: EXTENSIONS.to_owned(), is_written: true }]),
            "mkdir" | "cp" | "mv" | "rm" | "rmdir" | "writefile" | "save" => {
                self.outside(outside::of_command(&format!("{name} {arguments}")));
            }
            name if WITHOUT_EFFECT.contains(&name) => {}
            _ => self.unknown(UnknownCause::Magic(format!("%{name}")), range),
        }
    }

    /// `get_ipython().run_line_magic('name', 'arguments')` and the like.
    pub(super) fn of_shell(&mut self, call: &'a ExprCall) {
        let Expr::Attribute(method) = &*call.func else { return };
        let is_shell = method.value.as_call_expr().and_then(|owner| owner.func.as_name_expr());
        if is_shell.is_none_or(|name| name.id != "get_ipython" || !self.scopes.reads("get_ipython")) {
            return;
        }
        let text = |index: usize| {
            call.arguments.args.get(index).and_then(Expr::as_string_literal_expr).map(|text| text.value.to_str())
        };
        match (method.attr.as_str(), text(0), text(1)) {
            ("run_line_magic", Some(name), arguments) => self.line_magic(name, arguments.unwrap_or(""), call.range()),
            ("magic", Some(line), _) => {
                let line = line.trim_start_matches('%');
                let (name, arguments) = line.split_once(' ').unwrap_or((line, ""));
                self.line_magic(name, arguments, call.range());
            }
            ("system" | "getoutput", Some(command), _) => self.expansions(command, call.range()),
            ("run_cell_magic", Some(name), _) if TEXTS.contains(&name) => {}
            (
                "system"
                | "getoutput"
                | "set_next_input"
                | "register_magic_function"
                | "register_magics"
                | "showtraceback",
                ..,
            ) => {}
            (name, ..) => self.unknown(UnknownCause::Magic(format!("get_ipython().{name}()")), call.range()),
        }
    }

    /// Names that IPython puts into a command: `$name` and `{expression}`. What it cannot compute it leaves as it stands.
    fn expansions(&mut self, command: &str, range: TextRange) {
        let (line, span) = self.places.of(range);
        let places = Places::Fixed { line, span };
        let mut rest = command;
        while let Some(at) = rest.find(['$', '{']) {
            let inside = &rest[at + 1..];
            let is_name = rest.as_bytes()[at] == b'$';
            let length = if is_name {
                name_length(inside)
            } else {
                inside.bytes().take(LONGEST_EXPRESSION).position(|byte| byte == b'}').unwrap_or(0)
            };
            if length > 0 && !inside.starts_with(['$', '{']) {
                self.guarded_text(&inside[..length], &places);
            }
            let skipped = usize::from(inside.starts_with(rest.as_bytes()[at] as char));
            rest = &inside[length.max(skipped)..];
        }
    }

    fn guarded_text(&mut self, text: &str, places: &Places<'_>) {
        let found = with_module(text, |module| {
            let mut inner = Walk::new(places, &[], true);
            if module.errors().is_empty() && module.suite().iter().all(Stmt::is_expr_stmt) {
                inner.guarded(|inner| inner.visit_body(module.suite()));
            }
            inner.top
        });
        if let Some(mut top) = found {
            top.events.retain(|event| self.scopes.reads(&event.name));
            self.append(top, Vec::new());
        }
    }

    /// Walks a text of its own, in a function of its own where it is timed.
    fn run_text(&mut self, text: &str, places: &Places<'_>, is_timed: bool) {
        let defers = self.defers_annotations;
        let found = with_module(text, |module| {
            let mut inner = Walk::new(places, &[], defers);
            if module.errors().is_empty() && is_timed {
                inner.run_in_function(module.suite());
            } else if module.errors().is_empty() {
                inner.visit_body(module.suite());
            }
            (inner.top, inner.bodies)
        });
        if let Some((top, bodies)) = found {
            self.append(top, bodies);
        }
    }

    /// `x?` looks x up, and says so where it is not there.
    fn help(&mut self, body: &str, range: TextRange) {
        let asked = body.trim_matches(['?', ' ']);
        let name = &asked[..name_length(asked)];
        if !asked.contains('*') {
            self.guarded(|walk| walk.read_plain(name, range));
        }
    }

    /// `-i name` and `-o name` of rpy2's magics.
    fn of_r(&mut self, arguments: &str, range: TextRange) {
        self.options(arguments, &["-i", "--input"], NameAct::Read, range);
        self.options(arguments, &["-o", "--output"], NameAct::Bind(Binder::Magic), range);
    }

    /// An act upon each of the names behind an option: `--out a`, `--out=a`, `-i a,b`.
    fn options(&mut self, arguments: &str, options: &[&str], act: NameAct, range: TextRange) {
        let mut words = arguments.split_whitespace();
        while let Some(word) = words.next() {
            let (option, value) = word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
            if options.contains(&option) {
                let names = value.or_else(|| words.next()).unwrap_or("");
                names.split(',').for_each(|name| self.push_plain(name, act, range));
            }
        }
    }

    fn read_plain(&mut self, name: &str, range: TextRange) {
        if self.scopes.reads(name) {
            self.push_plain(name, NameAct::Read, range);
        }
    }

    fn bind_plain(&mut self, name: &str, range: TextRange) {
        self.push_plain(name, NameAct::Bind(Binder::Magic), range);
    }

    /// Magics reach the namespace from everywhere.
    fn push_plain(&mut self, name: &str, act: NameAct, range: TextRange) {
        let name = name.split('.').next().unwrap_or(name);
        if !name.is_empty() && name_length(name) == name.len() {
            self.push(name, act, None, range);
        }
    }
}

/// The bytes of the name that a text starts with; 0 where it starts with none.
fn name_length(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

fn range(range: &Range<usize>) -> TextRange {
    let size = |offset: usize| TextSize::try_from(offset).unwrap_or_default();
    TextRange::new(size(range.start), size(range.end))
}

fn is_simple(statement: &Stmt) -> bool {
    matches!(
        statement,
        Stmt::Return(_)
            | Stmt::Delete(_)
            | Stmt::Assign(_)
            | Stmt::AugAssign(_)
            | Stmt::AnnAssign(_)
            | Stmt::Raise(_)
            | Stmt::Assert(_)
            | Stmt::Expr(_)
    )
}
