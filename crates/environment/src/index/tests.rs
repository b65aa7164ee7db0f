//! The index against a loopback server that answers from a script.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;

const PROJECT: &str = r#"{"info":{"name":"x"},"releases":{"1.0":[{"filename":"x-1.0.tar.gz","upload_time_iso_8601":"2018-01-02T00:00:00Z"}]}}"#;

/// One scripted answer: status line, headers, body.
type Scripted = (&'static str, &'static str, &'static str);

/// Serves the answers in order, then closes; sends each request's first line and ETag back.
fn serve(answers: Vec<Scripted>) -> (IndexAddress, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = IndexAddress::given(&format!("http://{}/simple", listener.local_addr().unwrap()));
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let Ok((stream, _)) = listener.accept() else { return };
            answer_one(stream, answer, &sender);
        }
    });
    (address, receiver)
}

fn answer_one(mut stream: TcpStream, (status, headers, body): Scripted, sender: &Sender<String>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    let etag = lines
        .by_ref()
        .take_while(|line| !line.is_empty())
        .find(|line| line.to_lowercase().starts_with("if-none-match"));
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let _ = sender.send(format!("{path}{}", etag.map(|line| format!(" {line}")).unwrap_or_default()));
    let length =
        if headers.contains("content-length") { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    let _ = write!(stream, "HTTP/1.1 {status}\r\nconnection: close\r\n{length}{headers}\r\n{body}");
}

struct Scene {
    folder: tempfile::TempDir,
    requests: Receiver<String>,
    settings: IndexSettings,
}

impl Scene {
    fn new(answers: Vec<Scripted>) -> Self {
        let (address, requests) = serve(answers);
        let retry = RetryPolicy { attempts: 3, delay: Duration::from_millis(1), ..RetryPolicy::default() };
        let settings =
            IndexSettings { address: Some(address), retry, fresh_for: Duration::ZERO, ..IndexSettings::default() };
        Self { folder: tempfile::tempdir().unwrap(), requests, settings }
    }

    /// Asks with an empty memory, as another process would.
    fn ask(&self, name: &str) -> Result<Lookup, IndexError> {
        Index::at(self.folder.path().to_owned(), self.settings.clone()).history(name)
    }

    fn seen(&self) -> Vec<String> {
        self.requests.try_iter().collect()
    }
}

fn versions(lookup: Result<Lookup, IndexError>) -> (Vec<String>, bool) {
    match lookup.unwrap() {
        Lookup::Known { history, stale } => {
            (history.releases.iter().map(|release| release.text.clone()).collect(), stale.is_some())
        }
        Lookup::Absent => (vec!["absent".into()], false),
    }
}

#[test]
fn an_answer_is_kept_and_confirmed_by_its_etag() {
    let scene = Scene::new(vec![("200 OK", "etag: \"a1\"\r\n", PROJECT), ("304 Not Modified", "", "")]);
    assert_eq!(versions(scene.ask("X")), (vec!["1.0".into()], false));
    assert_eq!(versions(scene.ask("x")), (vec!["1.0".into()], false));
    assert_eq!(scene.seen(), ["/pypi/x/json", "/pypi/x/json if-none-match: \"a1\""]);
}

#[test]
fn a_fresh_answer_is_not_asked_for_again() {
    let mut scene = Scene::new(vec![("200 OK", "", PROJECT)]);
    scene.settings.fresh_for = Duration::from_secs(60);
    assert_eq!(versions(scene.ask("x")), versions(scene.ask("x")));
    assert_eq!(scene.seen().len(), 1);
}

#[test]
fn absence_is_an_answer_and_kept() {
    let mut scene = Scene::new(vec![("404 Not Found", "", "{}"), ("404 Not Found", "", "")]);
    scene.settings.fresh_for = Duration::from_secs(60);
    assert!(matches!(scene.ask("nothing"), Ok(Lookup::Absent)));
    assert!(matches!(scene.ask("nothing"), Ok(Lookup::Absent)));
    assert_eq!(scene.seen(), ["/pypi/nothing/json", "/simple/nothing/"]);
}

#[test]
fn server_errors_are_tried_again_but_refusals_are_not() {
    let scene = Scene::new(vec![("500 Oops", "", ""), ("429 Slow", "retry-after: 0\r\n", ""), ("200 OK", "", PROJECT)]);
    assert_eq!(versions(scene.ask("x")).0, ["1.0"]);
    assert_eq!(scene.seen().len(), 3);
    let scene = Scene::new(vec![("403 Forbidden", "", ""), ("200 OK", "", PROJECT)]);
    let error = scene.ask("x").unwrap_err();
    assert!(
        matches!(&error, IndexError::Unreachable { source, .. } if source.attempts == 1 && !source.transient),
        "{error:?}"
    );
}

#[test]
fn a_body_cut_short_is_tried_again() {
    let cut = ("200 OK", "content-length: 4000\r\n", r#"{"info":{"name":"x"#);
    let scene = Scene::new(vec![cut, ("200 OK", "", PROJECT)]);
    assert_eq!(versions(scene.ask("x")).0, ["1.0"]);
}

#[test]
fn broken_json_is_malformed() {
    let scene = Scene::new(vec![("200 OK", "", r#"{"info":{"name":"#)]);
    assert!(matches!(scene.ask("x"), Err(IndexError::Malformed { .. })));
}

#[test]
fn a_listing_with_dates_serves_and_html_does_not() {
    let json = (
        "200 OK",
        "content-type: application/vnd.pypi.simple.v1+json\r\n",
        r#"{"files":[{"filename":"x-2.0-py3-none-any.whl","upload-time":"2020-01-01T00:00:00Z"}]}"#,
    );
    let scene = Scene::new(vec![("404 Not Found", "", ""), json]);
    assert_eq!(versions(scene.ask("x")).0, ["2.0"]);
    let html = ("200 OK", "content-type: text/html\r\n", "<html><a href=\"x-1.0.tar.gz\">x-1.0.tar.gz</a></html>");
    let scene = Scene::new(vec![("404 Not Found", "", ""), html]);
    assert!(matches!(scene.ask("x"), Err(IndexError::HistoryUnavailable { .. })));
}

#[test]
fn an_unreachable_index_leaves_the_kept_answer_and_says_so() {
    let scene = Scene::new(vec![("200 OK", "", PROJECT)]);
    assert_eq!(versions(scene.ask("x")), (vec!["1.0".into()], false));
    assert_eq!(versions(scene.ask("x")), (vec!["1.0".into()], true));
    assert!(matches!(scene.ask("y"), Err(IndexError::Unreachable { .. })));
}

#[test]
fn offline_asks_nobody() {
    let mut scene = Scene::new(vec![("200 OK", "", PROJECT)]);
    scene.settings.offline = true;
    assert!(matches!(scene.ask("x"), Err(IndexError::Offline { .. })));
    scene.settings.offline = false;
    scene.ask("x").unwrap();
    scene.settings.offline = true;
    assert_eq!(versions(scene.ask("x")), (vec!["1.0".into()], true));
}

#[test]
fn long_answers_are_refused() {
    let (address, _requests) = serve(vec![("200 OK", "", PROJECT)]);
    let fetcher = Fetcher::new(RetryPolicy::default()).unwrap().with_longest_answer(20);
    let error = fetcher.get(&address.json("x"), JSON_API, None).unwrap_err();
    assert_eq!((error.what.as_str(), error.transient), ("answer longer than 20 bytes", false));
}

#[test]
fn texts_that_are_no_name_ask_nobody() {
    let scene = Scene::new(vec![]);
    assert!(matches!(scene.ask("../etc"), Err(IndexError::Name(_))));
}
