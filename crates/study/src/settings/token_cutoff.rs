//! `token_cutoff` of a study's file (paper, section 4, "Subjects").

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

/// The cut-off that the paper came to, in tokens (section 4).
pub const PAPER_CUTOFF: u64 = 13_485;

/// From which length on a notebook is left out: `token_cutoff` of `study.toml`, a number of tokens, `"percentile-95"` or `"none"`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cutoff {
    /// No notebook is too long.
    None,
    /// Notebooks with more tokens than this are left out; the paper's 13,485 by default.
    Tokens(u64),
    /// Notebooks above this percentile of all the study's notebooks are left out.
    ///
    /// The population is every version with a baseline execution, reproducible or not: the paper takes "all notebooks", and its
    /// cut-off removes 472 of the 7,874 that do not reproduce, which is 6.0 % and not the 5 % that their own percentile would remove.
    Percentile(f64),
}

impl Default for Cutoff {
    fn default() -> Self {
        Self::Tokens(PAPER_CUTOFF)
    }
}

impl fmt::Display for Cutoff {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => formatter.write_str("none"),
            Self::Tokens(tokens) => write!(formatter, "{tokens}"),
            Self::Percentile(percentile) => write!(formatter, "percentile-{percentile}"),
        }
    }
}

impl<'de> Deserialize<'de> for Cutoff {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CutoffVisitor)
    }
}

struct CutoffVisitor;

impl Visitor<'_> for CutoffVisitor {
    type Value = Cutoff;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number of tokens above 0, \"percentile-95\" or \"none\"")
    }

    fn visit_u64<E: Error>(self, tokens: u64) -> Result<Cutoff, E> {
        if tokens == 0 {
            return Err(E::invalid_value(serde::de::Unexpected::Unsigned(tokens), &self));
        }
        Ok(Cutoff::Tokens(tokens))
    }

    fn visit_i64<E: Error>(self, tokens: i64) -> Result<Cutoff, E> {
        match u64::try_from(tokens) {
            Ok(tokens) => self.visit_u64(tokens),
            Err(_) => Err(E::invalid_value(serde::de::Unexpected::Signed(tokens), &self)),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cutoff, E> {
        let percentile = || text.strip_prefix("percentile-")?.parse::<f64>().ok();
        match percentile() {
            _ if text == "none" => Ok(Cutoff::None),
            Some(percentile) if percentile > 0.0 && percentile < 100.0 => Ok(Cutoff::Percentile(percentile)),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(value: &str) -> Result<Cutoff, String> {
        #[derive(Deserialize)]
        struct File {
            token_cutoff: Cutoff,
        }
        let file = toml::from_str::<File>(&format!("token_cutoff = {value}\n"));
        file.map(|file| file.token_cutoff).map_err(|error| error.to_string())
    }

    #[test]
    fn a_cutoff_is_a_number_a_percentile_or_none() {
        assert_eq!(parse("13485"), Ok(Cutoff::default()));
        assert_eq!(parse("\"percentile-95\""), Ok(Cutoff::Percentile(95.0)));
        assert_eq!(parse("\"none\""), Ok(Cutoff::None));
        for wrong in
            ["0", "-5", "\"percentile-0\"", "\"percentile-100\"", "\"percentile-nan\"", "\"95\"", "1.5", "true"]
        {
            let error = parse(wrong).unwrap_err();
            assert!(error.contains("a number of tokens above 0, \"percentile-95\" or \"none\""), "{wrong}: {error}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for cutoff in [Cutoff::Percentile(97.5), Cutoff::None] {
            assert_eq!(parse(&format!("\"{cutoff}\"")), Ok(cutoff));
        }
        assert_eq!(parse(&Cutoff::Tokens(5).to_string()), Ok(Cutoff::Tokens(5)));
    }
}
