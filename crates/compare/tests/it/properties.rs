//! What holds of any outputs.

use nbrevive_compare::{Agreement, OutputComparer, is_unchanged_for_nbdime};
use nbrevive_notebook::Output;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "1.5",
        "-2",
        "nan",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        ",",
        ":",
        "'a'",
        "\"",
        "\n",
        " ",
        "...",
        "x",
        "dtype: int64",
        "<table>",
        "<tr>",
        "<td>",
        "</table>",
        "\r",
        "\u{1b}[0m",
        "at 0x7fffff",
        "Wall time: 3 s",
        "np.float64(",
        "é",
        "\\",
        "1e999",
        "\u{8}",
        "100%|",
        "/tmp/",
    ]);
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

fn mime() -> impl Strategy<Value = String> {
    let types = ["text/plain", "text/html", "text/latex", "image/png", "image/svg+xml", "application/json", "x/y"];
    prop::sample::select(types.to_vec()).prop_map(str::to_owned)
}

fn output() -> impl Strategy<Value = Output> {
    prop_oneof![
        (prop::sample::select(vec!["stdout", "stderr"]), text())
            .prop_map(|(name, text)| Output::Stream { name: name.to_owned(), text }),
        bundle().prop_map(|data| Output::DisplayData { data, metadata: Map::new() }),
        bundle().prop_map(|data| Output::ExecuteResult { execution_count: None, data, metadata: Map::new() }),
    ]
}

fn bundle() -> impl Strategy<Value = Map<String, Value>> {
    let value =
        prop_oneof![4 => text().prop_map(Value::from), 1 => Just(json!({ "a": [1, 2.5, null] })), 1 => Just(json!(3))];
    prop::collection::btree_map(mime(), value, 0..3).prop_map(|data| data.into_iter().collect())
}

proptest! {
    #[test]
    fn outputs_agree_with_themselves_exactly(outputs in prop::collection::vec(output(), 0..4)) {
        let compared = OutputComparer::default().outputs(&outputs, &outputs);
        prop_assert!(matches!(compared.agreement, Ok(Agreement::Exact) | Err(_)));
        prop_assert_eq!(compared.difference, None);
        prop_assert!(is_unchanged_for_nbdime(&outputs, &outputs));
    }

    #[test]
    fn which_comes_first_does_not_matter(saved in prop::collection::vec(output(), 1..3), new in prop::collection::vec(output(), 1..3)) {
        let (there, back) = (OutputComparer::default().outputs(&saved, &new), OutputComparer::default().outputs(&new, &saved));
        if let (Ok(there), Ok(back)) = (there.agreement, back.agreement) {
            prop_assert_eq!(there, back);
        }
        prop_assert_eq!(there.stderr, back.stderr);
        if let Ok(level) = there.agreement {
            prop_assert_eq!(level == Agreement::Exact, there.difference.is_none());
        }
    }
}
