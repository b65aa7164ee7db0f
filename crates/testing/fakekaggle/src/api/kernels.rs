//! Operations on notebooks.

use serde_json::{Value, json};

use crate::api::{Answer, Context};
use crate::listing::{self, Query, folded};
use crate::refusal::{DENIED, Generation, Refusal};
use crate::settings::VersionLabels;
use crate::source::{Outputs, source};
use crate::world::{Accelerator, FakeKernel, FakeKernelKind, FakeLanguage, FakeOutcome, FakeVersion, Visibility};

/// The most notebooks on a page.
const MOST_PER_PAGE: usize = 100;
/// Notebooks on a page without `pageSize`.
const PER_PAGE: usize = 20;

pub(super) fn list(context: &Context) -> Result<Answer, Refusal> {
    let arguments = context.arguments;
    let competition = match arguments.text("competition") {
        "" => None,
        slug => Some(context.site.competition(slug).ok_or_else(Refusal::not_found)?.index),
    };
    let query = Query {
        competition,
        dataset: arguments.given("dataset"),
        parent: arguments.given("parentKernel"),
        user: arguments.given("user"),
        language: arguments.text("language").to_owned(),
        kernel_type: arguments.text("kernelType").to_owned(),
        output_type: arguments.text("outputType").to_owned(),
        sort: arguments.text("sortBy").to_owned(),
        search: arguments.text("search").to_owned(),
        is_profile: folded(arguments.text("group")) == "profile",
    };
    let mut kernels = listing::select(context.site, &query)?;
    kernels.truncate(context.settings.listing_cap);
    let size = arguments.number("pageSize", PER_PAGE)?.clamp(1, MOST_PER_PAGE);
    let page = listing::page(&kernels, arguments.page()?, size, context.quirks);
    let items = page.items.iter().map(|kernel| listed(context, kernel)).collect();
    Ok(Answer::List { name: "kernels", items, next: page.next })
}

/// A notebook as lists have it: most fields are there but empty.
fn listed(context: &Context, kernel: &FakeKernel) -> Value {
    let mut item = metadata(context, kernel, kernel.committed());
    for (key, value) in item.as_object_mut().into_iter().flatten() {
        let is_filled =
            matches!(key.as_str(), "id" | "ref" | "title" | "author" | "slug" | "lastRunTime" | "totalVotes");
        if !is_filled {
            *value = match value {
                Value::Bool(_) => json!(false),
                Value::Array(_) => json!([]),
                Value::Number(_) => json!(0),
                _ => json!(""),
            };
        }
    }
    item
}

/// `ApiKernelMetadata`.
fn metadata(context: &Context, kernel: &FakeKernel, version: &FakeVersion) -> Value {
    let world = &context.site.world;
    let sources = &version.sources;
    let datasets: Vec<String> = sources.datasets.iter().map(|index| world.dataset(*index).reference(world)).collect();
    let kernels: Vec<String> = sources.kernels.iter().map(|(index, _)| world.kernel(*index).reference(world)).collect();
    let competitions: Vec<&str> =
        sources.competitions.iter().map(|index| world.competitions()[*index as usize].slug.as_str()).collect();
    json!({
        "id": kernel.id,
        "ref": kernel.reference(world),
        "title": kernel.title,
        "author": world.user(kernel.author).display_name,
        "slug": kernel.slug,
        "lastRunTime": last_run(kernel, context.generation),
        "language": language(kernel.language),
        "kernelType": if kernel.kind == FakeKernelKind::Notebook { "notebook" } else { "script" },
        "isPrivate": kernel.visibility == Visibility::Private,
        "enableGpu": matches!(version.accelerator, Accelerator::P100 | Accelerator::T4x2),
        "enableTpu": version.accelerator == Accelerator::Tpu,
        "enableInternet": version.has_internet,
        "categoryIds": ["tabular"],
        "datasetDataSources": datasets,
        "kernelDataSources": kernels,
        "competitionDataSources": competitions,
        "modelDataSources": sources.models,
        "totalVotes": kernel.votes,
        "currentVersionNumber": kernel.committed().number,
    })
}

/// When the newest version ended; the old generation writes fractions of any length.
fn last_run(kernel: &FakeKernel, generation: Generation) -> String {
    let moment = kernel.latest().evaluated.unwrap_or(kernel.latest().created);
    let is_long = generation == Generation::Legacy && kernel.index.is_multiple_of(3);
    if is_long { moment.iso_long() } else { moment.iso() }
}

/// The name of a language in the API.
pub(crate) fn language(language: FakeLanguage) -> &'static str {
    match language {
        FakeLanguage::Python => "python",
        FakeLanguage::R => "r",
        FakeLanguage::RMarkdown => "rmarkdown",
        FakeLanguage::Julia => "julia",
        FakeLanguage::Sqlite => "sqlite",
    }
}

/// The notebook asked for. Private ones answer 403, deleted ones 403 and at times 404.
fn found<'a>(context: &Context<'a>) -> Result<&'a FakeKernel, Refusal> {
    let arguments = context.arguments;
    let kernel =
        context.site.kernel(arguments.text("userName"), arguments.text("kernelSlug")).ok_or_else(Refusal::not_found)?;
    match kernel.visibility {
        Visibility::Deleted if kernel.index.is_multiple_of(4) => Err(Refusal::not_found()),
        Visibility::Private if context.site.is_own(kernel) => Ok(kernel),
        Visibility::Private | Visibility::Deleted => Err(Refusal::new(403, DENIED)),
        Visibility::Public => Ok(kernel),
    }
}

/// The version asked for by `versionLabel` (`v3`; a bare number is not found), else the committed one.
fn version<'a>(context: &Context, kernel: &'a FakeKernel) -> Result<&'a FakeVersion, Refusal> {
    let label = context.arguments.text("versionLabel");
    match context.settings.version_labels {
        _ if label.is_empty() => Ok(kernel.committed()),
        VersionLabels::Ignored => Ok(kernel.committed()),
        VersionLabels::Denied if !context.site.is_own(kernel) => Err(Refusal::new(403, DENIED)),
        VersionLabels::Served | VersionLabels::Denied => {
            let number = label.strip_prefix('v').and_then(|number| number.parse().ok());
            number.and_then(|number| kernel.version(number)).ok_or_else(Refusal::not_found)
        }
    }
}

pub(super) fn pull(context: &Context) -> Result<Answer, Refusal> {
    let kernel = found(context)?;
    let version = version(context, kernel)?;
    let metadata = metadata(context, kernel, version);
    let blob = json!({
        "source": source(&context.site.world, kernel, version, Outputs::Stripped),
        "language": metadata["language"],
        "kernelType": metadata["kernelType"],
        "slug": kernel.slug,
    });
    Ok(Answer::Object(json!({"metadata": metadata, "blob": blob})))
}

/// The state of the newest run; only of one's own notebooks, for Kaggle often denies those of others.
pub(super) fn status(context: &Context) -> Result<Answer, Refusal> {
    let kernel = found(context)?;
    if !context.site.is_own(kernel) {
        return Err(Refusal::new(403, "Permission 'kernelSessions.get' was denied"));
    }
    let (name, old_name, failure) = match kernel.latest().outcome {
        FakeOutcome::Complete => ("COMPLETE", "complete", ""),
        FakeOutcome::Error => ("ERROR", "error", "Your notebook tried to use a name that is not defined"),
        FakeOutcome::Cancelled => ("CANCEL_ACKNOWLEDGED", "cancelAcknowledged", ""),
        FakeOutcome::Running => ("RUNNING", "running", ""),
    };
    let status = if context.generation == Generation::Legacy { old_name } else { name };
    Ok(Answer::Object(json!({"status": status, "failureMessage": failure})))
}

/// The files of a version that wrote a submission, and its log as the text of a JSON array.
pub(super) fn output(context: &Context) -> Result<Answer, Refusal> {
    let kernel = found(context)?;
    let version = version(context, kernel)?;
    let has_file = version.outcome == FakeOutcome::Complete;
    let address = format!("/_storage/output/{}/submission.csv?X-Expires=600", version.run_id);
    let files = if has_file { json!([{"url": address, "fileName": "submission.csv"}]) } else { json!([]) };
    let log = json!([{"stream_name": "stdout", "time": 3.2, "data": format!("run {}\n", version.run_id)}]);
    Ok(Answer::Object(json!({"files": files, "log": log.to_string(), "nextPageToken": ""})))
}

pub(super) fn files(context: &Context) -> Result<Answer, Refusal> {
    let kernel = found(context)?;
    let version = version(context, kernel)?;
    let created = version.evaluated.unwrap_or(version.created).iso();
    let has_file = version.outcome == FakeOutcome::Complete;
    let files =
        if has_file { json!([{"name": "submission.csv", "size": 1_234, "creationDate": created}]) } else { json!([]) };
    Ok(Answer::Object(json!({"files": files, "nextPageToken": ""})))
}
