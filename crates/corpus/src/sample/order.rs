//! The order of versions inside a stratum: random to look at, fixed by seed and key.

/// Where a version stands among others: the BLAKE3 hash of seed and key. The seed has a fixed length, so no key can imitate another.
pub(super) fn position(seed: u64, key: &str) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    hasher.update(key.as_bytes());
    *hasher.finalize().as_bytes()
}
