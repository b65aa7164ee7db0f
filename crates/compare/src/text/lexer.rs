//! Words, numbers and signs of a text that Python printed, prose as well as reprs. Spaces and line ends part them and are gone.

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'t> {
    /// A number as printed, with its sign.
    Number(Numeral<'t>),
    /// A name, dotted or not, or a word of prose.
    Word(&'t str),
    /// What stands between quotes on one line; `b` and `u` before it are left out.
    Quoted(&'t str),
    /// An opening bracket.
    Open(char),
    /// A closing bracket.
    Close(char),
    /// Any other character, or a run of the same one.
    Mark(&'t str),
}

/// A number and how it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numeral<'t> {
    pub(crate) text: &'t str,
    pub(crate) value: f64,
    /// Written without point and exponent: it says its value exactly.
    pub(crate) is_integer: bool,
}

/// A token with the place of its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lexeme<'t> {
    pub(crate) token: Token<'t>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Takes a text apart. Takes time in the order of its length.
pub(crate) fn lexemes(text: &str) -> Vec<Lexeme<'_>> {
    let mut lexer = Lexer { text, at: 0, unquoted_until: 0 };
    std::iter::from_fn(|| lexer.step()).collect()
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Up to here no quote is closed on its line: an apostrophe of prose was met, and is not looked for again.
    unquoted_until: usize,
}

impl<'t> Lexer<'t> {
    fn step(&mut self) -> Option<Lexeme<'t>> {
        let bytes = self.text.as_bytes();
        while let Some(space) = self.rest().chars().next().filter(|letter| letter.is_whitespace()) {
            self.at += space.len_utf8();
        }
        let start = self.at;
        let first = self.rest().chars().next()?;
        let token = match first {
            '(' | '[' | '{' => self.single(Token::Open(first)),
            ')' | ']' | '}' => self.single(Token::Close(first)),
            '"' | '\'' => self.quoted(0).unwrap_or_else(|| self.mark(first)),
            'b' | 'u' | 'B' | 'U' if matches!(bytes.get(start + 1), Some(b'"' | b'\'')) => {
                self.quoted(1).unwrap_or_else(|| self.word())
            }
            '0'..='9' | '.' | '-' | '+' => self.number().unwrap_or_else(|| self.mark(first)),
            _ if first.is_alphabetic() || first == '_' => self.word(),
            _ => self.mark(first),
        };
        Some(Lexeme { token, start, end: self.at })
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn single(&mut self, token: Token<'t>) -> Token<'t> {
        self.at += 1;
        token
    }

    fn take(&mut self, length: usize) -> &'t str {
        let taken = self.rest().get(..length).unwrap_or_default();
        self.at += taken.len();
        taken
    }

    /// A string literal behind a prefix of so many letters; `None` where it is not closed on its line.
    fn quoted(&mut self, prefix: usize) -> Option<Token<'t>> {
        let rest = self.rest().get(prefix..)?;
        let before = self.text.get(..self.at)?.chars().next_back();
        // The apostrophe in "don't".
        if before.is_some_and(char::is_alphanumeric) || self.at < self.unquoted_until {
            return None;
        }
        let quote = rest.bytes().next()?;
        let mut bytes = rest.bytes().enumerate().skip(1);
        while let Some((index, byte)) = bytes.next() {
            match byte {
                b'\n' => {
                    self.unquoted_until = self.at + index;
                    return None;
                }
                b'\\' => drop(bytes.next()),
                _ if byte == quote => {
                    let content = rest.get(1..index)?;
                    self.at += prefix + index + 1;
                    return Some(Token::Quoted(content));
                }
                _ => {}
            }
        }
        self.unquoted_until = self.text.len();
        None
    }

    fn word(&mut self) -> Token<'t> {
        let rest = self.rest();
        let part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut end = rest.find(|letter: char| !part(letter)).unwrap_or(rest.len());
        // `numpy.float64` is one word, the end of a sentence is not part of one.
        while let Some(next) = rest.get(end..).and_then(|rest| rest.strip_prefix('.'))
            && next.chars().next().is_some_and(|letter| letter.is_alphabetic() || letter == '_')
        {
            end += 1 + next.find(|letter: char| !part(letter)).unwrap_or(next.len());
        }
        let word = self.take(end);
        match word {
            "nan" | "NaN" => not_a_number(word),
            "inf" | "Infinity" => infinite(word, f64::INFINITY),
            _ => Token::Word(word),
        }
    }

    fn mark(&mut self, first: char) -> Token<'t> {
        // What parts elements counts one by one; their runs are not even measured.
        if matches!(first, ',' | ':' | '"' | '\'') {
            return Token::Mark(self.take(first.len_utf8()));
        }
        let rest = self.rest();
        let end = rest.find(|letter: char| letter != first).unwrap_or(rest.len());
        Token::Mark(self.take(end))
    }

    /// A number with an optional sign. A sign right behind a number, a word or a bracket joins them (`2020-01-01`, `x-1`).
    fn number(&mut self) -> Option<Token<'t>> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with(['-', '+']));
        let before = self.text.get(..self.at)?.chars().next_back();
        if sign > 0 && before.is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, ')' | ']' | '_' | '.'))
        {
            return None;
        }
        if sign > 0 && rest.get(1..).is_some_and(|rest| rest.starts_with("inf")) {
            let text = self.take(4);
            return Some(infinite(text, if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }));
        }
        let length = sign + unsigned(rest.get(sign..)?)?;
        let text = rest.get(..length)?;
        let value = text.parse().ok()?;
        self.at += length;
        // `10L` of Python 2.
        if let Some(after) = self.rest().strip_prefix('L')
            && !after.starts_with(char::is_alphanumeric)
        {
            self.at += 1;
        }
        let is_integer = !text.contains(['.', 'e', 'E']);
        Some(Token::Number(Numeral { text, value, is_integer }))
    }
}

/// The length of the number without sign that a text starts with.
fn unsigned(text: &str) -> Option<usize> {
    let digits = |from: usize| text.bytes().skip(from).take_while(u8::is_ascii_digit).count();
    let whole = digits(0);
    let has_point = text.as_bytes().get(whole) == Some(&b'.');
    let fraction = if has_point { digits(whole + 1) } else { 0 };
    if whole + fraction == 0 {
        return None;
    }
    // Not the first two of the dots in `1...`.
    let point_counts = has_point && text.as_bytes().get(whole + 1) != Some(&b'.');
    let mut length = if point_counts { whole + 1 + fraction } else { whole };
    if length == 0 {
        return None;
    }
    if matches!(text.as_bytes().get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.as_bytes().get(length + 1), Some(b'-' | b'+')));
        let exponent = digits(length + 1 + sign);
        length += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    Some(length)
}

fn not_a_number(text: &str) -> Token<'_> {
    Token::Number(Numeral { text, value: f64::NAN, is_integer: false })
}

fn infinite(text: &str, value: f64) -> Token<'_> {
    Token::Number(Numeral { text, value, is_integer: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        lexemes(text).iter().map(|lexeme| format!("{:?}", lexeme.token).replace("Numeral ", "")).collect()
    }

    fn numbers(text: &str) -> Vec<&str> {
        let number = |lexeme: &Lexeme<'static>| match lexeme.token {
            Token::Number(numeral) => Some(numeral.text),
            _ => None,
        };
        lexemes(Box::leak(text.to_owned().into_boxed_str())).iter().filter_map(number).collect()
    }

    #[test]
    fn numbers_are_taken_with_their_signs() {
        assert_eq!(numbers("[ 1. -2.5e-3, 3] .5 10L -inf nan"), ["1.", "-2.5e-3", "3", ".5", "10", "-inf", "nan"]);
        assert_eq!(numbers("2020-01-02 x-1 (1)-2"), ["2020", "01", "02", "1", "1", "2"]);
        assert_eq!(numbers("0 1 ... 9 1... v1.2.3 a1"), ["0", "1", "9", "1", ".2", ".3"]);
    }

    #[test]
    fn apostrophes_of_prose_do_not_quote() {
        assert_eq!(
            shown("it's 'so' u\"x\""),
            ["Word(\"it\")", "Mark(\"'\")", "Word(\"s\")", "Quoted(\"so\")", "Quoted(\"x\")"]
        );
        assert_eq!(shown("'a\nb'").len(), 4);
        assert_eq!(shown(r"'a\'b'"), [r#"Quoted("a\\'b")"#]);
    }

    #[test]
    fn words_are_dotted_names() {
        assert_eq!(
            shown("np.float64(x). End."),
            [
                "Word(\"np.float64\")",
                "Open('(')",
                "Word(\"x\")",
                "Close(')')",
                "Mark(\".\")",
                "Word(\"End\")",
                "Mark(\".\")"
            ]
        );
    }
}
