//! Which imported names a repository holds itself.

use std::collections::BTreeMap;

use nbrevive_pysource::local::{LocalKind, is_identifier};

use crate::declared::{folder_of, joined};

/// What each folder of a repository provides to an import, were it on the search path.
#[derive(Debug, Default)]
pub(super) struct LocalNames<'files> {
    folders: BTreeMap<&'files str, BTreeMap<&'files str, LocalKind>>,
    /// What any folder provides, for code that is put on the path by means that are not read.
    anywhere: BTreeMap<&'files str, &'files str>,
}

impl<'files> LocalNames<'files> {
    /// From the paths of a repository's files.
    pub(super) fn of(paths: impl IntoIterator<Item = &'files str>) -> Self {
        let mut names = Self::default();
        for path in paths {
            names.add(path);
        }
        names
    }

    fn add(&mut self, path: &'files str) {
        let Some((stem, kind)) = module(path) else { return };
        let is_package = stem == "__init__";
        if !is_package {
            self.note(folder_of(path), stem, kind);
        }
        // Each folder above is one that an import goes through.
        let mut inner = folder_of(path);
        let mut kind = if is_package { LocalKind::Package } else { LocalKind::Namespace };
        while !inner.is_empty() {
            let outer = folder_of(inner);
            let name = inner.get(outer.len()..).unwrap_or_default().trim_start_matches('/');
            if !is_identifier(name) {
                return;
            }
            self.note(outer, name, kind);
            kind = LocalKind::Namespace;
            inner = outer;
        }
    }

    fn note(&mut self, folder: &'files str, name: &'files str, kind: LocalKind) {
        let known = self.folders.entry(folder).or_default().entry(name).or_insert(kind);
        *known = kind.min(*known);
        // What lies in a package is imported through it.
        if kind != LocalKind::Namespace {
            self.anywhere.entry(name).or_insert(folder);
        }
    }

    fn at(&self, folder: &str, name: &str) -> Option<LocalKind> {
        self.folders.get(folder)?.get(name).copied()
    }

    /// Where a file of `folder` finds a name without a doubt: beside itself, in folders that it adds to the search path, or as a package
    /// of the top or of `src/`, where the repository's own distribution is.
    pub(super) fn surely(&self, name: &str, folder: &str, extra: &[String]) -> Option<String> {
        let is_real = |kind: LocalKind| kind != LocalKind::Namespace;
        let beside = std::iter::once(folder).chain(extra.iter().map(String::as_str));
        for place in beside {
            if self.at(place, name).is_some_and(is_real) {
                return Some(shown(place, name));
            }
        }
        let tops = ["", "src", "lib", "python"];
        let package = tops.iter().find(|top| self.at(top, name) == Some(LocalKind::Package));
        package.map(|top| shown(top, name))
    }

    /// Where it is found if nothing installed has the name: a folder without `__init__.py`, a module of a folder above, or of any other
    /// folder, which code puts on the path by means that are not read.
    pub(super) fn perhaps(&self, name: &str, folder: &str, extra: &[String]) -> Option<String> {
        let mut place = folder;
        loop {
            if self.at(place, name).is_some() {
                return Some(shown(place, name));
            }
            if place.is_empty() {
                break;
            }
            place = folder_of(place);
        }
        if let Some(found) = extra.iter().find(|extra| self.at(extra, name).is_some()) {
            return Some(shown(found, name));
        }
        self.anywhere.get(name).map(|place| shown(place, name))
    }
}

/// The folder that a path added to `sys.path` means, of code that runs in `folder`.
pub(super) fn added(folder: &str, path: &str) -> Option<String> {
    joined(folder, path)
}

fn shown(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The name by which a file is imported.
fn module(path: &str) -> Option<(&str, LocalKind)> {
    let name = crate::declared::name_of(path);
    let compiled =
        || name.strip_suffix(".so").or_else(|| name.strip_suffix(".pyd")).and_then(|stem| stem.split('.').next());
    let found = match name.strip_suffix(".py").or_else(|| name.strip_suffix(".pyx")) {
        Some(stem) => (stem, LocalKind::File),
        None => (compiled()?, LocalKind::Extension),
    };
    is_identifier(found.0).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_beside_above_and_elsewhere() {
        let paths = [
            "setup.py",
            "src/kit/__init__.py",
            "src/kit/deep/net.py",
            "nb/helpers.py",
            "nb/pandas/clean.py",
            "tools/plotting.py",
            "my-dir/x.py",
            "fast.cpython-37m-x86_64-linux-gnu.so",
        ];
        let names = LocalNames::of(paths);
        let surely = |name: &str, folder: &str, extra: &[&str]| {
            names.surely(name, folder, &extra.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(surely("kit", "nb", &[]).as_deref(), Some("src/kit"));
        assert_eq!(surely("helpers", "nb", &[]).as_deref(), Some("nb/helpers"));
        assert_eq!(surely("plotting", "nb", &[]), None);
        assert_eq!(surely("plotting", "nb", &["tools"]).as_deref(), Some("tools/plotting"));
        assert_eq!(surely("pandas", "nb", &[]), None);
        assert_eq!(surely("fast", "", &[]).as_deref(), Some("fast"));
        assert_eq!(names.perhaps("pandas", "nb", &[]).as_deref(), Some("nb/pandas"));
        assert_eq!(names.perhaps("plotting", "nb", &[]).as_deref(), Some("tools/plotting"));
        assert_eq!(names.perhaps("x", "", &[]).as_deref(), Some("my-dir/x"));
        assert_eq!(names.perhaps("torch", "nb", &[]), None);
        assert_eq!(added("nb", "../tools").as_deref(), Some("tools"));
        assert_eq!(added("nb", "../../tools"), None);
    }
}
