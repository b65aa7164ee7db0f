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

impl StandIn {
    fn called(&self, name: &str) -> String {
        self.definition.trim_end().replace("{name}", name)
    }
}

/// Puts the definitions in the place of each import of one, and at the top of the cells that reach it by its module.
pub(crate) fn write_out(gone: &[StandIn], view: &View<'_>, change: &mut Change<'_>) {
    write_out_after(gone, "", view, change);
}

/// The same, where the name of what is reached by its module gets a word in front: results of `np.npv` are called `npv`.
pub(crate) fn write_out_after(gone: &[StandIn], prefix: &str, view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, around| {
            let Stmt::ImportFrom(import) = statement else { return };
            let Some(module) = import.module.as_ref().map(|module| module.as_str()).filter(|_| around.is_empty())
            else {
                return;
            };
            let (mut definitions, mut others) = (Vec::new(), Vec::new());
            for alias in &import.names {
                match gone.iter().find(|one| one.module == module && one.name == alias.name.as_str()) {
                    Some(one) => definitions.push(one.called(alias.asname.as_ref().unwrap_or(&alias.name).as_str())),
                    None => others.push(source.parsed.text(alias.range())),
                }
            }
            if definitions.is_empty() {
                return;
            }
            if !others.is_empty() {
                definitions.push(format!("from {module} import {}", others.join(", ")));
            }
            change.replace(Place(position), statement.range(), definitions.join("\n"));
        });
    }
    view.expressions(|place, expression, _| {
        let Some(dotted) = expression.as_attribute_expr().and_then(|_| view.qualified(expression)) else { return };
        let is_this = |one: &&StandIn| {
            dotted.strip_suffix(one.name).and_then(|before| before.strip_suffix('.')) == Some(one.module)
        };
        if let Some(one) = gone.iter().find(is_this) {
            let name = format!("{prefix}{}", one.name);
            change.need_import(place, one.called(&name));
            change.replace(place, expression.range(), name);
        }
    });
}
