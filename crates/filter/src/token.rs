//! The words of a condition.

use crate::condition::Operator;
use crate::error::FilterError;

/// One word of a condition, and where it begins: characters from 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) at: usize,
    pub(crate) kind: TokenKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TokenKind {
    Open,
    Close,
    Operator(Operator),
    /// A word that stands for itself: a column, `and`, a value.
    Bare(String),
    /// A word in quotes: a value only.
    Quoted(String),
    End,
}

impl TokenKind {
    /// As a message says it.
    pub(crate) fn told(&self) -> String {
        match self {
            Self::Open => "`(`".to_owned(),
            Self::Close => "`)`".to_owned(),
            Self::Operator(operator) => format!("`{}`", operator.text()),
            Self::Bare(word) => format!("`{word}`"),
            Self::Quoted(word) => format!("{word:?}"),
            Self::End => "its end".to_owned(),
        }
    }
}

/// All words, and the end.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, FilterError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let at = text.chars().count() - rest.chars().count() + 1;
        let Some(first) = rest.chars().next() else {
            tokens.push(Token { at, kind: TokenKind::End });
            return Ok(tokens);
        };
        let (kind, behind) = token(first, rest).ok_or_else(|| FilterError::Expected {
            at,
            expected: if first == '"' { "a `\"` that ends the text" } else { "a word, an operator or a parenthesis" },
            found: if first == '"' { "its end".to_owned() } else { format!("{first:?}") },
        })?;
        tokens.push(Token { at, kind });
        rest = behind;
    }
}

/// The first word of a text, and what is behind it.
fn token(first: char, rest: &str) -> Option<(TokenKind, &str)> {
    let behind = rest.get(first.len_utf8()..)?;
    match first {
        '(' => return Some((TokenKind::Open, behind)),
        ')' => return Some((TokenKind::Close, behind)),
        '"' => {
            let (word, behind) = behind.split_once('"')?;
            return Some((TokenKind::Quoted(word.to_owned()), behind));
        }
        _ => {}
    }
    let operator = Operator::ALL.iter().find_map(|(text, operator)| Some((operator, rest.strip_prefix(text)?)));
    if let Some((operator, behind)) = operator {
        return Some((TokenKind::Operator(*operator), behind));
    }
    let end = rest.find(|found: char| !is_of_word(found)).unwrap_or(rest.len());
    let (word, behind) = rest.split_at_checked(end)?;
    (!word.is_empty()).then(|| (TokenKind::Bare(word.to_owned()), behind))
}

/// Whether a character stands for itself in a word.
pub(crate) fn is_of_word(found: char) -> bool {
    found.is_alphanumeric() || "-_.:/+".contains(found)
}
