//! Every reason why a submission has no score, with its place, and the order of the checks.

use nbrevive_grade::{Excerpt, Invalid, Malformation};

use crate::mle::desk::Desk;

const HEADER: &str = "id,has_cactus";
const CACTUS: &str = "has_cactus";

/// Checks the columns, the rows, that values are numbers from 0 to 1, and then ids.
fn cactus() -> Desk {
    Desk::new("aerial-cactus-identification", "id,has_cactus\na,1\nb,0\nc,1\n").expect("the answers are usable")
}

fn reason(submission: &str) -> Invalid {
    cactus().grade(submission).expect_err(submission)
}

/// The reason of a submission with these rows.
fn of_rows(rows: [&str; 3]) -> Invalid {
    reason(&format!("{HEADER}\n{}\n", rows.join("\n")))
}

#[test]
fn faults_of_the_file() {
    let desk = cactus();
    let most = 1 << 20;
    assert_eq!(desk.grade_at(&desk.path(), most), Err(Invalid::Missing));
    let folder = desk.path().with_file_name("folder");
    std::fs::create_dir(&folder).expect("a folder can be made");
    assert_eq!(desk.grade_at(&folder, most), Err(Invalid::NotAFile { found: "a folder" }));
    assert_eq!(desk.grade(b"id,has_cactus\n\xe9,1\n"), Err(Invalid::NotUtf8 { offset: 14, line: 2, byte: 1 }));
    assert_eq!(desk.grade("\n \n"), Err(Invalid::Empty));
    assert_eq!(desk.grade_at(&desk.path(), 2), Err(Invalid::TooLarge { bytes: 3, limit: 2 }));
    let open = Invalid::NotCsv { line: 3, reason: Malformation::OpenQuote { field: 1 } };
    assert_eq!(reason("id,has_cactus\na,1\n\"b,0\nc,1\n"), open);
    let wide = Invalid::NotCsv { line: 4, reason: Malformation::TooManyFields { most: 2 } };
    assert_eq!(of_rows(["a,1", "b,0", "c,1,1"]), wide);
}

#[test]
fn faults_of_form() {
    let wrong = reason("id,cactus\na,1\nb,0\nc,1\n");
    let found = ["id", "cactus"].map(Excerpt::of).into();
    assert_eq!(wrong, Invalid::WrongColumns { expected: ["id", CACTUS].map(str::to_owned).into(), found });
    assert_eq!(reason("id,has_cactus\na,1\n"), Invalid::WrongRows { expected: 3, found: 1 });
    assert_eq!(
        of_rows(["a,1", "d,0", "c,1"]),
        Invalid::UnknownId { id: Excerpt::of("d"), line: 3, column: "id".to_owned() }
    );
    assert_eq!(
        of_rows(["a,1", "b,0", "a,1"]),
        Invalid::DuplicateId { id: Excerpt::of("a"), line: 4, column: "id".to_owned() }
    );
    assert_eq!(of_rows(["a,1", ",0", "c,1"]).kind(), "wrong-ids");
}

#[test]
fn faults_of_values() {
    let value = |cell: &str| of_rows(["a,1", &format!("b,{cell}"), "c,1"]);
    let (line, column) = (3, CACTUS.to_owned());
    assert_eq!(value("x"), Invalid::NotNumeric { line, column: column.clone(), value: Excerpt::of("x") });
    assert_eq!(value(""), Invalid::NotFinite { line, column: column.clone(), value: Excerpt::of("") });
    let allowed = "a value is between 0 and 1";
    for (cell, value_) in [("1.5", 1.5), ("-0.5", -0.5), ("inf", f64::INFINITY)] {
        assert_eq!(value(cell), Invalid::OutOfRange { line, column: column.clone(), value: value_, allowed });
    }
    let reason = value("x");
    assert_eq!((reason.line(), reason.column()), (Some(3), Some(CACTUS)));
    assert_eq!((Invalid::Missing.line(), Invalid::Missing.column()), (None, None));
}

#[test]
fn faults_of_writing() {
    let desk = Desk::new("tgs-salt-identification-challenge", "id,rle_mask\na,1 5\nb,\n").expect("usable");
    for cell in ["1 x", "1 2 3 4 5", "5 1 1 1", "0 3", "1 5 3 5"] {
        let reason = desk.grade(format!("id,rle_mask\na,{cell}\nb,\n")).expect_err(cell);
        assert_eq!((reason.kind(), reason.line(), reason.column()), ("wrong-encoding", Some(2), Some("rle_mask")));
    }
    let desk = Desk::new("spooky-author-identification", "id,EAP,HPL,MWS\na,1,0,0\nb,0,1,0\n").expect("usable");
    let reason = desk.grade("id,EAP,HPL,MWS\na,0.5,0.5,0\nb,0.5,0.25,0\n");
    assert_eq!(reason, Err(Invalid::RowSum { line: 3, columns: ["EAP", "MWS"].map(str::to_owned), sum: 0.75 }));
}

/// Each of these submissions has a fault of every check from one on; the first check of the original speaks.
#[test]
fn checks_are_made_in_the_order_of_the_original() {
    let faults =
        ["id,y\nd,x\n", "id,has_cactus\nd,x\n", "id,has_cactus\nd,x\nb,7\nc,1\n", "id,has_cactus\nd,7\nb,0\nc,1\n"];
    assert_eq!(faults.map(|text| reason(text).kind()), ["wrong-columns", "wrong-rows", "not-numeric", "out-of-range"]);
    // Here ids come before values.
    let desk = Desk::new("dogs-vs-cats-redux-kernels-edition", "id,label\n1,1\n2,0\n").expect("usable");
    let kind = |text: &str| desk.grade(text).expect_err(text).kind();
    assert_eq!([kind("id,label\n1,7\n3,0\n"), kind("id,label\n1,7\n2,0\n")], ["wrong-ids", "out-of-range"]);
}
