//! The numbers of the page are those of the tables and figures, at every τ.

use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, Criterion, Failure, Outcome, RunEnd, RunFacts, judge};
use nbrevive_report::Flaky;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::fixture::{page_of, published, read, released, texts};

fn set_tau(browser: &Browser, percent: &str) {
    browser.value(&format!(
        "(() => {{ const slider = document.getElementById('tau'); slider.value = {percent}; slider.dispatchEvent(new Event('input')); }})()"
    ));
}

#[test]
fn the_headline_is_that_of_the_tables_at_every_threshold() {
    let folder = tempfile::tempdir().unwrap();
    nbrevive_report::render(&released(), Some(&published()), Flaky::Show, folder.path()).unwrap();
    let browser = Browser::start();
    browser.open(&page_of(&released(), folder.path()), "");
    let curve = std::fs::read_to_string(folder.path().join("tables/curve-tau.md")).unwrap();
    let mut checked = 0;
    for line in curve.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [condition, tau, count, _, share, interval] = cells[..] else { continue };
        if condition.parse::<Condition>().is_err() {
            continue;
        }
        set_tau(&browser, tau);
        let card = browser.text(&format!("#card-{condition}"));
        assert!(card.contains(share), "{line}: {card}");
        assert!(
            card.contains(&format!("{count} of ")) && card.contains(&format!("interval {interval}")),
            "{line}: {card}"
        );
        checked += 1;
    }
    assert!(checked >= 26, "only {checked} lines of the curve were read");
    for (number, condition) in [(3, "backport"), (6, "modernize")] {
        let text = std::fs::read_to_string(folder.path().join(format!("figures/figure{number}.json"))).unwrap();
        let figure: Value = serde_json::from_str(&text).unwrap();
        set_tau(&browser, "10");
        let links = figure["links"].as_array().unwrap().iter();
        let expected: BTreeMap<(String, String), u64> =
            links.map(|link| ((word(&link["from"]), word(&link["to"])), link["count"].as_u64().unwrap())).collect();
        assert_eq!(flows(&browser, condition), expected, "figure {number}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The outcome of a node of a figure.
fn word(node: &Value) -> String {
    node.as_str().unwrap().split(':').next_back().unwrap().to_owned()
}

/// The flows that the page shows.
fn flows(browser: &Browser, to: &str) -> BTreeMap<(String, String), u64> {
    let name = if to == "backport" { "Baseline to backport" } else { "Baseline to modernize" };
    browser.value(&format!(
        "[...document.querySelectorAll('#flow-choice button')].find((one) => one.textContent === {}).click()",
        json!(name)
    ));
    let rows = browser.value("[...document.querySelectorAll('#flow-table tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))");
    let code = |label: &Value| label.as_str().unwrap().to_lowercase().replace(' ', "-");
    let row =
        |row: &Value| ((code(&row[0]), code(&row[1])), row[2].as_str().unwrap().replace(',', "").parse().unwrap());
    rows.as_array().unwrap().iter().map(row).collect()
}

/// What each version's run came to, judged as runs are judged, at another τ.
fn judged(tau: f64) -> BTreeMap<(String, Condition), Outcome> {
    let frame = read(&released().join("outcomes.parquet"));
    let (versions, conditions) = (texts(&frame, "version"), texts(&frame, "condition"));
    let (errors, failures) = (texts(&frame, "error_status"), texts(&frame, "failure"));
    let scores: Vec<Option<f64>> = frame.column("score").unwrap().f64().unwrap().iter().collect();
    let targets: Vec<Option<f64>> = frame.column("target_score").unwrap().f64().unwrap().iter().collect();
    let outcome = |row: usize| {
        let end = match failures[row].as_deref().map(|word| word.parse().unwrap()) {
            None => RunEnd::Completed,
            Some(Failure::Timeout) => RunEnd::Timeout,
            Some(_) => RunEnd::NotSaved("kernel-died".to_owned()),
        };
        let error_cells = usize::from(errors[row].as_deref() == Some("error"));
        let grade = Some(scores[row].ok_or_else(|| "missing".to_owned()));
        judge(&RunFacts { end, error_cells, grade, criterion: Criterion::Score { target: targets[row].unwrap(), tau } })
            .outcome
    };
    let key = |row: usize| (versions[row].clone().unwrap(), conditions[row].as_deref().unwrap().parse().unwrap());
    (0..frame.height()).map(|row| (key(row), outcome(row))).collect()
}

#[test]
fn flows_at_any_threshold_are_those_of_runs_judged_there() {
    let folder = tempfile::tempdir().unwrap();
    let browser = Browser::start();
    let page = page_of(&released(), folder.path());
    for percent in ["0", "0.5", "1", "10", "27.5", "50"] {
        browser.open(&page, &format!("#tau={percent}"));
        let judged = judged(percent.parse::<f64>().unwrap() / 100.0);
        for condition in [Condition::BACKPORT, Condition::MODERNIZE] {
            let mut expected: BTreeMap<(String, String), u64> = BTreeMap::new();
            for ((version, under), outcome) in &judged {
                let before = judged.get(&(version.clone(), Condition::BASELINE));
                if let (true, Some(before)) = (*under == condition, before) {
                    *expected.entry((before.to_string(), outcome.to_string())).or_default() += 1;
                }
            }
            assert_eq!(flows(&browser, condition.as_str()), expected, "{condition} at {percent} %");
        }
    }
}
