//! What a `setup.py` says in literals of `install_requires` and `extras_require`. It is read, never run: lists that
//! are computed, read from files or changed under conditions are unknown.

mod words;

use std::collections::HashMap;

pub(crate) use words::{SetupWord, declared};

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr, walk_stmt};
use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::parse::parse;

use crate::requires::{MOST_REQUIREMENTS, with_extra};

/// Deepest chain of names and sums that is followed.
const DEEPEST: u32 = 8;

/// What a script says of requirements.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// These, in literals.
    Requires(Vec<String>),
    /// Its call of `setup` names none.
    Nothing,
    /// Something that only running it would tell.
    Unknown,
}

/// Reads a script.
pub(crate) fn read(source: &str) -> Said {
    let parsed = parse(source);
    let mut script = Script::default();
    for statement in parsed.body() {
        script.visit_stmt(statement);
    }
    let Some(call) = script.setup else { return Said::Unknown };
    script.requirements(call)
}

#[derive(Default)]
struct Script<'tree> {
    /// The values that a name gets; an unknown one stands for a change that is not followed.
    bound: HashMap<&'tree str, Vec<Option<&'tree Expr>>>,
    /// The values that are stored in a dictionary under a key: `arguments["install_requires"] = ...`.
    stored: HashMap<(&'tree str, &'tree str), Vec<&'tree Expr>>,
    setup: Option<&'tree ExprCall>,
}

/// The value of a keyword of `setup`.
enum Value<'tree> {
    Given(&'tree Expr),
    NotGiven,
    Unclear,
}

impl<'tree> Visitor<'tree> for Script<'tree> {
    fn visit_stmt(&mut self, statement: &'tree Stmt) {
        match statement {
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.bind(target, Some(&assign.value));
                }
            }
            Stmt::AnnAssign(assign) => self.bind(&assign.target, assign.value.as_deref()),
            Stmt::AugAssign(assign) => self.bind(&assign.target, None),
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'tree Expr) {
        if let Expr::Call(call) = expression {
            self.called(call);
        }
        walk_expr(self, expression);
    }
}

impl<'tree> Script<'tree> {
    fn bind(&mut self, target: &'tree Expr, value: Option<&'tree Expr>) {
        match target {
            Expr::Name(name) => self.bound.entry(name.id.as_str()).or_default().push(value),
            Expr::Subscript(subscript) => {
                let (Expr::Name(name), Some(key)) = (&*subscript.value, text(&subscript.slice)) else { return };
                match value {
                    Some(value) => self.stored.entry((name.id.as_str(), key)).or_default().push(value),
                    None => self.bound.entry(name.id.as_str()).or_default().push(None),
                }
            }
            _ => {}
        }
    }

    fn called(&mut self, call: &'tree ExprCall) {
        match &*call.func {
            Expr::Name(name) if name.id.as_str() == "setup" => self.setup = Some(call),
            Expr::Attribute(attribute) if attribute.attr.as_str() == "setup" => self.setup = Some(call),
            Expr::Attribute(attribute) => {
                if let Expr::Name(name) = &*attribute.value
                    && matches!(attribute.attr.as_str(), "append" | "extend" | "insert" | "update" | "remove" | "pop")
                {
                    self.bound.entry(name.id.as_str()).or_default().push(None);
                }
            }
            _ => {}
        }
    }

    fn requirements(&self, call: &'tree ExprCall) -> Said {
        let mut requires = match self.keyword(call, "install_requires", 0) {
            Value::Given(value) => match self.list(value, 0) {
                Some(list) => list,
                None => return Said::Unknown,
            },
            Value::NotGiven => Vec::new(),
            Value::Unclear => return Said::Unknown,
        };
        if let Value::Given(value) = self.keyword(call, "extras_require", 0) {
            requires.extend(self.extras(value));
        } else if requires.is_empty() && matches!(self.keyword(call, "install_requires", 0), Value::NotGiven) {
            return Said::Nothing;
        }
        Said::Requires(requires)
    }

    /// The value of a keyword, given as itself or in a dictionary behind `**`.
    fn keyword(&self, call: &'tree ExprCall, key: &str, depth: u32) -> Value<'tree> {
        let given = |keyword: &&'tree nbrevive_pysource::ast::Keyword| {
            keyword.arg.as_ref().is_some_and(|name| name.as_str() == key)
        };
        let keywords = &call.arguments.keywords;
        if let Some(keyword) = keywords.iter().find(given) {
            return Value::Given(&keyword.value);
        }
        for keyword in keywords.iter().filter(|keyword| keyword.arg.is_none()) {
            match self.in_dictionary(&keyword.value, key, depth) {
                Value::NotGiven => {}
                other => return other,
            }
        }
        Value::NotGiven
    }

    fn in_dictionary(&self, value: &'tree Expr, key: &str, depth: u32) -> Value<'tree> {
        match value {
            // `kw = dict(**kw)` leads back to itself.
            _ if depth > DEEPEST => Value::Unclear,
            Expr::Dict(dictionary) => {
                let item = dictionary.items.iter().find(|item| item.key.as_ref().and_then(text) == Some(key));
                item.map_or(Value::NotGiven, |item| Value::Given(&item.value))
            }
            Expr::Call(call) if matches!(&*call.func, Expr::Name(name) if name.id.as_str() == "dict") => {
                self.keyword(call, key, depth + 1)
            }
            Expr::Name(name) => {
                let name = name.id.as_str();
                if let Some([stored]) =
                    self.stored.iter().find(|(place, _)| **place == (name, key)).map(|(_, all)| &all[..])
                {
                    return Value::Given(stored);
                }
                match self.bound.get(name).map(Vec::as_slice) {
                    Some([Some(value @ (Expr::Dict(_) | Expr::Call(_)))]) => self.in_dictionary(value, key, depth + 1),
                    _ => Value::Unclear,
                }
            }
            _ => Value::Unclear,
        }
    }

    /// A list of texts: a literal, a name bound once to one, or a sum of such.
    fn list(&self, value: &Expr, depth: u32) -> Option<Vec<String>> {
        if depth > DEEPEST {
            return None;
        }
        let elements = match value {
            Expr::List(list) => &list.elts[..],
            Expr::Tuple(tuple) => &tuple.elts[..],
            Expr::StringLiteral(literal) => return Some(lines(literal.value.to_str())),
            Expr::Name(name) => {
                return match self.bound.get(name.id.as_str()).map(Vec::as_slice) {
                    Some([Some(value)]) => self.list(value, depth + 1),
                    _ => None,
                };
            }
            Expr::BinOp(sum) if sum.op == nbrevive_pysource::ast::Operator::Add => {
                let (left, right) = (self.list(&sum.left, depth + 1)?, self.list(&sum.right, depth + 1)?);
                // A sum of sums of one list doubles it again and again.
                return Some(left.into_iter().chain(right).take(MOST_REQUIREMENTS).collect());
            }
            _ => return None,
        };
        elements.iter().map(|element| text(element).map(|text| text.trim().to_owned())).collect()
    }

    /// The extras that are literals; others are left out, since hardly anybody asks for them.
    fn extras(&self, value: &'tree Expr) -> Vec<String> {
        let value = match value {
            Expr::Name(name) => match self.bound.get(name.id.as_str()).map(Vec::as_slice) {
                Some([Some(value)]) => value,
                _ => return Vec::new(),
            },
            other => other,
        };
        let Expr::Dict(dictionary) = value else { return Vec::new() };
        let extra = |item: &nbrevive_pysource::ast::DictItem| {
            let (extra, list) = (text(item.key.as_ref()?)?, self.list(&item.value, 0)?);
            Some(with_extra(list.iter().map(String::as_str), extra).collect::<Vec<_>>())
        };
        dictionary.items.iter().filter_map(extra).flatten().take(MOST_REQUIREMENTS).collect()
    }
}

fn text(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::StringLiteral(literal) => Some(literal.value.to_str()),
        _ => None,
    }
}

/// One requirement a line, as setuptools reads a text.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requires(source: &str) -> Vec<String> {
        match read(source) {
            Said::Requires(requires) => requires,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn literals_and_names_of_literals_are_read() {
        assert_eq!(requires("setup(install_requires=['numpy>=1.0', 'six'])"), ["numpy>=1.0", "six"]);
        assert_eq!(requires("base = ('a',)\nmore = base + ['b']\nsetuptools.setup(install_requires=more)"), ["a", "b"]);
        assert_eq!(requires("setup(install_requires='''\n  a\n  b>1\n''')"), ["a", "b>1"]);
        assert_eq!(requires("def main():\n    setup(install_requires=[])\nmain()"), Vec::<String>::new());
        assert_eq!(
            requires("extra = {'test': ['t'], 'x': f()}\nsetup(install_requires=['a'], extras_require=extra)"),
            ["a", "t ; extra == \"test\""]
        );
    }

    #[test]
    fn dictionaries_of_arguments_are_followed() {
        assert_eq!(requires("kw = dict(name='x', install_requires=['a'])\nsetup(**kw)"), ["a"]);
        assert_eq!(requires("kw = {'install_requires': ['a']}\nsetup(**kw)"), ["a"]);
        assert_eq!(requires("kw = {}\nkw['install_requires'] = ['b']\nsetup(**kw)"), ["b"]);
        assert_eq!(requires("need = ['c']\nkw = {'install_requires': need}\nsetup(**kw)"), ["c"]);
    }

    #[test]
    fn python_2_scripts_are_read_too() {
        assert_eq!(requires("print 'hello'\nsetup(name='x',\n    install_requires=['a'])\n"), ["a"]);
    }

    #[test]
    fn sums_of_sums_do_not_grow_without_end() {
        let base = format!("a = [{}]\n", "'x',".repeat(MOST_REQUIREMENTS / 2));
        let sum = "a+a+a+a+a+a";
        assert_eq!(requires(&format!("{base}setup(install_requires={sum})")).len(), MOST_REQUIREMENTS);
    }

    #[test]
    fn what_running_would_tell_is_unknown() {
        assert_eq!(read("setup(name='x')"), Said::Nothing);
        for source in [
            "",
            "setup(install_requires=open('r').read())",
            "need = ['a']\nneed.append('b')\nsetup(install_requires=need)",
            "need = ['a']\nif old: need += ['b']\nsetup(install_requires=need)",
            "need = need + ['a']\nsetup(install_requires=need)",
            "setup(**arguments())",
            "kw = {}\nkw.update(install_requires=['a'])\nsetup(**kw)",
            "kw = dict(**kw)\nsetup(**kw)",
            "a = dict(**b)\nb = dict(**a)\nsetup(**b)",
        ] {
            assert_eq!(read(source), Said::Unknown, "{source}");
        }
    }
}
