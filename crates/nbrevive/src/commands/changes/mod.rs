//! `nbrevive changes`: what libraries took away, and what of it a notebook uses.

mod build;
mod check;
mod coverage;
mod list;
mod proof;
mod releases;

pub(crate) use check::aim;
pub(crate) use releases::text_of;

use crate::Outcome;
use crate::arguments::ChangesCommand;

/// Does what was asked.
pub(crate) fn run(command: &ChangesCommand) -> Outcome {
    match command {
        ChangesCommand::Build(arguments) => build::build(arguments),
        ChangesCommand::List(arguments) => list::list(arguments),
        ChangesCommand::Show(arguments) => list::show(arguments),
        ChangesCommand::Prove(arguments) => proof::prove(arguments),
        ChangesCommand::Check(arguments) => check::check(arguments),
        ChangesCommand::Date(arguments) => check::date(arguments),
        ChangesCommand::Coverage(arguments) => coverage::coverage(arguments),
    }
}
