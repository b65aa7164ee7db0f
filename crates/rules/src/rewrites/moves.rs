//! Names that live elsewhere now: imports, and uses through the module.

use nbrevive_pysource::ast::{Alias, Expr, Stmt, StmtImport, StmtImportFrom};
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::shape;
use crate::view::{Place, View};
use crate::walk;

/// Old dotted name, new dotted name.
type Table<'t> = &'t [(&'t str, &'t str)];

/// Rewrites imports and uses of the names of the table. The longest entry that covers a name decides.
pub(crate) fn apply(table: Table<'_>, view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, around| match statement {
            Stmt::Import(_) | Stmt::ImportFrom(_)
                if is_provided_for(around) && !view.at_fault(place, statement.range()) => {}
            Stmt::Import(import) => move_import(table, place, import, view, change),
            Stmt::ImportFrom(import) if import.level == 0 => {
                move_import_from(table, place, statement, import, around, change);
            }
            _ => {}
        });
    }
    move_uses(table, view, change);
}

/// Whether the author has thought of an import that fails: it stands in a `try` that catches it, or in the alternative.
fn is_provided_for(around: &[&Stmt]) -> bool {
    let catches = |caught: Option<&Expr>| match caught {
        None => true,
        Some(Expr::Tuple(several)) => several.elts.iter().filter_map(shape::name).any(is_import_error),
        Some(one) => shape::name(one).is_some_and(is_import_error),
    };
    around.iter().any(|one| match one {
        Stmt::Try(block) => block
            .handlers
            .iter()
            .any(|handler| handler.as_except_handler().is_some_and(|handler| catches(handler.type_.as_deref()))),
        _ => false,
    })
}

fn is_import_error(name: &str) -> bool {
    matches!(name, "ImportError" | "ModuleNotFoundError" | "Exception")
}

/// The new name of a dotted name; `None` when the table does not speak of it.
pub(crate) fn new_name(table: Table<'_>, dotted: &str) -> Option<String> {
    let covers = |old: &str| dotted == old || dotted.starts_with(old) && dotted[old.len()..].starts_with('.');
    let (old, new) = table.iter().filter(|(old, _)| covers(old)).max_by_key(|(old, _)| old.len())?;
    if new.is_empty() {
        return Some(String::new());
    }
    let moved = format!("{new}{}", &dotted[old.len()..]);
    (moved != dotted).then_some(moved)
}

fn move_import(table: Table<'_>, place: Place, import: &StmtImport, view: &View<'_>, change: &mut Change<'_>) {
    let parsed = view.parsed(place);
    let mut parts = Vec::new();
    let mut moved = false;
    for alias in &import.names {
        let Some(new) = new_name(table, alias.name.as_str()).filter(|new| !new.is_empty()) else {
            parts.push(parsed.text(alias.range()).to_owned());
            continue;
        };
        moved = true;
        let local = alias.asname.as_ref().map(|name| name.as_str());
        parts.push(match local {
            Some(local) if local == new => new,
            Some(local) => format!("{new} as {local}"),
            None if alias.name.contains('.') => new,
            None => format!("{new} as {}", alias.name.as_str()),
        });
    }
    if moved {
        change.replace(place, import.range(), format!("import {}", parts.join(", ")));
    }
}

fn move_import_from(
    table: Table<'_>,
    place: Place,
    statement: &Stmt,
    import: &StmtImportFrom,
    around: &[&Stmt],
    change: &mut Change<'_>,
) {
    let module = import.module.as_ref().map(|name| name.as_str()).unwrap_or_default();
    let mut kept: Vec<String> = Vec::new();
    let mut moved: Vec<(String, Vec<String>)> = Vec::new();
    let mut any = false;
    for alias in &import.names {
        if alias.name.as_str() == "*"
            && let Some(new) = new_name(table, module).filter(|new| !new.is_empty())
        {
            any = true;
            moved.push((new, vec!["*".to_owned()]));
            continue;
        }
        match new_name(table, &format!("{module}.{}", alias.name.as_str())) {
            None => kept.push(alias_text(alias.name.as_str(), alias)),
            Some(new) => {
                any = true;
                add_moved(&mut moved, &new, alias);
            }
        }
    }
    if !any {
        return;
    }
    let mut lines = Vec::new();
    if !kept.is_empty() {
        lines.push(format!("from {module} import {}", kept.join(", ")));
    }
    for (module, names) in moved {
        lines.push(match module.as_str() {
            "" => names.join("; "),
            _ => format!("from {module} import {}", names.join(", ")),
        });
    }
    if lines.is_empty() {
        change.remove(place, statement, around);
    } else {
        change.replace(place, import.range(), lines.join("; "));
    }
}

/// Files a moved name under its new module. A name without a module is imported itself (`import joblib`); a built-in
/// needs no import, only its old local name where that differs; `module:Class.method` is bound after the import.
fn add_moved(moved: &mut Vec<(String, Vec<String>)>, new: &str, alias: &Alias) {
    let local = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
    let mut file = |module: &str, text: String| match moved.iter_mut().find(|(one, _)| one == module) {
        Some((_, names)) => names.push(text),
        None => moved.push((module.to_owned(), vec![text])),
    };
    if new.is_empty() {
        return;
    }
    if let Some(builtin) = new.strip_prefix("builtins.") {
        if builtin != local {
            file("", format!("{local} = {builtin}"));
        }
        return;
    }
    if let Some((home, path)) = new.split_once(':') {
        let owner = path.split('.').next().unwrap_or_default();
        file(home, owner.to_owned());
        return file("", format!("{local} = {path}"));
    }
    let Some((module, name)) = new.rsplit_once('.') else {
        let text = if new == local { format!("import {new}") } else { format!("import {new} as {local}") };
        return file("", text);
    };
    let text = if name == local { name.to_owned() } else { format!("{name} as {local}") };
    file(module, text);
}

fn alias_text(name: &str, alias: &Alias) -> String {
    match &alias.asname {
        Some(local) => format!("{name} as {}", local.as_str()),
        None => name.to_owned(),
    }
}

/// Uses through a module: `np.float`, `sklearn.cross_validation.KFold`, `misc.comb`. A name that a `from` import
/// binds directly keeps its local name, so its uses stay.
fn move_uses(table: Table<'_>, view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let Expr::Attribute(attribute) = expression else { return };
        // Who writes to a library's name gives it back: the switches do.
        if !attribute.ctx.is_load() {
            return;
        }
        if matches!(around.parent(), Some(Expr::Attribute(_))) && shape::dotted(expression).is_none() {
            return;
        }
        let Some(dotted) = view.qualified(expression) else { return };
        let exact = table.iter().find(|(old, new)| *old == dotted && !new.is_empty());
        let Some((_, new)) = exact else { return };
        if moved_by_import(table, expression, view) {
            return;
        }
        let text = change.spell(place, new);
        change.replace(place, attribute.range(), text);
    });
}

/// True when the import of the chain's root is itself moved, and the use stays good with it.
fn moved_by_import(table: Table<'_>, expression: &Expr, view: &View<'_>) -> bool {
    let Some(chain) = shape::dotted(expression) else { return true };
    let Some(full) = view.code.names.bound(chain[0]) else { return true };
    full != chain[0] && new_name(table, full).is_some()
}
