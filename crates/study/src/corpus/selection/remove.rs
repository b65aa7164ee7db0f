//! Takes versions out of a corpus that a selection wrote.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use nbrevive_corpus::Targets;

use super::corpus::{CorpusError, lists, save_list, save_targets};
use super::mark;

/// Removes versions from a corpus: notebooks, entries of lists, targets. Gives how many notebooks went; a folder that is gone, or
/// that no selection wrote, has none. Doing it again changes nothing; a run killed in between is finished by it.
///
/// # Errors
/// When a file of the corpus cannot be read, written or removed.
pub fn remove_from_corpus(folder: &Path, slugs: &BTreeSet<String>) -> Result<usize, CorpusError> {
    if !mark::is_in(folder) || slugs.is_empty() {
        return Ok(0);
    }
    let mut removed = 0;
    for (path, mut list) in lists(folder)? {
        let place = path.parent().unwrap_or(folder).to_owned();
        for slug in slugs {
            let notebook = place.join(format!("{slug}.ipynb"));
            if notebook.is_file() {
                fs::remove_file(&notebook).map_err(CorpusError::io("remove", &notebook))?;
                removed += 1;
            }
        }
        let before = list.version.len();
        list.version.retain(|entry| !slugs.contains(&entry.slug));
        if list.version.len() < before {
            save_list(&path, &list)?;
        }
    }
    let path = folder.join("targets.toml");
    let mut targets = Targets::load(&path)
        .map_err(|error| CorpusError::Invalid { path: path.clone(), message: error.to_string() })?;
    let before = targets.target.len();
    targets.target.retain(|slug, _| !slugs.contains(slug));
    if targets.target.len() < before {
        save_targets(folder, &targets)?;
    }
    mark::renew(folder)?;
    Ok(removed)
}
