//! The other side, for tests: a loopback server that speaks both protocols of language models, bad days included.
//!
//! ```
//! use nbrevive_fakemodel::{Act, FakeModel, Say};
//!
//! let server = FakeModel::start()?;
//! server.then(Act::status(429, "rate_limit_exceeded").retry_after("1"));
//! server.then(Say::text("Plan: …"));
//! // … let the client ask `server.url()` with `server.key()`, then judge it by `server.log()` and `server.bills()`.
//! assert!(server.url().ends_with("/v1"));
//! # Ok::<(), nbrevive_fakemodel::FakeModelStartError>(())
//! ```
//!
//! `POST /v1/chat/completions` and `POST /v1/responses` answer in the shapes that OpenAI documents. What is said, and what
//! goes wrong, is scripted: each request takes the next act of the queue, and the standing act once the queue is empty.
//! An answer is billed as soon as the model "has spoken", also when the client never gets it; a request that repeats an
//! `Idempotency-Key` gets the first answer again and is not billed again.
//!
//! For people and shell tests there is a program, `cargo run -p nbrevive-fakemodel -- --port 7778 --script FILE`, which prints its
//! address and key; a file is a [`Script`], or the record of a dialogue.

mod act;
mod command;
mod desk;
mod log;
mod script;
mod wire;

pub use act::{Act, Say, Tokens, What};
pub use desk::{FakeModel, FakeModelStartError};
pub use log::{BilledTokens, LogEntry};
pub use nbrevive_loopback::Delivery;
pub use script::{Script, ScriptError};
pub use wire::WireProtocol;

/// The program: does what was typed.
///
/// # Errors
///
/// Says what could not be read, written or listened on.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    command::run()
}
