//! The findings of the paper on crashes (sections 4.1 to 4.3), line by line: what it prints, the same of our crashes, and whether both agree.
//!
//! Which quantity a line is of stands beside the published numbers, as `[[finding]]`.

mod answer;
mod table;
mod takeaways;

use nbrevive_diagnosis::crash::{Label as _, Stage};
use serde::Deserialize;

use super::printed::PrintedShares;
use super::{CAUSE, CrashRow, Field, STAGE, TYPE, groups};
use crate::number_words::NOTHING;
use answer::Answer;
pub(super) use table::FindingTable;
pub(super) use takeaways::TakeawayTable;

/// One `[[finding]]`: a quantity of which the paper prints a number.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Finding {
    /// The finding's number in the paper.
    finding: String,
    /// The takeaways that it belongs to.
    #[serde(default)]
    takeaways: Vec<u8>,
    /// What the paper says, in our words.
    says: String,
    #[serde(default)]
    kind: Kind,
    /// The name of the printed number.
    number: String,
    /// That of the second, of a line that compares.
    beside: Option<String>,
    /// The names of numbers whose product is of how many crashes the paper's share is; none where it does not print that.
    #[serde(default)]
    whole: Vec<String>,
    /// Which crashes are counted.
    #[serde(default)]
    is: Part,
    /// Of which.
    #[serde(default)]
    among: Part,
    /// With which those are compared.
    #[serde(default)]
    than: Part,
}

/// What a line says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// So many are.
    #[default]
    Share,
    /// Nothing else is as frequent.
    Most,
    /// More of `among` are than of `than`.
    More,
    /// Platforms differ in the stages of the pipeline.
    StagesDiffer,
}

/// Some of the crashes: all that have these labels.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    platform: Option<String>,
    exception_type: Option<String>,
    root_cause: Option<String>,
    ml_bug: Option<String>,
    stage: Option<String>,
    /// What of notebooks made them.
    issue: Option<String>,
    /// In the pipeline alone.
    #[serde(default)]
    in_pipeline: bool,
}

/// One `[[takeaway]]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Takeaway {
    number: u8,
    /// What it says, in our words.
    says: String,
}

impl Finding {
    /// The names of the published numbers that it is of.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        [&self.number].into_iter().chain(&self.beside).chain(&self.whole)
    }

    /// What the paper prints, of all crashes with what it prints of each platform.
    fn printed(&self, printed: &PrintedShares) -> String {
        let text = |name: &String| {
            let of = |(key, platform)| Some(format!("{platform} {}", printed.said(&of_platform(name, key)?)?));
            let platforms: Vec<String> = PLATFORMS.into_iter().filter_map(of).collect();
            let said = printed.said(name)?;
            Some(if platforms.is_empty() { said.to_owned() } else { format!("{said} ({})", platforms.join(", ")) })
        };
        let numbers: Vec<String> = [&self.number].into_iter().chain(&self.beside).filter_map(text).collect();
        if numbers.is_empty() { NOTHING.to_owned() } else { numbers.join(" and ") }
    }

    /// The same line of one platform, where a group of ours is that and the paper prints it.
    fn in_group(&self, group: &str, printed: &PrintedShares) -> Self {
        let own = |name: &String| of_platform(name, &group.to_lowercase()).filter(|own| printed.said(own).is_some());
        let Some(number) = own(&self.number) else { return self.clone() };
        let whole = self.whole.iter().map(|name| own(name).unwrap_or_else(|| name.clone())).collect();
        Finding { number, whole, ..self.clone() }
    }

    const fn compares_platforms(&self) -> bool {
        self.than.platform.is_some() || matches!(self.kind, Kind::StagesDiffer)
    }

    /// The answer in a column; none where the line is of something else. What no crash of ours is of cannot be told.
    fn answer_in(
        &self,
        place: usize,
        columns: &[Column<'_>],
        rows: &[&CrashRow],
        printed: &PrintedShares,
    ) -> Option<Answer> {
        let column = &columns[place];
        if self.compares_platforms() {
            // Other groups of ours are no platforms.
            let is_of_platform =
                |row: &&&CrashRow| PLATFORMS.iter().any(|(_, platform)| row.group.eq_ignore_ascii_case(platform));
            let rows: Vec<&CrashRow> = rows.iter().filter(is_of_platform).copied().collect();
            return (place == 0).then(|| Answer::of(self, &rows, printed));
        }
        if let Some(platform) = &self.among.platform {
            let is_own = |column: &Column<'_>| column.group.is_some_and(|group| group.eq_ignore_ascii_case(platform));
            // Where no group of ours is the platform, the first column says so.
            if !is_own(column) && (place > 0 || columns.iter().any(is_own)) {
                return None;
            }
        }
        let rows: Vec<&CrashRow> = rows.iter().filter(|row| column.has(row)).copied().collect();
        let own = column.group.map(|group| self.in_group(group, printed));
        Some(Answer::of(own.as_ref().unwrap_or(self), &rows, printed))
    }
}

/// The platforms of the paper: how numbers of them are named, and what they are called.
const PLATFORMS: [(&str, &str); 2] = [("github", "GitHub"), ("kaggle", "Kaggle")];

/// The name of a number of one platform; none of a number that is not of all crashes.
fn of_platform(name: &str, key: &str) -> Option<String> {
    name.strip_suffix(".all").map(|table| format!("{table}.{key}"))
}

impl Part {
    fn fits(&self, row: &CrashRow) -> bool {
        let is = |word: &Option<String>, own: &str| word.as_ref().is_none_or(|word| word.eq_ignore_ascii_case(own));
        is(&self.platform, &row.group)
            && is(&self.exception_type, &row.exception_type)
            && is(&self.root_cause, &row.root_cause)
            && is(&self.ml_bug, &row.ml_bug)
            && is(&self.stage, &row.stage)
            && is(&self.issue, row.issue.map_or("", |issue| issue.word()))
            && !(self.in_pipeline && row.stage == Stage::Outside.code())
    }

    /// The dimension in which it is one word of several, with the word.
    fn dimension(&self) -> Option<(Field, &str)> {
        let words = [(TYPE, &self.exception_type), (CAUSE, &self.root_cause), (STAGE, &self.stage)];
        words.into_iter().find_map(|(field, word)| Some((field, word.as_deref()?)))
    }
}

/// A column of ours: all crashes, or those of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Column<'rows> {
    group: Option<&'rows str>,
}

impl<'rows> Column<'rows> {
    /// All, and each group; of one group alone only that.
    fn all(rows: &[&'rows CrashRow]) -> Vec<Self> {
        let groups = groups(rows);
        let all = (groups.len() != 1).then_some(Column { group: None });
        all.into_iter().chain(groups.into_iter().map(|group| Column { group: Some(group) })).collect()
    }

    fn has(&self, row: &CrashRow) -> bool {
        self.group.is_none_or(|group| group == row.group)
    }

    fn name(&self) -> &'rows str {
        self.group.unwrap_or("All")
    }
}
