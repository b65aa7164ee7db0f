//! Methods on notebooks: lists, the version history, the view model.

use serde_json::{Value, json};

use crate::internal::objects;
use crate::internal::{Context, id, visible};
use crate::listing::{self, Query};
use crate::refusal::Refusal;
use crate::site::Site;
use crate::world::{FakeKernel, FakeVersion, FakeWorld, Visibility, submission_id};

/// Items of the version history without `pageSize`.
const VERSIONS_PER_PAGE: usize = 1_000;

/// The notebooks that the criteria of a list request select, and the page asked for.
fn selected<'a>(context: &Context<'a>, arguments: &Value) -> Result<(Vec<&'a FakeKernel>, usize, usize), Refusal> {
    let criteria = &arguments["kernelFilterCriteria"];
    let request = &criteria["listRequest"];
    let competitions = context.site.world.competitions();
    let competition = match id(request, "competitionId") {
        None => None,
        Some(id) => {
            Some(competitions.iter().find(|one| one.id == id).map(|one| one.index).ok_or_else(Refusal::not_found)?)
        }
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let query = Query {
        competition,
        language: text(&request["language"]),
        kernel_type: text(&request["kernelType"]),
        sort: text(&request["sortBy"]),
        search: text(&criteria["search"]),
        ..Query::default()
    };
    let mut kernels = listing::select(context.site, &query)?;
    if arguments["detailFilterCriteria"]["deletedAccessBehavior"] == "RETURN_NOTHING" {
        kernels.retain(|kernel| kernel.visibility != Visibility::Deleted);
    }
    kernels.truncate(context.page_cap);
    let number = |name: &str, default: u64| id(request, name).unwrap_or(default) as usize;
    Ok((kernels, number("page", 1), number("pageSize", 20).min(100)))
}

pub(super) fn list(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let (kernels, number, size) = selected(context, arguments)?;
    let page = listing::page(&kernels, number, size, context.quirks);
    let items: Vec<Value> = page.items.iter().map(|kernel| objects::list_item(context.site, kernel)).collect();
    Ok(json!({"kernels": items, "totalCount": kernels.len()}))
}

pub(super) fn list_ids(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let (kernels, ..) = selected(context, arguments)?;
    Ok(json!({"kernelIds": kernels.iter().map(|kernel| kernel.id).collect::<Vec<_>>()}))
}

pub(super) fn id_by_url(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let url = arguments["url"].as_str().unwrap_or_default();
    let path = url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let mut parts = path.rsplit('/');
    let (slug, user) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let kernel = context.site.kernel(user, slug).ok_or_else(Refusal::not_found)?;
    Ok(json!({"kernelId": visible(kernel)?.id}))
}

/// The notebook that `kernelId`, or author and slug, name.
fn found<'a>(context: &Context<'a>, arguments: &Value) -> Result<&'a FakeKernel, Refusal> {
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    let kernel = match id(arguments, "kernelId") {
        Some(id) => context.site.kernel_by_id(id),
        None => context.site.kernel(text("authorUserName"), text("kernelSlug")),
    };
    visible(kernel.ok_or_else(Refusal::not_found)?)
}

pub(super) fn get(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    Ok(objects::kernel(context.site, found(context, arguments)?))
}

/// The version history, newest first; the last row of a copy is its parent's.
pub(super) fn list_versions(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let kernel = found(context, arguments)?;
    let own = kernel.versions.iter().rev();
    let mut items: Vec<Value> = own.map(|version| objects::version_and_run(context.site, kernel, version)).collect();
    items.extend(with_parent(context.site, kernel, |original, version| {
        let mut row = objects::version_and_run(context.site, original, version);
        row["isForkParent"] = json!(true);
        row
    }));
    let size = id(arguments, "pageSize").map_or(VERSIONS_PER_PAGE, |size| size as usize);
    let number = id(arguments, "page").unwrap_or(1) as usize;
    Ok(json!({"items": listing::page(&items, number, size, context.quirks).items}))
}

fn with_parent<T>(site: &Site, kernel: &FakeKernel, make: impl FnOnce(&FakeKernel, &FakeVersion) -> T) -> Option<T> {
    let parent = kernel.parent?;
    let original = site.world.kernel(parent.kernel);
    let version = original.version(parent.number)?;
    Some(make(&original, version))
}

/// The rows of the version history in the state of old pages, newest first.
pub(crate) fn history(site: &Site, kernel: &FakeKernel) -> Vec<Value> {
    let own = kernel.versions.iter().rev().map(|version| objects::history_row(site, kernel, version, false));
    let parent = with_parent(site, kernel, |original, version| objects::history_row(site, original, version, true));
    own.chain(parent).collect()
}

pub(super) fn get_view_model(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let kernel = found(context, arguments)?;
    let version = match (id(arguments, "versionNumber"), id(arguments, "kernelVersionId")) {
        (Some(number), _) => kernel.version(number as u32),
        (None, Some(id)) => kernel.versions.iter().find(|version| version.run_id == id),
        (None, None) => Some(kernel.committed()),
    };
    Ok(view_model(context.site, kernel, version.ok_or_else(Refusal::not_found)?))
}

/// What a page shows of a version.
pub(crate) fn view_model(site: &Site, kernel: &FakeKernel, version: &FakeVersion) -> Value {
    let path = site.code_path(kernel);
    let competition = site.competition_of(kernel);
    let is_over = competition.is_over(FakeWorld::now());
    let submission = version.score.map(|score| {
        let shown = if is_over { score.private } else { score.public };
        json!({
            "id": submission_id(kernel.index, version.number, 0),
            "sourceScriptVersionId": version.run_id,
            "scoreFormatted": competition.scale.display(shown),
            "scoreIsPrivate": is_over,
        })
    });
    let best = kernel.best(&site.world).map(|(best, score)| {
        json!({
            "scoreFormatted": competition.scale.display(score),
            "kernelVersionName": format!("Version {}", best.number),
            "kernelVersionNumber": best.number,
            "kernelSessionUrl": format!("{path}?scriptVersionId={}", best.run_id),
        })
    });
    let outputs = if version.outcome == crate::world::FakeOutcome::Complete {
        json!([{"kernelSessionId": version.run_id, "kernelId": kernel.id, "name": "submission.csv",
                "fullPath": "submission.csv", "contentLength": 1_234, "fileType": ".csv"}])
    } else {
        json!([])
    };
    json!({
        "kernel": objects::kernel(site, kernel),
        "kernelRun": objects::run(site, kernel, version),
        "author": objects::author(site, kernel.author),
        "baseUrl": path,
        "outputFiles": outputs,
        "dataSources": objects::data_sources(site, version),
        "downloadAllFilesUrl": format!("/code/svzip/{}", version.run_id),
        "submission": submission,
        "bestSubmissionScore": best,
        "menuLinks": [{"title": "Comments", "count": kernel.comments, "url": format!("{path}/comments")}],
        "totalVersionCount": kernel.versions.len(),
        "currentVersionNumber": version.number,
        "showUnchangedCopyWarning": kernel.parent.is_some_and(|parent| parent.unchanged) && version.number == 1,
    })
}
