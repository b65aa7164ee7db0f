//! What the paper does about the first error of a run (ReNote, section IV-B): `pip install` of the missing module by its own name, and of
//! what a model names where that fails; a file that a model writes; a definition that a model writes.

use nbrevive_corpus::{Executability, Preparation};
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_repair::CellFeedback;

use super::modules::missed_module;
use super::{HowFar, Next, PutBack, Restorable, Restoration};
use crate::LaboratoryError;

impl Restoration<'_> {
    /// One thing for the first error; `None` where it is of another kind, or nothing is new.
    pub(super) fn next_as_the_paper(&mut self, best: &Restorable, reached: &HowFar) -> Result<Next, LaboratoryError> {
        let Some(error) = reached.errors.first() else { return Ok(None) };
        let mut next = best.clone();
        let put_back = match Executability::of_error(&error.ename, &error.evalue) {
            Executability::ModuleNotFound if self.may(Preparation::Modules) => {
                self.installed_by_name(&mut next, error)?
            }
            Executability::FileNotFound if self.may(Preparation::Files) => self.written_as_asked(&mut next, error)?,
            Executability::NameError if self.may(Preparation::Names) => self.defined_as_asked(&mut next, error)?,
            _ => None,
        };
        Ok(put_back.map(|one| (next, vec![one])))
    }

    fn installed_by_name(
        &mut self,
        next: &mut Restorable,
        error: &CellFeedback,
    ) -> Result<Option<PutBack>, LaboratoryError> {
        let Some(module) = missed_module(error) else { return Ok(None) };
        if let Ok(named) = NamedRequirement::parse(module)
            && let Some(one) = self.installed(next, &named, "pip install of the module that is missing".to_owned())?
        {
            return Ok(Some(one));
        }
        self.installed_as_asked(next, error, module)
    }
}
