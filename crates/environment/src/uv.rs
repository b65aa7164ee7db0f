//! Where uv is.

use std::path::{Path, PathBuf};

use crate::home::Home;

/// Finds uv: `NBREVIVE_UV`, then `PATH`, then beside this program, where an installer of Python packages puts both, then
/// `<home>/tools/bin/uv`.
#[must_use]
pub fn find_uv(home: &Home) -> Option<PathBuf> {
    let named = std::env::var_os("NBREVIVE_UV").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path: Vec<PathBuf> = std::env::split_paths(&path).map(|folder| folder.join("uv")).collect();
    let beside = std::env::current_exe().ok().map(|program| program.with_file_name("uv"));
    named
        .into_iter()
        .chain(on_path)
        .chain(beside)
        .chain([home.tools().join("bin/uv")])
        .find(|candidate| is_program(candidate))
}

/// Whether a file exists and may be executed.
pub(crate) fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}
