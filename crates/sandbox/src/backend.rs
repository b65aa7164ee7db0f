//! What stands between a command and the machine.

use std::path::Path;

use crate::apptainer::Apptainer;
use crate::engine::Engine;
use crate::missing::MissingMeans;
use crate::oci::{Oci, OciSettings};
use crate::programs::find_engine;

/// What stands between the command and the machine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Backend {
    /// `bwrap` with namespaces, seccomp filter, cgroups where writable and resource limits.
    #[default]
    Bubblewrap,
    /// A container of Docker or Podman. The command sees the image instead of the host's `/usr`, and the image's own
    /// environment variables below [`Command::env`](crate::Command::env).
    Oci(Oci),
    /// A container of Apptainer, as behind [`Self::Oci`]; the variables of its image are not those of the command.
    Apptainer(Apptainer),
    /// A plain process with the user's own rights, for trusted notebooks only. Limits and supervision still apply;
    /// folders are not mounted anywhere: paths are those of the host.
    None,
}

impl Backend {
    /// Containers of an engine and an image that are here; what killed programs left behind is removed.
    ///
    /// # Errors
    /// [`MissingMeans`] when there is no engine, it does not answer, or the image is not on this machine.
    pub fn contained(settings: &OciSettings) -> Result<Self, MissingMeans> {
        let (engine, program) = find_engine(settings.engine)?;
        match engine {
            Engine::Apptainer => Apptainer::find(settings, program).map(Self::Apptainer),
            Engine::Podman | Engine::Docker => Oci::find(settings, engine, program).map(Self::Oci),
        }
    }

    /// The same with another image, where there are images.
    pub(crate) fn with_image(&self, image: &str) -> Result<Self, MissingMeans> {
        match self {
            Self::Oci(oci) => oci.with_image(image).map(Self::Oci),
            Self::Apptainer(apptainer) => apptainer.with_image(image).map(Self::Apptainer),
            Self::Bubblewrap | Self::None => Ok(self.clone()),
        }
    }

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
