//! Places executions on the machine: each gets cores of its own and has its memory limit set aside, or waits.
//!
//! The policy is first come, first served: nobody overtakes an execution that waits, however well it would fit. What that leaves idle
//! for a moment buys that a large execution is never starved by small ones. With equal limits, as in a study, nothing is left idle.

use std::sync::{Condvar, Mutex, MutexGuard};

use nbrevive_files::unpoisoned;

use crate::laboratory::machine::{Demand, Machine};

/// Hands out the resources of one machine.
#[derive(Debug)]
pub struct Scheduler {
    machine: Machine,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Whether each core of [`Machine::cores`] is taken, by its position.
    taken: Vec<bool>,
    memory_bytes: u64,
    /// How many executions each GPU of [`Machine::gpus`] has, by its position.
    on_gpus: Vec<u32>,
    running: usize,
    /// The number that the next one to come draws, and the one whose turn it is.
    next: u64,
    turn: u64,
}

/// A place on the machine, given back when it is dropped.
#[derive(Debug)]
pub struct Seat<'scheduler> {
    scheduler: &'scheduler Scheduler,
    demand: Demand,
    positions: Vec<usize>,
    /// The position of its GPU.
    gpu: Option<usize>,
}

impl Scheduler {
    /// A scheduler of a machine on which nothing runs yet.
    #[must_use]
    pub fn new(machine: Machine) -> Self {
        let taken = vec![false; machine.cores.len()];
        let on_gpus = vec![0; machine.gpus.len()];
        let state = State { taken, memory_bytes: 0, on_gpus, running: 0, next: 0, turn: 0 };
        Scheduler { machine, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// What it hands out.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Waits for a place. An execution that asks for more than the machine has gets it when it would run alone.
    pub fn take(&self, demand: Demand) -> Seat<'_> {
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        while state.turn != number || !self.fits(&state, demand) {
            state = unpoisoned(self.changed.wait(state));
        }
        state.turn += 1;
        state.memory_bytes += demand.memory_bytes;
        state.running += 1;
        let free = (0..state.taken.len()).filter(|&position| !state.taken[position]);
        let positions: Vec<usize> = free.take(demand.cores as usize).collect();
        for &position in &positions {
            state.taken[position] = true;
        }
        let gpu = demand.gpu.and_then(|_| state.least_used());
        if let Some(gpu) = gpu {
            state.on_gpus[gpu] += 1;
        }
        // The next in line may fit as well.
        self.changed.notify_all();
        Seat { scheduler: self, demand, positions, gpu }
    }

    fn fits(&self, state: &State, demand: Demand) -> bool {
        let free = state.taken.iter().filter(|&&taken| !taken).count();
        let memory = self.machine.memory_bytes.unwrap_or(u64::MAX);
        state.running == 0
            || (demand.cores as usize <= free
                && state.memory_bytes.saturating_add(demand.memory_bytes) <= memory
                && demand.gpu.is_none_or(|together| state.on_gpus.iter().any(|&running| running < together.get())))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }
}

impl State {
    fn least_used(&self) -> Option<usize> {
        (0..self.on_gpus.len()).min_by_key(|&position| self.on_gpus[position])
    }
}

impl Seat<'_> {
    /// The number of its GPU.
    #[must_use]
    pub fn gpu(&self) -> Option<u32> {
        self.gpu.map(|position| self.scheduler.machine.gpus[position])
    }

    /// The numbers of the cores that belong to it.
    #[must_use]
    pub fn cores(&self) -> Vec<u32> {
        self.positions.iter().map(|&position| self.scheduler.machine.cores[position]).collect()
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut state = self.scheduler.lock();
        for &position in &self.positions {
            state.taken[position] = false;
        }
        state.memory_bytes -= self.demand.memory_bytes;
        if let Some(gpu) = self.gpu {
            state.on_gpus[gpu] -= 1;
        }
        state.running -= 1;
        self.scheduler.changed.notify_all();
    }
}

#[cfg(test)]
mod tests;
