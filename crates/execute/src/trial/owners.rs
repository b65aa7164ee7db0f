//! Which distribution a file or a module belongs to, read from what installers leave behind.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The files of all distributions of an environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Owners {
    site_packages: PathBuf,
    /// Normalised distribution by path below `site_packages`, compiled files left out.
    files: HashMap<PathBuf, String>,
}

impl Owners {
    /// Reads the lists of installed files: `RECORD` of wheels, `installed-files.txt` of what pip installed by
    /// `setup.py`. What cannot be read has no owner.
    #[must_use]
    pub fn read(site_packages: &Path) -> Self {
        let mut owners = Self { site_packages: site_packages.to_owned(), files: HashMap::new() };
        let Ok(entries) = fs::read_dir(site_packages) else { return owners };
        for folder in entries.flatten().map(|entry| entry.path()) {
            owners.read_lists(&folder);
        }
        owners
    }

    fn read_lists(&mut self, folder: &Path) -> Option<()> {
        let (metadata, list) = match folder.extension()?.to_str()? {
            "dist-info" => ("METADATA", "RECORD"),
            "egg-info" => ("PKG-INFO", "installed-files.txt"),
            _ => return None,
        };
        let text = fs::read(folder.join(metadata)).ok()?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let name = normalised(text.lines().find_map(|line| line.strip_prefix("Name:"))?.trim());
        let list = fs::read(folder.join(list)).ok()?;
        for line in String::from_utf8_lossy(&list).lines() {
            // `installed-files.txt` starts from its own folder, `RECORD` from the folder of packages.
            let path = if metadata == "PKG-INFO" { clean(line.trim(), 1)? } else { clean(recorded(line), 0)? };
            self.files.insert(path, name.clone());
        }
        Some(())
    }

    /// The distribution that installed a file; a relative path is taken from the folder of packages.
    #[must_use]
    pub fn of_file(&self, file: &str) -> Option<&str> {
        let path = Path::new(file);
        let below = if path.is_absolute() { path.strip_prefix(&self.site_packages).ok()? } else { path };
        self.files.get(below).map(String::as_str)
    }

    /// The distribution that holds a module, or the nearest package above it.
    #[must_use]
    pub fn of_module(&self, module: &str) -> Option<&str> {
        let parts: Vec<&str> = module.split('.').collect();
        (1..=parts.len()).rev().find_map(|length| {
            let path: PathBuf = parts[..length].iter().collect();
            let stem = path.to_string_lossy().into_owned();
            let places = [path.join("__init__.py"), format!("{stem}.py").into()];
            places
                .iter()
                .find_map(|place| self.files.get(place))
                .or_else(|| self.of_extension(&stem))
                .map(String::as_str)
        })
    }

    /// A compiled module: `numpy/core/_multiarray.cpython-37m-x86_64-linux-gnu.so`.
    fn of_extension(&self, stem: &str) -> Option<&String> {
        let is_it = |path: &Path| {
            path.to_str()
                .and_then(|text| text.strip_prefix(stem)?.strip_prefix('.'))
                .is_some_and(|rest| rest.ends_with("so"))
        };
        self.files.iter().find(|(path, _)| is_it(path)).map(|(_, name)| name)
    }
}

/// The path of a line of `RECORD`, which is quoted where it holds a comma.
fn recorded(line: &str) -> &str {
    match line.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => line.split(',').next().unwrap_or_default(),
    }
}

/// A path without `..`, after going up as often as its list lies below the folder of packages.
fn clean(text: &str, depth: usize) -> Option<PathBuf> {
    let mut up = depth;
    let mut path = PathBuf::new();
    for part in Path::new(text).components() {
        match part {
            Component::ParentDir if up > 0 => up -= 1,
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            // Scripts and data outside; no module's file.
            _ => return Some(PathBuf::new()),
        }
    }
    Some(path)
}

/// A distribution's name in one spelling (PEP 503).
fn normalised(name: &str) -> String {
    let words: Vec<&str> = name.split(['-', '_', '.']).filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_modules_have_owners() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("Sci_Py-1.3.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: Sci_Py\nVersion: 1.3.0\n");
        write(
            "Sci_Py-1.3.0.dist-info/RECORD",
            "scipy/__init__.py,sha256=x,1\n\"scipy/a,b.py\",,\nscipy/misc/__init__.py,,\n../../../bin/x,,\n\
             scipy/core/_fast.cpython-37m.so,,\n",
        );
        write("old.egg-info/PKG-INFO", "Name: old\n");
        write("old.egg-info/installed-files.txt", "../old/__init__.py\n../old/part.py\nPKG-INFO\n");
        let owners = Owners::read(folder.path());
        let file = |path: &str| owners.of_file(&folder.path().join(path).to_string_lossy()).map(str::to_owned);
        assert_eq!(file("scipy/misc/__init__.py").as_deref(), Some("sci-py"));
        assert_eq!(file("scipy/a,b.py").as_deref(), Some("sci-py"));
        assert_eq!(file("old/part.py").as_deref(), Some("old"));
        assert_eq!((file("other.py"), owners.of_file("/usr/lib/os.py")), (None, None));
        assert_eq!(owners.of_file("old/part.py"), Some("old"));
        assert_eq!(owners.of_module("scipy.misc.nosuch"), Some("sci-py"));
        assert_eq!(owners.of_module("scipy.core._fast"), Some("sci-py"));
        assert_eq!(owners.of_module("old"), Some("old"));
        assert_eq!(owners.of_module("nosuch.thing"), None);
    }
}
