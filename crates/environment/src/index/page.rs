//! Reads the Simple API as HTML (PEP 503): one anchor a file, with what PEP 592 (yanked), PEP 658 and PEP 714 (copies
//! of metadata) add as attributes. Such pages say nothing of upload dates.

use scraper::{ElementRef, Html, Selector};

use super::answers::Listed;
use crate::history::{ListedFile, MetadataCopy};

/// The files of a page; `None` for a page that is no listing, such as an error that was answered as a success.
pub(crate) fn page(bytes: &[u8]) -> Option<Listed> {
    let document = Html::parse_document(&String::from_utf8_lossy(bytes));
    let files: Vec<ListedFile> = document.select(&selector("a[href]")).filter_map(listed).collect();
    let declared = document.select(&selector("meta[name=\"pypi:repository-version\"]")).next().is_some();
    // A distribution without files has an empty page, which says itself what it is.
    let titled = document
        .select(&selector("title, h1"))
        .any(|heading| heading.text().collect::<String>().trim_start().starts_with("Links for"));
    let is_listing = declared || titled || files.iter().any(ListedFile::is_installable);
    is_listing.then_some(Listed { name: None, files })
}

fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("the selectors of this file are valid")
}

fn listed(anchor: ElementRef<'_>) -> Option<ListedFile> {
    let attribute = |name: &str| anchor.value().attr(name);
    let href = attribute("href")?.trim();
    let (url, fragment) = href.split_once('#').unwrap_or((href, ""));
    let last = url.split('?').next()?.rsplit('/').next()?;
    let text = anchor.text().collect::<String>();
    // The anchor's text is the file's name (PEP 503); some servers put more there, and the address serves then.
    let name = if text.trim().is_empty() || text.trim().contains(char::is_whitespace) { last } else { text.trim() };
    let copy = attribute("data-core-metadata").or_else(|| attribute("data-dist-info-metadata"));
    Some(ListedFile {
        name: name.to_owned(),
        version: None,
        uploaded: None,
        yanked: attribute("data-yanked").is_some(),
        requires_python: attribute("data-requires-python").map(str::to_owned),
        size: None,
        sha256: fragment.split('&').find_map(|part| part.strip_prefix("sha256=")?.parse().ok()),
        url: url.to_owned(),
        metadata_copy: copy.map_or(MetadataCopy::Missing, copied),
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
        assert!(page(b"<h1>Links for x</h1>").unwrap().files.is_empty());
        assert!(page(b"<meta name=\"pypi:repository-version\" content=\"1.0\">").unwrap().files.is_empty());
    }
}
