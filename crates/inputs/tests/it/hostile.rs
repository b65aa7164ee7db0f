//! Code that wants to break what follows it.

use std::fmt::Write as _;

use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};
use nbrevive_inputs::InputRecipe;
use nbrevive_notebook::CellFeedback;

use crate::golden::notebook;

/// Cells, parted by a line of `#`; what comes out keeps to its own limits.
fn recipe(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let cells: Vec<&str> = text.split("\n#\n").collect();
    let notebook = notebook(&cells);
    let recipe = InputRecipe::of(&notebook, true);
    if !recipe.files.iter().any(|file| file.tables.iter().any(|table| table.columns.is_empty())) {
        recipe.check().unwrap_or_else(|error| panic!("{error}: {}", recipe.to_json()));
    }
    // What is long is followed once.
    if bytes.len() > 4096 {
        return code_of(&recipe.files.len().min(4).to_string());
    }
    let (ename, evalue) = ("KeyError".into(), "'x'".into());
    let error = CellFeedback { cell: 0, ename, evalue, traceback: String::new(), line: None };
    let corrected = recipe.corrected(&notebook, true, &[error]).map_or(0, |(_, made)| made.len().min(3));
    code_of(&format!("{} {corrected}", recipe.files.len().min(4)))
}

#[test]
fn code_of_all_kinds() {
    attack(&FuzzTarget {
        name: "inputs",
        test: "hostile::code_of_all_kinds",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[
            b"import pandas as pd\ndf = pd.read_csv('a.csv', names=['a', 'b'])\n#\ndf['a'].str.split(',').str[1]\ndf.columns = ['x', 'y']",
            b"def f(x):\n    return f(x)\nf(pd.read_csv('a.csv'))\nfor i in range(9): df.iloc[:, i]",
            b"df = pd.read_excel('a.xlsx', sheet_name=['a', 'b'])\ndf.merge(df, on='k').groupby('g').agg({'a': 'sum'})['b']",
            b"x = json.load(open('/../a.json'))['a'][0]\n%cd ..\nopen('b', 'w')",
        ],
        words: &[b"pd.read_csv(", b"df", b"['a']", b"\n", b".str", b"lambda x: ", b"(", b")", b"'../'", b" + "],
        shapes: &[
            Shape { name: "columns", make: |size| format!("df = pd.read_csv('a')\n{}", numbered(size, "df['", "']\n")).into_bytes() },
            Shape { name: "files", make: |size| numbered(size, "pd.read_csv('", "')\n").into_bytes() },
            Shape { name: "functions", make: |size| format!("def f(x):\n    f(x); f(x)\n{}", "f(f)\n".repeat(size / 5)).into_bytes() },
            Shape { name: "frames", make: |size| format!("df = pd.read_csv('a')\n{}", "df = df.head()\n".repeat(size / 15)).into_bytes() },
            Shape { name: "places", make: |size| format!("df = pd.read_csv('a')\n{}", numbered(size, "df.iloc[:, 9", "]\n")).into_bytes() },
        ],
        bytes_per_byte: 40_000,
        most_bytes: 2 << 30,
        mutations: 30,
        parse: recipe,
    });
}

fn numbered(size: usize, before: &str, behind: &str) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < size {
        let _ = write!(text, "{before}{number}{behind}");
        number += 1;
    }
    text
}

#[test]
fn sizes_that_code_asks_for_are_capped() {
    let code = "df = pd.read_csv('a.csv', nrows=900000000)\nx = df[:800000000]\nassert df.shape == (1000000000, 500000000)\ny = df.iloc[:, 1000000]";
    let recipe = InputRecipe::of(&notebook(&[code]), true);
    let table = &recipe.files[0].tables[0];
    assert!(table.rows <= 20_000 && table.columns.len() <= 2_000, "{} x {}", table.rows, table.columns.len());
    assert!(recipe.check().is_ok());
}
