//! Reads the Simple API as HTML (PEP 503): one anchor a file, with what PEP 592 (yanked), PEP 658 and PEP 714 (copies
//! of metadata) add as attributes. Such pages say nothing of upload dates.
//!
//! Tags are read one after the other and no tree is built: the rules by which browsers mend broken trees let a page of a few
//! megabytes take all memory, and a listing needs none of them. Nor are errors collected, of which each byte may be one.

use std::collections::BTreeMap;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use super::answers::Listed;
use crate::history::{ListedFile, MetadataCopy};

/// Longest text of an anchor or heading that is kept, in bytes: file names are shorter.
const LONGEST_TEXT: usize = 1000;
/// The attributes that are read.
const ATTRIBUTES: [&str; 6] =
    ["href", "name", "data-core-metadata", "data-dist-info-metadata", "data-requires-python", "data-yanked"];

type Attributes = BTreeMap<&'static str, Vec<u8>>;

/// The files of a page; `None` for a page that is no listing, such as an error that was answered as a success.
pub(crate) fn page(bytes: &[u8]) -> Option<Listed> {
    let mut page = Page::default();
    let emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<()> {
        page.take(&event);
        None
    });
    for Ok(()) in Tokenizer::new_with_emitter(bytes, emitter) {}
    page.end_anchor();
    // A distribution without files has an empty page, which says itself what it is.
    let is_listing = page.declared || page.titled || page.files.iter().any(ListedFile::is_installable);
    is_listing.then_some(Listed { name: None, files: page.files })
}

/// The tags that are read.
#[derive(Clone, Copy, Default)]
enum Tag {
    Anchor,
    Heading,
    Meta,
    #[default]
    Other,
}

impl Tag {
    fn of(name: &[u8]) -> Self {
        match name {
            b"a" => Self::Anchor,
            b"title" | b"h1" => Self::Heading,
            b"meta" => Self::Meta,
            _ => Self::Other,
        }
    }
}

/// What is known of a page so far.
#[derive(Default)]
struct Page {
    files: Vec<ListedFile>,
    /// The start tag that is being read, with its attributes and the last of them.
    tag: Tag,
    attributes: Attributes,
    attribute: Option<&'static str>,
    /// The anchor that is open.
    anchor: Option<Attributes>,
    in_heading: bool,
    /// The text of the anchor or heading that is open; empty from the moment on when it is too long.
    text: String,
    too_long: bool,
    declared: bool,
    titled: bool,
}

impl Page {
    fn take(&mut self, event: &CallbackEvent<'_>) {
        match *event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = Tag::of(name);
                self.attributes.clear();
                self.attribute = None;
            }
            CallbackEvent::AttributeName { name } => {
                let known = ATTRIBUTES.into_iter().find(|known| known.as_bytes() == name);
                // Of two attributes of one name the first counts.
                self.attribute = known.filter(|known| !self.attributes.contains_key(known));
                self.attributes.extend(self.attribute.map(|known| (known, Vec::new())));
            }
            CallbackEvent::AttributeValue { value } => {
                let kept = self.attribute.and_then(|known| self.attributes.get_mut(known));
                kept.into_iter().for_each(|kept| kept.extend_from_slice(value));
            }
            CallbackEvent::CloseStartTag { .. } => self.start(),
            CallbackEvent::EndTag { name } => match Tag::of(name) {
                Tag::Anchor => self.end_anchor(),
                Tag::Heading => self.in_heading = false,
                Tag::Meta | Tag::Other => {}
            },
            CallbackEvent::String { value } => self.add(value),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
    }

    fn start(&mut self) {
        match self.tag {
            Tag::Anchor => {
                // An anchor ends where the next one begins.
                self.end_anchor();
                self.new_text();
                self.anchor = Some(std::mem::take(&mut self.attributes));
            }
            Tag::Heading => {
                self.new_text();
                self.in_heading = true;
            }
            Tag::Meta => {
                let name = attribute(&self.attributes, "name");
                self.declared |= name.as_deref() == Some("pypi:repository-version");
            }
            Tag::Other => {}
        }
    }

    fn new_text(&mut self) {
        self.text.clear();
        self.too_long = false;
    }

    fn add(&mut self, text: &[u8]) {
        if self.anchor.is_none() && !self.in_heading {
            return;
        }
        self.too_long |= self.text.len() + text.len() > LONGEST_TEXT;
        if self.too_long {
            self.text.clear();
        } else {
            self.text.push_str(&String::from_utf8_lossy(text));
        }
        self.titled |= self.in_heading && self.text.trim_start().starts_with("Links for");
    }

    fn end_anchor(&mut self) {
        let anchor = self.anchor.take();
        self.files.extend(anchor.and_then(|anchor| listed(&anchor, &self.text)));
    }
}

fn attribute(attributes: &Attributes, name: &str) -> Option<String> {
    attributes.get(name).map(|value| String::from_utf8_lossy(value).into_owned())
}

fn listed(anchor: &Attributes, text: &str) -> Option<ListedFile> {
    let href = attribute(anchor, "href")?;
    let (url, fragment) = href.trim().split_once('#').unwrap_or((href.trim(), ""));
    let last = url.split('?').next()?.rsplit('/').next()?;
    // The anchor's text is the file's name (PEP 503); some servers put more there, and the address serves then.
    let name = if text.trim().is_empty() || text.trim().contains(char::is_whitespace) { last } else { text.trim() };
    let copy = attribute(anchor, "data-core-metadata").or_else(|| attribute(anchor, "data-dist-info-metadata"));
    Some(ListedFile {
        name: name.to_owned(),
        version: None,
        uploaded: None,
        yanked: attribute(anchor, "data-yanked").is_some(),
        requires_python: attribute(anchor, "data-requires-python"),
        size: None,
        sha256: fragment.split('&').find_map(|part| part.strip_prefix("sha256=")?.parse().ok()),
        url: url.to_owned(),
        metadata_copy: copy.as_deref().map_or(MetadataCopy::Missing, copied),
    })
}

/// The attribute's value: `true`, `sha256=<digits>`, or `false` on some servers.
fn copied(value: &str) -> MetadataCopy {
    match value.strip_prefix("sha256=").map(str::parse) {
        Some(Ok(digest)) => MetadataCopy::Hashed(digest),
        _ if value == "false" => MetadataCopy::Missing,
        _ => MetadataCopy::Served,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_files() {
        let digest = "cd".repeat(32);
        let text = format!(
            r##"<!DOCTYPE html><html><head><title>Links for x</title></head><body>
            <a href="../../files/x-1.0.tar.gz#sha256={digest}" data-requires-python="&gt;=3.6">x-1.0.tar.gz</a><br>
            <a href="x-1.1-py3-none-any.whl?token=1" data-yanked="" data-dist-info-metadata="true">wheel of x</a>
            <a href="x-1.2-py3-none-any.whl" data-core-metadata="sha256={digest}">x-1.2-py3-none-any.whl</a>
            <a href="/">home</a><a>no address</a>"##
        );
        let files = page(text.as_bytes()).unwrap().files;
        assert_eq!(files.len(), 4);
        assert_eq!((files[0].name.as_str(), files[0].url.as_str()), ("x-1.0.tar.gz", "../../files/x-1.0.tar.gz"));
        assert_eq!((files[0].sha256, files[0].requires_python.as_deref()), (digest.parse().ok(), Some(">=3.6")));
        assert_eq!((files[1].name.as_str(), files[1].yanked), ("x-1.1-py3-none-any.whl", true));
        assert_eq!(files[1].metadata_copy, MetadataCopy::Served);
        assert_eq!(files[2].metadata_copy, MetadataCopy::Hashed(digest.parse().unwrap()));
    }

    #[test]
    fn error_pages_are_no_listings_but_empty_listings_are() {
        assert!(page(b"<html><h1>502 Bad Gateway</h1><a href='/'>home</a></html>").is_none());
        assert!(page(b"").is_none());
        assert!(page(b"<p>Links for x</p><!-- <h1>Links for x</h1> -->").is_none());
        assert!(page(b"<h1><em>Links</em> for x").is_some());
        assert!(page(b"<h1>Links for x</h1>").unwrap().files.is_empty());
        assert!(page(b"<meta name=\"pypi:repository-version\" content=\"1.0\">").unwrap().files.is_empty());
    }

    #[test]
    fn anchors_end_at_their_end_or_at_the_next_one() {
        let names = |text: &str| -> Vec<String> {
            let files = page(text.as_bytes()).unwrap().files;
            files.into_iter().map(|file| file.name).collect()
        };
        assert_eq!(
            names("<a href='x-1.0.zip'><b>x-1.0</b>.zip<a href='/f/x-2.0.zip'>two words</a> more"),
            ["x-1.0.zip", "x-2.0.zip"]
        );
        assert_eq!(names("<A HREF=x-1.0.zip>x-1.0.zip"), ["x-1.0.zip"]);
        assert_eq!(names(&format!("<a href=x-1.0.zip>{}</a>", "x".repeat(5000))), ["x-1.0.zip"]);
    }
}
