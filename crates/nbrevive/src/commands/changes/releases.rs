//! The releases that the census reads, and their Python text: from the cache, else from the package index.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;
use nbrevive_census::{SourceFiles, modules_of};
use nbrevive_environment::Index;
use nbrevive_environment::history::{File, FileTag, History, Release};

/// Of a longer wheel, in bytes, only the parts are fetched in which its text lies.
const LONGEST_WHOLE: u64 = 24 << 20;
/// Most wheels of a release that are tried: some hold nothing but a requirement.
const MOST_TRIED: usize = 3;
/// The year from which on minor releases are read; the last one before it is the ground that they are compared with.
const SINCE: i16 = 2015;
/// Most releases of one distribution: of more, some between are left out.
const MOST_RELEASES: usize = 36;
/// Longest packed text that is read from the cache, in bytes.
const LONGEST_KEPT: u64 = 128 << 20;
/// A source archive is taken in the place of a wheel that is so many times longer: wheels hold what was compiled.
const MUCH_LONGER: u64 = 3;

/// A minor release: its last patch stands for it, and the first dates it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MinorRelease<'history> {
    pub(crate) last: &'history Release,
    pub(crate) since: Timestamp,
}

/// The minor releases of a distribution, ascending: final ones that were not yanked.
pub(crate) fn minor_releases(history: &History) -> Vec<MinorRelease<'_>> {
    let start =
        Date::constant(SINCE, 1, 1).to_zoned(jiff::tz::TimeZone::UTC).map_or(Timestamp::MIN, |day| day.timestamp());
    let mut minors: Vec<MinorRelease<'_>> = Vec::new();
    let minor = |release: &Release| {
        let numbers = release.version.release();
        (release.version.epoch(), numbers.first().copied(), numbers.get(1).copied().unwrap_or(0))
    };
    for release in history.releases.iter().filter(|release| !release.yanked && release.version.is_stable()) {
        match minors.last_mut().filter(|known| minor(known.last) == minor(release)) {
            Some(known) => known.last = release,
            None => minors.push(MinorRelease { last: release, since: release.uploaded }),
        }
    }
    let ground = minors.iter().take_while(|minor| minor.since < start).count().saturating_sub(1);
    minors.drain(..ground);
    thinned(minors)
}

/// At most so many, the first and the last among them.
fn thinned(minors: Vec<MinorRelease<'_>>) -> Vec<MinorRelease<'_>> {
    let count = minors.len();
    if count <= MOST_RELEASES {
        return minors;
    }
    let kept: Vec<usize> = (0..MOST_RELEASES).map(|at| at * (count - 1) / (MOST_RELEASES - 1)).collect();
    minors.into_iter().enumerate().filter(|(at, _)| kept.contains(at)).map(|(_, minor)| minor).collect()
}

/// The text of a release, and how many bytes came from the index for it.
pub(crate) fn text_of(
    index: &Index,
    shelf: &Path,
    history: &History,
    release: &Release,
) -> Result<(SourceFiles, u64), String> {
    let kept = kept_at(shelf, history, release);
    if kept.is_file() {
        let bytes = nbrevive_files::read(&kept, LONGEST_KEPT).map_err(|error| error.to_string())?;
        if let Ok(files) = SourceFiles::of_packed(&bytes) {
            return Ok((files, 0));
        }
    }
    let modules = modules_of(&history.name);
    let (mut why, mut fetched) = ("it has neither a wheel nor a source archive that can be read".to_owned(), 0);
    for file in by_worth(release) {
        let read = if file.tag() != FileTag::Sdist && file.size.is_some_and(|size| size > LONGEST_WHOLE) {
            let parts = index.parts(history, file).map_err(|error| error.to_string());
            parts.and_then(|parts| SourceFiles::of_zip(&file.name, parts, &modules).map_err(|error| error.to_string()))
        } else {
            index.whole(history, file).map_err(|error| error.to_string()).and_then(|bytes| {
                fetched += bytes.len() as u64;
                SourceFiles::of_archive(&file.name, &bytes, &modules).map_err(|error| error.to_string())
            })
        };
        match read {
            Ok(files) => {
                keep(&kept, &files)?;
                return Ok((files, fetched));
            }
            Err(error) => why = error,
        }
    }
    Err(why)
}

fn kept_at(shelf: &Path, history: &History, release: &Release) -> PathBuf {
    shelf.join(&history.name).join(format!("{}.json.zst", release.version))
}

fn keep(place: &Path, files: &SourceFiles) -> Result<(), String> {
    if let Some(folder) = place.parent() {
        nbrevive_files::make_folder(folder).map_err(|error| error.to_string())?;
    }
    nbrevive_files::write(place, files.packed()).map_err(|error| error.to_string())
}

/// The shortest wheels and the source archive, the better ones first: all wheels of a release hold the same Python text.
fn by_worth(release: &Release) -> Vec<&File> {
    let size = |file: &&File| file.size.unwrap_or(u64::MAX / 8);
    let (sources, mut wheels): (Vec<&File>, Vec<&File>) =
        release.files.iter().partition(|file| file.tag() == FileTag::Sdist);
    wheels.sort_by_key(size);
    wheels.truncate(MOST_TRIED);
    let source = sources.into_iter().min_by_key(size);
    let source_first = match (wheels.first(), &source) {
        // Of a long wheel the text alone is fetched.
        (Some(wheel), Some(source)) => size(wheel) <= LONGEST_WHOLE && size(source) * MUCH_LONGER < size(wheel),
        _ => false,
    };
    let at = if source_first { 0 } else { wheels.len() };
    source.into_iter().for_each(|source| wheels.insert(at, source));
    wheels
}
