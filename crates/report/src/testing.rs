//! Synthetic studies for tests: parquet folders whose counts are given.

use std::fs::File;
use std::path::{Path, PathBuf};

use nbrevive_corpus::{Condition, ErrorStatus, Failure, FixType, FlowState, Outcome, OutputStatus, Role, Roles};
use polars::prelude::{Column, DataFrame, DataType, FrozenCategories};
use polars_io::parquet::write::{ParquetCompression, ParquetWriter};

use crate::calls::{CallRow, Dialogues, QuestionRow};
use crate::outcome_line::Line;
use crate::rows::OutcomeRow;

/// A study to be written as parquet.
#[derive(Debug, Clone)]
pub(crate) struct Synthetic {
    pub(crate) title: String,
    pub(crate) tau: f64,
    pub(crate) outcomes: Vec<OutcomeRow>,
    /// Fix type and the state it led to.
    pub(crate) fixes: Vec<(FixType, FlowState)>,
    /// Version, provider and rules of the first fixes; the others are of `v000000`, by `rules` with `a,b`.
    pub(crate) made_by: Vec<[&'static str; 3]>,
    /// What models were asked.
    pub(crate) dialogues: Dialogues,
    /// Edit similarity of every fix.
    pub(crate) similarity: f64,
    /// What this study calls the paper's conditions.
    pub(crate) names: Vec<String>,
}

impl Default for Synthetic {
    fn default() -> Self {
        Synthetic {
            title: "Made up".to_owned(),
            tau: 0.1,
            outcomes: Vec::new(),
            fixes: Vec::new(),
            made_by: Vec::new(),
            dialogues: Dialogues::default(),
            similarity: 1.0,
            names: all(Condition::PRESETS),
        }
    }
}

/// The path of the published numbers in the repository.
pub(crate) fn published_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/mle-modernizer/published")
}

/// All published numbers of the repository as one text.
pub(crate) fn published_text() -> String {
    let files = std::fs::read_dir(published_path()).unwrap();
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap() + "\n").collect()
}

impl Synthetic {
    /// Adds `count` versions, numbered from `first`, that fall into one row of a condition's table.
    pub(crate) fn add(&mut self, condition: Condition, line: Line, first: usize, count: usize) {
        let (outcome, output, failure) = match line {
            Line::ErrorFreeCsvWithin => (Outcome::ErrorFreeReproducible, Some(OutputStatus::Csv), None),
            Line::ErrorFreeCsvBeyond => (Outcome::ErrorFreeNonReproducible, Some(OutputStatus::Csv), None),
            Line::ErrorFreeNoCsv => (Outcome::ErrorFreeNonReproducible, Some(OutputStatus::NoCsv), None),
            Line::ErrorCsvWithin => (Outcome::ErrorReproducible, Some(OutputStatus::Csv), None),
            Line::ErrorCsvBeyond => (Outcome::ErrorNonReproducible, Some(OutputStatus::Csv), None),
            Line::ErrorNoCsv => (Outcome::ErrorNonReproducible, Some(OutputStatus::NoCsv), None),
            Line::Failed(failure) => (Outcome::Failed, None, Some(failure)),
        };
        for index in first..first + count {
            let version = format!("v{index:06}").as_str().into();
            self.outcomes.push(OutcomeRow {
                version,
                competition: "made-up".into(),
                condition,
                outcome,
                output_status: output,
                failure,
                target_score: Some(0.5),
                deviation: None,
                fixes: 0,
                came_back: None,
                seconds: 0.5,
            });
        }
    }

    /// Adds the rows of a condition's table with the given counts, in order, to versions numbered from 0.
    pub(crate) fn add_table(&mut self, condition: Condition, counts: &[usize]) {
        let mut first = 0;
        for (line, count) in Line::of(&Roles::default(), condition).into_iter().zip(counts) {
            self.add(condition, line, first, *count);
            first += count;
        }
    }

    /// Writes the files into `folder`, those of dialogues where there are any.
    pub(crate) fn write(&self, folder: &Path) {
        write(&folder.join("study.parquet"), self.study_columns());
        write(&folder.join("outcomes.parquet"), self.outcome_columns());
        write(&folder.join("fixes.parquet"), self.fix_columns());
        if self.names != all(Condition::PRESETS) {
            write(&folder.join("conditions.parquet"), self.condition_columns());
        }
        if self.dialogues != Dialogues::default() {
            write(&folder.join("llm-calls.parquet"), self.call_columns());
            write(&folder.join("questions.parquet"), self.question_columns());
            write(&folder.join("refusals.parquet"), self.refusal_columns());
        }
    }

    fn name(&self, condition: Condition) -> &str {
        let place = Condition::PRESETS.iter().position(|preset| *preset == condition);
        place.map_or(condition.as_str(), |place| &self.names[place])
    }

    fn condition_columns(&self) -> Vec<Column> {
        let roles: Vec<Role> = Condition::PRESETS.iter().map(|preset| preset.paper_role()).collect();
        let start = |role: &Role| role.repairs().then_some(self.names[0].as_str());
        vec![
            Column::new("condition".into(), &self.names),
            words("role", roles.iter().map(|role| Some(role.as_str())), &all(Role::ALL)),
            Column::new("environment".into(), vec!["lock"; roles.len()]),
            Column::new(
                "repair".into(),
                roles.iter().map(|role| if role.repairs() { "model" } else { "none" }).collect::<Vec<_>>(),
            ),
            Column::new("start".into(), roles.iter().map(start).collect::<Vec<_>>()),
        ]
    }

    fn study_columns(&self) -> Vec<Column> {
        let versions: std::collections::BTreeSet<&str> = self.outcomes.iter().map(|row| &*row.version).collect();
        vec![
            Column::new("study".into(), ["made-up"]),
            Column::new("title".into(), [self.title.as_str()]),
            Column::new("baseline_environment".into(), ["contemporary"]),
            Column::new("baseline_python".into(), ["3.12.3"]),
            Column::new("baseline_packages".into(), ["numpy 2.5.5, pandas 3.1.1"]),
            Column::new("tool_revision".into(), ["nbrevive 0.1.0 (0123abc)"]),
            Column::new("machine".into(), ["2 cores, 23 GiB, Linux x86_64"]),
            Column::new("time_limit_seconds".into(), [600.0]),
            Column::new("tau".into(), [self.tau]),
            Column::new("max_fixes".into(), [16_u32]),
            Column::new("versions".into(), [u32::try_from(versions.len()).unwrap()]),
        ]
    }

    /// The columns of `outcomes.parquet`.
    pub(crate) fn outcome_columns(&self) -> Vec<Column> {
        let rows = &self.outcomes;
        let none: Vec<Option<&str>> = vec![None; rows.len()];
        let error_status = |outcome: Outcome| outcome.errors().map(ErrorStatus::as_str);
        vec![
            Column::new("version".into(), rows.iter().map(|row| row.version.as_str()).collect::<Vec<_>>()),
            Column::new("competition".into(), rows.iter().map(|row| row.competition.as_str()).collect::<Vec<_>>()),
            words("condition", rows.iter().map(|row| Some(self.name(row.condition))), &self.names),
            words("outcome", rows.iter().map(|row| Some(row.outcome.as_str())), &all(Outcome::ALL)),
            words("error_status", rows.iter().map(|row| error_status(row.outcome)), &all(ErrorStatus::ALL)),
            words(
                "output_status",
                rows.iter().map(|row| row.output_status.map(OutputStatus::as_str)),
                &all(OutputStatus::ALL),
            ),
            Column::new("output_reason".into(), &none),
            words("failure", rows.iter().map(|row| row.failure.map(Failure::as_str)), &all(Failure::ALL)),
            Column::new("failure_cause".into(), &none),
            Column::new("target_score".into(), rows.iter().map(|row| row.target_score).collect::<Vec<_>>()),
            Column::new("score".into(), vec![None::<f64>; rows.len()]),
            Column::new("deviation".into(), rows.iter().map(|row| row.deviation).collect::<Vec<_>>()),
            Column::new("fixes".into(), rows.iter().map(|row| row.fixes).collect::<Vec<_>>()),
            Column::new("seconds".into(), rows.iter().map(|row| row.seconds).collect::<Vec<_>>()),
            Column::new("reason".into(), vec![""; rows.len()]),
        ]
    }

    fn fix_columns(&self) -> Vec<Column> {
        let rows = &self.fixes;
        let numbers = vec![self.similarity; rows.len()];
        let by = |column: usize| -> Vec<&str> {
            let usual = ["v000000", "rules", "a,b"];
            let given = self.made_by.iter().chain(std::iter::repeat(&usual));
            given.take(rows.len()).map(|by| by[column]).collect()
        };
        vec![
            Column::new("version".into(), by(0)),
            words("condition", rows.iter().map(|_| Some(self.name(Condition::MODERNIZE))), &self.names),
            Column::new("number".into(), vec![1_u32; rows.len()]),
            words("fix_type", rows.iter().map(|row| Some(row.0.as_str())), &all(FixType::ALL)),
            Column::new("provider".into(), by(1)),
            Column::new("rules".into(), by(2)),
            Column::new("similarity_to_previous".into(), &numbers),
            Column::new("similarity_to_original".into(), &numbers),
            words("led_to", rows.iter().map(|row| Some(row.1.as_str())), &all(FlowState::ALL)),
            Column::new("led_to_failure_cause".into(), vec![None::<&str>; rows.len()]),
        ]
    }
}

impl Synthetic {
    fn call_columns(&self) -> Vec<Column> {
        let rows = &self.dialogues.calls;
        let text =
            |name: &str, of: fn(&CallRow) -> &str| Column::new(name.into(), rows.iter().map(of).collect::<Vec<_>>());
        let count =
            |name: &str, of: fn(&CallRow) -> u32| Column::new(name.into(), rows.iter().map(of).collect::<Vec<_>>());
        let tokens = |name: &str, of: fn([u64; 3]) -> u64| {
            let short = |row: &CallRow| row.tokens.map(|tokens| u32::try_from(of(tokens)).unwrap());
            Column::new(name.into(), rows.iter().map(short).collect::<Vec<Option<u32>>>())
        };
        vec![
            text("study", |row| &row.study),
            text("notebook", |row| &row.notebook),
            text("fix_type", |row| row.fix_type.map_or("", FixType::as_str)),
            count("fix_number", |row| row.fix_number),
            count("re_ask", |row| row.re_ask),
            text("provider", |row| &row.provider),
            text("model", |row| &row.model),
            text("prompt", |row| &row.prompt),
            count("occurrence", |row| row.occurrence),
            text("outcome", |row| &row.outcome),
            tokens("input", |[input, cached, _]| input + cached),
            tokens("cached_input", |[_, cached, _]| cached),
            tokens("output", |[_, _, output]| output),
            Column::new("cost".into(), rows.iter().map(|row| row.cost).collect::<Vec<_>>()),
            Column::new("is_disputed".into(), rows.iter().map(|row| row.is_disputed).collect::<Vec<_>>()),
        ]
    }

    fn question_columns(&self) -> Vec<Column> {
        let rows = &self.dialogues.questions;
        let breaches = |row: &QuestionRow| row.breaches.iter().cloned().collect::<Vec<_>>().join(",");
        vec![
            words("fix_type", rows.iter().map(|row| Some(row.fix_type.as_str())), &all(FixType::ALL)),
            Column::new("led_to_fix".into(), rows.iter().map(|row| row.led_to_fix).collect::<Vec<_>>()),
            Column::new("reask".into(), rows.iter().map(|row| row.reask).collect::<Vec<_>>()),
            Column::new("problem".into(), rows.iter().map(|row| row.problem.as_deref()).collect::<Vec<_>>()),
            Column::new("breaches".into(), rows.iter().map(breaches).collect::<Vec<_>>()),
            Column::new("detail".into(), rows.iter().map(|row| row.detail.as_str()).collect::<Vec<_>>()),
        ]
    }

    fn refusal_columns(&self) -> Vec<Column> {
        let rows = &self.dialogues.refusals;
        vec![
            words("fix_type", rows.iter().map(|row| Some(row.fix_type.as_str())), &all(FixType::ALL)),
            Column::new("breach".into(), rows.iter().map(|row| row.breach.as_str()).collect::<Vec<_>>()),
        ]
    }
}

fn all<T: ToString>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

fn words<'a>(name: &str, values: impl Iterator<Item = Option<&'a str>>, categories: &[String]) -> Column {
    let categories = FrozenCategories::new(categories.iter().map(String::as_str)).unwrap();
    let column = Column::new(name.into(), values.collect::<Vec<_>>());
    column.cast(&DataType::from_frozen_categories(categories)).unwrap()
}

/// Writes columns as a zstd parquet file.
pub(crate) fn write(path: &Path, columns: Vec<Column>) {
    let height = columns.first().map_or(0, Column::len);
    let mut frame = DataFrame::new(height, columns).unwrap();
    let writer = ParquetWriter::new(File::create(path).unwrap()).with_compression(ParquetCompression::Zstd(None));
    writer.finish(&mut frame).unwrap();
}
