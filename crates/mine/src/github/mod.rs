//! Repositories on GitHub: found by a search in tiers, or by a list; each pinned to a commit and taken whole, as far as a
//! study needs it.
//!
//! Every request has a natural key, and an answer that is kept is not asked for again, as with [`crate::api`]; so a run that
//! goes on after being killed, one that is repeated and one that is replayed offline are the same code. A repository that
//! cannot be had (private, removed, blocked, empty, without a notebook of ours) is a row with a state, not an error.
//!
//! | file | purpose |
//! |---|---|
//! | `name.rs` | names, and the many ways to write an address |
//! | `list.rs` | a list of repositories with the articles that name them |
//! | `slice.rs`, `search.rs`, `draw.rs` | the search: tiers, slices, chance |
//! | `endpoint.rs`, `ask.rs` | where the host is; a request and its natural key |
//! | `limits.rs`, `transport.rs` | what the host says of its limits; one exchange |
//! | `client.rs`, `settings.rs`, `error.rs` | kept answers, retries, what a status means |
//! | `facts.rs` | typed reading of answers |
//! | `tarball.rs`, `archive.rs` | the files of a commit |
//! | `visit.rs`, `walk.rs` | one repository; a whole run |

mod archive;
mod ask;
mod client;
mod draw;
mod endpoint;
mod error;
mod facts;
mod limits;
mod list;
mod name;
mod search;
mod settings;
mod slice;
mod tarball;
mod transport;
mod visit;
mod walk;

pub use client::Hub;
pub use endpoint::{HubAccessError, HubEndpoint, HubToken};
pub use error::HubError;
pub use list::{HubList, HubListError, ListDraw, ListedHub, RefusedHub};
pub use name::{AddressFault, HubAddress, HubName};
pub use search::{HubSearch, HubTier, TierFound};
pub use settings::HubSettings;
pub use slice::{CreatedRange, NotARange, StarRange};
pub(crate) use tarball::{Spooled, Tarball, TarballFault};
pub use walk::{HubEvent, HubPlan, HubSummary};
