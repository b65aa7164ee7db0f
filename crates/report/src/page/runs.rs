//! The executions of each version, and what their cells raised: `executions.parquet`, `cells.parquet` and `errors.parquet`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use nbrevive_corpus::{Condition, Role, Roles};
use nbrevive_diagnosis::crash::{Label as _, RootCause, meaning};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::index::Index;
use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, required};
use crate::raised::causes_at;

/// Characters of a message that the page keeps: enough for any message that people wrote.
const LONGEST_MESSAGE: usize = 4000;
/// Characters of a traceback that the page keeps, from its end, where the innermost frames are.
const LONGEST_TRACEBACK: usize = 1500;

/// One execution.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Run {
    pub(super) condition: Condition,
    /// How many fixes its code had.
    pub(super) step: u32,
    end: Option<String>,
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<f64>,
    /// Code cells that were looked at.
    cells: u32,
    /// Cells that did not end well, in order.
    pub(super) raised: Vec<Raised>,
}

/// A cell that did not end well.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Raised {
    cell: u32,
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ename: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evalue: Option<String>,
    /// Line of the cell, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traceback: Option<String>,
    /// Why it raised; the page shows what it means.
    #[serde(rename = "why", skip_serializing_if = "Option::is_none", serialize_with = "as_meaning")]
    cause: Option<RootCause>,
}

impl Raised {
    /// The type of what it raised.
    pub(super) fn kind(&self) -> Option<&str> {
        (self.status == "error").then(|| self.ename.as_deref().unwrap_or("unknown"))
    }
}

/// The version of a row, and what names its execution.
type Named = (Option<usize>, Option<String>);

/// The first repetition of every execution, by version.
pub(super) struct Runs {
    pub(super) by_version: Vec<Vec<Run>>,
    roles: Roles,
    places: HashMap<String, usize>,
}

const EXECUTIONS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("code_hash", Kind::Text),
    required("environment", Kind::Text),
    required("repetition", Kind::Count),
    required("condition", Kind::Text),
    required("fix_number", Kind::Count),
    extra("end", Kind::Text),
    extra("seconds", Kind::Number),
    extra("peak_memory_mib", Kind::Number),
];

const CELLS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("code_hash", Kind::Text),
    required("environment", Kind::Text),
    required("repetition", Kind::Count),
    required("cell", Kind::Count),
    required("status", Kind::Text),
    extra("ename", Kind::Text),
    extra("evalue", Kind::Text),
];

const ERRORS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("code_hash", Kind::Text),
    required("environment", Kind::Text),
    required("repetition", Kind::Count),
    required("cell", Kind::Count),
    extra("line", Kind::Count),
    extra("class", Kind::Text),
    extra("message", Kind::Text),
    extra("traceback", Kind::Text),
    extra("root_cause", Kind::Text),
];

impl Runs {
    /// Reads the files, as far as they are there.
    pub(super) fn read(folder: &Path, index: &Index, roles: &Roles) -> Result<Self, FrameError> {
        let mut runs = Runs {
            by_version: vec![Vec::new(); index.slugs.len()],
            roles: roles.clone(),
            places: index.slugs.iter().cloned().zip(0..).collect(),
        };
        let (executions, cells) = (folder.join("executions.parquet"), folder.join("cells.parquet"));
        if !executions.is_file() {
            return Ok(runs);
        }
        let keys = runs.read_executions(&executions)?;
        if cells.is_file() {
            runs.read_cells(&cells, &keys)?;
        }
        let errors = folder.join("errors.parquet");
        if errors.is_file() {
            runs.read_errors(&errors, &keys)?;
        }
        Ok(runs)
    }

    /// Reads the executions; gives the place of each by its key.
    fn read_executions(&mut self, path: &Path) -> Result<HashMap<String, (usize, usize)>, FrameError> {
        let mut keys = HashMap::new();
        Frame::each(path, EXECUTIONS, |frame| {
            let conditions: Vec<Condition> = frame.words("condition")?;
            let (steps, ends) = (frame.counts("fix_number")?, frame.extra_texts("end")?);
            let (seconds, memory) = (frame.extra_numbers("seconds")?, frame.extra_numbers("peak_memory_mib")?);
            for (row, (version, key)) in self.keys(frame)?.into_iter().enumerate() {
                let (Some(version), Some(key)) = (version, key) else { continue };
                let run = Run {
                    condition: conditions[row],
                    step: steps[row],
                    end: ends[row].clone(),
                    seconds: seconds[row].map(tenth),
                    memory: memory[row].map(f64::round),
                    cells: 0,
                    raised: Vec::new(),
                };
                keys.insert(key, (version, self.by_version[version].len()));
                self.by_version[version].push(run);
            }
            Ok(())
        })?;
        Ok(keys)
    }

    fn read_cells(&mut self, path: &Path, keys: &HashMap<String, (usize, usize)>) -> Result<(), FrameError> {
        Frame::each(path, CELLS, |frame| {
            let (cells, statuses) = (frame.counts("cell")?, frame.texts("status")?);
            let (enames, evalues) = (frame.extra_texts("ename")?, frame.extra_texts("evalue")?);
            for (row, (_, key)) in self.keys(frame)?.into_iter().enumerate() {
                let Some((version, place)) = key.and_then(|key| keys.get(&key)) else { continue };
                let run = &mut self.by_version[*version][*place];
                run.cells += 1;
                if matches!(statuses[row].as_str(), "ok" | "skipped" | "not-run") {
                    continue;
                }
                run.raised.push(Raised {
                    cell: cells[row],
                    status: statuses[row].clone(),
                    ename: enames[row].clone(),
                    evalue: evalues[row].as_deref().map(shortened),
                    line: None,
                    traceback: None,
                    cause: None,
                });
            }
            Ok(())
        })?;
        self.by_version.iter_mut().flatten().for_each(|run| run.raised.sort_by_key(|raised| raised.cell));
        Ok(())
    }

    /// Adds to what cells raised where they did.
    fn read_errors(&mut self, path: &Path, keys: &HashMap<String, (usize, usize)>) -> Result<(), FrameError> {
        Frame::each(path, ERRORS, |frame| {
            let (cells, lines) = (frame.counts("cell")?, frame.extra_counts("line")?);
            let tracebacks = frame.extra_texts("traceback")?;
            let causes = causes_at(frame, &(0..frame.height()).collect::<Vec<_>>())?;
            for (row, (_, key)) in self.keys(frame)?.into_iter().enumerate() {
                let Some((version, place)) = key.and_then(|key| keys.get(&key)) else { continue };
                let raised = &mut self.by_version[*version][*place].raised;
                if let Some(raised) = raised.iter_mut().find(|raised| raised.cell == cells[row]) {
                    raised.line = lines[row];
                    raised.traceback = tracebacks[row].as_deref().map(innermost);
                    raised.cause = causes[row];
                }
            }
            Ok(())
        })
    }

    /// The version of each row and what names its execution; none for further repetitions and unknown versions.
    fn keys(&self, frame: &Frame) -> Result<Vec<Named>, FrameError> {
        let (versions, codes) = (frame.texts("version")?, frame.texts("code_hash")?);
        let (environments, repetitions) = (frame.texts("environment")?, frame.counts("repetition")?);
        let key = |row: usize| {
            let place = self.places.get(&versions[row]).copied();
            let is_first = place.is_some() && repetitions[row] == 1;
            (place, is_first.then(|| format!("{}\0{}\0{}", versions[row], codes[row], environments[row])))
        };
        Ok((0..frame.height()).map(key).collect())
    }

    /// The place of a version.
    pub(super) fn place(&self, slug: &str) -> Option<usize> {
        self.places.get(slug).copied()
    }

    /// The execution of a version's code after so many fixes under a condition; without fixes it is that of where it starts.
    pub(super) fn at(&self, version: usize, condition: Condition, step: u32) -> Option<&Run> {
        let condition = if step == 0 { self.roles.start(condition) } else { condition };
        self.by_version[version].iter().find(|run| run.condition == condition && run.step == step)
    }

    /// The types of errors that each version raised at baseline, as a list of types and their places in it.
    pub(super) fn raised_at_baseline(&self, versions: usize) -> Value {
        self.at_baseline(versions, Raised::kind)
    }

    /// Why each version raised errors at baseline, in the same form.
    pub(super) fn causes_at_baseline(&self, versions: usize) -> Value {
        self.at_baseline(versions, |raised| raised.cause.map(RootCause::code))
    }

    /// A word of each error that each version raised at baseline, as a list of words and their places in it.
    fn at_baseline(&self, versions: usize, word: fn(&Raised) -> Option<&str>) -> Value {
        let mut words: BTreeMap<&str, usize> = BTreeMap::new();
        let kinds = |version: usize| {
            let mut kinds: Vec<&str> = self
                .at(version, self.roles.condition(Role::Baseline), 0)
                .into_iter()
                .flat_map(|run| &run.raised)
                .filter_map(word)
                .collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds
        };
        let all: Vec<Vec<&str>> = (0..versions).map(kinds).collect();
        words.extend(all.iter().flatten().map(|word| (*word, 0)));
        words.values_mut().zip(0..).for_each(|(place, next)| *place = next);
        let codes: Vec<Vec<usize>> = all.iter().map(|kinds| kinds.iter().map(|word| words[word]).collect()).collect();
        json!({ "words": words.keys().collect::<Vec<_>>(), "codes": codes })
    }
}

/// What the words of root causes mean.
pub(super) fn cause_meanings() -> BTreeMap<&'static str, &'static str> {
    RootCause::ALL.iter().map(|cause| (cause.code(), meaning(*cause))).collect()
}

#[expect(clippy::ref_option, reason = "serde asks for the field as it is")]
fn as_meaning<S: Serializer>(cause: &Option<RootCause>, serializer: S) -> Result<S::Ok, S::Error> {
    cause.map(meaning).serialize(serializer)
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A message that says how much of it is left out, when it is very long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_MESSAGE) {
        None => text.to_owned(),
        Some((end, _)) => format!("{} … ({} characters in all)", &text[..end], text.chars().count()),
    }
}

/// The end of a traceback, which says how much stands before it, when it is very long.
fn innermost(text: &str) -> String {
    let left_out = text.chars().count().saturating_sub(LONGEST_TRACEBACK);
    match text.char_indices().nth(left_out) {
        Some((start, _)) if left_out > 0 => format!("({left_out} characters before) … {}", &text[start..]),
        _ => text.to_owned(),
    }
}
