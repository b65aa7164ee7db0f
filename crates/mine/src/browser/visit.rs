//! A visit: loads a page, waits until it is built, and takes it down with the answers that it got. Where these do not
//! tell what is needed, asks the internal service or opens the list of versions, always one request at a time.

use std::time::{Duration, Instant};

use reqwest::Url;
use serde_json::{Value, json};

use super::network::Network;
use super::read::{Entry, FoundIn, Reader};
use super::selectors::Selectors;
use super::settings::BrowserSettings;
use super::snapshot::{KeptFor, PageCopy, PageFault, ServiceAnswer, Snapshot};
use super::tab::{Broken, Tab};
use crate::budget::{Budget, BudgetError};
use crate::records::{MiningSource, NotebookName, Origin};

/// How often a page is looked at.
const LOOK: Duration = Duration::from_millis(40);
/// Versions that are asked for at a time, as many as public scrapers ask for.
const PAGE_SIZE: usize = 1000;

/// What a visit came to.
#[derive(Debug)]
pub(super) enum Visited {
    Whole(Snapshot),
    /// A status that is no success, and what `Retry-After` says.
    Refused(u16, Option<String>),
    Nothing(String),
    TooLarge,
    SignIn(String),
    Wandered(String),
    Layout(PageFault),
}

/// Why a visit ended early.
pub(super) enum Ended {
    Visited(Visited),
    Broken(Broken),
    Budget(BudgetError),
}

impl From<Broken> for Ended {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

impl From<BudgetError> for Ended {
    fn from(error: BudgetError) -> Self {
        Self::Budget(error)
    }
}

fn end<T>(visited: Visited) -> Result<T, Ended> {
    Err(Ended::Visited(visited))
}

/// One visit to a notebook.
pub(super) struct Visit<'a> {
    pub(super) tab: &'a Tab,
    pub(super) site: &'a Url,
    pub(super) settings: &'a BrowserSettings,
    pub(super) selectors: &'a Selectors,
    pub(super) budget: &'a Budget,
    pub(super) host: &'a str,
    pub(super) name: &'a NotebookName,
}

impl Visit<'_> {
    fn url(&self, address: &str) -> Result<Url, Ended> {
        self.site.join(address).or_else(|error| end(Visited::Nothing(error.to_string())))
    }

    /// The page of the notebook and its list of versions.
    pub(super) async fn notebook(&self) -> Result<Snapshot, Ended> {
        let mut snapshot = Snapshot::new();
        self.page(&format!("/code/{}", self.name), KeptFor::Notebook, &mut snapshot).await?;
        if self.has_versions(&snapshot) {
            return Ok(snapshot);
        }
        let states = snapshot.states(self.selectors);
        let id = states.iter().find_map(|state| self.selectors.state(state, "kernel_id")?.as_u64());
        if let Some(id) = id {
            self.ask_for_versions(id, &mut snapshot).await?;
        }
        if !self.has_versions(&snapshot) {
            self.open_versions(&mut snapshot).await?;
        }
        Ok(snapshot)
    }

    fn reads<T>(&self, snapshot: &Snapshot, read: impl FnOnce(&Reader<'_>) -> T) -> T {
        let origin =
            Origin { source: MiningSource::Browser, request: String::new(), raw: crate::raw::ContentHash::of(b"") };
        read(&Reader { selectors: self.selectors, name: self.name, snapshot, origin: &origin })
    }

    fn has_versions(&self, snapshot: &Snapshot) -> bool {
        self.reads(snapshot, |reader| reader.has_listed())
    }

    /// Asks the internal service for the history. A list that does not end, or brings nothing new, ends here.
    async fn ask_for_versions(&self, id: u64, snapshot: &mut Snapshot) -> Result<(), Ended> {
        let url = self.url(&format!("/api/i/{}", self.selectors.version_list))?;
        let mut known = std::collections::BTreeSet::new();
        for page in 1..=self.settings.most_versions.div_ceil(PAGE_SIZE).max(1) {
            let mut arguments = json!({"kernelId": id, "sortOption": "VERSION_ID", "pageSize": PAGE_SIZE});
            if page > 1 {
                arguments["page"] = page.into();
            }
            let permit = self.budget.acquire(self.host)?;
            let fetched = self.tab.fetch(&url, Some(&arguments), self.settings.largest_answer).await?;
            drop(permit);
            let fetched = fetched.or_else(|why| end(Visited::Nothing(why)))?;
            match fetched.status {
                200..=299 => {}
                // Not for everybody: the page itself may still show it.
                400 | 401 | 403 | 404 => return Ok(()),
                status => return end(Visited::Refused(status, fetched.pause)),
            }
            let Some(length) = fetched.length else { return end(Visited::TooLarge) };
            let mut bytes = Vec::new();
            self.tab.take(length, &mut bytes).await?.or_else(|error| end(Visited::Nothing(error.to_string())))?;
            let body: Value = serde_json::from_slice(&bytes)
                .or_else(|error| end(Visited::Nothing(format!("the list of versions is no JSON: {error}"))))?;
            let rows = self.selectors.state(&body, "versions").and_then(Value::as_array);
            let ids: Vec<u64> =
                rows.into_iter().flatten().filter_map(|row| self.selectors.state(row, "entry_id")?.as_u64()).collect();
            let count = ids.len();
            let news = ids.into_iter().filter(|id| known.insert(*id)).count();
            snapshot.answers.push(ServiceAnswer { method: self.selectors.version_list.clone(), arguments, body });
            if count < PAGE_SIZE || news == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Opens the list of versions on the page.
    async fn open_versions(&self, snapshot: &mut Snapshot) -> Result<(), Ended> {
        let permit = self.budget.acquire(self.host)?;
        if self.tab.look(self.selectors.for_script("shown_version"), true).await? == 0 {
            return end(Visited::Layout(PageFault::mark("shown_version")));
        }
        let start = Instant::now();
        while self.tab.look(self.selectors.for_script("version_rows"), false).await? == 0 {
            if start.elapsed() > self.settings.waits.quiet.max(Duration::from_secs(1)) {
                return end(Visited::Layout(PageFault::mark("version_rows")));
            }
            tokio::time::sleep(LOOK).await;
        }
        drop(permit);
        let html = self.html().await?;
        snapshot.pages.push(PageCopy { tab: KeptFor::Versions, address: format!("/code/{}", self.name), html });
        Ok(())
    }

    /// The page of a version, and where its state does not tell what it reads, that page too.
    pub(super) async fn version(&self, entry: &Entry) -> Result<Snapshot, Ended> {
        let mut snapshot = Snapshot::new();
        let query = format!("scriptVersionId={}", entry.id);
        self.page(&format!("/code/{}?{query}", self.name), KeptFor::Notebook, &mut snapshot).await?;
        if let Ok((_, FoundIn::Marks)) = self.reads(&snapshot, |reader| reader.version(entry)) {
            self.page(&format!("/code/{}/input?{query}", self.name), KeptFor::Input, &mut snapshot).await?;
        }
        Ok(snapshot)
    }

    async fn html(&self) -> Result<String, Ended> {
        let html = self.tab.html().await?;
        if html.len() as u64 > self.settings.largest_answer { end(Visited::TooLarge) } else { Ok(html) }
    }

    /// Loads a page and takes it down with its answers.
    async fn page(&self, address: &str, tab: KeptFor, snapshot: &mut Snapshot) -> Result<(), Ended> {
        let url = self.url(address)?;
        let permit = self.budget.acquire(self.host)?;
        self.tab.go(&url).await?;
        let network = self.settle().await?;
        drop(permit);
        let html = self.html().await?;
        snapshot.pages.push(PageCopy { tab, address: address.to_owned(), html });
        for call in network.calls().iter().filter(|call| call.is_over && !call.is_bad()) {
            let Some(method) = call.method() else { continue };
            if call.bytes > self.settings.largest_answer {
                return end(Visited::TooLarge);
            }
            let Some(body) = self.tab.body(&call.id).await? else {
                if method == self.selectors.view_model || method == self.selectors.version_list {
                    return end(Visited::Nothing(format!("the browser lost the answer of {method}")));
                }
                continue;
            };
            let arguments = call.sent.as_deref().and_then(|sent| serde_json::from_str(sent).ok()).unwrap_or_default();
            let body = serde_json::from_str(&body).unwrap_or(Value::String(body));
            snapshot.answers.push(ServiceAnswer { method, arguments, body });
        }
        Ok(())
    }

    /// Waits until the page is built.
    async fn settle(&self) -> Result<Network, Ended> {
        let (start, mut network, mut last, mut was_ready) = (Instant::now(), Network::default(), Instant::now(), false);
        let ready = self.selectors.for_script("ready");
        loop {
            let mut has_news = false;
            for event in self.tab.events().await? {
                has_news |= network.learn(&event);
            }
            if has_news {
                last = Instant::now();
            }
            let is_quiet = last.elapsed() > self.settings.waits.quiet;
            if let Some(page) = network.document() {
                if let Some(url) = Url::parse(&page.url).ok().filter(|url| url.origin() != self.site.origin()) {
                    return end(Visited::Wandered(harmless(&url)));
                }
                if let Some(why) = &page.failed {
                    return end(Visited::Nothing(why.clone()));
                }
                if let Some(status) = page.status {
                    self.judge(status, page.pause.clone()).await?;
                    let is_ready = self.tab.look(ready.clone(), false).await? > 0;
                    // What the network did before the page was ready is known after one more look.
                    if is_ready && was_ready && (is_quiet || !(has_news || network.is_busy())) {
                        return Ok(network);
                    }
                    was_ready = is_ready;
                    if !is_ready && is_quiet && !network.is_busy() {
                        return self.unready(&network).await;
                    }
                }
            }
            if start.elapsed() > self.settings.waits.page {
                return end(Visited::Nothing("the page was not built in time".into()));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Whether the page may be looked at.
    async fn judge(&self, status: u16, pause: Option<String>) -> Result<(), Ended> {
        let place = self.tab.place().await?;
        if matches!(place.scheme(), "chrome-error" | "about" | "data" | "chrome") {
            // Not there yet, or a failure that the network is about to tell.
            return Ok(());
        }
        if place.origin() != self.site.origin() {
            return end(Visited::Wandered(harmless(&place)));
        }
        if place.path().starts_with(&self.selectors.sign_in) {
            return end(Visited::SignIn(harmless(&place)));
        }
        if (200..300).contains(&status) { Ok(()) } else { end(Visited::Refused(status, pause)) }
    }

    /// Why a page that does nothing more is not built: an answer that failed, or a page that looks otherwise.
    async fn unready(&self, network: &Network) -> Result<Network, Ended> {
        for call in network.calls() {
            match (&call.failed, call.status) {
                (Some(why), _) => return end(Visited::Nothing(why.clone())),
                (None, Some(401)) => return end(Visited::SignIn(call.url.clone())),
                (None, Some(status)) if status >= 400 => return end(Visited::Refused(status, call.pause.clone())),
                _ => {}
            }
            let Some(body) = self.tab.body(&call.id).await?.filter(|_| call.method().is_some()) else { continue };
            let Ok(body) = serde_json::from_str::<Value>(&body) else {
                return end(Visited::Nothing("an answer of the internal service is no JSON".into()));
            };
            if let Some((status, _)) = crate::api::said_error(&body) {
                return end(Visited::Refused(status, None));
            }
        }
        end(Visited::Layout(PageFault::mark("ready")))
    }
}

/// An address without its query, which may hold anything.
pub(super) fn harmless(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.as_str().chars().take(200).collect()
}
