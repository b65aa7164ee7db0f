//! Requirements files with the files that they name in turn.

use std::collections::HashSet;

use super::Tool;
use super::file::{FileLine, RequirementsEntry, requirements_file};
use crate::script::decode;

/// No real set of files is larger.
const MOST_FILES: usize = 100;

/// What requirements files ask for together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FollowedFiles {
    /// Requirements, options and unknown lines in the order in which the files say them, each with its file's path.
    pub lines: Vec<(String, FileLine)>,
    /// The same of files of constraints (`-c`): bounds that count where something else asks for the distribution.
    pub constraints: Vec<(String, FileLine)>,
    /// Paths that could not be opened, addresses among them.
    pub missing: Vec<String>,
}

/// Reads files of `tool` and those that they name by `-r` and `-c`, relative to themselves; each is read once, 100 at most.
///
/// `open` gets a path as named, joined to the folder of the file that names it, and gives its bytes. What may be opened is
/// its decision: names come from notebooks and may point anywhere (`/etc/x`, `../../x`).
#[must_use]
pub fn follow_files(names: &[String], tool: Tool, mut open: impl FnMut(&str) -> Option<Vec<u8>>) -> FollowedFiles {
    let mut followed = FollowedFiles::default();
    let mut seen = HashSet::new();
    // A stack, so that the lines of a named file stand where it is named.
    let mut work: Vec<Step> = names.iter().rev().map(|name| Step::Open(clean(name), false)).collect();
    while let Some(step) = work.pop() {
        let (path, bounds) = match step {
            Step::Open(path, bounds) => (path, bounds),
            Step::Keep(path, line, bounds) => {
                if bounds { &mut followed.constraints } else { &mut followed.lines }.push((path, line));
                continue;
            }
        };
        if seen.len() >= MOST_FILES || !seen.insert((path.clone(), bounds)) {
            continue;
        }
        let Some(bytes) = Some(&path).filter(|path| !path.contains("://")).and_then(|path| open(path)) else {
            followed.missing.push(path);
            continue;
        };
        let lines = requirements_file(&decode(&bytes), tool);
        work.extend(lines.into_iter().rev().map(|line| match line.entry {
            RequirementsEntry::File(name) => Step::Open(beside(&path, &name), bounds),
            RequirementsEntry::Constraints(name) => Step::Open(beside(&path, &name), true),
            _ => Step::Keep(path.clone(), line, bounds),
        }));
    }
    followed
}

enum Step {
    /// A file, and whether it holds constraints.
    Open(String, bool),
    /// A line of a file, and whether that holds constraints.
    Keep(String, FileLine, bool),
}

/// The path of a file named in another.
fn beside(file: &str, name: &str) -> String {
    let name = clean(name);
    match file.rsplit_once('/') {
        Some((folder, _)) if !name.starts_with('/') && !name.contains("://") => format!("{folder}/{name}"),
        _ => name,
    }
}

fn clean(name: &str) -> String {
    name.trim_start_matches("./").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_followed_once_and_in_order() {
        let open = |path: &str| {
            let text = match path {
                "req/all.txt" => "a\n-r ./more/x.txt\nb\n-c limits.txt\n-r gone.txt\n-r https://h/y.txt\n-r /abs.txt",
                "req/more/x.txt" => "c==1\n-r ../all.txt\n-r x.txt",
                "req/limits.txt" => "d<2\n-r all.txt",
                "req/more/../all.txt" => "e",
                _ => return None,
            };
            Some(text.as_bytes().to_vec())
        };
        let followed = follow_files(&["./req/all.txt".to_owned()], Tool::Pip, open);
        let text = |lines: &[(String, FileLine)]| {
            let text = |(path, line): &(String, FileLine)| match &line.entry {
                RequirementsEntry::Requirement { text, .. } => format!("{path}:{} {text}", line.line),
                other => format!("{path}:{} {other:?}", line.line),
            };
            lines.iter().map(text).collect::<Vec<_>>()
        };
        let expected = ["req/all.txt:1 a", "req/more/x.txt:1 c==1", "req/more/../all.txt:1 e", "req/all.txt:3 b"];
        assert_eq!(text(&followed.lines), expected);
        assert_eq!(text(&followed.constraints)[..2], ["req/limits.txt:1 d<2", "req/all.txt:1 a"]);
        assert_eq!(followed.missing[..3], ["req/gone.txt", "https://h/y.txt", "/abs.txt"]);
    }

    #[test]
    fn endless_chains_end() {
        let mut count = 0;
        let followed = follow_files(&["a.txt".to_owned()], Tool::Pip, |path| {
            count += 1;
            Some(format!("-r x{path}\nb").into_bytes())
        });
        assert_eq!((count, followed.lines.len()), (MOST_FILES, MOST_FILES));
    }
}
