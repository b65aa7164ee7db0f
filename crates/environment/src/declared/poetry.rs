//! `[tool.poetry]`: constraints in poetry's own spellings.

use super::pyproject::indexes;
use super::row::{DeclarationStanding, UnreadReason};
use super::sheet::Sheet;
use super::toml_lines::{Table, Value};

/// Reads dependencies, groups and sources.
pub(super) fn read(poetry: Table<'_>, sheet: &mut Sheet) {
    let standing = sheet.standing;
    if let Some(dependencies) = poetry.at(&["dependencies"]) {
        table(dependencies, standing, "", sheet);
    }
    if let Some(developers) = poetry.at(&["dev-dependencies"]) {
        table(developers, DeclarationStanding::Extra, "group dev", sheet);
    }
    for (name, group) in poetry.at(&["group"]).map(Table::entries).unwrap_or_default() {
        if let Some(dependencies) = poetry.inner(group).and_then(|group| group.at(&["dependencies"])) {
            // Groups are installed unless they are optional; by name, those of developers are not for who reads notebooks.
            let is_optional = poetry.inner(group).is_some_and(|group| group.flag("optional"));
            let is_extra = is_optional || super::precedence::is_for_developers(name);
            let standing = if is_extra { DeclarationStanding::Extra } else { standing };
            table(dependencies, standing, &format!("group {name}"), sheet);
        }
    }
    indexes(poetry, "source", sheet);
}

fn table(dependencies: Table<'_>, standing: DeclarationStanding, note: &str, sheet: &mut Sheet) {
    for (name, value) in dependencies.entries() {
        if name.eq_ignore_ascii_case("python") {
            let wish = value.value.as_str().and_then(poetry_bound);
            match wish {
                Some(bound) if bound.is_empty() => {}
                Some(bound) => sheet.python(value.line, &bound),
                None => sheet.leave(value.line, "python", UnreadReason::Unreadable, "no range of versions"),
            }
            continue;
        }
        match dependencies.list(value) {
            // One constraint for each Python or platform.
            Some(several) => {
                several.into_iter().for_each(|one| dependency(dependencies, (name, one), standing, note, sheet));
            }
            None => dependency(dependencies, (name, value), standing, note, sheet),
        }
    }
}

fn dependency(
    table: Table<'_>,
    (name, value): (&str, Value<'_>),
    standing: DeclarationStanding,
    note: &str,
    sheet: &mut Sheet,
) {
    if let Some(text) = value.value.as_str() {
        return bounded(name, (text, ""), value.line, (standing, note), sheet);
    }
    let Some(fields) = table.inner(value) else {
        sheet.leave(value.line, name, UnreadReason::Unreadable, "neither a version nor a table");
        return;
    };
    let is_optional = fields.flag("optional");
    let standing = if is_optional { DeclarationStanding::Extra } else { standing };
    let note = if is_optional { "optional" } else { note };
    let extras: Vec<&str> = fields
        .get("extras")
        .and_then(|extras| fields.list(extras))
        .unwrap_or_default()
        .iter()
        .filter_map(|extra| extra.value.as_str())
        .collect();
    let name = if extras.is_empty() { name.to_owned() } else { format!("{name}[{}]", extras.join(",")) };
    let marker = marker(fields);
    if let Some(place) = ["path", "file"].iter().find_map(|key| fields.text(key)) {
        // A name of the repository's own, which on the index may be anybody's.
        return sheet.leave(value.line, &format!("{name} @ {place}"), UnreadReason::Editable, "");
    }
    if let Some(place) = ["git", "url"].iter().find_map(|key| fields.text(key)) {
        sheet.leave(value.line, &format!("{name} @ {place}"), UnreadReason::Location, "");
        return sheet.pip(value.line, &format!("{name}{marker}"), standing, note);
    }
    if let Some(source) = fields.text("source").or_else(|| fields.text("index")) {
        sheet.leave(value.line, source, UnreadReason::Index, "");
    }
    bounded(&name, (fields.text("version").unwrap_or("*"), &marker), value.line, (standing, note), sheet);
}

fn bounded(
    name: &str,
    (written, marker): (&str, &str),
    line: u32,
    (standing, note): (DeclarationStanding, &str),
    sheet: &mut Sheet,
) {
    match poetry_bound(written) {
        Some(bound) => sheet.pip(line, &format!("{name}{bound}{marker}"), standing, note),
        None => {
            let detail = "a range that PEP 440 cannot say; the name counts, without a bound";
            sheet.leave(line, &format!("{name} = {written}"), UnreadReason::Unreadable, detail);
            sheet.pip(line, &format!("{name}{marker}"), standing, note);
        }
    }
}

/// The markers of a table: `markers`, `python`, `platform`, or a key of PEP 508 itself as pipenv has them.
pub(super) fn marker(fields: Table<'_>) -> String {
    let mut parts: Vec<String> = fields.text("markers").map(|markers| format!("({markers})")).into_iter().collect();
    if let Some(bound) = fields.text("python").and_then(poetry_bound) {
        // `python_version` has no patch, and a bound such as `>=3.6.1` speaks of one.
        parts.extend(bound.split(',').filter(|part| !part.is_empty()).map(|part| {
            let at = part.find(|found: char| found.is_ascii_digit()).unwrap_or(part.len());
            let (operator, version) = part.split_at(at);
            let variable = if version.matches('.').count() >= 2 && !version.ends_with('*') {
                "python_full_version"
            } else {
                "python_version"
            };
            format!("{variable} {operator} \"{version}\"")
        }));
    }
    if let Some(platform) = fields.text("platform") {
        parts.push(format!("sys_platform == \"{platform}\""));
    }
    for key in
        ["sys_platform", "os_name", "platform_machine", "platform_system", "python_version", "python_full_version"]
    {
        parts.extend(fields.text(key).map(|value| format!("{key} {value}")));
    }
    if parts.is_empty() { String::new() } else { format!("; {}", parts.join(" and ")) }
}

/// A constraint of poetry as specifiers of PEP 440; empty for any version, `None` for alternatives (`||`) and what is no constraint.
///
/// Caret and tilde are those of poetry's documentation ("Dependency specification"): `^1.2.3` is `>=1.2.3,<2.0.0`, and the first
/// number that is not 0 may not change; `~1.2` is `>=1.2,<1.3`.
pub(super) fn poetry_bound(written: &str) -> Option<String> {
    if written.contains('|') || written.len() > 200 {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    // Blanks part constraints as commas do, unless they stand behind an operator.
    let mut words: Vec<String> = Vec::new();
    for word in written.split([',', ' ', '\t']).filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(last) if last.ends_with(['<', '>', '=', '~', '^', '!']) => last.push_str(word),
            _ => words.push(word.to_owned()),
        }
    }
    for word in words {
        parts.extend(one_bound(&word)?);
    }
    Some(parts.join(","))
}

/// One constraint.
fn one_bound(word: &str) -> Option<Vec<String>> {
    if matches!(word, "*" | "==*" | "x") {
        return Some(Vec::new());
    }
    if let Some(version) = word.strip_prefix('^') {
        return between(version, |numbers| numbers.iter().position(|number| *number != 0));
    }
    if let Some(version) = word.strip_prefix('~').filter(|rest| !rest.starts_with('=')) {
        return between(version, |numbers| Some(numbers.len().min(2) - 1));
    }
    let at = word.find(|found: char| !"<>=!~".contains(found))?;
    let (operator, version) = word.split_at(at);
    is_version(version)?;
    let operator = match operator {
        "" | "=" => "==",
        other => other,
    };
    let version = version.replace(".x", ".*");
    Some(vec![format!("{operator}{version}")])
}

/// `>=version` and below the next one at a place; the last place where none is named.
fn between(version: &str, place: impl Fn(&[u64]) -> Option<usize>) -> Option<Vec<String>> {
    let version = version.trim_end_matches(".*");
    is_version(version)?;
    let parsed: pep440_rs::Version = version.parse().ok()?;
    let numbers = parsed.release();
    let at = place(numbers).unwrap_or(numbers.len().checked_sub(1)?);
    let mut next = numbers.get(..=at)?.to_vec();
    let last = next.last_mut()?;
    *last = last.checked_add(1)?;
    let next: Vec<String> = next.iter().map(ToString::to_string).collect();
    Some(vec![format!(">={version}"), format!("<{}", next.join("."))])
}

fn is_version(text: &str) -> Option<()> {
    let plain = |found: char| found.is_ascii_alphanumeric() || ".*+-!_".contains(found);
    (text.starts_with(|found: char| found.is_ascii_digit()) && text.chars().all(plain)).then_some(())
}
