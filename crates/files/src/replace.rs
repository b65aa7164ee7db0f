//! Folders that go out: written beside their place, and put there whole.

use std::io;
use std::path::Path;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

/// Puts a finished folder in its place. What was there stands where the new one was, for the caller to remove.
///
/// Both are exchanged in one step; where the file system cannot do that, in three, between which a kill leaves nothing in the place, the
/// old folder under the new one's name with `.old` behind it, and the new one under its own.
///
/// # Errors
/// When the system refuses.
pub fn replace_folder(new: &Path, place: &Path) -> io::Result<()> {
    if !place.exists() {
        return std::fs::rename(new, place);
    }
    match renameat_with(CWD, new, CWD, place, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS) => replace_in_steps(new, place),
        done => done.map_err(io::Error::from),
    }
}

fn replace_in_steps(new: &Path, place: &Path) -> io::Result<()> {
    let aside = new.with_added_extension("old");
    std::fs::rename(place, &aside)?;
    std::fs::rename(new, place)?;
    std::fs::rename(&aside, new)
}

/// Removes the folders that killed runs left below another one: those whose names are left ones. What cannot be removed is in nobody's
/// way, and is tried again by the next run.
pub fn remove_remains(below: &Path, is_left: impl Fn(&str) -> bool) {
    for entry in std::fs::read_dir(below).into_iter().flatten().flatten() {
        if is_left(&entry.file_name().to_string_lossy()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new folder and its place, each with a file that says which it is.
    fn folders() -> (tempfile::TempDir, std::path::PathBuf, std::path::PathBuf) {
        let parent = tempfile::tempdir().unwrap();
        let (new, place) = (parent.path().join(".new"), parent.path().join("place"));
        for folder in [&new, &place] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("which"), folder.file_name().unwrap().as_encoded_bytes()).unwrap();
        }
        (parent, new, place)
    }

    fn which(folder: &Path) -> String {
        std::fs::read_to_string(folder.join("which")).unwrap()
    }

    #[test]
    fn the_old_folder_stands_where_the_new_one_was_however_they_change_places() {
        for replace in [replace_folder, replace_in_steps] {
            let (parent, new, place) = folders();
            replace(&new, &place).unwrap();
            assert_eq!((which(&place), which(&new)), (".new".to_owned(), "place".to_owned()));
            assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 2);
        }
    }

    #[test]
    fn where_nothing_was_nothing_is_left() {
        let (_parent, new, place) = folders();
        std::fs::remove_dir_all(&place).unwrap();
        replace_folder(&new, &place).unwrap();
        assert_eq!((which(&place), new.exists()), (".new".to_owned(), false));
    }

    #[test]
    fn only_what_was_left_is_removed() {
        let (parent, new, place) = folders();
        remove_remains(parent.path(), |name| name.starts_with('.'));
        assert_eq!((new.exists(), place.exists()), (false, true));
    }
}
