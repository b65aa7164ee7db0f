//! Two releases that are compared, and what all rows of their comparison have in common.

use crate::row::{ApiCertainty, ApiRow, ApiRowKind, CensusRelease};
use crate::successor::Today;
use crate::surface::Surface;

/// Longest text of a row, in bytes.
const LONGEST_TEXT: usize = 300;

/// Two releases that follow each other.
pub(crate) struct Pair<'a> {
    pub(crate) library: &'a str,
    pub(crate) old: &'a Surface,
    pub(crate) new: &'a Surface,
    pub(crate) today: &'a Today<'a>,
    pub(crate) before: &'a CensusRelease,
    pub(crate) after: &'a CensusRelease,
}

impl Pair<'_> {
    pub(crate) fn row(&self, kind: ApiRowKind, name: &str) -> ApiRow {
        let loses = !matches!(kind, ApiRowKind::Added | ApiRowKind::ParameterAdded);
        let of = |text: &String| if loses { text.clone() } else { String::new() };
        ApiRow {
            library: self.library.to_owned(),
            name: name.to_owned(),
            kind,
            parameter: String::new(),
            word: String::new(),
            last_with: of(&self.before.version),
            last_day: of(&self.before.day),
            first_without: self.after.version.clone(),
            first_day: self.after.since.clone(),
            text: String::new(),
            successor: String::new(),
            evidence: String::new(),
            certainty: ApiCertainty::Likely,
        }
    }
}

pub(crate) fn shortened(text: &str) -> String {
    text.get(..text.floor_char_boundary(LONGEST_TEXT)).unwrap_or_default().to_owned()
}
