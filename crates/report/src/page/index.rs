//! What all views of the page count: every version in columns, words as their places in a list.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use nbrevive_corpus::{Condition, Failure, FixType, Outcome};
use serde_json::{Value, json};

use super::runs::{Runs, cause_meanings};
use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, optional, required};
use crate::rows::{Data, OutcomeRow};

/// What is known of a version before it ran; of those that stand in outcomes alone, little.
#[derive(Debug, Clone, Default)]
pub(super) struct Version {
    /// Its competition, else its repository.
    pub(super) belongs_to: String,
    title: Option<String>,
    submitted: Option<String>,
    cells: Option<u32>,
    lines: Option<u32>,
    target: Option<f64>,
    pub(super) exclusion: Option<String>,
    pub(super) exclusion_detail: Option<String>,
}

/// What a run of one version under one condition came to, beyond what tables need.
#[derive(Debug, Clone, Default)]
pub(super) struct Ending {
    pub(super) reason: Option<String>,
    pub(super) failure_cause: Option<String>,
    pub(super) environment: Option<String>,
    pub(super) loop_end: Option<String>,
    output_reason: Option<String>,
    score: Option<f64>,
}

/// Every version that was looked at, by slug.
pub(super) struct Index {
    /// Slugs in order: a version is its place in this list.
    pub(super) slugs: Vec<String>,
    pub(super) versions: Vec<Version>,
    /// By version and condition.
    pub(super) endings: HashMap<(usize, Condition), Ending>,
    places: HashMap<String, usize>,
}

const VERSIONS: &[ColumnRule] = &[
    required("version", Kind::Text),
    optional("competition", Kind::Text),
    extra("repository", Kind::Text),
    extra("title", Kind::Text),
    extra("submitted", Kind::Text),
    extra("code_cells", Kind::Count),
    extra("code_lines", Kind::Count),
    extra("target_score", Kind::Number),
    extra("exclusion", Kind::Text),
    extra("exclusion_detail", Kind::Text),
];

const ENDINGS: &[ColumnRule] = &[
    required("version", Kind::Text),
    optional("competition", Kind::Text),
    required("condition", Kind::Text),
    optional("target_score", Kind::Number),
    optional("output_reason", Kind::Text),
    optional("failure_cause", Kind::Text),
    optional("score", Kind::Number),
    extra("reason", Kind::Text),
    extra("environment", Kind::Text),
    extra("loop_end", Kind::Text),
];

impl Index {
    /// Reads `versions.parquet`, as far as it is there, and `outcomes.parquet`.
    pub(super) fn read(folder: &Path, data: &Data) -> Result<Self, FrameError> {
        let mut versions = read_versions(&folder.join("versions.parquet"))?;
        let path = folder.join("outcomes.parquet");
        let mut endings = Vec::new();
        Frame::each(&path, ENDINGS, |frame| {
            let conditions: Vec<Condition> = frame.words("condition")?;
            let (competitions, targets) =
                (frame.optional_texts("competition")?, frame.optional_numbers("target_score")?);
            let (reasons, causes) = (frame.extra_texts("reason")?, frame.optional_texts("failure_cause")?);
            let (environments, ends) = (frame.extra_texts("environment")?, frame.extra_texts("loop_end")?);
            let (outputs, scores) = (frame.optional_texts("output_reason")?, frame.optional_numbers("score")?);
            for (row, slug) in frame.texts("version")?.into_iter().enumerate() {
                let version = versions.entry(slug.clone()).or_default();
                if let Some(competition) = &competitions[row] {
                    version.belongs_to.clone_from(competition);
                }
                version.target = version.target.or(targets[row]);
                let ending = Ending {
                    reason: reasons[row].clone(),
                    failure_cause: causes[row].clone(),
                    environment: environments[row].clone(),
                    loop_end: ends[row].clone(),
                    output_reason: outputs[row].clone(),
                    score: scores[row],
                };
                endings.push((slug, conditions[row], ending));
            }
            Ok(())
        })?;
        let (slugs, versions): (Vec<String>, Vec<Version>) = versions.into_iter().unzip();
        let places: HashMap<String, usize> = slugs.iter().cloned().zip(0..).collect();
        let counted: std::collections::HashSet<(&str, Condition)> =
            data.outcomes.iter().map(|row| (row.version.as_str(), row.condition)).collect();
        let endings = endings
            .into_iter()
            .filter(|(slug, condition, _)| counted.contains(&(slug.as_str(), *condition)))
            .map(|(slug, condition, ending)| ((places[&slug], condition), ending))
            .collect();
        Ok(Index { slugs, versions, endings, places })
    }

    /// The place of a version.
    pub(super) fn place(&self, slug: &str) -> Option<usize> {
        self.places.get(slug).copied()
    }

    /// The columns of the page.
    pub(super) fn json(&self, data: &Data, runs: &Runs) -> Value {
        let all = || self.versions.iter();
        let outcomes: Vec<Value> = data.conditions().map(|condition| self.outcomes(condition, data)).collect();
        json!({
            "words": { "outcomes": Outcome::ALL, "failures": Failure::ALL, "fix_types": FixType::ALL },
            "version": self.slugs,
            "title": all().map(|version| version.title.as_deref()).collect::<Vec<_>>(),
            "competition": coded(all().map(|version| Some(version.belongs_to.as_str()))),
            "submitted": all().map(|version| version.submitted.as_deref().map(day)).collect::<Vec<_>>(),
            "cells": all().map(|version| version.cells).collect::<Vec<_>>(),
            "lines": all().map(|version| version.lines).collect::<Vec<_>>(),
            "target": all().map(|version| version.target).collect::<Vec<_>>(),
            "exclusion": coded(all().map(|version| version.exclusion.as_deref())),
            "fix_types": self.fix_types(data),
            "raised": runs.raised_at_baseline(self.slugs.len()),
            "caused": runs.causes_at_baseline(self.slugs.len()),
            "causes": cause_meanings(),
            "conditions": outcomes,
        })
    }

    /// One condition: a row a version, -1 for an outcome that there is not.
    fn outcomes(&self, condition: Condition, data: &Data) -> Value {
        let mut rows: Vec<Option<&OutcomeRow>> = vec![None; self.slugs.len()];
        for row in data.under(condition) {
            rows[self.places[row.version.as_str()]] = Some(row);
        }
        let ending = |place: usize| self.endings.get(&(place, condition));
        let outcome = |row: &Option<&OutcomeRow>| row.map_or(-1, |row| code(Outcome::ALL, &row.outcome));
        let failure =
            |row: &Option<&OutcomeRow>| row.and_then(|row| row.failure).map_or(-1, |why| code(Failure::ALL, &why));
        json!({
            "condition": condition,
            "role": data.study.roles.role(condition),
            "repairs": data.study.roles.repairs(condition),
            "start": data.study.roles.start(condition),
            "outcome": rows.iter().map(outcome).collect::<Vec<_>>(),
            "failure": rows.iter().map(failure).collect::<Vec<_>>(),
            "output_reason": coded((0..rows.len()).map(|place| ending(place)?.output_reason.as_deref())),
            "score": (0..rows.len()).map(|place| ending(place)?.score).collect::<Vec<_>>(),
            "deviation": rows.iter().map(|row| row.and_then(|row| row.deviation).and_then(shown)).collect::<Vec<_>>(),
            "fixes": rows.iter().map(|row| row.map(|row| row.fixes)).collect::<Vec<_>>(),
            "seconds": rows.iter().map(|row| row.map(|row| (row.seconds * 10.0).round() / 10.0)).collect::<Vec<_>>(),
        })
    }

    /// A bit for each type of fix that a version had.
    fn fix_types(&self, data: &Data) -> Vec<u8> {
        let mut bits = vec![0; self.slugs.len()];
        for fix in &data.fixes {
            if let Some(place) = self.place(&fix.version) {
                bits[place] |= 1 << code(FixType::ALL, &fix.fix_type);
            }
        }
        bits
    }
}

/// A deviation as the page takes it: -1 for an infinite one, which JSON cannot say; none for what is no number.
fn shown(deviation: f64) -> Option<f64> {
    match deviation {
        infinite if infinite.is_infinite() => Some(-1.0),
        deviation => (!deviation.is_nan()).then_some(deviation),
    }
}

/// The day of a time.
fn day(time: &str) -> &str {
    time.split('T').next().unwrap_or(time)
}

fn code<T: PartialEq>(all: &[T], word: &T) -> i32 {
    all.iter().position(|other| other == word).and_then(|place| i32::try_from(place).ok()).unwrap_or(-1)
}

/// A column of words: those that occur, and for each row the place of its word; -1 for none.
pub(super) fn coded<'a>(values: impl Iterator<Item = Option<&'a str>>) -> Value {
    let values: Vec<Option<&str>> = values.collect();
    let mut words: BTreeMap<&str, usize> = values.iter().flatten().map(|word| (*word, 0)).collect();
    words.values_mut().zip(0..).for_each(|(place, next)| *place = next);
    let codes = values.iter().map(|value| value.map_or(Value::from(-1), |word| Value::from(words[word])));
    json!({ "codes": codes.collect::<Vec<_>>(), "words": words.keys().collect::<Vec<_>>() })
}

fn read_versions(path: &Path) -> Result<BTreeMap<String, Version>, FrameError> {
    let mut versions = BTreeMap::new();
    if !path.is_file() {
        return Ok(versions);
    }
    Frame::each(path, VERSIONS, |frame| {
        let (competitions, titles) = (frame.optional_texts("competition")?, frame.extra_texts("title")?);
        let repositories = frame.extra_texts("repository")?;
        let (submitted, targets) = (frame.extra_texts("submitted")?, frame.extra_numbers("target_score")?);
        let (cells, lines) = (frame.extra_counts("code_cells")?, frame.extra_counts("code_lines")?);
        let (exclusions, details) = (frame.extra_texts("exclusion")?, frame.extra_texts("exclusion_detail")?);
        for (row, slug) in frame.texts("version")?.into_iter().enumerate() {
            let version = Version {
                belongs_to: competitions[row].clone().or(repositories[row].clone()).unwrap_or_default(),
                title: titles[row].clone(),
                submitted: submitted[row].clone(),
                cells: cells[row],
                lines: lines[row],
                target: targets[row].filter(|target| target.is_finite()),
                exclusion: exclusions[row].clone(),
                exclusion_detail: details[row].clone(),
            };
            versions.insert(slug, version);
        }
        Ok(())
    })?;
    Ok(versions)
}
