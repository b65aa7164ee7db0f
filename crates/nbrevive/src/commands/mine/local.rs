//! The sources `folder` and `git`: notebooks that are already here.

use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::LocalSettings;
use nbrevive_mine::LocalTrouble;
use nbrevive_mine::folder::{self, FolderError};
use nbrevive_mine::git::{GitError, Repository};
use nbrevive_mine::raw::RawStore;
use nbrevive_mine::records::{NotebookKey, Record, Slug, Source};
use nbrevive_shown::shown;
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
    each(workplace, interrupt, &places, Source::Folder, &|place, raw, settings, sink| {
        folder::mine(&place.path, raw, settings, sink).map_err(|error| folder_failure(&error))
    })
}

/// Mines the study's repositories.
pub(super) fn repositories(workplace: &mut Workplace, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let places = workplace.study.mine.git.clone();
    each(workplace, interrupt, &places, Source::Git, &|place, raw, settings, sink| {
        let repository = Repository::open(&place.path).map_err(|error| git_failure(&error))?;
        repository.mine(raw, settings, sink).map_err(|error| git_failure(&error))
    })
}

type Sink<'a> = &'a mut dyn FnMut(Record) -> ControlFlow<()>;
type Miner<'a> = &'a dyn Fn(&LocalPlace, &RawStore, &LocalSettings, Sink<'_>) -> Result<Vec<LocalTrouble>, Failure>;

fn each(
    workplace: &mut Workplace,
    interrupt: &Interrupt,
    places: &[LocalPlace],
    source: Source,
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
        let settings = LocalSettings { scripts: place.scripts, largest_file };
        let mut count = 0;
        let mut sink = |record: Record| {
            if let Record::Notebook(notebook) = &record {
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
        GitError::NotARepository(_) | GitError::Failed { .. } | GitError::Answer { .. } => {
            Failure::new(Exit::BadInput, error)
        }
    }
}
