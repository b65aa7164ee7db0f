//! What the paper lacks: the headline for other thresholds τ than its own, for less time, and for fewer fixes.

use nbrevive_corpus::Condition;

use super::cell::Cell;
use super::share_table::{Column, Setting, ShareLine, ShareTable, column};
use crate::number_words::plural;
use crate::rows::{Data, OutcomeRow};
use crate::source;

/// The thresholds of the curve, in percent.
const TAUS: [u32; 13] = [0, 1, 2, 3, 5, 8, 10, 15, 20, 25, 30, 40, 50];
/// The time limits of the curve, in seconds; those beyond the study's own are left out.
const SECONDS: [u32; 16] = [1, 2, 5, 10, 20, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600];

/// The flaky rates of the curve, in percent; of three runs, two differ in none, in a third, or in two thirds.
const FLAKY_RATES: [u32; 7] = [0, 10, 20, 34, 50, 67, 100];

/// The share that reproduces within each τ from 0 to 50 %, by condition.
pub(crate) fn by_tau(data: &Data) -> ShareTable {
    let within = |row: &OutcomeRow, percent: u32| {
        // A version that did not come to a submission with a score deviates by more than any τ.
        row.deviation.is_some_and(|deviation| deviation <= f64::from(percent) / 100.0)
    };
    let lines = data.conditions().flat_map(|condition| curve(data, condition, &TAUS, within)).collect();
    let note = format!(
        "Deviations are those of the runs at τ = {}: a loop that stopped there might have gone on at a smaller τ, and \
         stopped earlier at a larger one.",
        source::tau(&data.study)
    );
    let name = ("curve-tau", "The share of reproducible versions, by the threshold τ");
    ShareTable::new(data, name, vec![Column { head: "τ in percent", field: "tau_percent" }], lines, note)
}

/// The share that is reproducible with at most so many fixes, under conditions that repair.
pub(crate) fn by_fixes(data: &Data) -> ShareTable {
    let most = data.outcomes.iter().map(|row| row.fixes).max().unwrap_or(0);
    let counts: Vec<u32> = (0..=most).collect();
    let within = |row: &OutcomeRow, fixes: u32| row.outcome.is_reproducible() && row.fixes <= fixes;
    let repairing = data.conditions().filter(|condition| data.study.roles.repairs(*condition));
    let lines = repairing.flat_map(|condition| curve(data, condition, &counts, within)).collect();
    let note = format!("No version got more than {}.", plural(u64::from(most), "fix"));
    let name = ("curve-fixes", "The share of versions brought back, by the number of fixes");
    ShareTable::new(data, name, vec![Column { head: "At most so many fixes", field: "fixes" }], lines, note)
}

/// The share that is reproducible with cells that take no longer, by condition.
pub(crate) fn by_time(data: &Data) -> ShareTable {
    let limits: Vec<u32> =
        SECONDS.into_iter().filter(|seconds| f64::from(*seconds) <= data.study.time_limit_seconds).collect();
    let within = |row: &OutcomeRow, seconds: u32| row.outcome.is_reproducible() && row.seconds <= f64::from(seconds);
    let lines = data.conditions().flat_map(|condition| curve(data, condition, &limits, within)).collect();
    let note = "Under conditions that repair, the time is that of the last run of a version; with less of it, a loop would have tried \
                to reduce it first."
        .to_owned();
    let name = ("curve-time", "The share of reproducible versions, by the time that their cells may take");
    ShareTable::new(data, name, vec![Column { head: "At most so many seconds", field: "seconds" }], lines, note)
}

/// The share of versions that come out otherwise when they are run again, by condition: the rate of A/A runs.
pub(crate) fn flaky(data: &Data) -> ShareTable {
    let line = |condition: Condition| {
        let rates = data.repeated.rates(condition);
        let differ = rates.iter().filter(|rate| **rate > 0.0).count();
        let words = if rates.is_empty() { "not measured" } else { "measured" };
        super::share_table::line(condition, [words], differ, rates.len())
    };
    let lines = data.conditions().map(line).collect();
    let note = "Of the versions that were run more than once, everything being equal (`study run --repeat`): those whose repetitions differ in \
                outcome, or in why they failed. None over K repetitions does not prove that there are none: one that comes out otherwise \
                once in ten runs is seen by three of them with a chance of 27 %."
        .to_owned();
    let name = ("flaky", "The share of versions that come out otherwise when they are run again");
    ShareTable::new(data, name, vec![column("Repetitions", "repetitions")], lines, note)
}

/// The share that reproduces among versions whose flaky rate is at most so high, by condition; without lines where nothing was repeated.
pub(crate) fn by_flaky_rate(data: &Data) -> ShareTable {
    let lines = data.conditions().flat_map(|condition| {
        let rated =
            |row: &OutcomeRow| Some((data.repeated.rate(condition, &row.version)?, row.outcome.is_reproducible()));
        let rows: Vec<(f64, bool)> = data.under(condition).filter_map(rated).collect();
        let most = if rows.is_empty() { &[][..] } else { &FLAKY_RATES };
        most.iter().map(move |percent| {
            let kept = rows.iter().filter(|(rate, _)| *rate <= f64::from(*percent) / 100.0);
            let (count, of) =
                kept.fold((0, 0), |(count, of), (_, is_reproducible)| (count + u64::from(*is_reproducible), of + 1));
            ShareLine { condition, settings: vec![Setting::Number(*percent)], cell: Cell::new(count, of) }
        })
    });
    let lines = lines.collect();
    let note = "Of the versions that were run more than once: those whose repetitions differ from the most frequent result in at most that \
                share of them."
        .to_owned();
    let name = ("curve-flaky", "The share of reproducible versions, by the flaky rate that is let pass");
    ShareTable::new(data, name, vec![column("Flaky rate in percent", "flaky_percent")], lines, note)
}

/// The lines of one condition; none when it was not run.
fn curve(
    data: &Data,
    condition: Condition,
    settings: &[u32],
    within: impl Fn(&OutcomeRow, u32) -> bool,
) -> Vec<ShareLine> {
    let rows: Vec<&OutcomeRow> = data.under(condition).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let cell = |at: u32| Cell::new(rows.iter().filter(|row| within(row, at)).count() as u64, rows.len() as u64);
    let line = |at: &u32| ShareLine { condition, settings: vec![Setting::Number(*at)], cell: cell(*at) };
    settings.iter().map(line).collect()
}
