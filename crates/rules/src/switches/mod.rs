//! Switches: one line that restores an old behaviour as a whole.
//!
//! They are asked when no finer rule has anything (more) to say, and an error is of the kind that the behaviour leads to. Finer rules say
//! what changed at each place and last longer; a switch works where no syntax shows the place: in a lambda, a dict of dtypes, or a
//! package.

mod behaviours;
mod shims;

use nbrevive_pysource::ast::Stmt;

use crate::change::Change;
use crate::rule::Rule;
use crate::view::{Place, View};
use crate::walk;

pub(crate) static TABLES: &[&[Rule]] = &[behaviours::RULES, shims::RULES];

/// Puts lines behind the first import of a module, for which `{}` stands; nothing where they stand in the notebook already, or
/// nothing imports the module under a name.
fn behind_import(view: &View<'_>, change: &mut Change<'_>, module: &str, lines: &str) {
    let mark = lines.split("{}").nth(1).unwrap_or(lines);
    if view.code.cells.iter().any(|source| source.parsed.source().contains(mark)) {
        return;
    }
    for (position, source) in view.code.cells.iter().enumerate() {
        let mut found: Option<(&Stmt, String)> = None;
        walk::statements(source.parsed.body(), &mut |statement, around| {
            let Stmt::Import(import) = statement else { return };
            let alias = import.names.iter().find(|alias| alias.name.as_str() == module);
            if let Some(alias) = alias.filter(|_| around.is_empty() && found.is_none()) {
                let local = alias.asname.as_ref().map_or(module, |name| name.as_str());
                found = Some((statement, lines.replace("{}", local)));
            }
        });
        if let Some((statement, text)) = found {
            change.line_behind(Place(position), statement, &text);
            return;
        }
    }
}
