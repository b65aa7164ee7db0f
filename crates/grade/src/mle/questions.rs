//! Answers that are annotated questions, one JSON object a line.

use std::collections::HashMap;

use serde::Deserialize;

use crate::{AnswersProblem, Malformation, python};

/// The questions of TensorFlow 2.0 Question Answering, by id.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    by_id: HashMap<String, Annotation>,
    lines: usize,
}

/// What counts as an answer of one question.
#[derive(Debug, Deserialize)]
pub(crate) struct Annotation {
    long_answer: Span,
    short_answers: Vec<Span>,
    yes_no_answer: String,
}

#[derive(Debug, Deserialize)]
struct Span {
    #[serde(deserialize_with = "whole")]
    start_token: i128,
    #[serde(deserialize_with = "whole")]
    end_token: i128,
}

/// A place as the original reads it: fractions are cut, and a text may hold it.
fn whole<'d, D: serde::Deserializer<'d>>(deserializer: D) -> Result<i128, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    let number = match value.as_str() {
        Some(text) => python::whole(text),
        None => value.as_i64().map(i128::from).or_else(|| value.as_f64().map(|number| number as i128)),
    };
    number.ok_or_else(|| serde::de::Error::custom("a place is no whole number"))
}

#[derive(Deserialize)]
struct Line {
    example_id: serde_json::Value,
    annotations: Vec<serde_json::Value>,
}

/// What a submission says for one question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply<'t> {
    /// That there is no answer.
    None,
    /// Tokens from and to.
    Span(i128, i128),
    /// `YES` or `NO`.
    Word(&'t str),
}

impl Questions {
    /// Reads the lines.
    pub(crate) fn parse(text: &str) -> Result<Self, AnswersProblem> {
        let mut questions = Questions::default();
        for (place, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let bad = AnswersProblem::NotCsv { line: place as u64 + 1, reason: Malformation::NotAQuestion };
            let Ok(line) = serde_json::from_str::<Line>(line) else {
                return Err(bad);
            };
            let id = line.example_id.as_str().map_or_else(|| line.example_id.to_string(), str::to_owned);
            let Some(Ok(first)) = line.annotations.into_iter().next().map(serde_json::from_value) else {
                return Err(bad);
            };
            questions.by_id.insert(id, first);
            questions.lines += 1;
        }
        if questions.lines == 0 { Err(AnswersProblem::NoRows) } else { Ok(questions) }
    }

    pub(crate) fn len(&self) -> usize {
        self.lines
    }

    /// The ids of the rows that reply to them.
    pub(crate) fn rows(&self) -> impl Iterator<Item = String> {
        self.by_id.keys().flat_map(|id| [format!("{id}_long"), format!("{id}_short")])
    }

    /// Whether a reply to the long or the short part of a question agrees with the annotation; none when there is no such
    /// question or part. `id` ends in `_long` or `_short`.
    ///
    /// The original compares whether there is a reply with whether it is right, or, without one, with whether there was an
    /// answer: a wrong reply disagrees as much as none where there was one.
    pub(crate) fn agrees(&self, id: &str, reply: &Reply<'_>) -> Option<bool> {
        let (question, is_long) = match id.strip_suffix("_long") {
            Some(question) => (question, true),
            None => (id.strip_suffix("_short")?, false),
        };
        let annotation = self.by_id.get(question)?;
        let spans =
            if is_long { std::slice::from_ref(&annotation.long_answer) } else { annotation.short_answers.as_slice() };
        let mut spans = spans.iter().filter(|span| !is_long || span.start_token != -1);
        let word = Some(annotation.yes_no_answer.as_str()).filter(|word| !is_long && *word != "NONE");
        Some(match *reply {
            Reply::None => spans.next().is_none() && word.is_none(),
            Reply::Span(start, end) => spans.any(|span| (span.start_token, span.end_token) == (start, end)),
            Reply::Word(own) => word == Some(own),
        })
    }
}
