//! The pages: what the server sends, and what a browser makes of it.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::faults::{Fault, FaultRule};
use crate::server::FakeKaggle;
use crate::source::{Outputs, source};
use crate::testing::{client, plain, server};
use crate::world::{Accelerator, FakeKernel, FakeKernelKind, FakeOutcome, FakeWorld, Visibility};

fn public(server: &FakeKaggle, test: impl Fn(&FakeKernel) -> bool) -> (FakeKernel, String) {
    let mut kernels = server.world().kernels();
    let found = kernels.find(|kernel| kernel.visibility == Visibility::Public && test(kernel)).unwrap();
    let path = format!("/code/{}", found.reference(server.world()));
    (found, path)
}

fn chromium() -> PathBuf {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|path| path.exists()));
    found.expect("the pages are tested in Chromium, which is missing: install it with `apt-get install chromium`")
}

/// The document after its scripts have run.
fn browsed(server: &FakeKaggle, path: &str) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(chromium())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-proxy-server", "--disable-dev-shm-usage"])
        .args(["--virtual-time-budget=8000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("{}{path}", server.url()))
        .env("TZ", "UTC")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The document as text alone, tags and all runs of blanks as one blank.
fn text(document: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for character in document.chars() {
        is_tag = character == '<' || is_tag && character != '>';
        text.push(if is_tag || character == '>' { ' ' } else { character });
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_page_is_almost_empty_and_brings_cookies() {
    let server = server();
    let (kernel, path) = public(&server, |kernel| kernel.title.contains("<script>"));
    let response = client().get(format!("{}{path}", server.url())).send().unwrap();
    let cookies: Vec<String> =
        response.headers().get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned()).collect();
    for name in ["CSRF-TOKEN=", "XSRF-TOKEN=", "ka_sessionid="] {
        assert!(cookies.iter().any(|cookie| cookie.starts_with(name)), "{cookies:?}");
    }
    let page = response.text().unwrap();
    assert!(page.contains("&lt;script&gt;") && !page.contains(&kernel.title) && !page.contains("Runtime"));
    let again = client().get(format!("{}{path}", server.url())).header("Cookie", "XSRF-TOKEN=a").send().unwrap();
    assert!(again.headers().get("set-cookie").is_none());
}

#[test]
fn old_addresses_lead_to_new_ones_and_hidden_notebooks_to_nothing() {
    let server = server();
    let (kernel, path) = public(&server, |kernel| kernel.versions.len() > 1);
    let run = kernel.versions[0].run_id;
    let to = |from: &str| plain(&server, from).1;
    assert_eq!(to(&format!("/kernels/{}", kernel.id)), path);
    assert_eq!(
        to(&format!("{}?scriptVersionId={run}", path.trim_start_matches("/code"))),
        format!("{path}?scriptVersionId={run}")
    );
    assert_eq!(to(&format!("{path}/versions/1")), format!("{path}?scriptVersionId={run}"));
    assert_eq!(to("/c/iris-species/kernels"), "/competitions/iris-species/code");
    let world = server.world();
    let hidden = world.kernels().find(|kernel| kernel.visibility != Visibility::Public).unwrap();
    for path in [format!("/code/{}", hidden.reference(world)), format!("{path}?scriptVersionId=5"), "/nothing".into()] {
        assert_eq!(plain(&server, &path).0, 404, "{path}");
    }
}

#[test]
fn a_version_is_downloaded_with_outputs_and_without_a_session() {
    let server = server();
    let (kernel, _) = public(&server, |kernel| kernel.kind == FakeKernelKind::Notebook && !kernel.is_empty);
    let version = &kernel.versions[0];
    let path = format!("/kernels/scriptcontent/{}/download", version.run_id);
    let response = client().get(format!("{}{path}", server.url())).send().unwrap();
    let name = response.headers()["content-disposition"].to_str().unwrap().to_owned();
    assert!(name.contains(&format!("{}.{}", kernel.slug, kernel.extension())));
    assert_eq!(response.text().unwrap(), source(server.world(), &kernel, version, Outputs::Kept));
    assert_eq!(plain(&server, "/kernels/scriptcontent/7/download").0, 404);
    let hidden = server.world().kernels().find(|kernel| kernel.visibility == Visibility::Private).unwrap();
    assert_eq!(plain(&server, &format!("/kernels/scriptcontent/{}/download", hidden.versions[0].run_id)).0, 403);
}

#[test]
fn outputs_and_the_editor_are_behind_the_sign_in() {
    let server = server();
    let bound = |kernel: &FakeKernel| !server.world().competitions()[kernel.competition as usize].rules_accepted;
    let (kernel, path) = public(&server, bound);
    let session = format!("ka_sessionid={}", server.credentials().session);
    for path in [format!("{path}/output"), format!("{path}/edit"), format!("/code/svzip/{}", kernel.versions[0].run_id)]
    {
        let (status, location, _) = plain(&server, &path);
        assert!(status == 302 && location.starts_with("/account/login"), "{path}");
        let request = client().get(format!("{}{path}", server.url())).header("Cookie", &session);
        let response = request.send().unwrap();
        let location = response.headers().get("location").map(|value| value.to_str().unwrap().to_owned());
        assert!(!location.unwrap_or_default().contains("login"), "{path}");
    }
    let (_, open) = public(&server, |kernel| !bound(kernel));
    assert_eq!(plain(&server, &format!("{open}/output")).0, 200);
}

#[test]
fn old_pages_carry_their_state() {
    let server = server();
    server.add_rule(FaultRule::always("/code/", Fault::EmbeddedState));
    let (kernel, path) = public(&server, |kernel| {
        kernel.title.contains("<script>") && kernel.versions.iter().any(|version| version.score.is_some())
    });
    let version = kernel.versions.iter().find(|version| version.score.is_some()).unwrap();
    let (_, _, page) = plain(&server, &format!("{path}?scriptVersionId={}", version.run_id));
    let (_, rest) = page.split_once("Kaggle.State.push(").unwrap();
    let (state, _) = rest.split_once(");performance").unwrap();
    assert!(!state.contains('<'));
    let state: Value = serde_json::from_str(state).unwrap();
    assert_eq!(state["kernel"]["title"].as_str(), Some(kernel.title.as_str()));
    assert_eq!(state["kernelRun"]["id"].as_u64(), Some(version.run_id));
    assert!(state["kernelBlob"]["source"].is_string() && state["submission"]["publicScore"].is_string());
    assert_eq!(state["versions"][0]["versionNumber"].as_u64(), Some(u64::from(kernel.latest().number)));
}

#[test]
fn a_browser_builds_the_viewer_with_the_marks_of_the_facts() {
    let server = server();
    let (kernel, path) = public(&server, |kernel| {
        let committed = kernel.committed();
        kernel.title.contains("<script>")
            && kernel.parent.is_some()
            && committed.outcome == FakeOutcome::Complete
            && committed.score.is_some()
            && kernel.versions.iter().any(|version| version.outcome == FakeOutcome::Error)
    });
    let competition = &server.world().competitions()[kernel.competition as usize];
    let version = kernel.committed();
    // Opening the version list is what the page does by itself on this tab.
    let document = browsed(&server, &format!("{path}/versions?scriptVersionId={}", version.run_id));
    let shown = text(&document);
    assert!(document.contains("&lt;script&gt;window.__executed"), "{document}");
    assert!(!document.contains("<title>owned"), "the title was executed");
    for mark in ["Runtime", "Language", "Tags", "Best Score", "Public Score", "Copied from", "Failed"] {
        assert!(shown.contains(mark), "{mark} is missing: {shown}");
    }
    let score = version.score.unwrap();
    assert!(shown.contains(&format!("Public Score {}", competition.scale.display(score.public))));
    let private = format!("Private Score {}", competition.scale.display(score.private));
    assert_eq!(shown.contains(&private), competition.is_over(FakeWorld::now()));
    assert!(shown.contains(&format!("Version {} of {}", version.number, kernel.versions.len())));
    assert!(document.contains("GMT+0000 (Coordinated Universal Time)") && document.contains(" ago\""));
    let links =
        kernel.versions.iter().filter(|one| document.contains(&format!("{path}?scriptVersionId={}\"", one.run_id)));
    assert_eq!(links.count(), kernel.versions.len());
}

#[test]
fn a_browser_shows_lists_run_times_and_inputs() {
    let server = server();
    let document = browsed(&server, "/competitions/iris-species/code?sortBy=scoreDescending");
    let shown = text(&document);
    assert_eq!(document.matches("<li").count(), 20, "{document}");
    assert!(shown.contains("Score: ") && shown.contains("comments · Iris Species") && shown.contains("Updated "));
    assert!(document.contains("aria-label=\"Go to next page\"") && document.contains("id=\"results\""));
    let (kernel, path) = public(&server, |kernel| {
        let committed = kernel.committed();
        committed.accelerator == Accelerator::P100
            && !committed.sources.datasets.is_empty()
            && committed.run_seconds.is_some_and(|seconds| (61.0..3_600.0).contains(&seconds))
    });
    let version = kernel.committed();
    let whole = version.run_seconds.unwrap() as u64;
    let shown = text(&browsed(&server, &format!("{path}/input")));
    assert!(shown.contains(&format!("Runtime {}m {}s · GPU P100", whole / 60, whole % 60)), "{shown}");
    let dataset = server.world().dataset(version.sources.datasets[0]);
    assert!(shown.contains("Input (12.3 MB)") && shown.contains(&text(&dataset.title)), "{shown}");
}

#[test]
fn a_browser_finds_no_known_mark_in_the_changed_layout_and_an_overlay_over_all() {
    let server = server();
    server.add_rule(FaultRule::always("", Fault::ChangedLayout));
    server.add_rule(FaultRule::always("/code/", Fault::Overlay));
    let (kernel, path) = public(&server, |kernel| kernel.parent.is_some() && kernel.committed().score.is_some());
    let document = browsed(&server, &path);
    let shown = text(&document);
    assert!(shown.contains("Execution time") && shown.contains("Remix of"), "{shown}");
    for mark in ["Runtime", "Public Score", "Copied from"] {
        assert!(!shown.contains(mark), "{mark}");
    }
    assert!(!shown.contains(&format!("Version {} of", kernel.committed().number)));
    assert!(document.contains("role=\"dialog\"") && shown.contains("Kaggle uses cookies"));
}

#[test]
fn a_browser_draws_old_pages_from_their_state() {
    let server = server();
    server.add_rule(FaultRule::always("/code/", Fault::EmbeddedState));
    let (kernel, path) = public(&server, |kernel| kernel.committed().outcome == FakeOutcome::Complete);
    let document = browsed(&server, &format!("{path}/versions"));
    assert!(document.contains("VersionsPaneContent_IdeVersionsTable"), "{document}");
    let seconds = kernel.committed().run_seconds.unwrap();
    assert!(text(&document).contains(&format!("Run {seconds:.1}s")));
}
