//! Arguments of an operation, whether they came in a query, a path or a JSON body.

use std::collections::BTreeMap;

use nbrevive_loopback::Request;
use serde_json::Value;

use crate::listing::untoken;
use crate::refusal::Refusal;

/// Named texts; numbers and booleans are texts too.
#[derive(Debug, Clone, Default)]
pub(super) struct Arguments(BTreeMap<String, String>);

impl Arguments {
    pub(super) fn of_query(request: &Request, from_path: &[(&str, &str)]) -> Self {
        let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        Self(request.query.iter().cloned().chain(from_path.iter().map(own)).collect())
    }

    pub(super) fn of_json(body: &Value) -> Self {
        let fields = body.as_object().into_iter().flatten();
        let texts = fields.map(|(key, value)| match value {
            Value::String(text) => (key.clone(), text.clone()),
            other => (key.clone(), other.to_string()),
        });
        Self(texts.collect())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The value; empty when missing.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.get(name).map(String::as_str).unwrap_or_default()
    }

    /// The value, when it is there and not empty.
    pub(super) fn given(&self, name: &str) -> Option<String> {
        Some(self.text(name)).filter(|text| !text.is_empty()).map(str::to_owned)
    }

    pub(super) fn number(&self, name: &str, default: usize) -> Result<usize, Refusal> {
        match self.text(name) {
            "" => Ok(default),
            text => text.parse().map_err(|_| Refusal::new(400, &format!("'{name}' is not a number"))),
        }
    }

    /// The number of the page asked for, by number or by token.
    pub(super) fn page(&self) -> Result<usize, Refusal> {
        match self.text("pageToken") {
            "" => self.number("page", 1),
            _ if self.number("page", 1)? > 1 => Err(Refusal::new(400, "Use either page or pageToken")),
            token => untoken(token),
        }
    }
}
