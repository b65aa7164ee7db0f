//! Limits that this machine can hold.

use crate::cgroup::available_memory;
use crate::limits::{Limits, Notice};

impl Limits {
    /// These limits scaled down to what the machine and the own cgroup offer, with a notice for each that shrank.
    ///
    /// Memory is cut to nine tenths of what there is, so that the host survives a run that uses all of it.
    #[must_use]
    pub fn fitted_to_machine(&self) -> (Self, Vec<Notice>) {
        let cores = u32::try_from(crate::core_count()).unwrap_or(1);
        self.fitted_to(cores, available_memory())
    }
}
