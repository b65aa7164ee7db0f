//! The HTTP client that the sources on the network share, and what they say of its failures.

use std::time::Duration;

use reqwest::blocking::Client;
use reqwest::redirect::Policy;

/// How long an exchange may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection. Default 15 s.
    pub connect: Duration,
    /// For the server's silence, before and within an answer. Default 60 s.
    pub silence: Duration,
    /// For a whole answer, however slowly it drips. Default 10 min.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connect: seconds(15), silence: seconds(60), whole: seconds(600) }
    }
}

/// A client for one server, or why there is none.
pub(crate) fn client(timeouts: &Timeouts, is_loopback: bool, redirects: Policy) -> Result<Client, String> {
    // A second installation fails, which is fine: then a provider is there.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder();
    if is_loopback {
        // A proxy would see the credentials, and could not reach this machine either.
        builder = builder.no_proxy();
    }
    builder
        .user_agent(concat!("nbrevive/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(timeouts.connect)
        .timeout(timeouts.silence)
        .redirect(redirects)
        .build()
        .map_err(|error| chain(&error))
}

/// An error and its causes in one line, without addresses: a redirect may have put a signature into one.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    without_addresses(&causes.map(ToString::to_string).collect::<Vec<_>>().join(": "))
}

fn without_addresses(text: &str) -> String {
    let mut parts = text.split(" for url (");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once(')').map_or("", |(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_hold_no_addresses() {
        let text = "error sending request for url (https://x.example/a?signature=s): reset: again for url (http://y";
        assert_eq!(without_addresses(text), "error sending request: reset: again");
        assert_eq!(without_addresses("plain"), "plain");
    }
}
