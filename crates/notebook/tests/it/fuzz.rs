//! Files that want to break the readers; see the crate `fuzz`.

use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};
use nbrevive_notebook::{Cell, Notebook, percent, read, read_code, write};

const FORMAT_4: &[u8] = br##"{"cells": [{"cell_type": "markdown", "id": "a-1", "metadata": {}, "source": ["# T\n", "t"],
 "attachments": {"p.png": {"image/png": "aGk="}}}, {"cell_type": "code", "execution_count": 1, "metadata": {"tags": ["x"]},
 "source": "1/0", "outputs": [{"output_type": "stream", "name": "stdout", "text": ["a\n", "b"]}, {"output_type":
 "execute_result", "execution_count": 1, "data": {"text/plain": "1", "application/json": {"k": [1.5e3, null]}}, "metadata": {}},
 {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["\u001b[31mt", "\ud83d\ude00"]}]}, {"cell_type": "raw",
 "source": []}], "metadata": {"kernelspec": {"name": "python3"}, "language_info": {"name": "python", "version": "3.6.1"}},
 "nbformat": 4, "nbformat_minor": 5}"##;
const FORMAT_3: &[u8] = br#"{"metadata": {"name": "n", "signature": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets":
 [{"cells": [{"cell_type": "heading", "level": 2, "source": "h"}, {"cell_type": "code", "language": "python", "input": ["a\n"],
 "collapsed": false, "prompt_number": 3, "outputs": [{"output_type": "pyout", "prompt_number": 3, "json": "[{\"a\": 1}]",
 "text": "t", "html": "<b>", "metadata": {"png": {"w": 1}}}, {"output_type": "pyerr", "traceback": "a\nb"}]}]}]}"#;
const PYTHONS: &[u8] =
    b"\xef\xbb\xbf{\"cells\": [{\"cell_type\": \"code\", \"source\": \"\\ud83d x\n\", \"outputs\": [{\"output_type\": \
    \"display_data\", \"data\": {\"application/x+json\": [NaN, -Infinity, 1e999]}}], \"more\": 1}], \"nbformat\": \"4\"}";

/// Reads a notebook in every way; what was read must survive being written.
fn notebook(bytes: &[u8]) -> u64 {
    let code = read_code(bytes);
    let reading = match read(bytes) {
        Ok(reading) => reading,
        Err(error) => return code_of(std::any::type_name_of_val(&error)) ^ code_of(&format!("{error:.12}")),
    };
    assert_eq!(code.expect("its code is read too").code_sources(), reading.notebook.code_sources());
    let again = read(write(&reading.notebook).as_bytes()).expect("what was written is read");
    assert_eq!(again.quirks, [], "what was written has nothing to forgive");
    assert_eq!(again.notebook.cells.len(), reading.notebook.cells.len());
    let mut kinds: Vec<String> = reading.quirks.iter().map(|quirk| format!("{quirk:?}")).collect();
    kinds.iter_mut().for_each(|kind| kind.truncate(kind.find(['(', ' ']).unwrap_or(kind.len())));
    kinds.dedup();
    code_of(&kinds.concat())
}

/// A list of `pieces` at some place of a notebook.
fn filled(head: &str, piece: &str, tail: &str, size: usize) -> Vec<u8> {
    let pieces = vec![piece; size / (piece.len() + 1)].join(",");
    [head, &pieces, tail].concat().into_bytes()
}

#[test]
fn notebooks() {
    let shapes = [
        Shape {
            name: "cells",
            make: |size| filled(r#"{"nbformat":4,"cells":["#, r#"{"cell_type":"code"}"#, "]}", size),
        },
        Shape {
            name: "equal ids",
            make: |size| filled(r#"{"nbformat":4,"cells":["#, r#"{"id":"cell-2"}"#, "]}", size),
        },
        Shape {
            name: "lines",
            make: |size| filled(r#"{"nbformat":4,"cells":[{"cell_type":"code","source":["#, r#""""#, "]}]}", size),
        },
        Shape {
            name: "outputs",
            make: |size| filled(r#"{"nbformat":4,"cells":[{"cell_type":"code","outputs":["#, "1", "]}]}", size),
        },
        Shape {
            name: "objects",
            make: |size| filled(r#"{"nbformat":4,"cells":[],"metadata":{"a":["#, r#"{"":0}"#, "]}}", size),
        },
        Shape {
            name: "lists",
            make: |size| filled(r#"{"nbformat":4,"cells":[],"metadata":{"a":["#, "[0]", "]}}", size),
        },
        Shape {
            name: "one long string",
            make: |size| {
                filled(r#"{"nbformat":4,"cells":["#, &format!("{{\"source\":\"{}\"}}", "\\n".repeat(size / 2)), "]}", 1)
            },
        },
        Shape {
            name: "surrogates",
            make: |size| {
                filled(
                    r#"{"nbformat":4,"cells":["#,
                    &format!("{{\"source\":\"{}\"}}", "\\ud83d".repeat(size / 6)),
                    "]}",
                    1,
                )
            },
        },
        Shape {
            name: "worksheets",
            make: |size| filled(r#"{"nbformat":3,"worksheets":["#, r#"{"cells":[]}"#, "]}", size),
        },
    ];
    attack(&FuzzTarget {
        name: "notebook",
        test: "fuzz::notebooks",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[FORMAT_4, FORMAT_3, PYTHONS],
        words: &[
            b"[",
            b"]",
            b"{",
            b"}",
            b"{\"a\":",
            b"\"",
            b"\\",
            b",",
            b":",
            b"\\ud83d",
            b"\\u0000",
            b"1e9",
            b"null",
            b"NaN",
            b"\"source\":",
            b"\"outputs\":",
            b"\"metadata\":",
            b"\"cells\":",
            b"\n",
        ],
        shapes: &shapes,
        bytes_per_byte: 400,
        most_bytes: 3 << 30,
        mutations: 15_000,
        parse: notebook,
    });
}

/// Reads percent cells and puts them over a notebook.
fn cells(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let old = Notebook::from_cells(vec![Cell::markdown("# T"), Cell::code("x = 1"), Cell::raw("")]);
    match percent::parse(&text) {
        Ok(cells) => {
            let kinds: String = cells.iter().take(5).map(|cell| format!("{:?}", cell.kind)).collect();
            let patched = percent::apply(&old, cells.clone());
            let again = percent::parse(&percent::render(&patched)).expect("what was rendered is read");
            let sources = |cells: &[percent::PercentCell]| -> Vec<_> {
                cells.iter().map(|cell| (cell.kind, cell.source.clone())).collect()
            };
            assert_eq!(sources(&again), sources(&cells));
            code_of(&kinds)
        }
        Err(error) => code_of(format!("{error:?}").split(['{', ' ']).next().unwrap_or_default()),
    }
}

/// Puts many cells over as many others: half of the input on each side of a line.
fn over_each_other(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let (old, new) = text.split_once("-----\n").unwrap_or(("", &text));
    let (Ok(old), Ok(new)) = (percent::parse(old), percent::parse(new)) else { return 0 };
    let old = percent::apply(&Notebook::default(), old);
    let patched = percent::apply(&old, new.clone());
    assert_eq!(patched.cells.len(), new.len());
    1 + u64::from(patched.cells.first() == old.cells.first()) + 2 * u64::from(patched.cells.last() == old.cells.last())
}

#[test]
fn percent_cells() {
    attack(&FuzzTarget {
        name: "percent",
        test: "fuzz::percent_cells",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[
            b"# %% [markdown]\n# # T\n\n# %%\nx = 1\n# \\%%\n\n# %% title [raw]\n# r\n",
            b"\n# %%\r\nx\r\n\r\n# %% [md]\r\n'''\r\nt\r\n'''\r\n",
        ],
        words: &[
            b"# %%\n",
            b"#",
            b"%%",
            b"\\",
            b" [markdown]\n",
            b" [raw]",
            b"[",
            b"]",
            b"\n",
            b"\r\n",
            b"\r",
            b"\"\"\"",
            b"'''",
            b" ",
            b"# ",
        ],
        shapes: &[],
        bytes_per_byte: 100,
        most_bytes: usize::MAX,
        mutations: 15_000,
        parse: cells,
    });
}

#[test]
fn patches() {
    attack(&FuzzTarget {
        name: "patch",
        test: "fuzz::patches",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[b"# %%\na\n\n# %% [raw]\n# b\n-----\n# %%\nc\n\n# %% [raw]\n# b\n"],
        words: &[b"# %%\n", b"# %% [raw]\n", b"x\n", b"-----\n"],
        shapes: &[
            Shape { name: "other kinds", make: |size| halves("# %% [raw]\n", "# %%\n", size) },
            Shape { name: "other sources", make: |size| halves("# %%\nxxxxxxx1\n", "# %%\nxxxxxxx2\n", size) },
            Shape { name: "the same", make: |size| halves("# %%\nx\n", "# %%\nx\n", size) },
        ],
        bytes_per_byte: 200,
        most_bytes: usize::MAX,
        mutations: 5000,
        parse: over_each_other,
    });
}

/// A text of many old cells, and one of as many new ones.
fn halves(old: &str, new: &str, size: usize) -> Vec<u8> {
    let many = |cell: &str| cell.repeat(size / 2 / cell.len());
    [&many(old), "-----\n", &many(new)].concat().into_bytes()
}
