//! The tab: commands to the browser with a limit of time each, what the network did, and files fetched from within a
//! page.

use std::io::Write;
use std::str::FromStr;
use std::time::Duration;

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use reqwest::{Method, Url};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::driver::{Driver, Found};
use super::session::Session;
use super::settings::{BrowserSettings, Waits};
use crate::secret::Secret;

/// Bytes of a file that are taken from the page at a time.
const SLICE: u64 = 1 << 20;

/// Script: how many elements there are that a mark describes; with `press`, presses the first. None on a page that is
/// being left.
const LOOK: &str = "const [mark, press] = arguments;
    if (window.__left) return 0;
    const plain = (element) => element.textContent.split(/\\s+/).join(' ').trim();
    const found = [...document.querySelectorAll(mark.css)].filter((element) =>
        (!mark.text || plain(element) === mark.text) && (!mark.starts || plain(element).startsWith(mark.starts.trim())));
    if (press && found[0]) found[0].click();
    return found.length;";

/// Script: fetches an address of the site into the page's memory, never more of it than the limit.
const FETCH: &str = "const [address, body, limit, silence, whole, done] = arguments;
    const stop = new AbortController();
    let why = 'it was not whole in time', alarm;
    const end = setTimeout(() => stop.abort(), whole);
    const wait = () => { clearTimeout(alarm); alarm = setTimeout(() => { why = 'the site fell silent'; stop.abort(); }, silence); };
    const cookie = (name) => (document.cookie.split('; ').find((one) => one.startsWith(name + '=')) || '').slice(name.length + 1);
    (async () => {
        wait();
        const options = body === null ? {} : { method: 'POST', body: JSON.stringify(body),
            headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': cookie('XSRF-TOKEN') } };
        const answer = await fetch(address, { ...options, signal: stop.signal, credentials: 'same-origin' });
        const told = { status: answer.status, url: answer.url, pause: answer.headers.get('Retry-After'),
            type: answer.headers.get('Content-Type') || '' };
        const parts = []; let length = 0;
        const reader = answer.body ? answer.body.getReader() : null;
        while (reader) {
            const { done: over, value } = await reader.read();
            if (over) break;
            wait();
            length += value.length;
            if (length > limit) { stop.abort(); window.__file = null; return { ...told, over: true }; }
            parts.push(value);
        }
        const file = new Uint8Array(length); let place = 0;
        for (const part of parts) { file.set(part, place); place += part.length; }
        window.__file = file;
        return { ...told, length };
    })().then((told) => told, (error) => ({ failed: stop.signal.aborted ? why : String(error && error.message) }))
        .then((told) => { clearTimeout(end); clearTimeout(alarm); done(told); });";

/// Script: a part of the fetched file, in hexadecimal.
const PART: &str = "const [from, count] = arguments; let text = '';
    for (const byte of window.__file.subarray(from, from + count)) text += (byte < 16 ? '0' : '') + byte.toString(16);
    return text;";

/// The browser or its driver failed: it has to be started again.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Broken(pub(super) String);

/// A command of the driver that the library does not know.
#[derive(Debug)]
struct Extra {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extra {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as FromStr>::Err> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}

/// What a fetched address said.
#[derive(Debug)]
pub(super) struct Fetched {
    pub(super) status: u16,
    pub(super) url: String,
    pub(super) pause: Option<String>,
    pub(super) kind: String,
    /// Its length in bytes, or `None` when that passed the limit.
    pub(super) length: Option<u64>,
}

/// A browser with one tab.
#[derive(Debug)]
pub(super) struct Tab {
    client: Client,
    site: Url,
    waits: Waits,
    /// Last, so that the session is closed before its driver.
    _driver: Driver,
}

impl Tab {
    /// Starts a browser and shows it the session.
    pub(super) async fn open(
        found: &Found,
        site: &Url,
        settings: &BrowserSettings,
        session: &Session,
    ) -> Result<Self, Broken> {
        let waits = settings.waits;
        let driver = Driver::start(found, waits.start).map_err(Broken)?;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(driver.capabilities(site, settings));
        let client = timeout(waits.start, builder.connect(&driver.address)).await;
        let client = client.map_err(|_| Broken("the browser did not start in time".into()))?;
        let client = client.map_err(|error| Broken(plain(&error.to_string())))?;
        let tab = Self { client, site: site.clone(), waits, _driver: driver };
        let file = u64::try_from((waits.file + waits.command).as_millis()).unwrap_or(u64::MAX);
        tab.extra("timeouts", json!({"script": file})).await?;
        let cookies = session.for_host(site.host_str().unwrap_or_default());
        if !cookies.is_empty() {
            tab.devtools("Network.setCookies", json!({"cookies": cookies})).await?;
        }
        Ok(tab)
    }

    /// A command with its limit of time. Messages of the driver may quote a page, and are shortened.
    async fn within<T, E: std::fmt::Display>(
        &self,
        limit: Duration,
        command: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Broken> {
        match timeout(limit, command).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(Broken(plain(&error.to_string()))),
            Err(_) => Err(Broken(format!("no answer within {} s", limit.as_secs_f64()))),
        }
    }

    async fn extra(&self, path: &'static str, body: Value) -> Result<Value, Broken> {
        self.within(self.waits.command, self.client.issue_cmd(Extra { path, body })).await
    }

    async fn devtools(&self, command: &str, parameters: Value) -> Result<Value, Broken> {
        self.extra("goog/cdp/execute", json!({"cmd": command, "params": parameters})).await
    }

    async fn script(&self, script: &str, arguments: Vec<Value>) -> Result<Value, Broken> {
        self.within(self.waits.command, self.client.execute(script, arguments)).await
    }

    /// Begins to load an address of the site.
    pub(super) async fn go(&self, url: &Url) -> Result<(), Broken> {
        // What the network did before is over.
        self.events().await?;
        self.script("window.__left = true;", Vec::new()).await?;
        self.within(self.waits.command, self.client.goto(url.as_str())).await
    }

    /// Where the tab is.
    pub(super) async fn place(&self) -> Result<Url, Broken> {
        self.within(self.waits.command, self.client.current_url()).await
    }

    /// Whether the tab shows a page of the site.
    pub(super) async fn is_at_home(&self) -> Result<bool, Broken> {
        Ok(self.place().await?.origin() == self.site.origin())
    }

    /// The page as it stands.
    pub(super) async fn html(&self) -> Result<String, Broken> {
        self.within(self.waits.command, self.client.source()).await
    }

    /// A picture of the page, as PNG.
    pub(super) async fn picture(&self) -> Result<Vec<u8>, Broken> {
        self.within(self.waits.command, self.client.screenshot()).await
    }

    /// What the network did since the last call, as `DevTools` tells it.
    pub(super) async fn events(&self) -> Result<Vec<Value>, Broken> {
        let log = self.extra("se/log", json!({"type": "performance"})).await?;
        let entries = log.as_array().cloned().unwrap_or_default();
        let event = |entry: Value| -> Option<Value> {
            let mut message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            Some(message["message"].take())
        };
        Ok(entries.into_iter().filter_map(event).collect())
    }

    /// The body of an answer that the page got; `None` when the browser has it no more.
    pub(super) async fn body(&self, request: &str) -> Result<Option<String>, Broken> {
        match self.devtools("Network.getResponseBody", json!({"requestId": request})).await {
            Ok(got) if got["base64Encoded"] == true => Ok(None),
            Ok(got) => Ok(got["body"].as_str().map(str::to_owned)),
            // The browser is there and says that it has nothing.
            Err(error) if error.0.contains("inspector error") => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How many elements a mark describes; with `press`, the first is pressed, whatever lies over it.
    pub(super) async fn look(&self, mark: Value, press: bool) -> Result<u64, Broken> {
        Ok(self.script(LOOK, vec![mark, press.into()]).await?.as_u64().unwrap_or_default())
    }

    /// Fetches an address of the site from within the page. `Err` of the inner result says why nothing whole came.
    pub(super) async fn fetch(
        &self,
        url: &Url,
        body: Option<&Value>,
        limit: u64,
    ) -> Result<Result<Fetched, String>, Broken> {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let arguments = vec![
            url.as_str().into(),
            body.cloned().unwrap_or_default(),
            limit.into(),
            milliseconds(self.waits.silence).into(),
            milliseconds(self.waits.file).into(),
        ];
        let fetching = self.client.execute_async(FETCH, arguments);
        let told = self.within(self.waits.file + self.waits.command, fetching).await?;
        if let Some(why) = told["failed"].as_str() {
            return Ok(Err(plain(why)));
        }
        let status = told["status"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or_default();
        let text = |name: &str| told[name].as_str().map(str::to_owned);
        Ok(Ok(Fetched {
            status,
            url: text("url").unwrap_or_default(),
            pause: text("pause"),
            kind: text("type").unwrap_or_default(),
            length: told["length"].as_u64().filter(|length| *length <= limit),
        }))
    }

    /// Writes the file that was fetched last.
    pub(super) async fn take(&self, length: u64, to: &mut impl Write) -> Result<std::io::Result<()>, Broken> {
        let mut from = 0;
        while from < length {
            let count = SLICE.min(length - from);
            let part = self.script(PART, vec![from.into(), count.into()]).await?;
            let bytes = part.as_str().and_then(unhex).unwrap_or_default();
            if bytes.len() as u64 != count {
                return Err(Broken("a part of a file is not as long as it was asked for".into()));
            }
            if let Err(error) = to.write_all(&bytes) {
                return Ok(Err(error));
            }
            from += count;
        }
        Ok(Ok(()))
    }

    /// The values of all cookies that the browser has for the site.
    pub(super) async fn secrets(&self) -> Result<Vec<Secret>, Broken> {
        let got = self.devtools("Network.getCookies", json!({"urls": [self.site.as_str()]})).await?;
        let cookies = got["cookies"].as_array().cloned().unwrap_or_default();
        Ok(cookies.iter().filter_map(|cookie| cookie["value"].as_str()).map(Secret::new).collect())
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    text.as_bytes().chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?)).collect()
}

/// The first line of a message, short and without what moves a terminal's cursor.
fn plain(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_back_as_they_were() {
        assert_eq!(unhex("00ff7a"), Some(vec![0, 255, 122]));
        assert!(unhex("0").is_none() && unhex("zz").is_none());
        assert_eq!(plain("tab crashed\n  (Session info)"), "tab crashed");
    }
}
