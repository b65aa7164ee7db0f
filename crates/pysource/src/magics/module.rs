//! The two parsers, for magic-free text: ruff's for Python 3 and tree-sitter's, which is tolerant and knows Python 2.
//!
//! Ruff's trees come with a guard: a tree so deep that walking or dropping it could exhaust the stack is
//! walked on a larger stack, or not at all.

use ruff_python_ast::{ModModule, PythonVersion};
use ruff_python_parser::{Mode, ParseOptions, Parsed, parse_unchecked};
use tree_sitter::{Node, Parser, Tree};

/// Up to this estimated depth the caller's stack is large enough (2 MB threads, debug builds included).
const DEPTH_ON_THIS_STACK: usize = 250;
/// Up to this depth a stack of [`LARGE_STACK`] bytes is; Python's own parser gives up far below.
const DEPTH_ON_LARGE_STACK: usize = 20_000;
/// 16 KB a level, reserved and not used unless needed.
const LARGE_STACK: usize = 16 * 1024 * DEPTH_ON_LARGE_STACK;

/// Of longer texts (128 KB) the tolerant grammar is given the head alone: on junk its error recovery takes 4 µs a byte.
const LONGEST_TOLERANT: usize = 1 << 17;

/// Parses `text` as a module of Python 3 and gives it to `walk`. All syntax newer than 3.0 is listed by the parser as
/// unsupported, which tells the version that it needs. `None` when the text is nested too deeply to be real.
///
/// The parser's IPython mode is not used: escapes are blanked before, and behind some errors that mode panics (ruff
/// 0.0.10, see the test).
pub(crate) fn with_module<R: Send>(text: &str, walk: impl FnOnce(&Parsed<ModModule>) -> R + Send) -> Option<R> {
    let run = || {
        let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion { major: 3, minor: 0 });
        let parsed = parse_unchecked(text, options).try_into_module()?;
        Some(walk(&parsed))
    };
    on_a_fitting_stack(text, run)
}

/// Does something that makes, walks and drops the tree of a text, on a stack that is large enough; `None` where none is.
pub(crate) fn on_a_fitting_stack<R: Send>(text: &str, run: impl FnOnce() -> Option<R> + Send) -> Option<R> {
    match depth_bound(text) {
        0..=DEPTH_ON_THIS_STACK => run(),
        depth if depth <= DEPTH_ON_LARGE_STACK => std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(LARGE_STACK).spawn_scoped(scope, run).ok()?;
            thread.join().ok().flatten()
        }),
        _ => None,
    }
}

/// Whether a tree of this text can be walked and dropped on any thread's stack.
pub(crate) fn fits_this_stack(text: &str) -> bool {
    depth_bound(text) <= DEPTH_ON_THIS_STACK
}

/// The tree of the tolerant grammar, which reads Python 2 and 3. Of a text too long for it the tree covers the head, whole
/// lines of it.
pub(crate) fn tolerant_tree(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
    let head = &text[..text.floor_char_boundary(LONGEST_TOLERANT)];
    let end = if head.len() < text.len() { head.rfind('\n').unwrap_or(0) } else { head.len() };
    parser.parse(&head[..end], None)
}

/// Calls `visit` for every node of `tree` in source order, without recursion.
pub(crate) fn walk_nodes<'tree>(tree: &'tree Tree, mut visit: impl FnMut(Node<'tree>)) {
    let mut cursor = tree.walk();
    loop {
        visit(cursor.node());
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// Line numbers of byte offsets.
pub(crate) struct Lines(Vec<usize>);

impl Lines {
    /// Notes where the lines of `text` start.
    pub(crate) fn of(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(ends).collect())
    }

    /// The line of the byte at `offset`, from 1.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }
}

/// Where a scan stands within a formatted string.
enum Part {
    /// In its text, up to this quote.
    Text { quote: u8, is_triple: bool },
    /// In a field, within so many brackets of its own.
    Field(usize),
    /// Behind the colon of a field.
    Format,
}

/// An upper bound of the depth of the tree: of each bracket level the words and operators since the last comma, or
/// since the start of the line outside brackets, summed over the levels, plus the indentation. Strings count one word,
/// fields of formatted ones as brackets.
fn depth_bound(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut tally = Tally { levels: vec![0], sum: 0, bound: 0 };
    let (mut at, mut line_start, mut deepest_indent) = (0, Some(0), 0);
    let mut parts: Vec<Part> = Vec::new();
    while at < bytes.len() {
        if let Some(Part::Text { .. } | Part::Format) = parts.last() {
            at = behind_text(bytes, at, &mut parts, &mut tally);
            continue;
        }
        let byte = bytes[at];
        let start = at;
        at += 1;
        match byte {
            b'\n' => {
                tally.end_line();
                line_start = Some(at);
                continue;
            }
            b'\\' if bytes.get(at) == Some(&b'\n') => at += 1,
            b' ' | b'\t' | b'\r' => continue,
            b'#' => at = text[at..].find('\n').map_or(bytes.len(), |length| at + length),
            b'"' | b'\'' => {
                tally.count();
                if is_formatted(&bytes[..start]) {
                    let is_triple = bytes[start..].starts_with(&[byte; 3]);
                    at = start + if is_triple { 3 } else { 1 };
                    parts.push(Part::Text { quote: byte, is_triple });
                } else {
                    at = end_of_string(bytes, start);
                }
            }
            b'(' | b'[' | b'{' => {
                tally.open();
                if let Some(Part::Field(brackets)) = parts.last_mut() {
                    *brackets += 1;
                }
            }
            b')' | b']' | b'}' => {
                tally.close();
                match parts.last_mut() {
                    Some(Part::Field(0)) => drop(parts.pop()),
                    Some(Part::Field(brackets)) => *brackets -= 1,
                    _ => {}
                }
            }
            b':' if matches!(parts.last(), Some(Part::Field(0))) => {
                parts.pop();
                parts.push(Part::Format);
            }
            b',' => tally.comma(),
            _ if is_word(byte) => {
                at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                tally.count();
            }
            _ => tally.count(),
        }
        if let Some(line_start) = line_start.take() {
            deepest_indent = deepest_indent.max(start - line_start);
        }
    }
    tally.bound + deepest_indent
}

/// Goes through the text of a formatted string from `at` to behind what ends it: the start of a field, the end of a format, the quote, or
/// the line of a string that is not closed.
fn behind_text(bytes: &[u8], mut at: usize, parts: &mut Vec<Part>, tally: &mut Tally) -> usize {
    let is_format = matches!(parts.last(), Some(Part::Format));
    let string = parts.iter().enumerate().rev().find_map(|(place, part)| match part {
        Part::Text { quote, is_triple } => Some((place, *quote, *is_triple)),
        Part::Field(_) | Part::Format => None,
    });
    let Some((place, quote, is_triple)) = string else { return bytes.len() };
    while at < bytes.len() {
        let is_end = bytes[at] == quote && (!is_triple || bytes[at..].starts_with(&[quote; 3]));
        match bytes[at] {
            b'\\' => at += 1,
            b'{' if !is_format && bytes.get(at + 1) == Some(&b'{') => at += 1,
            b'{' => {
                tally.open();
                parts.push(Part::Field(0));
                return at + 1;
            }
            b'}' if is_format => {
                tally.close();
                parts.pop();
                return at + 1;
            }
            byte if is_end || byte == b'\n' && !is_triple => {
                (place + 1..parts.len()).for_each(|_| tally.close());
                parts.truncate(place);
                let quotes = if is_triple { 3 } else { 1 };
                return if is_end { at + quotes } else { at };
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Whether the string that follows `before` has a prefix with `f` or `t`.
fn is_formatted(before: &[u8]) -> bool {
    let length = before.iter().rev().take(3).take_while(|byte| is_word(**byte)).count();
    let prefix = before[before.len() - length..].to_ascii_lowercase();
    matches!(&prefix[..], b"f" | b"rf" | b"fr" | b"t" | b"rt" | b"tr")
}

/// The offset behind the string literal at `start`.
pub(crate) fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let triple = bytes[start..].starts_with(&[quote; 3]);
    let mut at = start + if triple { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' if !triple => return at,
            byte if byte == quote && !triple => return at + 1,
            byte if byte == quote && bytes[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The counts of the open bracket levels.
struct Tally {
    levels: Vec<usize>,
    sum: usize,
    bound: usize,
}

impl Tally {
    fn count(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            *level += 1;
            self.sum += 1;
            self.bound = self.bound.max(self.sum);
        }
    }

    fn open(&mut self) {
        self.levels.push(0);
        self.count();
    }

    fn close(&mut self) {
        if self.levels.len() > 1 {
            self.sum -= self.levels.pop().unwrap_or(0);
        }
        self.count();
    }

    /// The next element is as deep as the one before: the bracket around both stays open.
    fn comma(&mut self) {
        let bracket = usize::from(self.levels.len() > 1);
        if let Some(level) = self.levels.last_mut() {
            self.sum -= level.saturating_sub(bracket);
            *level = bracket.min(*level);
        }
    }

    /// Outside brackets a line's end is a statement's end.
    fn end_line(&mut self) {
        if self.levels.len() == 1 {
            self.comma();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(text: &str) -> Option<usize> {
        with_module(text, |module| module.suite().len())
    }

    #[test]
    fn brackets_stay_open_over_a_comma() {
        for piece in ["{,", "f(a, ", "[1, "] {
            assert!(depth_bound(&piece.repeat(1000)) >= 1000, "{piece}");
        }
    }

    #[test]
    fn ordinary_text_is_shallow() {
        let list = format!("x = [{}]\n", "-1.5, ".repeat(5000));
        let picture = format!("show(HTML('<img src=\"{}\">'))", "ab+/".repeat(20_000));
        for text in [&picture, "a = f(b, c=d)[1:2]\nfor i in x:\n    print(i)\n", &list] {
            assert!(depth_bound(text) < 60, "{}", depth_bound(text));
            assert!(statements(text).is_some());
        }
    }

    #[test]
    fn formatted_strings_are_as_deep_as_their_fields() {
        let line =
            "print(f'Node {n} of {len(G)}: {a[0]:>{width}.2f} {{x}} it\\'s', f\"can't {d['k']}\", F'''a\n'{b}''')\n";
        assert!(depth_bound(&line.repeat(300)) < 60, "{}", depth_bound(&line.repeat(300)));
        assert_eq!(statements(&line.repeat(300)), Some(300));
        for line in ["x = f'{a:'>10}'\n", "if'{'in x: y\n", "x = f'a\n", "print'{'\n"] {
            let text = format!("{line}{}", "y = g(1)\n".repeat(200));
            assert!(depth_bound(&text) < 60, "{line}: {}", depth_bound(&text));
        }
    }

    #[test]
    fn escapes_behind_errors_do_not_panic() {
        for text in ["os.system(]%%bash\n; install ", "f(]\n; g", "f(]\n?x", "f(]\n/g a"] {
            assert!(statements(text).is_some());
        }
    }

    #[test]
    fn deep_text_is_walked_or_refused_but_never_fatal() {
        for unit in [
            "[",
            "(",
            "-",
            "not ",
            "a.",
            "f(",
            "lambda: ",
            "1 + ",
            "x if y else ",
            "a ** ",
            "{1: ",
            "await ",
            "[,",
            "[1, ",
            "f(a, ",
            "f'{",
            "f'{a:{",
            "f'{[",
            "f'''{\n(",
        ] {
            assert!(statements(&unit.repeat(3000)).is_some(), "{unit}");
            assert_eq!(statements(&unit.repeat(200_000)), None, "{unit}");
        }
    }
}
