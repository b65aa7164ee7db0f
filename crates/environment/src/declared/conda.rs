//! `environment.yml` of conda.

use std::rc::Rc;

use nbrevive_pysource::requirements::{Tool, requirements_file};

use super::row::UnreadReason;
use super::sheet::Sheet;
use super::yaml::{Node, YamlValue, first_document};

/// Reads the dependencies, those of `pip:` among them, and names the channels.
pub(super) fn read(text: &str, sheet: &mut Sheet) {
    match first_document(text) {
        Ok(Some(root)) => document(&root, sheet),
        Ok(None) => sheet.leave(0, "", UnreadReason::Unreadable, "the file is empty"),
        Err(error) => {
            sheet.leave(error.line, "", UnreadReason::Unreadable, &format!("no YAML: {}", error.why));
            // People forget blanks and quotes; the list of dependencies is mostly sound all the same.
            let lines = if text.contains("dependencies:") { requirements_file(text, Tool::Conda) } else { Vec::new() };
            for line in lines {
                sheet.entry(line.line, line.tool, line.entry, sheet.standing);
            }
        }
    }
}

fn document(root: &Node, sheet: &mut Sheet) {
    for channel in root.get("channels").and_then(|channels| channels.list()).unwrap_or_default() {
        // Those that conda has itself say nothing of where from.
        let known = ["defaults", "conda-forge", "anaconda", "main"];
        if let Some(name) = channel.text().filter(|name| !known.contains(name)) {
            sheet.leave(channel.line, name, UnreadReason::Channel, "");
        }
    }
    let Some(dependencies) = root.get("dependencies") else {
        sheet.leave(0, "", UnreadReason::Unreadable, "there is no list of dependencies");
        return;
    };
    let Some(list) = dependencies.list() else {
        // `dependencies:` with nothing below it asks for nothing.
        if dependencies.text().is_none_or(|text| !matches!(text, "" | "~" | "null")) {
            sheet.leave(dependencies.line, "dependencies", UnreadReason::Unreadable, "it is no list");
        }
        return;
    };
    for item in list {
        dependency(item, sheet);
    }
}

fn dependency(item: &Rc<Node>, sheet: &mut Sheet) {
    match &item.value {
        YamlValue::Text(text) => package(item.line, text, sheet),
        YamlValue::Map(map) => {
            for (key, value) in map {
                let name = key.text().unwrap_or_default();
                match value.list() {
                    Some(list) if name == "pip" => list.iter().for_each(|item| of_pip(item, sheet)),
                    _ if name == "pip" && value.text().is_some_and(|text| text.is_empty() || text == "~") => {}
                    _ => sheet.leave(key.line, name, UnreadReason::Unreadable, "only pip has a list of its own"),
                }
            }
        }
        YamlValue::List(_) => sheet.leave(item.line, "", UnreadReason::Unreadable, "a list in the list"),
    }
}

/// One line of the `pip:` list, which stands in a requirements file of its own when conda runs pip.
fn of_pip(item: &Node, sheet: &mut Sheet) {
    let Some(text) = item.text() else {
        sheet.leave(item.line, "", UnreadReason::Unreadable, "no text");
        return;
    };
    for line in requirements_file(text, Tool::Pip) {
        sheet.entry(item.line, line.tool, line.entry, sheet.standing);
    }
}

/// One package: `name`, `name=1.0`, `channel::name>=1`, `name[version='>=1']`.
fn package(line: u32, text: &str, sheet: &mut Sheet) {
    let text = text.trim();
    if text.contains("://") || text.ends_with(".tar.bz2") || text.ends_with(".conda") {
        sheet.leave(line, text, UnreadReason::Location, "");
        return;
    }
    if text.is_empty() || text.eq_ignore_ascii_case("pip") {
        return;
    }
    if let Some((channel, _)) = text.split_once("::") {
        sheet.leave(line, channel, UnreadReason::Channel, "");
    }
    let plain = bracketed(text).unwrap_or_else(|| text.to_owned());
    sheet.conda(line, &plain, sheet.standing);
}

/// `name[version='>=1', build=x]` as `name>=1`; `None` for one without brackets.
fn bracketed(text: &str) -> Option<String> {
    let (name, rest) = text.split_once('[')?;
    let inside = rest.split_once(']')?.0;
    let at = inside.find("version")?;
    let value = inside[at..].split_once('=')?.1;
    let quote = value.chars().next().filter(|found| matches!(found, '\'' | '"'));
    let version = match quote {
        Some(quote) => value.get(1..)?.split(quote).next()?,
        None => value.split(',').next()?,
    };
    let bare = version.starts_with(|found: char| found.is_ascii_digit());
    Some(if bare { format!("{name}=={version}") } else { format!("{name}{version}") })
}
