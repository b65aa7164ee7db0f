//! What one visit brought, as it is kept: the pages as the browser built them, and the answers of the internal service
//! that the pages or we asked for. Records are parsed from these bytes alone, now and in every replay.

use scraper::Html;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::selectors::Selectors;

/// The only form so far.
const FORMAT: u32 = 1;

/// A visit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Snapshot {
    format: u32,
    pub(crate) pages: Vec<PageCopy>,
    pub(crate) answers: Vec<ServiceAnswer>,
}

/// A page as it stood in the browser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageCopy {
    pub(crate) tab: KeptFor,
    /// The address below the site.
    pub(crate) address: String,
    pub(crate) html: String,
}

/// What a page was kept for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KeptFor {
    /// The viewer.
    Notebook,
    /// The viewer with its list of versions open.
    Versions,
    /// What the version reads.
    Input,
}

/// An answer of the internal service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceAnswer {
    pub(crate) method: String,
    pub(crate) arguments: Value,
    pub(crate) body: Value,
}

/// Why what was kept cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PageFault {
    /// A selector found nothing, or something that it should not.
    #[error("selector `{0}` finds nothing usable")]
    Layout(String),
    /// It is no visit, or no file.
    #[error("{0}")]
    NotUsable(String),
}

impl PageFault {
    pub(crate) fn mark(name: &str) -> Self {
        Self::Layout(format!("mark.{name}"))
    }

    pub(crate) fn state(name: &str) -> Self {
        Self::Layout(format!("state.{name}"))
    }
}

impl Snapshot {
    pub(crate) fn new() -> Self {
        Self { format: FORMAT, pages: Vec::new(), answers: Vec::new() }
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, PageFault> {
        let parsed: Result<Self, _> = serde_json::from_slice(bytes);
        let snapshot = parsed.map_err(|error| PageFault::NotUsable(format!("it is no visit: {error}")))?;
        if snapshot.format == FORMAT {
            Ok(snapshot)
        } else {
            Err(PageFault::NotUsable(format!("it is a visit of format {}", snapshot.format)))
        }
    }

    /// The page of a tab.
    pub(crate) fn page(&self, tab: KeptFor) -> Option<Html> {
        self.pages.iter().find(|page| page.tab == tab).map(|page| Html::parse_document(&page.html))
    }

    /// What the answers of a method say, in order.
    pub(crate) fn said<'a>(&'a self, method: &'a str) -> impl Iterator<Item = &'a Value> {
        self.answers.iter().filter(move |answer| answer.method == method).map(|answer| &answer.body)
    }

    /// The states that tell of a version: that of the page itself, and those that the service gave.
    pub(crate) fn states(&self, selectors: &Selectors) -> Vec<Value> {
        let page = self.page(KeptFor::Notebook);
        let embedded = page.and_then(|page| selectors.embedded(&page));
        embedded.into_iter().chain(self.said(&selectors.view_model).cloned()).collect()
    }
}
