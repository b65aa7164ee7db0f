//! A folder that was unpacked before, against its list.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use nbrevive_files::{FileErrorKind, Folder};
use rayon::prelude::*;

use crate::hash::measure;
use crate::{CapsuleError, CapsuleListing, LISTING};

/// Longest list that is read.
const LONGEST_LISTING: u64 = 256 << 20;

/// Sees that a folder holds what its list says, byte by byte, and nothing else but the paths in `ours`: what was written after unpacking.
///
/// # Errors
/// Names the first file that differs, is missing, or is not in the list.
pub fn verify(
    folder: &Path,
    ours: &dyn Fn(&CapsuleListing) -> BTreeSet<String>,
) -> Result<CapsuleListing, CapsuleError> {
    let root = Folder::open(folder)?;
    let text = root
        .read(Path::new(LISTING), LONGEST_LISTING)
        .map_err(|error| CapsuleError::NoCapsule { path: folder.to_owned(), why: error.to_string() })?;
    let listing = CapsuleListing::read(&text, folder)?;
    listing.files.par_iter().try_for_each(|file| {
        let path = Path::new(&file.path);
        let measured = root.open_file(path).map_err(|error| error.to_string());
        match measured.and_then(|file| measure(file).map_err(|error| error.to_string())) {
            Ok((bytes, sha256)) if bytes == file.bytes && sha256 == file.sha256 => Ok(()),
            Ok((_, sha256)) => {
                Err(altered(&file.path, format!("its SHA-256 is {sha256}, and {} in its list", file.sha256)))
            }
            Err(why) => Err(altered(&file.path, why)),
        }
    })?;
    for link in &listing.links {
        if !root.link(Path::new(&link.path)).is_ok_and(|target| target == Path::new(&link.target)) {
            return Err(altered(&link.path, "it is not the link of its list".to_owned()));
        }
    }
    no_more(&root, &listing, &ours(&listing))?;
    Ok(listing)
}

/// Sees that nothing else lies there: code that somebody put beside an environment's would run with it.
fn no_more(root: &Folder, listing: &CapsuleListing, ours: &BTreeSet<String>) -> Result<(), CapsuleError> {
    let mut known: BTreeSet<&str> = listing.files.iter().map(|file| file.path.as_str()).collect();
    known.extend(listing.links.iter().map(|link| link.path.as_str()));
    known.extend(ours.iter().map(String::as_str));
    known.insert(LISTING);
    let mut left = vec![PathBuf::from(".")];
    while let Some(below) = left.pop() {
        for entry in root.folder(&below)?.entries()? {
            let path = below.join(&entry.name);
            let plain = path.strip_prefix(".").unwrap_or(&path).to_owned();
            match entry.kind {
                FileErrorKind::Folder => left.push(path),
                _ if plain.to_str().is_some_and(|plain| known.contains(plain)) => {}
                _ => return Err(altered(&plain.display().to_string(), "it is not in the list".to_owned())),
            }
        }
    }
    Ok(())
}

fn altered(name: &str, why: String) -> CapsuleError {
    CapsuleError::Altered { name: name.to_owned(), why }
}
