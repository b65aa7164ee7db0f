//! One saved version of a notebook, as a `versions.toml` lists it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_files::{FileError, Folder};
use nbrevive_spelling::with_nearest;
use serde::Deserialize;

use crate::repository::{Belongs, Told, is_below};

/// One saved version of a notebook: what is executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Unique in a study.
    pub slug: String,
    /// As the author called it.
    pub title: String,
    /// What it belongs to.
    pub belongs: Belongs,
    /// When it was submitted; of one in a repository, when it was last changed.
    pub submitted: Timestamp,
    /// The environment of its date in which its target score is measured: the name of a lock in `study/eras`.
    pub era: Option<String>,
    /// The notebook file.
    pub path: PathBuf,
}

impl Version {
    /// The folder that it runs in, relative to its repository's files; the working folder itself where there is none.
    #[must_use]
    pub fn starts_in(&self) -> &Path {
        let below = |files: &PathBuf| self.path.strip_prefix(files).ok()?.parent();
        self.belongs.repository().and_then(|repository| below(&repository.files)).unwrap_or(Path::new(""))
    }
}

/// Why a list of versions cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The list or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not valid.
    #[error("{path} is not a valid list of versions: {message}")]
    Invalid {
        /// The list.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// Two folders are told to be the files of one repository.
    #[error("the repository `{name}` has its files in {first} and in {second}: give each a name of its own")]
    Twice {
        /// Its name.
        name: String,
        /// One folder.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Two versions share a slug.
    #[error("slug `{slug}` stands in {first} and in {second}: slugs are unique in a study, rename one")]
    Duplicate {
        /// The slug.
        slug: String,
        /// The notebook that has it first.
        first: PathBuf,
        /// The notebook that has it again.
        second: PathBuf,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VersionList {
    repository: Option<Told>,
    belongs: Option<ToNothing>,
    #[serde(default)]
    version: Vec<Entry>,
}

/// The one word for what has neither competition nor repository.
#[derive(Deserialize)]
enum ToNothing {
    #[serde(rename = "nothing")]
    Nothing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    slug: String,
    title: String,
    submitted: Timestamp,
    #[serde(default)]
    era: Option<String>,
    #[serde(default)]
    file: Option<String>,
}

/// Every version below `folder`: one sub-folder a competition or repository, each with a `versions.toml` and its notebooks.
/// Sorted by slug.
///
/// A sub-folder is that of the competition of its name, unless its list has a table `[repository]` or says `belongs = "nothing"`. The
/// notebooks of a repository lie among its files, and are named by their paths there.
///
/// # Errors
/// When a list is unreadable or not valid, or a slug stands twice.
pub fn load_versions(folder: &Path) -> Result<Vec<Version>, VersionError> {
    let unreadable = |error: FileError| VersionError::Unreadable { path: folder.to_owned(), source: error.into() };
    let root = Folder::open(folder).map_err(unreadable)?;
    let mut versions = Vec::new();
    for entry in root.entries().map_err(unreadable)? {
        versions.extend(load_list(&root, Path::new(&entry.name))?);
    }
    versions.sort_by(|a, b| a.slug.cmp(&b.slug));
    if let Some(pair) = versions.windows(2).find(|pair| pair[0].slug == pair[1].slug) {
        return Err(VersionError::Duplicate {
            slug: pair[0].slug.clone(),
            first: pair[0].path.clone(),
            second: pair[1].path.clone(),
        });
    }
    check_repositories(&versions)?;
    Ok(versions)
}

/// One name is one repository: rows know it by that.
fn check_repositories(versions: &[Version]) -> Result<(), VersionError> {
    let mut known: BTreeMap<&str, &Path> = BTreeMap::new();
    for repository in versions.iter().filter_map(|version| version.belongs.repository()) {
        let files = repository.files.as_path();
        if let Some(first) = known.insert(&repository.name, files).filter(|first| *first != files) {
            return Err(VersionError::Twice {
                name: repository.name.clone(),
                first: first.to_owned(),
                second: files.to_owned(),
            });
        }
    }
    Ok(())
}

/// The versions of one list; none where there is no list.
fn load_list(root: &Folder, folder: &Path) -> Result<Vec<Version>, VersionError> {
    let name = folder.join("versions.toml");
    let path = root.path().join(&name);
    let bytes = match root.read(&name, crate::LONGEST_LIST) {
        Ok(bytes) => bytes,
        Err(error) if is_no_list(&error) => return Ok(Vec::new()),
        Err(error) => return Err(VersionError::Unreadable { path, source: error.into() }),
    };
    let invalid = |message: String| VersionError::Invalid { path: path.clone(), message };
    let list: VersionList = toml::from_slice(&bytes).map_err(|error| invalid(with_nearest(&error.to_string())))?;
    let belongs = match (list.repository, list.belongs) {
        (Some(_), Some(_)) => {
            return Err(invalid("it has a [repository], and yet `belongs`: leave one out".to_owned()));
        }
        (Some(told), None) => Belongs::Repository(told.resolve(root, folder).map_err(invalid)?),
        (None, Some(ToNothing::Nothing)) => Belongs::Nothing,
        (None, None) => Belongs::Competition(folder.to_string_lossy().into_owned()),
    };
    let (notebooks, is_file): (PathBuf, fn(&str) -> bool) = match belongs.repository() {
        Some(repository) => (repository.files.clone(), is_below),
        None => (root.path().join(folder), is_plain),
    };
    let of_entry = |entry: Entry| {
        let file = entry.file.unwrap_or_else(|| format!("{}.ipynb", entry.slug));
        if !is_slug(&entry.slug) || !is_file(&file) || !entry.era.as_deref().is_none_or(is_plain) {
            return Err(invalid(format!("slug `{}`, its file or its era is not a plain lower-case name", entry.slug)));
        }
        let path = notebooks.join(file);
        let below = path.strip_prefix(root.path()).unwrap_or(&path);
        if let Err(error @ FileError::Outside { .. }) = root.resolve(below) {
            return Err(invalid(error.to_string()));
        }
        Ok(Version {
            slug: entry.slug,
            title: entry.title,
            belongs: belongs.clone(),
            submitted: entry.submitted,
            era: entry.era,
            path,
        })
    };
    list.version.into_iter().map(of_entry).collect()
}

/// Whether there is no list in the place of one: nothing, or a file where a competition's folder would be.
fn is_no_list(error: &FileError) -> bool {
    let kind = match error {
        FileError::Read { source, .. } => Some(source.kind()),
        _ => None,
    };
    kind.is_some_and(|kind| matches!(kind, std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory))
}

/// Whether a name is that of a file in the folder itself.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.chars().any(|letter| letter == '/' || letter.is_control())
}

fn is_slug(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(plain) && !text.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus(list: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("tiny")).unwrap();
        std::fs::write(dir.path().join("tiny/versions.toml"), list).unwrap();
        dir
    }

    #[test]
    fn the_folder_names_the_competition() {
        let dir = corpus("[[version]]\nslug = \"a-b\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n");
        let versions = load_versions(dir.path()).unwrap();
        assert_eq!(versions[0].belongs.competition(), Some("tiny"));
        assert_eq!(versions[0].path, dir.path().join("tiny/a-b.ipynb"));
        assert_eq!(versions[0].starts_in(), Path::new(""));
    }

    #[test]
    fn a_key_that_no_list_has_is_told_with_its_line_and_the_nearest() {
        let dir = corpus("[[version]]\nslug = \"a\"\ntitel = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n");
        let error = load_versions(dir.path()).unwrap_err().to_string();
        assert!(error.contains("versions.toml") && error.contains("at line 3"), "{error}");
        assert!(error.ends_with("; did you mean `title`?"), "{error}");
    }

    #[test]
    fn a_list_may_be_that_of_a_repository_or_of_nothing() {
        let one = "[[version]]\nslug = \"a\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n";
        let dir = corpus(&format!("[repository]\nname = \"me/it\"\n{one}file = \"deep/er/One.ipynb\"\n"));
        let version = load_versions(dir.path()).unwrap().remove(0);
        assert_eq!(version.belongs.repository().map(|repository| repository.name.as_str()), Some("me/it"));
        assert_eq!(version.path, dir.path().join("tiny/files/deep/er/One.ipynb"));
        assert_eq!(version.starts_in(), Path::new("deep/er"));

        let dir = corpus(&format!("belongs = \"nothing\"\n{one}"));
        assert_eq!(load_versions(dir.path()).unwrap()[0].belongs, Belongs::Nothing);

        for (list, why) in [
            (format!("belongs = \"nothing\"\n{one}[repository]\nname = \"x\"\n"), "leave one out"),
            (format!("belongs = \"me\"\n{one}"), "expected `nothing`"),
            (format!("[repository]\nname = \"x\"\n{one}file = \"a/../../b.ipynb\"\n"), "is not a plain"),
            (format!("[repository]\nname = \"x\"\nfiles = \"..\"\n{one}"), "no folder beside the list"),
        ] {
            let error = load_versions(corpus(&list).path()).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_name_is_one_repository() {
        let list = |slug: &str| {
            format!(
                "[repository]\nname = \"me/it\"\n[[version]]\nslug = \"{slug}\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n"
            )
        };
        let dir = corpus(&list("a"));
        std::fs::create_dir(dir.path().join("other")).unwrap();
        std::fs::write(dir.path().join("other/versions.toml"), list("b")).unwrap();
        let error = load_versions(dir.path()).unwrap_err().to_string();
        assert!(error.starts_with("the repository `me/it` has its files in "), "{error}");
    }

    #[test]
    fn a_slug_stands_once() {
        let one = "[[version]]\nslug = \"a\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n";
        let dir = corpus(&format!("{one}{one}"));
        assert!(matches!(load_versions(dir.path()), Err(VersionError::Duplicate { .. })));
    }

    #[test]
    fn a_slug_that_climbs_out_is_refused() {
        let dir = corpus("[[version]]\nslug = \"../x\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n");
        assert!(load_versions(dir.path()).unwrap_err().to_string().contains("plain lower-case name"));
    }

    mod attacks {
        use super::*;

        const ONE: &str = "[[version]]\nslug = \"a\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n";

        fn refused(list: &str) -> String {
            load_versions(corpus(list).path()).unwrap_err().to_string()
        }

        #[test]
        fn names_that_climb_out_are_refused() {
            for line in [
                "file = \"../../etc/passwd\"",
                "file = \"/etc/passwd\"",
                "file = \"..\"",
                "file = \"\"",
                "file = \"a\\u0000b\"",
                "era = \"../../secret\"",
                "era = \"/secret\"",
                "era = \"a\\u001b]52;c;x\"",
            ] {
                assert!(refused(&format!("{ONE}{line}\n")).contains("is not a plain lower-case name"), "{line}");
            }
        }

        #[test]
        fn links_that_lead_out_are_refused_and_pipes_are_not_waited_for() {
            let dir = corpus(ONE);
            std::os::unix::fs::symlink("/etc/hostname", dir.path().join("tiny/a.ipynb")).unwrap();
            let error = load_versions(dir.path()).unwrap_err().to_string();
            assert!(error.contains("a.ipynb leads out of its folder"), "{error}");

            std::fs::rename(dir.path().join("tiny/versions.toml"), dir.path().join("list")).unwrap();
            std::os::unix::fs::symlink("../../../../../../etc/hostname", dir.path().join("tiny/versions.toml"))
                .unwrap();
            let error = load_versions(dir.path()).unwrap_err().to_string();
            assert!(error.contains("leads out of its folder"), "{error}");

            let list = dir.path().join("tiny/versions.toml");
            std::fs::remove_file(&list).unwrap();
            std::os::unix::fs::symlink("../list", &list).unwrap();
            let notebook = dir.path().join("tiny/a.ipynb");
            std::fs::remove_file(&notebook).unwrap();
            let made = std::process::Command::new("mkfifo").arg(&notebook).status().unwrap();
            assert!(made.success());
            let version = &load_versions(dir.path()).unwrap()[0];
            let (exclusion, detail) = crate::select(&version.path).unwrap_err();
            assert_eq!(exclusion, crate::Exclusion::Unreadable);
            assert!(detail.contains("is a named pipe"), "{detail}");
        }
    }
}
