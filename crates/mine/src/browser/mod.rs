//! The pages of Kaggle, read in a browser: what the API does not give. For a notebook its list of versions; for each
//! version how its run ended, its scores, run time, times, data and origin, and its source with outputs.
//!
//! Every visit (the page as the browser built it, and the answers of the internal service that it got) and every file has
//! a natural key in the raw store, and records are parsed from those bytes alone: resuming and replaying are one way. What
//! is looked for on the pages lies in one data file, `selectors.toml`, with a sample page for each entry.
//!
//! The browser is a headless Chromium of our own: incognito, in a folder of its own, without access to any host but the
//! site (and the `other_hosts` of the settings), so that a hostile page leads nowhere. A proxy cannot be used. While it
//! runs, other users of this machine could command it through the driver's port on the loopback address.
//!
//! | file | purpose |
//! |---|---|
//! | `settings.rs`, `session.rs` | limits and programs; the cookies that a user provides |
//! | `selectors.rs` | the data file |
//! | `driver.rs`, `tab.rs`, `network.rs` | the programs, commands to them, what the network does |
//! | `visit.rs`, `snapshot.rs` | one visit, and how it is kept |
//! | `read.rs` | records out of a visit |
//! | `ask.rs`, `asking.rs` | a request and its natural key; one try |
//! | `client.rs` | kept answers, retries, what a failure means |
//! | `walk.rs` | a whole run |

mod ask;
mod asking;
mod client;
mod driver;
mod error;
mod network;
mod read;
mod selectors;
mod session;
mod settings;
mod snapshot;
mod tab;
mod visit;
mod walk;

pub use client::Browser;
pub use error::BrowserError;
pub use selectors::SelectorsError;
pub use session::{Session, SessionError};
pub use settings::{BrowserSettings, Programs, Waits};
pub use walk::{BrowserEvent, BrowserSummary, BrowserTrouble};
