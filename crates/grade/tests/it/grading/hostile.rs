//! What a notebook may leave in the place of its submission to harm who reads it: each ends in a reason, at little cost.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

use nbrevive_corpus::Prediction;
use nbrevive_fuzz::metered;
use nbrevive_grade::{Answers, Invalid, Malformation, Metric, grade};

use crate::grading::desk::task;

/// What no refusal may cost beside the file's own bytes.
const LITTLE: usize = 4 << 20;

/// Grades what `leave` puts in the place of the submission; the reason, and how much memory it took to find it.
fn left(leave: impl FnOnce(&Path)) -> (Invalid, usize) {
    let folder = tempfile::tempdir().expect("a folder of its own");
    let (answers, submission) = (folder.path().join("answers.csv"), folder.path().join("submission.csv"));
    std::fs::write(&answers, "id,price\n1,10\n2,20\n").expect("the answers are written");
    let answers = Answers::read(&answers, &task(Metric::Rmse, Prediction::Value, &["id", "price"]));
    let answers = answers.expect("the answers are sound");
    leave(&submission);
    let (result, cost) = metered(|| grade(&submission, &answers));
    (result.expect_err("nothing hostile is graded"), cost.bytes)
}

/// The same for a file of these parts.
fn written(parts: &[&[u8]]) -> (Invalid, usize) {
    left(|path| {
        let mut file = File::create(path).expect("the file is made");
        parts.iter().for_each(|part| file.write_all(part).expect("it is written"));
    })
}

#[test]
fn a_link_to_a_secret_gives_nothing_of_it_away() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "id,price\n1,TOP-SECRET\n2,20\n").unwrap();
    let (reason, _) = left(|path| symlink(&secret, path).unwrap());
    assert_eq!(reason, Invalid::NotAFile { found: "a symbolic link" });
    let (reason, _) = left(|path| symlink("answers.csv", path).unwrap());
    assert_eq!(reason, Invalid::NotAFile { found: "a symbolic link" });
}

/// The sandbox lets nothing be linked that the notebook did not bring or make itself: a second name of a file is that file.
#[test]
fn a_second_name_of_a_file_is_read_as_the_file() {
    let (reason, _) = left(|path| {
        let other = path.with_file_name("other");
        std::fs::write(&other, "id,price\n1,x\n2,20\n").unwrap();
        std::fs::hard_link(&other, path).unwrap();
    });
    assert_eq!(reason.kind(), "not-numeric");
}

#[test]
fn pipes_and_folders_are_no_submissions() {
    let pipe = |path: &Path| rustix::fs::mkfifoat(rustix::fs::CWD, path, rustix::fs::Mode::RWXU).unwrap();
    assert_eq!(left(pipe).0, Invalid::NotAFile { found: "a pipe" });
    assert_eq!(left(|path| std::fs::create_dir(path).unwrap()).0, Invalid::NotAFile { found: "a folder" });
}

#[test]
fn ten_gigabytes_of_nothing_are_not_read() {
    let (reason, bytes) = left(|path| {
        let file = File::create(path).unwrap();
        file.set_len(10 << 30).unwrap();
        assert!(file.metadata().unwrap().blocks() < 1 << 10, "the file system keeps holes");
    });
    assert_eq!(reason, Invalid::TooLarge { bytes: 10 << 30, limit: 256 << 20 });
    assert!(bytes < 64 << 10, "{bytes}");
}

#[test]
fn ten_million_columns_are_too_many() {
    let commas = b",".repeat(10_000_000);
    let (reason, bytes) = written(&[b"id,price", &commas, b"\n1,10\n2,20\n"]);
    let most = 65_536;
    assert_eq!(reason, Invalid::NotCsv { line: 1, reason: Malformation::TooManyFields { most } });
    assert!(bytes < commas.len() + LITTLE, "{bytes}");
    let (reason, bytes) = written(&[b"id,price\n1,10\n2,20", &commas]);
    assert_eq!(reason, Invalid::NotCsv { line: 3, reason: Malformation::TooManyFields { most: 2 } });
    assert!(bytes < commas.len() + LITTLE, "{bytes}");
}

#[test]
fn quotes_that_never_close_and_quotes_without_end() {
    let rows = b"1,10\n".repeat(2_000_000);
    let (reason, bytes) = written(&[b"id,price\n1,\"", &rows]);
    assert_eq!(reason, Invalid::NotCsv { line: 2, reason: Malformation::OpenQuote { field: 2 } });
    assert!(bytes < rows.len() + LITTLE, "{bytes}");
    let quotes = b"\"".repeat(10_000_000);
    let (reason, bytes) = written(&[b"id,price\n1,", &quotes, b"\n2,20\n"]);
    assert_eq!(reason.kind(), "not-numeric");
    // A field with quotes in it is copied.
    assert!(bytes < 3 * quotes.len() + LITTLE, "{bytes}");
}

#[test]
fn a_hundred_megabytes_of_line_ends_are_nothing() {
    let ends = b"\n".repeat(100_000_000);
    let (reason, bytes) = written(&[&ends]);
    assert_eq!(reason, Invalid::Empty);
    assert!(bytes < ends.len() + LITTLE, "{bytes}");
}

#[test]
fn zero_bytes_are_part_of_the_text_and_shown_escaped() {
    let (reason, _) = written(&[b"id,price\n1,1\x00\n2,20\n"]);
    assert_eq!(reason.to_string(), "\"1\\0\" in column `price` on line 2 is not a number");
    assert_eq!(written(&[b"id,price\n1\x00,10\n2,20\n"]).0.kind(), "wrong-ids");
    assert_eq!(written(&[&b"\x00".repeat(1 << 20)]).0.kind(), "wrong-columns");
}

#[test]
fn markup_and_escapes_in_a_submission_stay_text_in_its_reason() {
    let (reason, _) = written(&[b"id,price\n1,\x1b[2J<script>\xe2\x80\xae|\n2,20\n"]);
    let words = reason.to_string();
    assert_eq!(reason.kind(), "not-numeric");
    assert!(!words.contains(['\u{1b}', '\u{202e}']), "{words:?}");
}
