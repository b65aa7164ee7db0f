//! `nbrevive mine`: from the sources that the study's file names into the store.
//!
//! | file | purpose |
//! |---|---|
//! | `screen.rs`, `progress.rs` | what is told meanwhile; rate, requests left, time left |
//! | `examples.rs` | the source that asks the package index |
//! | `replay.rs`, `compare.rs`, `ids.rs`, `take_down.rs` | the other subcommands |
//! | `failure.rs` | exit codes |

mod compare;
mod examples;
mod failure;
mod ids;
mod progress;
mod replay;
mod screen;
mod take_down;

use std::path::Path;

use nbrevive_mine::raw::RawStore;
use nbrevive_mine::records::MiningSource;
use nbrevive_shown::{Shown, shown};
use nbrevive_store::dataset::Variant;
use nbrevive_store::mined;
use nbrevive_study::{Mining, MiningEnd, raw_answers};

use crate::Outcome;
use crate::arguments::{MineArguments, MineCommand, MinePlace};
use crate::commands::export::write;
use crate::commands::interrupt::Interrupt;
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;
pub(crate) use failure::corpus_failure;
use failure::{failure, raw_failure};
use screen::Screen;

/// Runs the subcommand, or mines.
pub(crate) fn run(arguments: &MineArguments) -> Outcome {
    match &arguments.command {
        None => mine(arguments),
        Some(MineCommand::Replay) => replay::run(&arguments.place),
        Some(MineCommand::Compare(compare)) => compare::run(&arguments.place, compare),
        Some(MineCommand::ExportIds(export)) => ids::export(&arguments.place, export),
        Some(MineCommand::FetchIds(list)) => ids::fetch(&arguments.place, &list.file),
        Some(MineCommand::TakeDown(list)) => take_down::run(&arguments.place, &list.file),
    }
}

/// Opens what the arguments name; the store is locked until this is dropped.
fn open(place: &MinePlace) -> Result<Mining, Failure> {
    Mining::open(&place.study, &place.store).map_err(|error| failure(&error))
}

/// The raw answers of a store.
pub(crate) fn raw_store(store: &Path) -> Result<RawStore, Failure> {
    raw_answers(store).map_err(|error| raw_failure(&error))
}

fn mine(arguments: &MineArguments) -> Outcome {
    let mut mining = open(&arguments.place)?;
    let mine = &mut mining.study.mine;
    mine.reuse_since = arguments.reuse_since.or(mine.reuse_since);
    let interrupt = Interrupt::listen()?;
    let sources =
        if arguments.sources.is_empty() { mining.study.mine.sources.clone() } else { arguments.sources.clone() };
    let mut total = MiningEnd::default();
    let mut first: Option<Failure> = None;
    for source in sources {
        match ask(&mut mining, &interrupt, source) {
            Ok(end) => {
                total.unsure += end.unsure;
                total.rules += end.rules;
                total.is_stopped |= end.is_stopped;
            }
            // Sources do not depend on each other: the rest is mined, and the first failure is the program's.
            Err(error) => {
                printer::error(&shown!("{}: {}", source, error.message));
                first.get_or_insert(error);
            }
        }
        if total.is_stopped {
            break;
        }
    }
    report(&mining)?;
    finish(total, first.as_ref())
}

/// Mines one source.
#[deny(clippy::wildcard_enum_match_arm)]
fn ask(mining: &mut Mining, interrupt: &Interrupt, source: MiningSource) -> Result<MiningEnd, Failure> {
    let mut screen = Screen::new(mining, interrupt);
    let end = match source {
        MiningSource::KaggleApi => mining.kaggle_api(&mut screen),
        MiningSource::Folder => mining.folders(&mut screen),
        MiningSource::Git => mining.repositories(&mut screen),
        MiningSource::MetaKaggle => mining.kaggle_dump(&mut screen),
        MiningSource::Browser => mining.kaggle_pages(&mut screen),
        MiningSource::GitHub => mining.github(&mut screen),
        MiningSource::Examples => return examples::mine(mining, interrupt),
    };
    end.map_err(|error| failure(&error))
}

/// Reads one source again from its raw answers, or where it lies: its rows are replaced.
#[deny(clippy::wildcard_enum_match_arm)]
fn read_again(mining: &mut Mining, interrupt: &Interrupt, source: MiningSource) -> Result<(), Failure> {
    let mut screen = Screen::new(mining, interrupt);
    let read = match source {
        MiningSource::KaggleApi => mining.kaggle_api_again(&mut screen),
        MiningSource::Browser => mining.kaggle_pages_again(&mut screen),
        MiningSource::GitHub => mining.github_again(&mut screen),
        MiningSource::Folder | MiningSource::Git | MiningSource::MetaKaggle | MiningSource::Examples => {
            return ask(mining, interrupt, source).map(drop);
        }
    };
    read.map_err(|error| failure(&error))
}

/// Writes the parquet files, and says what the store holds.
fn report(mining: &Mining) -> Result<(), Failure> {
    let store = &mining.store;
    let versions = write(store, &store.folder().join("data"), Variant::Full)?.mined;
    for (kind, source, count) in mined::counts(store).map_err(|error| store_failure(&error))? {
        printer::note(&shown!("{:<12} {:<12} {:>8}", source, kind, count));
    }
    printer::note(&shown!("{} versions in {}", versions, store.folder().display()));
    Ok(())
}

fn finish(total: MiningEnd, failure: Option<&Failure>) -> Outcome {
    if total.is_stopped {
        printer::note(&Shown::literal("stopped; run again to go on"));
        return Ok(Exit::Stopped);
    }
    if let Some(Failure { exit, .. }) = failure {
        return Ok(*exit);
    }
    match total {
        MiningEnd { rules: 1.., .. } => Ok(Exit::Rules),
        MiningEnd { unsure: 1.., .. } => {
            printer::note(&shown!("{} items could not be had for now; run again to ask for them", total.unsure));
            Ok(Exit::Incomplete)
        }
        _ => Ok(Exit::Success),
    }
}
