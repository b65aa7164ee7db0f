//! Environments in use: whoever runs something in one holds a lease, and pruning leaves it alone.

use std::time::Duration;

use super::{BuildError, Builder, Environment, Spec, lock_path, ready};
use crate::home::{FileLock, HomeError, lock_shared_within};

/// How long a lease waits for a builder or a pruner that has the environment.
const PATIENCE: Duration = Duration::from_secs(10);

/// Keeps an environment from being pruned until dropped. Any number may be held of one environment, by any number of
/// processes.
#[derive(Debug)]
pub struct Lease {
    /// `None` in a home that may not be written: nobody could prune it from here.
    _lock: Option<FileLock>,
}

impl Builder<'_> {
    /// The environment of a specification, built where it is not there, and a lease on it.
    ///
    /// # Errors
    /// Those of [`Builder::build`].
    pub fn lease(&self, spec: Spec<'_>) -> Result<(Environment, Lease), BuildError> {
        loop {
            let environment = self.build(spec)?;
            let path = lock_path(self.home, &environment.id);
            let lock = match lock_shared_within(&path, PATIENCE) {
                Ok(Some(lock)) => Some(lock),
                // Pruned or built again meanwhile.
                Ok(None) => continue,
                Err(error) if is_read_only(&error) => None,
                Err(error) => return Err(error.into()),
            };
            if ready(&environment.path).is_some() {
                return Ok((environment, Lease { _lock: lock }));
            }
        }
    }
}

fn is_read_only(error: &HomeError) -> bool {
    matches!(error.source.kind(), std::io::ErrorKind::ReadOnlyFilesystem | std::io::ErrorKind::PermissionDenied)
}
