//! The mark of a folder that a selection made: every file in it with its hash, so that nothing else is ever replaced.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_corpus::opened_sha256;
use nbrevive_files::{FileError, FileErrorKind, Folder};

use super::corpus::{CorpusError, LIST, TARGETS};

const MARK: &str = ".nbrevive-selection";
const HEADER: &str =
    "A selection made this folder. The next one replaces it, as long as these files are all, and as they were:";
/// Longest mark that is read, in bytes.
/// Folders that lie in one another at most.
const DEEPEST: usize = 100;

const LONGEST: u64 = 512 << 20;

/// Whether a selection made a folder.
pub(super) fn is_in(folder: &Path) -> bool {
    folder.join(MARK).is_file()
}

/// Marks a folder that has what it is to have.
pub(super) fn write(folder: &Path) -> Result<(), CorpusError> {
    let root = Folder::open(folder)?;
    let hashed = |(name, _): (PathBuf, FileErrorKind)| Ok((name.to_string_lossy().into_owned(), hash(&root, &name)?));
    save(folder, &found(&root)?.into_iter().map(hashed).collect::<Result<_, CorpusError>>()?)
}

/// Whether everything in a folder is as its mark says.
///
/// # Errors
/// What is not, as [`CorpusError::Stray`].
pub(super) fn vouches_for(folder: &Path) -> Result<(), CorpusError> {
    let root = Folder::open(folder)?;
    let known = read(&root)?;
    for (file, kind) in found(&root)? {
        let hash = if kind == FileErrorKind::File { Some(hash(&root, &file)?) } else { None };
        if hash.is_none() || file.to_str().and_then(|name| known.get(name)) != hash.as_ref() {
            return Err(CorpusError::Stray { folder: folder.to_owned(), file });
        }
    }
    Ok(())
}

/// Marks a folder again of which versions were taken: lists are different, and notebooks are gone.
pub(super) fn renew(folder: &Path) -> Result<(), CorpusError> {
    let root = Folder::open(folder)?;
    let mut known = read(&root)?;
    known.retain(|name, _| root.open_file(Path::new(name)).is_ok());
    for (name, known) in &mut known {
        let path = Path::new(name);
        if path.file_name().is_some_and(|name| name == LIST || name == TARGETS) {
            *known = hash(&root, path)?;
        }
    }
    save(folder, &known)
}

fn save(folder: &Path, known: &BTreeMap<String, String>) -> Result<(), CorpusError> {
    let lines: String = known.iter().map(|(name, hash)| format!("{hash}  {name}\n")).collect();
    Ok(nbrevive_files::write(&folder.join(MARK), format!("{HEADER}\n{lines}"))?)
}

/// Hashes by name; none in the mark of a program that wrote none yet.
fn read(root: &Folder) -> Result<BTreeMap<String, String>, CorpusError> {
    let bytes = root.read(Path::new(MARK), LONGEST)?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().filter_map(|line| line.split_once("  "));
    Ok(lines.map(|(hash, name)| (name.to_owned(), hash.to_owned())).collect())
}

fn hash(root: &Folder, name: &Path) -> Result<String, CorpusError> {
    let path = root.path().join(name);
    opened_sha256(root.open_file(name)?).map_err(|source| FileError::Read { path, source }.into())
}

/// Everything in a folder but its mark and the folders of competitions, by relative path. Nothing deeper belongs there.
fn found(root: &Folder) -> Result<Vec<(PathBuf, FileErrorKind)>, FileError> {
    let mut found = Vec::new();
    for entry in root.entries()?.into_iter().filter(|entry| entry.name != MARK) {
        let name = PathBuf::from(entry.name);
        if entry.kind != FileErrorKind::Folder {
            found.push((name, entry.kind));
            continue;
        }
        enter(root, &name, &mut found)?;
    }
    Ok(found)
}

/// Files and what else there is below a folder; a folder itself where nothing is in it, or it is among the files of a list.
fn enter(root: &Folder, below: &Path, found: &mut Vec<(PathBuf, FileErrorKind)>) -> Result<(), FileError> {
    for inner in root.folder(below)?.entries()? {
        let name = below.join(inner.name);
        let is_entered = inner.kind == FileErrorKind::Folder && name.components().count() <= DEEPEST;
        let before = found.len();
        if is_entered {
            enter(root, &name, found)?;
        }
        if !is_entered || found.len() == before {
            found.push((name, inner.kind));
        }
    }
    Ok(())
}

#[cfg(test)]
mod attacks {
    use std::fs;

    use super::*;

    fn corpus() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("tiny")).unwrap();
        for (name, text) in [("targets.toml", ""), ("tiny/versions.toml", ""), ("tiny/a.ipynb", "{}")] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        write(folder.path()).unwrap();
        folder
    }

    fn stray(folder: &Path) -> Option<String> {
        match vouches_for(folder) {
            Err(CorpusError::Stray { file, .. }) => Some(file.to_string_lossy().into_owned()),
            other => other.map(|()| None).unwrap(),
        }
    }

    #[test]
    fn no_file_of_the_user_is_replaced_with_a_marked_folder() {
        let folder = corpus();
        let path = |name: &str| folder.path().join(name);
        assert_eq!(stray(folder.path()), None);
        for name in ["README.md", "tiny/notes.txt"] {
            fs::write(path(name), "mine").unwrap();
            assert_eq!(stray(folder.path()).as_deref(), Some(name));
            renew(folder.path()).unwrap();
            assert_eq!(stray(folder.path()).as_deref(), Some(name), "a file of his own is not vouched for later");
            fs::remove_file(path(name)).unwrap();
        }
        fs::create_dir_all(path("tiny/mine")).unwrap();
        assert_eq!(stray(folder.path()).as_deref(), Some("tiny/mine"));
        fs::remove_dir(path("tiny/mine")).unwrap();
        fs::write(path("tiny/a.ipynb"), "{\"mine\": 1}").unwrap();
        assert_eq!(stray(folder.path()).as_deref(), Some("tiny/a.ipynb"));
        fs::remove_file(path("tiny/a.ipynb")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", path("tiny/a.ipynb")).unwrap();
        assert_eq!(stray(folder.path()).as_deref(), Some("tiny/a.ipynb"));
        // The mark of a program before this one vouches for nothing.
        fs::write(path(MARK), "A selection made this folder, and the next one replaces it.\n").unwrap();
        assert!(stray(folder.path()).is_some());
    }

    #[test]
    fn what_was_taken_out_is_not_missed() {
        let folder = corpus();
        fs::remove_file(folder.path().join("tiny/a.ipynb")).unwrap();
        fs::write(folder.path().join("tiny/versions.toml"), "# changed\n").unwrap();
        renew(folder.path()).unwrap();
        assert_eq!(stray(folder.path()), None);
        // What has its name by now is the user's own, even if it says the same.
        fs::write(folder.path().join("tiny/a.ipynb"), "{}").unwrap();
        assert_eq!(stray(folder.path()).as_deref(), Some("tiny/a.ipynb"));
    }
}
