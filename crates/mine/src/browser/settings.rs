//! How the pages are read.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::Url;

use super::error::BrowserError;
use crate::budget::Patience;
use crate::raw::Belief;

/// How the browser is used.
#[derive(Debug, Clone, PartialEq)]
pub struct BrowserSettings {
    /// The site. Default `https://www.kaggle.com`.
    pub site: String,
    /// Other hosts that its pages may load parts from, as Chromium's lists of hosts have them. Default `*.kaggle.com`.
    pub other_hosts: Vec<String>,
    /// Retries of requests.
    pub patience: Patience,
    /// When a refusal is final.
    pub belief: Belief,
    /// How long things may take.
    pub waits: Waits,
    /// Longest page or file that is taken, in bytes. Default 64 MiB.
    pub largest_answer: u64,
    /// Most versions of a notebook that are looked at, the newest. Default 1000.
    pub most_versions: usize,
    /// Where pages that no longer match are saved, each with its screenshot. Default `trouble` in the working directory.
    pub trouble_folder: PathBuf,
    /// A selectors' file in the place of the built-in one.
    pub selectors: Option<PathBuf>,
    /// The programs.
    pub programs: Programs,
    /// Kept answers from before this are asked for again. Default `None`: every kept answer is used.
    pub reuse_since: Option<Timestamp>,
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// Start of the browser. Default 60 s.
    pub start: Duration,
    /// One command to the browser. Default 60 s.
    pub command: Duration,
    /// A page until it is built. Default 60 s.
    pub page: Duration,
    /// Nothing happens on a page that is not as it should be: then it counts as built. Default 3 s.
    pub quiet: Duration,
    /// Silence within a file. Default 60 s.
    pub silence: Duration,
    /// A whole file. Default 10 min.
    pub file: Duration,
}

/// The programs; those that are not given are looked for in the `PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programs {
    /// Chromium, or a browser made from it.
    pub browser: Option<PathBuf>,
    /// Its `ChromeDriver`.
    pub driver: Option<PathBuf>,
    /// Times that a browser that failed is started again for one page or file. Default 3.
    pub restarts: u32,
}

impl Default for BrowserSettings {
    fn default() -> Self {
        Self {
            site: "https://www.kaggle.com".into(),
            other_hosts: vec!["*.kaggle.com".into()],
            patience: Patience::default(),
            belief: Belief::default(),
            waits: Waits::default(),
            largest_answer: 64 << 20,
            most_versions: 1000,
            trouble_folder: "trouble".into(),
            selectors: None,
            programs: Programs::default(),
            reuse_since: None,
        }
    }
}

impl Default for Waits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            start: seconds(60),
            command: seconds(60),
            page: seconds(60),
            quiet: seconds(3),
            silence: seconds(60),
            file: seconds(600),
        }
    }
}

impl Default for Programs {
    fn default() -> Self {
        Self { browser: None, driver: None, restarts: 3 }
    }
}

impl BrowserSettings {
    /// The site as an address with a host, http or https, and nothing behind the host.
    pub(crate) fn address(&self) -> Result<Url, BrowserError> {
        let url = Url::parse(&self.site).ok();
        let plain = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host() && url.path() == "/";
        url.filter(plain).ok_or_else(|| BrowserError::Site { site: self.site.chars().take(100).collect() })
    }
}
