//! What the paper lacks: how far the headline hangs on flaky versions, and on targets that are zero or tiny.
//!
//! A relative deviation (paper, section 2.1.2) means little where the target is close to zero, and nothing where it is zero.

use nbrevive_corpus::Condition;

use super::cell::Cell;
use super::share_table::{Column, Setting, ShareLine, ShareTable};
use crate::kinds::Kinds;
use crate::rows::{Data, OutcomeRow};

/// Targets closer to zero than this are left out, one line each.
const TINY: [f64; 3] = [0.001, 0.01, 0.1];
/// A score so close to the target counts as reproduced, however small the target is.
const CLOSE: f64 = 0.001;

/// The share of reproducible versions under each condition, counted in other ways.
pub(crate) fn table(data: &Data, kinds: &Kinds) -> ShareTable {
    let lines = data.conditions().flat_map(|condition| ways(data, kinds, condition)).collect();
    let note = "The target of a version is the score that it had when it was submitted. A version whose target is zero has no relative \
                deviation and is not studied; the two lines that count such versions say between which shares the headline would lie."
        .to_owned();
    let name = ("sensitivity", "The share of reproducible versions, counted in other ways");
    ShareTable::new(data, name, vec![Column { head: "Counted", field: "counted" }], lines, note)
}

fn ways(data: &Data, kinds: &Kinds, condition: Condition) -> Vec<ShareLine> {
    let rows: Vec<&OutcomeRow> = data.under(condition).collect();
    let line = |counted: String, count: u64, of: u64| ShareLine {
        condition,
        settings: vec![Setting::Words(counted)],
        cell: Cell::new(count, of),
    };
    let among = |counted: String, keep: &dyn Fn(&OutcomeRow) -> bool| {
        let kept: Vec<&&OutcomeRow> = rows.iter().filter(|row| keep(row)).collect();
        let reproducible = kept.iter().filter(|row| row.outcome.is_reproducible()).count();
        line(counted, reproducible as u64, kept.len() as u64)
    };
    let whole = rows.len() as u64;
    let mut lines = vec![
        among("as in the tables".to_owned(), &|_| true),
        match data.repeated.is_measured() {
            true => among("without flaky versions".to_owned(), &|row| !data.repeated.is_flaky(&row.version)),
            // Not the headline once more, which would say that there are none.
            false => line("without flaky versions (not measured)".to_owned(), 0, 0),
        },
    ];
    for tiny in TINY {
        lines.push(among(format!("without targets closer to zero than {tiny}"), &|row| {
            row.target_score.is_some_and(|target| target.abs() >= tiny)
        }));
    }
    let close = rows.iter().filter(|row| row.outcome.is_reproducible() || is_close(row)).count();
    lines.push(line(format!("or within {CLOSE} of the target"), close as u64, whole));
    // Under conditions that repair, which of them would have been repaired is not known.
    if kinds.zero_targets > 0 && !data.study.roles.repairs(condition) {
        let reproducible = rows.iter().filter(|row| row.outcome.is_reproducible()).count() as u64;
        let of = whole + kinds.zero_targets;
        lines.push(line("with targets of zero, none reproduced".to_owned(), reproducible, of));
        lines.push(line("with targets of zero, all reproduced".to_owned(), reproducible + kinds.zero_targets, of));
    }
    lines
}

/// Whether there is a score whose absolute deviation is small.
fn is_close(row: &OutcomeRow) -> bool {
    row.deviation.zip(row.target_score).is_some_and(|(deviation, target)| deviation * target.abs() <= CLOSE)
}
