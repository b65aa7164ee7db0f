//! `nbrevive changes prove`: whether what the census says is gone is gone, asked of the releases of today in the sandbox.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_census::{ApiCertainty, ApiChanges, ApiRow, ApiRowKind};
use nbrevive_rules::census::is_without;
use nbrevive_rules::trial::STACKS;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{DiskSettings, LaboratorySettings, StudyLimits};

use crate::Outcome;
use crate::arguments::{ChangesProveArguments, SandboxArguments};
use crate::commands::setting::{laboratory, laboratory_failure, sandbox_of};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Tells the rows of the program's own census that the releases of today contradict.
pub(crate) fn prove(arguments: &ChangesProveArguments) -> Outcome {
    let census = ApiChanges::get();
    let known: Vec<&str> = census.libraries().collect();
    if let Some(unknown) = arguments.libraries.iter().find(|library| !known.contains(&library.as_str())) {
        let message = shown!("the census has no rows of `{}`: `nbrevive changes list` names its libraries", unknown);
        return Err(Failure { exit: Exit::Usage, message });
    }
    let is_meant =
        |library: &&str| arguments.libraries.is_empty() || arguments.libraries.iter().any(|one| one == library);
    let rows: Vec<ApiRow> = known.iter().copied().filter(is_meant).flat_map(|library| census.rows(library)).collect();
    let proof = Proof::of(&rows, &arguments.sandbox)?;
    let mut text = Shown::default();
    for row in rows.iter().filter(|row| proof.contradicts(row)) {
        text.push_line(&shown!("{} is there: {}", &row.name, super::list::line(row)));
    }
    let contradicted = text.as_str().lines().count();
    printer::data(&text);
    printer::note(&shown!("{} of {} rows that could be asked are contradicted", contradicted, proof.asked));
    Ok(if contradicted == 0 { Exit::Success } else { Exit::Contradiction })
}

/// What the releases of today have of the names that rows say are gone.
pub(super) struct Proof {
    versions: BTreeMap<String, String>,
    there: BTreeSet<String>,
    /// Rows that are about a library of which a release without the name is installed.
    asked: usize,
}

impl Proof {
    /// Asks the environments in which rules are proved.
    pub(super) fn of(rows: &[ApiRow], sandbox: &SandboxArguments) -> Result<Self, Failure> {
        let settings = LaboratorySettings {
            sandbox: sandbox_of(sandbox, None)?,
            limits: StudyLimits::default(),
            seed: 0,
            offline: false,
            disk: DiskSettings::default(),
        };
        let laboratory = laboratory(&settings)?;
        let mut proof = Self { versions: BTreeMap::new(), there: BTreeSet::new(), asked: 0 };
        for place in STACKS {
            let holds = |library: &str| place.lock.lines().any(|line| line.split("==").next() == Some(library));
            if !rows.iter().any(|row| holds(&row.library)) {
                continue;
            }
            let prepared = laboratory.from_lock_text(place.lock, &[]).map_err(|error| laboratory_failure(&error))?;
            let stack = laboratory.stack(&prepared);
            let installed = stack.packages.iter().filter(|(name, _)| !proof.versions.contains_key(*name));
            let mut versions: BTreeMap<String, String> =
                installed.map(|(name, version)| (name.clone(), version.clone())).collect();
            let mut roots: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
            for row in rows.iter().filter(|row| is_gone(&versions, row)) {
                roots
                    .entry(&row.library)
                    .or_default()
                    .insert(row.name.split('.').next().unwrap_or_default().to_owned());
            }
            let meant = || rows.iter().filter(|row| is_gone(&versions, row));
            let modules: BTreeSet<String> = meant().filter_map(module_of).collect();
            let asked: BTreeSet<String> = meant().map(question).collect();
            let all = asked.iter().chain(&modules).chain(roots.values().flatten());
            let names: BTreeSet<&str> = all.map(String::as_str).collect();
            let there = stack.names_there(&names).map_err(|error| Failure::new(Exit::Missing, &error))?;
            // A library that cannot be imported proves nothing.
            for (library, _) in roots.iter().filter(|(_, roots)| roots.is_disjoint(&there)) {
                printer::error(&shown!(
                    "{} cannot be imported in environment {}: nothing is asked of it",
                    *library,
                    prepared.id
                ));
                versions.remove(*library);
            }
            proof.asked += rows.iter().filter(|row| is_gone(&versions, row)).count();
            proof.there.extend(there);
            proof.versions.extend(versions);
        }
        Ok(proof)
    }

    /// Whether a row says of a name that it is gone, and it is not.
    pub(super) fn contradicts(&self, row: &ApiRow) -> bool {
        is_gone(&self.versions, row) && self.there.contains(&question(row))
    }

    /// Makes rows likely of which the text alone could not be sure: the name was asked of a module, which has it not.
    pub(super) fn confirm(&self, row: &mut ApiRow) {
        let is_sure = row.parameter.is_empty()
            && is_gone(&self.versions, row)
            && module_of(row).is_some_and(|module| self.there.contains(&module));
        if is_sure && row.certainty == ApiCertainty::Unsure {
            row.certainty = ApiCertainty::Likely;
        }
    }
}

/// What is asked of a row.
fn question(row: &ApiRow) -> String {
    match row.kind {
        ApiRowKind::WordGone => format!("{}({}={})", row.name, row.parameter, row.word),
        _ if row.parameter.is_empty() => row.name.clone(),
        _ => format!("{}({})", row.name, row.parameter),
    }
}

/// The question whether a name is one of a module.
fn module_of(row: &ApiRow) -> Option<String> {
    row.name.rsplit_once('.').map(|(module, _)| format!("{module}."))
}

/// Whether a row says of a name, a keyword or a word that the installed release has it no more.
fn is_gone(versions: &BTreeMap<String, String>, row: &ApiRow) -> bool {
    use ApiRowKind::{Moved, ParameterGone, ParameterRenamed, Removed, Renamed, WordGone};
    let can_be_asked = matches!(row.kind, Removed | Moved | Renamed | ParameterGone | ParameterRenamed | WordGone);
    can_be_asked && versions.get(&row.library).is_some_and(|installed| is_without(row, installed))
}
