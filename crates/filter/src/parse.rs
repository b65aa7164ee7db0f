//! From words to a condition: `or` of `and` of `not` of comparisons and parentheses.

use nbrevive_spelling::UnknownWord;

use crate::condition::{FilterColumn, FilterKind, Node, Operator, Wanted};
use crate::error::{DEEPEST, FilterError};
use crate::token::{Token, TokenKind, tokens};

pub(crate) fn parse(text: &str, columns: &[FilterColumn]) -> Result<Node, FilterError> {
    let tokens = tokens(text)?;
    let mut reader = Reader { tokens: &tokens, at: 0, depth: 0, columns };
    let node = reader.any()?;
    reader.expect("`and`, `or` or its end", |kind| *kind == TokenKind::End)?;
    Ok(node)
}

struct Reader<'text> {
    tokens: &'text [Token],
    at: usize,
    depth: usize,
    columns: &'text [FilterColumn],
}

impl<'text> Reader<'text> {
    fn any(&mut self) -> Result<Node, FilterError> {
        let mut nodes = vec![self.all()?];
        while self.takes("or") {
            nodes.push(self.all()?);
        }
        Ok(joined(nodes, Node::Any))
    }

    fn all(&mut self) -> Result<Node, FilterError> {
        let mut nodes = vec![self.not()?];
        while self.takes("and") {
            nodes.push(self.not()?);
        }
        Ok(joined(nodes, Node::All))
    }

    fn not(&mut self) -> Result<Node, FilterError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(FilterError::TooLong);
        }
        let node = if self.takes("not") {
            Node::Not(Box::new(self.not()?))
        } else if self.next_is(|kind| *kind == TokenKind::Open) {
            self.at += 1;
            let node = self.any()?;
            self.expect("`and`, `or` or `)`", |kind| *kind == TokenKind::Close)?;
            node
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(node)
    }

    fn comparison(&mut self) -> Result<Node, FilterError> {
        let token = self.expect("a column", |kind| matches!(kind, TokenKind::Bare(_)))?;
        let column = self.column(token)?;
        let token = self.expect("an operator: = != < <= > >= ~ !~", |kind| matches!(kind, TokenKind::Operator(_)))?;
        let TokenKind::Operator(operator) = token.kind else { return Err(unexpected(token, "an operator")) };
        let is_value = |kind: &TokenKind| matches!(kind, TokenKind::Bare(_) | TokenKind::Quoted(_));
        let token = self.expect("a value", is_value)?;
        let wanted = wanted(column, operator, token)?;
        let has_order = matches!(wanted, Wanted::Number(_));
        let is_contained = matches!(operator, Operator::Contains | Operator::ContainsNot);
        if (operator.asks_order() && !has_order) || (is_contained && !matches!(wanted, Wanted::Text(_))) {
            return Err(FilterError::NoOrder { column: column.name, operator: operator.text() });
        }
        Ok(Node::Is(column.name, operator, wanted))
    }

    fn column(&self, token: &Token) -> Result<&'text FilterColumn, FilterError> {
        let TokenKind::Bare(word) = &token.kind else { return Err(unexpected(token, "a column")) };
        let names = || self.columns.iter().map(|column| column.name);
        self.columns.iter().find(|column| column.name == word).ok_or_else(|| unknown("column", word, names()))
    }

    /// Takes the next word where it is this one.
    fn takes(&mut self, word: &str) -> bool {
        let takes = self.next_is(|kind| matches!(kind, TokenKind::Bare(found) if found == word));
        self.at += usize::from(takes);
        takes
    }

    fn next_is(&self, is: impl Fn(&TokenKind) -> bool) -> bool {
        self.tokens.get(self.at).is_some_and(|token| is(&token.kind))
    }

    fn expect(&mut self, expected: &'static str, is: impl Fn(&TokenKind) -> bool) -> Result<&'text Token, FilterError> {
        // The end is a word, behind which nothing is asked for.
        let token = self.tokens.get(self.at).or(self.tokens.last()).ok_or(FilterError::TooLong)?;
        self.at += 1;
        if is(&token.kind) { Ok(token) } else { Err(unexpected(token, expected)) }
    }
}

fn wanted(column: &FilterColumn, operator: Operator, token: &Token) -> Result<Wanted, FilterError> {
    let word = match &token.kind {
        TokenKind::Bare(word) if word == "none" => return Ok(Wanted::Missing),
        TokenKind::Bare(word) | TokenKind::Quoted(word) => word,
        _ => return Err(unexpected(token, "a value")),
    };
    match &column.kind {
        FilterKind::Number => {
            let number = word.parse().ok().filter(|number: &f64| number.is_finite());
            let none = || FilterError::NoNumber { column: column.name, word: word.clone() };
            number.map(Wanted::Number).ok_or_else(none)
        }
        FilterKind::Word(words) if matches!(operator, Operator::Equal | Operator::Unequal) => {
            let is_known = words.iter().any(|known| known == word);
            let unknown = || unknown(column.name, word, words.iter().copied());
            if is_known { Ok(Wanted::Text(word.clone())) } else { Err(unknown()) }
        }
        FilterKind::Word(_) | FilterKind::Text => Ok(Wanted::Text(word.clone())),
    }
}

fn unknown(kind: &'static str, word: &str, known: impl Iterator<Item = &'static str>) -> FilterError {
    UnknownWord { kind, word: word.to_owned(), expected: known.collect::<Vec<_>>().join(", ") }.into()
}

fn unexpected(token: &Token, expected: &'static str) -> FilterError {
    FilterError::Expected { at: token.at, expected, found: token.kind.told() }
}

/// One node of several; of one, itself.
fn joined(mut nodes: Vec<Node>, join: fn(Vec<Node>) -> Node) -> Node {
    match (nodes.len(), nodes.pop()) {
        (1, Some(node)) => node,
        (_, last) => {
            nodes.extend(last);
            join(nodes)
        }
    }
}
