//! What stands between a command and the machine.

use std::path::Path;

use crate::oci::Oci;

/// What stands between the command and the machine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Backend {
    /// `bwrap` with namespaces, seccomp filter, cgroups where writable and resource limits.
    #[default]
    Bubblewrap,
    /// A container of Docker or Podman. The command sees the image instead of the host's `/usr`, and the image's own
    /// environment variables below [`Command::env`](crate::Command::env).
    Oci(Oci),
    /// A plain process with the user's own rights, for trusted notebooks only. Limits and supervision still apply;
    /// folders are not mounted anywhere: paths are those of the host.
    None,
}

impl Backend {
    /// Whether folders are mounted inside, and the host's are out of sight.
    #[must_use]
    pub fn isolates(&self) -> bool {
        *self != Self::None
    }

    /// Where the command finds a folder that is bound at `inside`: there, or at `host` where nothing is mounted.
    #[must_use]
    pub fn place<'path>(&self, inside: &'path Path, host: &'path Path) -> &'path Path {
        if self.isolates() { inside } else { host }
    }
}
