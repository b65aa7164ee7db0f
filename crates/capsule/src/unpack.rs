//! From an archive of somebody else to a folder: whole or not at all.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use nbrevive_files::{FileError, Scratch, free_bytes};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tar::{Archive, Entries, EntryType};
use zstd::stream::read::Decoder;

use crate::entries::{NamedEntry, next};
use crate::hash::Hashing;
use crate::listing::PackedFile;
use crate::{CapsuleError, CapsuleListing, LISTING};

/// Most bytes that a capsule may unpack to unless it is told otherwise: that of a whole study has a tenth of it.
pub const MOST_BYTES: u64 = 128 << 30;
/// Longest list in bytes: a million files of long names.
const LONGEST_LISTING: u64 = 256 << 20;
/// How far back a compressor may refer, as a power of two: 128 MiB, which is what decompressing takes of memory.
const WINDOW: u32 = 27;
/// Blocks of tar besides the content of a file: its header and padding, and the same of two long names.
const AROUND_A_FILE: u64 = 16 << 10;
/// Stays free on the disk.
const RESERVE: u64 = 64 << 20;

/// What comes out of the decompressor, as far as it may.
struct Decompressed {
    decoder: Decoder<'static, io::BufReader<File>>,
    left: Rc<Cell<u64>>,
}

impl Read for Decompressed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        let left = self.left.get().checked_sub(read as u64);
        self.left
            .set(left.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it holds more than its list says"))?);
        Ok(read)
    }
}

/// Makes the folder `to`, which must not be there yet, of an archive. Nothing stays of one that does not keep to its list, is cut, or
/// would take more than `most` bytes.
///
/// # Errors
/// What is wrong with the archive, or the disk.
pub fn unpack(archive: &Path, to: &Path, most: u64) -> Result<CapsuleListing, CapsuleError> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(CapsuleError::Exists { path: to.to_owned() });
    }
    let failed = |source| CapsuleError::File(FileError::Write { path: to.to_owned(), source });
    let name = to.file_name().ok_or_else(|| failed(io::ErrorKind::InvalidInput.into()))?;
    let below = to.parent().filter(|below| !below.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let damaged = |error: io::Error| CapsuleError::Damaged { path: archive.to_owned(), why: error.to_string() };
    let no_capsule = |why: String| CapsuleError::NoCapsule { path: archive.to_owned(), why };

    let mut decoder = Decoder::new(nbrevive_files::open(archive)?).map_err(damaged)?;
    decoder.window_log_max(WINDOW).map_err(damaged)?;
    let left = Rc::new(Cell::new(LONGEST_LISTING.saturating_add(AROUND_A_FILE)));
    let mut tar = Archive::new(Decompressed { decoder, left: Rc::clone(&left) });
    let mut entries = tar.entries().map_err(damaged)?.raw(true);
    let first = next(&mut entries).map_err(|error| no_capsule(format!("it is no tar file in zstd ({error})")))?;
    let first = first.filter(|first| first.name == LISTING && first.kind == EntryType::Regular);
    let mut first = first.ok_or_else(|| no_capsule(format!("its first entry is not {LISTING}")))?;
    let mut text = Vec::new();
    first.entry.read_to_end(&mut text).map_err(damaged)?;
    drop(first);
    let listing = CapsuleListing::read(&text, archive)?;
    has_room(&listing, below, most)?;

    let scratch = Scratch::make(below, &format!(".{}.", name.to_string_lossy()))?;
    let around = AROUND_A_FILE.saturating_mul(listing.files.len().saturating_add(listing.links.len()) as u64);
    // All that the list promises, and no more.
    left.set(listing.bytes().saturating_add(around).saturating_add(AROUND_A_FILE));
    Unpacking::of(&listing, scratch.path(), archive).all(&mut entries)?;
    // To the compressor's own checksum: no hash is of the list itself, and what it says about the capsule can be one bit away from JSON.
    io::copy(&mut tar.into_inner(), &mut io::sink()).map_err(damaged)?;
    nbrevive_files::write(&scratch.path().join(LISTING), &text)?;
    fs::set_permissions(scratch.path(), Permissions::from_mode(0o755)).map_err(failed)?;
    renameat_with(CWD, scratch.path(), CWD, to, RenameFlags::NOREPLACE).map_err(|error| failed(error.into()))?;
    Ok(listing)
}

/// Sees that a capsule is no bomb and fits on the disk.
fn has_room(listing: &CapsuleListing, below: &Path, most: u64) -> Result<(), CapsuleError> {
    let bytes = listing.bytes();
    if bytes > most {
        return Err(CapsuleError::TooLarge { bytes, files: listing.files.len(), most });
    }
    let free =
        free_bytes(below).map_err(|source| CapsuleError::File(FileError::Write { path: below.to_owned(), source }))?;
    // Where the disk has hard links, equal files take their room once.
    let bytes = listing.unique_bytes();
    if bytes.saturating_add(RESERVE) > free {
        return Err(CapsuleError::NoRoom { path: below.to_owned(), free, bytes });
    }
    Ok(())
}

/// One archive on its way to a folder.
struct Unpacking<'capsule> {
    archive: &'capsule Path,
    root: &'capsule Path,
    files: BTreeMap<&'capsule str, &'capsule PackedFile>,
    links: BTreeMap<&'capsule str, &'capsule str>,
    /// What is there already.
    done: BTreeSet<&'capsule str>,
}

impl<'capsule> Unpacking<'capsule> {
    fn of(listing: &'capsule CapsuleListing, root: &'capsule Path, archive: &'capsule Path) -> Self {
        let files = listing.files.iter().map(|file| (file.path.as_str(), file)).collect();
        let links = listing.links.iter().map(|link| (link.path.as_str(), link.target.as_str())).collect();
        Self { archive, root, files, links, done: BTreeSet::new() }
    }

    fn all(&mut self, entries: &mut Entries<'_, Decompressed>) -> Result<(), CapsuleError> {
        while let Some(mut entry) = next(entries).map_err(|error| self.damaged(&error))? {
            self.one(&mut entry)?;
        }
        let missing = self.files.keys().chain(self.links.keys()).find(|path| !self.done.contains(*path));
        missing.map_or(Ok(()), |path| Err(altered(path, "it is not in the archive")))
    }

    fn one(&mut self, entry: &mut NamedEntry<'_, Decompressed>) -> Result<(), CapsuleError> {
        let name = entry.name.clone();
        let file = self.files.get_key_value(name.as_str()).map(|(path, file)| (*path, *file));
        let link = self.links.get_key_value(name.as_str()).map(|(path, target)| (*path, *target));
        let path = match (entry.kind, file, link) {
            (EntryType::Regular, Some((path, file)), None) => {
                self.regular(file, entry)?;
                path
            }
            (EntryType::Link, Some((path, file)), None) => {
                self.same_as(file, &entry.target)?;
                path
            }
            (EntryType::Symlink, None, Some((path, target))) if target == entry.target => {
                let place = self.place(path)?;
                symlink(target, &place).map_err(|source| unwritten(place, source))?;
                path
            }
            (_, None, None) => return Err(altered(&name, "it is not in the list")),
            _ => return Err(altered(&name, "it is of another kind than the capsule's list says")),
        };
        if self.done.insert(path) { Ok(()) } else { Err(altered(&name, "it stands twice in the archive")) }
    }

    /// Writes a file while it is hashed.
    fn regular(&self, file: &PackedFile, entry: &mut NamedEntry<'_, Decompressed>) -> Result<(), CapsuleError> {
        let place = self.place(&file.path)?;
        let mode = if file.executable { 0o755 } else { 0o644 };
        let made = OpenOptions::new().write(true).create_new(true).mode(mode).open(&place);
        let mut out = made.map_err(|source| unwritten(place.clone(), source))?;
        if entry.entry.size() != file.bytes {
            let why = format!("it has {} bytes, and {} in its list", entry.entry.size(), file.bytes);
            return Err(altered(&file.path, &why));
        }
        let mut hashing = Hashing::new(&mut entry.entry);
        copy(&mut hashing, &mut out).map_err(|error| match error {
            CopyError::Read(error) => self.damaged(&error),
            CopyError::Write(source) => unwritten(place.clone(), source),
        })?;
        let (bytes, sha256) = hashing.finish();
        match bytes == file.bytes && sha256 == file.sha256 {
            true => Ok(()),
            false if bytes < file.bytes => Err(self.damaged(&io::ErrorKind::UnexpectedEof.into())),
            false => Err(altered(&file.path, &format!("its SHA-256 is {sha256}, and {} in its list", file.sha256))),
        }
    }

    /// A file with the content of one that is there already.
    fn same_as(&self, file: &PackedFile, target: &str) -> Result<(), CapsuleError> {
        let other = self.files.get(target).filter(|_| self.done.contains(target));
        if other.is_none_or(|other| other.sha256 != file.sha256 || other.executable != file.executable) {
            return Err(altered(&file.path, "it is stored as the content of another file that is not the same"));
        }
        let (from, place) = (self.root.join(target), self.place(&file.path)?);
        let linked = fs::hard_link(&from, &place).or_else(|_| fs::copy(&from, &place).map(drop));
        linked.map_err(|source| unwritten(place, source))
    }

    /// Where a path goes, in folders of ours: the list has no path below a link.
    fn place(&self, path: &str) -> Result<PathBuf, CapsuleError> {
        let place = self.root.join(path);
        let folder = place.parent().unwrap_or(self.root);
        fs::create_dir_all(folder).map_err(|source| unwritten(folder.to_owned(), source))?;
        Ok(place)
    }

    fn damaged(&self, error: &io::Error) -> CapsuleError {
        CapsuleError::Damaged { path: self.archive.to_owned(), why: error.to_string() }
    }
}

fn altered(name: &str, why: &str) -> CapsuleError {
    CapsuleError::Altered { name: name.to_owned(), why: why.to_owned() }
}

fn unwritten(path: PathBuf, source: io::Error) -> CapsuleError {
    CapsuleError::File(FileError::Write { path, source })
}

enum CopyError {
    Read(io::Error),
    Write(io::Error),
}

/// As `io::copy`, and says whose error it was.
fn copy(from: &mut impl Read, to: &mut impl io::Write) -> Result<(), CopyError> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => to.write_all(buffer.get(..read).unwrap_or_default()).map_err(CopyError::Write)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(CopyError::Read(error)),
        }
    }
}

#[cfg(test)]
mod tests;
