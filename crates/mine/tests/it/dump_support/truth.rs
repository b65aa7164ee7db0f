//! What the world knows of a version, beside what a record says.

use nbrevive_fakekaggle::{
    Accelerator, FakeKernel, FakeKernelKind as FakeKind, FakeLanguage, FakeVersion, FakeWorld, Visibility,
};
use nbrevive_mine::records::{CodeKind, CodeLanguage, DataKind, MinedDataSource, MiningSource, VersionRecord};

/// Every version that the dump holds, with its notebook.
pub(crate) fn public(world: &FakeWorld) -> impl Iterator<Item = (FakeKernel, FakeVersion)> + '_ {
    let kernels = world.kernels().filter(|kernel| kernel.visibility == Visibility::Public);
    kernels.flat_map(|kernel| kernel.versions.clone().into_iter().map(move |version| (kernel.clone(), version)))
}

/// A notebook's language in records.
pub(crate) fn language(kernel: &FakeKernel) -> CodeLanguage {
    match kernel.language {
        FakeLanguage::Python => CodeLanguage::Python,
        FakeLanguage::R => CodeLanguage::R,
        FakeLanguage::RMarkdown => CodeLanguage::RMarkdown,
        FakeLanguage::Julia => CodeLanguage::Julia,
        FakeLanguage::Sqlite => CodeLanguage::Sqlite,
    }
}

/// A notebook's kind in records.
pub(crate) fn kind(kernel: &FakeKernel) -> CodeKind {
    if kernel.kind == FakeKind::Notebook { CodeKind::Notebook } else { CodeKind::Script }
}

/// What a version reads, as the dump names it.
fn sources(world: &FakeWorld, version: &FakeVersion) -> Vec<MinedDataSource> {
    let source = |kind, name| MinedDataSource { kind, name };
    let own = &version.sources;
    let competitions = own.competitions.iter().map(|index| world.competitions()[*index as usize].slug.clone());
    let datasets = own.datasets.iter().map(|index| world.dataset(*index).reference(world));
    let notebooks = own.kernels.iter().map(|(index, number)| {
        let kernel = world.kernel(*index);
        let is_public = kernel.visibility == Visibility::Public;
        if is_public { kernel.reference(world) } else { format!("#{}", kernel.run_id(*number)) }
    });
    let mut all: Vec<MinedDataSource> = competitions.map(|name| source(DataKind::Competition, name)).collect();
    all.extend(datasets.map(|name| source(DataKind::Dataset, name)));
    all.extend(notebooks.map(|name| source(DataKind::Notebook, name)));
    all.extend(own.models.iter().map(|_| source(DataKind::Model, "#4299".to_owned())));
    all.sort();
    all.dedup();
    all
}

/// Whether a version is an unchanged copy, by the rule of the dump.
pub(crate) fn is_unchanged_copy(kernel: &FakeKernel, version: &FakeVersion) -> bool {
    let lines = version.lines;
    kernel.parent.is_some() && version.number == 1 && lines.inserted + lines.changed + lines.deleted == 0
}

/// Names the parent if the dump can.
pub(crate) fn parent(world: &FakeWorld, kernel: &FakeKernel) -> Option<String> {
    let parent = world.kernel(kernel.parent?.kernel);
    (parent.visibility == Visibility::Public).then(|| parent.reference(world))
}

/// Compares a record with the world, field by field.
pub(crate) fn is_true(world: &FakeWorld, kernel: &FakeKernel, version: &FakeVersion, record: &VersionRecord) {
    let what = record.natural_key();
    let second = |time: Option<nbrevive_fakekaggle::Moment>| time.map(|moment| moment.0.div_euclid(1000));
    assert_eq!(record.notebook.to_string(), kernel.reference(world), "{what}");
    assert_eq!((record.id, record.number), (Some(version.run_id), Some(version.number)), "{what}");
    assert_eq!(record.title.as_ref(), Some(&kernel.title), "{what}");
    assert_eq!(record.created.map(|time| time.as_second()), second(Some(version.created)), "{what}");
    assert_eq!(record.evaluated.map(|time| time.as_second()), second(version.evaluated), "{what}");
    assert_eq!((record.language, record.kind), (Some(language(kernel)), Some(kind(kernel))), "{what}");
    assert_eq!(record.public_score, version.score.map(|score| score.public), "{what}");
    if record.private_score.is_some() {
        assert_eq!(record.private_score, version.score.map(|score| score.private), "{what}");
    }
    assert_eq!(record.run_seconds, version.run_seconds, "{what}");
    assert_eq!(record.data_sources, Some(sources(world, version)), "{what}");
    assert_eq!(record.image, Some(format!("kaggle-images/python:v{}", version.image())), "{what}");
    let is_gpu = matches!(version.accelerator, Accelerator::P100 | Accelerator::T4x2);
    assert_eq!((record.gpu, record.internet), (Some(is_gpu), Some(version.has_internet)), "{what}");
    let copied = parent(world, kernel).filter(|_| is_unchanged_copy(kernel, version));
    assert_eq!(record.copied_from.as_ref().map(ToString::to_string), copied, "{what}");
    assert_eq!((record.status, &record.revision), (None, &None), "{what}");
    assert_eq!(record.origin.request, format!("KernelVersions.csv#{}", version.run_id));
    assert_eq!(record.origin.source, MiningSource::MetaKaggle);
}
