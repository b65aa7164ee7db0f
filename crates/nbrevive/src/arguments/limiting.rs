//! What the user typed of the limits of an execution.

use clap::Args;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{LimitFault, StudyLimits};

use crate::exit_code::{Exit, Failure};

/// The limits of each execution.
#[derive(Debug, Args)]
pub(crate) struct LimitArguments {
    /// Wall clock for all cells of a notebook, in seconds.
    #[arg(long, default_value_t = StudyLimits::SECONDS)]
    time_limit: f64,
    /// Wall clock for each cell, in seconds: it is interrupted then, and the next goes on; default: none.
    #[arg(long, value_name = "SECONDS")]
    cell_time_limit: Option<f64>,
    /// Memory in MiB.
    #[arg(long, default_value_t = StudyLimits::MEMORY_MIB)]
    memory: u64,
}

impl LimitArguments {
    /// The limits, where they make sense.
    pub(crate) fn limits(&self) -> Result<StudyLimits, Failure> {
        limits(self.time_limit, self.cell_time_limit, self.memory)
    }
}

/// Limits of the wall clocks for all cells and for each, in seconds, and of memory, in MiB.
pub(crate) fn limits(seconds: f64, cell_seconds: Option<f64>, memory_mib: u64) -> Result<StudyLimits, Failure> {
    let limits = StudyLimits { seconds, cell_seconds, memory_mib, ..StudyLimits::default() };
    limits.check().map_err(|fault| Failure { exit: Exit::Usage, message: told(fault) })?;
    Ok(limits)
}

/// What is wrong, by the names of the options.
fn told(fault: LimitFault) -> Shown {
    match fault {
        LimitFault::TooShort { key: "cell_seconds", .. } => {
            Shown::literal("--cell-time-limit must be at least 0.1 second")
        }
        LimitFault::TooLong { key, .. } => {
            let option = if key == "cell_seconds" { "--cell-time-limit" } else { "--time-limit" };
            shown!("{} must be at most {} seconds", option, StudyLimits::LONGEST_SECONDS)
        }
        LimitFault::TooShort { .. } | LimitFault::TooSmall => {
            Shown::literal("--time-limit must be at least 1 second and --memory at least 64 MiB")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_make_no_sense_are_told_by_their_options() {
        let told =
            |seconds, cell, memory| limits(seconds, cell, memory).map_err(|error| (error.exit, error.to_string()));
        assert_eq!(told(600.0, None, 30 * 1024), Ok(StudyLimits::default()));
        let short = "--time-limit must be at least 1 second and --memory at least 64 MiB";
        let refused = [
            ((0.5, None, 64), short),
            ((f64::NAN, None, 64), short),
            ((1.0, None, 63), short),
            ((1e300, None, 64), "--time-limit must be at most 1000000000 seconds"),
            ((1.0, Some(0.0), 64), "--cell-time-limit must be at least 0.1 second"),
            ((1.0, Some(f64::INFINITY), 64), "--cell-time-limit must be at most 1000000000 seconds"),
        ];
        for ((seconds, cell, memory), message) in refused {
            assert_eq!(told(seconds, cell, memory), Err((Exit::Usage, message.to_owned())));
        }
    }
}
