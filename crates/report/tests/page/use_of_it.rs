//! The page in use: pressed, typed at, narrow, dark, printed.

use std::path::Path;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::fixture::{page_of, released};

/// Keys as the driver knows them.
const DOWN: &str = "\u{e015}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const END: &str = "\u{e010}";
const HOME: &str = "\u{e011}";
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

/// Waits until the address says so; it follows what is shown a moment later.
fn wait_for_setting(browser: &Browser, name: &str, value: &Value) {
    browser.wait(&format!("new URLSearchParams(location.hash.slice(1)).get({}) === {value}", json!(name)));
}

fn focused(browser: &Browser) -> Value {
    browser.value("document.activeElement.id || document.activeElement.className || document.activeElement.tagName")
}

#[test]
fn flows_filters_and_search_lead_to_versions_and_their_code() {
    let folder = tempfile::tempdir().unwrap();
    let page = page_of(&released(), folder.path());
    let browser = Browser::start();
    browser.open(&page, "");
    assert_eq!(browser.text("#found"), "40 versions");

    // A ribbon says how many versions it is, and lists as many.
    let ribbon = browser.value("document.querySelector('#flow .ribbon').getAttribute('aria-label')");
    let count: usize = ribbon.as_str().unwrap().split(' ').next().unwrap().parse().unwrap();
    browser.click("#flow .ribbon");
    assert!(browser.text("#found").starts_with(&format!("{count} of 40")), "{ribbon}: {}", browser.text("#found"));
    assert_eq!(browser.value("!!document.getElementById('filter-baseline').value"), json!(true));
    // So does a part of the headline.
    browser.click("#card-baseline .part");
    let part = browser.value("document.querySelector('#card-baseline .part').getAttribute('aria-label')");
    let count = part.as_str().unwrap().split(": ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(browser.text("#found").starts_with(&format!("{count} of 40")));

    // The search narrows, the address keeps it, and the same address shows the same.
    browser.value("(() => { const one = document.getElementById('filter-baseline'); one.value = ''; one.dispatchEvent(new Event('input')); })()");
    browser.value("document.getElementById('filter-q').focus()");
    browser.keys("LightGBM early");
    wait_for_setting(&browser, "q", &json!("LightGBM early"));
    assert_eq!(browser.text("#found"), "0 of 40 versions");
    browser.value("(() => { const one = document.getElementById('filter-q'); one.value = 'lightgbm with early'; one.dispatchEvent(new Event('input')); })()");
    assert_eq!(browser.text("#found"), "1 of 40 versions");
    browser.click("#row-0");
    browser.wait("!!document.querySelector('#version .diff')");
    let text = browser.value("document.getElementById('version').textContent");
    let text = text.as_str().unwrap();
    for expected in [
        "LightGBM with early stopping",
        "early_stopping_rounds=20",
        "callbacks=[early_stopping(20",
        "TypeError",
        "Python 3.12",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let address = browser.value("location.hash");
    browser.open(&page, address.as_str().unwrap());
    browser.wait("!!document.querySelector('#version .diff')");
    assert_eq!(browser.text("#found"), "1 of 40 versions");

    // Side by side has old and new in one row; one column has them below each other.
    assert_eq!(browser.value("document.querySelectorAll('.diff.split').length > 0"), json!(true));
    // Each condition that repaired has a choice of its own.
    browser.value("[...document.querySelectorAll('.fixes .choice button')].filter((one) => one.textContent === 'One column').forEach((one) => one.click())");
    assert_eq!(browser.value("document.querySelectorAll('.diff.split').length"), json!(0));
    assert!(browser.text(".diff").contains("callbacks=[early_stopping(20"));

    // "Back" closes the version and keeps the search.
    browser.value("history.back()");
    browser
        .value("[...document.querySelectorAll('#filters button')].find((one) => one.textContent === 'Clear').click()");
    assert_eq!(browser.text("#found"), "40 versions");

    // The rows go out as CSV, a line each and one of names.
    browser.value("(() => { const one = document.getElementById('filter-modernize'); one.value = 'error-reproducible'; one.dispatchEvent(new Event('input')); })()");
    let listed: usize = browser.text("#found").split(' ').next().unwrap().parse().unwrap();
    browser.click("#download");
    let csv = browser.downloaded("versions.csv");
    assert_eq!(csv.lines().count(), listed + 1, "{csv}");
    assert!(csv.starts_with("version,competition,title,submitted,target_score,tau_percent,baseline_outcome,"), "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.contains(",error-reproducible,")), "{csv}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// How many versions come to their very target at baseline, from the tables.
fn exactly_reproducible(folder: &Path) -> String {
    nbrevive_report::render(&released(), None, nbrevive_report::Flaky::Show, folder).unwrap();
    let curve = std::fs::read_to_string(folder.join("tables/curve-tau.csv")).unwrap();
    let line = curve.lines().find_map(|line| line.strip_prefix("baseline,0,")).unwrap();
    line.split(',').next().unwrap().to_owned()
}

#[test]
fn everything_can_be_done_from_the_keyboard() {
    let folder = tempfile::tempdir().unwrap();
    let browser = Browser::start();
    browser.open(&page_of(&released(), folder.path()), "");
    // The first stop is the link that skips the head; it can be seen while it has the focus.
    browser.keys(TAB);
    assert_eq!(focused(&browser), json!("skip"));
    assert_eq!(browser.value("document.activeElement.getBoundingClientRect().top >= 0"), json!(true));
    browser.keys(ENTER);
    assert_eq!(focused(&browser), json!("main"));
    browser.keys(TAB);
    assert_eq!(focused(&browser), json!("tau"));
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert_eq!(browser.value(outline), json!("solid"));
    browser.keys(RIGHT);
    assert_eq!(browser.text("#tau-value"), "10.5 %");
    wait_for_setting(&browser, "tau", &json!("10.5"));
    browser.keys(HOME);
    let exact = exactly_reproducible(folder.path());
    assert!(browser.text("#card-baseline").contains(&format!("{exact} of 40")), "{}", browser.text("#card-baseline"));
    // Parts of the headline and ribbons are buttons.
    browser.value("document.querySelector('#flow .ribbon').focus()");
    browser.keys(ENTER);
    assert_eq!(browser.value("!!new URLSearchParams(location.hash.slice(1)).get('baseline')"), json!(true));
    assert_eq!(focused(&browser), json!("versions-title"));

    browser.open(&page_of(&released(), folder.path()), "");
    browser.value("document.getElementById('list').focus()");
    let active = "document.getElementById('list').getAttribute('aria-activedescendant')";
    browser.keys(&format!("{DOWN}{DOWN}{UP}"));
    assert_eq!(browser.value(active), json!("row-1"));
    browser.keys(END);
    assert_eq!(browser.value(active), json!("row-39"));
    assert_eq!(browser.value("document.getElementById('row-39').getBoundingClientRect().bottom <= document.getElementById('list').getBoundingClientRect().bottom + 1"), json!(true));
    browser.keys(ENTER);
    browser.wait("document.querySelectorAll('#version table').length > 0");
    assert_eq!(focused(&browser), json!("version"));
    browser.keys(ESCAPE);
    assert_eq!(focused(&browser), json!("list"));
    wait_for_setting(&browser, "version", &Value::Null);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn it_fits_a_phone_follows_the_system_into_the_dark_and_prints() {
    let folder = tempfile::tempdir().unwrap();
    let page = page_of(&released(), folder.path());
    let browser = Browser::start();
    browser.size(1280, 900);
    browser.open(&page, "");
    browser.picture("light");
    let paper = "getComputedStyle(document.body).backgroundColor";
    assert_eq!(browser.value(paper), json!("rgb(255, 255, 255)"));
    let media = |features: Value, media: &str| {
        browser.devtools("Emulation.setEmulatedMedia", &json!({ "media": media, "features": features }))
    };
    media(
        json!([{ "name": "prefers-color-scheme", "value": "dark" }, { "name": "prefers-reduced-motion", "value": "reduce" }]),
        "",
    );
    assert_eq!(browser.value(paper), json!("rgb(21, 24, 27)"));
    assert_eq!(browser.value("getComputedStyle(document.querySelector('.ribbon')).transitionDuration"), json!("0s"));
    browser.picture("dark");
    // The page is told of the system's change after the colours have changed.
    browser.wait("document.querySelector('#theme').textContent === 'Light'");
    browser.click("#theme");
    assert_eq!(browser.value(paper), json!("rgb(255, 255, 255)"));
    media(json!([]), "");

    for width in [360, 414, 768, 1024] {
        browser.size(width, 800);
        browser.open(&page, "#version=breast-cancer-lgbm-early-stopping");
        browser.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        browser.wait("!!document.querySelector('#version .diff')");
        let wide = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(wide, json!(0), "{width} pixels: something is wider than the window");
        let beyond = browser.value("[...document.querySelectorAll('main *')].filter((one) => !one.closest('.wide, svg, .list, .unseen') && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80)).join()");
        assert_eq!(beyond, json!(""), "{width} pixels");
    }
    browser.size(360, 800);
    browser.open(&page, "");
    browser.picture("phone");
    browser.open(&page, "#version=breast-cancer-lgbm-early-stopping");
    browser.wait("!!document.querySelector('#version .diff')");
    browser.picture("phone-version");
    // On a phone the version takes the place of the list.
    assert_eq!(browser.value("getComputedStyle(document.querySelector('.finder')).display"), json!("none"));
    browser.click(".back");
    assert_eq!(browser.value("getComputedStyle(document.querySelector('.finder')).display"), json!("block"));

    browser.size(1280, 900);
    browser.open(&page, "#version=breast-cancer-lgbm-early-stopping&tau=5");
    browser.wait("!!document.querySelector('#version .diff')");
    browser.picture("version");
    media(json!([]), "print");
    assert_eq!(browser.value("getComputedStyle(document.querySelector('nav')).display"), json!("none"));
    assert_eq!(browser.value("getComputedStyle(document.querySelector('#version .diff')).display"), json!("table"));
    browser.picture("print");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
