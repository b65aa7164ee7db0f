//! Files that are carried into an execution's working folder, and out of it.

use std::path::Path;

/// Copies the regular files at the top level of a folder; links and what is below are left.
pub(crate) fn copy_plain_files(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Copies a folder with the folders below it; links are left, since they may lead anywhere.
pub(crate) fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(&entry.path(), &to.join(entry.file_name()))?;
        } else if kind.is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_copied_with_its_folders_and_without_links() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir_all(from.join("data/inner")).unwrap();
        std::fs::write(from.join("tools.py"), "x = 1\n").unwrap();
        std::fs::write(from.join("data/inner/a.csv"), "a\n1\n").unwrap();
        std::os::unix::fs::symlink("/etc/hostname", from.join("data/link")).unwrap();
        copy_tree(&from, &to).unwrap();
        assert_eq!(std::fs::read_to_string(to.join("tools.py")).unwrap(), "x = 1\n");
        assert_eq!(std::fs::read_to_string(to.join("data/inner/a.csv")).unwrap(), "a\n1\n");
        assert!(to.join("data/link").symlink_metadata().is_err());
    }

    #[test]
    fn only_files_at_the_top_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir_all(from.join("data")).unwrap();
        std::fs::write(from.join("submission.csv"), "a\n").unwrap();
        copy_plain_files(&from, &to).unwrap();
        assert!(to.join("submission.csv").exists());
        assert!(!to.join("data").exists());
    }
}
