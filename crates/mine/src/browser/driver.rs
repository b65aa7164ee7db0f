//! The driver and its browser: started on a free port in a folder of their own, and gone when this is dropped.
//!
//! Nothing outlives us. The driver is killed by the kernel when the thread that started it dies
//! (`PR_SET_PDEATHSIG`), and the browser hangs on a pipe of the driver (`--remote-debugging-pipe`) and ends with it. What
//! a kill leaves is the folder, which holds no cookies (the browser is incognito); the next start removes it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use reqwest::Url;
use rustix::process::{Signal, geteuid, set_parent_process_death_signal};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::error::BrowserError;
use super::settings::BrowserSettings;

/// Names of the browser, in the order in which they are looked for.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DRIVERS: [&str; 1] = ["chromedriver"];
/// Beginning of the names of our folders.
const PREFIX: &str = "nbrevive-browser-";
/// A file in the folder that is locked as long as its owner lives.
const LOCK: &str = "lock";
/// What the driver says when it is ready.
const READY: &str = "started successfully on port ";

/// A running driver.
#[derive(Debug)]
pub(super) struct Driver {
    child: Child,
    /// Where it listens.
    pub(super) address: String,
    browser: PathBuf,
    folder: TempDir,
    _lock: File,
}

/// The programs, found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    browser: PathBuf,
    driver: PathBuf,
}

impl Found {
    pub(super) fn find(settings: &BrowserSettings) -> Result<Self, BrowserError> {
        let programs = &settings.programs;
        Ok(Self {
            browser: find("Chromium", programs.browser.as_deref(), &BROWSERS)?,
            driver: find("ChromeDriver", programs.driver.as_deref(), &DRIVERS)?,
        })
    }
}

fn find(program: &'static str, given: Option<&Path>, names: &[&str]) -> Result<PathBuf, BrowserError> {
    if let Some(path) = given {
        let missing = || BrowserError::Missing { program, looked_for: path.display().to_string() };
        return if path.is_file() { Ok(path.to_owned()) } else { Err(missing()) };
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let found =
        names.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file()));
    found.ok_or_else(|| BrowserError::Missing { program, looked_for: format!("{} in the PATH", names.join(", ")) })
}

impl Driver {
    /// Starts a driver. Not to be called from a thread that ends before the driver shall.
    pub(super) fn start(found: &Found, wait: Duration) -> Result<Self, String> {
        sweep(&std::env::temp_dir());
        let failed = |what: &str, error: std::io::Error| format!("{what}: {error}");
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir().map_err(|error| failed("no folder", error))?;
        let lock = File::create(folder.path().join(LOCK)).map_err(|error| failed("no lock", error))?;
        lock.try_lock().map_err(|error| failed("no lock", error.into()))?;
        let mut command = Command::new(&found.driver);
        command
            .args(["--port=0", "--log-level=SEVERE"])
            .env("TZ", "UTC")
            .env("LANGUAGE", "en_US")
            // Whatever the browser wants to keep goes with the folder.
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // SAFETY: the closure runs between fork and exec and makes one system call; it neither allocates nor locks.
        unsafe {
            command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
        }
        let mut child = command.spawn().map_err(|error| failed(&found.driver.display().to_string(), error))?;
        let port = child.stdout.take().map(ports).and_then(|ports| ports.recv_timeout(wait).ok());
        let address = port.map(|port| format!("http://127.0.0.1:{port}"));
        let driver = Self {
            child,
            address: address.clone().unwrap_or_default(),
            browser: found.browser.clone(),
            folder,
            _lock: lock,
        };
        address.map(|_| driver).ok_or_else(|| "the driver did not say that it is ready".to_owned())
    }

    /// What the browser is asked for.
    pub(super) fn capabilities(&self, site: &Url, settings: &BrowserSettings) -> serde_json::Map<String, Value> {
        let capabilities = json!({
            "browserName": "chrome",
            // Pages that stall must not hold a command up: we look for ourselves whether a page is built.
            "pageLoadStrategy": "none",
            "unhandledPromptBehavior": "dismiss",
            "goog:loggingPrefs": {"performance": "ALL"},
            "goog:chromeOptions": {
                "binary": self.browser,
                "perfLoggingPrefs": {"enableNetwork": true, "enablePage": false},
                "args": arguments(&self.folder.path().join("profile"), site, settings),
            },
        });
        capabilities.as_object().cloned().unwrap_or_default()
    }
}

/// Flags of a browser without a window, and what keeps the browser on the site: requests to any other host go to a proxy that
/// does not exist.
fn arguments(profile: &Path, site: &Url, settings: &BrowserSettings) -> Vec<String> {
    let host = site.host_str().unwrap_or_default();
    let own = site.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let hosts: Vec<&str> = settings.other_hosts.iter().map(String::as_str).collect();
    let allowed = [&["<-loopback>", own.as_str()], hosts.as_slice()].concat().join(";");
    let fixed = [
        "--headless=new",
        "--incognito",
        "--remote-debugging-pipe",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--disable-extensions",
        "--mute-audio",
        "--lang=en-US",
        "--window-size=1280,1600",
        "--blink-settings=imagesEnabled=false",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--proxy-server=http://nowhere.invalid:9",
        "--host-resolver-rules=MAP nowhere.invalid ~NOTFOUND",
    ];
    let mut arguments: Vec<String> = fixed.iter().map(|flag| (*flag).to_owned()).collect();
    arguments.push(format!("--proxy-bypass-list={allowed}"));
    arguments.push(format!("--user-data-dir={}", profile.display()));
    if geteuid().is_root() {
        arguments.push("--no-sandbox".into());
    }
    arguments
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The browser ends when its pipe does; the folder goes after both.
        let _ = self.child.kill();
        let _ = self.child.wait();
        for _ in 0..40 {
            if fs::remove_dir_all(self.folder.path()).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(25));
        }
    }
}

/// Reads what the driver says until it ends, and tells the port.
fn ports(stdout: std::process::ChildStdout) -> Receiver<u16> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let port = line.split_once(READY).and_then(|(_, rest)| rest.trim_end_matches('.').trim().parse().ok());
            if let Some(port) = port {
                let _ = sender.send(port);
            }
        }
    });
    receiver
}

/// Removes the folders of processes that were killed.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        let Ok(lock) = File::open(entry.path().join(LOCK)) else { continue };
        if lock.try_lock().is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_cure() {
        let error = find("ChromeDriver", Some(Path::new("/nowhere/chromedriver")), &DRIVERS).unwrap_err().to_string();
        assert!(error.contains("/nowhere/chromedriver") && error.contains("apt-get install"), "{error}");
        assert!(find("ChromeDriver", None, &["no-such-program-anywhere"]).is_err());
    }

    #[test]
    fn folders_of_the_dead_are_swept_and_those_of_the_living_stay() {
        let temporary = tempfile::tempdir().unwrap();
        let (dead, living) = (temporary.path().join(format!("{PREFIX}a")), temporary.path().join(format!("{PREFIX}b")));
        for folder in [&dead, &living] {
            fs::create_dir(folder).unwrap();
            File::create(folder.join(LOCK)).unwrap();
        }
        let lock = File::open(living.join(LOCK)).unwrap();
        lock.try_lock().unwrap();
        sweep(temporary.path());
        assert!(!dead.exists() && living.exists());
    }

    #[test]
    fn the_browser_is_kept_on_its_site() {
        let settings = BrowserSettings::default();
        let flags = arguments(Path::new("/p"), &settings.address().unwrap(), &settings);
        assert!(flags.contains(&"--proxy-bypass-list=<-loopback>;www.kaggle.com:443;*.kaggle.com".into()), "{flags:?}");
    }
}
