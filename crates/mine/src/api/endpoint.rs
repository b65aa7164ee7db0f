//! Where the API is, and which generation of it.

use reqwest::Url;

use crate::address;

/// Base of the newer generation, as the official client has it since 1.8.
const MODERN: &str = "https://api.kaggle.com/v1";
/// Base of the older generation, up to client 1.7.
const LEGACY: &str = "https://www.kaggle.com/api/v1";
/// Where the official client looks when it is told to test.
const TEST: &str = "http://localhost:7777/api/v1";

/// Which form of the API is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// GET with query parameters; arrays in JSON.
    Legacy,
    /// POST with JSON to `<service>/<Method>`; what is at its default is left out.
    Modern,
}

/// The API's address and form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    base: Url,
    /// The form.
    pub generation: Generation,
}

/// An address that cannot be the API's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// It is no address.
    #[error("the API's address from {origin} is no http or https address without user, query and fragment")]
    NotAnAddress {
        /// The setting or variable.
        origin: String,
    },
    /// Credentials would go out in clear.
    #[error("the API's address from {origin} is http on another machine: credentials only go there over https")]
    InClear {
        /// The setting or variable.
        origin: String,
    },
    /// The official client's environment is one that only its makers reach.
    #[error("KAGGLE_API_ENVIRONMENT is `{0}`: only PROD, LOCALHOST and TEST can be reached; unset it")]
    Environment(String),
}

impl Endpoint {
    /// The official address of a generation.
    #[must_use]
    pub fn official(generation: Generation) -> Self {
        let base = match generation {
            Generation::Legacy => LEGACY,
            Generation::Modern => MODERN,
        };
        Self { base: base.parse().expect("the official addresses are addresses"), generation }
    }

    /// An address from a setting. One that ends in `/api/v1`, or has no path, is of the older generation; other paths
    /// are of the newer one.
    ///
    /// # Errors
    /// [`EndpointError`] when it is no address, or would send credentials in clear to another machine.
    pub fn given(address: &str, origin: &str) -> Result<Self, EndpointError> {
        let wrong = || EndpointError::NotAnAddress { origin: origin.to_owned() };
        let mut base = address::of_server(address).ok_or_else(wrong)?;
        if address::is_in_clear(&base) {
            return Err(EndpointError::InClear { origin: origin.to_owned() });
        }
        let path = base.path().trim_end_matches('/').to_owned();
        let generation =
            if path.is_empty() || path.ends_with("/api/v1") { Generation::Legacy } else { Generation::Modern };
        base.set_path(if path.is_empty() { "/api/v1" } else { &path });
        Ok(Self { base, generation })
    }

    /// The address of this user: `KAGGLE_API_ENDPOINT`, else `KAGGLE_API_ENVIRONMENT`, as the official client reads
    /// them, else the official address of the newer generation.
    ///
    /// # Errors
    /// [`EndpointError`] when a variable names none that can be used.
    pub fn find() -> Result<Self, EndpointError> {
        Self::search(|name| std::env::var(name).ok())
    }

    fn search(variable: impl Fn(&str) -> Option<String>) -> Result<Self, EndpointError> {
        let set = |name: &str| variable(name).filter(|text| !text.trim().is_empty());
        if let Some(address) = set("KAGGLE_API_ENDPOINT") {
            return Self::given(&address, "KAGGLE_API_ENDPOINT");
        }
        match set("KAGGLE_API_ENVIRONMENT").as_deref() {
            None | Some("PROD") => Ok(Self::official(Generation::Modern)),
            Some("TEST") => Self::given(TEST, "KAGGLE_API_ENVIRONMENT"),
            Some("LOCALHOST") => Self::given("http://localhost/api/v1", "KAGGLE_API_ENVIRONMENT"),
            Some(other) => Err(EndpointError::Environment(other.escape_default().take(40).collect())),
        }
    }

    /// The address of a path below the base.
    pub(crate) fn address(&self, path: &[&str]) -> Url {
        address::below(&self.base, path)
    }

    /// Whether it is on this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        address::is_loopback(&self.base)
    }

    /// The host and port, for the budget.
    #[must_use]
    pub fn host(&self) -> String {
        address::host(&self.base)
    }
}

impl std::fmt::Display for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.base.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_tells_the_generation() {
        let given = |text| Endpoint::given(text, "a test").unwrap();
        let legacy = given("http://127.0.0.1:99/api/v1/");
        assert_eq!((legacy.to_string(), legacy.generation), ("http://127.0.0.1:99/api/v1".into(), Generation::Legacy));
        assert_eq!(given("https://x.example"), given("https://x.example/api/v1"));
        assert_eq!(given("http://localhost:1/v1").generation, Generation::Modern);
        assert_eq!(legacy.address(&["kernels", "../a b"]).path(), "/api/v1/kernels/..%2Fa%20b");
        assert_eq!(legacy.host(), "127.0.0.1:99");
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        let given = |text| Endpoint::given(text, "a test").unwrap_err();
        for text in ["", "x", "ftp://localhost/", "http://u:p@localhost/", "https://x.example/?a=b", "file:///etc"] {
            assert!(matches!(given(text), EndpointError::NotAnAddress { .. }), "{text}");
        }
        assert!(matches!(given("http://x.example/api/v1"), EndpointError::InClear { .. }));
    }

    #[test]
    fn variables_of_the_official_client_are_read() {
        let with = |pairs: &'static [(&str, &str)]| {
            Endpoint::search(|name| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned()))
        };
        assert_eq!(with(&[]), Ok(Endpoint::official(Generation::Modern)));
        assert_eq!(with(&[("KAGGLE_API_ENVIRONMENT", "TEST")]).unwrap().host(), "localhost:7777");
        assert!(with(&[("KAGGLE_API_ENVIRONMENT", "QA")]).is_err());
        let both = with(&[("KAGGLE_API_ENVIRONMENT", "QA"), ("KAGGLE_API_ENDPOINT", "http://[::1]:5/v1")]);
        assert_eq!(both.unwrap().generation, Generation::Modern);
    }
}
