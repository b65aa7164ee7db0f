//! `nbrevive study prepare`: the competitions' data.

use nbrevive_sandbox::Backend;
use nbrevive_shown::shown;
use nbrevive_study::{DataPreparation, prepare};

use crate::Outcome;
use crate::arguments::StudyFile;
use crate::commands::setting::{laboratory_failure, load, study_laboratory};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Makes what is missing, and checks what is there.
pub(crate) fn run(arguments: &StudyFile) -> Outcome {
    let loaded = load(&arguments.study)?;
    let laboratory = study_laboratory(&loaded.study, Backend::Bubblewrap.into(), false)?;
    let used = |id: &str| loaded.versions.iter().any(|version| version.belongs.competition() == Some(id));
    let mut environment = None;
    for competition in loaded.competitions.values().filter(|competition| used(&competition.id)) {
        let folder = laboratory.prepared_folder(competition);
        if competition.verify(&folder).is_ok() {
            printer::note(&shown!("{}: present, hashes are right", competition.id));
            continue;
        }
        let environment = match &environment {
            Some(ready) => ready,
            None => {
                printer::note(&shown!("building environment {} (once)", loaded.study.baseline_name()));
                let built = laboratory.from_lock(&loaded.study.baseline, &[]);
                environment.insert(built.map_err(|error| laboratory_failure(&error))?)
            }
        };
        match prepare(&laboratory, environment, competition) {
            Ok(DataPreparation::Made | DataPreparation::Present) => {
                printer::note(&shown!("{}: made, hashes are right", competition.id));
            }
            Err(error) => return Err(Failure::new(Exit::BadInput, &error)),
        }
    }
    Ok(Exit::Success)
}
