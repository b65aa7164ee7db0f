//! IPython syntax in a cell: magics, shell escapes and help.
//!
//! IPython rewrites a cell before Python sees it. [`split`] finds the same places without running anything and gives
//! back a text of the same length and line count in which they are blanked, so that a Python parser can read the rest
//! and every position stays true. A blanked escape leaves a `0` behind: a block that held only `!ls` stays valid.

pub(crate) mod module;
mod scan;
mod statement;

use std::ops::Range;

pub(crate) use statement::is_compound as is_compound_statement;

/// Cell magics whose body runs as Python, those of well-known extensions included. All others (`%%bash`, `%%writefile`,
/// `%%html`, …) have opaque bodies.
const PYTHON_CELL_MAGICS: [&str; 33] = [
    "cache",
    "capture",
    "cudf.pandas.line_profile",
    "cudf.pandas.profile",
    "debug",
    "heat",
    "ipytest",
    "local",
    "lprun",
    "manim",
    "memit",
    "memray_flamegraph",
    "mprof_run",
    "mprun",
    "notify",
    "pixie_debugger",
    "prun",
    "px",
    "pyinstrument",
    "pypy",
    "python",
    "python2",
    "python3",
    "run_pytest",
    "scalene",
    "send_notification",
    "skip",
    "snakeviz",
    "time",
    "timeit",
    "timed",
    "tutor",
    "wandb",
];

/// Magics that a kernel without extensions runs when a cell is a single line without `%` ("automagic"), as far as
/// authors use them so.
const AUTOMAGIC_WORDS: [&str; 17] = [
    "cat",
    "cd",
    "conda",
    "cp",
    "env",
    "load_ext",
    "ls",
    "mamba",
    "matplotlib",
    "mkdir",
    "mv",
    "pip",
    "pylab",
    "rm",
    "run",
    "time",
    "timeit",
];

/// What an escape does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EscapeKind {
    /// `%name arguments`.
    LineMagic,
    /// `name arguments` alone in a cell: a line magic without its sign.
    Automagic,
    /// `!command` or `!!command`.
    Shell,
    /// `object?`, `?object`, `%magic?`.
    Help,
    /// `/f a`, `,f a`, `;f a`: a call without brackets.
    AutoCall,
}

/// One place where a cell leaves Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Escape {
    /// What it does.
    pub kind: EscapeKind,
    /// The magic's name without `%`; empty for the other kinds.
    pub name: String,
    /// What follows the sign and the name, trimmed, continued lines joined by a blank.
    pub body: String,
    /// The bytes from the sign to the end of the (continued) line, without the line end.
    pub range: Range<usize>,
    /// First line, from 1.
    pub line: u32,
    /// Last line, from 1; larger than `line` when the line is continued by a backslash.
    pub last_line: u32,
    /// Whether the result is assigned, as in `files = !ls`.
    pub assigned: bool,
    /// The Python statement that a magic such as `%time` runs.
    pub python: Option<Range<usize>>,
}

/// A `%%` line at the start of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellMagic {
    /// The name without `%%`; `!` for `%%!`.
    pub name: String,
    /// The rest of the line, trimmed.
    pub arguments: String,
    /// The line, from 1.
    pub line: u32,
    /// The bytes of the line without its end.
    pub range: Range<usize>,
}

/// A cell taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitCell {
    /// The cell magics at its start; more than one when a Python one is followed by another.
    pub cell_magics: Vec<CellMagic>,
    /// The body of a magic whose body is not Python of this notebook; the cell is then opaque.
    pub opaque_body: Option<Range<usize>>,
    /// The escapes in order, none in an opaque body.
    pub escapes: Vec<Escape>,
    /// The cell with escapes and opaque bodies blanked: as long as the cell in bytes, with the same lines.
    pub python: String,
}

impl SplitCell {
    /// Whether the cell's body is not Python of this notebook.
    #[must_use]
    pub fn is_opaque(&self) -> bool {
        self.opaque_body.is_some()
    }

    /// The innermost cell magic, the one that takes the body.
    #[must_use]
    pub fn magic(&self) -> Option<&CellMagic> {
        self.cell_magics.last()
    }
}

/// Takes a cell apart. Linear in its length; never fails.
#[must_use]
pub fn split(source: &str) -> SplitCell {
    let mut cell = SplitCell { cell_magics: Vec::new(), opaque_body: None, escapes: Vec::new(), python: String::new() };
    let mut blank = Blank::new(source);
    let body = take_cell_magics(source, &mut cell, &mut blank);
    if cell.opaque_body.is_none() {
        cell.escapes = match automagic(source, &cell) {
            Some(escape) => vec![escape],
            None => scan::escapes(source, body),
        };
        for escape in &cell.escapes {
            blank.escape(source, escape);
        }
    }
    cell.python = blank.finish();
    cell
}

/// Takes the `%%` lines off the start and returns where the body starts, as byte offset and line from 1.
fn take_cell_magics(source: &str, cell: &mut SplitCell, blank: &mut Blank) -> (usize, u32) {
    let mut start = (0, 1);
    loop {
        let (at, line) = skip_blank_lines(source, start);
        let rest = &source[at..];
        let Some(text) = rest.strip_prefix("%%").map(|text| text.lines().next().unwrap_or("")) else { return start };
        let Some((name, arguments)) = cell_magic_name(text) else { return start };
        let end = at + 2 + text.len();
        let body = source[end..].find('\n').map_or(source.len(), |length| end + length + 1);
        blank.cell_magic(source, at, end, name);
        cell.cell_magics.push(CellMagic {
            name: name.to_owned(),
            arguments: arguments.trim().to_owned(),
            line,
            range: at..end,
        });
        if !runs_python(name, arguments) {
            blank.fill(body..source.len());
            cell.opaque_body = Some(body..source.len());
            return (body, line + 1);
        }
        start = (body, line + 1);
    }
}

/// Whether the body of this magic runs as Python.
fn runs_python(name: &str, arguments: &str) -> bool {
    let script = || arguments.split_whitespace().find(|word| !word.starts_with('-')).unwrap_or("");
    PYTHON_CELL_MAGICS.contains(&name) || (name == "script" && script().starts_with("python"))
}

/// The offset and line of the first character that is no white space, from a line's start on.
fn skip_blank_lines(source: &str, (start, line): (usize, u32)) -> (usize, u32) {
    let rest = &source[start..];
    let blank = &rest[..rest.len() - rest.trim_start().len()];
    (start + blank.len(), line + scan::line_ends(blank))
}

/// Name and arguments behind `%%`. `%%magic?` asks for help and is no cell magic.
fn cell_magic_name(text: &str) -> Option<(&str, &str)> {
    if let Some(arguments) = text.strip_prefix('!') {
        return Some(("!", arguments));
    }
    let end = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
    let (name, arguments) = text.split_at(end);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !name.ends_with('?');
    is_name.then_some((name, arguments))
}

/// The whole cell as an automagic line: `pip install x`, `cd ..`.
fn automagic(source: &str, cell: &SplitCell) -> Option<Escape> {
    let text = source.trim();
    if !cell.cell_magics.is_empty() || text.contains(['\n', '\r']) {
        return None;
    }
    let (name, body) = text.split_once([' ', '\t'])?;
    let body = body.trim_start();
    let operators = ["in ", "is ", "and ", "or ", "if ", "not ", "for "];
    let is_argument = body.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '~'))
        || body.starts_with("..")
        || body.starts_with("./")
        || body == ".";
    if !AUTOMAGIC_WORDS.contains(&name) || !is_argument || operators.iter().any(|word| body.starts_with(word)) {
        return None;
    }
    let start = source.len() - source.trim_start().len();
    let line = 1 + scan::line_ends(&source[..start]);
    let range = start..start + text.len();
    let python = statement::python_part(source, name, range.end - body.len()..range.end);
    Some(Escape {
        kind: EscapeKind::Automagic,
        name: name.to_owned(),
        body: body.to_owned(),
        range,
        line,
        last_line: line,
        assigned: false,
        python,
    })
}

/// A copy of the cell in which ranges are blanked.
struct Blank(Vec<u8>);

impl Blank {
    fn new(source: &str) -> Self {
        Self(source.as_bytes().to_vec())
    }

    /// Turns everything but line ends into blanks. Ranges lie on character boundaries, so the text stays UTF-8.
    fn fill(&mut self, range: Range<usize>) {
        for byte in &mut self.0[range] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }

    fn cell_magic(&mut self, source: &str, start: usize, end: usize, name: &str) {
        let arguments = start + 2 + name.len()..end;
        let python =
            matches!(name, "time" | "timeit").then(|| statement::python_part(source, name, arguments)).flatten();
        self.keep_python(source, start..end, python);
    }

    fn escape(&mut self, source: &str, escape: &Escape) {
        match &escape.python {
            Some(python) if escape.assigned => self.fill(escape.range.start..python.start),
            python => self.keep_python(source, escape.range.clone(), python.clone()),
        }
    }

    /// Leaves `0` for an escape and `0; statement` for a magic that runs a simple statement.
    fn keep_python(&mut self, source: &str, range: Range<usize>, python: Option<Range<usize>>) {
        let simple =
            python.filter(|python| python.start >= range.start + 3 && !statement::is_compound(&source[python.clone()]));
        match simple {
            Some(python) => {
                self.fill(range.start..python.start);
                self.0[range.start + 1] = b';';
            }
            None => self.fill(range.clone()),
        }
        self.0[range.start] = b'0';
    }

    fn finish(self) -> String {
        String::from_utf8(self.0).expect("whole characters were replaced by ASCII")
    }
}

#[cfg(test)]
mod tests;
