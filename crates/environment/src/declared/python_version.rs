//! Wishes for a version of Python: `runtime.txt`, `.python-version`, and what other files say in their own spellings.

use super::row::UnreadReason;
use super::sheet::Sheet;
use crate::versions::specifiers;

/// The specifiers (PEP 440) that a wish comes to: `3.8` is `==3.8.*`, `3.8.5` is `==3.8.5`, `python-3.7.9` likewise; ranges stay, and a
/// single sign of conda is a prefix. `None` for what is no version.
pub(super) fn python_specifiers(written: &str) -> Option<String> {
    let text = written.trim().trim_matches(['"', '\'']);
    let text =
        ["python-", "python", "cpython-", "cpython"].iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
    let text: String = text.split_whitespace().collect();
    let is_version = |text: &str| text.starts_with(|found: char| found.is_ascii_digit()) && text.len() <= 40;
    if is_version(&text) && !text.contains([',', '<', '>', '!', '~', '|']) {
        let numbers = text.trim_end_matches(['*', 'x', '.']).split('.').count();
        let bound = text.trim_end_matches(['*', '.', 'x']).split('=').next()?.trim_end_matches('.');
        let spelt =
            if numbers >= 3 && !text.ends_with(['*', 'x']) { format!("=={bound}") } else { format!("=={bound}.*") };
        return (specifiers(&spelt).len() == 1).then_some(spelt);
    }
    let prefix = text.strip_prefix('=').filter(|rest| is_version(rest));
    if let Some(version) = prefix {
        return python_specifiers(version);
    }
    let parts = text.split(',').filter(|part| !part.is_empty()).count();
    (parts > 0 && parts <= 20 && specifiers(&text).len() == parts).then_some(text)
}

/// `runtime.txt`: one line such as `python-3.8`; other languages are told.
pub(super) fn runtime(text: &str, sheet: &mut Sheet) {
    for (line, number) in lines(text) {
        if line.starts_with("python") {
            sheet.python(number, line);
        } else {
            sheet.leave(number, line, UnreadReason::Unreadable, "not a version of Python");
        }
    }
}

/// `.python-version`: versions, the first of which counts to pyenv; other names are environments of somebody's machine.
pub(super) fn python_version(text: &str, sheet: &mut Sheet) {
    for (line, number) in lines(text) {
        if line.starts_with(|found: char| found.is_ascii_digit()) || line.contains("python") {
            sheet.python(number, line);
        } else {
            sheet.leave(number, line, UnreadReason::Unreadable, "the name of somebody's environment, not a version");
        }
    }
}

/// `apt.txt`: a package a line.
pub(super) fn apt(text: &str, sheet: &mut Sheet) {
    for (line, number) in lines(text) {
        for name in line.split_whitespace() {
            match is_apt_name(name) {
                true => sheet.system(number, name, true, ""),
                false => sheet.leave(number, name, UnreadReason::Unreadable, "no name of a package of apt"),
            }
        }
    }
}

/// Whether a text can be a package of Debian (Debian Policy, 5.6.1), with an architecture or a version behind it.
pub(crate) fn is_apt_name(text: &str) -> bool {
    let plain = |found: char| found.is_ascii_lowercase() || found.is_ascii_digit() || "+-.:=~".contains(found);
    text.len() <= 100
        && text.starts_with(|found: char| found.is_ascii_lowercase() || found.is_ascii_digit())
        && text.chars().all(plain)
}

fn lines(text: &str) -> impl Iterator<Item = (&str, u32)> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or(line).trim());
    lines.zip(1..).filter(|(line, _)| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_become_specifiers() {
        let cases = [
            ("3.8", Some("==3.8.*")),
            ("3", Some("==3.*")),
            ("python-3.7.9", Some("==3.7.9")),
            ("3.6.*", Some("==3.6.*")),
            ("=3.6", Some("==3.6.*")),
            ("==3.6.5", Some("==3.6.5")),
            ("==3.6.*", Some("==3.6.*")),
            ("3.10.x", Some("==3.10.*")),
            (">=3.6, <4", Some(">=3.6,<4")),
            (">=2.7, !=3.0.*, !=3.1.*", Some(">=2.7,!=3.0.*,!=3.1.*")),
            ("myenv", None),
            ("", None),
            ("pypy3.9-7.3", None),
            ("3.8|3.9", None),
        ];
        for (text, expected) in cases {
            assert_eq!(python_specifiers(text).as_deref(), expected, "{text}");
        }
    }
}
