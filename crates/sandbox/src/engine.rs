//! Which container engine.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A container engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// `podman`, as root or rootless.
    Podman,
    /// `docker`, whose daemon must run on this machine: folders are bound by their path here.
    Docker,
    /// `apptainer`, which many clusters have instead of both: no daemon, an image is a file.
    Apptainer,
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Podman => "podman",
            Self::Docker => "docker",
            Self::Apptainer => "apptainer",
        })
    }
}
