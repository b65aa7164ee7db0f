//! Figure 2 of the paper: how long the mined versions ran on Kaggle, on which the 600 s of the funnel rest (section 2.1.1). Where
//! nothing was mined: how long the versions ran here.

use std::collections::BTreeMap;
use std::path::Path;

use foldhash::HashMap;
use nbrevive_corpus::funnel::{PAPER_SECONDS, PublishedFunnel};
use nbrevive_corpus::{Condition, Outcome, Role};
use serde_json::{Value, json};

use super::canvas::Painting;
use super::histogram::Histogram;
use super::list::Figure;
use crate::error::FigureError;
use crate::frame::{Frame, FrameError, Kind, optional};
use crate::number_words::{percent, plural, thousands};
use crate::published::Published;
use crate::rows::Data;
use crate::source;

/// The file of mined versions, with a column `run_seconds` (64-bit floats, null where unknown): what Figure 2 is made from, where
/// there is one.
pub const MINED_VERSIONS: &str = "mined-versions.parquet";

/// Where the runs took place whose times are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ran {
    /// On Kaggle, by whose clock.
    OnKaggle,
    /// On the machine of the study: wall clock of the cells.
    Here,
}

impl Ran {
    const fn title(self) -> &'static str {
        match self {
            Ran::OnKaggle => "Figure 2. Distribution of run time on Kaggle",
            Ran::Here => "Figure 2. Distribution of run time here",
        }
    }

    /// The word of the figure's data.
    const fn word(self) -> &'static str {
        match self {
            Ran::OnKaggle => "on-kaggle",
            Ran::Here => "here",
        }
    }

    /// What the scale shows.
    pub(super) const fn axis(self) -> &'static str {
        match self {
            Ran::OnKaggle => "Run time on Kaggle, logarithmic",
            Ran::Here => "Run time here, logarithmic",
        }
    }

    /// What stands in place of a picture of nothing.
    pub(super) const fn nothing(self) -> &'static str {
        match self {
            Ran::OnKaggle => "No mined version has a run time.",
            Ran::Here => "No version has a run time.",
        }
    }
}

/// The quantiles that the figure tells.
const QUANTILES: [f64; 6] = [0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

/// Upper edges of the bins between 600 s and 6,000 s: ten a decade, equally wide on the scale. They are numbers and no powers, since a
/// power may differ in its last digit from machine to machine; and one of them is the limit itself, so that no bin stands astride it.
const EDGES: [f64; 10] = [755.0, 951.0, 1197.0, 1507.0, 1897.0, 2389.0, 3007.0, 3786.0, 4766.0, 6000.0];

/// The lowest edge: 0.6 s. Shorter runs are counted into the first bin.
const LOWEST: f64 = 0.6;

/// Decades that the bins cover, from 0.6 s to 60,000 s; Kaggle stops every run after 12 h, and longer ones would be in the last bin.
const DECADES: [f64; 5] = [1000.0, 100.0, 10.0, 1.0, 0.1];

/// Run times of versions, counted into bins.
pub(crate) struct RunTimes {
    counts: Vec<u64>,
    within: u64,
    unknown: u64,
    quantiles: Vec<(f64, f64)>,
}

impl RunTimes {
    /// Counts a series of seconds; what is missing, negative or not finite counts as unknown.
    pub(crate) fn count(seconds: impl Iterator<Item = Option<f64>>) -> Self {
        let edges = upper_edges();
        let mut times = Self { counts: vec![0; edges.len()], within: 0, unknown: 0, quantiles: Vec::new() };
        let mut known = Vec::new();
        for value in seconds {
            let Some(value) = value.filter(|value| value.is_finite() && *value >= 0.0) else {
                times.unknown += 1;
                continue;
            };
            let bin = edges.partition_point(|edge| *edge < value).min(edges.len() - 1);
            times.counts[bin] += 1;
            times.within += u64::from(value <= PAPER_SECONDS);
            known.push(value);
        }
        let values = nbrevive_stats::quantiles(&known, &QUANTILES).unwrap_or_default();
        times.quantiles = QUANTILES.into_iter().zip(values).collect();
        times
    }

    /// How many versions have a run time.
    pub(super) fn known(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many of them ran at most as long as the paper keeps.
    pub(super) fn within(&self) -> u64 {
        self.within
    }

    /// Each bin as lower edge, upper edge and count; the lower edge is not in it, the upper one is.
    pub(super) fn bins(&self) -> impl Iterator<Item = (f64, f64, u64)> {
        let uppers = upper_edges();
        let lowers = std::iter::once(LOWEST).chain(uppers.clone());
        lowers.zip(uppers).zip(&self.counts).map(|((lower, upper), count)| (lower, upper, *count))
    }
}

fn upper_edges() -> Vec<f64> {
    DECADES.iter().flat_map(|divisor| EDGES.iter().map(move |edge| edge / divisor)).collect()
}

/// How long the study's own runs of each version took, and under which condition: `backport`, since an environment of the date comes
/// nearest to the run on Kaggle, else `baseline`. None where both failed: what was stopped, or never began, might have taken any time.
fn here(data: &Data) -> HashMap<&str, Option<(Condition, f64)>> {
    let mut runs: HashMap<&str, Option<(Condition, f64)>> =
        data.outcomes.iter().map(|row| (row.version.as_str(), None)).collect();
    for condition in [Role::Baseline, Role::Backport].map(|role| data.condition(role)) {
        for row in data.under(condition).filter(|row| row.outcome != Outcome::Failed) {
            runs.insert(row.version.as_str(), Some((condition, row.seconds)));
        }
    }
    runs
}

/// Figure 2.
pub(crate) struct RunTimeFigure {
    ran: Ran,
    times: RunTimes,
    /// How many run times are of which condition, where they were measured here.
    conditions: BTreeMap<Condition, u64>,
    source: String,
    study: Value,
    published: Option<Value>,
}

impl RunTimeFigure {
    /// The figure of the mined versions in `folder`, or of the runs in `data` when nothing was mined.
    pub(crate) fn read(folder: &Path, data: &Data, published: Option<&Published>) -> Result<Self, FrameError> {
        let published = published.and_then(|published| Some(published_json(published, published.funnel.as_ref()?)));
        let path = folder.join(MINED_VERSIONS);
        if !path.is_file() {
            return Ok(Self::here(data, published));
        }
        let frame = Frame::read(&path, &[optional("run_seconds", Kind::Number)])?;
        let times = RunTimes::count(frame.optional_numbers("run_seconds")?.into_iter());
        let what = format!("{} with the run time that Kaggle measured", plural(times.known(), "mined version"));
        Ok(Self::new(Ran::OnKaggle, times, BTreeMap::new(), &what, data, published))
    }

    fn here(data: &Data, published: Option<Value>) -> Self {
        let runs = here(data);
        let times = RunTimes::count(runs.values().map(|run| run.map(|(_, seconds)| seconds)));
        let [baseline, backport] = [Role::Baseline, Role::Backport].map(|role| data.condition(role));
        let mut conditions = BTreeMap::from([(baseline, 0), (backport, 0)]);
        for (condition, _) in runs.values().flatten() {
            *conditions.entry(*condition).or_default() += 1;
        }
        let what = format!(
            "{} with the wall clock of their cells here, {} under {backport} and {} under {baseline}",
            plural(times.known(), "version"),
            thousands(conditions[&backport]),
            thousands(conditions[&baseline]),
        );
        Self::new(Ran::Here, times, conditions, &what, data, published)
    }

    fn new(
        ran: Ran,
        times: RunTimes,
        conditions: BTreeMap<Condition, u64>,
        what: &str,
        data: &Data,
        published: Option<Value>,
    ) -> Self {
        let unknown = match times.unknown {
            0 => String::new(),
            count => format!("; {} more of unknown run time", thousands(count)),
        };
        let source = format!("Ours: {what}{unknown}; {}.", source::study_line(&data.study));
        Self { ran, times, conditions, source, study: json!(data.study), published }
    }

    pub(super) fn picture(&self) -> Histogram<'_> {
        Histogram {
            title: self.ran.title(),
            source: &self.source,
            description: self.description(),
            ran: self.ran,
            times: &self.times,
        }
    }

    /// The figure in words, for those who cannot see it.
    fn description(&self) -> String {
        let known = self.times.known();
        if known == 0 {
            return format!("{} {}", self.ran.nothing(), self.source);
        }
        let quantile =
            |(fraction, seconds): &(f64, f64)| format!("{} ran at most {seconds:.1} s", percent(Some(*fraction)));
        let quantiles: Vec<String> = self.times.quantiles.iter().map(quantile).collect();
        format!(
            "{} of {} versions ran at most {PAPER_SECONDS} s; {}. {}",
            percent(Some(self.times.within as f64 / known as f64)),
            thousands(known),
            quantiles.join(", "),
            self.source
        )
    }
}

impl Figure for RunTimeFigure {
    fn name(&self) -> &'static str {
        "2"
    }

    fn json(&self) -> Value {
        let known = self.times.known();
        let share = |count: u64| (known > 0).then(|| count as f64 / known as f64);
        let mut sum = 0;
        let bin = |(from, to, count): (f64, f64, u64)| {
            sum += count;
            json!({ "from_seconds": from, "to_seconds": to, "count": count, "cumulative_share": share(sum) })
        };
        let bins: Vec<Value> = self.times.bins().map(bin).collect();
        let quantile = |(fraction, seconds): &(f64, f64)| json!({ "fraction": fraction, "seconds": seconds });
        json!({
            "figure": self.name(),
            "title": self.ran.title(),
            "source": self.source,
            "study": self.study,
            "ran": self.ran.word(),
            "conditions": (self.ran == Ran::Here).then_some(&self.conditions),
            "versions": known,
            "unknown": self.times.unknown,
            "limit_seconds": PAPER_SECONDS,
            "within_limit": self.times.within,
            "share_within_limit": share(self.times.within),
            "quantiles": self.times.quantiles.iter().map(quantile).collect::<Vec<_>>(),
            "bins": bins,
            "published": self.published,
        })
    }

    fn svg(&self) -> Result<String, FigureError> {
        self.picture().svg()
    }

    fn png(&self) -> Result<Vec<u8>, FigureError> {
        self.picture().png()
    }
}

/// What the paper says beside its own Figure 2, of which it prints no number.
fn published_json(published: &Published, funnel: &PublishedFunnel) -> Value {
    json!({
        "source": source::published(&published.paper, &funnel.section, &funnel.population),
        "paper": published.paper,
        "funnel": funnel,
    })
}
