//! What answers the requests of a server, and how its answers are to be sent.

use crate::reply::Reply;
use crate::request::Request;

/// What happens to an answer on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Delivery {
    /// Nothing.
    #[default]
    Whole,
    /// The connection is reset after a part of the head.
    ResetInHeaders,
    /// The connection is reset after half of the body.
    ResetInBody,
    /// The connection is closed in order, but after half of the announced body.
    CutShort,
    /// No byte ever comes.
    Stall,
    /// The head and half of the body come, then nothing.
    StallInBody,
    /// The body comes at so many bytes a second, more than 0.
    Drip(u64),
}

/// What answers, and keeps a log.
pub trait Site: Send + Sync + 'static {
    /// By what a request is found again in the log.
    type Mark;

    /// Notes that a request came.
    fn begin(&self, request: &Request) -> Self::Mark;

    /// The answer to a request and how it is to be sent.
    fn answer(&self, request: &Request) -> (Reply, Delivery);

    /// Notes the status of an answer that is not over yet.
    fn note(&self, mark: &Self::Mark, status: u16);

    /// Notes that the answer is out or has failed, with its status where a head was sent. Called once for each request,
    /// before the last byte goes out: a client that has its answer finds it in the log.
    fn end(&self, mark: &Self::Mark, status: Option<u16>);
}

/// A request in work.
pub(crate) struct Work<'a, S: Site> {
    site: &'a S,
    mark: S::Mark,
    is_over: bool,
}

impl<'a, S: Site> Work<'a, S> {
    pub(crate) fn begin(site: &'a S, request: &Request) -> Self {
        Self { site, mark: site.begin(request), is_over: false }
    }

    /// Ends it; only the first call counts.
    pub(crate) fn end(&mut self, status: Option<u16>) {
        if !std::mem::replace(&mut self.is_over, true) {
            self.site.end(&self.mark, status);
        }
    }

    pub(crate) fn set_status(&self, status: u16) {
        self.site.note(&self.mark, status);
    }
}

impl<S: Site> Drop for Work<'_, S> {
    fn drop(&mut self) {
        self.end(None);
    }
}
