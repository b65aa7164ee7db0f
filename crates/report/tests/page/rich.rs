//! A study with what the released one lacks: a funnel, exclusions, calls of a model, as much at the cell level as by file, least patches,
//! tracebacks.

use polars::prelude::{Column, DataFrame};

use crate::browser::Browser;
use crate::fixture::{Study, only, read, texts, with_texts, write};

const REPAIRED: &str = "breast-cancer-lgbm-early-stopping";

fn frame(columns: Vec<Column>) -> DataFrame {
    DataFrame::new(columns[0].len(), columns).unwrap()
}

fn rich() -> Study {
    let study = Study::changed(|name, mut frame| {
        match name {
            "outcomes" | "fixes" => {
                let again = only(&frame, "condition", |word| word == "modernize");
                let again = with_texts(again, "condition", |_, _| "modernize-cell".to_owned());
                // Whatever level the released study has itself, here both come to the same.
                frame = only(&frame, "condition", |word| word != "modernize-cell");
                frame = with_texts(frame, "condition", |_, word| word.to_owned());
                frame.vstack_mut(&again).unwrap();
            }
            "versions" => {
                frame = with_texts(frame, "exclusion", |_, word| word.to_owned());
                frame = with_texts(frame, "exclusion_detail", |_, text| text.to_owned());
                let mut excluded = with_texts(frame.head(Some(2)), "version", |row, _| format!("excluded-{row}"));
                excluded.with_column(Column::new("exclusion".into(), ["no-target"; 2])).unwrap();
                excluded.with_column(Column::new("exclusion_detail".into(), ["nobody scored it"; 2])).unwrap();
                frame.vstack_mut(&excluded).unwrap();
            }
            _ => {}
        }
        Some(frame)
    });
    let file =
        |name: &str, columns: Vec<Column>| write(&study.folder.path().join(format!("{name}.parquet")), frame(columns));
    file(
        "funnel",
        vec![
            Column::new("position".into(), [1_u32, 0]),
            Column::new("step".into(), ["in-python", "has-code"]),
            Column::new("kept".into(), [42_u32, 1970]),
            Column::new("dropped".into(), [1928_u32, 30]),
            Column::new("reasons".into(), ["{\"not-python\": 1928}", "{\"no-code\": 30}"]),
        ],
    );
    file(
        "left-out",
        vec![
            Column::new("version".into(), [REPAIRED]),
            Column::new("condition".into(), ["backport"]),
            Column::new("reason".into(), ["too-long"]),
            Column::new("detail".into(), ["300,000 tokens"]),
        ],
    );
    file(
        "least-patches",
        vec![
            Column::new("version".into(), [REPAIRED]),
            Column::new("condition".into(), ["modernize"]),
            Column::new("patch".into(), ["--- before\n+++ after\n@@ -1 +1 @@\n-old\n+new\n"]),
            Column::new("hunks_before".into(), [5_u32]),
            Column::new("hunks_after".into(), [1_u32]),
        ],
    );
    file("llm-calls", calls());
    let mut raised = read(&study.folder.path().join("errors.parquet"));
    let traceback = texts(&raised, "class")
        .into_iter()
        .map(|name| format!("{} Traceback of {}", "frame ".repeat(300), name.unwrap()));
    raised.with_column(Column::new("traceback".into(), traceback.collect::<Vec<_>>())).unwrap();
    raised.with_column(Column::new("line".into(), vec![7_u32; raised.height()])).unwrap();
    raised.with_column(Column::new("root_cause".into(), vec!["ENV"; raised.height()])).unwrap();
    write(&study.folder.path().join("errors.parquet"), raised);
    study
}

/// Two calls of one model.
fn calls() -> Vec<Column> {
    let texts = [
        ("study", "made-up modernize"),
        ("notebook", REPAIRED),
        ("fix_type", "error-repair"),
        ("provider", "openai"),
        ("model", "model-<b>x</b>"),
        ("outcome", "answered"),
    ];
    let mut columns: Vec<Column> = texts.iter().map(|(name, text)| Column::new((*name).into(), [*text; 2])).collect();
    columns.push(Column::new("prompt".into(), ["one", "two"]));
    for (name, values) in [
        ("fix_number", [1, 2]),
        ("re_ask", [0, 0]),
        ("occurrence", [0, 0]),
        ("input", [1500, 700]),
        ("cached_input", [500, 200]),
        ("output", [30, 40]),
    ] {
        columns.push(Column::new(name.into(), values.map(|value: u32| value)));
    }
    columns.push(Column::new("cost".into(), [0.25, 0.5]));
    columns.push(Column::new("is_disputed".into(), [false; 2]));
    columns
}

#[test]
fn funnel_exclusions_costs_the_cell_level_and_least_patches_are_shown() {
    let study = rich();
    let browser = Browser::start();
    let page = study.page();
    browser.open(&page, &format!("#version={REPAIRED}"));
    let has = |selector: &str, expected: &[&str]| {
        let script = format!("document.querySelector('{selector}').textContent");
        let text = browser.value(&script).as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        for words in expected {
            assert!(text.contains(words), "{selector} lacks `{words}`: {text}");
        }
    };
    has("#funnel", &["Has code1,97030 left out: no code", "In python421,928 left out: not python"]);
    has("#funnel", &["Versions looked at42", "Versions studied402 left out: no target", "1 left out: too long"]);
    has("#costs", &["model-<b>x</b>Error-repair20.75001,50070070", "Table 5"]);
    has("#flow-choice", &["Baseline to backport", "Baseline to modernize, cell level"]);
    has("#card-modernize-cell", &["error repair cell by cell"]);
    has(
        "#version",
        &[
            "Left out of backport: too long. 300,000 tokens",
            "The least patch: 1 of 5 hunks",
            "Traceback of TypeError",
            "Cell 9, line 7 TypeError (a module, a file or a setting is missing)",
            "characters before) … ",
        ],
    );
    has("#version", &["Fixes under modernize-cell"]);
    has("#filter-cause", &["ENV: a module, a file or a setting is missing"]);
    browser.open(&page, "#cause=ENV");
    assert_ne!(browser.text("#found"), "");

    browser.open(&page, "#version=excluded-1");
    has("#version", &["Left out of the study: no target. nobody scored it", "No condition has an outcome for it."]);
    browser.open(&page, "#version=nobody");
    has("#version", &["There is no version nobody in this study."]);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
