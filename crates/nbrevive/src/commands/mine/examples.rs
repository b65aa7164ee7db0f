//! The source `examples`: the official examples of releases, each release as a repository.

use jiff::Timestamp;
use nbrevive_census::SpelledNames;
use nbrevive_environment::history::{File, FileTag, History, Release};
use nbrevive_environment::index::Lookup;
use nbrevive_environment::{Index, IndexSettings};
use nbrevive_mine::archive::ArchiveLimits;
use nbrevive_mine::examples::{ExampleRelease, ExampleSort};
use nbrevive_mine::raw::{HttpExchange, RawStore};
use nbrevive_mine::records::{LocalPath, MinedRecord, MiningSource};
use nbrevive_mine::repository::{RepositoryPlace, Taken};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::mined::Told;
use nbrevive_study::{ExamplesPlace, MinedRecorder, Mining, MiningEnd};

use super::screen::tell_left_out;
use super::{failure, raw_failure};
use crate::commands::changes::text_of;
use crate::commands::interrupt::Interrupt;
use crate::commands::setting::home;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Mines the releases that the study's file names; one that cannot be had costs itself alone.
pub(super) fn mine(mining: &mut Mining, interrupt: &Interrupt) -> Result<MiningEnd, Failure> {
    let places = mining.study.mine.examples.clone();
    if places.is_empty() {
        let message = shown!(
            "the study's file names no release for source `{}`: add a [[mine.examples]] with library and version",
            MiningSource::Examples
        );
        return Err(Failure { exit: Exit::BadInput, message });
    }
    let index = Index::open(&home()?, IndexSettings::default());
    let Mining { store, raw, .. } = mining;
    let mut recorder = MinedRecorder::adding(store, raw);
    let mut end = MiningEnd::default();
    for place in &places {
        let name = shown!("examples {} {} {}", &place.library, &place.version, place.sort);
        match take(&index, place, raw) {
            Ok((record, troubles)) => {
                let (notebooks, files) = (record.notebooks, record.files);
                printer::note(&shown!("{}: {} notebooks among {} files", name, notebooks, files));
                tell_left_out(&name, &troubles);
                if recorder.tell(Told::Record(MinedRecord::Repository(record))).is_break() {
                    break;
                }
            }
            Err(why) => {
                end.unsure += 1;
                printer::error(&shown!("{}: {}", name, why.message));
            }
        }
        if interrupt.flow().is_break() {
            break;
        }
    }
    recorder.finish().map_err(|error| failure(&error))?;
    Ok(MiningEnd { is_stopped: interrupt.is_asked(), ..end })
}

/// The examples of one release.
fn take(index: &Index, place: &ExamplesPlace, raw: &RawStore) -> Result<Taken, Failure> {
    let history = match index.history(&place.library).map_err(|error| Failure::new(Exit::Unreachable, &error))? {
        Lookup::Known { history, .. } => history,
        Lookup::Absent => return Err(bad(shown!("the package index has no `{}`", &place.library))),
    };
    let is_meant = |release: &&Release| release.version.to_string() == place.version;
    let Some(release) = history.releases.iter().find(is_meant) else {
        return Err(bad(shown!("`{}` has no release {}", &place.library, &place.version)));
    };
    let name = format!("{}/{}/{}", place.library, place.version, place.sort);
    let name = LocalPath::new(&name).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let repository = RepositoryPlace { name, url: None, limits: ArchiveLimits::default() };
    let requirement = format!("{}=={}", place.library, place.version);
    let from = ExampleRelease { requirement: &requirement, uploaded: release.uploaded };
    let taken = match place.sort {
        ExampleSort::Gallery => {
            let archive = source_archive(index, &history, release, raw)?;
            repository.take_gallery(&archive, from, &place.draw, raw)
        }
        ExampleSort::Documentation => {
            let (files, _) = text_of(index, &home()?.census(), &history, release)
                .map_err(|why| Failure { exit: Exit::Unreachable, message: shown!("{}", &why) })?;
            let names = SpelledNames::of(&files);
            let import = |module: &str, name: &str| names.import_of(module, name);
            repository.take_documentation(&files.files, from, &import, &place.draw, raw)
        }
    };
    taken.map_err(|error| Failure::new(Exit::BadInput, &error))
}

fn bad(message: Shown) -> Failure {
    Failure { exit: Exit::BadInput, message }
}

/// The source archive of a release: the one that is kept, else from the index.
fn source_archive(index: &Index, history: &History, release: &Release, raw: &RawStore) -> Result<Vec<u8>, Failure> {
    let is_source = |file: &&File| file.tag() == FileTag::Sdist && file.name.ends_with(".tar.gz");
    let Some(file) = release.files.iter().find(is_source) else {
        return Err(bad(shown!("`{}` {} has no .tar.gz with its source", &history.name, &release.version)));
    };
    let key = format!("source archive {}", file.name);
    let kept = raw.answers(&key).map_err(|error| raw_failure(&error))?.into_iter().find_map(|answer| answer.body);
    if let Some(body) = kept.filter(|body| raw.has(body)) {
        return raw.read(&body).map_err(|error| raw_failure(&error));
    }
    let (at, started) = (Timestamp::now(), std::time::Instant::now());
    let bytes = index.whole(history, file).map_err(|error| Failure::new(Exit::Unreachable, &error))?;
    let body = raw.keep(MiningSource::Examples, &key, &bytes).map_err(|error| raw_failure(&error))?;
    let exchange = HttpExchange {
        seconds: started.elapsed().as_secs_f64(),
        status: Some(200),
        body: Some(body),
        ..HttpExchange::begun(MiningSource::Examples, key, "GET", file.name.to_string(), at)
    };
    raw.note(exchange).map_err(|error| raw_failure(&error))?;
    Ok(bytes)
}
