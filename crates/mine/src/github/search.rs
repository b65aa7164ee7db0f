//! The search for repositories in tiers of stars and dates, and the draw of some of each.
//!
//! A tier's results are cut into slices that the search gives whole, and a place among all of them is drawn by chance:
//! only the pages on which drawn places lie are fetched, so that a tier of a million repositories is no million of
//! results.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::ask::{HubAsk, PAGE};
use super::client::Hub;
use super::draw::ByChance;
use super::error::HubError;
use super::facts::{Page, page};
use super::name::HubName;
use super::slice::{CreatedRange, SearchSlice, StarRange};
use crate::records::Origin;

/// Results that one search gives, by the host's documentation.
const REACH: u64 = 1000;
/// How often a page whose search ran out of time is asked for.
const PATIENCE: u32 = 3;
/// How often a slice is halved only because the host runs out of time in it.
const MOST_HURRIED: u32 = 4;
/// Longest language that is taken, in bytes.
const LONGEST_LANGUAGE: usize = 60;

/// One stratum of a search.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HubTier {
    /// The stars, both ends included: `1000..`, `100..999`.
    pub stars: StarRange,
    /// The days of creation, both ends included. Default: all.
    #[serde(default)]
    pub created: CreatedRange,
    /// How many are drawn; all of them where there are fewer.
    pub count: usize,
}

/// A search for repositories.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HubSearch {
    /// The language of most of a repository's code, in the host's words. Default `Jupyter Notebook`.
    #[serde(default = "notebooks")]
    pub language: String,
    /// Whether forks are searched too. Default no, as the host does it.
    #[serde(default)]
    pub forks: bool,
    /// The strata, in the order in which they are drawn. A repository that an earlier one has drawn is not drawn again.
    pub tiers: Vec<HubTier>,
    /// Another seed draws others. Default 0.
    #[serde(default)]
    pub seed: u64,
}

fn notebooks() -> String {
    "Jupyter Notebook".to_owned()
}

/// What the search in one tier came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TierFound {
    /// Stars and dates of the tier.
    pub tier: String,
    /// Results in all, as the host counts them.
    pub total: u64,
    /// Slices into which they were cut.
    pub slices: usize,
    /// Results beyond the reach of every slice: more than 1,000 of one second and number of stars.
    pub beyond: u64,
    /// Slices of which the host ran out of time, however often it was asked and however small they were.
    pub incomplete: usize,
    /// How many were wanted.
    pub wanted: usize,
    /// How many were drawn.
    pub drawn: usize,
}

/// A repository that was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Drawn {
    pub(super) name: HubName,
    pub(super) tier: String,
    pub(super) origin: Origin,
}

/// A page with where it was read, and the number of the one after it.
struct Asked {
    page: Page,
    origin: Origin,
    next: Option<u32>,
}

/// A slice that the search gives, as far as it reaches.
struct Leaf {
    query: String,
    reachable: u64,
}

/// The slices of a tier.
#[derive(Default)]
struct Cut {
    leaves: Vec<Leaf>,
    total: u64,
    beyond: u64,
    incomplete: usize,
}

impl HubSearch {
    /// What makes no sense, in words.
    ///
    /// # Errors
    /// The sentence.
    pub fn check(&self) -> Result<(), String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || " +#-_.'".contains(c);
        if !(1..=LONGEST_LANGUAGE).contains(&self.language.len()) || !self.language.chars().all(is_plain) {
            let shown = super::name::harmless(&self.language);
            return Err(format!("`{shown}` is no language: write it as the host does, `Jupyter Notebook`"));
        }
        if self.tiers.is_empty() {
            return Err("a search has at least one tier: add `tiers = [{ stars = \"1000..\", count = 50 }]`".to_owned());
        }
        Ok(())
    }

    fn query(&self, slice: &SearchSlice) -> String {
        let forks = if self.forks { " fork:true" } else { "" };
        format!("language:\"{}\" {}{forks}", self.language, slice.query())
    }
}

impl HubTier {
    /// What it is called in rows.
    #[must_use]
    pub fn name(&self) -> String {
        format!("stars {}, created {}", self.stars, self.created)
    }
}

impl Hub {
    /// Draws in one tier; `seen` has the numbers of repositories that were drawn before.
    pub(super) fn draw(
        &self,
        search: &HubSearch,
        tier: &HubTier,
        seen: &mut BTreeSet<u64>,
    ) -> Result<(TierFound, Vec<Drawn>), HubError> {
        let cut = self.slices(search, SearchSlice::new(tier.stars, tier.created))?;
        let name = tier.name();
        let reachable = cut.leaves.iter().map(|leaf| leaf.reachable).sum();
        let mut drawn = Vec::new();
        let places = ByChance::new(reachable, format!("{} {name}", search.seed));
        for place in places {
            if drawn.len() >= tier.count {
                break;
            }
            let Some((id, found, origin)) = self.at(&cut.leaves, place)? else { continue };
            if seen.insert(id) {
                drawn.push(Drawn { name: found, tier: name.clone(), origin });
            }
        }
        let (Cut { leaves, total, beyond, incomplete }, count) = (cut, drawn.len());
        let slices = leaves.len();
        let found = TierFound { tier: name, total, slices, beyond, incomplete, wanted: tier.count, drawn: count };
        Ok((found, drawn))
    }

    /// Halves a slice until each part has no more results than a search gives.
    fn slices(&self, search: &HubSearch, whole: SearchSlice) -> Result<Cut, HubError> {
        let mut cut = Cut::default();
        // Beside each slice, how often it was halved for want of time alone.
        let mut left = vec![(whole, 0)];
        while let Some((slice, hurried)) = left.pop() {
            let query = search.query(&slice);
            let Asked { page: first, next, .. } = self.page(&query, 1)?;
            let is_long = first.total > REACH;
            let is_hurried = first.is_incomplete && hurried < MOST_HURRIED;
            let hurried = hurried + u32::from(!is_long);
            match slice.halves().filter(|_| is_long || is_hurried) {
                Some([one, other]) => left.extend([(other, hurried), (one, hurried)]),
                None => {
                    // Where the host leads to no second page there is none, whatever it counts.
                    let here = first.found.len() as u64;
                    let reachable = if next.is_some() { first.total.min(REACH) } else { here.min(first.total) };
                    cut.total = cut.total.saturating_add(first.total);
                    cut.beyond = cut.beyond.saturating_add(first.total - reachable);
                    cut.incomplete += usize::from(first.is_incomplete);
                    cut.leaves.push(Leaf { query, reachable });
                }
            }
        }
        Ok(cut)
    }

    /// The result at a place among all slices, if there is one.
    fn at(&self, leaves: &[Leaf], place: u64) -> Result<Option<(u64, HubName, Origin)>, HubError> {
        let mut place = place;
        for leaf in leaves {
            if place < leaf.reachable {
                let number = u32::try_from(place / u64::from(PAGE)).unwrap_or(u32::MAX).saturating_add(1);
                let Asked { page, origin, .. } = self.page(&leaf.query, number)?;
                let index = usize::try_from(place % u64::from(PAGE)).unwrap_or(usize::MAX);
                return Ok(page.found.into_iter().nth(index).flatten().map(|(id, name)| (id, name, origin)));
            }
            place -= leaf.reachable;
        }
        Ok(None)
    }

    /// A page of a search; asked for again while the host runs out of time.
    fn page(&self, query: &str, number: u32) -> Result<Asked, HubError> {
        let mut count = 0;
        loop {
            let ask = HubAsk::search(query, number).again(count);
            let found = self.answer(&ask, |answer| {
                Ok(Asked { page: page(answer.bytes)?, origin: answer.origin.clone(), next: answer.next })
            })?;
            count += 1;
            if !found.page.is_incomplete || count >= PATIENCE {
                return Ok(found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused() {
        let search = |text: &str| toml::from_str::<HubSearch>(text).map_err(|error| error.to_string());
        let good = search("tiers = [{ stars = \"1000..\", count = 5 }]").unwrap();
        assert_eq!((good.language.as_str(), good.check()), ("Jupyter Notebook", Ok(())));
        assert!(search("tiers = []").unwrap().check().unwrap_err().contains("at least one tier"));
        let injected = HubSearch { language: "x\" user:ada \"".into(), ..good };
        assert!(injected.check().unwrap_err().contains("no language"));
        assert!(search("tiers = [{ stars = \"many\", count = 5 }]").unwrap_err().contains("no range of stars"));
        assert!(search("tiers = [{ stars = \"1..\", count = 5, star = 1 }]").is_err());
    }

    #[test]
    fn a_query_names_language_and_slice() {
        let search: HubSearch = toml::from_str("forks = true\ntiers = [{ stars = \"7\", count = 5 }]").unwrap();
        let slice = SearchSlice::new(search.tiers[0].stars, search.tiers[0].created);
        let query = search.query(&slice);
        assert!(
            query.starts_with("language:\"Jupyter Notebook\" stars:7 created:2008") && query.ends_with(" fork:true")
        );
        assert_eq!(search.tiers[0].name(), "stars 7, created ..");
    }
}
