//! Columns and keys in the code of a cell: where one is put into a frame or mapping, and where it is taken away.

use nbrevive_pysource::ast::visitor::{self, Visitor};
use nbrevive_pysource::ast::{Expr, ExprCall, ExprDict, Stmt};
use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::Ranged;

/// The first lines of a cell, from 1, that give and that take a key. What stands in functions does not count: they run later, if at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyLines {
    pub(super) given: Option<u32>,
    pub(super) taken: Option<u32>,
}

impl KeyLines {
    pub(super) fn of(source: &str, key: &str) -> Self {
        if !source.contains(key) {
            return Self::default();
        }
        let parsed = parse(source);
        let mut walk = Walk { parsed: &parsed, key, target: None, found: Self::default() };
        parsed.body().iter().for_each(|statement| walk.visit_stmt(statement));
        walk.found
    }
}

struct Walk<'tree> {
    parsed: &'tree Parsed,
    key: &'tree str,
    /// The name that the statement gives a value.
    target: Option<&'tree str>,
    found: KeyLines,
}

impl<'tree> Walk<'tree> {
    fn is_key(&self, expression: &Expr) -> bool {
        match expression {
            Expr::StringLiteral(text) => text.value.to_str() == self.key,
            Expr::List(list) => list.elts.iter().any(|one| self.is_key(one)),
            Expr::Tuple(tuple) => tuple.elts.iter().any(|one| self.is_key(one)),
            _ => false,
        }
    }

    fn give(&mut self, at: &impl Ranged) {
        self.found.given.get_or_insert(self.parsed.line(at.range().start()));
    }

    fn take(&mut self, at: &impl Ranged) {
        self.found.taken.get_or_insert(self.parsed.line(at.range().start()));
    }

    /// Whether an argument, by its place or one of its keywords, names the key.
    fn names_key(&self, call: &ExprCall, place: usize, keywords: &[&str]) -> bool {
        let by_place = call.arguments.find_positional(place);
        let by_keyword = keywords.iter().filter_map(|name| call.arguments.find_keyword(name)).map(|found| &found.value);
        by_place.into_iter().chain(by_keyword).any(|argument| self.is_key(argument))
    }

    /// Whether what a call makes of a frame takes its place: `df.drop('a', inplace=True)`, `df = df.drop('a')`.
    fn stays(&self, call: &ExprCall, owner: &Expr) -> bool {
        let in_place =
            call.arguments.find_keyword("inplace").and_then(|keyword| keyword.value.as_boolean_literal_expr());
        in_place.is_some_and(|literal| literal.value) || self.target.is_some() && root(owner) == self.target
    }

    /// The same of `df = pd.get_dummies(df)`.
    fn frame_stays(&self, call: &ExprCall) -> bool {
        call.arguments.find_positional(0).is_some_and(|frame| self.stays(call, frame))
    }

    fn method(&mut self, call: &'tree ExprCall, method: &str, owner: &'tree Expr) {
        match method {
            "pop" if self.names_key(call, 0, &[]) => self.take(call),
            "drop" if self.names_key(call, 0, &["columns", "labels"]) && self.stays(call, owner) => self.take(call),
            "set_index" if self.names_key(call, 0, &["keys"]) && self.stays(call, owner) => self.take(call),
            "get_dummies" if self.names_key(call, 4, &["columns"]) && self.frame_stays(call) => self.take(call),
            "rename" => self.rename(call, owner),
            "assign" if call.arguments.find_keyword(self.key).is_some() => self.give(call),
            "insert" if self.names_key(call, 1, &["column"]) => self.give(call),
            "DataFrame" => {
                let items = call.arguments.find_positional(0).and_then(Expr::as_dict_expr);
                if items.is_some_and(|items| has_key(items, self.key)) || self.names_key(call, 2, &["columns"]) {
                    self.give(call);
                }
            }
            _ => {}
        }
    }

    fn rename(&mut self, call: &'tree ExprCall, owner: &'tree Expr) {
        let columns = call.arguments.find_keyword("columns").map(|keyword| &keyword.value);
        let Some(names) = columns.or_else(|| call.arguments.find_positional(0)).and_then(Expr::as_dict_expr) else {
            return;
        };
        if !self.stays(call, owner) {
            return;
        }
        if names.items.iter().any(|item| self.is_key(&item.value)) {
            self.give(call);
        }
        if has_key(names, self.key) {
            self.take(call);
        }
    }
}

fn has_key(items: &ExprDict, key: &str) -> bool {
    let keys = items.items.iter().filter_map(|item| item.key.as_ref());
    keys.filter_map(Expr::as_string_literal_expr).any(|text| text.value.to_str() == key)
}

/// The name that a chain of calls, attributes and items begins with.
fn root(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => root(&attribute.value),
        Expr::Call(call) => root(&call.func),
        Expr::Subscript(part) => root(&part.value),
        _ => None,
    }
}

impl<'tree> Visitor<'tree> for Walk<'tree> {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        self.target = None;
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => return,
            Stmt::Assign(assign) => {
                self.target = assign.targets.first().and_then(Expr::as_name_expr).map(|name| name.id.as_str());
                let names_columns =
                    |target: &Expr| target.as_attribute_expr().is_some_and(|it| it.attr.as_str() == "columns");
                if assign.targets.iter().any(names_columns) && self.is_key(&assign.value) {
                    self.give(statement);
                }
            }
            Stmt::Delete(delete) => {
                let mut parts = delete.targets.iter().filter_map(Expr::as_subscript_expr);
                if parts.any(|part| self.is_key(&part.slice)) {
                    self.take(statement);
                }
            }
            _ => {}
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'tree Expr) {
        if let Expr::Call(call) = expression {
            match &*call.func {
                Expr::Attribute(attribute) => self.method(call, &attribute.attr, &attribute.value),
                Expr::Name(name) => self.method(call, &name.id, &call.func),
                _ => {}
            }
        }
        visitor::walk_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_given_and_taken() {
        for (source, given, taken) in [
            ("a = 1\ndf.drop('Age', axis=1, inplace=True)", None, Some(2)),
            ("df = df.drop(columns=['Sex', 'Age']).dropna()", None, Some(1)),
            // The frame itself keeps it.
            ("X = df.drop('Age', axis=1)", None, None),
            ("df.drop('Age', axis=1)", None, None),
            ("age = df.pop('Age')", None, Some(1)),
            ("del df['Age']", None, Some(1)),
            ("df = pd.get_dummies(df, columns=['Age'])", None, Some(1)),
            ("df = df.rename(columns={'Age': 'age'})", None, Some(1)),
            ("df.rename(columns={'age': 'Age'}, inplace=True)", Some(1), None),
            ("df = pd.DataFrame({'Age': [1]})", Some(1), None),
            ("df = pd.DataFrame(rows, columns=['Age'])", Some(1), None),
            ("df.columns = ['Name', 'Age']", Some(1), None),
            ("df = df.assign(Age=1)", Some(1), None),
            ("df.insert(0, 'Age', 1)", Some(1), None),
            ("def f(df):\n    del df['Age']", None, None),
            ("print('Ages of ' + x)", None, None),
            ("del df[", None, None),
        ] {
            assert_eq!(KeyLines::of(source, "Age"), KeyLines { given, taken }, "{source}");
        }
    }
}
