//! The files beside a notebook: modules that it imports from there, requirements files that its install lines name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use nbrevive_files::{FileErrorKind, Folder};
use nbrevive_notebook::read_code;
use nbrevive_pysource::local::local_modules;
use nbrevive_pysource::paths::ExtraPath;
use nbrevive_pysource::requirements::{FollowedFiles, InstallLine, RequirementsEntry, Tool, follow_files};
use nbrevive_pysource::script::{decode, script_cells};
use nbrevive_pysource::survey::{Survey, survey};

/// Longest file beside a notebook that is read, in bytes.
const LONGEST: u64 = 64 << 20;

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
        let Some(folder) = self.open() else { return Vec::new() };
        let added: Vec<Folder> = extra.iter().filter_map(|extra| folder.folder(Path::new(&extra.path)).ok()).collect();
        let mut modules = BTreeSet::new();
        for place in std::iter::once(folder).chain(added) {
            let files = files_below(&place);
            modules.extend(local_modules(files.iter().map(String::as_str), &[]).into_iter().map(|module| module.name));
        }
        modules.into_iter().collect()
    }

    /// The requirements in the files that install lines name, constraints left out; a file that cannot be read is
    /// given as its option, which no index serves, so that the plan tells it.
    #[must_use]
    pub fn requirements(&self, lines: &[InstallLine]) -> Vec<String> {
        let mut found = Vec::new();
        for line in lines.iter().filter(|line| line.tool != Tool::Apt && !line.requirement_files.is_empty()) {
            let followed = self.followed(line);
            found.extend(followed.lines.into_iter().filter_map(|(_, line)| match line.entry {
                RequirementsEntry::Requirement { text, .. } | RequirementsEntry::Unknown(text) => Some(text),
                RequirementsEntry::File(_) | RequirementsEntry::Constraints(_) | RequirementsEntry::Option { .. } => {
                    None
                }
            }));
            found.extend(followed.missing.iter().map(|file| format!("-r {file}")));
        }
        let mut seen = BTreeSet::new();
        found.retain(|requirement| seen.insert(requirement.clone()));
        found
    }

    /// What the files say that an install line names.
    pub(crate) fn followed(&self, line: &InstallLine) -> FollowedFiles {
        follow_files(&line.requirement_files, line.tool, |path| self.read(path))
    }

    /// What the files that cells run (`%run tools.py`) say themselves; those that they run in turn are left alone.
    #[must_use]
    pub fn run_files(&self, named: &[String]) -> Vec<Survey> {
        let texts = named.iter().filter_map(|file| Some((file, self.read(file)?)));
        texts
            .map(|(file, content)| {
                if file.ends_with(".ipynb") {
                    let cells = read_code(&content).map(|notebook| notebook.cells).unwrap_or_default();
                    return survey(&cells.iter().map(|cell| cell.source.as_str()).collect::<Vec<_>>());
                }
                let text = decode(&content);
                let cells = script_cells(&text);
                survey(&cells.iter().map(|cell| &*cell.source).collect::<Vec<_>>())
            })
            .collect()
    }

    /// A file below the folder that is not too long; links out of it lead nowhere.
    fn read(&self, named: &str) -> Option<Vec<u8>> {
        self.open()?.read(Path::new(named), LONGEST).ok()
    }

    fn open(&self) -> Option<Folder> {
        Folder::open(self.folder.as_ref()?).ok()
    }
}

/// Files below a folder, relative, at most two folders deep: what decides which modules it provides.
fn files_below(folder: &Folder) -> Vec<String> {
    let mut found = Vec::new();
    list(folder, "", 2, &mut found);
    found
}

fn list(folder: &Folder, prefix: &str, depth: usize, found: &mut Vec<String>) {
    for entry in folder.entries().unwrap_or_default() {
        let Ok(name) = entry.name.into_string() else { continue };
        let path = Path::new(&name);
        let leads = |to: FileErrorKind| {
            entry.kind == to
                || (entry.kind == FileErrorKind::Link && folder.resolve(path).is_ok_and(|(_, kind)| kind == to))
        };
        if leads(FileErrorKind::File) {
            found.push(format!("{prefix}{name}"));
        } else if depth > 0
            && !name.starts_with('.')
            && leads(FileErrorKind::Folder)
            && let Ok(inner) = folder.folder(path)
        {
            list(&inner, &format!("{prefix}{name}/"), depth - 1, found);
        }
    }
}

#[cfg(test)]
mod tests {
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
        let lines =
            survey(&["!pip install -r requirements.txt\n!pip install -r ../../secret.txt -r gone.txt"]).install_lines;
        let found = Beside::of(folder.path()).requirements(&lines);
        assert_eq!(found[..2], ["numpy==1.14", "pandas>=0.20"]);
        assert_eq!(found[found.len() - 2..], ["-r ../../secret.txt", "-r gone.txt"]);
        assert_eq!(Beside::default().requirements(&lines).len(), 3);
    }

    #[test]
    fn files_that_are_run_are_read_and_others_are_not() {
        let folder = folder(&[("tools.py", "import lightgbm"), ("empty.py", "")]);
        let found = survey(&["%run tools.py\n%run ../outside.py\n%run /etc/hostname\n%run gone.py"]);
        let ran = Beside::of(folder.path()).run_files(&found.run_files);
        assert_eq!(
            ran.iter().flat_map(|one| &one.imports).map(|one| one.module.as_str()).collect::<Vec<_>>(),
            ["lightgbm"]
        );
    }

    #[test]
    fn a_circle_of_files_ends() {
        let folder = folder(&[("a.txt", "-r b.txt\nsix\n"), ("b.txt", "-r a.txt\n")]);
        let lines = survey(&["!pip install -r a.txt"]).install_lines;
        let found = Beside::of(folder.path()).requirements(&lines);
        assert!(found.contains(&"six".to_owned()), "{found:?}");
    }
}
