//! Environments in one file each, for machines that share a home over a network.
//!
//! An environment is thousands of small files, and each of them is asked for several times when a notebook begins. So where a machine has a
//! disk of its own ([`Home::with_local`]), an environment is packed once, by whoever built it or meets it first, and unpacked there by each
//! machine that needs it. What is packed holds no place of the machine that it comes from but the paths of the interpreter: its manifest and
//! its scripts are written anew.
//!
//! Nothing here is needed: what cannot be packed or unpacked is built.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufWriter};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;

use super::install::{python, site_packages};
use super::manifest::{MANIFEST, kept, read_json, ready, write_json};
use super::{Environment, scripts};
use crate::home::{self, Home, HomeError};

/// Reads as fast as it writes, and takes a third of the room.
const LEVEL: i32 = 1;

/// The environment of this name, unpacked on this machine; none where it is not packed or cannot run here.
pub(super) fn unpack(home: &Home, id: &str) -> Option<Environment> {
    let packed = file(home, id)?;
    if !packed.exists() {
        // One that was built in the home itself, by a machine that has no other place.
        let built = home.root().join("environments").join(id);
        read_json::<Environment>(&built.join(MANIFEST))?;
        told("pack", &built, pack_folder(&built, &packed))?;
    }
    let path = home.environments().join(id);
    let (mut found, mut is_whole) = (None, false);
    let unpacked = unpack_folder(&packed, &path, |folder| {
        found = read_json::<Environment>(&folder.join(MANIFEST));
        // The last file of an environment says that it is complete.
        fs::remove_file(folder.join(MANIFEST))
    });
    told("unpack", &packed, unpacked)?;
    if let Some(environment) = found.map(|environment| at(environment, &path)).filter(|found| found.python.exists()) {
        let written = scripts::own_scripts(&path).map_err(io::Error::other);
        let written = written.and_then(|()| write_json(&path.join(MANIFEST), &environment).map_err(io::Error::other));
        is_whole = told("unpack", &path, written).is_some();
    }
    if !is_whole {
        told("remove", &path, home::remove_folder(&path).map_err(io::Error::other));
    }
    ready(&path)
}

/// Packs the environment of this name for other machines, where they unpack.
pub(super) fn pack(home: &Home, id: &str) {
    if let (Some(packed), Some(environment)) = (file(home, id), kept(home, id)) {
        told("pack", &environment.path, pack_folder(&environment.path, &packed));
    }
}

/// Unpacks a kernel layer of this name; whether it is there now. A file of the name `complete` says that one is.
pub(crate) fn unpack_layer(home: &Home, name: &str, path: &Path, complete: &str) -> bool {
    let Some(packed) = file(home, &format!("kernel-{name}")) else { return false };
    let built = home.root().join("kernels").join(name);
    if !packed.exists() && built.join(complete).exists() {
        pack_layer(home, name, &built);
    }
    packed.exists() && told("unpack", &packed, unpack_folder(&packed, path, |_| Ok(()))).is_some()
}

/// Packs a kernel layer of this name for other machines, where they unpack.
pub(crate) fn pack_layer(home: &Home, name: &str, path: &Path) {
    if let Some(packed) = file(home, &format!("kernel-{name}")) {
        told("pack", path, pack_folder(path, &packed));
    }
}

/// Removes what no machine has packed or unpacked for too long, and what is more than may be kept, the least recently used first, but for
/// the names to keep; how many files, and how many bytes are free by that. Whoever unpacks one at that moment reads on; who comes later builds.
pub(super) fn prune(
    home: &Home,
    is_old: &impl Fn(SystemTime) -> bool,
    max_bytes: Option<u64>,
    keep: &BTreeSet<String>,
) -> Result<(usize, u64), HomeError> {
    let mut all = Vec::new();
    for entry in fs::read_dir(home.all_packed()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let id = [".tar.zst", ".failed.json"].iter().find_map(|ending| name.strip_suffix(ending));
        if let (Some(id), Ok(metadata)) = (id, entry.metadata()) {
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            all.push((used, id.to_owned(), metadata.blocks() * 512, entry.path()));
        }
    }
    all.sort();
    let mut left: u64 = all.iter().map(|(_, _, bytes, _)| bytes).sum();
    let (mut files, mut freed) = (0, 0);
    for (used, id, bytes, path) in all {
        let is_too_much = max_bytes.is_some_and(|limit| left > limit);
        if (is_old(used) || is_too_much) && !keep.contains(&id) {
            home::remove_file(&path)?;
            (files, freed, left) = (files + 1, freed + bytes, left - bytes);
        }
    }
    Ok((files, freed))
}

/// Notes that something packed was asked for; where it may only be read, nobody prunes by it either.
fn touch(file: &Path) {
    let noted = fs::File::open(file).and_then(|file| file.set_modified(SystemTime::now()));
    if let Err(error) = noted {
        tracing::debug!(%error, path = %file.display(), "use not noted");
    }
}

fn file(home: &Home, name: &str) -> Option<PathBuf> {
    Some(home.packed()?.join(format!("{name}.tar.zst")))
}

/// What came of it; that something did not is told, for it goes without.
fn told<T>(what: &str, path: &Path, done: io::Result<T>) -> Option<T> {
    done.inspect_err(|error| tracing::warn!(%error, path = %path.display(), "cannot {what} it: it is built instead"))
        .ok()
}

/// The record of an environment that lies elsewhere now.
fn at(environment: Environment, path: &Path) -> Environment {
    let minor = environment.interpreter.minor();
    Environment {
        path: path.to_owned(),
        python: python(path),
        site_packages: site_packages(path, minor),
        ..environment
    }
}

fn pack_folder(folder: &Path, file: &Path) -> io::Result<()> {
    let above = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(above)?;
    let output = tempfile::Builder::new().prefix(".packing-").tempfile_in(above)?;
    let mut archive = tar::Builder::new(Encoder::new(BufWriter::new(output), LEVEL)?);
    archive.follow_symlinks(false);
    archive.append_dir_all(".", folder)?;
    let output = archive.into_inner()?.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    output.as_file().sync_data()?;
    output.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// Unpacks a folder beside its place, and puts it there in one step once it is prepared.
fn unpack_folder(file: &Path, path: &Path, prepare: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let above = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(above)?;
    let place = tempfile::Builder::new().prefix(".unpacking-").tempdir_in(above)?;
    let folder = place.path().join("unpacked");
    let mut archive = tar::Archive::new(Decoder::new(nbrevive_files::open(file)?)?);
    // Compiled files bear the times of their sources.
    archive.set_preserve_mtime(true);
    archive.set_preserve_permissions(true);
    archive.unpack(&folder)?;
    touch(file);
    prepare(&folder)?;
    home::remove_folder(path).map_err(io::Error::other)?;
    fs::rename(&folder, path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::time::Duration;

    use super::*;

    const ID: &str = "e";

    /// A home with an environment in it, of an interpreter that is a shell.
    fn built(root: &Path) -> PathBuf {
        let path = root.join("environments").join(ID);
        let packages = path.join("lib/python3.12/site-packages/a");
        fs::create_dir_all(&packages).unwrap();
        fs::create_dir_all(path.join("bin")).unwrap();
        symlink("/bin/sh", path.join("bin/python")).unwrap();
        fs::write(packages.join("__init__.py"), "x = 1").unwrap();
        let script = path.join("bin/f2py");
        fs::write(&script, format!("#!{}\nimport a\n", path.join("bin/python").display())).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let record = format!(
            r#"{{"id": "e", "path": {path:?}, "python": {:?}, "site_packages": {:?},
            "interpreter": {{"path": "/bin/sh", "version": "3.12.1", "prefix": "/", "machine": "x86_64", "glibc": null, "wide_unicode": true}},
            "requested": ["a"], "lock": ["a==1"], "tool": "uv", "why": "", "seconds": 1.0, "built": "2026-01-01T00:00:00Z"}}"#,
            path.join("bin/python"),
            path.join("lib/python3.12/site-packages"),
        );
        fs::write(path.join(MANIFEST), record).unwrap();
        path
    }

    #[test]
    fn what_was_built_in_the_home_is_packed_once_and_runs_where_it_is_unpacked() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("home");
        let shared = built(&root);
        assert_eq!(unpack(&Home::at(&root), ID), None, "who has no other place uses it as it lies");
        for machine in ["one", "two"] {
            let home = Home::at(&root).with_local(place.path().join(machine));
            let environment = unpack(&home, ID).unwrap();
            assert_eq!(environment.path, place.path().join(machine).join("environments").join(ID));
            assert_eq!(kept(&home, ID), Some(environment.clone()));
            assert_eq!(fs::read_to_string(environment.site_packages.join("a/__init__.py")).unwrap(), "x = 1");
            let script = environment.path.join("bin/f2py");
            let first = format!("#!{}\n", environment.python.display());
            assert!(fs::read_to_string(&script).unwrap().starts_with(&first));
            assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o755);
            // The second machine takes what the first one packed.
            fs::remove_dir_all(&shared).ok();
        }
        let names = || -> Vec<_> {
            fs::read_dir(root.join("packed")).unwrap().map(|entry| entry.unwrap().file_name()).collect()
        };
        assert_eq!(names(), ["e.tar.zst"]);
        // Any machine makes room, also one that unpacks nothing. Unpacking is a use.
        let packed = root.join("packed/e.tar.zst");
        let (hour, home) = (Duration::from_secs(3600), Home::at(&root));
        let aged = || fs::File::open(&packed).unwrap().set_modified(SystemTime::now() - 3 * hour).unwrap();
        let pruned = |is_all_old: bool, max_bytes, keep: &[&str]| {
            let is_old = |used: SystemTime| is_all_old && used.elapsed().unwrap() > hour;
            prune(&home, &is_old, max_bytes, &keep.iter().map(ToString::to_string).collect()).unwrap()
        };
        aged();
        unpack(&Home::at(&root).with_local(place.path().join("three")), ID).unwrap();
        assert_eq!((pruned(true, None, &[]), pruned(false, Some(1 << 20), &[])), ((0, 0), (0, 0)));
        assert_eq!((pruned(false, Some(0), &[ID]), names().len()), ((0, 0), 1));
        aged();
        assert_eq!((pruned(true, None, &[]).0, names().len()), (1, 0));
    }

    #[test]
    fn what_is_cut_or_does_not_run_here_is_left_for_a_build() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("home");
        let home = Home::at(&root).with_local(place.path().join("local"));
        assert_eq!(unpack(&home, ID), None, "nobody built it");
        let shared = built(&root);
        unpack(&home, ID).unwrap();
        pack(&home, ID);
        let packed = file(&home, ID).unwrap();
        let bytes = fs::read(&packed).unwrap();
        fs::write(&packed, &bytes[..bytes.len() / 2]).unwrap();
        fs::remove_dir_all(home.environments()).unwrap();
        assert_eq!((unpack(&home, ID), fs::read_dir(home.environments()).unwrap().count()), (None, 0));
        fs::remove_file(shared.join("bin/python")).unwrap();
        symlink("/no/such/python", shared.join("bin/python")).unwrap();
        fs::remove_file(&packed).unwrap();
        assert_eq!((unpack(&home, ID), fs::read_dir(home.environments()).unwrap().count()), (None, 0));
    }

    #[test]
    fn a_kernel_layer_goes_the_same_way() {
        let place = tempfile::tempdir().unwrap();
        let home = Home::at(place.path()).with_local(place.path().join("local"));
        let (shared, to) = (place.path().join("kernels/3.12-k"), home.kernels().join("3.12-k"));
        fs::create_dir_all(&shared).unwrap();
        assert!(!unpack_layer(&home, "3.12-k", &to, "complete"), "it is being made");
        fs::write(shared.join("complete"), "").unwrap();
        assert!(unpack_layer(&home, "3.12-k", &to, "complete") && to.join("complete").exists());
    }
}
