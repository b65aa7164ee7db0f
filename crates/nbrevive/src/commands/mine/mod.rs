//! `nbrevive mine`: from the sources that the study's file names into the store.
//!
//! | file | purpose |
//! |---|---|
//! | `workplace.rs` | study, store and raw answers, opened |
//! | `interrupt.rs` | Ctrl-C |
//! | `recorder.rs` | what sources tell, into the store in batches |
//! | `progress.rs` | rate, requests left, time left |
//! | `api.rs`, `browser.rs`, `dump.rs`, `examples.rs`, `github.rs`, `local.rs` | the sources |
//! | `replay.rs`, `compare.rs`, `ids.rs`, `take_down.rs` | the other subcommands |

mod api;
mod browser;
mod compare;
mod dump;
mod examples;
mod github;
mod ids;
mod interrupt;
mod local;
mod progress;
mod recorder;
mod replay;
mod take_down;
mod workplace;

use nbrevive_mine::records::MiningSource;
use nbrevive_shown::{Shown, shown};

use crate::Outcome;
use crate::arguments::{MineArguments, MineCommand};
use crate::exit_code::{Exit, Failure};
use crate::printer;
use interrupt::Interrupt;
use workplace::Workplace;

/// Opens the raw answers of a store, for other commands.
pub(crate) use take_down::corpus_failure;
pub(crate) use workplace::raw_store;

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

/// How one source came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Ending {
    /// Items that another run may bring.
    unsure: usize,
    /// Competitions whose rules are not accepted.
    rules: usize,
    /// Somebody stopped it.
    stopped: bool,
}

fn mine(arguments: &MineArguments) -> Outcome {
    let mut workplace = Workplace::open(&arguments.place)?;
    let mine = &mut workplace.study.mine;
    mine.reuse_since = arguments.reuse_since.or(mine.reuse_since);
    let interrupt = Interrupt::listen()?;
    let sources =
        if arguments.sources.is_empty() { workplace.study.mine.sources.clone() } else { arguments.sources.clone() };
    let mut total = Ending::default();
    let mut failure: Option<Failure> = None;
    for source in sources {
        match ask(&mut workplace, &interrupt, source) {
            Ok(ending) => {
                total.unsure += ending.unsure;
                total.rules += ending.rules;
                total.stopped |= ending.stopped;
            }
            // Sources do not depend on each other: the rest is mined, and the first failure is the program's.
            Err(error) => {
                printer::error(&shown!("{}: {}", source, error.message));
                failure.get_or_insert(error);
            }
        }
        if total.stopped {
            break;
        }
    }
    workplace.report()?;
    finish(total, failure.as_ref())
}

#[deny(clippy::wildcard_enum_match_arm)]
fn ask(workplace: &mut Workplace, interrupt: &Interrupt, source: MiningSource) -> Result<Ending, Failure> {
    match source {
        MiningSource::KaggleApi => api::mine(workplace, interrupt),
        MiningSource::Folder => local::folders(workplace, interrupt),
        MiningSource::Git => local::repositories(workplace, interrupt),
        MiningSource::MetaKaggle => dump::mine(workplace, interrupt),
        MiningSource::Browser => browser::mine(workplace, interrupt),
        MiningSource::GitHub => github::mine(workplace, interrupt),
        MiningSource::Examples => examples::mine(workplace, interrupt),
    }
}

fn finish(total: Ending, failure: Option<&Failure>) -> Outcome {
    if total.stopped {
        printer::note(&Shown::literal("stopped; run again to go on"));
        return Ok(Exit::Stopped);
    }
    if let Some(Failure { exit, .. }) = failure {
        return Ok(*exit);
    }
    match total {
        Ending { rules: 1.., .. } => Ok(Exit::Rules),
        Ending { unsure: 1.., .. } => {
            printer::note(&shown!("{} items could not be had for now; run again to ask for them", total.unsure));
            Ok(Exit::Incomplete)
        }
        _ => Ok(Exit::Success),
    }
}
