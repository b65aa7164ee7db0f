//! The three types of fixes (paper, section 3.1).

use crate::spelling::string_enum;

string_enum! {
    /// How much of a notebook one error-repair fix is about.
    pub enum Level ("level") {
        /// The whole notebook, all errors at once (paper, section 3).
        File => "file",
        /// The first cell that raised, alone (paper, section 5.1).
        Cell => "cell",
    }
}

string_enum! {
    /// What a fix of the modernize loop aims at.
    pub enum FixType ("fix type") {
        /// The execution ran out of time.
        RuntimeReduction => "runtime-reduction",
        /// The score deviates (or is missing) and cells raised errors.
        ErrorRepair => "error-repair",
        /// The score deviates although no cell raised an error.
        ScoreCalibration => "score-calibration",
    }
}
