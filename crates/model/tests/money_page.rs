//! What `docs/money.md` says is what the program does.

use std::path::Path;

use jiff::civil::Date;
use nbrevive_model::{
    AskingSettings, CACHED_SHARE, CapSettings, DEFAULT_NOTEBOOK_CAP, DEFAULT_STUDY_CAP, FIXES_PER_NOTEBOOK, LEDGER,
    ModelSettings, Money, OUTPUT_PER_FIX, Prices, ProviderKind, RECORD, StudyExpectation, TokenUsage,
};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/money.md");
    std::fs::read_to_string(path).expect("docs/money.md is there")
}

fn model(block: &str) -> ModelSettings {
    let table: toml::Table = toml::from_str(block).expect("an example is TOML");
    table["model"].clone().try_into().expect("an example is a table of settings")
}

#[test]
fn the_examples_of_settings_can_be_read() {
    let page = page();
    let blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default());
    let settings: Vec<ModelSettings> = blocks.map(model).collect();
    assert_eq!(
        settings.iter().map(|model| model.provider).collect::<Vec<_>>(),
        [ProviderKind::Openai, ProviderKind::Replay]
    );
    let caps = CapSettings { notebook: 1.0, study: 10.0, hour: Some(5.0), ..CapSettings::default() };
    assert_eq!(settings[0].caps, caps);
    assert!(settings[1].place.as_ref().is_some_and(|place| place.ends_with(RECORD)));
}

#[test]
fn the_prices_are_those_of_the_table() {
    let page = page();
    let table = page.split("| model | from |").nth(1).expect("the page has the table of prices");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with("| ")).collect();
    let file = include_str!("../src/money/prices.toml");
    assert_eq!(rows.len(), file.matches("[[price]]").count(), "a price is missing on the page");
    let prices = Prices::builtin().unwrap();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let day: Date = cells[1].parse().unwrap();
        let price = prices.price(cells[0], day).unwrap();
        let shown = |rates: &nbrevive_model::Rates| {
            [rates.input, rates.cached_input, rates.output].map(|rate| rate.dollars().to_string())
        };
        assert_eq!(cells[2..5], shown(&price.rates), "{row}");
        match &price.long {
            None => assert!(cells[5..].iter().all(|cell| cell.is_empty()), "{row}"),
            Some(long) => {
                assert_eq!(cells[5], long.above.to_string(), "{row}");
                assert_eq!(cells[6..], shown(&long.rates), "{row}");
            }
        }
        assert!(file.contains(&format!("from = \"{day}\"")), "{row}");
    }
}

#[test]
fn the_example_of_a_call_costs_what_the_page_says() {
    let price = Prices::builtin().unwrap().price("gpt-5.2", "2026-06-01".parse().unwrap()).unwrap();
    let usage = TokenUsage { input: 30_000, cached_input: 10_000, output: 4_000, ..TokenUsage::default() };
    assert_eq!(price.cost(&usage), Money::from_dollars(0.09275).unwrap());
    assert!(
        page()
            .contains("30,000 input tokens, 10,000 of them from the cache, and 4,000 output tokens costs 0.09275 USD")
    );
}

#[test]
fn the_defaults_are_those_of_the_page() {
    // Text runs over the ends of lines.
    let page = page().split_whitespace().collect::<Vec<_>>().join(" ");
    let study = StudyExpectation::default();
    let wait = AskingSettings::default().longest_wait.as_secs() / 3_600;
    assert_eq!((study.max_fixes, study.max_reasks, wait), (16, 2, 2));
    for words in [
        format!("`notebook` ({DEFAULT_NOTEBOOK_CAP} USD unless told)"),
        format!("`study` ({DEFAULT_STUDY_CAP} USD unless told)"),
        format!(
            "{},{:03} output tokens and {:.2} % of the input",
            OUTPUT_PER_FIX / 1_000,
            OUTPUT_PER_FIX % 1_000,
            CACHED_SHARE * 100.0
        ),
        format!("each of them {FIXES_PER_NOTEBOOK:.2} times"),
        "16 fixes with two re-asks each".to_owned(),
        "up to two hours".to_owned(),
        format!("`{LEDGER}` beside the store"),
        format!("`{RECORD}` beside the store"),
    ] {
        assert!(page.contains(&words), "docs/money.md does not say: {words}");
    }
}
