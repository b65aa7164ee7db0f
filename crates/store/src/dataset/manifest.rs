//! What a dataset holds, and whether it still does.

use std::path::{Path, PathBuf};

use nbrevive_files::{Folder, read_text};
use serde::{Deserialize, Serialize};

use super::schema::{OLDEST, TableSchema, VERSION};
use super::{MANIFEST, Variant};

/// The longest manifest that is read: ours have 200 bytes a table, and some twenty tables.
pub(super) const LONGEST: u64 = 1 << 20;

/// Differences that are told; the rest is counted.
const MOST_TOLD: usize = 10;

/// What `manifest.json` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The study's name; `mined` for versions that no study ran yet.
    pub dataset: String,
    /// The study's title.
    pub title: String,
    /// Version of the tables' form ([`VERSION`] of the program that wrote it).
    pub schema: String,
    /// How much it hands on.
    pub variant: Variant,
    /// Version and revision of the program that wrote it.
    pub tool_revision: String,
    /// When the last outcome was stored (RFC 3339, UTC); none without outcomes.
    pub recorded: Option<String>,
    /// Its tables.
    pub files: Vec<ManifestFile>,
    /// What is told of them beside this: metadata and card. None where an older program wrote it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<TextEntry>,
}

/// A text beside the tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextEntry {
    /// Its name in the folder.
    pub name: String,
    /// SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

/// One parquet file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Its name in the folder.
    pub name: String,
    /// The table that it holds.
    pub table: String,
    /// Its rows.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 in lower-case hexadecimal, as `sha256sum` prints it.
    pub sha256: String,
}

/// Why a dataset cannot be trusted.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// There is no manifest.
    #[error("{folder} has no {MANIFEST}: give a folder that `nbrevive export` wrote")]
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// The manifest cannot be read.
    #[error("cannot read {path}: {reason}; export the dataset again, or fetch it again")]
    Unreadable {
        /// The manifest.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// It has another form than this program knows.
    #[error(
        "{folder} has schema version {found} (written by {tool_revision}), this program reads {OLDEST} to {VERSION}: {}",
        if *.newer { "use a newer version of the program" } else { "export the store again with this version of the program" }
    )]
    OtherVersion {
        /// The folder.
        folder: PathBuf,
        /// Its version.
        found: String,
        /// What wrote it.
        tool_revision: String,
        /// Whether it is newer than this program's.
        newer: bool,
    },
    /// Files are not what the manifest says.
    #[error("{folder} is not what its {MANIFEST} says: {}; fetch it again, or export it again", problems.join("; "))]
    Differs {
        /// The folder.
        folder: PathBuf,
        /// One sentence each.
        problems: Vec<String>,
    },
}

impl ManifestFile {
    /// Measures a table's file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn of(table: &TableSchema, path: &Path, rows: u64) -> std::io::Result<Self> {
        let bytes = path.metadata()?.len();
        let sha256 = nbrevive_corpus::file_sha256(path)?;
        Ok(ManifestFile { name: table.file(), table: table.name.clone(), rows, bytes, sha256 })
    }

    /// How the file in a folder differs from this.
    fn difference(&self, folder: &Path) -> Option<String> {
        let path = folder.join(&self.name);
        let opened = Folder::open(folder).and_then(|folder| folder.open_file(Path::new(&self.name)));
        let bytes = match opened.map_err(std::io::Error::from).and_then(|file| file.metadata()) {
            Ok(found) => found.len(),
            Err(error) => return Some(format!("{} cannot be read: {error}", self.name)),
        };
        if bytes != self.bytes {
            return Some(format!("{} has {bytes} bytes, expected {}", self.name, self.bytes));
        }
        match nbrevive_corpus::file_sha256(&path) {
            Ok(found) if found == self.sha256 => None,
            Ok(found) => Some(format!("{} has SHA-256 {found}, expected {}", self.name, self.sha256)),
            Err(error) => Some(format!("{} cannot be read: {error}", self.name)),
        }
    }
}

impl Manifest {
    /// Reads the manifest of a folder; `None` where there is none, as in the exports of older programs.
    ///
    /// # Errors
    /// When there is one that cannot be read, or of another form than this program reads.
    pub fn find(folder: &Path) -> Result<Option<Self>, ManifestError> {
        let path = folder.join(MANIFEST);
        let unreadable = |reason: String| ManifestError::Unreadable { path: path.clone(), reason };
        let text = match read_text(&path, LONGEST) {
            Ok(text) => text,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(unreadable(std::io::Error::from(error).to_string())),
        };
        // The version before the rest, which another version may spell otherwise.
        let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        let word = |key: &str| value.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
        let found = word("schema").ok_or_else(|| unreadable("it names no `schema` version".to_owned()))?;
        let (ours, theirs) = (major(VERSION), major(&found));
        if theirs < Some(OLDEST) || theirs > ours {
            let tool_revision = word("tool_revision").unwrap_or_else(|| "an unknown program".to_owned());
            return Err(ManifestError::OtherVersion {
                folder: folder.to_owned(),
                found,
                tool_revision,
                newer: theirs > ours,
            });
        }
        let manifest: Self = serde_json::from_value(value).map_err(|error| unreadable(error.to_string()))?;
        match manifest.files.iter().find(|file| !is_name(&file.name)) {
            Some(file) => Err(unreadable(format!("`{}` is no name of a file beside it", file.name))),
            None => Ok(Some(manifest)),
        }
    }

    /// Reads the manifest of a folder and compares every file with it, byte for byte.
    ///
    /// # Errors
    /// As [`Manifest::find`]; also when there is none, or a file is missing, differs, or stands beside those it names.
    pub fn verify(folder: &Path) -> Result<Self, ManifestError> {
        let manifest = Self::find(folder)?.ok_or_else(|| ManifestError::Missing { folder: folder.to_owned() })?;
        manifest.compare(folder)?;
        Ok(manifest)
    }

    /// Compares every file of a folder with this manifest.
    ///
    /// # Errors
    /// When a file is missing, differs, or is none of those named here.
    pub fn compare(&self, folder: &Path) -> Result<(), ManifestError> {
        let mut problems: Vec<String> = self.files.iter().filter_map(|file| file.difference(folder)).collect();
        let named = |name: &str| self.files.iter().any(|file| file.name == name);
        let entries = Folder::open(folder).and_then(|folder| folder.entries()).unwrap_or_default();
        let more: Vec<String> = entries.iter().map(|entry| entry.name.to_string_lossy().into_owned()).collect();
        let strange = more.iter().filter(|name| name.ends_with(".parquet") && !named(name));
        problems.extend(strange.map(|name| format!("{name} is none of its files")));
        if problems.is_empty() {
            return Ok(());
        }
        if problems.len() > MOST_TOLD {
            let rest = problems.len() - MOST_TOLD;
            problems.truncate(MOST_TOLD);
            problems.push(format!("and {rest} more"));
        }
        Err(ManifestError::Differs { folder: folder.to_owned(), problems })
    }

    /// The text of `manifest.json`.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// Rows of a table; 0 where the dataset has none of this name.
    #[must_use]
    pub fn rows(&self, table: &str) -> u64 {
        self.files.iter().find(|file| file.table == table).map_or(0, |file| file.rows)
    }
}

/// Whether a file of this name lies in the folder itself: a manifest may come from anybody.
fn is_name(name: &str) -> bool {
    !name.contains('/') && !matches!(name, "" | "." | "..")
}

/// The first number of a version; what is no version is older than all.
fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dataset() -> (tempfile::TempDir, Manifest) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cells.parquet");
        std::fs::write(&path, "rows").unwrap();
        let table = super::super::Schema::get().table("cells").unwrap();
        let manifest = Manifest {
            dataset: "tiny".to_owned(),
            title: "Tiny".to_owned(),
            schema: VERSION.to_owned(),
            variant: Variant::Full,
            tool_revision: "test".to_owned(),
            recorded: None,
            files: vec![ManifestFile::of(table, &path, 1).unwrap()],
            texts: Vec::new(),
        };
        std::fs::write(folder.path().join(MANIFEST), manifest.text()).unwrap();
        (folder, manifest)
    }

    #[test]
    fn a_whole_dataset_is_verified() {
        let (folder, manifest) = dataset();
        assert_eq!(Manifest::verify(folder.path()).unwrap(), manifest);
        assert_eq!((manifest.rows("cells"), manifest.rows("grades")), (1, 0));
    }

    #[test]
    fn what_differs_is_named() {
        let (folder, _) = dataset();
        std::fs::write(folder.path().join("cells.parquet"), "rowz").unwrap();
        std::fs::write(folder.path().join("more.parquet"), "").unwrap();
        let error = Manifest::verify(folder.path()).unwrap_err().to_string();
        assert!(error.contains("cells.parquet has SHA-256") && error.contains("more.parquet is none"), "{error}");
        std::fs::write(folder.path().join("cells.parquet"), "row").unwrap();
        let error = Manifest::verify(folder.path()).unwrap_err().to_string();
        assert!(error.contains("cells.parquet has 3 bytes, expected 4"), "{error}");
        std::fs::remove_file(folder.path().join("cells.parquet")).unwrap();
        let error = Manifest::verify(folder.path()).unwrap_err().to_string();
        assert!(error.contains("cells.parquet cannot be read"), "{error}");
    }

    #[test]
    fn another_form_is_told_from_damage() {
        let (folder, _) = dataset();
        let path = folder.path().join(MANIFEST);
        std::fs::write(&path, r#"{"schema": "0.9.0", "tool_revision": "0.0.1+old"}"#).unwrap();
        let error = Manifest::find(folder.path()).unwrap_err().to_string();
        assert!(error.contains("0.9.0 (written by 0.0.1+old)") && error.contains("export the store again"), "{error}");
        std::fs::write(&path, r#"{"schema": "7.0.0"}"#).unwrap();
        let error = Manifest::find(folder.path()).unwrap_err().to_string();
        assert!(error.contains("use a newer version of the program"), "{error}");
        std::fs::write(&path, "{").unwrap();
        assert!(matches!(Manifest::find(folder.path()), Err(ManifestError::Unreadable { .. })));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Manifest::find(folder.path()).unwrap(), None);
        assert!(matches!(Manifest::verify(folder.path()), Err(ManifestError::Missing { .. })));
    }
}

#[cfg(test)]
mod attacks {
    use std::os::unix::fs::symlink;

    use super::*;

    fn said(folder: &Path, name: &str) -> String {
        let manifest = Manifest {
            dataset: String::new(),
            title: String::new(),
            schema: VERSION.to_owned(),
            variant: Variant::Full,
            tool_revision: String::new(),
            recorded: None,
            files: vec![ManifestFile {
                name: name.to_owned(),
                table: "cells".to_owned(),
                rows: 0,
                bytes: 0,
                sha256: String::new(),
            }],
            texts: Vec::new(),
        };
        std::fs::write(folder.join(MANIFEST), manifest.text()).unwrap();
        Manifest::verify(folder).unwrap_err().to_string()
    }

    #[test]
    fn a_manifest_names_files_beside_it_alone() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["../../etc/passwd", "/etc/passwd", "..", "", "a/b.parquet"] {
            assert!(said(folder.path(), name).contains("is no name of a file beside it"), "{name}");
        }
    }

    #[test]
    fn a_table_is_a_regular_file_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cells.parquet");
        symlink("/etc/passwd", &path).unwrap();
        assert!(said(folder.path(), "cells.parquet").contains("leads out of its folder"));
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(said(folder.path(), "cells.parquet").contains("named pipe"));
        std::fs::remove_file(folder.path().join(MANIFEST)).unwrap();
        symlink("/dev/zero", folder.path().join(MANIFEST)).unwrap();
        assert!(matches!(Manifest::find(folder.path()), Err(ManifestError::Unreadable { .. })));
    }
}
