//! `nbrevive competitions`: data that was prepared elsewhere.

use nbrevive_shown::{Shown, shown};
use nbrevive_study::{ImportError, ImportSettings, import, imported_folder};

use crate::Outcome;
use crate::arguments::CompetitionsImportArguments;
use crate::commands::setting::home;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Imports every folder that was named; the first that cannot be imported ends it.
pub(crate) fn import_all(arguments: &CompetitionsImportArguments) -> Outcome {
    let into = imported_folder(&home()?);
    for folder in &arguments.folders {
        let settings = ImportSettings {
            folder: folder.clone(),
            checksums: arguments.checksums.clone(),
            allow_differences: arguments.allow_differences,
        };
        let imported = import(&settings, &into).map_err(|error| Failure::new(exit(&error), &error))?;
        for difference in &imported.differences {
            printer::note(&shown!("{}: {}", imported.id, difference));
        }
        let word = if imported.present { "present" } else { "imported" };
        printer::data(&shown!(
            "{} {}, {} files in {}\n",
            imported.id,
            word,
            imported.files,
            Shown::path(&imported.folder)
        ));
    }
    Ok(Exit::Success)
}

fn exit(error: &ImportError) -> Exit {
    match error {
        ImportError::NotPrepared { .. }
        | ImportError::Checksums { .. }
        | ImportError::Different { .. }
        | ImportError::File(_) => Exit::BadInput,
        ImportError::Busy(_) => Exit::InUse,
        ImportError::Io { .. } => Exit::CannotWrite,
    }
}
