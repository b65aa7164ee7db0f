//! Versions of libraries, as rules and the census compare them.

/// The numbers of a release, up to the first part that is none.
pub(crate) fn version_parts(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}
