//! What a model is asked for once nothing that is known helps: the distribution of a module, the definition of a name, and the recipe by
//! which files are made up, never the files.

use nbrevive_corpus::{Executability, Preparation};
use nbrevive_inputs::data_may_mend;
use nbrevive_repair::CellFeedback;

use super::modules::missed_module;
use super::{Next, Restorable, Restoration};
use crate::LaboratoryError;

impl Restoration<'_> {
    /// One thing, for the first error that follows from no other and for which the model has an answer.
    pub(super) fn model_last(&mut self, best: &Restorable, roots: &[CellFeedback]) -> Result<Next, LaboratoryError> {
        let mut next = best.clone();
        for error in roots {
            let put_back = match Executability::of_error(&error.ename, &error.evalue) {
                Executability::ModuleNotFound if self.may(Preparation::Modules) => match missed_module(error) {
                    Some(module) => self.installed_as_asked(&mut next, error, module)?,
                    None => None,
                },
                Executability::NameError if self.may(Preparation::Names) => self.defined_as_asked(&mut next, error)?,
                Executability::FileNotFound if self.may(Preparation::Files) => self.made_as_asked(&mut next, error)?,
                // With files that are made up, another error may be of what is in them.
                Executability::OtherError
                    if self.may(Preparation::Files) && next.inputs.is_some() && data_may_mend(error) =>
                {
                    self.made_as_asked(&mut next, error)?
                }
                _ => None,
            };
            if let Some(one) = put_back.filter(|one| !self.tried.contains(one)) {
                return Ok(Some((next, vec![one])));
            }
        }
        Ok(None)
    }
}
