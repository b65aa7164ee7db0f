//! How far outputs agree, in levels of which each stricter one implies the next.

use nbrevive_spelling::string_enum;

string_enum! {
    /// The strictest level at which saved and new outputs agree. The order is that of strictness: what agrees at one level agrees at every
    /// later one, so that one value says all of them ([`Agreement::holds_at`]).
    pub enum Agreement ("level of agreement") {
        /// Data and text are the same, as nbdime compares: execution counts and metadata are left out.
        Exact => "exact",
        /// The same but for what no run has twice: addresses, temporary paths, times, progress bars, colours ([`crate::NORMAL_RULES`]).
        Normalized => "normalized",
        /// The same values, however they are written: numbers within a tolerance, tables, arrays, sets and dicts.
        Value => "value",
        /// Pictures look the same, and all else has the same values.
        Picture => "picture",
        /// None of these.
        Different => "different",
    }
}

impl Agreement {
    /// Whether outputs that agree so also agree at `level`. Everything agrees at [`Agreement::Different`].
    #[must_use]
    pub fn holds_at(self, level: Self) -> bool {
        self <= level
    }
}

string_enum! {
    /// Why a cell says nothing about reproducibility.
    pub enum Incomparable ("reason why cells are not compared") {
        /// The saved notebook shows nothing here but for stderr, or has no outputs at all.
        NothingSaved => "nothing-saved",
        /// The saved cell ends in an error.
        ErrorSaved => "error-saved",
        /// The cell was not run this time: it has neither count nor outputs.
        NotRun => "not-run",
        /// All that the cell does is to install, which was done before the run: it has comments in the place of its lines.
        Installed => "installed",
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
