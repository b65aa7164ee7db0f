//! `[disk]` of a study's file.

use serde::Deserialize;

/// What a study may take of this machine's disks: `[disk]` of its file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DiskSettings {
    /// What stays free on the file systems of the store and of the working folders, in MiB. Default 1024.
    pub reserve_mib: u64,
    /// How long a run waits for room before it gives up, in seconds. Default 3600.
    pub longest_wait_seconds: f64,
    /// How much all executed notebooks of the store may take, in MiB; those that come later are kept without their outputs.
    /// Default 20480.
    pub executed_mib: u64,
}

impl Default for DiskSettings {
    fn default() -> Self {
        DiskSettings { reserve_mib: 1024, longest_wait_seconds: 3600.0, executed_mib: 20 * 1024 }
    }
}

impl DiskSettings {
    /// What makes no sense, in words.
    pub(crate) fn check(&self) -> Result<(), String> {
        match (0.0..=31_536_000.0).contains(&self.longest_wait_seconds) {
            true => Ok(()),
            false => Err(format!("disk.longest_wait_seconds = {} must be from 0 to a year", self.longest_wait_seconds)),
        }
    }

    /// The reserve in bytes.
    pub(crate) fn reserve(&self) -> u64 {
        self.reserve_mib.saturating_mul(1 << 20)
    }
}
