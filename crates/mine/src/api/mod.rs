//! The public API of Kaggle, in both of its generations, over a raw store.
//!
//! Every request has a natural key. [`Api`] answers it from the raw store where a usable answer is kept, and from the
//! server otherwise; so a run that goes on after being killed, one that is repeated and one that is replayed offline
//! are the same code, and their records are equal.
//!
//! | file | purpose |
//! |---|---|
//! | `endpoint.rs` | where the API is, and which generation |
//! | `ask.rs` | a request, its natural key and its two forms |
//! | `transport.rs` | one exchange: budget, HTTP, body to the raw store |
//! | `client.rs` | kept answers, retries, what a status means |
//! | `shape.rs` | typed reading of fields |
//! | `competitions.rs`, `notebooks.rs`, `leaderboard.rs` | the requests |
//! | `listing.rs` | every notebook of a competition |
//! | `walk.rs` | a whole run |

mod ask;
mod client;
mod competitions;
mod endpoint;
mod error;
mod leaderboard;
mod listing;
mod notebooks;
mod shape;
mod transport;
mod walk;

#[cfg(test)]
mod tests;

pub use client::{Api, ApiSettings};
pub use competitions::{Competitions, RefusedCompetition};
pub use endpoint::{Endpoint, EndpointError, Generation};
pub use error::{ApiError, Harm};
pub use listing::{Listing, Search};
pub use notebooks::{Pulled, SortBy};
pub use shape::ShapeError;
pub(crate) use shape::{BodyFault, Fields, harmless, json, moment, said_error};
pub use walk::{ApiEvent, ApiPlan, ApiSummary, ApiTrouble, Versions, Wanted};
