//! `nbrevive changes build`: the census. Of each minor release the Python text is read, and what changed between two is written.

use std::path::Path;
use std::sync::Arc;

use nbrevive_census::{
    ApiRow, CENSUS_VERSION, Census, CensusRelease, LIBRARIES, LastRelease, LentNames, kept_bytes, lender_of,
    of_kept_bytes, packed,
};
use nbrevive_environment::history::History;
use nbrevive_environment::index::Lookup;
use nbrevive_environment::{Index, IndexSettings};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::parquet::write_texts;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::proof::Proof;
use super::releases::{MinorRelease, minor_releases, text_of};
use crate::Outcome;
use crate::arguments::ChangesBuildArguments;
use crate::commands::setting::{file_failure, home};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Longest rows of one library that are read from the cache, packed, in bytes.
const LONGEST_ROWS: u64 = 64 << 20;

/// A release, and what was read of it: a row of `releases.parquet`.
#[derive(Serialize, Deserialize)]
struct Told {
    library: String,
    version: String,
    day: String,
    since: String,
    files: usize,
    compiled: usize,
    /// What was passed by, and why; empty for a release of which all was read.
    skipped: String,
}

/// Reads the libraries, tells what is passed by, and writes rows and releases.
pub(crate) fn build(arguments: &ChangesBuildArguments) -> Outcome {
    nbrevive_files::make_folder(&arguments.out).map_err(|error| file_failure(&error))?;
    let home = home()?;
    let index = Index::open(&home, IndexSettings { offline: arguments.offline, ..IndexSettings::default() });
    let libraries: Vec<String> = match arguments.libraries.as_slice() {
        [] => LIBRARIES.iter().map(|library| library.name.to_owned()).collect(),
        some => some.to_vec(),
    };
    let shelf = home.census();
    let read: Vec<Option<Library>> =
        libraries.par_iter().map(|library| read_library(&index, &shelf, library)).collect();
    let (mut rows, mut told, mut fetched) = (Vec::new(), Vec::new(), 0);
    for library in read.into_iter().flatten() {
        rows.extend(library.rows);
        told.extend(library.told);
        fetched += library.fetched;
    }
    if arguments.proved {
        let proof = Proof::of(&rows, &arguments.sandbox)?;
        let before = rows.len();
        rows.retain(|row| !proof.contradicts(row));
        rows.iter_mut().for_each(|row| proof.confirm(row));
        printer::note(&shown!("{} rows of names that are there today are left out", before - rows.len()));
    }
    write(arguments, &rows, &told)?;
    printer::note(&shown!(
        "{} rows of {} libraries, {} releases, {} MB fetched",
        rows.len(),
        libraries.len(),
        told.len(),
        fetched >> 20
    ));
    Ok(Exit::Success)
}

/// What came of one library.
#[derive(Default, Serialize, Deserialize)]
struct Library {
    rows: Vec<ApiRow>,
    told: Vec<Told>,
    /// Bytes that came from the index.
    #[serde(skip)]
    fetched: u64,
}

/// Reads a library; tells why where it cannot be.
fn read_library(index: &Index, shelf: &Path, name: &str) -> Option<Library> {
    let history = match index.history(name) {
        Ok(Lookup::Known { history, .. }) => history,
        Ok(Lookup::Absent) => {
            printer::error(&shown!("the package index has no `{}`", name));
            return None;
        }
        Err(error) => {
            printer::error(&shown!("{}: {}", name, Shown::error(&error)));
            return None;
        }
    };
    let last = minor_releases(&history).last().map(|minor| minor.last.version.to_string()).unwrap_or_default();
    let kept = shelf.join(name).join(format!("rows-{CENSUS_VERSION}-{last}.zst"));
    let known = nbrevive_files::read(&kept, LONGEST_ROWS).ok().and_then(|bytes| of_kept_bytes::<Library>(&bytes).ok());
    if let Some(library) = known {
        printer::note(&shown!("{}: {} rows, read before", name, library.rows.len()));
        return Some(library);
    }
    let mut library = Library::default();
    let mut fetched = 0;
    let lender = lender_of(name).and_then(|lender| Lender::of(index, shelf, lender));
    let mut read = |minor: &MinorRelease<'_>| {
        text_of(index, shelf, &history, minor.last).map(|(files, bytes)| {
            fetched += bytes;
            let lent = lender.as_ref().map(|lender| lender.at(minor.last.uploaded)).unwrap_or_default();
            (files, lent)
        })
    };
    library.rows = library_rows(&history, &mut read, &mut library.told);
    library.fetched = fetched;
    // Where some releases could not be had, another try may bring them.
    if library.told.iter().all(|told| told.files > 0)
        && let Err(error) = nbrevive_files::write(&kept, kept_bytes(&library))
    {
        printer::note(&shown!("{}: its rows are not kept: {}", name, Shown::error(&error)));
    }
    printer::note(&shown!("{}: {} rows", name, library.rows.len()));
    Some(library)
}

/// The library that lends names to another one.
struct Lender<'i> {
    index: &'i Index,
    shelf: &'i Path,
    history: Arc<History>,
}

impl<'i> Lender<'i> {
    fn of(index: &'i Index, shelf: &'i Path, name: &str) -> Option<Self> {
        match index.history(name) {
            Ok(Lookup::Known { history, .. }) => Some(Self { index, shelf, history }),
            _ => None,
        }
    }

    /// What it lent on a day: by its newest minor release of then.
    fn at(&self, day: jiff::Timestamp) -> LentNames {
        let minors = minor_releases(&self.history);
        let known = minors.iter().rev().filter(|minor| minor.since <= day);
        let mut texts = known.filter_map(|minor| text_of(self.index, self.shelf, &self.history, minor.last).ok());
        texts.next().map(|(files, _)| LentNames::of(&files)).unwrap_or_default()
    }
}

type Text = Result<(nbrevive_census::SourceFiles, LentNames), String>;

fn library_rows(
    history: &History,
    read: &mut dyn FnMut(&MinorRelease<'_>) -> Text,
    told: &mut Vec<Told>,
) -> Vec<ApiRow> {
    let minors = minor_releases(history);
    // The last release that can be read says what is there today.
    let Some(last) = minors.iter().rev().find_map(|minor| read(minor).ok()) else {
        printer::error(&shown!("{}: no release of it can be read", &history.name));
        return Vec::new();
    };
    let last = LastRelease::of(&last.0, &last.1);
    let mut census = Census::new(&history.name, &last);
    for minor in &minors {
        let day = |time: jiff::Timestamp| time.to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
        let release = CensusRelease {
            version: minor.last.version.to_string(),
            day: day(minor.last.uploaded),
            since: day(minor.since),
        };
        let (files, compiled, skipped) = match read(minor) {
            Ok((files, lent)) => {
                let old = census.add(release.clone(), &files, &lent);
                let old = old.into_iter().map(|module| format!("{module}: not Python 3, read as far as it goes"));
                let skipped = files.skipped.iter().map(|(path, why)| format!("{path}: {why}")).chain(old);
                (files.files.len(), files.compiled.len(), skipped.collect::<Vec<_>>().join("; "))
            }
            Err(why) => {
                printer::note(&shown!("{} {} is passed by: {}", &history.name, &release.version, &why));
                (0, 0, why)
            }
        };
        let library = history.name.clone();
        told.push(Told {
            library,
            version: release.version,
            day: release.day,
            since: release.since,
            files,
            compiled,
            skipped,
        });
    }
    census.finish()
}

fn write(arguments: &ChangesBuildArguments, rows: &[ApiRow], told: &[Told]) -> Result<(), Failure> {
    let cannot = |error: &dyn std::error::Error| Failure::new(Exit::CannotWrite, error);
    let of = |field: fn(&ApiRow) -> String| rows.iter().map(field).collect::<Vec<_>>();
    let columns = vec![
        ("library", of(|row| row.library.clone())),
        ("name", of(|row| row.name.clone())),
        ("kind", of(|row| row.kind.to_string())),
        ("parameter", of(|row| row.parameter.clone())),
        ("word", of(|row| row.word.clone())),
        ("last_with", of(|row| row.last_with.clone())),
        ("last_day", of(|row| row.last_day.clone())),
        ("first_without", of(|row| row.first_without.clone())),
        ("first_day", of(|row| row.first_day.clone())),
        ("text", of(|row| row.text.clone())),
        ("successor", of(|row| row.successor.clone())),
        ("evidence", of(|row| row.evidence.clone())),
        ("certainty", of(|row| row.certainty.to_string())),
    ];
    write_texts(&arguments.out.join("changes.parquet"), columns).map_err(|error| cannot(&error))?;
    let of = |field: fn(&Told) -> String| told.iter().map(field).collect::<Vec<_>>();
    let columns = vec![
        ("library", of(|one| one.library.clone())),
        ("version", of(|one| one.version.clone())),
        ("day", of(|one| one.day.clone())),
        ("since", of(|one| one.since.clone())),
        ("files", of(|one| one.files.to_string())),
        ("compiled", of(|one| one.compiled.to_string())),
        ("skipped", of(|one| one.skipped.clone())),
    ];
    write_texts(&arguments.out.join("releases.parquet"), columns).map_err(|error| cannot(&error))?;
    nbrevive_files::write(&arguments.out.join("changes.bin"), packed(rows)).map_err(|error| file_failure(&error))
}
