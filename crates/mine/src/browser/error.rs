//! What can go wrong between us, the browser and the pages, by what to do about it.

use std::path::PathBuf;

use super::selectors::SelectorsError;
use super::session::SessionError;
use crate::api::Harm;
use crate::budget::BudgetError;
use crate::raw::RawError;

/// How a session is provided: the end of every message about a sign-in.
pub(crate) const HOW_TO_SIGN_IN: &str = "sign in with your own browser, export its cookies for the site as cookies.txt \
    (Netscape form) or JSON, and name that file in the variable NBREVIVE_BROWSER_COOKIES";

/// A page or file that was not had. `what` is the natural key of the request.
#[derive(Debug, thiserror::Error)]
pub enum BrowserError {
    /// A program is not there.
    #[error(
        "{program} is missing (looked for {looked_for}); on Debian run as root: \
         apt-get update && apt-get install -y --no-install-recommends chromium chromium-driver"
    )]
    Missing {
        /// `Chromium` or `ChromeDriver`.
        program: &'static str,
        /// Names or path that were tried.
        looked_for: String,
    },
    /// The browser or its driver failed, and starting it again did not help.
    #[error("{what}: the browser failed {times} times in a row: {why}")]
    Broken {
        /// The request, or the start.
        what: String,
        /// What it said last.
        why: String,
        /// Times that it was started.
        times: u32,
    },
    /// The page does not look as the selectors say.
    #[error("{what}: selector `{selector}` finds nothing usable on {url}; the page is saved in {}", saved.display())]
    Layout {
        /// The request.
        what: String,
        /// The selector, as the selectors' file names it.
        selector: String,
        /// The address.
        url: String,
        /// The folder with the page and its screenshot; empty when offline.
        saved: PathBuf,
    },
    /// The site wants somebody to sign in.
    #[error("{what}: the site asks for a sign-in at {url}: {HOW_TO_SIGN_IN}")]
    LoginWall {
        /// The request.
        what: String,
        /// Where the site sent us.
        url: String,
    },
    /// A page led to another site.
    #[error("{what}: the page left the site for {url}, which is not followed")]
    Wandered {
        /// The request.
        what: String,
        /// Where it went.
        url: String,
    },
    /// There is nothing there for us: deleted, private, or never there (401, 403, 404, 410).
    #[error("{what}: not available ({status}); deleted and private notebooks answer so")]
    NotAvailable {
        /// The request.
        what: String,
        /// The status.
        status: u16,
        /// Whether it was said often enough to be final (see [`Belief`](crate::raw::Belief)).
        final_word: bool,
    },
    /// The site wants fewer requests, again and again (429).
    #[error(
        "{what}: the site asked {attempts} times in a row for fewer requests; run again later, or set a lower rate"
    )]
    RateLimited {
        /// The request.
        what: String,
        /// Tries made.
        attempts: u32,
    },
    /// The site is in trouble (5xx and other statuses).
    #[error("{what}: the site answered {status} {attempts} times in a row; run again later")]
    Server {
        /// The request.
        what: String,
        /// The last status.
        status: u16,
        /// Tries made.
        attempts: u32,
    },
    /// No whole answer came: no connection, reset, stalled, cut short.
    #[error("{what}: no whole answer after {attempts} tries: {why}")]
    Unreachable {
        /// The request.
        what: String,
        /// The last failure.
        why: String,
        /// Tries made.
        attempts: u32,
    },
    /// A file came whole and is not what it should be.
    #[error("{what}: the file cannot be used: {why}; it is kept in the raw store")]
    NotUsable {
        /// The request.
        what: String,
        /// What is wrong.
        why: String,
    },
    /// A file or page is longer than allowed.
    #[error("{what}: the answer is longer than {limit} bytes; raise the limit to have it")]
    TooLarge {
        /// The request.
        what: String,
        /// The limit.
        limit: u64,
        /// Whether it was so often enough to be final (see [`Belief`](crate::raw::Belief)).
        final_word: bool,
    },
    /// Offline, and nothing usable is kept.
    #[error("{what}: no usable answer is kept, and the site may not be asked (replay)")]
    NotKept {
        /// The request.
        what: String,
    },
    /// The item stands on a take-down list.
    #[error("{item} was taken down: it is not fetched")]
    TakenDown {
        /// The item.
        item: String,
    },
    /// The address of the site is none.
    #[error("`{site}` is no address of a site: give one such as https://www.kaggle.com")]
    Site {
        /// The text.
        site: String,
    },
    /// A folder or file beside the raw store cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The selectors cannot be used.
    #[error(transparent)]
    Selectors(#[from] SelectorsError),
    /// The session cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The budget allows no request.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The raw store cannot be used.
    #[error(transparent)]
    Raw(#[from] RawError),
}

impl BrowserError {
    /// Whether the site's word may not be its last: another run asks again.
    #[must_use]
    pub fn is_unsure(&self) -> bool {
        matches!(self, Self::NotAvailable { final_word: false, .. } | Self::TooLarge { final_word: false, .. })
    }

    /// How far the harm goes.
    #[must_use]
    pub fn harm(&self) -> Harm {
        match self {
            Self::NotAvailable { .. } | Self::TooLarge { .. } | Self::NotKept { .. } | Self::TakenDown { .. } => {
                Harm::Item
            }
            Self::Layout { .. }
            | Self::LoginWall { .. }
            | Self::Wandered { .. }
            | Self::Server { .. }
            | Self::Unreachable { .. }
            | Self::NotUsable { .. } => Harm::Doubt,
            Self::Missing { .. }
            | Self::Broken { .. }
            | Self::RateLimited { .. }
            | Self::Site { .. }
            | Self::File { .. }
            | Self::Selectors(_)
            | Self::Session(_)
            | Self::Budget(_)
            | Self::Raw(_) => Harm::Run,
        }
    }

    /// Whether the item is settled without it: what is not there for us will not be there tomorrow.
    pub(crate) fn is_settled(&self) -> bool {
        matches!(
            self,
            Self::TakenDown { .. }
                | Self::NotAvailable { final_word: true, .. }
                | Self::TooLarge { final_word: true, .. }
        )
    }
}
