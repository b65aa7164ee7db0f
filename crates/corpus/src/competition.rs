//! A competition: a task with data, metric, direction and answers, described by the `competition.toml` of its folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_files::{FileError, Folder};
use serde::{Deserialize, Serialize};

use crate::{Direction, Fingerprint, content_hash};
use nbrevive_spelling::{string_enum, with_nearest};

/// Where a competition's folder keeps its description.
const DESCRIPTION: &str = "competition.toml";

string_enum! {
    /// What the target columns of a submission hold.
    pub enum Prediction ("prediction") {
        /// A class label.
        Label => "label",
        /// A probability between 0 and 1.
        Probability => "probability",
        /// A real number.
        Value => "value",
    }
}

/// Where a competition's data comes from, and under which terms.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DataSource {
    /// Name and publication of the data.
    pub source: String,
    /// Its licence.
    pub licence: String,
    /// What else a user of the data should know.
    #[serde(default, alias = "licence_note", skip_serializing_if = "Option::is_none")]
    pub licence_note: Option<String>,
}

/// A task with data, metric, direction and answers.
///
/// It is graded either by what its target columns hold (`prediction`), or by the `checks` that it names, with the words that
/// the grader's own list of competitions has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Competition {
    /// The slug, also the name of its folder and of its input folder in the sandbox.
    pub id: String,
    /// The name as people read it.
    pub title: String,
    /// The metric's name; the grader knows which there are.
    pub metric: String,
    /// Which way the metric points.
    pub direction: Direction,
    /// The column that names a row of a submission.
    #[serde(alias = "id_column")]
    pub id_column: String,
    /// The columns of a submission that are scored; with `checks` it may be empty: every column of the answers but the id.
    #[serde(default, alias = "target_columns", skip_serializing_if = "Vec::is_empty")]
    pub target_columns: Vec<String>,
    /// What the target columns hold, where that says how submissions are checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Prediction>,
    /// What a submission is checked for, in this order, where `prediction` does not say it; the grader knows the words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// How cells become labels or texts, where that is not by the type of their column; the grader knows the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<String>,
    /// The columns of the answers that hold the truth, where they have other names than in a submission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truth_columns: Vec<String>,
    /// Further columns of the answers that the metric needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_columns: Vec<String>,
    /// Further columns that a submission must have, though they are not scored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unscored_columns: Vec<String>,
    /// The answers below the prepared folder.
    #[serde(default = "usual_answers", skip_serializing_if = "is_usual_answers")]
    pub answers: String,
    /// The sample submission below the prepared folder.
    #[serde(default = "usual_sample", skip_serializing_if = "is_usual_sample")]
    pub sample: String,
    /// The right submission below the prepared folder, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gold: Option<String>,
    /// Source and licence of the data.
    pub data: DataSource,
    /// SHA-256 of each prepared file, by its path below the prepared folder (`public/train.csv`, `private/answers.csv`).
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The folder that this description was read from.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Why a competition cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CompetitionError {
    /// Its description cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The description.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Its description is not valid.
    #[error("{path} is not a valid competition description: {message}")]
    Invalid {
        /// The description.
        path: PathBuf,
        /// What is wrong, with line and column.
        message: String,
    },
    /// A data file is no regular file, or leads out of the folder.
    #[error("a data file of competition `{competition}` cannot be used: {source}")]
    NoFile {
        /// The slug.
        competition: String,
        /// The file, and what is wrong with it.
        source: FileError,
    },
    /// A data file is not there.
    #[error("data file {path} of competition `{competition}` is missing: run `nbrevive study prepare`")]
    MissingFile {
        /// The slug.
        competition: String,
        /// The file.
        path: PathBuf,
    },
    /// A data file is not the one that the description promises.
    #[error(
        "data file {path} of competition `{competition}` has SHA-256 {found}, expected {expected}: \
         delete it and run `nbrevive study prepare`"
    )]
    WrongHash {
        /// The slug.
        competition: String,
        /// The file.
        path: PathBuf,
        /// The hash in the description.
        expected: String,
        /// The hash of the file.
        found: String,
    },
}

impl Competition {
    /// Reads `competition.toml` in `folder`.
    ///
    /// # Errors
    /// When the file is unreadable, not valid TOML, has unknown keys, or its id is not the folder's name.
    pub fn load(folder: &Path) -> Result<Self, CompetitionError> {
        let path = folder.join(DESCRIPTION);
        let opened = Folder::open(folder).and_then(|folder| folder.read(Path::new(DESCRIPTION), crate::LONGEST_LIST));
        let text = opened.map_err(|error| CompetitionError::Unreadable { path: path.clone(), source: error.into() })?;
        let invalid = |message: String| CompetitionError::Invalid { path: path.clone(), message };
        let mut competition: Competition =
            toml::from_slice(&text).map_err(|error| invalid(with_nearest(&error.to_string())))?;
        if folder.file_name().is_none_or(|name| name != competition.id.as_str()) {
            return Err(invalid(format!("its id `{}` is not the name of its folder", competition.id)));
        }
        if let Some(bad) = competition.named_files().find(|name| !is_plain_path(name)) {
            return Err(invalid(format!("file name `{bad}` must be public/NAME or private/NAME")));
        }
        competition.folder = folder.to_owned();
        Ok(competition)
    }

    /// Every competition below `folder`, by id.
    ///
    /// # Errors
    /// When the folder cannot be listed or one of its competitions cannot be loaded.
    pub fn load_all(folder: &Path) -> Result<BTreeMap<String, Competition>, CompetitionError> {
        let listed = Folder::open(folder).and_then(|folder| folder.entries());
        let unreadable =
            |error: FileError| CompetitionError::Unreadable { path: folder.to_owned(), source: error.into() };
        let mut competitions = BTreeMap::new();
        for entry in listed.map_err(unreadable)? {
            let path = folder.join(entry.name);
            if path.join(DESCRIPTION).exists() {
                let competition = Competition::load(&path)?;
                competitions.insert(competition.id.clone(), competition);
            }
        }
        Ok(competitions)
    }

    /// Checks that every data file is in `prepared` (the folder with `public/` and `private/`) with the promised hash.
    ///
    /// # Errors
    /// Names the first file that is missing or differs.
    pub fn verify(&self, prepared: &Path) -> Result<(), CompetitionError> {
        self.files.keys().try_for_each(|name| self.verify_file(prepared, name))
    }

    /// Checks one data file, if the description promises a hash for it.
    ///
    /// # Errors
    /// When it is missing or differs.
    pub fn verify_file(&self, prepared: &Path, name: &str) -> Result<(), CompetitionError> {
        let Some(expected) = self.files.get(name) else { return Ok(()) };
        let path = prepared.join(name);
        let missing = || CompetitionError::MissingFile { competition: self.id.clone(), path: path.clone() };
        let opened = Folder::open(prepared).and_then(|folder| folder.open_file(Path::new(name)));
        let file = opened.map_err(|source| match source {
            FileError::Read { .. } => missing(),
            source => CompetitionError::NoFile { competition: self.id.clone(), source },
        })?;
        let found = crate::opened_sha256(file).map_err(|_| missing())?;
        if found == *expected {
            return Ok(());
        }
        let (competition, expected) = (self.id.clone(), expected.clone());
        Err(CompetitionError::WrongHash { competition, path, expected, found })
    }

    /// The folder with `public` and `private`: its own, where the data lies beside the description; else below `cache`, in a
    /// folder whose name holds the hash of what it must be, where `nbrevive study prepare` puts it.
    #[must_use]
    pub fn prepared_folder(&self, cache: &Path) -> PathBuf {
        if self.folder.join("private").is_dir() {
            return self.folder.clone();
        }
        let content: String = self.files.iter().map(|(name, hash)| format!("{name} {hash}\n")).collect();
        let hash = content_hash(content.as_bytes());
        cache.join(format!("{}-{}", self.id, &hash[..12]))
    }

    /// What a score depends on: the rules of grading, and the content of each data file. Title, source and licence are not in it.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let list = |names: &[String]| serde_json::to_string(names).expect("names are JSON");
        let rules = Fingerprint::of("competition", 1)
            .with("competition", &self.id)
            .with("grading.metric", &self.metric)
            .with("grading.direction", self.direction)
            .with("grading.id-column", &self.id_column)
            .with("grading.target-columns", list(&self.target_columns))
            .with("grading.prediction", self.prediction.map_or("", Prediction::as_str))
            .with("grading.checks", list(&self.checks))
            .with("grading.cells", self.cells.as_deref().unwrap_or_default())
            .with("grading.truth-columns", list(&self.truth_columns))
            .with("grading.further-columns", list(&self.further_columns))
            .with("grading.unscored-columns", list(&self.unscored_columns))
            .with("grading.answers", &self.answers);
        self.files.iter().fold(rules, |all, (name, sha256)| all.with(format!("data.{name}"), sha256))
    }

    fn named_files(&self) -> impl Iterator<Item = &String> {
        self.files.keys().chain([&self.answers, &self.sample]).chain(&self.gold)
    }

    /// The names of the files that a notebook sees.
    pub fn public_files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().filter_map(|name| name.strip_prefix("public/"))
    }
}

fn usual_answers() -> String {
    "private/answers.csv".to_owned()
}

fn is_usual_answers(name: &String) -> bool {
    *name == usual_answers()
}

fn usual_sample() -> String {
    "public/sample_submission.csv".to_owned()
}

fn is_usual_sample(name: &String) -> bool {
    *name == usual_sample()
}

fn is_plain_path(name: &str) -> bool {
    let Some((folder, file)) = name.split_once('/') else {
        return false;
    };
    let is_plain =
        !file.is_empty() && !file.starts_with('.') && !file.contains('/') && !file.chars().any(char::is_control);
    matches!(folder, "public" | "private") && is_plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: &str = r#"
id = "tiny"
title = "Tiny"
metric = "accuracy"
direction = "maximize"
id-column = "Id"
target-columns = ["Label"]
prediction = "label"
[data]
source = "made up"
licence = "CC0-1.0"
[files]
"public/train.csv" = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
"#;

    fn folder_with(text: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("tiny");
        std::fs::create_dir_all(folder.join("public")).unwrap();
        std::fs::write(folder.join("competition.toml"), text).unwrap();
        (dir, folder)
    }

    #[test]
    fn loads_and_verifies() {
        let (_dir, folder) = folder_with(VALID);
        let competition = Competition::load(&folder).unwrap();
        assert!(matches!(competition.verify(&folder), Err(CompetitionError::MissingFile { .. })));
        std::fs::write(folder.join("public/train.csv"), "abc").unwrap();
        competition.verify(&folder).unwrap();
        std::fs::write(folder.join("public/train.csv"), "abd").unwrap();
        assert!(matches!(competition.verify(&folder), Err(CompetitionError::WrongHash { .. })));
    }

    mod attacks {
        use std::os::unix::fs::symlink;

        use super::*;

        #[test]
        fn a_path_that_climbs_out_is_refused() {
            let bad =
                ["../../etc/passwd", "public/../../etc/passwd", "/etc/passwd", "public/a\\u0000b", "public/\\u001b[2J"];
            for name in bad {
                for key in ["\"public/train.csv\" =", "answers =", "gold ="] {
                    let line = if key.starts_with('"') {
                        format!("\"{name}\" =")
                    } else {
                        format!("{key} \"{name}\"\n[data]")
                    };
                    let place = if key.starts_with('"') { key } else { "[data]" };
                    let (_dir, folder) = folder_with(&VALID.replace(place, &line));
                    let error = Competition::load(&folder).unwrap_err().to_string();
                    assert!(error.contains("must be public/NAME or private/NAME"), "{name}: {error}");
                }
            }
        }

        #[test]
        fn data_that_leads_out_is_not_taken_for_the_promised_data() {
            let (dir, folder) = folder_with(VALID);
            std::fs::write(dir.path().join("outside"), "abc").unwrap();
            symlink("../../outside", folder.join("public/train.csv")).unwrap();
            let competition = Competition::load(&folder).unwrap();
            let error = competition.verify(&folder).unwrap_err().to_string();
            assert!(error.contains("leads out of its folder"), "{error}");
            std::fs::remove_file(folder.join("public/train.csv")).unwrap();
            std::process::Command::new("mkfifo").arg(folder.join("public/train.csv")).status().unwrap();
            assert!(competition.verify(&folder).unwrap_err().to_string().contains("is a named pipe"));
        }

        #[test]
        fn a_description_elsewhere_or_without_end_is_not_read() {
            let (dir, folder) = folder_with(VALID);
            let description = folder.join(DESCRIPTION);
            std::fs::rename(&description, dir.path().join("outside")).unwrap();
            for target in ["../outside", "/dev/zero"] {
                symlink(target, &description).unwrap();
                assert!(matches!(Competition::load(&folder), Err(CompetitionError::Unreadable { .. })), "{target}");
                assert!(Competition::load_all(dir.path()).is_err(), "{target}");
                std::fs::remove_file(&description).unwrap();
            }
        }
    }

    #[test]
    fn data_beside_the_description_is_used_where_it_is() {
        let (_dir, folder) = folder_with(VALID);
        let cache = Path::new("/cache");
        let competition = Competition::load(&folder).unwrap();
        let elsewhere = competition.prepared_folder(cache);
        assert!(elsewhere.starts_with(cache) && elsewhere.file_name().unwrap().to_str().unwrap().starts_with("tiny-"));
        std::fs::create_dir(folder.join("private")).unwrap();
        assert_eq!(competition.prepared_folder(cache), folder);
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = VALID.replace("prediction = \"label\"", "checks = [\"ids\"]\nanswers = \"private/test.csv\"");
        let (_dir, folder) = folder_with(&text);
        let competition = Competition::load(&folder).unwrap();
        let (_other, again) = folder_with(&toml::to_string(&competition).unwrap());
        assert_eq!(Competition::load(&again).unwrap(), Competition { folder: again, ..competition });
    }

    #[test]
    fn an_unknown_key_is_named() {
        let (_dir, folder) = folder_with(&VALID.replace("title", "titel"));
        let error = Competition::load(&folder).unwrap_err().to_string();
        assert!(error.contains("titel"), "{error}");
    }
}
