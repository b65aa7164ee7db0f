//! Fetches a file from a host that is allowed, whatever that host answers.
//!
//! The name is resolved once, here; where one of its addresses is not public, nothing is connected to. Connections go to those
//! addresses alone, past any proxy, and a redirect is followed on the same host only.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nbrevive_requests::chain;
use pep440_rs::Version;
use reqwest::Url;
use reqwest::blocking::{Client, Response};
use reqwest::header::{ACCEPT_ENCODING, LOCATION};
use reqwest::redirect::Policy;
use sha2::{Digest, Sha256 as Hasher};
use tempfile::TempPath;

use super::public::is_public;
use super::{Link, has_credentials};
use crate::history::Sha256;
use crate::home::{self, Home};
use crate::index::wheel_requires;

/// Longest wait for a connection, for a piece of an answer, and for the whole.
const CONNECT: Duration = Duration::from_secs(15);
const PIECE: Duration = Duration::from_secs(30);
const WHOLE: Duration = Duration::from_secs(120);
/// Longest file.
const LONGEST: u64 = 1 << 30;
/// Most redirects that are followed.
const MOST_REDIRECTS: usize = 5;

/// A file that was fetched. It is removed when nobody has it any more.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Normalised name of the distribution.
    pub(crate) name: String,
    pub(crate) version: Version,
    /// The file's name.
    pub(crate) file: String,
    pub(crate) sha256: Sha256,
    /// What a wheel requires; `None` for a source archive.
    pub(crate) requires: Option<Vec<String>>,
    pub(crate) path: Arc<TempPath>,
}

impl Fetched {
    /// What an environment with this file is known by: its content, not where it came from.
    #[must_use]
    pub fn requested(&self) -> String {
        format!("{}=={} from {} sha256={}", self.name, self.version, self.file, self.sha256)
    }
}

/// A file that was not fetched, or is not what its address says.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{link} was not fetched: {why}")]
pub struct FetchError {
    /// The address.
    pub link: String,
    /// Why, in words.
    pub why: String,
}

impl FetchError {
    fn of(link: &Link, why: String) -> Self {
        Self { link: link.to_string(), why }
    }
}

/// Fetches a file into the home.
///
/// # Errors
/// [`FetchError`]: out of reach, an address that is not public, a redirect elsewhere, too long, another digest, a wheel of another
/// distribution.
pub fn fetch(home: &Home, link: &Link) -> Result<Fetched, FetchError> {
    Ways::default().fetch(home, link)
}

/// Takes a file that somebody else fetched, with the same checks.
///
/// # Errors
/// [`FetchError`] where it is not what its address says, or cannot be kept.
pub fn given(home: &Home, link: &Link, from: impl Read) -> Result<Fetched, FetchError> {
    Ways::default().keep(home, link, from, Instant::now() + WHOLE).map_err(|why| FetchError::of(link, why))
}

/// Gives the addresses of a host.
type Resolve = dyn Fn(&str) -> io::Result<Vec<IpAddr>>;

/// How names become addresses, and what is fetched from them. Tests have a network of their own.
pub(super) struct Ways {
    pub(super) resolve: Box<Resolve>,
    pub(super) admits: fn(IpAddr) -> bool,
    /// Plain HTTP on a port, for servers of tests; `None`: HTTPS on its own port.
    pub(super) plain: Option<u16>,
    pub(super) longest: u64,
}

impl Default for Ways {
    fn default() -> Self {
        let resolve = |host: &str| Ok((host, 443).to_socket_addrs()?.map(|address| address.ip()).collect());
        Self { resolve: Box::new(resolve), admits: is_public, plain: None, longest: LONGEST }
    }
}

impl Ways {
    pub(super) fn fetch(&self, home: &Home, link: &Link) -> Result<Fetched, FetchError> {
        self.fetched(home, link).map_err(|why| FetchError::of(link, why))
    }

    fn fetched(&self, home: &Home, link: &Link) -> Result<Fetched, String> {
        let ends = Instant::now() + WHOLE;
        let mut url = link.url.clone();
        if self.plain.is_some() {
            url.set_scheme("http").and_then(|()| url.set_port(self.plain)).map_err(|()| "no such port".to_owned())?;
        }
        let response = self.answer(&self.client(&url)?, url, ends)?;
        self.keep(home, link, response, ends)
    }

    /// Keeps what was fetched, if it is what its address says.
    fn keep(&self, home: &Home, link: &Link, from: impl Read, ends: Instant) -> Result<Fetched, String> {
        let words = |error: io::Error| error.to_string();
        home::create_folder(&home.builds()).map_err(|error| error.to_string())?;
        let mut kept = tempfile::Builder::new().prefix(".fetched-").tempfile_in(home.builds()).map_err(words)?;
        let sha256 = self.copy(from, kept.as_file_mut(), ends)?;
        if let Some(said) = link.sha256.filter(|said| *said != sha256) {
            return Err(format!("its digest is {sha256} instead of {said}"));
        }
        let path = kept.into_temp_path();
        let requires = match link.is_wheel() {
            true => Some(wheel_requires(File::open(&path).map_err(words)?, &link.name, &link.version)?),
            false => None,
        };
        let (name, version, file) = (link.name.clone(), link.version.clone(), link.file.clone());
        Ok(Fetched { name, version, file, sha256, requires, path: Arc::new(path) })
    }

    /// A client that knows the host's addresses, each of which is admitted, and no others.
    fn client(&self, url: &Url) -> Result<Client, String> {
        let host = url.domain().unwrap_or_default();
        let found = (self.resolve)(host).map_err(|error| format!("{host} has no address: {error}"))?;
        if let Some(refused) = found.iter().find(|address| !(self.admits)(**address)) {
            return Err(format!("{host} has the address {refused}, which is not one of the public network"));
        }
        if found.is_empty() {
            return Err(format!("{host} has no address"));
        }
        let port = url.port_or_known_default().unwrap_or_default();
        let addresses: Vec<SocketAddr> = found.into_iter().map(|address| SocketAddr::new(address, port)).collect();
        // A second installation fails, which is fine: then a provider is there.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("nbrevive/", env!("CARGO_PKG_VERSION")))
            // A proxy would resolve the name again.
            .no_proxy()
            .no_gzip()
            .redirect(Policy::none())
            .https_only(self.plain.is_none())
            .resolve_to_addrs(host, &addresses)
            .connect_timeout(CONNECT)
            .timeout(PIECE);
        client.build().map_err(|error| chain(&error))
    }

    /// The answer at the end of all redirects.
    fn answer(&self, client: &Client, mut url: Url, ends: Instant) -> Result<Response, String> {
        for _ in 0..=MOST_REDIRECTS {
            let request = client.get(url.clone()).header(ACCEPT_ENCODING, "identity");
            let response = request.send().map_err(|error| chain(&error.without_url()))?;
            if response.status().is_success() {
                return Ok(response);
            }
            if !response.status().is_redirection() {
                return Err(format!("the host answered {}", response.status()));
            }
            let location = response.headers().get(LOCATION).and_then(|text| text.to_str().ok()).unwrap_or_default();
            url = next(&url, location)?;
            if Instant::now() > ends {
                break;
            }
        }
        Err("the host redirects again and again".to_owned())
    }

    fn copy(&self, mut from: impl Read, to: &mut File, ends: Instant) -> Result<Sha256, String> {
        let (mut hasher, mut length) = (Hasher::new(), 0);
        let mut piece = vec![0; 64 << 10];
        loop {
            let count = from.read(&mut piece).map_err(|error| format!("the answer was cut short: {error}"))?;
            if count == 0 {
                return Ok(<[u8; 32]>::from(hasher.finalize()).into());
            }
            length += count as u64;
            if length > self.longest {
                return Err(format!("it is longer than {} bytes", self.longest));
            }
            if Instant::now() > ends {
                return Err(format!("it was not there after {} s", WHOLE.as_secs()));
            }
            hasher.update(&piece[..count]);
            to.write_all(&piece[..count]).map_err(|error| format!("it could not be kept: {error}"))?;
        }
    }
}

/// Where a redirect leads: to the same host in the same way.
pub(super) fn next(url: &Url, location: &str) -> Result<Url, String> {
    let next = url.join(location).map_err(|_| "the host redirects to what is no address".to_owned())?;
    let is_same = next.scheme() == url.scheme() && next.domain() == url.domain() && next.port() == url.port();
    if is_same && !has_credentials(&next) { Ok(next) } else { Err("the host redirects elsewhere".to_owned()) }
}
