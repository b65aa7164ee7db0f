//! `pyproject.toml`: the standard tables (PEP 621, 518, 735), and what poetry, pdm and uv add.

use super::poetry;
use super::row::{DeclarationStanding, UnreadReason};
use super::sheet::Sheet;
use super::toml_lines::{Table, Value, with_table};

/// Reads a project's file.
pub(super) fn read(text: &str, sheet: &mut Sheet) {
    if let Err((line, why)) = with_table(text, |root| project_file(root, sheet)) {
        sheet.leave(line, "", UnreadReason::Unreadable, &format!("no TOML: {why}"));
    }
}

fn project_file(root: Table<'_>, sheet: &mut Sheet) {
    if let Some(requires) = root.at(&["build-system"]).and_then(|table| table.get("requires")) {
        list(root, requires, DeclarationStanding::Build, "build-system", sheet);
    }
    if let Some(project) = root.at(&["project"]) {
        standard(project, sheet);
    }
    if let Some(groups) = root.at(&["dependency-groups"]) {
        groups_of(groups, "group", sheet);
    }
    if let Some(poetry) = root.at(&["tool", "poetry"]) {
        poetry::read(poetry, sheet);
    }
    if let Some(uv) = root.at(&["tool", "uv"]) {
        if let Some(developers) = uv.get("dev-dependencies") {
            list(uv, developers, DeclarationStanding::Extra, "group dev", sheet);
        }
        sources(uv, sheet);
    }
    if let Some(pdm) = root.at(&["tool", "pdm"]) {
        if let Some(groups) = pdm.at(&["dev-dependencies"]) {
            groups_of(groups, "group", sheet);
        }
        indexes(pdm, "source", sheet);
    }
}

fn standard(project: Table<'_>, sheet: &mut Sheet) {
    if let Some(python) = project.get("requires-python") {
        sheet.python(python.line, python.value.as_str().unwrap_or_default());
    }
    if let Some(dependencies) = project.get("dependencies") {
        let standing = sheet.standing;
        list(project, dependencies, standing, "", sheet);
    }
    if let Some(extras) = project.at(&["optional-dependencies"]) {
        groups_of(extras, "extra", sheet);
    }
    if let Some(dynamic) = project.get("dynamic") {
        let fields = project.list(dynamic).unwrap_or_default();
        if let Some(field) = fields.iter().find(|field| field.value.as_str() == Some("dependencies")) {
            sheet.leave(field.line, "dynamic dependencies", UnreadReason::Variable, "what the builder says");
        }
    }
}

/// Tables of lists by the name of their extra or group.
fn groups_of(table: Table<'_>, word: &str, sheet: &mut Sheet) {
    for (name, value) in table.entries() {
        list(table, value, DeclarationStanding::Extra, &format!("{word} {name}"), sheet);
    }
}

/// A list of requirements as PEP 508 writes them.
fn list(table: Table<'_>, value: Value<'_>, standing: DeclarationStanding, note: &str, sheet: &mut Sheet) {
    let Some(elements) = table.list(value) else {
        sheet.leave(value.line, note, UnreadReason::Unreadable, "it is no list");
        return;
    };
    for element in elements {
        match element.value.as_str() {
            Some(text) => sheet.pip(element.line, text, standing, note),
            // `{ include-group = "test" }`: that group's own rows are there.
            None if element.value.as_table().is_some() => {}
            None => sheet.leave(element.line, note, UnreadReason::Unreadable, "no text"),
        }
    }
}

/// Where uv gets some names from: named, and the name comes from the index.
fn sources(uv: Table<'_>, sheet: &mut Sheet) {
    indexes(uv, "index", sheet);
    for (name, value) in uv.at(&["sources"]).map(Table::entries).unwrap_or_default() {
        let source = uv.inner(value);
        let is_own = source.is_some_and(|source| source.get("path").is_some() || source.flag("workspace"));
        if is_own {
            // A name of the repository's own, which on the index may be anybody's.
            let name = crate::versions::normalise(name);
            sheet.requirements.retain(|row| row.requirement.name != name);
        }
        let reason = if is_own { UnreadReason::Editable } else { UnreadReason::Location };
        sheet.leave(value.line, name, reason, "a source of uv");
    }
}

/// Lists of indexes: `[[tool.uv.index]]`, `[[tool.pdm.source]]`, `[[tool.poetry.source]]`, `[[source]]` of a Pipfile.
pub(super) fn indexes(table: Table<'_>, key: &str, sheet: &mut Sheet) {
    let Some(value) = table.get(key) else { return };
    for element in table.list(value).unwrap_or_default() {
        let address = table.inner(element).and_then(|source| source.text("url").or_else(|| source.text("name")));
        sheet.leave(element.line, address.unwrap_or(key), UnreadReason::Index, "");
    }
}
