//! Every notebook of a competition, past the limit of one list.
//!
//! One list ends after about a thousand notebooks (issue 440 of the official client). Where it may have been cut, it is asked
//! again by language and kind, and those parts that are still cut in every order, and with every search word of the settings.
//! What all of that finds is put together; whether it is everything is said, not assumed.

use std::collections::HashSet;

use super::client::Api;
use super::competitions::RefusedCompetition;
use super::endpoint::Generation;
use super::error::ApiError;
use super::notebooks::{Query, SortBy};
use crate::records::{CodeKind, CodeLanguage, NotebookRecord, Slug};

/// How the notebooks of a competition are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// Notebooks on a page. Default 100, the most that the server gives.
    pub page_size: u32,
    /// From this many notebooks on, a list counts as cut. Default 900: the limit is about 1000, and lists shift.
    pub reach: usize,
    /// Pages in a row that bring nothing new before a list counts as ended. Default 3: pages may come twice.
    pub barren_pages: u32,
    /// Most pages of one list. Default 200.
    pub most_pages: u32,
    /// Words to search for where a list is cut in every order. Default none.
    pub words: Vec<String>,
}

impl Default for Search {
    fn default() -> Self {
        Self { page_size: 100, reach: 900, barren_pages: 3, most_pages: 200, words: Vec::new() }
    }
}

/// The notebooks of a competition.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// The competition.
    pub competition: Slug,
    /// Each notebook once, sorted by name.
    pub notebooks: Vec<NotebookRecord>,
    /// Entries that cannot be used, each once.
    pub refused: Vec<RefusedCompetition>,
    /// Whether no list was cut that was not then split into lists that were not: `false` means that there may be
    /// more, which the official dump would tell.
    pub complete: bool,
    /// Lists that were asked for.
    pub lists: u32,
    /// Pages that were read.
    pub pages: u32,
}

const LANGUAGES: [CodeLanguage; 4] = [CodeLanguage::Python, CodeLanguage::R, CodeLanguage::Sqlite, CodeLanguage::Julia];

impl Api {
    /// Every notebook of a competition that the API shows.
    ///
    /// # Errors
    /// [`ApiError`], when a page cannot be had.
    pub fn notebooks(&self, competition: &Slug, search: &Search) -> Result<Listing, ApiError> {
        let mut collection = Collection::new(self, competition, search);
        let everything = Query {
            competition: competition.clone(),
            sort: SortBy::DateCreated,
            language: None,
            kind: None,
            search: None,
            page_size: search.page_size,
        };
        if collection.read(&everything)? {
            collection.split(&everything)?;
        }
        Ok(collection.listing())
    }
}

/// What the lists of a competition have brought so far.
struct Collection<'a> {
    api: &'a Api,
    search: &'a Search,
    ids: HashSet<u64>,
    names: HashSet<String>,
    refusals: HashSet<String>,
    listing: Listing,
}

impl<'a> Collection<'a> {
    fn new(api: &'a Api, competition: &Slug, search: &'a Search) -> Self {
        let listing = Listing {
            competition: competition.clone(),
            notebooks: Vec::new(),
            refused: Vec::new(),
            complete: true,
            lists: 0,
            pages: 0,
        };
        Self { api, search, ids: HashSet::new(), names: HashSet::new(), refusals: HashSet::new(), listing }
    }

    fn listing(mut self) -> Listing {
        self.listing.notebooks.sort_by(|a, b| a.key.cmp(&b.key));
        self.listing.refused.sort_by(|a, b| a.why.shown.cmp(&b.why.shown));
        self.listing
    }

    /// Reads the parts of a list that was cut.
    fn split(&mut self, everything: &Query) -> Result<(), ApiError> {
        for language in LANGUAGES {
            for kind in [CodeKind::Notebook, CodeKind::Script] {
                let part = Query { language: Some(language), kind: Some(kind), ..everything.clone() };
                if self.read(&part)? {
                    self.listing.complete = false;
                    self.exhaust(&part)?;
                }
            }
        }
        Ok(())
    }

    /// Reads a list that is cut in every other order, and with every search word.
    fn exhaust(&mut self, part: &Query) -> Result<(), ApiError> {
        for sort in SortBy::ALL.iter().filter(|sort| **sort != part.sort) {
            self.read(&Query { sort: *sort, ..part.clone() })?;
        }
        for word in &self.search.words {
            self.read(&Query { search: Some(word.clone()), ..part.clone() })?;
        }
        Ok(())
    }

    /// Reads one list to its end; says whether it may have been cut.
    fn read(&mut self, query: &Query) -> Result<bool, ApiError> {
        self.listing.lists += 1;
        let mut seen = HashSet::new();
        let (mut barren, mut token) = (0, None);
        for number in 1..=self.search.most_pages {
            let ask = query.ask(self.api.generation(), number, token.take());
            let page = match self.api.list_page(&ask) {
                Ok(page) => page,
                // Beyond its limit a server may refuse instead of ending.
                Err(ApiError::Refused { .. } | ApiError::NotAvailable { .. }) if number > 1 => return Ok(true),
                Err(error) => return Err(error),
            };
            self.listing.pages += 1;
            if page.entries.is_empty() {
                break;
            }
            let before = seen.len();
            for entry in page.entries {
                seen.insert(self.take(entry));
            }
            barren = if seen.len() == before { barren + 1 } else { 0 };
            token = page.next;
            let last = self.api.generation() == Generation::Modern && token.is_none();
            if last || barren >= self.search.barren_pages {
                break;
            }
            if number == self.search.most_pages {
                return Ok(true);
            }
        }
        Ok(seen.len() >= self.search.reach)
    }

    /// Keeps an entry that is new; gives what it is known by.
    fn take(&mut self, entry: Result<NotebookRecord, RefusedCompetition>) -> String {
        match entry {
            Ok(record) => {
                let name = record.key.to_string();
                let new_id = record.id.is_none_or(|id| self.ids.insert(id));
                if self.names.insert(name.clone()) && new_id {
                    self.listing.notebooks.push(record);
                }
                name
            }
            Err(refused) => {
                let shown = format!("refused {}", refused.why.shown);
                if self.refusals.insert(shown.clone()) {
                    self.listing.refused.push(refused);
                }
                shown
            }
        }
    }
}
