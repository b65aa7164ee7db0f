//! What the names in a cell that raised hold: asked of the kernel, which may say anything or nothing.

use std::time::{Duration, Instant};

use nbrevive_notebook::CellFacts;
use nbrevive_sandbox::Ended;

use super::{Next, OVERTIME, Session};
use crate::connection::Channel;
use crate::wire::{expression_content, expression_value};

/// What is asked.
const SCRIPT: &str = include_str!("../../data/facts.py");
/// How many cells of one notebook are asked for.
pub(super) const MOST_CELLS: usize = 40;
/// How long the kernel may take to answer, and again after it was interrupted.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest cell that is asked for, in bytes.
const LONGEST_CELL: usize = 64 << 10;

impl Session<'_> {
    /// The facts of a cell that has just raised, `None` where none are to be had, or how the sandbox ended meanwhile. A kernel that does not
    /// answer is not asked again.
    pub(crate) fn facts(&mut self, cell: usize, code: &str, raised: &str) -> Option<Result<CellFacts, Ended>> {
        if self.facts_left == 0 || code.len() > LONGEST_CELL {
            return None;
        }
        self.facts_left -= 1;
        self.running.end_by(Instant::now() + 2 * PATIENCE + OVERTIME);
        let id = self.request("execute_request", &expression_content(&question(code, raised)));
        for is_last in [false, true] {
            match self.answer(&id, Instant::now() + PATIENCE) {
                Heard::Answer(claim) => {
                    return CellFacts::of_claim(&claim?).map(|facts| Ok(CellFacts { cell, ..facts }));
                }
                Heard::Ended(ended) => return Some(Err(ended)),
                Heard::Nothing if is_last => {}
                Heard::Nothing => self.running.interrupt(),
            }
        }
        self.facts_left = 0;
        None
    }

    fn answer(&mut self, id: &str, deadline: Instant) -> Heard {
        while Instant::now() < deadline {
            match self.next(deadline) {
                Next::Message(Channel::Shell, message) if message.parent == id && message.kind == "execute_reply" => {
                    return Heard::Answer(expression_value(&message.content));
                }
                Next::Message(Channel::Iopub, message) => self.collect(message),
                Next::Message(..) | Next::Connected => {}
                Next::Ended(ended) => return Heard::Ended(ended),
                Next::Lost(_) | Next::Silence => return Heard::Nothing,
            }
        }
        Heard::Nothing
    }
}

enum Heard {
    /// The kernel's claim, `None` where the answer holds none.
    Answer(Option<Vec<u8>>),
    Ended(Ended),
    Nothing,
}

/// One expression that runs the script in a namespace of its own. A text of JSON is one of Python too.
fn question(code: &str, raised: &str) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    format!(
        "(lambda own, space: (own.eval(own.compile({}, 'facts', 'exec'), space), space['told'])[1])\
         (__import__('builtins' if str is not bytes else '__builtin__'), {{'code': {}, 'raised': {}}})",
        text(SCRIPT),
        text(code),
        text(raised)
    )
}
