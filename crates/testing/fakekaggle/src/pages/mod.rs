//! The website: almost empty pages whose content a script fetches from the internal service and builds in the browser,
//! files of versions, and what is behind the sign-in.

mod shell;

use nbrevive_loopback::{Reply, Request};
use serde_json::json;

use crate::faults::{Effects, Layout};
use crate::internal;
use crate::refusal::{Generation, Refusal};
use crate::shared::Shared;
use crate::source::{Outputs, source};
use crate::world::{FakeKernel, FakeVersion, FakeWorld};

pub(crate) use shell::login_wall;

const VIEWER: &str = include_str!("assets/viewer.js");
const LISTING: &str = include_str!("assets/listing.js");
const PAGE: &str = include_str!("assets/page.js");

/// The pages below a notebook's address, as its tabs have them.
const TABS: [&str; 10] =
    ["notebook", "script", "input", "output", "log", "logs", "comments", "data", "versions", "edit"];

pub(crate) fn answer(shared: &Shared, request: &Request, effects: &Effects) -> Reply {
    let segments = request.segments();
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    let answered = match parts.as_slice() {
        [] => Ok(shell::page(shared, request, effects, "Kaggle: Your Home for Data Science", None)),
        ["account", "login"] => Ok(shell::sign_in()),
        ["static", file] => script(file),
        ["_page", "scores"] => scores(shared, request),
        ["_storage", ..] => storage(shared, request, &parts[1..]),
        ["competitions", slug, "code"] => listing(shared, request, effects, slug),
        ["c", slug, "notebooks" | "kernels"] | ["competitions", slug, "notebooks" | "kernels"] => {
            Ok(Reply::redirect(&format!("/competitions/{slug}/code")))
        }
        ["kernels", "scriptcontent", id, "download"] => download(shared, id),
        ["code", "svzip", id] => outputs(shared, request, id),
        ["kernels", id] => by_id(shared, id),
        ["code", user, slug] => viewer(shared, request, effects, (user, slug), "notebook"),
        ["code", user, slug, "versions", number] => version_page(shared, (user, slug), number),
        ["code", user, slug, tab] if TABS.contains(tab) => viewer(shared, request, effects, (user, slug), tab),
        [user, slug] if shared.site.kernel(user, slug).is_some() => {
            let query = request.target.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
            Ok(Reply::redirect(&format!("/code/{user}/{slug}{query}")))
        }
        _ => Err(Refusal::not_found()),
    };
    answered.unwrap_or_else(|refusal| refusal.reply(Generation::Page))
}

fn script(file: &str) -> Result<Reply, Refusal> {
    let text = match file {
        "viewer.js" => VIEWER,
        "listing.js" => LISTING,
        "page.js" => PAGE,
        _ => return Err(Refusal::not_found()),
    };
    Ok(Reply::new(200, "text/javascript; charset=utf-8", text))
}

fn listing(shared: &Shared, request: &Request, effects: &Effects, slug: &str) -> Result<Reply, Refusal> {
    let competition = shared.site.competition(slug).ok_or_else(Refusal::not_found)?;
    let title = format!("{} | Kaggle", competition.title);
    let state = json!({"competitionName": slug});
    Ok(shell::page(shared, request, effects, &title, Some(("listing.js", state))))
}

/// The notebook and the version that a page's address names.
fn shown<'a>(
    shared: &'a Shared,
    request: &Request,
    (user, slug): (&str, &str),
) -> Result<(&'a FakeKernel, &'a FakeVersion), Refusal> {
    let kernel = shared.site.kernel(user, slug).ok_or_else(Refusal::not_found)?;
    // The site does not tell a stranger's private notebook from none.
    internal::visible(kernel).map_err(|_| Refusal::not_found())?;
    let version = match request.query("scriptVersionId") {
        None => Some(kernel.committed()),
        Some(id) => kernel.versions.iter().find(|version| version.run_id.to_string() == id),
    };
    Ok((kernel, version.ok_or_else(Refusal::not_found)?))
}

fn viewer(
    shared: &Shared,
    request: &Request,
    effects: &Effects,
    address: (&str, &str),
    tab: &str,
) -> Result<Reply, Refusal> {
    let (kernel, version) = shown(shared, request, address)?;
    let has_session = request.cookie("ka_sessionid") == Some(&shared.site.credentials.session);
    let is_bound = tab == "output" && !shared.site.competition_of(kernel).rules_accepted;
    if (tab == "edit" || is_bound) && !has_session {
        return Ok(login_wall(request));
    }
    let title = format!("{} | Kaggle", kernel.title);
    let state = match effects.layout {
        Layout::Embedded => embedded_state(shared, kernel, version),
        Layout::Current | Layout::Changed => json!({
            "authorUserName": address.0, "kernelSlug": address.1, "tab": tab, "scriptVersionId": version.run_id
        }),
    };
    Ok(shell::page(shared, request, effects, &title, Some(("viewer.js", state))))
}

/// What old pages held: the view model, the source, and the version history.
fn embedded_state(shared: &Shared, kernel: &FakeKernel, version: &FakeVersion) -> serde_json::Value {
    let site = &shared.site;
    let mut state = internal::shaped(internal::view_model(site, kernel, version), Layout::Embedded);
    state["kernelBlob"] = json!({"source": source(&site.world, kernel, version, Outputs::Stripped)});
    state["versions"] = internal::shaped(internal::history(site, kernel).into(), Layout::Embedded);
    if let (Some(score), true) = (version.score, state["submission"].is_object()) {
        let scale = site.competition_of(kernel).scale;
        state["submission"]["publicScore"] = json!(scale.display(score.public));
    }
    state
}

/// `/versions/<N>` leads to the version's own address.
fn version_page(shared: &Shared, (user, slug): (&str, &str), number: &str) -> Result<Reply, Refusal> {
    let kernel = shared.site.kernel(user, slug).ok_or_else(Refusal::not_found)?;
    let version = number.parse().ok().and_then(|number| kernel.version(number)).ok_or_else(Refusal::not_found)?;
    Ok(Reply::redirect(&format!("{}?scriptVersionId={}", shared.site.code_path(kernel), version.run_id)))
}

fn by_id(shared: &Shared, id: &str) -> Result<Reply, Refusal> {
    let kernel = id.parse().ok().and_then(|id| shared.site.kernel_by_id(id)).ok_or_else(Refusal::not_found)?;
    Ok(Reply::redirect(&shared.site.code_path(kernel)))
}

fn run<'a>(shared: &'a Shared, id: &str) -> Result<(&'a FakeKernel, &'a FakeVersion), Refusal> {
    let found = id.parse().ok().and_then(|id| shared.site.run(id)).ok_or_else(Refusal::not_found)?;
    internal::visible(found.0)?;
    Ok(found)
}

/// The source of any public version, with outputs, for anyone.
fn download(shared: &Shared, id: &str) -> Result<Reply, Refusal> {
    let (kernel, version) = run(shared, id)?;
    let text = source(&shared.site.world, kernel, version, Outputs::Kept);
    let disposition = format!("attachment; filename=\"{}.{}\"", kernel.slug, kernel.extension());
    Ok(Reply::new(200, "application/octet-stream", text).with("Content-Disposition", &disposition))
}

/// All outputs of a version: only for people who are logged in.
fn outputs(shared: &Shared, request: &Request, id: &str) -> Result<Reply, Refusal> {
    let (_, version) = run(shared, id)?;
    if request.cookie("ka_sessionid") != Some(&shared.site.credentials.session) {
        return Ok(login_wall(request));
    }
    Ok(Reply::redirect(&format!("/_storage/output/{}/submission.csv?X-Expires=600", version.run_id)))
}

/// Files behind signed addresses. The data is a stand-in: the bundled competitions' real files are made by their own scripts.
fn storage(shared: &Shared, request: &Request, parts: &[&str]) -> Result<Reply, Refusal> {
    if request.query("X-Expires").is_none() {
        return Err(Refusal::new(403, "The address is not signed"));
    }
    match parts {
        ["output", id, "submission.csv"] => run(shared, id).map(|_| ())?,
        ["competitions", slug, _] => shared.site.competition(slug).map(|_| ()).ok_or_else(Refusal::not_found)?,
        _ => return Err(Refusal::not_found()),
    }
    Ok(Reply::new(200, "text/csv", "id,target\n1,0\n"))
}

/// Both scores of a version, for the page's own script alone: how the real page gets the second one is not known.
fn scores(shared: &Shared, request: &Request) -> Result<Reply, Refusal> {
    let (kernel, version) = run(shared, request.query("scriptVersionId").unwrap_or_default())?;
    let competition = shared.site.competition_of(kernel);
    let private = version.score.filter(|_| competition.is_over(FakeWorld::now()));
    Ok(Reply::json(
        200,
        &json!({
            "public": version.score.map(|score| competition.scale.display(score.public)),
            "private": private.map(|score| competition.scale.display(score.private)),
        }),
    ))
}

#[cfg(test)]
mod tests;
