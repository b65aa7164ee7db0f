//! One request over HTTP, as far as installers make some: a path, what is accepted, and which bytes.

use std::io::{self, Read};

/// Longest head of a request, in bytes.
const LONGEST: usize = 16 << 10;
/// Most fields of a head.
const MOST_FIELDS: usize = 64;
/// By which the Simple API in JSON is asked for.
const JSON: &str = "application/vnd.pypi.simple.v1+json";

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileRequest {
    /// The path without what follows `?`, without its first slash.
    pub(crate) path: String,
    /// Whether pages are asked for in JSON.
    pub(crate) wants_json: bool,
    /// The first and last byte; the last may be open, and the first too, where so many at the end are meant.
    pub(crate) range: Option<(Option<u64>, Option<u64>)>,
    /// Whether the head of the answer is enough.
    pub(crate) is_head: bool,
}

/// Reads a head; `None` where it is no request that is answered.
pub(crate) fn read(stream: &mut impl Read) -> io::Result<Option<FileRequest>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 2048];
    loop {
        let read = stream.read(&mut buffer)?;
        bytes.extend_from_slice(buffer.get(..read).unwrap_or_default());
        if read == 0 || bytes.len() > LONGEST {
            return Ok(None);
        }
        match parsed(&bytes) {
            Ok(None) => {}
            Ok(Some(request)) => return Ok(Some(request)),
            Err(()) => return Ok(None),
        }
    }
}

/// A request of a whole head; nothing of one that goes on.
fn parsed(bytes: &[u8]) -> Result<Option<FileRequest>, ()> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let mut head = httparse::Request::new(&mut fields);
    if head.parse(bytes).map_err(drop)?.is_partial() {
        return Ok(None);
    }
    let is_head = match head.method {
        Some("GET") => false,
        Some("HEAD") => true,
        _ => return Err(()),
    };
    let field = |name: &str| {
        let found = head.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(found.value).ok()
    };
    let path = head.path.and_then(|path| path.split('?').next()).and_then(|path| path.strip_prefix('/')).ok_or(())?;
    Ok(Some(FileRequest {
        path: path.to_owned(),
        wants_json: field("accept").is_some_and(|accept| accept.contains(JSON)),
        range: field("range").and_then(range),
        is_head,
    }))
}

/// One range of bytes; several are no range here.
fn range(text: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (first, last) = text.trim().strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| (!text.is_empty()).then(|| text.parse::<u64>().ok());
    match (number(first), number(last)) {
        (Some(None), _) | (_, Some(None)) | (None, None) => None,
        (first, last) => Some((first.flatten(), last.flatten())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(head: &str) -> Option<FileRequest> {
        read(&mut head.as_bytes()).unwrap()
    }

    #[test]
    fn what_installers_ask_for_is_read_and_all_else_is_nothing() {
        let request =
            asked("GET /simple/six/?x=1 HTTP/1.1\r\nAccept: application/vnd.pypi.simple.v1+json\r\n\r\n").unwrap();
        assert_eq!((request.path.as_str(), request.wants_json, request.range), ("simple/six/", true, None));
        let ranged = |text: &str| asked(&format!("HEAD /f HTTP/1.1\r\nRange: {text}\r\n\r\n")).unwrap().range;
        assert_eq!(ranged("bytes=0-4"), Some((Some(0), Some(4))));
        assert_eq!(ranged("bytes=-100"), Some((None, Some(100))));
        assert_eq!(ranged("bytes=7-"), Some((Some(7), None)));
        for none in ["bytes=1-2,4-5", "bytes=-", "lines=1-2", "bytes=a-b"] {
            assert_eq!(ranged(none), None, "{none}");
        }
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
        for nothing in
            ["", "POST / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n", "\u{0}", "GET http://a/ HTTP/1.1\r\n\r\n", &long]
        {
            assert_eq!(asked(nothing), None, "{nothing:.40}");
        }
    }
}
