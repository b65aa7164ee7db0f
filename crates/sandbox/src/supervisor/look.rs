//! One look at a run: what it took so far, and whether that is too much.

use std::time::{Duration, Instant};

use nbrevive_files::free_bytes;

use super::holdings::MOST_TERMINALS;
use super::{DISK_INTERVAL, DISK_LONGEST, DISK_SHARE, Watch};
use crate::Ended;
use crate::disk::Tally;
use crate::processes::{sample, tree, written_bytes};

impl Watch<'_> {
    pub(super) fn look(&mut self) {
        self.usage.wall_clock = self.began.elapsed();
        self.usage.log_bytes = self.launched.log.seen;
        self.look_at_processes();
        if self.limits.cpu_time.is_some_and(|most| self.usage.cpu_seconds > most.as_secs_f64()) {
            self.condemn(Ended::Cpu);
        }
        if self.usage.wall_clock > self.limits.wall_clock {
            self.condemn(Ended::WallClock);
        }
        if Instant::now() >= self.next_disk {
            self.look_at_disk();
        }
    }

    fn look_at_processes(&mut self) {
        let meter = &self.meter;
        self.usage.out_of_memory_kills = meter.out_of_memory_kills();
        let (resident, seconds, refused) = (meter.resident_bytes(), meter.cpu_seconds(), meter.refused_processes());
        if self.usage.out_of_memory_kills > 0 {
            // A run that lost a process would go on crippled, or wait for it for ever.
            self.condemn(Ended::Memory);
        }
        self.crowded |= refused.is_some_and(|times| times > 0);
        self.usage.peak_memory_bytes = self.usage.peak_memory_bytes.max(resident.unwrap_or(0));
        self.usage.cpu_seconds = self.usage.cpu_seconds.max(seconds.unwrap_or(0.0));
        if resident.is_none() || seconds.is_none() || refused.is_none() {
            self.look_at_tree();
        }
    }

    /// Without groups the process tree has to tell.
    fn look_at_tree(&mut self) {
        let Some(root) = self.first else { return };
        let now = sample(root);
        let (resident, most) = (now.resident_bytes, self.limits.memory_bytes);
        self.usage.cpu_seconds = self.usage.cpu_seconds.max(now.cpu_seconds);
        // One of those that count may be bubblewrap's own, outside.
        self.crowded |= now.threads + 1 >= u64::from(self.limits.processes);
        if self.meter.has("memory") {
            self.usage.peak_memory_bytes = self.usage.peak_memory_bytes.max(resident);
            return;
        }
        let held = resident.saturating_add(self.holdings.sharing.apart);
        self.usage.peak_memory_bytes = self.usage.peak_memory_bytes.max(held);
        // Resident sizes count shared pages once per process; only the exact sum is ground for a kill.
        if self.holdings.exact_bytes(root, resident, most).is_some_and(|bytes| bytes > most) {
            self.condemn(Ended::Memory);
        }
    }

    fn look_at_disk(&mut self) {
        let before = Instant::now();
        let pids = self.processes();
        let written = written_bytes(pids.iter().copied());
        if let Some(gpus) = &mut self.gpus {
            self.usage.gpu = Some(gpus.look(&pids));
        }
        // Before the folders, so that a file that loses its name meanwhile is not counted twice.
        let found = self.holdings.look(&pids, self.meter.has("memory"));
        let mut tally = Tally::default();
        for bind in &self.command.writable {
            tally.add(&bind.host, self.limits.disk_entries);
        }
        tally.bytes += found.nameless;
        self.usage.disk_bytes = self.usage.disk_bytes.max(tally.bytes);
        self.usage.written_bytes = self.usage.written_bytes.max(written);
        let most = self.holdings.storage(&found, tally.bytes, written);
        if found.terminals > MOST_TERMINALS {
            self.condemn(Ended::Processes);
        }
        let short = |bind: &crate::Bind| free_bytes(&bind.host).is_ok_and(|free| free < self.limits.disk_reserve_bytes);
        let over = most > self.limits.disk_bytes || tally.over(self.limits.disk_bytes, self.limits.disk_entries);
        if over || self.command.writable.iter().any(short) {
            self.condemn(Ended::Disk);
        }
        self.next_disk = Instant::now() + pause_after(before.elapsed());
    }

    fn processes(&self) -> Vec<i32> {
        let grouped = self.meter.processes();
        if grouped.is_empty() {
            return self.first.map(tree).unwrap_or_default().iter().map(|process| process.pid).collect();
        }
        grouped
    }
}

/// Until the next measurement, after one that took so long.
fn pause_after(measurement: Duration) -> Duration {
    measurement.saturating_mul(DISK_SHARE).clamp(DISK_INTERVAL, DISK_LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_measurement_makes_the_next_rarer_but_never_rare() {
        let pauses = [1, 50, 5_000].map(|took| pause_after(Duration::from_millis(took)));
        assert_eq!(pauses, [DISK_INTERVAL, Duration::from_millis(500), DISK_LONGEST]);
        assert_eq!(pause_after(Duration::MAX), DISK_LONGEST);
    }
}
