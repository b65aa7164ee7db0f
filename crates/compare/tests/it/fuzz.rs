//! Outputs that want to break the comparison; see the crate `fuzz`.

use nbrevive_compare::{OutputComparer, chance_signs, is_unchanged_for_nbdime, signs_of_paper};
use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};
use nbrevive_notebook::Output;
use serde_json::{Map, Value};

/// Compares the text before a line of dashes with the one behind it, as what it looks like: HTML, a drawing or what is printed.
fn outputs(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let (old, now) = text.split_once("-----\n").unwrap_or((&text, "1"));
    let shown = |mime: &str, text: &str| {
        let data = Map::from_iter([(mime.to_owned(), Value::from(text))]);
        [Output::DisplayData { data, metadata: Map::new() }]
    };
    let mime = match () {
        () if old.starts_with("<svg") => "image/svg+xml",
        () if old.contains("<t") => "text/html",
        () => "text/plain",
    };
    let (saved, new) = (shown(mime, old), shown(mime, now));
    let there = OutputComparer::default().outputs(&saved, &new);
    let kind = there.difference.map(|difference| (difference.kind, difference.path.len()));
    let codes = format!("{mime}{:?}{kind:?}{}", there.agreement, is_unchanged_for_nbdime(&saved, &new));
    let signs = chance_signs(&[old]).len().min(3) + 4 * signs_of_paper(&[now]).len().min(3);
    code_of(&codes) ^ signs as u64
}

/// Two long texts of pieces, the last of which differ.
fn halves(piece: &str, size: usize) -> Vec<u8> {
    let many = piece.repeat(size / 2 / piece.len());
    format!("{many}1.5-----\n{many}2.5").into_bytes()
}

#[test]
fn comparisons() {
    attack(&FuzzTarget {
        name: "outputs",
        test: "fuzz::comparisons",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[
            b"{'a': [1.5, np.float64(2)], 'b': {3, 'x'}}\narray([ 1.,  2.], dtype=int32)-----\n{'b': {'x', 3}, 'a': [1.5, 2.1]}",
            b"   a  b  \\\n0  1  2  \n\n   c\n0  3-----\n   a  b  c\n0  1  2  3\n..\n[5 rows x 3 columns]",
            b"<style>a{}</style><table><thead><tr><th rowspan=2>a</th></tr></thead><tr><td colspan=3>1</td></tr></table><p>5 rows \xc3\x97 3 columns</p><script>x</script>-----\n<div><table><tr><td>2",
            b"<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'><g id='a1'><path d='M0 0L5 5'/></g><use href='#a1'/></svg>-----\n<svg xmlns='http://www.w3.org/2000/svg' width='20' height='10'/>",
            b"\x1b[31m100%|##| 9/9 [00:01<00:00, 8.1it/s]\r\x08a at 0x7f3c2c0b5a90 /tmp/x Wall time: 3 s-----\nimport random; random.random()",
        ],
        // Each stands beside each other, which takes its time.
        words: &[b"{", b",", b"'", b"-----\n"],
        shapes: &[
            Shape { name: "sets", make: |size| halves("{1, 2}", size) },
            Shape { name: "one set", make: |size| format!("{{{}}}-----\n{{{}}}", "1.5,".repeat(size / 8), "2,".repeat(size / 4)).into_bytes() },
            Shape { name: "apostrophes", make: |size| halves("it's 'a ", size) },
            Shape { name: "rows", make: |size| halves("<table><tr><td>1</table>", size) },
            Shape { name: "brackets", make: |size| halves("([{", size) },
            Shape { name: "colons", make: |size| halves("{'a':", size) },
            Shape { name: "controls", make: |size| halves("\u{1b}[\r\u{8}", size) },
            Shape { name: "bars", make: |size| halves("100%|##|took 1 s ", size) },
            Shape { name: "lines", make: |size| halves("a 1.5 b\n", size) },
        ],
        bytes_per_byte: 3000,
        most_bytes: 1 << 30,
        mutations: 60,
        parse: outputs,
    });
}
