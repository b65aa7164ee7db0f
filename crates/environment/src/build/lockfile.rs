//! A full lock: the interpreter's minor in the header, then `name==version` lines.

use nbrevive_notebook::PythonVersion;

use crate::versions::{is_name, normalise};

/// A lock text as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockFile {
    /// The interpreter's minor.
    pub minor: PythonVersion,
    /// Sorted `name==version` lines, names normalised.
    pub lines: Vec<String>,
}

/// A lock text that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LockError {
    /// No header names the interpreter.
    #[error("the lock names no interpreter: its first lines need one such as `# python: 3.12`")]
    NoPython,
    /// A line is no exact pin.
    #[error("line {number} of the lock is no `name==version`: {line:?}")]
    Line {
        /// Line number from 1.
        number: usize,
        /// The line.
        line: String,
    },
}

impl LockFile {
    /// Reads a lock; blank lines and comments besides the header do not count.
    ///
    /// # Errors
    /// The header that is missing, or the first line that is no exact pin.
    pub fn read(text: &str) -> Result<Self, LockError> {
        let header = |line: &str| line.trim().strip_prefix('#')?.trim().strip_prefix("python:")?.parse().ok();
        let minor = text.lines().find_map(header).ok_or(LockError::NoPython)?;
        let mut lines = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let content = line.split(" #").next().unwrap_or_default().trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            let pin = content
                .split_once("==")
                .filter(|(name, version)| is_name(name) && version.parse::<pep440_rs::Version>().is_ok());
            let Some((name, version)) = pin else {
                return Err(LockError::Line { number: at + 1, line: line.to_owned() });
            };
            lines.push(format!("{}=={version}", normalise(name)));
        }
        lines.sort();
        Ok(Self { minor, lines })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_read_and_sorted() {
        let lock = LockFile::read("# made by hand\n# python: 3.12\n\nSix==1.17.0  # why\nnumpy==2.0.1\n").unwrap();
        assert_eq!(lock.minor.to_string(), "3.12");
        assert_eq!(lock.lines, ["numpy==2.0.1", "six==1.17.0"]);
    }

    #[test]
    fn loose_lines_and_missing_headers_are_refused() {
        assert_eq!(LockFile::read("numpy==2.0.1\n"), Err(LockError::NoPython));
        let error = LockFile::read("# python: 3.12\nnumpy>=2\n").unwrap_err();
        assert_eq!(error, LockError::Line { number: 2, line: "numpy>=2".into() });
    }
}
