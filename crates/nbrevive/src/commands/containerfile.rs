//! `nbrevive environments containerfile`: the environment of a repository as two texts that build it elsewhere.

use nbrevive_environment::container::{ContainerSettings, NoContainer};
use nbrevive_files::{make_folder, write};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::StudyLimits;

use crate::Outcome;
use crate::arguments::ContainerfileArguments;
use crate::commands::check::{Subject, date, tell_declared};
use crate::commands::setting::{file_failure, laboratory_failure, laboratory_of};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Plans the environment, builds it where only an installer knows its versions, and writes the texts.
pub(crate) fn run(arguments: &ContainerfileArguments) -> Outcome {
    let subject = Subject::find(&arguments.repository.repository)?;
    let surveyed = subject.surveyed();
    let notebooks: Vec<&str> = surveyed.tree.notebooks().collect();
    let laboratory = laboratory_of(&arguments.sandbox, &StudyLimits::default())?;
    let date = date(&arguments.repository, &subject, &laboratory, &notebooks)?;
    tell_declared(surveyed);
    let settings = ContainerSettings {
        base: arguments.base.clone(),
        apt: surveyed.declared.apt(),
        ..ContainerSettings::default()
    };
    let texts = surveyed.container_texts(&laboratory, arguments.repository.strategy, date, &settings);
    let texts = texts.map_err(|error| laboratory_failure(&error))?.map_err(|error| no_container(&error))?;
    let Some(folder) = &arguments.out else {
        printer::data(&Shown::block(&texts.containerfile));
        printer::data(&shown!("\n# {}\n", &settings.lock_name));
        printer::data(&Shown::block(&texts.lock));
        return Ok(Exit::Success);
    };
    make_folder(folder).map_err(|error| file_failure(&error))?;
    for (name, text) in [("Containerfile", &texts.containerfile), (settings.lock_name.as_str(), &texts.lock)] {
        write(&folder.join(name), text).map_err(|error| file_failure(&error))?;
    }
    printer::note(&shown!(
        "wrote Containerfile and {} in {}; build it there: podman build .",
        &settings.lock_name,
        folder.display()
    ));
    Ok(Exit::Success)
}

fn no_container(error: &NoContainer) -> Failure {
    let exit = match error {
        NoContainer::Word(_) => Exit::Usage,
        NoContainer::NotALine(_) | NoContainer::Apt(_) => Exit::BadInput,
    };
    Failure::new(exit, error)
}
