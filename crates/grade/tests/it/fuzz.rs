//! Submissions that want to break the reader of CSV; see the crate `fuzz`.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use nbrevive_corpus::Prediction;
use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};
use nbrevive_grade::{Answers, GradingTask, Metric, MleAnswers, SubmissionLimits, grade, mle_competitions};

/// A folder with answers in which one submission after the other is put.
struct Desk {
    folder: tempfile::TempDir,
    answers: Vec<Answers>,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("answers.csv");
        let tasks = [
            (Metric::Rmsle, Prediction::Value, "id,y\n1,1.5\n2,0\n3,7\n"),
            (Metric::MacroF1, Prediction::Label, "id,y\na,red\nb,blue\nc,red\n"),
            (Metric::QuadraticWeightedKappa, Prediction::Label, "id,y\n1,0\n2,4\n3,2\n"),
            (Metric::RocAuc, Prediction::Probability, "id,y\n1,0\n2,1\n3,1\n"),
        ];
        let answers = tasks.map(|(metric, prediction, text)| {
            std::fs::write(&path, text).expect("the folder takes files");
            let task =
                GradingTask::new(metric, "id", vec!["y".to_owned()], prediction).expect("the task fits its metric");
            Answers::read(&path, &task).expect("the answers are usable")
        });
        Self { folder, answers: answers.into() }
    }

    fn grade(&self, submission: &[u8]) -> u64 {
        let path = self.folder.path().join("submission.csv");
        // A file that is cut to nothing and written again is flushed by some file systems, a new one is not.
        let _ = std::fs::remove_file(&path);
        std::fs::write(&path, submission).expect("the folder takes files");
        let kinds = self.answers.iter().map(|answers| match grade(&path, answers) {
            Ok(score) => {
                assert!(score.value().is_finite());
                "score"
            }
            Err(invalid) => {
                assert!(invalid.to_string().len() < 10_000, "a message that nobody reads");
                invalid.kind()
            }
        });
        code_of(&kinds.collect::<Vec<_>>().join(" "))
    }
}

thread_local! {
    static DESK: OnceCell<Desk> = const { OnceCell::new() };
}

#[test]
fn submissions() {
    attack(&FuzzTarget {
        name: "submission",
        test: "fuzz::submissions",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[
            b"id,y\n1,1.5\n2,0.25\n3,1e-1\n",
            b"\xef\xbb\xbfy,id,\"a \"\"b\"\"\"\r\nred,a,\"1\n2\"\r\n\"blue\",b\r\n\n \nred,c,\r\n",
            b"id,y\r1,4\r2,0\r3,2\r",
        ],
        words: &[
            b"\"", b"\"\"", b",", b"\n", b"\r", b"\r\n", b"id", b"y", b"NaN", b"1e", b"0", b"-", b"True", b" ",
            b"\x00", b"9",
        ],
        shapes: &[
            Shape {
                name: "columns",
                make: |size| b"id,y".iter().copied().chain(b",".iter().copied().cycle().take(size)).collect(),
            },
            Shape { name: "rows", make: |size| [b"id,y\n".to_vec(), b"1,1\n".repeat(size / 4)].concat() },
            Shape {
                name: "one long number",
                make: |size| [b"id,y\n1,".to_vec(), b"1".repeat(size), b"\n2,2\n3,3\n".to_vec()].concat(),
            },
            Shape {
                name: "one long fraction",
                make: |size| [b"id,y\n1,0.".to_vec(), b"1".repeat(size), b"\n2,2\n3,3\n".to_vec()].concat(),
            },
            Shape { name: "an open quote", make: |size| [b"id,y\n1,\"".to_vec(), b"1,1\n".repeat(size / 4)].concat() },
            Shape { name: "blank lines", make: |size| [b"id,y\n".to_vec(), b" \r\n".repeat(size / 3)].concat() },
        ],
        bytes_per_byte: 20,
        most_bytes: usize::MAX,
        mutations: 15_000,
        parse: |bytes| DESK.with(|desk| desk.get_or_init(Desk::new).grade(bytes)),
    });
}

/// A competition of MLE-bench with answers, and a submission that fits.
struct Reader {
    answers: MleAnswers,
    submission: Vec<u8>,
}

/// A reader for each of the 82 competitions, in the order of the list.
fn readers() -> Vec<Reader> {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../data/mle-bench-vectors.json")).expect("the vectors are JSON");
    let cases: BTreeMap<String, Vec<BTreeMap<String, serde_json::Value>>> =
        serde_json::from_value(vectors["cases"].clone()).expect("they have cases");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("answers");
    let reader = |id: &String| {
        let rules = mle_competitions().iter().find(|rules| rules.id == *id).expect("it is one of the list");
        let text = |name: &str| cases[id].iter().find_map(|case| case.get(name)?.as_str());
        let (table_answers, table_submission) = tables(&rules.target_columns);
        let answers = text("answers").unwrap_or(&table_answers);
        let submission = text("submission").unwrap_or(&table_submission);
        std::fs::write(&path, answers).expect("the folder takes files");
        Reader {
            answers: MleAnswers::read(&path, rules).expect("the answers are usable"),
            submission: submission.into(),
        }
    };
    let readers: Vec<Reader> = mle_competitions().iter().map(|rules| reader(&rules.id)).collect();
    assert_eq!(readers.len(), 82);
    readers
}

/// Answers and a submission with a class a column, for those whose cases have no texts.
fn tables(classes: &[String]) -> (String, String) {
    let row = |id: usize, first: f64, other: f64| {
        let cells = (0..classes.len()).map(|class| if class == id { first } else { other }.to_string());
        format!("{id},{}\n", cells.collect::<Vec<_>>().join(","))
    };
    let header = format!("id,{}\n", classes.join(","));
    let rest = 0.5 / (classes.len() as f64 - 1.0);
    let table = |first, other| (0..2).map(|id| row(id, first, other)).fold(header.clone(), |table, row| table + &row);
    (table(1.0, 0.0), table(0.5, rest))
}

/// The answer of the reader that the first byte names to the submission after it.
fn answer(submission: &[u8]) -> u64 {
    thread_local! {
        static READERS: OnceCell<(tempfile::TempDir, Vec<Reader>)> = const { OnceCell::new() };
    }
    let Some((&number, submission)) = submission.split_first() else { return 0 };
    READERS.with(|cell| {
        let (folder, readers) = cell.get_or_init(|| (tempfile::tempdir().expect("a temporary folder"), readers()));
        let path = folder.path().join("submission.csv");
        let _ = std::fs::remove_file(&path);
        std::fs::write(&path, submission).expect("the folder takes files");
        let number = usize::from(number) % readers.len();
        match readers[number].answers.grade(&path, &SubmissionLimits::default()) {
            Ok(_) => code_of(&format!("{number} score")),
            Err(invalid) => {
                assert!(invalid.to_string().len() < 10_000, "a message that nobody reads");
                code_of(&format!("{number} {}", invalid.kind()))
            }
        }
    })
}

/// The number of a competition as an input names it.
fn number(id: &str) -> u8 {
    mle_competitions().iter().position(|rules| rules.id == id).expect("it is one of the list") as u8
}

/// A submission of one row to a competition: its header, its id, and a cell of about so many bytes.
fn long_cell(id: &str, head: &str, piece: &str, size: usize) -> Vec<u8> {
    let cell = piece.bytes().cycle().take(size / piece.len() * piece.len());
    [number(id)].into_iter().chain(head.bytes()).chain(cell).chain(*b"\n").collect()
}

#[test]
fn submissions_to_every_competition() {
    let readers = readers();
    let examples: Vec<Vec<u8>> =
        (0..).zip(&readers).map(|(number, reader)| [vec![number], reader.submission.clone()].concat()).collect();
    attack(&FuzzTarget {
        name: "submission-of-each",
        test: "fuzz::submissions_to_every_competition",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &examples.iter().map(Vec::as_slice).collect::<Vec<_>>(),
        words: &[
            b"\"", b"\"\"", b",", b"\n", b"\r", b"\n\r ", b"NaN", b"1e999", b"-1", b"0", b"True", b" ", b"\x00",
            b"_long", b"1 1", b"0x1", b"1_0", b":",
        ],
        shapes: &[
            Shape {
                name: "runs of pixels",
                make: |size| long_cell("tgs-salt-identification-challenge", "id,rle_mask\na,", "1 1 ", size),
            },
            Shape {
                name: "boxes",
                make: |size| {
                    let head = "image_id,PredictionString\na,14 1 0 0 1 1";
                    long_cell("vinbigdata-chest-xray-abnormalities-detection", head, " 14 1 0 0 1 1", size)
                },
            },
            Shape {
                name: "words",
                make: |size| long_cell("tweet-sentiment-extraction", "textID,selected_text\na,", "word ", size),
            },
            Shape { name: "names of cells", make: |size| long_cell("AI4Code", "id,cell_order\na,", "abc ", size) },
            Shape {
                name: "numbers of gestures",
                make: |size| long_cell("multi-modal-gesture-recognition", "Id,Sequence\n1,", "1 ", size),
            },
        ],
        // A row of two bytes has a cell of 16 bytes in each of up to 120 columns.
        bytes_per_byte: 2000,
        most_bytes: usize::MAX,
        mutations: 12_000,
        parse: answer,
    });
}
