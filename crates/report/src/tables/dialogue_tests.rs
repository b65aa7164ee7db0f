//! Table 5, and the tables of dialogues, providers and rules.

use std::path::Path;

use nbrevive_corpus::{Condition, FixType, FlowState};
use serde_json::Value;

use super::tests::{json, read, rendered};
use crate::calls::{CallRow, Dialogues, QuestionRow, RefusalRow};
use crate::testing::Synthetic;

fn call(notebook: &str, fix_type: FixType, fix_number: u32, cost: f64) -> CallRow {
    CallRow {
        study: "made-up/modernize".to_owned(),
        notebook: notebook.to_owned(),
        fix_type: Some(fix_type),
        fix_number,
        re_ask: 0,
        provider: "openai".to_owned(),
        model: "gpt-5.2".to_owned(),
        prompt: format!("{notebook} {fix_number} {fix_type}"),
        occurrence: 0,
        outcome: "answered".to_owned(),
        tokens: Some([3_000, 1_000, 500]),
        cost,
        is_disputed: false,
    }
}

fn question(fix_type: FixType, reask: u32, led_to_fix: bool) -> QuestionRow {
    QuestionRow { fix_type, led_to_fix, reask, problem: None, breaches: [].into(), detail: String::new() }
}

/// Two notebooks with five calls, a replayed one and a killed one among them.
fn study() -> Synthetic {
    let mut study = Synthetic::default();
    study.add_table(Condition::BASELINE, &[0, 0, 0, 0, 0, 2, 0, 0]);
    study.add_table(Condition::MODERNIZE, &[2, 0, 0, 0, 0, 0, 0, 0, 0]);
    let (repair, calibration) = (FixType::ErrorRepair, FixType::ScoreCalibration);
    study.fixes = vec![
        (repair, FlowState::ErrorNonReproducible),
        (repair, FlowState::ErrorFreeReproducible),
        (calibration, FlowState::ErrorFreeReproducible),
    ];
    study.made_by = vec![
        ["v000000", "rules", "pandas-append,numpy-alias"],
        ["v000000", "openai", ""],
        ["v000001", "rules", "numpy-alias"],
    ];
    let reask = CallRow { re_ask: 1, prompt: "again".to_owned(), ..call("v000000", repair, 2, 0.02) };
    let killed = CallRow {
        outcome: "reserved".to_owned(),
        tokens: None,
        prompt: "killed".to_owned(),
        ..call("v000001", repair, 1, 0.4)
    };
    let replayed = |call: CallRow| CallRow { provider: "replay".to_owned(), ..call };
    study.dialogues = Dialogues {
        calls: vec![
            call("v000000", repair, 2, 0.04),
            // The same question, answered again from the record: it was paid once.
            replayed(call("v000000", repair, 2, 0.04)),
            reask,
            killed,
            replayed(call("v000001", calibration, 2, 0.03)),
        ],
        questions: vec![
            QuestionRow {
                problem: Some("no-block".to_owned()),
                detail: "it has …".to_owned(),
                ..question(repair, 0, true)
            },
            question(repair, 1, true),
            QuestionRow {
                breaches: ["network".to_owned(), "hidden-answers".to_owned()].into(),
                detail: "network: …".to_owned(),
                ..question(repair, 0, false)
            },
            QuestionRow { detail: "no answer: …".to_owned(), ..question(calibration, 0, false) },
        ],
        refusals: vec![RefusalRow { fix_type: repair, breach: "dropped-training".to_owned() }],
    };
    study
}

fn markdown(folder: &Path, name: &str) -> String {
    // Without the notes, which say what the study was.
    let text = read(folder, &format!("{name}.md"));
    text.split("\n\n").take(2).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn costs_stand_beside_the_published() {
    let folder = rendered(&study());
    insta::assert_snapshot!(read(folder.path(), "table5.md"), @"
    **Table 5. What language models cost: means for a notebook and for a fix**

    | Per | Source | Count | Cost (USD) | Input (not cached) | Input (cached) | Output |
    |:--|:--|--:|--:|--:|--:|--:|
    | Notebook | ours | 2 | 0.2450 | 4,500.00 | 1,500.00 | 750.00 |
    | Notebook | published | – | 0.3091 | 28,804.66 | 18,532.52 | 18,243.75 |
    | Runtime-reduction | ours | 0 | – | – | – | – |
    | Runtime-reduction | published | – | 0.0596 | 4,191.27 | 2,134.31 | 3,705.66 |
    | Error-repair | ours | 2 | 0.2300 | 3,000.00 | 1,000.00 | 500.00 |
    | Error-repair | published | – | 0.0499 | 5,191.70 | 2,930.77 | 2,877.34 |
    | Score-calibration | ours | 1 | 0.0300 | 3,000.00 | 1,000.00 | 500.00 |
    | Score-calibration | published | – | 0.0497 | 4,434.95 | 3,329.98 | 2,953.75 |

    Ours: 4 calls of gpt-5.2, 1 re-ask among them, for 2 notebooks, 0.4900 USD in all; study made-up (Made up) of 2 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc).

    Never settled, counted at their worst case: 1 call.

    Without known tokens, counted as none: 1 call.

    Replayed, counted at the cost that was recorded: 1 call.

    Published: the calls of a language model for 7,402 notebooks (Bihui Jin, Kaiyuan Wang and Pengyu Nie, section 4.4); other notebooks, another model and the prices of its day, so costs can be compared only with care.
    ");
    insta::assert_snapshot!(read(folder.path(), "table5.csv"), @"
    per,count,cost_usd,input_not_cached,input_cached,output,published_cost_usd,published_input_not_cached,published_input_cached,published_output
    notebook,2,0.245,4500,1500,750,0.3091,28804.66,18532.52,18243.75
    runtime-reduction,0,,,,,0.0596,4191.27,2134.31,3705.66
    error-repair,2,0.23,3000,1000,500,0.0499,5191.7,2930.77,2877.34
    score-calibration,1,0.03,3000,1000,500,0.0497,4434.95,3329.98,2953.75
    ");
    let table = json(folder.path(), "table5.json");
    assert_eq!(table["rows"][0]["published"]["input_not_cached"]["printed"], "28,804.66");
    assert_eq!(table["rows"][0]["count"], 2);
    let cost = table["rows"].as_array().unwrap().iter().find(|row| row["per"] == "score-calibration").unwrap();
    assert_eq!(cost["cost_usd"], 0.03);
}

#[test]
fn without_a_call_the_table_says_so() {
    let folder = rendered(&Synthetic { dialogues: Dialogues::default(), ..study() });
    let text = read(folder.path(), "table5.md");
    assert!(text.contains("Ours: no language model was called, so nothing was paid; study made-up"), "{text}");
    assert!(text.contains("| Notebook | ours | 0 | – | – | – | – |"), "{text}");
    let again = rendered(&Synthetic { dialogues: Dialogues::default(), ..study() });
    for name in ["table5.md", "table5.csv", "table5.json", "dialogues.md"] {
        assert_eq!(read(folder.path(), name), read(again.path(), name));
    }
    assert_eq!(json(folder.path(), "table5.json")["rows"][0]["cost_usd"], Value::Null);
}

#[test]
fn dialogues_are_counted_by_what_became_of_them() {
    let folder = rendered(&study());
    insta::assert_snapshot!(markdown(folder.path(), "dialogues"), @"
    **Dialogues with language models, and patches that were refused**

    | What | Kind | Runtime-reduction | Error-repair | Score-calibration | Total |
    |:--|:--|--:|--:|--:|--:|
    | Dialogues that led to a fix |  | 0 | 1 | 0 | 1 |
    | Dialogues that led to none |  | 0 | 1 | 1 | 2 |
    | Re-asks |  | 0 | 1 | 0 | 1 |
    | Questions without an answer |  | 0 | 0 | 1 | 1 |
    | Answers that could not be read |  | 0 | 1 | 0 | 1 |
    | Answers that could not be read | no-block | 0 | 1 | 0 | 1 |
    | Patches refused while the model was asked |  | 0 | 1 | 0 | 1 |
    | Patches refused while the model was asked | hidden-answers | 0 | 1 | 0 | 1 |
    | Patches refused while the model was asked | network | 0 | 1 | 0 | 1 |
    | Proposals refused by the loop |  | 0 | 1 | 0 | 1 |
    | Proposals refused by the loop | dropped-training | 0 | 1 | 0 | 1 |
    ");
    let text = read(folder.path(), "dialogues.md");
    assert!(text.contains("Ours: 4 questions to models, 1 proposal refused by the loop; study made-up"), "{text}");
    assert!(text.contains("An answer that broke several rules counts under each."), "{text}");
    let csv = read(folder.path(), "dialogues.csv");
    assert!(csv.contains("\nAnswers that could not be read,no-block,error-repair,1\n"), "{csv}");
}

#[test]
fn fixes_are_counted_by_who_made_them() {
    let folder = rendered(&study());
    insta::assert_snapshot!(markdown(folder.path(), "fixes-by-provider"), @"
    **Fixes by provider, and how many of them left a reproducible notebook**

    | Provider | Fixes | Share | Versions | Reproducible after it |
    |:--|--:|--:|--:|--:|
    | rules | 2 | 66.7 % | 2 | 1 (50.0 %) |
    | openai | 1 | 33.3 % | 1 | 1 (100.0 %) |
    ");
    insta::assert_snapshot!(markdown(folder.path(), "fixes-by-rule"), @"
    **Fixes by rule, and how many of them left a reproducible notebook**

    | Rule | Fixes | Share | Versions | Reproducible after it |
    |:--|--:|--:|--:|--:|
    | numpy-alias | 2 | 66.7 % | 2 | 1 (50.0 %) |
    | pandas-append | 1 | 33.3 % | 1 | 0 (0.0 %) |
    ");
    let csv = read(folder.path(), "fixes-by-rule.csv");
    assert_eq!(csv, "rule,fixes,versions,reproducible\nnumpy-alias,2,2,1\npandas-append,1,1,0\n");
}

#[test]
fn a_cost_that_cannot_be_is_named() {
    let mut wrong = study();
    wrong.dialogues.calls[2].cost = -1.0;
    let folder = tempfile::tempdir().unwrap();
    wrong.write(folder.path());
    let error = crate::inputs::Inputs::read(folder.path(), None, crate::Flaky::Show).err().unwrap().to_string();
    assert!(error.ends_with("llm-calls.parquet: row 3: no call costs -1 USD"), "{error}");
}
