//! One version from the views of several sources: for each field the word of the source that knows it best. ([`Precedence`]).

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nbrevive_mine::raw::ContentHash;
use nbrevive_mine::records::{
    DataKind, MinedRecord, MiningSource, NotebookKey, NotebookRecord, Precedence, Slug, VersionRecord,
};

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
    /// Its code as a corpus takes it: with the outputs that were saved, where a source has it so.
    pub shown: Option<ContentHash>,
    /// Its notebook, as the first source that has it tells it.
    pub notebook: Option<NotebookRecord>,
    /// Whose views these are.
    pub sources: BTreeSet<MiningSource>,
}

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
        let believed: Vec<_> = views.iter().map(|view| (view.origin.source.precedence(), view)).collect();
        let shown = shown(&believed);
        let record = merge(believed)?;
        let (competition, in_competition) = homes.of(&record);
        let notebook = notebooks.get(&record.notebook).cloned();
        Some(MergedVersion { key, competition, in_competition, record, shown, notebook, sources })
    };
    Ok(views.into_iter().filter_map(merge).collect())
}

fn version(record: MinedRecord) -> Option<VersionRecord> {
    match record {
        MinedRecord::Version(version) => Some(*version),
        MinedRecord::Competition(_)
        | MinedRecord::Leaderboard(_)
        | MinedRecord::Notebook(_)
        | MinedRecord::Repository(_)
        | MinedRecord::Hosted(_) => None,
    }
}

/// Notebooks by key, each by the source that is trusted most with names.
fn notebooks(store: &Store) -> Result<HashMap<NotebookKey, NotebookRecord>, StoreError> {
    let mut found: HashMap<NotebookKey, NotebookRecord> = HashMap::new();
    let place = |record: &NotebookRecord| record.origin.source.precedence().names;
    for record in records(store, RowKind::Notebook, None)? {
        let MinedRecord::Notebook(record) = record else { continue };
        if found.get(&record.key).is_none_or(|before| place(&record) < place(before)) {
            found.insert(record.key.clone(), record);
        }
    }
    Ok(found)
}

/// The views of one version as one record, each with the place of its source; `None` of none.
fn merge(mut views: Vec<(Precedence, &VersionRecord)>) -> Option<VersionRecord> {
    views.sort_by_key(|(places, _)| places.run);
    let first = views.first()?.1;
    macro_rules! best {
        ($kind:ident, $field:ident) => {{
            let told = views.iter().filter(|(_, view)| view.$field.is_some());
            told.min_by_key(|(places, _)| places.$kind).and_then(|(_, view)| view.$field.clone())
        }};
    }
    Some(VersionRecord {
        notebook: first.notebook.clone(),
        id: best!(run, id),
        number: best!(run, number),
        revision: best!(run, revision),
        title: best!(names, title),
        created: best!(run, created),
        evaluated: best!(run, evaluated),
        language: best!(language, language),
        kind: best!(language, kind),
        status: best!(status, status),
        public_score: best!(run, public_score),
        private_score: best!(run, private_score),
        run_seconds: best!(run, run_seconds),
        data_sources: best!(names, data_sources),
        image: best!(run, image),
        gpu: best!(run, gpu),
        internet: best!(run, internet),
        copied_from: best!(status, copied_from),
        votes: best!(names, votes),
        code: best!(code, code),
        origin: first.origin.clone(),
    })
}

/// The code with the outputs that were saved, else the one that there is.
fn shown(views: &[(Precedence, &VersionRecord)]) -> Option<ContentHash> {
    let told = views.iter().filter_map(|(places, view)| Some((places.shown, view.code.as_ref()?)));
    told.min_by_key(|(place, _)| *place).map(|(_, code)| code.clone())
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
            if let MinedRecord::Competition(competition) = record {
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

#[cfg(test)]
mod tests {
    use nbrevive_mine::records::{Origin, RunStatus};

    use super::*;

    fn view(title: Option<&str>, status: Option<RunStatus>, image: Option<&str>) -> VersionRecord {
        let origin = Origin { source: MiningSource::Git, request: String::new(), raw: ContentHash::of(b"") };
        let blank = VersionRecord::unknown("ada/x".parse().unwrap(), origin);
        VersionRecord { title: title.map(Into::into), status, image: image.map(Into::into), ..blank }
    }

    /// What a source is trusted with is data: here one that this program does not have.
    #[test]
    fn a_sixth_source_is_merged_by_the_places_that_it_states() {
        let sixth = Precedence { run: 5, status: 0, names: 5, language: 5, code: 5, shown: 5 };
        let own = view(Some("own"), Some(RunStatus::Complete), Some("own"));
        let alone = merge(vec![(sixth, &own)]).unwrap();
        assert_eq!(alone, own);
        let api = view(Some("api"), Some(RunStatus::Error), None);
        for views in [
            [(sixth, &own), (MiningSource::KaggleApi.precedence(), &api)],
            [(MiningSource::KaggleApi.precedence(), &api), (sixth, &own)],
        ] {
            let merged = merge(views.to_vec()).unwrap();
            assert_eq!((merged.title, merged.status), (api.title.clone(), own.status));
            assert_eq!(merged.image, own.image);
        }
    }

    #[test]
    fn a_corpus_takes_the_code_with_outputs_and_a_list_names_the_code_alone() {
        let coded = |text: &[u8]| VersionRecord { code: Some(ContentHash::of(text)), ..view(None, None, None) };
        let (api, page, silent) = (coded(b"code"), coded(b"code and outputs"), view(None, None, None));
        let of = |source: MiningSource, view| (source.precedence(), view);
        let both = [of(MiningSource::KaggleApi, &api), of(MiningSource::Browser, &page)];
        assert_eq!(shown(&both), page.code);
        assert_eq!(merge(both.to_vec()).unwrap().code, api.code);
        assert_eq!(shown(&[of(MiningSource::Browser, &silent), of(MiningSource::KaggleApi, &api)]), api.code);
        assert_eq!(shown(&[of(MiningSource::Browser, &silent)]), None);
    }
}
