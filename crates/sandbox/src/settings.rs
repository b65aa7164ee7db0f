//! Which backend, as a settings file says it.

use std::num::NonZeroU32;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{Backend, MissingMeans, Notice, OciSettings, available_gpus, check};

/// The backend of a settings file: a table with the key `backend`, and those of [`BubblewrapSettings`] or [`OciSettings`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "backend", rename_all = "kebab-case")]
pub enum SandboxSettings {
    /// [`Backend::Bubblewrap`].
    Bubblewrap(BubblewrapSettings),
    /// [`Backend::Oci`] or [`Backend::Apptainer`].
    Oci(OciSettings),
}

/// What a user says about the default sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BubblewrapSettings {
    /// Whether each run gets a GPU. Default: none does.
    pub gpus: bool,
    /// How many runs share one. Default 1.
    pub executions_per_gpu: Option<NonZeroU32>,
}

impl Default for SandboxSettings {
    fn default() -> Self {
        Self::Bubblewrap(BubblewrapSettings::default())
    }
}

/// What notebooks run behind, found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// What stands between a run and the machine.
    pub backend: Backend,
    /// What does for code of these days on, the earliest first; of one day the last.
    pub dated: Vec<(Date, Backend)>,
    /// How many runs share a GPU; `None` where they get none.
    pub gpus: Option<NonZeroU32>,
}

impl Sandbox {
    /// What [`check`] says of the backend.
    ///
    /// # Errors
    /// As [`check`]; and where GPUs are asked for and there is none.
    pub fn check(&self) -> Result<Vec<Notice>, MissingMeans> {
        if self.gpus.is_some() && available_gpus().is_empty() {
            return Err(MissingMeans::Gpu);
        }
        self.dated.iter().try_for_each(|(_, backend)| check(backend).map(drop))?;
        check(&self.backend)
    }
}

/// A backend that passes no GPUs.
impl From<Backend> for Sandbox {
    fn from(backend: Backend) -> Self {
        Self { backend, dated: Vec::new(), gpus: None }
    }
}

impl SandboxSettings {
    /// The backend, ready to be used, and whether GPUs are passed. ([`Sandbox::check`] says more about it.)
    ///
    /// # Errors
    /// [`MissingMeans`] when the container engine or the image is not there.
    pub fn find(&self) -> Result<Sandbox, MissingMeans> {
        let mut found = Sandbox::from(Backend::Bubblewrap);
        if let Self::Oci(settings) = self {
            found.backend = Backend::contained(settings)?;
            for dated in &settings.images {
                found.dated.push((dated.from, found.backend.with_image(&dated.image)?));
            }
            found.dated.sort_by_key(|(from, _)| *from);
        }
        Ok(Sandbox { gpus: self.gpus(), ..found })
    }

    /// How many runs share a GPU; `None` where they get none.
    #[must_use]
    pub fn gpus(&self) -> Option<NonZeroU32> {
        let (gpus, together) = match self {
            Self::Bubblewrap(settings) => (settings.gpus, settings.executions_per_gpu),
            Self::Oci(settings) => (settings.gpus, settings.executions_per_gpu),
        };
        gpus.then(|| together.unwrap_or(NonZeroU32::MIN))
    }
}
