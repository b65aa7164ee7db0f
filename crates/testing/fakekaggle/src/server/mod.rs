//! The server, over the wire of `nbrevive-loopback`.

use std::sync::atomic::Ordering;
use std::time::Duration;

use nbrevive_loopback::{Delivery, Reply, Request, Server};

use crate::faults::{Effects, FaultRule, transform};
use crate::log::ServedRequest;
use crate::refusal::{Generation, too_many};
use crate::replace::replace;
use crate::route;
use crate::settings::FakeServerSettings;
use crate::shared::Shared;
use crate::site::FakeCredentials;
use crate::world::FakeWorld;

/// Why the server did not start.
#[derive(Debug, thiserror::Error)]
pub enum FakeKaggleStartError {
    /// The port is taken, or sockets are not allowed.
    #[error("cannot listen on port {port} of the loopback address; choose another port or 0 for any")]
    Listen {
        /// The port that was asked for.
        port: u16,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A running server. It stops, and all its connections end, when it is dropped.
#[derive(Debug)]
pub struct FakeKaggle {
    server: Server<Shared>,
}

impl FakeKaggle {
    /// Starts a server of its own world on the loopback address.
    pub fn start(settings: FakeServerSettings) -> Result<Self, FakeKaggleStartError> {
        Self::start_with(settings, FakeWorld::new(settings.world))
    }

    /// Starts a server of a world that was made before, for example with real notebooks.
    pub fn start_with(settings: FakeServerSettings, world: FakeWorld) -> Result<Self, FakeKaggleStartError> {
        let failed = |source| FakeKaggleStartError::Listen { port: settings.port, source };
        Ok(Self { server: Server::start(settings.port, Shared::new(settings, world)).map_err(failed)? })
    }

    /// The address, without a slash at its end: it stands for `https://www.kaggle.com` and for the API's own host.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// What the server accepts.
    pub fn credentials(&self) -> &FakeCredentials {
        &self.server.site().site.credentials
    }

    /// The world behind the server.
    pub fn world(&self) -> &FakeWorld {
        &self.server.site().site.world
    }

    /// Adds a rule after those that are there.
    pub fn add_rule(&self, rule: FaultRule) {
        self.server.site().switchboard.add(rule);
    }

    /// Ends all rules.
    pub fn clear_rules(&self) {
        self.server.site().switchboard.clear();
    }

    /// The requests so far, in the order in which they came; those to the control address are not among them.
    pub fn log(&self) -> Vec<ServedRequest> {
        self.server.site().log().clone()
    }

    /// Forgets the requests so far.
    pub fn clear_log(&self) {
        self.server.site().log().clear();
    }

    /// Waits until the server is stopped from elsewhere, which only a signal does: for the program.
    pub fn wait(self) {
        self.server.wait();
    }
}

/// A request in work: how many were, and its place in the log and when the entry was written, by which a cleared log is
/// noticed. The control address leaves no mark.
pub(crate) type Mark = Option<(usize, Duration)>;

impl nbrevive_loopback::Site for Shared {
    type Mark = Mark;

    fn begin(&self, request: &Request) -> Mark {
        let concurrent = self.in_work.fetch_add(1, Ordering::SeqCst) + 1;
        if route::is_control(request) {
            return None;
        }
        let mut log = self.log();
        let started = self.started.elapsed();
        log.push(ServedRequest::new(request, &self.site.credentials, started, concurrent));
        Some((log.len() - 1, started))
    }

    fn answer(&self, request: &Request) -> (Reply, Delivery) {
        self.reply(request)
    }

    fn note(&self, mark: &Mark, status: u16) {
        self.change(mark, |entry, _| entry.status = Some(status));
    }

    fn end(&self, mark: &Mark, status: Option<u16>) {
        self.in_work.fetch_sub(1, Ordering::SeqCst);
        self.change(mark, |entry, now| {
            entry.ended = Some(now);
            entry.status = status.or(entry.status);
        });
    }
}

impl Shared {
    fn change(&self, mark: &Mark, change: impl FnOnce(&mut ServedRequest, Duration)) {
        let Some((place, started)) = *mark else { return };
        let now = self.started.elapsed();
        if let Some(entry) = self.log().get_mut(place).filter(|entry| entry.started == started) {
            change(entry, now);
        }
    }

    /// The answer to a request and how it is to be sent.
    fn reply(&self, request: &Request) -> (Reply, Delivery) {
        if route::is_control(request) {
            return (route::answer(self, request, &Effects::default()), Delivery::Whole);
        }
        let has_session = request.cookie("ka_sessionid") == Some(&self.site.credentials.session);
        let effects = self.switchboard.effects(request, has_session);
        let reply = match effects.instead.as_ref().and_then(|fault| replace(fault, request)) {
            Some(reply) => reply,
            None if self.is_too_fast(request) => {
                too_many(Generation::of(request)).reply(Generation::of(request)).with("Retry-After", "1")
            }
            None => route::answer(self, request, &effects),
        };
        let reply = effects.transforms.iter().fold(reply, |reply, fault| transform(fault, reply));
        std::thread::sleep(self.settings.latency);
        (self.encoded(request, reply), effects.delivery)
    }

    fn encoded(&self, request: &Request, reply: Reply) -> Reply {
        let is_accepted = request.header("accept-encoding").is_some_and(|value| value.contains("gzip"));
        if !(self.settings.has_gzip && is_accepted) {
            return reply;
        }
        reply.compressed().unwrap_or_else(|error| Reply::new(500, "text/plain", error.to_string()))
    }

    /// Whether more requests to the API came within the last second than the settings allow.
    fn is_too_fast(&self, request: &Request) -> bool {
        let Some(limit) = self.settings.requests_per_second else { return false };
        if !matches!(Generation::of(request), Generation::Legacy | Generation::Modern) {
            return false;
        }
        let now = self.started.elapsed();
        let log = self.log();
        let recent = log.iter().rev().take_while(|entry| now.saturating_sub(entry.started) < Duration::from_secs(1));
        recent.filter(|entry| entry.target.starts_with("/api/v1/") || entry.target.starts_with("/v1/")).count() > limit
    }
}

#[cfg(test)]
mod tests;
