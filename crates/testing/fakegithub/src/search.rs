//! `/search/repositories`.

use nbrevive_loopback::{Reply, Request};
use serde_json::json;

use crate::rates::refused;
use crate::repositories::object;
use crate::world::{Fate, HubRepository, HubWorld};

/// Results that one search gives.
const REACH: usize = 1000;

/// What is searched for.
#[derive(Debug, Default)]
struct Query {
    language: Option<String>,
    stars: Option<(u64, u64)>,
    created: Option<(i64, i64)>,
    has_forks: bool,
}

/// A page of results.
pub(crate) fn answer(world: &HubWorld, url: &str, request: &Request, is_incomplete: bool) -> Reply {
    let number = |name: &str, default: usize| match request.query(name) {
        None => Some(default),
        Some(text) => text.parse().ok(),
    };
    let (Some(page), Some(size)) = (number("page", 1), number("per_page", 30)) else {
        return refused(422, "Validation Failed");
    };
    let (page, size) = (page.max(1), size.clamp(1, 100));
    let Some(query) = request.query("q").and_then(parsed) else { return refused(422, "Validation Failed") };
    let start = (page - 1).saturating_mul(size);
    if start >= REACH {
        return refused(422, "Only the first 1000 search results are available");
    }
    let mut found: Vec<&HubRepository> = world.repositories().iter().filter(|one| query.takes(one)).collect();
    found.sort_by_key(|one| (std::cmp::Reverse(one.stars), one.id));
    let total = if is_incomplete { found.len() / 2 } else { found.len() };
    found.truncate(total.min(REACH));
    let items: Vec<_> = found.iter().skip(start).take(size).map(|one| object(one)).collect();
    let body = json!({"total_count": total, "incomplete_results": is_incomplete, "items": items});
    let reply = Reply::json(200, &body);
    match links(url, request, page, found.len().div_ceil(size)) {
        Some(links) => reply.with("Link", &links),
        None => reply,
    }
}

/// The header `Link`, where there is more than one page.
fn links(url: &str, request: &Request, page: usize, last: usize) -> Option<String> {
    let query = request.target.split_once('?')?.1;
    let kept: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("page=")).collect();
    let link =
        |page: usize, name: &str| format!("<{url}/search/repositories?{}&page={page}>; rel=\"{name}\"", kept.join("&"));
    let mut links = Vec::new();
    if page > 1 {
        links.extend([link(page - 1, "prev"), link(1, "first")]);
    }
    if page < last {
        links.extend([link(page + 1, "next"), link(last, "last")]);
    }
    (!links.is_empty()).then(|| links.join(", "))
}

/// A query of qualifiers; none where one is not understood.
fn parsed(text: &str) -> Option<Query> {
    let mut query = Query::default();
    for word in words(text) {
        let (name, value) = word.split_once(':')?;
        match name {
            "language" => query.language = Some(value.to_owned()),
            "stars" => query.stars = Some(stars(value)?),
            "created" => query.created = Some(dates(value)?),
            "fork" => query.has_forks = value == "true",
            _ => return None,
        }
    }
    Some(query)
}

/// The words of a query; blanks in quotes do not part them.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(std::mem::take(&mut word)),
            other => word.push(other),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

fn stars(text: &str) -> Option<(u64, u64)> {
    if let Some(least) = text.strip_prefix(">=") {
        return Some((least.parse().ok()?, u64::MAX));
    }
    match text.split_once("..") {
        Some((least, most)) => Some((least.parse().ok()?, most.parse().ok()?)),
        None => text.parse().ok().map(|stars| (stars, stars)),
    }
}

fn dates(text: &str) -> Option<(i64, i64)> {
    let (from, to) = text.split_once("..")?;
    let second = |text: &str| text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second);
    Some((second(from)?, second(to)?))
}

impl Query {
    fn takes(&self, one: &HubRepository) -> bool {
        // The index is a little behind: what was removed is still found. What is empty has no language.
        let is_found = !matches!(one.fate, Fate::Empty | Fate::Blocked | Fate::BlockedByLaw);
        let within =
            |range: Option<(i64, i64)>, value: i64| range.is_none_or(|(from, to)| (from..=to).contains(&value));
        is_found
            && self.language.as_deref().is_none_or(|language| language.eq_ignore_ascii_case("Jupyter Notebook"))
            && self.stars.is_none_or(|(least, most)| (least..=most).contains(&one.stars))
            && within(self.created, one.created.as_second())
            && (self.has_forks || one.fork_of.is_none())
    }
}
