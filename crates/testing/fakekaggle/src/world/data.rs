//! What a version reads: competitions, foreign datasets, other notebooks, models.

use crate::moment::Moment;
use crate::random::Purpose;
use crate::world::FakeWorld;
use nbrevive_loopback::RandomStream;

/// A dataset that is no competition's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// Place in the world's list.
    pub index: u64,
    /// Kaggle's number.
    pub id: u64,
    /// Number of its only version.
    pub version_id: u64,
    /// The owner's index.
    pub owner: u64,
    /// Name in addresses, after the owner's.
    pub slug: String,
    /// Name for people.
    pub title: String,
    /// When it was made.
    pub created: Moment,
}

impl Dataset {
    pub(super) fn draw(world: &FakeWorld, index: u64) -> Self {
        let mut stream = RandomStream::of(world.spec().seed, Purpose::Dataset, index);
        let subject = stream.pick(&["embeddings", "extra-features", "pretrained-weights", "cleaned-data", "wheels"]);
        Self {
            index,
            id: 700 + index,
            version_id: 90_000 + index,
            owner: stream.below(world.spec().users),
            slug: format!("{subject}-{index}"),
            title: format!("{} no. {index}, \"as is\"", subject.replace('-', " ")),
            created: Moment::of(2015, 5, 1),
        }
    }

    /// Owner and slug, as the API names a dataset.
    pub fn reference(&self, world: &FakeWorld) -> String {
        format!("{}/{}", world.user(self.owner).user_name, self.slug)
    }
}

/// What a version reads, by index into the world's lists. Foreign data is all but the competition of the study.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// Competitions; the notebook's own is the first. None for a notebook that is attached to no competition.
    pub competitions: Vec<u64>,
    /// Foreign datasets.
    pub datasets: Vec<u64>,
    /// Other notebooks whose output is read: their index and version number.
    pub kernels: Vec<(u64, u32)>,
    /// Models, as `owner/model/framework/variation/version`.
    pub models: Vec<&'static str>,
}

impl Sources {
    /// Whether exactly this competition is read and nothing else (the paper's filter, section 2.1.1).
    pub fn is_only(&self, competition: u64) -> bool {
        self.competitions == [competition]
            && self.datasets.is_empty()
            && self.kernels.is_empty()
            && self.models.is_empty()
    }
}
