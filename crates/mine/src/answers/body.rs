//! The body of an answer, piece by piece.

use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use reqwest::blocking::Response;

use crate::http::chain;
use crate::raw::{RawBody, RawError, RawStore};
use crate::secret::{Scrubber, Secret};

/// How long a body may be, and may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyLimits {
    /// In bytes.
    pub(crate) largest: u64,
    /// When it was asked for.
    pub(crate) start: Instant,
    /// From then until it is whole, however slowly it drips.
    pub(crate) whole: Duration,
}

/// Why a body did not come whole.
#[derive(Debug)]
pub(crate) enum Torn {
    /// It is longer than allowed.
    TooLarge,
    /// It ended before its time, or took too long: why, in words.
    Cut(String),
}

/// Writes a body, as far as its limits allow.
pub(crate) fn stream(response: &mut Response, to: &mut dyn Write, limits: &BodyLimits) -> io::Result<Result<(), Torn>> {
    if response.content_length().is_some_and(|length| length > limits.largest) {
        return Ok(Err(Torn::TooLarge));
    }
    let mut buffer = vec![0; 64 << 10];
    let mut length = 0;
    loop {
        let count = match response.read(&mut buffer) {
            Ok(0) => return Ok(Ok(())),
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Ok(Err(Torn::Cut(chain(&error)))),
        };
        length += count as u64;
        if length > limits.largest {
            return Ok(Err(Torn::TooLarge));
        }
        if limits.start.elapsed() > limits.whole {
            return Ok(Err(Torn::Cut(format!("it was not whole after {} s", limits.whole.as_secs()))));
        }
        to.write_all(buffer.get(..count).unwrap_or_default())?;
    }
}

/// Keeps a body without what must not be seen. One that is torn leaves nothing.
pub(crate) fn keep(
    response: &mut Response,
    store: &RawStore,
    secrets: &[Secret],
    limits: &BodyLimits,
) -> Result<Result<RawBody, Torn>, RawError> {
    let failed = |error| RawError::new("write in", store.folder(), error);
    let mut writer = Scrubber::new(store.writer()?, secrets);
    match stream(response, &mut writer, limits).map_err(failed)? {
        Ok(()) => Ok(Ok(writer.finish().map_err(failed)?.finish()?)),
        Err(torn) => Ok(Err(torn)),
    }
}
