//! The internal service: who is let in, and the shapes of its answers.

use serde_json::json;

use crate::faults::{Fault, FaultRule};
use crate::server::FakeKaggle;
use crate::testing::{client, internal, json as parsed, server};
use crate::world::{FakeKernel, FakeOutcome, FakeWorld, Visibility};

fn public(server: &FakeKaggle, test: impl Fn(&FakeKernel) -> bool) -> FakeKernel {
    let mut kernels = server.world().kernels();
    kernels.find(|kernel| kernel.visibility == Visibility::Public && test(kernel)).unwrap()
}

const VERSIONS: &str = "kernels.KernelsService/ListKernelVersions";
const VIEW_MODEL: &str = "kernels.LegacyKernelsService/GetKernelViewModel";

#[test]
fn the_anti_forgery_token_is_asked_for() {
    let server = server();
    let url = format!("{}/api/i/{VERSIONS}", server.url());
    let body = json!({"kernelId": public(&server, |_| true).id}).to_string();
    let post = || client().post(&url).body(body.clone());
    let refused = [
        post(),
        post().header("Cookie", "XSRF-TOKEN=a"),
        post().header("Cookie", "XSRF-TOKEN=a").header("X-XSRF-TOKEN", "b"),
        post().header("X-XSRF-TOKEN", "b"),
    ];
    for request in refused {
        let (status, answer) = parsed(request.send().unwrap());
        assert_eq!((status, &answer["wasSuccessful"], &answer["error"]["code"]), (403, &json!(false), &json!(7)));
    }
    assert_eq!(post().bearer_auth(&server.credentials().token).send().unwrap().status(), 200);
    let get = client().get(format!("{url}?kernelId={}", public(&server, |_| true).id));
    assert_eq!(get.send().unwrap().status(), 200);
    assert_eq!(internal(&server, VERSIONS, &json!({"kernelId": 1})).0, 404);
}

#[test]
fn the_version_history_is_newest_first_and_ends_with_the_parent() {
    let server = server();
    let kernel = public(&server, |kernel| kernel.parent.is_some() && kernel.versions.len() > 2);
    let body = json!({"kernelId": kernel.id, "sortOption": "VERSION_ID", "pageSize": 1000});
    let (status, answer) = internal(&server, VERSIONS, &body);
    let items = answer["items"].as_array().unwrap();
    assert_eq!((status, items.len()), (200, kernel.versions.len() + 1));
    for (item, version) in items.iter().zip(kernel.versions.iter().rev()) {
        assert_eq!(item["version"]["versionNumber"], json!(version.number));
        assert_eq!((&item["version"]["id"], &item["run"]["id"]), (&json!(version.version_id), &json!(version.run_id)));
        assert_eq!(item["run"]["runInfo"]["runTimeSeconds"].as_f64(), version.run_seconds);
        assert!(item["viewerUrl"].as_str().unwrap().ends_with(&format!("?scriptVersionId={}", version.run_id)));
        assert!(item.get("isForkParent").is_none());
    }
    let last = items.last().unwrap();
    let parent = server.world().kernel(kernel.parent.unwrap().kernel);
    assert_eq!((&last["isForkParent"], &last["run"]["kernelId"]), (&json!(true), &json!(parent.id)));
}

#[test]
fn a_view_model_tells_score_state_and_data_of_each_version() {
    let server = server();
    let world: &FakeWorld = server.world();
    for kernel in world.kernels().filter(|kernel| kernel.visibility == Visibility::Public).take(25) {
        let user = world.user(kernel.author).user_name;
        let competition = &world.competitions()[kernel.competition as usize];
        for version in &kernel.versions {
            let body = json!({"authorUserName": user, "kernelSlug": kernel.slug, "kernelVersionId": 0,
                              "versionNumber": version.number, "tab": "notebook"});
            let (status, model) = internal(&server, VIEW_MODEL, &body);
            assert_eq!(status, 200);
            let is_over = competition.is_over(FakeWorld::now());
            let shown = version.score.map(|score| if is_over { score.private } else { score.public });
            let shown = shown.map(|score| competition.scale.display(score));
            assert_eq!(model["submission"]["scoreFormatted"].as_str(), shown.as_deref());
            let expected = match version.outcome {
                FakeOutcome::Complete => "COMPLETE",
                FakeOutcome::Error => "ERROR",
                FakeOutcome::Cancelled => "CANCEL_ACKNOWLEDGED",
                FakeOutcome::Running => "RUNNING",
            };
            assert_eq!(model["kernelRun"]["status"], expected);
            let sources = &version.sources;
            let count =
                sources.competitions.len() + sources.datasets.len() + sources.kernels.len() + sources.models.len();
            assert_eq!(model["dataSources"].as_array().map_or(0, Vec::len), count);
        }
    }
}

#[test]
fn lists_have_items_of_the_facts_and_the_number_of_all() {
    let server = server();
    let ask = |page: u64| {
        let request = json!({"competitionId": 3000, "sortBy": "HOTNESS", "pageSize": 20, "page": page});
        let body = json!({"kernelFilterCriteria": {"search": "", "listRequest": request}});
        internal(&server, "kernels.KernelsService/ListKernels", &body).1
    };
    let (first, second) = (ask(1), ask(2));
    let total = first["totalCount"].as_u64().unwrap();
    assert!(total > 20 && first["kernels"].as_array().unwrap().len() == 20);
    assert_ne!(first["kernels"][0]["id"], second["kernels"][0]["id"]);
    let item = &first["kernels"][0];
    assert!(item["scriptUrl"].as_str().unwrap().starts_with("/code/"));
    assert!(item["author"]["userName"].is_string() && item["scriptVersionId"].is_u64());
    let sources = &item["dataSources"][0];
    assert!(sources["reference"]["sourceId"].is_u64() && sources["reference"].get("sourceType").is_none());
    let behaviour = json!({"deletedAccessBehavior": "RETURN_NOTHING"});
    let listed = json!({"listRequest": {"competitionId": 3000}});
    let public = json!({"kernelFilterCriteria": listed, "detailFilterCriteria": behaviour});
    let (_, fewer) = internal(&server, "kernels.KernelsService/ListKernelIds", &public);
    assert!((fewer["kernelIds"].as_array().unwrap().len() as u64) < total);
    let body = json!({"kernelFilterCriteria": listed});
    let (_, ids) = internal(&server, "kernels.KernelsService/ListKernelIds", &body);
    assert_eq!(ids["kernelIds"].as_array().unwrap().len() as u64, total);
}

#[test]
fn single_runs_and_competitions_are_found() {
    let server = server();
    let kernel = public(&server, |kernel| kernel.latest().outcome == FakeOutcome::Complete);
    let reference = kernel.reference(server.world());
    let run = kernel.latest().run_id;
    let ask = |method: &str, body| internal(&server, method, &body);
    let url = format!("https://x/code/{reference}?scriptVersionId=1");
    let (_, id) = ask("kernels.KernelsService/GetKernelIdByUrl", json!({"url": url}));
    assert_eq!(id["kernelId"], json!(kernel.id));
    assert_eq!(ask("kernels.KernelsService/GetKernel", json!({"kernelId": kernel.id})).1["slug"], json!(kernel.slug));
    assert_eq!(ask("kernels.KernelsService/GetKernelVersion", json!({"kernelSessionId": run})).0, 403);
    let session = json!({"kernelSessionId": run, "includeOutputIfAvailable": true});
    let (_, source) = ask("kernels.KernelsService/GetKernelSessionSource", session);
    assert!(source["fileName"].as_str().unwrap().starts_with(&kernel.slug));
    for method in ["GetKernelSessionLog", "GetKernelSessionDataSources"] {
        assert_eq!(ask(&format!("kernels.KernelsService/{method}"), json!({"sessionId": run.to_string()})).0, 200);
    }
    let name = json!({"competitionName": "iris-species"});
    let (_, competition) = ask("competitions.CompetitionService/GetCompetition", name);
    let (_, board) = ask("competitions.LeaderboardService/GetLeaderboard", json!({"competitionId": competition["id"]}));
    assert!(board["publicLeaderboard"][0]["displayScore"].is_string() && board["teams"][0]["teamName"].is_string());
}

#[test]
fn the_changed_layout_has_other_names() {
    let server = server();
    let body = json!({"kernelId": public(&server, |_| true).id});
    server.add_rule(FaultRule::always("/api/i/", Fault::ChangedLayout));
    let (_, answer) = internal(&server, VERSIONS, &body);
    assert!(answer.get("items").is_none() && answer["versionItems"][0]["execution"]["id"].is_u64());
}
