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

/// A folder that is gone after the test.
pub(crate) fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}
