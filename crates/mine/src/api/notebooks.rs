//! One notebook with its code, and one page of a list of notebooks.

use serde_json::Value;

use super::ask::Ask;
use super::client::Api;
use super::competitions::{Page, RefusedCompetition, page};
use super::endpoint::Generation;
use super::error::ApiError;
use super::shape::{BodyFault, Fields, ShapeError, json};
use crate::records::{
    CodeKind, CodeLanguage, DataKind, MinedDataSource, MiningSource, NotebookKey, NotebookName, NotebookRecord, Origin,
    RunStatus, Slug, VersionRecord,
};

/// A notebook and the version whose code came with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pulled {
    /// The notebook.
    pub notebook: NotebookRecord,
    /// The version.
    pub version: VersionRecord,
}

nbrevive_corpus::string_enum! {
    /// The order of a list of notebooks.
    pub enum SortBy ("order") {
        /// As the site shows them.
        Hotness => "hotness",
        /// By comments.
        CommentCount => "commentCount",
        /// By date of creation.
        DateCreated => "dateCreated",
        /// By date of the last run.
        DateRun => "dateRun",
        /// By best public score, the smallest first.
        ScoreAscending => "scoreAscending",
        /// By best public score, the largest first.
        ScoreDescending => "scoreDescending",
        /// By views.
        ViewCount => "viewCount",
        /// By votes.
        VoteCount => "voteCount",
    }
}

/// What a list of notebooks is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Query {
    pub(crate) competition: Slug,
    pub(crate) sort: SortBy,
    pub(crate) language: Option<CodeLanguage>,
    pub(crate) kind: Option<CodeKind>,
    pub(crate) search: Option<String>,
    pub(crate) page_size: u32,
}

/// The spelling of the newer generation: `dateCreated` is `DATE_CREATED`.
fn shouted(word: &str) -> String {
    let mut out = String::new();
    for character in word.chars() {
        if character.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(character.to_ascii_uppercase());
    }
    out
}

impl Query {
    pub(crate) fn ask(&self, generation: Generation, page: u32, token: Option<String>) -> Ask {
        let words = |word: &str| match generation {
            Generation::Legacy => word.to_owned(),
            Generation::Modern => shouted(word),
        };
        let mut ask = Ask::new(&["kernels", "list"], "kernels.KernelsApiService/ListKernels")
            .with("competition", self.competition.as_str())
            .with("group", words("everyone"))
            .with("sortBy", words(self.sort.as_str()))
            .with("pageSize", self.page_size)
            .of(&self.competition);
        if let Some(language) = self.language {
            ask = ask.with("language", language.as_str());
        }
        if let Some(kind) = self.kind {
            ask = ask.with("kernelType", kind.as_str());
        }
        if let Some(search) = &self.search {
            ask = ask.with("search", search.as_str());
        }
        match token {
            Some(token) => ask.with("pageToken", token),
            None => ask.with("page", page),
        }
    }
}

impl Api {
    /// One notebook with its code: the current version, or the one with this number (newer generation only; that it gives
    /// one's own is confirmed in issue 1200 of the official client, whether those of other people is not known). The code is
    /// kept in the raw store.
    ///
    /// # Errors
    /// [`ApiError`].
    pub fn notebook(&self, name: &NotebookName, version: Option<u32>) -> Result<Pulled, ApiError> {
        let generation = self.generation();
        if let (Generation::Legacy, Some(number)) = (generation, version) {
            return Err(ApiError::OldVersions { what: format!("{name}#{number}") });
        }
        let ask = pull(name, version);
        let item = ask.item.clone().unwrap_or_default();
        let (mut pulled, code) = self.answer(&ask, |bytes, origin| {
            pulled(&json(bytes)?, name, version, generation, origin).map_err(BodyFault::from)
        })?;
        pulled.version.code = Some(self.store().keep(MiningSource::KaggleApi, &item, code.as_bytes())?);
        Ok(pulled)
    }

    /// How the run of a notebook's current version ended; `None` when the word is not known.
    ///
    /// # Errors
    /// [`ApiError`]; [`ApiError::NotAvailable`] is usual for other people's notebooks.
    pub fn status(&self, name: &NotebookName) -> Result<Option<RunStatus>, ApiError> {
        let generation = self.generation();
        self.answer(&status(name), |bytes, _| {
            let value = json(bytes)?;
            let fields = Fields::new(&value, "")?;
            let word = match generation {
                Generation::Legacy => fields.text("status")?.ok_or_else(|| fields.wrong("status", "a word"))?,
                Generation::Modern => fields.text("status")?.unwrap_or("QUEUED"),
            };
            Ok(RunStatus::from_name(word))
        })
    }

    pub(crate) fn list_page(&self, ask: &Ask) -> Result<Page<NotebookRecord>, ApiError> {
        let generation = self.generation();
        self.answer(ask, |bytes, origin| entries(&json(bytes)?, generation, origin))
    }
}

pub(crate) fn pull(name: &NotebookName, version: Option<u32>) -> Ask {
    let ask = named(Ask::new(&["kernels", "pull"], "kernels.KernelsApiService/GetKernel"), name);
    match version {
        Some(number) => ask.with("versionLabel", format!("v{number}")).about(format!("{name}#{number}")),
        None => ask.about(name.to_string()),
    }
}

fn status(name: &NotebookName) -> Ask {
    let ask = Ask::new(&["kernels", "status"], "kernels.KernelsApiService/GetKernelSessionStatus");
    named(ask, name).about(name.to_string())
}

fn named(ask: Ask, name: &NotebookName) -> Ask {
    ask.with("userName", name.owner.as_str()).with("kernelSlug", name.slug.as_str())
}

fn entries(value: &Value, generation: Generation, origin: &Origin) -> Result<Page<NotebookRecord>, BodyFault> {
    let (list, next) = page(value, "kernels", generation)?;
    let entry = |(place, value): (usize, &Value)| -> Result<Result<NotebookRecord, RefusedCompetition>, ShapeError> {
        let fields = Fields::new(value, &format!("kernels[{place}]"))?;
        let name = fields.name("ref")?;
        match NotebookName::new(name) {
            Ok(name) => Ok(Ok(record(&fields, &name, generation, origin)?)),
            Err(why) => Ok(Err(RefusedCompetition { origin: origin.clone(), why })),
        }
    };
    Ok(Page { entries: list.iter().enumerate().map(entry).collect::<Result<_, _>>()?, next })
}

fn record(
    fields: &Fields<'_>,
    name: &NotebookName,
    generation: Generation,
    origin: &Origin,
) -> Result<NotebookRecord, ShapeError> {
    let text = |name: &str| Ok::<_, ShapeError>(fields.text(name)?.map(str::to_owned));
    Ok(NotebookRecord {
        key: NotebookKey::Kaggle(name.clone()),
        id: fields.id("id")?,
        title: text("title")?,
        author: text("author")?,
        language: fields.text("language")?.and_then(CodeLanguage::from_name),
        kind: fields.text("kernelType")?.and_then(CodeKind::from_name),
        last_run: fields.moment("lastRunTime")?,
        votes: generation.known(fields.number("totalVotes")?),
        current_version: number(fields, "currentVersionNumber")?,
        copied_from: None,
        origin: origin.clone(),
    })
}

fn number(fields: &Fields<'_>, name: &'static str) -> Result<Option<u32>, ShapeError> {
    let number = fields.id(name)?;
    number.map(|number| u32::try_from(number).map_err(|_| fields.wrong(name, "a version's number"))).transpose()
}

/// The records of a pull, and the code.
fn pulled(
    value: &Value,
    name: &NotebookName,
    asked: Option<u32>,
    generation: Generation,
    origin: &Origin,
) -> Result<(Pulled, String), ShapeError> {
    let top = Fields::new(value, "")?;
    let (metadata, blob) = (top.object("metadata")?, top.object("blob")?);
    // An answer about nothing in particular is none.
    if metadata.text("ref")?.is_none() && metadata.id("id")?.is_none() {
        return Err(metadata.wrong("ref", "a name"));
    }
    let code = blob.text("source")?.unwrap_or_default();
    let mut notebook = record(&metadata, name, generation, origin)?;
    notebook.language = notebook.language.or(blob.text("language")?.and_then(CodeLanguage::from_name));
    notebook.kind = notebook.kind.or(blob.text("kernelType")?.and_then(CodeKind::from_name));
    let version = VersionRecord {
        number: asked.or(notebook.current_version),
        title: notebook.title.clone(),
        language: notebook.language,
        kind: notebook.kind,
        data_sources: data_sources(&metadata, value, generation)?,
        image: metadata.text("dockerImage")?.map(str::to_owned),
        gpu: generation.known(metadata.switch("enableGpu")?),
        internet: generation.known(metadata.switch("enableInternet")?),
        votes: notebook.votes,
        ..VersionRecord::unknown(notebook.key.clone(), origin.clone())
    };
    Ok((Pulled { notebook, version }, code.to_owned()))
}

/// What the version reads; unknown when the older generation, which tells even empty lists, has none of them.
fn data_sources(
    metadata: &Fields<'_>,
    value: &Value,
    generation: Generation,
) -> Result<Option<Vec<MinedDataSource>>, ShapeError> {
    let lists = [
        (DataKind::Competition, "competitionDataSources"),
        (DataKind::Dataset, "datasetDataSources"),
        (DataKind::Notebook, "kernelDataSources"),
        (DataKind::Model, "modelDataSources"),
    ];
    let told = lists.iter().any(|(_, list)| value["metadata"][*list].is_array());
    let mut sources = Vec::new();
    for (kind, list) in lists {
        let names = metadata.texts(list)?;
        sources.extend(names.into_iter().map(|name| MinedDataSource { kind, name: name.to_owned() }));
    }
    sources.sort();
    sources.dedup();
    Ok((told || generation == Generation::Modern).then_some(sources))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::raw::ContentHash;
    use crate::testing::any_answer;

    const NAMES: &str = "kernels|metadata|blob|source|ref|id|title|language|kernelType|lastRunTime|currentVersionNumber|\
                     totalVotes|datasetDataSources|enableGpu|nextPageToken|code|error|message";
    const TEXTS: &str = "\\PC{0,8}|ada/x|2022-03-02T10:11:12Z|python|notebook|../..";

    proptest! {
        #[test]
        fn no_answer_does_harm_and_none_names_a_hostile_notebook(value in any_answer(NAMES, TEXTS), modern: bool) {
            let generation = if modern { Generation::Modern } else { Generation::Legacy };
            let origin = Origin { source: MiningSource::KaggleApi, request: "x".into(), raw: ContentHash::of(b"") };
            let name = NotebookName::new("ada/x").unwrap();
            let _ = pulled(&value, &name, None, generation, &origin);
            if let Ok(page) = entries(&value, generation, &origin) {
                for record in page.entries.into_iter().flatten() {
                    prop_assert!(record.key.to_string().parse::<NotebookKey>().is_ok());
                }
            }
        }
    }

    #[test]
    fn words_are_shouted_in_the_newer_generation() {
        assert_eq!(shouted("dateCreated"), "DATE_CREATED");
        assert_eq!(shouted("hotness"), "HOTNESS");
    }
}
