//! Reads the fields of an answer: what is absent or at its default is unknown, what has another type is an error that
//! names the field. Both generations are read alike: the newer one leaves out what is at its default.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

/// Longest server's message that is passed on, in characters.
const LONGEST_MESSAGE: usize = 200;

/// A field that has not the expected form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("field `{field}` should be {expected} and is {found}")]
pub struct ShapeError {
    /// The field, with the path that leads to it.
    pub field: String,
    /// What it should be.
    pub expected: &'static str,
    /// What it is.
    pub found: &'static str,
}

/// Why a body cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BodyFault {
    #[error("it is not JSON: {0}")]
    NotJson(String),
    #[error("it is a web page instead of JSON")]
    WebPage,
    #[error("{0}")]
    Shape(#[from] ShapeError),
    #[error("it says {status}: {message}")]
    Says { status: u16, message: String },
    #[error("it is no archive with a table: {0}")]
    NotArchive(String),
}

/// Parses a JSON body, and finds the error that a 200 may hide: official clients look for it, too.
pub(crate) fn json(bytes: &[u8]) -> Result<Value, BodyFault> {
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(_) if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<') => {
            return Err(BodyFault::WebPage);
        }
        // The parser's message has no part of the text but single characters.
        Err(error) => return Err(BodyFault::NotJson(error.to_string())),
    };
    match said_error(&value) {
        Some((status, message)) => Err(BodyFault::Says { status, message }),
        None => Ok(value),
    }
}

/// Status and message of an error in one of the forms in which the servers tell it.
pub(crate) fn said_error(value: &Value) -> Option<(u16, String)> {
    let error = if value["code"].is_number() { value } else { &value["error"] };
    let code = error["code"].as_u64().and_then(|code| u16::try_from(code).ok())?;
    let message = error["message"].as_str().or_else(|| value["errors"][0].as_str()).unwrap_or_default();
    let status = match code {
        400..=599 => code,
        // The internal service counts as gRPC does.
        5 if value["errors"].is_array() => 404,
        7 if value["errors"].is_array() => 403,
        8 if value["errors"].is_array() => 429,
        _ => return None,
    };
    Some((status, harmless(message)))
}

/// A server's message, short and without what moves a terminal's cursor.
pub(crate) fn harmless(message: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    message.chars().take(LONGEST_MESSAGE).map(plain).collect()
}

/// An object of an answer, with the path that leads to it.
#[derive(Debug, Clone)]
pub(crate) struct Fields<'a> {
    value: &'a Value,
    path: String,
}

impl<'a> Fields<'a> {
    /// The object at the top of an answer, or below it by `path`.
    pub(crate) fn new(value: &'a Value, path: &str) -> Result<Self, ShapeError> {
        if value.is_object() {
            return Ok(Self { value, path: path.to_owned() });
        }
        let field = if path.is_empty() { "the whole answer".to_owned() } else { path.to_owned() };
        Err(ShapeError { field, expected: "an object", found: kind(value) })
    }

    fn field(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    pub(crate) fn wrong(&self, name: &str, expected: &'static str) -> ShapeError {
        ShapeError { field: self.field(name), expected, found: kind(&self.value[name]) }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.value.get(name).filter(|value| !value.is_null())
    }

    /// A text; an empty one is unknown.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&'a str>, ShapeError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let text = value.as_str().ok_or_else(|| self.wrong(name, "a text"))?;
        Ok(Some(text).filter(|text| !text.is_empty()))
    }

    /// A name, which has to be there, if only as an empty text.
    pub(crate) fn name(&self, name: &str) -> Result<&'a str, ShapeError> {
        self.get(name).and_then(Value::as_str).ok_or_else(|| self.wrong(name, "a name"))
    }

    /// A count or number, also as a text; one that is absent is unknown, nought included in what is known.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, ShapeError> {
        let number = |value: &Value| match value {
            Value::String(text) => text.parse().ok(),
            value => value.as_u64(),
        };
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(value) => number(value).map(Some).ok_or_else(|| self.wrong(name, "a whole number")),
        }
    }

    /// An id, for which nought means unknown.
    pub(crate) fn id(&self, name: &str) -> Result<Option<u64>, ShapeError> {
        Ok(self.number(name)?.filter(|id| *id != 0))
    }

    /// A switch.
    pub(crate) fn switch(&self, name: &str) -> Result<Option<bool>, ShapeError> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(switch)) => Ok(Some(*switch)),
            Some(Value::String(text)) if text.eq_ignore_ascii_case("true") => Ok(Some(true)),
            Some(Value::String(text)) if text.eq_ignore_ascii_case("false") => Ok(Some(false)),
            Some(_) => Err(self.wrong(name, "true or false")),
        }
    }

    /// A moment: ISO 8601, in UTC where it names no zone.
    pub(crate) fn moment(&self, name: &str) -> Result<Option<Timestamp>, ShapeError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let moment = moment(text).ok_or_else(|| self.wrong(name, "a time as ISO 8601 has it"))?;
        // The year 1 is how some servers write "never".
        Ok(Some(moment).filter(|moment| *moment > Timestamp::UNIX_EPOCH))
    }

    /// A list of texts; absent is empty where the generation leaves out defaults.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<&'a str>, ShapeError> {
        let texts = || self.wrong(name, "a list of texts");
        self.list(name)?.iter().map(|value| value.as_str().ok_or_else(texts)).collect()
    }

    /// A list; absent is empty.
    pub(crate) fn list(&self, name: &str) -> Result<&'a [Value], ShapeError> {
        match self.get(name) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => Err(self.wrong(name, "a list")),
        }
    }

    /// An object below this one.
    pub(crate) fn object(&self, name: &str) -> Result<Fields<'a>, ShapeError> {
        Fields::new(&self.value[name], &self.field(name))
    }
}

/// A moment as ISO 8601 has it.
pub(crate) fn moment(text: &str) -> Option<Timestamp> {
    let zoned = text.parse::<Timestamp>().ok();
    zoned.or_else(|| Some(text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp()))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "absent",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_of_another_type_is_named() {
        let value = json!({"metadata": {"id": "12", "title": 5, "totalVotes": 0, "author": "", "lastRunTime": "soon"}});
        let fields = Fields::new(&value, "").unwrap().object("metadata").unwrap();
        assert_eq!(fields.id("id"), Ok(Some(12)));
        assert_eq!(fields.number("totalVotes"), Ok(Some(0)));
        assert_eq!((fields.text("author"), fields.text("nothing")), (Ok(None), Ok(None)));
        let error = fields.text("title").unwrap_err();
        assert_eq!(error.to_string(), "field `metadata.title` should be a text and is a number");
        assert!(fields.moment("lastRunTime").is_err() && fields.texts("title").is_err());
        assert!(Fields::new(&json!([]), "").is_err());
    }

    #[test]
    fn times_have_up_to_seven_digits_and_perhaps_no_zone() {
        for text in ["2025-04-03T12:34:56.7891234Z", "2025-04-03T12:34:56Z", "2025-04-03T12:34:56.789"] {
            assert_eq!(moment(text).unwrap().as_second(), 1_743_683_696, "{text}");
        }
        let never = json!({"t": "0001-01-01T00:00:00Z"});
        assert_eq!(Fields::new(&never, "").unwrap().moment("t"), Ok(None));
    }

    #[test]
    fn an_error_may_hide_in_a_good_answer() {
        let said = |text: &str| match json(text.as_bytes()) {
            Err(BodyFault::Says { status, .. }) => Some(status),
            _ => None,
        };
        assert_eq!(said(r#"{"code":404,"message":"Not found"}"#), Some(404));
        assert_eq!(
            said(r#"{"error":{"code":429,"message":"Too many requests","status":"RESOURCE_EXHAUSTED"}}"#),
            Some(429)
        );
        assert_eq!(
            said(r#"{"errors":["Permission 'x.get' was denied"],"error":{"code":7},"wasSuccessful":false}"#),
            Some(403)
        );
        assert_eq!(said(r#"{"code":"print(1)"}"#), None);
        assert_eq!(json(b" <!doctype html>"), Err(BodyFault::WebPage));
        assert!(matches!(json(br#"{"kernels":["#), Err(BodyFault::NotJson(_))));
    }

    proptest! {
        #[test]
        fn no_body_does_harm(bytes in proptest::collection::vec(any::<u8>(), 0..60), text in "[{}\\[\\]\":,a0]{0,30}") {
            let _ = json(&bytes);
            let _ = json(text.as_bytes());
            let _ = moment(&text);
        }

        #[test]
        fn messages_never_move_the_cursor(text in "\\PC{0,30}(\u{1b}|\n|\u{7})\\PC{0,300}") {
            prop_assert!(!harmless(&text).chars().any(char::is_control));
        }
    }
}
