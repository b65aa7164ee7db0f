//! Lists of notebooks: which, in what order, and in pages. The API and the website share them.

use std::cmp::Reverse;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::faults::Quirks;
use crate::random::Purpose;
use crate::refusal::Refusal;
use crate::site::Site;
use crate::world::{FakeKernel, FakeKernelKind, FakeLanguage};
use nbrevive_loopback::RandomStream;

/// What is asked for; empty or `None` means no limit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Query {
    /// Index of a competition.
    pub(crate) competition: Option<u64>,
    /// `owner/slug` of a dataset.
    pub(crate) dataset: Option<String>,
    /// `owner/slug` of the notebook copied from.
    pub(crate) parent: Option<String>,
    /// User name.
    pub(crate) user: Option<String>,
    pub(crate) language: String,
    pub(crate) kernel_type: String,
    pub(crate) output_type: String,
    pub(crate) sort: String,
    pub(crate) search: String,
    /// Only the account's own.
    pub(crate) is_profile: bool,
}

/// The values of an option in one spelling: `DATE_CREATED`, `dateCreated` and `date-created` are the same.
pub(crate) fn folded(value: &str) -> String {
    value.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// All notebooks that fit, in order. Refuses values that the official client does not know.
pub(crate) fn select<'a>(site: &'a Site, query: &Query) -> Result<Vec<&'a FakeKernel>, Refusal> {
    let language = language(&query.language)?;
    let kind = kind(&query.kernel_type)?;
    let wants_data = match folded(&query.output_type).as_str() {
        "" | "all" => None,
        "data" => Some(true),
        "visualization" => Some(false),
        _ => return Err(invalid("outputType", &query.output_type)),
    };
    let search = query.search.to_lowercase();
    let mut kernels: Vec<&FakeKernel> = site
        .kernels()
        .iter()
        .filter(|kernel| if query.is_profile { site.is_own(kernel) } else { site.is_listed(kernel) })
        .filter(|kernel| language.is_none_or(|wanted| shown_language(kernel) == wanted))
        .filter(|kernel| kind.is_none_or(|wanted| kernel.kind == wanted))
        .filter(|kernel| wants_data.is_none_or(|wanted| kernel.best(&site.world).is_some() == wanted))
        .filter(|kernel| query.competition.is_none_or(|index| kernel.latest().sources.competitions.contains(&index)))
        .filter(|kernel| search.is_empty() || kernel.title.to_lowercase().contains(&search))
        .filter(|kernel| is_related(site, query, kernel))
        .collect();
    sort(site, query, &mut kernels)?;
    Ok(kernels)
}

fn is_related(site: &Site, query: &Query, kernel: &FakeKernel) -> bool {
    let world = &site.world;
    let reads = |wanted: &String| {
        kernel.latest().sources.datasets.iter().any(|index| world.dataset(*index).reference(world) == *wanted)
    };
    let descends =
        |wanted: &String| kernel.parent.is_some_and(|parent| world.kernel(parent.kernel).reference(world) == *wanted);
    query.dataset.as_ref().is_none_or(reads)
        && query.parent.as_ref().is_none_or(descends)
        && query.user.as_ref().is_none_or(|wanted| world.user(kernel.author).user_name == *wanted)
}

fn sort(site: &Site, query: &Query, kernels: &mut [&FakeKernel]) -> Result<(), Refusal> {
    let best = |kernel: &FakeKernel| kernel.best(&site.world).map(|(_, score)| score);
    let sort = folded(&query.sort);
    // The newest first among equals: each order is complete, so that pages of an undisturbed list never overlap.
    kernels.sort_by_key(|kernel| Reverse(kernel.id));
    match sort.as_str() {
        "" | "hotness" => kernels.sort_by_key(|kernel| Reverse(kernel.votes * 40 + kernel.index)),
        "commentcount" => kernels.sort_by_key(|kernel| Reverse(kernel.comments)),
        "datecreated" => kernels.sort_by_key(|kernel| Reverse(kernel.created)),
        "daterun" => kernels.sort_by_key(|kernel| Reverse(kernel.latest().created)),
        "viewcount" => kernels.sort_by_key(|kernel| Reverse(kernel.views)),
        "votecount" => kernels.sort_by_key(|kernel| Reverse(kernel.votes)),
        "relevance" if !query.search.is_empty() => kernels.sort_by_key(|kernel| kernel.title.len()),
        "scoreascending" | "scoredescending" if query.competition.is_some() => kernels.sort_by(|a, b| {
            let order = match (best(a), best(b)) {
                (Some(a), Some(b)) if sort == "scoreascending" => a.total_cmp(&b),
                (Some(a), Some(b)) => b.total_cmp(&a),
                (a, b) => b.is_some().cmp(&a.is_some()),
            };
            order.then(b.id.cmp(&a.id))
        }),
        _ => return Err(invalid("sortBy", &query.sort)),
    }
    Ok(())
}

fn invalid(name: &str, value: &str) -> Refusal {
    Refusal::new(400, &format!("Invalid value '{value}' for parameter '{name}'"))
}

fn language(text: &str) -> Result<Option<FakeLanguage>, Refusal> {
    match folded(text).as_str() {
        "" | "all" => Ok(None),
        "python" => Ok(Some(FakeLanguage::Python)),
        "r" => Ok(Some(FakeLanguage::R)),
        "sqlite" => Ok(Some(FakeLanguage::Sqlite)),
        "julia" => Ok(Some(FakeLanguage::Julia)),
        _ => Err(invalid("language", text)),
    }
}

/// R Markdown is R in lists.
fn shown_language(kernel: &FakeKernel) -> FakeLanguage {
    if kernel.language == FakeLanguage::RMarkdown { FakeLanguage::R } else { kernel.language }
}

fn kind(text: &str) -> Result<Option<FakeKernelKind>, Refusal> {
    match folded(text).as_str() {
        "" | "all" => Ok(None),
        "script" => Ok(Some(FakeKernelKind::Script)),
        "notebook" => Ok(Some(FakeKernelKind::Notebook)),
        _ => Err(invalid("kernelType", text)),
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    /// The number of the page after this one, while there is one.
    pub(crate) next: Option<usize>,
}

/// Items that a page repeats of the one before it, when pages are duplicated.
const OVERLAP: usize = 2;

/// One page, counted from 1, of `size` items of a list, with its quirks. A page beyond the end is empty.
pub(crate) fn page<T: Clone>(items: &[T], number: usize, size: usize, quirks: Quirks) -> Page<T> {
    let size = size.max(1);
    let pages = items.len().div_ceil(size).max(1);
    let shown = if quirks.is_endless { (number.max(1) - 1) % pages + 1 } else { number.max(1) };
    let place = if quirks.is_reordered { swapped(shown, items.len() / size) } else { shown };
    let end = (place * size).min(items.len());
    let mut start = ((place - 1) * size).min(items.len());
    if quirks.is_duplicated && start < end {
        start = start.saturating_sub(OVERLAP);
    }
    let mut items = items[start..end].to_vec();
    if quirks.is_reordered {
        RandomStream::of(number as u64, Purpose::Shuffle, size as u64).shuffle(&mut items);
    }
    let has_next = quirks.is_endless || shown < pages;
    Page { items, next: has_next.then_some(number.max(1) + 1) }
}

/// Pages 1 and 2, 3 and 4, … change places, as long as both are full.
fn swapped(number: usize, full: usize) -> usize {
    let other = if number % 2 == 1 { number + 1 } else { number - 1 };
    if number <= full && other <= full { other } else { number }
}

/// The token of a page: a protocol buffer with the number in field 1, as the newer generation has them (`CAI=` is page 2).
pub(crate) fn token(page: usize) -> String {
    let mut bytes = vec![8];
    let mut rest = page;
    while rest >= 0x80 {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    STANDARD.encode(bytes)
}

/// The number of the page that a token means.
pub(crate) fn untoken(token: &str) -> Result<usize, Refusal> {
    let refused = || Refusal::new(400, "Invalid page token");
    let bytes = STANDARD.decode(token).map_err(|_| refused())?;
    let Some((8, digits)) = bytes.split_first().map(|(first, rest)| (*first, rest)) else { return Err(refused()) };
    if digits.is_empty() || digits.len() > 4 {
        return Err(refused());
    }
    Ok(digits.iter().rev().fold(0, |number, byte| (number << 7) | usize::from(byte & 0x7f)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{FakeWorld, WorldSpec};

    const NONE: Quirks = Quirks { is_endless: false, is_duplicated: false, is_reordered: false };

    fn walk(count: u32, size: usize, quirks: Quirks) -> Vec<u32> {
        let items: Vec<u32> = (0..count).collect();
        let mut seen = Vec::new();
        let mut next = Some(1);
        while let Some(number) = next.filter(|number| *number < 50) {
            let page = page(&items, number, size, quirks);
            seen.extend(page.items);
            next = page.next;
        }
        seen
    }

    #[test]
    fn plain_pages_cover_the_list_once() {
        assert_eq!(walk(45, 20, NONE), (0..45).collect::<Vec<_>>());
        assert_eq!(page(&[1, 2, 3], 7, 2, NONE), Page { items: Vec::new(), next: None });
        assert_eq!(page::<u32>(&[], 1, 20, NONE), Page { items: Vec::new(), next: None });
    }

    #[test]
    fn quirks_lose_no_item() {
        let duplicated = walk(45, 20, Quirks { is_duplicated: true, ..NONE });
        assert_eq!(duplicated.len(), 45 + 2 * OVERLAP);
        let mut reordered = walk(45, 20, Quirks { is_reordered: true, ..NONE });
        assert_ne!(reordered[..20], (0..20).collect::<Vec<_>>());
        reordered.sort_unstable();
        assert_eq!(reordered, (0..45).collect::<Vec<_>>());
    }

    #[test]
    fn an_endless_list_begins_again_for_ever() {
        let seen = walk(45, 20, Quirks { is_endless: true, ..NONE });
        assert_eq!(seen[45..90], (0..45).collect::<Vec<_>>());
        assert!(seen.len() > 700);
    }

    #[test]
    fn tokens_are_those_of_the_facts() {
        assert_eq!(token(2), "CAI=");
        for number in [1, 2, 127, 128, 300, 20_000] {
            assert_eq!(untoken(&token(number)), Ok(number));
        }
        assert!(untoken("rubbish!").is_err() && untoken("AAA=").is_err() && untoken("").is_err());
    }

    #[test]
    fn every_order_holds_the_same_notebooks_and_unknown_values_are_refused() {
        let site = Site::new(FakeWorld::new(WorldSpec::default()));
        let with = |sort: &str, search: &str| {
            let query = Query { competition: Some(0), sort: sort.into(), search: search.into(), ..Query::default() };
            select(&site, &query).map(|kernels| kernels.iter().map(|kernel| kernel.id).collect::<Vec<_>>())
        };
        let mut expected = with("", "").unwrap();
        assert!(expected.len() > 10);
        assert_eq!(with("scoreDescending", "").unwrap().len(), expected.len());
        expected.sort_unstable();
        for sort in ["hotness", "COMMENT_COUNT", "dateCreated", "DATE_RUN", "viewCount", "voteCount", "scoreAscending"]
        {
            let mut ids = with(sort, "").unwrap();
            ids.sort_unstable();
            assert_eq!(ids, expected, "{sort}");
        }
        assert_eq!(with("relevance", "").unwrap_err().status, 400);
        assert_eq!(with("beauty", "").unwrap_err().status, 400);
        assert!(with("relevance", "eda").is_ok());
    }
}
