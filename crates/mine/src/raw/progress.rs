//! What is done and what is left, read off the journal alone.

use std::time::Duration;

use jiff::Timestamp;

use super::error::RawError;
use super::store::{KeptAnswers, RawStore};

/// How a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MiningStanding {
    /// A usable answer is kept.
    Done,
    /// The server said that there is nothing for us, often enough to believe it.
    Unavailable,
    /// Its answer is longer than the limit.
    TooLarge,
    /// It has to be asked (again).
    Left,
}

/// How far a plan of requests is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Requests with a usable answer.
    pub done: usize,
    /// Requests that are settled without one: nothing there for us, or too large.
    pub without: usize,
    /// Requests that are left.
    pub left: usize,
}

/// When a kept refusal (403, 404) or an answer that was too long is believed. Spurious refusals are known from servers
/// that are asked too fast (a public scraper of Kaggle met 404s that were none), so one alone is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Belief {
    /// Times that it takes. Default 2.
    pub times: usize,
    /// Least time between the first and the last of them. Default 60 s.
    pub apart: Duration,
}

impl Default for Belief {
    fn default() -> Self {
        Self { times: 2, apart: Duration::from_secs(60) }
    }
}

impl Belief {
    /// Whether the newest of these answers (newest first) say the same often enough.
    fn settles(&self, answers: &[KeptAnswers], says: impl Fn(&KeptAnswers) -> bool) -> bool {
        let times: Vec<Timestamp> = answers.iter().take_while(|kept| says(kept)).map(|kept| kept.at).collect();
        let (Some(last), Some(first)) = (times.first(), times.last()) else { return false };
        let apart = Duration::try_from(last.duration_since(*first)).unwrap_or_default();
        times.len() >= self.times.max(1) && apart >= self.apart
    }
}

impl KeptAnswers {
    /// Whether the server said that there is nothing for us.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self.status, Some(403 | 404 | 410))
    }
}

impl MiningStanding {
    /// How a request with these answers (newest first) stands, given the present limit in bytes.
    pub(crate) fn of(answers: &[KeptAnswers], belief: &Belief, limit: u64) -> Self {
        if answers.iter().any(|kept| kept.status == Some(200) && kept.body.is_some() && !kept.faulty) {
            Self::Done
        } else if belief.settles(answers, |kept| kept.over.is_some_and(|over| over >= limit)) {
            Self::TooLarge
        } else if belief.settles(answers, KeptAnswers::is_refusal) {
            Self::Unavailable
        } else {
            Self::Left
        }
    }
}

impl RawStore {
    /// How a request stands. `limit` is the present limit of an answer in bytes.
    ///
    /// # Errors
    /// [`RawError`] when the journal cannot be read.
    pub fn standing(&self, key: &str, belief: &Belief, limit: u64) -> Result<MiningStanding, RawError> {
        Ok(MiningStanding::of(&self.answers(key)?, belief, limit))
    }

    /// How far a plan is, by the natural keys of its requests.
    ///
    /// # Errors
    /// [`RawError`] when the journal cannot be read.
    pub fn progress<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a str>,
        belief: &Belief,
        limit: u64,
    ) -> Result<Progress, RawError> {
        let mut progress = Progress::default();
        for key in keys {
            match self.standing(key, belief, limit)? {
                MiningStanding::Done => progress.done += 1,
                MiningStanding::Unavailable | MiningStanding::TooLarge => progress.without += 1,
                MiningStanding::Left => progress.left += 1,
            }
        }
        Ok(progress)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::ContentHash;

    fn kept(second: i64, status: u16) -> KeptAnswers {
        let at = Timestamp::from_second(second).unwrap();
        KeptAnswers {
            at,
            status: Some(status),
            body: Some(ContentHash::of(b"")),
            faulty: false,
            over: None,
            etag: None,
            next: None,
        }
    }

    #[test]
    fn one_refusal_is_not_believed_two_apart_are() {
        let belief = Belief::default();
        let of = |answers: &[KeptAnswers]| MiningStanding::of(answers, &belief, 100);
        assert_eq!(of(&[]), MiningStanding::Left);
        assert_eq!(of(&[kept(0, 404)]), MiningStanding::Left);
        assert_eq!(of(&[kept(30, 403), kept(0, 404)]), MiningStanding::Left);
        assert_eq!(of(&[kept(90, 403), kept(0, 404)]), MiningStanding::Unavailable);
        assert_eq!(of(&[kept(90, 403), kept(80, 500), kept(0, 404)]), MiningStanding::Left);
        assert_eq!(of(&[kept(90, 403), kept(0, 200)]), MiningStanding::Done);
    }

    #[test]
    fn too_large_holds_until_the_limit_grows() {
        let large = |second| KeptAnswers { over: Some(100), body: None, ..kept(second, 200) };
        let of = |answers: &[KeptAnswers], limit| MiningStanding::of(answers, &Belief::default(), limit);
        assert_eq!(of(&[large(0)], 100), MiningStanding::Left);
        assert_eq!(of(&[large(60), large(0)], 100), MiningStanding::TooLarge);
        assert_eq!(of(&[large(60), large(0)], 101), MiningStanding::Left);
    }
}
