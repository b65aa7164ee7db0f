//! What the paper lacks: tests of whether a condition changes the outcomes of the same versions.

use foldhash::HashMap;
use nbrevive_corpus::{Condition, Outcome, Role};
use nbrevive_stats::{PairedDifference, StuartMaxwell, holm, mcnemar_exact, paired_difference, stuart_maxwell};
use serde_json::{Value, json};

use super::cell::CONFIDENCE;
use super::grid::Grid;
use super::list::Table;
use crate::number_words::{NOTHING, decimals, rounded, thousands};
use crate::output::csv_text;
use crate::rows::{Data, Study};
use crate::source;

/// Conditions that run the same versions. Modernizing runs only what did not reproduce at baseline, so that a test of both could
/// find one direction only and is left out.
const PAIRS: [[Role; 2]; 2] = [[Role::Baseline, Role::Backport], [Role::Modernize, Role::Ablation]];

/// The tests between pairs of conditions.
pub(crate) struct PairedTable {
    study: Study,
    lines: Vec<PairedLine>,
    notes: Vec<String>,
}

/// One test.
struct PairedLine {
    conditions: [Condition; 2],
    test: &'static str,
    versions: u64,
    /// What was counted, in words.
    counted: String,
    /// By how much the share that is reproducible differs, where the test is of it: of the second less that of the first.
    effect: Option<PairedDifference>,
    p: f64,
    adjusted: f64,
}

impl PairedTable {
    /// Tests every pair of conditions under which the same versions were run.
    pub(crate) fn count(data: &Data) -> Self {
        let mut lines: Vec<PairedLine> =
            PAIRS.iter().flat_map(|pair| tests(data, pair.map(|role| data.condition(role)))).collect();
        let p_values: Vec<f64> = lines.iter().map(|line| line.p).collect();
        let adjusted = holm(&p_values).expect("tests give p-values");
        lines.iter_mut().zip(adjusted).for_each(|(line, adjusted)| line.adjusted = adjusted);
        let mut notes = vec![format!("Ours: {}.", source::study_line(&data.study))];
        if lines.is_empty() {
            notes.push("No two conditions ran the same versions.".to_owned());
        }
        notes.push(
            "McNemar's exact test of reproducible or not; the Stuart-Maxwell test of all five outcomes; adjusted by Holm over \
             this table. The difference is the share that is reproducible under the second less that under the first, in \
             points, with Tango's score interval at 95 %. Modernizing is not tested against baseline: its versions are chosen by their outcome there."
                .to_owned(),
        );
        PairedTable { study: data.study.clone(), lines, notes }
    }
}

impl PairedLine {
    /// The difference with the ends of its interval.
    fn effect(&self) -> [Option<f64>; 3] {
        let of = |share: fn(&PairedDifference) -> f64| rounded(self.effect.as_ref().map(share));
        [of(|effect| effect.difference), of(|effect| effect.interval.lower), of(|effect| effect.interval.upper)]
    }

    /// Something of the difference in words.
    fn points(&self, text: &dyn Fn(&PairedDifference) -> String) -> String {
        self.effect.as_ref().map_or_else(|| NOTHING.to_owned(), text)
    }
}

impl Table for PairedTable {
    fn name(&self) -> String {
        "paired-tests".to_owned()
    }

    fn grid(&self) -> Grid {
        let header =
            ["First", "Second", "Test", "Versions", "Counted", "Difference", "95 % interval", "p", "Adjusted p"]
                .map(str::to_owned);
        let row = |line: &PairedLine| {
            let [first, second] = line.conditions.map(|condition| condition.to_string());
            let versions = thousands(line.versions);
            vec![
                first,
                second,
                line.test.to_owned(),
                versions,
                line.counted.clone(),
                line.points(&|effect| decimals(effect.difference * 100.0, 1)),
                line.points(&|PairedDifference { interval, .. }| {
                    format!("{} to {}", decimals(interval.lower * 100.0, 1), decimals(interval.upper * 100.0, 1))
                }),
                p_text(line.p),
                p_text(line.adjusted),
            ]
        };
        let title = "Paired tests between conditions".to_owned();
        Grid {
            title,
            header: header.into(),
            word_columns: 3,
            rows: self.lines.iter().map(row).collect(),
            notes: self.notes.clone(),
        }
        .or_nothing()
    }

    fn csv(&self) -> String {
        let header =
            ["first", "second", "test", "versions", "counted", "difference", "lower", "upper", "p", "adjusted_p"];
        let rows = self.lines.iter().map(|line| {
            let [first, second] = line.conditions.map(|condition| condition.to_string());
            let [p, adjusted] = [line.p, line.adjusted].map(|p| significant(p).to_string());
            let effect = line.effect().map(|share| share.map(|share| share.to_string()).unwrap_or_default());
            let told = vec![first, second, line.test.to_owned(), line.versions.to_string(), line.counted.clone()];
            told.into_iter().chain(effect).chain([p, adjusted]).collect()
        });
        csv_text(std::iter::once(header.map(str::to_owned).to_vec()).chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &PairedLine| {
            let [difference, lower, upper] = line.effect();
            json!({
                "conditions": line.conditions,
                "test": line.test,
                "versions": line.versions,
                "counted": line.counted,
                "difference": difference,
                "lower": lower,
                "upper": upper,
                "p": significant(line.p),
                "adjusted_p": significant(line.adjusted),
            })
        };
        json!({
            "table": self.name(),
            "study": self.study,
            "rows": self.lines.iter().map(row).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

fn tests(data: &Data, conditions: [Condition; 2]) -> Vec<PairedLine> {
    let [first, second] = conditions;
    let before: HashMap<&str, Outcome> = data.under(first).map(|row| (row.version.as_str(), row.outcome)).collect();
    let after = data.under(second).filter_map(|row| Some((*before.get(row.version.as_str())?, row.outcome)));
    let pairs: Vec<(Outcome, Outcome)> = after.collect();
    if pairs.is_empty() {
        return Vec::new();
    }
    let only = |of_first: bool| {
        let differs = |(a, b): &&(Outcome, Outcome)| a.is_reproducible() == of_first && b.is_reproducible() != of_first;
        pairs.iter().filter(differs).count() as u64
    };
    let (only_first, only_second) = (only(true), only(false));
    let mut flows = vec![vec![0; Outcome::ALL.len()]; Outcome::ALL.len()];
    let place = |outcome: Outcome| Outcome::ALL.iter().position(|other| *other == outcome).expect("all are listed");
    pairs.iter().for_each(|(from, to)| flows[place(*from)][place(*to)] += 1);
    let StuartMaxwell { statistic, degrees, p_value } = stuart_maxwell(&flows).expect("five states before and after");
    let versions = pairs.len() as u64;
    let line = |test, counted, effect, p| PairedLine { conditions, test, versions, counted, effect, p, adjusted: p };
    vec![
        line(
            "McNemar",
            format!("reproducible under the first alone {only_first}, under the second alone {only_second}"),
            paired_difference(only_first, only_second, versions, CONFIDENCE).ok(),
            mcnemar_exact(only_first, only_second),
        ),
        line("Stuart-Maxwell", format!("χ² = {statistic:.3}, {degrees} degrees of freedom"), None, p_value),
    ]
}

/// A p-value with three digits for people.
fn p_text(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// A p-value with six significant digits: its last ones may differ from machine to machine.
pub(crate) fn significant(p: f64) -> f64 {
    format!("{p:.5e}").parse().unwrap_or_else(|_| rounded(Some(p)).unwrap_or(p))
}
