//! The files of a repository as one body of the raw store: a tar of regular files, the same for the same files.
//!
//! A notebook lies beside it as a body of its own, and the tar has its name alone, as a hard link to `body:<hash>`: so a
//! notebook that stands in many repositories is stored once.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::raw::{ContentHash, RawStore};
use crate::records::LocalPath;

/// What stands before the name of a body where a link's target does.
const BODY: &str = "body:";

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Packed {
    /// Below the repository's folder.
    pub(crate) path: LocalPath,
    /// Whether its owner may run it.
    pub(crate) is_program: bool,
    /// Its content.
    pub(crate) content: PackedContent,
}

/// The content of a file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PackedContent {
    /// In the archive.
    Here(Vec<u8>),
    /// In a body of its own.
    Body(ContentHash),
}

/// What of a repository is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveLimits {
    /// Longest file, in bytes; notebooks are among them. Default 64 MiB.
    pub largest_file: u64,
    /// Longest file that is neither a notebook nor names what is to be installed, in bytes. Default 64 MiB.
    pub largest_data: u64,
    /// All files together, in bytes: notebooks first, then what names what is to be installed, then the smaller ones. Default 200 MiB.
    pub all_files: u64,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self { largest_file: 64 << 20, largest_data: 64 << 20, all_files: 200 << 20 }
    }
}

/// Packs files, by path.
pub(crate) fn pack(mut files: Vec<Packed>) -> io::Result<Vec<u8>> {
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let mut archive = tar::Builder::new(Vec::new());
    for file in &files {
        let mut header = tar::Header::new_gnu();
        header.set_mode(if file.is_program { 0o755 } else { 0o644 });
        header.set_mtime(0);
        match &file.content {
            PackedContent::Here(content) => {
                header.set_size(content.len() as u64);
                archive.append_data(&mut header, file.path.as_str(), content.as_slice())?;
            }
            PackedContent::Body(hash) => {
                header.set_size(0);
                header.set_entry_type(tar::EntryType::Link);
                archive.append_link(&mut header, file.path.as_str(), format!("{BODY}{hash}"))?;
            }
        }
    }
    archive.into_inner()
}

/// Who is handed a file: its path, whether it may be run, its content.
pub type Take<'a> = &'a mut dyn FnMut(&LocalPath, bool, &[u8]) -> io::Result<()>;

/// Hands each regular file to `take`. What has no plain path below the folder is refused. A notebook whose body was taken
/// down is passed over.
///
/// # Errors
/// When the archive cannot be read, or what `take` gives.
pub fn each_file(archive: &[u8], raw: &RawStore, take: Take<'_>) -> io::Result<()> {
    let invalid = |error: String| io::Error::new(io::ErrorKind::InvalidData, error);
    for entry in tar::Archive::new(archive).entries()? {
        let mut entry = entry?;
        let body = body_of(&entry);
        if !entry.header().entry_type().is_file() && body.is_none() {
            continue;
        }
        let bytes = entry.path_bytes().into_owned();
        let path = String::from_utf8(bytes).map_err(|error| invalid(error.to_string()))?;
        let path = LocalPath::new(&path).map_err(|error| invalid(error.to_string()))?;
        let is_program = entry.header().mode()? & 0o100 != 0;
        let content = match body {
            Some(hash) if !raw.has(&hash) => continue,
            Some(hash) => raw.read(&hash).map_err(|error| invalid(error.to_string()))?,
            None => {
                let mut content = Vec::new();
                entry.read_to_end(&mut content)?;
                content
            }
        };
        take(&path, is_program, &content)?;
    }
    Ok(())
}

/// The body that a link stands for.
fn body_of(entry: &tar::Entry<'_, &[u8]>) -> Option<ContentHash> {
    let target = entry.link_name_bytes().filter(|_| entry.header().entry_type().is_hard_link())?;
    std::str::from_utf8(&target).ok()?.strip_prefix(BODY)?.parse().ok()
}

/// Unpacks an archive into a folder that nobody else uses.
///
/// # Errors
/// When it cannot be read, or a file cannot be written.
pub fn unpack(archive: &[u8], raw: &RawStore, folder: &Path) -> io::Result<()> {
    each_file(archive, raw, &mut |path, is_program, content| {
        let place = folder.join(path.as_str());
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        let mode = if is_program { 0o755 } else { 0o644 };
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(place)?;
        io::Write::write_all(&mut file, content)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::MiningSource;

    fn packed(path: &str, content: &str) -> Packed {
        let content = PackedContent::Here(content.into());
        Packed { path: LocalPath::new(path).unwrap(), is_program: path.ends_with(".sh"), content }
    }

    fn store(folder: &Path) -> RawStore {
        RawStore::open(&folder.join("raw")).unwrap()
    }

    #[test]
    fn what_is_packed_comes_out_again_whatever_the_order() {
        let deep = format!("{}/a b é.ipynb", "long".repeat(60));
        let files = [packed(&deep, "{}"), packed("run.sh", "ls"), packed("data/a.csv", "a\n")];
        let archive = pack(files.to_vec()).unwrap();
        assert_eq!(pack(files.iter().rev().cloned().collect()).unwrap(), archive);
        let folder = tempfile::tempdir().unwrap();
        let raw = store(folder.path());
        let mut found = Vec::new();
        each_file(&archive, &raw, &mut |path, is_program, content| {
            found.push(Packed { path: path.clone(), is_program, content: PackedContent::Here(content.to_vec()) });
            Ok(())
        })
        .unwrap();
        found.sort_by_key(|file| std::cmp::Reverse(file.path.as_str().len()));
        assert_eq!(found[0], files[0]);
        assert!(found.contains(&files[1]) && found.contains(&files[2]));
        let out = folder.path().join("out");
        unpack(&archive, &raw, &out).unwrap();
        assert_eq!(fs::read_to_string(out.join(&deep)).unwrap(), "{}");
    }

    #[test]
    fn a_file_with_a_body_of_its_own_comes_out_as_one_and_is_passed_over_without_it() {
        let folder = tempfile::tempdir().unwrap();
        let raw = store(folder.path());
        let deep = format!("{}/a.ipynb", "long".repeat(60));
        let hash = raw.keep(MiningSource::Git, "repository a/b", b"{\"cells\": []}").unwrap();
        let gone = ContentHash::of(b"taken down");
        let body = |path: &str, hash: &ContentHash| Packed {
            path: LocalPath::new(path).unwrap(),
            is_program: false,
            content: PackedContent::Body(hash.clone()),
        };
        let archive = pack(vec![body(&deep, &hash), body("copy.ipynb", &hash), body("gone.ipynb", &gone)]).unwrap();
        let out = folder.path().join("out");
        unpack(&archive, &raw, &out).unwrap();
        assert_eq!(fs::read_to_string(out.join(&deep)).unwrap(), "{\"cells\": []}");
        assert!(out.join("copy.ipynb").is_file() && !out.join("gone.ipynb").exists());
    }

    mod attacks {
        use super::*;

        #[test]
        fn nothing_is_unpacked_outside_of_the_folder_and_no_link_is_made() {
            let folder = tempfile::tempdir().unwrap();
            let raw = store(folder.path());
            let inner = folder.path().join("in");
            fs::create_dir(&inner).unwrap();
            for path in ["../out", "/tmp/nbrevive-out", "a/../../out"] {
                let mut header = tar::Header::new_old();
                header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
                header.set_size(1);
                header.set_mode(0o644);
                header.set_cksum();
                let mut archive = tar::Builder::new(Vec::new());
                archive.append(&header, &b"x"[..]).unwrap();
                let error = unpack(&archive.into_inner().unwrap(), &raw, &inner).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{path}");
            }
            for (kind, target) in [
                (tar::EntryType::Symlink, "/etc/passwd"),
                (tar::EntryType::Link, "/etc/passwd"),
                (tar::EntryType::Link, "body:../../../etc/passwd"),
            ] {
                let mut header = tar::Header::new_gnu();
                header.set_entry_type(kind);
                header.set_size(0);
                let mut archive = tar::Builder::new(Vec::new());
                archive.append_link(&mut header, "link", target).unwrap();
                unpack(&archive.into_inner().unwrap(), &raw, &inner).unwrap();
            }
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
            assert_eq!(fs::read_dir(&inner).unwrap().count(), 0);
        }
    }
}
