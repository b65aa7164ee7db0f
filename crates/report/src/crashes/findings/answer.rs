//! What our crashes say to a line of a finding.

use nbrevive_diagnosis::crash::{Label as _, Stage};
use nbrevive_stats::{Interval, chi_squared, unpaired_difference};
use serde_json::{Value, json};

use super::{Finding, Kind};
use crate::crashes::pairs::p_text;
use crate::crashes::printed::PrintedShares;
use crate::crashes::{CrashRow, GROUP, STAGE, groups, words};
use crate::number_words::rounded;
use crate::tables::{CONFIDENCE, Cell};

/// Shares that are this close are alike: the paper's samples leave 5 points open to each side, and so may ours.
pub(super) const ALIKE: f64 = 0.1;

/// The p-value below which a difference is one, as in the paper.
const SIGNIFICANT: f64 = 0.05;

/// Whether ours agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Agrees,
    Differs,
    /// Crashes are too few to say.
    TooFew,
}

impl Verdict {
    pub(super) const ALL: [Self; 3] = [Self::Agrees, Self::Differs, Self::TooFew];

    pub(super) const fn words(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::TooFew => "cannot be told",
        }
    }

    /// By an interval and where the paper says that the truth is: above a bound.
    fn above(interval: Interval, bound: f64) -> Self {
        match () {
            () if interval.lower >= bound => Verdict::Agrees,
            () if interval.upper < bound => Verdict::Differs,
            () => Verdict::TooFew,
        }
    }

    /// By the interval of how far ours is from the paper's.
    fn of_distance(interval: Interval) -> Self {
        match () {
            () if interval.lower >= -ALIKE && interval.upper <= ALIKE => Verdict::Agrees,
            () if interval.lower > 0.0 || interval.upper < 0.0 => Verdict::Differs,
            () => Verdict::TooFew,
        }
    }
}

/// What our crashes say to a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    kind: Kind,
    /// What is counted, and of how many; of a line that compares two of them.
    counts: Vec<Cell>,
    /// The share, the difference of two shares, or the p-value; none where nothing of ours is of the line.
    value: Option<f64>,
    interval: Option<Interval>,
    pub(super) verdict: Verdict,
}

impl Answer {
    /// The answer of these crashes.
    pub(super) fn of(finding: &Finding, rows: &[&CrashRow], printed: &PrintedShares) -> Self {
        let answer = match finding.kind {
            Kind::Share => share(finding, rows, printed),
            Kind::Most => most(finding, rows),
            Kind::More => more(finding, rows),
            Kind::StagesDiffer => stages_differ(rows),
        };
        let kind = finding.kind;
        answer.unwrap_or(Answer { kind, counts: Vec::new(), value: None, interval: None, verdict: Verdict::TooFew })
    }

    /// For people: counts, and the interval with what it is of.
    pub(super) fn text(&self) -> String {
        let count = |cell: &Cell| format!("{} of {}", cell.count_text(), cell.whole_text());
        let counts = self.counts.iter().map(count).collect::<Vec<_>>().join(" and ");
        let interval = self.interval.map(|interval| [interval.lower, interval.upper].map(|end| end * 100.0));
        let told = match (self.kind, interval, self.value) {
            (_, _, None) => "none".to_owned(),
            (Kind::More, Some([low, high]), Some(value)) => {
                format!("{counts}, {:+.0} points ({low:+.0} to {high:+.0})", value * 100.0)
            }
            (_, Some([low, high]), Some(_)) => format!("{counts} ({low:.1}–{high:.1} %)"),
            (_, None, Some(value)) => format!("p {}", p_text(value)),
        };
        format!("{told}: {}", self.verdict.words())
    }

    /// The fields of a CSV, in the order of [`Answer::CSV_FIELDS`].
    pub(super) fn csv(&self) -> Vec<String> {
        let number = |value: Option<f64>| rounded(value).map_or_else(String::new, |value| value.to_string());
        let count = |place: usize| self.counts.get(place).map(|cell| [cell.count(), cell.of()].map(|n| n.to_string()));
        let counts = [0, 1].into_iter().flat_map(|place| count(place).unwrap_or_default());
        let ends = [self.interval.map(|interval| interval.lower), self.interval.map(|interval| interval.upper)];
        let numbers = [self.value].into_iter().chain(ends).map(number);
        counts.chain(numbers).chain([self.verdict.words().to_owned()]).collect()
    }

    pub(super) const CSV_FIELDS: [&'static str; 8] =
        ["count", "of", "other_count", "other_of", "value", "low", "high", "verdict"];

    pub(super) fn json(&self) -> Value {
        let counts: Vec<Value> =
            self.counts.iter().map(|cell| json!({ "count": cell.count(), "of": cell.of() })).collect();
        let interval = self.interval.map(|interval| [interval.lower, interval.upper].map(|end| rounded(Some(end))));
        json!({ "counts": counts, "value": rounded(self.value), "interval": interval, "verdict": self.verdict.words() })
    }
}

/// A count out of all that `of` says.
fn counted(finding: &Finding, rows: &[&CrashRow], of: &super::Part) -> Cell {
    let whole = || rows.iter().filter(|row| of.fits(row));
    Cell::new(whole().filter(|row| finding.is.fits(row)).count() as u64, whole().count() as u64)
}

fn share(finding: &Finding, rows: &[&CrashRow], printed: &PrintedShares) -> Option<Answer> {
    let cell = counted(finding, rows, &finding.among);
    let (value, interval) = (cell.share()?, cell.interval()?);
    let theirs = printed.bounds(&finding.number);
    let verdict = if theirs.high.is_infinite() {
        Verdict::above(interval, theirs.low)
    } else {
        let share = f64::midpoint(theirs.low, theirs.high);
        Verdict::of_distance(match printed.whole(&finding.whole) {
            Some(whole) => {
                // Both are samples.
                let count = ((share * whole as f64).round() as u64).min(whole);
                unpaired_difference([cell.count(), cell.of()], [count, whole], CONFIDENCE).ok()?.interval
            }
            None => Interval { lower: interval.lower - share, upper: interval.upper - share },
        })
    };
    Some(Answer { kind: finding.kind, counts: vec![cell], value: Some(value), interval: Some(interval), verdict })
}

/// The word beside the most frequent other one, as its share of both.
fn most(finding: &Finding, rows: &[&CrashRow]) -> Option<Answer> {
    let (field, word) = finding.is.dimension()?;
    let among: Vec<&CrashRow> = rows.iter().copied().filter(|row| finding.among.fits(row)).collect();
    let count = |word: &str| among.iter().filter(|row| field(row) == word).count() as u64;
    let others = words(&among, field).into_iter().filter(|other| *other != word);
    let cell = Cell::new(count(word), count(word) + others.map(count).max().unwrap_or(0));
    let (value, interval) = (cell.share()?, cell.interval()?);
    let verdict = Verdict::above(interval, 0.5);
    Some(Answer { kind: finding.kind, counts: vec![cell], value: Some(value), interval: Some(interval), verdict })
}

fn more(finding: &Finding, rows: &[&CrashRow]) -> Option<Answer> {
    let counts = [&finding.among, &finding.than].map(|part| counted(finding, rows, part));
    let [one, other] = counts.each_ref().map(|cell| [cell.count(), cell.of()]);
    let found = unpaired_difference(one, other, CONFIDENCE).ok()?;
    let verdict = Verdict::above(found.interval, 0.0);
    let (value, interval) = (Some(found.difference), Some(found.interval));
    Some(Answer { kind: finding.kind, counts: counts.to_vec(), value, interval, verdict })
}

/// That no difference is seen does not say that there is none.
fn stages_differ(rows: &[&CrashRow]) -> Option<Answer> {
    let rows: Vec<&CrashRow> = rows.iter().copied().filter(|row| row.stage != Stage::Outside.code()).collect();
    let of = |stage: &str, group: &str| rows.iter().filter(|row| STAGE(row) == stage && GROUP(row) == group).count();
    let row = |stage: &str| groups(&rows).iter().map(|group| of(stage, group) as u64).collect::<Vec<_>>();
    let counts: Vec<Vec<u64>> = words(&rows, STAGE).into_iter().map(row).collect();
    let value = chi_squared(&counts).ok()?.p_value;
    let verdict = if value < SIGNIFICANT { Verdict::Agrees } else { Verdict::TooFew };
    Some(Answer { kind: Kind::StagesDiffer, counts: Vec::new(), value: Some(value), interval: None, verdict })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(lower: f64, upper: f64) -> Interval {
        Interval { lower, upper }
    }

    #[test]
    fn few_crashes_say_nothing_and_many_say_yes_or_no() {
        for (lower, upper, verdict) in [
            (-0.09, 0.08, Verdict::Agrees),
            // Surely apart, but by less than the paper's own margins.
            (0.01, 0.09, Verdict::Agrees),
            (0.02, 0.3, Verdict::Differs),
            (-0.3, -0.02, Verdict::Differs),
            (-0.05, 0.3, Verdict::TooFew),
        ] {
            assert_eq!(Verdict::of_distance(interval(lower, upper)), verdict, "{lower} to {upper}");
        }
        assert_eq!(Verdict::above(interval(0.7, 0.9), 0.7), Verdict::Agrees);
        assert_eq!(Verdict::above(interval(0.1, 0.6), 0.7), Verdict::Differs);
        assert_eq!(Verdict::above(interval(0.1, 0.8), 0.7), Verdict::TooFew);
    }
}
