//! What is asked and what is read, in both generations: answers in the shapes that the sources of the official client have.

use serde_json::json;

use crate::api::{ApiError, Endpoint, Generation, Search};
use crate::records::*;
use crate::testing::{KEY, Reply, Scene};

fn name() -> NotebookName {
    NotebookName::new("ada/first-try").unwrap()
}

fn pull() -> serde_json::Value {
    json!({
        "metadata": {"id": 10234567, "ref": "ada/first-try", "title": "First <b>try</b>", "author": "Ada L",
            "slug": "first-try", "lastRunTime": "2022-03-02T10:11:12.347Z", "language": "python",
            "kernelType": "notebook", "isPrivate": false, "enableGpu": false, "enableInternet": true,
            "categoryIds": ["tabular"], "datasetDataSources": ["eve/extra-data"], "kernelDataSources": [],
            "competitionDataSources": ["spaceship-titanic"], "modelDataSources": [], "totalVotes": 7,
            "currentVersionNumber": 5},
        "blob": {"source": "{\"cells\":[]}", "language": "python", "kernelType": "notebook", "slug": "first-try"}
    })
}

#[test]
fn a_pull_of_the_older_generation() {
    let scene = Scene::new(|_, _| Reply::json(pull()));
    let pulled = scene.api().notebook(&name(), None).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&pulled.version).unwrap(), @r#"
    {
      "notebook": "ada/first-try",
      "id": null,
      "number": 5,
      "revision": null,
      "title": "First <b>try</b>",
      "created": null,
      "evaluated": null,
      "language": "python",
      "kind": "notebook",
      "status": null,
      "public_score": null,
      "private_score": null,
      "run_seconds": null,
      "data_sources": [
        {
          "kind": "competition",
          "name": "spaceship-titanic"
        },
        {
          "kind": "dataset",
          "name": "eve/extra-data"
        }
      ],
      "image": null,
      "gpu": false,
      "internet": true,
      "copied_from": null,
      "votes": 7,
      "code": "c8239d49a61223b220167417c58e6672",
      "origin": {
        "source": "kaggle-api",
        "request": "GET kernels/pull?userName=ada&kernelSlug=first-try",
        "raw": "5c659a8d1ed15989ac1f5b8491caaf46"
      }
    }
    "#);
    let request = &scene.server.requests()[0];
    assert_eq!(request.path, "/api/v1/kernels/pull?userName=ada&kernelSlug=first-try");
    assert!(request.method == "GET" && request.authorization.starts_with("Basic "));
    assert_eq!(scene.store().read(&pulled.version.code.unwrap()).unwrap(), br#"{"cells":[]}"#);
    let error = scene.api().notebook(&name(), Some(3)).unwrap_err();
    assert!(matches!(error, ApiError::OldVersions { .. }));
}

#[test]
fn a_pull_of_the_newer_generation_leaves_defaults_out() {
    let answer =
        json!({"metadata": {"id": "12", "ref": "ada/first-try", "kernelType": "SCRIPT", "language": "R"}, "blob": {}});
    let scene = Scene::new(move |_, _| Reply::json(&answer)).modern();
    let pulled = scene.api().notebook(&name(), Some(3)).unwrap();
    let request = &scene.server.requests()[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/kernels.KernelsApiService/GetKernel"));
    assert_eq!(request.body, r#"{"kernelSlug":"first-try","userName":"ada","versionLabel":"v3"}"#);
    assert_eq!(request.authorization, format!("Bearer {KEY}"));
    let version = pulled.version;
    assert_eq!(
        (version.number, version.gpu, version.internet, version.votes),
        (Some(3), Some(false), Some(false), Some(0))
    );
    assert_eq!((version.language, version.kind), (Some(CodeLanguage::R), Some(CodeKind::Script)));
    assert_eq!((version.data_sources, version.image, version.evaluated), (Some(vec![]), None, None));
    assert_eq!(scene.store().read(&version.code.unwrap()).unwrap(), b"");
}

#[test]
fn what_the_older_generation_leaves_out_is_unknown() {
    let answer = json!({"metadata": {"ref": "ada/first-try"}, "blob": {"source": "x"}});
    let scene = Scene::new(move |_, _| Reply::json(&answer));
    let version = scene.api().notebook(&name(), None).unwrap().version;
    assert_eq!((version.gpu, version.data_sources, version.votes, version.number), (None, None, None, None));
}

#[test]
fn lists_are_arrays_or_objects_with_a_token() {
    let entry = |place: u64| json!({"id": place, "ref": format!("ada/n{place}"), "title": "T", "language": "", "lastRunTime": "2022-03-02T10:11:12.347Z"});
    let scene = Scene::new(move |request, _| match request.parameter("page").as_deref() {
        Some("1") => Reply::json(json!([entry(1), entry(2)])),
        Some("2") => Reply::json(json!({"kernels": [entry(3)], "nextPageToken": "abc="})),
        None => Reply::json(json!({"kernels": []})),
        _ => Reply::status(500, ""),
    });
    let listing = scene.api().notebooks(&Slug::new("titanic").unwrap(), &Search::default()).unwrap();
    let keys: Vec<String> = listing.notebooks.iter().map(|notebook| notebook.key.to_string()).collect();
    assert_eq!(keys, ["ada/n1", "ada/n2", "ada/n3"]);
    assert_eq!(listing.notebooks[0].language, None);
    assert!(listing.complete && listing.pages == 3);
    assert!(scene.server.paths()[2].ends_with("pageToken=abc%3D"), "{:?}", scene.server.paths());

    let scene = Scene::new(move |request, _| match request.body.contains("pageToken") {
        false => Reply::json(json!({"kernels": [entry(1)], "nextPageToken": "CAI="})),
        true => Reply::json(json!({})),
    });
    let scene = scene.modern();
    let listing = scene.api().notebooks(&Slug::new("titanic").unwrap(), &Search::default()).unwrap();
    assert_eq!((listing.notebooks.len(), listing.notebooks[0].votes), (1, Some(0)));
    let body = &scene.server.requests()[1].body;
    assert_eq!(
        body,
        r#"{"competition":"titanic","group":"EVERYONE","pageSize":100,"pageToken":"CAI=","sortBy":"DATE_CREATED"}"#
    );
}

#[test]
fn a_competition_and_the_list_of_all() {
    let titanic = json!({"id": 3136, "ref": "https://x.example/competitions/titanic", "title": "Titanic", "category": "Getting Started",
        "deadline": "2030-01-01T00:00:00Z", "kernelCount": 5, "teamCount": 9, "evaluationMetric": "Accuracy",
        "isKernelsSubmissionsOnly": false, "enabledDate": "2012-09-28T21:13:33.55Z"});
    let scene = Scene::new(move |request, _| match request.path.as_str() {
        "/api/v1/competitions/get/titanic" => Reply::json(&titanic),
        "/api/v1/competitions/list?page=1" => Reply::json(json!([&titanic, {"id": 4, "ref": "../../etc"}])),
        _ => Reply::json("[]"),
    });
    let record = scene.api().competition(&Slug::new("titanic").unwrap()).unwrap();
    assert_eq!(
        (record.metric.as_deref(), record.teams, record.notebooks_only),
        (Some("Accuracy"), Some(9), Some(false))
    );
    assert_eq!(record.origin.request, "GET competitions/get/titanic");
    let all = scene.api().competitions().unwrap();
    assert_eq!((all.competitions[0].slug.as_str(), all.refused.len()), ("titanic", 1));
}

#[test]
fn a_status_is_a_word_of_either_generation() {
    let scene = Scene::new(|_, _| Reply::json(r#"{"status":"cancelAcknowledged","failureMessage":""}"#));
    assert_eq!(scene.api().status(&name()).unwrap(), Some(RunStatus::Cancelled));
    let scene = Scene::new(|_, _| Reply::json(r#"{"status":"COMPLETE"}"#)).modern();
    assert_eq!(scene.api().status(&name()).unwrap(), Some(RunStatus::Complete));
}

#[test]
fn the_store_knows_which_generation_was_spoken() {
    let scene = Scene::new(|_, _| Reply::json(r#"{"status":"COMPLETE"}"#)).modern();
    assert_eq!(Generation::of_store(&scene.store()).unwrap(), None);
    scene.api().status(&name()).unwrap();
    assert_eq!(Generation::of_store(&scene.store()).unwrap(), Some(Generation::Modern));
    assert_eq!(Endpoint::official(Generation::Legacy).host(), "www.kaggle.com");
}
