//! Objects of the internal service, with every field that is known of them and that the world has.

use serde_json::{Value, json};

use crate::site::Site;
use crate::world::{
    Accelerator, FakeKernel, FakeKernelKind, FakeLanguage, FakeOutcome, FakeVersion, Lines, version_id,
};

/// Names of the tiers, from 0.
const TIERS: [&str; 5] = ["NOVICE", "CONTRIBUTOR", "EXPERT", "MASTER", "GRANDMASTER"];

/// A person, as notebooks have their authors.
pub(super) fn author(site: &Site, index: u64) -> Value {
    let user = site.world.user(index);
    json!({
        "id": user.id,
        "displayName": user.display_name,
        "userName": user.user_name,
        "profileUrl": format!("/{}", user.user_name),
        "performanceTier": TIERS[user.tier as usize],
    })
}

pub(super) fn status(outcome: FakeOutcome) -> &'static str {
    match outcome {
        FakeOutcome::Complete => "COMPLETE",
        FakeOutcome::Error => "ERROR",
        FakeOutcome::Cancelled => "CANCEL_ACKNOWLEDGED",
        FakeOutcome::Running => "RUNNING",
    }
}

/// The name that people see.
pub(super) fn language_name(language: FakeLanguage) -> &'static str {
    match language {
        FakeLanguage::Python => "Python",
        FakeLanguage::R => "R",
        FakeLanguage::RMarkdown => "RMarkdown",
        FakeLanguage::Julia => "Julia",
        FakeLanguage::Sqlite => "SQLite",
    }
}

fn accelerator(accelerator: Accelerator) -> u64 {
    match accelerator {
        Accelerator::None => 0,
        Accelerator::P100 => 2,
        Accelerator::T4x2 => 8,
        Accelerator::Tpu => 9,
    }
}

/// `KernelRun`.
pub(super) fn run(site: &Site, kernel: &FakeKernel, version: &FakeVersion) -> Value {
    let iso = |moment: Option<crate::moment::Moment>| moment.map(crate::moment::Moment::iso);
    let cancelled = (version.outcome == FakeOutcome::Cancelled)
        .then(|| version.created.plus_seconds(version.run_seconds.unwrap_or_default()));
    json!({
        "id": version.run_id,
        "kernelId": kernel.id,
        "status": status(version.outcome),
        "kernelVersionType": "BATCH",
        "kernelVersionNumber": version.number,
        "sourceType": if kernel.kind == FakeKernelKind::Notebook { "EDITOR_TYPE_NOTEBOOK" } else { "EDITOR_TYPE_SCRIPT" },
        "language": format!("LANGUAGE_{}", language_name(kernel.language).to_uppercase()),
        "title": kernel.title,
        "dateCreated": version.created.iso(),
        "dateEvaluated": iso(version.evaluated),
        "dateCancelled": iso(cancelled),
        "dockerImageVersionId": 30_000 + version.image(),
        "dataSources": data_sources(site, version),
        "isGpuEnabled": matches!(version.accelerator, Accelerator::P100 | Accelerator::T4x2),
        "isTpuEnabled": version.accelerator == Accelerator::Tpu,
        "acceleratorType": accelerator(version.accelerator),
        "isInternetEnabled": version.has_internet,
        "runInfo": run_info(version),
    })
}

fn run_info(version: &FakeVersion) -> Value {
    let Some(seconds) = version.run_seconds else { return json!(null) };
    let has_failed = version.outcome == FakeOutcome::Error;
    json!({
        "dockerImageName": "kaggle/python",
        "dockerImageId": format!("v{}", version.image()),
        "failureMessage": if has_failed { "Your notebook tried to use a name that is not defined" } else { "" },
        "exitCode": u8::from(has_failed),
        "queuedSeconds": 2.5,
        "outputSizeBytes": if version.outcome == FakeOutcome::Complete { 1_234 } else { 0 },
        "runTimeSeconds": seconds,
        "isValidStatus": true,
        "wasGpuEnabled": matches!(version.accelerator, Accelerator::P100 | Accelerator::T4x2),
        "wasInternetEnabled": version.has_internet,
        "succeeded": version.outcome == FakeOutcome::Complete,
        "wasKilled": version.outcome == FakeOutcome::Cancelled,
    })
}

/// What a version reads; the type of a competition is the default and left out.
pub(super) fn data_sources(site: &Site, version: &FakeVersion) -> Vec<Value> {
    let world = &site.world;
    let sources = &version.sources;
    let competitions = sources.competitions.iter().map(|index| {
        let one = &world.competitions()[*index as usize];
        let path = format!("competitions/{}", one.slug);
        json!({"sourceId": one.id, "mountSlug": path, "name": one.title, "dataSourceUrl": format!("/{path}")})
    });
    let datasets = sources.datasets.iter().map(|index| {
        let one = world.dataset(*index);
        let path = format!("datasets/{}", one.reference(world));
        json!({"sourceType": "DATASET_VERSION", "sourceId": one.version_id, "datasetId": one.id, "mountSlug": path,
               "name": one.title, "dataSourceUrl": format!("/{path}")})
    });
    let kernels = sources.kernels.iter().map(|(index, number)| {
        let one = world.kernel(*index);
        let path = format!("code/{}", one.reference(world));
        json!({"sourceType": "KERNEL_VERSION", "sourceId": one.run_id(*number), "mountSlug": path, "name": one.title,
               "dataSourceUrl": format!("/{path}")})
    });
    let models = sources.models.iter().map(|model| {
        json!({"sourceType": "MODEL_INSTANCE_VERSION", "sourceId": 4_299, "mountSlug": format!("models/{model}"),
               "name": model, "dataSourceUrl": format!("/models/{model}")})
    });
    competitions.chain(datasets).chain(kernels).chain(models).collect()
}

/// `KernelVersionAndRun`: a row of the version history.
pub(super) fn version_and_run(site: &Site, kernel: &FakeKernel, version: &FakeVersion) -> Value {
    let Lines { total, inserted, deleted, .. } = version.lines;
    json!({
        "author": author(site, kernel.author),
        "kernelAuthorUserName": site.world.user(kernel.author).user_name,
        "currentUrlSlug": kernel.slug,
        "viewerUrl": format!("{}?scriptVersionId={}", site.code_path(kernel), version.run_id),
        "version": {
            "id": version_id(kernel.index, version.number),
            "versionNumber": version.number,
            "versionName": format!("Version {}", version.number),
            "versionType": "BATCH",
            "linesTotal": total,
            "linesInserted": inserted,
            "linesDeleted": deleted,
        },
        "run": run(site, kernel, version),
    })
}

/// `KernelForkInfo` of a copy's parent.
pub(super) fn fork_parent(site: &Site, kernel: &FakeKernel) -> Value {
    let Some(parent) = kernel.parent else { return json!(null) };
    let original = site.world.kernel(parent.kernel);
    let lines = kernel.versions[0].lines;
    json!({
        "kernelId": original.id,
        "runId": original.run_id(parent.number),
        "url": site.code_path(&original),
        "title": original.title,
        "author": author(site, original.author),
        "diff": {
            "linesInserted": lines.inserted,
            "linesDeleted": lines.deleted,
            "linesChanged": lines.changed,
            "linesUnchanged": lines.total.saturating_sub(lines.inserted + lines.changed),
        },
        "dateCreated": original.created.iso(),
        "isFork": original.parent.is_some(),
    })
}

pub(super) fn medal(kernel: &FakeKernel) -> &'static str {
    match kernel.medal {
        Some(1) => "GOLD",
        Some(2) => "SILVER",
        Some(_) => "BRONZE",
        None => "",
    }
}

/// `Kernel`.
pub(super) fn kernel(site: &Site, kernel: &FakeKernel) -> Value {
    let scale = site.competition_of(kernel).scale;
    json!({
        "id": kernel.id,
        "title": kernel.title,
        "slug": kernel.slug,
        "url": site.code_path(kernel),
        "author": author(site, kernel.author),
        "currentRunId": kernel.committed().run_id,
        "mostRecentRunId": kernel.latest().run_id,
        "forkParent": fork_parent(site, kernel),
        "bestPublicScore": kernel.best(&site.world).map(|(_, score)| scale.display(score)),
        "upvoteCount": kernel.votes,
        "viewCount": kernel.views,
        "updatedTime": kernel.latest().created.iso(),
        "medal": medal(kernel),
        "hasLinkedSubmission": kernel.best(&site.world).is_some(),
    })
}

/// `KernelListItem`.
pub(super) fn list_item(site: &Site, kernel: &FakeKernel) -> Value {
    let version = kernel.committed();
    let scale = site.competition_of(kernel).scale;
    let parent = kernel.parent.map(|parent| site.world.kernel(parent.kernel));
    let lines = kernel.versions[0].lines;
    json!({
        "id": kernel.id,
        "scriptVersionId": version.run_id,
        "title": kernel.title,
        "author": author(site, kernel.author),
        "currentUrlSlug": kernel.slug,
        "scriptUrl": site.code_path(kernel),
        "languageName": language_name(kernel.language),
        "aceLanguageName": language_name(kernel.language).to_lowercase(),
        "isNotebook": kernel.kind == FakeKernelKind::Notebook,
        "isGpuEnabled": matches!(version.accelerator, Accelerator::P100 | Accelerator::T4x2),
        "isFork": parent.is_some(),
        "forkParentInfo": parent.map(|parent| json!({
            "kernelId": parent.id,
            "kernelUrl": site.code_path(&parent),
            "authorDisplayName": site.world.user(parent.author).display_name,
            "isVisible": parent.visibility == crate::world::Visibility::Public,
            "isDeleted": parent.visibility == crate::world::Visibility::Deleted,
        })),
        "forkDiffLinesInserted": lines.inserted,
        "forkDiffLinesDeleted": lines.deleted,
        "bestPublicScore": kernel.best(&site.world).map(|(_, score)| scale.display(score)),
        "hasLinkedSubmission": kernel.best(&site.world).is_some(),
        "lastRunExecutionTimeSeconds": version.run_seconds,
        "lastRunTime": kernel.latest().created.iso(),
        "dateCreated": kernel.created.iso(),
        "dateEvaluated": version.evaluated.map(crate::moment::Moment::iso),
        "scriptVersionDateCreated": version.created.iso(),
        "totalVotes": kernel.votes,
        "totalViews": kernel.views,
        "totalComments": kernel.comments,
        "totalLines": version.lines.total,
        "medal": medal(kernel),
        "dataSources": data_sources(site, version).iter().map(reference).collect::<Vec<_>>(),
    })
}

/// A data source as list items have it: type and id apart.
fn reference(source: &Value) -> Value {
    json!({
        "reference": {"sourceType": source["sourceType"], "sourceId": source["sourceId"]},
        "name": source["name"],
        "dataSourceUrl": source["dataSourceUrl"],
    })
}

/// `KernelVersionHistory`: a row in the state of old pages.
pub(super) fn history_row(site: &Site, kernel: &FakeKernel, version: &FakeVersion, is_fork_parent: bool) -> Value {
    let run = run(site, kernel, version);
    json!({
        "id": version.run_id,
        "versionNumber": version.number,
        "hasVersionNumber": true,
        "title": kernel.title,
        "url": format!("{}?scriptVersionId={}", site.code_path(kernel), version.run_id),
        "status": status(version.outcome).to_lowercase(),
        "languageName": language_name(kernel.language),
        "isNotebook": kernel.kind == FakeKernelKind::Notebook,
        "isForkParent": is_fork_parent,
        "lastRunTime": version.created.iso(),
        "linesInsertedFromPrevious": version.lines.inserted,
        "linesDeletedFromPrevious": version.lines.deleted,
        "linesChangedFromPrevious": version.lines.changed,
        "runInfo": run["runInfo"],
        "versionType": "BATCH",
    })
}
