//! What this program was built from.

/// The revision that every row bears.
pub(crate) const REVISION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("NBREVIVE_REVISION"));
