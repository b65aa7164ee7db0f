//! Which backend, as a settings file says it.

use serde::{Deserialize, Serialize};

use crate::{Backend, MissingMeans, Oci, OciSettings};

/// The backend of a settings file: a table with the key `backend`, and for `oci` those of [`OciSettings`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "backend", rename_all = "kebab-case")]
pub enum SandboxSettings {
    /// [`Backend::Bubblewrap`].
    #[default]
    Bubblewrap,
    /// [`Backend::Oci`].
    Oci(OciSettings),
}

impl SandboxSettings {
    /// The backend, ready to be used. ([`crate::check`] says more about it.)
    ///
    /// # Errors
    /// [`MissingMeans`] when the container engine or the image is not there.
    pub fn backend(&self) -> Result<Backend, MissingMeans> {
        match self {
            Self::Bubblewrap => Ok(Backend::Bubblewrap),
            Self::Oci(settings) => Oci::find(settings).map(Backend::Oci),
        }
    }
}
