//! One process and what it says.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use nbrevive_notebook::Output;
use serde::Serialize;
use serde_json::Value;

use crate::collector::Collector;
use crate::settings::ExecutionSettings;

/// Longest line that is read whole, in bytes: a large picture as text. What is longer is left out, and the output counts as cut.
const LONGEST_LINE: usize = 32 << 20;
/// Longest that a name or message of an error may be, in characters.
const LONGEST_MESSAGE: usize = 2_000;

/// A process that waits. It ends when this is dropped.
#[derive(Debug)]
pub struct BranchProcess {
    stream: BufReader<UnixStream>,
    /// Its number in the sandbox, as it says.
    pub(super) pid: u64,
    /// Whether it has threads of its own, which a copy of it would not have.
    pub has_threads: bool,
}

/// What came of some code.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BranchStep {
    /// What it showed.
    pub outputs: Vec<Output>,
    /// Class and message of what it raised.
    pub raised: Option<(String, String)>,
    /// How the process ended under it, in words.
    pub ended: Option<String>,
    /// Whether files of the working folder are other ones now for all copies: they were too large, or too many, to be kept by each.
    pub wrote: bool,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NameState {
    /// The same for values with the same in them.
    pub digest: String,
    /// How it is shown, at most 200 characters of it.
    pub shown: String,
}

impl BranchProcess {
    /// A connection, if it is that of the process which is expected.
    pub(super) fn greet(stream: UnixStream, id: u64, patience: Duration) -> Option<Self> {
        stream.set_nonblocking(false).ok()?;
        let mut process = BranchProcess { stream: BufReader::new(stream), pid: 0, has_threads: false };
        let hello = process.line(Instant::now() + patience).ok()??;
        process.pid = hello["pid"].as_u64()?;
        (hello["hello"].as_u64() == Some(id)).then_some(process)
    }

    pub(super) fn ask(&mut self, request: &Value) -> io::Result<()> {
        let mut text = request.to_string();
        text.push('\n');
        self.stream.get_mut().write_all(text.as_bytes())
    }

    /// Collects what the process says until it is done, ends, or the time is up.
    pub(super) fn follow(&mut self, settings: &ExecutionSettings, deadline: Instant) -> io::Result<BranchStep> {
        let mut collector = Collector::new(1, settings);
        let mut step = BranchStep::default();
        loop {
            let line = match self.line(deadline) {
                Ok(Some(line)) => line,
                Ok(None) => {
                    collector.cut(0);
                    continue;
                }
                Err(error) => {
                    let is_late = matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock);
                    step.ended = Some(if is_late { "time was up" } else { "the process died" }.to_owned());
                    break;
                }
            };
            if let Some(done) = line.get("done") {
                let text = |place: usize| -> String {
                    done["raised"][place].as_str().unwrap_or_default().chars().take(LONGEST_MESSAGE).collect()
                };
                step.raised = done["raised"].is_array().then(|| (text(0), text(1)));
                step.ended = (done["exit"] == true).then(|| "exit was called".to_owned());
                step.wrote = done["wrote"] == true;
                self.has_threads = done["threads"].as_u64() != Some(1);
                break;
            }
            collector.take(0, line["type"].as_str().unwrap_or_default(), &line["content"]);
        }
        step.outputs = collector.finish(0);
        Ok(step)
    }

    /// Names as they are told.
    pub(super) fn names(&mut self, deadline: Instant) -> io::Result<BTreeMap<String, NameState>> {
        loop {
            let Some(line) = self.line(deadline)? else { continue };
            if let Some(names) = line["done"]["names"].as_object() {
                let text = |state: &Value, place: usize| state[place].as_str().unwrap_or_default().to_owned();
                let state = |state: &Value| NameState { digest: text(state, 0), shown: text(state, 1) };
                return Ok(names.iter().map(|(name, told)| (name.clone(), state(told))).collect());
            }
        }
    }

    /// The next line; none of one that is too long or no JSON.
    fn line(&mut self, until: Instant) -> io::Result<Option<Value>> {
        let (mut line, mut is_whole) = (Vec::new(), true);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.stream.get_ref().set_read_timeout(Some(left))?;
            let part = self.stream.fill_buf()?;
            if part.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(part.len(), |end| end + 1);
            is_whole &= line.len() + taken <= LONGEST_LINE;
            if is_whole {
                line.extend_from_slice(&part[..taken]);
            }
            self.stream.consume(taken);
            if end.is_some() {
                return Ok(is_whole.then(|| serde_json::from_slice(&line).ok()).flatten());
            }
        }
    }
}
