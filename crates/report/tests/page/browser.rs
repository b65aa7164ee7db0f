//! A headless Chromium that opens a page from a file, and tells what it asked the network and what it complained about.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use reqwest::{Method, Url};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// How long a page may take to be what a test waits for; only a page that hangs takes longer.
const PATIENCE: Duration = Duration::from_secs(180);
/// What the driver says when it is ready.
const READY: &str = "started successfully on port ";

/// A browser with one tab, gone when this is dropped.
pub(crate) struct Browser {
    client: Client,
    runtime: Runtime,
    driver: Child,
    /// Its profile, and what it downloads.
    folder: TempDir,
}

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

impl Browser {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // The driver dies with the test's thread, whatever becomes of it, and the browser with the driver's pipe.
        let mut driver = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "chromedriver", "--port=0", "--log-level=SEVERE"])
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("setpriv and chromedriver are installed: scripts/setup --for-tests");
        let port = BufReader::new(driver.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .find_map(|line| line.split_once(READY)?.1.trim_end_matches('.').trim().parse::<u16>().ok())
            .expect("the driver says where it listens");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(folder.path()));
        let client = runtime.block_on(builder.connect(&format!("http://127.0.0.1:{port}"))).expect("Chromium starts");
        let browser = Browser { client, runtime, driver, folder };
        // The browser's own first page asks for its parts; what it asked is none of ours.
        browser.go("about:blank");
        browser.complaints();
        browser
    }

    /// Opens a page and waits until its script is done.
    pub(crate) fn open(&self, page: &Path, hash: &str) {
        // From elsewhere, since another hash alone would not load the page again.
        self.go("about:blank");
        self.go(&format!("file://{}{hash}", page.display()));
        self.wait("document.documentElement.dataset.ready !== undefined");
    }

    pub(crate) fn go(&self, address: &str) {
        self.runtime.block_on(self.client.goto(address)).unwrap();
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        self.runtime
            .block_on(self.client.execute(&script, Vec::new()))
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({}).innerText", json!(selector)));
        text.as_str().unwrap().to_owned()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&self, expression: &str) {
        let end = Instant::now() + PATIENCE;
        while self.value(expression) != json!(true) {
            assert!(
                Instant::now() < end,
                "still not: {expression}; the page says: {}",
                self.value("document.getElementById('failure')?.textContent")
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses an element with the mouse's events.
    pub(crate) fn click(&self, selector: &str) {
        self.value(&format!(
            "document.querySelector({}).dispatchEvent(new MouseEvent('click', {{ bubbles: true, cancelable: true }}))",
            json!(selector)
        ));
    }

    /// Types on the keyboard, into whatever has the focus.
    pub(crate) fn keys(&self, keys: &str) {
        let active = self.runtime.block_on(self.client.active_element()).unwrap();
        self.runtime.block_on(active.send_keys(keys)).unwrap();
    }

    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.extra("goog/cdp/execute", json!({ "cmd": command, "params": parameters }))
    }

    fn extra(&self, path: &'static str, body: Value) -> Value {
        self.runtime.block_on(self.client.issue_cmd(Extra { path, body })).unwrap()
    }

    /// A window of this many pixels.
    pub(crate) fn size(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// What the page complained about, and every request for anything but itself, since the last call.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = |kind: &str| self.extra("se/log", json!({ "type": kind })).as_array().cloned().unwrap_or_default();
        let mut all: Vec<String> = log("browser").iter().map(|entry| entry["message"].to_string()).collect();
        for entry in log("performance") {
            let message: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            let (method, parameters) = (&message["message"]["method"], &message["message"]["params"]);
            let address = parameters["request"]["url"].as_str().unwrap_or_default();
            let is_own = ["file:", "about:", "blob:"].iter().any(|scheme| address.starts_with(scheme));
            if method == "Network.requestWillBeSent" && !is_own {
                all.push(format!("request {address}"));
            }
        }
        all
    }

    /// A file that was downloaded, once it is whole: the browser makes an empty one under its name before.
    pub(crate) fn downloaded(&self, name: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let path = self.folder.path().join("downloads").join(name);
            match std::fs::read_to_string(path) {
                Ok(text) if !text.is_empty() => return text,
                _ => assert!(Instant::now() < end, "nothing was downloaded"),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Keeps a picture of the whole page where `PAGE_PICTURES` names a folder: for eyes, not for tests.
    pub(crate) fn picture(&self, name: &str) {
        use base64::Engine;
        let Some(folder) = std::env::var_os("PAGE_PICTURES") else { return };
        let shot = self.devtools("Page.captureScreenshot", &json!({ "format": "png", "captureBeyondViewport": true }));
        let bytes = base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), bytes).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.client.clone().close());
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn capabilities(folder: &Path) -> serde_json::Map<String, Value> {
    let arguments = [
        "--headless=new",
        "--remote-debugging-pipe",
        // Tests may run as root in a container, where its own sandbox cannot start; the pages are ours.
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--disable-extensions",
        "--window-size=1280,900",
        &format!("--user-data-dir={}", folder.join("profile").display()),
    ]
    .map(str::to_owned);
    let capabilities = json!({
        "browserName": "chrome",
        "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        "goog:chromeOptions": {
            "perfLoggingPrefs": { "enableNetwork": true, "enablePage": false },
            "prefs": { "download.default_directory": folder.join("downloads").display().to_string() },
            "args": arguments,
        },
    });
    capabilities.as_object().cloned().unwrap()
}
