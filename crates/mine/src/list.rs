//! Lists of ids without content, to hand on: others fetch the same notebooks with their own account.
//!
//! A list is CSV. Its first line is `# nbrevive ids, format 1`; its columns are `notebook` (`owner/slug`), `competition`,
//! `version` (number within the notebook), `version_id` (`scriptVersionId`), `created` and `code` (the name of the code's
//! content, see [`ContentHash`]). Only `notebook` has to be filled.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_files::{OutgoingFile, open};
use serde::{Deserialize, Serialize};

use crate::api::Wanted;
use crate::raw::ContentHash;
use crate::records::{DataKind, NotebookKey, NotebookName, Slug, VersionRecord};

/// First line of the only form so far.
const FIRST_LINE: &str = "# nbrevive ids, format 1";
/// Beginning of the first line of every form.
const ANY_FORMAT: &str = "# nbrevive ids, format ";

/// One line of a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ListedId {
    /// The notebook.
    pub notebook: NotebookName,
    /// The competition that it was mined for.
    #[serde(default)]
    pub competition: Option<Slug>,
    /// The version's number; `None` is the current one.
    #[serde(default)]
    pub version: Option<u32>,
    /// Kaggle's `scriptVersionId`.
    #[serde(default)]
    pub version_id: Option<u64>,
    /// When the version was saved.
    #[serde(default)]
    pub created: Option<Timestamp>,
    /// The name of its code's content: whoever fetches it can tell whether it is the same.
    #[serde(default)]
    pub code: Option<ContentHash>,
}

/// A list that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// It cannot be read or written.
    #[error("cannot {action} the list {}: {source}", path.display())]
    File {
        /// `read` or `write`.
        action: &'static str,
        /// The list.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is no list of ids, or of another format.
    #[error("{} does not begin with `{FIRST_LINE}`: it is no list of ids that this program reads", .0.display())]
    Format(PathBuf),
    /// A line is wrong.
    #[error("{}, {line}: {message}", path.display())]
    Line {
        /// The list.
        path: PathBuf,
        /// The line, in words.
        line: String,
        /// What is wrong.
        message: String,
    },
}

/// Writes a list, sorted and without doubles. It appears whole or not at all.
///
/// # Errors
/// [`ListError::File`].
pub fn export_ids(path: &Path, ids: impl IntoIterator<Item = ListedId>) -> Result<usize, ListError> {
    let failed = |source| ListError::File { action: "write", path: path.to_owned(), source };
    let mut ids: Vec<ListedId> = ids.into_iter().collect();
    ids.sort();
    ids.dedup();
    let mut file = OutgoingFile::begin(path).map_err(|error| failed(error.into()))?;
    writeln!(file, "{FIRST_LINE}").map_err(failed)?;
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(&mut file);
    writer
        .write_record(["notebook", "competition", "version", "version_id", "created", "code"])
        .map_err(io)
        .map_err(failed)?;
    for id in &ids {
        writer.serialize(id).map_err(io).map_err(failed)?;
    }
    writer.flush().map_err(failed)?;
    drop(writer);
    file.commit().map_err(|error| failed(error.into()))?;
    Ok(ids.len())
}

fn io(error: csv::Error) -> std::io::Error {
    std::io::Error::other(error)
}

/// Reads a list.
///
/// # Errors
/// [`ListError`]: unreadable, of another format, or with a line that names no notebook.
pub fn read_ids(path: &Path) -> Result<Vec<ListedId>, ListError> {
    let failed = |source| ListError::File { action: "read", path: path.to_owned(), source };
    let mut reader = BufReader::new(open(path).map_err(|error| failed(error.into()))?);
    let mut first = String::new();
    // A file of another kind may have no line feed for gigabytes.
    let limit = ANY_FORMAT.len() as u64 + 8;
    std::io::Read::take(&mut reader, limit).read_line(&mut first).map_err(failed)?;
    if first.trim_end() != FIRST_LINE {
        return Err(ListError::Format(path.to_owned()));
    }
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(reader);
    let wrong = |error: csv::Error| {
        let line = error.position().map_or_else(|| "a line".to_owned(), |place| format!("line {}", place.line() + 1));
        ListError::Line { path: path.to_owned(), line, message: error.to_string() }
    };
    reader.deserialize().map(|row| row.map_err(wrong)).collect()
}

impl ListedId {
    /// The line for a version; `None` for one that is not on Kaggle. The competition is the one that it reads, where
    /// it reads exactly one.
    #[must_use]
    pub fn of(version: &VersionRecord) -> Option<Self> {
        let NotebookKey::Kaggle(notebook) = &version.notebook else { return None };
        let sources = version.data_sources.iter().flatten().filter(|source| source.kind == DataKind::Competition);
        let names: Vec<&str> = sources.map(|source| source.name.as_str()).collect();
        let competition = if let [name] = names.as_slice() { Slug::new(name).ok() } else { None };
        Some(Self {
            notebook: notebook.clone(),
            competition,
            version: version.number,
            version_id: version.id,
            created: version.created,
            code: version.code.clone(),
        })
    }

    /// Whether a version that was fetched for this line is the one that was listed; `None` when either does not say.
    #[must_use]
    pub fn is_same(&self, fetched: &VersionRecord) -> Option<bool> {
        Some(self.code.as_ref()? == fetched.code.as_ref()?)
    }

    /// What to fetch for this line.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        Wanted { name: self.notebook.clone(), version: self.version }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    fn id(notebook: &str) -> ListedId {
        let notebook = NotebookName::new(notebook).unwrap();
        ListedId { notebook, competition: None, version: None, version_id: None, created: None, code: None }
    }

    #[test]
    fn a_list_has_a_format_columns_and_an_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ids.csv");
        let full = ListedId {
            competition: Some(Slug::new("titanic").unwrap()),
            version: Some(3),
            version_id: Some(300),
            created: Some(Timestamp::UNIX_EPOCH),
            code: Some(ContentHash::of(b"x")),
            ..id("bob/y")
        };
        assert_eq!(export_ids(&path, [full.clone(), id("ada/x"), full.clone()]).unwrap(), 2);
        insta::assert_snapshot!(fs::read_to_string(&path).unwrap(), @r#"
        # nbrevive ids, format 1
        notebook,competition,version,version_id,created,code
        ada/x,,,,,
        bob/y,titanic,3,300,1970-01-01T00:00:00Z,3ae7d805f6789a6402acb70ad4096a85
        "#);
        assert_eq!(read_ids(&path).unwrap(), [id("ada/x"), full]);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ids.csv");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            read_ids(&path)
        };
        assert_eq!(
            read(&format!("{FIRST_LINE}\nnotebook\nada/x\n# why\n ada/y \n")).unwrap(),
            [id("ada/x"), id("ada/y")]
        );
        for text in ["", "notebook\nada/x\n", "# nbrevive ids, format 2\nnotebook\n", &"x".repeat(10_000)] {
            assert!(matches!(read(text), Err(ListError::Format(_))), "{text:.30}");
        }
        let error =
            read(&format!("{FIRST_LINE}\nnotebook,version\nada/x,1\n../../etc/passwd,1\n")).unwrap_err().to_string();
        assert!(error.contains("line 4") && error.contains("cannot be the name of a notebook"), "{error}");
        assert!(matches!(read_ids(&folder.path().join("none")), Err(ListError::File { .. })));
    }

    proptest! {
        #[test]
        fn lists_come_back_as_they_were(
            rows in proptest::collection::vec(("[a-z]{1,8}", "[a-z0-9-]{1,20}", any::<Option<u32>>(), any::<Option<u64>>(), any::<bool>()), 0..8)
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("ids.csv");
            let mut ids: Vec<ListedId> = rows.into_iter().map(|(owner, slug, version, version_id, dated)| ListedId {
                version,
                version_id,
                created: dated.then(|| "2020-01-02T03:04:05.678Z".parse().unwrap()),
                ..id(&format!("{owner}/{slug}"))
            }).collect();
            export_ids(&path, ids.clone()).unwrap();
            ids.sort();
            ids.dedup();
            prop_assert_eq!(read_ids(&path).unwrap(), ids);
        }

        #[test]
        fn no_list_does_harm(text in "(notebook|version|,|\"|\n|ada/x|#|\u{0}|é|7){0,40}") {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("ids.csv");
            fs::write(&path, format!("{FIRST_LINE}\n{text}")).unwrap();
            let _ = read_ids(&path);
        }
    }
}
