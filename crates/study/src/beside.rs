//! The files beside a notebook: modules that it imports from there, requirements files that its install lines name.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use nbrevive_pysource::local::local_modules;
use nbrevive_pysource::paths::ExtraPath;
use nbrevive_pysource::requirements::{FileEntry, InstallLine, Tool, requirements_file};

/// Longest requirements file that is read, in bytes.
const LONGEST: u64 = 1 << 20;
/// How deep requirements files may name others.
const DEEPEST: usize = 8;

/// The folder that a notebook lies in; the default is none, for a notebook that stands alone.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    folder: Option<PathBuf>,
}

impl Beside {
    /// The files in a folder. Only files below it are ever read, whatever a notebook names.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()) }
    }

    /// Top-level modules that files beside the notebook, and in folders that it adds to its search path, provide.
    #[must_use]
    pub fn modules(&self, extra: &[ExtraPath]) -> Vec<String> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let added = extra.iter().filter_map(|extra| self.below(&extra.path));
        let mut modules = BTreeSet::new();
        for place in std::iter::once(folder.clone()).chain(added) {
            let files = files_below(&place);
            modules.extend(local_modules(files.iter().map(String::as_str), &[]).into_iter().map(|module| module.name));
        }
        modules.into_iter().collect()
    }

    /// The requirements in the files that install lines name, constraints left out; a file that cannot be read is
    /// given as its name, which no index serves, so that the plan tells it.
    #[must_use]
    pub fn requirements(&self, lines: &[InstallLine]) -> Vec<String> {
        let mut found = Vec::new();
        for line in lines.iter().filter(|line| line.tool != Tool::Apt) {
            for file in &line.requirement_files {
                self.read(file, line.tool, DEEPEST, &mut found);
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|requirement| seen.insert(requirement.clone()));
        found
    }

    fn read(&self, file: &str, tool: Tool, depth: usize, found: &mut Vec<String>) {
        let path = self.below(file).filter(|path| path.metadata().is_ok_and(|kind| kind.is_file() && kind.len() <= LONGEST));
        let text = path.and_then(|path| std::fs::read(path).ok());
        let Some(text) = text.filter(|_| depth > 0) else {
            found.push(format!("-r {file}"));
            return;
        };
        for line in requirements_file(&String::from_utf8_lossy(&text), tool) {
            match line.entry {
                FileEntry::Requirement { text, .. } => found.push(text),
                FileEntry::File(other) => {
                    let beside = Path::new(file).parent().unwrap_or(Path::new("")).join(other);
                    self.read(&beside.to_string_lossy(), line.tool, depth - 1, found);
                }
                FileEntry::Unknown(text) => found.push(text),
                FileEntry::Constraints(_) | FileEntry::Option { .. } => {}
            }
        }
    }

    /// A path that a notebook names, if it stays below the notebook's folder; links out of it lead nowhere.
    fn below(&self, named: &str) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if named.is_empty() || !Path::new(named).components().all(plain) {
            return None;
        }
        let path = folder.join(named).canonicalize().ok()?;
        path.starts_with(folder.canonicalize().ok()?).then_some(path)
    }
}

/// Files below a folder, relative, at most two folders deep: what decides which modules it provides.
fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    list(folder, "", 2, &mut found);
    found
}

fn list(folder: &Path, prefix: &str, depth: usize, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = entry.path();
        if path.is_file() {
            found.push(format!("{prefix}{name}"));
        } else if depth > 0 && !name.starts_with('.') {
            list(&path, &format!("{prefix}{name}/"), depth - 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_pysource::survey::survey;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn modules_beside_and_on_added_paths_are_local() {
        let folder = folder(&[
            ("helpers.py", ""),
            ("package/part.py", ""),
            ("data/train.csv", ""),
            ("native.cpython-37m-x86_64-linux-gnu.so", ""),
            ("src/deep.py", ""),
            ("not-a-name.py", ""),
        ]);
        let found = survey(&["import sys\nsys.path.append('src')\nsys.path.append('../..')\nsys.path.append('/')"]);
        let modules = Beside::of(folder.path()).modules(&found.extra_paths);
        assert_eq!(modules, ["deep", "helpers", "native", "package", "src"]);
        assert!(Beside::default().modules(&found.extra_paths).is_empty());
    }

    #[test]
    fn requirements_files_are_read_with_those_that_they_name() {
        let folder = folder(&[
            ("requirements.txt", "numpy==1.14 # why\n-r more/other.txt\n--index-url http://x\n"),
            ("more/other.txt", "pandas>=0.20\nnumpy==1.14\n-r ../requirements.txt\n"),
        ]);
        let lines = survey(&["!pip install -r requirements.txt\n!pip install -r ../../secret.txt -r gone.txt"]).install_lines;
        let found = Beside::of(folder.path()).requirements(&lines);
        assert_eq!(found[..2], ["numpy==1.14", "pandas>=0.20"]);
        assert_eq!(found[found.len() - 2..], ["-r ../../secret.txt", "-r gone.txt"]);
        assert_eq!(Beside::default().requirements(&lines).len(), 3);
    }

    #[test]
    fn a_circle_of_files_ends() {
        let folder = folder(&[("a.txt", "-r b.txt\nsix\n"), ("b.txt", "-r a.txt\n")]);
        let lines = survey(&["!pip install -r a.txt"]).install_lines;
        let found = Beside::of(folder.path()).requirements(&lines);
        assert!(found.contains(&"six".to_owned()), "{found:?}");
    }
}
