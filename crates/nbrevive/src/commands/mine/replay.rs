//! `nbrevive mine replay`: everything again from the raw answers, without the network. The rows of each source are replaced at once.
//!
//! Folders, repositories and the dump are read again where they lie, examples from archives that are kept: they need no network.

use super::{open, read_again, report};
use crate::Outcome;
use crate::arguments::MinePlace;
use crate::commands::interrupt::Interrupt;
use crate::exit_code::Exit;

/// Replays every source of the study's file.
pub(super) fn run(place: &MinePlace) -> Outcome {
    let mut mining = open(place)?;
    let interrupt = Interrupt::listen()?;
    for source in mining.study.mine.sources.clone() {
        read_again(&mut mining, &interrupt, source)?;
    }
    report(&mining)?;
    Ok(Exit::Success)
}
