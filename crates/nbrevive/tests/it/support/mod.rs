//! What the tests of the binary share: the binary itself, the repository, and folders of their own.

use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// The real program.
pub(crate) fn nbrevive() -> Command {
    Command::new(env!("CARGO_BIN_EXE_nbrevive"))
}

/// The repository's root.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Writes a file below a folder, which is made with all above it.
pub(crate) fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder can be made");
    std::fs::write(path, text).expect("a file can be written");
}

/// A folder that is gone after the test.
pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}
