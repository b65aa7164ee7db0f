//! What the kept answers to a request settle.

use std::fmt::Display;

use jiff::Timestamp;

use crate::raw::{Belief, ContentHash, KeptAnswers, MiningStanding, RawError, RawStore};
use crate::records::{MiningSource, Origin};

/// The kept answers of a source, and when they count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept<'a> {
    pub(crate) store: &'a RawStore,
    pub(crate) source: MiningSource,
    /// When a refusal is final.
    pub(crate) belief: Belief,
    /// Longest answer that is taken, in bytes.
    pub(crate) limit: u64,
    /// Answers from before this are asked for again.
    pub(crate) since: Option<Timestamp>,
}

/// What they come to.
pub(crate) enum Settled<T> {
    /// The newest that today's parser reads.
    Answer(T),
    /// The answer is longer than allowed.
    TooLarge,
    /// There is nothing for us, by the status of the newest.
    Unavailable(u16),
    /// It has to be asked (again).
    Open,
}

impl Kept<'_> {
    /// The answers under a natural key that are young enough, newest first.
    fn usable(&self, key: &str) -> Result<Vec<KeptAnswers>, RawError> {
        let since = self.since.unwrap_or(Timestamp::MIN);
        Ok(self.store.answers(key)?.into_iter().filter(|kept| kept.at >= since).collect())
    }

    fn standing_of(&self, answers: &[KeptAnswers]) -> MiningStanding {
        MiningStanding::of(answers, &self.belief, self.limit)
    }

    /// How a request stands.
    pub(crate) fn standing(&self, key: &str) -> Result<MiningStanding, RawError> {
        Ok(self.standing_of(&self.usable(key)?))
    }

    /// Where a record is from that is read from a body.
    pub(crate) fn origin(&self, key: &str, body: &ContentHash) -> Origin {
        Origin { source: self.source, request: key.to_owned(), raw: body.clone() }
    }

    /// The newest answer that the parser reads, or what all of them settle.
    pub(crate) fn settle<T, F: Display>(
        &self,
        key: &str,
        parse: impl Fn(&[u8], &Origin) -> Result<T, F>,
    ) -> Result<Settled<T>, RawError> {
        let answers = self.usable(key)?;
        for body in answers.iter().filter(|kept| kept.status == Some(200)).filter_map(|kept| kept.body.as_ref()) {
            match self.store.read(body).map(|bytes| parse(&bytes, &self.origin(key, body))) {
                Ok(Ok(value)) => return Ok(Settled::Answer(value)),
                Ok(Err(fault)) => tracing::debug!(key, %fault, "kept answer is not usable"),
                Err(error) => tracing::debug!(key, %error, "kept answer is gone"),
            }
        }
        Ok(match self.standing_of(&answers) {
            MiningStanding::TooLarge => Settled::TooLarge,
            MiningStanding::Unavailable => {
                Settled::Unavailable(answers.first().and_then(|kept| kept.status).unwrap_or(404))
            }
            MiningStanding::Done | MiningStanding::Left => Settled::Open,
        })
    }
}
