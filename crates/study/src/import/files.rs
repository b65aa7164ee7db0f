//! The files of a prepared competition: listed, compared with their checksums, copied.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use md5::{Digest, Md5};
use nbrevive_grade::{Checksums, has_checksum};

use super::{ImportError, at};

/// Every file below `public` and `private` with its length, by its path below `prepared`.
pub(super) fn listed(prepared: &Path) -> Result<BTreeMap<String, u64>, ImportError> {
    let mut found = BTreeMap::new();
    let mut left = vec!["private".to_owned(), "public".to_owned()];
    while let Some(name) = left.pop() {
        let folder = prepared.join(&name);
        if !folder.is_dir() {
            let why = format!("there is no folder `{name}`");
            return Err(ImportError::NotPrepared { folder: prepared.to_owned(), why });
        }
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let entry = entry.map_err(at(&folder))?;
            let path = entry.path();
            let inner = entry.file_name().into_string().map_err(|_| ImportError::NotPrepared {
                folder: folder.clone(),
                why: format!("the name of {} is not UTF-8", path.display()),
            })?;
            // What a link leads to is taken over, since `prepare` may link to its raw files.
            let metadata = fs::metadata(&path).map_err(at(&path))?;
            let name = format!("{name}/{inner}");
            if metadata.is_dir() {
                left.push(name);
            } else {
                found.insert(name, metadata.len());
            }
        }
    }
    Ok(found)
}

/// One sentence for each file that is missing, differs, or has no checksum though it should.
pub(super) fn different(
    prepared: &Path,
    found: &BTreeMap<String, u64>,
    checksums: &Checksums,
    stated: &str,
) -> Result<Vec<String>, ImportError> {
    let mut differences = Vec::new();
    for (name, expected) in checksums {
        let path = prepared.join(name);
        if !found.contains_key(name) {
            differences.push(format!("{name} is missing"));
            continue;
        }
        let sum = md5(&path).map_err(at(&path))?;
        if !sum.eq_ignore_ascii_case(expected) {
            differences.push(format!("{name} has MD5 {sum}, expected {expected}"));
        }
    }
    let summed = |name: &&String| has_checksum(name) && name.matches('/').count() == 1;
    let unknown = found.keys().filter(summed).filter(|name| !checksums.contains_key(*name));
    differences.extend(unknown.map(|name| format!("{name} is not among {stated}")));
    Ok(differences)
}

fn md5(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Md5::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Makes `to` hold exactly these files; those without checksum that an import before copied whole are kept.
pub(super) fn copy_new(from: &Path, found: &BTreeMap<String, u64>, to: &Path) -> Result<(), ImportError> {
    let kept = listed(to).unwrap_or_default();
    for name in kept.keys().filter(|name| !found.contains_key(*name)) {
        fs::remove_file(to.join(name)).map_err(at(&to.join(name)))?;
    }
    for (name, length) in found {
        let (source, target) = (from.join(name), to.join(name));
        if kept.get(name) == Some(length) && !has_checksum(name) && is_newer(&target, &source) {
            continue;
        }
        let folder = target.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(at(folder))?;
        copy_whole(&source, &target)?;
    }
    Ok(())
}

/// Copies a file so that it is there whole or not at all, readable by everybody: kernels may run as another user.
pub(super) fn copy_whole(source: &Path, target: &Path) -> Result<(), ImportError> {
    let copying = target.with_file_name(".copying");
    fs::copy(source, &copying).map_err(at(source))?;
    fs::set_permissions(&copying, fs::Permissions::from_mode(0o644)).map_err(at(&copying))?;
    fs::rename(&copying, target).map_err(at(target))
}

/// Whether a copy was made after its source was last written.
fn is_newer(copy: &Path, source: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    time(copy).zip(time(source)).is_some_and(|(copy, source)| copy >= source)
}
