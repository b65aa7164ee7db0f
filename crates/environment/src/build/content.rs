//! Large files of environments, kept once: hardlinked to `<home>/content/<two digits>/<hash>-<mode>`.
//!
//! uv links what it installs from its own cache. This pass catches the rest: what pip installed, what was compiled,
//! and everything where uv's cache lies on another file system. Only files that nobody else links to are read.
//!
//! Shared files are safe because nothing writes to an environment once it is built: notebooks see it read-only, and
//! installers replace files instead of writing into them.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

/// Smaller files are left alone: linking them saves no block worth the hashing.
const SMALLEST: u64 = 4096;

/// What a pass did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Files that were replaced by a link to content that was there.
    pub(crate) files: u64,
    /// Their length together: the disk space saved.
    pub(crate) bytes: u64,
}

/// Replaces every large file below `folder` by a link to its content. What cannot be linked stays as it is.
pub(crate) fn share(folder: &Path, content: &Path) -> Shared {
    let mut files = Vec::new();
    collect(folder, &mut files);
    let all = files.par_iter().map(|(path, metadata)| {
        share_file(path, metadata, content).unwrap_or_else(|error| {
            tracing::debug!(path = %path.display(), %error, "not shared");
            Shared::default()
        })
    });
    all.reduce(Shared::default, |one, other| Shared { files: one.files + other.files, bytes: one.bytes + other.bytes })
}

/// Large files that have one name only.
fn collect(folder: &Path, files: &mut Vec<(PathBuf, fs::Metadata)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        if metadata.is_dir() {
            collect(&entry.path(), files);
        } else if metadata.is_file() && metadata.len() >= SMALLEST && metadata.nlink() == 1 {
            files.push((entry.path(), metadata));
        }
    }
}

fn share_file(path: &Path, metadata: &fs::Metadata, content: &Path) -> io::Result<Shared> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    let hash = hasher.finalize().to_hex();
    let folder = content.join(&hash[..2]);
    let place = folder.join(format!("{hash}-{:o}", metadata.mode() & 0o7777));
    for _ in 0..3 {
        match fs::hard_link(path, &place) {
            Ok(()) => return Ok(Shared::default()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(&folder)?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                // Whoever truncated the kept file does not get to break environments.
                if fs::metadata(&place)?.len() != metadata.len() {
                    fs::remove_file(&place)?;
                    continue;
                }
                return replace(path, &place, metadata.len());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Shared::default())
}

/// Puts a link to `place` where `path` is, in one step.
fn replace(path: &Path, place: &Path, bytes: u64) -> io::Result<Shared> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let beside = path.with_file_name(format!(".sharing-{name}"));
    fs::hard_link(place, &beside)?;
    fs::rename(&beside, path).inspect_err(|_| drop(fs::remove_file(&beside)))?;
    Ok(Shared { files: 1, bytes })
}

/// Removes content that no environment links to any more; returns the bytes freed.
pub(crate) fn sweep(content: &Path) -> u64 {
    let mut orphans = Vec::new();
    collect(content, &mut orphans);
    let freed = orphans.iter().filter(|(path, _)| fs::remove_file(path).is_ok());
    freed.map(|(_, metadata)| metadata.blocks() * 512).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn equal_files_become_one_and_the_last_environment_takes_it_along() {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        let write = |environment: &str, name: &str, text: &[u8], mode: u32| {
            let path = folder.path().join(environment).join("deep").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        let large = vec![7; 9000];
        let first = write("one", "a.so", &large, 0o644);
        let second = write("two", "b.so", &large, 0o644);
        let program = write("two", "program", &large, 0o755);
        let small = write("two", "small", &large[..100], 0o644);
        assert_eq!(share(&folder.path().join("one"), &content), Shared::default());
        assert_eq!(share(&folder.path().join("two"), &content), Shared { files: 1, bytes: 9000 });
        let inode = |path: &Path| fs::metadata(path).unwrap().ino();
        assert_eq!(inode(&first), inode(&second));
        assert_ne!(inode(&first), inode(&program), "another mode is another file");
        assert_eq!(fs::metadata(&small).unwrap().nlink(), 1);
        assert_eq!(share(&folder.path().join("two"), &content), Shared::default(), "nothing to do twice");
        assert_eq!(sweep(&content), 0);
        fs::remove_dir_all(folder.path().join("two")).unwrap();
        assert!(sweep(&content) >= 9000, "the program is nobody's");
        fs::remove_dir_all(folder.path().join("one")).unwrap();
        assert!(sweep(&content) >= 9000);
    }

    #[test]
    fn content_that_was_cut_short_is_not_linked_to() {
        let folder = tempfile::tempdir().unwrap();
        let (content, one, two) = (folder.path().join("c"), folder.path().join("one"), folder.path().join("two"));
        for environment in [&one, &two] {
            fs::create_dir(environment).unwrap();
            fs::write(environment.join("x"), vec![1; 5000]).unwrap();
        }
        share(&one, &content);
        let kept = fs::read_dir(&content).unwrap().next().unwrap().unwrap().path();
        let kept = fs::read_dir(kept).unwrap().next().unwrap().unwrap().path();
        fs::remove_file(&kept).unwrap();
        fs::write(&kept, b"cut").unwrap();
        share(&two, &content);
        assert_eq!(fs::read(two.join("x")).unwrap().len(), 5000);
        assert_eq!(fs::metadata(&kept).unwrap().len(), 5000);
    }
}
