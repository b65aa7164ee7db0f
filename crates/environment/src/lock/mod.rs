//! A plan written down: as a lock that is read back years later, and in the forms that other tools and people read.
//!
//! | form | method | for |
//! |---|---|---|
//! | JSON | [`EnvironmentPlan::to_json`], [`EnvironmentPlan::from_json`] | storing a lock with every reason, and materialising it later |
//! | requirements file | [`EnvironmentPlan::requirements_text`], [`EnvironmentPlan::hashed_requirements_text`] | pip and uv |
//! | `pylock.toml` (PEP 751) | [`EnvironmentPlan::pylock_text`] | installers of today |
//! | table | [`EnvironmentPlan::table_text`] | people |

mod pylock;
mod table;

use std::fmt::Write;

use crate::plan::{EnvironmentPlan, Line, Strategy};

/// A plan is no lock.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotALock {
    /// The strategy bounds direct imports only.
    #[error("a {0} plan bounds direct imports only, which is no lock; plan with the dated strategy")]
    Bounds(Strategy),
    /// The environment cannot be had.
    #[error("nothing to lock: {0}")]
    Fails(String),
}

/// A text that is no stored plan.
#[derive(Debug, thiserror::Error)]
#[error("no stored plan: {0}; plan again, or name the file that `plan --format json` wrote")]
pub struct NotAPlan(#[from] serde_json::Error);

impl EnvironmentPlan {
    /// The requirements file: a line each, sorted by name; `name<=version` for `paper`, `name==version` for `dated`.
    #[must_use]
    pub fn requirements_text(&self) -> String {
        let mut lines: Vec<String> = self.lines.iter().map(Line::requirement).collect();
        lines.sort();
        lines.iter().fold(String::new(), |mut text, line| {
            let _ = writeln!(text, "{line}");
            text
        })
    }

    /// The requirements file with the hash of each chosen file, for `--require-hashes`.
    ///
    /// # Errors
    /// [`NotALock`] if the plan has no closure to name files of. A file whose hash the index does not say stands
    /// without one, which installers refuse by themselves.
    pub fn hashed_requirements_text(&self) -> Result<String, NotALock> {
        self.check_lock()?;
        let mut lines: Vec<String> = self
            .lines
            .iter()
            .map(|line| match line.file.as_ref().and_then(|file| file.sha256) {
                Some(sha256) => format!("{} \\\n    --hash=sha256:{sha256}\n", line.requirement()),
                None => format!("{}\n", line.requirement()),
            })
            .collect();
        lines.sort();
        Ok(lines.concat())
    }

    /// The whole plan as JSON, two blanks a level. The same plan gives the same bytes.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a plan has only string keys");
        text.push('\n');
        text
    }

    /// Reads what [`Self::to_json`] wrote.
    ///
    /// # Errors
    /// [`NotAPlan`] for any other text.
    pub fn from_json(text: &str) -> Result<Self, NotAPlan> {
        Ok(serde_json::from_str(text)?)
    }

    fn check_lock(&self) -> Result<(), NotALock> {
        match (&self.expected_failure, self.strategy) {
            (_, Strategy::Paper) => Err(NotALock::Bounds(self.strategy)),
            (Some(failure), Strategy::Dated) => Err(NotALock::Fails(failure.words.clone())),
            (None, Strategy::Dated) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
