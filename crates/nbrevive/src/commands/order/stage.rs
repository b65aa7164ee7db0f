//! A notebook with the environment and the files that it runs among.

use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_environment::repository::RepositoryStrategy;
use nbrevive_execute::{Antidotes, BranchHub, BranchProcess, Execution};
use nbrevive_mine::git::GitRepository;
use nbrevive_notebook::Notebook;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{
    Beside, KagglePlace, Laboratory, LaboratoryError, Manner, Prepared, SurveyedRepository, take_installs,
};

use crate::arguments::OrderArguments;
use crate::commands::check::tell_declared;
use crate::commands::setting::{date_of_versions, file_failure, laboratory_failure, laboratory_of};
use crate::commands::single::lock;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Where a notebook runs.
pub(super) struct Stage {
    pub(super) laboratory: Laboratory,
    pub(super) environment: Prepared,
    pub(super) place: KagglePlace,
    /// The notebook with comments in the place of its install lines.
    pub(super) notebook: Notebook,
}

impl Stage {
    /// Puts the environment together, with what the notebook installs for itself.
    pub(super) fn set(arguments: &OrderArguments, saved: &Notebook) -> Result<Self, Failure> {
        let running = &arguments.running;
        let laboratory = laboratory_of(&running.sandbox, &running.limits()?)?;
        let folder = running.beside.clone().unwrap_or_else(|| parent(&arguments.notebook));
        let place = place(&folder, running.data.as_deref())?;
        let installs = take_installs(saved, &Beside::of(&folder));
        installs.refused.iter().for_each(|refused| printer::note(&refused.told()));
        let (lock, plain) = environment(arguments, &laboratory, &folder)?;
        let lacking = installs.requirements;
        let environment = match (plain, lacking.is_empty()) {
            (Some(plain), true) => plain,
            (plain, _) => match laboratory.from_lock_text(&lock, &lacking) {
                Ok(environment) => environment,
                Err(LaboratoryError::Unbuildable(error)) if !lacking.is_empty() => {
                    printer::note(&shown!("what it installs cannot be installed: {}", error.class));
                    let again = || laboratory.from_lock_text(&lock, &[]).map_err(|error| laboratory_failure(&error));
                    plain.map_or_else(again, Ok)?
                }
                Err(error) => return Err(laboratory_failure(&error)),
            },
        };
        printer::note(&shown!("environment {} with Python {}", &environment.id, environment.python));
        Ok(Stage { laboratory, environment, place, notebook: installs.notebook })
    }

    /// Runs a document once, past errors.
    pub(super) fn execute(
        &self,
        document: &Notebook,
        antidotes: &Antidotes,
        run: u32,
    ) -> Result<Execution, LaboratoryError> {
        let manner = Manner { antidotes: Some((&antidotes.0, run)), ..Manner::default() };
        let mut attempt = self.laboratory.attempt(document, &self.environment, &self.place, None, manner)?;
        attempt.take_disturbance()?;
        attempt.execution.notebook.metadata.remove("nbrevive");
        Ok(attempt.execution)
    }

    /// Calls `act` with the place where processes of a kernel are met, and the first of them.
    pub(super) fn with_processes<T>(
        &self,
        manner: Manner<'_>,
        act: impl FnOnce(BranchHub, io::Result<BranchProcess>) -> T,
    ) -> Result<T, Failure> {
        let kept = self.laboratory.with_processes((&self.environment, &self.place), manner, act);
        let (done, told) = kept.map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
        told.iter().for_each(|told| printer::note(&shown!("{}", told)));
        Ok(done)
    }
}

fn parent(notebook: &Path) -> PathBuf {
    match notebook.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn place(folder: &Path, data: Option<&Path>) -> Result<KagglePlace, Failure> {
    let mut place = match data {
        Some(data) => KagglePlace::of_folder(data).map_err(|error| file_failure(&error))?,
        None => KagglePlace::default(),
    };
    place.put_beside(folder).map_err(|error| file_failure(&error))?;
    for withheld in &place.withheld {
        printer::note(&shown!("left out: {}: {}", withheld.path.display(), &withheld.why));
    }
    Ok(place)
}

/// The lock of the environment that was asked for, and the environment itself where it is there already.
fn environment(
    arguments: &OrderArguments,
    laboratory: &Laboratory,
    folder: &Path,
) -> Result<(String, Option<Prepared>), Failure> {
    let running = &arguments.running;
    let Ok(strategy) = running.environment.parse::<RepositoryStrategy>() else {
        return Ok((lock(&running.environment)?, None));
    };
    let surveyed = SurveyedRepository::read(folder).map_err(|error| file_failure(&error))?;
    let date = date(arguments, strategy, folder, (&surveyed, laboratory))?;
    tell_declared(&surveyed);
    let of = surveyed.environment(laboratory, strategy, date).map_err(|error| laboratory_failure(&error))?;
    Ok((of.prepared.as_lock(), Some(of.prepared)))
}

/// The date that versions are chosen for.
fn date(
    arguments: &OrderArguments,
    strategy: RepositoryStrategy,
    folder: &Path,
    (surveyed, laboratory): (&SurveyedRepository, &Laboratory),
) -> Result<Timestamp, Failure> {
    let name = arguments.notebook.file_name().unwrap_or_default().to_string_lossy();
    let committed = || GitRepository::around(folder)?.last_committed(folder, &[name.as_ref()]).ok().flatten();
    let what = Shown::path(&arguments.notebook);
    Ok(date_of_versions(arguments.running.date, strategy, committed, (surveyed, laboratory, &what))?.date)
}
