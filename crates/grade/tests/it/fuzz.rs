//! Submissions that want to break the reader of CSV; see the crate `fuzz`.

use std::cell::OnceCell;

use nbrevive_corpus::Prediction;
use nbrevive_fuzz::{Shape, Target, attack, code_of};
use nbrevive_grade::{Answers, Metric, Task, grade};

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
            let task = Task::new(metric, "id", vec!["y".to_owned()], prediction).expect("the task fits its metric");
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
    attack(&Target {
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
