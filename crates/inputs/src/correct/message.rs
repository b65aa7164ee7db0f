//! What a message names: columns, values, sizes, files.

use std::sync::OnceLock;

use regex::Regex;

use nbrevive_notebook::CellFeedback;

/// What stands in quotes in a text, of whichever kind, in order.
pub(super) fn quoted(text: &str) -> Vec<String> {
    static QUOTED: OnceLock<Option<Regex>> = OnceLock::new();
    let quoted = QUOTED.get_or_init(|| Regex::new(r#"'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`"#).ok());
    let found = quoted.iter().flat_map(|quoted| quoted.captures_iter(text));
    found
        .filter_map(|captured| captured.iter().skip(1).flatten().next().map(|part| part.as_str().replace("\\'", "'")))
        .collect()
}

/// The first thing in quotes behind some words.
pub(super) fn quoted_after(text: &str, words: &str) -> Option<String> {
    let (_, rest) = text.split_once(words)?;
    quoted(rest).into_iter().next()
}

/// The whole numbers in a text, in order.
pub(super) fn numbers(text: &str) -> Vec<usize> {
    let digits = text.split(|letter: char| !letter.is_ascii_digit());
    digits.filter(|digits| !digits.is_empty() && digits.len() < 10).filter_map(|digits| digits.parse().ok()).collect()
}

/// Names of columns that a message says are missing.
pub(super) fn missing_columns(error: &CellFeedback) -> Vec<String> {
    let text = error.evalue.as_str();
    let says = |words: &str| text.contains(words);
    let of_data = || {
        quoted(text)
            .into_iter()
            .filter(|name| !matches!(name.as_str(), "object" | "str" | "string" | "data" | "x" | "y" | "hue"))
    };
    match error.ename.as_str() {
        "KeyError" => {
            // The message of a `KeyError` is the key's own text in quotes, or a sentence in them.
            let is_sentence = [
                " not in index",
                " not found in axis",
                " are in the ",
                "Columns not found",
                "Column not found",
                "not present",
                "not found",
                "do not exist",
                "are missing",
            ]
            .iter()
            .any(|words| text.contains(words));
            let inner = text.strip_prefix(['"', '\'']).and_then(|text| text.strip_suffix(['"', '\'']));
            match (is_sentence, inner) {
                (true, _) => {
                    let inner = inner.unwrap_or(text);
                    let named: Vec<String> =
                        quoted(inner).into_iter().filter(|name| !matches!(name.as_str(), "object" | "str")).collect();
                    let bare = || inner.split_once("not found: ").map(|(_, name)| vec![name.trim().to_owned()]);
                    if named.is_empty() { bare().unwrap_or_default() } else { named }
                }
                (false, Some(key)) => vec![key.replace("\\'", "'")],
                (false, None) => Vec::new(),
            }
        }
        "AttributeError"
            if says("'DataFrame' object has no attribute")
                || says("'Series' object has no attribute")
                || says("'Pandas' object has no attribute") =>
        {
            quoted_after(text, "has no attribute")
                .into_iter()
                .filter(|name| !crate::follow::is_attribute_of_frames(name))
                .collect()
        }
        _ if says("Could not interpret value") || says("Could not interpret input") => {
            quoted(text).into_iter().take(1).collect()
        }
        _ if says("Usecols do not match") || says("usecols do not match") => bracketed(text),
        _ if says("Missing column provided to 'parse_dates'") => {
            text.split_once("parse_dates':").map(|(_, rest)| quoted(rest)).unwrap_or_default()
        }
        _ if says("is not the name of a column in") => {
            text.rsplit_once("received: ").map(|(_, name)| vec![name.trim().to_owned()]).unwrap_or_default()
        }
        "UndefinedVariableError" => of_data().take(1).collect(),
        "PatsyError" | "FormulaicError" | "FactorEvaluationError" => quoted_after(text, "name ").into_iter().collect(),
        _ if says("Index ") && says(" invalid") => text
            .split_once("Index ")
            .and_then(|(_, rest)| rest.split_once(" invalid"))
            .map(|(name, _)| vec![name.to_owned()])
            .unwrap_or_default(),
        "ValueError" if says("is not in list") => quoted(text),
        "OperationalError" | "DatabaseError" if says("no such column: ") => text
            .split_once("no such column: ")
            .map(|(_, name)| vec![name.rsplit('.').next().unwrap_or(name).trim().to_owned()])
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Names in the last list of a message.
fn bracketed(text: &str) -> Vec<String> {
    text.rsplit_once('[').map(|(_, list)| quoted(list)).unwrap_or_default()
}

/// The path of the file that an error says is not there; none where it is about something else, or names none.
#[must_use]
pub fn missing_file(error: &CellFeedback) -> Option<String> {
    let text = &error.evalue;
    let is_it = matches!(error.ename.as_str(), "FileNotFoundError" | "IOError" | "OSError")
        && ["No such file", "does not exist", "not found", "Cannot save file"].iter().any(|words| text.contains(words));
    if !is_it {
        return None;
    }
    quoted(text).into_iter().find(|path| !path.is_empty()).or_else(|| {
        let (_, rest) = text.split_once("File ")?;
        Some(rest.split_once(" does not exist")?.0.trim().to_owned())
    })
}

/// A value that could not be read as a number or a day.
pub(super) fn wrong_value(text: &str) -> Option<String> {
    let sayings = [
        "could not convert string to float: ",
        "invalid literal for int() with base 10: ",
        "Unable to parse string ",
        "Could not convert ",
        "could not convert string ",
        "time data ",
        "Unknown string format",
        "Unknown datetime string format",
        "unable to parse: ",
        "Invalid isoformat string: ",
        "unseen labels: ",
        "unknown categories ",
    ];
    sayings.iter().find_map(|words| {
        let (_, rest) = text.split_once(words)?;
        quoted(rest)
            .into_iter()
            .next()
            .or_else(|| Some(rest.trim_start_matches([':', ' ']).split([',', '\n']).next()?.trim().to_owned()))
    })
}

/// Classes of values that stand in cells of tables: what these lack tells of the data.
const OF_VALUES: [&str; 10] =
    ["str", "float", "int", "bool", "list", "dict", "NoneType", "Timestamp", "numpy.float64", "numpy.int64"];

/// Whether other data could mend an error: not what a library no longer has or takes, nor what no data ever change.
#[must_use]
pub fn data_may_mend(error: &CellFeedback) -> bool {
    let text = error.evalue.as_str();
    match error.ename.as_str() {
        "ImportError"
        | "SyntaxError"
        | "IndentationError"
        | "TabError"
        | "NotImplementedError"
        | "InvalidParameterError" => false,
        "TypeError" => !["keyword argument", "positional argument"].iter().any(|words| text.contains(words)),
        "AttributeError" => {
            let (class, attribute) = text.split_once(" object has no attribute ").unwrap_or_default();
            let class = class.trim_matches('\'');
            // A frame lacks what its methods once were, or a column.
            let is_column =
                || class == "DataFrame" && !crate::follow::is_attribute_of_frames(attribute.trim_matches('\''));
            OF_VALUES.contains(&class) || is_column()
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(ename: &str, evalue: &str) -> Vec<String> {
        missing_columns(&error(ename, evalue))
    }

    fn error(ename: &str, evalue: &str) -> CellFeedback {
        let (ename, evalue, traceback) = (ename.to_owned(), evalue.to_owned(), String::new());
        CellFeedback { cell: 0, ename, evalue, traceback, line: None }
    }

    #[test]
    fn columns_are_named_in_many_ways() {
        assert_eq!(missing("KeyError", "'Age'"), ["Age"]);
        assert_eq!(missing("KeyError", "\"['a' 'b'] not in index\""), ["a", "b"]);
        assert_eq!(
            missing("KeyError", "\"None of [Index(['a', 'b'], dtype='object')] are in the [columns]\""),
            ["a", "b"]
        );
        assert_eq!(missing("KeyError", "'Column not found: price'"), ["price"]);
        assert_eq!(missing("KeyError", "\"it's\""), ["it's"]);
        assert_eq!(missing("AttributeError", "'DataFrame' object has no attribute 'sex'"), ["sex"]);
        assert!(missing("AttributeError", "'DataFrame' object has no attribute 'append'").is_empty());
        assert_eq!(missing("ValueError", "Could not interpret value `tip` for parameter `x`"), ["tip"]);
        assert_eq!(
            missing("ValueError", "Usecols do not match columns, columns expected but not found: ['u', 'v']"),
            ["u", "v"]
        );
        assert_eq!(missing("ValueError", "Missing column provided to 'parse_dates': 'when'"), ["when"]);
        assert!(missing("KeyError", "5").is_empty());
    }

    #[test]
    fn files_and_values() {
        let found = missing_file(&error("FileNotFoundError", "[Errno 2] No such file or directory: 'data/x.csv'"));
        assert_eq!(found.as_deref(), Some("data/x.csv"));
        assert_eq!(wrong_value("could not convert string to float: 'city 1'").as_deref(), Some("city 1"));
        assert_eq!(numbers("Expected axis has 4 elements, new values have 5 elements"), [4, 5]);
    }

    #[test]
    fn what_libraries_took_away_is_not_mended_by_data() {
        let of = |ename: &str, evalue: &str| data_may_mend(&error(ename, evalue));
        assert!(of("KeyError", "'Fare'"));
        assert!(of("ValueError", "could not convert string to float: 'a'"));
        assert!(of("AttributeError", "'DataFrame' object has no attribute 'Fare'"));
        assert!(of("AttributeError", "'float' object has no attribute 'split'"));
        for (ename, evalue) in [
            ("AttributeError", "'DataFrame' object has no attribute 'append'"),
            ("AttributeError", "'PolynomialFeatures' object has no attribute 'get_feature_names'"),
            ("AttributeError", "`np.infty` was removed in the NumPy 2.0 release. Use `np.inf` instead."),
            ("AttributeError", "module 'numpy' has no attribute 'bool'"),
            ("TypeError", "f() got an unexpected keyword argument 'iid'"),
            ("ImportError", "cannot import name 'imread' from 'scipy.misc'"),
        ] {
            assert!(!of(ename, evalue), "{evalue}");
        }
    }
}
