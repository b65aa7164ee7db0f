//! Executions that say nothing of their notebook: it died for want of memory that it had not used up, or by a signal that anybody
//! may have sent.

use nbrevive_execute::{End, Execution};

use crate::laboratory::LaboratoryError;
use crate::laboratory::attempt::Attempt;

/// Tries of one execution whose kernel dies each time at another place, for each death that the policy asks for.
const ROUNDS: u32 = 3;
/// The signal that nobody can refuse, which the kernel of a machine without memory sends, and so does whoever tidies up.
const KILL: i32 = 9;
/// The signal by which schedulers, and machines that are shut down, end all processes of a task.
const TERM: i32 = 15;

/// Two deaths in one cell are alike when the longer life of it lasted at most this much longer, in seconds or as a share of itself.
/// A notebook that kills itself does so at the same moment each time, give or take the machine; whoever kills from outside does not.
const SAME_MOMENT_SECONDS: f64 = 1.0;
const SAME_MOMENT_SHARE: f64 = 0.25;

/// Where, when and how a kernel died: the same again and again is the notebook's own doing.
#[derive(Debug, Clone)]
struct Death {
    cell: Option<usize>,
    /// How long that cell had run, in seconds; 0 before the first one.
    seconds: f64,
    signal: Option<i32>,
}

impl Death {
    fn of(execution: &Execution, cell: Option<usize>, signal: Option<i32>) -> Self {
        let seconds =
            execution.cells.iter().find(|record| Some(record.index) == cell).map_or(0.0, |record| record.seconds);
        Self { cell, seconds, signal }
    }

    fn is_like(&self, other: &Self) -> bool {
        let longer = self.seconds.max(other.seconds);
        let apart = (self.seconds - other.seconds).abs();
        self.cell == other.cell
            && self.signal == other.signal
            && (apart <= SAME_MOMENT_SECONDS || apart <= longer * SAME_MOMENT_SHARE)
    }
}

/// Runs `attempt` until it says something of its notebook. A death that may have come from outside is believed when it has
/// happened `deaths` times in a row at the same place and moment.
///
/// # Errors
/// Those of `attempt`; [`LaboratoryError::HostMemory`]; [`LaboratoryError::Killed`] when no two deaths are alike.
pub(crate) fn undoubted(
    deaths: u32,
    attempt: &mut dyn FnMut() -> Result<Attempt, LaboratoryError>,
) -> Result<Attempt, LaboratoryError> {
    let mut last: Option<(Death, u32)> = None;
    for _ in 0..deaths.saturating_mul(ROUNDS) {
        let attempt = attempt()?;
        let execution = &attempt.execution;
        if is_short_of_memory(execution) {
            return Err(LaboratoryError::HostMemory {
                used: execution.usage.peak_memory_bytes >> 20,
                limit: execution.limits.memory_bytes >> 20,
            });
        }
        let Some(death) = doubtful_death(execution) else { return Ok(attempt) };
        let times = last.take().filter(|(known, _)| known.is_like(&death)).map_or(0, |(_, times)| times) + 1;
        if times >= deaths {
            return Ok(attempt);
        }
        tracing::info!(?death, times, "a kernel died by what may have come from outside; trying again");
        last = Some((death, times));
    }
    Err(LaboratoryError::Killed { times: deaths.saturating_mul(ROUNDS) })
}

/// Whether a process was killed for want of memory while the execution held less than half of its limit. Memory is looked at 20
/// times a second, and no notebook fills half of a limit between two looks.
fn is_short_of_memory(execution: &Execution) -> bool {
    matches!(execution.ended, End::OutOfMemory { .. })
        && execution.usage.peak_memory_bytes < execution.limits.memory_bytes / 2
}

/// A death that somebody else may have caused: by `SIGKILL` or `SIGTERM`, without a word of how, or before the kernel had answered.
fn doubtful_death(execution: &Execution) -> Option<Death> {
    match execution.ended {
        End::KernelDied { cell, exit_code: None, signal: signal @ (None | Some(KILL | TERM)) } => {
            Some(Death::of(execution, cell, signal))
        }
        End::StartupFailed { .. } => Some(Death::of(execution, None, None)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_execute::{CellRecord, CellStatus};
    use nbrevive_notebook::Notebook;
    use nbrevive_sandbox::{Limits, SandboxUsage};

    use super::*;

    fn ended(ended: End) -> Attempt {
        ended_after(0.0, ended)
    }

    /// An execution whose cell 2 had run so long when it was over.
    fn ended_after(seconds: f64, ended: End) -> Attempt {
        let limits = Limits { memory_bytes: 1 << 30, ..Limits::default() };
        let execution = Execution {
            notebook: Notebook::from_cells(Vec::new()),
            cells: vec![CellRecord { index: 2, status: CellStatus::Died, seconds, error: None, truncated: false }],
            ended,
            seconds: 0.0,
            startup_seconds: 0.0,
            usage: SandboxUsage { peak_memory_bytes: 100 << 20, ..SandboxUsage::default() },
            kernel_log_tail: String::new(),
            limits,
            notices: Vec::new(),
        };
        Attempt::new(execution, None, None, None)
    }

    fn killed(cell: usize) -> End {
        End::KernelDied { cell: Some(cell), exit_code: None, signal: Some(KILL) }
    }

    /// How often it was tried, and what came of it.
    fn tried(ends: &[End]) -> (usize, Result<End, LaboratoryError>) {
        let mut count = 0;
        let result = undoubted(3, &mut || {
            count += 1;
            Ok(ended(ends[(count - 1) % ends.len()].clone()))
        });
        (count, result.map(|attempt| attempt.execution.ended))
    }

    #[test]
    fn a_death_is_the_notebooks_when_it_comes_back_at_the_same_place() {
        assert!(matches!(tried(&[killed(2)]), (3, Ok(End::KernelDied { cell: Some(2), .. }))));
        let segfault = End::KernelDied { cell: Some(1), exit_code: None, signal: Some(11) };
        assert!(matches!(tried(&[segfault]), (1, Ok(_))), "nobody else sends that");
        let exit = End::KernelDied { cell: Some(1), exit_code: Some(3), signal: None };
        assert!(matches!(tried(&[exit]), (1, Ok(_))));
    }

    #[test]
    fn a_death_from_outside_is_forgotten() {
        assert!(matches!(tried(&[killed(2), killed(2), End::Completed]), (3, Ok(End::Completed))));
        let slow = End::StartupFailed { message: "too slow".to_owned() };
        assert!(matches!(tried(&[slow, End::Completed]), (2, Ok(End::Completed))));
    }

    #[test]
    fn deaths_at_ever_other_places_decide_nothing() {
        assert!(matches!(tried(&[killed(2), killed(3)]), (9, Err(LaboratoryError::Killed { times: 9 }))));
    }

    #[test]
    fn deaths_at_ever_other_moments_of_a_cell_decide_nothing() {
        let times = |lives: &[f64]| {
            let mut lives = lives.iter().cycle();
            undoubted(3, &mut || Ok(ended_after(*lives.next().unwrap_or(&0.0), killed(2))))
        };
        assert!(matches!(times(&[3.0, 40.0, 12.0]), Err(LaboratoryError::Killed { times: 9 })));
        assert!(times(&[40.0, 45.0, 39.0]).is_ok(), "give or take the machine");
        assert!(times(&[0.1, 0.9, 0.3]).is_ok());
    }

    #[test]
    fn memory_that_was_not_used_up_was_the_hosts() {
        let none = End::OutOfMemory { cell: Some(0) };
        assert!(matches!(tried(&[none]), (1, Err(LaboratoryError::HostMemory { used: 100, limit: 1024 }))));
    }
}
