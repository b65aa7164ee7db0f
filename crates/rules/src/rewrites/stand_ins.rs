//! Functions that a library no longer has, and that are written out where they are imported.

use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::text_size::{Ranged, TextSize};

use crate::change::Change;
use crate::shape;
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
            let Some(module) = import.module.as_ref().map(|module| module.as_str()) else { return };
            // Who imports in a `try` has thought of what may fail.
            let is_left = around.iter().any(|one| one.is_try_stmt() || is_written_out(one));
            let indentation = match indentation_of(source.parsed.source(), statement.start()) {
                _ if around.is_empty() => "",
                Some(indentation) if !is_left => indentation,
                _ => return,
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
            let lines = definitions.join("\n").replace('\n', &format!("\n{indentation}"));
            change.replace(Place(position), statement.range(), lines);
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

/// Whether a statement is such a definition, which may ask the library for what has the old name today.
fn is_written_out(statement: &Stmt) -> bool {
    let Stmt::FunctionDef(function) = statement else { return false };
    let Some(Stmt::Expr(first)) = function.body.first() else { return false };
    shape::text(&first.value).is_some_and(|text| text.starts_with("What ") && text.contains(" had before "))
}

/// What stands before a statement on its line; `None` where that is another one.
pub(crate) fn indentation_of(source: &str, statement: TextSize) -> Option<&str> {
    let before = source.get(..statement.to_usize())?;
    before.rsplit('\n').next().filter(|start| start.trim().is_empty())
}
