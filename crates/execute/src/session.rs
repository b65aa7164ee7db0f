//! The conversation with one kernel: readiness, one cell at a time, interruption, facts, shutdown.

mod facts;

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use nbrevive_sandbox::{Ended, Running};
use serde_json::{Map, Value, json};

use crate::claims;
use crate::collector::{Collector, error_parts};
use crate::connection::Channel;
use crate::link::{Event, Link};
use crate::record::CellError;
use crate::settings::ExecutionSettings;
use crate::traceback::cell_line;
use crate::wire::{Message, Requests, Signer, decode, execute_content, silent_content};

/// How often readiness is asked for until it is answered.
const ASK_AGAIN: Duration = Duration::from_secs(1);
/// Silence after which a dead kernel's last messages have all arrived.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// How long last words may go on.
const LAST_WORDS_AT_MOST: Duration = Duration::from_secs(1);
/// The sandbox is ended this long after the time is up, whatever the kernel sends and however long we take to read it. With what the
/// end itself takes, all is dead two seconds after.
pub(crate) const OVERTIME: Duration = Duration::from_millis(1750);

/// Takes the kernel's own objects out of the garbage collector's sight (Python 3.7 and later), before the notebook has
/// made any. It spares two thirds of the time that a kernel takes to exit, and leaves no name behind.
const SET_KERNEL_ASIDE: &str = "getattr(__import__('gc'), 'freeze', int)()";

/// How one cell ended, as the kernel told it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CellEnd {
    /// It ran to its end.
    Ok,
    /// It ran to its end and asked the kernel to exit.
    ExitRequested,
    /// It raised.
    Error(CellError),
    /// The time was up; the kernel came back after the interrupt.
    Interrupted(Option<CellError>),
    /// The time was up and the kernel did not come back.
    Stuck,
    /// The sandbox ended under it.
    Died(Ended),
    /// The sockets failed while the kernel lives.
    Lost(String),
}

/// Why the kernel is not ready.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NotReady {
    Ended(Ended),
    TooSlow,
    Lost(String),
}

/// What happened next.
enum Next {
    Message(Channel, Message),
    Connected,
    Ended(Ended),
    Lost(String),
    Silence,
}

pub(crate) struct Session<'run> {
    link: Link,
    events: Receiver<Event>,
    signer: Signer,
    requests: Requests,
    running: &'run Running,
    settings: &'run ExecutionSettings,
    pub(crate) collector: Collector,
    /// Which request belongs to which cell, for output that comes late.
    cells: HashMap<String, usize>,
    current: Option<usize>,
    /// How many more cells the kernel is asked for facts of.
    facts_left: usize,
    pub(crate) counts: HashMap<usize, u64>,
    pub(crate) times: HashMap<usize, Map<String, Value>>,
}

/// State of one request under way.
#[derive(Default)]
struct Progress {
    reply: Option<Value>,
    replied: Option<Instant>,
    idle: bool,
}

impl<'run> Session<'run> {
    pub(crate) fn new(
        link: Link,
        events: Receiver<Event>,
        (signer, requests): (Signer, Requests),
        running: &'run Running,
        settings: &'run ExecutionSettings,
        collector: Collector,
    ) -> Self {
        let (cells, counts, times) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (current, facts_left) = (None, facts::MOST_CELLS);
        Self { link, events, signer, requests, running, settings, collector, cells, current, facts_left, counts, times }
    }

    fn request(&mut self, kind: &str, content: &Value) -> String {
        let (id, frames) = self.requests.build(kind, content);
        self.link.send(frames);
        id
    }

    fn next(&mut self, until: Instant) -> Next {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(Event::Frames(channel, frames)) => {
                    self.link.taken(&frames);
                    if let Some(message) = decode(&self.signer, &frames) {
                        return Next::Message(channel, message);
                    }
                    tracing::debug!(?channel, "message without a valid signature");
                }
                Ok(Event::Dropped) => self.current.into_iter().for_each(|cell| self.collector.cut(cell)),
                Ok(Event::Connected) => return Next::Connected,
                Ok(Event::Ended(ended)) => return Next::Ended(ended),
                Ok(Event::Lost(why)) => return Next::Lost(why),
                Err(RecvTimeoutError::Timeout) => return Next::Silence,
                Err(RecvTimeoutError::Disconnected) => return Next::Lost("the connection is closed".into()),
            }
            // What means nothing must not keep the clock from running out.
            if left.is_zero() {
                return Next::Silence;
            }
        }
    }

    /// Waits until the kernel has answered and its output channel is heard; gives its `kernel_info_reply`.
    pub(crate) fn ready(&mut self, deadline: Instant) -> Result<Value, NotReady> {
        let mut answer = None;
        let mut heard = false;
        let mut connected = false;
        let mut ask = deadline;
        loop {
            match self.next(ask.min(deadline)) {
                Next::Connected => (connected, ask) = (true, Instant::now()),
                Next::Message(Channel::Iopub, _) => heard = true,
                Next::Message(_, message) if message.kind == "kernel_info_reply" => answer = Some(message.content),
                Next::Message(..) | Next::Silence => {}
                Next::Ended(Ended::WallClock) => return Err(NotReady::TooSlow),
                Next::Ended(ended) => return Err(NotReady::Ended(ended)),
                Next::Lost(why) => return Err(NotReady::Lost(why)),
            }
            if heard && let Some(answer) = answer.take() {
                self.request("execute_request", &silent_content(SET_KERNEL_ASIDE));
                return Ok(answer);
            }
            if Instant::now() >= deadline {
                return Err(NotReady::TooSlow);
            }
            if connected && Instant::now() >= ask {
                // Once the shell has answered, only the output channel is missing: its subscription came late.
                ask = Instant::now() + if answer.is_some() { LAST_WORDS } else { ASK_AGAIN };
                self.request("kernel_info_request", &json!({}));
            }
        }
    }

    /// Runs one cell; at `deadline` it is interrupted. It is sent once, whatever the kernel says became of it: that a request was
    /// dropped is a claim, and code of the notebook can make it.
    pub(crate) fn run_cell(&mut self, index: usize, code: &str, deadline: Instant) -> CellEnd {
        self.current = Some(index);
        self.running.end_by(deadline + OVERTIME);
        let end = self.run_once(index, code, deadline);
        if let CellEnd::Died(_) | CellEnd::Stuck = end {
            self.last_words();
            self.count_unannounced(index);
        }
        end
    }

    /// A kernel that dies at once takes the announcement of its last cell along, every other time, and one that holds Python's lock sends
    /// none: it had the next number.
    fn count_unannounced(&mut self, index: usize) {
        let last = self.counts.iter().max().map_or(0, |(_, count)| *count);
        self.counts.entry(index).or_insert(last + 1);
    }

    fn run_once(&mut self, index: usize, code: &str, deadline: Instant) -> CellEnd {
        let id = self.request("execute_request", &execute_content(code));
        self.cells.insert(id.clone(), index);
        let mut progress = Progress::default();
        match self.follow(&id, index, &mut progress, deadline) {
            Followed::Done => self.shown(index, outcome(progress.reply)),
            Followed::Ended(Ended::WallClock) => CellEnd::Stuck,
            Followed::Ended(ended) => CellEnd::Died(ended),
            Followed::Lost(why) => CellEnd::Lost(why),
            Followed::Late => self.stop(&id, index, &mut progress),
        }
    }

    /// A magic such as `%time`, a widget and a figure that cannot be drawn show the error of what they ran, and reply that all is well.
    fn shown(&self, index: usize, end: CellEnd) -> CellEnd {
        match end {
            CellEnd::Ok => self.collector.shown_error(index).map_or(CellEnd::Ok, CellEnd::Error),
            end => end,
        }
    }

    /// Interrupts, twice if need be.
    fn stop(&mut self, id: &str, index: usize, progress: &mut Progress) -> CellEnd {
        for _ in 0..2 {
            self.running.interrupt();
            let deadline = Instant::now() + self.settings.interrupt_grace / 2;
            match self.follow(id, index, progress, deadline) {
                Followed::Done => {
                    let error = match outcome(progress.reply.take()) {
                        CellEnd::Error(error) => Some(error),
                        _ => None,
                    };
                    return CellEnd::Interrupted(error);
                }
                Followed::Ended(ended) if is_limit(&ended) => return CellEnd::Died(ended),
                // Whatever stood in the kernel's place died of the interrupt: its time was up.
                Followed::Ended(_) | Followed::Lost(_) => return CellEnd::Stuck,
                Followed::Late => {}
            }
        }
        CellEnd::Stuck
    }

    /// Collects until the request has its reply and its end of output.
    fn follow(&mut self, id: &str, index: usize, progress: &mut Progress, deadline: Instant) -> Followed {
        loop {
            let grace = progress.replied.map(|replied| (replied + self.settings.idle_grace).min(deadline));
            if progress.reply.is_some() && (progress.idle || grace.is_some_and(|grace| Instant::now() >= grace)) {
                if !progress.idle {
                    tracing::warn!(cell = index, "the end of the output was lost");
                }
                return Followed::Done;
            }
            let until = grace.unwrap_or(deadline);
            match self.next(until) {
                Next::Message(channel, message) => self.note(channel, message, id, index, progress),
                Next::Ended(ended) => return Followed::Ended(ended),
                Next::Lost(why) => return Followed::Lost(why),
                Next::Connected => {}
                Next::Silence if grace.is_none() => return Followed::Late,
                Next::Silence => {}
            }
            // A flood of output must not keep the clock from running out.
            if grace.is_none() && progress.reply.is_none() && Instant::now() >= deadline {
                return Followed::Late;
            }
        }
    }

    fn note(&mut self, channel: Channel, message: Message, id: &str, index: usize, progress: &mut Progress) {
        let ours = message.parent == id;
        match (channel, message.kind.as_str()) {
            (Channel::Iopub, "status") if ours => {
                let state = message.content["execution_state"].as_str().unwrap_or_default();
                if matches!(state, "busy" | "idle") {
                    self.stamp(index, &format!("iopub.status.{state}"), message.date);
                }
                progress.idle |= state == "idle";
            }
            (Channel::Iopub, _) => self.collect(message),
            // The first one counts: others would put off the end.
            (Channel::Shell, "execute_reply") if ours && progress.reply.is_none() => {
                self.stamp(index, "shell.execute_reply", message.date);
                progress.replied = Some(Instant::now());
                progress.reply = Some(message.content);
            }
            _ => {}
        }
    }

    /// Gives an output to the cell that asked for it, or to the one that runs when nobody knows; the one that runs has its number
    /// announced as well.
    fn collect(&mut self, message: Message) {
        let asked = self.cells.get(&message.parent).copied();
        if message.kind == "execute_input" {
            if let Some(cell) = asked.filter(|_| asked == self.current) {
                self.counts.extend(claims::count(&message.content).map(|count| (cell, count)));
                self.stamp(cell, "iopub.execute_input", message.date);
            }
        } else if let Some(cell) = asked.or(self.current) {
            self.collector.take(cell, &message.kind, &message.content);
        }
    }

    fn stamp(&mut self, cell: usize, key: &str, date: Option<String>) {
        if let Some(date) = date {
            self.times.entry(cell).or_default().insert(key.to_owned(), Value::String(date));
        }
    }

    /// Output that was under way when the kernel died.
    fn last_words(&mut self) {
        let end = Instant::now() + LAST_WORDS_AT_MOST;
        while Instant::now() < end {
            match self.next(Instant::now() + LAST_WORDS) {
                Next::Message(Channel::Iopub, message) => self.collect(message),
                Next::Message(..) | Next::Connected => {}
                Next::Ended(_) | Next::Lost(_) | Next::Silence => return,
            }
        }
    }

    /// Asks the kernel to end and waits for it this long, so that it can flush its files; `None` when it did not.
    ///
    /// On the shell channel, which every kernel allows: asked on the control channel, ipykernel 7 locks up about once
    /// in a hundred times, since its control thread reports itself idle to an output thread that is gone already.
    pub(crate) fn shut_down(&mut self, patience: Duration) -> Option<Ended> {
        self.request("shutdown_request", &json!({ "restart": false }));
        self.await_end(patience)
    }

    /// Waits for the end of the sandbox, collecting what is still said.
    pub(crate) fn await_end(&mut self, patience: Duration) -> Option<Ended> {
        let deadline = Instant::now() + patience;
        loop {
            match self.next(deadline) {
                Next::Message(Channel::Iopub, message) => self.collect(message),
                Next::Message(..) | Next::Connected => {}
                Next::Ended(ended) => return Some(ended),
                Next::Lost(_) => return self.running.wait(deadline.saturating_duration_since(Instant::now())),
                Next::Silence => return None,
            }
            if Instant::now() >= deadline {
                return None;
            }
        }
    }
}

enum Followed {
    Done,
    Late,
    Ended(Ended),
    Lost(String),
}

/// The reply's verdict: an unknown magic, for one, sends no error on the output channel.
fn outcome(reply: Option<Value>) -> CellEnd {
    let reply = reply.unwrap_or_default();
    match reply["status"].as_str() {
        Some("ok") => {
            let payloads = reply["payload"].as_array().map(Vec::as_slice).unwrap_or_default();
            let exit = payloads.iter().any(|payload| payload["source"] == "ask_exit");
            if exit { CellEnd::ExitRequested } else { CellEnd::Ok }
        }
        Some("error") => {
            let (ename, evalue, traceback) = error_parts(&reply);
            let line = cell_line(&evalue, &traceback);
            CellEnd::Error(CellError { ename, evalue, traceback, line })
        }
        _ => CellEnd::Error(CellError {
            ename: "ExecutionAborted".into(),
            evalue: "the kernel dropped the request".into(),
            traceback: Vec::new(),
            line: None,
        }),
    }
}

/// Whether the sandbox ended the kernel for what it used, time apart.
pub(crate) fn is_limit(ended: &Ended) -> bool {
    matches!(ended, Ended::Memory | Ended::Disk | Ended::Cpu)
}
