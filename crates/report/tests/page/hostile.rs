//! What notebooks, their authors and their environments say is inert: nothing of it runs, moves or leaves.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use polars::prelude::DataFrame;
use serde_json::json;

use crate::browser::Browser;
use crate::fixture::{Study, with_texts};

/// A server that must see nothing, and how much it saw.
fn witness() -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let seen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&seen);
    std::thread::spawn(move || {
        for _ in listener.incoming() {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    (port, seen)
}

fn hostilities(port: u16) -> Vec<String> {
    let ran = format!("window.ran=1;new Image().src='http://127.0.0.1:{port}/ran'");
    vec![
        format!("<script>{ran}</script>"),
        format!("</script><script>{ran}</script>"),
        format!("</title></style></noscript><img src=http://127.0.0.1:{port}/image onerror=\"{ran}\">"),
        format!("<svg onload=\"{ran}\"><iframe srcdoc=\"<script>parent.ran=1</script>\"></svg>"),
        format!("\" autofocus onfocus=\"{ran}\" x='"),
        format!("<link rel=stylesheet href=http://127.0.0.1:{port}/style><base href=http://127.0.0.1:{port}/>"),
        format!("javascript:{ran}"),
        format!("`${{{ran}}}` {{{{script}}}} <!--"),
        "\u{2028}\u{2029}\u{202e}gnp.exe\u{2066}\u{200b}\u{feff}".to_owned(),
        "\u{1b}[31mred\u{1b}[0m \u{1b}]8;;http://example.invalid\u{7}link\u{1b}]8;;\u{7} \u{0}\u{8}\u{9b}2J".to_owned(),
        format!("long {}", "x".repeat(300_000)),
        "=HYPERLINK(\"http://example.invalid\")".to_owned(),
    ]
}

/// Columns that hold what others wrote, by file.
const WRITTEN: &[(&str, &[&str])] = &[
    ("study", &["title", "baseline_environment", "baseline_python", "baseline_packages", "machine", "tool_revision"]),
    ("versions", &["competition", "title", "submitted", "exclusion_detail"]),
    ("outcomes", &["competition", "reason", "output_reason", "failure_cause", "loop_end"]),
    ("fixes", &["provider", "rules", "patch"]),
    ("cells", &["ename", "evalue"]),
    ("environments", &["python", "requirements", "lock", "failure_class", "failure_tail"]),
    ("executions", &["end"]),
    ("errors", &["traceback"]),
];

fn hostile(port: u16) -> Study {
    let texts = hostilities(port);
    let text = |row: usize| texts[row % texts.len()].clone();
    Study::changed(|name, mut frame: DataFrame| {
        if frame.column("version").is_ok() && frame.height() > 0 {
            frame = with_texts(frame, "version", |_, slug| format!("{slug}<img src=x onerror=window.ran=1>\u{202e}"));
        }
        for (_, columns) in WRITTEN.iter().filter(|(file, _)| *file == name) {
            for column in *columns {
                let patch = |row: usize| {
                    let code = text(row);
                    format!("--- before\n+++ after\n@@ -1,2 +1,2 @@\n-{code}\n+{code}{code}\n {code}\n@@ {code}\n")
                };
                frame = with_texts(frame, column, |row, _| if *column == "patch" { patch(row) } else { text(row) });
            }
        }
        Some(frame)
    })
}

#[test]
fn nothing_that_a_notebook_says_runs_or_leaves() {
    let (port, seen) = witness();
    let study = hostile(port);
    let browser = Browser::start();
    browser.open(&study.page(), "");
    let count = browser.value("document.querySelectorAll('#list [data-row]').length").as_u64().unwrap();
    assert!(count > 5, "{count}");
    // Each version in turn, so that every hostile text is shown at its place.
    for place in 0..12 {
        browser.value(&format!("document.querySelectorAll('#list [data-row]')[{}].click()", place % count));
        browser.wait("document.querySelectorAll('#version table').length > 0");
        browser.value("document.querySelectorAll('#version details').forEach((one) => { one.open = true; })");
        browser.value("document.getElementById('list').scrollBy(0, 200)");
    }
    browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
    std::thread::sleep(Duration::from_millis(200));

    assert_eq!(browser.value("window.ran === undefined"), json!(true), "something ran");
    let elements = "document.querySelectorAll('img, iframe, link, base, object, embed, form:not(#filters)').length";
    assert_eq!(browser.value(elements), json!(0));
    let handlers = "[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes]).filter((one) => /^on|^srcdoc$/.test(one.name)).length";
    assert_eq!(browser.value(handlers), json!(0));
    let invisible = r"/[\u202a-\u202e\u2066-\u2069\u200b\ufeff\u001b\u009b\u2028]/.test(document.querySelector('main').textContent)";
    assert_eq!(browser.value(invisible), json!(false), "a character that moves or hides text is in the page");
    assert!(browser.text("#version").contains("⟨U+202E⟩"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(seen.load(Ordering::SeqCst), 0, "a request left the page");

    // The witness can see: what the page does not do, the address line does.
    browser.value(&format!("window.open('http://127.0.0.1:{port}/') && null"));
    let end = std::time::Instant::now() + Duration::from_secs(120);
    while seen.load(Ordering::SeqCst) == 0 {
        assert!(std::time::Instant::now() < end, "the witness is blind");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn even_a_script_that_came_in_would_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let page = crate::fixture::page_of(&crate::fixture::released(), folder.path());
    let html = std::fs::read_to_string(&page).unwrap();
    let broken = html.replacen("<main", "<script>window.ran=1</script><img src=x onerror=window.ran=1><main", 1);
    std::fs::write(&page, broken).unwrap();
    let browser = Browser::start();
    browser.open(&page, "");
    assert_eq!(browser.value("window.ran === undefined"), json!(true));
    let markup = "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'made'; } catch (error) { return error.name; } })()";
    assert_eq!(browser.value(markup), json!("TypeError"));
    let complaints = browser.complaints().join("\n");
    assert!(complaints.contains("Content Security Policy"), "{complaints}");
}
