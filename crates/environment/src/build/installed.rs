//! What is installed in an environment, read from its metadata folders without running it.

use std::collections::BTreeMap;
use std::path::Path;

use pep440_rs::Version;

use crate::versions::normalise;

/// Installed distributions: normalised name to version as written.
pub(crate) fn installed(site_packages: &Path) -> BTreeMap<String, String> {
    let Ok(entries) = std::fs::read_dir(site_packages) else { return BTreeMap::new() };
    entries.filter_map(|entry| described(&entry.ok()?.path())).collect()
}

/// Name and version of a `.dist-info` folder, an `.egg-info` folder or an `.egg-info` file.
fn described(path: &Path) -> Option<(String, String)> {
    let extension = path.extension()?.to_str()?;
    let text = match extension {
        "dist-info" => std::fs::read(path.join("METADATA")),
        "egg-info" if path.is_dir() => std::fs::read(path.join("PKG-INFO")),
        "egg-info" => std::fs::read(path),
        _ => return None,
    };
    let text = String::from_utf8_lossy(&text.ok()?).into_owned();
    let header = text.lines().take_while(|line| !line.is_empty());
    let field =
        |name: &str| header.clone().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned());
    Some((normalise(&field("Name:")?), field("Version:")?))
}

/// Whether two versions are one, however written.
pub(crate) fn same_version(planned: &Version, installed: &str) -> bool {
    installed.parse::<Version>().is_ok_and(|installed| installed == *planned || installed.without_local() == *planned)
}

/// The same for exact pins, where versions of before PEP 440 are compared as texts.
pub(crate) fn is_same(planned: &Version, installed: &str) -> bool {
    same_version(planned, installed) || planned.to_string() == installed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_kinds_of_metadata_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("A_b-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: A_b\nVersion: 1.0\n\nVersion: 9\n");
        write("c-2.egg-info/PKG-INFO", "Name: c\nVersion: 2\n");
        write("d-3.egg-info", "Name: d\nVersion: 3.post1\n");
        write("numpy/__init__.py", "");
        let found: Vec<_> =
            installed(folder.path()).into_iter().map(|(name, version)| format!("{name}=={version}")).collect();
        assert_eq!(found, ["a-b==1.0", "c==2", "d==3.post1"]);
    }

    #[test]
    fn versions_are_compared_by_meaning() {
        let planned: Version = "1.0".parse().unwrap();
        assert!(
            same_version(&planned, "1.0.0") && same_version(&planned, "1.0+cpu") && !same_version(&planned, "1.0.1")
        );
    }
}
