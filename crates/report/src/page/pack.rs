//! Data in the page: JSON, compressed, in letters that mean nothing to HTML.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

/// JSON, compressed with gzip (which browsers unpack by themselves), in base64.
pub(super) fn packed(value: &impl Serialize) -> String {
    let json = serde_json::to_vec(value).expect("plain values become JSON");
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(&json).and_then(|()| encoder.finish()).expect("writing into memory does not fail");
    STANDARD.encode(packed)
}

/// The same as an element of the page, which browsers neither show nor run.
pub(super) fn element(id: &str, value: &impl Serialize) -> String {
    format!("<script type=\"text/plain\" id=\"{id}\">{}</script>\n", packed(value))
}
