//! Requirements (PEP 508) as distributions write them, old spellings included.
//!
//! Reading is lenient, because metadata of ten years ago is: `pytz (>=2011k)` names a bound that no reader of today
//! understands, and a solver that drops the whole release for it ends at versions of long before.

mod marker;
mod named;

pub use marker::{EnvironmentMarker, MarkerEnvironment};
pub use named::NamedRequirement;

use std::fmt;

use pep440_rs::{Operator, Version, VersionSpecifiers};

use crate::versions::{is_name, normalise, specifiers, within};

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Normalised name.
    pub name: String,
    /// Requested extras, normalised and sorted, each once.
    pub extras: Vec<String>,
    /// The specifiers as text without blanks and parentheses; empty for a bare name.
    pub bound: String,
    /// The specifiers that could be read; those that could not bound nothing.
    pub specifiers: VersionSpecifiers,
    /// When it applies; `None` for always.
    pub marker: Option<EnvironmentMarker>,
}

/// A text that is no requirement that an index can serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotARequirement {
    /// It names a location instead of a distribution.
    #[error("{0:?} names a location, which an index does not serve")]
    Location(String),
    /// It cannot be read.
    #[error("{0:?} is no requirement such as pandas>=0.25")]
    Unreadable(String),
}

/// How the files end that installers take for archives.
const ARCHIVES: [&str; 11] = [".whl", ".egg", ".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz", ".xz", ".txz", ".lzma"];

const OPERATORS: [&str; 8] = ["===", "==", "!=", "<=", ">=", "~=", "<", ">"];

impl Requirement {
    /// Reads a requirement; `None` for locations (`git+…`, paths, `name @ url`) and for what cannot be read.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }

    /// Reads `name[extras](specifiers); marker`.
    ///
    /// # Errors
    /// [`NotARequirement`] for locations and for what cannot be read.
    pub fn parse(text: &str) -> Result<Self, NotARequirement> {
        let unreadable = || NotARequirement::Unreadable(text.to_owned());
        if is_location(text) {
            return Err(NotARequirement::Location(text.to_owned()));
        }
        let (text, marker) = match text.split_once(';') {
            Some((before, marker)) => (before, EnvironmentMarker::read(marker)),
            None => (text, None),
        };
        let text = text.trim();
        let end = text.find(|found| !is_name_character(found)).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let (extras, rest) = match rest.trim_start().strip_prefix('[') {
            Some(inside) => inside.split_once(']').ok_or_else(unreadable)?,
            None => ("", rest),
        };
        let bound = bound(rest).ok_or_else(unreadable)?;
        if !is_name(name) {
            return Err(unreadable());
        }
        let mut extras: Vec<String> = extras.split(',').map(normalise).filter(|extra| !extra.is_empty()).collect();
        if !extras.iter().all(|extra| is_name(extra)) {
            return Err(unreadable());
        }
        extras.sort();
        extras.dedup();
        Ok(Self { name: normalise(name), extras, specifiers: specifiers(&bound), bound, marker })
    }

    /// A name without bounds. The name is taken as it is: it has to be a normalised one.
    #[must_use]
    pub fn bare(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            extras: Vec::new(),
            bound: String::new(),
            specifiers: VersionSpecifiers::empty(),
            marker: None,
        }
    }

    /// Whether it applies in an environment, for the distribution itself (`None`) or for one of its extras.
    #[must_use]
    pub fn applies(&self, environment: &MarkerEnvironment, extra: Option<&str>) -> bool {
        self.marker.as_ref().is_none_or(|marker| marker.holds(environment, extra))
    }

    /// Whether a version is within its bounds.
    #[must_use]
    pub fn admits(&self, version: &Version) -> bool {
        within(&self.specifiers, version)
    }

    /// Whether it names one version exactly (`==1.2`, `===1.2`), as only such a one may choose a yanked release
    /// (PEP 592).
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.specifiers.iter().any(|specifier| matches!(specifier.operator(), Operator::Equal | Operator::ExactEqual))
    }

    /// The requested extras with their brackets, or an empty text.
    #[must_use]
    pub fn extras_text(&self) -> String {
        if self.extras.is_empty() { String::new() } else { format!("[{}]", self.extras.join(",")) }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}{}", self.name, self.extras_text(), self.bound)?;
        self.marker.as_ref().map_or(Ok(()), |marker| write!(formatter, "; {marker}"))
    }
}

fn is_name_character(found: char) -> bool {
    found.is_ascii_alphanumeric() || matches!(found, '-' | '_' | '.')
}

/// Whether a text names a place: an address, a path, an archive, or `name @ address`.
fn is_location(text: &str) -> bool {
    let before = text.split(';').next().unwrap_or_default().trim();
    let named = before.split(['<', '>', '=', '!', '~', '(']).next().unwrap_or_default().trim();
    before.contains("://")
        || named.contains(['/', '\\', '@'])
        || before.starts_with(['.', '~'])
        || ARCHIVES.iter().any(|suffix| named.ends_with(suffix))
}

/// The text of specifiers without blanks, parentheses and empty parts; `None` if a part of it has no operator of
/// PEP 440. A version alone in parentheses, as some old metadata has it, bounds nothing and is left out.
fn bound(text: &str) -> Option<String> {
    let text = text.trim();
    let (inside, in_parentheses) = match text.strip_prefix('(') {
        Some(inside) => (inside.strip_suffix(')').unwrap_or(inside), true),
        None => (text, false),
    };
    let joined: String = inside.split_whitespace().collect();
    let mut kept: Vec<&str> = Vec::new();
    for part in joined.split(',').filter(|part| !part.is_empty()) {
        let behind_operator = OPERATORS.iter().find_map(|operator| part.strip_prefix(operator));
        if !is_version_text(behind_operator.unwrap_or(part)) || (behind_operator.is_none() && !in_parentheses) {
            return None;
        }
        kept.extend(behind_operator.map(|_| part));
    }
    Some(kept.join(","))
}

fn is_version_text(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|found| is_name_character(found) || matches!(found, '*' | '+' | '!'))
}

#[cfg(test)]
mod tests;
