//! The other side, for tests: a loopback server that behaves like GitHub's REST API, and a second one that hands out its
//! archives, bad days included.
//!
//! ```
//! use nbrevive_fakegithub::{FakeGitHub, HubFault, HubRule, HubWorld};
//!
//! let server = FakeGitHub::start(HubWorld::drawn(7, 50), Default::default())?;
//! server.add_rule(HubRule::times("/search/", 2, HubFault::Secondary { retry_after: Some(1) }));
//! // … let the client mine `server.url()` with `server.token()`, then judge its manners by `server.log()`.
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # What is modelled, and how sure it is
//!
//! Nothing here was tried against the live site. The tags say where a behaviour is known from: **D** the site's own
//! documentation of its REST API and search, **R** reports of users with the answer they got, **I** inferred.
//!
//! | part | what | known from |
//! |---|---|---|
//! | `Authorization: Bearer`, `X-GitHub-Api-Version`, `User-Agent` | a wrong token is 401, a version that does not exist 400, no agent 403 | D, R |
//! | `x-ratelimit-*` on every answer | 5,000 an hour, search 30 a minute, each with its own window; 403 with 0 left until the reset | D |
//! | the window | begins with the first request in it | I |
//! | secondary limit | 403 with its sentence, with or without `retry-after`; a point a request, 900 a minute | D |
//! | `ETag`, `If-None-Match` | 304 without a body, not counted for who shows a token | D |
//! | `/search/repositories` | `total_count`, `incomplete_results`, ranges of `stars` and `created`, forks only if asked for | D |
//! | beyond 1,000 results | 422 for the page that begins there, whatever `total_count` says | D, R |
//! | `Link` | next, last, first and prev, with the query of the request | D |
//! | renamed repository | 301 to `/repositories/<id>` and what stood behind the name, with `message` and `url` | D, R |
//! | private, removed, never there | 404, not told apart | D |
//! | blocked | 451 with `block` (reason `dmca`), 403 with `block` (reason `tos`), both `Repository access blocked` | R |
//! | empty | its commits answer 409 `Git Repository is empty.` | R |
//! | commit that is not there | 422 `No commit found for SHA: …` | R |
//! | `/tarball/<ref>` | 302 to another host, which needs and gets no token | D, R |
//! | the archive | as `git archive` makes it: a global header with the commit, one folder `owner-name-<hash>` | R |
//! | names | in any case | D |
//! | what is removed may still be found by the search | a stale index | I |
//!
//! Not modelled: everything that writes, GraphQL, other searches, languages by bytes, submodules (an archive has an empty
//! folder for one), `export-ignore`, private repositories with a token that may see them, the 4,000 repositories beyond which
//! a search does not look.
//!
//! # Parts
//!
//! `world` draws repositories from a seed, `files` writes what lies in them, `archive` packs it; `search`, `repositories` and
//! `rates` answer, `faults` disturbs.

mod archive;
mod faults;
mod files;
mod random;
mod rates;
mod repositories;
mod search;
mod server;
mod world;

pub use faults::{HubFault, HubRule};
pub use files::HubFile;
pub use rates::HubLimits;
pub use server::{FakeGitHub, HubClock, HubHost, HubLog};
pub use world::{Fate, HubRepository, HubWorld};
