//! The shapes of the API's answers against what is known of Kaggle's (see the crate's head), over real HTTP.

use serde_json::{Value, json};

use crate::server::FakeKaggle;
use crate::settings::{FakeServerSettings, VersionLabels};
use crate::testing::{client, json as parsed, legacy, modern, server, signed};
use crate::world::{FakeKernel, FakeKernelKind, FakeLanguage, Visibility};

fn kernel(server: &FakeKaggle, test: impl Fn(&FakeKernel) -> bool) -> (FakeKernel, String) {
    let found = server.world().kernels().find(|kernel| test(kernel)).unwrap();
    let reference = found.reference(server.world());
    (found, reference)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn both_kinds_of_credentials_are_let_in_and_others_are_not() {
    let server = server();
    let held = server.credentials().clone();
    let url = format!("{}/api/v1/competitions/list", server.url());
    assert_eq!(legacy(&server, "/api/v1/competitions/list").0, 200);
    assert_eq!(client().get(&url).bearer_auth(&held.token).send().unwrap().status(), 200);
    let refused = [
        client().get(&url),
        client().get(&url).basic_auth(&held.username, Some("wrong")),
        client().get(&url).bearer_auth(&held.key),
    ];
    for request in refused {
        assert_eq!(parsed(request.send().unwrap()), (401, json!({"code": 401, "message": "Unauthorized"})));
    }
    let method = format!("{}/v1/kernels.KernelsApiService/ListKernels", server.url());
    let (status, body) = parsed(client().post(method).send().unwrap());
    assert_eq!((status, &body["error"]["status"]), (401, &json!("UNAUTHENTICATED")));
    let token = json!({"token": held.token});
    let (status, body) = modern(&server, "security.OAuthService/IntrospectToken", &token);
    assert_eq!((status, body), (200, json!({"active": true, "username": held.username})));
}

#[test]
fn old_lists_have_every_field_and_most_are_empty() {
    let server = server();
    let (status, list) = legacy(&server, "/api/v1/kernels/list?competition=iris-species&pageSize=3&page=1");
    let items = list.as_array().unwrap();
    assert_eq!((status, items.len()), (200, 3));
    let first = &items[0];
    let (_, reference) = kernel(&server, |kernel| json!(kernel.id) == first["id"]);
    assert_eq!(first["ref"], json!(reference));
    assert!(first["lastRunTime"].as_str().unwrap().ends_with('Z'));
    assert_eq!((&first["language"], &first["competitionDataSources"]), (&json!(""), &json!([])));
    let expected = [
        "author",
        "categoryIds",
        "competitionDataSources",
        "currentVersionNumber",
        "datasetDataSources",
        "enableGpu",
        "enableInternet",
        "enableTpu",
        "id",
        "isPrivate",
        "kernelDataSources",
        "kernelType",
        "language",
        "lastRunTime",
        "modelDataSources",
        "ref",
        "slug",
        "title",
        "totalVotes",
    ];
    let mut found = keys(first);
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn new_lists_leave_out_defaults_and_go_on_by_token() {
    let server = server();
    let ask = |token: &str| {
        let body = json!({"competition": "iris-species", "pageSize": 5, "sortBy": "DATE_CREATED", "pageToken": token});
        let (status, answer) = modern(&server, "kernels.KernelsApiService/ListKernels", &body);
        assert_eq!(status, 200);
        answer
    };
    let (mut token, mut seen) = (String::new(), Vec::new());
    loop {
        let answer = ask(&token);
        for item in answer["kernels"].as_array().unwrap() {
            assert!(item.get("language").is_none() && item.get("isPrivate").is_none());
            seen.push(item["id"].as_u64().unwrap());
        }
        match answer.get("nextPageToken") {
            Some(next) => token = next.as_str().unwrap().to_owned(),
            None => break,
        }
    }
    let expected = server
        .world()
        .kernels()
        .filter(|kernel| kernel.visibility != Visibility::Private && kernel.latest().sources.competitions.contains(&0));
    let mut expected: Vec<u64> = expected.map(|kernel| kernel.id).collect();
    seen.sort_unstable();
    expected.sort_unstable();
    assert_eq!(seen, expected);
    let (_, with_token) = legacy(&server, "/api/v1/kernels/list?competition=iris-species&pageToken=CAI%3D");
    assert!(with_token["kernels"].is_array());
}

#[test]
fn dates_of_the_old_generation_have_fractions_of_any_length() {
    let server = server();
    let (_, list) = legacy(&server, "/api/v1/kernels/list?pageSize=100");
    let dates = list.as_array().unwrap().iter().map(|item| item["lastRunTime"].as_str().unwrap().len());
    let lengths: std::collections::BTreeSet<usize> = dates.collect();
    assert_eq!(
        lengths.into_iter().collect::<Vec<_>>(),
        ["2022-03-02T10:11:12.347Z".len(), "2022-03-02T10:11:12.3471234Z".len()]
    );
}

#[test]
fn lists_end_with_nothing_filter_and_are_capped() {
    let server = FakeKaggle::start(FakeServerSettings { listing_cap: 6, ..FakeServerSettings::default() }).unwrap();
    let count = |query: &str| {
        let (status, list) = legacy(&server, &format!("/api/v1/kernels/list?competition=iris-species&{query}"));
        assert_eq!(status, 200, "{list}");
        list.as_array().unwrap().len()
    };
    assert_eq!((count("pageSize=4&page=1"), count("pageSize=4&page=2"), count("pageSize=4&page=3")), (4, 2, 0));
    let all = |query: &str| {
        let (_, list) = legacy(&server, &format!("/api/v1/kernels/list?{query}"));
        list.as_array().unwrap().iter().map(|item| item["id"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    for id in all("language=r&kernelType=notebook") {
        let (found, _) = kernel(&server, |kernel| kernel.id == id);
        assert_eq!((found.language, found.kind), (FakeLanguage::R, FakeKernelKind::Notebook));
    }
    let own = all("group=profile");
    assert!(!own.is_empty() && own.iter().all(|id| kernel(&server, |kernel| kernel.id == *id).0.author == 0));
    let (status, body) = legacy(&server, "/api/v1/kernels/list?sortBy=beauty");
    assert_eq!((status, &body["code"]), (400, &json!(400)));
    assert_eq!(legacy(&server, "/api/v1/kernels/list?competition=nothing").0, 404);
}

#[test]
fn a_pull_gives_metadata_and_source_in_both_generations() {
    let server = server();
    let (found, reference) = kernel(&server, |kernel| {
        kernel.visibility == Visibility::Public
            && kernel.language == FakeLanguage::Python
            && kernel.kind == FakeKernelKind::Notebook
            && !kernel.committed().sources.datasets.is_empty()
            && !kernel.committed().sources.competitions.is_empty()
    });
    let (user, slug) = reference.split_once('/').unwrap();
    let (status, old) = legacy(&server, &format!("/api/v1/kernels/pull?userName={user}&kernelSlug={slug}"));
    assert_eq!((status, legacy(&server, &format!("/api/v1/kernels/pull/{reference}"))), (200, (200, old.clone())));
    assert_eq!(old["metadata"]["title"], json!(found.title));
    assert_eq!(old["metadata"]["currentVersionNumber"], json!(found.committed().number));
    let competition = &server.world().competitions()[found.competition as usize];
    assert_eq!(old["metadata"]["competitionDataSources"][0], json!(competition.slug));
    assert!(old["metadata"]["datasetDataSources"][0].as_str().unwrap().contains('/'));
    assert_eq!(old["blob"]["kernelType"], "notebook");
    let document: Value = serde_json::from_str(old["blob"]["source"].as_str().unwrap()).unwrap();
    assert!(document["nbformat"].is_u64());
    let body = json!({"userName": user, "kernelSlug": slug});
    let (_, new) = modern(&server, "kernels.KernelsApiService/GetKernel", &body);
    assert_eq!(new["blob"]["source"], old["blob"]["source"]);
    assert!(new["metadata"].get("isPrivate").is_none());
}

#[test]
fn what_cannot_be_seen_is_refused_in_the_words_of_the_facts() {
    let server = server();
    let pull = |reference: &str| legacy(&server, &format!("/api/v1/kernels/pull/{reference}"));
    let (_, private) = kernel(&server, |kernel| kernel.visibility == Visibility::Private && kernel.author != 0);
    assert_eq!(pull(&private), (403, json!({"code": 403, "message": "Permission 'kernels.get' was denied"})));
    let (_, gone) = kernel(&server, |kernel| kernel.visibility == Visibility::Deleted && kernel.index % 4 == 0);
    assert_eq!(pull(&gone), (404, json!({"code": 404, "message": "Not found"})));
    let (_, denied) = kernel(&server, |kernel| kernel.visibility == Visibility::Deleted && kernel.index % 4 != 0);
    assert_eq!(pull(&denied).0, 403);
    assert_eq!(pull("nobody/nothing").0, 404);
    let closed = server.world().competitions().iter().find(|one| !one.rules_accepted).unwrap();
    for path in ["data/list/{}", "data/download-all/{}", "{}/leaderboard/download"] {
        let (status, body) = legacy(&server, &format!("/api/v1/competitions/{}", path.replace("{}", &closed.slug)));
        let message = "You must accept this competition's rules before you'll be able to download files.";
        assert_eq!((status, body), (403, json!({"code": 403, "message": message})));
    }
}

#[test]
fn old_versions_come_by_label_as_the_settings_say() {
    let with = |version_labels| {
        FakeKaggle::start(FakeServerSettings { version_labels, ..FakeServerSettings::default() }).unwrap()
    };
    let server = with(VersionLabels::Served);
    let (found, reference) = kernel(&server, |kernel| {
        kernel.visibility == Visibility::Public
            && kernel.committed().number > 2
            && !kernel.is_empty
            && kernel.author != 0
    });
    let ask = |server: &FakeKaggle, label: &str| {
        legacy(server, &format!("/api/v1/kernels/pull/{reference}?versionLabel={label}"))
    };
    let (_, latest) = ask(&server, "");
    let (status, old) = ask(&server, "v1");
    assert_eq!(status, 200);
    assert_ne!(old["blob"]["source"], latest["blob"]["source"]);
    assert_eq!(ask(&server, &format!("v{}", found.committed().number)).1, latest);
    assert_eq!((ask(&server, "1").0, ask(&server, "v99").0), (404, 404));
    assert_eq!(ask(&with(VersionLabels::Ignored), "v1").1, latest);
    assert_eq!(ask(&with(VersionLabels::Denied), "v1").0, 403);
}

#[test]
fn competitions_are_listed_by_pages_and_described() {
    let server = server();
    let (_, list) = legacy(&server, "/api/v1/competitions/list");
    assert_eq!(list.as_array().unwrap().len(), 12);
    let (_, found) = legacy(&server, "/api/v1/competitions/list?search=iris");
    assert_eq!(found.as_array().unwrap().len(), 1);
    let (status, one) = legacy(&server, "/api/v1/competitions/get/iris-species");
    assert_eq!((status, &one["evaluationMetric"]), (200, &json!("Categorization Accuracy")));
    assert!(one["id"].is_u64() && one["tags"][0]["ref"].is_string() && one["userHasEntered"].is_boolean());
    let body = json!({"competitionName": "iris-species"});
    let (_, modern) = modern(&server, "competitions.CompetitionApiService/GetCompetition", &body);
    assert!(modern.get("awardsPoints").is_none() && modern["id"] == one["id"]);
    assert_eq!(legacy(&server, "/api/v1/competitions/get/nothing").0, 404);
}

#[test]
fn a_leaderboard_is_viewed_by_pages_and_downloaded_whole() {
    let server = server();
    let (_, first) = legacy(&server, "/api/v1/competitions/iris-species/leaderboard/view");
    let rows = first["submissions"].as_array().unwrap();
    assert!(rows[0]["score"].is_string() && rows[0]["teamId"].is_u64());
    let standings = server.world().leaderboard(0);
    assert!(standings.is_sorted_by(|a, b| a.score >= b.score) && standings.len() > 8);
    let response = signed(&server, "/api/v1/competitions/iris-species/leaderboard/download").send().unwrap();
    let bytes = response.bytes().unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut reader = csv::Reader::from_reader(archive.by_index(0).unwrap());
    let header = reader.headers().unwrap().iter().collect::<Vec<_>>().join(",");
    assert_eq!(header, "Rank,TeamId,TeamName,LastSubmissionDate,Score,SubmissionCount,TeamMemberUserNames");
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), standings.len());
    assert_eq!(records[0][2], standings[0].team_name);
}

#[test]
fn states_outputs_and_files_of_runs_are_told() {
    let server = server();
    let (_, own) = kernel(&server, |kernel| kernel.author == 0 && kernel.visibility == Visibility::Public);
    let (_, other) = kernel(&server, |kernel| kernel.author != 0 && kernel.visibility == Visibility::Public);
    let ask = |what: &str, reference: &str| {
        let (user, slug) = reference.split_once('/').unwrap();
        legacy(&server, &format!("/api/v1/kernels/{what}?userName={user}&kernelSlug={slug}"))
    };
    assert!(ask("status", &own).1["status"].is_string());
    assert_eq!(ask("status", &other).0, 403);
    let (_, output) = ask("output", &other);
    let log: Value = serde_json::from_str(output["log"].as_str().unwrap()).unwrap();
    assert_eq!(log[0]["stream_name"], "stdout");
    assert!(ask("files", &other).1["files"].is_array());
    let slug = server.world().competitions()[0].slug.clone();
    let (status, mine) = legacy(&server, &format!("/api/v1/competitions/submissions/list/{slug}"));
    assert!(status == 200 && mine.is_array());
    let response = signed(&server, &format!("/api/v1/competitions/data/download/{slug}/train.csv")).send().unwrap();
    let location = response.headers()["location"].to_str().unwrap().to_owned();
    assert!(response.status() == 302 && location.contains("X-Expires"));
    assert_eq!(crate::testing::plain(&server, &location).0, 200);
    assert_eq!(crate::testing::plain(&server, location.split('?').next().unwrap()).0, 403);
}

#[test]
fn unknown_addresses_methods_and_bodies_are_refused() {
    let server = server();
    assert_eq!(legacy(&server, "/api/v1/kernels/paint").0, 404);
    assert_eq!(modern(&server, "kernels.KernelsApiService/Paint", &json!({})).0, 404);
    let url = format!("{}/v1/kernels.KernelsApiService/ListKernels", server.url());
    let token = &server.credentials().token;
    assert_eq!(parsed(client().post(&url).bearer_auth(token).body("{").send().unwrap()).0, 400);
    assert_eq!(parsed(client().get(&url).bearer_auth(token).send().unwrap()).0, 400);
}
