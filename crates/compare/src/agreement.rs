//! How far outputs agree, in levels of which each stricter one implies the next.

use serde::Serialize;

/// The strictest level at which saved and new outputs agree. The order is that of strictness: what agrees at one level agrees at every
/// later one, so that one value says all of them ([`Agreement::holds_at`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// Data and text are the same, as nbdime compares: execution counts and metadata are left out.
    Exact,
    /// The same but for what no run has twice: addresses, temporary paths, times, progress bars, colours ([`crate::NORMAL_RULES`]).
    Normalized,
    /// The same values, however they are written: numbers within a tolerance, tables, arrays, sets and dicts.
    Value,
    /// Pictures look the same, and all else has the same values.
    Picture,
    /// None of these.
    Different,
}

impl Agreement {
    /// The levels, strictest first.
    pub const ALL: [Self; 5] = [Self::Exact, Self::Normalized, Self::Value, Self::Picture, Self::Different];

    /// Whether outputs that agree so also agree at `level`. Everything agrees at [`Agreement::Different`].
    #[must_use]
    pub fn holds_at(self, level: Self) -> bool {
        self <= level
    }

    /// The word for it in rows, settings and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Normalized => "normalized",
            Self::Value => "value",
            Self::Picture => "picture",
            Self::Different => "different",
        }
    }
}

/// Why a cell says nothing about reproducibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Incomparable {
    /// The saved notebook shows nothing here but for stderr, or has no outputs at all.
    NothingSaved,
    /// The saved cell ends in an error.
    ErrorSaved,
    /// The cell was not run this time: it has neither count nor outputs.
    NotRun,
    /// All that the cell does is to install, which was done before the run: it has comments in the place of its lines.
    Installed,
}

impl Incomparable {
    /// The word for it in rows and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NothingSaved => "nothing-saved",
            Self::ErrorSaved => "error-saved",
            Self::NotRun => "not-run",
            Self::Installed => "installed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stricter_level_implies_the_later_ones() {
        for (place, level) in Agreement::ALL.iter().enumerate() {
            let held = Agreement::ALL.iter().filter(|later| level.holds_at(**later)).count();
            assert_eq!(held, Agreement::ALL.len() - place, "{}", level.as_str());
        }
    }
}
