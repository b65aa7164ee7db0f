//! Versions of a notebook: what became of each run.

use crate::moment::Moment;
use crate::random::Purpose;
use crate::world::data::Sources;
use crate::world::kernel::FakeKernel;
use crate::world::{FakeWorld, MAX_VERSIONS, run_id, version_id};
use nbrevive_loopback::RandomStream;

/// Versions of a notebook on average, by the weights of [`count`].
pub(super) const MEAN_VERSIONS: f64 = 4.29;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FakeOutcome {
    /// To its end, without an error.
    Complete,
    /// With an error.
    Error,
    /// By its author.
    Cancelled,
    /// Not yet: only a newest version.
    Running,
}

/// What a run had besides processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accelerator {
    /// Nothing.
    None,
    /// One P100.
    P100,
    /// Two T4.
    T4x2,
    /// A TPU of the third generation.
    Tpu,
}

/// The score of a version's submission.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FakeScore {
    /// On the public part of the test data.
    pub public: f64,
    /// On the private part.
    pub private: f64,
}

/// The size of a version and of its changes. Figures of their own: they do not count the lines of the generated source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lines {
    /// All lines.
    pub total: u64,
    /// New against the version before (or the parent, for a first version).
    pub inserted: u64,
    /// Changed against the version before.
    pub changed: u64,
    /// Gone against the version before.
    pub deleted: u64,
}

/// One version.
#[derive(Debug, Clone, PartialEq)]
pub struct FakeVersion {
    /// From 1.
    pub number: u32,
    /// Id of the run: `scriptVersionId`, `KernelVersions.Id`.
    pub run_id: u64,
    /// Internal id, which is another number.
    pub version_id: u64,
    /// How the run ended.
    pub outcome: FakeOutcome,
    /// When the run was asked for.
    pub created: Moment,
    /// When it ended by itself; none for cancelled and running ones.
    pub evaluated: Option<Moment>,
    /// Seconds of the run; none while it is running.
    pub run_seconds: Option<f64>,
    /// Score of its first submission.
    pub score: Option<FakeScore>,
    /// Score of a second submission of the same version, sent after the deadline if there was one.
    pub second_score: Option<FakeScore>,
    /// What it reads.
    pub sources: Sources,
    /// Its accelerator.
    pub accelerator: Accelerator,
    /// Whether it had the internet.
    pub has_internet: bool,
    /// Its sizes.
    pub lines: Lines,
}

impl FakeVersion {
    /// Whether the run ended by itself, well or not.
    pub fn is_finished(&self) -> bool {
        matches!(self.outcome, FakeOutcome::Complete | FakeOutcome::Error)
    }

    /// The number of the image it ran in; rises with time.
    pub fn image(&self) -> u64 {
        let months = (self.created.0 - Moment::of(2015, 1, 1).0) / (30 * 86_400_000);
        months.max(1) as u64
    }
}

fn count(stream: &mut RandomStream) -> u32 {
    stream.weighted(&[(1, 24), (2, 14), (3, 13), (4, 11), (5, 10), (6, 8), (8, 8), (10, 6), (MAX_VERSIONS, 6)])
}

/// The moments at which a notebook's versions were asked for.
pub(super) fn times(world: &FakeWorld, kernel: u64, created: Moment) -> Vec<Moment> {
    let mut stream = RandomStream::of(world.spec().seed, Purpose::Version, kernel);
    let mut time = created;
    (0..count(&mut stream))
        .map(|_| {
            let gap: f64 = stream.weighted(&[(2_000.0, 5), (40_000.0, 3), (400_000.0, 1)]);
            time = time.plus_seconds(90.0 + gap * stream.unit());
            time
        })
        .collect()
}

pub(super) fn draw(world: &FakeWorld, kernel: &FakeKernel) -> Vec<FakeVersion> {
    let mut stream = RandomStream::of(world.spec().seed, Purpose::Version, kernel.index + (1 << 40));
    let times = times(world, kernel.index, kernel.created);
    let foreign = Foreign::draw(world, kernel, &mut stream, times.len());
    let accelerator = match kernel.created.year() {
        ..2018 => Accelerator::None,
        2018..2022 => stream.weighted(&[(Accelerator::None, 8), (Accelerator::P100, 2)]),
        _ => stream.weighted(&[
            (Accelerator::None, 75),
            (Accelerator::P100, 10),
            (Accelerator::T4x2, 12),
            (Accelerator::Tpu, 3),
        ]),
    };
    let mut total = if kernel.is_empty { 0 } else { stream.between(12, 400) };
    let last = times.len() - 1;
    let mut versions = Vec::with_capacity(times.len());
    for (place, created) in times.into_iter().enumerate() {
        let number = place as u32 + 1;
        let outcome = outcome(&mut stream, place == last);
        let run_seconds = run_seconds(&mut stream, outcome);
        let lines = lines(&mut stream, kernel, number, &mut total);
        let evaluated = run_seconds
            .filter(|_| matches!(outcome, FakeOutcome::Complete | FakeOutcome::Error))
            .map(|seconds| created.plus_seconds(seconds + 7.0));
        let (score, second_score) = match scores(world, kernel, &mut stream, outcome) {
            // Without the competition among its data, a notebook can hand nothing in.
            _ if !foreign.is_attached => (None, None),
            drawn => drawn,
        };
        versions.push(FakeVersion {
            number,
            run_id: run_id(kernel.index, number),
            version_id: version_id(kernel.index, number),
            outcome,
            created,
            evaluated,
            run_seconds,
            score,
            second_score,
            sources: foreign.sources(kernel.competition, place),
            accelerator,
            has_internet: kernel.index % 5 < 3,
            lines,
        });
    }
    versions
}

fn outcome(stream: &mut RandomStream, is_last: bool) -> FakeOutcome {
    let drawn = stream.weighted(&[
        (FakeOutcome::Complete, 76),
        (FakeOutcome::Error, 16),
        (FakeOutcome::Cancelled, 5),
        (FakeOutcome::Running, 3),
    ]);
    if drawn == FakeOutcome::Running && !is_last { FakeOutcome::Complete } else { drawn }
}

/// Seconds of a run: three in four at most 600 s, a few exactly at the paper's limit, the rest up to hours.
fn run_seconds(stream: &mut RandomStream, outcome: FakeOutcome) -> Option<f64> {
    let (low, high): (f64, f64) = if stream.chance(0.76) { (4.0, 600.0) } else { (600.0, 30_000.0) };
    let drawn = (low.ln() + (high / low).ln() * stream.unit()).exp();
    let rounded = (drawn * 10.0).round() / 10.0;
    match outcome {
        FakeOutcome::Running => None,
        FakeOutcome::Complete if stream.chance(0.01) => Some(600.0),
        FakeOutcome::Complete => Some(rounded),
        FakeOutcome::Error | FakeOutcome::Cancelled => Some((rounded * 3.0).round() / 10.0),
    }
}

fn lines(stream: &mut RandomStream, kernel: &FakeKernel, number: u32, total: &mut u64) -> Lines {
    let is_same = number == 1 && kernel.parent.is_some_and(|parent| parent.unchanged);
    if kernel.is_empty || is_same {
        return Lines { total: *total, ..Lines::default() };
    }
    if number == 1 && kernel.parent.is_none() {
        return Lines { total: *total, inserted: *total, ..Lines::default() };
    }
    let inserted = stream.between(1, 40);
    let deleted = stream.below(12).min(*total);
    *total = *total + inserted - deleted;
    Lines { total: *total, inserted, changed: stream.below(9), deleted }
}

/// A first and a second score: only runs that completed have one, six in ten of them; two in a hundred are zero.
fn scores(
    world: &FakeWorld,
    kernel: &FakeKernel,
    stream: &mut RandomStream,
    outcome: FakeOutcome,
) -> (Option<FakeScore>, Option<FakeScore>) {
    let quality = world.team_quality(kernel.author, kernel.team_slot) * (0.6 + 0.4 * stream.unit());
    let (has_score, is_zero, has_second) = (stream.chance(0.6), stream.chance(0.02), stream.chance(0.08));
    let scale = world.competitions()[kernel.competition as usize].scale;
    let rounded = |quality: f64| {
        let factor = 10f64.powi(scale.decimals as i32);
        (scale.score(quality) * factor).round() / factor
    };
    if outcome != FakeOutcome::Complete || !has_score || kernel.is_empty {
        return (None, None);
    }
    let shift = 0.02 * stream.unit();
    let first = if is_zero && scale.is_max {
        FakeScore { public: 0.0, private: 0.0 }
    } else {
        FakeScore { public: rounded(quality), private: rounded(quality - shift) }
    };
    let second = FakeScore { public: rounded(quality * 0.97), private: rounded(quality * 0.97 - shift) };
    (Some(first), has_second.then_some(second))
}

/// Which data a notebook's versions read besides the competition's, and from which version on.
struct Foreign {
    from: usize,
    datasets: Vec<u64>,
    kernels: Vec<(u64, u32)>,
    models: Vec<&'static str>,
    is_attached: bool,
    other_competition: Option<u64>,
}

impl Foreign {
    fn draw(world: &FakeWorld, kernel: &FakeKernel, stream: &mut RandomStream, versions: usize) -> Self {
        let count = world.competitions().len() as u64;
        let other = (kernel.competition + 1) % count;
        let reads_kernel = stream.chance(0.04) && kernel.index > 0;
        let is_attached = !stream.chance(0.06);
        let modern = kernel.created.year() >= 2023;
        let datasets = stream.weighted(&[(0, 75), (1, 18), (2, 5), (3, 2)]);
        Self {
            datasets: (0..datasets).map(|_| stream.below(world.datasets())).collect(),
            kernels: if reads_kernel { vec![(stream.below(kernel.index), 1)] } else { Vec::new() },
            models: if modern && stream.chance(0.08) { vec!["google/gemma/transformers/2b/2"] } else { Vec::new() },
            from: stream.below(versions as u64) as usize,
            is_attached,
            other_competition: (stream.chance(0.03) && count > 1 && is_attached).then_some(other),
        }
    }

    fn sources(&self, competition: u64, place: usize) -> Sources {
        let mut competitions = if self.is_attached { vec![competition] } else { Vec::new() };
        competitions.extend(self.other_competition);
        if place < self.from {
            return Sources { competitions, ..Sources::default() };
        }
        Sources {
            competitions,
            datasets: self.datasets.clone(),
            kernels: self.kernels.clone(),
            models: self.models.clone(),
        }
    }
}
