//! The words of repair: what a fix aims at, what a patch may not do, and why a loop stops.

use crate::Failure;
use nbrevive_spelling::string_enum;

string_enum! {
    /// How much of a notebook one error-repair fix is about.
    pub enum RepairLevel ("level") {
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

string_enum! {
    /// The rule that a patch broke.
    pub enum Breach ("breach") {
        /// It reads, or looks for, the answers that submissions are graded against.
        HiddenAnswers => "hidden-answers",
        /// The submission no longer comes from a model's predictions.
        ConstantPredictions => "constant-predictions",
        /// The score to reach stands in the code.
        TargetScore => "target-score",
        /// Models are no longer trained, or on next to nothing.
        DroppedTraining => "dropped-training",
        /// It fetches from the network, or installs.
        Network => "network",
        /// It starts processes, or calls machine code.
        Process => "process",
        /// It reads or writes files outside of input and working folder.
        OutsidePath => "outside-path",
        /// It reads or changes environment variables.
        EnvironmentVariable => "environment-variable",
        /// It runs code, or reaches names, that are known only when it runs.
        DynamicCode => "dynamic-code",
        /// It has code that cannot be read.
        Unreadable => "unreadable",
    }
}

string_enum! {
    /// Why a modernize loop stopped.
    pub enum LoopEnd ("end"): &'static str {
        /// The goal is reached.
        Reproducible => "reproducible", "reproducible";
        /// There was no score to reach, and no cell raises any more: whether the notebook does what it did is another question.
        Runs => "runs", "runs without an error";
        /// The cap on fixes is reached.
        FixesExhausted => "fixes-exhausted", "the number of fixes is used up";
        /// No provider had anything (more) to propose.
        NothingToPropose => "nothing-to-propose", "nobody has anything more to propose";
        /// Every proposal led back to code that was executed before, which fails as it did.
        Repeated => "repeated", "every proposal was tried before";
        /// Every proposal broke a rule that guards the experiment.
        Refused => "refused", "every proposal broke a rule that guards the experiment";
        /// The model gave no usable answer, re-asks included.
        ModelFailed => "model-failed", "the model gave no usable answer";
        /// A provider could not be asked, and no other had a proposal.
        Unavailable => "unavailable", "a provider could not be asked";
        /// What may be spent on the notebook is spent, and no other provider had a proposal.
        OverBudget => "over-budget", "what may be spent on it is spent";
        /// The notebook does not fit into a prompt, and no other provider had a proposal.
        TooLong => "too-long", "the notebook does not fit into a prompt";
    }
}

impl LoopEnd {
    /// The ending in words, to stand behind "the loop ended:".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        self.about()
    }

    /// The row of the paper's Table 3 that takes the place of the last execution's outcome, where one does.
    #[must_use]
    pub const fn failure(self) -> Option<Failure> {
        match self {
            LoopEnd::ModelFailed => Some(Failure::LlmFailed),
            LoopEnd::Reproducible
            | LoopEnd::Runs
            | LoopEnd::FixesExhausted
            | LoopEnd::NothingToPropose
            | LoopEnd::Repeated
            | LoopEnd::Refused
            | LoopEnd::Unavailable
            | LoopEnd::OverBudget
            | LoopEnd::TooLong => None,
        }
    }
}
