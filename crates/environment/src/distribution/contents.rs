//! What files of the date say they contain: the last resort for a module that is in no table.
//!
//! Only distributions of the module's own name are looked at, and they count only if the newest file before the
//! submission lists the module (`top_level.txt` or `RECORD`, [`crate::metadata::Metadata::modules`]): a name alone
//! proves nothing, for names on an index are free for anyone to take.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::Timestamp;

use super::unresolved::{UnresolvedImport, UnresolvedReason};
use super::{ImportProvider, NameSource, prefixes, top_level};
use crate::history::{File, FileTag, History, Release};
use crate::index::{Index, IndexError, Lookup};
use crate::table::rows;
use crate::versions::{is_name, normalise};

/// Namespaces, each with one of their distributions.
pub(super) static NAMESPACES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| rows(include_str!("../../data/namespaces.csv"), 2).map(|row| (row[0], row[1])).collect());

/// Longest dotted name that is sought as a distribution: `google.cloud.storage.blob` at most.
const DEEPEST: usize = 4;

/// What the index knows of one distribution as the provider of a module.
enum Claim {
    /// The file says that it contains the module.
    Holds(String),
    /// It is not the provider.
    Not(UnresolvedReason),
}

/// The distribution of the module's own name, if it contains the module.
pub(super) fn provider(module: &str, date: Timestamp, index: &Index) -> Result<ImportProvider, IndexError> {
    let mut reason = None;
    for name in names_to_try(module) {
        match claim(module, &name, date, index)? {
            Claim::Holds(file) => return Ok(ImportProvider::Distribution { name, how: NameSource::Contents { file } }),
            // The longest name that the index knows tells most.
            Claim::Not(UnresolvedReason::UnknownName) => {}
            Claim::Not(why) => reason = reason.or(Some(why)),
        }
    }
    let reason = reason.unwrap_or_else(|| {
        let top = top_level(module);
        match NAMESPACES.get(module) {
            Some(example) => UnresolvedReason::Namespace(example),
            None if is_name(top) => UnresolvedReason::UnknownName,
            None => UnresolvedReason::NotAName,
        }
    });
    Ok(ImportProvider::Unresolved(UnresolvedImport::new(reason, module)))
}

/// Normalised names of distributions that the module may be named after: its top level, or in a namespace package
/// every longer prefix, the longest first.
fn names_to_try(module: &str) -> Vec<String> {
    let top = top_level(module);
    let tried: Vec<&str> = if NAMESPACES.contains_key(top) {
        prefixes(module).filter(|prefix| (2..=DEEPEST).contains(&prefix.split('.').count())).collect()
    } else {
        vec![top]
    };
    // A normalised name that begins or ends with `-` (of `_private`) is no name, let alone an option.
    tried.into_iter().filter(|name| is_name(name)).map(normalise).collect()
}

fn claim(module: &str, name: &str, date: Timestamp, index: &Index) -> Result<Claim, IndexError> {
    let history = match index.history(name)? {
        Lookup::Absent => return Ok(Claim::Not(UnresolvedReason::UnknownName)),
        Lookup::Known { history, .. } => history,
    };
    let Some(first) = history.releases.iter().map(|release| release.uploaded).min() else {
        return Ok(Claim::Not(UnresolvedReason::NoRelease));
    };
    if first >= date {
        return Ok(Claim::Not(UnresolvedReason::AfterDate { distribution: name.to_owned(), first }));
    }
    let Some(file) = newest_file(&history, date) else {
        return Ok(Claim::Not(UnresolvedReason::NoRelease));
    };
    let told = || file.name.to_string();
    let metadata = match index.metadata_with_modules(&history, file) {
        Ok(metadata) => metadata,
        // A snapshot lacks what was not to be had when it was made, so that both end alike.
        Err(
            error @ (IndexError::OfflineFile { .. } | IndexError::FileGone { .. } | IndexError::NotInSnapshot { .. }),
        ) => {
            tracing::debug!(file = &*file.name, %error, "contents not read");
            return Ok(Claim::Not(UnresolvedReason::ContentsUnknown { file: told() }));
        }
        Err(error) => return Err(error),
    };
    Ok(if metadata.modules.is_empty() {
        Claim::Not(UnresolvedReason::ContentsUnknown { file: told() })
    } else if prefixes(module).any(|prefix| metadata.modules.iter().any(|held| held == prefix)) {
        Claim::Holds(told())
    } else {
        Claim::Not(UnresolvedReason::OtherContents { file: told() })
    })
}

/// The file of the newest release before the date that tells most at least cost: a wheel for any platform, one
/// for Linux, any other, then the source archive. Yanked releases never count, pre-releases only where there is nothing else.
fn newest_file(history: &History, date: Timestamp) -> Option<&File> {
    let before = |release: &&Release| !release.yanked && release.uploaded < date;
    let newest = history.releases.iter().filter(before).max_by_key(|release| {
        // Version's own order comes second: any final release is better than every early one.
        (release.version.is_stable(), &release.version)
    })?;
    let cost = |file: &&File| match file.tag() {
        FileTag::Wheel(tags) if tags.ends_with("-any") => 0,
        FileTag::Wheel(tags) if tags.contains("linux") => 1,
        FileTag::Wheel(_) => 2,
        FileTag::Sdist => 3,
    };
    newest.files.iter().filter(|file| file.uploaded < date).min_by_key(cost)
}
