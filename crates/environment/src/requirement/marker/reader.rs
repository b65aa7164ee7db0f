//! Reads the text of a marker.

use super::{Comparison, EnvironmentMarker, Relation, VARIABLES, Variable};

/// Deepest nesting of parentheses that is followed; real markers have two or three.
const DEEPEST: usize = 32;

/// Reads a marker; `None` if any part of it cannot be read.
pub(super) fn read(text: &str) -> Option<EnvironmentMarker> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    parser.alternatives(0).filter(|_| parser.at == parser.tokens.len())
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token<'text> {
    Word(&'text str),
    Text(&'text str),
    Symbol(&'text str),
}

/// The tokens of a marker; `None` at a character that no marker has.
fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => rest[1..].find(first)? + 2,
            '(' | ')' => 1,
            '<' | '>' | '=' | '!' | '~' => rest.find(|found| !"<>=!~".contains(found)).unwrap_or(rest.len()),
            _ if first.is_ascii_alphabetic() || first == '_' => {
                let part = |found: char| found.is_ascii_alphanumeric() || matches!(found, '_' | '.');
                rest.find(|found| !part(found)).unwrap_or(rest.len())
            }
            _ => return None,
        };
        let (token, behind) = rest.split_at(length);
        tokens.push(match first {
            '"' | '\'' => Token::Text(&token[1..token.len() - 1]),
            _ if first.is_ascii_alphabetic() || first == '_' => Token::Word(token),
            _ => Token::Symbol(token),
        });
        rest = behind.trim_start();
    }
    Some(tokens)
}

struct Parser<'text> {
    tokens: Vec<Token<'text>>,
    at: usize,
}

/// One side of a comparison.
enum Operand<'text> {
    Variable(Variable),
    Text(&'text str),
}

impl<'text> Parser<'text> {
    fn next(&mut self) -> Option<Token<'text>> {
        let token = self.tokens.get(self.at).cloned();
        self.at += usize::from(token.is_some());
        token
    }

    fn takes(&mut self, token: &Token<'_>) -> bool {
        let found = self.tokens.get(self.at) == Some(token);
        self.at += usize::from(found);
        found
    }

    fn alternatives(&mut self, depth: usize) -> Option<EnvironmentMarker> {
        let mut parts = vec![self.conjunction(depth)?];
        while self.takes(&Token::Word("or")) {
            parts.push(self.conjunction(depth)?);
        }
        if parts.len() == 1 { parts.pop() } else { Some(EnvironmentMarker::Any(parts)) }
    }

    fn conjunction(&mut self, depth: usize) -> Option<EnvironmentMarker> {
        let mut parts = vec![self.single(depth)?];
        while self.takes(&Token::Word("and")) {
            parts.push(self.single(depth)?);
        }
        if parts.len() == 1 { parts.pop() } else { Some(EnvironmentMarker::All(parts)) }
    }

    fn single(&mut self, depth: usize) -> Option<EnvironmentMarker> {
        if self.takes(&Token::Symbol("(")) {
            let inside = (depth < DEEPEST).then(|| self.alternatives(depth + 1)).flatten()?;
            return self.takes(&Token::Symbol(")")).then_some(inside);
        }
        let left = self.operand()?;
        let relation = self.relation()?;
        match (left, self.operand()?) {
            (Operand::Variable(variable), Operand::Text(text)) => {
                Some(EnvironmentMarker::Compare(Comparison::new(variable, relation, text)))
            }
            (Operand::Text(text), Operand::Variable(variable)) => {
                Some(EnvironmentMarker::Compare(Comparison::new(variable, relation.turned(), text)))
            }
            _ => None,
        }
    }

    fn operand(&mut self) -> Option<Operand<'text>> {
        match self.next()? {
            Token::Text(text) => Some(Operand::Text(text)),
            Token::Word(word) => {
                VARIABLES.iter().find(|(_, names)| names.contains(&word)).map(|found| Operand::Variable(found.0))
            }
            Token::Symbol(_) => None,
        }
    }

    fn relation(&mut self) -> Option<Relation> {
        match self.next()? {
            Token::Symbol(symbol) => Relation::read(symbol),
            Token::Word("in") => Some(Relation::In),
            Token::Word("not") => self.takes(&Token::Word("in")).then_some(Relation::NotIn),
            _ => None,
        }
    }
}
