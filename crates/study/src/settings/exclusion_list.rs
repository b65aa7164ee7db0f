//! Versions that a study leaves out because a list says so, each with why, and until when.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use nbrevive_corpus::{UnknownWord, Version};
use serde::Deserialize;

use crate::settings::told::told;
use crate::settings::{SettingsError, read_file};

/// Whom a study leaves out because a list says so; nobody by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExclusionList {
    /// The list's file.
    path: PathBuf,
    /// Why, by slug.
    listed: BTreeMap<String, String>,
    /// Those that are studied again, with the last day on which they were not.
    over: BTreeMap<String, Date>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawList {
    #[serde(default)]
    exclude: Vec<RawEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    version: String,
    reason: String,
    /// The last day (UTC) on which it is left out; for good without.
    until: Option<Date>,
}

impl ExclusionList {
    /// Reads a list: a table `[[exclude]]` a version, with `version`, `reason` and, unless it is for good, `until`.
    ///
    /// # Errors
    /// When the file cannot be read, says something else, gives no reason, or names a version twice.
    pub fn load(path: &Path) -> Result<Self, SettingsError> {
        Self::parse(path, &read_file(path)?, Zoned::new(Timestamp::now(), TimeZone::UTC).date())
    }

    fn parse(path: &Path, text: &str, today: Date) -> Result<Self, SettingsError> {
        let path = path.to_owned();
        let mut list = Self { path, ..Self::default() };
        let raw: RawList = toml::from_str(text).map_err(|error| list.invalid(told(&error)))?;
        for RawEntry { version, reason, until } in raw.exclude {
            if reason.trim().is_empty() {
                return Err(list.invalid(format!("`{version}` is left out for no reason: write `reason`")));
            }
            if list.names().any(|known| *known == version) {
                return Err(list.invalid(format!("`{version}` stands in it twice: take one out")));
            }
            match until {
                Some(until) if until < today => {
                    list.over.insert(version, until);
                }
                Some(until) => {
                    list.listed.insert(version, format!("{reason} (until {until})"));
                }
                None => {
                    list.listed.insert(version, reason);
                }
            }
        }
        Ok(list)
    }

    /// Whether all that it names are versions of the study.
    ///
    /// # Errors
    /// The first name that is nobody's, with the nearest that is.
    pub fn check(&self, versions: &[Version]) -> Result<(), SettingsError> {
        let is_known = |name: &&String| versions.iter().any(|version| version.slug == **name);
        let Some(name) = self.names().find(|name| !is_known(name)) else { return Ok(()) };
        let slugs: Vec<&str> = versions.iter().map(|version| version.slug.as_str()).collect();
        let nearest = UnknownWord { kind: "version", word: name.clone(), expected: slugs.join(", ") }.nearest();
        Err(self.invalid(format!("the study has no version `{name}` to leave out{nearest}")))
    }

    /// Why a version is left out, if it is.
    pub(crate) fn reason(&self, slug: &str) -> Option<&str> {
        self.listed.get(slug).map(String::as_str)
    }

    /// A sentence for each version that is studied again.
    pub fn over(&self) -> impl Iterator<Item = String> {
        let path = self.path.display();
        self.over.iter().map(move |(slug, until)| {
            format!("`{slug}` was left out until {until} and is studied again: take it out of {path}, or give it a later day")
        })
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.listed.keys().chain(self.over.keys())
    }

    fn invalid(&self, message: String) -> SettingsError {
        SettingsError::InvalidList { path: self.path.clone(), message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ExclusionList, String> {
        ExclusionList::parse(Path::new("out.toml"), text, jiff::civil::date(2026, 11, 27))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_last_day_is_the_last_on_which_it_is_left_out() {
        let entry =
            |version: &str, until: &str| format!("[[exclude]]\nversion = \"{version}\"\nreason = \"slow\"\n{until}\n");
        let text = entry("a", "") + &entry("b", "until = \"2026-11-27\"") + &entry("c", "until = \"2026-11-26\"");
        let list = read(&text).unwrap();
        assert_eq!(
            ["a", "b", "c"].map(|slug| list.reason(slug)),
            [Some("slow"), Some("slow (until 2026-11-27)"), None]
        );
        let over: Vec<String> = list.over().collect();
        assert_eq!(over.len(), 1);
        assert!(over[0].starts_with("`c` was left out until 2026-11-26 and is studied again"), "{over:?}");
        assert!(read(&(text + &entry("a", ""))).unwrap_err().contains("`a` stands in it twice"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, said) in [
            ("[[exclude]]\nversion = \"a\"\nreason = \" \"\n", "`a` is left out for no reason"),
            ("[[exclude]]\nversion = \"a\"\n", "missing field `reason`"),
            ("[[exclude]]\nversion = \"a\"\nreason = \"r\"\nuntil = \"soon\"\n", "until"),
            ("[[exclud]]\nversion = \"a\"\n", "unknown field `exclud`"),
            ("[[exclud]]\nversion = \"a\"\n", "did you mean `exclude`?"),
            ("version", "out.toml is not a valid list of exclusions"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(said), "{error} is not: {said}");
        }
    }
}
