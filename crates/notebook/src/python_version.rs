//! A version of Python, as code, wheels and kernels tell it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A minor of Python such as 3.9; on its patches nothing here depends. The default, 0.0, stands before any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PythonVersion {
    /// 2 or 3.
    pub major: u32,
    /// The number after the dot.
    pub minor: u32,
}

impl PythonVersion {
    /// The version of these two numbers.
    #[must_use]
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }
}

/// A text that is no version of Python.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no Python minor such as 3.9")]
pub struct NotAPythonVersion(String);

impl FromStr for PythonVersion {
    type Err = NotAPythonVersion;

    /// Reads `3.9`; a patch (`3.9.1`) is allowed and dropped.
    fn from_str(text: &str) -> Result<Self, NotAPythonVersion> {
        let mut parts = text.trim().split('.').map(str::parse);
        match (parts.next(), parts.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => Ok(Self { major, minor }),
            _ => Err(NotAPythonVersion(text.to_owned())),
        }
    }
}

impl TryFrom<String> for PythonVersion {
    type Error = NotAPythonVersion;

    fn try_from(text: String) -> Result<Self, NotAPythonVersion> {
        text.parse()
    }
}

impl From<PythonVersion> for String {
    fn from(version: PythonVersion) -> Self {
        version.to_string()
    }
}

impl fmt::Display for PythonVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_numbers() {
        let version = |text: &str| text.parse::<PythonVersion>().unwrap();
        assert!(version("3.9") < version("3.10") && version("2.7.18") < version("3.0"));
        assert!("three".parse::<PythonVersion>().is_err() && "3".parse::<PythonVersion>().is_err());
    }
}
