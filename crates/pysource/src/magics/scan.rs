//! A walk over the logical lines of a cell that knows strings, comments, brackets and continuations, and nothing else
//! of Python. It finds the escapes where IPython's own token walk finds them.

use std::ops::Range;

use super::{Escape, EscapeKind, statement};

/// The number of line ends in `text`.
pub(super) fn line_ends(text: &str) -> u32 {
    u32::try_from(text.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(u32::MAX)
}

/// The escapes from `start` (a line's start, as byte offset and line from 1) to the end.
pub(super) fn escapes(source: &str, start: (usize, u32)) -> Vec<Escape> {
    let mut walk = Walk { source, bytes: source.as_bytes(), at: start.0, line: start.1, escapes: Vec::new() };
    while walk.at < walk.bytes.len() {
        walk.logical_line();
    }
    walk.escapes
}

struct Walk<'a> {
    source: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    escapes: Vec<Escape>,
}

impl Walk<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Goes one byte on and counts lines.
    fn step(&mut self) {
        if self.peek(0) == b'\n' {
            self.line += 1;
        }
        self.at += 1;
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(0), b' ' | b'\t' | b'\r' | 0x0c) && self.at < self.bytes.len() {
            self.at += 1;
        }
    }

    fn logical_line(&mut self) {
        self.skip_blanks();
        match self.peek(0) {
            b'%' | b'!' => self.escape(false),
            b'?' => self.help(self.at, self.line, None),
            b'/' | b',' | b';' if self.peek(1).is_ascii_alphabetic() || self.peek(1) == b'_' => self.auto_call(),
            _ => self.python(),
        }
        if self.at < self.bytes.len() {
            self.step();
        }
    }

    /// Goes to the end of the line, over line ends behind a backslash.
    fn finish_line(&mut self) {
        while self.at < self.bytes.len() {
            let continued =
                self.peek(0) == b'\\' && (self.peek(1) == b'\n' || (self.peek(1) == b'\r' && self.peek(2) == b'\n'));
            if continued {
                self.step();
                while self.peek(0) != b'\n' {
                    self.step();
                }
            } else if self.peek(0) == b'\n' {
                return;
            }
            self.step();
        }
    }

    /// A statement of Python up to the end of its last line, or up to an escape that it assigns.
    fn python(&mut self) {
        let (start, first_line) = (self.at, self.line);
        let mut depth = 0_usize;
        let mut last = 0;
        while self.at < self.bytes.len() {
            let byte = self.peek(0);
            match byte {
                b'\n' if depth == 0 => break,
                b'#' => {
                    self.comment();
                    continue;
                }
                b'"' | b'\'' => {
                    self.string();
                    last = byte;
                    continue;
                }
                b'\\' if matches!(self.peek(1), b'\n' | b'\r') => {
                    self.step();
                    self.step();
                    continue;
                }
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'=' if depth == 0 && self.assigns_escape() => {
                    self.step();
                    self.skip_blanks();
                    return self.escape(true);
                }
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                last = byte;
            }
            self.step();
        }
        if last == b'?' && depth == 0 {
            self.help(start, first_line, Some(self.at));
        }
    }

    fn comment(&mut self) {
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            self.at += 1;
        }
    }

    /// A string literal; one without triple quotes ends with its line at the latest.
    fn string(&mut self) {
        let quote = self.peek(0);
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        self.at += if triple { 3 } else { 1 };
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\\' => self.step(),
                b'\n' if !triple => return,
                byte if byte == quote => {
                    if !triple {
                        self.at += 1;
                        return;
                    }
                    if self.peek(1) == quote && self.peek(2) == quote {
                        self.at += 3;
                        return;
                    }
                }
                _ => {}
            }
            if self.at < self.bytes.len() {
                self.step();
            }
        }
    }

    /// Whether the `=` here is an assignment whose value is `%magic` or `!command`.
    fn assigns_escape(&self) -> bool {
        let before = self.at.checked_sub(1).map_or(0, |before| self.bytes[before]);
        if b"=!<>+-*/%&|^@:~".contains(&before) {
            return false;
        }
        let rest = &self.bytes[self.at + 1..];
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        match rest[blanks..] {
            [b'%', next, ..] => next.is_ascii_alphabetic() || next == b'_',
            [b'!', next, ..] => next != b'=',
            _ => false,
        }
    }

    fn escape(&mut self, assigned: bool) {
        let (start, line) = (self.at, self.line);
        self.finish_line();
        let end = start + self.source[start..self.at].trim_end().len();
        let text = &self.source[start..end];
        let is_magic = text.starts_with('%');
        if is_magic && text.ends_with('?') {
            return self.push(EscapeKind::Help, "", start..end, line, 0);
        }
        if !is_magic {
            let signs = if text.starts_with("!!") { 2 } else { 1 };
            return self.push_as(EscapeKind::Shell, "", start..end, line, signs, assigned);
        }
        let name_end = text[1..].find(|c: char| c.is_whitespace()).map_or(text.len(), |length| length + 1);
        let name = text[1..name_end].to_owned();
        self.push_as(EscapeKind::LineMagic, &name, start..end, line, name_end, assigned);
    }

    fn auto_call(&mut self) {
        let (start, line) = (self.at, self.line);
        self.finish_line();
        let end = start + self.source[start..self.at].trim_end().len();
        self.push(EscapeKind::AutoCall, "", start..end, line, 1);
    }

    /// Help: the whole line, or the statement that ended at `end`.
    fn help(&mut self, start: usize, line: u32, end: Option<usize>) {
        if end.is_none() {
            self.finish_line();
        }
        let end = start + self.source[start..self.at].trim_end().len();
        self.push(EscapeKind::Help, "", start..end, line, 0);
    }

    fn push(&mut self, kind: EscapeKind, name: &str, range: Range<usize>, line: u32, skip: usize) {
        self.push_as(kind, name, range, line, skip, false);
    }

    /// Notes an escape whose body starts `skip` bytes behind its start.
    fn push_as(&mut self, kind: EscapeKind, name: &str, range: Range<usize>, line: u32, skip: usize, assigned: bool) {
        let body = range.start + skip..range.end;
        let text = &self.source[body.clone()];
        let python = match kind {
            EscapeKind::LineMagic => statement::python_part(self.source, name, body),
            _ => None,
        };
        self.escapes.push(Escape {
            kind,
            name: name.to_owned(),
            body: joined(text),
            line,
            last_line: line + line_ends(&self.source[range.clone()]),
            range,
            assigned,
            python,
        });
    }
}

/// The text on one line: a backslash at a line's end and the line end become a blank.
fn joined(text: &str) -> String {
    let mut lines = text.lines().map(|line| line.strip_suffix('\\').unwrap_or(line).trim());
    let mut all = lines.next().unwrap_or("").to_owned();
    for line in lines {
        all.push(' ');
        all.push_str(line);
    }
    all.trim().to_owned()
}
