//! Notebooks (Kaggle calls them kernels): who wrote them, in what, from which parent.

use crate::moment::Moment;
use crate::random::Purpose;
use crate::world::version::{self, FakeVersion};
use crate::world::{FakeWorld, kernel_id, run_id, title};
use nbrevive_loopback::RandomStream;

/// The language that a notebook is registered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FakeLanguage {
    /// Python, version 2 or 3: the metadata does not tell.
    Python,
    /// R.
    R,
    /// R Markdown, a script.
    RMarkdown,
    /// Julia.
    Julia,
    /// SQL on SQLite, a script.
    Sqlite,
}

/// Notebook or script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FakeKernelKind {
    /// A plain file that runs as a whole.
    Script,
    /// A Jupyter document.
    Notebook,
}

/// Who can see a notebook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Everyone.
    Public,
    /// Its author: no list has it, asking for it answers 403.
    Private,
    /// Nobody, but lists still have it: asking for it answers 403, for some 404.
    Deleted,
}

/// The notebook that another was copied from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parent {
    /// Index of the parent.
    pub kernel: u64,
    /// Number of the version that was copied.
    pub number: u32,
    /// Whether the copy's first version is the parent's source without a change.
    pub unchanged: bool,
}

/// A notebook with all its versions.
#[derive(Debug, Clone, PartialEq)]
pub struct FakeKernel {
    /// Place in the world's list.
    pub index: u64,
    /// Kaggle's number.
    pub id: u64,
    /// The author's index.
    pub author: u64,
    /// Which of the author's teams it submits for, from 0.
    pub team_slot: u64,
    /// The competition it was written for (its index), even if no version reads it.
    pub competition: u64,
    /// Name for people: markup, any script, quotes.
    pub title: String,
    /// Name in addresses.
    pub slug: String,
    /// When it was made.
    pub created: Moment,
    /// The language of its metadata.
    pub language: FakeLanguage,
    /// Notebook or script.
    pub kind: FakeKernelKind,
    /// Whether its code is Python 2.
    pub is_python2: bool,
    /// Whether the metadata says Python but the code is R.
    pub is_mislabelled: bool,
    /// Whether its source holds no code at all.
    pub is_empty: bool,
    /// Whether its file is nbformat 3 instead of 4.
    pub is_nbformat3: bool,
    /// Who can see it.
    pub visibility: Visibility,
    /// What it was copied from.
    pub parent: Option<Parent>,
    /// Upvotes.
    pub votes: u64,
    /// Visits.
    pub views: u64,
    /// Comments.
    pub comments: u64,
    /// 1 gold, 2 silver, 3 bronze.
    pub medal: Option<u64>,
    /// Versions, oldest first; number 1 is at place 0. At least one.
    pub versions: Vec<FakeVersion>,
}

/// What is cheap to know of a notebook: enough to look for parents.
struct Outline {
    author: u64,
    team_slot: u64,
    competition: u64,
    created: Moment,
}

const FIRST: Moment = Moment(1_433_116_800_000); // 2015-06-01
const LAST: Moment = Moment(1_738_368_000_000); // 2025-02-01
/// Notebooks of a hundred that are public, private, deleted.
const VISIBILITIES: [(Visibility, u32); 3] =
    [(Visibility::Public, 93), (Visibility::Private, 3), (Visibility::Deleted, 4)];
/// The part of all notebooks that is public.
pub(super) const SHARE_PUBLIC: f64 = 0.93;
/// How many older notebooks are looked at for one of the same competition.
const PARENT_DRAWS: u64 = 96;

fn outline(world: &FakeWorld, index: u64) -> Outline {
    let spec = world.spec();
    let mut stream = RandomStream::of(spec.seed, Purpose::Outline, index);
    let author = stream.below(spec.users);
    let team_slot = stream.weighted(&[(0, 7), (1, 2), (2, 1)]);
    let step = (LAST.0 - FIRST.0) / spec.kernels.max(1) as i64;
    let created = Moment(FIRST.0 + step * index as i64 + (stream.unit() * step as f64) as i64);
    Outline { author, team_slot, competition: world.team_competition(author, team_slot), created }
}

/// An older notebook of the same competition and its newest version at that time.
fn parent(world: &FakeWorld, index: u64, own: &Outline) -> Option<Parent> {
    let mut stream = RandomStream::of(world.spec().seed, Purpose::Parent, index);
    if !stream.chance(0.3) {
        return None;
    }
    let unchanged = stream.chance(0.35);
    let older = (0..PARENT_DRAWS)
        .map(|_| stream.below(index))
        .find(|older| *older < index && outline(world, *older).competition == own.competition)?;
    let times = version::times(world, older, outline(world, older).created);
    let number = times.iter().take_while(|time| **time < own.created).count().max(1) as u32;
    Some(Parent { kernel: older, number, unchanged })
}

/// What a copy has of its first ancestor.
struct Form {
    language: FakeLanguage,
    kind: FakeKernelKind,
    is_python2: bool,
    is_mislabelled: bool,
    is_empty: bool,
    is_nbformat3: bool,
}

impl Form {
    fn draw(world: &FakeWorld, index: u64, mut older: Option<Parent>) -> Self {
        let mut root = index;
        while let Some(next) = older {
            root = next.kernel;
            older = parent(world, root, &outline(world, root));
        }
        let year = outline(world, root).created.year();
        let mut stream = RandomStream::of(world.spec().seed, Purpose::Kernel, root + (1 << 40));
        let (language, kind) = stream.weighted(&[
            ((FakeLanguage::Python, FakeKernelKind::Notebook), 800),
            ((FakeLanguage::Python, FakeKernelKind::Script), 80),
            ((FakeLanguage::R, FakeKernelKind::Notebook), 40),
            ((FakeLanguage::R, FakeKernelKind::Script), 30),
            ((FakeLanguage::RMarkdown, FakeKernelKind::Script), 20),
            ((FakeLanguage::Julia, FakeKernelKind::Notebook), 12),
            ((FakeLanguage::Julia, FakeKernelKind::Script), 14),
            ((FakeLanguage::Sqlite, FakeKernelKind::Script), 25),
        ]);
        let is_python = language == FakeLanguage::Python;
        Self {
            language,
            kind,
            is_python2: is_python && year < 2019 && stream.chance(0.3),
            is_mislabelled: is_python && kind == FakeKernelKind::Notebook && stream.chance(0.02),
            is_empty: stream.chance(0.02),
            is_nbformat3: year < 2018 && stream.chance(0.25),
        }
    }
}

impl FakeKernel {
    pub(super) fn draw(world: &FakeWorld, index: u64) -> Self {
        let own = outline(world, index);
        let parent = parent(world, index, &own);
        let mut stream = RandomStream::of(world.spec().seed, Purpose::Kernel, index);
        let form = Form::draw(world, index, parent);
        let competition = &world.competitions()[own.competition as usize];
        let title = title::draw(&mut stream, &competition.title);
        let mut kernel = Self {
            index,
            id: kernel_id(index),
            author: own.author,
            team_slot: own.team_slot,
            competition: own.competition,
            slug: title::slug(&title, index),
            title,
            created: own.created,
            language: form.language,
            kind: form.kind,
            is_python2: form.is_python2,
            is_mislabelled: form.is_mislabelled,
            is_empty: form.is_empty,
            is_nbformat3: form.is_nbformat3,
            visibility: stream.weighted(&VISIBILITIES),
            parent,
            votes: stream.weighted(&[(0, 40), (2, 30), (7, 20), (55, 8), (640, 2)]),
            views: stream.between(3, 9_000),
            comments: stream.weighted(&[(0, 70), (1, 15), (4, 10), (38, 5)]),
            medal: stream.weighted(&[(None, 90), (Some(3), 7), (Some(2), 2), (Some(1), 1)]),
            versions: Vec::new(),
        };
        kernel.versions = version::draw(world, &kernel);
        kernel
    }

    /// The newest version.
    pub fn latest(&self) -> &FakeVersion {
        &self.versions[self.versions.len() - 1]
    }

    /// The newest version that ran to its end, which the API calls the committed one; the newest if none did.
    pub fn committed(&self) -> &FakeVersion {
        self.versions.iter().rev().find(|version| version.is_finished()).unwrap_or_else(|| self.latest())
    }

    /// The version with a number, counted from 1.
    pub fn version(&self, number: u32) -> Option<&FakeVersion> {
        self.versions.get((number as usize).checked_sub(1)?)
    }

    /// The id of a version in addresses and in the dump.
    pub fn run_id(&self, number: u32) -> u64 {
        run_id(self.index, number)
    }

    /// Author and slug, as the API names a notebook.
    pub fn reference(&self, world: &FakeWorld) -> String {
        format!("{}/{}", world.user(self.author).user_name, self.slug)
    }

    /// The ending of its source file, as the official client names it, without the dot.
    pub fn extension(&self) -> &'static str {
        match (self.kind, self.language) {
            (FakeKernelKind::Notebook, FakeLanguage::Python) => "ipynb",
            (FakeKernelKind::Notebook, FakeLanguage::R) => "irnb",
            (FakeKernelKind::Notebook, _) => "ijlnb",
            (FakeKernelKind::Script, FakeLanguage::Python) => "py",
            (FakeKernelKind::Script, FakeLanguage::R) => "r",
            (FakeKernelKind::Script, FakeLanguage::RMarkdown) => "Rmd",
            (FakeKernelKind::Script, FakeLanguage::Julia) => "jl",
            (FakeKernelKind::Script, FakeLanguage::Sqlite) => "sql",
        }
    }

    /// The version with the best public score, and that score.
    pub fn best(&self, world: &FakeWorld) -> Option<(&FakeVersion, f64)> {
        let scale = world.competitions()[self.competition as usize].scale;
        let scored = self.versions.iter().filter_map(|version| Some((version, version.score?.public)));
        scored.reduce(|best, next| if scale.is_better(next.1, best.1) { next } else { best })
    }
}
