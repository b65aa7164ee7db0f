//! The server: takes the next act for each request, and keeps the log and the bills.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use nbrevive_loopback::{Delivery, Reply, Request, Server, Site, lock};
use serde_json::Value;

use crate::act::{Act, Say, What};
use crate::log::{BilledTokens, LogEntry, is_authorized};
use crate::script::Script;
use crate::wire::{WireProtocol, reply};

/// What the server accepts. Worthless anywhere else.
const KEY: &str = "sk-fake-0123456789abcdef0123456789abcdef";

/// Why the server did not start.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on the loopback address: {0}")]
pub struct FakeModelStartError(#[from] std::io::Error);

/// A running server. It stops, and all its connections end, when it is dropped.
#[derive(Debug)]
pub struct FakeModel {
    server: Server<Desk>,
}

#[derive(Debug)]
struct Desk {
    started: Instant,
    in_work: AtomicUsize,
    state: Mutex<State>,
    gate: Mutex<()>,
}

#[derive(Debug)]
struct State {
    queue: VecDeque<Act>,
    standing: Act,
    log: Vec<LogEntry>,
    bills: Vec<BilledTokens>,
    spoken: HashMap<String, What>,
}

impl FakeModel {
    /// Starts a server on a free port of the loopback address. It says `ok` until told otherwise.
    ///
    /// # Errors
    /// [`FakeModelStartError`] when sockets are not allowed.
    pub fn start() -> Result<Self, FakeModelStartError> {
        Self::start_on(0)
    }

    /// The same on a port; 0 for any that is free.
    ///
    /// # Errors
    /// [`FakeModelStartError`] when the port is taken or sockets are not allowed.
    pub fn start_on(port: u16) -> Result<Self, FakeModelStartError> {
        let state = State {
            queue: VecDeque::new(),
            standing: Say::text("ok").into(),
            log: Vec::new(),
            bills: Vec::new(),
            spoken: HashMap::new(),
        };
        let (started, in_work) = (Instant::now(), AtomicUsize::new(0));
        let desk = Desk { started, in_work, state: Mutex::new(state), gate: Mutex::new(()) };
        Ok(Self { server: Server::start(port, desk)? })
    }

    /// The base address of both protocols, without a slash at its end.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/v1", self.server.url())
    }

    /// The key that is accepted.
    #[must_use]
    pub fn key(&self) -> &'static str {
        KEY
    }

    /// Adds an act to the end of the queue.
    pub fn then(&self, act: impl Into<Act>) {
        self.server.site().lock().queue.push_back(act.into());
    }

    /// What happens to requests once the queue is empty.
    pub fn otherwise(&self, act: impl Into<Act>) {
        self.server.site().lock().standing = act.into();
    }

    /// Adds a script to the end of the queue.
    pub fn play(&self, script: Script) {
        let mut state = self.server.site().lock();
        state.queue.extend(script.acts);
        if let Some(act) = script.otherwise {
            state.standing = act;
        }
    }

    /// Serves until the program is stopped.
    pub fn wait(self) {
        self.server.wait();
    }

    /// Holds all answers back until the guard is dropped: requests arrive and are logged, and the model has not spoken yet.
    pub fn hold(&self) -> MutexGuard<'_, ()> {
        lock(&self.server.site().gate)
    }

    /// The requests so far, in the order in which they came.
    #[must_use]
    pub fn log(&self) -> Vec<LogEntry> {
        self.server.site().lock().log.clone()
    }

    /// The answers that the client owes for.
    #[must_use]
    pub fn bills(&self) -> Vec<BilledTokens> {
        self.server.site().lock().bills.clone()
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

impl State {
    /// What happens to a request that is in order.
    fn act(&mut self, idempotency: Option<&str>) -> Act {
        if let Some(what) = idempotency.and_then(|key| self.spoken.get(key)) {
            return what.clone().into();
        }
        let act = self.queue.pop_front().unwrap_or_else(|| self.standing.clone());
        if let What::Say(say) = &act.what {
            self.bills.push(BilledTokens { idempotency: idempotency.map(str::to_owned), tokens: say.tokens });
            if let Some(key) = idempotency {
                self.spoken.insert(key.to_owned(), act.what.clone());
            }
        }
        act
    }
}

impl Site for Desk {
    type Mark = usize;

    fn begin(&self, request: &Request) -> usize {
        let concurrent = self.in_work.fetch_add(1, Ordering::SeqCst) + 1;
        let mut state = self.lock();
        state.log.push(LogEntry::new(request, KEY, self.started.elapsed(), concurrent));
        state.log.len() - 1
    }

    fn answer(&self, request: &Request) -> (Reply, Delivery) {
        let refuse = |status, code: &str, message: &str| {
            let act = Act::status(status, code).message(message);
            (reply(&act.what, WireProtocol::ChatCompletions, ""), Delivery::Whole)
        };
        let Some(protocol) = WireProtocol::of(&request.path).filter(|_| request.method == "POST") else {
            return refuse(404, "not_found", "no such address");
        };
        if !is_authorized(request, KEY) {
            let shown = request.header("authorization").unwrap_or("none");
            return refuse(401, "invalid_api_key", &format!("Incorrect API key provided: {shown}"));
        }
        let Ok(body) = request.json() else { return refuse(400, "invalid_json", "the body is not JSON") };
        let Some(model) = body["model"].as_str() else { return refuse(400, "missing_model", "no model is named") };
        let field = match protocol {
            WireProtocol::ChatCompletions => "messages",
            WireProtocol::Responses => "input",
        };
        if body[field].as_array().is_none_or(Vec::is_empty) || body["stream"] == Value::Bool(true) {
            return refuse(400, "invalid_request", "no messages, or a stream is asked for");
        }
        drop(lock(&self.gate));
        let act = self.lock().act(request.header("idempotency-key"));
        std::thread::sleep(act.delay);
        (reply(&act.what, protocol, model), act.delivery)
    }

    fn note(&self, mark: &usize, status: u16) {
        if let Some(entry) = self.lock().log.get_mut(*mark) {
            entry.status = Some(status);
        }
    }

    fn end(&self, mark: &usize, status: Option<u16>) {
        self.in_work.fetch_sub(1, Ordering::SeqCst);
        if let Some(entry) = self.lock().log.get_mut(*mark) {
            entry.status = status.or(entry.status);
        }
    }
}

#[cfg(test)]
mod tests;
