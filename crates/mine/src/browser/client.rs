//! Visits and files by natural key: from the raw store where a usable one is kept, from the site otherwise.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use nbrevive_files::{FileError, OutgoingFile, make_folder};
use reqwest::Url;
use tokio::runtime::Runtime;

use super::ask::PageAsk;
use super::asking::{Asking, PageArrival, Stop};
use super::driver::Found;
use super::error::BrowserError;
use super::read::{Entry, FoundIn, NotebookPage, Reader};
use super::selectors::Selectors;
use super::session::Session;
use super::settings::BrowserSettings;
use super::snapshot::{PageFault, Snapshot};
use super::tab::{Broken, Tab};
use crate::address;
use crate::answers::{self, Failure, Kept, Settled, persist};
use crate::api::said_error;
use crate::budget::{Budget, retry_after};
use crate::raw::{ContentHash, HttpExchange, MiningStanding, RawError, RawStore};
use crate::records::{CodeKind, MiningSource, NotebookName, Origin, VersionRecord};
use crate::secret::{Scrubber, Secret};

/// Tries for a page or file that came whole and is not as it should be: perhaps it is meant so.
const DOUBTFUL_ATTEMPTS: u32 = 2;

/// The pages of the site over a raw store.
#[derive(Debug)]
pub struct Browser {
    store: Arc<RawStore>,
    settings: BrowserSettings,
    selectors: Selectors,
    site: Url,
    online: Option<Online>,
}

/// What it takes to ask the site.
#[derive(Debug)]
struct Online {
    /// Before the runtime, which ends its session.
    tab: Option<Tab>,
    runtime: Runtime,
    found: Found,
    session: Session,
    budget: Budget,
    host: String,
}

/// What one try came to; `Err` where the browser itself came to nothing, or no other try may mend it.
type Tried<T> = Result<Result<T, Failure<BrowserError>>, Stop>;

impl Browser {
    /// The pages of a site. The browser starts with the first request.
    ///
    /// # Errors
    /// [`BrowserError`] when the programs, the selectors or the site's address are not there.
    pub fn online(
        store: Arc<RawStore>,
        settings: BrowserSettings,
        session: Session,
        budget: Budget,
    ) -> Result<Self, BrowserError> {
        let found = Found::find(&settings)?;
        let mut browser = Self::offline(store, settings)?;
        let host = address::host(&browser.site);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|source| BrowserError::File { path: "the runtime".into(), source })?;
        browser.online = Some(Online { tab: None, runtime, found, session, budget, host });
        Ok(browser)
    }

    /// The kept visits and files alone: for replay. No browser is needed, and every kept answer is used, however old.
    ///
    /// # Errors
    /// [`BrowserError`] when the selectors or the site's address cannot be used.
    pub fn offline(store: Arc<RawStore>, settings: BrowserSettings) -> Result<Self, BrowserError> {
        let selectors = Selectors::load(settings.selectors.as_deref())?;
        let site = settings.address()?;
        Ok(Self { store, settings, selectors, site, online: None })
    }

    /// The raw store.
    #[must_use]
    pub fn store(&self) -> &RawStore {
        &self.store
    }

    /// Ends the browser; the next request starts another.
    fn rest(&mut self) {
        if let Some(Online { tab, runtime, .. }) = &mut self.online {
            let _inside = runtime.enter();
            drop(tab.take());
        }
    }

    /// The page of a notebook and its versions.
    pub(super) fn notebook(&mut self, name: &NotebookName) -> Result<NotebookPage, BrowserError> {
        let most = self.settings.most_versions;
        let ask = PageAsk::Notebook(name.clone());
        self.answer(&ask, |selectors, bytes, _, origin| {
            let snapshot = Snapshot::parse(bytes)?;
            Reader { selectors, name, snapshot: &snapshot, origin }.notebook(most)
        })
    }

    /// A version, without its code. The notebook's own page tells it too when it shows this version.
    pub(super) fn version(
        &mut self,
        name: &NotebookName,
        page: &NotebookPage,
        entry: &Entry,
    ) -> Result<(VersionRecord, FoundIn), BrowserError> {
        let parse = |selectors: &Selectors, bytes: &[u8], _: &str, origin: &Origin| {
            let snapshot = Snapshot::parse(bytes)?;
            Reader { selectors, name, snapshot: &snapshot, origin }.version(entry)
        };
        let notebook = PageAsk::Notebook(name.clone());
        if page.shown == Some(entry.id)
            && let Some(found) = self.settled(&notebook, &parse)?
        {
            return Ok(found);
        }
        self.answer(&PageAsk::Version(name.clone(), entry.clone()), parse)
    }

    /// The source of a version, kept in the raw store.
    pub(super) fn file(
        &mut self,
        name: &NotebookName,
        entry: &Entry,
        kind: Option<CodeKind>,
    ) -> Result<ContentHash, BrowserError> {
        let ask = PageAsk::File(name.clone(), entry.clone());
        self.answer(&ask, |_, bytes, content_type, origin| {
            usable(bytes, content_type, kind).map(|()| origin.raw.clone()).map_err(PageFault::NotUsable)
        })
    }

    /// How a request stands in the raw store.
    pub(super) fn standing(&self, ask: &PageAsk) -> Result<MiningStanding, RawError> {
        self.kept().standing(&ask.key())
    }

    /// What is kept, and when it counts.
    fn kept(&self) -> Kept<'_> {
        let BrowserSettings { belief, largest_answer: limit, reuse_since, .. } = self.settings;
        let since = reuse_since.filter(|_| self.online.is_some());
        Kept { store: &self.store, source: MiningSource::Browser, belief, limit, since }
    }

    /// The newest kept answer that today's selectors read, or the error that the kept ones settle.
    fn settled<T>(
        &self,
        ask: &PageAsk,
        parse: &impl Fn(&Selectors, &[u8], &str, &Origin) -> Result<T, PageFault>,
    ) -> Result<Option<T>, BrowserError> {
        let what = ask.key();
        match self.kept().settle(&what, |bytes, origin| parse(&self.selectors, bytes, "", origin))? {
            Settled::Answer(value) => Ok(Some(value)),
            Settled::TooLarge => {
                Err(BrowserError::TooLarge { what, limit: self.settings.largest_answer, final_word: true })
            }
            Settled::Unavailable(status) => Err(BrowserError::NotAvailable { what, status, final_word: true }),
            Settled::Open => Ok(None),
        }
    }

    fn answer<T>(
        &mut self,
        ask: &PageAsk,
        parse: impl Fn(&Selectors, &[u8], &str, &Origin) -> Result<T, PageFault>,
    ) -> Result<T, BrowserError> {
        if self.store.is_removed(&ask.name().to_string())? {
            return Err(BrowserError::TakenDown { item: ask.item() });
        }
        if let Some(found) = self.settled(ask, &parse)? {
            return Ok(found);
        }
        let Some(online) = &self.online else { return Err(BrowserError::NotKept { what: ask.key() }) };
        let (budget, host, patience) = (online.budget.clone(), online.host.clone(), self.settings.patience);
        let mut broken = 0;
        let attempt = |failed| self.attempt_anew(ask, failed, &mut broken, &parse);
        persist(&patience, attempt, |pause, hold| {
            match hold {
                Some(_) => budget.hold_back(&host, pause)?,
                None => budget.clock().sleep(pause),
            }
            Ok(())
        })
    }

    /// One try, each with another browser until one stays; `broken` counts those that did not.
    fn attempt_anew<T>(
        &mut self,
        ask: &PageAsk,
        attempts: u32,
        broken: &mut u32,
        parse: &impl Fn(&Selectors, &[u8], &str, &Origin) -> Result<T, PageFault>,
    ) -> answers::Tried<T, BrowserError> {
        loop {
            let why = match self.attempt(ask, attempts, parse) {
                Ok(tried) => return Ok(tried),
                Err(Stop::Error(error)) => return Err(error),
                Err(Stop::Broken(why)) => why,
            };
            *broken += 1;
            self.rest();
            let what = ask.key();
            tracing::warn!(what, %why, broken = *broken, "the browser failed, starting it again");
            if *broken > self.settings.programs.restarts {
                return Err(BrowserError::Broken { what, why: why.to_string(), times: *broken });
            }
        }
    }

    /// One try.
    fn attempt<T>(
        &mut self,
        ask: &PageAsk,
        attempts: u32,
        parse: &impl Fn(&Selectors, &[u8], &str, &Origin) -> Result<T, PageFault>,
    ) -> Tried<T> {
        let what = ask.key();
        let Self { store, settings, selectors, site, online } = self;
        let Some(online) = online else { return Err(BrowserError::NotKept { what }.into()) };
        let (at, start) = (online.budget.clock().now(), Instant::now());
        let Online { tab, runtime, found, session, budget, host } = online;
        let asking = Asking { store, settings, selectors, site, budget, host };
        let arrival = runtime.block_on(async {
            if tab.is_none() {
                *tab = Some(Tab::open(found, site, settings, session).await.map_err(Stop::Broken)?);
            }
            let tab = tab.as_ref().ok_or_else(|| Stop::Broken(Broken("it did not start".into())))?;
            let mut secrets = session.secrets();
            let arrival = asking.once(tab, ask, &mut secrets).await?;
            Ok::<_, Stop>((arrival, secrets))
        });
        let (arrival, secrets) = arrival?;
        let url = site.join(&ask.address()).map_or_else(|_| ask.address(), |url| url.to_string());
        let mut exchange = HttpExchange {
            item: Some(ask.item()),
            seconds: start.elapsed().as_secs_f64(),
            ..HttpExchange::begun(MiningSource::Browser, what.clone(), "GET", url, at)
        };
        let fault = match arrival {
            PageArrival::Body { hash, kind } => {
                let parsed = parse(selectors, &store.read(&hash)?, &kind, &origin(&what, &hash));
                exchange.status = Some(200);
                exchange.body = Some(hash);
                exchange.fault = parsed.as_ref().err().map(ToString::to_string);
                match parsed {
                    Ok(value) => {
                        store.note(exchange)?;
                        return Ok(Ok(value));
                    }
                    Err(fault) => fault,
                }
            }
            PageArrival::Layout(fault) => {
                exchange.fault = Some(fault.to_string());
                fault
            }
            other => return self.failure(other, exchange, attempts),
        };
        store.note(exchange)?;
        let error = match fault {
            PageFault::NotUsable(why) => BrowserError::NotUsable { what, why },
            PageFault::Layout(selector) => {
                let saved = self.save_trouble(ask, &secrets)?;
                BrowserError::Layout {
                    what,
                    selector,
                    url: self.site.join(&ask.address()).map_or_else(|_| ask.address(), |url| url.to_string()),
                    saved,
                }
            }
        };
        Ok(Err(doubtful(error)))
    }

    /// Notes what did not come, and says what it means.
    fn failure<T>(&self, arrival: PageArrival, exchange: HttpExchange, attempts: u32) -> Tried<T> {
        let what = exchange.key.clone();
        let again = |error| Ok(Err(Failure::passing(error)));
        let note = |exchange, fault: &str| self.store.note(HttpExchange { fault: Some(fault.to_owned()), ..exchange });
        match arrival {
            PageArrival::Refused { status, pause } => {
                let now = |online: &Online| online.budget.clock().now();
                let asked = self.online.as_ref().and_then(|online| retry_after(pause.as_deref()?, now(online)));
                self.store.note(HttpExchange { status: Some(status), fault: Some("refused".into()), ..exchange })?;
                match status {
                    401 | 403 | 404 | 410 => {
                        let final_word = self.kept().standing(&what)? == MiningStanding::Unavailable;
                        Err(BrowserError::NotAvailable { what, status, final_word }.into())
                    }
                    429 => Ok(Err(Failure::limit(BrowserError::RateLimited { what, attempts }).asked_for(asked))),
                    _ => Ok(Err(Failure::passing(BrowserError::Server { what, status, attempts }).asked_for(asked))),
                }
            }
            PageArrival::Nothing(why) => {
                note(exchange, &why)?;
                again(BrowserError::Unreachable { what, why, attempts })
            }
            PageArrival::TooLarge => {
                let limit = self.settings.largest_answer;
                self.store.note(HttpExchange { over: Some(limit), status: Some(200), ..exchange })?;
                let final_word = self.kept().standing(&what)? == MiningStanding::TooLarge;
                Err(BrowserError::TooLarge { what, limit, final_word }.into())
            }
            PageArrival::SignIn(url) => {
                note(exchange, "a sign-in is asked for")?;
                Ok(Err(doubtful(BrowserError::LoginWall { what, url })))
            }
            PageArrival::Wandered(url) => {
                note(exchange, "the page left the site")?;
                Ok(Err(doubtful(BrowserError::Wandered { what, url })))
            }
            PageArrival::Body { .. } | PageArrival::Layout(_) => {
                again(BrowserError::Unreachable { what, why: "the browser brought nothing".into(), attempts })
            }
        }
    }

    /// Saves the page as it stands, and its picture, without what must not be seen.
    fn save_trouble(&self, ask: &PageAsk, secrets: &[Secret]) -> Result<PathBuf, Stop> {
        let folder = self.settings.trouble_folder.join(ask.item().replace('/', "_").replace(['#', '@'], "-"));
        let Some(Online { tab: Some(tab), runtime, .. }) = &self.online else { return Ok(folder) };
        let (html, picture) = runtime.block_on(async { (tab.html().await, tab.picture().await) });
        let written = |error: FileError| BrowserError::File { path: folder.clone(), source: error.into() };
        make_folder(&folder).map_err(written)?;
        if let Ok(html) = html {
            write(&folder.join("page.html"), html.as_bytes(), secrets).map_err(written)?;
        }
        if let Ok(picture) = picture {
            nbrevive_files::write(&folder.join("page.png"), picture).map_err(written)?;
        }
        Ok(folder)
    }
}

fn write(path: &Path, bytes: &[u8], secrets: &[Secret]) -> Result<(), FileError> {
    let failed = |source| FileError::Write { path: path.to_owned(), source };
    let mut scrubber = Scrubber::new(OutgoingFile::begin(path)?, secrets);
    scrubber.write_all(bytes).map_err(failed)?;
    scrubber.finish().map_err(failed)?.commit()
}

/// A failure that may be meant so.
fn doubtful(error: BrowserError) -> Failure<BrowserError> {
    Failure::doubtful(error, DOUBTFUL_ATTEMPTS)
}

fn origin(key: &str, body: &ContentHash) -> Origin {
    Origin { source: MiningSource::Browser, request: key.to_owned(), raw: body.clone() }
}

/// Whether a file can be the source of a version: no page and no error in its place, and a notebook where it should be one.
fn usable(bytes: &[u8], content_type: &str, kind: Option<CodeKind>) -> Result<(), String> {
    if content_type.starts_with("text/html") {
        return Err("it is a web page".into());
    }
    let value: Option<serde_json::Value> = serde_json::from_slice(bytes).ok();
    if let Some((status, _)) = value.as_ref().and_then(said_error) {
        return Err(format!("it says {status}"));
    }
    let document = |value: &serde_json::Value| {
        value["nbformat"].is_u64() && (value["cells"].is_array() || value["worksheets"].is_array())
    };
    match kind {
        Some(CodeKind::Notebook) if !value.as_ref().is_some_and(document) => Err("it is no notebook".into()),
        Some(CodeKind::Script) if std::str::from_utf8(bytes).is_err() => Err("it is no text".into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_something_else_are_refused() {
        let notebook = br#"{"nbformat":4,"cells":[]}"#;
        assert_eq!(usable(notebook, "application/octet-stream", Some(CodeKind::Notebook)), Ok(()));
        assert!(usable(notebook, "text/html; charset=utf-8", None).is_err());
        assert!(usable(br#"{"code":403,"message":"Forbidden"}"#, "", None).unwrap_err().contains("403"));
        assert!(usable(br#"{"nbformat":"4","cells":[]}"#, "", Some(CodeKind::Notebook)).is_err());
        assert!(
            usable(b"\xff", "", Some(CodeKind::Script)).is_err()
                && usable(b"x = 1", "", Some(CodeKind::Script)).is_ok()
        );
    }
}
