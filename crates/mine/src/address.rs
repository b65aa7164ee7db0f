//! Addresses of servers: which can be one, and how it is known.

use std::net::IpAddr;

use reqwest::Url;

/// The address of a server: http or https, without user, query and fragment.
pub(crate) fn of_server(text: &str) -> Option<Url> {
    let address = Url::parse(text.trim()).ok()?;
    let is_web = matches!(address.scheme(), "http" | "https") && address.has_host();
    let is_plain = address.username().is_empty() && address.password().is_none();
    let is_bare = address.query().is_none() && address.fragment().is_none();
    (is_web && is_plain && is_bare).then_some(address)
}

/// The address of a path below another.
pub(crate) fn below(base: &Url, path: &[impl AsRef<str>]) -> Url {
    let mut address = base.clone();
    if let Ok(mut segments) = address.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    address
}

/// Host and port of an address, for the budget.
pub(crate) fn host(address: &Url) -> String {
    let host = address.host_str().unwrap_or_default();
    address.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(address: &Url) -> bool {
    let host = address.host_str().unwrap_or_default();
    let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || number.is_ok_and(|number| number.is_loopback())
}

/// Whether what is shown to an address can be seen on the way.
pub(crate) fn is_in_clear(address: &Url) -> bool {
    address.scheme() == "http" && !is_loopback(address)
}
