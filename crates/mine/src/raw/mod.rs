//! The raw store: every answer as it came, compressed and named by its content, with a journal of the requests.
//!
//! Parsing can be repeated from it without the network, and the work left is "requests without a usable answer under
//! their natural key". Nothing else is remembered: a run that was killed and one that was not walk the same way.
//!
//! | path in the folder | content |
//! |---|---|
//! | `bodies/ab/cdef….zst` | a body, zstd, named by the BLAKE3 hash of its plain bytes |
//! | `journal.jsonl` | a line a request: method, address without secrets, time, status, hash |
//!
//! | file | purpose |
//! |---|---|
//! | `store.rs` | bodies and journal together |
//! | `bodies.rs`, `journal.rs` | the bodies, the journal |
//! | `progress.rs` | what is done and what is left |
//! | `takedown.rs` | removes an item everywhere |
//! | `error.rs` | what can go wrong |

mod bodies;
mod error;
mod journal;
mod progress;
mod store;
mod takedown;

pub use crate::content_hash::{ContentHash, NotAContentHash};
pub use bodies::{BodyWriter, RawBody};
pub use error::RawError;
pub use journal::{Holding, HttpExchange, JournalEntry, Removal};
pub use progress::{Belief, MiningStanding, Progress};
pub use store::{KeptAnswers, RawStore};
pub use takedown::{TakeDown, TakeDownEntry, TakeDownError, TakenDown};

#[cfg(test)]
mod tests;
