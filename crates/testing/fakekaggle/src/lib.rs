//! The other side, for tests: a loopback server and a dump generator that behave like Kaggle, bad days included.
//!
//! ```
//! use nbrevive_fakekaggle::{FakeKaggle, Fault, RetryAfter, FaultRule, FakeServerSettings};
//!
//! let server = FakeKaggle::start(FakeServerSettings::default())?;
//! server.add_rule(FaultRule::times("/api/v1/kernels/list", 2, Fault::TooManyRequests { retry_after: RetryAfter::Seconds(1) }));
//! // … let the client mine `server.url()` with `server.credentials()`, then judge its manners by `server.log()`.
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! # Ok::<(), nbrevive_fakekaggle::FakeKaggleStartError>(())
//! ```
//!
//! # What is modelled, and how sure it is
//!
//! Nothing here was tried against the live site. The tags say where a behaviour is known from: **S** official client sources,
//! **U** official development kit with internal message types, **K** threads of the official client's repository, **P** public
//! projects, **I** inferred, **M** memory.
//!
//! | part | what | known from |
//! |---|---|---|
//! | `/api/v1/...` | REST of clients up to 1.7: arrays (objects when `pageToken` is sent), every field present | S |
//! | `/v1/<service>/<Method>` | POST JSON of clients from 1.8: defaults left out, page tokens such as `CAI=` | S |
//! | Basic and Bearer | legacy key and access token, checked on every call of both generations | S |
//! | bodies of 401, 403, 404, 429 | in the form of each generation; statuses of the new one other than 429 | S, I |
//! | cap of 1000 (API) and 2000 (pages) notebooks for one query | [`FakeServerSettings::listing_cap`], [`FakeServerSettings::page_cap`] | K |
//! | deleted notebooks | still listed; asking answers 403, for some 404 | K |
//! | `versionLabel` | [`VersionLabels`]: served, ignored or denied for the notebooks of others | K, medium |
//! | rules not accepted | the competition's data files answer 403 (S); its leaderboard's download too | S, I |
//! | `/api/i/<service>/<Method>` | anti-forgery cookie and header, the objects of the version history and view model | U, P |
//! | pages | almost empty HTML; a script fetches and builds the marks that scrapers go by, with class names that mean nothing | P |
//! | labels of scores, mark of copies | as remembered | M |
//! | both scores on a page | from `/_page/scores`, a stand-in: how the real page gets the second one is not known | I |
//! | `.../versions` | opens the version list by itself | P, low |
//! | `/kernels/scriptcontent/<id>/download` | source of any public version with outputs, without a session | P |
//! | sign-in | for `/edit`, for outputs of competitions whose rules were not accepted, for `/code/svzip/` | I |
//! | dump | files, columns, dates and booleans; absent `EvaluationDate` for runs that did not end by themselves | P, I |
//!
//! Not modelled: output files' contents, comments, votes by hand, writing of any kind, the very old JSON feed
//! (`/kernels.json`), streamed logs, OAuth's renewal, models other than one, teams of more than one user, competitions that
//! opened after the first notebook, and lines of code that add up (the figures of lines are drawn, not counted).
//!
//! # Parts
//!
//! `world` draws everything from a seed, `source` writes its files, `server` and the modules below it answer requests,
//! `faults` disturbs them, `meta` writes the dump. The program `fakekaggle` serves and dumps for people; other processes
//! control a running server by `POST /_control` (see the module `control`).

mod api;
mod command;
mod control;
mod faults;
mod internal;
mod listing;
mod log;
mod meta;
mod moment;
mod pages;
mod random;
mod refusal;
mod replace;
mod route;
mod server;
mod settings;
mod shared;
mod site;
mod source;
#[cfg(test)]
mod testing;
mod world;

pub use faults::{Fault, FaultRule, RetryAfter, When};
pub use log::{ServedRequest, busiest};
pub use meta::{DumpOptions, FakeDumpError, code_path, write_code, write_dump};
pub use moment::Moment;
pub use server::{FakeKaggle, FakeKaggleStartError};
pub use settings::{FakeServerSettings, VersionLabels};
pub use site::FakeCredentials;
pub use source::{Outputs, source};
pub use world::{
    Accelerator, BundleError, Bundled, Dataset, FakeCompetition, FakeKernel, FakeKernelKind, FakeLanguage, FakeOutcome,
    FakeScore, FakeStanding, FakeVersion, FakeWorld, Lines, MAX_VERSIONS, Parent, Scale, Sources, TEAMS_PER_USER, User,
    Visibility, WorldSpec,
};

/// The program: does what was typed.
///
/// # Errors
///
/// Says what could not be read, written or listened on.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    command::run()
}
