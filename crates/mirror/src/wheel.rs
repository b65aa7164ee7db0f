//! The metadata in a wheel, which an index serves beside it (PEP 658).

use std::io::{Read, Seek};

use zip::ZipArchive;

use crate::MirrorError;

/// Longest metadata that is taken out, in bytes.
const LONGEST: u64 = 16 << 20;

/// The text of `METADATA`.
///
/// # Errors
/// When there is none, or it is longer than any is.
pub(crate) fn metadata(file: &str, wheel: impl Read + Seek) -> Result<Vec<u8>, MirrorError> {
    let refuse = |why: String| MirrorError::NoWheel { file: file.to_owned(), why };
    let mut archive = ZipArchive::new(wheel).map_err(|error| refuse(error.to_string()))?;
    let is_metadata = |name: &str| name.strip_suffix(".dist-info/METADATA").is_some_and(|inner| !inner.contains('/'));
    let name = {
        let mut names = archive.file_names().filter_map(|name| name.ok().map(std::borrow::Cow::into_owned));
        names.find(|name| is_metadata(name)).ok_or_else(|| refuse("it holds no METADATA".to_owned()))?
    };
    let entry = archive.by_name(&name).map_err(|error| refuse(error.to_string()))?;
    let mut text = Vec::new();
    entry.take(LONGEST + 1).read_to_end(&mut text).map_err(|error| refuse(error.to_string()))?;
    match text.len() as u64 {
        0..=LONGEST => Ok(text),
        _ => Err(refuse("its METADATA is too long".to_owned())),
    }
}
