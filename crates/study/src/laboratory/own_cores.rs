//! Executions on cores, memory and GPUs of their own, where a run asks for that.

use nbrevive_execute::ExecutionSettings;

use crate::laboratory::Laboratory;
use crate::laboratory::machine::{Demand, Machine};
use crate::laboratory::scheduler::Scheduler;

impl Laboratory {
    /// Has executions placed on this machine by their limits from now on; gives how many have room at once.
    pub fn schedule(&mut self, machine: Machine) -> usize {
        let room = machine.room_for(self.demand());
        self.scheduler = Some(Scheduler::new(machine));
        room
    }

    /// What one execution asks for: its limits, as they were fitted to the machine, and a GPU where it gets one.
    #[must_use]
    pub fn demand(&self) -> Demand {
        Demand { gpu: self.gpus, ..Demand::within(&self.settings.limits) }
    }

    /// Does `work` in a place of its own as soon as there is one; at once where nothing is scheduled.
    pub(crate) fn seated<T>(&self, work: impl FnOnce(&ExecutionSettings) -> T) -> T {
        let Some(scheduler) = &self.scheduler else { return work(&self.settings) };
        let seat = scheduler.take(self.demand());
        let mut settings = self.settings.clone();
        settings.limits.core_ids = seat.cores();
        settings.limits.gpu_ids = seat.gpu().into_iter().collect();
        work(&settings)
    }
}
