//! Whole runs: what they tell, that they resume, that they replay, and that being killed changes nothing.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::api::{Api, ApiError, ApiEvent, ApiPlan, ApiSummary, Endpoint, Generation, Versions, Wanted};
use crate::budget::{Budget, Clock, Manners};
use crate::raw::{JournalEntry, RawStore, TakeDown, TakeDownEntry};
use crate::records::{MinedRecord, NotebookKey, NotebookName, Slug};
use crate::secret::{Access, Credentials, Secret};
use crate::testing::{KEY, Manner, Reply, Request, Scene, hasty, quick};

const COUNT: usize = 30;

/// A competition with thirty notebooks, five a page; number 7 is gone.
fn kaggle(request: &Request) -> Reply {
    let path = request.path.split('?').next().unwrap();
    match path {
        "/api/v1/competitions/get/titanic" => Reply::json(json!({"id": 1, "ref": "titanic", "title": "Titanic"})),
        "/api/v1/kernels/list" => {
            let start = (request.parameter("page").unwrap().parse::<usize>().unwrap() - 1) * 5;
            let entry = |number| json!({"id": number + 1, "ref": format!("ada/n{number:02}"), "title": format!("<i>{number}</i>")});
            Reply::json(serde_json::Value::Array((start..COUNT.min(start + 5)).map(entry).collect()))
        }
        "/api/v1/kernels/pull" => match request.parameter("kernelSlug").as_deref() {
            Some("n07") => Reply::status(403, json!({"code": 403, "message": "Forbidden"})),
            Some(slug) => Reply::json(json!({
                "metadata": {"id": 5, "ref": format!("ada/{slug}"), "currentVersionNumber": 2},
                "blob": {"source": format!("print('{slug}')")}
            })),
            None => Reply::status(400, "{}"),
        },
        _ => Reply::status(404, "{}"),
    }
}

fn plan() -> ApiPlan {
    ApiPlan { competitions: vec![Slug::new("titanic").unwrap()], ..ApiPlan::default() }
}

/// The records of a run, each as JSON.
fn records(api: &Api, plan: &ApiPlan) -> Result<(BTreeSet<String>, ApiSummary, Vec<String>), ApiError> {
    let (mut records, mut troubles) = (BTreeSet::new(), Vec::new());
    let summary = api.mine(plan, &mut |event| {
        match event {
            ApiEvent::Record(record) => {
                records.insert(serde_json::to_string(&record).unwrap());
            }
            ApiEvent::Trouble(trouble) => troubles.push(format!("{}: {}", trouble.item, trouble.error)),
            ApiEvent::Listed(_) | ApiEvent::Progress(_) => {}
        }
        ControlFlow::Continue(())
    })?;
    Ok((records, summary, troubles))
}

#[test]
fn a_run_tells_everything_and_asks_nothing_twice() {
    let scene = Scene::new(|request, _| kaggle(request));
    let (first, summary, troubles) = records(&scene.api(), &plan()).unwrap();
    assert_eq!(first.len(), 1 + 2 * (COUNT - 1) + 1);
    assert!(summary.complete && !summary.stopped && summary.troubles == 1);
    assert!(troubles[0].starts_with("ada/n07: "), "{troubles:?}");
    // One competition, seven pages, thirty notebooks, and the refused one again.
    assert_eq!(scene.server.requests().len(), 1 + 7 + COUNT + 1);
    let (again, ..) = records(&scene.api(), &plan()).unwrap();
    assert_eq!(again, first);
    assert_eq!(scene.server.requests().len(), 1 + 7 + COUNT + 1);
}

#[test]
fn a_replay_tells_the_same_without_a_server() {
    let mut scene = Scene::new(|request, _| kaggle(request));
    let (first, ..) = records(&scene.api(), &plan()).unwrap();
    scene.settings.reuse_since = Some(jiff::Timestamp::MAX);
    let api = Api::offline(scene.store(), Generation::Legacy, scene.settings);
    let (replayed, summary, _) = records(&api, &plan()).unwrap();
    assert_eq!(replayed, first);
    assert!(summary.complete);
    let other = ApiPlan { competitions: vec![Slug::new("other").unwrap()], ..ApiPlan::default() };
    let (none, summary, troubles) = records(&api, &other).unwrap();
    assert!(none.is_empty() && !summary.complete && troubles[0].contains("no usable answer is kept"), "{troubles:?}");
}

#[test]
fn several_requests_at_once_tell_the_same() {
    let scene = Scene::new(|request, _| kaggle(request));
    let (one, ..) = records(&scene.api(), &plan()).unwrap();
    let mut scene = Scene::new(|request, _| kaggle(request));
    scene.manners.concurrency = 4;
    let (four, ..) = records(&scene.api(), &plan()).unwrap();
    assert_eq!(four, one);
}

#[test]
fn a_run_can_be_stopped_after_any_record() {
    let scene = Scene::new(|request, _| kaggle(request));
    let mut count = 0;
    let summary = scene.api().mine(&plan(), &mut |_| {
        count += 1;
        if count == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(summary.unwrap().stopped);
    assert!(scene.server.requests().len() < 15);
}

#[test]
fn bad_days_pass_without_a_trace() {
    let (expected, ..) = records(&Scene::new(|request, _| kaggle(request)).api(), &plan()).unwrap();
    let faults: [fn() -> Reply; 8] = [
        || Reply::status(500, "oops"),
        || Reply::status(429, "").header("retry-after: 0"),
        || Reply::json("[{\"ref\":\"ada/n"),
        || Reply::json("{\"metadata\":[],\"ref\":[]}"),
        || Reply::json("<html>login</html>"),
        || Reply::json("x").manner(Manner::Reset),
        || Reply::json("[    ]").manner(Manner::Cut(2)),
        || Reply::json(json!({"code": 503, "message": "busy"})),
    ];
    for fault in faults {
        let scene = Scene::new(move |request, before| if before % 3 == 1 { fault() } else { kaggle(request) });
        let (found, ..) = records(&scene.api(), &plan()).unwrap();
        assert!(found == expected, "{:?}", found.symmetric_difference(&expected).take(3).collect::<Vec<_>>());
    }
}

#[test]
fn a_spell_of_refusals_is_made_good_by_the_second_round() {
    let (expected, ..) = records(&Scene::new(|request, _| kaggle(request)).api(), &plan()).unwrap();
    let scene = Scene::new(|request, before| match before {
        10..20 => Reply::status(404, "{}"),
        _ => kaggle(request),
    });
    assert_eq!(records(&scene.api(), &plan()).unwrap().0, expected);
}

#[test]
fn a_server_that_is_broken_ends_the_run_soon() {
    let scene = Scene::new(|request, before| if before < 9 { kaggle(request) } else { Reply::json("[]") });
    let error = records(&scene.api(), &plan()).unwrap_err();
    assert!(matches!(error, ApiError::Shape { .. }), "{error}");
    // Five notebooks in a row, three tries each, and the one on its way meanwhile.
    assert!(scene.server.requests().len() <= 9 + 6 * 3);
    let scene = Scene::new(|_, _| Reply::status(401, "{}"));
    assert!(matches!(records(&scene.api(), &plan()), Err(ApiError::CredentialsWrong { .. })));
    assert_eq!(scene.server.requests().len(), 1);
}

#[test]
fn many_deleted_notebooks_are_no_lock_out_and_a_lock_out_ends_the_run() {
    let wanted = |number| Wanted { name: NotebookName::new(&format!("ada/n{number:03}")).unwrap(), version: None };
    let named = ApiPlan { notebooks: (0..130).map(wanted).collect(), ..ApiPlan::default() };
    let even = |request: &Request| request.path.ends_with(['0', '2', '4', '6', '8']);
    let forbidden = || Reply::status(403, json!({"code": 403, "message": "Forbidden"}));
    let scene = Scene::new(move |request, _| if even(request) { forbidden() } else { kaggle(request) });
    let (found, summary, _) = records(&scene.api(), &named).unwrap();
    assert_eq!((found.len(), summary.troubles), (2 * 65, 65));
    let (again, ..) = records(&scene.api(), &named).unwrap();
    assert_eq!((again, scene.server.requests().len()), (found, 130 + 65));
    let scene = Scene::new(move |_, _| forbidden());
    assert!(matches!(records(&scene.api(), &named), Err(ApiError::NotAvailable { .. })));
    assert!(scene.server.requests().len() <= 51);
}

#[test]
fn what_was_taken_down_is_neither_told_nor_fetched() {
    let scene = Scene::new(|request, _| kaggle(request));
    let (first, ..) = records(&scene.api(), &plan()).unwrap();
    let key: NotebookKey = "ada/n03".parse().unwrap();
    let entry = TakeDownEntry { notebook: Some(key), body: None, reason: None, asked: None };
    scene.store().take_down(&TakeDown::new(vec![entry])).unwrap();
    let before = scene.server.requests().len();
    let (after, ..) = records(&scene.api(), &plan()).unwrap();
    assert_eq!(scene.server.requests().len(), before);
    assert!(first.iter().any(|record| record.contains("n03")) && !after.iter().any(|record| record.contains("n03")));
    assert_eq!(after.len(), first.len() - 2);
    let mut scene = scene;
    scene.settings.reuse_since = Some(jiff::Timestamp::now());
    records(&scene.api(), &plan()).unwrap();
    assert!(scene.server.requests().len() > before);
    let store = scene.store();
    let bodies = store.journal().unwrap().into_iter().filter_map(|entry| match entry {
        JournalEntry::Exchange(exchange) => exchange.body.filter(|body| store.has(body)),
        JournalEntry::Holding(holding) => Some(holding.body).filter(|body| store.has(body)),
        JournalEntry::Removal(_) => None,
    });
    let texts: Vec<String> = bodies.map(|body| String::from_utf8(store.read(&body).unwrap()).unwrap()).collect();
    assert!(texts.len() > 30 && !texts.iter().any(|text| text.contains("ada/n03") || text.contains("'n03'")));
}

#[test]
fn notebooks_are_fetched_by_name_and_old_versions_by_number() {
    let wanted = |version| Wanted { name: NotebookName::new("ada/n01").unwrap(), version };
    let scene = Scene::new(|request, _| kaggle(request));
    let named =
        ApiPlan { notebooks: vec![wanted(None), wanted(Some(1))], versions: Versions::Every, ..ApiPlan::default() };
    let (found, _, troubles) = records(&scene.api(), &named).unwrap();
    assert_eq!(found.len(), 2);
    let current = ApiPlan { notebooks: vec![wanted(Some(2))], ..ApiPlan::default() };
    assert_eq!(records(&scene.api(), &current).unwrap().0, found);
    assert!(troubles.iter().all(|trouble| trouble.contains("only gives the current version")) && troubles.len() == 2);
    let scene = Scene::new(|request, _| {
        Reply::json(
            json!({"metadata": {"ref": "ada/n01", "currentVersionNumber": 3}, "blob": {"source": request.body}}),
        )
    });
    let (found, ..) = records(&scene.modern().api(), &ApiPlan { notebooks: vec![wanted(None)], ..named }).unwrap();
    let versions = |text: &&String| matches!(serde_json::from_str(text).unwrap(), MinedRecord::Version(_));
    assert_eq!(found.iter().filter(versions).count(), 3);
}

#[test]
fn a_new_round_asks_again_and_the_newest_answer_counts() {
    let votes = |request: &Request, before| {
        Reply::json(json!({"metadata": {"ref": "ada/n01", "totalVotes": before}, "blob": {"source": request.path}}))
    };
    let mut scene = Scene::new(votes);
    let named = ApiPlan {
        notebooks: vec![Wanted { name: NotebookName::new("ada/n01").unwrap(), version: None }],
        ..ApiPlan::default()
    };
    let (first, ..) = records(&scene.api(), &named).unwrap();
    scene.settings.reuse_since = Some(jiff::Timestamp::now());
    let (second, ..) = records(&scene.api(), &named).unwrap();
    assert_ne!(first, second);
    scene.settings.reuse_since = None;
    assert_eq!(records(&scene.api(), &named).unwrap().0, second);
    assert_eq!(scene.server.requests().len(), 2);
}

/// Where the child of the next test finds its folder and server.
const FOLDER: &str = "NBREVIVE_TEST_RUN";
const HOST: &str = "NBREVIVE_TEST_HOST";

fn child_api(folder: &std::path::Path, host: &str) -> Api {
    let endpoint = Endpoint::given(&format!("http://{host}/api/v1"), "a test").unwrap();
    let budget = Budget::open(&folder.join("budget"), Manners { rate: 150.0, ..hasty() }, Clock::System).unwrap();
    let access = Access::Key { username: "ada".into(), key: Secret::new(KEY) };
    let store = std::sync::Arc::new(RawStore::open(&folder.join("raw")).unwrap());
    Api::online(store, endpoint, &Credentials::given(access), budget, quick()).unwrap()
}

/// What the child of the next test does; without its variables it does nothing.
#[test]
fn other_process() {
    let (Some(folder), Ok(host)) = (std::env::var_os(FOLDER), std::env::var(HOST)) else { return };
    records(&child_api(std::path::Path::new(&folder), &host), &plan()).unwrap();
}

#[test]
fn being_killed_at_any_moment_changes_nothing() {
    let (expected, ..) = records(&Scene::new(|request, _| kaggle(request)).api(), &plan()).unwrap();
    let scene = Scene::new(|request, before| match before % 7 {
        3 => Reply::status(500, "oops"),
        5 => kaggle(request).manner(Manner::Cut(20)),
        _ => kaggle(request),
    });
    let mut killed = 0;
    for round in 0..20_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "api::tests::runs::other_process"])
            .env(FOLDER, scene.folder.path())
            .env(HOST, &scene.server.host)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(15 + (round * 37) % 70));
        killed += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert!(killed > 3, "only {killed} of 20 were still running when they were to be killed");
    let (found, _, troubles) = records(&child_api(scene.folder.path(), &scene.server.host), &plan()).unwrap();
    assert_eq!(found, expected);
    assert_eq!(troubles.len(), 1);
}
