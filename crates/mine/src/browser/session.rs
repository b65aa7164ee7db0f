//! The session that a user provides: cookies of a browser in which the user signed in. They are never stored.
//!
//! Two forms are read: the lines of `cookies.txt` (Netscape, seven fields apart by tabs) and the JSON lists that
//! browsers' extensions export (`name`, `value`, `domain`, `path`, `secure`, `httpOnly`).

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::secret::Secret;

/// The variable that names the file of cookies.
pub(crate) const VARIABLE: &str = "NBREVIVE_BROWSER_COOKIES";
/// Longest file of cookies that is read, in bytes.
const LONGEST: u64 = 4 << 20;

/// The cookies of somebody who signed in; none for a stranger.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Session {
    cookies: Vec<Cookie>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Cookie {
    name: String,
    value: Secret,
    domain: String,
    path: String,
    secure: bool,
    hidden: bool,
}

/// A file of cookies that cannot be used. No message holds any part of it.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// It cannot be read.
    #[error("cannot read the cookies in {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It holds no cookies.
    #[error("{} holds no cookies: neither cookies.txt (Netscape form) nor a JSON list of them; export them again", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
    },
}

/// A cookie as extensions export it.
#[derive(Deserialize)]
struct Exported {
    name: String,
    value: String,
    #[serde(default)]
    domain: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    secure: bool,
    #[serde(default, rename = "httpOnly")]
    hidden: bool,
}

impl Session {
    /// The session that the variable `NBREVIVE_BROWSER_COOKIES` names; a stranger's when it is not set.
    ///
    /// # Errors
    /// [`SessionError`].
    pub fn find() -> Result<Self, SessionError> {
        match std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
            Some(path) => Self::load(Path::new(&path)),
            None => Ok(Self::default()),
        }
    }

    /// The session in a file.
    ///
    /// # Errors
    /// [`SessionError`].
    pub fn load(path: &Path) -> Result<Self, SessionError> {
        let text = nbrevive_files::read_text(path, LONGEST);
        let text = text.map_err(|error| SessionError::Unreadable { path: path.to_owned(), source: error.into() })?;
        Self::parse(&text).ok_or_else(|| SessionError::Invalid { path: path.to_owned() })
    }

    fn parse(text: &str) -> Option<Self> {
        let cookies = if text.trim_start().starts_with(['[', '{']) { exported(text)? } else { netscape(text) };
        (!cookies.is_empty()).then_some(Self { cookies })
    }

    /// What must not be seen anywhere.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        self.cookies.iter().map(|cookie| cookie.value.clone()).collect()
    }

    /// The cookies of a host, as the browser takes them; those of other hosts stay here.
    pub(crate) fn for_host(&self, host: &str) -> Vec<Value> {
        let cookies = self.cookies.iter().filter(|cookie| cookie.is_for(host));
        cookies
            .map(|cookie| {
                let domain = if cookie.domain.is_empty() { host } else { &cookie.domain };
                json!({"name": cookie.name, "value": cookie.value.expose(), "domain": domain, "path": cookie.path,
                       "secure": cookie.secure, "httpOnly": cookie.hidden})
            })
            .collect()
    }
}

impl Cookie {
    /// RFC 6265, section 5.1.3: the host itself, or one below the domain.
    fn is_for(&self, host: &str) -> bool {
        let domain = self.domain.trim_start_matches('.').to_ascii_lowercase();
        let below = |rest: &str| rest.ends_with('.');
        domain.is_empty() || host == domain || host.strip_suffix(domain.as_str()).is_some_and(below)
    }
}

fn exported(text: &str) -> Option<Vec<Cookie>> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    let list = if value.is_array() { value } else { value["cookies"].take() };
    let list: Vec<Exported> = serde_json::from_value(list).ok()?;
    let cookie = |one: Exported| Cookie {
        name: one.name,
        value: Secret::new(one.value),
        domain: one.domain,
        path: one.path.unwrap_or_else(|| "/".into()),
        secure: one.secure,
        hidden: one.hidden,
    };
    Some(list.into_iter().map(cookie).collect())
}

/// Lines of domain, below it too, path, secure, expiry, name, value.
fn netscape(text: &str) -> Vec<Cookie> {
    let cookie = |line: &str| {
        let (line, hidden) = match line.strip_prefix("#HttpOnly_") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let fields: Vec<&str> = line.trim_end_matches(['\r', '\n']).split('\t').collect();
        let [domain, _, path, secure, _, name, value] = fields.as_slice() else { return None };
        (!domain.starts_with('#')).then(|| Cookie {
            name: (*name).into(),
            value: Secret::new(*value),
            domain: (*domain).into(),
            path: (*path).into(),
            secure: secure.eq_ignore_ascii_case("true"),
            hidden,
        })
    };
    text.lines().filter_map(cookie).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_forms_are_read_and_nothing_is_printed() {
        let lines = "# Netscape HTTP Cookie File\n#HttpOnly_.kaggle.com\tTRUE\t/\tTRUE\t0\tka_sessionid\thunter2hunter2\n\
                     other.example\tFALSE\t/\tFALSE\t0\tx\ty\n";
        let list = r#"[{"name":"ka_sessionid","value":"hunter2hunter2","domain":".kaggle.com","path":"/","secure":true,
                        "httpOnly":true,"expirationDate":1.5},{"name":"x","value":"y","domain":"other.example"}]"#;
        let (first, second) = (Session::parse(lines).unwrap(), Session::parse(list).unwrap());
        assert_eq!(first, second);
        let sent = first.for_host("www.kaggle.com");
        assert_eq!(sent.len(), 1);
        assert_eq!((&sent[0]["name"], &sent[0]["httpOnly"]), (&json!("ka_sessionid"), &json!(true)));
        assert!(first.for_host("notkaggle.com").is_empty() && first.for_host("kaggle.com.evil.example").is_empty());
        assert!(!format!("{first:?}").contains("hunter2"));
    }

    #[test]
    fn a_file_without_cookies_says_so_without_its_content() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "hunter2hunter2").unwrap();
        let error = Session::load(file.path()).unwrap_err().to_string();
        assert!(error.contains("holds no cookies") && !error.contains("hunter2"), "{error}");
        assert!(Session::load(Path::new("/nowhere/cookies")).is_err());
    }

    proptest! {
        #[test]
        fn no_file_does_harm(text in "\\PC{0,60}|([a-z.#\t]{0,9}\t){6}x|[\\[\\]{}\":,a]{0,20}", host in "[a-z.]{0,9}") {
            if let Some(session) = Session::parse(&text) {
                let _ = session.for_host(&host);
            }
        }
    }
}
