//! Kinds of failed builds.

use nbrevive_spelling::string_enum;

string_enum! {
    /// Kinds of failed builds.
    pub enum FailureClass ("class of a failed build") {
        /// The interpreter's minor is not on this machine.
        NoInterpreter => "no-interpreter",
        /// The index has no such distribution.
        NoDistribution => "no-distribution",
        /// The distribution has no version within the bounds for this interpreter.
        NoMatchingVersion => "no-matching-version",
        /// The bounds contradict each other.
        Conflict => "conflict",
        /// No wheel fits, and the distribution is not built from source, or its source did not build.
        NoWheelAndBuildFailed => "no-wheel-and-build-failed",
        /// The index could not be reached.
        IndexUnreachable => "index-unreachable",
        /// The disk is full.
        DiskFull => "disk-full",
        /// The build took longer than allowed.
        Timeout => "timeout",
        /// What was installed is not what the lock says: another version, or another file under the version's name.
        LockMismatch => "lock-mismatch",
        /// None of these.
        Other => "other",
    }
}

impl FailureClass {
    /// Whether the failure is about this machine or this hour, not about the environment: such a one is not
    /// remembered, so that the next run tries again.
    #[must_use]
    pub fn is_spurious(self) -> bool {
        match self {
            Self::NoInterpreter | Self::IndexUnreachable | Self::DiskFull => true,
            Self::NoDistribution
            | Self::NoMatchingVersion
            | Self::Conflict
            | Self::NoWheelAndBuildFailed
            | Self::Timeout
            | Self::LockMismatch
            | Self::Other => false,
        }
    }

    /// Whether another try in the same run may help, under [`crate::BuildSettings::retry`]: only where the index was
    /// out of reach. A full disk and a missing interpreter stay so, and a timeout has used up the time of all tries.
    #[must_use]
    pub fn is_retried(self) -> bool {
        self == Self::IndexUnreachable
    }

    /// Whether the plan of another strategy may fare better: the plan asked for what is not there.
    #[must_use]
    pub fn may_try_next_strategy(self) -> bool {
        matches!(self, Self::NoInterpreter | Self::NoDistribution | Self::NoMatchingVersion | Self::Conflict)
    }
}
