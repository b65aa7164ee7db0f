//! What the text of one module says: what it binds, and what it hands on.

use nbrevive_pysource::ast::{Expr, Stmt, StmtImportFrom};
use nbrevive_pysource::parse::{Parsed, with_file};

use crate::class::ClassText;
use crate::function::FunctionText;
use crate::module_text::{Bound, Exports, ModuleText};
use crate::{deprecation, hints, loops, syntax};

/// Where a module stands.
pub(crate) struct Position<'a> {
    pub(crate) module: &'a str,
    pub(crate) is_package: bool,
    pub(crate) source: &'a str,
}

impl Position<'_> {
    /// The module that an import of some level means.
    fn absolute(&self, level: u32, module: &str) -> Option<String> {
        if level == 0 {
            return Some(module.to_owned());
        }
        let up = level as usize - usize::from(self.is_package);
        let mut base = self.module;
        for _ in 0..up {
            base = base.rsplit_once('.')?.0;
        }
        Some(if module.is_empty() { base.to_owned() } else { format!("{base}.{module}") })
    }
}

impl ModuleText {
    /// Reads a module. Text of Python 2 is read as far as the parser recovers.
    pub(crate) fn of(position: &Position<'_>) -> Self {
        with_file(position.source, |parsed| Self::read(parsed, position)).unwrap_or_default()
    }

    fn read(parsed: &Parsed, position: &Position<'_>) -> Self {
        let mut module = Self { sound: parsed.errors().is_empty(), ..Self::default() };
        module.statements(parsed.body(), position, false);
        if module.dynamic {
            module.hints = hints::of(parsed.body());
        }
        module
    }

    /// Statements of the module's own level. `guarded`: behind the `except` of an import that did not fail.
    fn statements(&mut self, body: &[Stmt], position: &Position<'_>, guarded: bool) {
        for statement in body {
            self.statement(statement, position, guarded);
        }
    }

    fn statement(&mut self, statement: &Stmt, position: &Position<'_>, guarded: bool) {
        match statement {
            Stmt::FunctionDef(function) => {
                if function.name.as_str() == "__getattr__" {
                    self.dynamic = true;
                } else {
                    if let [.., Stmt::Return(last)] = &*function.body
                        && let Some(texts) = last.value.as_deref().and_then(syntax::first_texts)
                    {
                        self.returned.insert(function.name.to_string(), texts);
                    }
                    self.bind(
                        function.name.as_str(),
                        Bound::Function(FunctionText::of(function, position.source)),
                        guarded,
                    );
                }
            }
            Stmt::ClassDef(class) => {
                self.bind(class.name.as_str(), Bound::Class(ClassText::of(class, position.source)), guarded);
            }
            Stmt::Import(import) => {
                for alias in &import.names {
                    match &alias.asname {
                        Some(local) => self.bind(local.as_str(), Bound::Module(alias.name.to_string()), guarded),
                        // A bare import of a foreign module is nobody's way to it.
                        None => self.bind_submodule(alias.name.as_str(), position, guarded),
                    }
                }
            }
            Stmt::ImportFrom(import) => self.import_from(import, position, guarded),
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.assign(target, &assign.value, guarded);
                }
            }
            Stmt::AnnAssign(assign) => match &assign.value {
                Some(value) => self.assign(&assign.target, value, guarded),
                // Stubs declare without a value.
                None => self.assign(&assign.target, &assign.annotation, guarded),
            },
            Stmt::AugAssign(assign) if syntax::name(&assign.target) == Some("__all__") => self.export(&assign.value),
            Stmt::Expr(expression) => self.expression(&expression.value),
            Stmt::If(block) => {
                self.statements(&block.body, position, guarded);
                for clause in &block.elif_else_clauses {
                    self.statements(&clause.body, position, true);
                }
            }
            Stmt::Try(block) => {
                self.statements(&block.body, position, guarded);
                self.statements(&block.orelse, position, guarded);
                self.statements(&block.finalbody, position, guarded);
                for handler in block.handlers.iter().filter_map(|handler| handler.as_except_handler()) {
                    self.statements(&handler.body, position, true);
                }
            }
            Stmt::With(block) => self.statements(&block.body, position, guarded),
            Stmt::For(block) => {
                if !self.repeated(block) {
                    self.dynamic |= loops::makes_names(&block.body);
                }
                self.statements(&block.body, position, guarded);
            }
            Stmt::Delete(delete) => {
                for name in delete.targets.iter().filter_map(syntax::name) {
                    self.names.remove(name);
                }
            }
            _ => {}
        }
    }

    fn bind(&mut self, name: &str, bound: Bound, guarded: bool) {
        if guarded && self.names.contains_key(name) {
            return;
        }
        // `@overload`s of a stub and setters of a property follow each other.
        self.names.insert(name.to_owned(), bound);
    }

    fn bind_submodule(&mut self, module: &str, position: &Position<'_>, guarded: bool) {
        let root = module.split('.').next().unwrap_or_default();
        if position.module.split('.').next() == Some(root) {
            self.bind(root, Bound::Module(root.to_owned()), guarded);
        }
    }

    fn import_from(&mut self, import: &StmtImportFrom, position: &Position<'_>, guarded: bool) {
        let named = import.module.as_ref().map(|name| name.as_str()).unwrap_or_default();
        let Some(module) = position.absolute(import.level, named) else { return };
        for alias in &import.names {
            let name = alias.name.as_str();
            if name == "*" {
                self.stars.push(module.clone());
                continue;
            }
            let local = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
            self.bind(local, Bound::From(module.clone(), name.to_owned()), guarded);
        }
    }

    fn assign(&mut self, target: &Expr, value: &Expr, guarded: bool) {
        match target {
            Expr::Name(name) if name.id.as_str() == "__all__" => {
                self.all = None;
                self.export(value);
            }
            Expr::Name(name) => {
                let bound = match syntax::dotted(value) {
                    Some(chain) => Bound::Alias(chain),
                    None => Bound::Value,
                };
                self.bind(name.id.as_str(), bound, guarded);
            }
            Expr::Tuple(several) => {
                if self.is_lazy(value) {
                    return;
                }
                for name in several.elts.iter().filter_map(syntax::name) {
                    self.bind(name, Bound::Value, guarded);
                }
            }
            // `DataFrame.plot = …`
            Expr::Attribute(attribute) => {
                if let Some(Bound::Class(class)) =
                    syntax::name(&attribute.value).and_then(|name| self.names.get_mut(name))
                {
                    class.add_value(attribute.attr.as_str());
                }
            }
            // `globals()[name] = …`
            Expr::Subscript(subscript) => {
                let call = subscript.value.as_call_expr().and_then(|call| syntax::name(&call.func));
                self.dynamic |= call == Some("globals");
            }
            _ => {}
        }
    }

    /// `__getattr__, __dir__, __all__ = lazy.attach(__name__, submodules, submod_attrs)`: what it makes is bound here.
    fn is_lazy(&mut self, value: &Expr) -> bool {
        let Some(call) = value.as_call_expr() else { return false };
        let Some(name) = syntax::dotted(&call.func) else { return false };
        if !name.ends_with("attach") && !name.ends_with("attach_stub") {
            return false;
        }
        let attributes =
            call.arguments.keywords.iter().find(|one| one.arg.as_ref().is_some_and(|a| a == "submod_attrs"));
        let attributes = attributes.map(|one| &one.value).or_else(|| call.arguments.args.get(2));
        for item in attributes.and_then(|dict| dict.as_dict_expr()).into_iter().flat_map(|dict| &dict.items) {
            let Some(module) = item.key.as_ref().and_then(syntax::text) else { continue };
            for name in syntax::texts(&item.value).unwrap_or_default() {
                self.names.insert(name.clone(), Bound::From(format!(".{module}"), name));
            }
        }
        // `attach_stub` reads the stub beside the module, which is merged in by who reads both.
        true
    }

    fn expression(&mut self, expression: &Expr) {
        let Some(call) = expression.as_call_expr() else { return };
        let Some(chain) = syntax::dotted(&call.func) else { return };
        match chain.as_str() {
            "__all__.extend" | "__all__.append" | "__all__.remove" => {
                let Some(argument) = call.arguments.args.first() else { return };
                match (chain.as_str(), syntax::text(argument)) {
                    ("__all__.remove", Some(name)) => {
                        self.all.get_or_insert_default().names.remove(name);
                    }
                    ("__all__.append", Some(name)) => {
                        self.all.get_or_insert_default().names.insert(name.to_owned());
                    }
                    ("__all__.extend", _) => self.export(argument),
                    _ => {}
                }
            }
            "globals().update" => self.dynamic = true,
            other => {
                let last = other.rsplit('.').next().unwrap_or_default();
                self.deprecated = self.deprecated.take().or_else(|| deprecation::warning(last, call));
            }
        }
    }

    /// Adds to `__all__`.
    fn export(&mut self, value: &Expr) {
        let exports = self.all.get_or_insert_with(|| Exports { complete: true, ..Exports::default() });
        add_exports(exports, value, 0);
    }
}

fn add_exports(exports: &mut Exports, value: &Expr, depth: usize) {
    if let Some(texts) = syntax::texts(value) {
        exports.names.extend(texts);
        return;
    }
    match value {
        Expr::BinOp(sum) if depth < 100 => {
            add_exports(exports, &sum.left, depth + 1);
            add_exports(exports, &sum.right, depth + 1);
        }
        Expr::Attribute(attribute) if attribute.attr.as_str() == "__all__" => match syntax::dotted(&attribute.value) {
            Some(module) => exports.of.push(module),
            None => exports.complete = false,
        },
        Expr::Call(call) if matches!(syntax::name(&call.func), Some("list" | "sorted" | "tuple")) && depth < 100 => {
            match call.arguments.args.first() {
                Some(inner) => add_exports(exports, inner, depth + 1),
                None => exports.complete = false,
            }
        }
        Expr::Name(name) => exports.of.push(name.id.to_string()),
        Expr::List(list) => {
            exports.complete = false;
            exports.names.extend(list.elts.iter().filter_map(syntax::text).map(str::to_owned));
        }
        _ => exports.complete = false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ModuleText {
        ModuleText::of(&Position { module: "a.b", is_package: true, source: text })
    }

    #[test]
    fn imports_assignments_and_exports_are_read() {
        let module = read(
            "from .c import *\nfrom ..d import e as f\nimport numpy as np\nx = y = 1\ng = np.abs\n__all__ = ['x']\n\
             __all__ += c.__all__\n__all__.extend(['g'])\ndel y\ntry:\n    import h as k\nexcept ImportError:\n    k = None\n",
        );
        assert_eq!(module.stars, ["a.b.c"]);
        let told = |name: &str| format!("{:?}", module.names.get(name));
        assert_eq!(told("f"), "Some(From(\"a.d\", \"e\"))");
        assert_eq!(told("g"), "Some(Alias(\"np.abs\"))");
        assert_eq!(told("k"), "Some(Module(\"h\"))");
        assert_eq!(told("y"), "None");
        let all = module.all.clone().unwrap();
        assert_eq!((all.names.len(), all.of, all.complete), (2, vec!["c".to_owned()], true));
        assert!(module.sound && !module.dynamic);
    }

    #[test]
    fn lazy_loaders_and_old_syntax_are_read_as_far_as_they_go() {
        let lazy = read(
            "import lazy_loader as lazy\n__getattr__, __dir__, __all__ = lazy.attach(__name__, submod_attrs={'c': ['d']})\n",
        );
        assert!(matches!(lazy.names.get("d"), Some(Bound::From(module, _)) if module == ".c"));
        let old = read("def f(x):\n    print x\n\ndef g(): pass\n");
        assert!(!old.sound && old.names.contains_key("g"));
        assert!(read("def __getattr__(name): pass\n").dynamic);
    }
}
