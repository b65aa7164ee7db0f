//! What the network does for a page, put together from the events of `DevTools`.

use reqwest::Url;
use serde_json::Value;

/// Where the internal service is, below the site.
const SERVICE: &str = "/api/i/";

/// The network since a page was asked for.
#[derive(Debug, Default)]
pub(super) struct Network {
    document: Option<Exchange>,
    calls: Vec<Exchange>,
}

/// One request of a page.
#[derive(Debug, Clone, Default)]
pub(super) struct Exchange {
    pub(super) id: String,
    pub(super) url: String,
    frame: String,
    /// What was sent.
    pub(super) sent: Option<String>,
    pub(super) status: Option<u16>,
    /// What `Retry-After` says.
    pub(super) pause: Option<String>,
    /// Bytes that came.
    pub(super) bytes: u64,
    pub(super) is_over: bool,
    /// Why it failed.
    pub(super) failed: Option<String>,
}

impl Exchange {
    /// The method of the internal service that was called.
    pub(super) fn method(&self) -> Option<String> {
        let path = Url::parse(&self.url).ok()?.path().to_owned();
        path.strip_prefix(SERVICE).map(str::to_owned)
    }

    pub(super) fn is_bad(&self) -> bool {
        self.failed.is_some() || self.status.is_some_and(|status| status >= 400)
    }
}

impl Network {
    /// The page itself.
    pub(super) fn document(&self) -> Option<&Exchange> {
        self.document.as_ref()
    }

    /// What the page's scripts asked for.
    pub(super) fn calls(&self) -> &[Exchange] {
        &self.calls
    }

    /// Whether something is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.document.iter().chain(&self.calls).any(|one| !one.is_over && one.failed.is_none())
    }

    /// Learns from an event; says whether it was about the page.
    pub(super) fn learn(&mut self, event: &Value) -> bool {
        let parameters = &event["params"];
        let Some(id) = parameters["requestId"].as_str() else { return false };
        if event["method"] == "Network.requestWillBeSent" {
            return self.begin(id, parameters);
        }
        let found = self.document.iter_mut().chain(&mut self.calls).find(|one| one.id == id);
        let Some(one) = found else { return false };
        match event["method"].as_str() {
            Some("Network.responseReceived") => {
                let answer = &parameters["response"];
                one.status = answer["status"].as_u64().and_then(|status| u16::try_from(status).ok());
                one.pause = header(&answer["headers"], "retry-after");
            }
            Some("Network.dataReceived") => one.bytes += parameters["dataLength"].as_u64().unwrap_or_default(),
            Some("Network.loadingFinished") => one.is_over = true,
            Some("Network.loadingFailed") => {
                one.failed = Some(parameters["errorText"].as_str().unwrap_or("it failed").to_owned());
            }
            _ => return false,
        }
        true
    }

    fn begin(&mut self, id: &str, parameters: &Value) -> bool {
        let request = &parameters["request"];
        let begun = Exchange {
            id: id.to_owned(),
            url: request["url"].as_str().unwrap_or_default().to_owned(),
            frame: parameters["frameId"].as_str().unwrap_or_default().to_owned(),
            sent: request["postData"].as_str().map(str::to_owned),
            ..Exchange::default()
        };
        let is_web = begun.url.starts_with("http://") || begun.url.starts_with("https://");
        match parameters["type"].as_str() {
            // The first document is the page, and so is whatever takes its place; parts in frames of their own are not.
            Some("Document") if is_web && self.document.as_ref().is_none_or(|page| page.frame == begun.frame) => {
                self.document = Some(begun);
            }
            Some("Fetch" | "XHR") if is_web => self.calls.push(begun),
            _ => return false,
        }
        true
    }
}

fn header(headers: &Value, name: &str) -> Option<String> {
    let headers = headers.as_object()?;
    let (_, value) = headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
    value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(method: &str, parameters: &Value) -> Value {
        json!({"method": format!("Network.{method}"), "params": parameters})
    }

    #[test]
    fn the_page_and_its_calls_are_followed() {
        let mut network = Network::default();
        let sent = |id: &str, kind: &str, url: &str| {
            event(
                "requestWillBeSent",
                &json!({"requestId": id, "type": kind, "request": {"url": url, "postData": "{}"}}),
            )
        };
        assert!(!network.learn(&sent("0", "Document", "chrome://newtab")));
        assert!(network.learn(&sent("1", "Document", "https://x.example/code/a/b")));
        assert!(network.learn(&sent("2", "Fetch", "https://x.example/api/i/a.B/C?x")));
        assert!(!network.learn(&sent("3", "Script", "https://x.example/a.js")) && network.is_busy());
        network.learn(&event(
            "responseReceived",
            &json!({"requestId": "2", "response": {"status": 429, "headers": {"Retry-After": "7"}}}),
        ));
        network.learn(&event("dataReceived", &json!({"requestId": "2", "dataLength": 12})));
        network.learn(&event("loadingFinished", &json!({"requestId": "2"})));
        network.learn(&event("loadingFailed", &json!({"requestId": "1", "errorText": "net::ERR_ABORTED"})));
        let call = &network.calls()[0];
        assert_eq!(
            (call.method().as_deref(), call.status, call.pause.as_deref(), call.bytes),
            (Some("a.B/C"), Some(429), Some("7"), 12)
        );
        assert!(call.is_bad() && !network.is_busy() && network.document().unwrap().is_bad());
    }
}
