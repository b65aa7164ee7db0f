//! Whether larger notebooks, or those with more errors, take more fixes (paper, section 4.2): Kendall's tau-b over all versions that came
//! back, and Cliff's delta between those that took several fixes and those that took one.

use nbrevive_corpus::{Outcome, Role};
use nbrevive_stats::{CliffsDelta, Correlation, Interval, cliffs_delta, cliffs_delta_interval, holm, kendall_tau_b};
use serde_json::{Value, json};

use super::cell::CONFIDENCE;
use super::grid::Grid;
use super::list::Table;
use crate::number_words::{NOTHING, decimals, plural, thousands};
use crate::output::csv_text;
use crate::rows::{Data, Study};
use crate::sizes::{Size, Sizes};
use crate::source;

const TITLE: &str = "Number of fixes of reproducible versions against their size and their errors";

const GROUPS: [(&str, &[Outcome]); 3] = [
    ("all reproducible", &[Outcome::ErrorFreeReproducible, Outcome::ErrorReproducible]),
    ("error-free reproducible", &[Outcome::ErrorFreeReproducible]),
    ("error reproducible", &[Outcome::ErrorReproducible]),
];

/// A measure's name, and its value where it is known.
type Measure = (&'static str, fn(&Size) -> Option<u32>);

const MEASURES: [Measure; 3] = [
    ("code cells", |size| size.cells),
    ("lines of code", |size| size.lines),
    ("cells with errors", |size| size.errors),
];

/// The table.
pub(crate) struct CorrelationTable {
    study: Study,
    lines: Vec<CorrelationLine>,
    notes: Vec<String>,
}

struct CorrelationLine {
    group: &'static str,
    measure: &'static str,
    versions: usize,
    /// None where a sample is too small or holds one value only.
    tau: Option<Correlation>,
    adjusted: Option<f64>,
    delta: Option<(CliffsDelta, Interval)>,
}

impl CorrelationTable {
    /// Relates the fixes of the modernize condition to the sizes of the versions.
    pub(crate) fn count(data: &Data, sizes: &Sizes) -> Self {
        let lines = GROUPS.iter().flat_map(|group| MEASURES.iter().map(move |measure| (group, measure)));
        let mut lines: Vec<_> =
            lines.map(|((name, outcomes), measure)| line(name, outcomes, *measure, data, sizes)).collect();
        adjust(&mut lines);
        let versions = data.of(Role::Modernize).filter(|row| row.outcome.is_reproducible()).count() as u64;
        let notes = vec![
            format!(
                "Ours: {} brought back under {}; {}.",
                plural(versions, "version"),
                data.condition(Role::Modernize),
                source::study_line(&data.study)
            ),
            "τ is Kendall's tau-b between the number of fixes and the measure, with its p-value and that of Holm for all rows of this table; \
             δ is Cliff's delta of the measure between versions that took more than one fix and those that took one, above 0 where the former \
             have more."
                .to_owned(),
        ];
        CorrelationTable { study: data.study.clone(), lines, notes }
    }
}

impl Table for CorrelationTable {
    fn name(&self) -> String {
        "fix-correlations".to_owned()
    }

    fn grid(&self) -> Grid {
        let header =
            ["Versions brought back", "Measure", "Versions", "τ", "p", "p (Holm)", "δ", "95 % interval", "Size of δ"];
        Grid {
            title: TITLE.to_owned(),
            header: header.map(str::to_owned).into(),
            word_columns: 2,
            rows: self.lines.iter().map(CorrelationLine::row).collect(),
            notes: self.notes.clone(),
        }
    }

    fn csv(&self) -> String {
        let header =
            ["group", "measure", "versions", "tau", "p", "p_holm", "delta", "delta_low", "delta_high", "magnitude"];
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| decimals(value, 6));
        let rows = self.lines.iter().map(|line| {
            vec![
                line.group.to_owned(),
                line.measure.to_owned(),
                line.versions.to_string(),
                number(line.tau.map(|tau| tau.tau)),
                number(line.tau.map(|tau| tau.p_value)),
                number(line.adjusted),
                number(line.delta.map(|(delta, _)| delta.delta)),
                number(line.delta.map(|(_, interval)| interval.lower)),
                number(line.delta.map(|(_, interval)| interval.upper)),
                line.delta.map_or_else(String::new, |(delta, _)| delta.magnitude.to_string()),
            ]
        });
        csv_text([header.map(str::to_owned).into()].into_iter().chain(rows))
    }

    fn json(&self) -> Value {
        self.framed(&self.study, self.lines.iter().map(CorrelationLine::json).collect())
    }
}

impl CorrelationLine {
    fn row(&self) -> Vec<String> {
        let number = |value: Option<f64>| value.map_or_else(|| NOTHING.to_owned(), |value| decimals(value, 3));
        let interval = |(_, interval): (CliffsDelta, Interval)| {
            [interval.lower, interval.upper].map(|end| decimals(end, 3)).join(" to ")
        };
        vec![
            self.group.to_owned(),
            self.measure.to_owned(),
            thousands(self.versions as u64),
            number(self.tau.map(|tau| tau.tau)),
            number(self.tau.map(|tau| tau.p_value)),
            number(self.adjusted),
            number(self.delta.map(|(delta, _)| delta.delta)),
            self.delta.map_or_else(|| NOTHING.to_owned(), interval),
            self.delta.map_or_else(|| NOTHING.to_owned(), |(delta, _)| delta.magnitude.to_string()),
        ]
    }

    fn json(&self) -> Value {
        json!({
            "group": self.group,
            "measure": self.measure,
            "versions": self.versions,
            // Zero without a sign.
            "tau": self.tau.map(|tau| tau.tau + 0.0),
            "p": self.tau.map(|tau| tau.p_value),
            "p_holm": self.adjusted,
            "delta": self.delta.map(|(delta, _)| delta.delta + 0.0),
            "delta_interval": self.delta.map(|(_, interval)| [interval.lower, interval.upper].map(|end| end + 0.0)),
            "magnitude": self.delta.map(|(delta, _)| delta.magnitude.as_str()),
        })
    }
}

fn line(
    group: &'static str,
    outcomes: &[Outcome],
    (measure, of): Measure,
    data: &Data,
    sizes: &Sizes,
) -> CorrelationLine {
    let rows = data.of(Role::Modernize).filter(|row| outcomes.contains(&row.outcome));
    let pairs: Vec<(u32, u32)> =
        rows.filter_map(|row| Some((row.fixes, of(sizes.get(row.version.as_str())?)?))).collect();
    let (fixes, values): (Vec<f64>, Vec<f64>) =
        pairs.iter().map(|(fixes, value)| (f64::from(*fixes), f64::from(*value))).unzip();
    let part = |several: bool| -> Vec<f64> {
        pairs.iter().filter(|(fixes, _)| (*fixes > 1) == several).map(|(_, value)| f64::from(*value)).collect()
    };
    let (several, one) = (part(true), part(false));
    let interval = cliffs_delta_interval(&several, &one, CONFIDENCE).ok();
    CorrelationLine {
        group,
        measure,
        versions: pairs.len(),
        tau: kendall_tau_b(&fixes, &values).ok(),
        adjusted: None,
        delta: cliffs_delta(&several, &one).ok().zip(interval),
    }
}

/// Holm's p-values over the rows that have one.
fn adjust(lines: &mut [CorrelationLine]) {
    let p_values: Vec<f64> = lines.iter().filter_map(|line| Some(line.tau?.p_value)).collect();
    let adjusted = holm(&p_values).unwrap_or_default();
    for (line, adjusted) in lines.iter_mut().filter(|line| line.tau.is_some()).zip(adjusted) {
        line.adjusted = Some(adjusted);
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::Condition;

    use super::*;
    use crate::outcome_line::Line;
    use crate::testing::Synthetic;

    /// Ten versions, of which the i-th took i fixes and has i cells; lines of code are the same everywhere.
    fn table() -> CorrelationTable {
        let mut study = Synthetic::default();
        study.add(Condition::MODERNIZE, Line::ErrorFreeCsvWithin, 0, 10);
        study.outcomes.iter_mut().zip(1..).for_each(|(row, fixes)| row.fixes = fixes);
        let size = |number: u32| Size { cells: Some(number + 1), lines: Some(7), ..Size::default() };
        let sizes: Sizes = (0..10).map(|number| (format!("v{number:06}"), size(number))).collect();
        let folder = tempfile::tempdir().unwrap();
        study.write(folder.path());
        CorrelationTable::count(&Data::read(folder.path()).unwrap(), &sizes)
    }

    #[test]
    fn fixes_that_grow_with_the_size_correlate_with_it() {
        let table = table();
        let row = &table.lines[0];
        assert_eq!((row.versions, row.tau.unwrap().tau), (10, 1.0));
        // scipy.stats.kendalltau, exact: 2 / 10!.
        assert!((row.tau.unwrap().p_value - 2.0 / 3_628_800.0).abs() < 1e-15);
        assert_eq!(row.delta.map(|(delta, _)| delta.delta), None, "one version took one fix: there is no interval");
    }

    #[test]
    fn what_has_no_answer_is_a_dash_and_null() {
        let table = table();
        let text = table.grid().markdown();
        assert!(text.contains("| all reproducible | lines of code | 10 | – | – | – |"), "{text}");
        assert!(text.contains("| error reproducible | cells with errors | 0 | – | – | – | – | – | – |"), "{text}");
        assert!(table.json()["rows"][8]["tau"].is_null() && !text.contains("NaN"));
    }
}
