//! Repositories whole: one commit, or a folder, with its notebooks and what they need around them, as one record.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_files::{FileErrorKind, Folder};

use crate::archive::{ArchiveLimits, Packed, PackedContent, pack};
use crate::content::{LocalSettings, LocalTrouble, is_checkpoint, names_requirements};
use crate::folder::FolderError;
use crate::git::{GitError, GitRepository};
use crate::lfs::{elsewhere, is_pointer};
use crate::raw::RawStore;
use crate::records::{LocalPath, MiningSource, Origin, RepositoryRecord};

/// Deepest folder that is entered.
const DEEPEST: usize = 64;
/// What is hidden and says what a repository needs.
const DECLARING: [&str; 2] = [".binder", ".python-version"];

/// A repository that is here, and by what name it is to be known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryPlace {
    /// Its name, for example `owner/name`.
    pub name: LocalPath,
    /// Where it is published.
    pub url: Option<String>,
    /// What of it is kept.
    pub limits: ArchiveLimits,
}

/// A repository, and what of it was left out.
pub type Taken = (RepositoryRecord, Vec<LocalTrouble>);

/// A file that can be taken.
pub(crate) struct Candidate<T> {
    pub(crate) path: String,
    pub(crate) is_program: bool,
    pub(crate) bytes: u64,
    pub(crate) from: T,
}

/// What a file is to a study: what is taken first comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Notebook,
    Requirements,
    Data,
}

impl Worth {
    fn of(path: &str) -> Self {
        if LocalSettings::default().takes(path) {
            Self::Notebook
        } else if names_requirements(path) {
            Self::Requirements
        } else {
            Self::Data
        }
    }
}

/// Reads a file, or says why it is left out.
pub(crate) type Read<'a, T, E> = &'a mut dyn FnMut(&T) -> Result<Result<Vec<u8>, String>, E>;

impl RepositoryPlace {
    /// The files of a commit: `HEAD`, a branch, a tag or a hash.
    ///
    /// # Errors
    /// [`GitError`], also where there is no such commit.
    pub fn take_commit(&self, repository: &GitRepository, commit: &str, raw: &RawStore) -> Result<Taken, GitError> {
        let (revision, committed) = repository.commit(commit)?;
        let (mut found, mut troubles) = (Vec::new(), Vec::new());
        for file in repository.files_at(&revision)? {
            match file.why_not() {
                Some(why) => troubles.push(LocalTrouble::new(&file.path, &why)),
                None => found.push(Candidate {
                    is_program: file.is_program(),
                    path: file.path,
                    bytes: file.bytes.unwrap_or_default(),
                    from: file.blob,
                }),
            }
        }
        let notebooks = found.iter().filter(|file| Worth::of(&file.path) == Worth::Notebook);
        let changed = repository.last_changed(&revision, notebooks.map(|file| PathBuf::from(&file.path)));
        // The commit's own time has to do where it has no notebook, or its history is not all here.
        let changed = changed.ok().flatten().unwrap_or(committed);
        let mut blobs = repository.blobs()?;
        let files = self.chosen(found, &mut troubles, &mut |blob: &String| {
            Ok::<_, GitError>(
                blobs.content(blob, self.limits.largest_file)?.ok_or("its content is not here".to_owned()),
            )
        })?;
        let request = format!("git {} at {revision}", self.name.as_str());
        let record = self.kept(files, Some(revision), changed, (MiningSource::Git, request), troubles.len(), raw)?;
        Ok((record, troubles))
    }

    /// The files of a folder as they are. Hidden ones are left out, but for those that declare, and links are not followed. Where all
    /// that is taken is as it was committed, the commit is known.
    ///
    /// # Errors
    /// [`FolderError`].
    pub fn take_folder(&self, folder: &Path, changed: Timestamp, raw: &RawStore) -> Result<Taken, FolderError> {
        let unreadable = |error: nbrevive_files::FileError| FolderError::Unreadable {
            path: folder.to_owned(),
            source: error.into(),
        };
        let root = Folder::open(folder).map_err(unreadable)?;
        let (mut found, mut troubles) = (Vec::new(), Vec::new());
        enter(&root, "", &mut found, &mut troubles).map_err(unreadable)?;
        let files = self.chosen(found, &mut troubles, &mut |path: &String| {
            let read = root.read(Path::new(path), self.limits.largest_file);
            Ok::<_, FolderError>(read.map_err(|error| std::io::Error::from(error).to_string()))
        })?;
        let request = format!("folder {}", self.name.as_str());
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let revision = GitRepository::around(folder).and_then(|git| git.head_of(folder, &paths).ok().flatten());
        let record = self.kept(files, revision, changed, (MiningSource::Folder, request), troubles.len(), raw)?;
        Ok((record, troubles))
    }

    /// Reads the files that are kept: notebooks first, then what names requirements, then the smaller ones, as far as there
    /// is room.
    pub(crate) fn chosen<T, E>(
        &self,
        mut found: Vec<Candidate<T>>,
        troubles: &mut Vec<LocalTrouble>,
        read: Read<'_, T, E>,
    ) -> Result<Vec<Packed>, E> {
        found.sort_by_cached_key(|file| (Worth::of(&file.path), file.bytes, file.path.clone()));
        let mut room = self.limits.all_files;
        let mut files = Vec::new();
        for file in found {
            let mut refuse = |why: &dyn ToString| troubles.push(LocalTrouble::new(&file.path, why));
            if is_checkpoint(&file.path) {
                refuse(&"it is a copy that Jupyter keeps of another file");
                continue;
            }
            let path = match LocalPath::new(&file.path) {
                Ok(path) => path,
                Err(error) => {
                    refuse(&error);
                    continue;
                }
            };
            let largest = match Worth::of(path.as_str()) {
                Worth::Notebook | Worth::Requirements => self.limits.largest_file,
                Worth::Data => self.limits.largest_file.min(self.limits.largest_data),
            };
            if file.bytes > largest {
                refuse(&format!("longer than {largest} bytes"));
            } else if file.bytes > room {
                refuse(&format!("the files before it have the {} MiB that are kept", self.limits.all_files >> 20));
            } else {
                match read(&file.from)? {
                    Ok(content) if is_pointer(&content) => refuse(&elsewhere(&content)),
                    Ok(content) => {
                        room = room.saturating_sub(content.len() as u64);
                        let content = PackedContent::Here(content);
                        files.push(Packed { path, is_program: file.is_program, content });
                    }
                    Err(why) => refuse(&why),
                }
            }
        }
        Ok(files)
    }

    /// Keeps the files as one body, and each notebook as a body of its own.
    pub(crate) fn kept(
        &self,
        mut files: Vec<Packed>,
        revision: Option<String>,
        changed: Timestamp,
        (source, request): (MiningSource, String),
        left_out: usize,
        raw: &RawStore,
    ) -> Result<RepositoryRecord, crate::raw::RawError> {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let item = format!("repository {}", self.name.as_str());
        let (mut notebooks, all, mut bytes) = (0, count(files.len()), 0);
        for file in &mut files {
            let PackedContent::Here(content) = &file.content else { continue };
            bytes += content.len() as u64;
            if Worth::of(file.path.as_str()) == Worth::Notebook {
                notebooks += 1;
                file.content = PackedContent::Body(raw.keep(source, &item, content)?);
            }
        }
        let packed =
            pack(files).map_err(|error| crate::raw::RawError::new("pack", Path::new(self.name.as_str()), error))?;
        let archive = raw.keep(source, &item, &packed)?;
        Ok(RepositoryRecord {
            name: self.name.clone(),
            url: self.url.clone(),
            revision,
            changed,
            notebooks,
            files: all,
            bytes,
            left_out: count(left_out),
            origin: Origin { source, request, raw: archive },
        })
    }
}

fn enter(
    folder: &Folder,
    below: &str,
    found: &mut Vec<Candidate<String>>,
    troubles: &mut Vec<LocalTrouble>,
) -> Result<(), nbrevive_files::FileError> {
    let depth = below.matches('/').count();
    for entry in folder.entries()? {
        let name = entry.name.to_string_lossy();
        if name.starts_with('.') && !DECLARING.contains(&&*name) {
            continue;
        }
        let path = if below.is_empty() { name.to_string() } else { format!("{below}/{name}") };
        let told = match entry.kind {
            FileErrorKind::Folder if depth < DEEPEST => {
                folder.folder(Path::new(&entry.name)).and_then(|inner| enter(&inner, &path, found, troubles))
            }
            FileErrorKind::Folder => {
                troubles.push(LocalTrouble::new(&path, &format!("deeper than {DEEPEST} folders")));
                Ok(())
            }
            FileErrorKind::File => folder.open_file(Path::new(&entry.name)).map(|file| {
                let metadata = file.metadata().ok();
                let bytes = metadata.as_ref().map_or(0, |metadata| metadata.len());
                let mode =
                    metadata.map_or(0, |metadata| std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()));
                let is_program = mode & 0o100 != 0;
                found.push(Candidate { path: path.clone(), is_program, bytes, from: path.clone() });
            }),
            other => {
                troubles.push(LocalTrouble::new(&path, &format!("it is {other}")));
                Ok(())
            }
        };
        if let Err(error) = told {
            troubles.push(LocalTrouble::new(&path, &std::io::Error::from(error)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;
    use crate::archive::each_file;
    use crate::git::tests::{NOTEBOOK, Scene};

    fn place(all_files: u64) -> RepositoryPlace {
        let limits = ArchiveLimits { largest_file: 1000, largest_data: 1000, all_files };
        RepositoryPlace { name: LocalPath::new("me/it").unwrap(), url: None, limits }
    }

    /// The paths of an archive in its order, those that may be run with a star.
    fn files(record: &RepositoryRecord, raw: &RawStore) -> Vec<String> {
        let mut found = Vec::new();
        each_file(&raw.read(&record.origin.raw).unwrap(), raw, &mut |path, is_program, _| {
            found.push(format!("{}{}", path.as_str(), if is_program { "*" } else { "" }));
            Ok(())
        })
        .unwrap();
        found
    }

    fn why(troubles: &[LocalTrouble]) -> Vec<String> {
        troubles.iter().map(ToString::to_string).collect()
    }

    fn scene() -> Scene {
        let scene = Scene::new();
        scene.write("run.sh", "ls\n");
        fs::set_permissions(scene.tree().join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        scene.write("data/long.csv", &"1\n".repeat(600));
        scene.write("data/short.csv", "1\n");
        symlink("/etc/hostname", scene.tree().join("link.csv")).unwrap();
        scene.git(&["add", "--all"]);
        scene.commit("deep/One.ipynb", NOTEBOOK, 1_500_000_000);
        scene
    }

    #[test]
    fn a_commit_is_taken_with_its_regular_files_and_tells_of_the_others() {
        let scene = scene();
        let (git, raw) = (GitRepository::open(&scene.tree()).unwrap(), scene.store());
        scene.write("later.txt", "not committed\n");
        let (record, troubles) = place(10_000).take_commit(&git, "HEAD", &raw).unwrap();
        assert_eq!(files(&record, &raw), ["data/short.csv", "deep/One.ipynb", "run.sh*"]);
        assert_eq!((record.notebooks, record.files, record.left_out), (1, 3, 2));
        assert_eq!(record.changed.as_second(), 1_500_000_000);
        assert_eq!(record.revision.as_deref(), Some(scene.git(&["rev-parse", "HEAD"]).trim()));
        assert_eq!(why(&troubles), ["link.csv: it is a link", "data/long.csv: longer than 1000 bytes"]);
        let again = place(10_000).take_commit(&git, "main", &raw).unwrap();
        assert_eq!(again, (record, troubles));
    }

    #[test]
    fn a_commit_is_of_the_day_on_which_a_notebook_was_changed_last() {
        let scene = scene();
        scene.commit("two.ipynb", NOTEBOOK, 1_500_000_100);
        scene.commit("readme.md", "moved", 1_600_000_000);
        let (git, raw) = (GitRepository::open(&scene.tree()).unwrap(), scene.store());
        let second = |commit: &str| place(10_000).take_commit(&git, commit, &raw).unwrap().0.changed.as_second();
        assert_eq!((second("HEAD"), second("HEAD~2")), (1_500_000_100, 1_500_000_000));
        scene.git(&["rm", "-q", "-r", "two.ipynb", "deep"]);
        scene.commit("readme.md", "empty", 1_700_000_000);
        assert_eq!(second("HEAD"), 1_700_000_000, "without a notebook");
    }

    #[test]
    fn notebooks_are_kept_before_other_files_and_short_ones_before_long_ones() {
        let scene = scene();
        let (git, raw) = (GitRepository::open(&scene.tree()).unwrap(), scene.store());
        let room = NOTEBOOK.len() as u64 + 2;
        let (record, troubles) = place(room).take_commit(&git, "HEAD", &raw).unwrap();
        assert_eq!(files(&record, &raw), ["data/short.csv", "deep/One.ipynb"]);
        assert!(why(&troubles).iter().any(|why| why.starts_with("run.sh: the files before it")), "{troubles:?}");
    }

    #[test]
    fn a_folder_is_taken_as_it_is() {
        let scene = scene();
        scene.write("later.txt", "not committed\n");
        let raw = scene.store();
        let (record, troubles) = place(10_000).take_folder(&scene.tree(), Timestamp::UNIX_EPOCH, &raw).unwrap();
        assert_eq!(files(&record, &raw), ["data/short.csv", "deep/One.ipynb", "later.txt", "run.sh*"]);
        assert_eq!((record.revision, record.left_out), (None, 2));
        assert_eq!(why(&troubles), ["link.csv: it is a symbolic link", "data/long.csv: longer than 1000 bytes"]);
    }

    #[test]
    fn a_folder_that_is_as_it_was_committed_has_the_commit() {
        let scene = scene();
        let raw = scene.store();
        let head = || Some(GitRepository::open(&scene.tree()).unwrap().commit("HEAD").unwrap().0);
        let revision = |folder: &str| {
            let folder = scene.tree().join(folder);
            place(10_000).take_folder(&folder, Timestamp::UNIX_EPOCH, &raw).unwrap().0.revision
        };
        assert_eq!((revision(""), revision("deep")), (head(), head()));
        scene.write("data/short.csv", "other\n");
        assert_eq!((revision(""), revision("deep"), revision("data")), (None, head(), None));
    }

    #[test]
    fn what_declares_is_taken_and_what_stands_for_something_else_is_told() {
        let scene = scene();
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";
        let copy = "deep/.ipynb_checkpoints/One-checkpoint.ipynb";
        for (path, text) in [
            ("data/model.bin", pointer),
            (".binder/environment.yml", "dependencies: [numpy]"),
            (".python-version", "3.8"),
            (".hidden/x.csv", "1"),
        ] {
            scene.write(path, text);
        }
        scene.commit(copy, NOTEBOOK, 1_500_000_001);
        let (git, raw) = (GitRepository::open(&scene.tree()).unwrap(), scene.store());
        let (committed, of_commit) = place(10_000).take_commit(&git, "HEAD", &raw).unwrap();
        let (laid, of_folder) = place(10_000).take_folder(&scene.tree(), Timestamp::UNIX_EPOCH, &raw).unwrap();
        let taken = [".binder/environment.yml", ".python-version", "data/short.csv", "deep/One.ipynb", "run.sh*"];
        let mut all = files(&committed, &raw);
        all.retain(|path| path != ".hidden/x.csv");
        assert_eq!((all, files(&laid, &raw)), (taken.map(str::to_owned).to_vec(), taken.map(str::to_owned).to_vec()));
        assert_eq!((committed.notebooks, laid.notebooks), (1, 1));
        for troubles in [&of_commit, &of_folder] {
            assert!(
                why(troubles).contains(&"data/model.bin: its 12345 bytes lie in git-lfs".to_owned()),
                "{troubles:?}"
            );
        }
        assert!(why(&of_commit).contains(&format!("{copy}: it is a copy that Jupyter keeps of another file")));
    }

    mod attacks {
        use super::*;

        #[test]
        fn no_commit_is_an_option_and_what_is_not_here_is_told() {
            let scene = scene();
            let (git, raw) = (GitRepository::open(&scene.tree()).unwrap(), scene.store());
            for commit in ["--git-dir=/", "nowhere", "HEAD^{tree}", ""] {
                let error = place(10_000).take_commit(&git, commit, &raw).unwrap_err().to_string();
                assert!(error.contains(&format!("there is no commit `{commit}`")), "{error}");
            }
            let blob = scene.git(&["rev-parse", "HEAD:data/short.csv"]);
            let (folder, file) = blob.trim().split_at(2);
            fs::remove_file(scene.tree().join(".git/objects").join(folder).join(file)).unwrap();
            let (record, troubles) = place(10_000).take_commit(&git, "HEAD", &raw).unwrap();
            assert_eq!(record.files, 2);
            assert!(why(&troubles).contains(&"data/short.csv: its content is not here".to_owned()), "{troubles:?}");
        }
    }
}
