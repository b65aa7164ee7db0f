//! What a plan says: an interpreter, one line a distribution, and a reason for each.

use jiff::Timestamp;
use nbrevive_spelling::string_enum;
use pep440_rs::Version;
use serde::{Deserialize, Serialize};

use crate::failure_class::FailureClass;
use crate::history::Sha256;
use crate::interpreter::Interpreter;

string_enum! {
    /// How versions are chosen.
    pub enum Strategy ("strategy") {
        /// Section 2.2.1 of the paper to the letter: an upper bound for each direct import, the rest left to the installer.
        Paper => "paper",
        /// The whole closure, solved from files that were uploaded before the date.
        Dated => "dated",
    }
}

/// An interpreter and what to install for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnvironmentPlan {
    /// How versions were chosen.
    pub strategy: Strategy,
    /// The date that the environment is of (UTC); "before" is strict.
    pub date: Timestamp,
    /// The interpreter to build for.
    pub interpreter: Interpreter,
    /// What decided its minor.
    pub python_reason: PythonReason,
    /// The newest release of the major before the date, if there was one.
    #[serde(default)]
    pub python_before: Option<Version>,
    /// The patch that the paper would install.
    pub python_latest_patch: Version,
    /// One line a distribution, sorted by name. Empty where a `dated` plan is expected to fail.
    pub lines: Vec<Line>,
    /// What source archives among the lines are built with, sorted by name (`dated` only).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build: Vec<Line>,
    /// Imports and requirements without a distribution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<Unresolved>,
    /// Imports that need none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// Distributions whose kept history was used because the index could not be asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<String>,
    /// What a reader should know before anything is installed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// Why the installation will fail, where that is known beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_failure: Option<ExpectedFailure>,
}

string_enum! {
    /// What decided the minor of the interpreter.
    pub enum PythonReason ("reason of an interpreter"): &'static str {
        /// The newest minor of the major that was released before the date.
        Date => "date", "the newest minor before the date";
        /// The syntax of the notebook needs a newer one.
        Syntax => "syntax", "the oldest minor that has the notebook's syntax";
        /// The notebook was saved by a newer one (`language_info.version`).
        SavedBy => "saved-by", "the minor that saved the notebook";
        /// The caller named it.
        Asked => "asked", "asked for";
        /// The repository declares it (`dated` only).
        Wished => "wished", "declared by the repository";
        /// The one that the rule names is not on this machine (`dated` only).
        Nearest => "nearest", "the nearest one on this machine";
        /// Versions that the repository declares have no wheels for the one that the rule names (`dated` only).
        Declared => "declared", "the nearest one that the declared versions have wheels for";
    }
}

impl PythonReason {
    /// Why, in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        self.about()
    }
}

/// One distribution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Normalised name.
    pub distribution: String,
    /// Requested extras, with brackets, or an empty text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub extras: String,
    /// The chosen version; `None` for a pin that no release satisfies (`paper` only).
    pub version: Option<Version>,
    /// The bound as written: `<=1.2.3`, `==1.2.3`, or the notebook's own specifier.
    pub bound: String,
    /// Why this version.
    pub reason: PlanReason,
    /// The same for people, in one sentence.
    pub why: String,
    /// Whether wheels of the chosen release fit.
    pub wheels: Wheels,
    /// The imports that asked for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
    /// Who asked for it: imports, install lines, other distributions, the environment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_by: Vec<AskedBy>,
    /// Whether the name is the module's own, in no table, and taken because a file of it contains the module.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_name: bool,
    /// When the chosen release appeared (UTC).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<Timestamp>,
    /// The file to install for the plan's interpreter; `None` where none fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<LineFile>,
}

/// Who asked for a distribution.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AskedBy {
    /// `import sklearn.linear_model`, `install line`, `pandas 0.25.3`, `environment`.
    pub who: String,
    /// The requirement as written; empty for an import.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub requirement: String,
}

/// The file of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineFile {
    /// Its name on the index.
    pub name: String,
    /// When it was uploaded (UTC).
    pub uploaded: Timestamp,
    /// Length in bytes, where the index says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// SHA-256, where the index says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Sha256>,
}

impl LineFile {
    /// Whether it is a wheel, not a source archive.
    #[must_use]
    pub fn is_wheel(&self) -> bool {
        self.name.ends_with(".whl")
    }
}

impl From<&crate::history::File> for LineFile {
    fn from(file: &crate::history::File) -> Self {
        Self { name: file.name.to_string(), uploaded: file.uploaded, size: file.size, sha256: file.sha256 }
    }
}

string_enum! {
    /// Why a version was chosen.
    pub enum PlanReason ("reason of a version") {
        /// The newest compatible release before the date.
        NewestBeforeDate => "newest-before-date",
        /// None was compatible before: the oldest compatible one (`paper`).
        OldestCompatible => "oldest-compatible",
        /// None is compatible at all: the oldest one (`paper`).
        OldestAvailable => "oldest-available",
        /// The notebook's own install line names it.
        NotebookPin => "notebook-pin",
        /// The newest before the date that the other distributions' requirements leave (`dated`).
        Required => "required",
        /// Released before the date, but the file that fits the interpreter came later (`dated`).
        WheelAfterDate => "wheel-after-date",
        /// Nothing of before the date can be installed: the oldest release of after it (`dated`).
        OldestAfterDate => "oldest-after-date",
        /// A newer one did not work beside the others when it was tried (`dated`).
        SteppedBack => "stepped-back",
    }
}

/// Wheels of the chosen release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wheels {
    /// One fits the interpreter.
    Fit,
    /// It is compiled, and no wheel fits: a build from source needs a compiler and more.
    NoneFits,
    /// It has no wheel, or pure ones for other Pythons: its source archive is built.
    SourceOnly,
}

/// Something without a distribution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unresolved {
    /// The import or requirement, as written.
    pub what: String,
    /// Why, in words.
    pub reason: String,
    /// Distributions that it may mean; never chosen by guess.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

/// An import that needs no distribution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The import, as written.
    pub import: String,
    /// Why.
    pub reason: String,
}

/// Something to know before anything is installed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// The distribution, by normalised name; empty where it is about the whole plan.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub distribution: String,
    /// The warning, a sentence.
    pub words: String,
}

/// Kinds of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningKind {
    /// The fitting file, or the whole release, is younger than the date.
    StraddlesDate,
    /// A source archive that a compiler may be needed for.
    NeedsCompiler,
    /// What the release requires could not be read.
    UnknownRequirements,
    /// A release was passed over because its metadata could not be had.
    PassedOver,
    /// A yanked release, named exactly by the notebook.
    Yanked,
    /// The requirements of building source archives contradict each other.
    BuildRequirements,
    /// The notebook's bound cannot be read, so that it bounds nothing.
    UnreadableBound,
    /// A step back that could not be taken.
    StepBack,
    /// The interpreter that the rule names is not on this machine, or not fit for what is declared.
    OtherInterpreter,
    /// What a repository declares cannot be had as it is declared, and gave way.
    Loosened,
}

/// Why the installation will fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpectedFailure {
    /// The class that a build would end in.
    pub class: FailureClass,
    /// In words, with the distributions at fault.
    pub words: String,
}

/// A distribution that has to be older than the date alone would have it, learnt by trying the imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepBack {
    /// Normalised name.
    pub distribution: String,
    /// The version that did not work: only older ones are taken.
    pub below: Version,
    /// Why, such as `statsmodels 0.9.0 does not import beside it`.
    pub because: String,
}

impl Line {
    /// The line of a requirements file.
    #[must_use]
    pub fn requirement(&self) -> String {
        format!("{}{}{}", self.distribution, self.extras, self.bound)
    }
}

impl EnvironmentPlan {
    /// The line of a distribution, by normalised name.
    #[must_use]
    pub fn line(&self, distribution: &str) -> Option<&Line> {
        self.lines.iter().find(|line| line.distribution == distribution)
    }
}
