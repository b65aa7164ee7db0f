//! Names and members that a loop at the level of a module sets: `globals()[name] = …`, `setattr(Class, name, …)`, `Class.make(name, …)`.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt, StmtFor};

use crate::module_text::{Bound, ModuleText};
use crate::syntax;

impl ModuleText {
    /// Reads a loop; false where it sets names that no text has.
    pub(crate) fn repeated(&mut self, block: &StmtFor) -> bool {
        let first = match block.target.as_ref() {
            Expr::Tuple(tuple) => tuple.elts.first().and_then(syntax::name),
            other => syntax::name(other),
        };
        let Some(variable) = first else { return false };
        if block.body.iter().any(|statement| assigns_global(statement, Some(variable))) {
            return self.bind_each(&block.iter);
        }
        let mut classes: Vec<String> =
            block.body.iter().filter_map(|statement| class_set(statement, variable)).collect();
        classes.retain(|class| matches!(self.names.get(class), Some(Bound::Class(_))));
        for class in &classes {
            match (syntax::first_texts(&block.iter), &*block.iter) {
                (Some(texts), _) => {
                    if let Some(Bound::Class(class)) = self.names.get_mut(class) {
                        texts.iter().for_each(|text| class.add_value(text));
                    }
                }
                (None, Expr::Call(call)) => {
                    if let Some(lister) = syntax::dotted(&call.func) {
                        self.listed_members.push((class.clone(), lister));
                    }
                }
                _ => {}
            }
        }
        !classes.is_empty()
    }

    /// Binds the names of a list, or those of a module whose `__all__` is walked.
    fn bind_each(&mut self, listed: &Expr) -> bool {
        if let Some(texts) = syntax::texts(listed) {
            for text in texts {
                self.names.entry(text).or_insert(Bound::Value);
            }
            return true;
        }
        let Some(chain) = syntax::dotted(listed) else { return false };
        match chain.strip_suffix(".__all__").and_then(|module| self.names.get(module)) {
            Some(Bound::Module(module)) => {
                self.stars.push(module.clone());
                true
            }
            _ => false,
        }
    }
}

/// Whether a statement writes into the names of the module, under this variable or any.
fn assigns_global(statement: &Stmt, variable: Option<&str>) -> bool {
    let Stmt::Assign(assign) = statement else { return false };
    assign.targets.iter().filter_map(Expr::as_subscript_expr).any(|one| {
        let call = one.value.as_call_expr().and_then(|call| syntax::name(&call.func));
        matches!(call, Some("globals" | "vars" | "locals"))
            && variable.is_none_or(|variable| syntax::name(&one.slice) == Some(variable))
    })
}

/// The class on which a statement sets a member of a variable's name.
fn class_set(statement: &Stmt, variable: &str) -> Option<String> {
    let Stmt::Expr(expression) = statement else { return None };
    let call: &ExprCall = expression.value.as_call_expr()?;
    let is_name = |at: usize| call.arguments.args.get(at).and_then(syntax::name) == Some(variable);
    match call.func.as_ref() {
        Expr::Name(name) if name.id.as_str() == "setattr" && is_name(1) => {
            call.arguments.args.first().and_then(syntax::name).map(str::to_owned)
        }
        Expr::Attribute(attribute) if is_name(0) => syntax::name(&attribute.value).map(str::to_owned),
        _ => None,
    }
}

/// Whether statements write names that no text has.
pub(crate) fn makes_names(body: &[Stmt]) -> bool {
    let sets = |statement: &Stmt| {
        let Stmt::Expr(expression) = statement else { return false };
        expression.value.as_call_expr().and_then(|call| syntax::name(&call.func)) == Some("setattr")
    };
    body.iter().any(|statement| assigns_global(statement, None) || sets(statement))
}
