//! Today's environment for one notebook in hand: a lock, what the notebook installs for itself, and what it imports and the
//! lock lacks.
//!
//! A study keeps to its lock, as the paper's does to its image. Somebody with one old notebook wants it to run: an import of
//! `bs4` is no reason to fail where the index has it. What is added is resolved on top of the lock, whose versions stay unless
//! an addition cannot be had with them; what cannot be had is left out by name, and the rest goes on.

use std::collections::BTreeSet;

use jiff::Timestamp;
use nbrevive_environment::distribution::{ImportContext, ImportProvider, provider};
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_execute::{Owners, TrialImport, missing};
use nbrevive_notebook::Notebook;
use nbrevive_rules::moved_to;
use nbrevive_shown::with_causes;

use crate::laboratory::{Laboratory, LaboratoryError, Prepared, Unbuildable};
use crate::{Beside, Surroundings};

/// How often what an addition lacks itself is added (`keras` imports a backend that it does not require).
const LESSONS: usize = 4;

/// What today's environment is made for.
#[derive(Debug, Clone, Copy)]
pub struct OfTodayRequest<'request> {
    /// The lock's text.
    pub lock: &'request str,
    /// The notebook, without its install lines.
    pub notebook: &'request Notebook,
    /// What those lines asked for.
    pub installs: &'request [NamedRequirement],
    /// The files beside the notebook: their modules need no distribution.
    pub beside: &'request Beside,
}

/// Today's environment, and what makes it differ from the lock.
#[derive(Debug, Clone)]
pub struct OfToday {
    /// The environment with its kernel.
    pub prepared: Prepared,
    /// Requirements on top of the lock.
    pub added: Vec<Addition>,
    /// Requirements that the environment does without, each with the reason.
    pub left_out: Vec<(Addition, String)>,
}

/// A requirement on top of a lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    /// What is wanted.
    pub requirement: NamedRequirement,
    /// Who asked: an import as written, an install line, or a call whose library imports it.
    pub because: String,
}

impl Addition {
    /// The normalised name of the distribution.
    fn name(&self) -> &str {
        self.requirement.name()
    }
}

impl Laboratory {
    /// The environment of a lock with what a notebook needs on top of it.
    ///
    /// # Errors
    /// When the lock's own environment cannot be built, or the machinery is broken. What the index does not have, or has not for
    /// this interpreter, is left out instead.
    pub fn of_today(&self, request: &OfTodayRequest<'_>) -> Result<OfToday, LaboratoryError> {
        let base = self.from_lock_text(request.lock, &[])?;
        let surroundings = Surroundings::with_files(request.notebook, request.beside, Timestamp::now());
        let mut needed = self.imported(&surroundings, &base);
        needed.extend(self.unasked(&surroundings, &base));
        let mut made = Making::new(request.installs, needed);
        let mut prepared = self.built(request.lock, &base, &mut made)?;
        for _ in 0..LESSONS {
            let Some(lacking) = self.lacking(&surroundings, &prepared, &made)? else { break };
            made.wanted.push(lacking);
            prepared = self.built(request.lock, &base, &mut made)?;
        }
        Ok(OfToday { prepared, added: made.wanted, left_out: made.left_out })
    }

    /// The distributions of the imports that the lock lacks.
    fn imported(&self, surroundings: &Surroundings, base: &Prepared) -> Vec<Addition> {
        let mut found: Vec<Addition> = Vec::new();
        for import in modules_of_today(surroundings) {
            let Some(name) = self.distribution_of(&import, surroundings, base) else { continue };
            if !base.packages.contains_key(name.name()) && !found.iter().any(|one| one.requirement == name) {
                found.push(Addition { requirement: name, because: format!("import {import}") });
            }
        }
        found
    }

    /// The distributions of what libraries import in the notebook's stead, and the lock lacks.
    fn unasked(&self, surroundings: &Surroundings, base: &Prepared) -> Vec<Addition> {
        let distributions = surroundings.needs.unasked.iter().filter_map(|one| {
            let requirement = self.distribution_of(&one.module, surroundings, base)?;
            Some(Addition { requirement, because: format!("{} needs {}", one.by, one.module) })
        });
        distributions.filter(|one| !base.packages.contains_key(one.name())).collect()
    }

    /// The distribution of a module as of now, where one is known. Without an answer of the index none is.
    pub(crate) fn distribution_of(
        &self,
        module: &str,
        surroundings: &Surroundings,
        base: &Prepared,
    ) -> Option<NamedRequirement> {
        let local = &surroundings.needs.local;
        let context = ImportContext { minor: base.minor(), date: surroundings.submitted, local };
        match provider(module, &context, &self.index) {
            Ok(ImportProvider::Distribution { name, .. }) => NamedRequirement::parse(&name).ok(),
            Ok(ImportProvider::Nothing(_) | ImportProvider::Unresolved(_)) => None,
            Err(error) => {
                tracing::warn!(module, "its distribution is not known: {error}");
                None
            }
        }
    }

    /// Builds with all that is wanted, leaving out what cannot be had.
    fn built(&self, lock: &str, base: &Prepared, made: &mut Making) -> Result<Prepared, LaboratoryError> {
        loop {
            let wanted = made.requirements();
            if wanted.is_empty() {
                return Ok(base.clone());
            }
            match self.from_lock_text(lock, &wanted) {
                Ok(prepared) => return Ok(prepared),
                Err(LaboratoryError::Unbuildable(failed)) => {
                    if !made.leave_blamed(&failed) {
                        return self.one_by_one(lock, base, made);
                    }
                }
                // No index, no room: the lock alone is there, and serves.
                Err(error @ (LaboratoryError::Build(_) | LaboratoryError::Kernel(_) | LaboratoryError::Index(_))) => {
                    made.leave_all(&with_causes(&error));
                }
                Err(other) => return Err(other),
            }
        }
    }

    /// Adds what is wanted one at a time, and leaves out what cannot be had beside what was added before.
    fn one_by_one(&self, lock: &str, base: &Prepared, made: &mut Making) -> Result<Prepared, LaboratoryError> {
        let mut last = base.clone();
        for candidate in std::mem::take(&mut made.wanted) {
            made.wanted.push(candidate);
            match self.from_lock_text(lock, &made.requirements()) {
                Ok(prepared) => last = prepared,
                Err(LaboratoryError::Unbuildable(failed)) => made.leave(made.wanted.len() - 1, failed.class.as_str()),
                Err(other) => return Err(other),
            }
        }
        Ok(last)
    }

    /// What an added distribution imports without requiring it.
    fn lacking(
        &self,
        surroundings: &Surroundings,
        prepared: &Prepared,
        made: &Making,
    ) -> Result<Option<Addition>, LaboratoryError> {
        let added: BTreeSet<&str> = made.wanted.iter().map(Addition::name).collect();
        let mut imports = Vec::new();
        for (module, names) in &surroundings.trial {
            if self.distribution_of(module, surroundings, prepared).is_some_and(|name| added.contains(name.name())) {
                imports.push(TrialImport { module: module.clone(), names: names.clone() });
            }
        }
        let owners = Owners::read(&prepared.site_packages);
        for result in self.tried(&imports, prepared)? {
            let Some(found) = missing(&result, &owners) else { continue };
            let Some(name) = self.distribution_of(&found.module, surroundings, prepared) else { continue };
            if !made.knows(name.name()) {
                let because = format!("{} imports {}", found.importing, found.module);
                return Ok(Some(Addition { requirement: name, because }));
            }
        }
        Ok(None)
    }
}

/// The modules that the notebook imports as it is, or will import once the rules have moved what lives elsewhere today.
fn modules_of_today(surroundings: &Surroundings) -> Vec<String> {
    let names = surroundings
        .trial
        .iter()
        .flat_map(|(module, names)| names.iter().filter_map(move |name| moved_to(&format!("{module}.{name}"))));
    let modules = surroundings.needs.imports.iter();
    modules.map(|module| moved_to(module).unwrap_or_else(|| module.clone())).chain(names).collect()
}

/// What is wanted on top of the lock, and what was given up.
struct Making {
    wanted: Vec<Addition>,
    /// Imports that an install line provides for: they take its place if it cannot be had.
    spare: Vec<Addition>,
    left_out: Vec<(Addition, String)>,
}

impl Making {
    fn new(installs: &[NamedRequirement], imported: Vec<Addition>) -> Self {
        let because = || "install line".to_owned();
        let mut wanted: Vec<Addition> =
            installs.iter().map(|one| Addition { requirement: one.clone(), because: because() }).collect();
        let named: BTreeSet<String> = wanted.iter().map(|one| one.name().to_owned()).collect();
        let (spare, new): (Vec<_>, Vec<_>) = imported.into_iter().partition(|one| named.contains(one.name()));
        wanted.extend(new);
        Self { wanted, spare, left_out: Vec::new() }
    }

    fn requirements(&self) -> Vec<NamedRequirement> {
        self.wanted.iter().map(|one| one.requirement.clone()).collect()
    }

    /// Whether a distribution is wanted, or was.
    fn knows(&self, name: &str) -> bool {
        self.wanted.iter().chain(self.left_out.iter().map(|(one, _)| one)).any(|one| one.name() == name)
    }

    /// Leaves out what the installer blames; whether it blamed any of what is wanted.
    fn leave_blamed(&mut self, failed: &Unbuildable) -> bool {
        let blamed = |one: &Addition| failed.distributions.iter().any(|name| name == one.name());
        let Some(position) = self.wanted.iter().position(blamed) else { return false };
        self.leave(position, failed.class.as_str());
        true
    }

    fn leave_all(&mut self, why: &str) {
        self.left_out.extend(self.wanted.drain(..).map(|one| (one, why.to_owned())));
    }

    /// Leaves one out. The bare name, if an import asks for it, is tried in place of an install line's.
    fn leave(&mut self, position: usize, why: &str) {
        let left = self.wanted.remove(position);
        if let Some(spare) = self.spare.iter().position(|one| one.requirement.as_str() == left.name()) {
            let spare = self.spare.remove(spare);
            if spare.requirement != left.requirement {
                self.wanted.push(spare);
            }
        }
        self.left_out.push((left, why.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_environment::FailureClass;

    use super::*;

    fn read(text: &str) -> NamedRequirement {
        NamedRequirement::parse(text).unwrap()
    }

    fn texts(made: &Making) -> Vec<String> {
        made.requirements().iter().map(ToString::to_string).collect()
    }

    fn import(name: &str) -> Addition {
        Addition { requirement: read(name), because: format!("import {name}") }
    }

    fn failed(distributions: &[&str]) -> Unbuildable {
        Unbuildable {
            id: String::new(),
            python: "3.12".into(),
            requirements: String::new(),
            class: FailureClass::NoMatchingVersion,
            distributions: distributions.iter().map(|&name| name.into()).collect(),
            tail: String::new(),
        }
    }

    #[test]
    fn modules_that_moved_are_looked_for_where_they_live_today() {
        let cell =
            "import fbprophet, nltk\nfrom sklearn.externals import joblib\nfrom sklearn.cross_validation import KFold";
        let notebook = Notebook::from_cells(vec![nbrevive_notebook::Cell::code(cell)]);
        let modules = modules_of_today(&Surroundings::of(&notebook, Timestamp::now()));
        for wanted in ["prophet", "nltk", "joblib", "sklearn.model_selection"] {
            assert!(modules.iter().any(|module| module == wanted), "{wanted} is not in {modules:?}");
        }
        assert!(!modules.iter().any(|module| module == "fbprophet"));
    }

    #[test]
    fn an_install_line_stands_for_the_import_until_it_cannot_be_had() {
        let mut made = Making::new(&[read("nltk==1.0"), read("six")], vec![import("nltk"), import("gensim")]);
        assert_eq!(texts(&made), ["nltk==1.0", "six", "gensim"]);
        assert!(made.leave_blamed(&failed(&["nltk"])));
        assert_eq!(texts(&made), ["six", "gensim", "nltk"]);
        assert!(made.leave_blamed(&failed(&["nltk"])), "the bare name may be at fault too");
        assert_eq!(texts(&made), ["six", "gensim"]);
        assert!(made.knows("nltk") && made.knows("gensim") && !made.knows("keras"));
    }

    #[test]
    fn a_failure_that_blames_nothing_wanted_leaves_all() {
        let mut made = Making::new(&[], vec![import("gensim")]);
        assert!(!made.leave_blamed(&failed(&["numpy"])));
        assert_eq!(texts(&made), ["gensim"]);
    }
}
