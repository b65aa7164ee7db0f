//! `nbrevive mine replay`: everything again from the raw answers, without the network. The rows of each source are replaced at once.
//!
//! Folders, repositories and the dump are read again where they lie, examples from archives that are kept: they need no network.

use nbrevive_mine::records::MiningSource;
use nbrevive_study::Mining;

use super::interrupt::Interrupt;
use super::screen::Screen;
use super::{ask, failure, open, report};
use crate::Outcome;
use crate::arguments::MinePlace;
use crate::exit_code::{Exit, Failure};

/// Replays every source of the study's file.
pub(super) fn run(place: &MinePlace) -> Outcome {
    let mut mining = open(place)?;
    let interrupt = Interrupt::listen()?;
    for source in mining.study.mine.sources.clone() {
        read(&mut mining, &interrupt, source)?;
    }
    report(&mining)?;
    Ok(Exit::Success)
}

#[deny(clippy::wildcard_enum_match_arm)]
fn read(mining: &mut Mining, interrupt: &Interrupt, source: MiningSource) -> Result<(), Failure> {
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
