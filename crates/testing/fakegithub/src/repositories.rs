//! `/repos/<owner>/<name>` and what lies below it.

use nbrevive_loopback::Reply;
use serde_json::{Value, json};

use crate::rates::refused;
use crate::world::{Fate, HubRepository, HubWorld};

/// Where the servers are.
pub(crate) struct Addresses<'a> {
    pub(crate) api: &'a str,
    pub(crate) archives: &'a str,
}

/// What a path asks for.
pub(crate) fn answer(world: &HubWorld, addresses: &Addresses<'_>, segments: &[String]) -> Reply {
    let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
    let (repository, below) = match parts.as_slice() {
        ["repos", owner, name, below @ ..] => {
            let full = format!("{owner}/{name}");
            if world.named(&full).is_none()
                && let Some(renamed) = world.once_named(&full)
            {
                return moved(addresses.api, renamed, below);
            }
            (world.named(&full), below)
        }
        ["repositories", id, below @ ..] => (id.parse().ok().and_then(|id| world.numbered(id)), below),
        _ => return refused(404, "Not Found"),
    };
    let Some(repository) = repository else { return refused(404, "Not Found") };
    match repository.fate {
        Fate::Missing => return refused(404, "Not Found"),
        Fate::BlockedByLaw => return blocked(451, "dmca"),
        Fate::Blocked => return blocked(403, "tos"),
        _ => {}
    }
    match below {
        [] => Reply::json(200, &object(repository)),
        ["commits", reference] => commit(repository, reference),
        ["tarball", reference] => tarball(repository, addresses, reference),
        _ => refused(404, "Not Found"),
    }
}

fn moved(url: &str, repository: &HubRepository, below: &[&str]) -> Reply {
    let rest: String = below.iter().map(|part| format!("/{part}")).collect();
    let to = format!("{url}/repositories/{}{rest}", repository.id);
    let body = json!({"message": "Moved Permanently", "url": to, "documentation_url": "https://docs.github.com/rest"});
    Reply::json(301, &body).with("Location", &to)
}

fn blocked(status: u16, reason: &str) -> Reply {
    let block = json!({"reason": reason, "created_at": "2021-04-22T17:53:56Z", "html_url": "https://github.com/tos"});
    Reply::json(status, &json!({"message": "Repository access blocked", "block": block}))
}

fn commit(repository: &HubRepository, reference: &str) -> Reply {
    if repository.fate == Fate::Empty {
        return refused(409, "Git Repository is empty.");
    }
    let Some(hash) = repository.commit(reference) else {
        return refused(422, &format!("No commit found for SHA: {reference}"));
    };
    let time = repository.time(hash).strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let person = json!({"name": "Ada", "email": "ada@example.org", "date": time});
    let commit = json!({"author": person, "committer": person, "message": "Better"});
    Reply::json(200, &json!({"sha": hash, "commit": commit, "parents": [], "files": []}))
}

fn tarball(repository: &HubRepository, addresses: &Addresses<'_>, reference: &str) -> Reply {
    let Some(hash) = repository.commit(reference).filter(|_| repository.fate != Fate::Empty) else {
        return refused(404, "Not Found");
    };
    let host = match repository.fate {
        Fate::LedAway => "https://archives.somebody.example",
        _ => addresses.archives,
    };
    Reply::redirect(&format!("{host}/{}/{}/legacy.tar.gz/{hash}", repository.owner, repository.name))
}

/// A repository as both the search and its own address show it. Its addresses are those of the real site: so an answer is the same
/// whatever the port.
pub(crate) fn object(one: &HubRepository) -> Value {
    let time = |time: jiff::Timestamp| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let full = one.full_name();
    json!({
        "id": one.id,
        "node_id": format!("R_{}", one.id),
        "name": one.name,
        "full_name": full,
        "private": false,
        "owner": {"login": one.owner, "type": "User"},
        "html_url": format!("https://github.com/{full}"),
        "description": "Notebooks \u{2764}",
        "fork": one.fork_of.is_some(),
        "parent": one.fork_of.as_ref().map(|parent| json!({"full_name": parent})),
        "url": format!("https://api.github.com/repos/{full}"),
        "created_at": time(one.created),
        "updated_at": time(one.time(&one.head)),
        "pushed_at": time(one.time(&one.head)),
        "size": 12 + one.id % 1000,
        "stargazers_count": one.stars,
        "watchers_count": one.stars,
        "language": if one.fate == Fate::Empty { None } else { Some("Jupyter Notebook") },
        "forks_count": one.forks,
        "mirror_url": one.mirror_of,
        "archived": one.is_archived,
        "disabled": false,
        "license": one.licence.map(|spdx| json!({"key": spdx.to_lowercase(), "name": spdx, "spdx_id": spdx})),
        "visibility": "public",
        "default_branch": one.branch,
    })
}
