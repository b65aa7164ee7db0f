//! Requests as they come over the wire.

use std::io::{self, Read};
use std::net::TcpStream;

use serde_json::Value;

/// The largest head of a request that is read, in bytes.
const MOST_HEAD: usize = 64 * 1024;
/// The largest body of a request that is read, in bytes.
const MOST_BODY: usize = 8 * 1024 * 1024;
const MOST_HEADERS: usize = 100;

/// A request, read as a whole.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// `GET`, `POST` and the like, as sent.
    pub method: String,
    /// Path and query as sent.
    pub target: String,
    /// What stands before the question mark, as sent.
    pub path: String,
    /// Decoded pairs of the query, in their order.
    pub query: Vec<(String, String)>,
    /// Headers with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, at most 8 MiB.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header; the name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter of the query.
    #[must_use]
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The value of a cookie.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let pairs = self.header("cookie")?.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The body as JSON; an empty body is an empty object, as for methods without arguments.
    ///
    /// # Errors
    /// Those of the parser.
    pub fn json(&self) -> Result<Value, serde_json::Error> {
        if self.body.is_empty() {
            return Ok(Value::Object(serde_json::Map::new()));
        }
        serde_json::from_slice(&self.body)
    }

    /// The parts of the path between slashes, decoded.
    #[must_use]
    pub fn segments(&self) -> Vec<String> {
        self.path.split('/').filter(|part| !part.is_empty()).map(|part| decode(part, false)).collect()
    }
}

/// Reads requests one after the other from a connection.
pub(crate) struct Reader {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Reader {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream, buffer: Vec::new() }
    }

    /// The next request; `None` when the client has closed the connection.
    pub(crate) fn next(&mut self) -> io::Result<Option<Request>> {
        let (mut request, head) = loop {
            if let Some(parsed) = parse_head(&self.buffer)? {
                break parsed;
            }
            if self.buffer.len() > MOST_HEAD {
                return Err(refused("the head of a request is too long"));
            }
            if !self.fill()? {
                return Ok(None);
            }
        };
        let length = request.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
        if length > MOST_BODY || request.header("transfer-encoding").is_some() {
            return Err(refused("a request's body is too long or comes in chunks"));
        }
        while self.buffer.len() < head + length {
            if !self.fill()? {
                return Ok(None);
            }
        }
        request.body = self.buffer[head..head + length].to_vec();
        self.buffer.drain(..head + length);
        Ok(Some(request))
    }

    fn fill(&mut self) -> io::Result<bool> {
        let mut chunk = [0; 16 * 1024];
        let count = self.stream.read(&mut chunk)?;
        self.buffer.extend_from_slice(&chunk[..count]);
        Ok(count > 0)
    }
}

fn refused(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// The head and its length in bytes, once it is complete.
fn parse_head(buffer: &[u8]) -> io::Result<Option<(Request, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let status = parsed.parse(buffer).map_err(|error| refused(&error.to_string()))?;
    let httparse::Status::Complete(length) = status else { return Ok(None) };
    let target = parsed.path.unwrap_or("/").to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let request = Request {
        method: parsed.method.unwrap_or("GET").to_owned(),
        path: path.to_owned(),
        query: pairs(query),
        headers: parsed
            .headers
            .iter()
            .map(|header| (header.name.to_lowercase(), String::from_utf8_lossy(header.value).into_owned()))
            .collect(),
        target,
        body: Vec::new(),
    };
    Ok(Some((request, length)))
}

fn pairs(query: &str) -> Vec<(String, String)> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            (decode(key, true), decode(value, true))
        })
        .collect()
}

/// Undoes percent encoding; a plus sign is a blank in queries only.
fn decode(text: &str, is_query: bool) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match escaped {
            Some(byte) => decoded.push(byte),
            None if is_query && bytes[at] == b'+' => decoded.push(b' '),
            None => decoded.push(bytes[at]),
        }
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Request {
        parse_head(text.as_bytes()).unwrap().unwrap().0
    }

    #[test]
    fn a_head_is_taken_apart() {
        let request = parsed("GET /a%2Fb/c?x=1+2&y=%C3%A9&z HTTP/1.1\r\nHost: h\r\nCookie: a=1; XSRF-TOKEN=t=\r\n\r\n");
        assert_eq!(request.segments(), ["a/b", "c"]);
        assert_eq!((request.query("x"), request.query("y")), (Some("1 2"), Some("é")));
        assert_eq!((request.query("z"), request.query("w")), (Some(""), None));
        assert_eq!((request.cookie("XSRF-TOKEN"), request.cookie("b")), (Some("t="), None));
        assert_eq!(request.header("host"), Some("h"));
    }

    #[test]
    fn a_part_of_a_head_waits_and_rubbish_is_refused() {
        assert!(parse_head(b"GET / HTTP/1.1\r\nHo").unwrap().is_none());
        assert!(parse_head(b"\x00\x01 rubbish\r\n\r\n").is_err());
        assert_eq!(decode("100%", false), "100%");
    }
}
