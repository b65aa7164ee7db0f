//! Wheels: requirements from `METADATA`, modules from the archive's own list of files.
//!
//! The list says what `RECORD` says, and needs no further part of the file. Namespace packages are folders without
//! an `__init__` (PEP 420), and those that `namespace_packages.txt` names: their children count, dotted.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};

use nbrevive_pysource::local::is_identifier;
use pep440_rs::Version;
use zip::ZipArchive;

use super::Unread;
use super::archive::Bounded;
use crate::metadata::{Metadata, MetadataSource};
use crate::requires::Headers;
use crate::versions::normalise;

/// Longest `METADATA` that is read, in bytes: descriptions are part of it.
const LONGEST: u64 = 8 << 20;
/// Deepest namespace: `a.b.c` lies in one of two.
const DEEPEST: usize = 4;
/// Most modules that are told.
const MOST_MODULES: usize = 2000;

/// Reads the wheel of a distribution.
pub(super) fn read(reader: impl Read + Seek, distribution: &str) -> Result<Metadata, Unread> {
    let mut archive = ZipArchive::new(Bounded::new(reader))?;
    let paths: Vec<String> = archive.file_names().filter_map(Result::ok).map(Cow::into_owned).collect();
    let folder =
        information(&paths, distribution).ok_or_else(|| Unread::Content("it has no folder of metadata".into()))?;
    let metadata = member(&mut archive, &format!("{folder}/METADATA"))?
        .ok_or_else(|| Unread::Content("it has no METADATA".into()))?;
    let headers = Headers::read(&metadata).ok_or_else(|| Unread::Content("its METADATA has no headers".into()))?;
    let namespaces = member(&mut archive, &format!("{folder}/namespace_packages.txt"))?.unwrap_or_default();
    let namespaces = String::from_utf8_lossy(&namespaces).into_owned();
    let mut metadata = Metadata::new(headers.requires(), MetadataSource::Wheel);
    metadata.modules = modules(paths.iter().map(String::as_str), &namespaces.split_whitespace().collect());
    Ok(metadata)
}

/// The requirements of a wheel that must be of one distribution and version, by its folder of metadata and by what that says.
pub(super) fn requires(reader: impl Read + Seek, distribution: &str, version: &Version) -> Result<Vec<String>, Unread> {
    let mut archive = ZipArchive::new(Bounded::new(reader))?;
    let paths: Vec<String> = archive.file_names().filter_map(Result::ok).map(Cow::into_owned).collect();
    let folder = information(&paths, distribution).unwrap_or_default();
    let metadata = member(&mut archive, &format!("{folder}/METADATA"))?.unwrap_or_default();
    let is_own = |headers: &Headers| {
        let said = folder.strip_suffix(".dist-info").and_then(|stem| stem.rsplit_once('-'));
        let is_version = |text: &str| text.parse::<Version>().is_ok_and(|found| found == *version);
        said.is_some_and(|(name, said)| normalise(name) == distribution && is_version(said))
            && headers.is_of(distribution)
            && headers.version().is_some_and(is_version)
    };
    let wrong = || Unread::Content(format!("it is no wheel of {distribution} {version}"));
    Headers::read(&metadata).filter(is_own).map(|headers| headers.requires()).ok_or_else(wrong)
}

/// The folder `name-version.dist-info`: the distribution's own, else the first.
fn information(paths: &[String], distribution: &str) -> Option<String> {
    let folders: BTreeSet<&str> = paths
        .iter()
        .filter_map(|path| path.split_once('/').map(|parts| parts.0))
        .filter(|folder| folder.ends_with(".dist-info"))
        .collect();
    let is_own = |folder: &&&str| normalise(folder.split('-').next().unwrap_or_default()) == distribution;
    folders.iter().find(is_own).or_else(|| folders.first()).map(|folder| (*folder).to_owned())
}

fn member<R: Read + Seek>(archive: &mut ZipArchive<R>, path: &str) -> Result<Option<Vec<u8>>, Unread> {
    let file = match archive.by_name(path) {
        Err(zip::result::ZipError::FileNotFound) => return Ok(None),
        file => file?,
    };
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Unread::Content(format!("{path} is longer than {LONGEST} bytes")));
    }
    Ok(Some(bytes))
}

/// A folder of the installed tree.
#[derive(Default)]
struct Folder<'wheel> {
    folders: BTreeMap<&'wheel str, Folder<'wheel>>,
    modules: BTreeSet<&'wheel str>,
}

/// Importable modules among a wheel's files, outermost first, dotted inside namespaces; sorted.
fn modules<'wheel>(paths: impl Iterator<Item = &'wheel str>, namespaces: &BTreeSet<&str>) -> Vec<String> {
    let mut root = Folder::default();
    for path in paths {
        if let Some(installed) = installed(path) {
            root.add(installed, 0);
        }
    }
    let mut found = Vec::new();
    root.collect("", namespaces, &mut found);
    found.sort();
    found.truncate(MOST_MODULES);
    found
}

/// Where a file is installed, below `site-packages`; `None` for scripts, data and metadata.
fn installed(path: &str) -> Option<&str> {
    let Some((top, inside)) = path.split_once('/') else { return Some(path) };
    if top.ends_with(".data") {
        return inside.strip_prefix("purelib/").or_else(|| inside.strip_prefix("platlib/"));
    }
    (!top.ends_with(".dist-info")).then_some(path)
}

/// The module in a file of that name: `x.py`, `x.so`, `x.cpython-37m-x86_64-linux-gnu.so`, `x.pyd`.
fn module(name: &str) -> Option<&str> {
    let (stem, suffix) = (name.split('.').next()?, name.rsplit('.').next()?);
    (matches!(suffix, "py" | "so" | "pyd") && is_identifier(stem)).then_some(stem)
}

impl<'wheel> Folder<'wheel> {
    fn add(&mut self, path: &'wheel str, depth: usize) {
        match path.split_once('/') {
            None => self.modules.extend(module(path)),
            Some((folder, rest)) if is_identifier(folder) && depth < DEEPEST => {
                self.folders.entry(folder).or_default().add(rest, depth + 1);
            }
            Some(_) => {}
        }
    }

    fn collect(&self, prefix: &str, namespaces: &BTreeSet<&str>, found: &mut Vec<String>) {
        for module in self.modules.iter().filter(|module| **module != "__init__") {
            // A package of that name comes before a module.
            if !self.folders.get(module).is_some_and(Self::is_package) {
                found.push(format!("{prefix}{module}"));
            }
        }
        for (name, folder) in &self.folders {
            let path = format!("{prefix}{name}");
            if folder.is_package() && !namespaces.contains(path.as_str()) {
                found.push(path);
            } else {
                folder.collect(&format!("{path}."), namespaces, found);
            }
        }
    }

    fn is_package(&self) -> bool {
        self.modules.contains("__init__")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(paths: &[&str], namespaces: &[&str]) -> Vec<String> {
        modules(paths.iter().copied(), &namespaces.iter().copied().collect())
    }

    #[test]
    fn packages_modules_and_extensions_are_modules() {
        let paths = [
            "six.py",
            "numpy/__init__.py",
            "numpy/core/__init__.py",
            "_cffi.cpython-37m-x86_64-linux-gnu.so",
            "x-1.0.data/purelib/hidden/__init__.py",
            "x-1.0.data/scripts/run.py",
            "x-1.0.dist-info/METADATA",
            "share/man/x.1",
            "not-a-module.py",
            "notes.txt",
        ];
        assert_eq!(found(&paths, &[]), ["_cffi", "hidden", "numpy", "six"]);
    }

    #[test]
    fn children_of_namespaces_are_dotted() {
        let paths = [
            "google/protobuf/__init__.py",
            "google/cloud/storage/__init__.py",
            "mpl_toolkits/__init__.py",
            "mpl_toolkits/mplot3d/__init__.py",
            "ruamel/yaml/__init__.py",
            "ruamel/ordered.py",
        ];
        assert_eq!(
            found(&paths, &["mpl_toolkits"]),
            ["google.cloud.storage", "google.protobuf", "mpl_toolkits.mplot3d", "ruamel.ordered", "ruamel.yaml"]
        );
    }
}
