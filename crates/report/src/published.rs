//! The numbers that the paper prints, from files: digits as printed, parsed only for shares.

use std::collections::BTreeMap;
use std::path::Path;

pub(crate) use nbrevive_corpus::Printed;
use nbrevive_corpus::funnel::PublishedFunnel;
use nbrevive_corpus::{FixType, FlowState, Outcome, PublishedError, PublishedFiles, Role, section_order};
use serde::{Deserialize, Serialize};

/// Which paper the numbers come from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Paper {
    /// Its title.
    pub(crate) title: String,
    /// Who wrote it.
    pub(crate) authors: String,
    /// Where its data are.
    pub(crate) data: String,
    /// Its threshold τ as printed.
    pub(crate) tau: String,
}

/// One of Tables 1 to 3.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublishedOutcomes {
    /// The role of the condition that it stands beside.
    pub(crate) role: Role,
    /// The section that prints it.
    pub(crate) section: String,
    /// What was counted.
    pub(crate) population: String,
    /// How many there are, from the text of the section.
    pub(crate) total: Printed,
    /// The count of each row.
    pub(crate) rows: BTreeMap<String, Printed>,
}

/// Table 4.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublishedFixes {
    /// The section that prints it.
    pub(crate) section: String,
    /// What was counted.
    pub(crate) population: String,
    /// The row of each fix type.
    pub(crate) rows: BTreeMap<FixType, PublishedFixRow>,
}

/// A row of Table 4.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct PublishedFixRow {
    /// The printed number of fixes.
    pub(crate) total: Printed,
    /// The printed count of each state.
    #[serde(flatten)]
    pub(crate) states: BTreeMap<FlowState, Printed>,
}

/// A number with decimals as the paper prints it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct PrintedNumber {
    text: String,
    value: f64,
}

impl PrintedNumber {
    /// The digits as printed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The number that the digits mean.
    pub(crate) const fn value(&self) -> f64 {
        self.value
    }
}

impl TryFrom<String> for PrintedNumber {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits: String = text.chars().filter(|character| *character != ',').collect();
        match digits.parse::<f64>() {
            Ok(value) if value.is_finite() && value >= 0.0 => Ok(PrintedNumber { text, value }),
            _ => Err(format!("`{text}` is not a number such as \"28,804.66\"")),
        }
    }
}

/// A row of Table 5.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PublishedCost {
    /// US dollars.
    cost: PrintedNumber,
    /// Input tokens from no cache.
    input_not_cached: PrintedNumber,
    /// Input tokens from the cache.
    input_cached: PrintedNumber,
    /// Output tokens.
    output: PrintedNumber,
}

impl PublishedCost {
    /// Cost, input tokens from no cache, input tokens from the cache, output tokens.
    pub(crate) const fn printed(&self) -> [&PrintedNumber; 4] {
        [&self.cost, &self.input_not_cached, &self.input_cached, &self.output]
    }
}

/// Table 5.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublishedCosts {
    /// The section that prints it.
    pub(crate) section: String,
    /// What was counted.
    pub(crate) population: String,
    /// Means for a notebook.
    pub(crate) notebook: PublishedCost,
    /// Means for a fix of each type.
    pub(crate) fixes: BTreeMap<FixType, PublishedCost>,
}

/// The two sides of a flow figure; the paper prints no count of a single flow.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublishedFlow {
    /// The section that gives the counts.
    pub(crate) section: String,
    /// What was counted.
    pub(crate) population: String,
    /// Counts at baseline.
    pub(crate) from: BTreeMap<Outcome, Printed>,
    /// Counts under the other condition.
    pub(crate) to: BTreeMap<Outcome, Printed>,
}

/// A number of the running text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextNumber {
    section: String,
    name: String,
    value: String,
    /// The paper's words where it prints no digits.
    #[serde(default)]
    words: Option<String>,
    /// Whether a number without decimals is rounded, and not a count.
    #[serde(default)]
    rounded: bool,
}

/// A number of the running text in one form, and the sections that print it so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Saying {
    /// As printed.
    pub(crate) value: String,
    /// Where.
    pub(crate) sections: Vec<String>,
}

/// Everything that the paper prints.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Published {
    /// The paper.
    pub(crate) paper: Paper,
    /// Table 1.
    pub(crate) table1: PublishedOutcomes,
    /// Table 2.
    pub(crate) table2: PublishedOutcomes,
    /// Table 3.
    pub(crate) table3: PublishedOutcomes,
    /// Table 4.
    pub(crate) table4: PublishedFixes,
    /// Table 5.
    pub(crate) table5: PublishedCosts,
    /// Figure 3.
    pub(crate) figure3: PublishedFlow,
    /// Figure 6.
    pub(crate) figure6: PublishedFlow,
    /// Figure 10a, where the paper has the cell level.
    #[serde(default)]
    pub(crate) figure10a: Option<PublishedFlow>,
    /// The selection funnel, where the paper tells of one.
    #[serde(default)]
    pub(crate) funnel: Option<PublishedFunnel>,
    /// Numbers of the running text about the same tables and figures.
    #[serde(default)]
    number: Vec<TextNumber>,
    /// What should hold between the numbers: read by the audit.
    #[serde(default)]
    check: Vec<toml::Value>,
    /// Numbers beside lines of further tables, which need no field here: `beside.rs` reads them.
    #[serde(default)]
    beside: Vec<toml::Value>,
}

impl Published {
    /// Reads the files and checks that no count is missing, so that no table can show a hole.
    pub(crate) fn read(path: &Path) -> Result<Self, PublishedError> {
        let files = PublishedFiles::read(path)?;
        let mut published: Published = files.parse()?;
        published.number.sort_by_cached_key(|number| section_order(&number.section));
        match published.hole() {
            Some(hole) => {
                Err(files.invalid(hole.split('.').next().unwrap_or_default(), format!("`{hole}` is missing")))
            }
            None => Ok(published),
        }
    }

    /// The table of outcomes that stands beside the condition of a role.
    pub(crate) fn outcomes(&self, role: Role) -> Option<&PublishedOutcomes> {
        self.outcome_tables().into_iter().map(|(_, table)| table).find(|table| table.role == role)
    }

    const fn outcome_tables(&self) -> [(&'static str, &PublishedOutcomes); 3] {
        [("table1", &self.table1), ("table2", &self.table2), ("table3", &self.table3)]
    }

    /// The numbers of the running text by their names, in the order of the paper.
    pub(crate) fn sayings(&self) -> Vec<(String, Vec<Saying>)> {
        sayings(&self.number)
    }

    fn hole(&self) -> Option<String> {
        let roles = nbrevive_corpus::Roles::default();
        for role in Role::MAIN {
            let Some((name, table)) = self.outcome_tables().into_iter().find(|(_, table)| table.role == *role) else {
                return Some(format!("role = \"{role}\""));
            };
            let lines = crate::outcome_line::Line::of(&roles, roles.condition(*role));
            if let Some(line) = lines.into_iter().find(|line| !table.rows.contains_key(line.key())) {
                return Some(format!("{name}.rows.{}", line.key()));
            }
        }
        for fix_type in FixType::ALL {
            let Some(row) = self.table4.rows.get(fix_type) else {
                return Some(format!("table4.rows.{fix_type}"));
            };
            if let Some(state) = FlowState::COLUMNS.iter().find(|state| !row.states.contains_key(state)) {
                return Some(format!("table4.rows.{fix_type}.{state}"));
            }
            if !self.table5.fixes.contains_key(fix_type) {
                return Some(format!("table5.fixes.{fix_type}"));
            }
        }
        None
    }
}

/// Numbers of a running text by their names, in their order.
pub(crate) fn sayings(numbers: &[TextNumber]) -> Vec<(String, Vec<Saying>)> {
    let mut all: Vec<(String, Vec<Saying>)> = Vec::new();
    for TextNumber { section, name, value, .. } in numbers {
        let place = all.iter().position(|(own, _)| own == name).unwrap_or_else(|| {
            all.push((name.clone(), Vec::new()));
            all.len() - 1
        });
        let sayings = &mut all[place].1;
        match sayings.iter_mut().find(|saying| saying.value == *value) {
            Some(saying) if saying.sections.contains(section) => {}
            Some(saying) => saying.sections.push(section.clone()),
            None => sayings.push(Saying { value: value.clone(), sections: vec![section.clone()] }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{published_path, published_text};

    fn changed(from: &str, to: &str) -> String {
        let text = published_text();
        assert!(text.contains(from));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("published.toml");
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        Published::read(&path).unwrap_err().to_string()
    }

    #[test]
    fn digits_stay_as_printed() {
        let published = Published::read(&published_path()).unwrap();
        let row = &published.table4.rows[&FixType::RuntimeReduction];
        assert_eq!(row.states[&FlowState::ErrorFreeNonReproducible].text(), "1365");
        assert_eq!((row.total.text(), row.total.count()), ("4,449", 4449));
    }

    #[test]
    fn the_sides_of_the_figures_equal_the_totals() {
        let published = Published::read(&published_path()).unwrap();
        let sum = |side: &BTreeMap<Outcome, Printed>| -> u64 { side.values().map(Printed::count).sum() };
        assert_eq!((sum(&published.figure3.from), sum(&published.figure3.to)), (12_720, 12_720));
        assert_eq!((sum(&published.figure6.from), sum(&published.figure6.to)), (7402, 7402));
        let cell_level = published.figure10a.unwrap();
        assert_eq!((sum(&cell_level.from), sum(&cell_level.to)), (6583, 6583));
    }

    #[test]
    fn numbers_of_further_tables_need_no_field() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("published.toml");
        let number = "[[number]]\nsection = \"9\"\nname = \"seven\"\nvalue = \"7\"\n";
        let line = "[[beside]]\ntable = \"t\"\ncondition = \"c\"\nwords = [\"w\"]\ncount = \"seven\"\nof = \"seven\"\n";
        std::fs::write(&path, format!("{}\n{number}{line}", published_text())).unwrap();
        Published::read(&path).unwrap();
        let lines = crate::beside::PublishedLines::read(&path).unwrap();
        let (count, share) = lines.of("t", "c", &["w".to_owned()]).unwrap();
        assert_eq!((count.as_ref().map(Printed::count), *share), (Some(7), 1.0));
    }

    #[test]
    fn holes_and_slips_are_named() {
        assert!(changed("llm-failed = \"19\"\n", "").contains("`table3.rows.llm-failed` is missing"));
        assert!(
            changed("error-reproducible = \"29\"\n", "").contains("`table4.rows.runtime-reduction.error-reproducible`")
        );
        assert!(changed("role = \"backport\"", "role = \"further\"").contains("`role = \"backport\"` is missing"));
        assert!(changed("\"1,095\"", "\"1,o95\"").contains("is not a count"));
        assert!(changed("[table5.fixes.error-repair]", "[table5.fixes.score-calibration]").contains("duplicate key"));
        assert!(changed("\"28,804.66\"", "\"-28\"").contains("is not a number"));
    }
}

#[cfg(test)]
mod attacks {
    use super::*;

    #[test]
    fn published_numbers_are_a_regular_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("published.toml");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(Published::read(&path).unwrap_err().to_string().contains("named pipe"));
        assert!(Published::read(Path::new("/dev/zero")).unwrap_err().to_string().contains("a device"));
    }
}
