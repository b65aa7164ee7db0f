use proptest::prelude::*;

use super::*;

fn columns() -> Vec<FilterColumn> {
    vec![
        FilterColumn { name: "outcome", kind: FilterKind::Word(vec!["failed", "error-free-reproducible"]) },
        FilterColumn { name: "version", kind: FilterKind::Text },
        FilterColumn { name: "seconds", kind: FilterKind::Number },
        FilterColumn { name: "score", kind: FilterKind::Number },
    ]
}

/// A row: it failed after 61.5 s, and has no score.
fn row(column: &str) -> FilterValue<'static> {
    match column {
        "outcome" => FilterValue::Text("failed"),
        "version" => FilterValue::Text("iris, first steps"),
        "seconds" => FilterValue::Number(61.5),
        _ => FilterValue::Missing,
    }
}

fn holds(text: &str) -> bool {
    Filter::parse(text, &columns()).unwrap_or_else(|error| panic!("{text}: {error}")).holds(&row)
}

fn said(text: &str) -> String {
    Filter::parse(text, &columns()).unwrap_err().to_string()
}

#[test]
fn conditions_hold_as_they_read() {
    for text in [
        "outcome=failed",
        "outcome = failed and seconds > 60",
        "outcome=error-free-reproducible or seconds>=61.5",
        "not outcome != failed",
        "version ~ iris and version !~ wine",
        "version = \"iris, first steps\"",
        "score = none and seconds != none",
        "score != 1",
        // `and` binds before `or`, `not` before both.
        "outcome=failed or seconds<1 and seconds<1",
        "not seconds<1 and not (seconds<1 or seconds<=2)",
        "((outcome=failed))",
    ] {
        assert!(holds(text), "{text}");
    }
    for text in
        ["(outcome=failed or seconds<1) and seconds<1", "score < 1", "not score != 1", "score > 1", "seconds = 61"]
    {
        assert!(!holds(text), "{text}");
    }
}

#[test]
fn what_is_wrong_is_named_with_the_nearest() {
    assert!(
        said("outcom=failed").contains("unknown column `outcom`")
            && said("outcom=failed").contains("did you mean `outcome`?")
    );
    assert!(
        said("outcome=faild").contains("unknown outcome `faild`")
            && said("outcome=faild").contains("did you mean `failed`?")
    );
    assert_eq!(
        said("outcome failed"),
        "at character 9 of the filter: expected an operator: = != < <= > >= ~ !~, found `failed`"
    );
    assert_eq!(
        said("outcome=failed seconds>1"),
        "at character 16 of the filter: expected `and`, `or` or its end, found `seconds`"
    );
    assert_eq!(said(""), "at character 1 of the filter: expected a column, found its end");
    assert_eq!(said("(outcome=failed"), "at character 16 of the filter: expected `and`, `or` or `)`, found its end");
    assert_eq!(said("version=\"x"), "at character 9 of the filter: expected a `\"` that ends the text, found its end");
    assert_eq!(said("seconds > long"), "`seconds` is a number: `long` is none");
    assert_eq!(said("version < x"), "`version` cannot be compared by `<`: it has no order, use = or !=");
    assert_eq!(said("seconds ~ 1"), "`seconds` cannot be compared by `~`: it has no order, use = or !=");
    assert_eq!(said("ü=ö §"), "at character 5 of the filter: expected a word, an operator or a parenthesis, found '§'");
    assert_eq!(Filter::parse(&"(".repeat(2000), &columns()), Err(FilterError::TooLong));
    assert_eq!(Filter::parse(&"not ".repeat(1000), &columns()), Err(FilterError::TooLong));
}

/// A condition as a tree, written down with all parentheses, and what it should come to.
fn tree() -> impl Strategy<Value = (String, bool)> {
    let leaf = prop_oneof![
        Just(("outcome=failed".to_owned(), true)),
        Just(("outcome != failed".to_owned(), false)),
        Just(("score=none".to_owned(), true)),
        (0.0..120.0_f64).prop_map(|number| (format!("seconds<{number}"), 61.5 < number)),
        "[a-z]{1,3}".prop_map(|word| (format!("version~\"{word}\""), "iris, first steps".contains(&word))),
    ];
    leaf.prop_recursive(6, 24, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|(text, holds)| (format!("not ({text})"), !holds)),
            (inner.clone(), inner.clone())
                .prop_map(|(one, other)| (format!("({}) and ({})", one.0, other.0), one.1 && other.1)),
            (inner.clone(), inner).prop_map(|(one, other)| (format!("({}) or({})", one.0, other.0), one.1 || other.1)),
        ]
    })
}

proptest! {
    #[test]
    fn trees_come_to_what_they_say((text, expected) in tree()) {
        prop_assert_eq!(holds(&text), expected, "{}", text);
    }

    #[test]
    fn no_text_breaks_it(text in "[a-z =<>!~()\"0-9§üand or not]{0,60}") {
        if let Ok(filter) = Filter::parse(&text, &columns()) {
            let opposite = Filter(Node::Not(Box::new(filter.0.clone())));
            prop_assert_ne!(filter.holds(&row), opposite.holds(&row));
        }
    }
}
