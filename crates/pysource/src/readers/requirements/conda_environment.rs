//! `environment.yml` of conda, read as text: the `dependencies:` list with the `pip:` list inside it.
//!
//! Only what conda's own export and people write is understood (block lists, or a list in brackets); anchors, tags and
//! multi-line scalars of YAML are not.

use super::Tool;
use super::file::{FileLine, entry, without_comment};

/// Whether a text has a `dependencies:` list at its top level, which no requirements file has.
pub(super) fn is_environment(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("dependencies:"))
}

/// The dependencies in order, each with the tool that installs it.
pub(super) fn read(text: &str) -> Vec<FileLine> {
    let mut reader = Reader { found: Vec::new(), pip: None };
    let mut lines = text.lines().zip(1..).skip_while(|(line, _)| !line.starts_with("dependencies:"));
    let Some((first, number)) = lines.next() else { return Vec::new() };
    let rest = without_comment(first)["dependencies:".len()..].trim();
    if rest.starts_with('[') {
        let more = lines.map(|(line, _)| without_comment(line));
        reader.flow(std::iter::once(rest).chain(more), number);
        return reader.found;
    }
    for (line, number) in lines {
        let line = without_comment(line).trim_end();
        let is_next_key = line.starts_with(|c: char| !c.is_whitespace() && c != '-');
        if is_next_key {
            break;
        }
        reader.item(line, number);
    }
    reader.found
}

struct Reader {
    found: Vec<FileLine>,
    /// The column of the dash before `pip:` while its list lasts.
    pip: Option<usize>,
}

impl Reader {
    /// One line of a block list.
    fn item(&mut self, line: &str, number: u32) {
        let text = line.trim_start();
        let column = line.len() - text.len();
        let Some(text) = text.strip_prefix('-').map(str::trim_start) else { return };
        if self.pip.is_some_and(|pip| column <= pip) {
            self.pip = None;
        }
        match text.strip_prefix("pip:") {
            Some(rest) => {
                self.pip = Some(column);
                if rest.trim_start().starts_with('[') {
                    self.flow(std::iter::once(rest), number);
                }
            }
            None => self.push(text, number),
        }
    }

    /// A list in brackets, up to the bracket that closes it.
    fn flow<'a>(&mut self, lines: impl Iterator<Item = &'a str>, first: u32) {
        let mut depth = 0_usize;
        for (line, number) in lines.zip(first..) {
            for piece in line.split_inclusive([',', '[', ']', '{', '}']) {
                let sign = piece.chars().next_back().unwrap_or(',');
                let text = piece.trim_end_matches([',', '[', ']', '{', '}']).trim();
                match text.strip_prefix("pip:") {
                    Some(_) => self.pip = Some(0),
                    None => self.push(text, number),
                }
                match sign {
                    '[' | '{' => depth += 1,
                    ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if sign == '}' {
                    self.pip = None;
                }
                if depth == 0 && matches!(sign, ']' | '}') {
                    return;
                }
            }
        }
    }

    fn push(&mut self, text: &str, line: u32) {
        let text = text.trim().trim_matches(['"', '\'']);
        let tool = if self.pip.is_some() { Tool::Pip } else { Tool::Conda };
        if !text.is_empty() {
            self.found.extend(entry(text, tool).map(|entry| FileLine { line, tool, entry }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::{RequirementsEntry, requirements_file};
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let show = |line: FileLine| match line.entry {
            RequirementsEntry::Requirement { text, .. } => format!("{} {:?} {text}", line.line, line.tool),
            other => format!("{} {:?} {other:?}", line.line, line.tool),
        };
        requirements_file(text, Tool::Pip).into_iter().map(show).collect()
    }

    #[test]
    fn block_lists() {
        let text = "\
name: tf1
channels:
  - conda-forge
dependencies:
  - python=3.6
  - conda-forge::numpy=1.14.2=py36_0  # pinned
  - \"pandas>=0.22\"

  - pip
  - pip:
    - tensorflow==1.8.0
    - -r more.txt
    - git+https://h/x#egg=x
  - scipy
prefix: /home/x
";
        let expected = [
            "5 Conda python==3.6.*",
            "6 Conda numpy==1.14.2",
            "7 Conda pandas>=0.22",
            "9 Conda pip",
            "11 Pip tensorflow==1.8.0",
            "12 Pip File(\"more.txt\")",
            "13 Pip x @ git+https://h/x#egg=x",
            "14 Conda scipy",
        ];
        assert_eq!(found(text), expected);
        assert_eq!(
            found("dependencies:\n- a\n- pip:\n  - b\n- c\nother:\n- d\n"),
            ["2 Conda a", "4 Pip b", "5 Conda c"]
        );
    }

    #[test]
    fn lists_in_brackets() {
        let text = "dependencies: [python=3.6, 'a>=1',\n  {pip: [b, c==2]}, d]\nname: x\n";
        let expected = ["1 Conda python==3.6.*", "1 Conda a>=1", "2 Pip b", "2 Pip c==2", "2 Conda d"];
        assert_eq!(found(text), expected);
        assert_eq!(found("dependencies:\n- pip: [a, b]\n- c"), ["2 Pip a", "2 Pip b", "3 Conda c"]);
        assert_eq!(found("dependencies:"), Vec::<String>::new());
        assert_eq!(found("dependencies: [a"), ["1 Conda a"]);
    }
}
