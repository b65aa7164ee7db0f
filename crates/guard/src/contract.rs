//! What the guards are to know of a competition, and where their bounds lie.

/// New constants in one literal from which on it counts as a table, see [`Contract::most_new_constants`].
pub const DEFAULT_MOST_NEW_CONSTANTS: usize = 24;

/// The most parts into which work may be cut, of which one is left, to save time, unless told.
pub const DEFAULT_DEEPEST_CUT: u32 = 100;

/// What the guards are to know of the competition.
#[derive(Debug, Clone, PartialEq)]
pub struct Contract {
    /// The score to reach, which may not stand in the code.
    pub target: Option<f64>,
    /// The column that names a row of a submission.
    pub id_column: Option<String>,
    /// The columns of a submission that hold predictions.
    pub target_columns: Vec<String>,
    /// Names of the files with the hidden answers, such as `answers.csv`.
    pub answer_files: Vec<String>,
    /// The most constants that a literal collection may have and the original had not;
    /// [`DEFAULT_MOST_NEW_CONSTANTS`] unless told.
    pub most_new_constants: usize,
    /// The most parts into which training may be cut to save time, of which one is left; [`DEFAULT_DEEPEST_CUT`] unless told.
    pub deepest_cut: u32,
}

impl Default for Contract {
    fn default() -> Self {
        Self {
            target: None,
            id_column: None,
            target_columns: Vec::new(),
            answer_files: Vec::new(),
            most_new_constants: DEFAULT_MOST_NEW_CONSTANTS,
            deepest_cut: DEFAULT_DEEPEST_CUT,
        }
    }
}
