//! `Pipfile` and `Pipfile.lock` of pipenv.

use std::collections::HashMap;

use serde_json::{Map, Value as Json};

use super::poetry::marker;
use super::pyproject::indexes;
use super::row::{DeclarationStanding, UnreadReason};
use super::sheet::Sheet;
use super::toml_lines::{Table, Value, with_table};

/// Reads a Pipfile.
pub(super) fn read(text: &str, sheet: &mut Sheet) {
    if let Err((line, why)) = with_table(text, |root| pipfile(root, sheet)) {
        sheet.leave(line, "", UnreadReason::Unreadable, &format!("no TOML: {why}"));
    }
}

fn pipfile(root: Table<'_>, sheet: &mut Sheet) {
    indexes(root, "source", sheet);
    if let Some(requires) = root.at(&["requires"]) {
        let full = requires.get("python_full_version");
        if let Some(version) = full.or_else(|| requires.get("python_version")) {
            sheet.python(version.line, version.value.as_str().unwrap_or_default());
        }
    }
    let standing = sheet.standing;
    for (section, standing, note) in
        [("packages", standing, ""), ("dev-packages", DeclarationStanding::Extra, "dev-packages")]
    {
        let Some(table) = root.at(&[section]) else { continue };
        for (name, value) in table.entries() {
            package(table, (name, value), standing, note, sheet);
        }
    }
}

fn package(
    table: Table<'_>,
    (name, value): (&str, Value<'_>),
    standing: DeclarationStanding,
    note: &str,
    sheet: &mut Sheet,
) {
    if let Some(version) = value.value.as_str() {
        return sheet.pip(value.line, &format!("{name}{}", version_of(version)), standing, note);
    }
    let Some(fields) = table.inner(value) else {
        sheet.leave(value.line, name, UnreadReason::Unreadable, "neither a version nor a table");
        return;
    };
    let extras = fields.get("extras").and_then(|extras| fields.list(extras)).unwrap_or_default();
    let extras: Vec<&str> = extras.iter().filter_map(|extra| extra.value.as_str()).collect();
    let named = if extras.is_empty() { name.to_owned() } else { format!("{name}[{}]", extras.join(",")) };
    let marker = marker(fields);
    if let Some(place) = ["path", "file"].iter().find_map(|key| fields.text(key)) {
        // A name of the repository's own, or one that pipenv made up: on the index it may be anybody's.
        return sheet.leave(value.line, &format!("{name} @ {place}"), UnreadReason::Editable, "");
    }
    if let Some(place) = ["git", "hg", "svn"].iter().find_map(|key| fields.text(key)) {
        sheet.leave(value.line, &format!("{name} @ {place}"), UnreadReason::Location, "");
        return sheet.pip(value.line, &format!("{named}{marker}"), standing, note);
    }
    let version = version_of(fields.text("version").unwrap_or("*"));
    sheet.pip(value.line, &format!("{named}{version}{marker}"), standing, note);
}

/// The bound of a version; `*` is none.
fn version_of(version: &str) -> &str {
    if version.trim() == "*" { "" } else { version }
}

/// Reads a lock.
pub(super) fn read_lock(text: &str, sheet: &mut Sheet) {
    let root: Map<String, Json> = match serde_json::from_str(text) {
        Ok(root) => root,
        Err(error) => {
            let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
            return sheet.leave(line, "", UnreadReason::Unreadable, &format!("no JSON: {error}"));
        }
    };
    let mut lines = KeyLines::of(text);
    let requires = root.get("_meta").and_then(|meta| meta.get("requires"));
    let full = requires.and_then(|requires| requires.get("python_full_version"));
    let python = full.or_else(|| requires.and_then(|requires| requires.get("python_version")));
    if let Some(version) = python.and_then(Json::as_str) {
        let line = lines.find("python_full_version").max(lines.find("python_version"));
        sheet.python(line, version);
    }
    for source in root.get("_meta").and_then(|meta| meta.get("sources")).and_then(Json::as_array).into_iter().flatten()
    {
        let address = source.get("url").and_then(Json::as_str).unwrap_or("source");
        sheet.leave(lines.find("sources"), address, UnreadReason::Index, "");
    }
    let standing = sheet.standing;
    for (section, standing, note) in [("default", standing, ""), ("develop", DeclarationStanding::Extra, "develop")] {
        let Some(Json::Object(packages)) = root.get(section) else { continue };
        lines.enter(section);
        for (name, fields) in packages {
            locked(name, fields, lines.find(name), (standing, note), sheet);
        }
    }
}

fn locked(name: &str, fields: &Json, line: u32, (standing, note): (DeclarationStanding, &str), sheet: &mut Sheet) {
    if !fields.is_object() {
        return sheet.leave(line, name, UnreadReason::Unreadable, "it is no table");
    }
    let text = |key: &str| fields.get(key).and_then(Json::as_str);
    let marker = text("markers").map(|markers| format!("; {markers}")).unwrap_or_default();
    let extras = fields.get("extras").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
    let extras: Vec<&str> = extras.collect();
    let named = if extras.is_empty() { name.to_owned() } else { format!("{name}[{}]", extras.join(",")) };
    if let Some(place) = ["path", "file"].iter().find_map(|key| text(key)) {
        return sheet.leave(line, &format!("{name} @ {place}"), UnreadReason::Editable, "");
    }
    if let Some(place) = text("git") {
        sheet.leave(line, &format!("{name} @ {place}"), UnreadReason::Location, "");
        return sheet.pip(line, &format!("{named}{marker}"), standing, note);
    }
    sheet.pip(line, &format!("{named}{}{marker}", text("version").unwrap_or_default()), standing, note);
}

/// The lines of keys: those of a lock stand on lines of their own.
struct KeyLines<'text> {
    lines: HashMap<&'text str, Vec<u32>>,
    /// The line of the section that is read.
    section: u32,
}

impl<'text> KeyLines<'text> {
    fn of(text: &'text str) -> Self {
        let mut lines: HashMap<&str, Vec<u32>> = HashMap::new();
        for (line, number) in text.lines().zip(1..) {
            let key = line.trim_start().strip_prefix('"').and_then(|rest| Some(rest.split_once("\":")?.0));
            if let Some(key) = key {
                lines.entry(key).or_default().push(number);
            }
        }
        Self { lines, section: 0 }
    }

    fn enter(&mut self, section: &str) {
        self.section = self.lines.get(section).and_then(|lines| lines.first()).copied().unwrap_or(0);
    }

    /// The line of a key; 0 where it has none of its own, as in a lock on one line.
    fn find(&self, key: &str) -> u32 {
        let Some(lines) = self.lines.get(key) else { return 0 };
        let at = lines.partition_point(|line| *line <= self.section);
        lines.get(at).copied().unwrap_or(0)
    }
}
