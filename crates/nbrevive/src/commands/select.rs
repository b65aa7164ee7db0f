//! `nbrevive select`: what was mined, through the study's funnel, into a corpus.

mod dump;

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_corpus::HostTold;
use nbrevive_corpus::funnel::{PublishedFunnel, Tally};
use nbrevive_corpus::sample::{DrawError, Item, SampleRequest, smoke, stratified, stratum_name};
use nbrevive_mine::records::{HostedFacts, RepositoryRecord};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::dataset::Variant;
use nbrevive_store::{Store, mined, selections};
use nbrevive_study::{JudgedVersion, Selection, SelectionError, Study, judge_mined, write_corpus};

use crate::Outcome;
use crate::arguments::SelectArguments;
use crate::commands::export::write;
use crate::commands::mine::{corpus_failure, raw_store};
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Contents with several names that are told of; the rest is counted.
const MOST_TOLD: usize = 20;

/// Judges, draws, writes the corpus, stores the decision, prints the funnel.
pub(crate) fn run(arguments: &SelectArguments) -> Outcome {
    let study = Study::load(&arguments.place.study).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let published = published(&study)?;
    if let Some(dump) = &arguments.dump {
        return dump::funnel(dump, &study, published.as_ref(), arguments.json);
    }
    let Some(out) = &arguments.out else {
        return Err(Failure { exit: Exit::BadInput, message: Shown::literal("say with --out where the corpus goes") });
    };
    let mut store = Store::open(&arguments.place.store).map_err(|error| store_failure(&error))?;
    let raw = raw_store(&arguments.place.store)?;
    let selection = judge_mined(&store, &raw, &study).map_err(|error| match &error {
        SelectionError::Store(inner) => store_failure(inner),
        SelectionError::Competition(_) => Failure::new(Exit::BadInput, &error),
    })?;
    let repositories = repositories(&study, &store)?;
    if selection.versions.is_empty() && repositories.is_empty() {
        let message = shown!("nothing was mined into {}: run `nbrevive mine` first", arguments.place.store.display());
        return Err(Failure { exit: Exit::BadInput, message });
    }
    let drawn = draw(arguments, &selection).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let chosen: Vec<&JudgedVersion> =
        selection.versions.iter().filter(|version| drawn.contains(&version.version.key)).collect();
    let folder = std::path::absolute(out).map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
    selections::note_corpus(&mut store, &folder.to_string_lossy()).map_err(|error| store_failure(&error))?;
    let count = write_corpus(&raw, &chosen, &repositories, &folder).map_err(|error| corpus_failure(&error))?;
    let stratum = |version: &JudgedVersion| {
        (arguments.sample.is_some() && version.is_kept()).then(|| stratum_name(&version.item(), &arguments.by))
    };
    let rows = selection.rows(|version| (drawn.contains(&version.version.key), stratum(version)));
    // Repositories go through no funnel.
    let steps = if selection.versions.is_empty() { Vec::new() } else { selection.steps() };
    selections::replace(&mut store, &rows, &steps).map_err(|error| store_failure(&error))?;
    write(&store, &store.folder().join("data"), Variant::Full)?;
    if !selection.versions.is_empty() {
        show(&selection.tally, published.as_ref(), arguments.json)?;
    }
    for (reason, count) in selection.unusable() {
        printer::note(&shown!("{} passed the funnel and cannot be written: {}", count, reason));
    }
    tell_equal(&selection);
    printer::note(&shown!("wrote {} notebooks to {}", count, out.display()));
    Ok(Exit::Success)
}

/// Says which of the kept versions are one another's, whatever their names: nobody marked them as copies.
fn tell_equal(selection: &Selection) {
    let equal = selection.equal();
    for keys in equal.iter().take(MOST_TOLD) {
        let keys = Shown::joined(keys.iter().map(|key| Shown::line(*key)), ", ");
        printer::note(&shown!("the same code under several names: {}", keys));
    }
    if let Some(more) = equal.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
        printer::note(&shown!("the same code under several names: {} times more", more));
    }
}

/// The repositories that were mined, of which all notebooks are written; none where scores are asked for, which they have not.
fn repositories(study: &Study, store: &Store) -> Result<Vec<(RepositoryRecord, HostTold)>, Failure> {
    let mined = mined::repositories(store).map_err(|error| store_failure(&error))?;
    let facts = mined::hosted(store).map_err(|error| store_failure(&error))?.into_iter().filter_map(|one| one.facts);
    let mut told: BTreeMap<String, HostTold> =
        facts.map(|facts| (facts.name.as_str().to_owned(), host_told(facts))).collect();
    let with_told = |record: RepositoryRecord| {
        let told = told.remove(record.name.as_str()).unwrap_or_default();
        (record, told)
    };
    let mined: Vec<_> = mined.into_iter().map(with_told).collect();
    if !study.judge.asks_scores() || mined.is_empty() {
        return Ok(mined);
    }
    let why = "repositories are left out: judge = \"score\" asks for scores, and nothing gives them one";
    printer::note(&shown!("{} {}", mined.len(), why));
    Ok(Vec::new())
}

fn host_told(facts: HostedFacts) -> HostTold {
    HostTold {
        stars: facts.stars.map(|stars| u32::try_from(stars).unwrap_or(u32::MAX)),
        licence: facts.licence,
        is_fork: facts.is_fork,
        is_archived: facts.is_archived,
    }
}

/// What the paper says of its own funnel.
fn published(study: &Study) -> Result<Option<PublishedFunnel>, Failure> {
    let Some(path) = &study.published else { return Ok(None) };
    PublishedFunnel::load(path).map_err(|error| Failure::new(Exit::BadInput, &error))
}

/// The keys of the versions that are written.
fn draw(arguments: &SelectArguments, selection: &Selection) -> Result<BTreeSet<String>, DrawError> {
    let kept: Vec<Item> =
        selection.versions.iter().filter(|version| version.is_kept()).map(JudgedVersion::item).collect();
    let keys = match (arguments.sample, arguments.smoke) {
        (Some(size), _) => {
            let request = SampleRequest { by: arguments.by.clone(), seed: arguments.seed, ..SampleRequest::of(size) };
            let sample = stratified(&kept, &request)?;
            printer::note(&Shown::block(&sample.to_string()));
            sample.keys
        }
        (None, Some(size)) => smoke(&kept, size)?,
        (None, None) => kept.into_iter().map(|item| item.key).collect(),
    };
    Ok(keys.into_iter().collect())
}

/// The funnel, on standard output.
fn show(tally: &Tally, published: Option<&PublishedFunnel>, json: bool) -> Result<(), Failure> {
    if json {
        let text = serde_json::to_string_pretty(tally).map_err(|error| Failure::new(Exit::Other, &error))?;
        printer::data(&shown!("{}\n", Shown::json(&text)));
    } else {
        printer::data(&shown!("{}\n", Shown::block(&tally.beside(published).to_string())));
    }
    Ok(())
}
