//! What a paper prints, as files: a folder with one a table or figure, or a single one with all of it.

use std::path::{Path, PathBuf};

use nbrevive_files::{FileError, Folder};
use nbrevive_spelling::with_nearest;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The longest file of published numbers that is read: all those of the paper together have some 50 kB.
const LONGEST: u64 = 4 << 20;

/// Why published numbers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file, or the folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not valid.
    #[error("{}{} is not a valid list of published numbers: {message}", path.display(), at(*line))]
    Invalid {
        /// The file, or the folder where it is about several.
        path: PathBuf,
        /// The line, from 1, where it is known.
        line: Option<usize>,
        /// What is wrong.
        message: String,
    },
}

fn at(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line},"))
}

/// Published numbers as TOML. All files are read as one: a table stands in one of them, lists go on from file to file. Their order is
/// that of the paper, by the first section that each names.
#[derive(Debug, Clone)]
pub struct PublishedFiles {
    path: PathBuf,
    parts: Vec<Part>,
}

/// One file, which ends with a line's end.
#[derive(Debug, Clone)]
struct Part {
    path: PathBuf,
    text: String,
    content: toml::Table,
}

impl PublishedFiles {
    /// Reads a file, or every `*.toml` of a folder.
    ///
    /// # Errors
    /// When there is none, one cannot be read or is no TOML, or something in it stands outside of a table.
    pub fn read(path: &Path) -> Result<Self, PublishedError> {
        let unreadable = |path: PathBuf| |error: FileError| PublishedError::Unreadable { path, source: error.into() };
        let Ok(folder) = Folder::open(path) else {
            let text = nbrevive_files::read_text(path, LONGEST).map_err(unreadable(path.to_owned()))?;
            return Ok(PublishedFiles { path: path.to_owned(), parts: vec![Part::new(path.to_owned(), text)?] });
        };
        let mut parts = Vec::new();
        for entry in folder.entries().map_err(unreadable(path.to_owned()))? {
            let name = Path::new(&entry.name);
            if name.extension().is_some_and(|extension| extension == "toml") {
                let file = path.join(name);
                let bytes = folder.read(name, LONGEST).map_err(unreadable(file.clone()))?;
                let text = String::from_utf8(bytes).map_err(|error| invalid(&file, None, error.to_string()))?;
                parts.push(Part::new(file, text)?);
            }
        }
        if parts.is_empty() {
            return Err(invalid(path, None, "it has no file that ends in .toml"));
        }
        parts.sort_by_cached_key(Part::first_section);
        Ok(PublishedFiles { path: path.to_owned(), parts })
    }

    /// What all files say together.
    ///
    /// # Errors
    /// When they do not say what `T` has to know, or say it twice.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, PublishedError> {
        let whole: String = self.parts.iter().map(|part| part.text.as_str()).collect();
        toml::from_str(&whole).map_err(|error| {
            let (path, line) = error.span().and_then(|span| self.place(&span)).unwrap_or((&self.path, None));
            invalid(path, line, with_nearest(error.message()))
        })
    }

    /// Something that is wrong with a table, in the file where it stands.
    #[must_use]
    pub fn invalid(&self, table: &str, message: impl Into<String>) -> PublishedError {
        let part = self.parts.iter().find(|part| part.content.contains_key(table));
        invalid(part.map_or(&self.path, |part| &part.path), None, message)
    }

    /// The file and line of a span of all files; none of one that is about several of them.
    fn place(&self, span: &std::ops::Range<usize>) -> Option<(&Path, Option<usize>)> {
        let mut start = 0;
        let found = self.parts.iter().find(|part| {
            start += part.text.len();
            span.start < start
        })?;
        let before = span.start - (start - found.text.len());
        (span.end <= start).then(|| (found.path.as_path(), Some(line(&found.text, before))))
    }
}

impl Part {
    fn new(path: PathBuf, mut text: String) -> Result<Self, PublishedError> {
        let content: toml::Table = toml::from_str(&text).map_err(|error| {
            let line = error.span().map(|span| line(&text, span.start));
            invalid(&path, line, error.message())
        })?;
        // Behind other files it would belong to their last table.
        if let Some((key, _)) = content.iter().find(|(_, value)| !value.is_table() && !value.is_array()) {
            return Err(invalid(&path, None, format!("`{key}` stands outside of a table")));
        }
        text.push('\n');
        Ok(Part { path, text, content })
    }

    fn first_section(&self) -> Option<Vec<Option<u32>>> {
        let own = |value: &toml::Value| value.get("section")?.as_str().map(section_order);
        let all = |value: &toml::Value| match value {
            toml::Value::Array(list) => list.iter().filter_map(own).min(),
            value => own(value),
        };
        self.content.values().filter_map(all).min()
    }
}

fn invalid(path: &Path, line: Option<usize>, message: impl Into<String>) -> PublishedError {
    PublishedError::Invalid { path: path.to_owned(), line, message: message.into() }
}

/// The line, from 1, of a place in a text.
fn line(text: &str, place: usize) -> usize {
    1 + text.as_bytes().iter().take(place).filter(|byte| **byte == b'\n').count()
}

/// What sections are sorted by: by their numbers, and the abstract, which has none, before them.
#[must_use]
pub fn section_order(section: &str) -> Vec<Option<u32>> {
    section.split('.').map(|number| number.parse().ok()).collect()
}

/// A count as a paper prints it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Printed {
    text: String,
    count: u64,
}

impl Printed {
    /// The digits as printed, thousands separators included or not.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number that the digits mean.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }
}

impl TryFrom<String> for Printed {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits: String = text.chars().filter(|character| *character != ',').collect();
        let count = digits.parse().map_err(|_| format!("`{text}` is not a count such as \"3,007\""))?;
        Ok(Printed { text, count })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const FIRST: &str = "[table1]\nsection = \"2.1\"\ntotal = \"3,007\"\n[[number]]\nsection = \"10\"\nname = \"b\"";
    const SECOND: &str =
        "[[number]]\nsection = \"abstract\"\nname = \"a\"\n[[number]]\nsection = \"2.1\"\nname = \"c\"";

    #[derive(Debug, Deserialize)]
    struct Table {
        total: Printed,
    }

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
        folder
    }

    fn failure(files: &[(&str, &str)]) -> String {
        let folder = folder(files);
        let read = PublishedFiles::read(folder.path());
        let sum = |tables: BTreeMap<String, Table>| tables.values().map(|table| table.total.count()).sum::<u64>();
        let error = read.and_then(|files| files.parse().map(sum)).unwrap_err().to_string();
        error.replace(&format!("{}", folder.path().display()), "FOLDER")
    }

    #[test]
    fn files_are_one_list_in_the_order_of_the_paper() {
        let folder = folder(&[("a.toml", FIRST), ("b.toml", SECOND), ("notes.md", "not = read")]);
        let whole: toml::Table = PublishedFiles::read(folder.path()).unwrap().parse().unwrap();
        let names = whole["number"].as_array().unwrap().iter().map(|number| number["name"].as_str().unwrap());
        assert_eq!(names.collect::<String>(), "acb", "the abstract comes before section 2.1");
        std::fs::write(folder.path().join("all.toml"), format!("{SECOND}\n{FIRST}")).unwrap();
        let file: toml::Table = PublishedFiles::read(&folder.path().join("all.toml")).unwrap().parse().unwrap();
        assert_eq!(file, whole);
        assert!(section_order("abstract") < section_order("1") && section_order("2.9") < section_order("2.10"));
    }

    #[test]
    fn a_slip_is_named_with_file_and_line() {
        let table = "[table2]\ntotal = \"1\"\n";
        insta::assert_snapshot!([
            failure(&[("a.toml", table), ("b.toml", "[table1]\n\ntotal = \"3,o07\"\n")]),
            failure(&[("a.toml", table), ("b.toml", "\n[table2]\ntotal = \"2\"\n")]),
            failure(&[("a.toml", table), ("b.toml", "[table1]\ntotal = 3,007")]),
            failure(&[("a.toml", table), ("b.toml", "total = \"2\"")]),
            failure(&[("a.toml", table), ("b.toml", "[table1]\n")]),
            failure(&[("a.md", table)]),
        ].join("\n"), @r#"
        FOLDER/b.toml, line 3, is not a valid list of published numbers: `3,o07` is not a count such as "3,007"
        FOLDER/b.toml, line 2, is not a valid list of published numbers: duplicate key
        FOLDER/b.toml, line 2, is not a valid list of published numbers: unexpected key or value, expected newline, `#`
        FOLDER/b.toml is not a valid list of published numbers: `total` stands outside of a table
        FOLDER/b.toml, line 1, is not a valid list of published numbers: missing field `total`
        FOLDER is not a valid list of published numbers: it has no file that ends in .toml
        "#);
        let folder = folder(&[("a.toml", FIRST), ("b.toml", SECOND)]);
        let files = PublishedFiles::read(folder.path()).unwrap();
        assert!(files.invalid("table1", "why").to_string().contains("a.toml is not a valid"));
        let none = PublishedFiles::read(&folder.path().join("c.toml")).unwrap_err().to_string();
        assert!(none.starts_with("cannot read ") && none.contains("c.toml: "), "{none}");
    }

    #[test]
    fn no_file_of_a_folder_leads_out_of_it() {
        let (folder, outside) = (folder(&[("a.toml", FIRST)]), folder(&[("b.toml", SECOND)]));
        std::os::unix::fs::symlink(outside.path().join("b.toml"), folder.path().join("b.toml")).unwrap();
        let error = PublishedFiles::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("b.toml"), "{error}");
    }
}
