//! One try after another, until an answer comes or enough was tried.

use std::fmt::Display;
use std::time::Duration;

use crate::budget::{Patience, chance};

/// A try that another try may mend.
pub(crate) struct Failure<E> {
    error: E,
    /// Tries that it deserves.
    attempts: u32,
    /// What the server wants, if it wants something.
    hold: Option<Hold>,
}

/// The server wants to be left alone: everybody waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hold {
    /// For how long; `None` leaves it to us.
    pub(crate) time: Option<Duration>,
    /// Whether with everything, not with requests of this kind alone.
    pub(crate) is_secondary: bool,
}

/// What one try came to: `Err` ends all of them.
pub(crate) type Tried<T, E> = Result<Result<T, Failure<E>>, E>;

impl<E> Failure<E> {
    /// One that time may cure: patience says how often it is tried again.
    pub(crate) fn passing(error: E) -> Self {
        Self { error, attempts: u32::MAX, hold: None }
    }

    /// One that may be meant so: that many tries are enough.
    pub(crate) fn doubtful(error: E, attempts: u32) -> Self {
        Self { error, attempts, hold: None }
    }

    /// The server wants fewer requests, for as long as it may say.
    pub(crate) fn limit(error: E) -> Self {
        Self::passing(error).held_back(Hold { time: None, is_secondary: false })
    }

    /// The server wants to be left alone.
    pub(crate) fn held_back(self, hold: Hold) -> Self {
        Self { hold: Some(hold), ..self }
    }

    /// The same where the server says for how long, if it does.
    pub(crate) fn asked_for(self, time: Option<Duration>) -> Self {
        if time.is_some() { self.held_back(Hold { time, is_secondary: false }) } else { self }
    }
}

/// Tries until it is done, or enough was tried. `attempt` is told the number of the try, from 1; `rest` waits, and sees to it that
/// everybody does where the server wants that.
pub(crate) fn persist<T, E: Display>(
    patience: &Patience,
    mut attempt: impl FnMut(u32) -> Tried<T, E>,
    rest: impl Fn(Duration, Option<Hold>) -> Result<(), E>,
) -> Result<T, E> {
    let mut failed = 0;
    loop {
        failed += 1;
        let Failure { error, attempts, hold } = match attempt(failed)? {
            Ok(found) => return Ok(found),
            Err(failure) => failure,
        };
        let pause = patience.pause(failed, hold.and_then(|hold| hold.time), chance());
        let Some(pause) = pause.filter(|_| failed < attempts) else { return Err(error) };
        tracing::debug!(failed, ?pause, %error, "request failed, trying again");
        rest(pause, hold)?;
    }
}
