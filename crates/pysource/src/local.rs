//! Modules that the files beside a notebook provide: importing them needs no distribution.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

/// A module or package that a file provides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LocalModule {
    /// The first part of the name that is imported.
    pub name: String,
    /// What provides it.
    pub kind: LocalKind,
    /// The file, as in the listing.
    pub path: String,
}

/// What provides a local module, in the order in which Python prefers them (PEP 420; `FileFinder` of importlib).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LocalKind {
    /// A folder with an `__init__.py`.
    Package,
    /// A compiled module: `name.so`, `name.cpython-37m-x86_64-linux-gnu.so`.
    Extension,
    /// `name.py`.
    File,
    /// A folder that holds Python files but no `__init__.py`. An installed distribution of the same name goes first, and
    /// Python 2 does not know it.
    Namespace,
}

impl fmt::Display for LocalModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            LocalKind::Package => "package",
            LocalKind::Extension => "compiled module",
            LocalKind::File => "file",
            LocalKind::Namespace => "folder",
        };
        write!(f, "{kind} beside the notebook: {}", self.path)
    }
}

/// The modules that files provide, sorted by name, each once.
///
/// `files` are paths relative to the notebook's folder, with `/`. `roots` are folders added to the search path (see
/// [`crate::paths::ExtraPath`]), in the same form; the notebook's own folder always counts, and goes first.
#[must_use]
pub fn local_modules<'a>(files: impl IntoIterator<Item = &'a str>, roots: &[&str]) -> Vec<LocalModule> {
    let roots: Vec<Vec<&str>> = std::iter::once("").chain(roots.iter().copied()).map(parts).collect();
    let mut found = BTreeMap::<&str, (usize, LocalKind, &str)>::new();
    for path in files {
        let file = parts(path);
        for (order, root) in roots.iter().enumerate() {
            let Some((name, kind)) = file.strip_prefix(root.as_slice()).and_then(module) else { continue };
            let candidate = (order, kind, path);
            found.entry(name).and_modify(|known| *known = (*known).min(candidate)).or_insert(candidate);
        }
    }
    let module = |(name, (_, kind, path)): (&str, (usize, LocalKind, &str))| LocalModule {
        name: name.to_owned(),
        kind,
        path: path.to_owned(),
    };
    found.into_iter().map(module).collect()
}

/// The parts of a path without those that change nothing.
fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).collect()
}

/// What a file below a folder of the search path is imported as.
fn module<'a>(file: &[&'a str]) -> Option<(&'a str, LocalKind)> {
    let (last, folders) = file.split_last()?;
    let (stem, kind) = match (last.strip_suffix(".py"), last.strip_suffix(".so").or_else(|| last.strip_suffix(".pyd")))
    {
        (Some(stem), _) => (stem, LocalKind::File),
        (None, Some(stem)) => (stem.split('.').next().unwrap_or(stem), LocalKind::Extension),
        (None, None) => return None,
    };
    if !folders.iter().chain([&stem]).all(|part| is_identifier(part)) {
        return None;
    }
    match folders {
        [] => Some((stem, kind)).filter(|_| stem != "__init__"),
        [package] if stem == "__init__" => Some((package, LocalKind::Package)),
        [package, ..] => Some((package, LocalKind::Namespace)),
    }
}

/// Whether a text can be a name of Python.
#[must_use]
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[&str], roots: &[&str]) -> Vec<String> {
        let found = local_modules(files.iter().copied(), roots);
        found.iter().map(|module| format!("{} {module}", module.name)).collect()
    }

    #[test]
    fn files_and_folders_provide_modules() {
        let files = [
            "utils.py",
            "pkg/models/net.py",
            "pkg/__init__.py",
            "space/deep/x.py",
            "fast.cpython-37m-x86_64-linux-gnu.so",
            "my-script.py",
            "data/train.csv",
            "old code/y.py",
            "__init__.py",
            "both.py",
            "both/__init__.py",
            "notebook.ipynb",
        ];
        insta::assert_snapshot!(found(&files, &[]).join("\n"), @r"
        both package beside the notebook: both/__init__.py
        fast compiled module beside the notebook: fast.cpython-37m-x86_64-linux-gnu.so
        pkg package beside the notebook: pkg/__init__.py
        space folder beside the notebook: space/deep/x.py
        utils file beside the notebook: utils.py
        ");
    }

    #[test]
    fn folders_of_the_search_path_provide_modules_too() {
        let files = ["../input/kit/tools.py", "src/a.py", "src/b/__init__.py", "a.py"];
        let expected = [
            "a file beside the notebook: a.py",
            "b package beside the notebook: src/b/__init__.py",
            "src folder beside the notebook: src/a.py",
            "tools file beside the notebook: ../input/kit/tools.py",
        ];
        assert_eq!(found(&files, &["./src/", "../input/kit"]), expected);
        assert_eq!(found(&files[..1], &[]), Vec::<String>::new());
    }
}
