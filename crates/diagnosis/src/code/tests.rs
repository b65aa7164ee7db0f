use serde_json::json;

use super::*;

fn diagnosed(cells: &[&str]) -> CodeDiagnosis {
    let cells = cells.iter().map(|source| json!({"cell_type": "code", "source": source})).collect::<Vec<_>>();
    of(&json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}))
}

fn of(notebook: &serde_json::Value) -> CodeDiagnosis {
    CodeDiagnosis::of_bytes(notebook.to_string().as_bytes())
}

#[test]
fn what_is_python_2_is_one_word_everywhere() {
    let found = serde_json::to_value(diagnosed(&["print 'a'"])).unwrap();
    assert_eq!(
        (&found["category"], &found["findings"][0]["kind"]),
        (&json!("python-2"), &json!("python-2")),
        "{found:#}"
    );
}

#[test]
fn each_category_has_its_notebook() {
    for (cells, expected) in [
        (&[][..], CodeCategory::NoCode),
        (&["", " \n"], CodeCategory::Empty),
        (&["print 'a'", "x"], CodeCategory::Python2),
        (&["unicode(x)"], CodeCategory::Python2),
        (&["if a:\nb"], CodeCategory::Indentation),
        (&["a = 1\n  b = 2"], CodeCategory::Indentation),
        (&["x = = 1\ny"], CodeCategory::Syntax),
        (&["f'{1}'", "f'{2}'", "print 'a'"], CodeCategory::Syntax),
        (&["x", "x = 1"], CodeCategory::DefinedLater),
        (&["x"], CodeCategory::Undefined),
        (&["x = 1", "del x\nx"], CodeCategory::Undefined),
        (&["x = 1", "x"], CodeCategory::Clear),
        // What is not certain decides nothing.
        (&["from m import *", "x"], CodeCategory::Clear),
        (&["if 1: x"], CodeCategory::Clear),
        (&["def f(): x"], CodeCategory::Clear),
    ] {
        assert_eq!(diagnosed(cells).category, expected, "{cells:?}");
    }
    assert_eq!(CodeDiagnosis::of_bytes(b"{").category, CodeCategory::Unreadable);
    let julia =
        json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {"language_info": {"name": "julia"}}, "cells": []});
    assert_eq!((of(&julia).category, of(&julia).why.as_deref()), (CodeCategory::OtherLanguage, Some("Julia")));
    assert!(CodeCategory::ALL.iter().is_sorted());
}

#[test]
fn findings_say_what_where_and_how_certain() {
    let cells = [
        "def f():\n    return a\ndef g(): return lost",
        "f()\nb",
        "a = b = 1\ndel b\nb",
        "if a: c",
        "x = = 1",
        "d\nfrom m import *",
    ];
    let told: Vec<String> =
        diagnosed(&cells).findings.iter().map(|found| format!("{}:{} {found}", found.cell + 1, found.line)).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    5:1 Expected an expression
    1:2 `a` is looked up before code cell 3, line 1, defines it, in a function that code cell 2 runs
    2:2 `b` is looked up before code cell 3, line 1, defines it
    3:3 `b` was deleted in code cell 3, line 2
    4:1 `c` is defined nowhere before (if it comes there)
    6:1 `d` is defined nowhere before (unless code cell 5, line 1, which cannot be read, was meant to)
    1:3 `lost` is defined nowhere before (unless code cell 5, line 1, which cannot be read, was meant to)
    ");
}

#[test]
fn the_json_is_the_documented_one() {
    let found = diagnosed(&["def f(): x", "f()", "%run a.py\ny", "x = y = 1"]);
    let unless = json!({"cell": 2, "line": 1, "kind": "unknown", "cause": "loaded", "what": "%run a.py"});
    let expected = json!({
        "category": "defined-later",
        "code_cells": 4,
        "findings": [
            {
                "cell": 0, "line": 1, "certainty": "sure", "called_by": 1,
                "kind": "defined-later", "name": "x", "defined_cell": 3, "defined_line": 1,
            },
            {
                "cell": 2, "line": 2, "certainty": "unknown", "unless": unless,
                "kind": "defined-later", "name": "y", "defined_cell": 3, "defined_line": 1,
            },
        ],
    });
    assert_eq!(serde_json::to_value(&found).unwrap(), expected);
}
