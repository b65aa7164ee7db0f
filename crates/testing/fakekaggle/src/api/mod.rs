//! The public API in two generations: REST below `/api/v1` and methods below `/v1`.
//!
//! Both share their operations, which answer with every field present. The old generation sends that; the new one leaves out
//! fields at their defaults.

mod arguments;
mod competitions;
mod kernels;

use nbrevive_loopback::{Reply, Request};
use serde_json::{Value, json};

use crate::api::arguments::Arguments;
use crate::faults::{Effects, Quirks};
use crate::refusal::{Generation, Refusal};
use crate::settings::FakeServerSettings;
use crate::shared::Shared;
use crate::site::Site;

/// What an operation needs to know.
#[derive(Clone, Copy)]
struct Context<'a> {
    site: &'a Site,
    settings: &'a FakeServerSettings,
    quirks: Quirks,
    arguments: &'a Arguments,
    generation: Generation,
}

/// What an operation answers with.
enum Answer {
    /// One object with every field.
    Object(Value),
    /// A list: old clients get the bare array, the others an object with the array under a name, and the next page's token.
    List { name: &'static str, items: Vec<Value>, next: Option<usize> },
    /// A file.
    File { name: String, bytes: Vec<u8> },
    /// A redirect to a signed address.
    Elsewhere(String),
}

type Operation = fn(&Context) -> Result<Answer, Refusal>;

/// Answers `/api/v1/...`.
pub(crate) fn legacy(shared: &Shared, request: &Request, effects: &Effects) -> Reply {
    let segments = request.segments();
    let parts: Vec<&str> = segments[2..].iter().map(String::as_str).collect();
    let (operation, from_path): (Operation, Vec<(&str, &str)>) = match parts.as_slice() {
        ["competitions", "list"] => (competitions::list, vec![]),
        ["competitions", "get", name] => (competitions::get, vec![("competitionName", name)]),
        ["competitions", "data", "list", name] => (competitions::data_files, vec![("competitionName", name)]),
        ["competitions", "data", "download", name, file] => {
            (competitions::download, vec![("competitionName", name), ("fileName", file)])
        }
        ["competitions", "data", "download-all", name] => (competitions::download, vec![("competitionName", name)]),
        ["competitions", name, "leaderboard", "view"] => (competitions::leaderboard, vec![("competitionName", name)]),
        ["competitions", name, "leaderboard", "download"] => {
            (competitions::leaderboard_file, vec![("competitionName", name)])
        }
        ["competitions", "submissions", "list", name] => (competitions::submissions, vec![("competitionName", name)]),
        ["kernels", "list"] => (kernels::list, vec![]),
        ["kernels", "pull"] => (kernels::pull, vec![]),
        ["kernels", "pull", user, slug] => (kernels::pull, vec![("userName", user), ("kernelSlug", slug)]),
        ["kernels", "status"] => (kernels::status, vec![]),
        ["kernels", "output"] => (kernels::output, vec![]),
        ["kernels", "files"] => (kernels::files, vec![]),
        _ => return Refusal::not_found().reply(Generation::Legacy),
    };
    let arguments = Arguments::of_query(request, &from_path);
    run(shared, request, effects, Generation::Legacy, &arguments, operation)
}

/// Answers `/v1/<service>/<Method>`.
pub(crate) fn modern(shared: &Shared, request: &Request, effects: &Effects) -> Reply {
    let segments = request.segments();
    let (Some(service), Some(method)) = (segments.get(1), segments.get(2)) else {
        return Refusal::not_found().reply(Generation::Modern);
    };
    let operation: Operation = match (service.as_str(), method.as_str()) {
        ("competitions.CompetitionApiService", "ListCompetitions") => competitions::list,
        ("competitions.CompetitionApiService", "GetCompetition") => competitions::get,
        ("competitions.CompetitionApiService", "ListDataFiles") => competitions::data_files,
        ("competitions.CompetitionApiService", "DownloadDataFile" | "DownloadDataFiles") => competitions::download,
        ("competitions.CompetitionApiService", "GetLeaderboard") => competitions::leaderboard,
        ("competitions.CompetitionApiService", "DownloadLeaderboard") => competitions::leaderboard_file,
        ("competitions.CompetitionApiService", "ListSubmissions") => competitions::submissions,
        ("kernels.KernelsApiService", "ListKernels") => kernels::list,
        ("kernels.KernelsApiService", "GetKernel") => kernels::pull,
        ("kernels.KernelsApiService", "GetKernelSessionStatus") => kernels::status,
        ("kernels.KernelsApiService", "ListKernelSessionOutput") => kernels::output,
        ("kernels.KernelsApiService", "ListKernelFiles") => kernels::files,
        ("security.OAuthService", "IntrospectToken") => introspect,
        _ => return Refusal::not_found().reply(Generation::Modern),
    };
    let Ok(body) = request.json() else {
        return Refusal::new(400, "Invalid JSON in the body").reply(Generation::Modern);
    };
    if request.method != "POST" {
        return Refusal::new(400, "Methods are called by POST").reply(Generation::Modern);
    }
    run(shared, request, effects, Generation::Modern, &Arguments::of_json(&body), operation)
}

/// Checks the credentials, carries out the operation and words its answer.
fn run(
    shared: &Shared,
    request: &Request,
    effects: &Effects,
    generation: Generation,
    arguments: &Arguments,
    operation: Operation,
) -> Reply {
    let site = &shared.site;
    if !request.header("authorization").is_some_and(|value| site.credentials.accept(value)) {
        return Refusal::new(401, "Unauthorized").reply(generation);
    }
    let context = Context { site, settings: &shared.settings, quirks: effects.quirks, arguments, generation };
    let reply = match operation(&context) {
        Ok(answer) => word(answer, generation, arguments),
        Err(refusal) => refusal.reply(generation),
    };
    reply.with("X-Kaggle-ApiVersion", "1.7.4").with("X-Kaggle-HubVersion", "2.0")
}

fn word(answer: Answer, generation: Generation, arguments: &Arguments) -> Reply {
    let is_modern = generation == Generation::Modern;
    let value = match answer {
        Answer::Object(value) => value,
        Answer::List { items, .. } if !is_modern && !arguments.has("pageToken") => Value::Array(items),
        Answer::List { name, items, next } => {
            json!({name: items, "nextPageToken": next.map(crate::listing::token).unwrap_or_default()})
        }
        Answer::File { name, bytes } => {
            let disposition = format!("attachment; filename=\"{name}\"");
            return Reply::new(200, "application/zip", bytes).with("Content-Disposition", &disposition);
        }
        Answer::Elsewhere(to) => return Reply::redirect(&to),
    };
    Reply::json(200, &if is_modern { without_defaults(value) } else { value })
}

/// Leaves out fields at their default values, as the new generation does.
pub(crate) fn without_defaults(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().map(|(key, value)| (key, without_defaults(value)));
            Value::Object(kept.filter(|(_, value)| !is_default(value)).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_defaults).collect()),
        other => other,
    }
}

fn is_default(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// Whether a token is good, and whose it is.
fn introspect(context: &Context) -> Result<Answer, Refusal> {
    let held = &context.site.credentials;
    if context.arguments.text("token") != held.token {
        return Err(Refusal::not_found());
    }
    Ok(Answer::Object(json!({"active": true, "username": held.username})))
}

#[cfg(test)]
mod tests;
