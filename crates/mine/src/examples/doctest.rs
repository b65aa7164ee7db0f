//! Examples in a text, as Python's module `doctest` reads them: code behind `>>> ` and `... `, and what it shows up to an empty line.

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
    found
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
        assert!(read("no >>> here\n>>>x\n").is_empty());
    }

    proptest! {
        #[test]
        fn no_text_does_harm(text in "(>>> a|\\.\\.\\. b|  |c|é|\n){0,20}") {
            let _ = read(&text);
        }
    }
}
