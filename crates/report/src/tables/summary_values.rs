//! The numbers of the paper's running text, by the names that the published numbers give them, counted from our rows.

use foldhash::{HashMap, HashSet};
use nbrevive_corpus::{Failure, FixType, FlowState, Outcome, OutputStatus, Role};
use nbrevive_stats::median;

use super::cost_table::CostTable;
use crate::errors::{Errors, Types};
use crate::outcome_line::Line;
use crate::rows::{Data, FixRow, OutcomeRow};

/// A number, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// How many.
    Count(u64),
    /// Part of a whole, from 0 to 1.
    Share(f64),
    /// A mean, a median or a similarity.
    Mean(f64),
    /// US dollars.
    Usd(f64),
}

/// Named numbers in the order in which they were counted.
#[derive(Debug, Default)]
pub(crate) struct Values {
    list: Vec<(String, Number)>,
    /// Where those of the errors of cells have their place.
    errors_at: usize,
}

/// The classes of exceptions that the paper names (section 4.5).
const NAMED: [&str; 5] = ["NameError", "AttributeError", "ValueError", "KeyError", "TypeError"];

impl Values {
    /// Counts everything that outcomes, fixes and calls tell; what they do not tell has no value.
    pub(crate) fn count(data: &Data) -> Self {
        let mut values = Values::default();
        values.study(data);
        for (role, when) in [
            (Role::Baseline, "at baseline"),
            (Role::Backport, "after backporting"),
            (Role::Modernize, "after modernizing"),
            (Role::Ablation, "cell by cell"),
        ] {
            values.outcomes(&data.of(role).collect::<Vec<_>>(), when);
        }
        values.cohort(data);
        values.fixes(data);
        values.similarities(data);
        values.costs(data);
        values.errors_at = values.list.len();
        values.levels(data);
        values
    }

    /// The same with what is told by the errors of cells.
    pub(crate) fn with_errors(mut self, errors: &Errors) -> Self {
        let mut told = Values::default();
        told.errors(errors);
        self.list.splice(self.errors_at..self.errors_at, told.list);
        self
    }

    /// The number of this name.
    pub(crate) fn get(&self, name: &str) -> Option<Number> {
        self.list.iter().find(|(own, _)| own == name).map(|(_, number)| *number)
    }

    /// Every number with its name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Number)> {
        self.list.iter().map(|(name, number)| (name.as_str(), *number))
    }

    fn add(&mut self, name: impl Into<String>, number: Number) {
        self.list.push((name.into(), number));
    }

    fn tally(&mut self, name: impl Into<String>, count: usize) {
        self.add(name, Number::Count(count as u64));
    }

    /// A part of a whole that is not empty.
    fn share(&mut self, name: impl Into<String>, part: usize, whole: usize) {
        if whole > 0 {
            self.add(name, Number::Share(part as f64 / whole as f64));
        }
    }

    fn mean(&mut self, name: impl Into<String>, values: &[f64]) {
        if !values.is_empty() {
            self.add(name, Number::Mean(values.iter().sum::<f64>() / values.len() as f64));
        }
    }

    fn study(&mut self, data: &Data) {
        let competitions: HashSet<&str> = data.outcomes.iter().map(|row| row.competition.as_str()).collect();
        self.add("notebooks studied", Number::Count(u64::from(data.study.versions)));
        self.tally("competitions studied", competitions.len());
        self.add("replication threshold", Number::Share(data.study.tau));
        let seconds = data.study.time_limit_seconds;
        let whole = seconds.fract() == 0.0;
        let limit = if whole { Number::Count(seconds as u64) } else { Number::Mean(seconds) };
        self.add("longest run time, in seconds", limit);
        self.add("most fixes of a notebook", Number::Count(u64::from(data.study.max_fixes)));
    }

    /// The rows of Tables 1 to 3 as the text sums them up.
    fn outcomes(&mut self, rows: &[&OutcomeRow], when: &str) {
        if rows.is_empty() {
            return;
        }
        let count = |is: &dyn Fn(&OutcomeRow) -> bool| rows.iter().filter(|row| is(row)).count();
        let reproducible = count(&|row| row.outcome.is_reproducible());
        self.tally(format!("reproducible {when}"), reproducible);
        self.share(format!("share reproducible {when}"), reproducible, rows.len());
        self.tally(format!("non-reproducible {when}"), count(&|row| is_non_reproducible(row.outcome)));
        for outcome in Outcome::ALL {
            self.tally(format!("{outcome} {when}"), count(&|row| row.outcome == *outcome));
        }
        let without = |line: Line| {
            count(&|row| row.output_status == Some(OutputStatus::NoCsv) && Line::containing(row) == Some(line))
        };
        self.tally(format!("error-free without a CSV {when}"), without(Line::ErrorFreeNoCsv));
        self.tally(format!("errors without a CSV {when}"), without(Line::ErrorNoCsv));
        self.tally(format!("timeouts {when}"), count(&|row| row.failure == Some(Failure::Timeout)));
        self.tally(format!("not saved {when}"), count(&|row| row.failure == Some(Failure::NotSaved)));
    }

    /// The versions that were modernized: what they were, and what became of them.
    fn cohort(&mut self, data: &Data) {
        let rows: Vec<&OutcomeRow> = data.of(Role::Modernize).collect();
        if rows.is_empty() {
            return;
        }
        let versions: HashSet<&str> = rows.iter().map(|row| row.version.as_str()).collect();
        let before: Vec<&OutcomeRow> =
            data.of(Role::Baseline).filter(|row| versions.contains(row.version.as_str())).collect();
        let was = |outcome: Outcome| before.iter().filter(|row| row.outcome == outcome).count();
        let reproducible = before.iter().filter(|row| row.outcome.is_reproducible()).count();
        self.tally("notebooks given to the modernizer", rows.len());
        self.tally("reproducible at baseline in the cohort", reproducible);
        self.share("share reproducible at baseline in the cohort", reproducible, before.len());
        for outcome in [Outcome::ErrorFreeNonReproducible, Outcome::ErrorNonReproducible] {
            self.tally(format!("{outcome} at baseline in the cohort"), was(outcome));
        }
        let is = |outcome: Outcome| rows.iter().filter(|row| row.outcome == outcome).count();
        let made = is(Outcome::ErrorFreeReproducible) + is(Outcome::ErrorReproducible);
        self.tally("notebooks made reproducible", made);
        self.share("share made reproducible", made, rows.len());
        self.tally("notebooks made error-reproducible", is(Outcome::ErrorReproducible));
        self.share("share made error-reproducible", is(Outcome::ErrorReproducible), rows.len());
        let fixes = |is: &dyn Fn(Outcome) -> bool| -> Vec<f64> {
            rows.iter().filter(|row| is(row.outcome)).map(|row| f64::from(row.fixes)).collect()
        };
        self.mean("fixes per notebook, mean", &fixes(&|_| true));
        let brought_back = fixes(&Outcome::is_reproducible);
        self.mean("fixes per reproducible notebook, mean", &brought_back);
        if let Ok(middle) = median(&brought_back) {
            self.add("fixes per reproducible notebook, median", Number::Mean(middle));
        }
        for outcome in [Outcome::ErrorReproducible, Outcome::ErrorFreeReproducible] {
            self.mean(format!("fixes per {outcome} notebook, mean"), &fixes(&|own| own == outcome));
        }
    }

    /// Table 4 as the text sums it up.
    fn fixes(&mut self, data: &Data) {
        // In one pass: there may be millions of fixes.
        let mut counts: HashMap<(FixType, FlowState), usize> = HashMap::default();
        modernizing(data).for_each(|row| *counts.entry((row.fix_type, row.led_to)).or_default() += 1);
        for fix_type in FixType::ALL {
            let of = |is: &dyn Fn(FlowState) -> bool| -> usize {
                counts.iter().filter(|((own, state), _)| own == fix_type && is(*state)).map(|(_, count)| count).sum()
            };
            self.tally(format!("{fix_type} fixes"), of(&|_| true));
            for state in FlowState::COLUMNS {
                self.tally(format!("{fix_type} fixes that led to {state}"), of(&|own| own == *state));
            }
            self.tally(
                format!("{fix_type} fixes that led to a reproducible state"),
                of(&|own| own.outcome().is_reproducible()),
            );
        }
    }

    /// Figure 8 as the text sums it up.
    fn similarities(&mut self, data: &Data) {
        let last = data.study.max_fixes;
        let after = |number: u32, is: &dyn Fn(&FixRow) -> bool| -> Vec<f64> {
            let rows = modernizing(data).filter(|row| row.number == number && is(row));
            rows.map(|row| row.similarity_to_original).collect()
        };
        let timed_out: HashSet<&str> = data
            .of(Role::Baseline)
            .filter(|row| row.failure == Some(Failure::Timeout))
            .map(|row| row.version.as_str())
            .collect();
        self.mean("edit similarity to the baseline after the first fixes", &after(1, &|_| true));
        self.mean(format!("edit similarity to the baseline after {last} fixes"), &after(last, &|_| true));
        let name = format!("edit similarity to the baseline after {last} fixes, after timeouts");
        self.mean(name, &after(last, &|row| timed_out.contains(row.version.as_str())));
        let before: Vec<f64> = modernizing(data).map(|row| row.similarity_to_previous).collect();
        if let Ok(middle) = median(&before) {
            self.add("edit similarity to the version before, median", Number::Mean(middle));
        }
    }

    /// Table 5.
    fn costs(&mut self, data: &Data) {
        let table = CostTable::count(data, None);
        let units = [None].into_iter().chain(FixType::ALL.iter().copied().map(Some));
        for (unit, [cost, input, cached, output]) in units.filter_map(|unit| Some((unit, table.means(unit)?))) {
            let per = unit.map_or("notebook", FixType::as_str);
            self.add(format!("cost per {per} in USD"), Number::Usd(cost));
            self.add(format!("input tokens per {per}, not cached"), Number::Mean(input));
            self.add(format!("input tokens per {per}, cached"), Number::Mean(cached));
            self.add(format!("output tokens per {per}"), Number::Mean(output));
        }
    }

    /// Figure 9 as the text sums it up.
    fn errors(&mut self, errors: &Errors) {
        let last = errors.by_fix.len().saturating_sub(1);
        for (fixes, types) in errors.by_fix.iter().enumerate().filter(|(fixes, _)| *fixes <= 2 || *fixes == last) {
            let when = match fixes {
                0 => "at baseline".to_owned(),
                1 => "after 1 fix".to_owned(),
                _ => format!("after {fixes} fixes"),
            };
            self.types(types, &when);
        }
        let none = Types::new();
        for outcome in [Outcome::ErrorReproducible, Outcome::ErrorNonReproducible] {
            let types = errors.at_end.get(&outcome).unwrap_or(&none);
            let left = format!("left in {outcome}");
            self.types(types, &left);
            let all: u64 = types.values().sum();
            for class in NAMED {
                let own = types.get(class).copied().unwrap_or(0);
                self.share(format!("share of {class}s {left}"), own as usize, all as usize);
            }
        }
    }

    fn types(&mut self, types: &Types, when: &str) {
        let of = |class: &str| types.get(class).copied().unwrap_or(0);
        let all: u64 = types.values().sum();
        self.add(format!("errors {when}"), Number::Count(all));
        for class in NAMED {
            self.add(format!("{class}s {when}"), Number::Count(of(class)));
        }
        let named: u64 = NAMED.iter().map(|class| of(class)).sum();
        self.add(format!("other errors {when}"), Number::Count(all - named));
    }

    /// Figure 10 as the text sums it up.
    fn levels(&mut self, data: &Data) {
        let by_cell: HashMap<&str, bool> =
            data.of(Role::Ablation).map(|row| (row.version.as_str(), row.outcome.is_reproducible())).collect();
        if by_cell.is_empty() {
            return;
        }
        let pairs: Vec<(bool, bool)> = data
            .of(Role::Modernize)
            .filter_map(|row| Some((row.outcome.is_reproducible(), *by_cell.get(row.version.as_str())?)))
            .collect();
        let count = |pair: (bool, bool)| pairs.iter().filter(|own| **own == pair).count();
        self.tally("made reproducible cell by cell", by_cell.values().filter(|is| **is).count());
        self.tally("made reproducible by file and not cell by cell", count((true, false)));
        self.tally("made reproducible cell by cell and not by file", count((false, true)));
    }
}

/// The fixes of the modernize condition.
fn modernizing(data: &Data) -> impl Iterator<Item = &FixRow> {
    data.fixes_of(Role::Modernize)
}

/// Whether there is a result, and it is not reproducible.
const fn is_non_reproducible(outcome: Outcome) -> bool {
    outcome.errors().is_some() && !outcome.is_reproducible()
}
