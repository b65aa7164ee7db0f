//! The two servers: the API, and the host of its archives.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::{Arc, Mutex, OnceLock};

use jiff::Timestamp;
use nbrevive_loopback::{Delivery, Reply, ReplyBody, Request, Server, Site, http_date, lock};

use crate::archive::packed;
use crate::faults::{HubFault, HubRule, Switchboard};
use crate::files::{HubFile, files};
use crate::random::Purpose;
use crate::rates::{HubLimits, Rates, primary, refused, secondary};
use crate::repositories::{self, Addresses};
use crate::search;
use crate::world::HubWorld;
use nbrevive_loopback::RandomStream;

/// A clock that tests move: the time, shared with who sleeps by it. `None` is the system's.
pub type HubClock = Option<Arc<Mutex<Timestamp>>>;

/// Which of the two servers was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HubHost {
    /// The API.
    Api,
    /// The host of its archives.
    Archives,
}

/// One request that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubLog {
    /// Which server.
    pub host: HubHost,
    /// Path and query.
    pub target: String,
    /// Whether it showed the token, in a header or, as it must not, elsewhere.
    pub has_token: bool,
    /// Whether it named an answer that it has.
    pub is_conditional: bool,
    /// When, by the clock.
    pub at: Timestamp,
    /// The status; `None` while no head was sent.
    pub status: Option<u16>,
}

/// A running pair of servers. They stop when this is dropped.
#[derive(Debug)]
pub struct FakeGitHub {
    api: Server<Side>,
    archives: Server<Side>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    world: HubWorld,
    limits: HubLimits,
    clock: HubClock,
    token: String,
    switchboard: Switchboard,
    rates: Mutex<Rates>,
    log: Mutex<Vec<HubLog>>,
    /// The addresses of both, once they are known.
    urls: OnceLock<(String, String)>,
}

/// One of the two.
#[derive(Debug)]
struct Side {
    host: HubHost,
    shared: Arc<Shared>,
}

impl FakeGitHub {
    /// Starts the servers of a world on the loopback address.
    ///
    /// # Errors
    /// Those of the system: sockets are not allowed.
    pub fn start(world: HubWorld, limits: HubLimits) -> io::Result<Self> {
        Self::start_by(world, limits, None)
    }

    /// The same by a clock that a test moves.
    ///
    /// # Errors
    /// Those of the system.
    pub fn start_by(world: HubWorld, limits: HubLimits, clock: HubClock) -> io::Result<Self> {
        let token = format!("ghp_{}", RandomStream::of(world.seed(), Purpose::Token, 0).hex(36));
        let shared = Arc::new(Shared {
            world,
            limits,
            clock,
            token,
            switchboard: Switchboard::default(),
            rates: Mutex::default(),
            log: Mutex::default(),
            urls: OnceLock::new(),
        });
        let side = |host| Server::start(0, Side { host, shared: Arc::clone(&shared) });
        let (api, archives) = (side(HubHost::Api)?, side(HubHost::Archives)?);
        let _ = shared.urls.set((api.url(), archives.url()));
        Ok(Self { api, archives, shared })
    }

    /// The API's address, without a slash at its end.
    #[must_use]
    pub fn url(&self) -> String {
        self.api.url()
    }

    /// The address of the archives.
    #[must_use]
    pub fn archives_url(&self) -> String {
        self.archives.url()
    }

    /// The token that is accepted; worthless anywhere else.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.shared.token
    }

    /// The world behind the servers.
    #[must_use]
    pub fn world(&self) -> &HubWorld {
        &self.shared.world
    }

    /// The files of a commit of a repository.
    #[must_use]
    pub fn files(&self, name: &str, commit: &str) -> Vec<HubFile> {
        let found = self.shared.world.named(name);
        found.map(|one| files(self.shared.world.seed(), one, commit)).unwrap_or_default()
    }

    /// Adds a rule after those that are there.
    pub fn add_rule(&self, rule: HubRule) {
        self.shared.switchboard.add(rule);
    }

    /// Ends all rules.
    pub fn clear_rules(&self) {
        self.shared.switchboard.clear();
    }

    /// The requests so far, in the order in which they came.
    #[must_use]
    pub fn log(&self) -> Vec<HubLog> {
        lock(&self.shared.log).clone()
    }
}

impl Shared {
    fn now(&self) -> Timestamp {
        self.clock.as_ref().map_or_else(Timestamp::now, |clock| *lock(clock))
    }

    fn urls(&self) -> (&str, &str) {
        self.urls.get().map_or(("", ""), |(api, archives)| (api, archives))
    }

    /// The API's answer, counted and named.
    fn api(&self, request: &Request, fault: Option<&HubFault>) -> Reply {
        if let Some(reply) = self.unfit(request) {
            return reply;
        }
        let (now, is_search) = (self.now(), request.path.starts_with("/search/"));
        let (count, is_too_fast) = {
            let mut rates = lock(&self.rates);
            let is_too_fast = rates.is_too_fast(now, &self.limits);
            (rates.count(is_search, now, &self.limits), is_too_fast)
        };
        let (url, archives) = self.urls();
        let reply = if count.is_over {
            primary()
        } else if is_too_fast {
            secondary(self.limits.says_when.then_some(60))
        } else if let Some(reply) = fault.and_then(|fault| fault.instead(url, &request.target)) {
            reply
        } else if is_search {
            search::answer(&self.world, url, request, fault == Some(&HubFault::OutOfTime))
        } else {
            repositories::answer(&self.world, &Addresses { api: url, archives }, &request.segments())
        };
        count.on(self.conditional(request, reply, is_search)).with("Date", &http_date(now))
    }

    /// Why a request is not looked at.
    fn unfit(&self, request: &Request) -> Option<Reply> {
        if request.header("user-agent").is_none_or(str::is_empty) {
            return Some(refused(403, "Request forbidden by administrative rules."));
        }
        if request.header("x-github-api-version").is_some_and(|version| version != "2022-11-28") {
            return Some(refused(400, "The version is not supported."));
        }
        let is_ours = request.header("authorization") == Some(&format!("Bearer {}", self.token));
        (!is_ours).then(|| refused(401, "Bad credentials"))
    }

    /// The answer by its name: nothing where the client has it.
    fn conditional(&self, request: &Request, reply: Reply, is_search: bool) -> Reply {
        let (200, ReplyBody::Bytes(bytes)) = (reply.status, &reply.body) else { return reply };
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let name = format!("W/\"{:016x}\"", hasher.finish());
        if request.header("if-none-match") != Some(&name) {
            return reply.with("ETag", &name);
        }
        lock(&self.rates).give_back(is_search);
        Reply::new(304, "application/json; charset=utf-8", "").with("ETag", &name)
    }

    /// An archive.
    fn archive(&self, request: &Request, fault: Option<&HubFault>) -> Reply {
        if let Some(reply) = fault.and_then(|fault| fault.instead(self.urls().1, &request.target)) {
            return reply;
        }
        let segments = request.segments();
        let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
        let [owner, name, "legacy.tar.gz", commit] = parts.as_slice() else { return refused(404, "Not Found") };
        let Some(one) = self.world.named(&format!("{owner}/{name}")).filter(|one| one.commit(commit).is_some()) else {
            return refused(404, "Not Found");
        };
        let other = "f".repeat(40);
        let named = if fault == Some(&HubFault::OtherCommit) { &other } else { *commit };
        match packed(one, commit, named, &files(self.world.seed(), one, commit)) {
            Ok(bytes) => Reply::new(200, "application/x-gzip", bytes),
            Err(error) => Reply::new(500, "text/plain", error.to_string()),
        }
    }
}

impl Site for Side {
    type Mark = usize;

    fn begin(&self, request: &Request) -> usize {
        let shared = &self.shared;
        let has_token = request.headers.iter().any(|(_, value)| value.contains(&shared.token))
            || request.target.contains(&shared.token);
        let mut log = lock(&shared.log);
        log.push(HubLog {
            host: self.host,
            target: request.target.clone(),
            has_token,
            is_conditional: request.header("if-none-match").is_some(),
            at: shared.now(),
            status: None,
        });
        log.len() - 1
    }

    fn answer(&self, request: &Request) -> (Reply, Delivery) {
        let fault = self.shared.switchboard.fault(&request.target, self.shared.world.seed());
        let reply = match self.host {
            HubHost::Api => self.shared.api(request, fault.as_ref()),
            HubHost::Archives => self.shared.archive(request, fault.as_ref()),
        };
        let delivery = fault.as_ref().map_or(Delivery::Whole, HubFault::delivery);
        (fault.map_or(reply.clone(), |fault| fault.change(reply)), delivery)
    }

    fn note(&self, mark: &usize, status: u16) {
        if let Some(entry) = lock(&self.shared.log).get_mut(*mark) {
            entry.status = Some(status);
        }
    }

    fn end(&self, mark: &usize, status: Option<u16>) {
        if let (Some(entry), Some(status)) = (lock(&self.shared.log).get_mut(*mark), status) {
            entry.status = Some(status);
        }
    }
}

#[cfg(test)]
mod tests;
