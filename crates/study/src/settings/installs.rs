//! `[installs]` of a study's file.

use nbrevive_environment::link::HostName;
use serde::Deserialize;

/// What install lines may ask for beside names: `[installs]` of a study's file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InstallSettings {
    /// The hosts from which files are fetched that an install line names by address. Default: none.
    pub hosts: Vec<HostName>,
}
