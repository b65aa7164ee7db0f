//! A request by its natural key.

use reqwest::Url;
use serde_json::{Map, Value};

use super::endpoint::{Endpoint, Generation};

/// What is asked, in both forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ask {
    /// Path below the base of the older generation.
    legacy_path: Vec<String>,
    /// Service and method of the newer one.
    method: &'static str,
    /// Parameters that the older generation has in its path instead.
    in_path: Vec<&'static str>,
    parameters: Vec<(&'static str, Value)>,
    /// The item that the answer is about.
    pub(crate) item: Option<String>,
    /// The competition that the answer is about.
    pub(crate) competition: Option<crate::records::Slug>,
}

impl Ask {
    pub(crate) fn new(legacy_path: &[&str], method: &'static str) -> Self {
        let legacy_path = legacy_path.iter().map(|part| (*part).to_owned()).collect();
        Self { legacy_path, method, in_path: Vec::new(), parameters: Vec::new(), item: None, competition: None }
    }

    /// Adds a parameter; the order is part of the natural key.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.parameters.push((name, value.into()));
        self
    }

    /// Adds a parameter that only the newer generation has outside its path.
    pub(crate) fn with_in_path(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.in_path.push(name);
        self.with(name, value)
    }

    pub(crate) fn about(mut self, item: String) -> Self {
        self.item = Some(item);
        self
    }

    pub(crate) fn of(mut self, competition: &crate::records::Slug) -> Self {
        self.competition = Some(competition.clone());
        self
    }

    fn legacy_query(&self) -> Vec<(&'static str, String)> {
        let here = self.parameters.iter().filter(|(name, _)| !self.in_path.contains(name));
        here.map(|(name, value)| (*name, value.as_str().map_or_else(|| value.to_string(), str::to_owned))).collect()
    }

    /// The body of the newer generation.
    pub(crate) fn body(&self) -> String {
        let fields: Map<String, Value> =
            self.parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Value::Object(fields).to_string()
    }

    /// What names this request in every run, on every server.
    pub(crate) fn key(&self, generation: Generation) -> String {
        match generation {
            Generation::Legacy => {
                let query: Vec<String> =
                    self.legacy_query().iter().map(|(name, value)| format!("{name}={value}")).collect();
                let mark = if query.is_empty() { "" } else { "?" };
                format!("GET {}{mark}{}", self.legacy_path.join("/"), query.join("&"))
            }
            Generation::Modern => format!("POST {} {}", self.method, self.body()),
        }
    }

    /// The whole address.
    pub(crate) fn address(&self, endpoint: &Endpoint) -> Url {
        match endpoint.generation {
            Generation::Legacy => {
                let path: Vec<&str> = self.legacy_path.iter().map(String::as_str).collect();
                let mut address = endpoint.address(&path);
                let query = self.legacy_query();
                if !query.is_empty() {
                    address.query_pairs_mut().extend_pairs(query);
                }
                address
            }
            Generation::Modern => endpoint.address(&self.method.split('/').collect::<Vec<_>>()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_request_has_two_forms() {
        let ask = Ask::new(&["competitions", "get", "titanic"], "competitions.CompetitionApiService/GetCompetition")
            .with_in_path("competitionName", "titanic")
            .with("page", 2);
        assert_eq!(ask.key(Generation::Legacy), "GET competitions/get/titanic?page=2");
        assert_eq!(
            ask.key(Generation::Modern),
            r#"POST competitions.CompetitionApiService/GetCompetition {"competitionName":"titanic","page":2}"#
        );
        let legacy = Endpoint::given("http://localhost:1/api/v1", "x").unwrap();
        assert_eq!(ask.address(&legacy).as_str(), "http://localhost:1/api/v1/competitions/get/titanic?page=2");
        let modern = Endpoint::given("http://localhost:1/v1", "x").unwrap();
        assert_eq!(ask.address(&modern).path(), "/v1/competitions.CompetitionApiService/GetCompetition");
    }
}
