//! Answers of a model that want to break their reader; see the crate `fuzz`.

use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};
use nbrevive_notebook::{Notebook, percent};
use nbrevive_repair::answer;

/// Stands between a notebook in percent cells and an answer to a question about it.
const BETWEEN: &str = "=====\n";
const NOTEBOOK: &str = "# %% [markdown]\n# # T\n\n# %%\nimport a\n\n# %%\n#! own\nx = a.ix[0]\n=====\n";
const ANSWER: &str = "1. `ix` is gone.\n\n````python\n# %% [markdown]\n# # T\n\n# %%\nimport a\n\n# %%\n#! own\nx = a.loc[0]\n\
                      #! raised\n````\nThat is all.\n";

fn read(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let (old, text) = text.split_once(BETWEEN).unwrap_or(("", &text));
    let notebook = percent::apply(&Notebook::default(), percent::parse(old).unwrap_or_default());
    let answers = [None, Some(1)].map(|cell| answer::read(text, &notebook, cell));
    answers.iter().fold(0, |code, answer| match answer {
        Ok(answer) => {
            assert!(!answer.plan.is_empty() && !answer.notebook.cells.is_empty());
            code.rotate_left(7) ^ (1 + answer.notebook.cells.len().min(4) as u64)
        }
        Err(error) => {
            assert!(error.to_string().len() < 2000, "a message that nobody reads");
            code_of(error.problem().as_str()) ^ code
        }
    })
}

/// A notebook and an answer, each of one line again and again.
fn lines(old: &str, before: &str, new: &str, size: usize) -> Vec<u8> {
    let many = |line: &str| line.repeat(size / 2 / line.len());
    ["# %%\n", &many(old), BETWEEN, before, &many(new), "```\n"].concat().into_bytes()
}

const OPENED: &str = "plan\n```\n# %%\n";

#[test]
fn answers() {
    let example = [NOTEBOOK, ANSWER].concat();
    let windows = example.replace('\n', "\r\n").replace("=====\r\n", BETWEEN);
    attack(&FuzzTarget {
        name: "answer",
        test: "fuzz::answers",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[example.as_bytes(), windows.as_bytes()],
        words: &[
            b"```\n",
            b"`",
            b"# %%\n",
            b"# %% [raw]\n",
            b"#! own\n",
            b"#! x\n",
            b"...\n",
            b"# unchanged\n",
            b"(",
            b"[",
            b"f\"{",
            b"\"\"\"",
            b"%%time\n",
            b"!ls \\\n",
            b"%x\n",
            b"a?\n",
            b"if a:\n",
            b" ",
            b"lambda: ",
            b"not ",
            b"1+",
            b"\xc4\xb0",
        ],
        shapes: &[
            Shape { name: "notes", make: |size| lines("#! a\n", OPENED, "#! b\n", size) },
            Shape {
                name: "different notes",
                make: |size| {
                    let notes: String = (0..size / 20).map(|number| format!("#! {number}\n")).collect();
                    ["# %%\n", &notes, BETWEEN, OPENED, &notes, "```\n"].concat().into_bytes()
                },
            },
            Shape { name: "lines", make: |size| lines("x = 1\n", OPENED, "x = 2\n", size) },
            Shape { name: "cells", make: |size| lines("# %%\nx = 1\n", OPENED, "# %%\nx = 2\n", size) },
            Shape { name: "other kinds", make: |size| lines("# %% [raw]\n", OPENED, "# %%\n", size) },
            Shape { name: "plan", make: |size| lines("x\n", "", "a plan\n", size) },
            Shape { name: "fences", make: |size| lines("x\n", OPENED, "``\n", size) },
            Shape { name: "one line", make: |size| lines("x\n", OPENED, "x, ", size) },
        ],
        bytes_per_byte: 1000,
        most_bytes: 3 << 30,
        mutations: 6000,
        parse: read,
    });
}
