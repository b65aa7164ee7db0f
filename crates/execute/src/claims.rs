//! What a kernel says of itself: claims, since code of the notebook can speak in its name. What lands in the saved notebook is
//! checked here to be what it should be; what is not is left out.

use serde_json::{Map, Value};

/// Highest number of an execution that is believed: no notebook has that many cells, and every reader can count to it.
const MOST_EXECUTIONS: u64 = 1 << 31;
/// Longest date, in bytes: RFC 3339 with a zone has 32.
const LONGEST_DATE: usize = 40;
/// Longest text that says something of a language, in bytes.
const LONGEST_TEXT: usize = 200;
/// What is kept of `language_info`: what nbformat knows.
const LANGUAGE: [&str; 6] = ["name", "version", "mimetype", "file_extension", "pygments_lexer", "nbconvert_exporter"];

/// The number of an execution.
pub(crate) fn count(content: &Value) -> Option<u64> {
    content["execution_count"].as_u64().filter(|&count| count <= MOST_EXECUTIONS)
}

/// Whether a text is a date with a time, as kernels of all ages write it.
pub(crate) fn is_date(text: &str) -> bool {
    let of_date = |byte: u8| byte.is_ascii_digit() || b"-:.+TZ".contains(&byte);
    text.len() <= LONGEST_DATE && text.as_bytes().first().is_some_and(u8::is_ascii_digit) && text.bytes().all(of_date)
}

/// The language of a `kernel_info_reply`, in the kernel's order; `None` without a name.
pub(crate) fn language_info(reply: &Value) -> Option<Value> {
    let kept = kept(reply.get("language_info")?, |key, value| match value {
        Value::Object(_) if key == "codemirror_mode" => Some(Value::Object(self::kept(value, |key, value| {
            (key == "name" && short(value) || key == "version" && value.is_u64()).then(|| value.clone())
        }))),
        _ => ((LANGUAGE.contains(&key) || key == "codemirror_mode") && short(value)).then(|| value.clone()),
    });
    kept.contains_key("name").then_some(Value::Object(kept))
}

fn kept(claimed: &Value, keep: impl Fn(&str, &Value) -> Option<Value>) -> Map<String, Value> {
    let entries = claimed.as_object().into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key.clone(), keep(key, value)?))).collect()
}

fn short(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() <= LONGEST_TEXT)
}

/// The forms of an output by type: texts, or lists of them, but for types of JSON. Anything else is written out, for it would make the
/// notebook invalid.
pub(crate) fn bundle(data: &Value) -> Map<String, Value> {
    let valid = |kind: &str, value: &Value| match value {
        Value::String(_) => true,
        Value::Array(lines) if lines.iter().all(Value::is_string) => true,
        _ => kind == "application/json" || kind.ends_with("+json"),
    };
    let form = |(kind, value): (&String, &Value)| {
        let value = if valid(kind, value) { value.clone() } else { Value::String(value.to_string()) };
        (kind.clone(), value)
    };
    data.as_object().into_iter().flatten().map(form).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_of_executions_are_small_and_not_negative() {
        let counted = |count: Value| super::count(&json!({ "execution_count": count }));
        assert_eq!(counted(json!(7)), Some(7));
        for claim in [json!(-1), json!(u64::MAX), json!(1.5), json!("7"), json!(null)] {
            assert_eq!(counted(claim.clone()), None, "{claim}");
        }
    }

    #[test]
    fn dates_are_dates() {
        for date in ["2026-11-24T23:00:00.123456Z", "2018-05-01T10:00:00.1", "2026-11-24T23:00:00.1+00:00"] {
            assert!(is_date(date), "{date}");
        }
        for claim in ["", "yesterday", "2026-11-24T23:00:00\u{1b}[2J", "Z2026", &"1".repeat(41)] {
            assert!(!is_date(claim), "{claim}");
        }
    }

    #[test]
    fn of_a_language_only_short_texts_are_kept() {
        let honest = json!({ "name": "python", "version": "3.12.1", "mimetype": "text/x-python", "file_extension": ".py",
            "codemirror_mode": { "name": "ipython", "version": 3 }, "pygments_lexer": "ipython3",
            "nbconvert_exporter": "python" });
        assert_eq!(language_info(&json!({ "language_info": honest })), Some(honest));
        let claim = json!({ "name": "python", "version": "x".repeat(1 << 20), "file_extension": { "a": [1] }, "evil": "<script>",
            "codemirror_mode": { "name": "ipython", "deep": [[[]]] } });
        let kept = json!({ "name": "python", "codemirror_mode": { "name": "ipython" } });
        assert_eq!(language_info(&json!({ "language_info": claim })), Some(kept));
        assert_eq!(language_info(&json!({ "language_info": { "version": "3" } })), None);
        assert_eq!(language_info(&json!({ "language_info": 5 })), None);
    }

    #[test]
    fn forms_of_an_output_are_texts() {
        let data =
            json!({ "text/html": 5, "text/plain": ["a", "b"], "image/png": null, "application/x+json": { "a": 1 } });
        let expected = json!({ "text/html": "5", "text/plain": ["a", "b"], "image/png": "null",
            "application/x+json": { "a": 1 } });
        assert_eq!(Value::Object(bundle(&data)), expected);
    }
}
