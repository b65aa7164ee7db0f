//! Asks an index for one distribution: the Simple API as JSON first, the JSON API second; an HTML page last.
//!
//! What an answer is, its content says: servers ignore `Accept`, and front servers answer unknown paths with HTML
//! and status 200. A listing without upload dates is completed by the JSON API where the index has one.

use std::collections::HashMap;

use reqwest::Url;

use super::answers::{self, Listed};
use super::cache::{Interface, Place, Places, Record};
use super::client::{Answer, Body, Fetcher};
use super::{IndexAddress, IndexError, page};
use crate::history::{History, ListedFile, MetadataCopy};
use crate::versions::normalise;

const JSON: &str = "application/json";
const SIMPLE: &str = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01";

/// One question to an index.
pub(super) struct Question<'index> {
    pub(super) address: &'index IndexAddress,
    pub(super) fetcher: &'index Fetcher,
    /// Normalised.
    pub(super) name: &'index str,
}

/// The index's answer.
pub(super) enum Fetched {
    /// The kept answer still holds.
    Renewed,
    /// A new answer.
    New(Record, Places),
}

/// What one interface said.
enum Said {
    Renewed,
    Nothing,
    Files { files: Vec<ListedFile>, etag: Option<String> },
}

impl Question<'_> {
    /// Asks; `kept` is an earlier answer of this index, if there is one.
    pub(super) fn ask(&self, kept: Option<&Record>) -> Result<Fetched, IndexError> {
        let kept = kept.filter(|record| record.address == self.address.to_string());
        let tag = |interface| kept.filter(|record| record.interface == Some(interface))?.etag.as_deref();
        if tag(Interface::Project).is_some() {
            // The listing had no dates last time: a confirmation there would say nothing.
            match self.project(tag(Interface::Project))? {
                Said::Renewed => return Ok(Fetched::Renewed),
                Said::Files { files, etag } => return self.answer(Interface::Project, etag, files),
                Said::Nothing => {}
            }
        }
        let simple = match self.simple(tag(Interface::Simple)) {
            Ok(Said::Renewed) => return Ok(Fetched::Renewed),
            Ok(Said::Files { files, etag }) if is_dated(&files) => {
                return self.answer(Interface::Simple, etag, files);
            }
            Err(error @ IndexError::Unreachable { .. }) => return Err(error),
            other => other,
        };
        self.complete(simple)
    }

    /// All files that it lists, dated or not; none where it does not know the name.
    pub(super) fn files(&self) -> Result<Vec<ListedFile>, IndexError> {
        let said = match self.simple(None)? {
            Said::Files { files, .. } => return Ok(files),
            Said::Renewed | Said::Nothing => self.project(None)?,
        };
        Ok(if let Said::Files { files, .. } = said { files } else { Vec::new() })
    }

    /// Asks the JSON API where the listing was none, had no dates, or could not be read.
    fn complete(&self, simple: Result<Said, IndexError>) -> Result<Fetched, IndexError> {
        let project = match self.project(None) {
            // Servers without this interface have many ways to say so.
            Err(error) if matches!(simple, Ok(Said::Files { .. })) && !is_transient(&error) => {
                tracing::debug!(name = self.name, %error, "no JSON API");
                Said::Nothing
            }
            other => other?,
        };
        match (project, simple) {
            (Said::Renewed, _) => Err(self.malformed("confirmed an answer that was not named (status 304)")),
            (Said::Files { mut files, etag }, simple) => {
                if let Ok(Said::Files { files: listed, .. }) = simple {
                    note_copies(&mut files, &listed);
                }
                self.answer(Interface::Project, etag, files)
            }
            (Said::Nothing, Ok(Said::Files { .. })) => Err(self.dateless()),
            (Said::Nothing, Ok(_)) => {
                Ok(Fetched::New(Record::absent(self.name, &self.address.to_string()), Places::new()))
            }
            (Said::Nothing, Err(error)) => Err(error),
        }
    }

    fn get(&self, url: &str, accept: &str, etag: Option<&str>) -> Result<Answer, IndexError> {
        let unreachable = |source| IndexError::Unreachable { name: self.name.to_owned(), source };
        self.fetcher.get(url, accept, etag).map_err(unreachable)
    }

    fn project(&self, etag: Option<&str>) -> Result<Said, IndexError> {
        let body = match self.get(&self.address.json(self.name), JSON, etag)? {
            Answer::NotModified if etag.is_some() => return Ok(Said::Renewed),
            Answer::NotModified => return Err(self.malformed("confirmed an answer that was not named (status 304)")),
            Answer::Body(body) if looks_like_json(&body.bytes) => body,
            Answer::Body(_) | Answer::Absent => return Ok(Said::Nothing),
        };
        let listed = answers::project(&body.bytes).map_err(|error| self.malformed(&error.to_string()))?;
        listed.map_or(Ok(Said::Nothing), |listed| self.said(listed, body))
    }

    fn simple(&self, etag: Option<&str>) -> Result<Said, IndexError> {
        let body = match self.get(&self.address.simple(self.name), SIMPLE, etag)? {
            Answer::NotModified if etag.is_some() => return Ok(Said::Renewed),
            Answer::NotModified => return Err(self.malformed("confirmed an answer that was not named (status 304)")),
            Answer::Body(body) => body,
            Answer::Absent => return Ok(Said::Nothing),
        };
        let listed = if looks_like_json(&body.bytes) {
            answers::listing(&body.bytes).map_err(|error| self.malformed(&error.to_string()))?
        } else {
            let wrong = "neither JSON nor an HTML page that lists files, perhaps an error page";
            page::page(&body.bytes).ok_or_else(|| self.malformed(wrong))?
        };
        self.said(listed, body)
    }

    /// Takes an answer for what was asked, with absolute addresses.
    fn said(&self, listed: Listed, body: Body) -> Result<Said, IndexError> {
        if let Some(other) = listed.name.filter(|name| normalise(name) != self.name) {
            return Err(self.malformed(&format!("it is the answer for {other:?}")));
        }
        let base = Url::parse(&body.url).map_err(|error| self.malformed(&error.to_string()))?;
        let mut files = listed.files;
        for file in &mut files {
            file.url = absolute(&base, &file.url).unwrap_or_default();
        }
        Ok(Said::Files { files, etag: body.etag })
    }

    fn answer(
        &self,
        interface: Interface,
        etag: Option<String>,
        files: Vec<ListedFile>,
    ) -> Result<Fetched, IndexError> {
        let place = |file: &ListedFile| Place { url: file.url.clone(), metadata_copy: file.metadata_copy };
        let places = files
            .iter()
            .filter(|file| file.is_installable() && !file.url.is_empty())
            .map(|file| (file.name.clone(), place(file)))
            .collect();
        let history = History::from_files(self.name, files).ok_or_else(|| self.dateless())?;
        let mut record = Record::absent(self.name, &self.address.to_string());
        (record.interface, record.etag, record.history) = (Some(interface), etag, Some(history));
        Ok(Fetched::New(record, places))
    }

    fn malformed(&self, what: &str) -> IndexError {
        IndexError::Malformed { name: self.name.into(), address: self.address.to_string(), what: what.into() }
    }

    fn dateless(&self) -> IndexError {
        IndexError::HistoryUnavailable { name: self.name.into(), address: self.address.to_string() }
    }
}

/// An address of a file as the page writes it, made absolute, without credentials; `None` for anything but HTTP.
fn absolute(base: &Url, written: &str) -> Option<String> {
    let mut url = base.join(written).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some(url.into())
}

fn is_dated(files: &[ListedFile]) -> bool {
    let mut installable = files.iter().filter(|file| file.is_installable()).peekable();
    installable.peek().is_none() || installable.any(|file| file.uploaded.is_some())
}

fn is_transient(error: &IndexError) -> bool {
    matches!(error, IndexError::Unreachable { source, .. } if source.transient)
}

/// Takes over from the listing what the JSON API does not say: which files have a copy of their metadata.
fn note_copies(files: &mut [ListedFile], listed: &[ListedFile]) {
    let copies: HashMap<&str, MetadataCopy> =
        listed.iter().map(|file| (file.name.as_str(), file.metadata_copy)).collect();
    for file in files {
        file.metadata_copy = copies.get(file.name.as_str()).copied().unwrap_or_default();
    }
}

/// Whether a body is meant as JSON, whatever its declared type.
fn looks_like_json(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_absolute_and_lose_credentials() {
        let base = Url::parse("https://me:secret@index.example/root/simple/x/").unwrap();
        assert_eq!(absolute(&base, "../../f/x.whl#sha256=1").as_deref(), Some("https://index.example/root/f/x.whl"));
        assert_eq!(absolute(&base, "https://a:b@other.example/x").as_deref(), Some("https://other.example/x"));
        assert_eq!(absolute(&base, "file:///etc/passwd"), None);
    }
}
