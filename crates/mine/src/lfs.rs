//! Files that stand for data which git-lfs would bring (git-lfs, docs/spec.md).

/// How such a file begins.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
/// Longest such file, in bytes.
pub const LONGEST_POINTER: u64 = 1024;

/// Whether a file stands for data that is with git-lfs.
#[must_use]
pub fn is_pointer(content: &[u8]) -> bool {
    content.len() as u64 <= LONGEST_POINTER && content.starts_with(POINTER)
}

/// Says of such a file that its data is not here, and how long it would be.
pub(crate) fn elsewhere(pointer: &[u8]) -> String {
    let text = String::from_utf8_lossy(pointer);
    let bytes = text.lines().find_map(|line| line.strip_prefix("size ")?.trim().parse::<u64>().ok());
    bytes.map_or("it lies in git-lfs".to_owned(), |bytes| format!("its {bytes} bytes lie in git-lfs"))
}
