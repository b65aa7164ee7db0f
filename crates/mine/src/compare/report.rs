//! What a comparison found.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Disagreements, and versions of one side alone, that are listed one by one. All are counted.
pub const LISTED: usize = 100;
/// Longest value that the table shows, in characters.
const SHOWN: usize = 60;

/// How two sources agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Versions that both sides know.
    pub both: u64,
    /// Versions that the left side alone knows.
    pub only_left: Lonely,
    /// Versions that the right side alone knows.
    pub only_right: Lonely,
    /// Counts of the versions that both know, by field.
    pub fields: Fields,
    /// The first disagreements ([`LISTED`] of them).
    pub disagreements: Vec<Disagreement>,
}

/// Versions of one side.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lonely {
    /// How many.
    pub count: u64,
    /// The first of them ([`LISTED`]), by their natural keys.
    pub first: Vec<String>,
}

/// Counts by field, in the order of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fields(Vec<FieldCounts>);

/// How often the sides agree about one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldCounts {
    /// The field.
    pub field: String,
    /// Both know it, and say the same.
    pub agree: u64,
    /// Both know it, and say different things.
    pub disagree: u64,
    /// The left side alone knows it.
    pub only_left: u64,
    /// The right side alone knows it.
    pub only_right: u64,
}

/// One field of one version about which the sides disagree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The version's natural key.
    pub version: String,
    /// The field.
    pub field: String,
    /// What the left side says; outside text.
    pub left: Value,
    /// What the right side says; outside text.
    pub right: Value,
}

impl Lonely {
    pub(super) fn add(&mut self, key: String) {
        self.count += 1;
        if self.first.len() < LISTED {
            self.first.push(key);
        }
    }
}

impl Fields {
    pub(super) fn get_mut(&mut self, field: &str) -> Option<&mut FieldCounts> {
        self.0.iter_mut().find(|counts| counts.field == field)
    }

    /// The counts of a field.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&FieldCounts> {
        self.0.iter().find(|counts| counts.field == field)
    }

    /// All counts.
    pub fn iter(&self) -> impl Iterator<Item = &FieldCounts> {
        self.0.iter()
    }
}

impl Report {
    pub(super) fn new<'a>(fields: impl Iterator<Item = &'a str>) -> Self {
        let counts =
            |field: &str| FieldCounts { field: field.to_owned(), agree: 0, disagree: 0, only_left: 0, only_right: 0 };
        Self {
            both: 0,
            only_left: Lonely::default(),
            only_right: Lonely::default(),
            fields: Fields(fields.map(counts).collect()),
            disagreements: Vec::new(),
        }
    }

    /// How many values the sides disagree about.
    #[must_use]
    pub fn disagree(&self) -> u64 {
        self.fields.iter().map(|counts| counts.disagree).sum()
    }
}

/// A value as a line shows it: short, and without characters that a terminal would obey.
fn shown(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut short: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    short
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, right) = (self.only_left.count, self.only_right.count);
        writeln!(f, "{} versions on both sides, {left} on the left alone, {right} on the right alone\n", self.both)?;
        writeln!(f, "{:<14}{:>10}{:>10}{:>11}{:>12}", "field", "agree", "disagree", "only left", "only right")?;
        for FieldCounts { field, agree, disagree, only_left, only_right } in self.fields.iter() {
            if agree + disagree + only_left + only_right > 0 {
                writeln!(f, "{field:<14}{agree:>10}{disagree:>10}{only_left:>11}{only_right:>12}")?;
            }
        }
        if !self.disagreements.is_empty() {
            writeln!(f)?;
        }
        for Disagreement { version, field, left, right } in &self.disagreements {
            writeln!(f, "{version} {field}: {} ≠ {}", shown(left), shown(right))?;
        }
        let more = self.disagree().saturating_sub(self.disagreements.len() as u64);
        if more > 0 {
            writeln!(f, "… and {more} more")?;
        }
        Ok(())
    }
}
