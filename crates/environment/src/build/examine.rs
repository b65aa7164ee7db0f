//! What installers left, looked at before anybody uses it: no rights beyond reading and running, no links out, regular files only.
//!
//! Installers write what wheels hold. That nothing lands outside of the environment is checked by them (tests try it); what may lie
//! inside of it is checked here.

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::install::site_packages;
use super::{BuildError, BuildFailed, FailureClass};
use crate::home::HomeError;
use crate::interpreter::Interpreter;

/// Most files and folders of an environment; the largest real ones have a tenth.
const MOST_FILES: usize = 1_000_000;
/// Set-user-id, set-group-id and sticky bits, and writing for others than the owner.
const NOT_KEPT: u32 = 0o7022;

/// Looks at everything below an environment's folder, and mends what can be mended.
pub(super) fn examine(environment: &Path, interpreter: &Interpreter) -> Result<(), BuildError> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let examiner = Examiner {
        within: vec![real(environment), real(&interpreter.prefix), real(&interpreter.path)],
        compiled: (interpreter.minor().major == 2).then(|| site_packages(environment, interpreter.minor())),
    };
    let mut left = vec![environment.to_owned()];
    let mut count = 0;
    while let Some(folder) = left.pop() {
        for path in examiner.entries(&folder).map_err(|error| HomeError::new("read", &folder, error))? {
            count += 1;
            let is_folder = examiner.mend(&path).map_err(|error| HomeError::new("write", &path, error))?;
            left.extend(is_folder.then_some(path));
        }
        if count > MOST_FILES {
            let words = format!("more than {MOST_FILES} files were installed");
            return Err(BuildFailed::new(FailureClass::Other, &words).into());
        }
    }
    Ok(())
}

struct Examiner {
    /// Where links may lead.
    within: Vec<PathBuf>,
    /// Where files that are compiled anew go: the compiler of Python 2 writes into compiled files that are there, and those may be
    /// shared with other environments by then.
    compiled: Option<PathBuf>,
}

impl Examiner {
    fn entries(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let entries: io::Result<Vec<PathBuf>> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect();
        let mut entries = entries?;
        if self.compiled.as_ref().is_some_and(|packages| folder.starts_with(packages)) {
            let compiled = |path: &PathBuf| path.extension().is_some_and(|end| end == "pyc" || end == "pyo");
            let (old, rest): (Vec<_>, Vec<_>) =
                entries.into_iter().partition(|path| compiled(path) && path.with_extension("py").exists());
            old.iter().try_for_each(fs::remove_file)?;
            entries = rest;
        }
        Ok(entries)
    }

    /// Mends one entry; whether it is a folder.
    fn mend(&self, path: &Path) -> io::Result<bool> {
        let metadata = fs::symlink_metadata(path)?;
        let kind = metadata.file_type();
        if kind.is_symlink() {
            let inside = |target: PathBuf| self.within.iter().any(|folder| target.starts_with(folder));
            if !path.canonicalize().is_ok_and(inside) {
                fs::remove_file(path)?;
            }
        } else if kind.is_file() || kind.is_dir() {
            limit_rights(path, &metadata)?;
        } else {
            fs::remove_file(path)?;
        }
        Ok(kind.is_dir())
    }
}

fn limit_rights(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let mode = metadata.permissions().mode() & 0o7777;
    let needed = if metadata.is_dir() { 0o700 } else { 0 };
    let wanted = (mode & !NOT_KEPT) | needed;
    if mode == wanted { Ok(()) } else { fs::set_permissions(path, Permissions::from_mode(wanted)) }
}

#[cfg(test)]
mod attacks {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::plan::fixture::interpreter;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn no_rights_links_or_devices_stay() {
        let place = tempfile::tempdir().unwrap();
        let environment = place.path().join("environment");
        fs::create_dir_all(environment.join("open")).unwrap();
        fs::create_dir(environment.join("closed")).unwrap();
        fs::write(place.path().join("secret"), "x").unwrap();
        for (name, mode) in [("setuid", 0o4755), ("setgid", 0o2755), ("writable", 0o666), ("plain", 0o644)] {
            fs::write(environment.join(name), "x").unwrap();
            fs::set_permissions(environment.join(name), Permissions::from_mode(mode)).unwrap();
        }
        fs::set_permissions(environment.join("open"), Permissions::from_mode(0o1777)).unwrap();
        symlink("plain", environment.join("inner")).unwrap();
        symlink("../secret", environment.join("open/out")).unwrap();
        symlink("../../secret", environment.join("open/further-out")).unwrap();
        symlink("/", environment.join("root")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, environment.join("open/pipe.py"), rustix::fs::Mode::RWXU).unwrap();
        fs::set_permissions(environment.join("closed"), Permissions::from_mode(0o000)).unwrap();

        examine(&environment, &interpreter("3.12.1")).unwrap();
        let modes =
            ["setuid", "setgid", "writable", "plain", "open", "closed"].map(|name| mode(&environment.join(name)));
        assert_eq!(modes, [0o755, 0o755, 0o644, 0o644, 0o755, 0o700]);
        let left = fs::read_dir(environment.join("open")).unwrap().count();
        assert_eq!((left, environment.join("root").exists(), environment.join("inner").exists()), (0, false, true));
    }

    #[test]
    fn python_2_does_not_write_into_shared_compiled_files() {
        let place = tempfile::tempdir().unwrap();
        let packages = place.path().join("lib/python2.7/site-packages");
        fs::create_dir_all(&packages).unwrap();
        for name in ["a.py", "a.pyc", "a.pyo", "alone.pyc"] {
            fs::write(packages.join(name), "x").unwrap();
        }
        examine(place.path(), &interpreter("2.7.18")).unwrap();
        let exists = |name: &str| packages.join(name).exists();
        assert!(exists("a.py") && exists("alone.pyc") && !exists("a.pyc") && !exists("a.pyo"));
        fs::write(packages.join("a.pyc"), "x").unwrap();
        examine(place.path(), &interpreter("3.12.1")).unwrap();
        assert!(exists("a.pyc"), "later compilers replace the file");
    }
}
