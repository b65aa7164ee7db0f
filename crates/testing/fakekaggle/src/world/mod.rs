//! The world: competitions, users, notebooks and their versions, each a pure function of the seed and an index.
//!
//! Nothing is kept but the competitions, so a world of ten million versions costs no memory; the server and the dump ask for
//! the same items and therefore agree. Ids rise with time, as the real ones do, and the index can be read back from an id.

mod bundle;
mod competition;
mod data;
mod kernel;
mod leaderboard;
mod score;
mod title;
mod user;
mod version;

use std::sync::Arc;

pub use bundle::{BundleError, Bundled};
pub use competition::FakeCompetition;
pub use data::{Dataset, Sources};
pub use kernel::{FakeKernel, FakeKernelKind, FakeLanguage, Parent, Visibility};
pub use leaderboard::FakeStanding;
pub use score::Scale;
pub use user::User;
pub use version::{Accelerator, FakeOutcome, FakeScore, FakeVersion, Lines};

use crate::moment::Moment;
use crate::random::Purpose;
use nbrevive_loopback::RandomStream;

/// The most versions that a notebook has.
pub const MAX_VERSIONS: u32 = 12;
/// Competitions that a user takes part in.
pub const TEAMS_PER_USER: u64 = 3;

const RUN_BASE: u64 = 20_000_000;
const RUNS_PER_KERNEL: u64 = 16;
const VERSION_BASE: u64 = 900_000_000;
const KERNEL_BASE: u64 = 1_000_000;
const USER_BASE: u64 = 1_000;
const TEAM_BASE: u64 = 5_000_000;
const SUBMISSION_BASE: u64 = 30_000_000;

/// How big a world is, and from which seed it grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorldSpec {
    /// Fixes everything; default 1.
    pub seed: u64,
    /// Notebooks, private and deleted ones included; default 600.
    pub kernels: u64,
    /// Competitions, at least 1; default 12. The first six are those whose data this repository bundles.
    pub competitions: u64,
    /// Users, at least 1; default 90.
    pub users: u64,
}

impl Default for WorldSpec {
    fn default() -> Self {
        Self { seed: 1, kernels: 600, competitions: 12, users: 90 }
    }
}

impl WorldSpec {
    /// A world with about this many public versions, which are the rows of `KernelVersions` in its dump. Competitions and users
    /// grow with it, as far as the real site's do.
    pub fn with_versions(seed: u64, versions: u64) -> Self {
        let kernels = (versions as f64 / version::MEAN_VERSIONS / kernel::SHARE_PUBLIC).round().max(1.0) as u64;
        Self { seed, kernels, competitions: (kernels / 500).clamp(12, 92), users: (kernels / 7).clamp(60, 300_000) }
    }
}

/// A world of a given size; cheap to make and to copy the items of.
#[derive(Debug, Clone)]
pub struct FakeWorld {
    spec: WorldSpec,
    competitions: Vec<FakeCompetition>,
    /// Real notebooks, behind those that are drawn.
    bundled: Arc<Vec<FakeKernel>>,
    sources: Arc<Vec<String>>,
}

impl FakeWorld {
    /// The world that grows from a specification. Numbers of 0 are read as 1, except for notebooks.
    pub fn new(spec: WorldSpec) -> Self {
        let spec = WorldSpec { competitions: spec.competitions.max(1), users: spec.users.max(1), ..spec };
        let competitions = (0..spec.competitions).map(|index| FakeCompetition::draw(spec.seed, index)).collect();
        Self { spec, competitions, bundled: Arc::default(), sources: Arc::default() }
    }

    /// The same world with real notebooks added; those of competitions that it does not have are left out.
    #[must_use]
    pub fn with_notebooks(mut self, notebooks: &[Bundled]) -> Self {
        let (mut kernels, mut sources) = (Vec::new(), Vec::new());
        for notebook in notebooks {
            let index = self.spec.kernels + kernels.len() as u64;
            if let Some(kernel) = notebook.kernel(&self, index) {
                kernels.push(kernel);
                sources.push(notebook.code.clone());
            }
        }
        (self.bundled, self.sources) = (Arc::new(kernels), Arc::new(sources));
        self
    }

    /// How many notebooks there are, real ones included.
    pub fn kernel_count(&self) -> u64 {
        self.spec.kernels + self.bundled.len() as u64
    }

    /// The source of a real notebook; `None` for those that are drawn.
    pub(crate) fn bundled_source(&self, index: u64) -> Option<&str> {
        let place = usize::try_from(index.checked_sub(self.spec.kernels)?).ok()?;
        self.sources.get(place).map(String::as_str)
    }

    /// What the world was made from (with numbers of 0 raised to 1).
    pub fn spec(&self) -> WorldSpec {
        self.spec
    }

    /// The moment at which the world stands still: every date in it is before this one.
    pub fn now() -> Moment {
        Moment::of(2025, 4, 15)
    }

    /// All competitions; the place of each is its index.
    pub fn competitions(&self) -> &[FakeCompetition] {
        &self.competitions
    }

    /// The user with this index, which is below the specification's number of users.
    pub fn user(&self, index: u64) -> User {
        User::draw(self.spec.seed, index)
    }

    /// The foreign dataset with this index, which is below [`FakeWorld::datasets`].
    pub fn dataset(&self, index: u64) -> Dataset {
        Dataset::draw(self, index)
    }

    /// How many foreign datasets there are: one for ten notebooks, and five more.
    pub fn datasets(&self) -> u64 {
        self.spec.kernels / 10 + 5
    }

    /// The notebook with this index, which is below [`FakeWorld::kernel_count`].
    pub fn kernel(&self, index: u64) -> FakeKernel {
        let real =
            index.checked_sub(self.spec.kernels).and_then(|place| self.bundled.get(usize::try_from(place).ok()?));
        real.cloned().unwrap_or_else(|| FakeKernel::draw(self, index))
    }

    /// All notebooks: the drawn ones, oldest first, one by one; then the real ones.
    pub fn kernels(&self) -> impl Iterator<Item = FakeKernel> + '_ {
        (0..self.kernel_count()).map(|index| self.kernel(index))
    }

    /// The competition (its index) of a user's team. Teams of one user are in different competitions when there are enough.
    pub(crate) fn team_competition(&self, user: u64, slot: u64) -> u64 {
        let mut stream = RandomStream::of(self.spec.seed, Purpose::Team, user);
        // The first competitions are the most popular, so that some lists have many pages and some have one.
        let bound = stream.between(1, self.spec.competitions);
        let first = stream.below(bound);
        let step = stream.between(1, (self.spec.competitions.saturating_sub(1) / TEAMS_PER_USER).max(1));
        (first + slot * step) % self.spec.competitions
    }

    /// How good a team is, from 0 (worst) to 1: the quality of the best submission on the leaderboard.
    pub(crate) fn team_quality(&self, user: u64, slot: u64) -> f64 {
        let mut stream = RandomStream::of(self.spec.seed, Purpose::Team, user * TEAMS_PER_USER + slot + (1 << 40));
        1.0 - 0.6 * stream.unit() * stream.unit()
    }
}

/// The id of a run, which addresses and the dump call the version's id (`scriptVersionId`, `KernelVersions.Id`).
pub(crate) fn run_id(kernel: u64, number: u32) -> u64 {
    RUN_BASE + kernel * RUNS_PER_KERNEL + u64::from(number)
}

/// The index of the notebook and the number of the version that a run id means; `None` for ids before the first.
pub(crate) fn run_of(id: u64) -> Option<(u64, u32)> {
    let offset = id.checked_sub(RUN_BASE)?;
    Some((offset / RUNS_PER_KERNEL, (offset % RUNS_PER_KERNEL) as u32))
}

/// The internal id of a version, which differs from the run's.
pub(crate) fn version_id(kernel: u64, number: u32) -> u64 {
    VERSION_BASE + kernel * RUNS_PER_KERNEL + u64::from(number)
}

pub(crate) fn kernel_id(index: u64) -> u64 {
    KERNEL_BASE + index * 3
}

/// The index of the notebook with an id, whether or not the world is that big.
pub(crate) fn kernel_of(id: u64) -> Option<u64> {
    let offset = id.checked_sub(KERNEL_BASE)?;
    (offset % 3 == 0).then_some(offset / 3)
}

pub(crate) fn user_id(index: u64) -> u64 {
    USER_BASE + index
}

pub(crate) fn team_id(user: u64, slot: u64) -> u64 {
    TEAM_BASE + user * TEAMS_PER_USER + slot
}

/// The id of a submission of a version: the first (0) or a later one (1).
pub(crate) fn submission_id(kernel: u64, number: u32, turn: u64) -> u64 {
    SUBMISSION_BASE + (kernel * RUNS_PER_KERNEL + u64::from(number)) * 2 + turn
}

#[cfg(test)]
mod tests;
