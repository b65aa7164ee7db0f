//! Requests to servers: how patiently a failed one is repeated, what `Retry-After` says, and how secrets are kept out of all that is written.

mod patience;
mod scrub;
mod secret;

pub use patience::{Patience, chain, chance, retry_after};
pub use scrub::Scrubber;
pub use secret::Secret;
