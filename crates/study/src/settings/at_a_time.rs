//! How many executions run at a time: a number, or as many as the machine has room for.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

/// How many executions run at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AtATime {
    /// One for each core, sharing all cores; the default.
    #[default]
    OnePerCore,
    /// So many, sharing all cores.
    Count(usize),
    /// As many as have room by their limits, each with cores and memory of its own: see [`crate::Scheduler`].
    Auto,
}

/// A text that is neither a number nor `auto`.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no number of executions at a time: give a number, 0 for one for each core, or `auto`")]
pub struct NotAtATime(String);

impl FromStr for AtATime {
    type Err = NotAtATime;

    fn from_str(text: &str) -> Result<Self, NotAtATime> {
        match (text, text.parse()) {
            ("auto", _) => Ok(AtATime::Auto),
            (_, Ok(0)) => Ok(AtATime::OnePerCore),
            (_, Ok(count)) => Ok(AtATime::Count(count)),
            (_, Err(_)) => Err(NotAtATime(text.to_owned())),
        }
    }
}

impl fmt::Display for AtATime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AtATime::OnePerCore => formatter.write_str("0"),
            AtATime::Count(count) => write!(formatter, "{count}"),
            AtATime::Auto => formatter.write_str("auto"),
        }
    }
}

impl<'de> Deserialize<'de> for AtATime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a number of executions at a time, or \"auto\"")]
        enum Written {
            Number(usize),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Number(number) => number.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_auto_are_read_and_nothing_else() {
        let read = |text: &str| text.parse::<AtATime>();
        assert_eq!(read("auto").unwrap(), AtATime::Auto);
        assert_eq!(read("0").unwrap(), AtATime::OnePerCore);
        assert_eq!(read("3").unwrap(), AtATime::Count(3));
        for wrong in ["", "-1", "many", "Auto", "1.5"] {
            assert!(read(wrong).unwrap_err().to_string().contains("`auto`"), "{wrong}");
        }
    }
}
