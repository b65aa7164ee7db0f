//! Files of a folder that stand for data which git-lfs would bring.

use nbrevive_environment::declared::RepositoryTree;
use nbrevive_mine::{LONGEST_POINTER, is_pointer};

/// Longest file of attributes that is looked at, in bytes.
const LONGEST_ATTRIBUTES: u64 = 1 << 20;
/// How a file of attributes gives files to git-lfs.
const GIVES: &[u8] = b"filter=lfs";

/// Their paths. Files are looked into where a file of attributes gives some to git-lfs, and nowhere else.
pub(super) fn pointers(tree: &RepositoryTree) -> Vec<String> {
    let is_attributes = |path: &&String| path.rsplit('/').next() == Some(".gitattributes");
    let gives = |path: &String| {
        let text = tree.read(path, LONGEST_ATTRIBUTES);
        text.is_ok_and(|text| text.windows(GIVES.len()).any(|part| part == GIVES))
    };
    if !tree.paths().iter().filter(is_attributes).any(gives) {
        return Vec::new();
    }
    let stands = |path: &&String| tree.read(path, LONGEST_POINTER).is_ok_and(|content| is_pointer(&content));
    tree.paths().iter().filter(stands).cloned().collect()
}
