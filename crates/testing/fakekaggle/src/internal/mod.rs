//! The internal service of the web pages: `/api/i/<service>/<Method>`, by the messages of the official SDK.
//!
//! A POST needs the cookie `XSRF-TOKEN` and its value again in `X-XSRF-TOKEN`, or the API's bearer token; a GET with the
//! arguments in its query needs neither.

mod kernels;
mod objects;
mod sessions;

pub(crate) use kernels::{history, view_model};

use nbrevive_loopback::{Reply, Request};
use serde_json::{Map, Value, json};

use crate::api::without_defaults;
use crate::faults::{Effects, Layout, Quirks};
use crate::refusal::{Generation, Refusal};
use crate::shared::Shared;
use crate::site::Site;
use crate::world::{FakeKernel, FakeVersion, Visibility};

/// What a method needs to know.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) site: &'a Site,
    pub(crate) page_cap: usize,
    pub(crate) quirks: Quirks,
    /// Whether the session's cookie was sent.
    pub(crate) is_logged_in: bool,
}

type Method = fn(&Context, &Value) -> Result<Value, Refusal>;

pub(crate) fn answer(shared: &Shared, request: &Request, effects: &Effects) -> Reply {
    let refuse = |refusal: Refusal| refusal.reply(Generation::Internal);
    let segments = request.segments();
    let name = segments.get(2..).unwrap_or_default().join("/");
    let Some(method) = method(&name) else { return refuse(Refusal::not_found()) };
    if !is_trusted(shared, request) {
        return refuse(Refusal::new(403, "The anti-forgery token is missing or wrong"));
    }
    let Ok(arguments) = arguments(request) else { return refuse(Refusal::new(400, "Invalid JSON in the body")) };
    let context = context(shared, request, effects);
    match method(&context, &arguments) {
        Ok(value) => Reply::json(200, &shaped(value, effects.layout)),
        Err(refusal) => refuse(refusal),
    }
}

pub(crate) fn context<'a>(shared: &'a Shared, request: &Request, effects: &Effects) -> Context<'a> {
    Context {
        site: &shared.site,
        page_cap: shared.settings.page_cap,
        quirks: effects.quirks,
        is_logged_in: request.cookie("ka_sessionid") == Some(&shared.site.credentials.session),
    }
}

fn method(name: &str) -> Option<Method> {
    Some(match name {
        "kernels.KernelsService/ListKernels" => kernels::list,
        "kernels.KernelsService/ListKernelIds" => kernels::list_ids,
        "kernels.KernelsService/GetKernelIdByUrl" => kernels::id_by_url,
        "kernels.KernelsService/GetKernel" => kernels::get,
        "kernels.KernelsService/ListKernelVersions" => kernels::list_versions,
        "kernels.LegacyKernelsService/GetKernelViewModel" => kernels::get_view_model,
        "kernels.KernelsService/GetKernelVersion" => sessions::version,
        "kernels.KernelsService/GetKernelSessionSource" => sessions::session_source,
        "kernels.KernelsService/GetKernelSessionLog" => sessions::log,
        "kernels.KernelsService/ListKernelSessionOutput" => sessions::output,
        "kernels.KernelsService/GetKernelSessionDataSources" => sessions::data_sources,
        "competitions.CompetitionService/GetCompetition" => sessions::competition,
        "competitions.LeaderboardService/GetLeaderboard" => sessions::leaderboard,
        _ => return None,
    })
}

fn is_trusted(shared: &Shared, request: &Request) -> bool {
    let has_token = request
        .header("authorization")
        .is_some_and(|value| value.starts_with("Bearer ") && shared.site.credentials.accept(value));
    let cookie = request.cookie("XSRF-TOKEN").filter(|value| !value.is_empty());
    request.method == "GET" || has_token || (cookie.is_some() && cookie == request.header("x-xsrf-token"))
}

/// The arguments of a POST's body or of a GET's query, where they are texts.
fn arguments(request: &Request) -> Result<Value, serde_json::Error> {
    if request.method != "GET" {
        return request.json();
    }
    Ok(request.query.iter().map(|(key, value)| (key.clone(), json!(value))).collect::<Map<_, _>>().into())
}

/// An id among the arguments: a number, or a text of digits.
pub(crate) fn id(arguments: &Value, name: &str) -> Option<u64> {
    let value = arguments.get(name)?;
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).filter(|id| *id > 0)
}

/// Whether the notebook can be seen from the web.
pub(crate) fn visible(kernel: &FakeKernel) -> Result<&FakeKernel, Refusal> {
    match kernel.visibility {
        Visibility::Public => Ok(kernel),
        Visibility::Deleted if kernel.index.is_multiple_of(4) => Err(Refusal::not_found()),
        Visibility::Private | Visibility::Deleted => Err(Refusal::new(403, "Permission 'kernels.get' was denied")),
    }
}

/// The run that an argument names, of a notebook that can be seen.
fn run<'a>(context: &Context<'a>, arguments: &Value, name: &str) -> Result<(&'a FakeKernel, &'a FakeVersion), Refusal> {
    let found = id(arguments, name).and_then(|id| context.site.run(id)).ok_or_else(Refusal::not_found)?;
    visible(found.0)?;
    Ok(found)
}

/// An object as it is sent: defaults left out; in the changed layout under other names.
pub(crate) fn shaped(value: Value, layout: Layout) -> Value {
    let value = without_defaults(value);
    if layout == Layout::Changed { renamed(value) } else { value }
}

/// The names that the changed layout gives to the parts that clients look for.
const RENAMED: [(&str, &str); 7] = [
    ("items", "versionItems"),
    ("kernels", "kernelItems"),
    ("run", "execution"),
    ("runInfo", "executionInfo"),
    ("kernelRun", "kernelExecution"),
    ("submission", "linkedSubmission"),
    ("dataSources", "inputSources"),
];

fn renamed(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let name = |key: String| match RENAMED.iter().find(|(old, _)| *old == key) {
                Some((_, new)) => (*new).to_owned(),
                None => key,
            };
            Value::Object(fields.into_iter().map(|(key, value)| (name(key), renamed(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(renamed).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests;
