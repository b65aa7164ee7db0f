//! What a capsule is about: its runs, and what each needs, as paths below the capsule's folder.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_capsule::{CapsuleError, CapsuleListing};
use nbrevive_corpus::{Antidote, RunEnd, Verdict};
use nbrevive_environment::Portable;
use serde::{Deserialize, Serialize};

use crate::StudyLimits;

/// What a capsule is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapsuleAbout {
    /// The study's name.
    pub study: String,
    /// Its title.
    pub title: String,
    /// Revision of the program that packed.
    pub tool_revision: String,
    /// The sandbox that the runs had.
    pub sandbox: String,
    /// The limits of each run.
    pub limits: StudyLimits,
    /// The environments.
    pub environments: Vec<Portable>,
    /// The competitions, by id.
    pub competitions: BTreeMap<String, PackedCompetition>,
    /// The runs.
    pub runs: Vec<PackedRun>,
}

/// The data of a competition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedCompetition {
    /// Whether its data is in the capsule; else whoever runs it makes the data himself.
    pub has_data: bool,
    /// The licence of the data.
    pub licence: String,
    /// The command that makes the data.
    pub command: String,
    /// SHA-256 of each file of the data.
    pub files: BTreeMap<String, String>,
}

/// One version under one condition: what ran last, and what came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedRun {
    /// The version's slug.
    pub version: String,
    /// As the author called it.
    pub title: String,
    /// The condition.
    pub condition: String,
    /// The folder of its own files.
    pub folder: String,
    /// The name of its environment.
    pub environment: String,
    /// Its competition, whose answers grade it.
    pub competition: Option<String>,
    /// What it finds: a path of the capsule, and where it finds it.
    pub input: Vec<(String, String)>,
    /// A folder of the capsule whose files lie beside it.
    pub beside: Option<String>,
    /// The folder in which it runs, relative to its working folder.
    pub starts_in: String,
    /// Seed of Python's string hashing.
    pub seed: u32,
    /// Whether an error stops it.
    pub stops_at_error: bool,
    /// What takes chance out of it, where its condition says anything of it, an empty list too; capsules of before this was kept say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub antidotes: Option<BTreeSet<Antidote>>,
    /// How it ended.
    pub end: RunEnd,
    /// Its score, or the kind of the reason why there is none; nothing where it was not graded.
    pub grade: Option<Result<f64, String>>,
    /// The outcome with what led to it.
    pub verdict: Verdict,
    /// The target score.
    pub target: Option<f64>,
    /// Why its outputs were not kept, so that they cannot be compared.
    pub outputs_left_out: Option<String>,
    /// When it was recorded (RFC 3339, UTC).
    pub recorded_at: String,
}

impl PackedRun {
    /// The executed notebook.
    #[must_use]
    pub fn executed(&self) -> String {
        format!("{}/executed.ipynb", self.folder)
    }

    /// The notebook as it was published.
    #[must_use]
    pub fn notebook(&self) -> String {
        format!("{}/notebook.ipynb", self.folder)
    }
}

impl CapsuleAbout {
    /// What a capsule's list says of it.
    ///
    /// # Errors
    /// When it says something else, or its runs had limits that none can have.
    pub fn of(listing: &CapsuleListing) -> Result<Self, CapsuleError> {
        let foreign = |error: String| CapsuleError::NoCapsule {
            path: nbrevive_capsule::LISTING.into(),
            why: format!("it is not about runs of nbrevive: {error}"),
        };
        let about: Self = serde_json::from_value(listing.about.clone()).map_err(|error| foreign(error.to_string()))?;
        about.limits.check().map_err(|fault| foreign(fault.to_string()))?;
        Ok(about)
    }

    /// What is written below the capsule's folder when it is set up.
    #[must_use]
    pub fn written(&self) -> BTreeSet<String> {
        self.environments.iter().flat_map(Portable::written).collect()
    }

    /// The environment of a run.
    pub(crate) fn environment(&self, run: &PackedRun) -> Option<&Portable> {
        self.environments.iter().find(|portable| portable.environment.id == run.environment)
    }
}
