//! A selection as a corpus: one folder a competition with `versions.toml` and the notebooks, and `targets.toml` beside them.
//!
//! It is built beside its place and then exchanged with what is there, so that a killed run leaves the old corpus or the new one.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_corpus::{HostTold, Target, Targets, content_hash};
use nbrevive_files::{FileError, FileErrorKind, Folder, remove_remains, replace_folder};
use nbrevive_mine::archive::{each_file, unpack};
use nbrevive_mine::raw::{RawError, RawStore};
use nbrevive_mine::records::{LocalPath, RepositoryRecord};
use nbrevive_notebook::{Cell, Notebook};
use nbrevive_pysource::script::{decode, script_cells};
use serde::{Deserialize, Serialize};

use super::judge::{Choice, JudgedVersion, code_of};
use super::mark;
use super::slug::Names;

pub(super) const LIST: &str = "versions.toml";
pub(super) const TARGETS: &str = "targets.toml";
/// Longest list that is read, in bytes.
const LONGEST_LIST: u64 = 512 << 20;
const LIST_HEADER: &str = "# Written by `nbrevive select`; run it again to select again.\n\n";
const TARGETS_HEADER: &str = "# Target scores: what each version scored on Kaggle.\n# Written by `nbrevive select`; run it again to select again.\n\n";

/// Why a corpus cannot be written or changed.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The system refused.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else lies there.
    #[error("{0} holds something that no selection wrote: choose another folder with --out, or remove it")]
    NotOurs(PathBuf),
    /// A file lies there that no selection wrote, or that was changed.
    #[error(
        "{folder} holds {file}, which no selection wrote, or which was changed: choose another folder with --out, or remove it"
    )]
    Stray {
        /// The folder.
        folder: PathBuf,
        /// What lies there, relative.
        file: PathBuf,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of the corpus is not valid.
    #[error("{path} is not as a selection writes it: {message}; select again")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The code is gone.
    #[error(transparent)]
    Raw(#[from] RawError),
}

impl CorpusError {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }
}

/// `versions.toml` of one competition.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct List {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repository: Option<RepositoryTable>,
    #[serde(default)]
    pub(super) version: Vec<Entry>,
}

/// `[repository]` of the list of one.
#[derive(Debug, Serialize, Deserialize)]
struct RepositoryTable {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stars: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    licence: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fork: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    archived: Option<bool>,
}

/// One version of the list.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) slug: String,
    title: String,
    submitted: Timestamp,
    /// Among the files of a repository; of a competition its slug is its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// Writes the kept ones among these versions, and all notebooks of these repositories (each with what its host
/// told of it), as a corpus at `out`, in place of the corpus that an earlier selection wrote there; gives their number. The same versions give the same bytes.
///
/// # Errors
/// When something else lies at `out`, or a file cannot be read or written; what was there stays then.
pub fn write_corpus(
    raw: &RawStore,
    versions: &[&JudgedVersion],
    repositories: &[(RepositoryRecord, HostTold)],
    out: &Path,
) -> Result<usize, CorpusError> {
    if mark::is_in(out) {
        mark::vouches_for(out)?;
    } else if out.exists() && !is_empty(out) {
        return Err(CorpusError::NotOurs(out.to_owned()));
    }
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(CorpusError::io("make", parent))?;
    let prefix = format!(".{}-selecting-", out.file_name().unwrap_or_default().to_string_lossy());
    remove_remains(parent, |name| name.starts_with(&prefix));
    let made = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent);
    let building = made.map_err(CorpusError::io("make a folder in", parent))?;
    // A folder of its own below: temporary ones are closed to other users.
    let new = building.path().join("corpus");
    fs::create_dir(&new).map_err(CorpusError::io("make", &new))?;
    let count = fill(raw, versions, &new)? + fill_repositories(raw, repositories, &new)?;
    mark::write(&new)?;
    replace_folder(&new, out).map_err(CorpusError::io("replace", out))?;
    Ok(count)
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

fn fill(raw: &RawStore, versions: &[&JudgedVersion], folder: &Path) -> Result<usize, CorpusError> {
    let mut lists: BTreeMap<String, List> = BTreeMap::new();
    let mut targets = Targets::default();
    for selected in versions {
        let record = &selected.version.record;
        let (Choice::Kept { slug, target, submitted }, Some(competition)) =
            (&selected.choice, &selected.version.competition)
        else {
            continue;
        };
        let Some(code) = code_of(raw, &selected.version)? else { continue };
        let place = folder.join(competition.as_str());
        fs::create_dir_all(&place).map_err(CorpusError::io("make", &place))?;
        let path = place.join(format!("{slug}.ipynb"));
        let notebook = document(&code);
        fs::write(&path, &notebook).map_err(CorpusError::io("write", &path))?;
        let entry = Entry { slug: slug.clone(), title: title(selected), submitted: *submitted, file: None };
        lists.entry(competition.to_string()).or_default().version.push(entry);
        let hash = content_hash(&notebook);
        let target = Target {
            score: *target,
            era: None,
            python: None,
            lock_hash: None,
            notebook_hash: Some(hash),
            seconds: record.run_seconds,
        };
        targets.target.insert(slug.clone(), target);
    }
    for (competition, list) in &lists {
        save(&folder.join(competition).join(LIST), LIST_HEADER, list)?;
    }
    save_targets(folder, &targets)?;
    Ok(targets.target.len())
}

/// Where the files of a repository lie, beside its list.
const FILES: &str = "files";

/// Writes each repository as a folder with its files and a list of its notebooks; gives the number of these.
fn fill_repositories(
    raw: &RawStore,
    repositories: &[(RepositoryRecord, HostTold)],
    folder: &Path,
) -> Result<usize, CorpusError> {
    let (mut slugs, mut folders, mut count) = (Names::default(), Names::default(), 0);
    for (repository, host) in repositories {
        let place = folder.join(folders.of(repository.name.as_str(), ""));
        let files = place.join(FILES);
        fs::create_dir_all(&files).map_err(CorpusError::io("make", &files))?;
        let archive = raw.read(&repository.origin.raw)?;
        unpack(&archive, raw, &files).map_err(CorpusError::io("unpack into", &files))?;
        let mut version = Vec::new();
        let mut list = |path: &LocalPath, _: bool, _: &[u8]| {
            if path.as_str().ends_with(".ipynb") {
                version.push(Entry {
                    slug: slugs.of(repository.name.as_str(), path.as_str()),
                    title: path.as_str().to_owned(),
                    submitted: repository.changed,
                    file: Some(path.as_str().to_owned()),
                });
            }
            Ok(())
        };
        each_file(&archive, raw, &mut list).map_err(CorpusError::io("read the files of", &files))?;
        count += version.len();
        let table = RepositoryTable {
            name: repository.name.as_str().to_owned(),
            url: repository.url.clone(),
            commit: repository.revision.clone(),
            stars: host.stars,
            licence: host.licence.clone(),
            fork: host.is_fork,
            archived: host.is_archived,
        };
        save(&place.join(LIST), LIST_HEADER, &List { repository: Some(table), version })?;
    }
    Ok(count)
}

/// The code as a notebook: as it is, or a script cut into cells.
fn document(code: &[u8]) -> Vec<u8> {
    if nbrevive_notebook::read_code(code).is_ok() {
        return code.to_vec();
    }
    let text = decode(code);
    let cells = script_cells(&text).into_iter().map(|cell| Cell::code(cell.source));
    let mut notebook = Notebook::from_cells(cells.collect());
    notebook.assign_ids();
    nbrevive_notebook::write(&notebook).into_bytes()
}

/// The title on one line, without control characters; the key where there is none.
fn title(selected: &JudgedVersion) -> String {
    let version = &selected.version;
    let said = version.record.title.as_ref().or(version.notebook.as_ref().and_then(|notebook| notebook.title.as_ref()));
    let plain: String =
        said.map(|title| title.chars().filter(|character| !character.is_control()).collect()).unwrap_or_default();
    if plain.trim().is_empty() { version.key.clone() } else { plain }
}

/// Writes a file of a corpus, whole or not at all.
pub(super) fn save(path: &Path, header: &str, value: &impl Serialize) -> Result<(), CorpusError> {
    let invalid = |error: toml::ser::Error| CorpusError::Invalid { path: path.to_owned(), message: error.to_string() };
    let body = toml::to_string(value).map_err(invalid)?;
    Ok(nbrevive_files::write(path, format!("{header}{body}"))?)
}

pub(super) fn save_list(path: &Path, list: &List) -> Result<(), CorpusError> {
    save(path, LIST_HEADER, list)
}

pub(super) fn save_targets(folder: &Path, targets: &Targets) -> Result<(), CorpusError> {
    save(&folder.join(TARGETS), TARGETS_HEADER, targets)
}

/// The lists of a corpus; those behind links are none.
pub(super) fn lists(folder: &Path) -> Result<Vec<(PathBuf, List)>, CorpusError> {
    let root = Folder::open(folder)?;
    let mut lists = Vec::new();
    for entry in root.entries()?.into_iter().filter(|entry| entry.kind == FileErrorKind::Folder) {
        let name = Path::new(&entry.name).join(LIST);
        let path = folder.join(&name);
        let text = match root.read(&name, LONGEST_LIST) {
            Err(error) if error.is_not_found() => continue,
            read => read?,
        };
        let invalid = |error: toml::de::Error| CorpusError::Invalid { path: path.clone(), message: error.to_string() };
        let list = toml::from_slice(&text).map_err(invalid)?;
        lists.push((path, list));
    }
    Ok(lists)
}
