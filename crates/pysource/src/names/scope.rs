//! Scopes around a place in the code, and whether a name there is one of the notebook's namespace.

use std::borrow::Cow;
use std::collections::HashSet;

use super::bindings::Bindings;

/// One scope; the notebook's namespace is what lies around all of them.
#[derive(Debug)]
enum Scope<'a> {
    /// A function or lambda: its names are its own from its first line on.
    Function { locals: HashSet<&'a str>, globals: HashSet<&'a str> },
    /// A class: a name is its own once it is bound, and code inside functions does not see it. Before that, one that it binds
    /// somewhere is looked for in the namespace and in no function around.
    Class { name: &'a str, bound: HashSet<&'a str>, locals: HashSet<&'a str>, globals: HashSet<&'a str> },
    /// A comprehension's targets. What it binds otherwise (`:=`) belongs to the scope around it.
    Comprehension(HashSet<&'a str>),
    /// Type parameters.
    Types(HashSet<&'a str>),
}

/// The scopes around a place, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes<'a>(Vec<Scope<'a>>);

impl<'a> Scopes<'a> {
    pub(super) fn enter_function(&mut self, bindings: Bindings<'a>) {
        self.0.push(Scope::Function { locals: bindings.locals(), globals: bindings.globals });
    }

    pub(super) fn enter_class(&mut self, name: &'a str, bindings: Bindings<'a>) {
        let bound = HashSet::from(["__module__", "__qualname__"]);
        self.0.push(Scope::Class { name, bound, locals: bindings.locals(), globals: bindings.globals });
    }

    pub(super) fn enter_comprehension(&mut self, targets: HashSet<&'a str>) {
        self.0.push(Scope::Comprehension(targets));
    }

    pub(super) fn enter_types(&mut self, names: HashSet<&'a str>) {
        self.0.push(Scope::Types(names));
    }

    pub(super) fn leave(&mut self) {
        self.0.pop();
    }

    /// Whether code here runs with its cell, in no function.
    pub(super) fn is_top(&self) -> bool {
        self.0.iter().all(|scope| !matches!(scope, Scope::Function { .. }))
    }

    /// Whether annotations of variables are evaluated here, as they are in no function.
    pub(super) fn annotates(&self) -> bool {
        let inner = self.0.iter().rev().find(|scope| !matches!(scope, Scope::Comprehension(_) | Scope::Types(_)));
        !matches!(inner, Some(Scope::Function { .. }))
    }

    /// Whether what is bound here is bound in the namespace, whatever the name.
    pub(super) fn is_namespace(&self) -> bool {
        self.0.iter().all(|scope| matches!(scope, Scope::Comprehension(_) | Scope::Types(_)))
    }

    /// The outermost class around.
    pub(super) fn class(&self) -> Option<&'a str> {
        self.0.iter().find_map(|scope| match scope {
            Scope::Class { name, .. } => Some(*name),
            _ => None,
        })
    }

    /// Whether a name that is looked up here is looked for in the namespace.
    pub(super) fn reads(&self, name: &str) -> bool {
        // Outside of a class its private names are others.
        let (mut name, mangled) = (name, self.mangled(name));
        let mut sees_class = true;
        for scope in self.0.iter().rev() {
            match scope {
                Scope::Comprehension(names) | Scope::Types(names) if names.contains(name) => return false,
                Scope::Function { globals, .. } if globals.contains(name) => return true,
                Scope::Function { locals, .. } if locals.contains(name) || name == "__class__" => return false,
                Scope::Class { globals, .. } if sees_class && globals.contains(name) => return true,
                Scope::Class { bound, .. } if sees_class && bound.contains(name) => return false,
                Scope::Class { locals, .. } if sees_class && locals.contains(name) => return true,
                _ => {}
            }
            sees_class &= matches!(scope, Scope::Types(_));
            if matches!(scope, Scope::Class { .. }) {
                name = &mangled;
            }
        }
        true
    }

    /// Notes that a name is bound here, and says whether that binds it in the namespace.
    pub(super) fn binds(&mut self, name: &'a str) -> bool {
        for scope in self.0.iter_mut().rev() {
            match scope {
                Scope::Comprehension(names) if names.contains(name) => return false,
                Scope::Comprehension(_) | Scope::Types(_) => {}
                Scope::Function { globals, .. } => return globals.contains(name),
                Scope::Class { globals, .. } if globals.contains(name) => return true,
                Scope::Class { bound, .. } => {
                    bound.insert(name);
                    return false;
                }
            }
        }
        true
    }

    /// Notes that a class here loses a name.
    pub(super) fn deletes(&mut self, name: &'a str) -> bool {
        let is_global = self.binds(name);
        if let Some(Scope::Class { bound, .. }) = self.0.last_mut() {
            bound.remove(name);
        }
        is_global
    }

    /// The name as the namespace has it: in a class `__x` is `_Class__x`.
    pub(super) fn mangled<'name>(&self, name: &'name str) -> Cow<'name, str> {
        if !name.starts_with("__") || name.ends_with("__") {
            return Cow::Borrowed(name);
        }
        let class = self.0.iter().rev().find_map(|scope| match scope {
            Scope::Class { name, .. } => Some(name.trim_start_matches('_')),
            _ => None,
        });
        match class {
            Some(class) if !class.is_empty() => Cow::Owned(format!("_{class}{name}")),
            _ => Cow::Borrowed(name),
        }
    }
}
