//! Distributions of modules that a run missed.

use jiff::Timestamp;
use nbrevive_corpus::{Executability, Preparation};
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_repair::CellFeedback;

use super::{PutBack, Restorable, Restoration};
use crate::environments::of_today::{Addition, OfTodayRequest};
use crate::{LaboratoryError, Surroundings};

impl Restoration<'_> {
    /// Adds to the environment what the notebook imports and it lacks, and what the errors name beyond: a module that a library
    /// imports only when it is used stands in no import of the notebook.
    pub(super) fn modules(
        &mut self,
        next: &mut Restorable,
        roots: &[CellFeedback],
    ) -> Result<Vec<PutBack>, LaboratoryError> {
        let missed: Vec<&str> = roots.iter().filter_map(missed_module).collect();
        if missed.is_empty() {
            return Ok(Vec::new());
        }
        let named = self.named(next, &missed);
        let lock = next.environment.as_lock();
        let request =
            OfTodayRequest { lock: &lock, notebook: &next.notebook, installs: &named, beside: self.settings.beside };
        let made = self.laboratory.of_today(&request)?;
        for (addition, why) in &made.left_out {
            self.left_out.insert((addition.requirement.to_string(), why.clone()));
        }
        let added = made
            .added
            .iter()
            .map(|one| put_back(one, &named))
            .filter(|one| !self.tried.contains(one))
            .collect::<Vec<_>>();
        if !added.is_empty() {
            next.environment = made.prepared;
        }
        Ok(added)
    }

    /// The distributions of modules that errors name, where they are known and the environment lacks them.
    fn named(&self, next: &Restorable, missed: &[&str]) -> Vec<NamedRequirement> {
        let date = self.settings.date.unwrap_or_else(Timestamp::now);
        let surroundings = Surroundings::with_files(&next.notebook, self.settings.beside, date);
        let mut found: Vec<NamedRequirement> = Vec::new();
        for module in missed {
            let Some(name) = self.laboratory.distribution_of(module, &surroundings, &next.environment) else {
                continue;
            };
            // What the notebook imports itself is found with all its imports.
            let is_imported = surroundings.needs.imports.iter().any(|import| import == module);
            if !is_imported && !next.environment.packages.contains_key(name.name()) && !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }
}

/// The module that an error misses, as it was imported.
pub(super) fn missed_module(error: &CellFeedback) -> Option<&str> {
    let is_missed = Executability::of_error(&error.ename, &error.evalue) == Executability::ModuleNotFound;
    let (_, rest) = error.evalue.split_once("No module named ").filter(|_| is_missed)?;
    let word = rest.split([';', ' ']).next()?.trim_matches(['\'', '"']);
    (!word.is_empty()).then_some(word)
}

fn put_back(addition: &Addition, named: &[NamedRequirement]) -> PutBack {
    let because = match named.contains(&addition.requirement) {
        true => "an error names its module".to_owned(),
        false => addition.because.clone(),
    };
    PutBack { preparation: Preparation::Modules, what: addition.requirement.to_string(), because }
}
