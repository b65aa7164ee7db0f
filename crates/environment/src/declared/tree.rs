//! The files of a repository: names and kinds, no link followed out of its folder.

use std::collections::VecDeque;
use std::path::Path;

use nbrevive_files::{FileError, FileErrorKind, Folder};

/// Most entries that are listed.
const MOST_ENTRIES: usize = 200_000;
/// Deepest folder that is listed.
const DEEPEST: usize = 40;

/// Folders that hold what tools made: copies of packages, caches, checkpoints.
const MADE: [&str; 16] = [
    ".git",
    ".hg",
    ".svn",
    ".ipynb_checkpoints",
    ".tox",
    ".nox",
    ".venv",
    ".eggs",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    "__pycache__",
    "__MACOSX",
    "node_modules",
    "site-packages",
    ".nbrevive",
];

/// A folder that holds a repository, and the paths of its files.
#[derive(Debug)]
pub struct RepositoryTree {
    folder: Folder,
    /// Relative, with `/`, sorted by depth and name; files and links.
    paths: Vec<String>,
    is_cut: bool,
}

impl RepositoryTree {
    /// Lists a repository: folders that tools made (`.git`, `node_modules`, virtual environments) and folders behind links are
    /// passed over, and so are names that are no UTF-8. At most 200,000 entries and 40 levels are looked at.
    ///
    /// # Errors
    /// When the folder itself cannot be listed; one below it that cannot be is passed over.
    pub fn walk(folder: Folder) -> Result<Self, FileError> {
        let mut walk = Walk { paths: Vec::new(), left: MOST_ENTRIES, open: VecDeque::new(), is_cut: false };
        walk.list(&folder, "")?;
        while let Some(path) = walk.open.pop_front() {
            let Ok(inner) = folder.folder(Path::new(&path)) else { continue };
            // What is listed is the folder that is there now, whatever it was before.
            if walk.list(&inner, &path).is_err() {
                tracing::debug!(path, "a folder that cannot be listed");
            }
        }
        walk.paths.sort_unstable_by(|one, other| order(one).cmp(&order(other)));
        Ok(Self { folder, paths: walk.paths, is_cut: walk.is_cut })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The paths of files and links, those of higher folders first.
    #[must_use]
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// The paths of notebooks.
    pub fn notebooks(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(String::as_str).filter(|path| path.ends_with(".ipynb"))
    }

    /// Whether there were more entries than are looked at.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether a file is listed.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.paths.binary_search_by(|known| order(known).cmp(&order(path))).is_ok()
    }

    /// Reads a file of at most `most` bytes. Links are followed as long as they stay below the folder.
    ///
    /// # Errors
    /// When it is not there, is no regular file, leads out or is longer.
    pub fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, FileError> {
        self.folder.read(Path::new(path), most)
    }
}

struct Walk {
    paths: Vec<String>,
    left: usize,
    open: VecDeque<String>,
    is_cut: bool,
}

impl Walk {
    fn list(&mut self, folder: &Folder, path: &str) -> Result<(), FileError> {
        let entries = folder.entries()?;
        let is_made = |name: &str| MADE.contains(&name) || name.ends_with(".egg-info");
        // A virtual environment, whatever its name.
        if entries.iter().any(|entry| entry.name == "pyvenv.cfg") {
            return Ok(());
        }
        for entry in entries {
            if self.left == 0 {
                self.is_cut = true;
                return Ok(());
            }
            self.left -= 1;
            let Some(name) = entry.name.to_str() else { continue };
            let inner = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            match entry.kind {
                FileErrorKind::Folder if is_made(name) => {}
                FileErrorKind::Folder if inner.matches('/').count() >= DEEPEST => self.is_cut = true,
                FileErrorKind::Folder => self.open.push_back(inner),
                FileErrorKind::File | FileErrorKind::Link => self.paths.push(inner),
                FileErrorKind::Pipe | FileErrorKind::Socket | FileErrorKind::Device => {}
            }
        }
        Ok(())
    }
}

/// Higher folders first, then by name.
fn order(path: &str) -> (usize, &str) {
    (path.matches('/').count(), path)
}

/// The folder of a path; empty for the top.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(crate) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A path named in a file of `folder`, without `.` and `..`; `None` where it leads out of the repository.
pub(crate) fn joined(folder: &str, name: &str) -> Option<String> {
    if name.starts_with(['/', '~']) || name.contains(['\0', ':']) {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_files_stay_in_the_repository() {
        let cases = [
            ("", "a.txt", Some("a.txt")),
            ("binder", "../requirements.txt", Some("requirements.txt")),
            ("a/b", "./../c//d.txt", Some("a/c/d.txt")),
            ("a", "..\\x.txt", Some("x.txt")),
            ("a", "../../x.txt", None),
            ("", "/etc/passwd", None),
            ("", "~/x", None),
            ("", "https://h/x.txt", None),
        ];
        for (folder, name, expected) in cases {
            assert_eq!(joined(folder, name).as_deref(), expected, "{folder} {name}");
        }
    }

    #[test]
    fn what_tools_made_and_links_are_not_entered() {
        let place = tempfile::tempdir().unwrap();
        let put = |path: &str| {
            let path = place.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        };
        for path in
            ["b/c/x.py", "a.ipynb", "node_modules/m.py", "env/pyvenv.cfg", "env/lib/y.py", ".git/config", "z.txt"]
        {
            put(path);
        }
        std::os::unix::fs::symlink("/etc", place.path().join("etc")).unwrap();
        let files = RepositoryTree::walk(Folder::open(place.path()).unwrap()).unwrap();
        assert_eq!(files.paths(), ["a.ipynb", "etc", "z.txt", "b/c/x.py"]);
        assert!(files.has("b/c/x.py") && !files.has("env/lib/y.py") && !files.is_cut());
        assert_eq!(files.notebooks().collect::<Vec<_>>(), ["a.ipynb"]);
        assert!(files.read("etc", 9).is_err());
    }
}
