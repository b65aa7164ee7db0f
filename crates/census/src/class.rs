//! What the text of one class says: its bases, and its public members.

use std::collections::BTreeMap;

use nbrevive_pysource::ast::{Expr, Stmt, StmtClassDef};

use crate::deprecation::Marks;
use crate::docstring::Docstring;
use crate::function::FunctionText;
use crate::syntax;
use crate::words::{self, Words};

/// What a name of a class is.
#[derive(Debug, Clone)]
pub(crate) enum MemberText {
    Method(FunctionText),
    Property(Marks),
    Attribute,
}

/// One class.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClassText {
    /// Dotted names of the bases, as they are written.
    pub(crate) bases: Vec<String>,
    /// Whether a base, or what `__getattr__` gives, is not known.
    pub(crate) open: bool,
    /// Public members, and `__init__` and `__new__`.
    pub(crate) members: BTreeMap<String, MemberText>,
    pub(crate) marks: Marks,
    pub(crate) words: BTreeMap<String, Words>,
    /// All that its methods warn of.
    pub(crate) messages: Vec<String>,
}

impl ClassText {
    /// Reads a class.
    pub(crate) fn of(class: &StmtClassDef, source: &str) -> Self {
        let mut text = Self::default();
        for base in class.arguments.iter().flat_map(|arguments| &arguments.args) {
            text.base(base);
        }
        text.statements(&class.body, source);
        for decorator in &class.decorator_list {
            let (callee, call) = match &decorator.expression {
                Expr::Call(call) => (call.func.as_ref(), Some(call)),
                other => (other, None),
            };
            let chain = syntax::dotted(callee).unwrap_or_default();
            let last = chain.rsplit('.').next().unwrap_or_default();
            // It makes parameters out of what the class lists.
            text.open |= matches!(last, "dataclass" | "define" | "attrs");
            text.marks.decorator(last, call);
        }
        let documented = Docstring::of(&class.body);
        for name in documented.attributes.iter().filter(|name| is_public(name)) {
            text.members.entry(name.clone()).or_insert(MemberText::Attribute);
        }
        if let Some(MemberText::Method(init)) = text.members.get_mut("__init__") {
            init.document(&documented);
            if text.marks.deprecated.is_none() {
                text.marks.deprecated = init.marks.deprecated.take();
            }
        }
        text.words.extend(documented.words);
        text.marks.notes.extend(documented.notes);
        if text.marks.deprecated.is_none() {
            text.marks.deprecated = documented.deprecated;
        }
        text
    }

    fn base(&mut self, base: &Expr) {
        match base {
            Expr::Subscript(subscript) => self.base(&subscript.value),
            // `with_metaclass(Meta, Base)`
            Expr::Call(call) => {
                let with_metaclass = syntax::dotted(&call.func).is_some_and(|name| name.ends_with("with_metaclass"));
                if !with_metaclass {
                    self.open = true;
                    return;
                }
                call.arguments.args.iter().skip(1).for_each(|base| self.base(base));
            }
            other => match syntax::dotted(other) {
                Some(name) => self.bases.push(name),
                None => self.open = true,
            },
        }
    }

    fn statements(&mut self, body: &[Stmt], source: &str) {
        for statement in body {
            match statement {
                Stmt::FunctionDef(function) => self.method(function, source),
                Stmt::Assign(assign) => {
                    for target in &assign.targets {
                        self.assign(target, &assign.value);
                    }
                }
                Stmt::AnnAssign(assign) => {
                    let value = assign.value.as_ref().unwrap_or(&assign.annotation);
                    self.assign(&assign.target, value);
                }
                Stmt::ClassDef(class) => self.add_value(class.name.as_str()),
                Stmt::If(block) => {
                    self.statements(&block.body, source);
                    block.elif_else_clauses.iter().for_each(|clause| self.statements(&clause.body, source));
                }
                Stmt::Try(block) => self.statements(&block.body, source),
                _ => {}
            }
        }
    }

    fn method(&mut self, function: &nbrevive_pysource::ast::StmtFunctionDef, source: &str) {
        let name = function.name.as_str();
        self.open |= matches!(name, "__getattr__" | "__getattribute__");
        let text = FunctionText::of_method(function, source);
        for set in text.sets.iter().filter(|set| is_public(set)) {
            self.members.entry(set.clone()).or_insert(MemberText::Attribute);
        }
        self.messages.extend(text.messages.iter().cloned());
        // Validation stands in any method.
        for (parameter, words) in text.words.iter().filter(|(_, words)| words.by_code) {
            self.words.entry(parameter.clone()).or_insert_with(|| words.clone());
        }
        if !is_public(name) && !matches!(name, "__init__" | "__new__") {
            return;
        }
        let member = if text.is_property { MemberText::Property(text.marks) } else { MemberText::Method(text) };
        // Of a property and its setter the first counts, of a method that is written twice the last.
        if matches!((&member, self.members.get(name)), (MemberText::Property(_), Some(MemberText::Property(_)))) {
            return;
        }
        self.members.insert(name.to_owned(), member);
    }

    fn assign(&mut self, target: &Expr, value: &Expr) {
        let Some(name) = syntax::name(target) else { return };
        if name == "_parameter_constraints" {
            for (parameter, words) in words::of_constraints(value) {
                self.words.insert(parameter, words);
            }
        }
        if !is_public(name) {
            return;
        }
        // `iteritems = items`
        let same = syntax::name(value).and_then(|other| self.members.get(other)).cloned();
        let member = same.unwrap_or(MemberText::Attribute);
        self.members.insert(name.to_owned(), member);
    }

    /// Adds an attribute that is set from outside.
    pub(crate) fn add_value(&mut self, name: &str) {
        if is_public(name) {
            self.members.entry(name.to_owned()).or_insert(MemberText::Attribute);
        }
    }
}

/// Whether a name is meant for users.
pub(crate) fn is_public(name: &str) -> bool {
    !name.starts_with('_') && !name.is_empty()
}
