//! The versions of a study as rows of the store.

use std::collections::BTreeMap;
use std::sync::Arc;

use nbrevive_corpus::{Targets, Version};
use nbrevive_store::repositories::RepositoryRow;
use nbrevive_store::versions::VersionRow;

use crate::{Around, Job, JobPlan, RepositoryFiles};

/// One row a version, with what is known of its notebook, or why it is left out.
pub(crate) fn version_rows(versions: &[Version], plan: &JobPlan, targets: &Targets) -> Vec<VersionRow> {
    versions.iter().map(|version| version_row(version, plan, targets)).collect()
}

/// One row a repository that a version which is studied belongs to.
pub(crate) fn repository_rows(plan: &JobPlan) -> Vec<RepositoryRow> {
    let of = |job: &Job| match &job.around {
        Around::Repository(files) => Some(Arc::clone(files)),
        Around::Competition(_) | Around::Nothing => None,
    };
    let files = plan.jobs.iter().filter_map(|planned| of(&planned.job));
    let by_name: BTreeMap<String, Arc<RepositoryFiles>> =
        files.map(|files| (files.repository.name.clone(), files)).collect();
    let row = |(repository, files): (String, Arc<RepositoryFiles>)| RepositoryRow {
        repository,
        url: files.repository.url.clone(),
        revision: files.repository.commit.clone(),
        stars: files.repository.host.stars,
        licence: files.repository.host.licence.clone(),
        is_fork: files.repository.host.is_fork,
        is_archived: files.repository.host.is_archived,
        content_hash: files.content.clone(),
    };
    by_name.into_iter().map(row).collect()
}

fn version_row(version: &Version, plan: &JobPlan, targets: &Targets) -> VersionRow {
    let selected = plan.jobs.iter().map(|planned| &planned.job).find(|job| job.version.slug == version.slug);
    let notebook = selected.map(|job| &job.selected.notebook);
    let sources = notebook.map(nbrevive_notebook::Notebook::code_sources);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let lines = |sources: &Vec<&str>| {
        sources.iter().flat_map(|source| source.lines()).filter(|line| !line.trim().is_empty()).count()
    };
    let markdown = |notebook: &nbrevive_notebook::Notebook| {
        notebook.cells.iter().filter(|cell| matches!(cell.kind, nbrevive_notebook::CellKind::Markdown { .. })).count()
    };
    let left_out = plan.left_out.iter().find(|(other, ..)| other.slug == version.slug);
    VersionRow {
        version: version.slug.clone(),
        competition: version.belongs.competition().map(str::to_owned),
        repository: version.belongs.repository().map(|repository| repository.name.clone()),
        title: version.title.clone(),
        submitted: version.submitted.to_string(),
        notebook_hash: selected.map(|job| job.selected.hash.clone()),
        code_cells: sources.as_ref().map(|sources| count(sources.len())),
        code_lines: sources.as_ref().map(|sources| count(lines(sources))),
        markdown_cells: notebook.map(|notebook| count(markdown(notebook))),
        largest_count: notebook.and_then(largest_count),
        target_score: targets.target.get(&version.slug).map(|target| target.score),
        exclusion: left_out.map(|(_, exclusion, _)| *exclusion),
        exclusion_detail: left_out.map(|(.., detail)| detail.clone()),
    }
}

/// The largest count of its code cells; none where none has one, or it is a number that no session comes to.
fn largest_count(notebook: &nbrevive_notebook::Notebook) -> Option<u32> {
    let largest = notebook.code_cells().filter_map(|(_, cell)| cell.execution_count()).max()?;
    u32::try_from(largest).ok()
}
