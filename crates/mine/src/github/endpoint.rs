//! Where the host's API is, and where its archives may come from.

use std::path::PathBuf;

use reqwest::Url;

use crate::address;
use crate::secret::Secret;

/// The official address.
const OFFICIAL: &str = "https://api.github.com";
/// Where the official API sends who asks for an archive.
const ARCHIVES: &str = "codeload.github.com";
/// Longest token that is taken, in bytes.
const LONGEST_TOKEN: usize = 1024;

/// The API's address, and the host of its archives, which is never shown the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubEndpoint {
    base: Url,
    archives: Archives,
}

/// Where archives may come from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Archives {
    /// From this host alone, over https.
    Host(String),
    /// From any port of this machine.
    Here,
}

/// The token that is shown to the API, and where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubToken {
    pub(super) secret: Secret,
    /// The variable or file, for messages.
    pub(super) place: String,
}

/// An address or a token that cannot be used. No message holds any part of a token.
#[derive(Debug, thiserror::Error)]
pub enum HubAccessError {
    /// It is no address.
    #[error("the API's address from {origin} is no http or https address without user, query and fragment")]
    NotAnAddress {
        /// The setting or variable.
        origin: String,
    },
    /// The token would go out in clear.
    #[error("the API's address from {origin} is http on another machine: a token only goes there over https")]
    InClear {
        /// The setting or variable.
        origin: String,
    },
    /// There is no token.
    #[error(
        "no token for GitHub: create one without any permission on your account's settings page (it need only read what is public), and \
         set GH_TOKEN, or name a file that holds it in NBREVIVE_GITHUB_TOKEN_FILE"
    )]
    NoToken,
    /// What was found is no token.
    #[error("the token in {place} is not usable: {what}")]
    Token {
        /// The variable or file.
        place: String,
        /// What is wrong, without the content.
        what: &'static str,
    },
    /// The file of the token cannot be read.
    #[error("cannot read the token in {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl HubEndpoint {
    /// The official address.
    #[must_use]
    pub fn official() -> Self {
        let base = OFFICIAL.parse().expect("the official address is one");
        Self { base, archives: Archives::Host(ARCHIVES.to_owned()) }
    }

    /// An address from a setting. Archives come from `codeload.` and the host's name without `api.`; of an address on
    /// this machine, from any of its ports.
    ///
    /// # Errors
    /// [`HubAccessError`] when it is no address, or would send a token in clear to another machine.
    pub fn given(address: &str, origin: &str) -> Result<Self, HubAccessError> {
        let wrong = || HubAccessError::NotAnAddress { origin: origin.to_owned() };
        let base = address::of_server(address).ok_or_else(wrong)?;
        if address::is_loopback(&base) {
            return Ok(Self { base, archives: Archives::Here });
        }
        if address::is_in_clear(&base) {
            return Err(HubAccessError::InClear { origin: origin.to_owned() });
        }
        let host = base.host_str().unwrap_or_default();
        let archives = Archives::Host(format!("codeload.{}", host.strip_prefix("api.").unwrap_or(host)));
        Ok(Self { base, archives })
    }

    /// The address of this user: `GITHUB_API_URL`, as the host's own programs read it, else the official one.
    ///
    /// # Errors
    /// [`HubAccessError`].
    pub fn find() -> Result<Self, HubAccessError> {
        let set = std::env::var("GITHUB_API_URL").ok().filter(|text| !text.trim().is_empty());
        set.map_or_else(|| Ok(Self::official()), |address| Self::given(&address, "GITHUB_API_URL"))
    }

    /// The address of a path below the base.
    pub(super) fn address(&self, path: &[String]) -> Url {
        address::below(&self.base, path)
    }

    /// Whether an address is the API's own: same scheme, host and port. Only such an address is shown the token.
    pub(super) fn is_own(&self, address: &Url) -> bool {
        address.origin() == self.base.origin()
    }

    /// Whether archives may come from an address.
    pub(super) fn may_have_archives(&self, address: &Url) -> bool {
        match &self.archives {
            Archives::Host(host) => {
                let is_it = address.host_str().is_some_and(|found| found.eq_ignore_ascii_case(host));
                is_it && address.scheme() == "https" && address.port().is_none()
            }
            Archives::Here => address::is_loopback(address) && address.scheme() == "http",
        }
    }

    /// Whether it is on this machine.
    pub(super) fn is_loopback(&self) -> bool {
        address::is_loopback(&self.base)
    }

    /// Host and port, for the budget.
    #[must_use]
    pub fn host(&self) -> String {
        address::host(&self.base)
    }
}

impl HubToken {
    /// A token that the caller has.
    #[must_use]
    pub fn given(secret: Secret) -> Self {
        Self { secret, place: "the settings".to_owned() }
    }

    /// The token of this user: `NBREVIVE_GITHUB_TOKEN_FILE` (a file), `GH_TOKEN`, `GITHUB_TOKEN`, the last two as the
    /// host's own program reads them.
    ///
    /// # Errors
    /// [`HubAccessError`]: none there, unreadable, or none that could stand in a header.
    pub fn find() -> Result<Self, HubAccessError> {
        Self::search(|name| std::env::var(name).ok())
    }

    fn search(variable: impl Fn(&str) -> Option<String>) -> Result<Self, HubAccessError> {
        let set = |name: &str| variable(name).filter(|text| !text.trim().is_empty());
        if let Some(path) = set("NBREVIVE_GITHUB_TOKEN_FILE").map(PathBuf::from) {
            let text = nbrevive_files::read_text(&path, LONGEST_TOKEN as u64)
                .map_err(|error| HubAccessError::Unreadable { path: path.clone(), source: error.into() })?;
            return Self::checked(&text, path.display().to_string());
        }
        let named = ["GH_TOKEN", "GITHUB_TOKEN"].into_iter().find_map(|name| Some((name, set(name)?)));
        let (name, text) = named.ok_or(HubAccessError::NoToken)?;
        Self::checked(&text, name.to_owned())
    }

    fn checked(text: &str, place: String) -> Result<Self, HubAccessError> {
        let text = text.trim();
        let what = match text {
            "" => "it is empty",
            _ if text.len() > LONGEST_TOKEN => "it is longer than any token",
            _ if !text.bytes().all(|byte| byte.is_ascii_graphic()) => "it holds blanks or characters that no token has",
            _ => return Ok(Self { secret: Secret::new(text), place }),
        };
        Err(HubAccessError::Token { place, what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn archives_come_from_one_host_and_only_the_api_is_shown_the_token() {
        let official = HubEndpoint::official();
        assert!(official.may_have_archives(&url("https://codeload.github.com/a/b/legacy.tar.gz/c")));
        for wrong in [
            "http://codeload.github.com/a",
            "https://codeload.github.com.evil.example/a",
            "https://evil.example/codeload.github.com",
            "https://codeload.github.com:444/a",
            "https://u:p@evil.example/a",
            "https://127.0.0.1/a",
            "file:///etc/passwd",
        ] {
            assert!(!official.may_have_archives(&url(wrong)), "{wrong}");
            assert!(!official.is_own(&url(wrong)), "{wrong}");
        }
        assert!(!official.is_own(&url("https://codeload.github.com/a")));
        assert!(official.is_own(&url("https://api.github.com/repositories/1")));
        let own = HubEndpoint::given("https://api.host.example/v3", "a test").unwrap();
        assert!(own.may_have_archives(&url("https://codeload.host.example/a")));
        let here = HubEndpoint::given("http://127.0.0.1:9", "a test").unwrap();
        assert!(here.may_have_archives(&url("http://127.0.0.1:10/a")));
        assert!(!here.may_have_archives(&url("http://192.0.2.1/a")) && !here.is_own(&url("http://127.0.0.1:10/a")));
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        for text in ["", "x", "ftp://localhost/", "http://u:p@localhost/", "https://x.example/?a=b", "file:///etc"] {
            let error = HubEndpoint::given(text, "a test").unwrap_err();
            assert!(matches!(error, HubAccessError::NotAnAddress { .. }), "{text}");
        }
        let error = HubEndpoint::given("http://x.example", "a test").unwrap_err();
        assert!(matches!(error, HubAccessError::InClear { .. }));
    }

    #[test]
    fn a_token_is_found_where_the_hosts_program_has_it_and_never_shown() {
        let with = |pairs: &'static [(&str, &str)]| {
            HubToken::search(|name| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned()))
        };
        assert!(matches!(with(&[("GH_TOKEN", " ")]), Err(HubAccessError::NoToken)));
        let both = with(&[("GITHUB_TOKEN", "second"), ("GH_TOKEN", "first\n")]).unwrap();
        assert_eq!((both.secret.expose(), both.place.as_str()), ("first", "GH_TOKEN"));
        let error = format!("{:?}", with(&[("GH_TOKEN", "hunter2 hunter2")]).unwrap_err());
        assert!(error.contains("blanks") && !error.contains("hunter2"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        nbrevive_files::write(&path, "from-a-file\n").unwrap();
        let named = path.display().to_string();
        let found = HubToken::search(|name| (name == "NBREVIVE_GITHUB_TOKEN_FILE").then(|| named.clone())).unwrap();
        assert_eq!(found.secret.expose(), "from-a-file");
        assert!(!format!("{found:?}").contains("from-a-file"));
    }
}
