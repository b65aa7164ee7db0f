//! How a task ended, by type. None of it is a notebook's outcome.

use nbrevive_spelling::string_enum;

string_enum! {
    /// How a task ended.
    pub enum TaskEnd ("end of a task"): &'static str {
        /// It carried out its batch.
        Done => "done", "is done";
        /// It was asked to stop, and handed in what it had.
        Stopped => "stopped", "was asked to stop, and handed in what it had";
        /// The scheduler put it back into the queue.
        Requeued => "requeued", "was put back into the queue";
        /// The scheduler gave its place to others.
        Preempted => "preempted", "was preempted";
        /// It took longer than the scheduler allowed.
        TimedOut => "timed-out", "took longer than the scheduler allowed";
        /// Its machine went away.
        NodeGone => "node-gone", "lost its node";
        /// The scheduler ended it for want of memory.
        OutOfMemory => "out-of-memory", "was ended by the scheduler for want of memory";
        /// Somebody cancelled it.
        Cancelled => "cancelled", "was cancelled";
        /// It ended without a word.
        Died => "died", "died";
        /// Nothing was heard of it for long.
        Silent => "silent", "was not heard of for too long";
        /// Its scheduler knows it no more, and it never began.
        Lost => "lost", "is not known to its scheduler any more, and never began";
        /// The program never began.
        NeverBegan => "never-began", "never began: does the template start the program, is it installed there, and is the shared folder there, too?";
        /// Its machine does not see the shared folder.
        NotShared => "not-shared", "does not see the shared folder on its node: choose one that all nodes see with --shared";
        /// Its machine has another version of the program.
        OtherVersion => "other-version", "has another version of nbrevive on its node: let all nodes use the same one";
        /// Its machine sees another study, or other data, than the one that was planned.
        OtherStudy => "other-study", "sees another study or other data on its node than the one that was planned";
        /// Its machine lacks what notebooks run in.
        NoSandbox => "no-sandbox", "has no sandbox on its node: `nbrevive doctor` there says what is missing";
        /// Its machine cannot ask the model.
        NoModel => "no-model", "cannot ask the model on its node: is the variable with its key set there, and is there a way out?";
        /// The clock of its machine is wrong.
        ClockWrong => "clock-wrong", "has a clock on its node that is minutes off from that of the shared folder";
        /// There was no room on a disk of its machine.
        DiskFull => "disk-full", "had no room left on a disk of its node";
        /// The shared folder had no room for what it wanted to hand in.
        SharedFull => "shared-full", "had no room left in the shared folder: make room, then go on with `nbrevive study attach`";
        /// Something else of ours went wrong there.
        Failed => "failed", "failed";
    }
}

impl TaskEnd {
    /// What the task did, as messages say it.
    #[must_use]
    pub const fn told(self) -> &'static str {
        self.about()
    }

    /// Whether a job that was alone in the task may have caused this.
    #[must_use]
    pub const fn may_be_the_jobs(self) -> bool {
        matches!(self, TaskEnd::Died | TaskEnd::OutOfMemory)
    }

    /// Whether every further task would end so, too.
    #[must_use]
    pub const fn is_of_the_set_up(self) -> bool {
        matches!(
            self,
            TaskEnd::NeverBegan
                | TaskEnd::NotShared
                | TaskEnd::OtherVersion
                | TaskEnd::OtherStudy
                | TaskEnd::NoSandbox
                | TaskEnd::NoModel
                | TaskEnd::ClockWrong
                | TaskEnd::SharedFull
        )
    }
}
