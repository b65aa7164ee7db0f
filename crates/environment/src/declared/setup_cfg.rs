//! `setup.cfg` of setuptools.

use super::ini::{IniEntry, entries};
use super::row::{DeclarationStanding, UnreadReason};
use super::sheet::Sheet;

/// Reads `[options]` and `[options.extras_require]`.
pub(super) fn read(text: &str, sheet: &mut Sheet) {
    for entry in entries(text) {
        match (entry.section.as_str(), entry.key.replace('-', "_").as_str()) {
            ("options", "install_requires") => list(&entry, sheet.standing, "", sheet),
            ("options", "setup_requires") => list(&entry, DeclarationStanding::Build, "setup_requires", sheet),
            ("options", "tests_require") => list(&entry, DeclarationStanding::Extra, "tests_require", sheet),
            ("options.extras_require", extra) => {
                list(&entry, DeclarationStanding::Extra, &format!("extra {extra}"), sheet);
            }
            ("options", "python_requires") => {
                let written: Vec<&str> = entry.lines.iter().map(|(_, text)| text.as_str()).collect();
                sheet.python(entry.line, &written.join(""));
            }
            _ => {}
        }
    }
}

/// Requirements, one a line, or on one line with `;` between them, as setuptools reads lists. Of a line with a blank before its `;`
/// that is a marker.
fn list(entry: &IniEntry, standing: DeclarationStanding, note: &str, sheet: &mut Sheet) {
    if let [(line, text)] = entry.lines.as_slice() {
        if let Some(files) = text.strip_prefix("file:") {
            files.split(',').for_each(|file| sheet.follow(*line, file.trim(), standing));
            return;
        }
        if text.starts_with("attr:") {
            sheet.leave(*line, text, UnreadReason::Variable, "");
            return;
        }
        if *line == entry.line {
            text.split(';').map(str::trim).filter(|text| !text.is_empty()).for_each(|text| {
                sheet.pip(*line, text, standing, note);
            });
            return;
        }
    }
    for (line, text) in &entry.lines {
        let text = text.split(" #").next().unwrap_or(text);
        sheet.pip(*line, text, standing, note);
    }
}
