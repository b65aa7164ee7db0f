//! The notebooks and scripts that a command is given: files, or folders that are searched for them.

use std::path::{Path, PathBuf};

use nbrevive_files::{FileErrorKind, Folder};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::SourceText;

use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};

/// Folders in which nobody keeps notebooks of their own.
const SKIPPED: [&str; 6] = [".git", ".hg", "__pycache__", ".ipynb_checkpoints", "node_modules", "site-packages"];

/// Every file that the paths name, folders searched, sorted and without duplicates.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        let kind = path.metadata().map_err(|error| Failure {
            exit: Exit::BadInput,
            message: shown!("cannot read {}: {}", path.display(), error),
        })?;
        if kind.is_dir() {
            search(path, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        let named = Shown::joined(paths.iter().map(|path| Shown::path(path)), ", ");
        let message = shown!("no notebook (.ipynb) and no script (.py) in {}", named);
        return Err(Failure { exit: Exit::BadInput, message });
    }
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = Folder::open(folder).and_then(|folder| folder.entries()).map_err(|error| file_failure(&error))?;
    for entry in entries {
        let path = folder.join(&entry.name);
        match entry.kind {
            // Not followed: a circle of folders would never end.
            FileErrorKind::Link => {}
            _ if SKIPPED.contains(&&*entry.name.to_string_lossy()) => {}
            FileErrorKind::Folder => search(&path, found)?,
            _ if SourceText::is_source(&path) => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

/// Reads one of them.
pub(crate) fn read(path: &Path) -> Result<SourceText, Failure> {
    SourceText::read(path).map_err(|error| Failure::new(Exit::BadInput, &error))
}
