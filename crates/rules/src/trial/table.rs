//! The table of triggers: a CSV with the columns `id`, `library`, `trigger_example`, `replacement_example` and
//! `new_env_result` (`fails`, `differs`, or anything else for rows that were never verified and are left out).
//!
//! In the examples `\n` stands for a line break and `\\` for a backslash; the value compared is left in `r`. A further
//! column, `old_value`, may hold the value (as JSON) that the old form had in an environment of its time.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

/// Rows that are read at most; a longer table is refused.
const MOST_ROWS: usize = 20_000;
/// Bytes of one example at most.
const MOST_BYTES: usize = 64 << 10;

/// One trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriggerRow {
    /// Its name.
    pub id: String,
    /// The library that changed, as it is imported.
    pub library: String,
    /// Code in the old form.
    pub trigger: String,
    /// Code that gives the same value on the contemporary stack.
    pub replacement: String,
    /// True when nothing is raised, and the value differs.
    pub silent: bool,
    /// The value that the old form had in an environment of its time; `None` where it was not recorded.
    pub recorded: Option<Value>,
}

/// Why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be read as CSV, or a column is missing.
    #[error("cannot read the table {}: it must be a CSV with the columns id, library, trigger_example, replacement_example and new_env_result", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// What was wrong.
        source: csv::Error,
    },
    /// A recorded value is no JSON.
    #[error("the table {} has an old_value for {id} that is no JSON; write it anew", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The trigger.
        id: String,
        /// What was wrong.
        source: serde_json::Error,
    },
    /// A limit was passed.
    #[error("the table {} is too large: at most {MOST_ROWS} rows and {MOST_BYTES} bytes an example; split it", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
}

#[derive(Deserialize)]
struct Record {
    id: String,
    library: String,
    trigger_example: String,
    replacement_example: String,
    new_env_result: String,
    #[serde(default)]
    old_value: String,
}

impl Record {
    fn recorded(&self, path: &Path) -> Result<Option<Value>, TableError> {
        let failed = |source| TableError::Value { path: path.to_owned(), id: self.id.clone(), source };
        if self.old_value.is_empty() {
            Ok(None)
        } else {
            serde_json::from_str(&self.old_value).map(Some).map_err(failed)
        }
    }
}

/// Reads the verified rows of a table.
///
/// # Errors
/// When the file is no such table, or larger than the limits.
pub fn read_table(path: &Path) -> Result<Vec<TriggerRow>, TableError> {
    let failed = |source| TableError::Csv { path: path.to_owned(), source };
    read(csv::Reader::from_path(path).map_err(failed)?, path)
}

/// The examples of the catalogue as a table: each row names its rule, and the value that the old form had in which
/// environment of its time (`scripts/run-examples-of-their-time` records it).
pub const EXAMPLES: &str = include_str!("../../data/examples.csv");

/// Reads [`EXAMPLES`].
///
/// # Errors
/// As [`read_table`]; a test reads the table as built.
pub fn examples() -> Result<Vec<TriggerRow>, TableError> {
    read(csv::Reader::from_reader(EXAMPLES.as_bytes()), Path::new("crates/rules/data/examples.csv"))
}

fn read(mut reader: csv::Reader<impl std::io::Read>, path: &Path) -> Result<Vec<TriggerRow>, TableError> {
    let failed = |source| TableError::Csv { path: path.to_owned(), source };
    let mut rows = Vec::new();
    for record in reader.deserialize() {
        let record: Record = record.map_err(failed)?;
        let silent = match record.new_env_result.as_str() {
            "fails" => false,
            "differs" => true,
            _ => continue,
        };
        let long = record.trigger_example.len().max(record.replacement_example.len()) > MOST_BYTES;
        if long || rows.len() == MOST_ROWS {
            return Err(TableError::TooLarge { path: path.to_owned() });
        }
        let recorded = record.recorded(path)?;
        rows.push(TriggerRow {
            recorded,
            id: record.id,
            library: record.library,
            trigger: unescaped(&record.trigger_example),
            replacement: unescaped(&record.replacement_example),
            silent,
        });
    }
    Ok(rows)
}

/// The code that a field stands for.
fn unescaped(field: &str) -> String {
    let mut code = String::with_capacity(field.len() + 1);
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            code.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => code.push('\n'),
            Some('\\') => code.push('\\'),
            Some(other) => code.extend(['\\', other]),
            None => code.push('\\'),
        }
    }
    if !code.ends_with('\n') {
        code.push('\n');
    }
    code
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::tests::ONE_MORE;
    use crate::{Rule, Trigger, catalogue};

    /// Rules without an example that was executed, each with the reason.
    const WITHOUT: &str = include_str!("../../data/examples_missing.csv");

    #[test]
    fn rows_are_read_and_unverified_ones_left_out() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = "library,id,trigger_example,replacement_example,new_env_result,other\n\
                    pandas,a,\"x = 1\\nr = '\\\\n'\",r = 2,fails,\nnumpy,b,r = 1,r = 2,differs,\nnumpy,c,r = 1,r = 2,unverified,\n";
        std::fs::write(file.path(), text).unwrap();
        let rows = read_table(file.path()).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].trigger, "x = 1\nr = '\\n'\n");
        assert!(!rows[0].silent && rows[1].silent);
    }

    #[test]
    fn a_recorded_value_is_read_as_json() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let text = |value: &str| {
            format!(
                "id,library,trigger_example,replacement_example,new_env_result,old_value\na,b,r = 1,r = 2,fails,{value}\n"
            )
        };
        std::fs::write(file.path(), text("[2]")).unwrap();
        assert_eq!(read_table(file.path()).unwrap()[0].recorded, Some(serde_json::json!([2])));
        std::fs::write(file.path(), text("")).unwrap();
        assert_eq!(read_table(file.path()).unwrap()[0].recorded, None);
        std::fs::write(file.path(), text("[2")).unwrap();
        assert!(read_table(file.path()).unwrap_err().to_string().contains("old_value for a"));
    }

    #[test]
    fn examples_are_those_of_the_catalogue() {
        let mut shown: BTreeMap<String, bool> = BTreeMap::new();
        for row in examples().unwrap() {
            let rule = catalogue().find(|rule| rule.id == row.id).expect("each row names its rule");
            let is_shown = row.trigger.contains(rule.example.before) && row.replacement.contains(rule.example.after);
            *shown.entry(row.id).or_default() |= is_shown;
        }
        let without: BTreeSet<&str> = shown.iter().filter(|(_, shown)| !**shown).map(|(id, _)| id.as_str()).collect();
        assert_eq!(without, OWN.iter().copied().collect(), "rules of which no row has the example");
    }

    /// Rules whose example shows forms that no one environment runs, code that another rule mends as well, or a line
    /// that a switch puts far above: their rows have code of their own.
    const OWN: &[&str] = &[
        "skimage-similarity-range",
        "pandas-resample-offsets",
        "sklearn-old-orders",
        "numpy-subtypes-of-built-ins",
        "python-exception-message",
        "python-map-of-nothing",
        "python-split-at-nothing",
        "pandas-coerced-formats",
        "numpy-all-names",
        "python-codecs-of-bytes",
        "python-last-exception",
        "python-print-of-more",
        "python-2-rounding",
        "python-2-whole-division",
        "python-2-special-methods",
        "python-2-lists",
        "sklearn-bounds",
        "sklearn-ridge-one-target",
        "catboost-importance-data",
        "keras-kernel-size",
        "keras-scikit-learn",
        "matplotlib-axis-of-space",
        "matplotlib-colorbar-axes",
        "matplotlib-colormap-names",
        "matplotlib-histogram-options",
        "matplotlib-lazy-data",
        "matplotlib-register-colormap",
        "nltk-methods",
        "nltk-names",
        "nltk-word-senses",
        "nltk-resources",
        "notebook-address-of-file",
        "notebook-missing-import",
        "notebook-unused-import",
        "numpy-array-as-number",
        "numpy-element-of-array",
        "numpy-float-counts",
        "pandas-agg-of-text",
        "pandas-combined-dates",
        "pandas-dummies-are-bool",
        "pandas-dummies-are-numbers",
        "pandas-fill-text-frame",
        "pandas-fillna-method",
        "pandas-from-set",
        "pandas-group-single-key",
        "pandas-index-set-operations",
        "pandas-loc-of-positions",
        "pandas-new-axis",
        "pandas-options",
        "pandas-pivot-of-text",
        "pandas-renamed-keywords",
        "pandas-rolling-functions",
        "pandas-text-is-object",
        "pandas-unique-of-list",
        "plotly-map-arguments",
        "plotly-moved-names",
        "prophet-renamed",
        "pyldavis-sklearn",
        "python-arrays-of-lazy-results",
        "python-bytes-buffer",
        "python-text-methods",
        "python-whole-number-arguments",
        "scipy-imread-flatten",
        "shap-values-array",
        "skimage-translation-arguments",
        "sklearn-boston",
        "sklearn-mixture-methods",
        "sklearn-moved-modules",
        "sklearn-old-splitters",
        "sklearn-one-hot-columns",
        "sklearn-partial-dependence-axes",
        "sklearn-scoring-names",
        "sklearn-train-scores",
        "sklearn-truth-values",
        "sklearn-tuple-parameters",
        "sklearn-wrapped-grid",
        "tensorflow-first-arguments",
        "tensorflow-first-names",
        "tensorflow-fully-connected",
    ];

    /// The rules that have neither an executed example nor a reason for none, or both.
    fn unproved<'r>(rules: impl Iterator<Item = &'r Rule>, reasons: &BTreeMap<String, String>) -> Vec<&'r str> {
        let executed: BTreeSet<String> = examples().unwrap().into_iter().map(|row| row.id).collect();
        let needs_proof = |rule: &&Rule| !matches!(rule.trigger, Trigger::Slow { .. });
        let is_unproved = |id: &&str| executed.contains(*id) == reasons.contains_key(*id);
        rules.filter(needs_proof).map(|rule| rule.id).filter(is_unproved).collect()
    }

    #[test]
    fn every_rule_has_an_executed_example_or_a_reason() {
        let mut reader = csv::Reader::from_reader(WITHOUT.as_bytes());
        let without: BTreeMap<String, String> = reader.deserialize().map(Result::unwrap).collect();
        // A rule that no catalogue has is told of by its name.
        assert_eq!(unproved(catalogue().chain([&ONE_MORE]), &without), [ONE_MORE.id]);
        for (id, reason) in &without {
            assert!(catalogue().any(|rule| rule.id == id), "there is no rule {id}");
            assert!(reason.len() > 20, "{id}: {reason}");
        }
    }

    #[test]
    fn values_come_from_environments_whose_locks_are_kept() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut reader = csv::Reader::from_reader(EXAMPLES.as_bytes());
        for row in reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap) {
            let (era, value) = (&row["era"], &row["old_value"]);
            assert_eq!(era.is_empty(), value.is_empty(), "{}", row["id"]);
            let places = ["crates/rules/data/eras", "study/eras"];
            let kept = places.iter().any(|place| root.join(place).join(format!("{era}.lock")).is_file());
            assert!(era.is_empty() || kept, "{}: no lock {era}", row["id"]);
        }
    }

    #[test]
    fn a_file_without_the_columns_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "a,b\n1,2\n").unwrap();
        let message = read_table(file.path()).unwrap_err().to_string();
        assert!(message.contains("trigger_example") && message.contains(&file.path().display().to_string()));
    }
}
