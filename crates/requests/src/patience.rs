//! How patiently a failed request is repeated, what `Retry-After` says, and what is said of the failure.

use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::{rfc2822, strtime};

/// How often and how fast a request is repeated. Only failures that time can cure are: 429, 5xx, connections refused,
/// reset or stalled, answers cut short or unreadable. The defaults are those of Kaggle's official client, with jitter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patience {
    /// Tries in all, the first included; 0 counts as 1. Default 8.
    pub attempts: u32,
    /// Pause before the second try. Default 0.5 s.
    pub delay: Duration,
    /// Growth of the pause from try to try. Default 1.7.
    pub growth: f64,
    /// Longest pause of our own choice. Default 60 s.
    pub ceiling: Duration,
    /// Longest pause that a server may ask for; it is knocked again after this. Default none.
    pub obedience: Duration,
    /// Share of a pause that is left to chance, 0 to 1. Default 0.5.
    pub jitter: f64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            attempts: 8,
            delay: Duration::from_millis(500),
            growth: 1.7,
            ceiling: Duration::from_secs(60),
            obedience: Duration::MAX,
            jitter: 0.5,
        }
    }
}

impl Patience {
    /// The pause after the `failed`-th failure (from 1), or `None` when enough was tried. A pause that the server asks
    /// for is not shortened below [`Patience::obedience`]; chance makes it up to a tenth longer. `chance` is from 0 to 1.
    #[must_use]
    pub fn pause(&self, failed: u32, asked: Option<Duration>, chance: f64) -> Option<Duration> {
        if failed >= self.attempts {
            return None;
        }
        let chance = chance.clamp(0.0, 1.0);
        if let Some(asked) = asked.map(|asked| asked.min(self.obedience)) {
            return Some(asked.saturating_add(Duration::from_secs_f64(asked.as_secs_f64().min(600.0) * 0.1 * chance)));
        }
        let exponent = i32::try_from(failed.saturating_sub(1)).unwrap_or(i32::MAX);
        let grown = self.delay.as_secs_f64() * self.growth.max(1.0).powi(exponent);
        let full = grown.min(self.ceiling.as_secs_f64());
        Some(Duration::from_secs_f64(full * (1.0 - self.jitter.clamp(0.0, 1.0) * chance)))
    }
}

/// The pause that a `Retry-After` header asks for: seconds, or an HTTP date in any of its three forms (RFC 9110,
/// sections 5.6.7 and 10.2.3). `None` for other text. A date in the past is no pause.
#[must_use]
pub fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let usual = rfc2822::DateTimeParser::new().parse_timestamp(text).ok();
    let old = || {
        let forms = ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];
        forms.iter().find_map(|form| {
            let time = strtime::parse(form, text).ok()?.to_datetime().ok()?;
            time.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|time| time.timestamp())
        })
    };
    Some(Duration::try_from(usual.or_else(old)?.duration_since(now)).unwrap_or_default())
}

/// A number from 0 to 1 that differs between calls and processes; not for secrets.
#[must_use]
pub fn chance() -> f64 {
    let drawn = std::hash::RandomState::new().build_hasher().finish() >> 32;
    f64::from(u32::try_from(drawn).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
}

/// An error and its causes in one line, as the records of requests keep it.
#[must_use]
pub fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pauses_grow_up_to_the_ceiling_and_end() {
        let seconds = Duration::from_secs_f64;
        let patience =
            Patience { attempts: 5, delay: seconds(1.0), growth: 2.0, ceiling: seconds(3.0), ..Patience::default() };
        let pauses: Vec<_> = (1..6).map(|failed| patience.pause(failed, None, 0.0)).collect();
        assert_eq!(pauses, [Some(seconds(1.0)), Some(seconds(2.0)), Some(seconds(3.0)), Some(seconds(3.0)), None]);
        assert_eq!(patience.pause(2, None, 1.0), Some(seconds(1.0)));
        assert_eq!(patience.pause(1, Some(seconds(60.0)), 0.0), Some(seconds(60.0)));
        assert_eq!(patience.pause(1, Some(seconds(60.0)), 1.0), Some(seconds(66.0)));
        let hasty = Patience { obedience: seconds(3.0), ..patience };
        assert_eq!(hasty.pause(1, Some(seconds(60.0)), 0.0), Some(seconds(3.0)));
        assert_eq!(Patience { attempts: 0, ..patience }.pause(1, None, 0.0), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: Timestamp = "1994-11-06T08:49:30Z".parse().unwrap();
        let seven = Some(Duration::from_secs(7));
        assert_eq!(retry_after("7", now), seven);
        for date in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(retry_after(date, now), seven, "{date}");
        }
        assert_eq!(retry_after("Sat, 05 Nov 1994 08:49:37 GMT", now), Some(Duration::ZERO));
        assert_eq!(retry_after("99999999999999999999999", now), Some(Duration::from_secs(u64::MAX)));
        for text in ["", "soon", "-3", "1.5", "2026"[..0].as_ref()] {
            assert_eq!(retry_after(text, now), None, "{text}");
        }
    }

    #[test]
    fn chance_stays_in_range() {
        assert!((0..100).map(|_| chance()).all(|drawn| (0.0..=1.0).contains(&drawn)));
    }

    proptest! {
        #[test]
        fn any_header_and_any_numbers_do_no_harm(text in "\\PC{0,40}", failed: u32, asked: Option<u64>, chance: f64) {
            let _ = retry_after(&text, Timestamp::UNIX_EPOCH);
            let asked = asked.map(Duration::from_secs);
            let patience = Patience { attempts: u32::MAX, ..Patience::default() };
            let chance = if chance.is_finite() { chance } else { 0.0 };
            if let (Some(pause), Some(asked)) = (patience.pause(failed, asked, chance), asked) {
                prop_assert!(pause >= asked);
            }
        }
    }
}
