//! `setup.py`: read, never run.

use super::row::{DeclarationStanding, UnreadReason};
use super::sheet::Sheet;
use crate::setup_script::{SetupWord, declared};

/// Reads the literals of the call of `setup`. Where it reads a requirements file, that is followed.
pub(super) fn read(text: &str, sheet: &mut Sheet) {
    let words = declared(text);
    if !words.has_call {
        return sheet.leave(0, "", UnreadReason::Unreadable, "there is no call of setup");
    }
    let standing = sheet.standing;
    for SetupWord { line, text } in &words.requires {
        sheet.pip(*line, text, standing, "");
    }
    for SetupWord { line, text } in &words.setup_requires {
        sheet.pip(*line, text, DeclarationStanding::Build, "setup_requires");
    }
    for (extra, SetupWord { line, text }) in &words.extras {
        sheet.pip(*line, text, DeclarationStanding::Extra, &format!("extra {extra}"));
    }
    if let Some(python) = &words.python {
        sheet.python(python.line, &python.text);
    }
    for SetupWord { line, text } in &words.files {
        sheet.follow(*line, text, standing);
    }
    if words.files.is_empty() {
        for SetupWord { line, text } in &words.unknown {
            sheet.leave(*line, text, UnreadReason::Variable, "");
        }
    }
}
