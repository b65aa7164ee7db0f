//! Reads the index's answers: the JSON API (`/pypi/<name>/json`) and the Simple API as JSON (PEP 691, PEP 700).

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use crate::history::ListedFile;

#[derive(Deserialize)]
struct Project {
    releases: Option<BTreeMap<String, Vec<ProjectFile>>>,
}

#[derive(Deserialize)]
struct ProjectFile {
    filename: String,
    upload_time_iso_8601: Option<String>,
    upload_time: Option<String>,
    requires_python: Option<String>,
    yanked: Option<bool>,
}

#[derive(Deserialize)]
struct Listing {
    files: Vec<ListingFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct ListingFile {
    filename: String,
    upload_time: Option<String>,
    requires_python: Option<String>,
    yanked: Option<Yanked>,
}

/// PEP 691: a truth value, or the reason (even an empty one) when yanked.
#[derive(Deserialize)]
#[serde(untagged)]
enum Yanked {
    Flag(bool),
    Reason(#[expect(dead_code, reason = "only its presence counts")] String),
}

/// The files of a JSON API answer; `None` where it has no list of releases, as newer servers may.
pub(crate) fn project(bytes: &[u8]) -> Result<Option<Vec<ListedFile>>, serde_json::Error> {
    let project: Project = serde_json::from_slice(bytes)?;
    Ok(project.releases.map(|releases| {
        releases
            .into_iter()
            .flat_map(|(version, files)| files.into_iter().map(move |file| file.listed(&version)))
            .collect()
    }))
}

/// The files of a Simple API answer in JSON.
pub(crate) fn listing(bytes: &[u8]) -> Result<Vec<ListedFile>, serde_json::Error> {
    let listing: Listing = serde_json::from_slice(bytes)?;
    Ok(listing.files.into_iter().map(ListingFile::listed).collect())
}

impl ProjectFile {
    fn listed(self, version: &str) -> ListedFile {
        ListedFile {
            name: self.filename,
            version: Some(version.to_owned()),
            uploaded: self.upload_time_iso_8601.or(self.upload_time).as_deref().and_then(instant),
            yanked: self.yanked.unwrap_or(false),
            requires_python: self.requires_python,
        }
    }
}

impl ListingFile {
    fn listed(self) -> ListedFile {
        ListedFile {
            name: self.filename,
            version: None,
            uploaded: self.upload_time.as_deref().and_then(instant),
            yanked: matches!(self.yanked, Some(Yanked::Flag(true) | Yanked::Reason(_))),
            requires_python: self.requires_python,
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
        for files in [project(project_answer).unwrap().unwrap(), listing(listing_answer).unwrap()] {
            assert_eq!(files.len(), 1);
            assert_eq!(files[0].uploaded.unwrap().to_string(), "2018-01-02T03:04:05Z");
            assert!(files[0].yanked);
        }
        assert!(project(br#"{"info":{}}"#).unwrap().is_none());
        assert!(project(b"<html>").is_err());
    }
}
