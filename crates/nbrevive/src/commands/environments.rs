//! `nbrevive environments`: what is kept, and making room.

use std::collections::BTreeSet;
use std::time::Duration;

use nbrevive_environment::build::{EnvironmentInfo, PruneReport, PruneSettings, environments};
use nbrevive_environment::{Builder, Home};
use nbrevive_shown::{Shown, shown};

use crate::Outcome;
use crate::arguments::PruneArguments;
use crate::exit_code::{Exit, Failure};
use crate::printer;

const GIBIBYTE: f64 = (1_u64 << 30) as f64;
const DAY: f64 = 86_400.0;

fn home() -> Result<Home, Failure> {
    Home::from_environment().map_err(|error| Failure::new(Exit::Missing, &error))
}

fn kept(home: &Home) -> Result<Vec<EnvironmentInfo>, Failure> {
    environments(home).map_err(|error| Failure::new(Exit::CannotWrite, &error))
}

/// Lists the environments, the least recently used first.
pub(crate) fn list() -> Outcome {
    let mut found = kept(&home()?)?;
    found.sort_by(|one, other| one.last_used.cmp(&other.last_used).then_with(|| one.id.cmp(&other.id)));
    let mut text =
        shown!("{:<20}  {:>9}  {:>8}  {:>13}  last used\n", "environment", "size", "Python", "distributions");
    for one in &found {
        text.push_line(&shown!(
            "{:<20}  {:>9}  {:>8}  {:>13}  {}",
            one.id,
            size(one.bytes),
            one.python,
            one.distributions,
            one.last_used.strftime("%Y-%m-%d %H:%M")
        ));
    }
    printer::data(&text);
    let own: u64 = found.iter().map(|one| one.own_bytes).sum();
    printer::note(&shown!("{} environments; {} of it would be free without them", found.len(), size(own)));
    Ok(Exit::Success)
}

/// Removes what the limits leave no room for.
pub(crate) fn prune(arguments: &PruneArguments) -> Outcome {
    if arguments.max_size.is_none() && arguments.max_age.is_none() {
        let message = Shown::literal("say what to keep: --max-size GiB, --max-age DAYS, or both");
        return Err(Failure { exit: Exit::Usage, message });
    }
    let valid = |limit: Option<f64>| limit.is_none_or(|limit| limit.is_finite() && (0.0..1e9).contains(&limit));
    if !valid(arguments.max_size) || !valid(arguments.max_age) {
        let message = Shown::literal("--max-size and --max-age must be numbers that are not negative");
        return Err(Failure { exit: Exit::Usage, message });
    }
    let settings = PruneSettings {
        max_bytes: arguments.max_size.map(|size| (size * GIBIBYTE) as u64),
        max_age: arguments.max_age.map(|days| Duration::from_secs_f64(days * DAY)),
        keep: BTreeSet::new(),
    };
    let report = Builder::prune(&home()?, &settings).map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
    tell(&report);
    Ok(Exit::Success)
}

fn tell(report: &PruneReport) {
    for id in &report.removed {
        printer::data(&shown!("{}\n", id));
    }
    for id in &report.in_use {
        printer::note(&shown!("{} is in use and stays", id));
    }
    printer::note(&shown!(
        "removed {} environments, {} incomplete ones, {} remembered failures and {} packed files: {} freed, {} kept",
        report.removed.len(),
        report.incomplete,
        report.failures,
        report.packed,
        size(report.freed_bytes),
        size(report.kept_bytes)
    ));
}

fn size(bytes: u64) -> Shown {
    if bytes < 1 << 30 {
        shown!("{:.0} MiB", bytes as f64 / f64::from(1 << 20))
    } else {
        shown!("{:.1} GiB", bytes as f64 / GIBIBYTE)
    }
}
