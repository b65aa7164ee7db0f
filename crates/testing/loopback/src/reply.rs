//! Answers, and their bodies, of which the largest are made while they are sent.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use serde_json::{Value, json};

/// An answer before anything happens to it on its way.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Status of the answer.
    pub status: u16,
    /// Headers, but for those that frame the body; the date where it is not the system's.
    pub headers: Vec<(String, String)>,
    /// What follows the head.
    pub body: ReplyBody,
    /// Whether the body comes in chunks, so that its length is not known beforehand.
    pub is_chunked: bool,
}

/// What follows the head.
#[derive(Debug, Clone)]
pub enum ReplyBody {
    /// Bytes at hand.
    Bytes(Vec<u8>),
    /// A start, a piece repeated so many times, and an end; never in memory as a whole.
    Repeated {
        /// The start.
        before: Vec<u8>,
        /// The piece.
        piece: Vec<u8>,
        /// How many times.
        count: u64,
        /// The end.
        after: Vec<u8>,
    },
}

/// Gives every value of JSON another type than it had, lists and objects aside.
pub fn wrong_types(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(wrong_types),
        Value::Object(fields) => fields.values_mut().for_each(wrong_types),
        Value::String(text) => *value = json!(text.len() as f64 + 0.5),
        Value::Number(_) => *value = json!("a number, they said"),
        Value::Bool(_) => *value = json!("perhaps"),
        Value::Null => *value = json!({}),
    }
}

impl ReplyBody {
    /// Its length in bytes; the largest number when it has no end.
    #[must_use]
    pub fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Repeated { before, piece, count, after } => {
                (piece.len() as u64).saturating_mul(*count).saturating_add((before.len() + after.len()) as u64)
            }
        }
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => to.write_all(bytes),
            Self::Repeated { before, piece, count, after } => {
                to.write_all(before)?;
                (0..*count).try_for_each(|_| to.write_all(piece))?;
                to.write_all(after)
            }
        }
    }
}

impl Reply {
    /// An answer with a body at hand.
    #[must_use]
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("Content-Type".to_owned(), content_type.to_owned())];
        Self { status, headers, body: ReplyBody::Bytes(body.into()), is_chunked: false }
    }

    /// An answer in JSON.
    #[must_use]
    pub fn json(status: u16, value: &Value) -> Self {
        Self::new(status, "application/json; charset=utf-8", value.to_string())
    }

    /// A page.
    #[must_use]
    pub fn html(status: u16, page: impl Into<String>) -> Self {
        Self::new(status, "text/html; charset=utf-8", page.into())
    }

    /// A redirect, 302.
    #[must_use]
    pub fn redirect(to: &str) -> Self {
        Self::new(302, "text/plain", "").with("Location", to)
    }

    /// The answer with one header more.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The content type; empty when it has none.
    #[must_use]
    pub fn content_type(&self) -> &str {
        self.headers.iter().find(|(name, _)| name == "Content-Type").map_or("", |(_, value)| value)
    }

    /// The body as JSON, when it is JSON and at hand.
    #[must_use]
    pub fn json_body(&self) -> Option<Value> {
        match &self.body {
            ReplyBody::Bytes(bytes) => serde_json::from_slice(bytes).ok(),
            ReplyBody::Repeated { .. } => None,
        }
    }

    /// The answer with its JSON changed; one that has none stays as it is.
    #[must_use]
    pub fn with_json(mut self, change: impl FnOnce(&mut Value)) -> Self {
        if let Some(mut value) = self.json_body() {
            change(&mut value);
            self.body = ReplyBody::Bytes(value.to_string().into_bytes());
        }
        self
    }

    /// Writes the body, framed as the head announces it.
    pub(crate) fn write_body(&self, to: &mut impl Write) -> io::Result<()> {
        if !self.is_chunked {
            return self.body.write(to);
        }
        let mut chunked = Chunked(to);
        self.body.write(&mut chunked)?;
        chunked.end()
    }

    /// The body compressed, if it is at hand; what was compressed before or is made while it is sent stays as it is.
    ///
    /// # Errors
    /// Those of the encoder.
    pub fn compressed(mut self) -> io::Result<Self> {
        let ReplyBody::Bytes(bytes) = &self.body else { return Ok(self) };
        if bytes.is_empty() || self.content_type() == "application/zip" {
            return Ok(self);
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes)?;
        self.body = ReplyBody::Bytes(encoder.finish()?);
        Ok(self.with("Content-Encoding", "gzip").with("Vary", "Accept-Encoding"))
    }

    /// Status line and headers, with the blank line.
    pub(crate) fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !self.headers.iter().any(|(name, _)| name == "Date") {
            head.push_str(&format!("Date: {}\r\n", http_date(Timestamp::now())));
        }
        match self.is_chunked {
            true => head.push_str("Transfer-Encoding: chunked\r\n\r\n"),
            false => head.push_str(&format!("Content-Length: {}\r\n\r\n", self.body.length())),
        }
        head
    }
}

/// A point in time as headers write it: `Wed, 02 Mar 2022 10:11:12 GMT`.
#[must_use]
pub fn http_date(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// Frames what is written as chunks; [`Chunked::end`] says that it was all.
struct Chunked<W: Write>(W);

impl<W: Write> Chunked<W> {
    fn end(mut self) -> io::Result<()> {
        self.0.write_all(b"0\r\n\r\n")
    }
}

impl<W: Write> Write for Chunked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        write!(self.0, "{:x}\r\n", bytes.len())?;
        self.0.write_all(bytes)?;
        self.0.write_all(b"\r\n")?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        302 => "Found",
        307 => "Temporary Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        _ => "Other",
    }
}
