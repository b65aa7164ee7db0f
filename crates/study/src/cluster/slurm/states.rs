//! What Slurm says of tasks, by type.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::TaskEnd;
use crate::cluster::submitter::TaskState;

/// The exit code of a script that does not see the shared folder: see the template.
const NOT_SHARED: u32 = 43;

/// The wait statuses of what a signal ended; errors of Slurm's own are larger.
const SIGNALS: RangeInclusive<u32> = 1..=0xff;

/// States of tasks by their names, as `squeue` gives them: name, state, wait status, reason.
pub(super) fn of_queue(said: &str) -> BTreeMap<String, TaskState> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (task, state) = (words.next()?, words.next()?);
        let status: u32 = words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
        let reason: Vec<&str> = words.flat_map(|word| word.split('_')).collect();
        // What cannot be started on a node, such as a script whose output has no folder there. What a signal ended is told by the same word.
        let launched = reason != ["JobLaunchFailure"] || SIGNALS.contains(&status);
        // `launch failed requeued held`: it waits until somebody lets it go.
        let is_held = state == "PENDING" && reason.ends_with(&["requeued", "held"]);
        let state = if is_held { "REQUEUE_HOLD" } else { state };
        Some((task.to_owned(), of_word(state, status >> 8, launched)))
    };
    said.lines().filter_map(line).collect()
}

/// The same, as `sacct` gives them: name, state, exit code and signal.
pub(super) fn of_accounting(said: &str) -> BTreeMap<String, TaskState> {
    let line = |line: &str| {
        let mut words = line.split('|');
        let (task, state, code) = (words.next()?, words.next()?, words.next()?);
        // `CANCELLED by 1000`.
        let state = state.split_whitespace().next()?;
        let code = code.split(':').next().and_then(|code| code.parse().ok()).unwrap_or_default();
        Some((task.to_owned(), of_word(state, code, true)))
    };
    said.lines().filter_map(line).collect()
}

/// A state by its word (`squeue(1)`, "JOB STATE CODES").
fn of_word(state: &str, code: u32, launched: bool) -> TaskState {
    match state {
        "PENDING" | "CONFIGURING" | "REQUEUED" | "REQUEUE_FED" | "RESV_DEL_HOLD" => TaskState::Waiting,
        "RUNNING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "SIGNALING" | "STAGE_OUT" | "RESIZING" => {
            TaskState::Running
        }
        "COMPLETED" => TaskState::Over(TaskEnd::Done),
        "CANCELLED" | "REVOKED" => TaskState::Over(TaskEnd::Cancelled),
        "TIMEOUT" | "DEADLINE" => TaskState::Over(TaskEnd::TimedOut),
        "NODE_FAIL" | "BOOT_FAIL" => TaskState::Over(TaskEnd::NodeGone),
        "PREEMPTED" => TaskState::Over(TaskEnd::Preempted),
        "OUT_OF_MEMORY" => TaskState::Over(TaskEnd::OutOfMemory),
        "REQUEUE_HOLD" | "SPECIAL_EXIT" => TaskState::Over(TaskEnd::Requeued),
        "FAILED" if code == NOT_SHARED || !launched => TaskState::Over(TaskEnd::NotShared),
        "FAILED" => TaskState::Over(TaskEnd::Died),
        _ => TaskState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_is_read_as_slurm_22_05_wrote_it() {
        let said = "1_0                           RUNNING             0           None                          \n\
                    1_1                           FAILED              10496       NonZeroExitCode               \n\
                    1_2                           FAILED              11008       NonZeroExitCode               \n\
                    4                             FAILED              4021        JobLaunchFailure              \n\
                    4_1                           FAILED              9           JobLaunchFailure              \n\
                    5_0                           PENDING             0           (Resources)                   \n\
                    5_1                           PENDING             0           launch failed requeued held   \n\
                    5_2                           PENDING             0           launch_failed_requeued_held   \n\
                    5_3                           PENDING             0           JobHeldUser                   \n\
                    6_0                           COMPLETED           0           None                          \n\
                    7_0                           NO_SUCH_STATE       0           None                          \n\
                    cut";
        let over = TaskState::Over;
        let expected = [
            ("1_0", TaskState::Running),
            ("1_1", over(TaskEnd::Died)),
            ("1_2", over(TaskEnd::NotShared)),
            ("4", over(TaskEnd::NotShared)),
            ("4_1", over(TaskEnd::Died)),
            ("5_0", TaskState::Waiting),
            ("5_1", over(TaskEnd::Requeued)),
            ("5_2", over(TaskEnd::Requeued)),
            ("5_3", TaskState::Waiting),
            ("6_0", over(TaskEnd::Done)),
            ("7_0", TaskState::Unknown),
        ];
        assert_eq!(of_queue(said), expected.map(|(task, state)| (task.to_owned(), state)).into());
    }

    #[test]
    fn accounting_is_read_as_its_manual_has_it() {
        let said = "12_0|COMPLETED|0:0\n12_1|CANCELLED by 1000|0:15\n12_2|OUT_OF_MEMORY|0:125\n12_3|FAILED|43:0\n12_4|PREEMPTED|0:0\n|";
        let ends = [TaskEnd::Done, TaskEnd::Cancelled, TaskEnd::OutOfMemory, TaskEnd::NotShared, TaskEnd::Preempted];
        let expected = ends.iter().enumerate().map(|(place, end)| (format!("12_{place}"), TaskState::Over(*end)));
        assert_eq!(of_accounting(said), expected.collect());
    }
}
