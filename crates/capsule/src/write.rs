//! Writes the archive.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use nbrevive_files::{FileError, OutgoingFile};
use tar::{Builder, EntryType, Header};
use zstd::stream::write::Encoder;

use crate::gather::Source;
use crate::hash::Hashing;
use crate::listing::PackedFile;
use crate::{CapsuleError, LISTING, MeasuredCapsule};

/// How hard zstd tries: a third smaller than its default on environments, and faster than a disk of today still.
const LEVEL: i32 = 9;

impl MeasuredCapsule {
    /// Writes the archive, whole or not at all. The same files give the same bytes.
    ///
    /// # Errors
    /// When it cannot be written, or a file is no longer what it was when it was measured.
    pub fn write(&self, to: &Path) -> Result<(), CapsuleError> {
        let failed = |source: io::Error| CapsuleError::File(FileError::Write { path: to.to_owned(), source });
        let mut encoder = Encoder::new(OutgoingFile::begin(to)?, LEVEL).map_err(failed)?;
        encoder.include_checksum(true).map_err(failed)?;
        let mut tar = Builder::new(encoder);
        let text = self.listing.text();
        append(&mut tar, LISTING, text.len() as u64, false, text.as_slice()).map_err(failed)?;
        self.append_files(&mut tar, to)?;
        let outgoing = tar.into_inner().and_then(Encoder::finish).map_err(failed)?;
        Ok(outgoing.commit()?)
    }

    /// Its files and links, as entries of an archive that is written to `to`.
    pub(crate) fn append_files(&self, tar: &mut Builder<impl Write>, to: &Path) -> Result<(), CapsuleError> {
        let failed = |source: io::Error| CapsuleError::File(FileError::Write { path: to.to_owned(), source });
        let mut first: HashMap<(&str, bool), &str> = HashMap::new();
        for file in &self.listing.files {
            // Nothing is gained by a link to an empty file.
            let same = (file.sha256.as_str(), file.executable);
            if let Some(path) = first.get(&same).filter(|_| file.bytes > 0) {
                link(tar, EntryType::Link, &file.path, path).map_err(failed)?;
                continue;
            }
            first.insert(same, &file.path);
            self.append_file(tar, file, to)?;
        }
        for packed in &self.listing.links {
            link(tar, EntryType::Symlink, &packed.path, &packed.target).map_err(failed)?;
        }
        Ok(())
    }

    fn append_file(&self, tar: &mut Builder<impl Write>, file: &PackedFile, to: &Path) -> Result<(), CapsuleError> {
        let failed = |source: io::Error| CapsuleError::File(FileError::Write { path: to.to_owned(), source });
        let mut append = |source: &mut dyn Read| append(tar, &file.path, file.bytes, file.executable, source);
        match self.sources.get(&file.path) {
            Some(Source::Text(text)) => append(&mut text.as_slice()).map_err(failed),
            Some(Source::Below(folder, name)) => {
                let mut hashing = Hashing::new(Source::open(folder, name)?.take(file.bytes));
                append(&mut hashing).map_err(failed)?;
                let was = (file.bytes, file.sha256.clone());
                (hashing.finish() == was).then_some(()).ok_or_else(|| changed(folder.join(name)))
            }
            None => Err(changed(PathBuf::from(&file.path))),
        }
    }
}

fn changed(path: PathBuf) -> CapsuleError {
    CapsuleError::Changed { path }
}

/// An empty folder, where its mode matters or nothing lies in it yet.
pub(crate) fn append_folder(tar: &mut Builder<impl Write>, path: &str, mode: u32) -> io::Result<()> {
    let mut header = header(EntryType::Directory);
    header.set_size(0);
    header.set_mode(mode);
    tar.append_data(&mut header, path, io::empty())
}

pub(crate) fn append(
    tar: &mut Builder<impl Write>,
    path: &str,
    bytes: u64,
    executable: bool,
    source: impl Read,
) -> io::Result<()> {
    let mut header = header(EntryType::Regular);
    header.set_size(bytes);
    header.set_mode(if executable { 0o755 } else { 0o644 });
    tar.append_data(&mut header, path, source)
}

fn link(tar: &mut Builder<impl Write>, kind: EntryType, path: &str, target: &str) -> io::Result<()> {
    let mut header = header(kind);
    header.set_size(0);
    header.set_mode(0o777);
    tar.append_link(&mut header, path, target)
}

/// A header that says nothing of who packed, and when.
fn header(kind: EntryType) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header
}
