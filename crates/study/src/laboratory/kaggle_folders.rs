//! What a version finds around it: data and files at the places where Kaggle has them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nbrevive_corpus::{Competition, Repository};
use nbrevive_files::{FileError, FileErrorKind, Folder};
use nbrevive_inputs::InputRecipe;

use crate::laboratory::copies::Tree;

/// From this year on a competition's files lie in a folder of its name only; before it they are also found flat in `../input`.
const FIRST_YEAR_WITHOUT_FLAT_INPUT: i16 = 2020;

/// Names of files that are listed at most.
const MOST_NAMES: usize = 100_000;
/// Files and folders that are looked at for their names at most.
const MOST_LOOKS: usize = 1_000_000;
/// Where notebooks find their data.
const INPUT: &str = "/kaggle/input";

/// Whether a version of that time finds the files flat in `../input/` too.
pub(crate) fn has_flat_input(submitted: Timestamp) -> bool {
    submitted.to_zoned(TimeZone::UTC).year() < FIRST_YEAR_WITHOUT_FLAT_INPUT
}

/// Something in a folder that was given which a notebook does not find, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// Where it lies. Its name is foreign.
    pub path: PathBuf,
    /// Why it stays there.
    pub why: String,
}

/// The read-only data that a notebook sees, as pairs of host path and path inside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KagglePlace {
    /// Each is a file or folder of the host, as a path without links, and where the notebook finds it.
    pub input: Vec<(PathBuf, PathBuf)>,
    /// A folder of the host whose files each execution finds in its working folder, as copies.
    pub beside: Option<PathBuf>,
    /// The folder of the working folder in which the notebook runs, relative; the working folder itself by default.
    pub starts_in: PathBuf,
    /// Input files that are made up before the notebook runs; what is there already stays.
    pub made: Option<Arc<InputRecipe>>,
    /// Input files that are hidden from it, although they lie beside it.
    pub hidden: Option<Arc<InputRecipe>>,
    /// What lies in those folders and is not shown: it leads out of them, leads nowhere, or is neither file nor folder.
    pub withheld: Vec<Withheld>,
}

impl KagglePlace {
    /// The world of a version that was submitted to `competition`, whose prepared data lies in `prepared`. Nothing in it leads out of
    /// `public`, to the answers above all.
    #[must_use]
    pub fn of(competition: &Competition, prepared: &Path, submitted: Timestamp) -> Self {
        let mut place = KagglePlace::default();
        let path = prepared.join("public");
        let public = match Folder::open_real(&path) {
            Ok(public) => public,
            Err(error) => {
                place.withheld.push(Withheld { path, why: reason(&error) });
                return place;
            }
        };
        place.show(&public, OsStr::new("."), OsStr::new(&competition.id));
        if has_flat_input(submitted) {
            let listed = public.entries().unwrap_or_default().into_iter().map(|entry| entry.name);
            let names: BTreeSet<OsString> = competition.public_files().map(OsString::from).chain(listed).collect();
            names.iter().for_each(|name| place.show(&public, name, name));
        }
        place
    }

    /// The place of a notebook among the files of its repository, which runs in its own folder there.
    #[must_use]
    pub fn of_repository(repository: &Repository, starts_in: &Path) -> Self {
        let mut place = KagglePlace { starts_in: starts_in.to_owned(), ..KagglePlace::default() };
        if let Err(error) = place.put_beside(&repository.files) {
            place.withheld.push(Withheld { path: repository.files.clone(), why: reason(&error) });
        }
        place
    }

    /// A folder of somebody's own data: found under its own name and, file by file, flat.
    ///
    /// # Errors
    /// When the folder cannot be listed.
    pub fn of_folder(folder: &Path) -> Result<Self, FileError> {
        let mut place = KagglePlace::default();
        let data = Folder::open(folder)?;
        for entry in data.entries()? {
            place.show(&data, &entry.name, &entry.name);
        }
        let (real, _) = data.resolve(Path::new("."))?;
        if let Some(name) = real.file_name()
            && !place.input.iter().any(|(_, inside)| *inside == Path::new(INPUT).join(name))
        {
            place.show(&data, OsStr::new("."), name);
        }
        Ok(place)
    }

    /// Lets executions have what lies in a folder beside the notebook.
    ///
    /// # Errors
    /// When the folder cannot be listed, or has more files or levels than a working folder may have.
    pub fn put_beside(&mut self, folder: &Path) -> Result<(), FileError> {
        self.withheld.extend(Tree::of(folder)?.withheld);
        self.beside = Some(folder.to_owned());
        Ok(())
    }

    /// Shows what has a name in a folder, if it stays in that folder. What is handed on is where links led when they were looked at.
    fn show(&mut self, folder: &Folder, name: &OsStr, inside: &OsStr) {
        let why = match folder.resolve(Path::new(name)) {
            Ok((real, FileErrorKind::File | FileErrorKind::Folder)) => {
                self.input.push((real, Path::new(INPUT).join(inside)));
                return;
            }
            Ok((_, kind)) => format!("it is {kind}"),
            Err(error) => reason(&error),
        };
        self.withheld.push(Withheld { path: folder.path().join(name), why });
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
        let mut looks = 0;
        while let Some(path) = left.pop().filter(|_| names.len() <= MOST_NAMES && looks <= MOST_LOOKS) {
            if !path.is_dir() {
                continue;
            }
            for entry in Folder::open(&path).and_then(|folder| folder.entries()).ok()? {
                looks += 1;
                names.insert(entry.name.to_string_lossy().to_lowercase());
                left.extend((entry.kind == FileErrorKind::Folder).then(|| path.join(&entry.name)));
            }
        }
        (names.len() <= MOST_NAMES && looks <= MOST_LOOKS).then_some(names)
    }
}

/// Why something is not shown, in a few words.
fn reason(error: &FileError) -> String {
    match error {
        FileError::Outside { .. } => "it leads out of its folder".to_owned(),
        error if error.is_not_found() => "there is no such file, or it leads nowhere".to_owned(),
        FileError::Read { source, .. } => source.to_string(),
        other => other.to_string(),
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

    /// A prepared folder with one file to see and one to hide.
    fn prepared() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["public/train.csv", "private/answers.csv"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        }
        let real = folder.path().canonicalize().unwrap();
        (folder, real)
    }

    #[test]
    fn before_2020_files_are_also_found_flat() {
        let (_folder, data) = prepared();
        let place = KagglePlace::of(&competition(), &data, "2019-12-31T23:59:59Z".parse().unwrap());
        assert_eq!(
            place.input,
            [
                (data.join("public"), PathBuf::from("/kaggle/input/tiny")),
                (data.join("public/train.csv"), PathBuf::from("/kaggle/input/train.csv")),
            ]
        );
    }

    #[test]
    fn names_of_files_are_those_of_all_folders() {
        let (data, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir(data.path().join("Deep")).unwrap();
        std::fs::write(data.path().join("Deep/Train.CSV"), "").unwrap();
        std::fs::write(beside.path().join("notes.txt"), "").unwrap();
        let mut place = KagglePlace::of_folder(data.path()).unwrap();
        place.put_beside(beside.path()).unwrap();
        let names = place.file_names().unwrap();
        assert!(["deep", "train.csv", "notes.txt"].iter().all(|name| names.contains(*name)), "{names:?}");
        place.beside = Some(data.path().join("absent"));
        assert!(place.file_names().is_some_and(|names| !names.contains("notes.txt")));
    }

    #[test]
    fn from_2020_on_they_are_not_and_answers_are_never_shown() {
        let (_folder, data) = prepared();
        let place = KagglePlace::of(&competition(), &data, "2020-01-01T00:00:00Z".parse().unwrap());
        assert_eq!(place.input.len(), 1);
        assert!(place.input.iter().all(|(host, _)| !host.starts_with(data.join("private"))));
    }

    mod attacks {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;

        use rustix::fs::{CWD, Mode, mkfifoat};

        use super::*;

        fn shown(place: &KagglePlace) -> Vec<&str> {
            place.input.iter().map(|(_, inside)| inside.to_str().unwrap()).collect()
        }

        fn withheld(place: &KagglePlace) -> Vec<(&str, &str)> {
            place.withheld.iter().map(|one| (one.path.file_name().unwrap().to_str().unwrap(), &*one.why)).collect()
        }

        #[test]
        fn links_at_the_top_of_data_lead_nowhere_but_into_it() {
            let given = tempfile::tempdir().unwrap();
            let (home, data) = (given.path().join("home"), given.path().join("data"));
            for folder in [home.join("keys"), data.join("deep")] {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(folder.join("id_rsa"), "key").unwrap();
            }
            let links = [
                ("key.csv", home.join("keys/id_rsa")),
                ("keys", home.join("keys")),
                ("relative.csv", "../home/keys/id_rsa".into()),
                ("through.csv", "deep/../../home/keys/id_rsa".into()),
                ("chain.csv", "key.csv".into()),
                ("process", "/proc/self/root".into()),
                ("inside", "/kaggle/input/deep".into()),
                ("around", "around".into()),
                ("dangling", "nowhere".into()),
                ("zero", "/dev/zero".into()),
                ("own.csv", "deep/id_rsa".into()),
            ];
            for (name, target) in links {
                symlink(target, data.join(name)).unwrap();
            }
            mkfifoat(CWD, data.join("pipe"), Mode::RWXU).unwrap();
            let _socket = UnixListener::bind(data.join("socket")).unwrap();
            let place = KagglePlace::of_folder(&data).unwrap();
            assert_eq!(shown(&place), ["/kaggle/input/deep", "/kaggle/input/own.csv", "/kaggle/input/data"]);
            let real = data.canonicalize().unwrap();
            assert!(place.input.iter().all(|(host, _)| host.starts_with(&real) && !host.is_symlink()));
            let told = withheld(&place);
            assert_eq!(told.len(), 12, "{told:?}");
            for expected in [
                ("key.csv", "it leads out of its folder"),
                ("chain.csv", "it leads out of its folder"),
                ("dangling", "there is no such file, or it leads nowhere"),
                ("pipe", "it is a named pipe"),
                ("socket", "it is a socket"),
            ] {
                assert!(told.contains(&expected), "{told:?}");
            }
        }

        #[test]
        fn no_link_in_public_leads_to_the_answers() {
            let (_folder, data) = prepared();
            symlink("../private/answers.csv", data.join("public/hint.csv")).unwrap();
            symlink("../private", data.join("public/more")).unwrap();
            let place = KagglePlace::of(&competition(), &data, Timestamp::UNIX_EPOCH);
            assert_eq!(shown(&place), ["/kaggle/input/tiny", "/kaggle/input/train.csv"]);
            assert_eq!(withheld(&place).len(), 2);

            std::fs::rename(data.join("public"), data.join("aside")).unwrap();
            symlink("private", data.join("public")).unwrap();
            let place = KagglePlace::of(&competition(), &data, Timestamp::UNIX_EPOCH);
            assert_eq!((shown(&place).len(), withheld(&place).len()), (0, 1));
        }
    }
}
