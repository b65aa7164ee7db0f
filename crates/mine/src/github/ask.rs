//! A request by its natural key.

use reqwest::Url;

use super::endpoint::HubEndpoint;
use super::limits::Resource;
use super::name::HubName;

/// Results of one page: the most that the search gives.
pub(super) const PAGE: u32 = 100;

/// What a request is about, by which its refusals are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Search,
    Repository,
    Commit,
    Archive,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HubAsk {
    path: Vec<String>,
    query: Vec<(&'static str, String)>,
    pub(super) subject: Subject,
    /// How often the same was asked before, because its answers were not whole: they are told apart by it.
    again: u32,
}

impl HubAsk {
    /// A page of a search for repositories, by stars.
    pub(super) fn search(query: &str, page: u32) -> Self {
        let query = [
            ("q", query.to_owned()),
            ("sort", "stars".to_owned()),
            ("order", "desc".to_owned()),
            ("per_page", PAGE.to_string()),
            ("page", page.to_string()),
        ];
        let path = ["search", "repositories"].map(str::to_owned).to_vec();
        Self { path, query: query.to_vec(), subject: Subject::Search, again: 0 }
    }

    /// A repository.
    pub(super) fn repository(name: &HubName) -> Self {
        Self::below(name, &[], Subject::Repository)
    }

    /// The commit of a branch, tag or hash.
    pub(super) fn commit(name: &HubName, reference: &str) -> Self {
        Self::below(name, &["commits", reference], Subject::Commit)
    }

    /// The files of a commit.
    pub(super) fn archive(name: &HubName, hash: &str) -> Self {
        Self::below(name, &["tarball", hash], Subject::Archive)
    }

    fn below(name: &HubName, path: &[&str], subject: Subject) -> Self {
        // One repository has one key, however its name is written.
        let key = name.key();
        let parts = ["repos"].into_iter().chain(key.split('/')).chain(path.iter().copied());
        Self { path: parts.map(str::to_owned).collect(), query: Vec::new(), subject, again: 0 }
    }

    /// The same once more.
    pub(super) fn again(mut self, count: u32) -> Self {
        self.again = count;
        self
    }

    pub(super) fn resource(&self) -> Resource {
        match self.subject {
            Subject::Search => Resource::Search,
            Subject::Repository | Subject::Commit | Subject::Archive => Resource::Core,
        }
    }

    /// What names this request in every run, on every server.
    pub(super) fn key(&self) -> String {
        let query: Vec<String> = self.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        let again = if self.again == 0 { String::new() } else { format!(" ({})", self.again + 1) };
        format!("GET {}{mark}{}{again}", self.path.join("/"), query.join("&"))
    }

    /// The whole address.
    pub(super) fn address(&self, endpoint: &HubEndpoint) -> Url {
        let mut address = endpoint.address(&self.path);
        if !self.query.is_empty() {
            address.query_pairs_mut().extend_pairs(&self.query);
        }
        address
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_one_key_and_a_plain_address() {
        let endpoint = HubEndpoint::given("http://localhost:1/api", "x").unwrap();
        let name = HubName::parse("Ada/Engine").unwrap();
        let commit = HubAsk::commit(&name, "feature/a b?c");
        assert_eq!(commit.key(), "GET repos/ada/engine/commits/feature/a b?c");
        assert_eq!(
            commit.address(&endpoint).as_str(),
            "http://localhost:1/api/repos/ada/engine/commits/feature%2Fa%20b%3Fc"
        );
        let search = HubAsk::search("language:\"Jupyter Notebook\" stars:1..2", 3);
        let address = search.address(&endpoint);
        assert_eq!(
            address.query(),
            Some("q=language%3A%22Jupyter+Notebook%22+stars%3A1..2&sort=stars&order=desc&per_page=100&page=3")
        );
        assert!(search.again(1).key().ends_with("&page=3 (2)"));
    }
}
