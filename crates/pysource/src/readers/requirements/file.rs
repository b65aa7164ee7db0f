//! Requirements files: what `pip install -r` and `conda install --file` read.
//!
//! The format is pip's ("Requirements File Format" in its documentation): one requirement of PEP 508 a line, comments,
//! continued lines, options, and other files by `-r` and `-c`. Nothing is opened here: a caller resolves the named files
//! beside the one that names them.

use super::command::{conda_requirement, named_address};
use super::{Tool, conda_environment};

/// One thing that a file asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    /// The line where it starts, from 1.
    pub line: u32,
    /// For whom: [`Tool::Pip`] or, in files of conda, [`Tool::Conda`].
    pub tool: Tool,
    /// What it asks for.
    pub entry: RequirementsEntry,
}

/// What a line of a requirements file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequirementsEntry {
    /// A requirement of PEP 508, or a path or an address as pip takes them. Spellings of conda are rewritten as in
    /// [`super::InstallLine::requirements`].
    Requirement {
        /// The requirement without options.
        text: String,
        /// Behind `-e`.
        is_editable: bool,
        /// The values of `--hash`, as `sha256:…`; empty where there are none.
        hashes: Vec<String>,
    },
    /// Another file of requirements (`-r`), as written.
    File(String),
    /// A file of constraints (`-c`), as written: it bounds what others ask for.
    Constraints(String),
    /// Any other option, with its dashes: `--index-url`, `--no-binary`, …
    Option {
        /// Its name.
        name: String,
        /// Its value, empty for a switch.
        value: String,
    },
    /// A line that depends on an environment variable (`${VERSION}`) and so names nothing that is known.
    Unknown(String),
}

/// Reads a requirements file of `tool`. An `environment.yml` of conda is recognised by its `dependencies:` and read too.
///
/// Never fails: a line that is neither option nor requirement is given as it is, for the reader of requirements to judge.
#[must_use]
pub fn requirements_file(text: &str, tool: Tool) -> Vec<FileLine> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if conda_environment::is_environment(text) {
        return conda_environment::read(text);
    }
    let lines = logical_lines(text);
    lines.into_iter().filter_map(|(line, text)| Some(FileLine { line, tool, entry: entry(&text, tool)? })).collect()
}

/// The lines without comments, continued ones joined, with the number of the first.
fn logical_lines(text: &str) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let mut open: Option<(u32, String)> = None;
    for (line, number) in text.lines().zip(1..) {
        let is_comment = line.trim_start().starts_with('#');
        let (start, mut joined) = open.take().unwrap_or((number, String::new()));
        match line.trim_end().strip_suffix('\\').filter(|_| !is_comment) {
            Some(head) => {
                joined.push_str(head);
                open = Some((start, joined));
            }
            None => {
                joined.push_str(line);
                found.push((start, without_comment(&joined).trim().to_owned()));
            }
        }
    }
    found.extend(open.map(|(start, joined)| (start, without_comment(&joined).trim().to_owned())));
    found.retain(|(_, text)| !text.is_empty());
    found
}

/// The text before a `#` that starts the line or follows white space; others belong to addresses.
pub(super) fn without_comment(line: &str) -> &str {
    let starts = line.match_indices('#').map(|(at, _)| at);
    let comment = starts.into_iter().find(|at| line[..*at].chars().next_back().is_none_or(char::is_whitespace));
    comment.map_or(line, |at| &line[..at])
}

/// What one line says; `None` for the heads of conda's explicit lists.
pub(super) fn entry(text: &str, tool: Tool) -> Option<RequirementsEntry> {
    if text.starts_with('@') {
        return None;
    }
    if text.contains("${") {
        return Some(RequirementsEntry::Unknown(text.to_owned()));
    }
    if !text.starts_with('-') {
        let (requirement, hashes) = hashes_of(text);
        return Some(RequirementsEntry::Requirement { text: spelt(&requirement, tool), is_editable: false, hashes });
    }
    let (name, value) = option(text);
    Some(match name {
        "-r" | "--requirement" => RequirementsEntry::File(value.to_owned()),
        "-c" | "--constraint" => RequirementsEntry::Constraints(value.to_owned()),
        "-e" | "--editable" => {
            RequirementsEntry::Requirement { text: spelt(value, tool), is_editable: true, hashes: Vec::new() }
        }
        _ => RequirementsEntry::Option { name: name.to_owned(), value: value.to_owned() },
    })
}

/// Name and value of an option: `-r x`, `-rx`, `--requirement=x`.
fn option(text: &str) -> (&str, &str) {
    let end = match text.starts_with("--") {
        true => text.find(['=', ' ', '\t']).unwrap_or(text.len()),
        false => text.char_indices().nth(2).map_or(text.len(), |(at, _)| at),
    };
    let (name, value) = text.split_at(end);
    let value = value.trim_start();
    let value = value.strip_prefix('=').unwrap_or(value).trim();
    (name, value.trim_matches(['"', '\'']))
}

/// A line without the options behind its requirement, and the hashes among them.
fn hashes_of(text: &str) -> (String, Vec<String>) {
    let end = [" --", "\t--"].iter().filter_map(|sign| text.find(sign)).min().unwrap_or(text.len());
    let (requirement, options) = text.split_at(end);
    let values = options.split("--hash").skip(1);
    let hash = |value: &str| value.trim_start_matches(['=', ' ']).split_whitespace().next().map(str::to_owned);
    (requirement.trim().to_owned(), values.filter_map(hash).collect())
}

/// A requirement as pip spells it. Lists that `conda list --export` wrote are given to pip too: `name=1.0=build`.
fn spelt(text: &str, tool: Tool) -> String {
    let parts: Vec<&str> = text.split('=').collect();
    let is_exported =
        parts.len() == 3 && parts.iter().all(|part| !part.is_empty() && !part.contains([' ', '<', '>', '!', '~', '/']));
    if tool == Tool::Conda || is_exported { conda_requirement(text) } else { named_address(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, tool: Tool) -> String {
        let show = |line: &FileLine| {
            let entry = match &line.entry {
                RequirementsEntry::Requirement { text, is_editable, hashes } => {
                    format!("{}{text} {}", if *is_editable { "editable " } else { "" }, hashes.join(" "))
                }
                RequirementsEntry::File(path) => format!("file {path}"),
                RequirementsEntry::Constraints(path) => format!("constraints {path}"),
                RequirementsEntry::Option { name, value } => format!("option {name} {value}"),
                RequirementsEntry::Unknown(text) => format!("unknown {text}"),
            };
            format!("{} {:?} {}", line.line, line.tool, entry.trim_end())
        };
        requirements_file(text, tool).iter().map(show).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn everything_that_pip_reads() {
        let text = "\u{feff}\
# a comment
numpy==1.16.4  # why
pandas>=0.24, \\
   <0.25 ; python_version < '3'

-r base.txt
-rmore.txt
--requirement=x/y.txt
-c limits.txt
--constraint limits2.txt
-e git+https://h/x.git#egg=x
--editable=.
git+https://h/y@v1#egg=y&subdirectory=z
./local/z-1.0.whl
-i https://h/simple
--no-binary :all:
--pre
a==1.0 --hash=sha256:aa \\
    --hash=sha256:bb
b==${VERSION}
c [extra] >= 1
d @ https://h/d.zip
mkl=2018.0.1=h19d6760_4
e\\";
        insta::assert_snapshot!(read(text, Tool::Pip), @r"
        2 Pip numpy==1.16.4
        3 Pip pandas>=0.24,    <0.25 ; python_version < '3'
        6 Pip file base.txt
        7 Pip file more.txt
        8 Pip file x/y.txt
        9 Pip constraints limits.txt
        10 Pip constraints limits2.txt
        11 Pip editable x @ git+https://h/x.git#egg=x
        12 Pip editable .
        13 Pip y @ git+https://h/y@v1#egg=y&subdirectory=z
        14 Pip ./local/z-1.0.whl
        15 Pip option -i https://h/simple
        16 Pip option --no-binary :all:
        17 Pip option --pre
        18 Pip a==1.0 sha256:aa sha256:bb
        20 Pip unknown b==${VERSION}
        21 Pip c [extra] >= 1
        22 Pip d @ https://h/d.zip
        23 Pip mkl==2018.0.1
        24 Pip e
        ");
    }

    #[test]
    fn lists_of_conda() {
        let text =
            "# platform: linux-64\n@EXPLICIT\nconda-forge::numpy=1.14\npandas=0.24.2=py36_0\nscipy 1.1\nx>=2,<3\n";
        insta::assert_snapshot!(read(text, Tool::Conda), @r"
        3 Conda numpy==1.14.*
        4 Conda pandas==0.24.2
        5 Conda scipy==1.1
        6 Conda x>=2,<3
        ");
    }

    #[test]
    fn any_text_is_read() {
        for text in ["", "\\", "-", "--", "-é", "#", "é#", "=", "a=\\\n\\\n", "--hash", " --hash=", "\r\n\r\n"] {
            let _ = read(text, Tool::Pip);
            let _ = read(text, Tool::Conda);
        }
    }
}
