//! `nbrevive modernize --against-its-date`: the run at its date is the oracle. What the mended notebook shows today is compared with what the
//! original shows in an environment of its date, cell by cell; where values differ although nothing raised, that is drift.

use nbrevive_compare::{Agreement, ChanceSign, DifferenceKind, chance_signs, compare_values};
use nbrevive_environment::plan::Strategy;
use nbrevive_notebook::{Notebook, first_line};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Attempt, LaboratoryError, Manner, Surroundings};
use serde::Serialize;

use super::Bench;
use crate::arguments::ModernizeArguments;
use crate::commands::changes::aim;
use crate::commands::setting::laboratory_failure;
use crate::exit_code::Failure;
use crate::printer;

/// Characters of a call that are shown.
const LONGEST_CALL: usize = 80;

/// What the run at its date came to, beside today's.
#[derive(Debug, Serialize)]
pub(super) struct AgainstItsDate {
    /// The day that the environment aims at.
    day: String,
    /// Its version of Python; empty where there is no environment.
    python: String,
    /// Why nothing could be compared; empty where something was.
    why_not: String,
    /// Cells that raised at its date, counted from 0.
    raised: Vec<usize>,
    /// Cells that show something in both runs and raise in neither.
    compared: usize,
    /// Those of them that show the same values.
    same: usize,
    /// The others.
    drifts: Vec<ValueDrift>,
}

/// A cell that shows another value today than at its date, without an error.
#[derive(Debug, Serialize)]
struct ValueDrift {
    /// Its index in the notebook, from 0.
    cell: usize,
    /// Where in its output, in words.
    place: String,
    /// Of what kind the difference is.
    kind: DifferenceKind,
    /// What is shown at its date, shortened.
    at_its_date: String,
    /// What is shown today, shortened likewise.
    today: String,
    /// The code that shows it, or that gave the name that it shows.
    call: String,
    /// What in its cell or one before makes runs differ by chance; empty where nothing does.
    chance: Vec<ChanceSign>,
}

impl AgainstItsDate {
    /// Runs the original in an environment of its date and compares. That there is no such environment is told, and no failure.
    pub(super) fn of(arguments: &ModernizeArguments, bench: &Bench<'_>, today: &Attempt) -> Result<Self, Failure> {
        let single = &bench.single;
        let submitted = single.goal.submitted.unwrap_or_else(|| aim(&arguments.one.notebook, &single.notebook));
        let surroundings = Surroundings::of(&single.notebook, submitted);
        let mut against = Self {
            day: submitted.to_zoned(jiff::tz::TimeZone::UTC).date().to_string(),
            python: String::new(),
            why_not: String::new(),
            raised: Vec::new(),
            compared: 0,
            same: 0,
            drifts: Vec::new(),
        };
        let of_date = match single.laboratory.from_date(&surroundings, Strategy::Dated) {
            Ok(of_date) => of_date,
            Err(error @ LaboratoryError::Unbuildable(_)) => {
                against.why_not = error.to_string();
                return Ok(against);
            }
            Err(error) => return Err(laboratory_failure(&error)),
        };
        against.python.clone_from(&of_date.prepared.python);
        let ran = single.laboratory.attempt(&bench.notebook, &of_date.prepared, &single.place, None, Manner::default());
        let ran = ran.map_err(|error| laboratory_failure(&error))?;
        against.raised = ran.errors.iter().map(|error| error.cell).collect();
        against.compare(&ran.execution.notebook, &today.execution.notebook);
        Ok(against)
    }

    /// Cells are told apart by their places among the code cells.
    fn compare(&mut self, then: &Notebook, now: &Notebook) {
        let (old, new): (Vec<_>, Vec<_>) = (then.code_cells().collect(), now.code_cells().collect());
        if old.len() != new.len() {
            "cells came or went".clone_into(&mut self.why_not);
            return;
        }
        let sources: Vec<&str> = new.iter().map(|(_, cell)| cell.source.as_str()).collect();
        let signs = chance_signs(&sources);
        for (place, ((_, old), (cell, new))) in old.iter().zip(&new).enumerate() {
            let Some(compared) = compare_values(old, new) else { continue };
            let Ok(level) = compared.agreement else { continue };
            self.compared += 1;
            match compared.difference.filter(|_| !level.holds_at(Agreement::Value)) {
                Some(found) => {
                    let signs = signs.iter().filter(|sign| sign.cell <= place && !sign.is_seeded).map(|sign| sign.sign);
                    let mut chance: Vec<ChanceSign> = signs.collect();
                    chance.sort_unstable_by_key(|sign| sign.as_str());
                    chance.dedup();
                    self.drifts.push(ValueDrift {
                        cell: *cell,
                        place: found.place(),
                        kind: found.kind,
                        call: call_behind(&sources[..=place]),
                        at_its_date: found.saved,
                        today: found.new,
                        chance,
                    });
                }
                None => self.same += 1,
            }
        }
        if self.compared == 0 {
            "no cell shows something in both runs".clone_into(&mut self.why_not);
        }
    }

    /// Says it in lines.
    pub(super) fn tell(&self) {
        let python = if self.python.is_empty() { Shown::default() } else { shown!(" (Python {})", self.python) };
        printer::note(&shown!("against its date, {}{}:", self.day, python));
        if !self.why_not.is_empty() {
            printer::note(&shown!("  nothing was compared: {}", first_line(&self.why_not)));
            return;
        }
        printer::note(&shown!(
            "  {} cells raised there; of {} that show something in both runs {} show the same values",
            self.raised.len(),
            self.compared,
            self.same
        ));
        for drift in &self.drifts {
            let chance = Shown::joined(drift.chance.iter().map(|sign| Shown::literal(sign.as_str())), ", ");
            let chance = if drift.chance.is_empty() { chance } else { shown!(" (perhaps by chance: {})", chance) };
            printer::note(&shown!(
                "  cell {}, {}: `{}` at its date, `{}` today, by `{}`{}",
                drift.cell + 1,
                drift.place,
                drift.at_its_date,
                drift.today,
                drift.call,
                chance
            ));
        }
    }
}

/// The last line of a cell that shows something or, where that is a name alone, the last line up to there that gives it its value.
fn call_behind(cells: &[&str]) -> String {
    let lines = cells.iter().flat_map(|source| source.lines()).map(str::trim).filter(|line| !line.starts_with('#'));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let Some(last) = lines.last() else { return String::new() };
    let name = last.trim_start_matches("print(").trim_end_matches(')');
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let gives = |line: &&&str| {
        let rest = line.strip_prefix(name).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with('=') && !rest.starts_with("=="))
    };
    let line = if is_name { lines.iter().rev().find(gives).unwrap_or(last) } else { last };
    line.chars().take(LONGEST_CALL).collect()
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::{Cell, CellKind, Output};

    use super::*;

    fn notebook(cells: &[(&str, &str)]) -> Notebook {
        let cell = |(source, text): &(&str, &str)| {
            let output = Output::Stream { name: "stdout".to_owned(), text: (*text).to_owned() };
            Cell { kind: CellKind::Code { execution_count: Some(1), outputs: vec![output] }, ..Cell::code(*source) }
        };
        Notebook::from_cells(cells.iter().map(cell).collect())
    }

    fn compared(then: &[(&str, &str)], now: &[(&str, &str)]) -> AgainstItsDate {
        let (day, python, why_not) = (String::new(), String::new(), String::new());
        let mut against =
            AgainstItsDate { day, python, why_not, raised: Vec::new(), compared: 0, same: 0, drifts: Vec::new() };
        against.compare(&notebook(then), &notebook(now));
        against
    }

    #[test]
    fn other_values_are_drift_with_both_and_the_call_that_gave_them() {
        let then = [("a = stats.mode(x)\n# old\n", "1.0\n"), ("print(a)", "2.5\n"), ("print(f(a))", "7\n")];
        let now = [("a = stats.mode(x, keepdims=True)\n", "1\n"), ("print(a)", "3.5\n"), ("print(f(a))", "7\n")];
        let against = compared(&then, &now);
        assert_eq!((against.compared, against.same, against.drifts.len()), (3, 2, 1));
        let drift = &against.drifts[0];
        assert_eq!((drift.cell, drift.at_its_date.as_str(), drift.today.as_str()), (1, "2.5", "3.5"));
        assert_eq!(drift.call, "a = stats.mode(x, keepdims=True)");
        assert!(drift.chance.is_empty());
    }

    #[test]
    fn what_chance_may_have_done_is_said_and_other_cells_are_not_compared() {
        let drawn = "import numpy as np\nprint(np.random.rand())";
        assert_eq!(compared(&[(drawn, "0.1\n")], &[(drawn, "0.2\n")]).drifts[0].chance.len(), 1);
        assert_eq!(compared(&[("a", "1\n")], &[("a", "1\n"), ("b", "2\n")]).why_not, "cells came or went");
    }
}
