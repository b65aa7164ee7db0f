//! Stream text as a terminal would show it: carriage returns and backspaces overwrite, so that a progress bar of ten
//! thousand updates takes one line.

/// Text under construction, never longer than its limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Screen {
    done: String,
    line: Vec<char>,
    line_bytes: usize,
    column: usize,
}

impl Screen {
    /// Adds text; `false` when the limit (bytes of the whole) was reached and the rest was dropped.
    pub(crate) fn push(&mut self, text: &str, limit: usize) -> bool {
        for character in text.chars() {
            match character {
                '\n' => self.end_line(),
                '\r' => self.column = 0,
                '\u{8}' => self.column = self.column.saturating_sub(1),
                _ => self.put(character),
            }
            if self.len() > limit {
                return false;
            }
        }
        true
    }

    fn put(&mut self, character: char) {
        self.line_bytes += character.len_utf8();
        if let Some(old) = self.line.get_mut(self.column) {
            self.line_bytes -= old.len_utf8();
            *old = character;
        } else {
            self.line.push(character);
        }
        self.column += 1;
    }

    fn end_line(&mut self) {
        self.done.extend(self.line.drain(..));
        self.done.push('\n');
        (self.column, self.line_bytes) = (0, 0);
    }

    /// Bytes of the text.
    pub(crate) fn len(&self) -> usize {
        self.done.len() + self.line_bytes
    }

    /// The text as it stands.
    pub(crate) fn text(&self) -> String {
        let mut text = self.done.clone();
        text.extend(&self.line);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(chunks: &[&str]) -> String {
        let mut screen = Screen::default();
        for chunk in chunks {
            assert!(screen.push(chunk, 1000));
        }
        assert_eq!(screen.len(), screen.text().len());
        screen.text()
    }

    #[test]
    fn carriage_returns_overwrite() {
        assert_eq!(shown(&["10%", "\r20", "%\r100%"]), "100%");
        assert_eq!(shown(&["abcdef\rX"]), "Xbcdef");
        assert_eq!(shown(&["one\r\ntwo\r\n"]), "one\ntwo\n");
        assert_eq!(shown(&["é\rab\n", "x"]), "ab\nx");
    }

    #[test]
    fn backspaces_go_back_but_not_over_the_line_start() {
        assert_eq!(shown(&["ab\u{8}c"]), "ac");
        assert_eq!(shown(&["a\n\u{8}\u{8}b"]), "a\nb");
    }

    #[test]
    fn endless_updates_stay_small_and_endless_text_is_cut() {
        let mut screen = Screen::default();
        for step in 0..10_000 {
            assert!(screen.push(&format!("\rstep {step}"), 100));
        }
        assert_eq!(screen.text(), "step 9999");
        assert!(!screen.push(&"x".repeat(1000), 100));
        assert!(screen.len() <= 104);
    }
}
