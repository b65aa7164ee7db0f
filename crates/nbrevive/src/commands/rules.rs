//! `nbrevive rules`: what the rules know, one rule in full, and the proof on a table of triggers.

use std::path::{Path, PathBuf};

use nbrevive_rules::trial::{STACKS, TrialAccount, TrialSettings, TriggerRow, examples, read_table, try_rules};
use nbrevive_rules::{Rule, catalogue};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{DiskSettings, LaboratorySettings, StudyLimits};

use crate::Outcome;
use crate::arguments::{RulesExplainArguments, RulesListArguments, RulesTestArguments};
use crate::commands::setting::{file_failure, laboratory, laboratory_failure, sandbox_of};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// One line a rule: id, library and version, what changed.
pub(crate) fn list(arguments: &RulesListArguments) -> Outcome {
    let mut text = Shown::default();
    let wanted = |rule: &&Rule| arguments.library.as_deref().is_none_or(|library| rule.library == library);
    for rule in catalogue().filter(wanted) {
        text.push_line(&shown!(
            "{:<36} {:<22} {}",
            rule.id,
            shown!("{} {}", rule.library, rule.broken_in),
            rule.change
        ));
    }
    printer::data(&text);
    printer::note(&shown!("{} rules; `nbrevive rules explain ID` shows one in full", text.as_str().lines().count()));
    Ok(Exit::Success)
}

/// One rule in full.
pub(crate) fn explain(arguments: &RulesExplainArguments) -> Outcome {
    let rule = catalogue().find(|rule| rule.id == arguments.id).ok_or_else(|| Failure {
        exit: Exit::Usage,
        message: shown!("there is no rule `{}`: `nbrevive rules list` names them all", arguments.id),
    })?;
    printer::data(&Shown::block(&rule.explained()));
    Ok(Exit::Success)
}

/// Tries the rules on triggers.
pub(crate) fn test(arguments: &RulesTestArguments) -> Outcome {
    if let Some(path) = &arguments.json {
        let inputs: Vec<&Path> = arguments.table.iter().map(PathBuf::as_path).collect();
        nbrevive_files::check_place(path, &inputs).map_err(|error| file_failure(&error))?;
    }
    let rows = rows(arguments)?;
    let settings = LaboratorySettings {
        sandbox: sandbox_of(&arguments.sandbox, None)?,
        limits: StudyLimits::default(),
        seed: 0,
        offline: false,
        disk: DiskSettings::default(),
    };
    let laboratory = laboratory(&settings)?;
    let forms = if arguments.forms.is_empty() { TrialSettings::default().forms } else { arguments.forms.clone() };
    let trial = TrialSettings { forms, jobs: arguments.jobs.max(1), ..TrialSettings::default() };
    let mut all = TrialAccount { triggers: Vec::new(), seconds: 0.0 };
    for place in STACKS {
        let rows: Vec<TriggerRow> = rows.iter().filter(|row| place.holds(&row.library)).cloned().collect();
        if rows.is_empty() {
            continue;
        }
        let prepared = laboratory.from_lock_text(place.lock, &[]).map_err(|error| laboratory_failure(&error))?;
        printer::note(&shown!("{} triggers in environment {}", rows.len(), prepared.id));
        let stack = laboratory.stack(&prepared);
        let mut told = |libraries: &str, round: usize, cases: usize| {
            printer::note(&shown!("{}, round {}: {} cases", libraries, round, cases));
        };
        let account =
            try_rules(&rows, &stack, &trial, &mut told).map_err(|error| Failure::new(Exit::Missing, &error))?;
        all.triggers.extend(account.triggers);
        all.seconds += account.seconds;
    }
    printer::data(&Shown::block(&all.table()));
    printer::note(&shown!("{:.0} s", all.seconds));
    if let Some(path) = &arguments.json {
        write(path, &all)?;
    }
    Ok(Exit::Success)
}

fn rows(arguments: &RulesTestArguments) -> Result<Vec<TriggerRow>, Failure> {
    let read = match &arguments.table {
        Some(table) => read_table(table),
        None => examples(),
    };
    let mut rows = read.map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let wanted = |row: &TriggerRow| arguments.library.is_empty() || arguments.library.contains(&row.library);
    rows.retain(wanted);
    if rows.is_empty() {
        let message =
            Shown::literal("no trigger is left: `--library` takes names as the table's column `library` has them");
        return Err(Failure { exit: Exit::Usage, message });
    }
    Ok(rows)
}

fn write(path: &Path, account: &TrialAccount) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(account).map_err(|error| Failure::new(Exit::Other, &error))?;
    nbrevive_files::write(path, text + "\n").map_err(|error| file_failure(&error))
}
