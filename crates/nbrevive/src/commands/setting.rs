//! From arguments to what commands work with, and from errors to exit codes.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use nbrevive_corpus::{Competition, Targets, Version, load_versions};
use nbrevive_environment::Home;
use nbrevive_environment::repository::{LastRun, RepositoryStrategy};
use nbrevive_files::FileError;
use nbrevive_grade::Grader;
use nbrevive_sandbox::{Backend, OciSettings, Sandbox, SandboxSettings};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::StoreError;
use nbrevive_study::{
    DiskSettings, JobTrouble, Laboratory, LaboratoryError, LaboratorySettings, RunError, SettingsError, Study,
    StudyLimits, SurveyedRepository, imported_folder,
};

use crate::arguments::{SandboxArguments, SandboxChoice};
use crate::commands::snapshot::mirror_failure;
use crate::exit_code::{Exit, Failure};
pub(crate) use crate::revision::REVISION;

/// A study with everything that its file names.
pub(crate) struct Loaded {
    /// The file.
    file: PathBuf,
    pub(crate) study: Study,
    pub(crate) competitions: BTreeMap<String, Competition>,
    pub(crate) versions: Vec<Version>,
}

impl Loaded {
    /// Its target scores; none where it asks for no scores.
    pub(crate) fn targets(&self) -> Result<Targets, Failure> {
        let bad = |error: &dyn std::error::Error| Failure::new(Exit::BadInput, error);
        self.study.check_places(&self.file, &["targets"]).map_err(|error| bad(&error))?;
        self.study.load_targets().map_err(|error| bad(&error))
    }
}

/// The date that versions are chosen for: the one that was asked for, now where the strategy asks for none, else when the notebooks ran last, as
/// far as the last commit of `what` and what was surveyed tell.
pub(crate) fn date_of_versions(
    asked: Option<Timestamp>,
    strategy: RepositoryStrategy,
    committed: impl FnOnce() -> Option<Timestamp>,
    (surveyed, laboratory, what): (&SurveyedRepository, &Laboratory, &Shown),
) -> Result<LastRun, Failure> {
    if let Some(date) = asked {
        return Ok(LastRun { date, why: None });
    }
    if strategy != RepositoryStrategy::Dated {
        return Ok(LastRun { date: Timestamp::now(), why: None });
    }
    let committed = committed().ok_or_else(|| {
        let message = shown!("nothing says when {} was written: add --date YYYY-MM-DD", what);
        Failure { exit: Exit::Usage, message }
    })?;
    surveyed.last_run(laboratory, committed).map_err(|error| laboratory_failure(&error))
}

/// Reads a study's file, its competitions and its versions.
pub(crate) fn load(path: &Path) -> Result<Loaded, Failure> {
    let bad = |error: &dyn std::error::Error| Failure::new(Exit::BadInput, error);
    let study = Study::load(path).map_err(|error: SettingsError| bad(&error))?;
    study.check_places(path, &["competitions", "notebooks"]).map_err(|error| bad(&error))?;
    let mut competitions = study.load_competitions().map_err(|error| bad(&error))?;
    let versions = load_versions(&study.notebooks).map_err(|error| bad(&error))?;
    study.exclusions.check(&versions).map_err(|error| bad(&error))?;
    for id in versions.iter().filter_map(|version| version.belongs.competition()) {
        if !competitions.contains_key(id)
            && let Some(imported) = imported(id)?
        {
            competitions.insert(id.to_owned(), imported);
        }
    }
    Ok(Loaded { file: path.to_owned(), study, competitions, versions })
}

/// The competition of this slug that was imported from MLE-bench, if it was.
pub(crate) fn imported(id: &str) -> Result<Option<Competition>, Failure> {
    let folder = imported_folder(&home()?).join(id);
    if !folder.is_dir() {
        return Ok(None);
    }
    Competition::load(&folder).map(Some).map_err(|error| Failure::new(Exit::BadInput, &error))
}

/// The folder that all studies share.
pub(crate) fn home() -> Result<Home, Failure> {
    Home::from_environment().map_err(|error| Failure::new(Exit::CannotWrite, &error))
}

/// The sandbox that the user asked for: in the arguments, else in the study's file, else bubblewrap.
pub(crate) fn sandbox_of(arguments: &SandboxArguments, of_study: Option<&SandboxSettings>) -> Result<Sandbox, Failure> {
    let missing = |missing| Failure::new(Exit::Missing, &missing);
    let gpus = of_study.and_then(SandboxSettings::gpus).or(arguments.gpus.then_some(NonZeroU32::MIN));
    let settings = match (arguments.sandbox, of_study) {
        (None, Some(settings)) => settings.clone(),
        (None | Some(SandboxChoice::Bubblewrap), _) => SandboxSettings::default(),
        (Some(SandboxChoice::Oci), of_study) => SandboxSettings::Oci(oci(arguments, of_study)?),
        (Some(SandboxChoice::None), _) if arguments.i_trust_these_notebooks => {
            return Ok(Sandbox { gpus, ..Sandbox::from(Backend::None) });
        }
        (Some(SandboxChoice::None), _) => {
            return Err(usage(
                "`--sandbox none` lets notebooks do whatever you can do on this machine: \
                 add --i-trust-these-notebooks if you have read them",
            ));
        }
    };
    // Whether notebooks get GPUs goes with the study, also where another backend is asked for.
    Ok(Sandbox { gpus, ..settings.find().map_err(missing)? })
}

/// The study's own settings with the image of the arguments, where there is one.
fn oci(arguments: &SandboxArguments, of_study: Option<&SandboxSettings>) -> Result<OciSettings, Failure> {
    let mut settings = match of_study {
        Some(SandboxSettings::Oci(settings)) => settings.clone(),
        _ => OciSettings::default(),
    };
    if let Some(image) = &arguments.image {
        // The one that is named is meant for all.
        settings.image.clone_from(image);
        settings.images.clear();
    }
    if settings.image.is_empty() {
        return Err(usage(
            "`--sandbox oci` needs an image: --image NAME@sha256:…, or `image` in the study's [sandbox]",
        ));
    }
    Ok(settings)
}

fn usage(message: &'static str) -> Failure {
    Failure { exit: Exit::Usage, message: Shown::literal(message) }
}

/// Opens the laboratory of a command without a study: who asks once more has perhaps installed what was missing.
pub(crate) fn laboratory_of(sandbox: &SandboxArguments, limits: &StudyLimits) -> Result<Laboratory, Failure> {
    let sandbox = sandbox_of(sandbox, None)?;
    let disk = DiskSettings::default();
    let opened = laboratory(&LaboratorySettings { sandbox, limits: limits.clone(), seed: 0, offline: false, disk })?;
    Ok(opened.try_failures_again())
}

/// Opens the laboratory of a study, which plans and builds from the study's snapshot alone where it names one.
pub(crate) fn study_laboratory(study: &Study, sandbox: Sandbox, offline: bool) -> Result<Laboratory, Failure> {
    let (limits, disk) = (study.limits.clone(), study.disk.clone());
    let opened = laboratory(&LaboratorySettings { sandbox, limits, seed: study.seed, offline, disk })?;
    match &study.snapshot {
        Some(snapshot) => opened.only_from(snapshot).map_err(|error| laboratory_failure(&error)),
        None => Ok(opened),
    }
}

/// Opens the laboratory.
pub(crate) fn laboratory(settings: &LaboratorySettings) -> Result<Laboratory, Failure> {
    Laboratory::open(settings).map_err(|error| laboratory_failure(&error))
}

/// The grader of every competition that `versions` use, with the answers of its prepared data.
pub(crate) fn graders(laboratory: &Laboratory, loaded: &Loaded) -> Result<BTreeMap<String, Arc<Grader>>, Failure> {
    let mut graders = BTreeMap::new();
    for competition in loaded.competitions.values() {
        if loaded.versions.iter().any(|version| version.belongs.competition() == Some(&competition.id)) {
            let folder = laboratory.prepared_folder(competition);
            competition.verify(&folder).map_err(|error| Failure::new(Exit::BadInput, &error))?;
            let read = laboratory.grader(competition, &folder).map_err(|error| laboratory_failure(&error))?;
            graders.insert(competition.id.clone(), Arc::new(read));
        }
    }
    Ok(graders)
}

/// The code for an error of the laboratory.
pub(crate) fn laboratory_failure(error: &LaboratoryError) -> Failure {
    let exit = match error {
        LaboratoryError::Build(_) if error.trouble() == JobTrouble::Disk => Exit::CannotWrite,
        LaboratoryError::Unbuildable(_)
        | LaboratoryError::NoHome(_)
        | LaboratoryError::Build(_)
        | LaboratoryError::Kernel(_)
        | LaboratoryError::Index(_) => Exit::NoEnvironment,
        LaboratoryError::Execute(_) => Exit::Missing,
        LaboratoryError::Io { .. } | LaboratoryError::LowDisk { .. } | LaboratoryError::NoRoom(_) => Exit::CannotWrite,
        LaboratoryError::HostMemory { .. } | LaboratoryError::Killed { .. } => Exit::Other,
        LaboratoryError::Answers(_) => Exit::BadInput,
        LaboratoryError::Snapshot(error) => mirror_failure(error).exit,
        LaboratoryError::Unasked(_) => Exit::NoModel,
        LaboratoryError::Store(error) => return store_failure(error),
    };
    Failure::new(exit, error)
}

/// The code for a file that is not read, or not written.
pub(crate) fn file_failure(error: &FileError) -> Failure {
    let exit = match error {
        FileError::Read { .. }
        | FileError::NotRegular { .. }
        | FileError::TooLong { .. }
        | FileError::Outside { .. } => Exit::BadInput,
        FileError::Write { .. }
        | FileError::Remove { .. }
        | FileError::NotReplaceable { .. }
        | FileError::IsInput { .. } => Exit::CannotWrite,
    };
    Failure::new(exit, error)
}

/// The longest lock or table of settings that is read, in bytes.
pub(crate) const LONGEST: u64 = 16 << 20;

/// The code for an error of the store.
pub(crate) fn store_failure(error: &StoreError) -> Failure {
    let exit = match error {
        StoreError::InUse { .. } => Exit::InUse,
        StoreError::Io { .. } | StoreError::DiskFull { .. } | StoreError::Dialogues(_) => Exit::CannotWrite,
        StoreError::Foreign { .. }
        | StoreError::Newer { .. }
        | StoreError::Migration { .. }
        | StoreError::Sqlite { .. } => Exit::BadInput,
    };
    Failure::new(exit, error)
}

/// The code for an error that stopped a run.
pub(crate) fn run_failure(error: &RunError) -> Failure {
    match error {
        RunError::Store(error) => store_failure(error),
        RunError::Laboratory(error) => laboratory_failure(error),
    }
}
