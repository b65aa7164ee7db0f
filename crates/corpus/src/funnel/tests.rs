use std::path::Path;

use proptest::prelude::*;

use super::*;

/// A version that every step of the paper keeps.
const KEPT: FunnelCandidate = FunnelCandidate {
    in_competition: Some(true),
    copied: Some(false),
    empty: Some(false),
    ran: Some(true),
    score: Some(0.77),
    run_seconds: Some(600.0),
    language: Some(CodeLanguage::Python),
    content_language: Some(CodeLanguage::Python),
    kind: Some(CodeKind::Notebook),
    external_data: Some(false),
};

fn parse(text: &str) -> Result<Funnel, String> {
    #[derive(serde::Deserialize)]
    struct File {
        #[serde(default)]
        funnel: Funnel,
    }
    toml::from_str::<File>(text).map(|file| file.funnel).map_err(|error| error.to_string())
}

fn judged(candidate: FunnelCandidate) -> String {
    Funnel::default().judge(&candidate).map_or_else(|dropped| dropped.to_string(), |()| "kept".to_owned())
}

#[test]
fn each_step_drops_what_the_paper_drops() {
    assert_eq!(judged(KEPT), "kept");
    let cases = [
        (FunnelCandidate { in_competition: Some(false), ..KEPT }, "no-competition at step in-competition"),
        (FunnelCandidate { copied: Some(true), ..KEPT }, "copied at step not-copied"),
        (FunnelCandidate { empty: Some(true), ..KEPT }, "empty at step not-empty"),
        (FunnelCandidate { ran: Some(false), ..KEPT }, "failed at step ran-successfully"),
        (FunnelCandidate { score: None, ..KEPT }, "no-score at step score-not-zero"),
        (FunnelCandidate { score: Some(f64::NAN), ..KEPT }, "no-score at step score-not-zero"),
        (FunnelCandidate { score: Some(-0.0), ..KEPT }, "zero-score at step score-not-zero"),
        (FunnelCandidate { run_seconds: Some(600.001), ..KEPT }, "too-slow at step run-time"),
        (FunnelCandidate { run_seconds: Some(f64::INFINITY), ..KEPT }, "too-slow at step run-time"),
        (FunnelCandidate { language: Some(CodeLanguage::R), ..KEPT }, "r at step python"),
        (FunnelCandidate { language: Some(CodeLanguage::RMarkdown), ..KEPT }, "rmarkdown at step python"),
        (FunnelCandidate { language: Some(CodeLanguage::Julia), ..KEPT }, "julia at step python"),
        (FunnelCandidate { language: Some(CodeLanguage::Sqlite), ..KEPT }, "sqlite at step python"),
        (FunnelCandidate { language: Some(CodeLanguage::Other), ..KEPT }, "other-language at step python"),
        (FunnelCandidate { content_language: Some(CodeLanguage::R), ..KEPT }, "r-by-content at step python"),
        (FunnelCandidate { content_language: Some(CodeLanguage::Julia), ..KEPT }, "julia-by-content at step python"),
        (FunnelCandidate { kind: Some(CodeKind::Script), ..KEPT }, "script at step python"),
        (FunnelCandidate { external_data: Some(true), ..KEPT }, "external-data at step no-external-data"),
    ];
    for (candidate, expected) in cases {
        assert_eq!(judged(candidate), expected);
    }
}

#[test]
fn the_unknown_is_kept_or_dropped_as_each_step_says() {
    let kept = [
        FunnelCandidate { copied: None, ..KEPT },
        FunnelCandidate { empty: None, ..KEPT },
        FunnelCandidate { ran: None, ..KEPT },
        FunnelCandidate { language: None, content_language: None, kind: None, ..KEPT },
    ];
    for candidate in kept {
        assert_eq!(judged(candidate), "kept", "{candidate:?}");
    }
    let dropped = [
        (FunnelCandidate { in_competition: None, ..KEPT }, "unknown-competition at step in-competition"),
        (FunnelCandidate { run_seconds: None, ..KEPT }, "unknown-run-time at step run-time"),
        (FunnelCandidate { run_seconds: Some(-1.0), ..KEPT }, "unknown-run-time at step run-time"),
        (FunnelCandidate { external_data: None, ..KEPT }, "unknown-data at step no-external-data"),
    ];
    for (candidate, expected) in dropped {
        assert_eq!(judged(candidate), expected);
    }
    let turned = parse(
        "[[funnel]]\nstep = \"not-copied\"\nunknown = \"drop\"\n[[funnel]]\nstep = \"run-time\"\nunknown = \"keep\"\n",
    );
    let turned = turned.unwrap();
    assert_eq!(turned.judge(&FunnelCandidate { copied: None, ..KEPT }).unwrap_err().reason, DropReason::UnknownCopy);
    assert!(turned.judge(&FunnelCandidate { run_seconds: None, ..KEPT }).is_ok());
}

#[test]
fn a_study_sets_order_limits_and_scripts() {
    let funnel = parse(
        "[[funnel]]\nstep = \"python\"\nscripts = \"keep\"\n[[funnel]]\nstep = \"run-time\"\nat_most_seconds = 60\n",
    );
    let funnel = funnel.unwrap();
    let names: Vec<StepName> = funnel.steps().iter().map(Step::name).collect();
    assert_eq!(names, [StepName::Python, StepName::RunTime]);
    assert!(funnel.judge(&FunnelCandidate { kind: Some(CodeKind::Script), run_seconds: Some(60.0), ..KEPT }).is_ok());
    assert_eq!(
        funnel.judge(&FunnelCandidate { run_seconds: Some(61.0), ..KEPT }).unwrap_err().reason,
        DropReason::TooSlow
    );
    assert_eq!(parse("").unwrap(), Funnel::default());
}

#[test]
fn slips_in_the_file_are_named() {
    let cases = [
        ("step = \"not-coppied\"", "unknown step `not-coppied`: expected one of in-competition, not-copied"),
        ("step = \"python\"\nat_most_seconds = 5", "step `python` of the funnel has no setting `at_most_seconds`"),
        ("step = \"not-copied\"\nscripts = \"keep\"", "it belongs to step `python`"),
        ("step = \"run-time\"\nat_most_seconds = 0.0", "must be a number above 0"),
        ("step = \"run-time\"\nat_most_seconds = nan", "must be a number above 0"),
        ("step = \"run-time\"\nseconds = 5", "unknown field `seconds`"),
        (
            "step = \"python\"\nunknown = \"perhaps\"",
            "unknown rule for the unknown `perhaps`: expected one of keep, drop",
        ),
        ("step = \"python\"\n[[funnel]]\nstep = \"python\"", "step `python` stands twice"),
    ];
    for (entry, expected) in cases {
        let error = parse(&format!("[[funnel]]\n{entry}\n")).unwrap_err();
        assert!(error.contains(expected), "{entry}: {error}");
    }
}

#[test]
fn what_is_written_reads_back() {
    let funnel = Funnel::default();
    let text = serde_json::to_string(&funnel).unwrap();
    assert_eq!(serde_json::from_str::<Funnel>(&text).unwrap(), funnel);
    assert!(text.contains("\"at_most_seconds\":600.0"), "{text}");
}

fn published() -> PublishedFunnel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/mle-modernizer/published");
    PublishedFunnel::load(&path).unwrap().unwrap()
}

fn tally() -> Tally {
    let funnel = Funnel::default();
    let mut tally = Tally::new(&funnel);
    let mut count = |number: usize, candidate: FunnelCandidate| {
        for _ in 0..number {
            // The tally is the point here, not the single judgement.
            let _ = tally.judge(&funnel, &candidate);
        }
    };
    count(300, KEPT);
    count(5, FunnelCandidate { copied: None, ..KEPT });
    count(200, FunnelCandidate { copied: Some(true), ..KEPT });
    count(20, FunnelCandidate { empty: Some(true), ..KEPT });
    count(90, FunnelCandidate { ran: Some(false), ..KEPT });
    count(700, FunnelCandidate { score: None, ..KEPT });
    count(8, FunnelCandidate { score: Some(0.0), ..KEPT });
    count(60, FunnelCandidate { run_seconds: Some(3600.0), ..KEPT });
    count(12, FunnelCandidate { language: Some(CodeLanguage::R), ..KEPT });
    count(2, FunnelCandidate { content_language: Some(CodeLanguage::R), ..KEPT });
    count(40, FunnelCandidate { external_data: Some(true), ..KEPT });
    tally
}

#[test]
fn the_funnel_stands_beside_the_paper() {
    insta::assert_snapshot!(tally().beside(Some(&published())), @r#"
    step                      kept     dropped       paper   why
    mined                    1,437
    in-competition           1,437           0
    not-copied               1,237         200               200 copied, kept without knowing: 5
    not-empty                1,217          20     171,075   20 empty
    ran-successfully         1,127          90               90 failed
    score-not-zero             419         708               700 no-score, 8 zero-score
    run-time                   359          60               60 too-slow
    python                     345          14               12 r, 2 r-by-content
    no-external-data           305          40      12,720   40 external-data
    ours: mined 1,437 → in-competition 1,437 → not-copied 1,237 → not-empty 1,217 → ran-successfully 1,127 → score-not-zero 419 → run-time 359 → python 345 → no-external-data 305
    paper (section 2.1.1, notebooks of 79 Kaggle competitions): not-empty 171,075 → … → no-external-data 12,720
    "#);
}

#[test]
fn without_the_paper_ours_stands_alone() {
    let funnel = parse("funnel = [{ step = \"not-copied\" }]").unwrap();
    let mut tally = Tally::new(&funnel);
    assert!(tally.judge(&funnel, &FunnelCandidate { copied: Some(true), ..KEPT }).is_err());
    insta::assert_snapshot!(tally, @r#"
    step                      kept     dropped   why
    mined                        1
    not-copied                   0           1   1 copied
    ours: mined 1 → not-copied 0
    "#);
}

#[test]
fn the_tally_as_json() {
    let funnel = parse("funnel = [{ step = \"not-copied\" }]").unwrap();
    let mut tally = Tally::new(&funnel);
    for copied in [Some(true), Some(false), None] {
        let _ = tally.judge(&funnel, &FunnelCandidate { copied, ..KEPT });
    }
    insta::assert_snapshot!(serde_json::to_string(&tally).unwrap(), @r#"{"mined":3,"kept":2,"steps":[{"step":"not-copied","kept":2,"dropped":1,"unknown_kept":1,"reasons":{"copied":1}}]}"#);
}

fn candidate() -> impl Strategy<Value = FunnelCandidate> {
    let fact = || prop::option::of(any::<bool>());
    let score = prop::option::of(prop_oneof![Just(0.0), Just(f64::NAN), 0.1..1.0_f64]);
    let seconds = prop::option::of(-10.0..1200.0_f64);
    let language = || prop::option::of(prop::sample::select(CodeLanguage::ALL));
    let kind = prop::option::of(prop::sample::select(CodeKind::ALL));
    (fact(), fact(), fact(), fact(), fact(), score, seconds, language(), language(), kind).prop_map(
        |(in_competition, copied, empty, ran, external_data, score, run_seconds, language, content_language, kind)| {
            FunnelCandidate {
                in_competition,
                copied,
                empty,
                ran,
                score,
                run_seconds,
                language,
                content_language,
                kind,
                external_data,
            }
        },
    )
}

proptest! {
    #[test]
    fn parts_merge_into_the_whole(candidates in prop::collection::vec(candidate(), 0..200), cut in 0..200_usize) {
        let funnel = Funnel::default();
        let count = |candidates: &[FunnelCandidate]| {
            let mut tally = Tally::new(&funnel);
            let kept = candidates.iter().filter(|candidate| tally.judge(&funnel, candidate).is_ok()).count();
            (tally, kept)
        };
        let (whole, kept) = count(&candidates);
        let (left, right) = candidates.split_at(cut.min(candidates.len()));
        let (mut merged, _) = count(left);
        merged.merge(&count(right).0);
        prop_assert_eq!(&merged, &whole);
        prop_assert_eq!((whole.mined(), whole.kept()), (candidates.len() as u64, kept as u64));
    }

    #[test]
    fn the_order_of_the_steps_changes_reasons_but_not_who_is_kept(candidate in candidate(), seed in any::<u64>()) {
        let mut steps = Funnel::default().steps().to_vec();
        steps.sort_by_key(|step| (step.name() as u64).wrapping_mul(seed | 1));
        let other = Funnel::new(steps).unwrap();
        prop_assert_eq!(Funnel::default().judge(&candidate).is_ok(), other.judge(&candidate).is_ok());
    }
}
