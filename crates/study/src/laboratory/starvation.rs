//! Executions whose time was up because neighbours held the processors: work that is lost to them is not the notebook's.

use nbrevive_execute::{End, Execution};

use crate::laboratory::machine::Load;

/// Below this share of one processor a notebook that computed was kept waiting, where others wait too.
const FULL_SHARE: f64 = 0.75;
/// Below this part of what each of those in line gets, a notebook did not wait for processors but slept, or waited for something else.
const FAIR_PART: f64 = 0.5;

/// Whether the time of an execution was up, more wanted to run than could, and it got its part of what there was, which was less than
/// most of one processor.
pub(crate) fn is_starved(execution: &Execution, load: Load) -> bool {
    let usage = &execution.usage;
    let share = usage.cpu_seconds / usage.wall_clock.as_secs_f64();
    let fair = load.processors as f64 / load.waiting;
    matches!(execution.ended, End::Timeout { .. }) && fair < 1.0 && (FAIR_PART * fair..FULL_SHARE).contains(&share)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use nbrevive_notebook::Notebook;
    use nbrevive_sandbox::{Limits, SandboxUsage};

    use super::*;

    fn is_starved_after(ended: End, cpu_seconds: f64, waiting: f64) -> bool {
        let usage = SandboxUsage { wall_clock: Duration::from_secs(60), cpu_seconds, ..SandboxUsage::default() };
        let execution = Execution {
            notebook: Notebook::from_cells(Vec::new()),
            cells: Vec::new(),
            ended,
            seconds: 60.0,
            startup_seconds: 0.0,
            usage,
            kernel_log_tail: String::new(),
            limits: Limits::default(),
            notices: Vec::new(),
        };
        is_starved(&execution, Load { waiting, processors: 4 })
    }

    #[test]
    fn time_is_lost_to_neighbours_only_where_there_are_some_and_it_was_kept_waiting() {
        let late = || End::Timeout { cell: 0 };
        assert!(is_starved_after(late(), 20.0, 9.0));
        assert!(!is_starved_after(late(), 58.0, 9.0), "it had its processor");
        assert!(!is_starved_after(late(), 2.0, 9.0), "it slept");
        assert!(!is_starved_after(late(), 20.0, 1.5), "nobody else wanted one");
        assert!(!is_starved_after(End::Completed, 20.0, 9.0));
    }
}
