//! Reads the index's answers in JSON: the JSON API (`/pypi/<name>/json`) and the Simple API (PEP 691, PEP 700).
//! HTML pages are read in `page.rs`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use crate::history::{ListedFile, MetadataCopy, Sha256};

/// What one answer lists.
#[derive(Debug)]
pub(crate) struct Listed {
    /// The distribution's name as the answer spells it, where it says one.
    pub(crate) name: Option<String>,
    pub(crate) files: Vec<ListedFile>,
}

#[derive(Deserialize)]
struct Project {
    info: Option<Info>,
    releases: Option<BTreeMap<String, Vec<ProjectFile>>>,
}

#[derive(Deserialize)]
struct Info {
    name: Option<String>,
}

#[derive(Deserialize)]
struct ProjectFile {
    filename: String,
    upload_time_iso_8601: Option<String>,
    upload_time: Option<String>,
    requires_python: Option<String>,
    yanked: Option<bool>,
    size: Option<u64>,
    #[serde(default)]
    digests: Digests,
    #[serde(default)]
    url: String,
}

/// Digests by algorithm; only SHA-256 is used, one that cannot be read counts as none.
#[derive(Default, Deserialize)]
struct Digests {
    sha256: Option<String>,
}

impl Digests {
    fn sha256(&self) -> Option<Sha256> {
        self.sha256.as_deref().and_then(|text| text.parse().ok())
    }
}

#[derive(Deserialize)]
struct Listing {
    name: Option<String>,
    files: Vec<ListingFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct ListingFile {
    filename: String,
    upload_time: Option<String>,
    requires_python: Option<String>,
    yanked: Option<Yanked>,
    size: Option<u64>,
    #[serde(default)]
    hashes: Digests,
    #[serde(default)]
    url: String,
    /// PEP 714; `dist-info-metadata` is its name in PEP 658, kept for older servers.
    core_metadata: Option<Copied>,
    dist_info_metadata: Option<Copied>,
}

/// PEP 658: a truth value, or the digests of the served metadata.
#[derive(Deserialize)]
#[serde(untagged)]
enum Copied {
    Flag(bool),
    Hashes(Digests),
}

impl Copied {
    fn read(&self) -> MetadataCopy {
        match self {
            Self::Flag(false) => MetadataCopy::Missing,
            Self::Flag(true) => MetadataCopy::Served,
            Self::Hashes(digests) => digests.sha256().map_or(MetadataCopy::Served, MetadataCopy::Hashed),
        }
    }
}

/// PEP 691: a truth value, or the reason (even an empty one) when yanked.
#[derive(Deserialize)]
#[serde(untagged)]
enum Yanked {
    Flag(bool),
    Reason(#[expect(dead_code, reason = "only its presence counts")] String),
}

/// The files of a JSON API answer; `None` where it has no list of releases, as newer servers may.
pub(crate) fn project(bytes: &[u8]) -> Result<Option<Listed>, serde_json::Error> {
    let Project { info, releases } = serde_json::from_slice(bytes)?;
    Ok(releases.map(|releases| Listed {
        name: info.and_then(|info| info.name),
        files: releases
            .into_iter()
            .flat_map(|(version, files)| files.into_iter().map(move |file| file.listed(&version)))
            .collect(),
    }))
}

/// The files of a Simple API answer in JSON.
pub(crate) fn listing(bytes: &[u8]) -> Result<Listed, serde_json::Error> {
    let Listing { name, files } = serde_json::from_slice(bytes)?;
    Ok(Listed { name, files: files.into_iter().map(ListingFile::listed).collect() })
}

impl ProjectFile {
    fn listed(self, version: &str) -> ListedFile {
        ListedFile {
            name: self.filename,
            version: Some(version.to_owned()),
            uploaded: self.upload_time_iso_8601.or(self.upload_time).as_deref().and_then(instant),
            yanked: self.yanked.unwrap_or(false),
            requires_python: self.requires_python,
            size: self.size,
            sha256: self.digests.sha256(),
            url: self.url,
            metadata_copy: MetadataCopy::Missing,
        }
    }
}

impl ListingFile {
    fn listed(self) -> ListedFile {
        let copied = self.core_metadata.or(self.dist_info_metadata);
        ListedFile {
            name: self.filename,
            version: None,
            uploaded: self.upload_time.as_deref().and_then(instant),
            yanked: matches!(self.yanked, Some(Yanked::Flag(true) | Yanked::Reason(_))),
            requires_python: self.requires_python,
            size: self.size,
            sha256: self.hashes.sha256(),
            url: self.url,
            metadata_copy: copied.as_ref().map(Copied::read).unwrap_or_default(),
        }
    }
}

/// An upload instant; the JSON API's older field is UTC without saying so.
fn instant(text: &str) -> Option<Timestamp> {
    text.parse().ok().or_else(|| format!("{text}Z").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_interfaces_give_the_same_files() {
        let project_answer =
            br#"{"info":{"name":"x"},"releases":{"1.0":[{"filename":"x-1.0.tar.gz","packagetype":"sdist",
            "requires_python":null,"upload_time":"2018-01-02T03:04:05","yanked":true}],"0.9":[]}}"#;
        let listing_answer =
            br#"{"meta":{"api-version":"1.1"},"name":"x","files":[{"filename":"x-1.0.tar.gz","url":"u","hashes":{},
            "upload-time":"2018-01-02T03:04:05.000000Z","yanked":""}]}"#;
        for listed in [project(project_answer).unwrap().unwrap(), listing(listing_answer).unwrap()] {
            assert_eq!(listed.name.as_deref(), Some("x"));
            let files = listed.files;
            assert_eq!(files.len(), 1);
            assert_eq!(files[0].uploaded.unwrap().to_string(), "2018-01-02T03:04:05Z");
            assert!(files[0].yanked);
        }
        assert!(project(br#"{"info":{}}"#).unwrap().is_none());
        assert!(project(b"<html>").is_err());
    }

    #[test]
    fn copies_of_metadata_are_noted_under_both_names() {
        let digest = "ab".repeat(32);
        let read = |field: &str| {
            let answer = format!(r#"{{"files":[{{"filename":"x-1.0-py3-none-any.whl"{field}}}]}}"#);
            listing(answer.as_bytes()).unwrap().files[0].metadata_copy
        };
        assert_eq!(read(""), MetadataCopy::Missing);
        assert_eq!(read(r#","core-metadata":false"#), MetadataCopy::Missing);
        assert_eq!(read(r#","core-metadata":true"#), MetadataCopy::Served);
        let hashed = read(&format!(r#","dist-info-metadata":{{"sha256":"{digest}"}}"#));
        assert_eq!(hashed, MetadataCopy::Hashed(digest.parse().unwrap()));
    }
}
