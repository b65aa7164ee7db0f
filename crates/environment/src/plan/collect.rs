//! From imports and install lines to the distributions that they ask for.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    AskedBy, EnvironmentPlan, Needs, PlanRequest, Skipped, UnrequiredModule, Unresolved, Warning, WarningKind,
};
use crate::distribution::{
    DistributionCandidate, ImportContext, ImportProvider, NameSource, Skip, UnresolvedReason, from_tables, provider,
};
use crate::index::{Index, IndexError};
use crate::requirement::{MarkerEnvironment, Requirement};

/// What a distribution was asked for by.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    /// Imports, as written.
    pub(super) imports: Vec<String>,
    /// The install line that counts: the last with a bound, else the last.
    pub(super) pin: Option<Requirement>,
    /// The file and line of a pin that is no install line.
    pub(super) place: Option<String>,
    /// Whether every import of it is optional, and no install line names it.
    pub(super) optional: bool,
    pub(super) same_name: bool,
    /// Distributions that import it without requiring it.
    pub(super) undeclared: Vec<AskedBy>,
}

impl Wanted {
    /// The install line, if it bounds the version.
    pub(super) fn bounded(&self) -> Option<&Requirement> {
        self.pin.as_ref().filter(|pin| !pin.specifiers.is_empty())
    }

    /// Who pinned it, in words: `requirements.txt:3`.
    pub(super) fn pinned_by(&self) -> &str {
        self.place.as_deref().unwrap_or("the notebook's own install line")
    }

    /// Who asked, imports first.
    pub(super) fn asked_by(&self) -> Vec<AskedBy> {
        let imports =
            self.imports.iter().map(|import| AskedBy { who: format!("import {import}"), requirement: String::new() });
        let who = self.place.as_deref().unwrap_or("install line");
        let pin = self.pin.iter().map(|pin| AskedBy { who: who.to_owned(), requirement: pin.to_string() });
        imports.chain(pin).chain(self.undeclared.iter().cloned()).collect()
    }

    /// Who imports it, as one text; `None` where only an install line names it.
    pub(super) fn importers(&self) -> Option<String> {
        let notebook = (!self.imports.is_empty()).then(|| format!("import {}", self.imports.join(", ")));
        notebook.or_else(|| self.undeclared.first().map(|asked| format!("{} ({})", asked.who, asked.requirement)))
    }
}

/// Names worth fetching at once: those that the tables and the install lines give.
pub(super) fn likely_names(needs: &Needs, draft: &EnvironmentPlan) -> Vec<String> {
    let context = draft.context(needs);
    let named = needs.imports.iter().filter_map(|module| match from_tables(module, &context) {
        Some(ImportProvider::Distribution { name, .. }) => Some(name),
        _ => None,
    });
    let pinned = needs.pins.iter().filter_map(|text| Some(Requirement::read(text)?.name));
    named.chain(pinned).collect::<BTreeSet<_>>().into_iter().collect()
}

impl EnvironmentPlan {
    /// Where and when the notebook's imports happen.
    fn context<'names>(&self, needs: &'names Needs) -> ImportContext<'names> {
        ImportContext { minor: self.interpreter.minor(), date: self.date, local: &needs.local }
    }

    pub(super) fn leave(&mut self, what: &str, reason: &UnresolvedReason) {
        self.leave_with(what, reason, &[]);
    }

    fn leave_with(&mut self, what: &str, reason: &UnresolvedReason, candidates: &[DistributionCandidate]) {
        let candidates = candidates.iter().map(ToString::to_string).collect();
        self.unresolved.push(Unresolved { what: what.to_owned(), reason: reason.to_string(), candidates });
    }

    pub(super) fn warn(&mut self, kind: WarningKind, distribution: &str, words: String) {
        self.warnings.push(Warning { kind, distribution: distribution.to_owned(), words });
    }

    /// Gathers distributions from imports and install lines; notes what has none.
    pub(super) fn collect(
        &mut self,
        request: &PlanRequest<'_>,
        index: &Index,
    ) -> Result<BTreeMap<String, Wanted>, IndexError> {
        let needs = request.needs;
        let context = self.context(needs);
        let mut wanted: BTreeMap<String, Wanted> = BTreeMap::new();
        for import in needs.imports.iter().collect::<BTreeSet<_>>() {
            match provider(import, &context, index)? {
                ImportProvider::Nothing(skip) => {
                    self.skipped.push(Skipped { import: import.clone(), reason: skip.reason().into() });
                }
                ImportProvider::Unresolved(left) => self.leave_with(import, &left.reason, &left.candidates),
                ImportProvider::Distribution { name, how } => {
                    let optional = needs.optional.contains(import);
                    let entry = wanted.entry(name).or_insert_with(|| Wanted { optional, ..Wanted::default() });
                    entry.optional &= optional;
                    entry.imports.push(import.clone());
                    entry.same_name = matches!(how, NameSource::Contents { .. });
                }
            }
        }
        self.collect_pins(needs, &mut wanted);
        for (name, place) in request.pin_places.into_iter().flatten() {
            if let Some(wanted) = wanted.get_mut(name).filter(|wanted| wanted.pin.is_some()) {
                wanted.place = Some(place.clone());
            }
        }
        Ok(wanted)
    }

    /// Adds what distributions turned out to import without requiring it, and what they are known to where they are called so. A module
    /// without a distribution is left: the trial says that it fails.
    pub(super) fn collect_missing(
        &mut self,
        missing: &[UnrequiredModule],
        needs: &Needs,
        index: &Index,
        wanted: &mut BTreeMap<String, Wanted>,
    ) -> Result<(), IndexError> {
        let context = self.context(needs);
        let known = needs.unasked.iter().map(|module| (module, true));
        for (UnrequiredModule { module, by }, optional) in missing.iter().map(|module| (module, false)).chain(known) {
            if let ImportProvider::Distribution { name, .. } = provider(module, &context, index)? {
                let entry = wanted.entry(name).or_insert_with(|| Wanted { optional, ..Wanted::default() });
                entry.optional &= optional;
                let requirement = format!("imports {module} without requiring it");
                entry.undeclared.push(AskedBy { who: by.clone(), requirement });
            }
        }
        Ok(())
    }

    fn collect_pins(&mut self, needs: &Needs, wanted: &mut BTreeMap<String, Wanted>) {
        let environment = MarkerEnvironment::of(&self.interpreter);
        for text in &needs.pins {
            let Some(pin) = Requirement::read(text) else {
                self.leave(text, &UnresolvedReason::NotFromIndex);
                continue;
            };
            if !pin.applies(&environment, None) {
                continue;
            }
            if pin.specifiers.is_empty() && !pin.bound.is_empty() {
                let words = format!("the bound of the install line {text:?} cannot be read, so that the date decides");
                self.warn(WarningKind::UnreadableBound, &pin.name, words);
            }
            let entry = wanted.entry(pin.name.clone()).or_default();
            entry.optional = false;
            let keeps = pin.specifiers.is_empty() && entry.bounded().is_some();
            match &mut entry.pin {
                Some(kept) if keeps => kept.extras = merged(&kept.extras, &pin.extras),
                place => {
                    let extras = place.as_ref().map(|kept| merged(&kept.extras, &pin.extras));
                    *place = Some(Requirement { extras: extras.unwrap_or_else(|| pin.extras.clone()), ..pin });
                }
            }
        }
    }
}

fn merged(one: &[String], other: &[String]) -> Vec<String> {
    one.iter().chain(other).collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

impl Skip {
    /// Why, in one word or two.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::StandardLibrary => "standard library",
            Self::Local => "local",
            Self::Kernel => "kernel",
        }
    }
}
