use std::path::Path;

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn notebook(kernel: &str, cells: &[&str]) -> Vec<u8> {
    let cells: Vec<_> = cells
        .iter()
        .map(|source| {
            json!({ "cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null })
        })
        .collect();
    let metadata = json!({ "kernelspec": { "name": kernel } });
    json!({ "nbformat": 4, "nbformat_minor": 4, "metadata": metadata, "cells": cells }).to_string().into_bytes()
}

#[test]
fn scripts_are_told_apart_by_their_signs() {
    let cases = [
        ("import pandas as pd\ndf = pd.read_csv('x.csv')\n", Some(CodeLanguage::Python)),
        ("library(tidyverse)\nlist.files(path = '../input')\n", Some(CodeLanguage::R)),
        ("x <- 1\ny <- c(1, 2)\nz <- x %in% y\n", Some(CodeLanguage::R)),
        (
            "train<-read.csv('../input/train.csv')\ntrain$Age[1] <- NA\nsummary(train)\nm <- lm(y ~ x)\n",
            Some(CodeLanguage::R),
        ),
        ("---\ntitle: 'A'\n---\n```{r setup}\nlibrary(ggplot2)\n```\n", Some(CodeLanguage::RMarkdown)),
        ("using DataFrames, CSV\ndf = CSV.read(\"x.csv\")\n", Some(CodeLanguage::Julia)),
        ("import CSV\nfunction f(x)\n  x + 1\nend\nprintln(f(1))\n", Some(CodeLanguage::Julia)),
        ("SELECT *\nFROM train\nWHERE Age > 3\n", Some(CodeLanguage::Sqlite)),
        ("print 1\n", Some(CodeLanguage::Python)),
        ("1 + 1\n", None),
        ("", None),
    ];
    for (code, expected) in cases {
        assert_eq!(language_of_content(code.as_bytes()), expected, "{code}");
    }
}

#[test]
fn other_languages_in_strings_comments_and_cells_do_not_make_a_notebook_foreign() {
    let cases: [&[&str]; 5] = [
        &["import pandas as pd", "query = \"\"\"\nSELECT *\nFROM t\nWHERE a > 1\nGROUP BY b\n\"\"\""],
        &["import rpy2", "r('library(ggplot2)')\nr('''\nx <- 1\ny <- 2\nz <- x %in% y\n''')"],
        &["import os", "%%bash\nselect x in a b; do echo; done", "%%sql\nSELECT * FROM t\nWHERE x"],
        &["# library(dplyr)\n# x <- 1\n# y <- 2"],
        &["mask = (a\n  <-1) | (b\n  <-2)\nx <-1\ny<-2\nz <-.5"],
    ];
    for cells in cases {
        assert_eq!(language_of_content(&notebook("python3", cells)), Some(CodeLanguage::Python), "{cells:?}");
    }
}

#[test]
fn a_python_kernel_that_runs_r_is_r() {
    let cells = ["%load_ext rpy2.ipython", "%%R\nlibrary(dplyr)", "%%R\nd <- read.csv('x')\nd %>% head()"];
    assert_eq!(language_of_content(&notebook("python3", &cells)), Some(CodeLanguage::R));
    assert_eq!(language_of_content(&notebook("ir", &["x = 1"])), Some(CodeLanguage::R));
    assert_eq!(language_of_content(&notebook("julia-1.6", &["x = 1"])), Some(CodeLanguage::Julia));
    assert_eq!(language_of_content(&notebook("scala", &["x = 1"])), Some(CodeLanguage::Other));
}

#[test]
fn emptiness_and_kind() {
    let blank = Content::of(&notebook("python3", &["", " \n"]));
    assert_eq!((blank.kind, blank.empty), (Some(CodeKind::Notebook), Some(true)));
    assert_eq!(Content::of(b"  \n").empty, Some(true));
    assert_eq!(Content::of(b"x = 1\n").kind, Some(CodeKind::Script));
    assert_eq!(Content::of(b"{\"cells\": [{\"cell_type\": \"co"), Content::default());
    let shown = FunnelCandidate { kind: Some(CodeKind::Script), ..FunnelCandidate::default() }.with_content(&blank);
    assert_eq!((shown.kind, shown.empty), (Some(CodeKind::Notebook), Some(true)));
}

#[test]
fn every_bundled_notebook_is_python() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/notebooks");
    let versions = crate::load_versions(&folder).unwrap();
    assert!(versions.len() > 30);
    for version in versions {
        let content = Content::of(&std::fs::read(&version.path).unwrap());
        let expected =
            Content { kind: Some(CodeKind::Notebook), empty: Some(false), language: Some(CodeLanguage::Python) };
        assert_eq!(content, expected, "{}", version.slug);
    }
}

/// Lines that occur in Python and look like something else.
fn python_line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("x <- 1".to_owned()),
        Just("a = b %in_".to_owned()),
        "[a-z]{1,4} = [a-z]{1,4} <-[0-9]",
        "[a-z]{1,4} = \"library\\([a-z]{1,4}\\)\"",
        "# [a-z]{1,4} <- [a-z]{1,4} %>% [a-z]{1,4}",
        "sql = '''SELECT [a-z]{1,4} FROM [a-z]{1,4}'''",
        "from [a-z]{1,4} import [a-z]{1,4}",
        "for [a-z] in [a-z]{1,4}:",
        "    using = [a-z]{1,4}",
    ]
}

proptest! {
    #[test]
    fn code_with_as_many_imports_as_oddities_is_python(lines in prop::collection::vec(python_line(), 0..20)) {
        let oddities = lines.iter().filter(|line| *line == "x <- 1").count();
        let imports = "import numpy as np\n".repeat(oddities.max(1));
        let code = imports + &lines.join("\n");
        prop_assert_eq!(language_of_content(code.as_bytes()), Some(CodeLanguage::Python));
    }

    #[test]
    fn hostile_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Content::of(&bytes);
    }

    #[test]
    fn hostile_text_is_read_without_a_panic(text in "[\"'#\\\\%{}<\\-\n a-z\u{e4}\u{4e2d}]{0,300}") {
        let mut signs = Signs::default();
        signs.read_cell(&text);
        let _ = signs.language();
    }
}
