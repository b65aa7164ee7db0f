//! Messages on the wire: framing, signatures, and the few requests we send.

use bytes::Bytes;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use nbrevive_notebook::parse_lenient;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::claims;

/// Frame between routing identities and the message.
const DELIMITER: &[u8] = b"<IDS|MSG>";
/// Version of the protocol that our headers claim; every kernel since 4.0 takes it.
const VERSION: &str = "5.3";

/// The name of the one expression that is asked for.
const EXPRESSION: &str = "nbrevive";

/// Signs what we send and checks what we get.
#[derive(Clone)]
pub(crate) struct Signer {
    mac: Hmac<Sha256>,
}

impl Signer {
    pub(crate) fn new(key: &str) -> Option<Self> {
        Hmac::new_from_slice(key.as_bytes()).ok().map(|mac| Self { mac })
    }

    fn of(&self, parts: &[Bytes]) -> Hmac<Sha256> {
        let mut mac = self.mac.clone();
        for part in parts {
            mac.update(part);
        }
        mac
    }

    pub(crate) fn sign(&self, parts: &[Bytes]) -> String {
        nbrevive_files::hex(self.of(parts).finalize().into_bytes())
    }

    fn accepts(&self, signature: &[u8], parts: &[Bytes]) -> bool {
        unhexed(signature).is_some_and(|signature| self.of(parts).verify_slice(&signature).is_ok())
    }
}

fn unhexed(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, []) = text.as_chunks::<2>() else { return None };
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

/// A message received and found genuine, as far as it is needed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Message {
    pub(crate) kind: String,
    /// When the kernel sent it, in its own words, as long as those are a date.
    pub(crate) date: Option<String>,
    /// `msg_id` of the request that it belongs to; empty for none.
    pub(crate) parent: String,
    pub(crate) content: Value,
}

/// Takes a message apart; `None` for what is malformed or not signed with our key.
pub(crate) fn decode(signer: &Signer, frames: &[Bytes]) -> Option<Message> {
    let start = frames.iter().position(|frame| frame.as_ref() == DELIMITER)?;
    let signature = frames.get(start + 1)?;
    let parts = frames.get(start + 2..start + 6)?;
    if !signer.accepts(signature, parts) {
        return None;
    }
    let (header, parent) = (parse_lenient(&parts[0])?, parse_lenient(&parts[1])?);
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    Some(Message {
        kind: text(&header, "msg_type")?,
        date: text(&header, "date").filter(|date| claims::is_date(date)),
        parent: text(&parent, "msg_id").unwrap_or_default(),
        content: parse_lenient(&parts[3])?,
    })
}

/// Builds requests with ever new ids.
pub(crate) struct Requests {
    signer: Signer,
    session: String,
    count: u64,
}

impl Requests {
    pub(crate) fn new(signer: Signer, session: String) -> Self {
        Self { signer, session, count: 0 }
    }

    /// The frames of a request, and its id.
    pub(crate) fn build(&mut self, kind: &str, content: &Value) -> (String, Vec<Bytes>) {
        self.count += 1;
        let id = format!("{}_{}", self.session, self.count);
        let header = json!({
            "msg_id": id,
            "session": self.session,
            "username": "nbrevive",
            "date": format!("{:.6}", Timestamp::now()),
            "msg_type": kind,
            "version": VERSION,
        });
        let parts = [header, json!({}), json!({}), content.clone()].map(|part| Bytes::from(part.to_string()));
        let signature = Bytes::from(self.signer.sign(&parts));
        let mut frames = vec![Bytes::from_static(DELIMITER), signature];
        frames.extend(parts);
        (id, frames)
    }
}

/// Content of an `execute_request` that leaves the queue alone on errors and allows no question to the user.
pub(crate) fn execute_content(code: &str) -> Value {
    json!({
        "code": code,
        "silent": false,
        "store_history": true,
        "user_expressions": {},
        "allow_stdin": false,
        "stop_on_error": false,
    })
}

/// The same for code of our own, which leaves no trace in output, history or counters.
pub(crate) fn silent_content(code: &str) -> Value {
    let mut content = execute_content(code);
    content["silent"] = true.into();
    content["store_history"] = false.into();
    content
}

/// The same for one expression, whose value is in the reply. The kernel takes it for no cell, and calls no hooks but those that the notebook
/// registered for every request (`pre_execute`, `post_execute`).
pub(crate) fn expression_content(expression: &str) -> Value {
    let mut content = silent_content("");
    content["user_expressions"] = json!({ EXPRESSION: expression });
    content
}

/// What a reply shows of the value of that expression, where it is a text of hexadecimal digits.
pub(crate) fn expression_value(reply: &Value) -> Option<Vec<u8>> {
    let shown = reply.get("user_expressions")?.get(EXPRESSION)?.get("data")?.get("text/plain")?.as_str()?;
    unhexed(shown.trim_start_matches('u').trim_matches('\'').as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_is_read_back() {
        let signer = Signer::new("secret").unwrap();
        let mut requests = Requests::new(signer.clone(), "session".into());
        let (id, frames) = requests.build("execute_request", &execute_content("1 + 1"));
        assert_eq!(id, "session_1");
        let message = decode(&signer, &frames).unwrap();
        assert_eq!((message.kind.as_str(), message.parent.as_str()), ("execute_request", ""));
        assert_eq!(message.content["code"], "1 + 1");
        assert_ne!(requests.build("execute_request", &json!({})).0, id);
    }

    #[test]
    fn forged_and_broken_messages_are_refused() {
        let signer = Signer::new("secret").unwrap();
        let (_, frames) = Requests::new(signer.clone(), "s".into()).build("status", &json!({}));
        assert_eq!(decode(&Signer::new("other").unwrap(), &frames), None);
        let mut changed = frames.clone();
        changed[5] = Bytes::from_static(b"{\"a\":1}");
        assert_eq!(decode(&signer, &changed), None);
        for length in 0..frames.len() {
            assert_eq!(decode(&signer, &frames[..length]), None);
        }
        assert_eq!(unhexed(b"0g"), None);
        assert_eq!(unhexed(b"abc"), None);
        assert_eq!(unhexed(b"ff00"), Some(vec![255, 0]));
    }
}
