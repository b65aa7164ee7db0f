//! Reads records from a visit: from the page's state or the internal service's answers where they are as the selectors
//! say, and from the marks on the page otherwise.

use jiff::Timestamp;
use jiff::fmt::strtime;
use scraper::Html;
use serde_json::Value;

use super::selectors::Selectors;
use super::snapshot::{KeptFor, PageFault, Snapshot};
use crate::api::moment;
use crate::records::{
    CodeKind, CodeLanguage, DataKind, MinedDataSource, NotebookKey, NotebookName, NotebookRecord, Origin, RunStatus,
    VersionRecord,
};

/// Where most of a record was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoundIn {
    /// In the page's state, or an answer of the internal service.
    State,
    /// In the marks on the page.
    Marks,
}

/// A version as the list of versions has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) id: u64,
    pub(crate) number: Option<u32>,
    pub(crate) status: Option<RunStatus>,
}

/// What the page of a notebook tells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NotebookPage {
    pub(crate) record: NotebookRecord,
    /// Newest first, each once.
    pub(crate) entries: Vec<Entry>,
    /// The version that the page shows.
    pub(crate) shown: Option<u64>,
}

/// Reads pages and states with a file of selectors.
pub(crate) struct Reader<'a> {
    pub(crate) selectors: &'a Selectors,
    pub(crate) name: &'a NotebookName,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) origin: &'a Origin,
}

impl Reader<'_> {
    fn key(&self) -> NotebookKey {
        NotebookKey::Kaggle(self.name.clone())
    }

    /// A value of a state by its type: absent is unknown, another type is a fault.
    fn typed<T>(&self, state: &Value, name: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Option<T>, PageFault> {
        let value = self.selectors.state(state, name);
        value.map(|value| read(value).ok_or_else(|| PageFault::state(name))).transpose()
    }

    fn text(&self, state: &Value, name: &str) -> Result<Option<String>, PageFault> {
        let text = self.typed(state, name, |value| value.as_str().map(str::to_owned))?;
        Ok(text.filter(|text| !text.is_empty()))
    }

    fn time(&self, state: &Value, name: &str) -> Result<Option<Timestamp>, PageFault> {
        self.typed(state, name, |value| moment(value.as_str()?))
    }

    /// A switch, which the service leaves out when it is off, as every field at its default.
    fn switch(&self, state: &Value, name: &str) -> Result<bool, PageFault> {
        Ok(self.typed(state, name, Value::as_bool)?.unwrap_or(false))
    }

    /// The page of the notebook: what it is, and which versions it has.
    pub(crate) fn notebook(&self, most: usize) -> Result<NotebookPage, PageFault> {
        let page = self.snapshot.page(KeptFor::Notebook).ok_or_else(|| PageFault::mark("ready"))?;
        let mut entries = match self.listed(&page) {
            Ok(entries) => entries,
            Err(fault) => {
                tracing::debug!(notebook = %self.name, %fault, "versions are read from the marks");
                self.marked_entries()?
            }
        };
        entries.sort_by_key(|entry| std::cmp::Reverse((entry.number, entry.id)));
        entries.dedup_by_key(|entry| entry.id);
        entries.truncate(most);
        let states = self.snapshot.states(self.selectors);
        let from_state = states.iter().find_map(|state| self.notebook_in_state(state).ok());
        let (record, shown) = match from_state {
            Some(found) => found,
            None => (self.notebook_in_marks(&page)?, None),
        };
        Ok(NotebookPage { record, entries, shown })
    }

    fn notebook_in_state(&self, state: &Value) -> Result<(NotebookRecord, Option<u64>), PageFault> {
        let shown = self.typed(state, "run_id", whole)?.ok_or_else(|| PageFault::state("run_id"))?;
        let number = self.typed(state, "run_number", whole)?;
        let copied = self.text(state, "copied_from")?;
        let record = NotebookRecord {
            key: self.key(),
            id: self.typed(state, "kernel_id", whole)?,
            title: self.text(state, "kernel_title")?,
            author: self.text(state, "author")?,
            language: self.text(state, "run_language")?.and_then(|word| CodeLanguage::from_name(&word)),
            kind: self.text(state, "run_kind")?.and_then(|word| CodeKind::from_name(&word)),
            last_run: None,
            votes: Some(self.typed(state, "votes", whole)?.unwrap_or_default()),
            current_version: number.and_then(|number| u32::try_from(number).ok()),
            copied_from: copied.and_then(|url| notebook_in(&url)),
            origin: self.origin.clone(),
        };
        Ok((record, Some(shown)))
    }

    fn notebook_in_marks(&self, page: &Html) -> Result<NotebookRecord, PageFault> {
        let version = self.version_in_marks(page)?;
        Ok(NotebookRecord {
            key: self.key(),
            id: None,
            title: version.title,
            author: None,
            language: version.language,
            kind: None,
            last_run: None,
            votes: version.votes,
            current_version: version.number,
            copied_from: version.copied_from,
            origin: self.origin.clone(),
        })
    }

    /// Whether the visit has a list of versions that can be read without opening it on the page.
    pub(crate) fn has_listed(&self) -> bool {
        self.snapshot.page(KeptFor::Notebook).is_some_and(|page| self.listed(&page).is_ok())
    }

    /// The versions in the state of the page or in the service's answers.
    fn listed(&self, page: &Html) -> Result<Vec<Entry>, PageFault> {
        let embedded = self.selectors.embedded(page);
        let old = embedded.as_ref().and_then(|state| self.selectors.state(state, "old_versions"));
        let answers = self.snapshot.said(&self.selectors.version_list);
        let new = answers.filter_map(|answer| self.selectors.state(answer, "versions"));
        let mut lists = old.into_iter().chain(new).peekable();
        if lists.peek().is_none() {
            return Err(PageFault::state("versions"));
        }
        let mut entries = Vec::new();
        for list in lists {
            for item in list.as_array().ok_or_else(|| PageFault::state("versions"))? {
                if self.switch(item, "entry_is_parent")? {
                    continue;
                }
                let id = self.typed(item, "entry_id", whole)?.ok_or_else(|| PageFault::state("entry_id"))?;
                let number = self.typed(item, "entry_number", |value| u32::try_from(whole(value)?).ok())?;
                let status = self.text(item, "entry_status")?.and_then(|word| RunStatus::from_name(&word));
                entries.push(Entry { id, number, status });
            }
        }
        Ok(entries)
    }

    /// The versions that the opened list shows: of this notebook alone, since a copy's last row is its parent's.
    fn marked_entries(&self) -> Result<Vec<Entry>, PageFault> {
        let page = self.snapshot.page(KeptFor::Versions).ok_or_else(|| PageFault::mark("version_rows"))?;
        let own = format!("/code/{}", self.name);
        let ids = self.selectors.all(&page, "version_rows");
        let ids: Vec<Option<u64>> = ids.iter().map(|link| run_in(link, &own)).collect();
        let statuses = self.selectors.all(&page, "row_status");
        let names = self.selectors.all(&page, "row_name");
        let known = ids.iter().flatten().count();
        if known == 0 {
            return Err(PageFault::mark("version_rows"));
        }
        let numbers = (names.len() == known).then(|| names.iter().map(|name| number_in(name)));
        let mut numbers = numbers.into_iter().flatten();
        let status = |place: usize| statuses.get(place).filter(|_| statuses.len() == ids.len());
        let entry = |(place, id): (usize, &Option<u64>)| {
            let id = (*id)?;
            let word = status(place).and_then(|word| self.selectors.status_word(word));
            Some(Entry { id, number: numbers.next().flatten(), status: word.and_then(RunStatus::from_name) })
        };
        Ok(ids.iter().enumerate().filter_map(entry).collect())
    }

    /// The page of a version.
    pub(crate) fn version(&self, entry: &Entry) -> Result<(VersionRecord, FoundIn), PageFault> {
        let page = self.snapshot.page(KeptFor::Notebook).ok_or_else(|| PageFault::mark("ready"))?;
        let states = self.snapshot.states(self.selectors);
        let mut fault = None;
        for state in &states {
            match self.version_in_state(state, entry) {
                Ok(mut record) => {
                    self.add_scores(&page, &mut record);
                    return Ok((record, FoundIn::State));
                }
                Err(found) => fault = Some(found),
            }
        }
        if let Some(fault) = fault {
            tracing::debug!(notebook = %self.name, id = entry.id, %fault, "the version is read from the marks");
        }
        let mut record = self.version_in_marks(&page)?;
        if record.number != entry.number && entry.number.is_some() {
            return Err(PageFault::mark("shown_version"));
        }
        (record.id, record.status) = (Some(entry.id), entry.status);
        record.data_sources = self.inputs();
        Ok((record, FoundIn::Marks))
    }

    fn version_in_state(&self, state: &Value, entry: &Entry) -> Result<VersionRecord, PageFault> {
        let id = self.typed(state, "run_id", whole)?;
        if id != Some(entry.id) {
            return Err(PageFault::state("run_id"));
        }
        let (notebook, _) = self.notebook_in_state(state)?;
        let status = self.text(state, "run_status")?;
        let seconds = self.typed(state, "run_seconds", Value::as_f64)?;
        let mut record = VersionRecord {
            id,
            number: notebook.current_version.or(entry.number),
            title: self.text(state, "run_title")?,
            created: self.time(state, "run_created")?,
            evaluated: self.time(state, "run_evaluated")?,
            language: notebook.language,
            kind: notebook.kind,
            status: status.and_then(|word| RunStatus::from_name(&word)),
            run_seconds: seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0),
            data_sources: Some(self.data_sources(state)?),
            image: self.image(state)?,
            gpu: Some(self.switch(state, "run_gpu")?),
            internet: Some(self.switch(state, "run_internet")?),
            copied_from: notebook.copied_from,
            votes: notebook.votes,
            ..VersionRecord::unknown(notebook.key, notebook.origin)
        };
        // One score: private or public, as the state says. Old states have the public one beside it.
        let score = self.text(state, "score")?.and_then(|text| score(&text));
        if self.switch(state, "score_is_private")? {
            record.private_score = score;
        } else {
            record.public_score = score;
        }
        let public = self.text(state, "public_score")?;
        record.public_score = public.and_then(|text| self::score(&text)).or(record.public_score);
        Ok(record)
    }

    fn image(&self, state: &Value) -> Result<Option<String>, PageFault> {
        let (name, id) = (self.text(state, "run_image")?, self.text(state, "run_image_id")?);
        Ok(match (name, id) {
            (Some(name), Some(id)) => Some(format!("{name}{}{id}", if id.contains(':') { '@' } else { ':' })),
            (name, id) => name.or(id),
        })
    }

    fn data_sources(&self, state: &Value) -> Result<Vec<MinedDataSource>, PageFault> {
        let wrong = || PageFault::state("data_sources");
        let Some(list) = self.selectors.state(state, "data_sources") else { return Ok(Vec::new()) };
        let mut sources = Vec::new();
        for item in list.as_array().ok_or_else(wrong)? {
            let slug = item["mountSlug"].as_str().or_else(|| item["dataSourceUrl"].as_str()).ok_or_else(wrong)?;
            sources.extend(data_source(slug));
        }
        sources.sort();
        sources.dedup();
        Ok(sources)
    }

    fn inputs(&self) -> Option<Vec<MinedDataSource>> {
        let page = self.snapshot.page(KeptFor::Input)?;
        let mut sources: Vec<_> =
            self.selectors.all(&page, "inputs").iter().filter_map(|link| data_source(link)).collect();
        sources.sort();
        sources.dedup();
        Some(sources)
    }

    fn version_in_marks(&self, page: &Html) -> Result<VersionRecord, PageFault> {
        let mark = |name: &str| self.selectors.first(page, name);
        let needed = |name: &str| mark(name).ok_or_else(|| PageFault::mark(name));
        needed("ready")?;
        let run_time = mark("run_time").or_else(|| mark("old_run_time"));
        let created = date(&needed("created")?).ok_or_else(|| PageFault::mark("created"))?;
        let number = number_in(&needed("shown_version")?).ok_or_else(|| PageFault::mark("shown_version"))?;
        let mut record = VersionRecord {
            number: Some(number),
            title: Some(needed("title")?),
            created: Some(created),
            language: CodeLanguage::from_name(&needed("language")?.replace(' ', "")),
            run_seconds: run_time.as_deref().and_then(seconds),
            gpu: run_time.as_deref().map(|text| text.to_ascii_uppercase().contains("GPU")),
            copied_from: mark("copied_from").and_then(|link| notebook_in(&link)),
            votes: mark("votes").and_then(|text| count(&text)),
            ..VersionRecord::unknown(self.key(), self.origin.clone())
        };
        self.add_scores(page, &mut record);
        Ok(record)
    }

    /// Both scores, where the page shows them: a state has only one.
    fn add_scores(&self, page: &Html, record: &mut VersionRecord) {
        let mark = |name: &str| self.selectors.first(page, name).and_then(|text| score(&text));
        record.public_score = mark("public_score").or(record.public_score);
        record.private_score = mark("private_score").or(record.private_score);
    }
}

/// A whole number, also as a text: numbers of 64 bits may come as either.
fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).filter(|number| *number > 0)
}

fn score(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|score: &f64| score.is_finite())
}

/// The first whole number of a text.
fn number_in(text: &str) -> Option<u32> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    text[start..].split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// A count with its commas: `1,234 votes`.
fn count(text: &str) -> Option<u64> {
    let digits: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(|c| *c != ',').collect();
    digits.parse().ok()
}

/// The notebook that a link leads to.
fn notebook_in(link: &str) -> Option<NotebookKey> {
    let path = &link[link.find("/code/")?..];
    let path = path.split(['?', '#']).next()?;
    NotebookName::new(path).ok().map(NotebookKey::Kaggle)
}

/// The run that a link to a version of this notebook names.
fn run_in(link: &str, own: &str) -> Option<u64> {
    let (path, query) = link.split_once('?')?;
    let id = query.split('&').find_map(|pair| pair.strip_prefix("scriptVersionId="))?;
    id.parse().ok().filter(|id| *id > 0 && path.ends_with(own))
}

/// Something that a version reads, by the path of its page or of its folder.
fn data_source(path: &str) -> Option<MinedDataSource> {
    let path = path.trim_start_matches('/').split(['?', '#']).next()?;
    let (kind, name) = path.split_once('/')?;
    let kind = match kind {
        "competitions" | "c" => DataKind::Competition,
        "datasets" => DataKind::Dataset,
        "code" | "kernels" => DataKind::Notebook,
        "models" => DataKind::Model,
        _ => return None,
    };
    Some(MinedDataSource { kind, name: name.to_owned() })
}

/// A date as browsers write it in full: `Wed Mar 02 2022 10:09:00 GMT+0000 (Coordinated Universal Time)`.
fn date(text: &str) -> Option<Timestamp> {
    let text = text.split(" (").next()?.trim();
    strtime::parse("%a %b %d %Y %H:%M:%S GMT%z", text).ok()?.to_timestamp().ok()
}

/// Seconds of a run time: `1h 30m 20s`, `31s`, `2m 3s · GPU T4 x2`, `123.4s - GPU P100`.
fn seconds(text: &str) -> Option<f64> {
    let mut total = None;
    for part in text.split_whitespace() {
        let unit = match part.chars().last() {
            Some('h') => 3600.0,
            Some('m') => 60.0,
            Some('s') => 1.0,
            _ => break,
        };
        let Ok(number) = part[..part.len() - 1].parse::<f64>() else { break };
        total = Some(total.unwrap_or(0.0) + number * unit);
    }
    total.filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
