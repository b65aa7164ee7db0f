//! Rows that come from notebooks, drawn for a range of them.

use std::ops::Range;

use crate::meta::DumpOptions;
use crate::meta::columns::KERNEL_TABLES;
use crate::meta::rows::Rows;
use crate::moment::Moment;
use crate::world::{
    Accelerator, FakeKernel, FakeKernelKind, FakeLanguage, FakeOutcome, FakeScore, FakeVersion, FakeWorld, Visibility,
    run_id, submission_id, team_id, user_id,
};

/// The rows of a range of notebooks, in all tables that notebooks have rows in.
pub(super) struct Piece {
    kernels: Rows,
    versions: Rows,
    competition_sources: Rows,
    dataset_sources: Rows,
    kernel_sources: Rows,
    model_sources: Rows,
    output_files: Rows,
    tags: Rows,
    votes: Rows,
    submissions: Rows,
}

/// The number of the only model of the world among Kaggle's.
const MODEL: u64 = 4_299;

impl Piece {
    pub(super) fn draw(world: &FakeWorld, range: Range<u64>, options: DumpOptions) -> Self {
        let rows = |place: usize| Rows::new(KERNEL_TABLES[place].columns.len(), options.float_ids);
        let mut piece = Self {
            kernels: rows(0),
            versions: rows(1),
            competition_sources: rows(2),
            dataset_sources: rows(3),
            kernel_sources: rows(4),
            model_sources: rows(5),
            output_files: rows(6),
            tags: rows(7),
            votes: rows(8),
            submissions: rows(9),
        };
        for index in range {
            let kernel = world.kernel(index);
            // Submissions are public even if their notebooks are not: these references dangle.
            kernel.versions.iter().for_each(|version| piece.submissions(world, &kernel, version));
            if kernel.visibility == Visibility::Public {
                piece.kernel(world, &kernel);
            }
        }
        piece
    }

    /// The rows as CSV, in the order of [`KERNEL_TABLES`].
    pub(super) fn texts(&self) -> [&str; 10] {
        [
            self.kernels.text(),
            self.versions.text(),
            self.competition_sources.text(),
            self.dataset_sources.text(),
            self.kernel_sources.text(),
            self.model_sources.text(),
            self.output_files.text(),
            self.tags.text(),
            self.votes.text(),
            self.submissions.text(),
        ]
    }

    fn kernel(&mut self, world: &FakeWorld, kernel: &FakeKernel) {
        let current = kernel.committed();
        let parent = kernel.parent.map(|parent| run_id(parent.kernel, parent.number));
        let evaluated = current.evaluated;
        self.kernels
            .number(kernel.id)
            .number(user_id(kernel.author))
            .number(current.run_id)
            .optional(parent)
            .optional((kernel.comments > 0).then_some(kernel.id + 7))
            .number(kernel.versions[0].run_id)
            .moment(Some(kernel.created))
            .moment(evaluated)
            .date(kernel.created)
            .flag(false)
            .words(&kernel.slug)
            .optional(kernel.medal);
        match kernel.medal {
            Some(_) => self.kernels.date(kernel.latest().created),
            None => self.kernels.blanks(1),
        };
        self.kernels.number(kernel.views).number(kernel.comments).number(kernel.votes).end();
        self.tags.number(kernel.id).number(kernel.id).number(13_208).end();
        if kernel.votes > 0 {
            let voter = user_id(kernel.votes % world.spec().users);
            self.votes.number(kernel.id).number(voter).number(current.run_id).date(current.created).end();
        }
        let mut from_fork = FromFork::default();
        for version in &kernel.versions {
            from_fork.add(version);
            self.version(kernel, version, parent, &from_fork);
            self.sources(world, version);
        }
    }

    fn version(&mut self, kernel: &FakeKernel, version: &FakeVersion, parent: Option<u64>, from_fork: &FromFork) {
        let lines = version.lines;
        let previous = if version.number == 1 { parent } else { Some(version.run_id - 1) };
        let unchanged = lines.total.saturating_sub(lines.inserted + lines.changed);
        self.versions
            .number(version.run_id)
            .number(kernel.id)
            .optional(previous)
            .number(language(kernel))
            .number(user_id(kernel.author))
            .moment(Some(version.created))
            .number(u64::from(version.number))
            .words(&kernel.title)
            .moment(version.evaluated)
            .flag(lines.inserted + lines.changed + lines.deleted > 0)
            .number(lines.total)
            .number(lines.inserted)
            .number(lines.changed)
            .number(unchanged);
        if kernel.parent.is_some() {
            let unchanged = lines.total.saturating_sub(from_fork.inserted + from_fork.changed);
            self.versions
                .optional(Some(from_fork.inserted))
                .optional(Some(from_fork.deleted))
                .optional(Some(from_fork.changed))
                .optional(Some(unchanged));
        } else {
            self.versions.blanks(4);
        }
        let milliseconds = version.run_seconds.map(|seconds| (seconds * 1000.0).round() as u64);
        self.versions
            .number(if version.number == kernel.committed().number { kernel.votes } else { 0 })
            .flag(version.has_internet)
            .optional(milliseconds)
            .optional(accelerator(version.accelerator))
            .words(&format!("kaggle-images/python:v{}", version.image()))
            .end();
    }

    fn sources(&mut self, world: &FakeWorld, version: &FakeVersion) {
        let run = version.run_id;
        let row = |place: usize| run * 4 + place as u64;
        for (place, index) in version.sources.competitions.iter().enumerate() {
            let source = world.competitions()[*index as usize].id;
            self.competition_sources.number(row(place)).number(run).number(source).end();
        }
        for (place, index) in version.sources.datasets.iter().enumerate() {
            self.dataset_sources.number(row(place)).number(run).number(90_000 + index).end();
        }
        for (place, (index, number)) in version.sources.kernels.iter().enumerate() {
            self.kernel_sources.number(row(place)).number(run).number(run_id(*index, *number)).end();
        }
        for place in 0..version.sources.models.len() {
            self.model_sources.number(row(place)).number(run).number(MODEL).end();
        }
        if version.outcome == FakeOutcome::Complete {
            self.output_files
                .number(run)
                .number(run)
                .words("submission.csv")
                .number(1_234)
                .words(".csv")
                .number(0)
                .end();
        }
    }

    fn submissions(&mut self, world: &FakeWorld, kernel: &FakeKernel, version: &FakeVersion) {
        let Some(evaluated) = version.evaluated else { return };
        let competition = &world.competitions()[kernel.competition as usize];
        let turns = [(0, version.score, evaluated.plus_seconds(40.0)), (1, version.second_score, late(evaluated))];
        for (turn, score, submitted) in turns {
            let Some(FakeScore { public, private }) = score else { continue };
            let id = submission_id(kernel.index, version.number, turn);
            let is_infinite = competition.scale.abbreviation == "MulticlassLoss" && id.is_multiple_of(97);
            self.submissions
                .number(id)
                .number(user_id(kernel.author))
                .number(team_id(kernel.author, kernel.team_slot))
                .optional(Some(version.run_id))
                .moment(Some(submitted))
                .moment(Some(submitted))
                .flag(competition.is_over(submitted))
                .flag(false)
                .words(&competition.scale.display(public))
                .real(public)
                .words(&competition.scale.display(private));
            // Private scores that overflowed are in the real dump as well.
            self.submissions.real(if is_infinite { f64::INFINITY } else { private }).end();
        }
    }
}

/// When a second submission of a version comes: two months after the first.
fn late(evaluated: Moment) -> Moment {
    evaluated.plus_seconds(61.0 * 86_400.0)
}

/// Lines against the parent, added up over versions.
#[derive(Default)]
struct FromFork {
    inserted: u64,
    changed: u64,
    deleted: u64,
}

impl FromFork {
    fn add(&mut self, version: &FakeVersion) {
        self.inserted += version.lines.inserted;
        self.changed += version.lines.changed;
        self.deleted += version.lines.deleted;
    }
}

/// `KernelLanguages.Id`: Python notebooks had another number before 2017.
fn language(kernel: &FakeKernel) -> u64 {
    match (kernel.kind, kernel.language) {
        (FakeKernelKind::Script, FakeLanguage::R) => 1,
        (FakeKernelKind::Script, FakeLanguage::Python) => 2,
        (FakeKernelKind::Script, FakeLanguage::Julia) => 3,
        (_, FakeLanguage::Sqlite) => 4,
        (_, FakeLanguage::RMarkdown) => 5,
        (FakeKernelKind::Notebook, FakeLanguage::Python) if kernel.created.year() < 2017 => 8,
        (FakeKernelKind::Notebook, FakeLanguage::Python) => 9,
        (FakeKernelKind::Notebook, FakeLanguage::R) => 13,
        (FakeKernelKind::Notebook, FakeLanguage::Julia) => 14,
    }
}

/// `KernelAcceleratorTypes.Id`.
fn accelerator(accelerator: Accelerator) -> Option<u64> {
    match accelerator {
        Accelerator::None => None,
        Accelerator::P100 => Some(2),
        Accelerator::T4x2 => Some(8),
        Accelerator::Tpu => Some(9),
    }
}
