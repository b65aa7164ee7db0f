//! Target scores: what each version scored when it was submitted, and in which environment that was measured.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_spelling::with_nearest;
use serde::{Deserialize, Serialize};

/// The score that a version has to reach, and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The target score `s_t`, in the unit of the competition's metric.
    pub score: f64,
    /// The lock that gave it: the name of a file in `study/eras`, without its ending; none when the score was published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub era: Option<String>,
    /// The interpreter that gave it, for example `3.6.15`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub python: Option<String>,
    /// Hash of the lock's content, so that a changed lock shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock_hash: Option<String>,
    /// Hash of the notebook that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notebook_hash: Option<String>,
    /// Seconds that the cells took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// The targets of a study, by slug.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Targets {
    /// One target a version.
    #[serde(default)]
    pub target: BTreeMap<String, Target>,
}

/// Why targets cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The file cannot be read or written.
    #[error("cannot access {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not valid.
    #[error("{path} is not a valid list of target scores: {message}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

const HEADER: &str = "# Target scores: what each version's code scores in the environment of its date.\n\
# Written by `nbrevive study measure-targets`; run it again to measure again.\n\n";

impl Targets {
    /// Reads a list of targets.
    ///
    /// # Errors
    /// When the file is unreadable, not valid, or a score is not finite.
    pub fn load(path: &Path) -> Result<Self, TargetError> {
        let text = nbrevive_files::read_text(path, crate::LONGEST_LIST)
            .map_err(|error| TargetError::Io { path: path.to_owned(), source: error.into() })?;
        let invalid = |message: String| TargetError::Invalid { path: path.to_owned(), message };
        let targets: Targets = toml::from_str(&text).map_err(|error| invalid(with_nearest(&error.to_string())))?;
        match targets.target.iter().find(|(_, target)| !target.score.is_finite()) {
            Some((slug, _)) => Err(invalid(format!("the score of `{slug}` is not a finite number"))),
            None => Ok(targets),
        }
    }

    /// Writes the list, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TargetError> {
        let body = toml::to_string(self)
            .map_err(|error| TargetError::Invalid { path: path.to_owned(), message: error.to_string() })?;
        nbrevive_files::write(path, format!("{HEADER}{body}"))
            .map_err(|error| TargetError::Io { path: path.to_owned(), source: error.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_loads_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("targets.toml");
        let mut targets = Targets::default();
        let target = Target {
            score: 0.875,
            era: Some("2018-06-py36".to_owned()),
            python: None,
            lock_hash: None,
            notebook_hash: None,
            seconds: Some(1.5),
        };
        targets.target.insert("a-b".to_owned(), target);
        targets.save(&path).unwrap();
        assert_eq!(Targets::load(&path).unwrap(), targets);
    }

    #[test]
    fn a_score_that_is_no_number_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("targets.toml");
        std::fs::write(&path, "[target.a]\nscore = nan\n").unwrap();
        assert!(Targets::load(&path).unwrap_err().to_string().contains("`a` is not a finite number"));
    }
}
