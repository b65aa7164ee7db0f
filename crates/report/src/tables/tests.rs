//! The tables of synthetic studies, those with the published counts among them.

use std::path::Path;

use nbrevive_corpus::{Condition, Failure, FixType, FlowState};
use serde_json::Value;

use crate::inputs::Inputs;
use crate::outcome_line::Line;
use crate::tables::Tables;
use crate::terminal;
use crate::testing::{Synthetic, published_path};

/// A study whose counts equal the published Tables 1 to 4.
fn as_published() -> Synthetic {
    let mut study = Synthetic::default();
    study.add_table(Condition::BASELINE, &[3007, 762, 59, 1494, 2043, 5010, 326, 19]);
    study.add_table(Condition::BACKPORT, &[2827, 781, 65, 1637, 1601, 5110, 409, 37, 253]);
    study.add_table(Condition::MODERNIZE, &[4208, 1095, 79, 1284, 304, 108, 288, 17, 19]);
    let fixes = [
        (FixType::RuntimeReduction, [3143, 835, 1365, 29, 77]),
        (FixType::ErrorRepair, [1120, 11172, 2548, 1233, 2906]),
        (FixType::ScoreCalibration, [434, 813, 19053, 23, 1233]),
    ];
    for (fix_type, counts) in fixes {
        for (state, count) in FlowState::COLUMNS.iter().zip(counts) {
            study.fixes.extend(std::iter::repeat_n((fix_type, *state), count));
        }
    }
    study
}

/// A study of a dozen versions.
fn small() -> Synthetic {
    let mut study = Synthetic::default();
    study.add_table(Condition::BASELINE, &[3, 1, 1, 0, 2, 4, 1, 0]);
    study.add_table(Condition::BACKPORT, &[5, 1, 0, 1, 1, 2, 0, 1, 1]);
    for (line, first, count) in [
        (Line::ErrorFreeCsvWithin, 3, 5),
        (Line::ErrorCsvWithin, 8, 1),
        (Line::ErrorNoCsv, 9, 1),
        (Line::Failed(Failure::LlmFailed), 10, 1),
    ] {
        study.add(Condition::MODERNIZE, line, first, count);
    }
    study.fixes = vec![
        (FixType::ErrorRepair, FlowState::ErrorFreeReproducible),
        (FixType::ErrorRepair, FlowState::ErrorFreeReproducible),
        (FixType::ErrorRepair, FlowState::ErrorNonReproducible),
        (FixType::ScoreCalibration, FlowState::ErrorFreeReproducible),
    ];
    study
}

/// The tables of a study, as files below `out`.
pub(super) fn rendered(study: &Synthetic) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    study.write(folder.path());
    let inputs = Inputs::read(folder.path(), Some(&published_path()), crate::Flaky::Show).unwrap();
    let (tables, _) = Tables::count(&inputs).unwrap();
    for product in tables.products() {
        product.write(&folder.path().join("out"), &[]).unwrap();
    }
    folder
}

pub(super) fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join("out/tables").join(name)).unwrap()
}

pub(super) fn json(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&read(folder, name)).unwrap()
}

#[test]
fn the_published_counts_come_out_as_published() {
    let folder = rendered(&as_published());
    for number in 1..=3 {
        let table = json(folder.path(), &format!("table{number}.json"));
        let rows = table["rows"].as_array().unwrap();
        assert_eq!(rows.len(), [8, 9, 9][number - 1]);
        for cell in rows.iter().chain([&table["total"]]) {
            assert_eq!(cell["count"], cell["published"]["count"], "table {number}: {cell}");
            assert_eq!(cell["share"], cell["published"]["share"], "table {number}: {cell}");
        }
    }
    let table = json(folder.path(), "table4.json");
    for row in &table["rows"].as_array().unwrap()[..3] {
        for cell in row["states"].as_object().unwrap().values() {
            assert_eq!(cell["count"], cell["published"]["count"], "{row}");
        }
    }
    let totals: Vec<&Value> = table["rows"].as_array().unwrap().iter().map(|row| &row["total"]["count"]).collect();
    // The first total is the sum of its states; the paper prints 4,449, which they do not add up to.
    assert_eq!(totals, [5449, 18_979, 21_556, 45_984]);
    assert!(read(folder.path(), "table4.md").contains("add up to 5,449, the printed total is 4,449"));
}

#[test]
fn the_markdown_of_the_published_counts() {
    let folder = rendered(&as_published());
    insta::assert_snapshot!(read(folder.path(), "table1.md"), @"
    **Table 1. Outcomes at baseline: the notebooks' own code in the contemporary environment**

    | Error status | Output | δs | Reproducibility | Ours | Share | 95 % interval | Published | Published share |
    |:--|:--|:--|:--|--:|--:|--:|--:|--:|
    | Error-free | w/ CSV | ≤ 10 % | Reproducible | 3,007 | 23.6 % | 22.9–24.4 % | 3,007 | 23.6 % |
    | Error-free | w/ CSV | > 10 % | Non-reproducible | 762 | 6.0 % | 5.6–6.4 % | 762 | 6.0 % |
    | Error-free | w/o CSV |  | Non-reproducible | 59 | 0.5 % | 0.4–0.6 % | 59 | 0.5 % |
    | Error | w/ CSV | ≤ 10 % | Reproducible | 1,494 | 11.7 % | 11.2–12.3 % | 1,494 | 11.7 % |
    | Error | w/ CSV | > 10 % | Non-reproducible | 2,043 | 16.1 % | 15.4–16.7 % | 2,043 | 16.1 % |
    | Error | w/o CSV |  | Non-reproducible | 5,010 | 39.4 % | 38.5–40.2 % | 5,010 | 39.4 % |
    | Timeout |  |  | Failed | 326 | 2.6 % | 2.3–2.9 % | 326 | 2.6 % |
    | Not saving |  |  | Failed | 19 | 0.1 % | 0.1–0.2 % | 19 | 0.1 % |
    | Total |  |  |  | 12,720 | 100.0 % | – | 12,720 | 100.0 % |

    Ours: 12,720 versions under baseline; study made-up (Made up) of 12,720 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc); intervals are Wilson's.

    Published: 12,720 notebooks from 79 Kaggle competitions (Bihui Jin, Kaiyuan Wang and Pengyu Nie, section 2.1.2, τ = 10%); not the same notebooks as ours, so counts cannot be compared and shares only with care.
    ");
    insta::assert_snapshot!(read(folder.path(), "table4.md"), @"
    **Table 4. Fixes by type, and the states of the notebooks after them**

    | Fix type | Source | Fixes | Timeout | Error non-reproducible | Error-free non-reproducible | Error reproducible | Error-free reproducible |
    |:--|:--|--:|--:|--:|--:|--:|--:|
    | Runtime-reduction | ours | 5,449 | 3,143 (57.7 %) | 835 (15.3 %) | 1,365 (25.1 %) | 29 (0.5 %) | 77 (1.4 %) |
    | Runtime-reduction | published | 4,449 | 3,143 (70.6 %) | 835 (18.8 %) | 1365 (30.7 %) | 29 (0.7 %) | 77 (1.7 %) |
    | Error-repair | ours | 18,979 | 1,120 (5.9 %) | 11,172 (58.9 %) | 2,548 (13.4 %) | 1,233 (6.5 %) | 2,906 (15.3 %) |
    | Error-repair | published | 18,979 | 1,120 (5.9 %) | 11,172 (58.9 %) | 2,548 (13.4 %) | 1,233 (6.5 %) | 2,906 (15.3 %) |
    | Score-calibration | ours | 21,556 | 434 (2.0 %) | 813 (3.8 %) | 19,053 (88.4 %) | 23 (0.1 %) | 1,233 (5.7 %) |
    | Score-calibration | published | 21,556 | 434 (2.0 %) | 813 (3.8 %) | 19,053 (88.4 %) | 23 (0.1 %) | 1,233 (5.7 %) |
    | Total | ours | 45,984 | 4,697 (10.2 %) | 12,820 (27.9 %) | 22,966 (49.9 %) | 1,285 (2.8 %) | 4,216 (9.2 %) |

    Ours: 45,984 fixes under modernize; study made-up (Made up) of 12,720 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc).

    Published: the fixes of 7,402 notebooks, made by a language model (Bihui Jin, Kaiyuan Wang and Pengyu Nie, section 4.2, τ = 10%); not the same notebooks as ours, so counts cannot be compared and shares only with care.

    Published as printed: the states of runtime-reduction add up to 5,449, the printed total is 4,449.
    ");
}

#[test]
fn the_files_of_a_small_study() {
    let folder = rendered(&small());
    insta::assert_snapshot!(read(folder.path(), "table2.md"), @"
    **Table 2. Outcomes after backporting: the notebooks' own code in environments of their dates**

    | Error status | Output | δs | Reproducibility | Ours | Share | 95 % interval | Published | Published share |
    |:--|:--|:--|:--|--:|--:|--:|--:|--:|
    | Error-free | w/ CSV | ≤ 10 % | Reproducible | 5 | 41.7 % | 19.3–68.0 % | 2,827 | 22.2 % |
    | Error-free | w/ CSV | > 10 % | Non-reproducible | 1 | 8.3 % | 1.5–35.4 % | 781 | 6.1 % |
    | Error-free | w/o CSV |  | Non-reproducible | 0 | 0.0 % | 0.0–24.2 % | 65 | 0.5 % |
    | Error | w/ CSV | ≤ 10 % | Reproducible | 1 | 8.3 % | 1.5–35.4 % | 1,637 | 12.9 % |
    | Error | w/ CSV | > 10 % | Non-reproducible | 1 | 8.3 % | 1.5–35.4 % | 1,601 | 12.6 % |
    | Error | w/o CSV |  | Non-reproducible | 2 | 16.7 % | 4.7–44.8 % | 5,110 | 40.2 % |
    | Timeout |  |  | Failed | 0 | 0.0 % | 0.0–24.2 % | 409 | 3.2 % |
    | Not saving |  |  | Failed | 1 | 8.3 % | 1.5–35.4 % | 37 | 0.3 % |
    | Backporting failed |  |  | Failed | 1 | 8.3 % | 1.5–35.4 % | 253 | 2.0 % |
    | Total |  |  |  | 12 | 100.0 % | – | 12,720 | 100.0 % |

    Ours: 12 versions under backport; study made-up (Made up) of 12 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc); intervals are Wilson's.

    Published: 12,720 notebooks from 79 Kaggle competitions (Bihui Jin, Kaiyuan Wang and Pengyu Nie, section 2.2.2, τ = 10%); not the same notebooks as ours, so counts cannot be compared and shares only with care.
    ");
    insta::assert_snapshot!(read(folder.path(), "table3.csv"), @"
    row,error_status,output_status,deviation,reproducibility,count,share,share_low,share_high,published_count,published_share
    error-free-csv-within,Error-free,w/ CSV,<=0.1,Reproducible,5,0.625,0.305742,0.863156,4208,0.568495
    error-free-csv-beyond,Error-free,w/ CSV,>0.1,Non-reproducible,0,0,0,0.324408,1095,0.147933
    error-free-no-csv,Error-free,w/o CSV,,Non-reproducible,0,0,0,0.324408,79,0.010673
    error-csv-within,Error,w/ CSV,<=0.1,Reproducible,1,0.125,0.022417,0.470888,1284,0.173467
    error-csv-beyond,Error,w/ CSV,>0.1,Non-reproducible,0,0,0,0.324408,304,0.04107
    error-no-csv,Error,w/o CSV,,Non-reproducible,1,0.125,0.022417,0.470888,108,0.014591
    timeout,Timeout,,,Failed,0,0,0,0.324408,288,0.038908
    not-saved,Not saving,,,Failed,0,0,0,0.324408,17,0.002297
    llm-failed,LLM failed,,,Failed,1,0.125,0.022417,0.470888,19,0.002567
    total,,,,,8,1,,,7402,1
    ");
    insta::assert_snapshot!(read(folder.path(), "table4.csv"), @"
    fix_type,led_to,count,share,share_low,share_high,published_count,published_share
    runtime-reduction,total,0,,,,4449,1
    runtime-reduction,timeout,0,,,,3143,0.706451
    runtime-reduction,error-non-reproducible,0,,,,835,0.187683
    runtime-reduction,error-free-non-reproducible,0,,,,1365,0.306811
    runtime-reduction,error-reproducible,0,,,,29,0.006518
    runtime-reduction,error-free-reproducible,0,,,,77,0.017307
    error-repair,total,3,1,,,18979,1
    error-repair,timeout,0,0,0,0.561497,1120,0.059013
    error-repair,error-non-reproducible,1,0.333333,0.061492,0.79234,11172,0.588651
    error-repair,error-free-non-reproducible,0,0,0,0.561497,2548,0.134254
    error-repair,error-reproducible,0,0,0,0.561497,1233,0.064967
    error-repair,error-free-reproducible,2,0.666667,0.20766,0.938508,2906,0.153117
    score-calibration,total,1,1,,,21556,1
    score-calibration,timeout,0,0,0,0.793451,434,0.020134
    score-calibration,error-non-reproducible,0,0,0,0.793451,813,0.037716
    score-calibration,error-free-non-reproducible,0,0,0,0.793451,19053,0.883884
    score-calibration,error-reproducible,0,0,0,0.793451,23,0.001067
    score-calibration,error-free-reproducible,1,1,0.206549,1,1233,0.0572
    total,total,4,1,,,,
    total,timeout,0,0,0,0.489891,,
    total,error-non-reproducible,1,0.25,0.045587,0.699358,,
    total,error-free-non-reproducible,0,0,0,0.489891,,
    total,error-reproducible,0,0,0,0.489891,,
    total,error-free-reproducible,3,0.75,0.300642,0.954413,,
    ");
}

#[test]
fn the_terminal_text_of_a_small_study() {
    let folder = tempfile::tempdir().unwrap();
    small().write(folder.path());
    insta::assert_snapshot!(terminal(folder.path(), Some(&published_path()), crate::Flaky::Show).unwrap(), @"
    Table 1. Outcomes at baseline: the notebooks' own code in the contemporary environment
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────
    Error status  Output   δs      Reproducibility   Ours    Share  95 % interval  Published  Published share
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────
    Error-free    w/ CSV   ≤ 10 %  Reproducible         3   25.0 %     8.9–53.2 %      3,007           23.6 %
    Error-free    w/ CSV   > 10 %  Non-reproducible     1    8.3 %     1.5–35.4 %        762            6.0 %
    Error-free    w/o CSV          Non-reproducible     1    8.3 %     1.5–35.4 %         59            0.5 %
    Error         w/ CSV   ≤ 10 %  Reproducible         0    0.0 %     0.0–24.2 %      1,494           11.7 %
    Error         w/ CSV   > 10 %  Non-reproducible     2   16.7 %     4.7–44.8 %      2,043           16.1 %
    Error         w/o CSV          Non-reproducible     4   33.3 %    13.8–60.9 %      5,010           39.4 %
    Timeout                        Failed               1    8.3 %     1.5–35.4 %        326            2.6 %
    Not saving                     Failed               0    0.0 %     0.0–24.2 %         19            0.1 %
    Total                                              12  100.0 %              –     12,720          100.0 %
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────
    Ours: 12 versions under baseline; study made-up (Made up) of 12 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc); intervals are Wilson's.
    Published: 12,720 notebooks from 79 Kaggle competitions (Bihui Jin, Kaiyuan Wang and Pengyu Nie, section 2.1.2, τ = 10%); not the same notebooks as ours, so counts cannot be compared and shares only with care.

    Table 2. Outcomes after backporting: the notebooks' own code in environments of their dates
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Error status        Output   δs      Reproducibility   Ours    Share  95 % interval  Published  Published share
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Error-free          w/ CSV   ≤ 10 %  Reproducible         5   41.7 %    19.3–68.0 %      2,827           22.2 %
    Error-free          w/ CSV   > 10 %  Non-reproducible     1    8.3 %     1.5–35.4 %        781            6.1 %
    Error-free          w/o CSV          Non-reproducible     0    0.0 %     0.0–24.2 %         65            0.5 %
    Error               w/ CSV   ≤ 10 %  Reproducible         1    8.3 %     1.5–35.4 %      1,637           12.9 %
    Error               w/ CSV   > 10 %  Non-reproducible     1    8.3 %     1.5–35.4 %      1,601           12.6 %
    Error               w/o CSV          Non-reproducible     2   16.7 %     4.7–44.8 %      5,110           40.2 %
    Timeout                              Failed               0    0.0 %     0.0–24.2 %        409            3.2 %
    Not saving                           Failed               1    8.3 %     1.5–35.4 %         37            0.3 %
    Backporting failed                   Failed               1    8.3 %     1.5–35.4 %        253            2.0 %
    Total                                                    12  100.0 %              –     12,720          100.0 %
    ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Ours: 12 versions under backport; study made-up (Made up) of 12 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc); intervals are Wilson's.
    Published: 12,720 notebooks from 79 Kaggle competitions (Bihui Jin, Kaiyuan Wang and Pengyu Nie, section 2.2.2, τ = 10%); not the same notebooks as ours, so counts cannot be compared and shares only with care.

    Table 3. Outcomes after modernizing the notebooks that ran at baseline without reproducing
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────
    Error status  Output   δs      Reproducibility   Ours    Share  95 % interval  Published  Published share
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────
    Error-free    w/ CSV   ≤ 10 %  Reproducible         5   62.5 %    30.6–86.3 %      4,208           56.8 %
    Error-free    w/ CSV   > 10 %  Non-reproducible     0    0.0 %     0.0–32.4 %      1,095           14.8 %
    Error-free    w/o CSV          Non-reproducible     0    0.0 %     0.0–32.4 %         79            1.1 %
    Error         w/ CSV   ≤ 10 %  Reproducible         1   12.5 %     2.2–47.1 %      1,284           17.3 %
    Error         w/ CSV   > 10 %  Non-reproducible     0    0.0 %     0.0–32.4 %        304            4.1 %
    Error         w/o CSV          Non-reproducible     1   12.5 %     2.2–47.1 %        108            1.5 %
    Timeout                        Failed               0    0.0 %     0.0–32.4 %        288            3.9 %
    Not saving                     Failed               0    0.0 %     0.0–32.4 %         17            0.2 %
    LLM failed                     Failed               1   12.5 %     2.2–47.1 %         19            0.3 %
    Total                                               8  100.0 %              –      7,402          100.0 %
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────
    Ours: 8 versions under modernize; study made-up (Made up) of 12 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc); intervals are Wilson's.
    Published: 7,402 notebooks that ran at baseline without reproducing (Bihui Jin, Kaiyuan Wang and Pengyu Nie, section 4.1, τ = 10%); not the same notebooks as ours, so counts cannot be compared and shares only with care.

    Table 4. Fixes by type, and the states of the notebooks after them
    ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Fix type           Source      Fixes         Timeout  Error non-reproducible  Error-free non-reproducible  Error reproducible  Error-free reproducible
    ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Runtime-reduction  ours            0               0                       0                            0                   0                        0
    Runtime-reduction  published   4,449  3,143 (70.6 %)            835 (18.8 %)                1365 (30.7 %)          29 (0.7 %)               77 (1.7 %)
    Error-repair       ours            3       0 (0.0 %)              1 (33.3 %)                    0 (0.0 %)           0 (0.0 %)               2 (66.7 %)
    Error-repair       published  18,979   1,120 (5.9 %)         11,172 (58.9 %)               2,548 (13.4 %)       1,233 (6.5 %)           2,906 (15.3 %)
    Score-calibration  ours            1       0 (0.0 %)               0 (0.0 %)                    0 (0.0 %)           0 (0.0 %)              1 (100.0 %)
    Score-calibration  published  21,556     434 (2.0 %)             813 (3.8 %)              19,053 (88.4 %)          23 (0.1 %)            1,233 (5.7 %)
    Total              ours            4       0 (0.0 %)              1 (25.0 %)                    0 (0.0 %)           0 (0.0 %)               3 (75.0 %)
    ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Ours: 4 fixes under modernize; study made-up (Made up) of 12 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc).
    Published: the fixes of 7,402 notebooks, made by a language model (Bihui Jin, Kaiyuan Wang and Pengyu Nie, section 4.2, τ = 10%); not the same notebooks as ours, so counts cannot be compared and shares only with care.
    Published as printed: the states of runtime-reduction add up to 5,449, the printed total is 4,449.

    Table 5. What language models cost: means for a notebook and for a fix
    ──────────────────────────────────────────────────────────────────────────────────────────────
    Per                Source     Count  Cost (USD)  Input (not cached)  Input (cached)     Output
    ──────────────────────────────────────────────────────────────────────────────────────────────
    Notebook           ours           0           –                   –               –          –
    Notebook           published      –      0.3091           28,804.66       18,532.52  18,243.75
    Runtime-reduction  ours           0           –                   –               –          –
    Runtime-reduction  published      –      0.0596            4,191.27        2,134.31   3,705.66
    Error-repair       ours           0           –                   –               –          –
    Error-repair       published      –      0.0499            5,191.70        2,930.77   2,877.34
    Score-calibration  ours           0           –                   –               –          –
    Score-calibration  published      –      0.0497            4,434.95        3,329.98   2,953.75
    ──────────────────────────────────────────────────────────────────────────────────────────────
    Ours: no language model was called, so nothing was paid; study made-up (Made up) of 12 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc).
    Published: the calls of a language model for 7,402 notebooks (Bihui Jin, Kaiyuan Wang and Pengyu Nie, section 4.4); other notebooks, another model and the prices of its day, so costs can be compared only with care.
    ");
}

#[test]
fn without_published_numbers_ours_stand_alone() {
    let folder = tempfile::tempdir().unwrap();
    small().write(folder.path());
    let text = terminal(folder.path(), None, crate::Flaky::Show).unwrap();
    assert!(!text.to_lowercase().contains("published"), "{text}");
    insta::assert_snapshot!(text.split_once("Table 4").unwrap().1, @"
    . Fixes by type, and the states of the notebooks after them
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Fix type           Fixes    Timeout  Error non-reproducible  Error-free non-reproducible  Error reproducible  Error-free reproducible
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Runtime-reduction      0          0                       0                            0                   0                        0
    Error-repair           3  0 (0.0 %)              1 (33.3 %)                    0 (0.0 %)           0 (0.0 %)               2 (66.7 %)
    Score-calibration      1  0 (0.0 %)               0 (0.0 %)                    0 (0.0 %)           0 (0.0 %)              1 (100.0 %)
    Total                  4  0 (0.0 %)              1 (25.0 %)                    0 (0.0 %)           0 (0.0 %)               3 (75.0 %)
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Ours: 4 fixes under modernize; study made-up (Made up) of 12 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc).

    Table 5. What language models cost: means for a notebook and for a fix
    ────────────────────────────────────────────────────────────────────────────────
    Per                Count  Cost (USD)  Input (not cached)  Input (cached)  Output
    ────────────────────────────────────────────────────────────────────────────────
    Notebook               0           –                   –               –       –
    Runtime-reduction      0           –                   –               –       –
    Error-repair           0           –                   –               –       –
    Score-calibration      0           –                   –               –       –
    ────────────────────────────────────────────────────────────────────────────────
    Ours: no language model was called, so nothing was paid; study made-up (Made up) of 12 versions, baseline environment contemporary with Python 3.12.3, 2 cores, 23 GiB, Linux x86_64, at most 600 s a notebook, τ = 10 %, at most 16 fixes, nbrevive 0.1.0 (0123abc).
    ");
}

#[test]
fn a_condition_without_rows_shows_no_share() {
    let mut study = small();
    study.outcomes.retain(|row| row.condition == Condition::BASELINE);
    study.fixes.clear();
    let folder = rendered(&study);
    let text = read(folder.path(), "table2.md");
    assert!(text.contains("no version was run under backport"), "{text}");
    assert!(!text.contains("NaN"), "{text}");
    insta::assert_snapshot!(text.lines().nth(4).unwrap(), @"| Error-free | w/ CSV | ≤ 10 % | Reproducible | 0 | – | – | 2,827 | 22.2 % |");
    insta::assert_snapshot!(read(folder.path(), "table4.md").lines().nth(4).unwrap(), @"| Runtime-reduction | ours | 0 | 0 | 0 | 0 | 0 | 0 |");
}

#[test]
fn one_version_is_a_study() {
    let mut study = Synthetic { tau: 0.07, title: "One *bold* | title".to_owned(), ..Synthetic::default() };
    study.add(Condition::BASELINE, Line::ErrorNoCsv, 0, 1);
    let folder = rendered(&study);
    let text = read(folder.path(), "table1.md");
    assert!(text.contains("| Error | w/o CSV |  | Non-reproducible | 1 | 100.0 % | 20.7–100.0 % |"), "{text}");
    assert!(text.contains("≤ 7 %") && text.contains("One \\*bold\\* \\| title"), "{text}");
}
