//! The rows of dialogues with language models: `llm-calls.parquet`, `questions.parquet` and `refusals.parquet`.
//!
//! Exports of programs that asked no models lack the files; they then have no rows.

use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_corpus::FixType;

use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, optional, required};

/// One call of a language model: a row of `llm-calls.parquet`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct CallRow {
    /// The study and condition.
    pub(crate) study: String,
    /// The version's slug.
    pub(crate) notebook: String,
    /// For which type of fix; none for calls that are for no fix.
    pub(crate) fix_type: Option<FixType>,
    /// For which fix.
    pub(crate) fix_number: u32,
    /// 0 for the question itself, then the number of the re-ask.
    pub(crate) re_ask: u32,
    /// Who was asked.
    pub(crate) provider: String,
    /// The model that was asked for.
    pub(crate) model: String,
    /// Hash of the prompt.
    pub(crate) prompt: String,
    /// How often it was asked before in the run.
    pub(crate) occurrence: u32,
    /// `answered`, `reserved`, or the name of a failure.
    pub(crate) outcome: String,
    /// Input tokens from no cache, input tokens from the cache, and output tokens; none where nobody told.
    pub(crate) tokens: Option<[u64; 3]>,
    /// What counts for it, in USD.
    pub(crate) cost: f64,
    /// Whether the provider reported more than it was allowed to use.
    pub(crate) is_disputed: bool,
}

/// One question to a model: a row of `questions.parquet`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuestionRow {
    /// What the fix aimed at.
    pub(crate) fix_type: FixType,
    /// Whether its dialogue led to a fix.
    pub(crate) led_to_fix: bool,
    /// 0 for the first question of a dialogue.
    pub(crate) reask: u32,
    /// Why the answer could not be read.
    pub(crate) problem: Option<String>,
    /// Rules that its patch broke.
    pub(crate) breaches: BTreeSet<String>,
    /// What was wrong, in words; empty for an accepted answer.
    pub(crate) detail: String,
}

/// One proposal that the loop refused: a row of `refusals.parquet`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RefusalRow {
    /// What it aimed at.
    pub(crate) fix_type: FixType,
    /// The first rule that it broke.
    pub(crate) breach: String,
}

/// All dialogues of a study.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Dialogues {
    /// One row a call, each question once: see [`without_repeats`].
    pub(crate) calls: Vec<CallRow>,
    /// One row a question.
    pub(crate) questions: Vec<QuestionRow>,
    /// One row a refused proposal.
    pub(crate) refusals: Vec<RefusalRow>,
}

/// The provider that answers from a record.
pub(crate) const REPLAY: &str = "replay";

const CALLS: &[ColumnRule] = &[
    required("study", Kind::Text),
    required("notebook", Kind::Text),
    required("fix_type", Kind::Text),
    required("fix_number", Kind::Count),
    required("re_ask", Kind::Count),
    required("provider", Kind::Text),
    required("model", Kind::Text),
    required("prompt", Kind::Text),
    required("occurrence", Kind::Count),
    required("outcome", Kind::Text),
    optional("input", Kind::Count),
    optional("cached_input", Kind::Count),
    optional("output", Kind::Count),
    required("cost", Kind::Number),
    required("is_disputed", Kind::Switch),
];

const QUESTIONS: &[ColumnRule] = &[
    required("fix_type", Kind::Text),
    required("led_to_fix", Kind::Switch),
    required("reask", Kind::Count),
    optional("problem", Kind::Text),
    required("breaches", Kind::Text),
    extra("detail", Kind::Text),
];

const REFUSALS: &[ColumnRule] = &[required("fix_type", Kind::Text), required("breach", Kind::Text)];

impl Dialogues {
    /// Reads the three files in `folder`, as far as they are there.
    pub(crate) fn read(folder: &Path) -> Result<Self, FrameError> {
        Ok(Dialogues {
            calls: without_repeats(rows(&folder.join("llm-calls.parquet"), CALLS, calls)?),
            questions: rows(&folder.join("questions.parquet"), QUESTIONS, questions)?,
            refusals: rows(&folder.join("refusals.parquet"), REFUSALS, refusals)?,
        })
    }
}

fn rows<T>(
    path: &Path,
    rules: &[ColumnRule],
    read: impl Fn(&Frame) -> Result<Vec<T>, FrameError>,
) -> Result<Vec<T>, FrameError> {
    if path.is_file() { read(&Frame::read(path, rules)?) } else { Ok(Vec::new()) }
}

fn calls(frame: &Frame) -> Result<Vec<CallRow>, FrameError> {
    let (studies, notebooks) = (frame.texts("study")?, frame.texts("notebook")?);
    let (numbers, re_asks) = (frame.counts("fix_number")?, frame.counts("re_ask")?);
    let (providers, models) = (frame.texts("provider")?, frame.texts("model")?);
    let (prompts, occurrences) = (frame.texts("prompt")?, frame.counts("occurrence")?);
    let (types, outcomes) = (frame.texts("fix_type")?, frame.texts("outcome")?);
    let (inputs, outputs) = (frame.optional_counts("input")?, frame.optional_counts("output")?);
    let cached = frame.optional_counts("cached_input")?;
    let (costs, disputed) = (frame.numbers("cost")?, frame.switches("is_disputed")?);
    let mut rows = Vec::with_capacity(frame.height());
    for index in 0..frame.height() {
        let fix_type = match types[index].as_str() {
            "" => None,
            word => Some(word.parse().map_err(|error| frame.word_error("fix_type", index, error))?),
        };
        let cost = costs[index];
        if !cost.is_finite() || cost < 0.0 {
            return Err(frame.content_error(format!("row {}: no call costs {cost} USD", index + 1)));
        }
        let tokens = inputs[index].map(|input| {
            let cached = cached[index].unwrap_or(0).min(input);
            [input - cached, cached, outputs[index].unwrap_or(0)].map(u64::from)
        });
        rows.push(CallRow {
            study: studies[index].clone(),
            notebook: notebooks[index].clone(),
            fix_type,
            fix_number: numbers[index],
            re_ask: re_asks[index],
            provider: providers[index].clone(),
            model: models[index].clone(),
            prompt: prompts[index].clone(),
            occurrence: occurrences[index],
            outcome: outcomes[index].clone(),
            tokens,
            cost,
            is_disputed: disputed[index],
        });
    }
    Ok(rows)
}

/// The calls without those that only repeated from the record what another call of the same ledger had asked.
fn without_repeats(calls: Vec<CallRow>) -> Vec<CallRow> {
    let question = |call: &CallRow| (call.study.clone(), call.notebook.clone(), call.prompt.clone(), call.occurrence);
    let asked: BTreeSet<_> = calls.iter().filter(|call| call.provider != REPLAY).map(question).collect();
    calls.into_iter().filter(|call| call.provider != REPLAY || !asked.contains(&question(call))).collect()
}

fn questions(frame: &Frame) -> Result<Vec<QuestionRow>, FrameError> {
    let types: Vec<FixType> = frame.words("fix_type")?;
    let (led_to_fix, reasks) = (frame.switches("led_to_fix")?, frame.counts("reask")?);
    let (problems, breaches) = (frame.optional_texts("problem")?, frame.texts("breaches")?);
    let details = frame.extra_texts("detail")?;
    let row = |index: usize| QuestionRow {
        fix_type: types[index],
        led_to_fix: led_to_fix[index],
        reask: reasks[index],
        problem: problems[index].clone(),
        breaches: breaches[index].split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect(),
        detail: details[index].clone().unwrap_or_default(),
    };
    Ok((0..frame.height()).map(row).collect())
}

fn refusals(frame: &Frame) -> Result<Vec<RefusalRow>, FrameError> {
    let types: Vec<FixType> = frame.words("fix_type")?;
    let row = |(fix_type, breach)| RefusalRow { fix_type, breach };
    Ok(types.into_iter().zip(frame.texts("breach")?).map(row).collect())
}
