//! What the host's answers tell of a repository and of a commit.

use jiff::Timestamp;
use serde_json::Value;

use super::name::{HubName, harmless};
use crate::api::{BodyFault, Fields, ShapeError, json};
use crate::records::HostedFacts;

/// A repository's facts, and the name under which they were asked for.
pub(super) fn facts(value: &Value, asked: Option<&HubName>, path: &str) -> Result<HostedFacts, ShapeError> {
    let fields = Fields::new(value, path)?;
    let wrong = || fields.wrong("full_name", "a repository's name");
    let name = HubName::parse(fields.name("full_name")?).map_err(|_| wrong())?;
    let text = |name: &str| Ok::<_, ShapeError>(fields.text(name)?.map(harmless));
    let inner = |name: &'static str, field: &str| -> Result<Option<String>, ShapeError> {
        if value[name].is_null() {
            return Ok(None);
        }
        Ok(fields.object(name)?.text(field)?.map(harmless))
    };
    Ok(HostedFacts {
        id: fields.id("id")?.ok_or_else(|| fields.wrong("id", "a repository's number"))?,
        is_renamed: asked.is_some_and(|asked| asked.key() != name.key()),
        name: name.path().ok_or_else(wrong)?,
        url: text("html_url")?,
        licence: inner("license", "spdx_id")?,
        stars: fields.number("stargazers_count")?,
        forks: fields.number("forks_count")?,
        is_fork: fields.switch("fork")?,
        fork_of: inner("parent", "full_name")?,
        is_archived: fields.switch("archived")?,
        is_disabled: fields.switch("disabled")?,
        mirror_of: text("mirror_url")?,
        created: fields.moment("created_at")?,
        pushed: fields.moment("pushed_at")?,
        language: text("language")?,
        size_kib: fields.number("size")?,
        branch: text("default_branch")?,
    })
}

/// A repository, by its body.
pub(super) fn repository(bytes: &[u8], asked: &HubName) -> Result<HostedFacts, BodyFault> {
    Ok(facts(&json(bytes)?, Some(asked), "")?)
}

/// A commit's hash and the time of its commit, by its body.
pub(super) fn commit(bytes: &[u8]) -> Result<(String, Timestamp), BodyFault> {
    let value = json(bytes)?;
    let fields = Fields::new(&value, "")?;
    let hash = fields.name("sha")?;
    if !matches!(hash.len(), 40 | 64) || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(fields.wrong("sha", "a commit's hash").into());
    }
    let committer = fields.object("commit")?.object("committer")?;
    let time = committer.moment("date")?.ok_or_else(|| committer.wrong("date", "a time"))?;
    Ok((hash.to_ascii_lowercase(), time))
}

/// One page of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    /// Results in all, as the host counts them.
    pub(super) total: u64,
    /// Whether the host ran out of time.
    pub(super) is_incomplete: bool,
    /// The repositories, each by its number and name; none in place of one whose name is none.
    pub(super) found: Vec<Option<(u64, HubName)>>,
}

/// A page of a search, by its body.
pub(super) fn page(bytes: &[u8]) -> Result<Page, BodyFault> {
    let value = json(bytes)?;
    let fields = Fields::new(&value, "")?;
    let total = fields.number("total_count")?.ok_or_else(|| fields.wrong("total_count", "a number"))?;
    let is_incomplete = fields.switch("incomplete_results")?.unwrap_or(false);
    let items = fields.list("items")?.iter().enumerate();
    let entry = |(place, item): (usize, &Value)| {
        let fields = Fields::new(item, &format!("items[{place}]"))?;
        let id = fields.id("id")?.ok_or_else(|| fields.wrong("id", "a repository's number"))?;
        Ok::<_, ShapeError>(HubName::parse(fields.name("full_name")?).ok().map(|name| (id, name)))
    };
    let found = items.map(entry).collect::<Result<_, _>>()?;
    Ok(Page { total, is_incomplete, found })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::testing::any_answer;

    #[test]
    fn what_the_host_tells_is_typed() {
        let value = json!({
            "id": 7, "full_name": "Ada/New", "html_url": "https://github.com/Ada/New", "stargazers_count": 0,
            "forks_count": 2, "fork": true, "parent": {"full_name": "bob/old"}, "archived": true, "disabled": false,
            "mirror_url": null, "created_at": "2015-03-04T05:06:07Z", "pushed_at": "2020-01-01T00:00:00Z",
            "language": "Jupyter Notebook", "size": 12, "default_branch": "main",
            "license": {"key": "mit", "spdx_id": "MIT"}
        });
        let asked = HubName::parse("ada/Old").unwrap();
        let facts = facts(&value, Some(&asked), "").unwrap();
        insta::assert_debug_snapshot!(facts);
    }

    #[test]
    fn hostile_names_and_hashes_are_no_answers() {
        let told = |name: &str| facts(&json!({"id": 1, "full_name": name}), None, "").map(drop);
        assert!(told("a/b").is_ok());
        for name in ["../../etc", "a/..", "a/b/c", "a", "a/\u{1b}", ""] {
            assert!(told(name).is_err(), "{name}");
        }
        let hash = |hash: &str| {
            let body = json!({"sha": hash, "commit": {"committer": {"date": "2020-01-01T00:00:00Z"}}});
            commit(body.to_string().as_bytes())
        };
        assert!(hash(&"a".repeat(40)).is_ok());
        assert!(hash(&"../".repeat(20)).is_err() && hash("abc").is_err());
    }

    #[test]
    fn a_page_leaves_a_gap_for_a_name_that_is_none() {
        let body = json!({"total_count": 3, "incomplete_results": true, "items": [
            {"id": 1, "full_name": "a/b"}, {"id": 2, "full_name": "../.."}, {"id": 3, "full_name": "c/d"}
        ]});
        let page = page(body.to_string().as_bytes()).unwrap();
        assert_eq!((page.total, page.is_incomplete, page.found.len()), (3, true, 3));
        assert!(page.found[1].is_none());
    }

    const NAMES: &str = "id|full_name|license|spdx_id|parent|sha|commit|committer|date|items|total_count|fork|size";
    const TEXTS: &str = "\\PC{0,8}|ada/x|2022-03-02T10:11:12Z|[0-9a-f]{40}";

    proptest! {
        #[test]
        fn no_answer_does_harm(value in any_answer(NAMES, TEXTS)) {
            let body = value.to_string();
            let _ = (page(body.as_bytes()), commit(body.as_bytes()), facts(&value, None, ""));
        }
    }
}
