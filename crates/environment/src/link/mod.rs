//! Files that an install line names by address: on hosts that a study allows, and nowhere else.
//!
//! | file | purpose |
//! |---|---|
//! | `public.rs` | which addresses are of the public network |
//! | `fetch.rs` | fetches a file, and sees that it is what it says |

mod fetch;
mod public;

use std::fmt;

use pep440_rs::Version;
use reqwest::Url;
use serde::Deserialize;

use crate::history::{Sha256, version_in_file_name};
use crate::versions::{is_name, normalise};

pub use fetch::{FetchError, Fetched, fetch, given};

/// Longest address that is read, in bytes.
const LONGEST: usize = 500;

/// The name of a host from which files may be fetched: a plain one with a dot, no number, port, path or pattern.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct HostName(String);

/// A text that is no plain name of a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no plain name of a host such as files.example.org, in small letters, without scheme, port and path")]
pub struct NotAHostName(String);

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for HostName {
    type Error = NotAHostName;

    fn try_from(text: String) -> Result<Self, NotAHostName> {
        // An address of the Internet is no domain, however it is written.
        let read = Url::parse(&format!("https://{text}/")).ok();
        let is_plain = read.is_some_and(|url| url.domain() == Some(text.as_str()))
            && text.bytes().all(|found| found.is_ascii_alphanumeric() || b"-.".contains(&found))
            && text.contains('.')
            && !text.split('.').any(str::is_empty);
        if is_plain { Ok(Self(text)) } else { Err(NotAHostName(text)) }
    }
}

/// The address of a wheel or a source archive on a host that is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    url: Url,
    /// Normalised name of the distribution.
    name: String,
    version: Version,
    file: String,
    sha256: Option<Sha256>,
}

impl Link {
    /// Reads `https://HOST/…/FILE` or `NAME @ https://HOST/…/FILE`, each with `#sha256=…` or without; `None` for all else.
    #[must_use]
    pub fn parse(text: &str, hosts: &[HostName]) -> Option<Self> {
        let (named, address) = match text.split_once('@') {
            Some((name, address)) if is_name(name.trim()) => (Some(normalise(name.trim())), address.trim()),
            _ => (None, text.trim()),
        };
        let is_plain = |found: u8| found.is_ascii_graphic() && found != b'\\';
        if text.len() > LONGEST || !address.starts_with("https://") || !address.bytes().all(is_plain) {
            return None;
        }
        let mut url = Url::parse(address).ok()?;
        let is_allowed = url.domain().is_some_and(|host| hosts.iter().any(|allowed| allowed.0 == host));
        if !is_allowed || has_credentials(&url) || url.port().is_some() || url.query().is_some() {
            return None;
        }
        let sha256 = match url.fragment() {
            Some(fragment) => Some(fragment.strip_prefix("sha256=")?.parse().ok()?),
            None => None,
        };
        url.set_fragment(None);
        let file = url.path_segments()?.next_back()?.replace("%2B", "+").replace("%2b", "+");
        let (name, version) = said_by(&file)?;
        named.is_none_or(|named| named == name).then_some(Self { url, name, version, file, sha256 })
    }

    fn is_wheel(&self) -> bool {
        self.file.ends_with(".whl")
    }
}

impl fmt::Display for Link {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(formatter)
    }
}

fn has_credentials(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// Normalised name and version that a file's name says.
fn said_by(file: &str) -> Option<(String, Version)> {
    let parts = match file.strip_suffix(".whl") {
        Some(stem) => (5..=6).contains(&stem.split('-').count()).then(|| stem.split_once('-'))??.0,
        None => file.strip_suffix(".tar.gz").or_else(|| file.strip_suffix(".zip"))?.rsplit_once('-')?.0,
    };
    let is_plain = |found: char| found.is_ascii_alphanumeric() || "._+!-".contains(found);
    let version = version_in_file_name(file, parts)?.parse().ok()?;
    (is_name(parts) && file.chars().all(is_plain)).then(|| (normalise(parts), version))
}

#[cfg(test)]
mod attacks;
