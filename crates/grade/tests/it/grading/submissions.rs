//! What happens to submissions that are wrong, strange or hostile.

use crate::grading::desk::{Desk, task};
use nbrevive_corpus::Prediction;
use nbrevive_grade::{Answers, Excerpt, Invalid, Malformation, Metric, SubmissionLimits, grade, grade_within};

fn numbers() -> Desk {
    Desk::new(&task(Metric::Rmse, Prediction::Value, &["id", "price"]), "id,price\n1,10\n2,20\n3,30\n")
        .expect("the answers are usable")
}

fn probabilities() -> Desk {
    let task = task(Metric::MulticlassLogLoss, Prediction::Probability, &["id", "red", "blue"]);
    Desk::new(&task, "id,colour\na,red\nb,blue\n").expect("the answers are usable")
}

fn kinds<const N: usize>(desk: &Desk, submissions: [&str; N]) -> [&'static str; N] {
    submissions.map(|text| desk.grade(text).map_or_else(|invalid| invalid.kind(), |_| "score"))
}

#[test]
fn faults_of_the_file() {
    let desk = numbers();
    let submissions = [
        "",
        "\n \n",
        "id,price\n",
        "id;price\n1;2\n",
        "id,price\n1,\"10\n2,20\n3,30\n",
        "id,price\n1,10,\n2,20\n3,30\n",
        "id,price\n1,10\n2,20\n",
        "Id,price\n1,10\n2,20\n3,30\n",
    ];
    let expected =
        ["empty", "empty", "wrong-rows", "wrong-columns", "not-csv", "not-csv", "wrong-rows", "wrong-columns"];
    assert_eq!(kinds(&desk, submissions), expected);
    assert_eq!(desk.grade(b"id,price\n1,\xff\n"), Err(Invalid::NotUtf8 { offset: 11, line: 2, byte: 3 }));
    assert_eq!(
        desk.grade("\u{feff}id,price".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>())
            .unwrap_err()
            .kind(),
        "not-utf8"
    );
    let reason = Malformation::TooManyFields { most: 2 };
    assert_eq!(desk.grade("id,price\n\n1,10\n2,20,\n3,30\n"), Err(Invalid::NotCsv { line: 4, reason }));
}

#[test]
fn a_missing_file_is_missing_and_a_link_is_not_followed() {
    let desk = numbers();
    desk.grade("id,price\n1,10\n2,20\n3,30\n").unwrap();
    let real = desk.path().with_file_name("real.csv");
    std::fs::rename(desk.path(), &real).unwrap();
    let limits = SubmissionLimits::default();
    let task = task(Metric::Rmse, Prediction::Value, &["id", "price"]);
    let answers = Answers::read(&real, &task).unwrap();
    assert_eq!(grade_within(&desk.path(), &answers, &limits), Err(Invalid::Missing));
    std::os::unix::fs::symlink(&real, desk.path()).unwrap();
    assert_eq!(grade_within(&desk.path(), &answers, &limits).unwrap_err().kind(), "not-a-file");
    let small = SubmissionLimits { bytes: 10, ..limits };
    assert_eq!(grade_within(&real, &answers, &small), Err(Invalid::TooLarge { bytes: 24, limit: 10 }));
    let narrow = SubmissionLimits { columns: 1, ..limits };
    assert_eq!(grade_within(&real, &answers, &narrow).unwrap_err().kind(), "not-csv");
}

#[test]
fn faults_of_numbers() {
    let desk = numbers();
    let with = |cell: &str| format!("id,price\n1,10\n2,{cell}\n3,30\n");
    let cells = ["", "nan", "inf", "-Infinity", "1e999", "abc", "1_0", "0x10", "\" 20 \"", "2e1", "True"];
    let found = cells.map(|cell| desk.grade(with(cell)).map_or_else(|invalid| invalid.kind(), |_| "score"));
    let expected = [
        "not-finite",
        "not-finite",
        "not-finite",
        "not-finite",
        "not-finite",
        "not-numeric",
        "not-numeric",
        "not-numeric",
        "score",
        "score",
        "score",
    ];
    assert_eq!(found, expected);
    let value = Excerpt::of("abc");
    assert_eq!(desk.grade(with("abc")), Err(Invalid::NotNumeric { line: 3, column: "price".to_owned(), value }));
    assert_eq!(desk.grade("id,price\n1,1e308\n2,-1e308\n3,1e308\n"), Err(Invalid::Overflow));
    assert_eq!(desk.grade("id,price\n1\n2,20\n3,30\n").unwrap_err().kind(), "not-finite");
}

#[test]
fn an_error_beyond_all_numbers_is_no_score() {
    let task = task(Metric::Mae, Prediction::Value, &["id", "price"]);
    let desk = Desk::new(&task, "id,price\n1,-1e308\n").unwrap();
    assert_eq!(desk.grade("id,price\n1,1e308\n"), Err(Invalid::Overflow));
}

#[test]
fn faults_of_ids() {
    let desk = numbers();
    let submissions = ["id,price\n1,10\n1,20\n3,30\n", "id,price\n1,10\n4,20\n3,30\n", "id,price\n1,10\n,20\n3,30\n"];
    assert_eq!(kinds(&desk, submissions), ["duplicate-ids", "wrong-ids", "wrong-ids"]);
    assert_eq!(
        desk.grade("id,price\n1,1\n1,2\n4,3\n"),
        Err(Invalid::DuplicateId { id: Excerpt::of("1"), line: 3, column: "id".to_owned() })
    );
}

#[test]
fn numbers_are_checked_before_ids_and_ids_before_labels() {
    assert_eq!(numbers().grade("id,price\n9,10\n2,x\n3,30\n").unwrap_err().kind(), "not-numeric");
    let labels = task(Metric::Accuracy, Prediction::Label, &["id", "class"]);
    let desk = Desk::new(&labels, "id,class\n1,1\n2,2\n3,3\n").unwrap();
    assert_eq!(desk.grade("id,class\n1,x\n2,2\n9,3\n").unwrap_err().kind(), "wrong-ids");
    assert_eq!(desk.grade("id,class\n1,x\n2,2\n3,3\n").unwrap_err().kind(), "not-numeric");
}

#[test]
fn form_does_not_matter() {
    let desk = numbers();
    let expected = desk.grade("id,price\n1,11\n2,20\n3,30\n").unwrap();
    for text in [
        "\u{feff}id,price\r\n1,11\r\n2,20\r\n3,30",
        "price,id\n30,3\n11,1\n20,2\n",
        ",id,other,price\n0,1,\"a\nb\",11\n1,2,x,20\n2,3,,30\n",
        "\"id\",\"price\"\n\"001\",\"11.0\"\n\n2.0,2e1\n   \n3,+30\n",
        "id,price,price\n1,11,0\n2,20,0\n3,30,0\n",
    ] {
        assert_eq!(desk.grade(text), Ok(expected), "{text:?}");
    }
}

#[test]
fn class_probabilities() {
    let desk = probabilities();
    let with = |row: &str| desk.grade(format!("id,red,blue\na,1,0\nb,{row}\n"));
    assert!(with("0.5,0.5").is_ok());
    assert!(with("0.333333,0.666667").is_ok());
    assert!(with("0.50001,0.5").is_ok());
    assert_eq!(
        with("0.5,0.4"),
        Err(Invalid::RowSum { line: 3, columns: ["red", "blue"].map(str::to_owned), sum: 0.9 })
    );
    assert_eq!(with("1.5,-0.5").unwrap_err().kind(), "out-of-range");
    assert_eq!(desk.grade("id,red\na,1\nb,0\n").unwrap_err().kind(), "wrong-columns");
    assert_eq!(desk.grade("blue,id,red\n1,b,0\n0,a,1\n"), with("0,1"));
}

#[test]
fn labels_are_equal_by_value() {
    let labels = task(Metric::Accuracy, Prediction::Label, &["id", "class"]);
    let desk = Desk::new(&labels, "id,class\na,1\nb,2\nc,3\nd,3\n").unwrap();
    assert_eq!(desk.grade("id,class\na,1.0\nb,\"2\"\nc,03\nd,9\n").unwrap().value(), 0.75);
    let desk = Desk::new(&labels, "id,class\na,cat\nb,dog\n").unwrap();
    assert_eq!(desk.grade("id,class\na,cat\nb,Dog\n").unwrap().value(), 0.5);
    assert_eq!(
        desk.grade("id,class\na,0\nb,1\n"),
        Err(Invalid::UnknownLabel { line: 2, column: "class".to_owned(), value: Excerpt::of("0") })
    );
}

#[test]
fn one_label_on_both_sides_has_no_kappa() {
    let task = task(Metric::QuadraticWeightedKappa, Prediction::Label, &["id", "grade"]);
    let desk = Desk::new(&task, "id,grade\n1,4\n2,4\n").unwrap();
    assert_eq!(desk.grade("id,grade\n1,4\n2,4\n"), Err(Invalid::SingleClass));
    assert_eq!(desk.grade("id,grade\n1,4\n2,5\n").unwrap().value(), 0.0);
}

#[test]
fn a_header_of_many_columns_is_refused_and_a_message_stays_short() {
    let desk = numbers();
    assert_eq!(desk.grade(",".repeat(1 << 17)).unwrap_err().kind(), "not-csv");
    let names = "x".repeat(1000) + ",";
    let message = desk.grade(names.repeat(100)).unwrap_err().to_string();
    assert!(message.len() < 2000, "{}", message.len());
}

#[test]
fn answers_that_cannot_be_used() {
    let error = |metric, prediction, columns: &[&str], answers: &str| {
        let error = Desk::new(&task(metric, prediction, columns), answers).err().expect("the answers are unusable");
        error.problem.to_string()
    };
    let number = |answers: &str| error(Metric::Rmsle, Prediction::Value, &["id", "y"], answers);
    assert_eq!(number("id,z\n1,2\n"), "there is no column `y`");
    assert_eq!(number("id,y\n"), "there are no rows");
    assert_eq!(number("id,y\n1,2\n1,3\n"), "id \"1\" on line 3 occurred before");
    assert_eq!(number("id,y\n1,-2\n"), "\"-2\" in column `y` on line 2 is not a number of 0 or more");
    let auc = |answers: &str| error(Metric::RocAuc, Prediction::Probability, &["id", "y"], answers);
    assert_eq!(auc("id,y\n1,1\n2,1\n"), "column `y` holds a single class, for which the metric is not defined");
    assert_eq!(auc("id,y\n1,1\n2,M\n"), "\"M\" in column `y` on line 3 is not 1 or 0");
    let loss = |answers: &str| error(Metric::MulticlassLogLoss, Prediction::Probability, &["id", "a", "b"], answers);
    assert_eq!(loss("id,class\n1,c\n"), "\"c\" in column `class` on line 2 is not the name of a target column");
    assert_eq!(loss("id,a,b\n1,1,1\n"), "\"1\" in column `b` on line 2 is not 0, or the only 1 of its row");
    assert_eq!(loss("id,a,b\n1,0,0\n"), "\"0\" in column `a` on line 2 is not 1, nor is any other column of the row");
    assert!(loss("id,a,c\n1,0,1\n").starts_with("there is neither a column for each class"));
}

#[test]
fn answers_are_shared_by_threads() {
    let task = task(Metric::Mae, Prediction::Value, &["id", "y"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("answers.csv");
    std::fs::write(&path, "id,y\n1,2\n2,4\n").unwrap();
    let answers = std::sync::Arc::new(Answers::read(&path, &task).unwrap());
    let graders: Vec<_> = (0..4)
        .map(|_| {
            let (answers, path) = (answers.clone(), path.clone());
            std::thread::spawn(move || grade(&path, &answers))
        })
        .collect();
    for grader in graders {
        assert_eq!(grader.join().unwrap().unwrap().value(), 0.0);
    }
}
