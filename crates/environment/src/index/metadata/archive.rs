//! The few members of a source archive that tell of its requirements.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};

use flate2::read::MultiGzDecoder;

use super::Unread;

/// Longest member that is read, in bytes.
pub(super) const LONGEST_MEMBER: u64 = 4 << 20;
/// Most members that are kept, and most that are passed by.
const MOST_KEPT: usize = 64;
const MOST_MEMBERS: usize = 200_000;
/// Most bytes that are unpacked on the way, so that a small archive cannot keep us busy for hours.
const MOST_UNPACKED: u64 = 1 << 30;
/// Most bytes that the list of members of a zip archive may take.
const LONGEST_LIST: u64 = 16 << 20;

/// Members by path below the archive's only folder, such as `setup.py` or `src/x.egg-info/requires.txt`.
pub(super) type Members = BTreeMap<String, Vec<u8>>;

/// The interesting part of a member's path, without the archive's folder; `None` for the many others.
fn wanted(path: &str) -> Option<&str> {
    let (_, inside) = path.trim_start_matches("./").split_once('/')?;
    let (folder, name) = inside.rsplit_once('/').unwrap_or(("", inside));
    let wanted = if folder.is_empty() {
        matches!(name, "PKG-INFO" | "setup.py" | "setup.cfg" | "pyproject.toml")
    } else {
        folder.ends_with(".egg-info")
            && folder.split('/').count() <= 2
            && matches!(name, "PKG-INFO" | "requires.txt" | "top_level.txt" | "namespace_packages.txt")
    };
    wanted.then_some(inside)
}

fn limited(what: &str) -> Unread {
    Unread::Content(format!("it has too many or too long {what}"))
}

/// Reads a member up to the limit.
fn member(reader: impl Read) -> Result<Vec<u8>, Unread> {
    let mut bytes = Vec::new();
    reader.take(LONGEST_MEMBER + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_MEMBER { Err(limited("members")) } else { Ok(bytes) }
}

/// The interesting members of a `.tar.gz`.
pub(super) fn tarred(compressed: impl Read) -> Result<Members, Unread> {
    let mut archive = tar::Archive::new(MultiGzDecoder::new(compressed).take(MOST_UNPACKED));
    let mut members = Members::new();
    // Names that are too long for a header come as entries before it. The archive's own reader takes them whole, were they a
    // gigabyte; here they are members like others, with their limit.
    let mut told = None;
    for (count, entry) in archive.entries()?.raw(true).enumerate() {
        let entry = match entry {
            Ok(entry) => entry,
            // Old archives end without their closing blocks, or with rubbish; what came before serves.
            Err(error) if members.is_empty() => return Err(error.into()),
            Err(_) => break,
        };
        if count > MOST_MEMBERS || members.len() > MOST_KEPT {
            return Err(limited("members"));
        }
        let kind = entry.header().entry_type();
        if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
            told = told_name(kind, &member(entry)?);
            continue;
        }
        let path = told.take().unwrap_or_else(|| entry.path_bytes().into_owned());
        let path = String::from_utf8_lossy(&path).into_owned();
        if let Some(inside) = wanted(&path).filter(|_| kind.is_file()) {
            members.insert(inside.to_owned(), member(entry)?);
        }
    }
    Ok(members)
}

/// The name that an entry tells of the one behind it (GNU's long names, and the records of POSIX.1-2001).
fn told_name(kind: tar::EntryType, told: &[u8]) -> Option<Vec<u8>> {
    if kind.is_gnu_longname() {
        return Some(told.strip_suffix(b"\0").unwrap_or(told).to_vec());
    }
    let mut records = tar::PaxExtensions::new(told).flatten();
    records.find(|record| record.key_bytes() == b"path").map(|record| record.value_bytes().to_vec())
}

/// The interesting members of a `.zip`.
pub(super) fn zipped(reader: impl Read + Seek) -> Result<Members, Unread> {
    let mut archive = zip::ZipArchive::new(Bounded::new(reader))?;
    let paths: Vec<(String, String)> = archive
        .file_names()
        .filter_map(Result::ok)
        .filter_map(|path| Some((path.to_string(), wanted(&path)?.to_owned())))
        .take(MOST_KEPT)
        .collect();
    let mut members = Members::new();
    for (path, inside) in paths {
        members.insert(inside, member(archive.by_name(&path)?)?);
    }
    Ok(members)
}

/// A reader that gives up after [`LONGEST_LIST`] and the members that are worth reading: a list of millions of
/// members would take all memory.
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R> Bounded<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, left: LONGEST_LIST + MOST_KEPT as u64 * LONGEST_MEMBER / 16 }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(limited("members")));
        }
        let count = self.inner.read(buffer)?;
        self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}

impl<R: Seek> Seek for Bounded<R> {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_tells_of_requirements_is_wanted() {
        for (path, inside) in [
            ("x-1.0/setup.py", Some("setup.py")),
            ("./x-1.0/PKG-INFO", Some("PKG-INFO")),
            ("x-1.0/x.egg-info/requires.txt", Some("x.egg-info/requires.txt")),
            ("x-1.0/src/x.egg-info/top_level.txt", Some("src/x.egg-info/top_level.txt")),
            ("x-1.0/tests/data/y.egg-info/requires.txt", None),
            ("x-1.0/vendor/setup.py", None),
            ("setup.py", None),
        ] {
            assert_eq!(wanted(path), inside, "{path}");
        }
    }

    #[test]
    fn long_names_are_told_before_and_bounded() {
        let packed = |archive: &[u8]| {
            let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            io::Write::write_all(&mut packer, archive).unwrap();
            packer.finish().unwrap()
        };
        let folder = "x".repeat(200);
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(7);
        archive.append_data(&mut header, format!("{folder}/setup.py"), &b"setup()"[..]).unwrap();
        archive.append_pax_extensions([("path", format!("{folder}/PKG-INFO").as_bytes())]).unwrap();
        let mut header = tar::Header::new_ustar();
        header.set_path("short").unwrap();
        header.set_size(1);
        header.set_cksum();
        archive.append(&header, &b"x"[..]).unwrap();
        let members = tarred(&packed(&archive.into_inner().unwrap())[..]).unwrap();
        assert_eq!(members.keys().collect::<Vec<_>>(), ["PKG-INFO", "setup.py"]);

        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(1);
        archive.append_data(&mut header, "x".repeat(LONGEST_MEMBER as usize + 1), &b"x"[..]).unwrap();
        assert!(tarred(&packed(&archive.into_inner().unwrap())[..]).is_err());
    }
}
