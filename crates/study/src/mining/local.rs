//! The sources `folder` and `git`: notebooks that are already here.

use std::ops::ControlFlow;
use std::sync::Arc;

use jiff::tz::TimeZone;
use nbrevive_mine::archive::ArchiveLimits;
use nbrevive_mine::folder;
use nbrevive_mine::git::GitRepository;
use nbrevive_mine::raw::RawStore;
use nbrevive_mine::records::{LocalPath, MinedRecord, MiningSource, NotebookKey, Slug};
use nbrevive_mine::repository::{RepositoryPlace, Taken};
use nbrevive_mine::{LocalSettings, LocalTrouble};
use nbrevive_store::mined::Told;

use crate::mining::Mining;
use crate::mining::error::MiningError;
use crate::mining::event::{MiningEnd, MiningEvent, MiningListener};
use crate::mining::recorder::MinedRecorder;
use crate::settings::mine::LocalPlace;

type Sink<'a> = &'a mut dyn FnMut(MinedRecord) -> ControlFlow<()>;
type Miner<'a> = &'a dyn Fn(&LocalPlace, &RawStore, &LocalSettings, Sink<'_>) -> Result<Vec<LocalTrouble>, MiningError>;

impl Mining {
    /// Takes the study's folders.
    ///
    /// # Errors
    /// [`MiningError`].
    pub fn folders(&mut self, listener: &mut dyn MiningListener) -> Result<MiningEnd, MiningError> {
        let places = self.study.mine.folder.clone();
        self.places(&places, MiningSource::Folder, listener, &|place, raw, settings, sink| {
            Ok(folder::mine(&place.path, raw, settings, sink)?)
        })
    }

    /// Takes the study's git repositories.
    ///
    /// # Errors
    /// [`MiningError`].
    pub fn repositories(&mut self, listener: &mut dyn MiningListener) -> Result<MiningEnd, MiningError> {
        let places = self.study.mine.git.clone();
        self.places(&places, MiningSource::Git, listener, &|place, raw, settings, sink| {
            Ok(GitRepository::open(&place.path)?.mine(raw, settings, sink)?)
        })
    }

    fn places(
        &mut self,
        places: &[LocalPlace],
        source: MiningSource,
        listener: &mut dyn MiningListener,
        miner: Miner<'_>,
    ) -> Result<MiningEnd, MiningError> {
        if places.is_empty() {
            return Err(MiningError::NoPlace(source));
        }
        let largest_file = self.study.mine.largest_notebook_mib << 20;
        let (raw, competitions) = (Arc::clone(&self.raw), self.competitions.clone());
        let mut run = Run { source, raw: &raw, competitions: &competitions, recorder: self.adding(), listener };
        let mut failed = None;
        for place in places {
            let taken = match &place.repository {
                Some(name) => run.whole(place, name),
                None => run.notebooks(place, largest_file, miner),
            };
            match taken {
                Ok(flow) if flow.is_break() => break,
                Ok(_) => {}
                // Places do not depend on each other: the rest is taken, and the first failure is the source's.
                Err(error) if error.is_of_a_place() && failed.is_none() => failed = Some(error),
                Err(error) if error.is_of_a_place() => run.listener.hear(MiningEvent::PlaceFails(source, &error)),
                Err(error) => return Err(error),
            }
        }
        let Run { recorder, listener, .. } = run;
        recorder.finish()?;
        if let Some(error) = failed {
            return Err(error);
        }
        Ok(MiningEnd { is_stopped: listener.flow().is_break(), ..MiningEnd::default() })
    }
}

/// A run over places of one kind.
struct Run<'a> {
    source: MiningSource,
    raw: &'a RawStore,
    competitions: &'a [Slug],
    recorder: MinedRecorder<'a>,
    listener: &'a mut dyn MiningListener,
}

impl Run<'_> {
    /// Takes a place with all its files.
    fn whole(&mut self, place: &LocalPlace, name: &LocalPath) -> Result<ControlFlow<()>, MiningError> {
        let (record, left_out) = taken_whole(place, name, self.source, self.raw)?;
        self.listener.hear(MiningEvent::Whole { source: self.source, name, record: &record, left_out: &left_out });
        let told = self.recorder.tell(Told::Record(MinedRecord::Repository(record)));
        Ok(if told.is_break() { told } else { self.listener.flow() })
    }

    /// Takes the notebooks of a place, each by itself. A run that is ended here comes to its end with the next place.
    fn notebooks(
        &mut self,
        place: &LocalPlace,
        largest_file: u64,
        miner: Miner<'_>,
    ) -> Result<ControlFlow<()>, MiningError> {
        let Self { source, raw, competitions, recorder, listener } = self;
        let source = *source;
        let mut count = 0;
        let mut sink = |record: MinedRecord| {
            if let MinedRecord::Notebook(notebook) = &record {
                count += 1;
                if let Some(competition) = home(place, &notebook.key, competitions) {
                    recorder.tell(Told::Listed { competition, notebook: notebook.key.clone(), source })?;
                }
            }
            recorder.tell(Told::Record(record))?;
            listener.flow()
        };
        let left_out = miner(place, raw, &LocalSettings { scripts: place.scripts, largest_file }, &mut sink)?;
        listener.hear(MiningEvent::Place { source, path: &place.path, notebooks: count, left_out: &left_out });
        Ok(ControlFlow::Continue(()))
    }
}

/// A repository with all its files.
fn taken_whole(
    place: &LocalPlace,
    name: &LocalPath,
    source: MiningSource,
    raw: &RawStore,
) -> Result<Taken, MiningError> {
    let limits = ArchiveLimits::default();
    let all_files = place.files_mib.map_or(limits.all_files, |most| most << 20);
    let repository =
        RepositoryPlace { name: name.clone(), url: place.url.clone(), limits: ArchiveLimits { all_files, ..limits } };
    if source == MiningSource::Git {
        let commit = place.commit.as_deref().unwrap_or("HEAD");
        return Ok(repository.take_commit(&GitRepository::open(&place.path)?, commit, raw)?);
    }
    let changed = match (place.date, GitRepository::around(&place.path)) {
        (Some(date), _) => date.to_zoned(TimeZone::UTC)?.timestamp(),
        (None, Some(git)) => git.changed()?,
        (None, None) => return Err(MiningError::Undated(place.path.clone())),
    };
    Ok(repository.take_folder(&place.path, changed, raw)?)
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
