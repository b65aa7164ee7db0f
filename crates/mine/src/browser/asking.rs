//! One try: a visit or a file, brought into the raw store without what must not be seen.

use std::io::Write;
use std::time::Instant;

use reqwest::Url;

use super::ask::PageAsk;
use super::error::BrowserError;
use super::selectors::Selectors;
use super::settings::BrowserSettings;
use super::snapshot::PageFault;
use super::tab::{Broken, Tab};
use super::visit::{Ended, Visit, Visited, harmless};
use crate::budget::Budget;
use crate::raw::{ContentHash, RawError, RawStore};
use crate::secret::{Scrubber, Secret};

/// What a request brought.
#[derive(Debug)]
pub(super) enum PageArrival {
    Body { hash: ContentHash, kind: String },
    Refused { status: u16, pause: Option<String> },
    Nothing(String),
    TooLarge,
    SignIn(String),
    Wandered(String),
    Layout(PageFault),
}

/// Why a try brought nothing at all.
pub(super) enum Stop {
    Broken(Broken),
    Error(BrowserError),
}

impl<E: Into<BrowserError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// What one try needs.
pub(super) struct Asking<'a> {
    pub(super) store: &'a RawStore,
    pub(super) settings: &'a BrowserSettings,
    pub(super) selectors: &'a Selectors,
    pub(super) site: &'a Url,
    pub(super) budget: &'a Budget,
    pub(super) host: &'a str,
}

impl Asking<'_> {
    /// Asks once, when the budget allows it.
    pub(super) async fn once(&self, tab: &Tab, ask: &PageAsk, secrets: &mut Vec<Secret>) -> Result<PageArrival, Stop> {
        let visit = Visit {
            tab,
            site: self.site,
            settings: self.settings,
            selectors: self.selectors,
            budget: self.budget,
            host: self.host,
            name: ask.name(),
        };
        let visited = match ask {
            PageAsk::Notebook(_) => visit.notebook().await,
            PageAsk::Version(_, entry) => visit.version(entry).await,
            PageAsk::File(..) => return self.file(tab, ask, secrets).await,
        };
        secrets.extend(tab.secrets().await.map_err(Stop::Broken)?);
        let visited = match visited {
            Ok(snapshot) => Visited::Whole(snapshot),
            Err(Ended::Visited(visited)) => visited,
            Err(Ended::Broken(broken)) => return Err(Stop::Broken(broken)),
            Err(Ended::Budget(error)) => return Err(error.into()),
        };
        Ok(match visited {
            Visited::Whole(snapshot) => {
                let bytes = serde_json::to_vec(&snapshot).unwrap_or_default();
                PageArrival::Body { hash: self.keep(&bytes, secrets)?, kind: String::new() }
            }
            Visited::Refused(status, pause) => PageArrival::Refused { status, pause },
            Visited::Nothing(why) => PageArrival::Nothing(why),
            Visited::TooLarge => PageArrival::TooLarge,
            Visited::SignIn(url) => PageArrival::SignIn(url),
            Visited::Wandered(url) => PageArrival::Wandered(url),
            Visited::Layout(fault) => PageArrival::Layout(fault),
        })
    }

    fn keep(&self, bytes: &[u8], secrets: &[Secret]) -> Result<ContentHash, RawError> {
        let failed = |error| RawError::new("write in", self.store.folder(), error);
        let mut writer = Scrubber::new(self.store.writer()?, secrets);
        writer.write_all(bytes).map_err(failed)?;
        Ok(writer.finish().map_err(failed)?.finish()?.hash)
    }

    /// Fetches a file from within a page of the site.
    async fn file(&self, tab: &Tab, ask: &PageAsk, secrets: &mut Vec<Secret>) -> Result<PageArrival, Stop> {
        let address = |path: &str| self.site.join(path).map_err(|_| BrowserError::Site { site: path.to_owned() });
        if !tab.is_at_home().await.map_err(Stop::Broken)? {
            self.go_home(tab, &address("/robots.txt")?).await?;
        }
        let url = address(&ask.address())?;
        let permit = self.budget.acquire(self.host)?;
        let fetched = tab.fetch(&url, None, self.settings.largest_answer).await.map_err(Stop::Broken)?;
        let fetched = match fetched {
            Ok(fetched) => fetched,
            Err(why) => return Ok(PageArrival::Nothing(why)),
        };
        drop(permit);
        let place = Url::parse(&fetched.url).ok();
        if let Some(place) = place.filter(|place| place.path().starts_with(&self.selectors.sign_in)) {
            return Ok(PageArrival::SignIn(harmless(&place)));
        }
        if !(200..300).contains(&fetched.status) {
            return Ok(PageArrival::Refused { status: fetched.status, pause: fetched.pause });
        }
        let Some(length) = fetched.length else { return Ok(PageArrival::TooLarge) };
        secrets.extend(tab.secrets().await.map_err(Stop::Broken)?);
        let failed = |error| RawError::new("write in", self.store.folder(), error);
        let mut writer = Scrubber::new(self.store.writer()?, secrets);
        tab.take(length, &mut writer).await.map_err(Stop::Broken)?.map_err(failed)?;
        let body = writer.finish().map_err(failed)?.finish()?;
        Ok(PageArrival::Body { hash: body.hash, kind: fetched.kind })
    }

    /// Goes to a page of the site, from which files can be fetched: whatever it says, it is of the site.
    async fn go_home(&self, tab: &Tab, url: &Url) -> Result<(), Stop> {
        let _permit = self.budget.acquire(self.host)?;
        tab.go(url).await.map_err(Stop::Broken)?;
        let start = Instant::now();
        while !tab.is_at_home().await.map_err(Stop::Broken)? && start.elapsed() < self.settings.waits.page {
            tokio::time::sleep(std::time::Duration::from_millis(40)).await;
        }
        Ok(())
    }
}
