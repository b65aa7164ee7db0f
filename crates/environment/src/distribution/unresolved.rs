//! Why an import has no distribution, and what was perhaps meant.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::candidates;

/// An import without a distribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnresolvedImport {
    /// Why.
    pub reason: UnresolvedReason,
    /// What was perhaps meant, most likely first; for people, never installed.
    pub candidates: Vec<DistributionCandidate>,
}

/// Why no distribution is known for a module or requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnresolvedReason {
    /// Known to be on no index; the table says why.
    Unavailable(&'static str),
    /// Neither in the table nor on the index.
    UnknownName,
    /// No distribution can bear the module's name.
    NotAName,
    /// The bare name of a namespace package; the table names one of its distributions.
    Namespace(&'static str),
    /// People call their own files so; the table says what they hold.
    GenericName(&'static str),
    /// The standard library had it, but not in the chosen minor.
    OtherMinor,
    /// The index has the name but no installable release.
    NoRelease,
    /// The index had the name only after the submission.
    AfterDate {
        /// Normalised name.
        distribution: String,
        /// When its first release appeared.
        first: Timestamp,
    },
    /// The distribution of that name contains other modules.
    OtherContents {
        /// The file of the date that says so.
        file: String,
    },
    /// What the distribution of that name contains could not be learnt.
    ContentsUnknown {
        /// The file of the date that was asked.
        file: String,
    },
    /// A requirement that names a location instead of a distribution, or that cannot be read.
    NotFromIndex,
}

/// A distribution that was perhaps meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributionCandidate {
    /// Normalised name.
    pub distribution: String,
    /// Why it comes to mind.
    pub why: CandidateReason,
}

/// Why a distribution is a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CandidateReason {
    /// The module stands for it, but only from this day on.
    From(Date),
    /// The module stood for it, but only until this day.
    Until(Date),
    /// A similar import name stands for it.
    Spelling(&'static str),
    /// It bears the module's name.
    SameName,
}

impl UnresolvedImport {
    /// With the candidates that the tables give for the module.
    pub(super) fn new(reason: UnresolvedReason, module: &str) -> Self {
        let mut candidates = match reason {
            UnresolvedReason::Unavailable(_) | UnresolvedReason::OtherMinor => Vec::new(),
            UnresolvedReason::GenericName(_) => candidates::of_other_dates(module),
            _ => candidates::all(module),
        };
        if let Some(distribution) = reason.same_name()
            && candidates.iter().all(|known| known.distribution != distribution)
        {
            candidates.push(DistributionCandidate { distribution, why: CandidateReason::SameName });
        }
        Self { reason, candidates }
    }
}

impl UnresolvedReason {
    /// The distribution of the module's own name, where the index has it.
    fn same_name(&self) -> Option<String> {
        match self {
            Self::AfterDate { distribution, .. } => Some(distribution.clone()),
            Self::ContentsUnknown { file } => {
                // A wheel's name begins with the distribution, an archive's has it before the version.
                let stem = if file.ends_with(".whl") {
                    file.split('-').next()
                } else {
                    file.rsplit_once('-').map(|cut| cut.0)
                };
                stem.map(crate::versions::normalise)
            }
            _ => None,
        }
    }
}

impl fmt::Display for UnresolvedImport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.reason)?;
        for (at, candidate) in self.candidates.iter().enumerate() {
            write!(formatter, "{}{candidate}", if at == 0 { "; perhaps " } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Display for UnresolvedReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) => formatter.write_str(why),
            Self::UnknownName => formatter.write_str("neither in the table of import names nor on the index"),
            Self::NotAName => formatter.write_str("no distribution can bear this name"),
            Self::Namespace(example) => write!(formatter, "a namespace of several distributions, such as {example}"),
            Self::GenericName(what) => write!(formatter, "a name for {what}: never taken for a distribution"),
            Self::OtherMinor => formatter.write_str("standard library of another Python"),
            Self::NoRelease => formatter.write_str("no installable release on the index"),
            Self::AfterDate { distribution, first } => {
                let day = first.to_zoned(TimeZone::UTC).date();
                write!(formatter, "the index had {distribution} only from {day} on")
            }
            Self::OtherContents { file } => write!(formatter, "{file} of that name contains other modules"),
            Self::ContentsUnknown { file } => write!(formatter, "what {file} of that name contains is unknown"),
            Self::NotFromIndex => formatter.write_str("no requirement that an index can serve"),
        }
    }
}

impl fmt::Display for DistributionCandidate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.distribution)?;
        match self.why {
            CandidateReason::From(day) => write!(formatter, " (from {day} on)"),
            CandidateReason::Until(day) => write!(formatter, " (until {day})"),
            CandidateReason::Spelling(import) => write!(formatter, " (for {import})"),
            CandidateReason::SameName => formatter.write_str(" (same name)"),
        }
    }
}
