//! The files of a repository as one body of the raw store: a tar of regular files, the same for the same files.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::records::LocalPath;

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Packed {
    /// Below the repository's folder.
    pub(crate) path: LocalPath,
    /// Whether its owner may run it.
    pub(crate) is_program: bool,
    /// Its content.
    pub(crate) content: Vec<u8>,
}

/// What of a repository is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Longest file, in bytes; notebooks are among them. Default 64 MiB.
    pub largest_file: u64,
    /// All files together, in bytes: notebooks first, then the smaller ones. Default 200 MiB.
    pub all_files: u64,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self { largest_file: 64 << 20, all_files: 200 << 20 }
    }
}

/// Packs files, by path.
pub(crate) fn pack(mut files: Vec<Packed>) -> io::Result<Vec<u8>> {
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let mut archive = tar::Builder::new(Vec::new());
    for file in &files {
        let mut header = tar::Header::new_gnu();
        header.set_size(file.content.len() as u64);
        header.set_mode(if file.is_program { 0o755 } else { 0o644 });
        header.set_mtime(0);
        archive.append_data(&mut header, file.path.as_str(), file.content.as_slice())?;
    }
    archive.into_inner()
}

/// Who is handed a file: its path, whether it may be run, its content.
pub type Take<'a> = &'a mut dyn FnMut(&LocalPath, bool, &[u8]) -> io::Result<()>;

/// Hands each regular file to `take`. What has no plain path below the folder is refused.
///
/// # Errors
/// When the archive cannot be read, or what `take` gives.
pub fn each_file(archive: &[u8], take: Take<'_>) -> io::Result<()> {
    for entry in tar::Archive::new(archive).entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let bytes = entry.path_bytes().into_owned();
        let path = String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let path = LocalPath::new(&path).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        let is_program = entry.header().mode()? & 0o100 != 0;
        let mut content = Vec::new();
        entry.read_to_end(&mut content)?;
        take(&path, is_program, &content)?;
    }
    Ok(())
}

/// Unpacks an archive into a folder that nobody else uses.
///
/// # Errors
/// When it cannot be read, or a file cannot be written.
pub fn unpack(archive: &[u8], folder: &Path) -> io::Result<()> {
    each_file(archive, &mut |path, is_program, content| {
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

    fn packed(path: &str, content: &str) -> Packed {
        Packed { path: LocalPath::new(path).unwrap(), is_program: path.ends_with(".sh"), content: content.into() }
    }

    #[test]
    fn what_is_packed_comes_out_again_whatever_the_order() {
        let deep = format!("{}/a b é.ipynb", "long".repeat(60));
        let files = [packed(&deep, "{}"), packed("run.sh", "ls"), packed("data/a.csv", "a\n")];
        let archive = pack(files.to_vec()).unwrap();
        assert_eq!(pack(files.iter().rev().cloned().collect()).unwrap(), archive);
        let mut found = Vec::new();
        each_file(&archive, &mut |path, is_program, content| {
            found.push(Packed { path: path.clone(), is_program, content: content.to_vec() });
            Ok(())
        })
        .unwrap();
        found.sort_by_key(|file| std::cmp::Reverse(file.path.as_str().len()));
        assert_eq!(found[0], files[0]);
        assert!(found.contains(&files[1]) && found.contains(&files[2]));
        let folder = tempfile::tempdir().unwrap();
        unpack(&archive, folder.path()).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join(&deep)).unwrap(), "{}");
    }

    mod attacks {
        use super::*;

        #[test]
        fn nothing_is_unpacked_outside_of_the_folder_and_no_link_is_made() {
            let folder = tempfile::tempdir().unwrap();
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
                let error = unpack(&archive.into_inner().unwrap(), &inner).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{path}");
            }
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_size(0);
            let mut archive = tar::Builder::new(Vec::new());
            archive.append_link(&mut header, "link", "/etc/passwd").unwrap();
            unpack(&archive.into_inner().unwrap(), &inner).unwrap();
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
            assert_eq!(fs::read_dir(&inner).unwrap().count(), 0);
        }
    }
}
