//! `nbrevive pack`, `unpack` and `run`: runs of a study that others take away.

mod again;
mod packed;

use std::path::{Path, PathBuf};

use nbrevive_capsule::{CapsuleError, CapsuleListing, unpack};
use nbrevive_shown::{Shown, shown};

use crate::Outcome;
use crate::arguments::UnpackArguments;
use crate::exit_code::{Exit, Failure};
use crate::printer;

pub(crate) use again::run;
pub(crate) use packed::pack;

/// Makes a folder of a capsule.
pub(crate) fn unpacked(arguments: &UnpackArguments) -> Outcome {
    let to = arguments.out.clone().unwrap_or_else(|| folder_of(&arguments.capsule));
    let most = arguments.max_size.saturating_mul(1 << 30);
    let listing = unpack(&arguments.capsule, &to, most).map_err(|error| capsule_failure(&error))?;
    printer::note(&sizes(&listing));
    printer::data(&shown!("{}\n", Shown::path(&to)));
    Ok(Exit::Success)
}

/// The name of an archive without its endings, in the current folder.
fn folder_of(archive: &Path) -> PathBuf {
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".tar.zst").unwrap_or(&name).to_owned();
    // An archive without an ending keeps its place.
    if archive.with_file_name(&name) == archive {
        PathBuf::from(format!("{name}.unpacked"))
    } else {
        PathBuf::from(name)
    }
}

/// How large a capsule is: all of it, what is stored once, and its parts.
fn sizes(listing: &CapsuleListing) -> Shown {
    let mut parts: Vec<(&str, u64)> = Vec::new();
    for file in &listing.files {
        let Some((part, _)) = file.path.split_once('/') else { continue };
        match parts.iter_mut().find(|(known, _)| *known == part) {
            Some((_, bytes)) => *bytes = bytes.saturating_add(file.bytes),
            None => parts.push((part, file.bytes)),
        }
    }
    let parts = parts.into_iter().map(|(part, bytes)| shown!("{} {}", part, mebibytes(bytes)));
    shown!(
        "{} in {} files, {} without what is equal: {}",
        mebibytes(listing.bytes()),
        listing.files.len(),
        mebibytes(listing.unique_bytes()),
        Shown::joined(parts, ", ")
    )
}

/// A size as people read it.
pub(crate) fn mebibytes(bytes: u64) -> Shown {
    shown!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// The code for an error of a capsule.
pub(crate) fn capsule_failure(error: &CapsuleError) -> Failure {
    Failure::new(if error.is_of_capsule() { Exit::BadInput } else { Exit::CannotWrite }, error)
}
