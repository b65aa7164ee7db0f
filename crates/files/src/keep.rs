//! Takes what a person wants out of a folder that code we do not trust has filled.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use crate::error::{FileError, FileErrorKind};
use crate::folder::Folder;
use crate::outgoing::OutgoingFile;

/// Most files that are kept.
const MOST_FILES: usize = 10_000;
/// Longest name in bytes: what every file system takes.
const LONGEST_NAME: usize = 255;

/// What was taken, and what was left and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptFile {
    /// Names of the files that now lie in the user's folder.
    pub files: Vec<String>,
    /// Names of those that do not, each with the reason. The names are foreign.
    pub left: Vec<(OsString, String)>,
}

/// Copies the regular files at the top of `from` into the folder `to`, which is made where it is missing: as new files of the caller with
/// mode 0644. Left are links, folders and all that is no regular file, names that hide (`.bashrc`) or steer a terminal, what would replace
/// a file that is there already, and what goes beyond `most` bytes together, holes counted as what they would fill.
///
/// # Errors
/// When `from` cannot be listed, or `to` cannot be made. What is wrong with one file is told in [`KeptFile::left`], and the rest goes on; a full
/// disk is an error.
pub fn keep(from: &Path, to: &Path, most: u64) -> Result<KeptFile, FileError> {
    let folder = Folder::open(from)?;
    let entries = folder.entries()?;
    DirBuilder::new().recursive(true).mode(0o755).create(to).map_err(FileError::write(to))?;
    let mut kept = KeptFile::default();
    let mut room = most;
    for entry in entries {
        if kept.files.len() >= MOST_FILES {
            kept.left.push((entry.name, format!("only {MOST_FILES} files are kept")));
            continue;
        }
        let refused = refusal(&entry.name, entry.kind).or_else(|| occupied(&to.join(&entry.name)));
        if let Some(why) = refused {
            kept.left.push((entry.name, why));
            continue;
        }
        let source = match folder.open_file(Path::new(&entry.name)) {
            Ok(source) => source,
            Err(error) => {
                kept.left.push((entry.name, error.to_string()));
                continue;
            }
        };
        match copy(source, &to.join(&entry.name), room)? {
            Some(bytes) => {
                room -= bytes;
                kept.files.push(entry.name.to_string_lossy().into_owned());
            }
            None => kept.left.push((entry.name, format!("all files together have more than {most} bytes"))),
        }
    }
    Ok(kept)
}

/// Why an entry is not kept.
fn refusal(name: &OsStr, kind: FileErrorKind) -> Option<String> {
    if kind != FileErrorKind::File {
        return Some(format!("it is {kind}"));
    }
    let Some(text) = name.to_str() else { return Some("its name is no text".to_owned()) };
    if text.starts_with('.') || text.starts_with('-') {
        return Some("its name begins with a dot or a dash".to_owned());
    }
    let strange = |found: char| {
        found.is_control()
            || matches!(found, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '/' | '\\')
    };
    if text.chars().any(strange) || text.len() > LONGEST_NAME {
        return Some("its name has characters that a file name should not have".to_owned());
    }
    None
}

/// Why nothing is written at a place: what lies there is the user's.
fn occupied(place: &Path) -> Option<String> {
    place.symlink_metadata().is_ok().then(|| "there is a file of that name already".to_owned())
}

/// Copies up to `room` bytes; `None`, and nothing is left, where the file has more.
fn copy(source: File, to: &Path, room: u64) -> Result<Option<u64>, FileError> {
    let failed = || FileError::write(to);
    let mut output = OutgoingFile::begin(to)?;
    let mut source = source.take(room.saturating_add(1));
    let mut buffer = vec![0_u8; 1 << 16];
    let mut bytes = 0;
    loop {
        let length = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(failed()(error)),
        };
        bytes += length as u64;
        if bytes > room {
            return Ok(None);
        }
        output.write_all(&buffer[..length]).map_err(failed())?;
    }
    output.commit()?;
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn only_plain_files_come_out_as_plain_files() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("working"), place.path().join("mine"));
        std::fs::create_dir_all(from.join("folder")).unwrap();
        let put = |name: &str| std::fs::write(from.join(name), "x").unwrap();
        for name in
            ["submission.csv", "tool", ".bashrc", "-rf", "clip\u{1b}]52;c;x\u{7}.csv", "two\nlines", "\u{202e}gpj.exe"]
        {
            put(name);
        }
        std::fs::write(from.join(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff")), "x").unwrap();
        std::fs::set_permissions(from.join("tool"), std::fs::Permissions::from_mode(0o6755)).unwrap();
        symlink("/etc/hostname", from.join("link.csv")).unwrap();
        let kept = keep(&from, &to, 100).unwrap();
        assert_eq!(kept.files, ["submission.csv", "tool"]);
        assert_eq!(kept.left.len(), 8);
        assert_eq!(std::fs::metadata(to.join("tool")).unwrap().mode() & 0o7777, 0o644);
        assert_eq!(std::fs::read_dir(&to).unwrap().count(), 2);
    }

    #[test]
    fn what_the_user_has_stays_his() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("working"), place.path().join("mine"));
        std::fs::create_dir_all(&from).unwrap();
        std::fs::create_dir_all(&to).unwrap();
        for name in ["notes.txt", "linked.txt", "new.txt"] {
            std::fs::write(from.join(name), "theirs").unwrap();
        }
        std::fs::write(to.join("notes.txt"), "mine").unwrap();
        std::fs::write(place.path().join("elsewhere"), "mine").unwrap();
        symlink("../elsewhere", to.join("linked.txt")).unwrap();
        let kept = keep(&from, &to, 100).unwrap();
        assert_eq!(kept.files, ["new.txt"]);
        for path in ["mine/notes.txt", "elsewhere"] {
            assert_eq!(std::fs::read_to_string(place.path().join(path)).unwrap(), "mine", "{path}");
        }
    }

    #[test]
    fn holes_are_counted_as_what_they_would_fill() {
        let place = tempfile::tempdir().unwrap();
        let (from, to) = (place.path().join("working"), place.path().join("mine"));
        std::fs::create_dir_all(&from).unwrap();
        File::create(from.join("sparse")).unwrap().set_len(4 << 30).unwrap();
        std::fs::write(from.join("a.csv"), vec![0; 600]).unwrap();
        std::fs::write(from.join("b.csv"), vec![0; 600]).unwrap();
        let kept = keep(&from, &to, 1_000).unwrap();
        assert_eq!(kept.files, ["a.csv"]);
        assert_eq!(kept.left.iter().map(|(name, _)| name.to_str().unwrap()).collect::<Vec<_>>(), ["b.csv", "sparse"]);
        assert_eq!(std::fs::read_dir(&to).unwrap().count(), 1, "nothing half written stays");
    }
}
