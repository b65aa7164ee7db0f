//! `nbrevive data`: a dataset that somebody handed on.

use nbrevive_shown::{Shown, shown};
use nbrevive_store::dataset::Manifest;
use nbrevive_store::dataset::page::schema_page;

use crate::Outcome;
use crate::arguments::{DataCommand, DataVerifyArguments};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Carries out what was asked.
pub(crate) fn run(command: &DataCommand) -> Outcome {
    match command {
        DataCommand::Verify(arguments) => verify(arguments),
        DataCommand::Schema => {
            printer::data(&Shown::block(&schema_page()));
            Ok(Exit::Success)
        }
    }
}

/// Says what the dataset holds, if it is what its manifest says.
fn verify(arguments: &DataVerifyArguments) -> Outcome {
    let manifest = Manifest::verify(&arguments.data).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let lines =
        manifest.files.iter().map(|file| shown!("{:<24} {:>12} rows {:>14} bytes\n", file.name, file.rows, file.bytes));
    printer::data(&lines.collect());
    printer::note(&shown!(
        "{}: dataset {}, schema version {}, as {} wrote it",
        arguments.data.display(),
        manifest.dataset,
        manifest.schema,
        manifest.tool_revision
    ));
    Ok(Exit::Success)
}
