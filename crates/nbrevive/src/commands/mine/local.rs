//! The sources `folder` and `git`: notebooks that are already here.

use std::ops::ControlFlow;
use std::sync::Arc;

use jiff::tz::TimeZone;
use nbrevive_mine::LocalSettings;
use nbrevive_mine::LocalTrouble;
use nbrevive_mine::archive::ArchiveLimits;
use nbrevive_mine::folder::{self, FolderError};
use nbrevive_mine::git::{GitError, GitRepository};
use nbrevive_mine::raw::RawStore;
use nbrevive_mine::records::{LocalPath, MinedRecord, MiningSource, NotebookKey, Slug};
use nbrevive_mine::repository::{RepositoryPlace, Taken};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::mined::Told;
use nbrevive_study::LocalPlace;

use super::Ending;
use super::interrupt::Interrupt;
use super::recorder::Recorder;
use super::workplace::{Workplace, raw_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Mines the study's folders.
pub(super) fn folders(workplace: &mut Workplace, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let places = workplace.study.mine.folder.clone();
    each(workplace, interrupt, &places, MiningSource::Folder, &|place, raw, settings, sink| {
        folder::mine(&place.path, raw, settings, sink).map_err(|error| folder_failure(&error))
    })
}

/// Mines the study's repositories.
pub(super) fn repositories(workplace: &mut Workplace, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let places = workplace.study.mine.git.clone();
    each(workplace, interrupt, &places, MiningSource::Git, &|place, raw, settings, sink| {
        let repository = GitRepository::open(&place.path).map_err(|error| git_failure(&error))?;
        repository.mine(raw, settings, sink).map_err(|error| git_failure(&error))
    })
}

type Sink<'a> = &'a mut dyn FnMut(MinedRecord) -> ControlFlow<()>;
type Miner<'a> = &'a dyn Fn(&LocalPlace, &RawStore, &LocalSettings, Sink<'_>) -> Result<Vec<LocalTrouble>, Failure>;

fn each(
    workplace: &mut Workplace,
    interrupt: &Interrupt,
    places: &[LocalPlace],
    source: MiningSource,
    miner: Miner<'_>,
) -> Result<Ending, Failure> {
    if places.is_empty() {
        let message =
            shown!("the study's file names no place for source `{}`: add a [[mine.{}]] with a path", source, source);
        return Err(Failure { exit: Exit::BadInput, message });
    }
    let largest_file = workplace.study.mine.largest_notebook_mib << 20;
    let (raw, competitions) = (Arc::clone(&workplace.raw), workplace.competitions.clone());
    let mut recorder = Recorder::adding(&mut workplace.store, &raw);
    for place in places {
        if let Some(name) = &place.repository {
            let (record, troubles) = whole(place, name, source, &raw)?;
            let (notebooks, files) = (record.notebooks, record.files);
            let mebibytes = record.bytes >> 20;
            let told = shown!("{} notebooks among {} files of {} MiB", notebooks, files, mebibytes);
            printer::note(&shown!("{} {}: {}", source, name.as_str(), told));
            tell_left_out(&shown!("{} {}", source, name.as_str()), &troubles);
            if recorder.tell(Told::Record(MinedRecord::Repository(record))).is_break() || interrupt.flow().is_break() {
                break;
            }
            continue;
        }
        let settings = LocalSettings { scripts: place.scripts, largest_file };
        let mut count = 0;
        let mut sink = |record: MinedRecord| {
            if let MinedRecord::Notebook(notebook) = &record {
                count += 1;
                if let Some(competition) = home(place, &notebook.key, &competitions) {
                    let told = Told::Listed { competition, notebook: notebook.key.clone(), source };
                    if recorder.tell(told).is_break() {
                        return ControlFlow::Break(());
                    }
                }
            }
            if recorder.tell(Told::Record(record)).is_break() { ControlFlow::Break(()) } else { interrupt.flow() }
        };
        let troubles = miner(place, &raw, &settings, &mut sink)?;
        printer::note(&shown!("{} {}: {} notebooks", source, place.path.display(), count));
        for trouble in troubles {
            printer::note(&shown!("{} {}: left out: {}", source, place.path.display(), trouble));
        }
    }
    recorder.finish()?;
    Ok(Ending { stopped: interrupt.is_asked(), ..Ending::default() })
}

/// A repository with all its files.
fn whole(place: &LocalPlace, name: &LocalPath, source: MiningSource, raw: &RawStore) -> Result<Taken, Failure> {
    let limits = ArchiveLimits::default();
    let all_files = place.files_mib.map_or(limits.all_files, |most| most << 20);
    let repository =
        RepositoryPlace { name: name.clone(), url: place.url.clone(), limits: ArchiveLimits { all_files, ..limits } };
    let commit = place.commit.as_deref().unwrap_or("HEAD");
    if source == MiningSource::Git {
        let git = GitRepository::open(&place.path).map_err(|error| git_failure(&error))?;
        return repository.take_commit(&git, commit, raw).map_err(|error| git_failure(&error));
    }
    let changed = match (place.date, GitRepository::around(&place.path)) {
        (Some(date), _) => {
            date.to_zoned(TimeZone::UTC).map_err(|error| Failure::new(Exit::BadInput, &error))?.timestamp()
        }
        (None, Some(git)) => git.changed().map_err(|error| git_failure(&error))?,
        (None, None) => {
            let message = shown!(
                "nothing says when {} was last changed: add `date` to its [[mine.folder]]",
                place.path.display()
            );
            return Err(Failure { exit: Exit::BadInput, message });
        }
    };
    repository.take_folder(&place.path, changed, raw).map_err(|error| folder_failure(&error))
}

/// Files of a repository that are told one by one at most.
const MOST_TOLD: usize = 20;

pub(super) fn tell_left_out(of: &Shown, troubles: &[LocalTrouble]) {
    for trouble in troubles.iter().take(MOST_TOLD) {
        printer::note(&shown!("{}: left out: {}", of, trouble));
    }
    if troubles.len() > MOST_TOLD {
        printer::note(&shown!("{}: left out: {} more", of, troubles.len() - MOST_TOLD));
    }
}

/// The competition of a local notebook: the place's, or the one that the first folder of its path names.
fn home(place: &LocalPlace, key: &NotebookKey, competitions: &[Slug]) -> Option<Slug> {
    let named = || {
        let NotebookKey::File(path) = key else { return None };
        let first = path.as_str().split('/').next()?;
        competitions.iter().find(|competition| competition.as_str() == first).cloned()
    };
    place.competition.clone().or_else(named)
}

fn folder_failure(error: &FolderError) -> Failure {
    match error {
        FolderError::Unreadable { .. } => Failure::new(Exit::BadInput, error),
        FolderError::Git(error) => git_failure(error),
    }
}

fn git_failure(error: &GitError) -> Failure {
    match error {
        GitError::NotInstalled(_) => Failure::new(Exit::Missing, error),
        GitError::Raw(error) => raw_failure(error),
        GitError::Clone { .. } => Failure::new(Exit::Unreachable, error),
        GitError::CheckOut { .. } => Failure::new(Exit::CannotWrite, error),
        GitError::NotARepository(_) | GitError::Failed { .. } | GitError::Answer { .. } => {
            Failure::new(Exit::BadInput, error)
        }
    }
}
