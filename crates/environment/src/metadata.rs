//! What one release says of itself: what it requires, and which modules it holds.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::requirement::Requirement;

/// Metadata of one release, read from one of its files.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Metadata {
    /// Requirements as written (`Requires-Dist`, or what a source archive says in its own ways).
    pub requires: Vec<String>,
    /// Requirements of building from source (`[build-system] requires`), as written; empty where none are declared,
    /// which means setuptools and wheel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_requires: Vec<String>,
    /// Importable top-level modules, dotted inside namespace packages; empty where the file does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<String>,
    /// Where all this was read.
    pub source: MetadataSource,
    /// The requirements that could be read, parsed once.
    #[serde(skip)]
    parsed: OnceLock<Vec<Requirement>>,
}

/// Where metadata was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetadataSource {
    /// A wheel's `METADATA` and `RECORD`, or the index's copy of the former (PEP 658).
    Wheel,
    /// A source archive's `requires.txt`, or `PKG-INFO` of metadata 2.2 and later.
    Sdist,
    /// Literals in a source archive's `setup.py`.
    SetupScript,
    /// Nothing could be read: the requirements are unknown.
    #[default]
    Unknown,
}

impl Metadata {
    /// Metadata with these requirements.
    #[must_use]
    pub fn new(requires: Vec<String>, source: MetadataSource) -> Self {
        Self { requires, source, ..Self::default() }
    }

    /// The requirements, parsed; those that cannot be read are left out.
    pub fn requirements(&self) -> &[Requirement] {
        self.parsed.get_or_init(|| self.requires.iter().filter_map(|text| Requirement::read(text)).collect())
    }
}

impl PartialEq for Metadata {
    fn eq(&self, other: &Self) -> bool {
        let parts = |one: &Self| (one.requires.clone(), one.build_requires.clone(), one.modules.clone(), one.source);
        parts(self) == parts(other)
    }
}
