//! One version from the views of several sources: for each field the word of the source that knows it best.
//!
//! | field | trusted in this order | why |
//! |---|---|---|
//! | created, evaluated, scores, run time, image, GPU, internet | dump, pages, API | the dump has them exactly, pages round |
//! | status, copied from | pages, API, dump | pages say it of each version; the dump does not tell the status |
//! | data sources | API, pages, dump | the API names them all; the dump's references may dangle |
//! | language, kind | dump, API, pages | the API tells those of the notebook's current version |
//! | title, votes | API, pages, dump | the newest |
//! | code | API, dump, pages | the same code, pages bring it with outputs |
//!
//! Notebooks that were already here have one source or two, the git history before the folder.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nbrevive_mine::records::{DataKind, NotebookKey, NotebookRecord, Record, Slug, Source, VersionRecord};

use super::identity::Numbers;
use super::{RowKind, listed, records};
use crate::{Store, StoreError};

/// A version as all sources together tell it.
#[derive(Debug, Clone, PartialEq)]
pub struct MergedVersion {
    /// Its natural key.
    pub key: String,
    /// The competition that it belongs to: the one of the study that it reads, else the one under which its notebook is listed;
    /// `None` where that is none, or more than one.
    pub competition: Option<Slug>,
    /// Whether it belongs to one of the study's competitions, where that can be told.
    pub in_competition: Option<bool>,
    /// What is known of it; its origin is that of the first source.
    pub record: VersionRecord,
    /// Its notebook, as the first source that has it tells it.
    pub notebook: Option<NotebookRecord>,
    /// Whose views these are.
    pub sources: BTreeSet<Source>,
}

use Source::{Browser, Folder, Git, KaggleApi, MetaKaggle};

const BY_DUMP: [Source; 5] = [MetaKaggle, Browser, KaggleApi, Git, Folder];
const BY_PAGES: [Source; 5] = [Browser, KaggleApi, MetaKaggle, Git, Folder];
const BY_API: [Source; 5] = [KaggleApi, Browser, MetaKaggle, Git, Folder];
const LANGUAGE: [Source; 5] = [MetaKaggle, KaggleApi, Browser, Git, Folder];
const CODE: [Source; 5] = [KaggleApi, MetaKaggle, Browser, Git, Folder];

/// Every version, merged, by natural key.
///
/// # Errors
/// When the database refuses, or holds a row that cannot be read.
pub fn merged(store: &Store) -> Result<Vec<MergedVersion>, StoreError> {
    let told: Vec<VersionRecord> = records(store, RowKind::Version, None)?.into_iter().filter_map(version).collect();
    let notebooks = notebooks(store)?;
    let homes = Homes::read(store)?;
    let numbers = Numbers::of(told.iter());
    let mut views: BTreeMap<String, Vec<VersionRecord>> = BTreeMap::new();
    for record in told {
        views.entry(numbers.key(&record)).or_default().push(record);
    }
    let merge = |(key, views): (String, Vec<VersionRecord>)| {
        let sources = views.iter().map(|view| view.origin.source).collect();
        let record = merge(&views)?;
        let (competition, in_competition) = homes.of(&record);
        let notebook = notebooks.get(&record.notebook).cloned();
        Some(MergedVersion { key, competition, in_competition, record, notebook, sources })
    };
    Ok(views.into_iter().filter_map(merge).collect())
}

fn version(record: Record) -> Option<VersionRecord> {
    match record {
        Record::Version(version) => Some(*version),
        Record::Competition(_) | Record::Leaderboard(_) | Record::Notebook(_) => None,
    }
}

/// Notebooks by key, each by the source that is trusted most with names.
fn notebooks(store: &Store) -> Result<HashMap<NotebookKey, NotebookRecord>, StoreError> {
    let mut found: HashMap<NotebookKey, NotebookRecord> = HashMap::new();
    let rank = |record: &NotebookRecord| BY_API.iter().position(|source| *source == record.origin.source);
    for record in records(store, RowKind::Notebook, None)? {
        let Record::Notebook(record) = record else { continue };
        match found.get(&record.key) {
            Some(before) if rank(before) <= rank(&record) => {}
            _ => {
                found.insert(record.key.clone(), record);
            }
        }
    }
    Ok(found)
}

/// The views of one version as one record; `None` of none.
fn merge(views: &[VersionRecord]) -> Option<VersionRecord> {
    let in_order = |order: [Source; 5]| {
        order.into_iter().flat_map(|source| views.iter().filter(move |view| view.origin.source == source))
    };
    let first = in_order(BY_DUMP).next()?;
    macro_rules! best {
        ($order:expr, $field:ident) => {
            in_order($order).find_map(|view| view.$field.clone())
        };
    }
    Some(VersionRecord {
        notebook: first.notebook.clone(),
        id: best!(BY_DUMP, id),
        number: best!(BY_DUMP, number),
        revision: best!(BY_DUMP, revision),
        title: best!(BY_API, title),
        created: best!(BY_DUMP, created),
        evaluated: best!(BY_DUMP, evaluated),
        language: best!(LANGUAGE, language),
        kind: best!(LANGUAGE, kind),
        status: best!(BY_PAGES, status),
        public_score: best!(BY_DUMP, public_score),
        private_score: best!(BY_DUMP, private_score),
        run_seconds: best!(BY_DUMP, run_seconds),
        data_sources: best!(BY_API, data_sources),
        image: best!(BY_DUMP, image),
        gpu: best!(BY_DUMP, gpu),
        internet: best!(BY_DUMP, internet),
        copied_from: best!(BY_PAGES, copied_from),
        votes: best!(BY_API, votes),
        code: best!(CODE, code),
        origin: first.origin.clone(),
    })
}

/// Which competitions the study has, and where each notebook is listed.
struct Homes {
    known: BTreeSet<String>,
    listed: HashMap<String, Vec<String>>,
}

impl Homes {
    fn read(store: &Store) -> Result<Self, StoreError> {
        let mut homes = Self { known: BTreeSet::new(), listed: HashMap::new() };
        for record in records(store, RowKind::Competition, None)? {
            if let Record::Competition(competition) = record {
                homes.known.insert(competition.slug.to_string());
            }
        }
        for (competition, notebook) in store.read(listed)? {
            homes.known.insert(competition.clone());
            homes.listed.entry(notebook).or_default().push(competition);
        }
        Ok(homes)
    }

    /// The competition of a version, and whether it belongs to any.
    fn of(&self, record: &VersionRecord) -> (Option<Slug>, Option<bool>) {
        let one = |names: &[&str]| match names {
            [name] => Slug::new(name).ok(),
            _ => None,
        };
        let read: Option<Vec<&str>> = record.data_sources.as_ref().map(|sources| {
            let names = sources.iter().filter(|source| source.kind == DataKind::Competition);
            names.map(|source| source.name.as_str()).filter(|name| self.known.contains(*name)).collect()
        });
        let empty = Vec::new();
        let listed = self.listed.get(&record.notebook.to_string()).unwrap_or(&empty);
        let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
        match read {
            Some(read) if read.is_empty() => (None, Some(false)),
            // Reading two of the study's competitions, it was made for the one that lists it.
            Some(read) if read.len() > 1 => {
                let both: Vec<&str> = read.into_iter().filter(|name| listed.contains(name)).collect();
                (one(&both), Some(true))
            }
            Some(read) => (one(&read), Some(true)),
            None => (one(&listed), (!listed.is_empty()).then_some(true)),
        }
    }
}
