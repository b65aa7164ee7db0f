//! What a notebook of a repository installs for itself, carried out before it runs, as in studies.

use std::path::Path;

use nbrevive_notebook::Notebook;
use nbrevive_shown::{Shown, shown};

use super::SurveyedRepository;
use crate::environments::installs::take_installs;
use crate::{Beside, Laboratory, LaboratoryError, Prepared};

/// What came of a notebook's install lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckedInstalls {
    /// What they name and the repository's environment lacked, installed on top of it.
    pub added: Vec<String>,
    /// What was not carried out, and why, a line each.
    pub left_out: Vec<Shown>,
}

impl SurveyedRepository {
    /// The notebook without its install lines, what came of them, and the environment with what they name, where the repository's has not
    /// all of it. As after a failed install, the notebook runs without what cannot be had.
    pub(super) fn installed(
        &self,
        laboratory: &Laboratory,
        environment: &Prepared,
        saved: &Notebook,
        starts_in: &Path,
    ) -> Result<(Notebook, CheckedInstalls, Option<Prepared>), LaboratoryError> {
        let taken = take_installs(saved, &Beside::of(&self.files.files.join(starts_in))).lacking_in(environment);
        let mut told =
            CheckedInstalls { added: Vec::new(), left_out: taken.refused.iter().map(|one| one.told()).collect() };
        if taken.is_empty() {
            return Ok((taken.notebook, told, None));
        }
        let names: Vec<String> = taken.requirements.iter().map(ToString::to_string).collect();
        match laboratory.with_installs(&environment.as_lock(), &taken) {
            Ok(extended) => {
                told.added = names;
                Ok((taken.notebook, told, Some(extended)))
            }
            Err(LaboratoryError::Unbuildable(error)) => {
                told.left_out.push(shown!("cannot install {}: {}", names.join(", "), error.class));
                Ok((taken.notebook, told, None))
            }
            Err(error) => Err(error),
        }
    }
}
