//! Functions that a library no longer has, and that are written out where they are imported.

use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::view::{Place, View};
use crate::walk;

/// A function that is gone.
pub(crate) struct StandIn {
    /// Where it was.
    pub(crate) module: &'static str,
    /// Its name.
    pub(crate) name: &'static str,
    /// What does the same; `{name}` is how the notebook calls it.
    pub(crate) definition: &'static str,
}

/// Puts the definition in the place of each import of it, and at the top of the cells that reach it by its module.
pub(crate) fn write_out(one: &StandIn, view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, around| {
            let Stmt::ImportFrom(import) = statement else { return };
            let module = import.module.as_ref().map(|module| module.as_str());
            let found = import.names.iter().find(|alias| alias.name.as_str() == one.name);
            let Some(alias) = found.filter(|_| around.is_empty() && module == Some(one.module)) else { return };
            let others = import.names.iter().filter(|other| other.range() != alias.range());
            let others: Vec<&str> = others.map(|other| source.parsed.text(other.range())).collect();
            let mut text = one.definition.replace("{name}", alias.asname.as_ref().unwrap_or(&alias.name).as_str());
            if !others.is_empty() {
                text.push_str(&format!("\nfrom {} import {}", one.module, others.join(", ")));
            }
            change.replace(Place(position), statement.range(), text);
        });
    }
    let dotted = format!("{}.{}", one.module, one.name);
    view.expressions(|place, expression, _| {
        if expression.is_attribute_expr() && view.qualified(expression).as_deref() == Some(&dotted[..]) {
            change.need_import(place, one.definition.replace("{name}", one.name));
            change.replace(place, expression.range(), one.name);
        }
    });
}
