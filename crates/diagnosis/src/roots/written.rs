//! Which files code writes, as far as a line tells that holds both a name and what writes.

/// Calls that make a file: methods of frames, arrays, models and figures, and the standard library's.
const WRITERS: [&str; 16] = [
    ".to_",
    "save",
    "dump",
    "write",
    "extract",
    "urlretrieve",
    "wget",
    "curl",
    "mkdir",
    "makedirs",
    "touch",
    "copy",
    "move",
    "rename",
    "download",
    "export",
];

/// Modes of `open` that make a file.
const MODES: [&str; 8] = ["'w", "\"w", "'a'", "\"a\"", "'a+", "\"a+", "'x", "\"x"];

/// Whether some line of the code names the file and does something that writes.
pub(super) fn writes(code: &str, file: &str) -> bool {
    code.lines().any(|line| line.contains(file) && is_writing(line))
}

fn is_writing(line: &str) -> bool {
    WRITERS.iter().any(|word| line.contains(word))
        || line.contains("open(") && MODES.iter().any(|mode| line.contains(mode))
}
