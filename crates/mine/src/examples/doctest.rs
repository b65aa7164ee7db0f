//! Examples in a text, as Python's module `doctest` reads them: code behind `>>> ` and `... `, and what it shows up to an empty line. Lines that
//! go on without the prompt of their example are code as well, which `doctest` refuses and readers understand.

use nbrevive_pysource::parse::parse;

/// One example.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Doctest {
    pub(super) code: String,
    /// What it is said to show; empty for nothing.
    pub(super) shown: String,
}

impl Doctest {
    /// Whether it is said to raise.
    pub(super) fn raises(&self) -> bool {
        self.shown.starts_with("Traceback (")
    }

    /// Whether whoever wrote it wants it to be passed over.
    pub(super) fn is_skipped(&self) -> bool {
        self.code.contains("doctest:") && self.code.contains("+SKIP")
    }

    /// Takes the first lines of what it shows for code where the code cannot be read without them and can be with them.
    fn go_on(&mut self) {
        if self.shown.is_empty() || is_whole(&self.code) {
            return;
        }
        let mut code = self.code.clone();
        let mut rest = self.shown.as_str();
        while !rest.is_empty() {
            let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
            let line = after(line.trim_start(), "...").unwrap_or(line);
            code.push('\n');
            code.push_str(line);
            rest = behind;
            if is_whole(&code) {
                (self.code, self.shown) = (code, rest.to_owned());
                return;
            }
        }
    }
}

/// The examples of a text in their order.
pub(super) fn read(text: &str) -> Vec<Doctest> {
    let mut found: Vec<Doctest> = Vec::new();
    // How deep the example that is being read is indented; `None` between examples.
    let mut indent: Option<usize> = None;
    for line in text.lines() {
        let bare = line.trim_start();
        let depth = line.len() - bare.len();
        if let Some(code) = after(bare, ">>>") {
            found.push(Doctest { code: code.to_owned(), shown: String::new() });
            indent = Some(depth);
            continue;
        }
        let (Some(column), Some(last)) = (indent, found.last_mut()) else { continue };
        if bare.is_empty() {
            indent = None;
        } else if let Some(code) = after(bare, "...").filter(|_| last.shown.is_empty() && depth == column) {
            last.code.push('\n');
            last.code.push_str(code);
        } else {
            let shown = line.get(column.min(depth)..).unwrap_or(bare);
            if !last.shown.is_empty() {
                last.shown.push('\n');
            }
            last.shown.push_str(if shown == "<BLANKLINE>" { "" } else { shown.trim_end() });
        }
    }
    found.iter_mut().for_each(Doctest::go_on);
    found
}

/// Whether code can be read.
fn is_whole(code: &str) -> bool {
    parse(code).errors().is_empty()
}

/// What stands behind a prompt.
fn after<'l>(line: &'l str, prompt: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(prompt)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn examples_are_read_as_doctest_does() {
        let text = "Sums.\n\n    >>> for x in y:\n    ...     print(x)\n    1\n    <BLANKLINE>\n      2\n    >>> z\n\n    Then:\n\n    >>> 1/0\n    Traceback (most recent call last):\n    ZeroDivisionError: x\n";
        let found = read(text);
        let told: Vec<(&str, &str)> = found.iter().map(|one| (one.code.as_str(), one.shown.as_str())).collect();
        assert_eq!(told[..2], [("for x in y:\n    print(x)", "1\n\n  2"), ("z", "")]);
        assert!(found[2].raises() && found.len() == 3);
        assert!(read(">>> f()  # doctest: +SKIP\n")[0].is_skipped());
        let torn = ">>> f([1,\n...    2],\n        3)\n6\n>>> A   B\n    1   2\n";
        let torn = read(torn);
        assert_eq!((torn[0].code.as_str(), torn[0].shown.as_str()), ("f([1,\n   2],\n        3)", "6"));
        assert_eq!((torn[1].code.as_str(), torn[1].shown.as_str()), ("A   B", "    1   2"));
        assert!(read("no >>> here\n>>>x\n").is_empty());
    }

    proptest! {
        #[test]
        fn no_text_does_harm(text in "(>>> a|\\.\\.\\. b|  |c|é|\n){0,20}") {
            let _ = read(&text);
        }
    }
}
