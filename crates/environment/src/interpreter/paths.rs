//! What a sandbox has to show for an interpreter to run.

use std::path::{Path, PathBuf};

use super::Interpreter;

/// The folders that `python`, a link to an interpreter, needs, and `more`; none of them below another.
pub(crate) fn interpreter_paths(
    interpreter: &Interpreter,
    python: &Path,
    more: impl IntoIterator<Item = PathBuf>,
) -> Vec<PathBuf> {
    let mut paths = vec![interpreter.prefix.clone()];
    // The environment's interpreter is a link, perhaps through further links (uv's `cpython-3.12-…` folders).
    let mut link = python.to_owned();
    while let Ok(target) = std::fs::read_link(&link) {
        link = link.parent().unwrap_or(Path::new("/")).join(target);
        paths.extend(link.parent().and_then(Path::parent).map(Path::to_owned));
    }
    paths.extend(more);
    paths.sort();
    paths.dedup();
    let kept: Vec<PathBuf> = paths.clone();
    paths
        .retain(|path| !path.starts_with("/usr") && !kept.iter().any(|other| other != path && path.starts_with(other)));
    paths
}
