//! The lines below tables and figures that say where numbers come from.

use nbrevive_corpus::{Condition, Role};

use crate::number_words::{plural, thousands};
use crate::published::{Paper, Printed};
use crate::rows::Study;

/// What our column was run on.
pub(crate) fn ours(study: &Study, rows: u64, condition: Condition) -> String {
    let counted = match rows {
        0 => format!("no version was run under {condition}"),
        _ => format!("{} under {condition}", plural(rows, "version")),
    };
    format!("Ours: {counted}; {}; intervals are Wilson's.", study_line(study))
}

/// What our column of the fix table was run on.
pub(crate) fn our_fixes(study: &Study, fixes: u64) -> String {
    let counted = if fixes == 0 { "no fixes".to_owned() } else { plural(fixes, "fix") };
    format!("Ours: {counted} under {}; {}.", study.roles.condition(Role::Modernize), study_line(study))
}

/// What a figure was run on. The environment of today and the number of fixes are of studies alone that have a use for them.
pub(crate) fn study_line(study: &Study) -> String {
    let baseline = match study.roles.use_lock() {
        true => format!("baseline environment {} with Python {}, ", study.baseline_environment, study.baseline_python),
        false => String::new(),
    };
    let fixes = match study.roles.repair_any() {
        true => format!("at most {}, ", plural(u64::from(study.max_fixes), "fix")),
        false => String::new(),
    };
    let tau = if study.judge.asks_scores() { format!("τ = {}, ", tau(study)) } else { String::new() };
    let listed = match study.listed {
        0 => String::new(),
        listed => format!(" ({} more left out by its list of exclusions)", thousands(u64::from(listed))),
    };
    format!(
        "study {} ({}) of {}{listed}, {baseline}{}, at most {} s a notebook, {tau}{fixes}{}",
        study.study,
        study.title,
        plural(u64::from(study.versions), "version"),
        study.machine,
        study.time_limit_seconds,
        study.tool_revision,
    )
}

/// What a published column is, and how far it can be compared.
pub(crate) fn published(paper: &Paper, section: &str, population: &str) -> String {
    format!(
        "Published: {population} ({}, section {section}, τ = {}); not the same notebooks as ours, so counts cannot be \
         compared and shares only with care.",
        paper.authors, paper.tau,
    )
}

/// What the published costs are, and how far they can be compared.
pub(crate) fn published_costs(paper: &Paper, section: &str, population: &str) -> String {
    format!(
        "Published: {population} ({}, section {section}); other notebooks, another model and the prices of its day, so costs \
         can be compared only with care.",
        paper.authors,
    )
}

/// That printed parts do not make their printed whole.
pub(crate) fn contradiction(parts: &str, sum: u64, total: &Printed) -> String {
    format!("Published as printed: {parts} add up to {}, the printed total is {}.", thousands(sum), total.text())
}

/// The study's threshold in percent.
pub(crate) fn tau(study: &Study) -> String {
    // Rounded to a millionth of a percent, since 0.07 * 100 is not 7 in binary.
    let percent = (study.tau * 100.0 * 1e6).round() / 1e6;
    format!("{percent} %")
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::{ConditionPart, Roles};

    use super::*;

    #[test]
    fn a_caption_is_silent_about_what_no_condition_has() {
        let folder = tempfile::tempdir().unwrap();
        crate::testing::Synthetic::default().write(folder.path());
        let mut study = crate::rows::Data::read(folder.path()).unwrap().study;
        let told = |study: &Study| {
            let line = study_line(study);
            ["baseline environment contemporary", "at most 16 fixes"].map(|words| line.contains(words))
        };
        assert_eq!(told(&study), [true; 2]);
        let declared = ConditionPart { role: Role::Baseline, runs: true, in_lock: false, repairs: false, start: None };
        study.roles = Roles::of([("declared".parse().unwrap(), declared)]);
        assert_eq!(told(&study), [false; 2]);
    }
}
