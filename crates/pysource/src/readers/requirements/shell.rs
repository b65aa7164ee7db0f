//! As much of the shell's grammar as command lines in notebooks use.

use std::ops::Range;

/// A word of a command, quotes taken off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Depends on a variable of the shell or of Python.
    pub(super) is_dynamic: bool,
}

impl Word {
    pub(super) fn new(text: &str) -> Self {
        let is_dynamic = text.contains(['{', '$', '`']) || text.contains("%s");
        Self { text: text.to_owned(), is_dynamic }
    }
}

/// Commands joined by `|`; pipelines are separated by `&&`, `||`, `;`, `&` and line ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pipeline {
    /// Where it stands in the text, without white space around it.
    pub(super) range: Range<usize>,
    /// Its commands as words.
    pub(super) commands: Vec<Vec<Word>>,
}

/// The pipelines of `text`, comments left out. Never fails: an unclosed quote ends with the text.
pub(super) fn pipelines(text: &str) -> Vec<Pipeline> {
    let mut lexer = Lexer {
        text,
        at: 0,
        word: None,
        is_dynamic: false,
        commands: vec![Vec::new()],
        start: 0,
        end: 0,
        found: Vec::new(),
    };
    while lexer.at < text.len() {
        lexer.next();
    }
    lexer.end_pipeline();
    lexer.found
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    word: Option<String>,
    is_dynamic: bool,
    commands: Vec<Vec<Word>>,
    /// Start of the pipeline's first word and end of its last.
    start: usize,
    end: usize,
    found: Vec<Pipeline>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&mut self) {
        let Some(character) = self.rest().chars().next() else { return };
        let second = self.rest()[character.len_utf8()..].chars().next();
        match character {
            '\\' if matches!(second, Some('\n' | '\r')) => self.continuation(),
            '\n' | ';' => self.separator(1),
            '&' if second == Some('>') => self.redirect(1),
            '&' => self.separator(if second == Some('&') { 2 } else { 1 }),
            '|' if second == Some('|') => self.separator(2),
            '|' => {
                self.end_word();
                self.commands.push(Vec::new());
                self.advance(1);
            }
            '#' if self.word.is_none() => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
            '(' | ')' if self.word.is_none() => self.at += 1,
            '<' | '>' if !self.is_specifier(second) => self.redirect(0),
            '\'' | '"' => self.quoted(character),
            _ if character.is_whitespace() => {
                self.end_word();
                self.at += character.len_utf8();
            }
            _ => self.plain(character, second),
        }
    }

    /// A character of a word, or an escaped one.
    fn plain(&mut self, character: char, second: Option<char>) {
        self.begin();
        if character == '$' && second == Some('(') {
            return self.substitution();
        }
        let (kept, length) = match second {
            Some(second) if character == '\\' => (second, 1 + second.len_utf8()),
            _ => (character, character.len_utf8()),
        };
        self.is_dynamic |= matches!(character, '$' | '`' | '{');
        self.push(kept);
        self.advance(length);
    }

    /// `$( … )` as part of a word.
    fn substitution(&mut self) {
        self.is_dynamic = true;
        let length = self.rest().find(')').map_or(self.rest().len(), |close| close + 1);
        self.push('$');
        self.advance(length);
    }

    fn continuation(&mut self) {
        self.end_word();
        self.at += self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
    }

    fn quoted(&mut self, quote: char) {
        self.begin();
        let body = &self.text[self.at + 1..];
        let mut length = body.len();
        let mut characters = body.char_indices();
        let mut text = String::new();
        while let Some((index, character)) = characters.next() {
            if character == quote {
                length = index + 1;
                break;
            }
            if character == '\\' && quote == '"' {
                text.extend(characters.next().map(|(_, escaped)| escaped));
                continue;
            }
            self.is_dynamic |= character == '{' || (quote == '"' && matches!(character, '$' | '`'));
            text.push(character);
        }
        if let Some(word) = &mut self.word {
            word.push_str(&text);
        }
        self.advance(1 + length);
    }

    /// Whether `<` or `>` belongs to a version: `pandas>=1`, `numpy<2`. Strictly they redirect there too, but it is
    /// not what the author meant.
    fn is_specifier(&self, second: Option<char>) -> bool {
        let names = self.word.as_ref().is_some_and(|word| word.starts_with(|c: char| c.is_alphabetic()));
        names && second.is_some_and(|next| next == '=' || next.is_ascii_digit())
    }

    /// Skips a redirection with its target; `skip` bytes stand before its sign.
    fn redirect(&mut self, skip: usize) {
        if self.word.as_ref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
        let signs = self.rest()[skip..].trim_start_matches(['<', '>', '&']);
        let target = signs.trim_start_matches([' ', '\t']);
        let length = target.find(|c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&')).unwrap_or(target.len());
        let skipped = self.rest().len() - target.len() + length;
        self.advance(skipped);
    }

    fn begin(&mut self) {
        if self.word.is_none() {
            self.word = Some(String::new());
            self.is_dynamic = false;
            if self.is_empty() {
                self.start = self.at;
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.commands.len() == 1 && self.commands[0].is_empty()
    }

    fn push(&mut self, character: char) {
        if let Some(word) = &mut self.word {
            word.push(character);
        }
    }

    fn advance(&mut self, length: usize) {
        self.at = (self.at + length).min(self.text.len());
        self.end = self.at;
    }

    fn end_word(&mut self) {
        if let Some(text) = self.word.take() {
            let is_dynamic = self.is_dynamic || text.contains("%s");
            if let Some(command) = self.commands.last_mut() {
                command.push(Word { text, is_dynamic });
            }
        }
    }

    fn separator(&mut self, length: usize) {
        self.end_pipeline();
        self.at += length;
    }

    fn end_pipeline(&mut self) {
        self.end_word();
        let commands = std::mem::replace(&mut self.commands, vec![Vec::new()]);
        if commands.iter().any(|command| !command.is_empty()) {
            self.found.push(Pipeline { range: self.start..self.end.max(self.start), commands });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let joined = |pipeline: &Pipeline| {
            let commands = pipeline.commands.iter().map(|command| {
                command
                    .iter()
                    .map(|word| format!("<{}{}>", word.text, if word.is_dynamic { "*" } else { "" }))
                    .collect()
            });
            let commands: Vec<String> = commands.collect();
            format!("{} {}", &text[pipeline.range.clone()], commands.join("|"))
        };
        pipelines(text).iter().map(joined).collect()
    }

    #[test]
    fn words_and_quotes() {
        assert_eq!(words(" a  'b c' \"d\\\"e\" f\\ g # h"), ["a  'b c' \"d\\\"e\" f\\ g <a><b c><d\"e><f g>"]);
        assert_eq!(words("a $x {y} \"$z\" '$z' p%s"), ["a $x {y} \"$z\" '$z' p%s <a><$x*><{y}*><$z*><$z><p%s*>"]);
        assert_eq!(words("a 'unclosed"), ["a 'unclosed <a><unclosed>"]);
        assert_eq!(words("  # nothing"), [""; 0]);
        assert_eq!(words("a \\\n b"), ["a \\\n b <a><b>"]);
    }

    #[test]
    fn pipelines_are_separated() {
        assert_eq!(words("a && b;c || d & e | f\ng"), ["a <a>", "b <b>", "c <c>", "d <d>", "e | f <e>|<f>", "g <g>"]);
        assert_eq!(words("(cd x; a $(b c) d)"), ["cd x <cd><x>", "a $(b c) d) <a><$*><d)>"]);
    }

    #[test]
    fn redirections_are_no_words_and_versions_are() {
        assert_eq!(words("a 2>&1 >/dev/null b"), ["a 2>&1 >/dev/null b <a><b>"]);
        assert_eq!(words("a &> log && b"), ["a &> log <a>", "b <b>"]);
        assert_eq!(words("p q>=1.0,<2 r<3 s>log"), ["p q>=1.0,<2 r<3 s>log <p><q>=1.0,<2><r<3><s>"]);
        assert_eq!(words("a > x | b"), ["a > x | b <a>|<b>"]);
    }
}
