use proptest::prelude::*;
use serde_json::json;

use super::super::snapshot::{PageCopy, ServiceAnswer};
use super::*;
use crate::raw::ContentHash;
use crate::records::MiningSource;

const VIEWER: &str = include_str!("samples/viewer.html");

fn origin() -> Origin {
    Origin { source: MiningSource::Browser, request: "x".into(), raw: ContentHash::of(b"") }
}

fn visit(pages: &[(KeptFor, &str)], answers: &[(&str, Value)]) -> Snapshot {
    let page = |(tab, html): &(KeptFor, &str)| PageCopy { tab: *tab, address: "/".into(), html: (*html).into() };
    let answer = |(method, body): &(&str, Value)| ServiceAnswer {
        method: (*method).into(),
        arguments: json!({}),
        body: body.clone(),
    };
    let mut snapshot = Snapshot::new();
    snapshot.pages = pages.iter().map(page).collect();
    snapshot.answers = answers.iter().map(answer).collect();
    snapshot
}

fn with<T>(snapshot: &Snapshot, read: impl FnOnce(&Reader<'_>) -> T) -> T {
    let selectors = Selectors::load(None).unwrap();
    let (name, origin) = (NotebookName::new("ada/first-try").unwrap(), origin());
    read(&Reader { selectors: &selectors, name: &name, snapshot, origin: &origin })
}

fn entry() -> Entry {
    Entry { id: 300_000_333, number: Some(3), status: Some(RunStatus::Complete) }
}

#[test]
fn the_state_and_the_marks_tell_the_same() {
    let model: Value = serde_json::from_str(include_str!("samples/view-model.json")).unwrap();
    let states = visit(&[(KeptFor::Notebook, VIEWER)], &[("kernels.LegacyKernelsService/GetKernelViewModel", model)]);
    let marks = visit(&[(KeptFor::Notebook, VIEWER), (KeptFor::Input, include_str!("samples/input.html"))], &[]);
    let (first, how) = with(&states, |reader| reader.version(&entry())).unwrap();
    assert_eq!((how, first.image.as_deref()), (FoundIn::State, Some("kaggle/python:v87")));
    let (second, how) = with(&marks, |reader| reader.version(&entry())).unwrap();
    assert_eq!(how, FoundIn::Marks);
    assert_eq!((first.public_score, first.private_score), (Some(0.77511), Some(0.76555)));
    assert_eq!(second.run_seconds, Some(123.0));
    let alike = VersionRecord {
        run_seconds: first.run_seconds,
        evaluated: first.evaluated,
        kind: first.kind,
        image: first.image.clone(),
        internet: first.internet,
        ..second
    };
    assert_eq!(first, alike);
}

#[test]
fn versions_are_listed_by_the_service_or_by_the_rows() {
    let list: Value = serde_json::from_str(include_str!("samples/version-list.json")).unwrap();
    let twice = [
        ("kernels.KernelsService/ListKernelVersions", list.clone()),
        ("kernels.KernelsService/ListKernelVersions", list),
    ];
    let page = with(&visit(&[(KeptFor::Notebook, VIEWER)], &twice), |reader| reader.notebook(9)).unwrap();
    assert_eq!(page.entries, [entry()]);
    assert_eq!(page.record.copied_from.unwrap().to_string(), "grace/first-steps");
    let rows = visit(&[(KeptFor::Notebook, VIEWER), (KeptFor::Versions, include_str!("samples/versions.html"))], &[]);
    let page = with(&rows, |reader| reader.notebook(9)).unwrap();
    let failed = Entry { id: 300_000_222, number: Some(2), status: Some(RunStatus::Error) };
    assert_eq!(page.entries, [entry(), failed]);
    assert_eq!(with(&rows, |reader| reader.notebook(1)).unwrap().entries.len(), 1);
}

#[test]
fn what_does_not_fit_names_its_selector() {
    let changed = VIEWER.replace("Language", "Written in");
    let fault = with(&visit(&[(KeptFor::Notebook, &changed)], &[]), |reader| reader.version(&entry())).unwrap_err();
    assert_eq!(fault, PageFault::mark("ready"));
    let fault = with(&visit(&[(KeptFor::Notebook, VIEWER)], &[]), |reader| reader.notebook(9)).unwrap_err();
    assert_eq!(fault, PageFault::mark("version_rows"));
    let other = Entry { number: Some(2), ..entry() };
    let fault = with(&visit(&[(KeptFor::Notebook, VIEWER)], &[]), |reader| reader.version(&other)).unwrap_err();
    assert_eq!(fault, PageFault::mark("shown_version"));
}

#[test]
fn texts_of_pages_are_read() {
    assert_eq!(seconds("1h 30m 20s"), Some(5420.0));
    assert_eq!(seconds("123.4s - GPU P100"), Some(123.4));
    assert_eq!((seconds("31s"), seconds("soon"), seconds("")), (Some(31.0), None, None));
    let text = "Wed Mar 02 2022 10:09:00 GMT+0000 (Coordinated Universal Time)";
    assert_eq!(date(text), "2022-03-02T10:09:00Z".parse().ok());
    assert_eq!(count("1,234 votes"), Some(1234));
    assert_eq!(notebook_in("https://x.example/code/a/b?scriptVersionId=1").unwrap().to_string(), "a/b");
    assert!(notebook_in("/code/../../etc/passwd").is_none() && notebook_in("/code/a").is_none());
    assert_eq!(
        (run_in("/code/a/b?scriptVersionId=7", "/code/a/b"), run_in("/code/c/d?scriptVersionId=7", "/code/a/b")),
        (Some(7), None)
    );
}

proptest! {
    #[test]
    fn no_page_and_no_text_does_harm(html in "(<(h2|p|li|a href='/code/x/../y\\?scriptVersionId=1'|script|span)>|Language|Version |\\PC){0,30}", text in "\\PC{0,30}|[0-9hms. ]{0,20}") {
        let snapshot = visit(&[(KeptFor::Notebook, &html), (KeptFor::Versions, &html), (KeptFor::Input, &html)], &[]);
        let _ = with(&snapshot, |reader| (reader.notebook(9), reader.version(&entry())));
        let _ = (seconds(&text), date(&text), count(&text), number_in(&text), notebook_in(&text), run_in(&text, "/code/a/b"), data_source(&text));
        let _ = Snapshot::parse(text.as_bytes());
    }
}
