//! Which files declare, and which of them go first.
//!
//! 1. **Folders.** Where there is a `binder/` or else a `.binder/` with a file that Binder knows, only that declares, as in repo2docker;
//!    all else is read and superseded. Otherwise: the top, then `requirements/` there, then the folders on the way to the notebooks and
//!    theirs, the higher ones first. Other folders do not declare.
//! 2. **Kinds in a folder.** Requirements files, `Pipfile.lock`, `Pipfile`, `environment.yml`, then what declares a distribution of its
//!    own (`pyproject.toml`, `setup.cfg`, `setup.py`). In a folder of Binder `environment.yml` goes before all, as in repo2docker.
//! 3. **Variants.** Beside a `requirements.txt` others of the kind (`requirements-gpu.txt`) are extras unless it names them by `-r`;
//!    those of developers (`dev`, `test`, `docs`, …) always are. The same for `environment.yml`.
//!
//! Files of one rank are installed together, and so may contradict each other, which fails. Of different ranks, the first that bounds a
//! distribution counts, and the others' bounds are outranked.

use std::collections::BTreeSet;

use super::row::{DeclarationKind, DeclarationStanding};
use super::tree::{RepositoryTree, folder_of, name_of};

/// A file that declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declaring {
    pub(super) path: String,
    pub(super) kind: DeclarationKind,
    pub(super) standing: DeclarationStanding,
    /// Lower ones go first.
    pub(super) rank: u32,
}

/// Most folders of notebooks that are looked into.
const MOST_FOLDERS: usize = 500;
/// Where Binder looks first.
const BINDER_FOLDERS: [&str; 2] = ["binder", ".binder"];

/// All files that declare, those that go first first.
pub(super) fn declaring(files: &RepositoryTree) -> Vec<Declaring> {
    let folders = folders(files);
    let mut found: Vec<Declaring> = Vec::new();
    for path in files.paths() {
        let Some(kind) = kind_of(path) else { continue };
        let Some(place) = folders.iter().position(|folder| folder == folder_of(path)) else { continue };
        let rank = u32::try_from(place * 20).unwrap_or(u32::MAX).saturating_add(rank_of(kind, place));
        found.push(Declaring { path: path.clone(), kind, standing: DeclarationStanding::Counts, rank });
    }
    let is_binder = |folder: &str, file: &Declaring| folder_of(&file.path) == folder && is_known_to_binder(file.kind);
    let binder = BINDER_FOLDERS.iter().find(|folder| found.iter().any(|file| is_binder(folder, file)));
    let variants = variants(&found);
    for file in &mut found {
        file.standing = match file.kind {
            DeclarationKind::Readme | DeclarationKind::Dockerfile => DeclarationStanding::Candidate,
            _ if binder.is_some_and(|binder| folder_of(&file.path) != *binder) => DeclarationStanding::Superseded,
            _ if variants.contains(&file.path) => DeclarationStanding::Extra,
            _ => DeclarationStanding::Counts,
        };
    }
    // What counts is read before what does not: a file that it names counts with it.
    found.sort_by(|one, other| (one.standing, one.rank, &one.path).cmp(&(other.standing, other.rank, &other.path)));
    found
}

/// Whether a file makes its folder Binder's. A Dockerfile would too, and nothing is built from one here.
fn is_known_to_binder(kind: DeclarationKind) -> bool {
    !matches!(kind, DeclarationKind::Readme | DeclarationKind::Dockerfile)
}

/// The folders that may declare, those that go first first.
fn folders(files: &RepositoryTree) -> Vec<String> {
    let mut found: Vec<String> = ["binder", ".binder", "", "requirements", "docker"].map(str::to_owned).to_vec();
    let mut of_notebooks: BTreeSet<(usize, &str)> = BTreeSet::new();
    for notebook in files.notebooks() {
        let mut folder = folder_of(notebook);
        while !folder.is_empty() && of_notebooks.insert((folder.matches('/').count(), folder)) {
            folder = folder_of(folder);
        }
    }
    for (_, folder) in of_notebooks.into_iter().take(MOST_FOLDERS) {
        if !found.iter().any(|known| known == folder) {
            found.push(folder.to_owned());
        }
    }
    found
}

/// The kind of file that a path names, if it is one that declares.
pub(super) fn kind_of(path: &str) -> Option<DeclarationKind> {
    let name = name_of(path).to_ascii_lowercase();
    let in_requirements = folder_of(path).rsplit('/').next() == Some("requirements");
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let is_text = name.ends_with(".txt") || name.ends_with(".pip") || name.ends_with(".in");
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    Some(match name.as_str() {
        "setup.py" => DeclarationKind::SetupScript,
        "setup.cfg" => DeclarationKind::SetupCfg,
        "pyproject.toml" => DeclarationKind::Pyproject,
        "pipfile" => DeclarationKind::Pipfile,
        "pipfile.lock" => DeclarationKind::PipfileLock,
        "runtime.txt" => DeclarationKind::Runtime,
        ".python-version" => DeclarationKind::PythonVersion,
        "apt.txt" => DeclarationKind::AptFile,
        "postbuild" => DeclarationKind::PostBuild,
        _ if is_text && (stem.contains("requirement") || stem == "reqs" || in_requirements) => {
            DeclarationKind::RequirementsFile
        }
        _ if is_yaml && ["environment", "conda", "env"].iter().any(|start| is_variant(stem, start)) => {
            DeclarationKind::CondaEnvironment
        }
        _ if is_variant(stem, "dockerfile") || is_variant(stem, "containerfile") || name.ends_with(".dockerfile") => {
            DeclarationKind::Dockerfile
        }
        _ if is_variant(stem, "readme") && !is_yaml => DeclarationKind::Readme,
        _ => return None,
    })
}

/// `environment`, `environment-gpu`, `environment_py36`.
fn is_variant(stem: &str, start: &str) -> bool {
    stem.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.']))
}

/// The rank of a kind in its folder.
fn rank_of(kind: DeclarationKind, place: usize) -> u32 {
    match kind {
        DeclarationKind::CondaEnvironment if place < BINDER_FOLDERS.len() => 0,
        DeclarationKind::RequirementsFile => 1,
        DeclarationKind::PipfileLock => 2,
        DeclarationKind::Pipfile => 3,
        DeclarationKind::CondaEnvironment => 4,
        DeclarationKind::Pyproject | DeclarationKind::SetupCfg | DeclarationKind::SetupScript => 5,
        DeclarationKind::Runtime => 6,
        DeclarationKind::PythonVersion => 7,
        DeclarationKind::AptFile | DeclarationKind::PostBuild => 8,
        DeclarationKind::Dockerfile => 9,
        DeclarationKind::Readme => 10,
    }
}

/// Of each folder the requirements files and environments that are further ones beside a main one.
fn variants(found: &[Declaring]) -> BTreeSet<String> {
    let several =
        |kind: DeclarationKind| matches!(kind, DeclarationKind::RequirementsFile | DeclarationKind::CondaEnvironment);
    let key = |file: &Declaring| (folder_of(&file.path).to_owned(), file.kind);
    let mut mains: BTreeSet<(String, DeclarationKind)> = BTreeSet::new();
    let mut first: BTreeSet<(String, DeclarationKind)> = BTreeSet::new();
    for file in found.iter().filter(|file| several(file.kind) && is_main(&file.path)) {
        mains.insert(key(file));
    }
    let mut variants = BTreeSet::new();
    for file in found.iter().filter(|file| several(file.kind) && !is_main(&file.path)) {
        let name = name_of(&file.path).to_ascii_lowercase();
        let is_alone = !mains.contains(&key(file));
        // Several environments of conda, or the same list for CPU and GPU, exclude each other: the first by name counts.
        let excludes = file.kind == DeclarationKind::CondaEnvironment || name.contains("gpu") || name.contains("cpu");
        let is_first = !excludes || first.insert(key(file));
        if !is_alone || !is_first || is_for_developers(&name) || name.ends_with(".in") {
            variants.insert(file.path.clone());
        }
    }
    variants
}

/// Whether a file is the one of its kind that tools look for.
fn is_main(path: &str) -> bool {
    let name = name_of(path).to_ascii_lowercase();
    matches!(name.as_str(), "requirements.txt" | "requirement.txt" | "environment.yml" | "environment.yaml")
        || (folder_of(path) == "requirements"
            && matches!(name.as_str(), "base.txt" | "common.txt" | "main.txt" | "default.txt"))
}

/// Whether a group or file is by its name one for who develops, not for who runs notebooks.
pub(super) fn is_for_developers(name: &str) -> bool {
    let words = [
        "dev",
        "test",
        "tests",
        "testing",
        "doc",
        "docs",
        "lint",
        "ci",
        "build",
        "optional",
        "extra",
        "extras",
        "develop",
        "development",
        "deploy",
        "release",
        "typing",
        "style",
    ];
    let lower = name.to_ascii_lowercase();
    lower.split(|found: char| !found.is_ascii_alphanumeric()).any(|word| words.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_tell_their_kind() {
        let cases = [
            ("requirements.txt", Some(DeclarationKind::RequirementsFile)),
            ("a/Requirements-GPU.txt", Some(DeclarationKind::RequirementsFile)),
            ("requirements/base.txt", Some(DeclarationKind::RequirementsFile)),
            ("pip_requirements.pip", Some(DeclarationKind::RequirementsFile)),
            ("environment_py36.yaml", Some(DeclarationKind::CondaEnvironment)),
            ("environments.yml", None),
            ("binder/environment.yml", Some(DeclarationKind::CondaEnvironment)),
            ("docker/Dockerfile.gpu", Some(DeclarationKind::Dockerfile)),
            ("README.md", Some(DeclarationKind::Readme)),
            ("readme_images/x.png", None),
            ("apt.txt", Some(DeclarationKind::AptFile)),
            ("Pipfile", Some(DeclarationKind::Pipfile)),
            ("notes.txt", None),
            ("setup.pyc", None),
        ];
        for (path, expected) in cases {
            assert_eq!(kind_of(path), expected, "{path}");
        }
    }
}
