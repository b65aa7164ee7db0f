//! Removes an item everywhere: its own answers, its code, its entry on every page of a list. The journal keeps the
//! name alone, so that nobody fetches it again.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::RawError;
use super::journal::{HttpExchange, JournalEntry, Removal};
use super::store::RawStore;
use crate::content_hash::ContentHash;
use crate::records::NotebookKey;

/// The only form of take-down list so far.
const FORMAT: u32 = 1;
/// The longest list that is read: some hundred bytes for each of a hundred thousand notebooks.
const LONGEST: u64 = 64 << 20;

/// A list of what must not be kept any more. In TOML: `format = 1`, then one `[[item]]` each with `notebook`
/// (`owner/slug` or `file:path`) or `body` (a content's name), and, if liked, `reason` and `asked` (a date).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakeDown {
    format: u32,
    /// What to remove.
    #[serde(default, rename = "item")]
    pub items: Vec<TakeDownEntry>,
}

/// One item of a take-down list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakeDownEntry {
    /// A notebook with all its versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notebook: Option<NotebookKey>,
    /// A content, whoever owns it: the notebooks that have it in any version, unchanged copies among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<ContentHash>,
    /// Why, for the people who keep the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Date>,
}

/// A take-down list that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TakeDownError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The list.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not valid.
    #[error("{} is not a valid take-down list: {message}", path.display())]
    Invalid {
        /// The list.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// What a take-down did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TakenDown {
    /// Notebooks that are now refused.
    pub notebooks: usize,
    /// Bodies that were removed.
    pub bodies: usize,
    /// Bodies left because another item owns the same content; name them by `body` to remove them too.
    pub shared: Vec<ContentHash>,
    /// Pages of lists from which an entry was cut out.
    pub pages: usize,
}

impl TakeDown {
    /// A list of these items.
    #[must_use]
    pub fn new(items: Vec<TakeDownEntry>) -> Self {
        Self { format: FORMAT, items }
    }

    /// Reads a list.
    ///
    /// # Errors
    /// [`TakeDownError`] when it cannot be read, has another format, or an item names nothing.
    pub fn load(path: &Path) -> Result<Self, TakeDownError> {
        let read = nbrevive_files::read_text(path, LONGEST);
        let text = read.map_err(|error| TakeDownError::Unreadable { path: path.to_owned(), source: error.into() })?;
        let invalid = |message: String| TakeDownError::Invalid { path: path.to_owned(), message };
        let list: Self = toml::from_str(&text).map_err(|error| invalid(error.to_string()))?;
        if list.format != FORMAT {
            return Err(invalid(format!("it has format {}, this program reads {FORMAT}", list.format)));
        }
        if let Some(place) = list.items.iter().position(|item| item.notebook.is_none() && item.body.is_none()) {
            return Err(invalid(format!("item {} names neither a notebook nor a body", place + 1)));
        }
        Ok(list)
    }

    /// The same list with these notebooks too.
    #[must_use]
    pub fn with_notebooks(mut self, notebooks: impl IntoIterator<Item = NotebookKey>) -> Self {
        let entry = |notebook| TakeDownEntry { notebook: Some(notebook), body: None, reason: None, asked: None };
        self.items.extend(notebooks.into_iter().map(entry));
        self
    }

    /// Whether the list names this notebook.
    #[must_use]
    pub fn names(&self, key: &NotebookKey) -> bool {
        self.items.iter().any(|item| item.notebook.as_ref() == Some(key))
    }
}

/// The notebook to which an item of the journal belongs: versions are `owner/slug#3`.
fn notebook_of(item: &str) -> &str {
    item.split_once('#').map_or(item, |(notebook, _)| notebook)
}

impl RawStore {
    /// Carries out a take-down list. Doing it again changes nothing; a run killed in between is finished by it.
    ///
    /// # Errors
    /// [`RawError`] when the store cannot be read or written.
    pub fn take_down(&self, list: &TakeDown) -> Result<TakenDown, RawError> {
        let mut named = 0;
        for name in list.items.iter().filter_map(|item| item.notebook.as_ref()).map(ToString::to_string) {
            if !self.is_removed(&name)? {
                self.append(&JournalEntry::Removal(Removal { item: name, at: Timestamp::now() }))?;
            }
            named += 1;
        }
        let mut bodies = 0;
        for body in list.items.iter().filter_map(|item| item.body.as_ref()) {
            bodies += usize::from(self.bodies.remove(body)?);
        }
        let done = self.keep_down()?;
        Ok(TakenDown { notebooks: named, bodies: done.bodies + bodies, ..done })
    }

    /// Removes again what was ever taken down: new pages of lists name it as long as it stands on the site. Runs over
    /// the API end with this.
    ///
    /// # Errors
    /// [`RawError`] when the store cannot be read or written.
    pub fn keep_down(&self) -> Result<TakenDown, RawError> {
        let mut done = TakenDown::default();
        let names: BTreeSet<String> = self.memory()?.removed.iter().cloned().collect();
        if !names.is_empty() {
            self.remove_owned(&names, &mut done)?;
            self.cut_out_of_pages(&names, &mut done)?;
        }
        Ok(done)
    }

    fn remove_owned(&self, names: &BTreeSet<String>, done: &mut TakenDown) -> Result<(), RawError> {
        let owned: Vec<(ContentHash, bool)> = {
            let memory = self.memory()?;
            let ours =
                memory.owners.iter().filter(|(_, items)| items.iter().any(|item| names.contains(notebook_of(item))));
            let alone = |items: &BTreeSet<String>| items.iter().all(|item| memory.removed.contains(notebook_of(item)));
            ours.map(|(body, items)| (body.clone(), alone(items))).collect()
        };
        for (body, alone) in owned {
            if alone {
                done.bodies += usize::from(self.bodies.remove(&body)?);
            } else if self.has(&body) {
                done.shared.push(body);
            }
        }
        done.shared.sort();
        Ok(())
    }

    /// Lists name notebooks with title and author: those entries go too, and the rest of the page stays usable.
    fn cut_out_of_pages(&self, names: &BTreeSet<String>, done: &mut TakenDown) -> Result<(), RawError> {
        let mut pages: BTreeMap<ContentHash, Vec<HttpExchange>> = BTreeMap::new();
        for entry in self.journal()? {
            if let JournalEntry::Exchange(exchange) = entry
                && exchange.item.is_none()
                && let Some(body) = exchange.body.clone()
            {
                pages.entry(body).or_default().push(exchange);
            }
        }
        for (hash, exchanges) in pages.into_iter().filter(|(hash, _)| self.has(hash)) {
            let Ok(mut page) = serde_json::from_slice::<Value>(&self.read(&hash)?) else { continue };
            if !cut_out(&mut page, names) {
                continue;
            }
            let mut writer = self.writer()?;
            write!(writer, "{page}").map_err(|error| RawError::new("write in", self.folder(), error))?;
            let body = writer.finish()?.hash;
            for exchange in exchanges {
                self.note(HttpExchange { body: Some(body.clone()), ..exchange })?;
            }
            self.bodies.remove(&hash)?;
            done.pages += 1;
        }
        Ok(())
    }
}

/// Cuts every element of an array that is one of these notebooks out of a page; says whether one was found.
fn cut_out(value: &mut Value, names: &BTreeSet<String>) -> bool {
    match value {
        Value::Array(elements) => {
            let before = elements.len();
            elements.retain(|element| !element["ref"].as_str().is_some_and(|name| names.contains(name)));
            let inner = elements.iter_mut().fold(false, |found, element| cut_out(element, names) | found);
            inner | (elements.len() < before)
        }
        Value::Object(fields) => fields.values_mut().fold(false, |found, field| cut_out(field, names) | found),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::tests::exchange;
    use crate::records::MiningSource;

    fn list(items: &[&str]) -> TakeDown {
        let entry = |text: &&str| TakeDownEntry {
            notebook: text.parse().ok().filter(|_| text.contains('/')),
            body: text.parse().ok(),
            reason: None,
            asked: None,
        };
        TakeDown::new(items.iter().map(entry).collect())
    }

    #[test]
    fn an_item_goes_everywhere_and_the_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let store = RawStore::open(folder.path()).unwrap();
        let page = store
            .keep(MiningSource::KaggleApi, "page", br#"[{"ref":"ada/x","author":"Ada"},{"ref":"bob/y"}]"#)
            .unwrap();
        store.note(HttpExchange { item: None, body: Some(page.clone()), ..exchange("list") }).unwrap();
        let own = store.keep(MiningSource::KaggleApi, "ada/x#2", b"only hers").unwrap();
        let shared = store.keep(MiningSource::KaggleApi, "ada/x", b"copied").unwrap();
        store.keep(MiningSource::KaggleApi, "bob/y", b"copied").unwrap();
        let done = store.take_down(&list(&["ada/x"])).unwrap();
        assert_eq!((done.notebooks, done.bodies, done.pages, done.shared), (1, 1, 1, vec![shared.clone()]));
        assert!(!store.has(&own) && !store.has(&page) && store.has(&shared));
        assert!(store.is_removed("ada/x").unwrap());
        let newest = store.answers("list").unwrap()[0].body.clone().unwrap();
        assert_eq!(store.read(&newest).unwrap(), br#"[{"ref":"bob/y"}]"#);
        assert_eq!(store.take_down(&list(&["ada/x", shared.as_str()])).unwrap().pages, 0);
        assert!(!store.has(&shared));
    }

    #[test]
    fn lists_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.toml");
        let load = |text: &str| {
            std::fs::write(&path, text).unwrap();
            TakeDown::load(&path).map_err(|error| error.to_string())
        };
        let good =
            load("format = 1\n[[item]]\nnotebook = \"ada/x\"\nreason = \"asked\"\nasked = \"2026-02-03\"\n").unwrap();
        assert!(good.names(&"ada/x".parse().unwrap()) && !good.names(&"ada/y".parse().unwrap()));
        assert!(load("format = 2\n").unwrap_err().contains("reads 1"));
        assert!(load("format = 1\n[[item]]\nreason = \"x\"\n").unwrap_err().contains("item 1 names neither"));
        assert!(load("format = 1\n[[item]]\nnotebook = \"../../etc/passwd\"\n").is_err());
    }
}
