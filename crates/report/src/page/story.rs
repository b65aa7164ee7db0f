//! What only a single version shows: reasons, fixes with their patches, errors, environments. Packed some versions at a time.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use nbrevive_corpus::{Condition, FixType, FlowState};
use serde::Serialize;
use serde_json::{Value, json};

use super::index::{Ending, Index};
use super::runs::{Run, Runs};
use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, required};
use crate::rows::Data;

/// Versions in one block: few enough to be unpacked while somebody waits, enough to share their environments.
pub(super) const VERSIONS_A_BLOCK: usize = 40;

/// Everything about one version.
#[derive(Debug, Default, Serialize)]
struct Story {
    #[serde(skip_serializing_if = "Option::is_none")]
    excluded: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    endings: BTreeMap<Condition, EndingStory>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    least: Vec<Least>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<Run>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<[String; 3]>,
}

/// How a run under one condition ended.
#[derive(Debug, Serialize)]
struct EndingStory {
    reason: Option<String>,
    cause: Option<String>,
    environment: Option<String>,
    loop_end: Option<String>,
}

impl From<&Ending> for EndingStory {
    fn from(ending: &Ending) -> Self {
        let Ending { reason, failure_cause, environment, loop_end, .. } = ending.clone();
        EndingStory { reason, cause: failure_cause, environment, loop_end }
    }
}

#[derive(Debug, Clone, Serialize)]
struct Fix {
    condition: Condition,
    number: u32,
    fix_type: FixType,
    provider: String,
    rules: String,
    similarity: f64,
    led_to: FlowState,
    score: Option<f64>,
    seconds: Option<f64>,
    patch: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct Least {
    condition: Condition,
    patch: Option<String>,
    hunks_before: u32,
    hunks_after: u32,
}

const FIXES: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("number", Kind::Count),
    required("fix_type", Kind::Text),
    required("provider", Kind::Text),
    required("rules", Kind::Text),
    required("similarity_to_original", Kind::Number),
    required("led_to", Kind::Text),
    extra("score", Kind::Number),
    extra("seconds", Kind::Number),
    extra("patch", Kind::Text),
];

const LEAST: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("hunks_before", Kind::Count),
    required("hunks_after", Kind::Count),
    extra("patch", Kind::Text),
];

const LEFT_OUT: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("reason", Kind::Text),
    extra("detail", Kind::Text),
];

const ENVIRONMENTS: &[ColumnRule] = &[
    required("environment", Kind::Text),
    extra("kind", Kind::Text),
    extra("python", Kind::Text),
    extra("requirements", Kind::Text),
    extra("lock", Kind::Text),
    extra("failure_class", Kind::Text),
    extra("failure_tail", Kind::Text),
];

/// The stories of all versions in blocks of [`VERSIONS_A_BLOCK`], each with the environments that its versions name.
pub(super) fn blocks(folder: &Path, data: &Data, index: &Index, runs: &Runs) -> Result<Vec<Value>, FrameError> {
    let mut stories: Vec<Story> = index.slugs.iter().map(|_| Story::default()).collect();
    for (story, version) in stories.iter_mut().zip(&index.versions) {
        story.excluded.clone_from(&version.exclusion_detail);
    }
    for ((place, condition), ending) in &index.endings {
        stories[*place].endings.insert(*condition, ending.into());
    }
    for (story, runs) in stories.iter_mut().zip(&runs.by_version) {
        story.runs.clone_from(runs);
    }
    read_fixes(&folder.join("fixes.parquet"), data, index, &mut stories)?;
    read_least(&folder.join("least-patches.parquet"), index, &mut stories)?;
    read_left_out(&folder.join("left-out.parquet"), index, &mut stories)?;
    let environments = read_environments(&folder.join("environments.parquet"))?;
    let block = |stories: &[Story]| {
        let named =
            stories.iter().flat_map(|story| story.endings.values()).filter_map(|ending| ending.environment.as_ref());
        let named: BTreeMap<&String, &Value> = named.filter_map(|key| Some((key, environments.get(key)?))).collect();
        json!({ "versions": stories, "environments": named })
    };
    Ok(stories.chunks(VERSIONS_A_BLOCK).map(block).collect())
}

fn read_fixes(path: &Path, data: &Data, index: &Index, stories: &mut [Story]) -> Result<(), FrameError> {
    let counted: std::collections::HashSet<(&str, Condition)> =
        data.outcomes.iter().map(|row| (row.version.as_str(), row.condition)).collect();
    Frame::each(path, FIXES, |frame| {
        let conditions: Vec<Condition> = frame.words("condition")?;
        let types: Vec<FixType> = frame.words("fix_type")?;
        let states: Vec<FlowState> = frame.words("led_to")?;
        let (numbers, providers, rules) = (frame.counts("number")?, frame.texts("provider")?, frame.texts("rules")?);
        let (similarities, scores) = (frame.numbers("similarity_to_original")?, frame.extra_numbers("score")?);
        let (seconds, patches) = (frame.extra_numbers("seconds")?, frame.extra_texts("patch")?);
        for (row, slug) in frame.texts("version")?.iter().enumerate() {
            let condition = conditions[row];
            let Some(place) = index.place(slug).filter(|_| counted.contains(&(slug.as_str(), condition))) else {
                continue;
            };
            stories[place].fixes.push(Fix {
                condition,
                number: numbers[row],
                fix_type: types[row],
                provider: providers[row].clone(),
                rules: rules[row].clone(),
                similarity: similarities[row],
                led_to: states[row],
                score: scores[row],
                seconds: seconds[row],
                patch: patches[row].clone(),
            });
        }
        Ok(())
    })?;
    stories.iter_mut().for_each(|story| story.fixes.sort_by_key(|fix| (fix.condition, fix.number)));
    Ok(())
}

fn read_least(path: &Path, index: &Index, stories: &mut [Story]) -> Result<(), FrameError> {
    each_if_there(path, LEAST, |frame| {
        let conditions: Vec<Condition> = frame.words("condition")?;
        let (before, after) = (frame.counts("hunks_before")?, frame.counts("hunks_after")?);
        let patches = frame.extra_texts("patch")?;
        for (row, slug) in frame.texts("version")?.iter().enumerate() {
            let Some(place) = index.place(slug) else { continue };
            stories[place].least.push(Least {
                condition: conditions[row],
                patch: patches[row].clone(),
                hunks_before: before[row],
                hunks_after: after[row],
            });
        }
        Ok(())
    })
}

fn read_left_out(path: &Path, index: &Index, stories: &mut [Story]) -> Result<(), FrameError> {
    each_if_there(path, LEFT_OUT, |frame| {
        let (conditions, reasons) = (frame.texts("condition")?, frame.texts("reason")?);
        let details = frame.extra_texts("detail")?;
        for (row, slug) in frame.texts("version")?.iter().enumerate() {
            let Some(place) = index.place(slug) else { continue };
            let detail = details[row].clone().unwrap_or_default();
            stories[place].left_out.push([conditions[row].clone(), reasons[row].clone(), detail]);
        }
        Ok(())
    })
}

fn read_environments(path: &Path) -> Result<HashMap<String, Value>, FrameError> {
    let mut environments = HashMap::new();
    each_if_there(path, ENVIRONMENTS, |frame| {
        let columns = ["kind", "python", "requirements", "lock", "failure_class", "failure_tail"];
        let columns: Vec<(&str, Vec<Option<String>>)> =
            columns.into_iter().map(|name| Ok((name, frame.extra_texts(name)?))).collect::<Result<_, FrameError>>()?;
        for (row, key) in frame.texts("environment")?.into_iter().enumerate() {
            let fields = columns.iter().map(|(name, values)| ((*name).to_owned(), json!(values[row])));
            environments.insert(key, Value::Object(fields.collect()));
        }
        Ok(())
    })?;
    Ok(environments)
}

fn each_if_there(
    path: &Path,
    rules: &[ColumnRule],
    take: impl FnMut(&Frame) -> Result<(), FrameError>,
) -> Result<(), FrameError> {
    if path.is_file() { Frame::each(path, rules, take) } else { Ok(()) }
}
