//! Brings notebooks in: the Kaggle API, its pages, GitHub, a folder, a git repository, the examples of libraries. Every raw answer is kept, and every
//! record names the bytes that it was read from.
//!
//! ```no_run
//! use std::{ops::ControlFlow, path::Path, sync::Arc};
//! use nbrevive_mine::{api, budget, raw, records, secret};
//!
//! let folder = Path::new(".nbrevive/mine");
//! let store = Arc::new(raw::RawStore::open(&folder.join("raw"))?);
//! let budget = budget::Budget::open(&folder.join("budget"), budget::Manners::default(), budget::Clock::System)?;
//! let credentials = secret::Credentials::find()?;
//! let api = api::Api::online(store, api::Endpoint::find()?, &credentials, budget, api::ApiSettings::default())?;
//! let plan = api::ApiPlan { competitions: vec![records::Slug::new("titanic")?], ..api::ApiPlan::default() };
//! let summary = api.mine(&plan, &mut |event| {
//!     if let api::ApiEvent::Record(record) = event {
//!         drop(record); // … into the study's store.
//!     }
//!     ControlFlow::Continue(())
//! })?;
//! assert!(summary.complete);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | part | purpose |
//! |---|---|
//! | [`records`] | what every source yields |
//! | [`api`] | the public API of Kaggle |
//! | [`metakaggle`] | the official dump, and the code beside it |
//! | [`browser`] | its pages, for what the API does not give |
//! | [`folder`], [`git`] | notebooks that are already here |
//! | [`examples`] | the official examples of a release |
//! | [`github`] | repositories on GitHub, by a search or a list |
//! | [`repository`], [`archive`] | the same with the files around them, each repository whole |
//! | [`compare`](mod@compare) | where two sources disagree |
//! | [`raw`] | every answer as it came, the journal of requests, take-downs |
//! | [`budget`] | requests per host, shared by all threads and processes |
//! | [`secret`] | credentials, and the type that never prints |
//! | [`list`] | lists of ids without content, to hand on |
//!
//! A run can be stopped or killed at any moment. Run again, it goes the same way: what the raw store answers is not asked
//! for again, so its records are those of a run that was never disturbed. Replay is that run without a server.

mod address;
mod answers;
pub mod api;
pub mod archive;
pub mod browser;
pub mod budget;
pub mod compare;
mod content;
mod content_hash;
pub mod examples;
pub mod folder;
pub mod git;
pub mod github;
mod http;
mod lfs;
pub mod list;
mod lock;
pub mod metakaggle;
pub mod raw;
pub mod records;
pub mod repository;
pub mod secret;
mod source;

pub use content::{LocalSettings, LocalTrouble};
pub use http::Timeouts;
pub use lfs::{LONGEST_POINTER, is_pointer};

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod testing;
