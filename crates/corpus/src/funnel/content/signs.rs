//! Signs of a language in code whose language is not known, counted line by line.

use super::super::CodeLanguage;

/// A language is named from this weight on: one sign that no other language has, or three weak ones.
const ENOUGH: u32 = 3;

/// Another language than Python must outweigh Python's signs this many times: a study that keeps one wrong notebook sees it fail, one
/// that drops a right one never learns.
const MAJORITY: u32 = 2;

/// Cell magics whose cells are in a language that says nothing about the notebook's.
const FOREIGN_CELLS: [&str; 18] = [
    "bash",
    "sh",
    "script",
    "system",
    "html",
    "svg",
    "javascript",
    "js",
    "latex",
    "markdown",
    "writefile",
    "file",
    "perl",
    "ruby",
    "sql",
    "bigquery",
    "cython",
    "cmd",
];

/// The weight of the signs of each language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signs {
    python: u32,
    r: u32,
    julia: u32,
    sql: u32,
}

impl Signs {
    /// The language that the signs speak for; `None` when they are too few.
    pub(super) fn language(self) -> Option<CodeLanguage> {
        let others = [(self.r, CodeLanguage::R), (self.julia, CodeLanguage::Julia), (self.sql, CodeLanguage::Sqlite)];
        let strongest = others.into_iter().rev().max_by_key(|(weight, _)| *weight);
        match strongest {
            Some((weight, language)) if weight >= ENOUGH && weight > MAJORITY * self.python => Some(language),
            _ => (self.python > 0).then_some(CodeLanguage::Python),
        }
    }

    /// Counts the signs of one cell of a notebook.
    pub(super) fn read_cell(&mut self, source: &str) {
        let first = source.lines().find(|line| !line.trim().is_empty()).map_or("", str::trim);
        let magic = first.strip_prefix("%%").and_then(|rest| rest.split_whitespace().next()).unwrap_or("");
        match magic {
            "R" => self.r += 1,
            "julia" => self.julia += 1,
            _ if FOREIGN_CELLS.contains(&magic) => return,
            _ => {}
        }
        self.read(source);
    }

    /// Counts the signs of a text.
    pub(super) fn read(&mut self, text: &str) {
        let mut inside = None;
        for line in text.lines() {
            let bare = bare_line(line, &mut inside);
            let bare = bare.trim();
            if !bare.is_empty() {
                self.python += python(bare);
                self.r += r(bare);
                self.julia += julia(bare);
                self.sql += sql(bare);
            }
        }
    }
}

fn python(line: &str) -> u32 {
    let word = first_word(line);
    match word {
        "import" if line.contains(" as ") || line.contains('.') => 2,
        "import" => 1,
        "from" if line.contains(" import ") => 3,
        "def" | "class" if line.ends_with(':') => 3,
        "if" | "elif" | "else" | "for" | "while" | "with" | "try" | "except" | "finally" if line.ends_with(':') => 1,
        "print" if line.strip_prefix("print").is_some_and(|rest| rest.starts_with(' ')) => 1,
        _ if line.starts_with('%') || line.starts_with('!') => 1,
        _ => 0,
    }
}

fn r(line: &str) -> u32 {
    let operator = ["%>%", "%in%", "%<>%", "%*%"].iter().any(|operator| line.contains(operator));
    let call = |name: &str| line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('('));
    let package = call("library") || call("suppressMessages") || call("suppressPackageStartupMessages");
    let body = line.contains("<- function(") || line.contains("= function(") || line.starts_with("} else {");
    3 * u32::from(package) + 2 * u32::from(operator) + 2 * u32::from(body) + u32::from(is_arrow_assignment(line))
}

/// `name <- value`, the way R assigns. Python reads `a <-1` as a comparison, so a digit right behind the arrow does not count.
fn is_arrow_assignment(line: &str) -> bool {
    let Some((name, value)) = line.split_once("<-") else {
        return false;
    };
    let name = name.trim_end();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '[' | ']' | ',' | '"' | '\'');
    !name.is_empty()
        && name.starts_with(|c: char| c.is_alphabetic() || c == '.')
        && name.chars().all(plain)
        && !value.starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

fn julia(line: &str) -> u32 {
    let rest = line.split_once(' ').map_or("", |(_, rest)| rest.trim_start());
    match first_word(line) {
        "using" if rest.starts_with(|c: char| c.is_ascii_uppercase()) => 3,
        "function" if rest.contains('(') && !line.ends_with('{') && !line.ends_with(':') => 2,
        "end" if line == "end" || line == "end;" => 1,
        "println" => 1,
        "Pkg" if line.starts_with("Pkg.add(") => 2,
        _ => 0,
    }
}

fn sql(line: &str) -> u32 {
    let line = line.to_ascii_lowercase();
    let starts = |words: &str| line.strip_prefix(words).is_some_and(|rest| rest.starts_with([' ', '\t', '*']));
    match first_word(&line) {
        "select" if starts("select") => 2,
        "create" if starts("create table") || starts("create view") => 2,
        "insert" if starts("insert into") => 2,
        "from" if !line.contains(" import") && starts("from") => 1,
        "group" | "order" if starts("group by") || starts("order by") => 1,
        "where" | "limit" if starts("where") || starts("limit") => 1,
        _ => 0,
    }
}

fn first_word(line: &str) -> &str {
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(line.len());
    &line[..end]
}

/// The line without comments, and with what stands between quotes reduced to one quote. `inside` is the triple quote that is open from line to line.
fn bare_line(line: &str, inside: &mut Option<&'static str>) -> String {
    let mut bare = String::with_capacity(line.len());
    let mut rest = line;
    loop {
        if let Some(quote) = *inside {
            let Some(end) = rest.find(quote) else { return bare };
            rest = &rest[end + quote.len()..];
            *inside = None;
        }
        let Some(place) = rest.find(['#', '"', '\'']) else {
            bare.push_str(rest);
            return bare;
        };
        bare.push_str(&rest[..place]);
        rest = &rest[place..];
        if rest.starts_with('#') {
            return bare;
        }
        if let Some(quote) = ["\"\"\"", "'''"].into_iter().find(|quote| rest.starts_with(quote)) {
            *inside = Some(quote);
            rest = &rest[quote.len()..];
            continue;
        }
        bare.push('"');
        rest = after_string(rest);
    }
}

/// What comes behind the string that `text` opens; a string ends with its line at the latest.
fn after_string(text: &str) -> &str {
    let mut characters = text.char_indices();
    let quote = characters.next().map(|(_, quote)| quote);
    while let Some((place, character)) = characters.next() {
        if character == '\\' {
            characters.next();
        } else if Some(character) == quote {
            return &text[place + character.len_utf8()..];
        }
    }
    ""
}
