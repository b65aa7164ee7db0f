//! Crashes that want to break what reads them; see the crate `fuzz`.

use nbrevive_diagnosis::crash::{CrashText, Label, PAPER_SIMILARITY, classify, clusters, read_sheet};
use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};

/// The first line is the exception's name, the second its value, the rest the traceback; and all of it a sheet.
fn crash(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let (ename, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let (evalue, traceback) = rest.split_once('\n').unwrap_or((rest, ""));
    let labels = classify(CrashText { platform: "github", ename, evalue, traceback });
    assert!((0.0..=1.0).contains(&labels.root_cause.confidence), "{labels:?}");
    let several = clusters(text.lines(), PAPER_SIMILARITY).into_iter().max().unwrap_or(0).min(5);
    let sheet = read_sheet(bytes).map_or(9, |rows| rows.len().min(5));
    code_of(&format!("{}{}{several}{sheet}", labels.root_cause.label.code(), labels.exception_type.label.code()))
}

#[test]
fn crashes() {
    attack(&FuzzTarget {
        name: "crash",
        test: "fuzz::crashes",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[
            b"NameError\nname 'df' is not defined\n\x1b[0;32m<ipython-input-3-a>\x1b[0m in <module>\n----> 1 df.head(n=3)\n",
            b"KeyError\n'a'\nCell In[3], line 1\n----> 1 df['a'] + f(x)[0]\nFile /a/site-packages/pandas/b.py:3, in g(x)\n-> 3 raise KeyError(key) from err\nKeyError: 'a'",
            b"TypeError\n'tuple' object does not support item assignment\n<div><span>Cell In[1], line 2</span>\n----&gt; 2 a[0] = 1 # error",
            b"platform,ename,evalue,traceback\nkaggle,KeyError,'a',\"['a', 'b']\"\n",
        ],
        words: &[b"\n", b"'", b"in ", b"---->", b"File \"", b"\x1b[", b"a_b.c/d "],
        shapes: &[
            Shape { name: "frames", make: |size| format!("E\nv\n{}", "Cell In[1], line 1\n----> 1 f()\n".repeat(size / 32)).into_bytes() },
            Shape { name: "quotes", make: |size| format!("E\n{}", "'a\" `".repeat(size / 5)).into_bytes() },
            Shape { name: "paths", make: |size| format!("E\n{}", "/a.b_c".repeat(size / 6)).into_bytes() },
            Shape { name: "tags", make: |size| format!("E\nv\n<div>{}", "<a &lt;".repeat(size / 7)).into_bytes() },
            Shape { name: "brackets", make: |size| format!("E\nv\nCell In[1], line 1\n----> 1 {}", "([{".repeat(size / 3)).into_bytes() },
            Shape { name: "list", make: |size| format!("platform,ename,evalue,traceback\na,b,c,\"[{}]\"\n", "'a', ".repeat(size / 5)).into_bytes() },
        ],
        bytes_per_byte: 2000,
        most_bytes: 1 << 30,
        mutations: 150,
        parse: crash,
    });
}
