//! Columns and keys in the code of a cell: where one is put into a frame or mapping, and where it is taken away.

use std::collections::BTreeSet;

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
    /// Looks for a key of these frames, or of any where they are not known.
    pub(super) fn of(source: &str, key: &str, frames: Option<&BTreeSet<String>>) -> Self {
        if !source.contains(key) {
            return Self::default();
        }
        let parsed = parse(source);
        let mut walk = Walk { parsed: &parsed, key, frames, target: None, found: Self::default() };
        parsed.body().iter().for_each(|statement| walk.visit_stmt(statement));
        walk.found
    }
}

struct Walk<'tree> {
    parsed: &'tree Parsed,
    key: &'tree str,
    frames: Option<&'tree BTreeSet<String>>,
    /// The name that the statement gives a value.
    target: Option<&'tree str>,
    found: KeyLines,
}

impl<'tree> Walk<'tree> {
    fn is_key(&self, expression: &Expr) -> bool {
        is_text(expression, self.key)
    }

    /// Whether a frame of this name may be meant.
    fn is_meant(&self, frame: Option<&str>) -> bool {
        frame.zip(self.frames).is_none_or(|(frame, meant)| meant.contains(frame))
    }

    fn give(&mut self, at: &impl Ranged, frame: Option<&str>) {
        if self.is_meant(frame) {
            self.found.given.get_or_insert(self.parsed.line(at.range().start()));
        }
    }

    fn take(&mut self, at: &impl Ranged, frame: Option<&str>) {
        if self.is_meant(frame) {
            self.found.taken.get_or_insert(self.parsed.line(at.range().start()));
        }
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
        let frame = root(owner);
        match method {
            "pop" if self.names_key(call, 0, &[]) => self.take(call, frame),
            "drop" if self.names_key(call, 0, &["columns", "labels"]) && self.stays(call, owner) => {
                self.take(call, frame);
            }
            "set_index" if self.names_key(call, 0, &["keys"]) && self.stays(call, owner) => self.take(call, frame),
            "get_dummies" if self.names_key(call, 4, &["columns"]) && self.frame_stays(call) => {
                self.take(call, self.target);
            }
            "rename" => self.rename(call, owner),
            "assign" if call.arguments.find_keyword(self.key).is_some() => self.give(call, self.target.or(frame)),
            "insert" if self.names_key(call, 1, &["column"]) => self.give(call, frame),
            "DataFrame" => {
                let items = call.arguments.find_positional(0).and_then(Expr::as_dict_expr);
                if items.is_some_and(|items| has_key(items, self.key)) || self.names_key(call, 2, &["columns"]) {
                    self.give(call, self.target);
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
            self.give(call, root(owner));
        }
        if has_key(names, self.key) {
            self.take(call, root(owner));
        }
    }
}

/// Whether an expression is this text, or a list or tuple with it.
pub(super) fn is_text(expression: &Expr, text: &str) -> bool {
    match expression {
        Expr::StringLiteral(literal) => literal.value.to_str() == text,
        Expr::List(list) => list.elts.iter().any(|one| is_text(one, text)),
        Expr::Tuple(tuple) => tuple.elts.iter().any(|one| is_text(one, text)),
        _ => false,
    }
}

/// The texts in the code of a cell, in their order.
pub(super) fn texts(source: &str) -> Vec<String> {
    #[derive(Default)]
    struct Texts(Vec<String>);
    impl<'tree> Visitor<'tree> for Texts {
        fn visit_expr(&mut self, expression: &'tree Expr) {
            self.0.extend(expression.as_string_literal_expr().map(|text| text.value.to_str().to_owned()));
            visitor::walk_expr(self, expression);
        }
    }
    let mut texts = Texts::default();
    parse(source).body().iter().for_each(|statement| texts.visit_stmt(statement));
    texts.0
}

fn has_key(items: &ExprDict, key: &str) -> bool {
    let keys = items.items.iter().filter_map(|item| item.key.as_ref());
    keys.filter_map(Expr::as_string_literal_expr).any(|text| text.value.to_str() == key)
}

/// The name that a chain of calls, attributes and items begins with.
pub(super) fn root(expression: &Expr) -> Option<&str> {
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
                let mut attributes = assign.targets.iter().filter_map(Expr::as_attribute_expr);
                if let Some(columns) = attributes.find(|it| it.attr.as_str() == "columns")
                    && self.is_key(&assign.value)
                {
                    self.give(statement, root(&columns.value));
                }
            }
            Stmt::Delete(delete) => {
                let mut parts = delete.targets.iter().filter_map(Expr::as_subscript_expr);
                if let Some(part) = parts.find(|part| self.is_key(&part.slice)) {
                    self.take(statement, root(&part.value));
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
            assert_eq!(KeyLines::of(source, "Age", None), KeyLines { given, taken }, "{source}");
        }
    }
    #[test]
    fn other_frames_have_keys_of_their_own() {
        let test = BTreeSet::from(["test".to_owned()]);
        for (source, is_given) in [
            ("train = pd.DataFrame({'Age': [1]})", false),
            ("test = pd.DataFrame({'Age': [1]})", true),
            ("train.insert(0, 'Age', 1)", false),
            ("test.columns = ['Name', 'Age']", true),
            ("test = train.assign(Age=1)", true),
        ] {
            assert_eq!(KeyLines::of(source, "Age", Some(&test)).given.is_some(), is_given, "{source}");
        }
        assert_eq!(KeyLines::of("train.pop('Age')", "Age", Some(&test)), KeyLines::default());
    }
}
