//! Competitions: one by name, and the list of all.

use serde_json::Value;

use super::ask::Ask;
use super::client::Api;
use super::endpoint::Generation;
use super::error::ApiError;
use super::shape::{BodyFault, Fields, ShapeError, json};
use crate::records::{CompetitionRecord, NameError, Origin, Slug};

/// Most pages of the list of competitions that are read: the real one has some hundred, of 20.
const MOST_PAGES: u32 = 2000;

/// An entry of a list that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedCompetition {
    /// The page that it stood on.
    pub origin: Origin,
    /// What is wrong with its name.
    pub why: NameError,
}

/// Every competition that the account can see.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Competitions {
    /// In the order of the list.
    pub competitions: Vec<CompetitionRecord>,
    /// Entries that cannot be used.
    pub refused: Vec<RefusedCompetition>,
}

/// A page of a list: its entries, and the token of the next page where there is one.
pub(crate) struct Page<T> {
    pub(crate) entries: Vec<Result<T, RefusedCompetition>>,
    pub(crate) next: Option<String>,
}

impl Api {
    /// One competition.
    ///
    /// # Errors
    /// [`ApiError`].
    pub fn competition(&self, slug: &Slug) -> Result<CompetitionRecord, ApiError> {
        let ask = competition(slug);
        let generation = self.generation();
        self.answer(&ask, |bytes, origin| {
            let value = json(bytes)?;
            Ok(record(&Fields::new(&value, "")?, slug.clone(), generation, origin)?)
        })
    }

    /// Every competition, page by page until a page brings nothing new.
    ///
    /// # Errors
    /// [`ApiError`].
    pub fn competitions(&self) -> Result<Competitions, ApiError> {
        let mut all = Competitions::default();
        let mut seen = std::collections::HashSet::new();
        let mut token = None;
        for number in 1..=MOST_PAGES {
            let ask = list(number, token.take());
            let generation = self.generation();
            let page = self.answer(&ask, |bytes, origin| entries(&json(bytes)?, generation, origin))?;
            let before = seen.len();
            for entry in page.entries {
                match entry {
                    Ok(record) if seen.insert(record.slug.clone()) => all.competitions.push(record),
                    Ok(_) => {}
                    Err(refused) => all.refused.push(refused),
                }
            }
            token = page.next;
            if seen.len() == before || (generation == Generation::Modern && token.is_none()) {
                break;
            }
        }
        Ok(all)
    }
}

pub(crate) fn competition(slug: &Slug) -> Ask {
    Ask::new(&["competitions", "get", slug.as_str()], "competitions.CompetitionApiService/GetCompetition")
        .with_in_path("competitionName", slug.as_str())
        .of(slug)
}

fn list(page: u32, token: Option<String>) -> Ask {
    let ask = Ask::new(&["competitions", "list"], "competitions.CompetitionApiService/ListCompetitions");
    match token {
        Some(token) => ask.with("pageToken", token),
        None => ask.with("page", page),
    }
}

fn entries(value: &Value, generation: Generation, origin: &Origin) -> Result<Page<CompetitionRecord>, BodyFault> {
    let (list, next) = page(value, "competitions", generation)?;
    let entry = |(place, value): (usize, &Value)| -> Result<Result<CompetitionRecord, RefusedCompetition>, ShapeError> {
        let fields = Fields::new(value, &format!("competitions[{place}]"))?;
        let name = fields.name("ref")?;
        // The reference may be the page's address.
        let last = name.rsplit('/').next().unwrap_or(name);
        match Slug::new(if name.contains("://") { last } else { name }) {
            Ok(slug) => Ok(Ok(record(&fields, slug, generation, origin)?)),
            Err(why) => Ok(Err(RefusedCompetition { origin: origin.clone(), why })),
        }
    };
    Ok(Page { entries: list.iter().enumerate().map(entry).collect::<Result<_, _>>()?, next })
}

/// The elements of a list in either form, and the token of its next page.
pub(crate) fn page<'a>(
    value: &'a Value,
    name: &str,
    generation: Generation,
) -> Result<(&'a [Value], Option<String>), ShapeError> {
    if let Value::Array(list) = value {
        return Ok((list, None));
    }
    let fields = Fields::new(value, "")?;
    // Without elements the newer generation leaves the list out; the older one never does.
    if generation == Generation::Legacy && value[name].is_null() {
        return Err(fields.wrong(name, "a list"));
    }
    Ok((fields.list(name)?, fields.text("nextPageToken")?.map(str::to_owned)))
}

fn record(
    fields: &Fields<'_>,
    slug: Slug,
    generation: Generation,
    origin: &Origin,
) -> Result<CompetitionRecord, ShapeError> {
    let text = |name: &str| Ok::<_, ShapeError>(fields.text(name)?.map(str::to_owned));
    let count = |name: &str| Ok::<_, ShapeError>(generation.known(fields.number(name)?));
    if fields.text("ref")?.is_none() && fields.id("id")?.is_none() {
        return Err(fields.wrong("ref", "a name"));
    }
    Ok(CompetitionRecord {
        slug,
        id: fields.id("id")?,
        title: text("title")?,
        category: text("category")?,
        metric: text("evaluationMetric")?,
        enabled: fields.moment("enabledDate")?,
        deadline: fields.moment("deadline")?,
        teams: count("teamCount")?,
        notebooks: count("kernelCount")?,
        notebooks_only: generation.known(fields.switch("isKernelsSubmissionsOnly")?),
        origin: origin.clone(),
    })
}

impl Generation {
    /// A value that the newer generation leaves out when it is at its default, so that absence is knowledge.
    pub(crate) fn known<T: Default>(self, value: Option<T>) -> Option<T> {
        match self {
            Self::Legacy => value,
            Self::Modern => Some(value.unwrap_or_default()),
        }
    }
}
