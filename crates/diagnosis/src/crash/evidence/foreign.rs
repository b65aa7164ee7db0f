//! Errors that no Python raised: of other languages, or by a name that no exception can have.

use super::Seen;

/// What says that another language raised it; none where Python may have.
pub(super) fn language(ename: &str, seen: &Seen<'_>, traceback: &str) -> Option<&'static str> {
    // What another language says inside of a Python program comes with Python's frames.
    if !seen.traceback.frames.is_empty() {
        return None;
    }
    if ["java.", "javax.", "scala."].iter().any(|package| ename.trim_start().starts_with(package)) {
        return Some("a class of Java or Scala is its name, and none of Python");
    }
    let lines = || traceback.lines().take(200).map(str::trim_start);
    if ["Error in ", "Error: "].iter().any(|start| seen.value.starts_with(start)) && seen.ename == "error" {
        return Some("R says so, and no Python");
    }
    if lines().any(|line| line.starts_with("Stacktrace:") || line.contains(".jl:")) {
        return Some("Julia says so, and no Python");
    }
    // `at f (vm.js:96:20)`, `at evalmachine.<anonymous>:1:1`.
    let ends = |line: &str| line.ends_with(|letter: char| letter == ')' || letter.is_ascii_digit());
    let is_of_stack = |line: &str| line.starts_with("at ") && ends(line) && line.contains(['.', ':']);
    lines().any(is_of_stack).then_some("a stack of Java or JavaScript says so, and no Python")
}

/// Whether a class could have this name, the parts before its points being modules.
pub(in crate::crash) fn is_class_name(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}
