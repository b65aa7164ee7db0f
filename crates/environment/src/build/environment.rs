//! The record of a materialised environment.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::interpreter::Interpreter;

/// A materialised environment. Nothing writes to it any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Hash of the interpreter's version and of what was asked for, 20 hexadecimal digits.
    pub id: String,
    /// The folder.
    pub path: PathBuf,
    /// Its interpreter.
    pub python: PathBuf,
    /// Its folder of packages.
    pub site_packages: PathBuf,
    /// The base interpreter.
    pub interpreter: Interpreter,
    /// What was asked for: `name==version` lines of a lock, bounds of a plan.
    pub requested: Vec<String>,
    /// Everything installed, `name==version`, sorted.
    pub lock: Vec<String>,
    /// What its source archives were built with, which is in no lock: `name==version`, sorted. Empty where nothing was built in
    /// the workshop, and of environments of before it was noted.
    #[serde(default)]
    pub built_with: Vec<String>,
    /// The installer: `uv` or `pip`.
    pub tool: String,
    /// Why that installer.
    pub why: String,
    /// Seconds that the build took.
    pub seconds: f64,
    /// When it was finished.
    pub built: Timestamp,
}

impl Environment {
    /// Installed version of a distribution, by normalised name.
    #[must_use]
    pub fn version_of(&self, distribution: &str) -> Option<&str> {
        self.lock
            .iter()
            .find_map(|line| line.split_once("==").filter(|(name, _)| *name == distribution))
            .map(|(_, version)| version)
    }
}
