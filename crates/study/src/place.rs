//! What a version finds around it: the Kaggle world (architecture, "The Kaggle world inside the sandbox").

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nbrevive_corpus::Competition;

/// From this year on a competition's files lie in a folder of its name only; before it they are also found flat in `../input`.
const FIRST_YEAR_WITHOUT_FLAT_INPUT: i16 = 2020;

/// Names of files that are listed at most.
const MOST_NAMES: usize = 100_000;

/// Whether a version of that time finds the files flat in `../input/` too.
pub(crate) fn has_flat_input(submitted: Timestamp) -> bool {
    submitted.to_zoned(TimeZone::UTC).year() < FIRST_YEAR_WITHOUT_FLAT_INPUT
}

/// The read-only data that a notebook sees, as pairs of host path and path inside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// Each is a file or folder of the host and where the notebook finds it.
    pub input: Vec<(PathBuf, PathBuf)>,
    /// A folder of the host whose files each execution finds in its working folder, as copies.
    pub beside: Option<PathBuf>,
}

impl Place {
    /// The world of a version that was submitted to `competition`, whose prepared data lies in `prepared`.
    #[must_use]
    pub fn of(competition: &Competition, prepared: &Path, submitted: Timestamp) -> Self {
        let input = Path::new("/kaggle/input");
        let public = prepared.join("public");
        let mut binds = vec![(public.clone(), input.join(&competition.id))];
        if has_flat_input(submitted) {
            let listed = std::fs::read_dir(&public).into_iter().flatten().flatten();
            let there = listed.filter_map(|entry| entry.file_name().into_string().ok());
            let names: BTreeSet<String> = competition.public_files().map(str::to_owned).chain(there).collect();
            binds.extend(names.into_iter().map(|name| (public.join(&name), input.join(name))));
        }
        Place { input: binds, beside: None }
    }

    /// A folder of somebody's own data: found under its own name and, file by file, flat.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn of_folder(folder: &Path) -> std::io::Result<Self> {
        let folder = folder.canonicalize()?;
        let input = Path::new("/kaggle/input");
        let mut binds = Vec::new();
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            binds.push((entry.path(), input.join(entry.file_name())));
        }
        if let Some(name) = folder.file_name()
            && !binds.iter().any(|(_, inside)| *inside == input.join(name))
        {
            binds.push((folder.clone(), input.join(name)));
        }
        Ok(Place { input: binds, beside: None })
    }

    /// Names of all the files and folders that a notebook finds here, in lower case; `None` when there are too many to
    /// list, or some cannot be listed.
    #[must_use]
    pub fn file_names(&self) -> Option<BTreeSet<String>> {
        let mut names = BTreeSet::new();
        let mut left: Vec<PathBuf> = self.beside.iter().cloned().collect();
        for (outside, inside) in &self.input {
            names.extend(inside.file_name().map(|name| name.to_string_lossy().to_lowercase()));
            left.push(outside.clone());
        }
        while let Some(path) = left.pop().filter(|_| names.len() <= MOST_NAMES) {
            if !path.is_dir() {
                continue;
            }
            for entry in std::fs::read_dir(path).ok()? {
                let entry = entry.ok()?;
                names.insert(entry.file_name().to_string_lossy().to_lowercase());
                left.extend(entry.file_type().is_ok_and(|kind| kind.is_dir()).then(|| entry.path()));
            }
        }
        (names.len() <= MOST_NAMES).then_some(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn competition() -> Competition {
        let text = "id = \"tiny\"\ntitle = \"Tiny\"\nmetric = \"accuracy\"\ndirection = \"maximize\"\nid_column = \"Id\"\n\
                    target_columns = [\"Label\"]\nprediction = \"label\"\n[data]\nsource = \"s\"\nlicence = \"l\"\n[files]\n\
                    \"public/train.csv\" = \"0\"\n\"private/answers.csv\" = \"0\"\n";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn before_2020_files_are_also_found_flat() {
        let place = Place::of(&competition(), Path::new("/data"), "2019-12-31T23:59:59Z".parse().unwrap());
        assert_eq!(
            place.input,
            [
                (PathBuf::from("/data/public"), PathBuf::from("/kaggle/input/tiny")),
                (PathBuf::from("/data/public/train.csv"), PathBuf::from("/kaggle/input/train.csv")),
            ]
        );
    }

    #[test]
    fn names_of_files_are_those_of_all_folders() {
        let (data, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir(data.path().join("Deep")).unwrap();
        std::fs::write(data.path().join("Deep/Train.CSV"), "").unwrap();
        std::fs::write(beside.path().join("notes.txt"), "").unwrap();
        let mut place = Place::of_folder(data.path()).unwrap();
        place.beside = Some(beside.path().to_owned());
        let names = place.file_names().unwrap();
        assert!(["deep", "train.csv", "notes.txt"].iter().all(|name| names.contains(*name)), "{names:?}");
        place.beside = Some(data.path().join("absent"));
        assert!(place.file_names().is_some_and(|names| !names.contains("notes.txt")));
    }

    #[test]
    fn from_2020_on_they_are_not_and_answers_are_never_shown() {
        let place = Place::of(&competition(), Path::new("/data"), "2020-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(place.input.len(), 1);
        assert!(place.input.iter().all(|(host, _)| !host.starts_with("/data/private")));
    }
}
