//! Which cell needs which, through the program.

use crate::support::{nbrevive, scratch};

/// The notebook of the paper's Figure 2, and its counts.
const EXAMPLE: [(&str, u64); 5] = [
    ("import random\nfrom IPython.display import Image\na = random.randint(5, 50)\nprint(a)", 1),
    ("b = 20\na = a + b\nprint(a)", 2),
    ("b += 10", 7),
    ("a += b\nprint(a)", 8),
    ("Image('../images/cats.jpg')", 5),
];

fn notebook(cells: &[(&str, u64)]) -> String {
    let cell = |(source, count): &(&str, u64)| serde_json::json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": count});
    let cells: Vec<_> = cells.iter().map(cell).collect();
    serde_json::json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string()
}

#[test]
fn cells_orders_and_counts_are_told() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    std::fs::write(&path, notebook(&EXAMPLE)).expect("it is written");
    let told = |more: &[&str]| {
        let output = nbrevive().arg("order").arg(&path).args(more).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it is text")
    };
    insta::assert_snapshot!("example", told(&[]));
    let json: serde_json::Value = serde_json::from_str(&told(&["--json", "--graph", "paper"])).expect("it is JSON");
    assert_eq!((&json["count"]["exact"], &json["counter"]), (&8.into(), &serde_json::json!([0, 1, 4, 2, 3])));
    let svg = folder.path().join("a.svg");
    told(&["--svg", svg.to_str().expect("it is text")]);
    assert!(std::fs::read_to_string(&svg).expect("it is there").starts_with("<svg"));
}

#[test]
fn what_cannot_be_ordered_is_told() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    let ended = |text: &str| {
        std::fs::write(&path, text).expect("it is written");
        let output = nbrevive().arg("order").arg(&path).output().expect("it runs");
        let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.code(), told)
    };
    let (code, told) = ended("{");
    assert!(code == Some(3) && told.contains("a.ipynb"), "{told}");
    let (code, told) = ended(&notebook(&[]));
    assert!(code == Some(3) && told.contains("it has no code"), "{told}");
    let (code, told) = ended(&notebook(&[("print(a)", 2), ("a = 1", 1), ("x +", 3)]));
    assert!(code == Some(10) && told.contains("code cell 3, line 1 cannot be read"), "{told}");
    assert!(told.contains("from the top   cell 1 needs a (2)"), "{told}");
    assert!(told.contains("by the counts  every cell has what it needs"), "{told}");
}

#[test]
fn counts_that_tell_no_order_are_named() {
    let folder = scratch();
    let path = folder.path().join("a.ipynb");
    let counts = ["2", "2", "1000000000000000000", "1e30", "\"4\"", "\"*\"", "-1", "null"];
    let cell = |count: &&str| {
        format!(r#"{{"cell_type":"code","metadata":{{}},"source":"a = 1","outputs":[],"execution_count":{count}}}"#)
    };
    let cells: Vec<String> = counts.iter().map(cell).collect();
    let text = format!(r#"{{"nbformat":4,"nbformat_minor":4,"metadata":{{}},"cells":[{}]}}"#, cells.join(","));
    std::fs::write(&path, text).expect("it is written");
    let output = nbrevive().arg("order").arg(&path).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("shared         count 2, of cells 1, 2: of several sessions, or a copy"), "{told}");
    assert!(told.contains("no count       cells 4, 6, 7, 8, which are in no order by the counts"), "{told}");
    assert!(told.contains("999999999999999997 runs of cells are missing"), "{told}");
}
