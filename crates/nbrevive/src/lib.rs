//! The command line: what was typed becomes settings, settings become calls of the libraries, and what came out becomes text or JSON.
//!
//! For most commands that is all. Several libraries are put together here for one notebook in hand (`commands/single.rs`, `modernize`,
//! `restore`, `diagnose`, `plan`), a repository (`check`), orders of cells (`order`), the census (`changes`) and other machines
//! (`study_cluster`).

mod answers;
mod arguments;
mod commands;
mod exit_code;
mod printer;
mod progress;
mod revision;

pub(crate) use exit_code::Outcome;

use std::process::ExitCode;

use clap::Parser;
use nbrevive_shown::Shown;

use crate::arguments::{
    Arguments, Command, CompetitionsCommand, CrashesCommand, EnvironmentsCommand, GradeCommand, RulesCommand,
    StudyCommand,
};
use crate::exit_code::{Exit, Failure};

/// Does what was typed, and says how the program ends.
#[must_use]
pub fn main() -> ExitCode {
    printer::tell_panics();
    let arguments = match typed() {
        Ok(arguments) => arguments,
        Err(exit) => return exit.into(),
    };
    printer::start_logging(arguments.verbose);
    let result = match &arguments.command {
        Command::Execute(arguments) => commands::execute::run(arguments),
        Command::Modernize(arguments) => commands::modernize::run(arguments),
        Command::Restore(arguments) => commands::restore::run(arguments),
        Command::Check(arguments) => commands::check::run(arguments),
        Command::Diagnose(arguments) => commands::diagnose::run(arguments),
        Command::Explain(arguments) => commands::explain::run(arguments),
        Command::Crashes(CrashesCommand::Find(arguments)) => commands::crashes::find(arguments),
        Command::Crashes(CrashesCommand::Classify(arguments)) => commands::crashes::classify_sheet(arguments),
        Command::Crashes(CrashesCommand::Label(arguments)) => commands::crashes::label(arguments),
        Command::Crashes(CrashesCommand::Agree(arguments)) => commands::crashes::agree(arguments),
        Command::Crashes(CrashesCommand::Sample(arguments)) => commands::crashes::sample(arguments),
        Command::Crashes(CrashesCommand::Tables(arguments)) => commands::crashes::tables(arguments),
        Command::Order(arguments) => commands::order::run(arguments),
        Command::Plan(arguments) => commands::plan::run(arguments),
        Command::Imports(arguments) => commands::imports::run(arguments),
        Command::Environments(EnvironmentsCommand::List) => commands::environments::list(),
        Command::Environments(EnvironmentsCommand::Prune(arguments)) => commands::environments::prune(arguments),
        Command::Environments(EnvironmentsCommand::Containerfile(arguments)) => commands::containerfile::run(arguments),
        Command::Rules(RulesCommand::List(arguments)) => commands::rules::list(arguments),
        Command::Rules(RulesCommand::Explain(arguments)) => commands::rules::explain(arguments),
        Command::Rules(RulesCommand::Test(arguments)) => commands::rules::test(arguments),
        Command::Failures(arguments) => commands::failures::run(arguments),
        Command::Changes(command) => commands::changes::run(command),
        Command::Grade(arguments) => match &arguments.command {
            None => commands::grade::submissions(arguments),
            Some(GradeCommand::SelfTest(arguments)) => commands::grade::self_test(arguments),
            Some(GradeCommand::List) => commands::grade::list(),
        },
        Command::Competitions(CompetitionsCommand::Import(arguments)) => commands::competitions::import_all(arguments),
        Command::Study(StudyCommand::Prepare(arguments)) => commands::study_prepare::run(arguments),
        Command::Study(StudyCommand::Run(arguments)) => commands::study_run::run(arguments),
        Command::Study(StudyCommand::Attach(place)) => commands::study_cluster::attach(place),
        Command::Study(StudyCommand::Cancel(place)) => commands::study_cluster::cancel(place),
        Command::Study(StudyCommand::Work(arguments)) => commands::study_cluster::work::run(arguments),
        Command::Study(StudyCommand::Simulate(arguments)) => commands::study_cluster::simulate::run(arguments),
        Command::Study(StudyCommand::MeasureTargets(arguments)) => commands::study_measure_targets::run(arguments),
        Command::Mine(arguments) => commands::mine::run(arguments),
        Command::Select(arguments) => commands::select::run(arguments),
        Command::Export(arguments) => commands::export::run(arguments),
        Command::Pack(arguments) => commands::capsule::pack(arguments),
        Command::Unpack(arguments) => commands::capsule::unpacked(arguments),
        Command::Run(arguments) => commands::capsule::run(arguments),
        Command::Snapshot(command) => commands::snapshot::run(command),
        Command::Data(command) => commands::data::run(command),
        Command::Tables(arguments) => commands::tables::run(arguments),
        Command::Report(arguments) => commands::report::run(arguments),
        Command::Audit(arguments) => commands::audit::run(arguments),
        Command::Synthetic(arguments) => commands::synthetic::run(arguments),
        Command::Doctor(arguments) => commands::doctor::run(arguments),
        Command::Completions(arguments) => commands::completions::run(arguments),
        Command::Man(arguments) => commands::man::run(arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(Failure { exit, message }) => {
            printer::error(&message);
            exit.into()
        }
    }
}

/// What the user typed, or the end that clap prescribes: help, or what is wrong with it.
fn typed() -> Result<Arguments, Exit> {
    Arguments::try_parse().map_err(|error| {
        if !error.use_stderr() {
            error.exit();
        }
        // Clap quotes what was typed, a file name of somebody else perhaps: it reads it once more as it may be shown.
        let words = std::env::args_os().map(|word| Shown::path(word.as_ref()).as_str().to_owned());
        let error = Arguments::try_parse_from(words).err().unwrap_or(error);
        printer::note(&Shown::block(error.render().to_string().trim_end()));
        Exit::Usage
    })
}
