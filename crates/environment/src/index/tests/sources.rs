//! Source archives as a whole.

use pep440_rs::Version;

use super::*;
use crate::index::metadata::digest_of;

/// Asks for the archive of an index that lists it with a size, and serves the file so.
fn archive(size: &str, sha256: &str, file: impl Fn() -> Answer + Send + 'static) -> Result<SourceArchive, IndexError> {
    let listing = format!(
        r#"{{"meta": {{"api-version": "1.1"}}, "name": "x", "files": [{{"filename": "x-1.0.tar.gz", "url": "/files/x-1.0.tar.gz",
            "size": {size}, "hashes": {{"sha256": "{sha256}"}}, "upload-time": "2020-01-01T00:00:00Z"}}]}}"#
    );
    let (address, _requests) = serve(move |request| {
        let is_page = request.path.starts_with("/simple/");
        let page = || {
            ("200 OK".into(), "content-type: application/vnd.pypi.simple.v1+json\r\n".into(), listing.clone().into())
        };
        Some(if is_page { page() } else { file() })
    });
    let wanted = WantedSource {
        name: "x",
        file: Some("x-1.0.tar.gz"),
        sha256: None,
        bound: pep440_rs::VersionSpecifiers::empty(),
        python: &Version::new([3, 11]),
    };
    source_archive(&address, &wanted).map(|found| found.expect("it is listed"))
}

#[test]
fn an_archive_of_more_than_a_hundred_mebibytes_is_fetched() {
    let bytes = vec![0; 101 << 20];
    let digest = digest_of(&bytes).to_string();
    let size = bytes.len().to_string();
    let found = archive(&size, &digest, move || ("200 OK".into(), String::new(), bytes.clone())).unwrap();
    assert_eq!((found.file.as_str(), found.bytes.len()), ("x-1.0.tar.gz", 101 << 20));
}

#[test]
fn an_archive_that_is_longer_than_any_is_named_and_not_asked_for() {
    let error = archive(&(2_u64 << 30).to_string(), &"0".repeat(64), || panic!("asked for")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "x-1.0.tar.gz is longer than 1024 MiB, which is the most that is fetched to be built"
    );
}

#[test]
fn an_archive_that_is_refused_is_not_its_index() {
    let error = archive("3", &"0".repeat(64), || ("403 Forbidden".into(), String::new(), Vec::new())).unwrap_err();
    assert!(
        matches!(&error, IndexError::FileUnreachable { file, source } if file == "x-1.0.tar.gz" && source.what.contains("403")),
        "{error}"
    );
}
